// A header of C11 and C++17: constant arrays, and what they are of.
#include "tb/export/export_format.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

std::string element_type(const Column& column) { return "uint" + std::to_string(8 * column.bytes()) + "_t"; }

// Text from elsewhere, fit for a comment of one line.
std::string in_comment(const std::string& text) {
  const std::string shown = excerpt(text);
  std::string plain;
  for (const char c : shown.substr(1, shown.size() - 2)) plain += c == '\\' ? '/' : c;
  return plain;
}

std::string define(const std::string& name, const std::string& value) {
  return "#define ASSAY_" + name + " " + value + "\n";
}

std::string beginning(const WrittenColumns& written, const ExportFacts& facts) {
  const Plan& plan = facts.plan;
  std::string text = "// Cases of " + in_comment(facts.unit) + ", written by " + facts.tool +
                     ".\n// Codes as bits, element i of case n in assay_a[n][i].\n#ifndef ASSAY_VECTORS_H\n"
                     "#define ASSAY_VECTORS_H\n\n#include <stdint.h>\n\n";
  text += define("CASES", std::to_string(written.cases)) + define("K", std::to_string(plan.k));
  if (plan.scale) text += define("SCALES", std::to_string(plan.scales));
  text += define("DATAPATH_SHA256", "\"" + facts.datapath_sha256 + "\"");
  for (const Column& column : written.columns)
    text += "// " + column.name + ": " + column.format.name + ", " + std::to_string(column.bits()) + " bits\n";
  return text;
}

std::string declaration(const Column& column) {
  const bool scales = column.member == CaseMember::scale_a || column.member == CaseMember::scale_b;
  const std::string of_more = "[" + std::to_string(column.elements) + "]";
  const std::string list = column.member == CaseMember::more ? of_more
                           : scales                          ? "[ASSAY_SCALES]"
                           : column.list                     ? "[ASSAY_K]"
                                                             : "";
  return "\nstatic const " + element_type(column) + " assay_" + column.name + "[ASSAY_CASES]" + list + " = {\n";
}

}  // namespace

std::vector<ArrayPlace> assemble_c(const WrittenColumns& written, const ExportFacts& facts) {
  PartFile out(written.folder, "vectors.h");
  out.add(beginning(written, facts));
  std::vector<ArrayPlace> places;
  for (const Column& column : written.columns) {
    out.add(declaration(column));
    places.push_back({element_type(column), out.name(), out.bytes()});
    out.add_file(column.name);
    out.add("};\n");
  }
  out.add("\n#endif\n");
  out.finish();
  return places;
}

bool c_has_there(const PlacedColumn& place) {
  const std::string before = declaration(place.column);
  const auto begin = static_cast<std::int64_t>(place.offset) - static_cast<std::int64_t>(before.size());
  return bytes_at(place.path, begin, before.size()) == before;
}

}  // namespace assay
