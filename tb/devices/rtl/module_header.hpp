// A module's header alone, so that its ports can be read though its body cannot: without the modules it instantiates.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay {

// Of SystemVerilog that a preprocessor has been over: packages and what else stands outside modules, and module `top`
// with an empty body. Nothing where there is no such module, or where its body declares its ports.
std::optional<std::string> header_only(const std::string& preprocessed, const std::string& top);

struct HeaderPort {
  std::string name;
  std::string declaration;  // input p::req_t req_i
  std::string type;         // p::req_t
  std::string interface;    // of `dot_if.slave bus`: dot_if
  std::string dimensions;   // behind the name
};

struct ModuleHeader {
  std::string before_ports;             // imports and parameters, as they stand there
  std::vector<std::string> parameters;  // by name; no localparam
  std::vector<HeaderPort> ports;
};

// Of module `top` in such a text; nothing where there is no such module, or where its body declares its ports.
std::optional<ModuleHeader> parse_header(const std::string& preprocessed, const std::string& top);

}  // namespace assay
