// Any text, escaped for XML and HTML. Bytes that they cannot hold are shown as \x00.
#pragma once

#include <string>
#include <string_view>

namespace assay {

std::string xml_text(std::string_view text);
std::string xml_attribute(std::string_view text);  // between quotes: "

}  // namespace assay
