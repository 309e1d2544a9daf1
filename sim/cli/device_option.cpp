#include "sim/cli/device_option.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "model/config/dut.hpp"
#include "model/config/home.hpp"
#include "sim/cli/dut_claim.hpp"
#include "sim/cli/helper_program.hpp"
#include "tb/devices/chain.hpp"
#include "tb/devices/exec.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/reseeded.hpp"
#include "tb/devices/vectors_device.hpp"
#include "tb/oracle/device/oracle_device.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

// A model on a datapath of its own, held to another plan: it answers d, but its places are not the other's. Of fewer
// terms, it takes several of its instructions for one.
class OtherModel : public Device {
 public:
  OtherModel(std::string name, Plan plan) : plan_(std::move(plan)), model_(model_device(plan_, name)) {}

  std::string name() const override { return model_->name(); }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override { return run_chained(*model_, plan_, cases); }

 private:
  Plan plan_;
  std::unique_ptr<Device> model_;
};

std::string operands_text(const Plan& p) {
  return fmt::format("{} terms of {} x {} + {} -> {}", p.k, p.a.name, p.b.name, p.c.name, p.d.name);
}

// That one or more instructions of `x` take the operands of one of `y`.
bool takes_operands(const Plan& x, const Plan& y) {
  const int steps = y.k / x.k;
  const bool same_scales =
      x.scales * steps == y.scales && x.scale.has_value() == y.scale.has_value() && (!x.scale || *x.scale == *y.scale);
  const bool chains = steps == 1 || x.c == x.d;
  return y.k % x.k == 0 && chains && x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d && same_scales;
}

// What is a file, or by its name would be one.
bool names_file(const std::string& name) {
  std::error_code ignored;
  const std::string extension = std::filesystem::path(name).extension().string();
  return extension == ".yaml" || extension == ".yml" || name.find('/') != std::string::npos ||
         std::filesystem::exists(name, ignored);
}

// An instruction, or a file: one that leaves operands or k open takes them from the subject.
Plan named_plan(const std::string& name, const Subject& subject, const Catalogue& catalogue) {
  if (!names_file(name)) return catalogue.plan_of(catalogue.instruction(name));
  DatapathFile file = read_datapath_file(name, catalogue);
  if (file.datapath.operands.a.empty()) file.datapath.operands = subject.plan.datapath.operands;
  if (!file.k) file.k = subject.plan.k;
  return plan_of(file);
}

Plan other_plan(const std::string& name, const Subject& subject, const Catalogue& catalogue) {
  Plan plan = named_plan(name, subject, catalogue);
  if (!takes_operands(plan, subject.plan)) {
    throw DeviceError{fmt::format("model:{} computes {}, but {} has {}; give both the same operands.", name,
                                  operands_text(plan), subject.name, operands_text(subject.plan))};
  }
  return plan;
}

std::unique_ptr<Device> systemc_device(const Subject& subject) {
  const std::string program =
      helper_in(own_folder(), {"assay-systemc", "The device systemc needs", "-DASSAY_SYSTEMC=ON"});
  // Without SystemC's four lines of copyright on standard error.
  const std::vector<std::string> argv{"env", "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1", program};
  return process_device(subject.plan, subject.header, {argv, "systemc"});
}

std::unique_ptr<Device> host_device(const HostUnit& unit, const Subject& subject, const Console& console) {
  const HostFinding finding = look_for(unit);
  const std::string sentence = finding_sentence(unit, finding, processor_name());
  if (!finding.executes) throw DeviceError{sentence, Ending::not_here};
  const std::string program = helper_in(own_folder(), {"assay-host", "The devices host:UNIT need", ""});
  console.err << "assay: " << sentence << std::endl;
  const std::string name(unit.name);
  return process_device(subject.plan, subject.header, {{program, name}, "host:" + name});
}

std::unique_ptr<Device> rtl_device(const RtlDevice& rtl, const Subject& subject, const Catalogue& catalogue,
                                   const Console& console, const std::string& wave) {
  const Dut dut = read_dut_file(rtl.file);
  const Claim& claim = claim_of(dut, subject, catalogue);
  const std::string program = build_rtl(dut, claim, subject.plan, &console.err, !wave.empty());
  const std::vector<std::string> held = held_arguments(dut, claim, program, rtl.held);
  const auto started = [file = rtl.file, held, &subject](std::vector<std::string> argv) {
    argv.insert(argv.end(), held.begin(), held.end());
    return process_device(subject.plan, subject.header, {argv, "rtl:" + file});
  };
  if (!wave.empty()) return started({program, "1", wave});
  return reseeded(started({program, "1"}), [started, program] { return started({program, "2"}); });
}

// A stream is read once only, by the device itself.
std::unique_ptr<Device> recording(const std::string& path, const Subject& subject, const Console& console) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored))
    warn(other_datapath(path, VectorReader(path).header(), subject), console);
  return vectors_device(subject.plan, path);
}

std::unique_ptr<Device> oracle_for(const Subject& subject) {
  if (!subject.instruction) {
    throw DeviceError{
        "The oracle knows the instructions of the catalogue by name; it cannot judge a datapath of your own.",
        Ending::not_here};
  }
  return oracle_device(subject.plan, subject.instruction->architecture, subject.instruction->name,
                       home() + "/tb/oracle/instructions.csv");
}

}  // namespace

std::unique_ptr<Device> open_device(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                    const Console& console) {
  const std::size_t colon = spec.find(':');
  const std::string kind = spec.substr(0, colon);
  const std::string argument = colon == std::string::npos ? "" : spec.substr(colon + 1);
  if (spec == "model") return model_device(subject.plan);
  if (spec == "oracle") return oracle_for(subject);
  if (spec == "systemc") return systemc_device(subject);
  if (kind == "model" && !argument.empty()) {
    return std::make_unique<OtherModel>(spec, other_plan(argument, subject, catalogue));
  }
  if (const auto rtl = rtl_device_of(spec)) return rtl_device(*rtl, subject, catalogue, console, "");
  if (kind == "vectors" && !argument.empty()) return recording(argument, subject, console);
  if (const HostUnit* unit = host_unit_of(spec)) return host_device(*unit, subject, console);
  if (kind == "exec" && !argument.empty()) return exec_device(subject.plan, subject.header, argument);
  throw DeviceError{fmt::format("'{}' is no device; the devices are {}.", spec, device_help)};
}

std::unique_ptr<Device> open_with_wave(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                       const Console& console, const std::string& wave) {
  if (const auto rtl = rtl_device_of(spec)) return rtl_device(*rtl, subject, catalogue, console, wave);
  throw DeviceError{
      fmt::format("--wave shows the signals of rtl:DUT.yaml; {} has none. For SystemC's bundles see "
                  "assay-systemc --wave.",
                  spec)};
}

std::optional<Plan> model_plan(const std::string& spec, const Subject& subject, const Catalogue& catalogue) {
  const std::string other = "model:";
  if (spec == "model") return subject.plan;
  if (spec.rfind(other, 0) != 0 || spec == other) return std::nullopt;
  Plan plan = other_plan(spec.substr(other.size()), subject, catalogue);
  if (plan.k != subject.plan.k) return std::nullopt;  // several instructions have no one trace
  return plan;
}

}  // namespace assay
