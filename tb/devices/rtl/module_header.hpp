// A module's header alone, so that its ports can be read though its body cannot: without the modules it instantiates.
#pragma once

#include <optional>
#include <string>

namespace assay {

// Of SystemVerilog that a preprocessor has been over: packages and what else stands outside modules, and module `top`
// with an empty body. Nothing where there is no such module, or where its body declares its ports.
std::optional<std::string> header_only(const std::string& preprocessed, const std::string& top);

}  // namespace assay
