#include "tb/gates/clocked.hpp"

#include <algorithm>
#include <cmath>

#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/devices/rtl/export_sv.hpp"

namespace assay {
namespace {

constexpr const char* netlist_file = "mapped.blif";
constexpr int most_tries = 8;  // of numbers of ranks that ABC is to move

using Cuts = std::vector<bool>;  // where registers stand

// The wiring of `assay export-sv --pipelined`, nothing of which ever waits. Flip-flops stay simple cells until ABC has
// seen them.
constexpr const char* commands =
    "read_verilog -sv -defer SOURCES datapath.sv\n"
    "hierarchy -check -top datapath -chparam Registers CUTS\n"
    "rename -top datapath\n"
    "proc\n"
    "delete datapath/c:u_control\n"
    "cd datapath\n"
    "connect -set enable ONES\n"
    "cd ..\n"
    "flatten\n"
    "delete -output datapath/w:probe_o\n"
    "opt -purge\n"
    "wreduce\npeepopt\nopt_clean\nalumacc\nopt\ntechmap\nopt_clean -purge\n"
    "dfflibmap -prepare -liberty LIBRARY\n"
    "opt_clean -purge\n"
    "tee -q -o timing.txt abc -dff -liberty LIBRARY -script abc.txt\n"
    "opt_clean -purge\n"
    "dfflibmap -map-only -liberty LIBRARY\n"
    "tee -q -o area.txt stat -liberty LIBRARY\n"
    "write_blif mapped.blif\n";

// Forward and backward for as few registers as can be, then for the shortest stages. Names of its own for flip-flops
// (without -o) are now and then those of outputs, at which ABC ends.
constexpr const char* abc_retiming = "retime -M 5 -o\nstrash\n";

std::string binary(const Cuts& cuts) {
  std::string text = std::to_string(cuts.size()) + "'b";
  for (std::size_t i = cuts.size(); i-- > 0;) text += cuts[i] ? '1' : '0';
  return text;
}

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  return text.replace(text.find(word), word.size(), by);
}

std::string read_clocked(const SynthesisFolder& folder) {
  mapped_cells(folder);  // none is left that is of no library
  return numbers_text({mapped_area(folder), mapped_delay(folder)});
}

class Pipelining {
 public:
  Pipelining(const Plan& plan, const Synthesis& synthesis, const std::vector<GateCase>& cases)
      : plan_(plan),
        synthesis_(synthesis),
        cases_(cases),
        library_(read_liberty(file_text(synthesis.library), synthesis.library)),
        wiring_(export_sv(plan, gates_top, ExportTiming::pipelined)),
        names_(export_cuts(plan)) {}

  ClockedCost at_stages(double period) const {
    Cuts chosen(names_.size(), false), all(names_.size(), true);
    ClockedCost every = cost(all, false);
    if (every.period > period) return every;
    // Each stage as long as it may be: what follows keeps all its registers meanwhile.
    for (std::size_t begin = 0; begin <= names_.size();) {
      const std::size_t end = last_cut(chosen, begin, period);
      if (end == names_.size()) break;
      chosen[end] = true;
      begin = end + 1;
    }
    return cost(chosen, false);
  }

  ClockedCost retimed(double period) const {
    const double whole = cost(Cuts(names_.size(), false), false).period - library_.register_time();
    const double stage = period - library_.register_time();
    const std::size_t least = stage <= 0 ? names_.size() : static_cast<std::size_t>(std::ceil(whole / stage)) - 1;
    std::optional<ClockedCost> best;
    for (std::size_t ranks = std::min(least, names_.size()), tries = 0; ranks <= names_.size() && tries < most_tries;
         ++ranks, ++tries) {
      const ClockedCost one = cost(evenly(ranks), true);
      if (!best || one.period < best->period) best = one;
      if (best->period <= period) break;
    }
    return *best;
  }

 private:
  // The last cut at which a stage that begins after `begin` may end, or as many as there are: it needs no end.
  std::size_t last_cut(const Cuts& chosen, std::size_t begin, double period) const {
    std::size_t least = begin, most = names_.size();  // the answer is one of them or lies between
    while (least < most) {
      const std::size_t middle = (least + most + 1) / 2;
      Cuts cuts = chosen;
      for (std::size_t i = middle; i < cuts.size(); ++i) cuts[i] = true;
      if (cost(cuts, false).period <= period) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    return least;
  }

  Cuts evenly(std::size_t ranks) const {
    Cuts cuts(names_.size(), false);
    for (std::size_t i = 0; i < ranks; ++i) cuts[(i + 1) * (names_.size() + 1) / (ranks + 1) - 1] = true;
    return cuts;
  }

  ClockedCost cost(const Cuts& cuts, bool retime) const {
    GateQuestion question{wiring_,
                          replaced(replaced(commands, "CUTS", binary(cuts)), "ONES", binary(Cuts(cuts.size(), true))),
                          std::string(abc_tidy) + (retime ? abc_retiming : "") + abc_mapping,
                          read_clocked,
                          [](const std::string& kept) { return numbers_in(kept, 2).has_value(); },
                          netlist_file};
    const GateAnswer answer = answer_to(question, synthesis_);
    const std::vector<double> numbers = *numbers_in(answer.text, 2);
    const MappedUnit unit = read_mapped(file_text(answer.netlist), library_);
    ClockedCost found;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      if (cuts[i]) found.after.push_back(names_[i]);
    }
    found.registers = static_cast<int>(unit.registers.size());
    found.area = numbers[0];
    found.period = numbers[1] + library_.register_time();
    check_results(plan_, unit, cases_, found.cycles() - 1);
    return found;
  }

  const Plan& plan_;
  const Synthesis& synthesis_;
  const std::vector<GateCase>& cases_;
  CellLibrary library_;
  std::string wiring_;
  std::vector<std::string> names_;
};

}  // namespace

Pipelined clocked_at(const Plan& plan, double period, const Synthesis& synthesis, const std::vector<GateCase>& cases) {
  if (const auto why = why_not_exportable(plan)) return {std::nullopt, std::nullopt, *why};
  const Pipelining pipelining(plan, synthesis, cases);
  Pipelined found;
  try {
    found.at_stages = pipelining.at_stages(period);
    found.retimed = pipelining.retimed(period);
  } catch (const Error& error) {
    found.why_not = error.message;
  }
  return found;
}

}  // namespace assay
