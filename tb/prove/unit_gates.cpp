#include "tb/prove/unit_gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "model/base/error.hpp"
#include "model/base/text.hpp"
#include "tb/devices/rtl/ports.hpp"

namespace assay {
namespace {

std::string counted_edges(int edges) { return counted(static_cast<std::uint64_t>(edges), "edge"); }

[[noreturn]] void cannot(const Dut& dut, const std::string& what) {
  throw Error{dut.file + ": " + what, Ending::not_here};
}

}  // namespace

void check_provable(const Dut& dut) {
  if (dut.beats || dut.load)
    cannot(dut, "a case of this unit comes in several cycles, and proofs take units whose operands come at once.");
  if (dut.handshake.kind == Handshake::Kind::start_done)
    cannot(dut, "a unit that takes one case at a time keeps a state, and proofs take units without one: pipelines.");
  if (dut.tile)
    cannot(dut,
           "this unit computes a tile, and proofs take units of one result; compare it, or prove what one element of "
           "it is made of.");
  if (dut.d.empty()) cannot(dut, "this unit has no d, and proofs hold units to the end; compare it.");
  for (const PlaceProbe& probe : dut.probes) {
    for (const ProbePart& part : probe.parts) {
      if (part.is_number())
        cannot(dut,
               "place " + probe.name +
                   " is given with a bias, or as a sign and a magnitude, and proofs take a place's bits as they are.");
    }
  }
  for (const PortOperand& operand : dut.operands) {
    for (const PortElements& part : operand.parts) {
      if (part.late != 0) cannot(dut, "elements of " + operand.name + " come late, and proofs take them at once.");
      if (part.form == PortElements::Form::array)
        cannot(dut,
               "port " + part.port + " is an unpacked array, which yosys does not read; give the unit flat ports.");
    }
  }
}

namespace {

std::vector<RtlPort> ports_in(const Netlist& netlist) {
  std::vector<RtlPort> ports;
  const auto width = [](const std::map<int, Lit>& bits) { return bits.empty() ? 1 : bits.rbegin()->first + 1; };
  for (const auto& [name, bits] : netlist.inputs) ports.push_back({name, true, width(bits), 0});
  for (const auto& [name, bits] : netlist.outputs) ports.push_back({name, false, width(bits), 0});
  std::sort(ports.begin(), ports.end(), [](const RtlPort& x, const RtlPort& y) { return x.name < y.name; });
  return ports;
}

// What stands at each input of the netlist.
class Binding {
 public:
  Binding(const Dut& dut, const Claim& claim, const Netlist& netlist) : dut_(dut), netlist_(netlist) {
    const Handshake& h = dut.handshake;
    for (const WireRow& row : wire_rows()) {
      const PortWire& wire = h.*row.wire;
      if (row.input && wire.is_there()) hold(wire.port, wire.inverted ? 0 : 1);
    }
    if (!dut.clock.empty()) hold(dut.clock, 0);
    if (dut.reset) hold(dut.reset->port, dut.reset->active_low ? 1 : 0);
    if (!h.tag_in.empty()) hold(h.tag_in, 0);
    for (const auto* list : {&dut.constants, &claim.constants}) {
      for (const PortConstant& c : *list) hold(c.port, c.value);
    }
  }

  void bind(const OperandGates& operand) {
    if (operand.name == "c") return bind_c(operand.codes.front());
    const PortOperand* given = find_operand(dut_, operand.name);
    if (given == nullptr) return;
    const int count = static_cast<int>(operand.codes.size());
    for (const PortElements& part : given->parts) {
      for (int i = 0; i < part.count(count); ++i) {
        const int slot = part.descending ? part.count(count) - 1 - i : i;
        const auto element = static_cast<std::size_t>(part.first_element() + i * part.every);
        const int from = part.offset + (part.form == PortElements::Form::packed ? slot * part.stride : 0);
        for (int bit = 0; bit < part.width; ++bit)
          put(part.port_of(slot), from + bit, operand.codes[element][static_cast<std::size_t>(part.low + bit)]);
      }
    }
  }

  // In place of the one number that all cases travel with here.
  std::vector<Lit> bind_tag(Gates& gates) {
    std::vector<Lit> tag;
    for (int bit = 0; bit < dut_.handshake.tag_bits; ++bit) {
      tag.push_back(gates.input());
      put(dut_.handshake.tag_in, bit, tag.back());
    }
    return tag;
  }

