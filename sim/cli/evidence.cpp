// assay evidence: which recorded sets stand behind an instruction.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/captured.hpp"
#include "sim/cli/command.hpp"

namespace assay {
namespace {

struct Options {
  std::string architecture, instruction;
  std::vector<std::string> folders;
  bool json = false;
};

Wanted wanted(const Options& options, const Catalogue& catalogue) {
  if (options.architecture.empty()) return [](const Instruction&) { return true; };
  const Instruction* instruction = options.instruction.empty()
                                       ? catalogue.find_instruction(options.architecture)
                                       : &catalogue.instruction(options.architecture, options.instruction);
  if (instruction == nullptr) {
    const std::string name = catalogue.architecture(options.architecture).name;
    return [name](const Instruction& i) { return i.architecture == name; };
  }
  return [name = instruction->full_name()](const Instruction& i) { return i.full_name() == name; };
}

nlohmann::ordered_json as_json(const CapturedSet& set) {
  return {{"file", set.file}, {"external", set.external}, {"printed", set.printed}, {"part", set.part},
          {"date", set.date}, {"families", set.families}, {"cases", set.cases},     {"passed", set.passed}};
}

using Sets = std::map<std::string, std::vector<CapturedSet>>;  // by instruction

void show_json(const std::vector<const Instruction*>& instructions, const Sets& sets, std::ostream& out) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Instruction* i : instructions) {
    nlohmann::ordered_json j{
        {"instruction", i->full_name()}, {"claim", i->evidence}, {"sets", nlohmann::json::array()}};
    if (const auto found = sets.find(i->full_name()); found != sets.end()) {
      for (const CapturedSet& set : found->second) j["sets"].push_back(as_json(set));
    }
    all.push_back(j);
  }
  out << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

void show_table(const std::vector<const Instruction*>& instructions, const Sets& sets, std::ostream& out) {
  std::size_t width = 11, bare = 0;
  for (const auto& [name, of] : sets) width = std::max(width, name.size());
  if (!sets.empty()) out << fmt::format("{:<{}}  {:<12}  {}\n", "instruction", width, "claim", "sets");
  for (const Instruction* i : instructions) {
    const auto found = sets.find(i->full_name());
    if (found == sets.end()) {
      bare += i->evidence == "captured" ? 1 : 0;
      continue;
    }
    for (const CapturedSet& set : found->second) {
      const bool first = &set == &found->second.front();
      out << fmt::format("{:<{}}  {:<12}  {}{}\n", first ? i->full_name() : "", width, first ? i->evidence : "",
                         set.external ? "external: " : "", set_text(set));
    }
  }
  out << fmt::format("{}{} of {} instructions have recorded sets here.", sets.empty() ? "" : "\n", sets.size(),
                     instructions.size());
  if (bare > 0) {
    out << fmt::format(" {} more claim to be captured, by sets kept elsewhere: --sets FOLDER holds those to the model.",
                       bare);
  }
  out << "\n";
}

int show_evidence(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const Wanted chosen = wanted(options, catalogue);
  std::vector<CapturedSet> all = captured_sets(catalogue, shipped_captures(), false, chosen);
  for (const std::string& folder : options.folders) {
    for (CapturedSet& set : captured_sets(catalogue, vector_files(folder), true, chosen)) all.push_back(std::move(set));
  }
  std::vector<const Instruction*> instructions;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (chosen(i)) instructions.push_back(&i);
    }
  }
  Sets sets;
  bool all_pass = true, all_held = true;
  for (CapturedSet& set : all) {
    all_pass = all_pass && set.passed == set.cases;
    all_held = all_held && set.cases > 0;
    sets[set.instruction].push_back(std::move(set));
  }
  options.json ? show_json(instructions, sets, console.out) : show_table(instructions, sets, console.out);
  return !all_pass ? mismatch : all_held ? passed : nothing_compared;
}

}  // namespace

void add_evidence(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("evidence", "Which recorded sets stand behind each instruction, held to the model now.");
  command->footer("Example:  assay evidence ada\n          assay evidence --sets ../recordings");
  command->add_option("ARCHITECTURE", options->architecture, "Only its instructions; or, alone, an instruction");
  command->add_option("INSTRUCTION", options->instruction, "Only this one");
  command->add_option("--sets", options->folders, "Also the vector files of this folder, as external ones");
  command->add_flag("--json", options->json, "All of it as JSON");
  command->callback([options, &console, &status] { status = show_evidence(*options, console); });
}

}  // namespace assay
