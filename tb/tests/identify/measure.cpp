// identify_measure KIND [FIRST COUNT [EVERY [PART]]]: what `identify` finds of units that are known here: a row each,
// as a table of docs/identify.md, and a last one that counts; with PART those alone whose name has it. KIND:
//   shipped   each datapath of the catalogue, by the first instruction that has it
//   without   the same, where the search does not begin with its file
//   changedN  the same with N words changed, each of which shows
//   random    own datapaths nobody would think of, of cases that bring a, b, c and pairs of scales alone
//   words     the same, shown and not searched for
//   box       DEVICE SUBJECT, as often as there are: that device, of which an instruction or a datapath file (.yaml)
//             tells the operands and nothing else; what is found is held to the device's own answers
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <set>
#include <stdexcept>

#include "model/config/datapath_text.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/generate/random.hpp"
#include "tb/identify/identify.hpp"
#include "tb/identify/report.hpp"
#include "tb/tests/equality/random_datapath.hpp"

namespace assay {
namespace {

using namespace identify;

constexpr std::uint64_t most_attempts = 1000, cases_that_judge = 20'000;

struct Unit {
  std::string name;
  Subject subject;
  std::vector<std::string> without;
};

bool differ(const Plan& x, const Plan& y, std::uint64_t seed, std::uint64_t cases) {
  const Generator generator(x, seed);
  Registers registers;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case c = generator.make(i);
    if (dot(x, c.operand(), registers) != dot(y, c.operand(), registers)) return true;
  }
  return false;
}

// One word of the unit's datapath changed, so that some case tells; false where none was met.
bool change_one(Unit& unit, Draws& draws) {
  for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
    const Plan& now = unit.subject.plan;
    const std::vector<Mutation> all = mutations(now.datapath, now.k);
    const Mutation& m = all[draws.below(all.size())];
    auto made = plan(m.changed, now.k);
    Plan* changed = std::get_if<Plan>(&made);
    if (changed == nullptr || !are_within(changed->more, now.more)) continue;
    if (!differ(now, *changed, 7, 5000)) continue;
    unit.name += ", " + m.name;
    unit.subject.plan = std::move(*changed);
    return true;
  }
  return false;
}

// Later words may undo earlier ones, which is rare: one that does is drawn from hundreds.
void change(Unit& unit, std::uint64_t words, std::uint64_t number) {
  Draws draws = Random{5, number}.at(Part::choice);
  for (std::uint64_t i = 0; i < words && change_one(unit, draws); ++i) continue;
}

std::vector<Unit> shipped(const Catalogue& catalogue, const std::string& kind) {
  std::vector<Unit> units;
  std::set<std::string> seen;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (!seen.insert(i.datapath).second) continue;
      Unit unit{i.datapath + " (" + i.full_name() + ")", subject_of(catalogue, i), {}};
      if (unit.subject.plan.random.operand >= 0) continue;
      if (kind != "shipped") unit.without = {i.datapath};
      units.push_back(std::move(unit));
    }
  }
  return units;
}

std::vector<Unit> random_units(const Catalogue& catalogue, std::uint64_t count) {
  std::vector<Unit> units;
  for (std::uint64_t number = 0; units.size() < count; ++number) {
    for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt) {
      const OwnDatapath own = random_datapath(number, attempt);
      const auto made = plan(own.words, own.k);
      const Plan* planned = std::get_if<Plan>(&made);
      if (planned == nullptr || !planned->more.empty()) continue;
      const std::string name = fmt::format("random {}", number);
      units.push_back({name, subject_of_text(catalogue, yaml_text(own.words, own.k), name), {}});
      break;
    }
  }
  return units;
}

struct Tally {
  std::size_t units = 0, right = 0, wrong = 0, none = 0, without_answer = 0;
  std::vector<std::uint64_t> questions;
};

std::string nearest_text(const Identified& found) {
  if (found.tried == 0) return "nothing to begin with";
  std::string text(outcome_word(found.outcome));
  if (found.nearest)
    text += fmt::format("; {} of {} against the nearest, {}", found.nearest->wrong, found.answers.size(),
                        found.nearest->from);
  return text;
}

// Whether a device gives something else for some case, of those aimed at the plan and at what it claims to be.
bool gives_another(Device& device, const Plan& found, const Plan& claimed) {
  Registers registers;
  for (const Plan* aim : {&found, &claimed}) {
    const Generator generator(*aim, 77);
    std::vector<Case> cases;
    for (std::uint64_t i = 0; i < cases_that_judge / 2; ++i) cases.push_back(generator.make(i));
    const std::vector<Answer> answers = device.run(cases, false);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!answers[i].ok() || answers[i].d != dot(found, cases[i].operand(), registers)) return true;
    }
  }
  return false;
}