  // By the netlist's nodes; an input that nothing drives is the file's mistake.
  std::vector<Lit> map() const {
    std::vector<Lit> map(netlist_.gates.size(), lit_none);
    for (const auto& [port, bits] : netlist_.inputs) {
      for (const auto& [bit, lit] : bits) {
        const auto found = at_.find({port, bit});
        if (found == at_.end() && carries(port)) {  // between elements: zero, as compare has it
          map[node_of(lit)] = lit_false;
          continue;
        }
        if (found == at_.end())
          throw Error{fmt::format("{}: bit {} of input {} of {} carries nothing; give it a value under `constants`.",
                                  dut_.file, bit, port, dut_.top)};
        map[node_of(lit)] = found->second;
      }
    }
    return map;
  }

  bool carries(const std::string& port) const {
    const auto found = at_.lower_bound({port, 0});
    return found != at_.end() && found->first.first == port;
  }

 private:
  void put(const std::string& port, int bit, Lit l) { at_[{port, bit}] = l; }

  void hold(const std::string& port, std::uint64_t value) {
    const auto found = netlist_.inputs.find(port);
    if (found == netlist_.inputs.end()) return;
    for (const auto& [bit, lit] : found->second)
      put(port, bit, bit < 64 && (value >> bit & 1) != 0 ? lit_true : lit_false);
  }

  // The highest bits first.
  void bind_c(const std::vector<Lit>& code) {
    auto from = static_cast<int>(code.size());
    for (const PortBits& part : dut_.c) {
      const int width = dut_.c.size() == 1 ? static_cast<int>(code.size()) : part.width;
      from -= width;
      for (int bit = 0; bit < width; ++bit)
        put(part.port, part.low.value_or(0) + bit, code[static_cast<std::size_t>(from + bit)]);
    }
  }

  const Dut& dut_;
  const Netlist& netlist_;
  std::map<std::pair<std::string, int>, Lit> at_;
};

// Copies the netlist with each register replaced by what it holds next, which a pipeline's d is a number of clock edges
// later: `stages` of them on every way, or the unit mixes cases. A register in a circle keeps a state.
class ReadThrough {
 public:
  ReadThrough(const Dut& dut, const Netlist& netlist, std::vector<Lit> map, Gates& gates)
      : dut_(dut), from_(netlist.gates), gates_(gates), map_(std::move(map)) {
    for (const Netlist::Register& r : netlist.registers) next_[node_of(r.now)] = r.next;
    ages_.resize(map_.size());
    for (std::size_t node = 1; node < map_.size(); ++node) {
      if (map_[node] != lit_none && !is_constant(map_[node])) ages_[node] = {0, 0};
    }
    map_[0] = lit_false;
    while (settle(netlist)) {
    }
    count_edges(netlist);
    known_.resize(map_.size(), 0);
    settled_.resize(map_.size(), 0);
    for (std::size_t node = 0; node < map_.size(); ++node) {
      settled_[node] = map_[node] != lit_none ? 1 : 0;
      known_[node] = settled_[node] != 0 ? 2 : 0;
    }
  }

  // How many registers lie between operands and a literal: at least and at most; most < 0 where it depends on none.
  struct Ages {
    int least = 0, most = -1;
  };

  Lit of(Lit l) {
    visit(node_of(l));
    return inverted_if(map_[node_of(l)], is_inverted(l));
  }
  Ages ages(Lit l) const { return ages_[node_of(l)]; }
  // Of a constant: how many edges after operands have begun to come it is that.
  int constant_after(Lit l) const { return edges_[node_of(l)]; }
  // Nodes, and how many edges before a result each is seen.
  using SeenAt = std::set<std::pair<std::uint32_t, int>>;

  // What the RTL leaves open may be something else at each edge, and stands here for one of them: a result must not see
  // it at two.
  void hold_open_values(Lit root, SeenAt& seen) const {
    if (open_.empty() || next_.empty()) return;
    std::vector<std::pair<std::uint32_t, int>> ways{{node_of(root), 0}};
    while (!ways.empty()) {
      const auto [node, edges] = ways.back();
      ways.pop_back();
      if (settled_[node] || !seen.emplace(node, edges).second) continue;
      const auto first = seen.lower_bound({node, 0}), after = std::next(first);
      const bool at_two = after != seen.end() && after->first == node;
      if (at_two && open_.count(node) != 0)
        cannot(
            dut_,
            "a value that the RTL leaves open, as x or undriven, is seen at two clock edges, and a proof has one for "
            "it; drive it.");
      for (const Lit l : inputs_of(node)) ways.emplace_back(node_of(l), edges + static_cast<int>(next_.count(node)));
    }
  }

