// The words of a datapath read from what a file or a study gives, by the rows of model/core/fields.hpp.
#pragma once

#include "model/config/given.hpp"

namespace assay {

// Every key at the top is a word of a datapath, or one of `others`.
void only_words(const Given& given, const std::vector<std::string_view>& others);

// `inherited`: what the file is like, which `into` holds already; nothing where it has to say all by itself.
void read_words(const Given& given, Datapath& into, const Datapath* inherited);

// The words of a format; `others` are keys of the same mapping that are not among them.
void read_format_words(const YamlValue& value, Format& format, const std::vector<std::string_view>& others);

// Operands as an instruction or a datapath gives them: {a: f16, b: f16, c: f32, d: f32, scale: {format: .., block:
// ..}}.
void read_operands(const YamlValue& value, Operands& operands);

}  // namespace assay
