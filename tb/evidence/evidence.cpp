#include "tb/evidence/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

Json set_json(const CapturedSet& set) {
  return {{"file", set.file}, {"external", set.external}, {"printed", set.printed}, {"part", set.part},
          {"date", set.date}, {"families", set.families}, {"cases", set.cases},     {"passed", set.passed}};
}

std::vector<CapturedSet> all_sets(const Catalogue& catalogue, const Wanted& wanted,
                                  const std::vector<std::string>& folders, const SetsHeard& heard) {
  std::vector<CapturedSet> all = captured_sets(catalogue, shipped_sets(), false, wanted, heard);
  for (const std::string& folder : folders) {
    for (CapturedSet& set : captured_sets(catalogue, vector_files(folder), true, wanted, heard))
      all.push_back(std::move(set));
  }
  return all;
}

template <class Good>
bool all_sets_are(const Evidence& evidence, const Good& good) {
  return std::all_of(evidence.instructions.begin(), evidence.instructions.end(),
                     [&](const InstructionEvidence& i) { return std::all_of(i.sets.begin(), i.sets.end(), good); });
}

}  // namespace

bool Evidence::all_pass() const {
  return all_sets_are(*this, [](const CapturedSet& set) { return set.passed == set.cases; });
}

bool Evidence::all_held() const {
  return all_sets_are(*this, [](const CapturedSet& set) { return set.cases > 0; });
}

Evidence evidence_of(const Catalogue& catalogue, const Wanted& wanted, const std::vector<std::string>& folders,
                     const SetsHeard& heard) {
  std::map<std::string, std::vector<CapturedSet>> sets;
  for (CapturedSet& set : all_sets(catalogue, wanted, folders, heard)) sets[set.instruction].push_back(std::move(set));
  Evidence found;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (wanted(i)) found.instructions.push_back({i.full_name(), i.evidence, std::move(sets[i.full_name()])});
    }
  }
  // Those that are left are of variants.
  for (auto& [name, rest] : sets) {
    if (!rest.empty()) found.instructions.push_back({name, catalogue.instruction(name).evidence, std::move(rest)});
  }
  return found;
}

std::string evidence_text(const Evidence& evidence) {
  std::size_t width = 11, bare = 0, with_sets = 0;
  for (const InstructionEvidence& i : evidence.instructions) {
    if (!i.sets.empty()) width = std::max(width, i.instruction.size());
    // A set of cases that nobody gave a result for is no recorded one.
    with_sets +=
        std::any_of(i.sets.begin(), i.sets.end(), [](const CapturedSet& set) { return set.cases > 0; }) ? 1 : 0;
    bare += i.sets.empty() && i.claim == "captured" ? 1 : 0;
  }
  const bool any = std::any_of(evidence.instructions.begin(), evidence.instructions.end(),
                               [](const InstructionEvidence& i) { return !i.sets.empty(); });
  std::string text = !any ? "" : fmt::format("{:<{}}  {:<12}  {}\n", "instruction", width, "claim", "sets");
  for (const InstructionEvidence& i : evidence.instructions) {
    for (const CapturedSet& set : i.sets) {
      const bool first = &set == &i.sets.front();
      text += fmt::format("{:<{}}  {:<12}  {}{}\n", first ? i.instruction : "", width, first ? i.claim : "",
                          set.external ? "external: " : "", set_text(set));
    }
  }
  text += fmt::format("{}{} of {} instructions have recorded sets here.", any ? "\n" : "", with_sets,
                      evidence.instructions.size());
  if (bare > 0) {
    text += fmt::format(
        " {} more claim to be captured, by sets kept elsewhere: --sets FOLDER holds those to the model.", bare);
  }
  return text + "\n";
}

Json evidence_json(const Evidence& evidence) {
  Json all = Json::array();
  for (const InstructionEvidence& i : evidence.instructions) {
    Json sets = Json::array();
    for (const CapturedSet& set : i.sets) sets.push_back(set_json(set));
    all.push_back({{"instruction", i.instruction}, {"claim", i.claim}, {"sets", sets}});
  }
  return all;
}

}  // namespace assay
