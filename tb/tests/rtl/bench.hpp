// What the tests of RTL share: folders of their own, RTL built and started, and a comparison place by place.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tb/devices/device.hpp"
#include "tb/devices/rtl/dut.hpp"
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {

inline std::filesystem::path source_folder() { return source_dir(); }

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

// An empty folder for the running test.
std::filesystem::path scratch_folder();

// The blocks that export-sv wires, the package first.
std::vector<std::string> exported_blocks();

// A DUT file for the exported wiring in `folder`/MODULE.sv, which claims whatever it is asked for.
std::string dut_text(const std::filesystem::path& folder, const std::string& module, const Plan& plan,
                     ExportTiming timing);

// Built and started; it answers for `plan`, which must outlive it. Where it is `disturbed`, all that may come amid the
// unit's work does.
std::unique_ptr<Device> start_rtl(const Dut& dut, const Plan& plan, bool disturbed = false);

std::vector<Case> generated_cases(const Plan& plan, std::uint64_t seed, std::uint64_t count);

struct Comparison {
  std::size_t cases = 0;
  std::size_t same = 0;              // d and every place
  std::vector<std::size_t> first;    // of each case that differs, the first differing place
  std::vector<std::string> details;  // a line for each of the first few
};

// The device against core on d and on every place of the plan; a place that the device leaves out differs.
Comparison compare_with_core(const Plan& plan, Device& device, const std::vector<Case>& cases);

}  // namespace assay
