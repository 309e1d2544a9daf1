// assay list: the catalogue.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/config/catalogue.hpp"
#include "sim/cli/command.hpp"
#include "tb/evidence/captured.hpp"

namespace assay {
namespace {

struct Options {
  std::string architecture;
  bool json = false;
};

// "a mask", "a mask of 2 in 4"
std::string mask_text(const Mask& mask) {
  return mask.has_pattern() ? fmt::format("a mask of {} in {}", *mask.take, *mask.among) : "a mask";
}

std::string types(const Instruction& i) {
  std::string text = fmt::format("{} x {} + {} -> {}", i.operands.a, i.operands.b, i.operands.c, i.operands.d);
  if (!i.operands.scale.empty()) text += fmt::format(", {} a {}", i.operands.scale, i.operands.scale_block);
  if (i.operands.mask) text += ", " + mask_text(*i.operands.mask);
  return text;
}

// "ebf ah s{n}"
std::string variants(const Architecture& a, const Instruction& i) {
  return joined(variant_names(a.variants, i.family), " ");
}

nlohmann::ordered_json as_json(const Architecture& a, const Instruction& i) {
  nlohmann::ordered_json j{{"architecture", i.architecture},
                           {"instruction", i.name},
                           {"machine", i.sass},
                           {"m", i.m},
                           {"n", i.n},
                           {"k", i.k},
                           {"blocks", i.blocks},
                           {"a", i.operands.a},
                           {"b", i.operands.b},
                           {"c", i.operands.c},
                           {"d", i.operands.d},
                           {"datapath", i.datapath},
                           {"evidence", i.evidence}};
  if (!i.operands.scale.empty()) {
    j["scale"] = i.operands.scale;
    j["scale_block"] = i.operands.scale_block;
  }
  if (const std::optional<Mask>& mask = i.operands.mask) {
    j["mask"] = nlohmann::ordered_json::object();
    if (mask->has_pattern()) j["mask"] = {{"take", *mask->take}, {"among", *mask->among}, {"unit", mask->unit}};
  }
  if (!a.variants.empty()) j["variants"] = variant_names(a.variants, i.family);
  return j;
}

std::string beside(std::uint64_t cases) {
  return cases == 0 ? "" : fmt::format(", {} case{} here", cases, cases == 1 ? "" : "s");
}

void list_architectures(const Catalogue& catalogue, std::ostream& out) {
  std::size_t total = 0;
  out << fmt::format("{:<15}{:>12}  {}\n", "architecture", "instructions", "also called");
  for (const Architecture& a : catalogue.architectures()) {
    out << fmt::format("{:<15}{:>12}  {}\n", a.name, a.instructions.size(), joined(a.aliases));
    total += a.instructions.size();
  }
  out << fmt::format(
      "\n{} instructions. `assay list ARCHITECTURE` shows its own, `assay describe ARCHITECTURE INSTRUCTION` draws "
      "one.\n",
      total);
}

// Shipped cases that the model was just held to, by instruction.
std::map<std::string, std::uint64_t> shipped_cases(const Catalogue& catalogue, const Architecture& a) {
  std::map<std::string, std::uint64_t> cases;
  const auto of_it = [&](const Instruction& i) { return i.architecture == a.name; };
  for (const CapturedSet& set : captured_sets(catalogue, shipped_sets(), false, of_it))
    cases[set.instruction] += set.passed;
  return cases;
}

void list_instructions(const Catalogue& catalogue, const Architecture& a, std::ostream& out) {
  std::map<std::string, std::uint64_t> cases = shipped_cases(catalogue, a);
  std::size_t name = 11, operands = 36, datapath = 24, evidence = 8;
  const auto claim = [&](const Instruction& i) { return i.evidence + beside(cases[i.full_name()]); };
  for (const Instruction& i : a.instructions) {
    name = std::max(name, i.name.size());
    operands = std::max(operands, types(i).size());
    datapath = std::max(datapath, i.datapath.size());
    if (!a.variants.empty()) evidence = std::max(evidence, claim(i).size());
  }
  const auto row = [&](const std::string& last, const auto&... columns) {
    std::string line = fmt::format("{:<{}}  {:<{}}  {:<{}}  {:<{}}  ", columns...) + last;
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << "\n";
  };
  row(a.variants.empty() ? "" : "variants", "instruction", name, "types", operands, "datapath", datapath, "evidence",
      evidence);
  for (const Instruction& i : a.instructions)
    row(variants(a, i), i.name, name, types(i), operands, i.datapath, datapath, claim(i), evidence);
  out << fmt::format("\n{} instructions on {}.\n", a.instructions.size(), a.about);
}

void list(const Options& options, std::ostream& out) {
  const Catalogue catalogue = shipped_catalogue();
  if (options.json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Architecture& a : catalogue.architectures()) {
      const bool wanted = options.architecture.empty() || &catalogue.architecture(options.architecture) == &a;
      if (!wanted) continue;
      for (const Instruction& i : a.instructions) all.push_back(as_json(a, i));
    }
    out << all.dump(1) << "\n";
  } else if (options.architecture.empty()) {
    list_architectures(catalogue, out);
  } else {
    list_instructions(catalogue, catalogue.architecture(options.architecture), out);
  }
}

}  // namespace

void add_list(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("list", "Shows the architectures, or the instructions of one.");
  command.footer("Example:  assay list sm_90a");
  command.add_option("ARCHITECTURE", options->architecture, "A name such as hopper, sm_90a, H100, gfx942 or MI300X");
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console] { list(*options, console.out); });
}

}  // namespace assay
