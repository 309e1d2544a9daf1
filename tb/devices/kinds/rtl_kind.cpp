#include "tb/devices/kinds/rtl_kind.hpp"

#include "model/base/run_program.hpp"
#include "tb/devices/completed.hpp"
#include "tb/devices/dealt.hpp"
#include "tb/devices/process.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/claims.hpp"
#include "tb/devices/rtl/links.hpp"
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

// What is asked of one unit in place of its chain.
DeviceRequest request_for(const LinkedUnit& unit, const DeviceRequest& whole) {
  return {"rtl:" + unit.link.file, unit.link.file, *unit.subject, whole.catalogue, whole.log, whole.wave,
          whole.processes,         whole.builds};
}

// What a chain claims, as if it were one unit.
Dut as_unit(const UnitChain& chain) {
  Dut dut;
  dut.file = chain.file;
  dut.claims = {chain.claim};
  return dut;
}

// The units of a chain, none of them opened; nothing where the file is that of one unit.
std::optional<std::vector<LinkedUnit>> chain_of(const DeviceRequest& request) {
  const HeldDut asked = held_dut(request.argument, request.spec);
  const std::optional<UnitChain> chain = read_chain_file(asked.file);
  if (!chain) return std::nullopt;
  claim_of(as_unit(*chain), request.subject, request.catalogue);
  if (!asked.held.empty())
    throw Error{asked.file + " is a chain, which has no ports; hold those of its units in their own files."};
  if (!request.wave.empty())
    throw Error{asked.file + " is a chain, and --wave shows one unit; name the DUT file of one of its units."};
  return units_of(*chain, request.subject, request.catalogue, request.log);
}

std::unique_ptr<Device> open_chain(const DeviceRequest& request, std::vector<LinkedUnit> units) {
  for (LinkedUnit& unit : units) unit.device = open_rtl(request_for(unit, request));
  return linked(request.spec, std::move(units));
}

}  // namespace

std::unique_ptr<Device> open_rtl(const DeviceRequest& request) {
  if (auto units = chain_of(request)) return open_chain(request, std::move(*units));
  const HeldDut asked = held_dut(request.argument, request.spec);
  const Dut dut = read_dut_file(asked.file);
  const Subject& subject = request.subject;
  const Claim& claim = claim_of(dut, subject, request.catalogue);
  const std::string program = program_of(dut, request, &request.log);
  const std::vector<std::string> held = run_arguments(dut, claim, program, asked.held);
  if (const std::string zeros = zeros_beside_operands(dut, subject.plan, program); !zeros.empty())
    request.log << zeros << std::endl;
  const auto started = [name = "rtl:" + request.argument, held, &subject, d_is_there = has_d(dut)](
                           std::vector<std::string> argv, const std::vector<std::string>& more = {}) {
    argv.insert(argv.end(), held.begin(), held.end());
    argv.insert(argv.end(), more.begin(), more.end());
    auto unit = process_device(subject.plan, subject.header,
                               {argv, name, ProcessOptions{}.timeout, ProcessOptions{}.restarts, true});
    return d_is_there ? std::move(unit) : completed(subject.plan, std::move(unit));
  };
  if (!request.wave.empty()) return started({program, "1", "--wave", request.wave});
  std::vector<std::unique_ptr<Device>> units;
  for (int i = 0; i < request.processes; ++i) units.push_back(started({program, "1"}));
  const auto again = [started, program, dut, claim, held = asked.held](const Disturbance& with) {
    return started({program, "2"}, disturbing_arguments(dut, claim, held, with));
  };
  return reseeded(units.size() == 1 ? std::move(units.front()) : dealt(std::move(units)), again,
                  subject.plan.d.hex_digits(), all_disturbances(dut, claim, asked.held),
                  [dut](int by) { return advice_on_shift(dut, by); });
}

double rtl_bare_rate(const DeviceRequest& request, double seconds) {
  if (const auto units = chain_of(request)) {
    double time = 0;
    for (const LinkedUnit& unit : *units)
      time += 1 / rtl_bare_rate(request_for(unit, request), seconds / static_cast<double>(units->size()));
    return 1 / time;
  }
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
  const std::string file = held_dut(argument, spec).file;
  const std::optional<UnitChain> chain = read_chain_file(file);
  return subjects_of_claims(chain ? as_unit(*chain) : read_dut_file(file), catalogue, log);
}

void share_rtl(const DeviceRequest& request) {
  if (const auto units = chain_of(request)) {
    for (const LinkedUnit& unit : *units) share_rtl(request_for(unit, request));
    return;
  }
  const Dut dut = read_dut_file(held_dut(request.argument, request.spec).file);
  const Subject& subject = request.subject;
  const std::string program = build_claimed(dut, subject, request.catalogue, &request.log);
  share_build(dut, claim_of(dut, subject, request.catalogue), subject.plan, program, request.builds);
}

std::vector<DeviceFact> rtl_facts(const DeviceRequest& request) {
  const char* const what = "RTL (SHA-256)";
  if (const auto units = chain_of(request)) {
    std::vector<std::string> hashes{file_text(held_dut(request.argument, request.spec).file)};
    for (const LinkedUnit& unit : *units) hashes.push_back(rtl_facts(request_for(unit, request)).front().second);
    return {{what, sha256_of_all(hashes)}};
  }
  const Dut dut = read_dut_file(held_dut(request.argument, request.spec).file);
  const std::string program = program_of(dut, request, nullptr);
  return {{what, rtl_sha256(dut, program)}};
}

}  // namespace assay
