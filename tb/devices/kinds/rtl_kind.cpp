#include "tb/devices/kinds/rtl_kind.hpp"

#include "model/base/run_program.hpp"
#include "tb/devices/completed.hpp"
#include "tb/devices/dealt.hpp"
#include "tb/devices/process.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/claims.hpp"
#include "tb/devices/rtl/reseeded.hpp"
#include "tb/devices/rtl/shared_build.hpp"

namespace assay {
namespace {

std::string program_of(const Dut& dut, const DeviceRequest& request, std::ostream* progress) {
  const Subject& subject = request.subject;
  if (!request.builds.empty())
    return shared_program(dut, claim_of(dut, subject, request.catalogue), subject.plan, request.builds);
  return build_claimed(dut, subject, request.catalogue, progress, !request.wave.empty());
}

}  // namespace

std::unique_ptr<Device> open_rtl(const DeviceRequest& request) {
  const HeldDut asked = held_dut(request.argument, request.spec);
  const Dut dut = read_dut_file(asked.file);
  const Subject& subject = request.subject;
  const Claim& claim = claim_of(dut, subject, request.catalogue);
  const std::string program = program_of(dut, request, &request.log);
  const std::vector<std::string> held = run_arguments(dut, claim, program, asked.held);
  const bool has_d = !dut.d.empty();
  const auto started = [file = asked.file, held, &subject, has_d](std::vector<std::string> argv) {
    argv.insert(argv.end(), held.begin(), held.end());
    auto unit = process_device(subject.plan, subject.header,
                               {argv, "rtl:" + file, ProcessOptions{}.timeout, ProcessOptions{}.restarts, true});
    return has_d ? std::move(unit) : completed(subject.plan, std::move(unit));
  };
  if (!request.wave.empty()) return started({program, "1", "--wave", request.wave});
  std::vector<std::unique_ptr<Device>> units;
  for (int i = 0; i < request.processes; ++i) units.push_back(started({program, "1"}));
  return reseeded(
      units.size() == 1 ? std::move(units.front()) : dealt(std::move(units)),
      [started, program] {
        return started({program, "2"});
      },
      [dut](int by) { return advice_on_shift(dut, by); });
}

double rtl_bare_rate(const DeviceRequest& request, double seconds) {
  const HeldDut asked = held_dut(request.argument, request.spec);
  const Dut dut = read_dut_file(asked.file);
  const Claim& claim = claim_of(dut, request.subject, request.catalogue);
  const std::string program = build_claimed(dut, request.subject, request.catalogue, &request.log, false);
  std::vector<std::string> argv{program, "1", "--bare", std::to_string(seconds)};
  for (const std::string& word : run_arguments(dut, claim, program, asked.held)) argv.push_back(word);
  const std::optional<std::string> said = said_by(argv);
  if (!said) throw Error{"rtl:" + asked.file + " cannot be evaluated alone: its program failed."};
  return std::stod(*said);
}

std::vector<Subject> rtl_subjects(const std::string& spec, const std::string& argument, const Catalogue& catalogue,
                                  std::ostream& log) {
  return subjects_of_claims(read_dut_file(held_dut(argument, spec).file), catalogue, log);
}

void share_rtl(const DeviceRequest& request) {
  const Dut dut = read_dut_file(held_dut(request.argument, request.spec).file);
  const Subject& subject = request.subject;
  const std::string program = build_claimed(dut, subject, request.catalogue, &request.log);
  share_build(dut, claim_of(dut, subject, request.catalogue), subject.plan, program, request.builds);
}

std::vector<DeviceFact> rtl_facts(const DeviceRequest& request) {
  const Dut dut = read_dut_file(held_dut(request.argument, request.spec).file);
  const std::string program = program_of(dut, request, nullptr);
  return {{"RTL (SHA-256)", rtl_sha256(dut, program)}};
}

}  // namespace assay
