#include "tb/gates/mapped.hpp"

#include <algorithm>
#include <sstream>

#include "model/base/error.hpp"

namespace assay {
namespace {

constexpr int always_0 = 0, always_1 = 1;

class BlifReader {
 public:
  BlifReader(const std::string& blif, const CellLibrary& library) : text_(blif), library_(library) {
    nets_ = {{"$false", always_0}, {"$undef", always_0}, {"$true", always_1}};
    unit_.loads.assign(2, 0);
  }

  MappedUnit read() {
    std::string line;
    for (; std::getline(text_, line); ++number_) {
      std::istringstream words(line);
      std::string first;
      words >> first;
      if (first == ".subckt") {
        read_cell(words);
      } else if (first == ".names") {
        read_names(words);
      } else if (first == ".inputs" || first == ".outputs") {
        for (std::string name; words >> name;) add_to_port(name);
      } else if (first == ".conn") {
        fail("a connection by .conn is not read.");
      }
    }
    std::map<int, int> alias(aliases_.begin(), aliases_.end());
    resolve(alias);
    sort_gates();
    return std::move(unit_);
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error{"The netlist, line " + std::to_string(number_) + ": " + sentence};
  }

  int net(const std::string& name) {
    const auto [at, is_new] = nets_.emplace(name, static_cast<int>(unit_.loads.size()));
    if (is_new) unit_.loads.push_back(0);
    return at->second;
  }

  // "a_i[3]", or "clk_i" of one bit.
  void add_to_port(const std::string& name) {
    const std::size_t open = name.find('[');
    std::vector<int>& bits = unit_.ports[name.substr(0, open)];
    const std::size_t index = open == name.npos ? 0 : static_cast<std::size_t>(std::stoi(name.substr(open + 1)));
    if (bits.size() <= index) bits.resize(index + 1, always_0);
    bits[index] = net(name);
  }

  // A constant, or one net as another's name: nothing else is left of logic once it is mapped.
  void read_names(std::istringstream& words) {
    std::vector<std::string> names;
    for (std::string name; words >> name;) names.push_back(name);
    if (names.size() == 1) return;  // $false, $true, $undef
    std::string row;
    std::getline(text_, row);
    ++number_;
    if (names.size() != 2 || row != "1 1") fail("logic that is no cell of the library.");
    aliases_.emplace_back(net(names[1]), net(names[0]));
  }

  void read_cell(std::istringstream& words) {
    std::string kind;
    words >> kind;
    const auto found = library_.cells.find(kind);
    if (found == library_.cells.end()) fail("the cell " + kind + " is of no library.");
    const LibraryCell& cell = found->second;
    std::map<std::string, int> pins;
    for (std::string pin; words >> pin;) {
      const std::size_t equals = pin.find('=');
      if (equals == pin.npos) fail("a pin is written PIN=NET, found " + pin + ".");
      pins[pin.substr(0, equals)] = net(pin.substr(equals + 1));
    }
    ++unit_.cells[kind];
    std::vector<int> inputs;
    for (const CellInput& input : cell.inputs) {
      const auto pin = pins.find(input.name);
      if (pin == pins.end()) fail("the cell " + kind + " lacks its pin " + input.name + ".");
      inputs.push_back(pin->second);
      unit_.loads[static_cast<std::size_t>(pin->second)] += input.capacitance;
    }
    if (cell.is_register()) {
      unit_.registers.push_back({pins.at(cell.data), pins.at(cell.state)});
    } else if (cell.outputs.empty()) {
      fail("what the cell " + kind + " does is not read from its library.");
    }
    for (const CellOutput& output : cell.outputs) {
      const auto pin = pins.find(output.name);
      if (pin != pins.end()) unit_.gates.push_back({&output.function, inputs, pin->second});
    }
  }

  static int followed(int net, const std::map<int, int>& alias) {
    for (auto at = alias.find(net); at != alias.end(); at = alias.find(net)) net = at->second;
    return net;
  }

  void resolve(const std::map<int, int>& alias) {
    if (alias.empty()) return;
    for (MappedGate& gate : unit_.gates) {
      for (int& input : gate.inputs) input = followed(input, alias);
    }
    for (MappedRegister& r : unit_.registers) r.data = followed(r.data, alias);
    for (auto& [name, bits] : unit_.ports) {
      for (int& bit : bits) bit = followed(bit, alias);
    }
    for (const auto& [net, of] : alias) {
      unit_.loads[static_cast<std::size_t>(followed(net, alias))] += unit_.loads[static_cast<std::size_t>(net)];
      unit_.loads[static_cast<std::size_t>(net)] = 0;
    }
  }

  void sort_gates() {
    std::vector<int> driver(unit_.nets(), -1);
    for (std::size_t i = 0; i < unit_.gates.size(); ++i)
      driver[static_cast<std::size_t>(unit_.gates[i].output)] = static_cast<int>(i);
    std::vector<int> waits(unit_.gates.size(), 0), ready;
    std::vector<std::vector<int>> readers(unit_.gates.size());
    for (std::size_t i = 0; i < unit_.gates.size(); ++i) {
      for (const int input : unit_.gates[i].inputs) {
        const int from = driver[static_cast<std::size_t>(input)];
        if (from < 0) continue;
        readers[static_cast<std::size_t>(from)].push_back(static_cast<int>(i));
        ++waits[i];
      }
      if (waits[i] == 0) ready.push_back(static_cast<int>(i));
    }
    std::vector<MappedGate> sorted;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      sorted.push_back(unit_.gates[static_cast<std::size_t>(ready[i])]);
      for (const int reader : readers[static_cast<std::size_t>(ready[i])]) {
        if (--waits[static_cast<std::size_t>(reader)] == 0) ready.push_back(reader);
      }
    }
    if (sorted.size() != unit_.gates.size()) fail("its cells form a loop.");
    unit_.gates = std::move(sorted);
  }

  std::istringstream text_;
  const CellLibrary& library_;
  std::map<std::string, int> nets_;
  std::vector<std::pair<int, int>> aliases_;
  MappedUnit unit_;
  int number_ = 1;
};

}  // namespace

const std::vector<int>& MappedUnit::port(const std::string& name) const {
  const auto at = ports.find(name);
  if (at == ports.end()) throw Error{"The netlist has no port " + name + "."};
  return at->second;
}

MappedUnit read_mapped(const std::string& blif, const CellLibrary& library) { return BlifReader(blif, library).read(); }

NetValues fresh_values(const MappedUnit& unit) {
  NetValues values(unit.nets(), 0);
  values[always_1] = ~std::uint64_t{0};
  return values;
}

void settle(const MappedUnit& unit, NetValues& values) {
  std::vector<std::uint64_t> inputs;
  for (const MappedGate& gate : unit.gates) {
    inputs.clear();
    for (const int net : gate.inputs) inputs.push_back(values[static_cast<std::size_t>(net)]);
    values[static_cast<std::size_t>(gate.output)] = gate.function->of(inputs.data());
  }
}

void clock_edge(const MappedUnit& unit, NetValues& values) {
  std::vector<std::uint64_t> taken;
  for (const MappedRegister& r : unit.registers) taken.push_back(values[static_cast<std::size_t>(r.data)]);
  for (std::size_t i = 0; i < taken.size(); ++i) values[static_cast<std::size_t>(unit.registers[i].state)] = taken[i];
}

}  // namespace assay
