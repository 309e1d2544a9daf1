#include "tb/prove/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <ostream>
#include <set>
#include <thread>

#include "model/base/error.hpp"
#include "model/base/output_file.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/generate/generator.hpp"
#include "tb/prove/aids.hpp"
#include "tb/prove/sweep.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// What is to be equal: the bits of a place in the model and in the unit.
struct Sides {
  std::vector<Lit> model, unit;
};

// 64 cases, a word for each input.
struct Batch {
  std::vector<std::uint64_t> inputs;
  std::vector<Case> cases;
};

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Cases of the families, and every fourth batch any bits at all.
Batch batch_of(const Plan& plan, const Generator& generator, std::uint64_t number, std::size_t inputs) {
  Batch batch{std::vector<std::uint64_t>(inputs, 0), {}};
  for (std::uint64_t n = 0; n < 64; ++n) {
    std::vector<bool> bits(inputs);
    if (number % 4 == 3) {
      for (std::size_t i = 0; i < inputs; ++i) bits[i] = (mixed(number * 64 + n + mixed(i)) & 1) != 0;
      batch.cases.push_back(case_of_bits(plan, bits));
    } else {
      batch.cases.push_back(generator.make((number - number / 4) * 64 + n));
      bits = bits_of_case(plan, batch.cases.back());
    }
    for (std::size_t i = 0; i < inputs; ++i) batch.inputs[i] |= std::uint64_t{bits[i]} << n;
  }
  return batch;
}

std::string hex_of(const std::vector<Lit>& bits, const GateSimulation& simulation, int lane) {
  std::string text;
  for (std::size_t from = 0; from < bits.size(); from += 4) {
    unsigned digit = 0;
    for (std::size_t i = from; i < std::min(from + 4, bits.size()); ++i)
      digit |= static_cast<unsigned>(simulation.of(bits[i]) >> lane & 1) << (i - from);
    text.insert(text.begin(), "0123456789abcdef"[digit]);
  }
  return text;
}

class Prover {
 public:
  Prover(const Plan& plan, const ProofOptions& options) : plan_(plan), options_(options), generator_(plan, 1) {}

  Proof run(const Dut& dut, const Claim& claim, const Netlist& netlist) {
    const std::string why_not = why_no_gates(plan_);
    if (!why_not.empty())
      throw Error{dut.file + ": its datapath cannot be turned into gates: " + why_not, Ending::not_here};
    const std::vector<OperandGates> operands = make_operands(plan_, gates_);
    model_ = make_model(plan_, operands, gates_);
    const UnitGates unit = unit_gates(dut, claim, plan_, netlist, operands, gates_);
    proof_.clocked = unit.clocked;
    proof_.input_bits = gates_.inputs().size();
    set_out(unit);
    aids_ = aids_of(plan_, model_, gates_);
    try_cases();
    read_kept();
    merge();
    solve_rest();
    conclude();
    return std::move(proof_);
  }

 private:
  std::size_t code_place() const { return static_cast<std::size_t>(plan_.places.first(Region::encode)); }

  bool has_time() const {
    const double seconds = watch_.seconds();
    if (options_.at) options_.at(seconds);
    return seconds < options_.seconds * share_;
  }

  void set_out(const UnitGates& unit) {
    std::vector<Lit> of_model, of_unit;
    for (std::size_t i = 0; i < plan_.places.size(); ++i) {
      if (!unit.places[i]) {
        ++proof_.hidden;
        continue;
      }
      add(plan_.places.name(static_cast<int>(i)), static_cast<int>(i), {model_.places[i], *unit.places[i]});
    }
    const std::vector<Lit>& code = model_.places[code_place()];
    add("d", -1, {{code.begin(), code.begin() + plan_.d.stored_bits}, unit.d});
    for (const Sides& s : sides_) {
      of_model.insert(of_model.end(), s.model.begin(), s.model.end());
      of_unit.insert(of_unit.end(), s.unit.begin(), s.unit.end());
    }
    proof_.model_gates = gate_count(gates_, of_model);
    proof_.unit_gates = gate_count(gates_, of_unit);
  }

  static std::size_t gate_count(const Gates& gates, const std::vector<Lit>& roots) {
    const std::vector<std::uint32_t> cone = cone_of(gates, roots);
    return static_cast<std::size_t>(
        std::count_if(cone.begin(), cone.end(), [&](std::uint32_t node) { return gates.is_gate(node); }));
  }

