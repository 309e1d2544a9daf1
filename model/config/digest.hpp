// What the configuration says, as a SHA-256: the same on every machine, another as soon as any key has another value.
// What is hashed are the values that were read, so comments, layout, `about` of a datapath and what a file says through
// `like` instead of by itself do not count.
#pragma once

#include <string>

#include "model/config/catalogue.hpp"

namespace assay {

// Of the arithmetic of one instruction: its datapath, operands and k, but not the datapath's name.
std::string datapath_sha256(const Plan& plan);

// Of all of configs/arch and configs/datapath.
std::string catalogue_sha256(const Catalogue& catalogue);

}  // namespace assay
