#include "sim/cli/export_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/base/text.hpp"
#include "model/config/digest.hpp"
#include "model/config/instruction_layout.hpp"
#include "tb/devices/rtl/module_name.hpp"
#include "tb/source/c_sums.hpp"
#include "tb/source/model_c.hpp"
#include "tb/source/model_sv.hpp"

namespace assay {
namespace {

// A language that a model is written in.
struct ModelFormat {
  std::string_view name, about;
  std::string (*write)(const Plan& plan, const SourceFacts& facts);
  bool has_whole;
};

const std::vector<ModelFormat>& model_formats() {
  static const std::vector<ModelFormat> table{
      {"c", "a header of C99 and C++: a function a stage, for tools that prove, firmware and kernels", model_as_c,
       true},
      {"cpp", "the same in C++ over integers of your own: ac_int, ap_uint, sc_biguint", model_as_cpp, true},
      {"sv-package", "a SystemVerilog package: a function a stage, for properties and scoreboards", model_as_sv, false},
  };
  return table;
}

std::string default_name(const Plan& plan) {
  std::string name = "dot_";
  for (const char c : lower(plan.datapath.name)) name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
  return name;
}

// What both C and SystemVerilog take as a name.
void check_name(const std::string& name) {
  const bool good = !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos &&
                    (name.front() < '0' || name.front() > '9');
  if (!good) throw Error{fmt::format("--name '{}' must be made of a-z, 0-9 and _, no digit first.", name)};
  if (c_name(name) != name || is_keyword(name))
    throw Error{fmt::format("--name {} is a word of C, C++ or SystemVerilog; take another.", name)};
}

WholeInstruction whole_instruction(const Subject& subject, const ModelFormat& format) {
  if (!format.has_whole)
    throw Error{fmt::format("--whole is written in c and cpp; --to {} has the dot product alone.", format.name)};
  if (!subject.instruction)
    throw Error{"--whole is of an --instruction; a datapath has no registers that its operands would stand in."};
  const auto no_place = [&](const std::string& why) -> Error {
    return {fmt::format("{} cannot be written with --whole: {}", subject.name, why), Ending::not_here};
  };
  const std::optional<InstructionLayout> layout = layout_of(*subject.instruction, subject.plan);
  if (!layout) throw no_place("where its operands stand is in no table, as `assay layout` says.");
  if (!subject.plan.more.empty())
    throw no_place(
        fmt::format("it takes an operand {} beside A, B, C and their scales, and no table says where that stands.",
                    subject.plan.more.front().name));
  return {layout->size, layout->operands};
}

}  // namespace

std::string model_format_texts() {
  std::string text;
  for (const ModelFormat& format : model_formats())
    text += fmt::format("{} {} ({})", text.empty() ? "" : ",", format.name, format.about);
  return text;
}

std::string model_format_names() {
  std::vector<std::string> names;
  for (const ModelFormat& format : model_formats()) names.emplace_back(format.name);
  return joined(names);
}

std::vector<std::pair<std::string, std::string>> model_format_list() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const ModelFormat& format : model_formats()) list.emplace_back(format.name, format.about);
  return list;
}

std::string exported_model(const Subject& subject, const ModelExport& asked) {
  const std::string &to = asked.to, &name = asked.name;
  const auto& table = model_formats();
  const auto format = std::find_if(table.begin(), table.end(), [&](const ModelFormat& f) { return f.name == to; });
  if (format == table.end())
    throw Error{
        fmt::format("--to {} is no language that a model is written in; there are {}.", to, model_format_names())};
  if (!name.empty()) check_name(name);
  if (const auto why = why_no_source(subject.plan))
    throw Error{fmt::format("{} cannot be written with --to {}: {}", subject.name, to, *why), Ending::not_here};
  std::optional<WholeInstruction> whole;
  if (asked.whole) whole = whole_instruction(subject, *format);
  const std::string unit = subject.instruction ? subject.name : "datapath " + subject.plan.datapath.name;
  return format->write(subject.plan, {name.empty() ? default_name(subject.plan) : name, unit,
                                      std::string("assay ") + ASSAY_VERSION, datapath_sha256(subject.plan), whole});
}

}  // namespace assay
