#include "tb/explore/cost.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <vector>

#include "model/base/output_file.hpp"
#include "model/base/run_program.hpp"
#include "model/base/sha256.hpp"
#include "model/config/home.hpp"
#include "model/config/yaml.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/devices/rtl/export_sv.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* top = "datapath";

// --- what yosys is asked to do ---

// Logic is tidied and mapped, then buffers and sizes of cells follow the loads, as placement would have them.
constexpr const char* abc_commands =
    "strash\n"
    "ifraig\n"
    "dc2\n"
    "map -B 0.9\n"
    "topo\n"
    "buffer -c\n"
    "topo\n"
    "upsize\n"
    "dnsize\n"
    "stime\n"
    "print_stats\n";

// The way in is that of scripts/mutate_rtl. Then `synth` by hand, without what takes it minutes: `share`, which looks
// for operators that are never needed at the same time, a mapping by `abc` that the one onto the cells replaces, and
// tidying of gates (`opt` after `techmap`), which ABC does as well in a fraction of the time.
std::string yosys_script(const std::string& sources, const std::string& library) {
  return "read_verilog -sv " + sources + " datapath.sv\nhierarchy -check -top " + top +
         "\nproc\nflatten\ndelete -output " + top +
         "/w:probe_o\nopt -purge\n"
         "wreduce\npeepopt\nopt_clean\nalumacc\nopt\ntechmap\nopt_clean -purge\n"
         "tee -q -o timing.txt abc -liberty " +
         library +
         " -script abc.txt\n"
         "opt_clean -purge\ntee -q -o area.txt stat -liberty " +
         library + "\n";
}

// The package first, the rest as they are called.
std::vector<std::string> block_files() {
  std::vector<std::string> files;
  const fs::path blocks = fs::path(home()) / "rtl_ref";
  for (const auto& entry : fs::directory_iterator(blocks)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("assay_", 0) == 0 && entry.path().extension() == ".sv" && name != "assay_pkg.sv")
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  files.insert(files.begin(), (blocks / "assay_pkg.sv").string());
  return files;
}

// --- what it says ---

[[noreturn]] void fail(const fs::path& log, const std::string& sentence) {
  throw Error{"yosys " + sentence + " (the whole log: " + log.string() + ")."};
}

// The number that stands after the last `mark` of the text; `what` it is, for the error where there is none.
double number_after(const std::string& text, const std::string& mark, const std::string& what, const fs::path& log) {
  const std::size_t at = text.rfind(mark);
  const std::size_t start = at == text.npos ? at : text.find_first_not_of(' ', at + mark.size());
  double number = 0;
  if (start == text.npos || std::from_chars(&text[start], text.data() + text.size(), number).ec != std::errc{} ||
      !std::isfinite(number) || number <= 0)
    fail(log, "does not say " + what + ": no number follows '" + mark + "'");
  return number;
}

// A cell that is of no library has no area, and the sum would lack it.
void check_mapped(const std::string& area, const fs::path& log) {
  const std::size_t at = area.find("$_");
  if (at != area.npos)
    fail(log, "left the cell " + area.substr(at, area.find_first_of(" \n", at) - at) + " that is of no library");
}

Cost read_cost(const std::string& area, const std::string& timing, const fs::path& log) {
  check_mapped(area, log);
  Cost cost;
  cost.cells = static_cast<int>(number_after(area, "Number of cells:", "how many cells there are", log));
  cost.area = number_after(area, "Chip area for module '\\" + std::string(top) + "':", "the area", log);
  cost.depth = static_cast<int>(number_after(timing, "lev =", "how many cells are on the longest path", log));
  cost.delay = number_after(timing, "Delay =", "the delay", log) / 1000;  // picoseconds
  return cost;
}

// --- a synthesis ---

// An error's line, without the place in yosys's script.
std::string first_error(const std::string& log) {
  const std::size_t at = log.find("ERROR: ");
  return at == log.npos ? "it does not say why" : log.substr(at + 7, log.find('\n', at) - at - 7);
}

struct Work {
  const Synthesis& synthesis;
  std::string wiring;                // SystemVerilog
  std::vector<std::string> sources;  // paths

  std::string script() const {
    std::string names;
    for (const std::string& source : sources) names += (names.empty() ? "" : " ") + source;
    return yosys_script(names, synthesis.library);
  }

  // The paths of files do not matter, what is in them does.
  std::string hash() const {
    std::vector<std::string> texts{wiring, yosys_script("", ""), abc_commands, synthesis.sha256, synthesis.version};
    for (const std::string& source : sources) texts.push_back(file_text(source));
    return sha256_of_all(texts);
  }

