#include "tb/devices/kinds/rtl_kind.hpp"

#include "tb/devices/process.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/claims.hpp"
#include "tb/devices/rtl/reseeded.hpp"

namespace assay {

std::unique_ptr<Device> open_rtl(const DeviceRequest& request) {
  const HeldDut asked = held_dut(request.argument, request.spec);
  const Dut dut = read_dut_file(asked.file);
  const Subject& subject = request.subject;
  const Claim& claim = claim_of(dut, subject, request.catalogue);
  const std::string program = build_claimed(dut, subject, request.catalogue, &request.log, !request.wave.empty());
  const std::vector<std::string> held = run_arguments(dut, claim, program, asked.held);
  const auto started = [file = asked.file, held, &subject](std::vector<std::string> argv) {
    argv.insert(argv.end(), held.begin(), held.end());
    return process_device(subject.plan, subject.header, {argv, "rtl:" + file});
  };
  if (!request.wave.empty()) return started({program, "1", request.wave});
  return reseeded(
      started({program, "1"}),
      [started, program] {
        return started({program, "2"});
      },
      [dut](int by) { return advice_on_shift(dut, by); });
}

std::vector<Subject> rtl_subjects(const std::string& spec, const std::string& argument, const Catalogue& catalogue,
                                  std::ostream& log) {
  return subjects_of_claims(read_dut_file(held_dut(argument, spec).file), catalogue, log);
}

std::vector<DeviceFact> rtl_facts(const DeviceRequest& request) {
  const Dut dut = read_dut_file(held_dut(request.argument, request.spec).file);
  const std::string program = build_claimed(dut, request.subject, request.catalogue, nullptr, !request.wave.empty());
  return {{"RTL (SHA-256)", rtl_sha256(dut, program)}};
}

}  // namespace assay
