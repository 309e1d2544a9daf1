#include "tb/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/base/error.hpp"
#include "model/base/processors.hpp"
#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "model/config/catalogue.hpp"
#include "model/config/digest.hpp"
#include "model/config/home.hpp"
#include "model/fast/targets.hpp"
#include "tb/devices/host/units.hpp"
#include "tb/devices/kinds/emulator_file.hpp"
#include "tb/devices/kinds/helper_program.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/cache_upkeep.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Of "Verilator 4.200 2021-03-12" the 4.200. Of a line without a number nothing is known.
bool is_too_old(const std::string& line, const Version& least) {
  const std::size_t at = line.find_first_of("0123456789");
  return at != std::string::npos && version_of(line.substr(at)) < least;
}

using Patience = std::chrono::milliseconds;

std::string first_line(const Said& said) { return said.text.substr(0, said.text.find('\n')); }

// Why a program is of no use that was asked what it is; empty where it said so.
std::string trouble(const std::string& program, const Said& said, Patience patience) {
  const std::string line = first_line(said);
  if (!said.in_time)
    return fmt::format("{} gave no answer within {:g} s", program, std::chrono::duration<double>(patience).count());
  if (said.status == not_started && line.empty())
    return program + " cannot be started" +
           (program.find('/') == std::string::npos ? "; it is looked for on PATH" : "");
  if (said.status != 0)
    return fmt::format("{} ended with status {}{}", program, said.status, line.empty() ? "" : ": " + line);
  return line.empty() ? program + " says nothing of itself" : "";
}

// A program of others, by the first line of what it says of itself; `least` is the oldest version that will do. Of
// several the first that answers counts.
FoundPart program(const std::string& name, const std::vector<std::vector<std::string>>& asked, const std::string& gives,
                  Patience patience, const Version& least = {}) {
  std::string why;
  for (const std::vector<std::string>& command : asked) {
    const Said said = said_within(patience, command);
    const std::string wrong = trouble(command.front(), said, patience);
    if (wrong.empty()) return {name, !is_too_old(first_line(said), least), first_line(said), gives};
    if (why.empty()) why = wrong;
  }
  return {name, false, why, gives};
}

// What looks at files that may be wrong in many ways.
template <class Look>
FoundPart looked_at(const std::string& name, const std::string& gives, const Look& look) try {
  return {name, true, look(), gives};
} catch (const Error& error) {
  return {name, false, error.message, gives};
} catch (const fs::filesystem_error& error) {
  return {name, false, error.what(), gives};
}

FoundPart catalogue() {
  return looked_at("catalogue", "architectures, datapaths and formats", [] {
    const Catalogue shipped = shipped_catalogue();
    return fmt::format("{} architectures in {}, {}", shipped.architectures().size(), home(),
                       catalogue_sha256(shipped).substr(0, 12));
  });
}

FoundPart cache() {
  return looked_at("cache", "what is built once is kept; $ASSAY_CACHE puts it elsewhere", [] {
    cache_folder("rtl");
    const std::vector<CacheEntry> entries = cache_entries();
    std::uint64_t bytes = 0;
    for (const CacheEntry& entry : entries) bytes += entry.bytes;
    const auto limit = cache_limit();
    return fmt::format("{}, {} entries of {} MiB, limit {}", cache_root().string(), entries.size(), bytes >> 20,
                       limit ? fmt::format("{} MiB", *limit >> 20) : "none");
  });
}

// The units of other processors are not executed either, and are left out of the sentence.
FoundPart units() {
  std::vector<std::string> found;
  for (const HostUnit& unit : host_units()) {
    if (look_for(unit).executes) found.push_back(unit.name);
  }
  return {"units", !found.empty(), found.empty() ? "none of those that host: knows" : joined(found),
          "real silicon as a device: host:UNIT"};
}

// A program of ours that stands beside this one. Asked with these words it begins its answer so.
struct OwnProgram {
  std::string file;
  std::vector<std::string> words;
  std::string answer;
};

