// Lines of RFC 4180.
#pragma once

#include <string>
#include <vector>

namespace assay {

// With quotation marks where a comma, one of these marks or an end of line asks for them.
std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace assay