  void add(const std::string& name, int place, Sides sides) {
    PlaceProof p;
    p.name = name;
    p.place = place;
    std::vector<Lit> both = sides.model;
    both.insert(both.end(), sides.unit.begin(), sides.unit.end());
    for (const std::uint32_t node : cone_of(gates_, both)) p.inputs += gates_.is_input(node) ? 1 : 0;
    proof_.places.push_back(std::move(p));
    sides_.push_back(std::move(sides));
  }

  // --- cases ---

  void try_cases() {
    GateSimulation simulation(gates_);
    for (std::uint64_t number = 0; number * 64 < options_.cases; ++number) {
      const Batch batch = batch_of(plan_, generator_, number, gates_.inputs().size());
      simulation.run(batch.inputs);
      hold_model_to_core(batch, simulation);
      for (std::size_t i = 0; i < sides_.size(); ++i) see(i, batch, simulation);
      if (number < pattern_batches) patterns_.push_back(batch.inputs);
      proof_.cases += 64;
    }
  }

  // The model's gates are made of a text that core's stages are written as; that they are core is seen here.
  void hold_model_to_core(const Batch& batch, const GateSimulation& simulation) const {
    const std::string place = place_not_core(plan_, model_, simulation, batch.cases);
    if (place.empty()) return;
    throw Error{
        fmt::format("The model in gates is not the model at {}: this is a fault of assay; please report it with the "
                    "datapath.",
                    place)};
  }

  // The first of these cases in which a place differs.
  void see(std::size_t index, const Batch& batch, const GateSimulation& simulation) {
    PlaceProof& p = proof_.places[index];
    if (p.answer == ProofAnswer::refuted) return;
    const Sides& s = sides_[index];
    std::uint64_t apart = 0;
    for (std::size_t i = 0; i < s.model.size(); ++i) apart |= simulation.of(s.model[i]) ^ simulation.of(s.unit[i]);
    if (apart == 0) return;
    const int lane = __builtin_ctzll(apart);
    p.answer = ProofAnswer::refuted;
    p.one = batch.cases[static_cast<std::size_t>(lane)];
    p.expected = hex_of(s.model, simulation, lane);
    p.got = hex_of(s.unit, simulation, lane);
    if (p.engines.empty()) p.engines = "cases";
  }

  // --- what an earlier run proved ---

  // Of every node what it is made of, whatever else stands in the circuit and in whatever order.
  void digest() {
    digests_.resize(gates_.size());
    std::size_t inputs = 0;
    for (std::uint32_t node = 1; node < gates_.size(); ++node) {
      if (gates_.is_input(node)) digests_[node] = "i" + std::to_string(inputs++);
      if (!gates_.is_gate(node)) continue;
      std::string x = digest_of(gates_.first(node)), y = digest_of(gates_.second(node));
      if (y < x) std::swap(x, y);
      digests_[node] = sha256(x + "&" + y);
    }
  }
  std::string digest_of(Lit l) const { return (is_inverted(l) ? "!" : "") + digests_[node_of(l)]; }

  std::string content_of(const Sides& s) const {
    std::vector<std::string> texts{proof_version};
    for (const Lit l : s.model) texts.push_back(digest_of(l));
    for (const Lit l : s.unit) texts.push_back(digest_of(l));
    return sha256_of_all(texts);
  }

  static fs::path kept_file(const std::string& content) { return cache_place("prove") / "proved" / content; }

  void read_kept() {
    if (options_.keep) digest();
    for (std::size_t i = 0; i < sides_.size() && options_.keep; ++i) {
      contents_.push_back(content_of(sides_[i]));
      PlaceProof& p = proof_.places[i];
      std::error_code none;
      if (p.answer == ProofAnswer::refuted || !fs::is_regular_file(kept_file(contents_[i]), none)) continue;
      p.answer = ProofAnswer::proved;
      p.was_kept = true;
      p.engines = split(file_text(kept_file(contents_[i])), '\n').front();
    }
  }

