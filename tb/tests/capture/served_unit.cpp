// served_unit MODE ARCHITECTURE:INSTRUCTION [any]: what `assay-capture serve` is on a machine whose GPU is the model.
// MODE is how it computes: right; wrong, where d loses its sign; parted, where one position of a case that has c = 1.0
// gives another d. With `any` it executes the instruction whatever it is asked for.
#include <iostream>

#include "model/config/catalogue.hpp"
#include "model/core/dot.hpp"
#include "scripts/capture/serve.hpp"
#include "tb/devices/serve.hpp"
#include "tb/tests/capture/fake_unit.hpp"

namespace assay::capture {
namespace {

class ModelUnit : public FakeUnit {
 public:
  ModelUnit(const Plan& plan, std::string mode) : plan_(plan), mode_(std::move(mode)) {}

 protected:
  std::uint64_t element(const CapturedCase& of, const layout::Coordinates& place) override {
    std::uint64_t d =
        dot(plan_, {of.a.data(), of.b.data(), of.c, of.scale_a.data(), of.scale_b.data(), nullptr}, work_);
    if (mode_ == "wrong") d &= ~(std::uint64_t{1} << 31);
    if (mode_ == "parted" && of.c == 0x3f800000 && place.m >= 8) d ^= 1;
    return d;
  }

 private:
  const Plan& plan_;
  std::string mode_;
  Registers work_;
};

int served(const std::string& mode, const std::string& full_name, bool any) {
  const std::size_t colon = full_name.find(':');
  const std::string architecture = full_name.substr(0, colon), name = full_name.substr(colon + 1);
  const Catalogue catalogue = shipped_catalogue();
  const Plan plan = catalogue.plan_of(catalogue.instruction(architecture, name));
  ModelUnit unit(plan, mode);
  const Target target{"fake", architecture, "cuda", {}, {name}};
  return serve({unit, target, any ? full_name : ""}, STDIN_FILENO, claim_stdout());
}

}  // namespace
}  // namespace assay::capture

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    return assay::capture::served(argv[1], argv[2], argc > 3);
  } catch (const assay::Error& error) {
    std::cerr << error.message << "\n";
    return 2;
  }
}
