#include "tb/gates/synthesis.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/base/output_file.hpp"
#include "model/base/read_double.hpp"
#include "model/base/run_program.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "model/config/home.hpp"
#include "model/config/yaml.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/cache.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

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

// An error's line, without the place in yosys's script.
std::string first_error(const std::string& log) {
  const std::size_t at = log.find("ERROR: ");
  return at == log.npos ? "it does not say why" : log.substr(at + 7, log.find('\n', at) - at - 7);
}

class Asking {
 public:
  Asking(const GateQuestion& question, const Synthesis& synthesis)
      : question_(question), synthesis_(synthesis), sources_(block_files()) {}

  fs::path folder() const { return cache_folder("cost") / hash(); }

  std::optional<GateAnswer> kept_in(const fs::path& folder) const {
    if (!fs::exists(folder / "cost")) return std::nullopt;
    const std::string text = file_text(folder / "cost");
    const std::string netlist = question_.netlist.empty() ? "" : (folder / question_.netlist).string();
    if (!question_.is_whole(text) || (!netlist.empty() && !fs::exists(netlist))) return std::nullopt;
    return GateAnswer{text, netlist};
  }

  GateAnswer answer() const {
    const fs::path kept = folder();
    fs::create_directories(kept);
    const FileLock lock(kept / "lock");
    mark_used(kept);
    if (const auto found = kept_in(kept)) return *found;
    const fs::path own = kept / lock.writer();  // the folder itself for who holds the lock
    fs::create_directories(own);
    const std::string text = run(own);
    GateAnswer answer{text, ""};
    if (!question_.netlist.empty()) {
      answer.netlist = (kept / question_.netlist).string();
      if (own != kept) fs::rename(own / question_.netlist, answer.netlist);
    }
    write_whole_file((kept / "cost").string(), text);  // last, so that what is there is whole
    return answer;
  }

 private:
  std::string script(const std::string& sources, const std::string& library) const {
    return replaced(replaced(question_.script, "SOURCES", sources), "LIBRARY", library);
  }

  // The paths of files do not matter, what is in them does.
  std::string hash() const {
    std::vector<std::string> texts{question_.wiring, script("", ""), question_.abc, synthesis_.sha256,
                                   synthesis_.version};
    for (const std::string& source : sources_) texts.push_back(file_text(source));
    return sha256_of_all(texts);
  }

  std::string run(const fs::path& folder) const {
    const SynthesisFolder place(folder);
    for (const auto& entry : fs::directory_iterator(folder)) {  // of an earlier run that failed
      if (entry.path().extension() == ".txt" || entry.path().filename() == question_.netlist) fs::remove(entry.path());
    }
    std::string sources;
    for (const std::string& source : sources_) sources += (sources.empty() ? "" : " ") + source;
    put_file_text(folder / "datapath.sv", question_.wiring);
    put_file_text(folder / "abc.txt", question_.abc);
    put_file_text(folder / "script.txt", script(sources, synthesis_.library));
    const int status =
        run_program({synthesis_.yosys, "-q", "-s", "script.txt"}, place.log().string(), {{}, folder.string()});
    if (status != 0) place.fail("cannot synthesise the datapath: " + first_error(file_text(place.log())));
    if (!question_.netlist.empty() && !fs::exists(folder / question_.netlist)) place.fail("wrote no netlist");
    return question_.read(place);
  }

  const GateQuestion& question_;
  const Synthesis& synthesis_;
  std::vector<std::string> sources_;  // paths
};

[[noreturn]] void cannot_synthesise(const fs::filesystem_error& error) {
  throw Error{std::string("The datapath cannot be synthesised: ") + error.what() + "."};
}

}  // namespace

std::string SynthesisFolder::text(const char* file) const {
  return fs::exists(folder_ / file) ? file_text(folder_ / file) : "";
}

void SynthesisFolder::fail(const std::string& sentence) const {
  throw Error{"yosys " + sentence + " (the whole log: " + log().string() + ")."};
}

double SynthesisFolder::number_after(const std::string& text, const std::string& mark, const std::string& what) const {
  const std::size_t at = text.rfind(mark);
  const std::size_t start = at == text.npos ? at : text.find_first_not_of(' ', at + mark.size());
  double number = 0;
  if (start == text.npos || read_double(&text[start], text.data() + text.size(), number).ec != std::errc{} ||
      !std::isfinite(number) || number <= 0)
    fail("does not say " + what + ": no number follows '" + mark + "'");
  return number;
}

Synthesis find_synthesis(const std::string& yosys, const std::string& library) {
  const std::optional<std::string> version = said_by({yosys, "-V"});
  if (!version)
    throw Error{yosys + " cannot be started, and gates need it: install the package yosys (0.23 or later).",
                Ending::not_here};
  if (!fs::is_regular_file(library))
    throw Error{"There is no cell library " + library + ": install the package qflow-tech-osu018.", Ending::not_here};
  return {yosys, *version, library, sha256(file_text(library))};
}

GateAnswer answer_to(const GateQuestion& question, const Synthesis& synthesis) try {
  return Asking(question, synthesis).answer();
} catch (const fs::filesystem_error& error) {
  cannot_synthesise(error);
}

bool is_kept(const GateQuestion& question, const Synthesis& synthesis) try {
  const Asking asking(question, synthesis);
  return asking.kept_in(asking.folder()).has_value();
} catch (const fs::filesystem_error& error) {
  cannot_synthesise(error);
}

}  // namespace assay
