#include "tb/prove/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <ostream>
#include <thread>

#include "model/base/error.hpp"
#include "model/base/output_file.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/generate/generator.hpp"
#include "tb/prove/aids.hpp"
#include "tb/prove/merging.hpp"
#include "tb/prove/named_values.hpp"
#include "tb/prove/read_otherwise.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
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

// Cases of the families, and every fourth batch any bits at all. Inputs that are no bits of a case stay at 0.
Batch batch_of(const Plan& plan, const Generator& generator, std::uint64_t number, std::size_t inputs,
               std::size_t all) {
  Batch batch{std::vector<std::uint64_t>(all, 0), {}};
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

  Proof hold_to_model(const UnitToProve& unit, const Netlist& netlist) {
    const std::string why_not = why_no_gates(plan_);
    if (!why_not.empty())
      throw Error{unit.dut.file + ": its datapath cannot be turned into gates: " + why_not, Ending::not_here};
    const std::vector<OperandGates> operands = made_operands();
    model_ = make_model(plan_, operands, gates_);
    const std::vector<Lit>& code = model_.places[static_cast<std::size_t>(plan_.places.first(Region::encode))];
    UnitGates reference;
    reference.places.assign(model_.places.begin(), model_.places.end());
    reference.d.assign(code.begin(), code.begin() + plan_.d.stored_bits);
    const UnitGates made = gates_of(unit, netlist, operands);
    set_out(reference, made);
    hold_to_simulator(unit, made);
    aids_ = aids_of(plan_, model_, made.places, gates_);
    laws_ = laws_of(plan_, model_, made.places, gates_);
    const std::vector<std::vector<std::uint64_t>> cases = cases_of_sizes();
    leave_out_untrue(gates_, cases, aids_, laws_);
    own_ = own_stages(plan_, model_, made.places, gates_, cases);
    return settled();
  }

  Proof hold_to(const UnitToProve& reference, const Netlist& of_reference, const UnitToProve& unit,
                const Netlist& netlist) {
    proof_.is_of_model = false;
    const std::vector<OperandGates> operands = made_operands();
    const UnitGates expected = gates_of(reference, of_reference, operands), made = gates_of(unit, netlist, operands);
    set_out(expected, made);
    hold_to_simulator(reference, expected);
    hold_to_simulator(unit, made);
    return settled();
  }

 private:
  bool has_time(double share = 1) const {
    const double seconds = watch_.seconds();
    if (options_.at) options_.at(seconds);
    return seconds < options_.seconds * share;
  }

  std::vector<OperandGates> made_operands() {
    std::vector<OperandGates> operands = make_operands(plan_, gates_);
    proof_.input_bits = gates_.inputs().size();
    return operands;
  }

  Batch batch_of_cases(std::uint64_t number) const {
    return batch_of(plan_, generator_, number, proof_.input_bits, gates_.inputs().size());
  }

  // 0 in half of the cases.
  void draw_open_values(Batch& batch, std::uint64_t number) const {
    for (std::size_t i = proof_.input_bits; i < batch.inputs.size(); ++i)
      batch.inputs[i] = mixed(~number + mixed(i)) & 0xffffffff;
  }

  // In which the sizes of addends are seen.
  std::vector<std::vector<std::uint64_t>> cases_of_sizes() const {
    std::vector<std::vector<std::uint64_t>> cases;
    for (std::uint64_t number = 0; number < size_batches; ++number) cases.push_back(batch_of_cases(number).inputs);
    return cases;
  }

  UnitGates gates_of(const UnitToProve& unit, const Netlist& netlist, const std::vector<OperandGates>& operands) {
    return unit_gates(unit.dut, unit.claim, plan_, netlist, operands, gates_);
  }

  // What both show.
  void set_out(const UnitGates& reference, const UnitGates& unit) {
    for (std::size_t i = 0; i < plan_.places.size(); ++i) {
      if (unit.places[i] && reference.places[i])
        add(plan_.places.name(static_cast<int>(i)), static_cast<int>(i), {*reference.places[i], *unit.places[i]});
      else
        ++proof_.hidden;
    }
    for (const auto& [name, literal] : unit.answers) add(name, -1, {{lit_true}, {literal}});
    add("d", -1, {reference.d, unit.d});
    proof_.clocked = unit.clocked;
    proof_.tagged = unit.tagged;
    proof_.open_values = gates_.inputs().size() - proof_.input_bits;
    proof_.reference_gates = gate_count(gates_, all_of(sides_, &PlaceSides::reference));
    proof_.unit_gates = gate_count(gates_, all_of(sides_, &PlaceSides::unit));
  }

  static std::vector<Lit> all_of(const std::vector<PlaceSides>& sides, std::vector<Lit> PlaceSides::*side) {
    std::vector<Lit> all;
    for (const PlaceSides& s : sides) all.insert(all.end(), (s.*side).begin(), (s.*side).end());
    return all;
  }

  static std::size_t gate_count(const Gates& gates, const std::vector<Lit>& roots) {
    const std::vector<std::uint32_t> cone = cone_of(gates, roots);
    return static_cast<std::size_t>(
        std::count_if(cone.begin(), cone.end(), [&](std::uint32_t node) { return gates.is_gate(node); }));
  }

  Proof settled() {
    try_cases();
    read_kept();
    merge();
    solve_rest();
    conclude();
    return std::move(proof_);
  }

  void add(const std::string& name, int place, PlaceSides sides) {
    PlaceProof p;
    p.name = name;
    p.place = place;
    std::vector<Lit> both = sides.reference;
    both.insert(both.end(), sides.unit.begin(), sides.unit.end());
    for (const std::uint32_t node : cone_of(gates_, both)) p.inputs += gates_.is_input(node) ? 1 : 0;
    proof_.places.push_back(std::move(p));
    sides_.push_back(std::move(sides));
  }

  // --- what yosys reads ---

  // Two programs read the RTL, and a proof is of what one of them reads.
  void hold_to_simulator(const UnitToProve& unit, const UnitGates& made) {
    if (!unit.simulated) return;
    GateSimulation simulation(gates_);
    for (std::uint64_t number = 0; number < simulated_batches; ++number) {
      const Batch batch = batch_of_cases(number);
      simulation.run(batch.inputs);
      const std::vector<Answer> answers = unit.simulated(batch.cases);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i].ok()) continue;  // of which a proof speaks in its own words
        const std::string gates = hex_of(made.d, simulation, static_cast<int>(i));
        const std::string d = fmt::format("{:0{}x}", answers[i].d, gates.size());
        if (d != gates && !may_come_to(answers[i].d, made.d, batch, static_cast<int>(i)))
          cannot_read(unit, batch.cases[i], {gates, d, made.registers != 0});
      }
    }
    proof_.simulated +=
        fmt::format("{}the gates of {} give the d of Verilator's program in {} cases",
                    proof_.simulated.empty() ? "" : "; ", unit.dut.top, grouped(64 * simulated_batches));
  }

  // Whether the gates come to this d with some value of what the RTL leaves open.
  bool may_come_to(Code code, const std::vector<Lit>& d, const Batch& batch, int lane) const {
    if (proof_.open_values == 0) return false;
    std::vector<Lit> together;
    for (std::size_t i = 0; i < proof_.input_bits; ++i)
      together.push_back(inverted_if(lit_of(gates_.inputs()[i]), (batch.inputs[i] >> lane & 1) == 0));
    for (std::size_t bit = 0; bit < d.size(); ++bit) together.push_back(inverted_if(d[bit], (code >> bit & 1) == 0));
    return Solving(gates_).ask(together, -1) == SolverAnswer::sometimes;
  }

  struct ReadTwice {
    std::string gates, simulated;  // d of one case
    bool has_registers = false;
  };
  [[noreturn]] void cannot_read(const UnitToProve& unit, const Case& one, const ReadTwice& read) const {
    throw Error{
        fmt::format(
            "{}: yosys and Verilator read this RTL differently{}, and a proof would be of the unit that yosys "
            "reads: of {} d is {} in its gates and {} in simulation. {}docs/prove.md says what is known to be read "
            "so.",
            unit.dut.file, read.has_registers ? ", or it gives other results first after its reset than later" : "",
            operand_options(plan_, one), read.gates, read.simulated, lines_read_otherwise(unit.dut)),
        Ending::not_here};
  }

  static std::string lines_read_otherwise(const Dut& dut) {
    const std::vector<ReadOtherwise> all = read_otherwise(dut);
    std::vector<std::string> some;
    for (const ReadOtherwise& one : all) {
      if (some.size() == most_lines_named) break;
      some.push_back(fmt::format("{}:{} has {}", one.file, one.line, one.what));
    }
    if (some.empty()) return "";
    if (all.size() > some.size()) some.push_back(fmt::format("and there are {} more", all.size() - some.size()));
    return "It may be one of these: " + joined(some, "; ") + ". ";
  }

  // --- cases ---

  void try_cases() {
    GateSimulation simulation(gates_);
    for (std::uint64_t number = 0; number * 64 < options_.cases; ++number) {
      Batch batch = batch_of_cases(number);
      draw_open_values(batch, number);
      simulation.run(batch.inputs);
      hold_model_to_core(batch, simulation);
      for (std::size_t i = 0; i < sides_.size(); ++i) see(i, batch, simulation);
      if (number < pattern_batches) patterns_.push_back(batch.inputs);
      proof_.cases += 64;
    }
    try_named_values(options_.cases / 64);
  }

  // What the unit's gates name of operands, with anything beside it.
  void try_named_values(std::uint64_t number) {
    GateSimulation simulation(gates_);
    for (const std::vector<Lit>& named : named_values(gates_, all_of(sides_, &PlaceSides::unit), most_named)) {
      Batch batch = batch_of_cases(number);
      draw_open_values(batch, number++);
      const auto& nodes = gates_.inputs();
      for (const Lit l : named) {
        const auto at = std::lower_bound(nodes.begin(), nodes.end(), node_of(l)) - nodes.begin();
        batch.inputs[static_cast<std::size_t>(at)] = is_inverted(l) ? 0 : ~std::uint64_t{0};
      }
      for (std::size_t lane = 0; lane < batch.cases.size(); ++lane) batch.cases[lane] = case_in(batch, lane);
      simulation.run(batch.inputs);
      hold_model_to_core(batch, simulation);
      for (std::size_t i = 0; i < sides_.size(); ++i) see(i, batch, simulation);
      proof_.cases += 64;
    }
  }

  Case case_in(const Batch& batch, std::size_t lane) const {
    std::vector<bool> bits;
    for (std::size_t i = 0; i < proof_.input_bits; ++i) bits.push_back((batch.inputs[i] >> lane & 1) != 0);
    return case_of_bits(plan_, bits);
  }

  // The model's gates are made of a text that core's stages are written as; that they are core is seen here.
  void hold_model_to_core(const Batch& batch, const GateSimulation& simulation) const {
    const std::string place =
        proof_.is_of_model ? place_not_core(plan_, model_, simulation, batch.cases) : std::string();
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
    const PlaceSides& s = sides_[index];
    std::uint64_t apart = 0;
    for (std::size_t i = 0; i < s.reference.size(); ++i)
      apart |= simulation.of(s.reference[i]) ^ simulation.of(s.unit[i]);
    if (apart == 0) return;
    const int lane = __builtin_ctzll(apart);
    p.answer = ProofAnswer::refuted;
    p.one = batch.cases[static_cast<std::size_t>(lane)];
    p.expected = hex_of(s.reference, simulation, lane);
    p.got = hex_of(s.unit, simulation, lane);
    p.by_open = proof_.open_values > 0 && !take_zeros(s, batch, lane, p);
    if (p.engines.empty()) p.engines = "cases";
  }

  // With 0 for whatever the RTL leaves open, as a simulator mostly has it: what is shown, where the place differs so.
  bool take_zeros(const PlaceSides& s, const Batch& batch, int lane, PlaceProof& p) const {
    std::vector<std::uint64_t> inputs = batch.inputs;
    std::fill(inputs.begin() + static_cast<std::ptrdiff_t>(proof_.input_bits), inputs.end(), 0);
    GateSimulation simulation(gates_);
    simulation.run(inputs);
    const std::string expected = hex_of(s.reference, simulation, lane), got = hex_of(s.unit, simulation, lane);
    if (expected == got) return false;
    p.expected = expected;
    p.got = got;
    return true;
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

  std::string content_of(const PlaceSides& s) const {
    std::vector<std::string> texts{proof_version};
    for (const Lit l : s.reference) texts.push_back(digest_of(l));
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

  // Where the unit shows places there are two ways, and nobody knows which is the quicker: both at once, or one after
  // the other.
  void merge() {
    answers_.change([](std::vector<PlaceProof>&) {});
    const ProofTask task{plan_, gates_, model_, aids_, laws_, own_, proof_.places, sides_};
    const Merging::Refuted refuted = [this](const Solving& solving, const Gates& gates) { show(solving, gates); };
    Merging over_cuts(task, answers_, MergingWay::small_cuts, patterns_);
    if (sides_.size() == 1) {
      over_cuts.run([this] { return has_time(); }, refuted);
      return keep_left(over_cuts);
    }
    const bool is_at_once = options_.threads > 1;
    std::future<void> first = std::async(is_at_once ? std::launch::async : std::launch::deferred, [&] {
      over_cuts.run([&] { return has_time(is_at_once ? 1 : 0.5); }, refuted);
    });
    if (!is_at_once) first.get();
    Merging at_places(task, answers_, MergingWay::at_places, is_at_once ? patterns_ : over_cuts.patterns());
    at_places.run([this] { return has_time(); }, refuted);
    if (is_at_once) first.get();
    keep_left(over_cuts.bits_apart() < at_places.bits_apart() ? over_cuts : at_places);
  }

  void keep_left(const Merging& way) {
    now_ = way.sides();
    merged_ = way.gates();
    std::vector<Lit> both = all_of(now_, &PlaceSides::reference);
    const std::vector<Lit> of_unit = all_of(now_, &PlaceSides::unit);
    both.insert(both.end(), of_unit.begin(), of_unit.end());
    proof_.merged_gates = gate_count(merged_, both);
    proof_.undecided = way.undecided();
  }

  // --- what is left ---

  // Each bit that is not the same gate on both sides is given to a solver of its own, side by side.
  void solve_rest() {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < now_.size(); i = next++) {
        if (answers_.of(i) == ProofAnswer::open) solve(i);
      }
    };
    std::vector<std::thread> threads;
    for (int n = 1; n < options_.threads; ++n) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
  }

  void solve(std::size_t index) {
    const Stopwatch watch;
    Solving solving(merged_);
    const PlaceSides& s = now_[index];
    std::size_t equal = 0;
    SolverAnswer verdict = SolverAnswer::never;
    for (std::size_t bit = 0; bit < s.reference.size() && verdict != SolverAnswer::sometimes; ++bit) {
      if (s.reference[bit] != s.unit[bit]) verdict = solve(solving, s.reference[bit], s.unit[bit]);
      if (s.reference[bit] == s.unit[bit] || verdict == SolverAnswer::never) ++equal;
    }
    if (verdict == SolverAnswer::sometimes) show(solving, merged_);
    answers_.change([&](std::vector<PlaceProof>& places) {
      PlaceProof& p = places[index];
      p.seconds += watch.seconds();
      if (p.answer != ProofAnswer::open) return;
      if (equal == s.reference.size()) {
        p.answer = ProofAnswer::proved;
        p.engines = engine_name(ProofEngine::solver);
        return;
      }
      p.tried =
          fmt::format("{} of {} bits proved; {} cases differ nowhere, and CaDiCaL has no answer for the others yet",
                      equal, s.reference.size(), grouped(proof_.cases));
    });
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
    answers_.change([&](std::vector<PlaceProof>& places) {
      for (std::size_t i = 0; i < sides_.size(); ++i) {
        if (places[i].answer != ProofAnswer::open) continue;
        places[i].engines = engine_name(ProofEngine::solver);
        see(i, batch, simulation);
      }
    });
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
    proof_.seconds = watch_.seconds();
  }

  static constexpr const char* proof_version = "1";  // of what an earlier run may have proved wrongly
  static constexpr std::uint64_t pattern_batches = 48;
  static constexpr std::uint64_t simulated_batches = 16;
  static constexpr std::size_t most_lines_named = 3;
  static constexpr std::size_t most_named = 256;  // values, each in a batch
  static constexpr std::uint64_t size_batches = 16;

  const Plan& plan_;
  const ProofOptions& options_;
  Generator generator_;
  Stopwatch watch_;
  Gates gates_, merged_;
  ModelGates model_;
  std::vector<PlaceSides> sides_, now_;  // before and after merging
  std::vector<Aid> aids_;
  std::vector<Law> laws_;
  std::vector<OwnStage> own_;
  std::vector<std::vector<std::uint64_t>> patterns_;
  std::vector<std::string> digests_;   // of nodes
  std::vector<std::string> contents_;  // of places
  Proof proof_;
  ProofAnswers answers_{proof_.places};
};

}  // namespace

Proof prove(const UnitToProve& unit, const Plan& plan, const Netlist& netlist, const ProofOptions& options) {
  Proof proof = Prover(plan, options).hold_to_model(unit, netlist);
  proof.netlist_sha256 = netlist.sha256;
  return proof;
}

Proof prove(const UnitToProve& unit, const Plan& plan, const ProofOptions& options, std::ostream* progress) {
  check_provable(unit.dut);
  return prove(unit, plan, netlist_of(unit.dut, progress), options);
}

Proof prove_same(const UnitToProve& unit, const UnitToProve& reference, const Plan& plan, const ProofOptions& options,
                 std::ostream* progress) {
  for (const UnitToProve* one : {&reference, &unit}) check_provable(one->dut);
  const Netlist expected = netlist_of(reference.dut, progress), netlist = netlist_of(unit.dut, progress);
  Proof proof = Prover(plan, options).hold_to(reference, expected, unit, netlist);
  proof.netlist_sha256 = netlist.sha256;
  return proof;
}

}  // namespace assay
