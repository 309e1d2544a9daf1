#include "tb/gates/cost.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>

#include "model/base/read_double.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/devices/rtl/export_sv.hpp"

namespace assay {
namespace {

// The way in is that of scripts/mutate_rtl. Then `synth` by hand, without what takes it minutes: `share`, which looks
// for operators that are never needed at the same time, a mapping by `abc` that the one onto the cells replaces, and
// tidying of gates (`opt` after `techmap`), which ABC does as well in a fraction of the time.
constexpr const char* commands =
    "read_verilog -sv SOURCES datapath.sv\nhierarchy -check -top datapath\n"
    "proc\nflatten\ndelete -output datapath/w:probe_o\nopt -purge\n"
    "wreduce\npeepopt\nopt_clean\nalumacc\nopt\ntechmap\nopt_clean -purge\n"
    "tee -q -o timing.txt abc -liberty LIBRARY -script abc.txt\n"
    "opt_clean -purge\ntee -q -o area.txt stat -liberty LIBRARY\n";

constexpr const char* netlist_file = "mapped.blif";

// A cell that is of no library has no area, and the sum would lack it.
void check_mapped(const std::string& area, const SynthesisFolder& folder) {
  const std::size_t at = area.find("$_");
  if (at != area.npos)
    folder.fail("left the cell " + area.substr(at, area.find_first_of(" \n", at) - at) + " that is of no library");
}

int depth_in(const SynthesisFolder& folder) {
  return static_cast<int>(
      folder.number_after(folder.text("timing.txt"), "lev =", "how many cells are on the longest path"));
}

std::string read_cost(const SynthesisFolder& folder) {
  const double cells = mapped_cells(folder), area = mapped_area(folder), depth = depth_in(folder);
  return numbers_text({cells, area, depth, mapped_delay(folder)});
}

std::optional<Cost> cost_in(const std::string& text) {
  const auto numbers = numbers_in(text, 4);
  if (!numbers) return std::nullopt;
  const auto whole = [&](std::size_t i) { return static_cast<int>((*numbers)[i]); };
  return Cost{whole(0), (*numbers)[1], whole(2), (*numbers)[3]};
}

GateQuestion question_of(const Plan& plan, NetlistFile netlist) {
  GateQuestion question{export_sv(plan, gates_top), commands, std::string(abc_tidy) + abc_mapping, read_cost,
                        [](const std::string& kept) { return cost_in(kept).has_value(); }};
  if (netlist == NetlistFile::kept) {
    question.netlist = netlist_file;
    question.script += std::string("write_blif ") + netlist_file + "\n";
  }
  return question;
}

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

// Logic is tidied and mapped, then buffers and sizes of cells follow the loads, as placement would have them.
const char* const abc_tidy = "strash\nifraig\ndc2\n";
const char* const abc_mapping =
    "map -B 0.9\n"
    "topo\n"
    "buffer -c\n"
    "topo\n"
    "upsize\n"
    "dnsize\n"
    "stime\n"
    "print_stats\n";

double mapped_area(const SynthesisFolder& folder) {
  return folder.number_after(folder.text("area.txt"),
                             "Chip area for module '\\" + std::string(gates_top) + "':", "the area");
}

int mapped_cells(const SynthesisFolder& folder) {
  const std::string area = folder.text("area.txt");
  check_mapped(area, folder);
  return static_cast<int>(folder.number_after(area, "Number of cells:", "how many cells there are"));
}

double mapped_delay(const SynthesisFolder& folder) {
  return folder.number_after(folder.text("timing.txt"), "Delay =", "the delay") / 1000;  // picoseconds
}

std::string numbers_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format("{}{}", text.empty() ? "" : " ", number);
  return text + "\n";
}

std::optional<std::vector<double>> numbers_in(const std::string& text, std::size_t count) {
  std::vector<double> numbers(count, 0);
  const char *at = text.data(), *end = at + text.size();
  for (double& number : numbers) {
    at = std::min(read_double(at, end, number).ptr + 1, end);
    if (!(number > 0) || !std::isfinite(number)) return std::nullopt;
  }
  return numbers_text(numbers) == text ? std::optional(numbers) : std::nullopt;
}

std::string why_no_cost(const Plan& plan) {
  const auto why = why_not_exportable(plan);
  return why ? "The blocks of rtl_ref cannot do it: " + *why : "";
}

CostAnswer cost_of(const Plan& plan, const Synthesis& synthesis, NetlistFile netlist) {
  if (std::string why = why_no_cost(plan); !why.empty()) return {std::nullopt, std::move(why), ""};
  const GateAnswer answer = answer_to(question_of(plan, netlist), synthesis);
  return {cost_in(answer.text), "", answer.netlist};
}

double synthesis_seconds(const std::vector<const Plan*>& plans, const Synthesis& synthesis) {
  std::vector<const Plan*> missing;
  for (const Plan* plan : plans) {
    if (why_not_exportable(*plan)) continue;  // it will have no cost
    if (!is_kept(question_of(*plan, NetlistFile::dropped), synthesis)) missing.push_back(plan);
  }
  if (missing.empty()) return 0;
  const double before = children_seconds();
  cost_of(*missing[missing.size() / 2], synthesis);
  return (children_seconds() - before) * static_cast<double>(missing.size() - 1);
}

}  // namespace assay
