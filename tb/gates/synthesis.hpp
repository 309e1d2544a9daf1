// yosys, asked what a wiring becomes: each answer is a line of text and is kept.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay {

// What synthesis is done with, looked up once for many datapaths.
struct Synthesis {
  std::string yosys;    // the program, as it is started
  std::string version;  // what it says of itself
  std::string library;  // the Liberty file
  std::string sha256;   // of the library
};

// Throws Error where this machine lacks one of them (status 4).
Synthesis find_synthesis(const std::string& yosys = "yosys",
                         const std::string& library = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib");

// The module's name in every wiring.
inline constexpr const char* gates_top = "datapath";

// Where yosys ran, and what it left there.
class SynthesisFolder {
 public:
  explicit SynthesisFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::string text(const char* file) const;  // empty where there is no such file
  // The number that stands after the last `mark` of the text; `what` it is, for the error where there is none.
  double number_after(const std::string& text, const std::string& mark, const std::string& what) const;
  [[noreturn]] void fail(const std::string& sentence) const;  // "yosys <sentence> (the whole log: ..)."
  std::filesystem::path log() const { return folder_ / "log.txt"; }

 private:
  std::filesystem::path folder_;
};

struct GateQuestion {
  std::string wiring;  // SystemVerilog, over the blocks of rtl_ref
  // yosys's commands. SOURCES stands for the files to read, LIBRARY for the Liberty file.
  std::string script;
  std::string abc;                                          // the file abc.txt, for ABC
  std::function<std::string(const SynthesisFolder&)> read;  // what is kept of all that was said; throws Error
  std::function<bool(const std::string& kept)> is_whole;    // whether `read` could have written that
  std::string netlist = {};                                 // a file that the script writes, kept beside the answer
};

struct GateAnswer {
  std::string text;
  std::string netlist;  // a path, or empty
};

// Kept in ${XDG_CACHE_HOME:-~/.cache}/assay/cost by a hash of everything that it depends on: what is found there starts
// no program. Several threads and processes may ask at once. Throws Error where yosys fails or does not say what
// is asked of it.
GateAnswer answer_to(const GateQuestion& question, const Synthesis& synthesis);
bool is_kept(const GateQuestion& question, const Synthesis& synthesis);

}  // namespace assay