 private:
  Lit constant(Lit l) const {
    const Lit at = map_[node_of(l)];
    return at == lit_none || !is_constant(at) ? lit_none : inverted_if(at, is_inverted(l));
  }

  // What is constant once operands come at every edge: valid bits, and what these decide. Whether anything new was
  // found.
  bool settle(const Netlist& netlist) {
    bool any = false;
    const auto set = [&](std::uint32_t node, Lit value) {
      if (map_[node] != lit_none || value == lit_none) return;
      map_[node] = value;
      any = true;
    };
    for (std::uint32_t node = 1; node < map_.size(); ++node) {
      if (!from_.is_gate(node)) continue;
      const Lit x = constant(from_.first(node)), y = constant(from_.second(node));
      if (x == lit_false || y == lit_false) set(node, lit_false);
      if (x == lit_true && y == lit_true) set(node, lit_true);
    }
    for (const Netlist::Register& r : netlist.registers) set(node_of(r.now), constant(r.next));
    return any;
  }

  // What a gate waits for: both of its inputs, or the sooner of those that are false.
  void count_edges(const Netlist& netlist) {
    edges_.assign(map_.size(), never);
    for (std::size_t node = 0; node < map_.size(); ++node) {
      if (map_[node] != lit_none && !from_.is_gate(static_cast<std::uint32_t>(node)) && next_.count(node_at(node)) == 0)
        edges_[node] = 0;
    }
    for (bool any = true; any;) {
      any = false;
      const auto lower = [&](std::uint32_t node, int edges) {
        any = any || edges < edges_[node];
        edges_[node] = std::min(edges_[node], edges);
      };
      for (std::uint32_t node = 1; node < map_.size(); ++node) {
        if (from_.is_gate(node) && map_[node] != lit_none) lower(node, edges_of_gate(node));
      }
      for (const Netlist::Register& r : netlist.registers) {
        const std::uint32_t now = node_of(r.now), next = node_of(r.next);
        if (map_[now] != lit_none && edges_[next] != never) lower(now, edges_[next] + 1);
      }
    }
  }

  int edges_of_gate(std::uint32_t node) const {
    const Lit x = from_.first(node), y = from_.second(node);
    const int at_x = edges_[node_of(x)], at_y = edges_[node_of(y)];
    if (map_[node] == lit_true) return std::max(at_x, at_y);
    int least = never;
    if (constant(x) == lit_false) least = std::min(least, at_x);
    if (constant(y) == lit_false) least = std::min(least, at_y);
    return least;
  }

  static std::uint32_t node_at(std::size_t node) { return static_cast<std::uint32_t>(node); }

  static Ages merged(Ages x, Ages y) {
    if (x.most < 0) return y;
    if (y.most < 0) return x;
    return {std::min(x.least, y.least), std::max(x.most, y.most)};
  }

  // Without recursion: a way through a pipeline is long.
  void visit(std::uint32_t root) {
    std::vector<std::uint32_t> open{root};
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      if (known_[node] == 2) {
        open.pop_back();
        continue;
      }
      const std::vector<Lit> needed = inputs_of(node);
      bool waits = false;
      for (const Lit l : needed) {
        if (known_[node_of(l)] == 2) continue;
        if (known_[node_of(l)] == 1) circle();
        waits = true;
        open.push_back(node_of(l));
        break;
      }
      known_[node] = 1;
      if (waits) continue;
      finish(node, needed);
      open.pop_back();
    }
  }

  std::vector<Lit> inputs_of(std::uint32_t node) const {
    const auto found = next_.find(node);
    if (found != next_.end()) return {found->second};
    if (!from_.is_gate(node)) return {};
    return {from_.first(node), from_.second(node)};
  }

