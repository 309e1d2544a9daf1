#include "tb/picture/svg.hpp"

#include <fmt/format.h>

#include "model/base/xml.hpp"

namespace assay {

std::string svg_picture(double width, double height, const std::string& name, const std::string& attributes,
                        const std::string& content) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\"{2}>\n<title>{3}</title>\n{4}</svg>\n",
      width, height, attributes, xml_text(name), content);
}

}  // namespace assay