std::string trouble_of(const fs::path& path, const OwnProgram& own, Patience patience) {
  std::error_code none;
  if (!fs::exists(path, none)) return "there is no " + own.file + " beside this program";
  std::vector<std::string> command{path.string()};
  command.insert(command.end(), own.words.begin(), own.words.end());
  const Said said = said_within(patience, command, {{"SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1"}, {}});
  const std::string wrong = trouble(path.string(), said, patience);
  if (!wrong.empty() || starts_with(said.text, own.answer)) return wrong;
  return fmt::format("{} is another program, which says: {}", path.string(), first_line(said));
}

FoundPart beside(const std::string& name, const OwnProgram& own, const std::string& gives, Patience patience) {
  const fs::path path = own_folder() / own.file;
  const std::string wrong = trouble_of(path, own, patience);
  return {name, wrong.empty(), wrong.empty() ? path.string() : wrong, gives};
}

// The emulators that start, each with the program of ours that it runs.
FoundPart emulators(Patience patience) try {
  std::vector<std::string> found, missing;
  std::string version;
  for (const std::string& name : emulator_names()) {
    const Emulator file = read_emulator("qemu:" + name, name);
    const Said said = said_within(patience, {file.command.front(), "--version"});
    const bool starts = trouble(file.command.front(), said, patience).empty();
    std::error_code none;
    const bool has_program = fs::exists(own_folder() / file.program, none);
    if (starts) version = version_in(said.text);
    (starts && has_program ? found : missing)
        .push_back("qemu:" + name + (starts ? "" : " (no " + file.command.front() + ")") +
                   (has_program ? "" : " (no " + file.program + ")"));
  }
  std::string what = found.empty() ? "" : "QEMU " + version + ": " + joined(found);
  if (!missing.empty()) what += (what.empty() ? "without " : "; without ") + joined(missing);
  return {"QEMU", missing.empty(), what, "units of other processors: qemu:MACHINE"};
} catch (const Error& error) {
  return {"QEMU", false, error.message, "units of other processors: qemu:MACHINE"};
}

}  // namespace

std::vector<FoundPart> look_around(Patience patience) {
  return {
      catalogue(),
      cache(),
      {"processor", true, processor_name(), ""},
      {"threads", true, std::to_string(usable_processors()) + ", by affinity and control group", ""},
      {"vector path", true, kernel_target_name(kernel_targets().front()), ""},
      units(),
      program("compiler", {{"g++", "--version"}, {"c++", "--version"}, {"clang++", "--version"}},
              "RTL as a device: it compiles what Verilator writes", patience),
      program("make", {{"make", "--version"}}, "RTL as a device: it builds what Verilator writes", patience),
      program("Verilator", {{verilator_program(), "--version"}}, "RTL as a device: rtl:DUT.yaml, 4.200 or later",
              patience, {4, 200}),
      program("ccache", {{"ccache", "--version"}}, "the second build of a unit in a second", patience),
      program("yosys", {{"yosys", "-V"}}, "assay prove, and gates of a study; 0.23 or later", patience, {0, 23}),
      program("nextpnr", {{"nextpnr-ice40", "--version"}}, "assay design: the clock of a unit on an FPGA", patience),
      beside("SystemC", {"assay-systemc", {"--version"}, "assay-systemc "}, "the model as SystemC: the device systemc",
             patience),
      beside("own units", {"assay-host", {"--find", host_units().front().name}, "{\"unit\":"}, "the devices host:UNIT",
             patience),
      emulators(patience),
  };
}

std::string doctor_text(const std::vector<FoundPart>& parts) {
  std::string text;
  for (const FoundPart& part : parts)
    text += fmt::format("{:<12} {:<7} {}\n", part.name, part.found ? "" : "missing", part.what);
  const bool all = std::all_of(parts.begin(), parts.end(), [](const FoundPart& part) { return part.found; });
  if (all) return text + "\nEverything that the commands can use is here.\n";
  text += "\nWhat is missing would give:\n";
  for (const FoundPart& part : parts) {
    if (!part.found) text += fmt::format("{:<12} {}\n", part.name, part.gives);
  }
  return text;
}

nlohmann::ordered_json doctor_json(const std::vector<FoundPart>& parts) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const FoundPart& part : parts)
    json.push_back({{"part", part.name}, {"found", part.found}, {"what", part.what}, {"gives", part.gives}});
  return json;
}

}  // namespace assay