  void finish(std::uint32_t node, const std::vector<Lit>& needed) {
    Lit made = lit_true;
    if (needed.empty()) {  // what the RTL leaves open may be anything
      made = gates_.input();
      open_.insert(node);
    }
    Ages ages;
    for (const Lit l : needed) {
      made = gates_.both(made, inverted_if(map_[node_of(l)], is_inverted(l)));
      ages = merged(ages, ages_[node_of(l)]);
    }
    if (next_.count(node) != 0 && ages.most >= 0) ages = {ages.least + 1, ages.most + 1};
    map_[node] = made;
    ages_[node] = is_constant(made) ? Ages{} : ages;
    known_[node] = 2;
  }

  [[noreturn]] void circle() const {
    cannot(dut_,
           "registers of this unit depend on themselves while it takes a case at each clock edge, and proofs take "
           "pipelines, which keep no state.");
  }

  const Dut& dut_;
  const Gates& from_;
  Gates& gates_;
  std::vector<Lit> map_;
  std::unordered_map<std::uint32_t, Lit> next_;
  std::vector<Ages> ages_;
  static constexpr int never = std::numeric_limits<int>::max();
  std::vector<char> settled_;               // known before anything was read through: bound, or constant
  std::unordered_set<std::uint32_t> open_;  // what the RTL leaves open
  std::vector<int> edges_;                  // of what is constant; never: of what is not
  std::vector<char> known_;                 // 0 not yet, 1 begun, 2 done
};

// What the unit shows at outputs, read through its registers.
class Outputs {
 public:
  Outputs(const Dut& dut, const Netlist& netlist, ReadThrough& through)
      : dut_(dut), netlist_(netlist), through_(through) {}

  std::vector<Lit> bits(const PortBits& port, int from, int width) {
    const std::map<int, Lit>& output = netlist_.outputs.at(port.port);
    std::vector<Lit> made;
    for (int bit = from; bit < from + width; ++bit) {
      const Lit l = output.at(bit);
      made.push_back(through_.of(l));
      through_.hold_open_values(l, seen_);
      see(through_.ages(l), port);
    }
    return made;
  }

  // What says of each case that it is answered: true so many edges after the case came as d takes, or a literal that
  // has to be true. Nothing where it is true of every case.
  std::optional<Lit> answer(const WireRow& row) {
    const PortWire& wire = dut_.handshake.*row.wire;
    const Lit bit = inverted_if(netlist_.outputs.at(wire.port).at(0), wire.inverted);
    const Lit made = through_.of(bit);
    ReadThrough::SeenAt seen;
    through_.hold_open_values(bit, seen);
    if (made != lit_true) {
      if (!is_constant(made) && row.wire == &Handshake::out_valid)
        see(through_.ages(bit), {wire.port, std::nullopt, 0, dut_.handshake.place});
      return made;
    }
    const int edges = through_.constant_after(bit);
    if (row.wire == &Handshake::out_valid && edges != stages())
      throw Error{fmt::format("{}: `out_valid`, port {}, says that there is a result {} after its operands came, but d "
                              "is there {} after.",
                              dut_.handshake.place, wire.port, counted_edges(edges), counted_edges(stages())),
                  Ending::mismatch};
    return std::nullopt;
  }

  int stages() const { return stages_.value_or(0); }

 private:
  void see(ReadThrough::Ages ages, const PortBits& port) {
    if (ages.most < 0) return;
    if (!stages_) stages_ = ages.most;
    if (ages.least == *stages_ && ages.most == *stages_) return;
    cannot(dut_,
           fmt::format("ways from operands to {} pass {} registers, others {}; proofs take pipelines in which all "
                       "ways, and those to probes, pass as many.",
                       port.port, ages.least == *stages_ ? ages.most : ages.least, *stages_));
  }