void measure(const Catalogue& catalogue, const Unit& unit, Device& device, Tally& tally) {
  const auto begin = std::chrono::steady_clock::now();
  VersionSpace space(unit.subject.plan, [](Code x, Code y) { return x == y; });
  start_from(space, catalogue, unit.without);
  Box box(unit.subject, device, "");
  const Identified found =
      space.candidates().empty() ? Identified{} : identify::identify(unit.subject, space, box, IdentifyEffort{});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const bool names_one = !found.classes.empty();
  const bool wrong = names_one && gives_another(device, *found.classes.front().first.plan, unit.subject.plan);
  tally.right += names_one && !wrong ? 1 : 0;
  tally.wrong += wrong ? 1 : 0;
  tally.none += names_one ? 0 : 1;
  if (names_one && !wrong) tally.questions.push_back(found.before_confirming);
  fmt::print("| {} | {} | {} | {:.1f} | {} |\n", unit.name, found.before_confirming, found.tried, seconds,
             wrong       ? "WRONG"
             : names_one ? "right"
                         : nearest_text(found));
}

// A device that gives no answer has none to be found by.
void measure_any(const Catalogue& catalogue, const Unit& unit, Device& device, Tally& tally) {
  ++tally.units;
  try {
    measure(catalogue, unit, device, tally);
  } catch (const Error& error) {
    ++tally.without_answer;
    fmt::print("| {} | | | | no answer: {} |\n", unit.name, error.message);
  }
  std::fflush(stdout);
}

void print_head() {
  fmt::print("| unit | questions before confirmation | datapaths tried | seconds | found |\n|---|---|---|---|---|\n");
}

void print_counts(Tally tally) {
  std::sort(tally.questions.begin(), tally.questions.end());
  fmt::print(
      "{} units: {} right, {} wrong, {} not found, {} without an answer; questions before confirmation: {} in the "
      "middle, {} at most\n",
      tally.units, tally.right, tally.wrong, tally.none, tally.without_answer,
      tally.questions.empty() ? 0 : tally.questions[tally.questions.size() / 2],
      tally.questions.empty() ? 0 : tally.questions.back());
}

Subject operands_of(const Catalogue& catalogue, const std::string& subject) {
  const bool is_file = subject.find(".yaml") != std::string::npos;
  return is_file ? subject_of_file(catalogue, subject) : subject_of(catalogue, catalogue.instruction(subject));
}

int run_boxes(int argc, char** argv) {
  const Catalogue catalogue = shipped_catalogue();
  print_head();
  Tally tally;
  for (int i = 2; i + 1 < argc; i += 2) {
    const Unit unit{argv[i], operands_of(catalogue, argv[i + 1]), {}};
    if (unit.subject.plan.random.operand >= 0)
      throw Error{unit.name + " rounds by random words, which is not searched for."};
    const auto device = open_device(argv[i], unit.subject, catalogue, std::cerr);
    measure_any(catalogue, unit, *device, tally);
  }
  print_counts(tally);
  return 0;
}

int run(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "box") return run_boxes(argc, argv);
  const std::uint64_t words_changed =
      kind.rfind("changed", 0) == 0 ? std::strtoull(kind.c_str() + std::strlen("changed"), nullptr, 10) : 0;
  if (kind != "shipped" && kind != "without" && words_changed == 0 && kind != "random" && kind != "words")
    throw std::runtime_error(
        "Usage: identify_measure shipped|without|changedN|random|words [FIRST COUNT [EVERY [PART]]], or box DEVICE "
        "SUBJECT ..");
  const bool are_random = kind == "random" || kind == "words";
  const auto number = [&](int i, std::uint64_t otherwise) {
    return argc > i ? static_cast<std::uint64_t>(std::atoll(argv[i])) : otherwise;
  };
  const std::uint64_t first = number(2, 0), count = number(3, are_random ? 300 : 1000), every = number(4, 1);
  const std::string part = argc > 5 ? argv[5] : "";
  const Catalogue catalogue = shipped_catalogue();
  std::vector<Unit> units = are_random ? random_units(catalogue, first + count) : shipped(catalogue, kind);
  if (kind == "words") {
    for (std::uint64_t i = first; i < std::min<std::uint64_t>(units.size(), first + count); i += every)
      fmt::print("# {}\n{}\n", units[i].name, yaml_text(units[i].subject.plan.datapath, units[i].subject.plan.k));
    return 0;
  }
  print_head();
  Tally tally;
  for (std::uint64_t i = first; i < std::min<std::uint64_t>(units.size(), first + count); i += every) {
    if (units[i].name.find(part) == std::string::npos) continue;
    change(units[i], words_changed, i);
    const auto device = model_device(units[i].subject.plan);
    measure_any(catalogue, units[i], *device, tally);
  }
  print_counts(tally);
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  try {
    return assay::run(argc, argv);
  } catch (const assay::Error& error) {
    fmt::print(stderr, "{}\n", error.message);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return 2;
}
