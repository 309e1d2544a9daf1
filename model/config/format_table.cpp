// format_table OUT FILE...: the files of configs/formats as the table that model/core is built with, so that the model
// needs no file to know its formats.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <tuple>

#include "model/base/json.hpp"
#include "model/config/format_file.hpp"

namespace assay {
namespace {

// As C++ writes it. JSON's text is C++'s here: names and sentences are ASCII.
std::string of(const std::string& text) { return json_string(text); }
std::string of(bool value) { return value ? "true" : "false"; }
std::string of(int value) { return std::to_string(value); }
std::string of(const std::map<std::string, std::string>& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += fmt::format("{{{}, {}}}, ", of(name), of(value));
  return "{" + text + "}";
}
std::string of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += of(text) + ", ";
  return "{" + list + "}";
}
template <class Enum>
std::enable_if_t<std::is_enum_v<Enum>, std::string> of(Enum value, const char* name) {
  return fmt::format("static_cast<{}>({})", name, static_cast<int>(value));
}

// A member that is missing here does not compile.
std::string row(const Format& format) {
  const auto& [name, ml_dtypes, kind, stored, sign, exponent, mantissa, bias, infinity, nan, minus_zero, zero, low,
               high, infinities, fraction, sign_magnitude, family, about, source, rule, parameters, listed, ties,
               made_later] = format;
  static_cast<void>(made_later);
  const std::vector<std::string> members{of(name),
                                         of(ml_dtypes),
                                         of(kind, "FormatKind"),
                                         of(stored),
                                         of(sign),
                                         of(exponent),
                                         of(mantissa),
                                         of(bias),
                                         of(infinity),
                                         of(nan, "NanCodes"),
                                         of(minus_zero),
                                         of(zero),
                                         of(low),
                                         of(high),
                                         of(infinities, "InfinityCodes"),
                                         of(fraction),
                                         of(sign_magnitude),
                                         of(family),
                                         of(about),
                                         of(source),
                                         of(rule),
                                         of(parameters),
                                         of(listed),
                                         of(ties, "Ties"),
                                         "{}"};
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

// Wide to narrow; what has a sign before what has none, integers and what rules make last, each family together.
auto place(const Format& f) {
  return std::make_tuple(f.is_integer(), !f.family.empty() || f.is_list(), f.family, !f.has_sign, -f.stored_bits,
                         -f.exponent_bits, f.name);
}

int write(const std::string& out, const std::vector<std::string>& files) {
  std::vector<Format> all;
  for (const std::string& file : files) {
    for (Format& format : read_formats(read_yaml_file(file))) all.push_back(std::move(format));
  }
  std::sort(all.begin(), all.end(), [](const Format& x, const Format& y) { return place(x) < place(y); });
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].name == all[i + 1].name) throw Error{"Two files make the format " + all[i].name + "."};
  }
  std::ofstream to(out);
  to << "// Made from configs/formats; do not edit.\n#include \"model/core/format.hpp\"\n\nnamespace assay {\n\n"
     << "const std::vector<Format>& formats() {\n  static const std::vector<Format> all = [] {\n"
     << "    std::vector<Format> table{\n";
  for (const Format& format : all) to << "        " << row(format) << ",\n";
  to << "    };\n    for (Format& format : table) complete(format);\n    return table;\n  }();\n  return all;\n}\n\n"
     << "}  // namespace assay\n";
  return to.flush() ? 0 : 2;
}

}  // namespace
}  // namespace assay

int main(int count, char** arguments) {
  try {
    return assay::write(arguments[1], {arguments + 2, arguments + count});
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  } catch (const assay::Error& error) {
    std::cerr << error.message << "\n";
  }
  return 2;
}
