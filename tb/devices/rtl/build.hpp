// RTL as a device: Verilator makes a program of the sources that answers the process protocol.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/devices/rtl/dut.hpp"
#include "tb/devices/rtl/ports.hpp"

namespace assay {

// The Verilator of $VERILATOR_ROOT, where that is set and has a bin/verilator; else the first on PATH.
std::string verilator_program();

// The path of the program, built unless one was built before of the same content: of every file that Verilator and the
// compiler say they read. Builds lie in ${XDG_CACHE_HOME:-~/.cache}/assay/rtl/WHAT/FROM, WHAT a hash of what is asked
// for, FROM one of what it was made of, with Verilator's and the compiler's words in build.log; `progress`, where
// given, is told what takes long. `plan` is what `claim`, one of the DUT's, is to compute. With `waves`, asked for here
// or by the DUT file, the program has an option --wave, the FST file it writes every signal to. Throws Error.
std::string build_rtl(const Dut& dut, const Claim& claim, const Plan& plan, std::ostream* progress, bool waves = false);

// The module that was generated around the unit, as a file beside `program`; empty where none was needed.
std::string wrapper_beside(const std::string& program);

// A sentence about bits of ports that carry operands, but not these; empty where there are none.
std::string zeros_beside_operands(const Dut& dut, const Plan& plan, const std::string& program);

// Arguments for a program that build_rtl made of this claim, after its seed: what a build does not depend on, and a
// program cannot do without: constants, the latency, the length of its reset. With `held` it holds these of its
// constants at other values. Throws Error.
std::vector<std::string> run_arguments(const Dut& dut, const Claim& claim, const std::string& program,
                                       const std::vector<PortConstant>& held = {});

// What may come amid the work of a unit and must change no result.
struct Disturbance {
  bool resets = false;   // the cases in it are asked again
  bool modes = false;    // operations of other claims' constants, which come with the operands
  bool company = false;  // operations that share what is loaded, before and after a case, and loads amid the work
};

// All of these that the unit of this claim, with `held`, has to bear.
Disturbance all_disturbances(const Dut& dut, const Claim& claim, const std::vector<PortConstant>& held = {});

// Further arguments for the program, after run_arguments.
std::vector<std::string> disturbing_arguments(const Dut& dut, const Claim& claim, const std::vector<PortConstant>& held,
                                              const Disturbance& what);

// The file beside `program` that lists what it was made of (dependencies.hpp).
inline constexpr const char* built_of = "made_of";

// One hash over a DUT file, its sources and whatever else Verilator read when it built `program`. Throws Error.
std::string rtl_sha256(const Dut& dut, const std::string& program);

// Verilator's own lint of the DUT's sources, with all its warnings: what it says, empty where it is content. Throws
// Error.
std::string lint_rtl(const Dut& dut);

// What Verilator says, without the report of its work that later versions end with.
std::string without_report(const std::string& log);

// The ports of the DUT's module, of whose body nothing need be there where its header says them. Throws Error.
std::vector<RtlPort> ports_of(const Dut& dut);

}  // namespace assay