  void keep() const {
    if (!options_.keep) return;
    fs::create_directories(cache_folder("prove") / "proved");
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const PlaceProof& p = proof_.places[i];
      if (p.answer == ProofAnswer::proved && !p.was_kept)
        write_whole_file(kept_file(contents_[i]).string(), p.engines + "\n");
    }
  }

  // --- merging ---

  // The cases as each input's words.
  std::vector<std::vector<std::uint64_t>> patterns_of() const {
    std::vector<std::vector<std::uint64_t>> words(gates_.inputs().size());
    for (const auto& inputs : patterns_) {
      for (std::size_t i = 0; i < inputs.size(); ++i) words[i].push_back(inputs[i]);
    }
    return words;
  }

  bool is_all_equal() const {
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (proof_.places[i].answer == ProofAnswer::open && now_[i].model != now_[i].unit) return false;
    }
    return true;
  }

  // Over small cuts first, which is quick where stages are small; then, where the unit shows places, at these, where
  // cuts would be large or lie below what a unit reads.
  void merge() {
    const bool has_places = sides_.size() > 1;
    merge(false, has_places ? 0.5 : 1);
    if (has_places && !is_all_equal() && has_time()) merge(true, 1);
  }

  // All anew, with what is proved.
  void merge(bool at_places, double share) {
    now_ = sides_;
    merged_ = Gates();
    set_steps(at_places);
    share_ = share;
    merge_passes();
    share_ = 1;
    accept_equal();
  }

  // Pass after pass over what is left of the circuit, each with more patience.
  void merge_passes() {
    const Gates* gates = &gates_;
    SweepLimits limits;
    for (int pass = 0; pass < passes && !is_all_equal() && has_time(); ++pass) {
      Sweep sweep(*gates, patterns_of(), limits, [this] { return has_time(); });
      sweep.run(stages());
      go_over_to(sweep);
      charge(sweep);
      for (auto& batch : sweep.learned()) patterns_.push_back(std::move(batch));
      merged_ = sweep.take();
      gates = &merged_;
      limits.conflicts *= 10;
      limits.local_conflicts *= 2;
      limits.goal_conflicts *= 10;
      limits.cut = std::min(limits.cut + 4, limits.goal_cut);
      limits.goal_cut = std::min(limits.goal_cut + 2, 28);
      limits.word_cut = 32;
    }
  }

  // The places and, after each, what helps with those that follow.
  void set_steps(bool at_places) {
    steps_.clear();
    step_of_.clear();
    const std::vector<std::vector<int>> read = places_read(plan_);
    std::vector<std::vector<std::size_t>> given(plan_.places.size() + 1);
    std::map<int, std::size_t> step_at;  // of the places that the unit shows
    std::size_t next = 0;
    const auto add_aids = [&](int before) {
      for (; next < aids_.size(); ++next) {
        const Aid& aid = aids_[next];
        if (aid.place + (aid.is_lemma || !at_places ? 1 : 0) > before) break;
        if (aid.is_at_places && !at_places) continue;
        SweepStage stage{aid.word, aid.made};
        stage.name = aid.name;
        stage.is_aid = true;
        stage.is_lemma = aid.is_lemma;
        if (at_places) write_anew(stage, aid);
        stage.below = aid.below;
        stage.given = given[static_cast<std::size_t>(aid.place)];
        for (const int place : aid.for_places) given[static_cast<std::size_t>(place)].push_back(steps_.size());
        steps_.push_back(std::move(stage));
        step_of_.push_back(none);
      }
    };
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const int place = proof_.places[i].place;
      add_aids(place >= 0 ? place : static_cast<int>(plan_.places.size()));
      SweepStage stage{sides_[i].model, sides_[i].unit};
      stage.name = proof_.places[i].name;
      stage.is_sum = is_sum(proof_.places[i]);
      stage.given = given[place >= 0 ? static_cast<std::size_t>(place) : code_place()];
      stage.shown = sides_[i].unit;
      if (at_places) stage.reads = steps_read(place >= 0 ? place : static_cast<int>(code_place()), step_at, read);
      step_at[place] = steps_.size();
      steps_.push_back(std::move(stage));
      step_of_.push_back(i);
    }
  }

  // What the model reads of a place is to be made of the place's bits, which stay as they are made, and so does the
  // gate that says whether the number counts.
  void write_anew(SweepStage& stage, const Aid& aid) const {
    stage.is_rewritten = !aid.is_lemma && !aid.counts;
    if (!aid.counts) return;
    stage.is_leaf = is_shown(aid.place);
    stage.frozen = model_.places[static_cast<std::size_t>(aid.place)];
    stage.frozen.insert(stage.frozen.end(), aid.made.begin(), aid.made.end());
  }

  bool is_shown(int place) const {
    return std::any_of(proof_.places.begin(), proof_.places.end(),
                       [&](const PlaceProof& p) { return p.place == place; });
  }

  // What a stage reads; where the unit does not show that, what that was made of.
  std::vector<std::size_t> steps_read(int place, const std::map<int, std::size_t>& step_at,
                                      const std::vector<std::vector<int>>& read) const {
    std::set<std::size_t> steps;
    std::vector<int> open{place};
    while (!open.empty()) {
      const std::vector<int>& list = read[static_cast<std::size_t>(open.back())];
      open.pop_back();
      for (const int before : list) {
        const auto found = step_at.find(before);
        if (found != step_at.end())
          steps.insert(found->second);
        else
          open.push_back(before);
      }
    }
    return {steps.begin(), steps.end()};
  }

  std::vector<SweepStage> stages() const {
    std::vector<SweepStage> list = steps_;
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (step_of_[n] == none) continue;
      const PlaceProof& p = proof_.places[step_of_[n]];
      list[n].is_known = p.answer == ProofAnswer::proved;
      list[n].is_refuted = p.answer == ProofAnswer::refuted;
    }
    return list;
  }

  bool is_sum(const PlaceProof& p) const {
    const Place place = plan_.places[p.place >= 0 ? static_cast<std::size_t>(p.place) : code_place()];
    return place.stage == Stage::reduce || (place.stage == Stage::encode && plan_.d.is_integer());
  }

  // From here on the circuit is the one that the sweep made.
  void go_over_to(Sweep& sweep) {
    for (std::size_t n = 0; n < steps_.size(); ++n) {
      SweepStage& step = steps_[n];
      step.is_known = step.is_lemma && sweep.is_proved(n);
      step.shown = sweep.unmerged(step.shown);
      for (auto* side : {&step.model, &step.unit, &step.below, &step.frozen}) *side = sweep.made_plainly(*side);
      if (step_of_[n] != none) now_[step_of_[n]] = {step.model, step.unit};
    }
  }

  void charge(const Sweep& sweep) {
    engines_.resize(now_.size());
    for (std::size_t n = 0; n < steps_.size(); ++n) {
      const SweepEffort& effort = sweep.efforts()[n];
      if (step_of_[n] == none) continue;
      PlaceProof& p = proof_.places[step_of_[n]];
      p.seconds += effort.seconds;
      p.under.insert(effort.under.begin(), effort.under.end());
      p.bounds += effort.bounds;
      p.lacking.clear();
      for (const std::size_t lemma : steps_[n].given) {
        if (!sweep.is_proved(lemma)) p.lacking.insert(steps_[lemma].name);
      }
      engines_[step_of_[n]].insert(effort.engines.begin(), effort.engines.end());
    }
    proof_.undecided = sweep.undecided();
  }

  // What a place rests on, with what the places before it rest on.
  std::string engines_of(std::size_t index) const {
    std::string text;
    if (index >= engines_.size() || engines_[index].empty()) return engine_name(ProofEngine::structure);
    for (const ProofEngine engine : engines_[index])
      text += (text.empty() ? "" : ", ") + std::string(engine_name(engine));
    return text;
  }

  void accept_equal() {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      PlaceProof& p = proof_.places[i];
      if (p.answer != ProofAnswer::open || now_[i].model != now_[i].unit) continue;
      p.answer = ProofAnswer::proved;
      p.engines = engines_of(i);
    }
  }

  // --- what is left ---

  // Each bit that is not the same gate on both sides is given to a solver of its own, side by side.
  void solve_rest() {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < now_.size(); i = next++) {
        if (proof_.places[i].answer == ProofAnswer::open) solve(i);
      }
    };
    std::vector<std::thread> threads;
    for (int n = 1; n < options_.threads; ++n) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
  }

  void solve(std::size_t index) {
    const Stopwatch watch;
    const Gates& gates = merged_.size() > 1 ? merged_ : gates_;
    Solving solving(gates);
    const Sides& s = now_[index];
    std::size_t equal = 0;
    SolverAnswer verdict = SolverAnswer::never;
    for (std::size_t bit = 0; bit < s.model.size() && verdict != SolverAnswer::sometimes; ++bit) {
      if (s.model[bit] != s.unit[bit]) verdict = solve(solving, s.model[bit], s.unit[bit]);
      if (s.model[bit] == s.unit[bit] || verdict == SolverAnswer::never) ++equal;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    PlaceProof& p = proof_.places[index];
    p.seconds += watch.seconds();
    if (p.answer != ProofAnswer::open) return;
    if (verdict == SolverAnswer::sometimes) return show(solving, gates);
    if (equal == s.model.size()) {
      p.answer = ProofAnswer::proved;
      p.engines = engine_name(ProofEngine::solver);
      return;
    }
    p.tried = fmt::format("{} of {} bits proved; {} cases differ nowhere, and CaDiCaL has no answer for the others yet",
                          equal, s.model.size(), grouped(proof_.cases));
  }

  SolverAnswer solve(Solving& solving, Lit x, Lit y) const {
    for (const bool turned : {false, true}) {
      if (!has_time()) return SolverAnswer::unknown;
      const SolverAnswer verdict =
          solving.ask({inverted_if(x, turned), inverted_if(y, !turned)}, -1, [this] { return has_time(); });
      if (verdict != SolverAnswer::never) return verdict;
    }
    return SolverAnswer::never;
  }

  // The case that a solver found, held to every place.
  void show(const Solving& solving, const Gates& gates) {
    std::vector<bool> bits;
    Batch batch;
    for (const std::uint32_t input : gates.inputs()) {
      bits.push_back(solving.value(input));
      batch.inputs.push_back(bits.back() ? 1 : 0);
    }
    batch.cases.assign(64, case_of_bits(plan_, bits));
    for (std::uint64_t& word : batch.inputs) word = word != 0 ? ~std::uint64_t{0} : 0;
    GateSimulation simulation(gates_);
    simulation.run(batch.inputs);
    hold_model_to_core({batch.inputs, {batch.cases.front()}}, simulation);
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (proof_.places[i].answer != ProofAnswer::open) continue;
      proof_.places[i].engines = engine_name(ProofEngine::solver);
      see(i, batch, simulation);
    }
  }

  void conclude() {
    keep();
    const auto any = [&](ProofAnswer answer) {
      return std::any_of(proof_.places.begin(), proof_.places.end(),
                         [&](const PlaceProof& p) { return p.answer == answer; });
    };
    proof_.unit = any(ProofAnswer::refuted) ? ProofAnswer::refuted
                  : any(ProofAnswer::open)  ? ProofAnswer::open
                                            : ProofAnswer::proved;
    proof_.merged_gates = merged_.size() > 1 ? merged_.size() - 1 - merged_.inputs().size() : 0;
    proof_.seconds = watch_.seconds();
  }

  static constexpr const char* proof_version = "1";  // of what an earlier run may have proved wrongly
  static constexpr std::uint64_t pattern_batches = 48;
  static constexpr int passes = 3;

  const Plan& plan_;
  const ProofOptions& options_;
  Generator generator_;
  Stopwatch watch_;
  double share_ = 1;  // of the seconds, that may pass
  Gates gates_, merged_;
  ModelGates model_;
  std::vector<Sides> sides_, now_;  // before and after merging
  static constexpr std::size_t none = ~std::size_t{0};
  std::vector<SweepStage> steps_;
  std::vector<Aid> aids_;
  std::vector<std::size_t> step_of_;  // the place of each, none of what helps
  std::vector<std::vector<std::uint64_t>> patterns_;
  std::vector<std::string> digests_;   // of nodes
  std::vector<std::string> contents_;  // of places
  std::vector<std::set<ProofEngine>> engines_;
  std::mutex mutex_;
  Proof proof_;
};

}  // namespace

const char* proof_answer_name(ProofAnswer answer) {
  static const char* const names[] = {"proved", "refuted", "open"};
  return names[static_cast<std::size_t>(answer)];
}

Proof prove(const Dut& dut, const Claim& claim, const Plan& plan, const Netlist& netlist, const ProofOptions& options) {
  return Prover(plan, options).run(dut, claim, netlist);
}

Proof prove(const Dut& dut, const Claim& claim, const Plan& plan, const ProofOptions& options, std::ostream* progress) {
  const Netlist netlist = netlist_of(dut, progress);
  Proof proof = prove(dut, claim, plan, netlist, options);
  proof.netlist_sha256 = netlist.sha256;
  return proof;
}

}  // namespace assay
