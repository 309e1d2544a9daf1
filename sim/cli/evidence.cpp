// assay evidence: which recorded sets stand behind an instruction.

#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "tb/evidence/evidence.hpp"

namespace assay {
namespace {

struct Options {
  std::string architecture, instruction;
  std::vector<std::string> folders;
  bool json = false;
};

Wanted wanted(const Options& options, const Catalogue& catalogue) {
  if (options.architecture.empty()) return [](const Instruction&) { return true; };
  const std::optional<Instruction> instruction = options.instruction.empty()
                                                     ? catalogue.find_instruction(options.architecture)
                                                     : catalogue.instruction(options.architecture, options.instruction);
  if (!instruction) {
    const std::string name = catalogue.architecture(options.architecture).name;
    return [name](const Instruction& i) { return i.architecture == name; };
  }
  return [name = instruction->full_name()](const Instruction& i) { return i.full_name() == name; };
}

std::vector<std::string> recorded_files(const std::vector<std::string>& folders) {
  std::vector<std::string> files = shipped_sets();
  for (const std::string& folder : folders) {
    for (std::string& file : vector_files(folder)) files.push_back(std::move(file));
  }
  return files;
}

int show_evidence(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const std::vector<std::string> files = recorded_files(options.folders);
  Progress progress(console, files.size(), "sets");
  std::uint64_t read = 0;
  const Evidence found = evidence_of(
      catalogue, wanted(options, catalogue), options.folders,
      {[&](const std::string&) { progress.at(read++); }, [&](const std::string& why) { warn(why, console); }});
  if (options.json) {
    console.out << evidence_json(found).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    console.out << evidence_text(found);
  }
  return !found.all_pass() ? mismatch : found.all_held() ? passed : nothing_compared;
}

}  // namespace

void add_evidence(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("evidence", "Which recorded sets stand behind each instruction, held to the model now.");
  command.footer("Example:  assay evidence ada\n          assay evidence --sets ../recordings");
  command.add_option("ARCHITECTURE", options->architecture, "Only its instructions; or, alone, an instruction");
  command.add_option("INSTRUCTION", options->instruction, "Only this one");
  command.add_option("--sets", options->folders, "Also the vector files of this folder, as external ones");
  command.add_flag("--json", options->json, "All of it as JSON");
  command.callback([options, &console, &status] { status = show_evidence(*options, console); });
}

}  // namespace assay
