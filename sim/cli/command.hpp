// What every command of `assay` shares.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/program/ending.hpp"

// Its header is long: only who declares options includes it.
namespace CLI {
class App;
}

namespace assay {

// Where a command writes. A command's own `out` and `err` show what is not printable as numbers.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool colour = false;               // `out` is a terminal and NO_COLOR is not set
  std::ostream* terminal = nullptr;  // what progress is drawn on: `err` as it is, where that is a terminal
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
void add_guarantee(CLI::App& app, const Console& console, int& status);
void add_layout(CLI::App& app, const Console& console, int& status);
void add_evidence(CLI::App& app, const Console& console, int& status);
void add_probe(CLI::App& app, const Console& console, int& status);
void add_rtl(CLI::App& app, const Console& console, int& status);
void add_export(CLI::App& app, const Console& console, int& status);
void add_import(CLI::App& app, const Console& console, int& status);
void add_export_sv(CLI::App& app, const Console& console, int& status);
void add_completion(CLI::App& app, const Console& console, int& status);
void add_man(CLI::App& app, const Console& console, int& status);
void add_commands(CLI::App& app, const Console& console, int& status);  // all of these

// The whole program: `args` without the program's name. Every error becomes a sentence on `err` and a status.
int run_assay(std::vector<std::string> args, const Console& console);

}  // namespace assay
