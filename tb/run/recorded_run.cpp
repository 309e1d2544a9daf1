#include "tb/run/recorded_run.hpp"

#include "tb/devices/chain.hpp"

namespace assay {

RecordedRun::RecordedRun(const Catalogue& catalogue, const std::string& file, const RecordedChoice& choice,
                         const std::string& program)
    : file_(file),
      reader_(file),
      subject_(subject_of_header(catalogue, reader_.header(), file)),
      cases_(recorded_cases(reader_, subject_.plan, file, choice)) {
  subject_.program = program;
}

Comparison RecordedRun::held_to(const std::string& spec, std::unique_ptr<Device> device, const RunOptions& options) {
  const std::unique_ptr<Device> chain = chained(std::move(device), subject_.plan);
  const std::unique_ptr<Device> recorded = recorded_device(reader_.file());
  return compare(subject_, {file_, *recorded}, {spec, *chain}, *cases_, options);
}

}  // namespace assay
