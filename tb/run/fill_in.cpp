#include "tb/run/fill_in.hpp"

#include "tb/devices/chain.hpp"
#include "tb/run/case_source.hpp"

namespace assay {
namespace {}  // namespace

Tally fill_in(VectorReader& reader, const Plan& plan, Device& device, VectorWriter& writer,
              const std::function<void(std::uint64_t done)>& progress) {
  const CaseShape shape = case_shape(plan, reader.header().pad);
  Tally tally(plan);
  std::uint64_t done = 0;
  for (std::vector<Case> cases; reader.next(shape, batch_of_cases, cases);) {
    const std::vector<Answer> answers = run_chained(device, plan, cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!answers[i].ok())
        throw Error{reader.file() + ", " + case_name(cases[i]) + ": " + answers[i].error, Ending::mismatch};
      cases[i].d = answers[i].d;
      tally.see(answers[i].d);
      writer.write(cases[i]);
    }
    done += cases.size();
    if (progress) progress(done);
  }
  if (const std::string wrong = device.close(); !wrong.empty()) throw Error{wrong, Ending::mismatch};
  writer.finish();
  return tally;
}

}  // namespace assay
