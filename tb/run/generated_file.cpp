#include "tb/run/generated_file.hpp"

#include "model/base/json.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/run/case_source.hpp"

namespace assay {
namespace {

void fill_in_results(Device& model, std::vector<Case>& cases, Tally& tally) {
  const std::vector<Answer> answers = model.run(cases, false);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].d = answers[i].d;
    tally.see(answers[i].d);
  }
}

}  // namespace

std::vector<HeaderMember> provenance(const GeneratedSet& set) {
  std::vector<HeaderMember> members{{"tool", "\"assay generate\""}, {"seed", std::to_string(set.seed)}};
  if (!set.family.empty()) members.push_back({"family", json_string(set.family)});
  if (!set.part.empty()) members.push_back({"shard", json_string(set.part)});
  if (set.range.first > 0 || !set.part.empty()) members.push_back({"first_case", std::to_string(set.range.first)});
  if (set.with_results) members.push_back({"device", "\"model\""});
  return members;
}

VectorHeader header_of(const GeneratedSet& set, const Subject& subject) {
  VectorHeader header = subject.header;
  header.cases = set.range.count;
  header.provenance = provenance(set);
  return header;
}

Tally write_generated(const GeneratedSet& set, const Subject& subject, const Generator& generator, CaseWriter& writer,
                      const std::function<void(std::uint64_t done)>& progress) {
  const std::unique_ptr<Device> model = model_device(subject.plan);
  Tally tally(subject.plan);
  for (std::uint64_t done = 0; done < set.range.count;) {
    std::vector<Case> cases;
    for (; cases.size() < batch_of_cases && done < set.range.count; ++done)
      cases.push_back(generator.make(set.range.first + done));
    if (set.with_results) fill_in_results(*model, cases, tally);
    for (const Case& c : cases) writer.write(c);
    if (progress) progress(done);
  }
  writer.finish();
  return tally;
}

}  // namespace assay
