#include "tb/run/generated_file.hpp"

#include <memory>

#include "model/base/in_order.hpp"
#include "model/base/json.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/run/case_source.hpp"

namespace assay {
namespace {

// A batch, and what a thread could do of it beforehand.
struct MadeCases {
  std::vector<Case> cases;
  std::optional<std::string> text;
};

class Making {
 public:
  Making(const GeneratedSet& set, const Plan& plan, const Generator& generator, const CaseWriter& writer)
      : set_(set), generator_(generator), writer_(writer), model_(model_device(plan)) {}

  std::uint64_t batches() const { return (set_.range.count + batch_of_cases - 1) / batch_of_cases; }

  MadeCases operator()(std::uint64_t batch) const {
    MadeCases made{some_cases(generator_, set_.range, batch * batch_of_cases, batch_of_cases), {}};
    if (set_.with_results) fill_in_results(made.cases);
    made.text = writer_.text_of(made.cases);
    return made;
  }

 private:
  void fill_in_results(std::vector<Case>& cases) const {
    const std::vector<Answer> answers = model_->run(cases, false);
    for (std::size_t i = 0; i < cases.size(); ++i) cases[i].d = answers[i].d;
  }

  const GeneratedSet& set_;
  const Generator& generator_;
  const CaseWriter& writer_;
  std::unique_ptr<Device> model_;
};

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
                      const GeneratedBy& by) {
  const Making making(set, subject.plan, generator, writer);
  Tally tally(subject.plan);
  std::uint64_t done = 0;
  in_order(making.batches(), by.threads, making, [&](const MadeCases& made) {
    for (const Case& c : made.cases) {
      if (c.d) tally.see(*c.d);
      if (!made.text) writer.write(c);
    }
    if (made.text) writer.write_text(*made.text, made.cases.size());
    if (by.progress) by.progress(done += made.cases.size());
  });
  writer.finish();
  return tally;
}

}  // namespace assay
