// Where the project lies, whose files tests read. A function in a file of its own: the compiler's cache knows what is
// compiled without the folder's name in every checkout.
#pragma once

#include <string>

namespace assay {

std::string source_dir();

}  // namespace assay