  const Dut& dut_;
  const Netlist& netlist_;
  ReadThrough& through_;
  std::optional<int> stages_;
  ReadThrough::SeenAt seen_;
};

std::vector<Lit> result(const Dut& dut, const Plan& plan, Outputs& outputs) {
  std::vector<Lit> code;
  for (auto part = dut.d.rbegin(); part != dut.d.rend(); ++part) {
    const int width = dut.d.size() == 1 ? plan.d.stored_bits : part->width;
    const std::vector<Lit> bits = outputs.bits(*part, part->low.value_or(0), width);
    code.insert(code.end(), bits.begin(), bits.end());
  }
  return code;
}

// The bits of a place, whose parts stand with the highest first.
std::vector<Lit> shown(const PlaceProbe& probe, int width, Outputs& outputs) {
  std::vector<Lit> place;
  for (auto part = probe.parts.rbegin(); part != probe.parts.rend(); ++part) {
    const int own = part->width == 0 ? width : part->width;
    if (part->is_constant()) {
      for (int i = 0; i < own; ++i) place.push_back((part->constant >> i & 1) != 0 ? lit_true : lit_false);
      continue;
    }
    const std::vector<Lit> bits = outputs.bits(part->bits, part->bits.low.value_or(0), own);
    place.insert(place.end(), bits.begin(), bits.end());
  }
  return place;
}

// Whatever an output of the unit is held to: d, places, and what says that a case is answered.
struct Results {
  std::vector<Lit> d;
  ShownPlaces places;
  std::vector<std::pair<std::string, Lit>> answers;
  int stages = 0;
};

Results results(const Dut& dut, const Plan& plan, const Netlist& netlist, ReadThrough& through) {
  Outputs outputs(dut, netlist, through);
  Results made;
  made.places.resize(plan.places.size());
  made.d = result(dut, plan, outputs);
  if (dut.plan_probe) {
    int from = dut.plan_probe->low.value_or(0);
    for (std::size_t i = 0; i < plan.places.size(); ++i) {
      const int width = plan.places[i].width;
      made.places[i] = outputs.bits(*dut.plan_probe, from, width);
      from += width;
    }
  }
  for (const PlaceProbe& probe : dut.probes)
    made.places[static_cast<std::size_t>(plan.places.find(probe.name))] = shown(probe, width_of(probe, plan), outputs);
  for (const WireRow& row : wire_rows()) {
    if (row.input || !(dut.handshake.*row.wire).is_there()) continue;
    if (const std::optional<Lit> answer = outputs.answer(row)) made.answers.emplace_back(row.name, *answer);
  }
  made.stages = outputs.stages();
  return made;
}

// A tag is no operand, so gates of their own show what becomes of it.
class Tags {
 public:
  Tags(const Dut& dut, const Claim& claim, const Plan& plan, const Netlist& netlist)
      : dut_(dut), plan_(plan), netlist_(netlist), through_(read_through(claim)) {}

  // Throws Error where d, a place, or whether a case is answered depends on its tag.
  void hold_results() {
    const Results made = results(dut_, plan_, netlist_, through_);
    hold("d", made.d);
    for (std::size_t i = 0; i < made.places.size(); ++i) {
      if (made.places[i]) hold("place " + plan_.places.name(static_cast<int>(i)), *made.places[i]);
    }
    for (const auto& [name, literal] : made.answers) hold("`" + name + "`", {literal});
  }

  // Whether each result has its case's tag, `stages` edges after; not known where gates of other form make it.
  // Throws Error where it has not.
  bool come_with_d(int stages) {
    std::vector<Lit> out;
    const std::map<int, Lit>& port = netlist_.outputs.at(dut_.handshake.tag_out);
    for (int bit = 0; bit < dut_.handshake.tag_bits; ++bit) {
      out.push_back(through_.of(port.at(bit)));
      if (is_constant(out.back())) wrong_tag(fmt::format("bit {} of it is one constant", bit));
      const auto [least, most] = through_.ages(port.at(bit));
      if (least != most) return false;
      if (most != stages)
        wrong_tag(fmt::format("bit {} of it comes {} after `tag_in`, and d {} after its operands", bit,
                              counted_edges(most), counted_edges(stages)));
    }
    if (out == in_) return true;
    find_another(out);
    return false;
  }

 private:
  ReadThrough read_through(const Claim& claim) {
    Binding binding(dut_, claim, netlist_);
    for (const OperandGates& operand : make_operands(plan_, gates_)) binding.bind(operand);
    in_ = binding.bind_tag(gates_);
    return ReadThrough(dut_, netlist_, binding.map(), gates_);
  }

