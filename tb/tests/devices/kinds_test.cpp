// The table of devices: what help, the tab key and docs/devices.md say of a device is what opens it.
#include "tb/devices/kinds/kinds.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "tb/devices/host/units.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

const char* const wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";

std::string page() {
  std::ifstream in(source_dir() + "/docs/devices.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

class DeviceKinds : public ::testing::Test {
 protected:
  // What is wrong with opening the device; empty: nothing.
  std::string refusal(const std::string& spec, const std::string& wave = "") {
    try {
      device_ = open_device(spec, subject_, catalogue_, log_, wave);
      return "";
    } catch (const Error& error) {
      return error.message;
    }
  }

  const Catalogue catalogue_ = shipped_catalogue();
  const Subject subject_ = subject_of(catalogue_, catalogue_.instruction(wgmma));
  std::ostringstream log_;
  std::unique_ptr<Device> device_;
};

TEST_F(DeviceKinds, EachFormIsInTheTableOnce) {
  std::set<std::string> forms;
  for (const DeviceKind& kind : device_kinds()) {
    EXPECT_TRUE(forms.insert(form_of(kind)).second) << form_of(kind);
    EXPECT_NE(kind.open, nullptr) << form_of(kind);
    EXPECT_FALSE(kind.about.empty()) << form_of(kind);
    EXPECT_EQ(kind.argument.empty(), kind.argument_is == ArgumentIs::nothing) << form_of(kind);
    EXPECT_EQ(kind.can.arguments != nullptr, kind.argument_is == ArgumentIs::listed) << form_of(kind);
  }
  EXPECT_EQ(device_forms(),
            "model, model:FILE.yaml, model:ARCHITECTURE:INSTRUCTION, model:FILE.yaml#exec=COMMAND, oracle, systemc, "
            "rtl:DUT.yaml, host:UNIT, qemu:MACHINE, vectors:FILE or exec:COMMAND");
}

TEST_F(DeviceKinds, AreTheTableOfTheirPage) {
  EXPECT_NE(page().find("\n" + devices_in_markdown() + "\n"), std::string::npos)
      << "docs/devices.md should hold this table:\n"
      << devices_in_markdown();
}

// Each row of the page's table of units names the unit's instructions and no other.
TEST_F(DeviceKinds, UnitsOfThisMachineAreOnTheirPage) {
  for (const HostUnit& unit : host_units()) {
    std::string row = "\n| `host:" + unit.name + "` | ";
    for (const HostInstruction& i : unit.instructions)
      row += (&i == &unit.instructions.front() ? "`" : ", `") + without_architecture(i.name) + "`";
    EXPECT_NE(page().find(row + " | "), std::string::npos) << row;
  }
}

TEST_F(DeviceKinds, OpenByTheirNames) {
  for (const char* spec : {"model", "model:ampere:mma.m16n8k16.f32.f16.f16.f32", "oracle"}) {
    ASSERT_EQ(refusal(spec), "") << spec;
    Case zeros;
    zeros.a.resize(16), zeros.b.resize(16);
    zeros.c = 0x3f800000;
    EXPECT_EQ(device_->run({zeros}, false).front().d, 0x3f800000u) << spec;
  }
  EXPECT_EQ(log_.str(), "");
}

TEST_F(DeviceKinds, WhatIsNoneIsRefusedWithAllThatThereAre) {
  for (const char* spec :
       {"", "mine", "mine:x", "model:", "rtl", "rtl:", "oracle:x", "systemc:", "vectors:", "exec:", "host"})
    EXPECT_EQ(refusal(spec), "'" + std::string(spec) + "' is no device; the devices are " + device_forms() + ".");
  for (const char* spec : {"host:", "host:mine"}) {
    EXPECT_EQ(refusal(spec),
              "'" + std::string(spec) + "' is none of the units that a processor may have: " + host_unit_names() + ".");
  }
}

TEST_F(DeviceKinds, WithoutSignalsShowNone) {
  EXPECT_EQ(
      refusal("model", "case.fst"),
      "--wave shows the signals of rtl:DUT.yaml; model has none. For SystemC's bundles see assay-systemc --wave.");
}

TEST_F(DeviceKinds, OfWhichNoneSaysWhatItComputesAreAskedForAnything) {
  for (const char* spec : {"model", "oracle", "exec:true", "nothing"})
    EXPECT_TRUE(subjects_of_device(spec, catalogue_, log_).empty()) << spec;
  const std::string dut = source_dir() + "/configs/dut/fused_f25_f16.yaml";
  const std::vector<Subject> claimed = subjects_of_device("rtl:" + dut, catalogue_, log_);
  ASSERT_FALSE(claimed.empty());
  EXPECT_EQ(claimed.front().name, wgmma);
}

}  // namespace
}  // namespace assay