  // In a folder of its own. Throws Error.
  Cost run(const fs::path& folder) const {
    put_file_text(folder / "datapath.sv", wiring);
    put_file_text(folder / "abc.txt", abc_commands);
    put_file_text(folder / "script.txt", script());
    const fs::path log = folder / "log.txt";
    for (const char* earlier : {"log.txt", "area.txt", "timing.txt"}) fs::remove(folder / earlier);
    const int status = run_program({synthesis.yosys, "-q", "-s", "script.txt"}, log.string(), {{}, folder.string()});
    if (status != 0) fail(log, "cannot synthesise the datapath: " + first_error(file_text(log)));
    return read_cost(said(folder / "area.txt"), said(folder / "timing.txt"), log);
  }

 private:
  static std::string said(const fs::path& path) { return fs::exists(path) ? file_text(path) : ""; }
};

// "26248 763197 159 18.52742"
std::string print(const Cost& cost) {
  char area[32], delay[32];
  const auto text = [](char(&into)[32], double value) {
    return std::string(into, std::to_chars(into, into + sizeof into, value).ptr);
  };
  return std::to_string(cost.cells) + " " + text(area, cost.area) + " " + std::to_string(cost.depth) + " " +
         text(delay, cost.delay) + "\n";
}

// Nothing where that is not what `print` makes of a cost that can be.
std::optional<Cost> parse(const std::string& text) {
  Cost cost;
  const char *at = text.data(), *end = at + text.size();
  const auto read = [&](auto& value) { at = std::min(std::from_chars(at, end, value).ptr + 1, end); };
  read(cost.cells);
  read(cost.area);
  read(cost.depth);
  read(cost.delay);
  const bool can_be = cost.cells > 0 && cost.depth > 0 && cost.area > 0 && std::isfinite(cost.area) && cost.delay > 0 &&
                      std::isfinite(cost.delay);
  return can_be && print(cost) == text ? std::optional<Cost>(cost) : std::nullopt;
}

fs::path folder_of(const Work& work) { return cache_folder("cost") / work.hash(); }

std::optional<Cost> kept_in(const fs::path& folder) {
  return fs::exists(folder / "cost") ? parse(file_text(folder / "cost")) : std::nullopt;
}

Cost synthesised(const Work& work) {
  const fs::path folder = folder_of(work);
  fs::create_directories(folder);
  const FileLock lock(folder / "lock");
  mark_used(folder);
  if (const auto kept = kept_in(folder)) return *kept;
  const fs::path own = folder / lock.writer();  // the folder itself for who holds the lock
  fs::create_directories(own);
  const Cost cost = work.run(own);
  write_whole_file((folder / "cost").string(), print(cost));  // last, so that what is there is whole
  return cost;
}

Work work_for(const Plan& plan, const Synthesis& synthesis) { return {synthesis, export_sv(plan, top), block_files()}; }

// Of processes that have ended.
double children_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

Synthesis find_synthesis(const std::string& yosys, const std::string& library) {
  const std::optional<std::string> version = said_by({yosys, "-V"});
  if (!version)
    throw Error{yosys + " cannot be started, and gates need it: install the package yosys (0.23 or later).",
                Ending::not_here};
  if (!fs::is_regular_file(library))
    throw Error{"There is no cell library " + library + ": install the package qflow-tech-osu018.", Ending::not_here};
  return {yosys, *version, library, sha256(file_text(library))};
}

CostAnswer cost_of(const Plan& plan, const Synthesis& synthesis) try {
  if (const auto why = why_not_exportable(plan)) return {std::nullopt, "The blocks of rtl_ref cannot do it: " + *why};
  return {synthesised(work_for(plan, synthesis)), ""};
} catch (const fs::filesystem_error& error) {
  throw Error{std::string("The datapath cannot be synthesised: ") + error.what() + "."};
}

double synthesis_seconds(const std::vector<const Plan*>& plans, const Synthesis& synthesis) try {
  std::vector<const Plan*> missing;
  for (const Plan* plan : plans) {
    if (why_not_exportable(*plan)) continue;  // it will have no cost
    if (!kept_in(folder_of(work_for(*plan, synthesis)))) missing.push_back(plan);
  }
  if (missing.empty()) return 0;
  const double before = children_seconds();
  cost_of(*missing[missing.size() / 2], synthesis);
  return (children_seconds() - before) * static_cast<double>(missing.size() - 1);
} catch (const fs::filesystem_error& error) {
  throw Error{std::string("The datapath cannot be synthesised: ") + error.what() + "."};
}

}  // namespace assay
