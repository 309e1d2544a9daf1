#include "tb/gates/energy.hpp"

#include <algorithm>

#include "model/base/error.hpp"
#include "model/base/hex.hpp"

namespace assay {
namespace {

constexpr std::size_t lanes = 64;

int count_of_ones(std::uint64_t word) { return __builtin_popcountll(word); }

// The input bits of a case, net after net.
class UnitInputs {
 public:
  UnitInputs(const Plan& plan, const MappedUnit& unit) : plan_(plan), unit_(unit) {}

  void put(const GateCase& one, std::size_t lane, NetValues& values) const {
    put_codes("a_i", one.a, plan_.a.stored_bits, lane, values);
    put_codes("b_i", one.b, plan_.b.stored_bits, lane, values);
    put_codes("c_i", {one.c}, plan_.c.stored_bits, lane, values);
    if (!plan_.scale) return;
    put_codes("scale_a_i", one.scale_a, plan_.scale->stored_bits, lane, values);
    put_codes("scale_b_i", one.scale_b, plan_.scale->stored_bits, lane, values);
  }

 private:
  void put_codes(const char* port, const std::vector<Code>& codes, int bits, std::size_t lane,
                 NetValues& values) const {
    const std::vector<int>& nets = unit_.port(port);
    const auto width = static_cast<std::size_t>(bits);
    if (nets.size() != codes.size() * width) throw Error{std::string("The netlist's port ") + port + " is too narrow."};
    for (std::size_t i = 0; i < nets.size(); ++i) {
      const std::uint64_t bit = codes[i / width] >> (i % width) & 1;
      std::uint64_t& word = values[static_cast<std::size_t>(nets[i])];
      word = (word & ~(std::uint64_t{1} << lane)) | bit << lane;
    }
  }

  const Plan& plan_;
  const MappedUnit& unit_;
};

void check_result(const MappedUnit& unit, const NetValues& values, std::size_t lane, const GateCase& one) {
  Code d = 0;
  const std::vector<int>& nets = unit.port("d_o");
  for (std::size_t i = 0; i < nets.size(); ++i)
    d |= static_cast<Code>(values[static_cast<std::size_t>(nets[i])] >> lane & 1) << i;
  const int digits = (static_cast<int>(nets.size()) + 3) / 4;
  if (d != one.d)
    throw Error{"The synthesised cells give d = " + hex_text(d, digits) + ", the model " + hex_text(one.d, digits) +
                ": yosys or the library reads the wiring in another way, or what was kept of it is damaged "
                "(assay cache clean)."};
}

// The values of all nets for 64 cases, the last one again where there are no more.
NetValues settled(const Plan& plan, const MappedUnit& unit, const std::vector<GateCase>& cases, std::size_t first) {
  const UnitInputs inputs(plan, unit);
  NetValues values = fresh_values(unit);
  const auto at = [&](std::size_t lane) -> const GateCase& { return cases[std::min(first + lane, cases.size() - 1)]; };
  for (std::size_t lane = 0; lane < lanes; ++lane) inputs.put(at(lane), lane, values);
  settle(unit, values);
  for (std::size_t lane = 0; lane < lanes; ++lane) check_result(unit, values, lane, at(lane));
  return values;
}

double weighed(const std::vector<std::uint64_t>& counts, const std::vector<double>& loads, double volts) {
  double charge = 0;
  for (std::size_t net = 0; net < counts.size(); ++net) charge += static_cast<double>(counts[net]) * loads[net];
  return charge * volts * volts / 2;
}

}  // namespace

double energy_of(const Plan& plan, const MappedUnit& unit, double volts, const std::vector<GateCase>& cases) {
  if (cases.size() < 2) throw Error{"An energy needs at least two dot products, one after the other."};
  std::vector<std::uint64_t> changes(unit.nets(), 0);
  const std::size_t last = cases.size() - 1;
  for (std::size_t first = 0; first < last; first += lanes) {
    // Beyond the end nothing changes.
    const NetValues from = settled(plan, unit, cases, first), to = settled(plan, unit, cases, first + 1);
    for (std::size_t net = 0; net < changes.size(); ++net)
      changes[net] += static_cast<std::uint64_t>(count_of_ones(from[net] ^ to[net]));
  }
  return weighed(changes, unit.loads, volts) / static_cast<double>(last);
}

void check_results(const Plan& plan, const MappedUnit& unit, const std::vector<GateCase>& cases, int edges) {
  const UnitInputs inputs(plan, unit);
  for (std::size_t first = 0; first < cases.size(); first += lanes) {
    const std::size_t count = std::min(lanes, cases.size() - first);
    NetValues values = fresh_values(unit);
    for (std::size_t lane = 0; lane < count; ++lane) inputs.put(cases[first + lane], lane, values);
    settle(unit, values);
    for (int edge = 0; edge < edges; ++edge) {
      clock_edge(unit, values);
      settle(unit, values);
    }
    for (std::size_t lane = 0; lane < count; ++lane) check_result(unit, values, lane, cases[first + lane]);
  }
}

}  // namespace assay
