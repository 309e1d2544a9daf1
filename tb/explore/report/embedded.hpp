// The files that a report is made of, as the build put them into the program (embed.cmake).
#pragma once

#include <string_view>

namespace assay::embedded {

extern const std::string_view page_html, page_css, page_js;

}  // namespace assay::embedded
