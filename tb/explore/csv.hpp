// Lines of RFC 4180.
#pragma once

#include <string>
#include <vector>

namespace assay {

std::string csv_line(const std::vector<std::string>& fields);

}  // namespace assay
