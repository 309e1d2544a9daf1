// What every command of `assay` shares.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/program/command.hpp"
#include "sim/program/ending.hpp"

namespace assay {

// Where a command writes. A command's own `out` and `err` show what is not printable as numbers.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool colour = false;               // `out` is a terminal and NO_COLOR is not set
  std::ostream* terminal = nullptr;  // what progress is drawn on: `err` as it is, where that is a terminal
};

// One file a command: it declares its options and, chosen, runs and leaves its exit status.
void add_list(Command app, const Console& console, int& status);
void add_describe(Command app, const Console& console, int& status);
void add_design(Command app, const Console& console, int& status);
void add_generate(Command app, const Console& console, int& status);
void add_run(Command app, const Console& console, int& status);
void add_check(Command app, const Console& console, int& status);
void add_compare(Command app, const Console& console, int& status);
void add_score(Command app, const Console& console, int& status);
void add_bench(Command app, const Console& console, int& status);
void add_cache(Command app, const Console& console, int& status);
void add_doctor(Command app, const Console& console, int& status);
void add_coverage(Command app, const Console& console, int& status);
void add_explain(Command app, const Console& console, int& status);
void add_guarantee(Command app, const Console& console, int& status);
void add_explore(Command app, const Console& console, int& status);
void add_layout(Command app, const Console& console, int& status);
void add_evidence(Command app, const Console& console, int& status);
void add_identify(Command app, const Console& console, int& status);
void add_probe(Command app, const Console& console, int& status);
void add_campaign(Command app, const Console& console, int& status);
void add_prove(Command app, const Console& console, int& status);
void add_conv(Command app, const Console& console, int& status);
void add_wave(Command app, const Console& console, int& status);
void add_rtl(Command app, const Console& console, int& status);
void add_export(Command app, const Console& console, int& status);
void add_import(Command app, const Console& console, int& status);
void add_export_sv(Command app, const Console& console, int& status);
void add_completion(Command app, const Console& console, int& status);
void add_man(Command app, const Console& console, int& status);
void add_commands(Command app, const Console& console, int& status);  // all of these

// The whole program: `args` without the program's name. Every error becomes a sentence on `err` and a status.
int run_assay(std::vector<std::string> args, const Console& console);

}  // namespace assay