  void hold(const std::string& what, const std::vector<Lit>& bits) const {
    const std::vector<std::uint32_t> cone = cone_of(gates_, bits);
    const bool looks = std::any_of(in_.begin(), in_.end(), [&](Lit tag) {
      return std::find(cone.begin(), cone.end(), node_of(tag)) != cone.end();
    });
    if (!looks) return;
    std::vector<std::uint64_t> inputs = random_inputs();
    GateSimulation with(gates_), without(gates_);
    with.run(inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_tag =
          std::any_of(in_.begin(), in_.end(), [&](Lit tag) { return node_of(tag) == gates_.inputs()[i]; });
      if (is_tag) inputs[i] = 0;
    }
    without.run(inputs);
    for (int lane = 0; lane < 64; ++lane) {
      for (const Lit bit : bits) {
        if (((with.of(bit) ^ without.of(bit)) >> lane & 1) != 0)
          throw Error{
              fmt::format("{}: {} of a case depends on its tag, port {}: with tag {:#x} it is another than with 0.",
                          dut_.handshake.place, what, dut_.handshake.tag_in, number(in_, with, lane))};
      }
    }
    cannot(dut_,
           fmt::format("{} may depend on the tag, port {}, and proofs take units whose results do not look at it.",
                       what, dut_.handshake.tag_in));
  }

  // 64 cases of any bits.
  std::vector<std::uint64_t> random_inputs() const {
    std::vector<std::uint64_t> inputs;
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < gates_.inputs().size(); ++i) inputs.push_back(random());
    return inputs;
  }

  void find_another(const std::vector<Lit>& out) const {
    GateSimulation simulation(gates_);
    simulation.run(random_inputs());
    for (int lane = 0; lane < 64; ++lane) {
      const unsigned in = number(in_, simulation, lane), is = number(out, simulation, lane);
      if (in != is) wrong_tag(fmt::format("of a case whose `tag_in` is {:#x} it is {:#x}", in, is));
    }
  }

  static unsigned number(const std::vector<Lit>& bits, const GateSimulation& simulation, int lane) {
    unsigned number = 0;
    for (std::size_t i = 0; i < bits.size(); ++i)
      number |= static_cast<unsigned>(simulation.of(bits[i]) >> lane & 1) << i;
    return number;
  }

  [[noreturn]] void wrong_tag(const std::string& what) const {
    throw Error{fmt::format("{}: `tag_out`, port {}, has to be the tag of the case whose d is there, but {}.",
                            dut_.handshake.place, dut_.handshake.tag_out, what),
                Ending::mismatch};
  }

  const Dut& dut_;
  const Plan& plan_;
  const Netlist& netlist_;
  Gates gates_;
  std::vector<Lit> in_;
  ReadThrough through_;
};

// A tag that is kept in a memory of its own keeps a state: it is not known then.
std::string how_tagged(Tags& tags, int stages) {
  try {
    if (tags.come_with_d(stages)) return "Each d has its case's tag.";
  } catch (const Error& error) {
    if (error.ending != Ending::not_here) throw;
  }
  return "Whether each d has its case's tag is not proved: `tag_out` is more than `tag_in` behind registers.";
}

std::string how_clocked(const Dut& dut, int stages) {
  std::string text = fmt::format("Its {} {} read through: each case, taken at any clock edge, gives this d ", stages,
                                 stages == 1 ? "register was" : "registers were");
  if (dut.handshake.kind == Handshake::Kind::fixed_latency)
    return text + "while the unit is enabled; pauses, and what comes first after a reset, are left to cases.";
  return text +
         "while operands come at every edge and nobody waits; pauses, stalls, and what comes first after a "
         "reset, are left to cases.";
}

}  // namespace

UnitGates unit_gates(const Dut& dut, const Claim& claim, const Plan& plan, const Netlist& netlist,
                     const std::vector<OperandGates>& operands, Gates& gates) {
  check_provable(dut);
  check_ports(dut, claim, plan, ports_in(netlist));
  Binding binding(dut, claim, netlist);
  for (const OperandGates& operand : operands) binding.bind(operand);
  ReadThrough through(dut, netlist, binding.map(), gates);
  Results shown = results(dut, plan, netlist, through);
  UnitGates made{std::move(shown.places), std::move(shown.d), std::move(shown.answers), shown.stages, "", ""};
  if (!netlist.registers.empty()) made.clocked = how_clocked(dut, made.registers);
  if (!dut.handshake.tag_in.empty()) {
    Tags tags(dut, claim, plan, netlist);
    tags.hold_results();
    made.tagged = how_tagged(tags, made.registers);
  }
  if (dut.handshake.kind == Handshake::Kind::fixed_latency && made.registers != dut.handshake.latency)
    throw Error{fmt::format("{}: `latency` is {}, but {} registers lie between operands and d.", dut.handshake.place,
                            dut.handshake.latency, made.registers),
                Ending::mismatch};
  return made;
}

}  // namespace assay
