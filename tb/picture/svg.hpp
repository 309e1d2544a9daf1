// A picture as SVG: a file, or a part of a page.
#pragma once

#include <string>

namespace assay {

// `name` says what it shows, to those who hear it as well. `attributes` begin with a space, or are empty.
std::string svg_picture(double width, double height, const std::string& name, const std::string& attributes,
                        const std::string& content);

}  // namespace assay
