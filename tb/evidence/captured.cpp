#include "tb/evidence/captured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "model/base/files.hpp"
#include "model/config/home.hpp"
#include "tb/devices/chain.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/scoreboard/nan_rule.hpp"
#include "tb/subject/subject.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Of generated cases: the one family, or all in turn.
std::string families_of(const std::vector<HeaderMember>& provenance) {
  if (text_of(provenance, "tool") != "assay generate") return "";
  const std::string family = text_of(provenance, "family");
  return family.empty() ? "all" : family;
}

CapturedSet described(const VectorHeader& header) {
  CapturedSet set;
  const std::string processor = text_of(header.provenance, "processor");
  set.part = processor.empty() ? text_of(header.provenance, "device") : processor;
  set.date = text_of(header.provenance, "date");
  set.printed = text_of(header.provenance, "kind") == "printed";
  set.families = families_of(header.provenance);
  return set;
}

// Matrices may take several instructions along K, each one's d the next one's c: here as in `assay check`.
void hold_to_model(VectorReader& reader, const Plan& plan, CapturedSet& set) {
  const auto model = chained(model_device(plan), plan);
  Scoreboard scoreboard(plan, nan_rule_of(reader.header(), plan));
  const CaseShape shape = case_shape(plan, reader.header().pad);
  for (std::vector<Case> cases; reader.next(shape, 1024, cases);) {
    const std::vector<Answer> answers = model->run(cases, false);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!cases[i].d) continue;
      ++set.cases;
      set.passed += scoreboard.same_d(*cases[i].d, answers[i].d) ? 1 : 0;
    }
  }
}

bool is_vector_file_name(const std::string& name) {
  static const std::regex ending("\\.jsonl(\\.gz|\\.zst)?$");
  return std::regex_search(name, ending);
}

// A catalogue of one's own may lack what the shipped sets are of.
bool has_architecture(const Catalogue& catalogue, const std::string& name) {
  const auto& all = catalogue.architectures();
  return std::any_of(all.begin(), all.end(), [&](const Architecture& a) { return a.name == name; });
}

// Such results would be held to what they came from.
bool computed_by_assay(const std::string& device) {
  static const std::regex own("(model|systemc|oracle)(:.*)?");
  return std::regex_match(device, own);
}

// `assay run --device vectors:FILE` wrote them, and FILE alone says who computed them.
bool taken_from_a_file(const std::string& device) { return device.rfind("vectors:", 0) == 0; }

// As a sentence; empty: it may be a recorded set.
std::string why_no_set(const std::string& file, const VectorHeader& header) {
  if (!header.datapath.empty()) {
    return file + " is of a datapath of its own, and stands behind no instruction; `assay check` holds it to that.";
  }
  const std::string device = text_of(header.provenance, "device");
  if (taken_from_a_file(device)) {
    return file + " is no recording of its own: its d were taken from another file (" + device +
           "), so it does not count; that file does, if it is a recording.";
  }
  if (!computed_by_assay(device)) return "";
  return file + " is no recording: its d come from Assay's own " + device + ", so it does not count.";
}

Instruction instruction_of(const Catalogue& catalogue, const std::string& file, const VectorHeader& header) {
  try {
    return catalogue.instruction(header.architecture, header.instruction);
  } catch (const Error& error) {
    throw Error{file + ":1: " + error.message, error.ending};
  }
}

}  // namespace

std::vector<std::string> vector_files(const std::string& folder) {
  std::error_code error;
  const std::vector<fs::path> entries = entries_of(folder, error);
  if (error) {
    throw Error{"'" + folder + "' is no folder of recorded sets that can be read (" + error.message() +
                "); name one that holds .jsonl, .jsonl.gz or .jsonl.zst files."};
  }
  std::vector<std::string> files;
  for (const fs::path& entry : entries) {
    if (!is_vector_file_name(entry.filename().string())) continue;
    const std::string why = why_no_file(entry.string());
    if (!why.empty())
      throw Error{entry.string() + " has the name of a recorded set, but cannot be read as one: " + why + "."};
    files.push_back(entry.string());
  }
  return files;
}

std::vector<std::string> shipped_captures() { return vector_files(home() + "/tb/vectors/captured"); }
std::vector<std::string> shipped_emulations() { return vector_files(home() + "/tb/vectors/emulated"); }

std::vector<std::string> shipped_sets() {
  std::vector<std::string> files = shipped_captures();
  for (std::string& file : shipped_emulations()) files.push_back(std::move(file));
  return files;
}

std::vector<CapturedSet> captured_sets(const Catalogue& catalogue, const std::vector<std::string>& files, bool external,
                                       const Wanted& wanted, const SetsHeard& heard) {
  std::vector<CapturedSet> sets;
  for (const std::string& file : files) {
    if (heard.begun) heard.begun(file);
    VectorReader reader(file);
    const VectorHeader& header = reader.header();
    const std::string why = why_no_set(file, header);
    if (!why.empty() && heard.warned) heard.warned(why);
    if (!why.empty()) continue;
    if (!external && !has_architecture(catalogue, header.architecture)) continue;
    const Instruction instruction = instruction_of(catalogue, file, header);
    if (!wanted(instruction)) continue;
    CapturedSet set = described(header);
    set.file = file;
    set.external = external;
    set.instruction = instruction.full_name();
    const Subject subject = subject_of_header(catalogue, header, file);
    if (!subject.warning.empty() && heard.warned) heard.warned(subject.warning);
    hold_to_model(reader, subject.plan, set);
    sets.push_back(std::move(set));
  }
  return sets;
}

std::string set_text(const CapturedSet& set) {
  const std::string held = set.cases == 0 ? "no case has a recorded d"
                                          : fmt::format("{} of {} {} pass", set.passed, set.cases,
                                                        set.printed ? "printed results" : "cases");
  std::string text = held;
  if (!set.part.empty()) text += ", " + set.part;
  if (!set.families.empty()) text += ", families: " + set.families;
  if (!set.date.empty()) text += ", " + set.date;
  return text;
}

}  // namespace assay
