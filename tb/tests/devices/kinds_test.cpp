// The table of devices: what help, the tab key and docs/devices.md say of a device is what opens it.
#include "tb/devices/kinds/kinds.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "tb/devices/host/units.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/tests/vectors/helpers.hpp"

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

// A recording answers for what it was made of.
class Recordings : public DeviceKinds {
 protected:
  std::string opened(const std::string& header) {
    testing_vectors::put_file(file_, header + "\n");
    return refusal("vectors:" + file_);
  }
  static std::string of(const std::string& architecture, const std::string& instruction) {
    return R"({"assay":1,"architecture":")" + architecture + R"(","instruction":")" + instruction + "\"}";
  }
  static std::string own(const std::string& b) {
    return R"({"assay":1,"datapath":{"name":"mine","like":"fused_f23","k":16,"operands":{"a":"f16","b":")" + b +
           R"(","c":"f32","d":"f32"}}})";
  }

  const Scratch folder_;
  const std::string file_ = folder_ / "v";
};

TEST_F(Recordings, OfTheSameOperationAreTaken) {
  for (const char* name : {"wgmma.m64nNk16.f32.f16.f16", "wgmma.m64n128k16.f32.f16.f16"})
    EXPECT_EQ(opened(of("hopper", name)), "") << name;
  // Another name of the same datapath, operands and k.
  EXPECT_EQ(opened(of("hopper", "mma.m16n8k16.f32.f16.f16.f32")), "");
  EXPECT_EQ(log_.str(), "");
}

TEST_F(Recordings, OfAnotherInstructionAreRefused) {
  const std::string asked = std::string(", but ") + wgmma + " is asked for; give a recording of that instruction.";
  for (const auto& [architecture, name] :
       std::vector<std::pair<std::string, std::string>>{{"ampere", "mma.m16n8k16.f32.f16.f16.f32"},
                                                        {"hopper", "wgmma.m64nNk16.f32.bf16.bf16"},
                                                        {"hopper", "wgmma.m64nNk32.f32.e4m3.e4m3"}})
    EXPECT_EQ(opened(of(architecture, name)), file_ + " holds results of " + architecture + ":" + name + asked);
  const std::string nobody = opened(of("hoper", "x"));
  EXPECT_EQ(nobody.rfind(file_ + ":1: There is no architecture 'hoper'", 0), 0u) << nobody;
}

TEST_F(Recordings, OfAnOwnDatapathNeedTheSameOperands) {
  EXPECT_EQ(opened(own("f16")), "");
  EXPECT_EQ(log_.str(), "assay: warning: " + file_ + ":1: the datapath of " + file_ + " has another datapath than " +
                            wgmma + ": results may differ for that alone.\n");
  EXPECT_EQ(opened(own("bf16")),
            file_ + " holds results of the datapath of " + file_ +
                ", which has a of f16, b of bf16, c of f32, d of f32, k 16, but " + wgmma +
                " is asked for, which has a of f16, b of f16, c of f32, d of f32, k 16; give a recording of the same "
                "operands.");
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
