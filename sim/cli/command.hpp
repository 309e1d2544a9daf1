// What every command of `assay` shares.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

// Its header is long: only who declares options includes it.
namespace CLI {
class App;
}

namespace assay {

// Exit status of every command.
enum Status : int {
  passed = 0,
  mismatch = 1,
  wrong_use = 2,
  nothing_compared = 3,
  cannot_here = 4,
  reader_gone = 141,  // as a shell counts a program that a broken pipe ended: `assay run FILE | head`
};

// Where a command writes. Progress goes to `err`, and only where that is a terminal.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool colour = false;    // `out` is a terminal and NO_COLOR is not set
  bool terminal = false;  // `err` is a terminal
};

// One file a command: it declares its options and, chosen, runs and leaves its exit status.
void add_list(CLI::App& app, const Console& console, int& status);
void add_describe(CLI::App& app, const Console& console, int& status);
void add_generate(CLI::App& app, const Console& console, int& status);
void add_run(CLI::App& app, const Console& console, int& status);
void add_check(CLI::App& app, const Console& console, int& status);
void add_compare(CLI::App& app, const Console& console, int& status);
void add_score(CLI::App& app, const Console& console, int& status);
void add_bench(CLI::App& app, const Console& console, int& status);
void add_coverage(CLI::App& app, const Console& console, int& status);
void add_explain(CLI::App& app, const Console& console, int& status);
void add_explore(CLI::App& app, const Console& console, int& status);
void add_layout(CLI::App& app, const Console& console, int& status);
void add_evidence(CLI::App& app, const Console& console, int& status);
void add_probe(CLI::App& app, const Console& console, int& status);
void add_rtl(CLI::App& app, const Console& console, int& status);
void add_export(CLI::App& app, const Console& console, int& status);
void add_import(CLI::App& app, const Console& console, int& status);
void add_export_sv(CLI::App& app, const Console& console, int& status);
void add_completion(CLI::App& app, const Console& console, int& status);
void add_man(CLI::App& app, const Console& console, int& status);

// The whole program: `args` without the program's name. Every error becomes a sentence on `err` and a status.
int run_assay(std::vector<std::string> args, const Console& console);

}  // namespace assay
