#include "sim/platform/machine_wave.hpp"

#include <fmt/format.h>

#include <sstream>

#include "sim/platform/vcd.hpp"

namespace assay {
namespace {

using machine::Bank;

std::string bits_of(std::uint32_t word) { return fmt::format("{:032b}", word); }

}  // namespace

std::vector<std::uint32_t>& MachineWave::seen(const std::string& memory, std::size_t words) {
  std::vector<std::uint32_t>& all = seen_[memory];
  all.resize(words);
  return all;
}

void MachineWave::change(const std::string& name, std::uint32_t word, std::uint64_t ns) {
  variables_[vcd_scopes(name)].changes.emplace_back(ns, bits_of(word));
}

void MachineWave::look(const std::string& scope, const machine::TensorMachine& m, std::uint64_t ns) {
  std::vector<std::uint32_t>& tensor =
      seen(scope + "tensor", static_cast<std::size_t>(machine::tensor_lanes * machine::tensor_columns));
  for (int lane = 0; lane < machine::tensor_lanes; ++lane) {
    for (int column = 0; column < machine::tensor_columns; ++column) {
      std::uint32_t& before = tensor[static_cast<std::size_t>(lane * machine::tensor_columns + column)];
      const std::uint32_t now = m.tensor.word(lane, column);
      if (now == before) continue;
      change(fmt::format("{}tensor.lane[{}].column[{}]", scope, lane, column), before = now, ns);
    }
  }
  std::vector<std::uint32_t>& shared = seen(scope + "shared", m.shared.size() / 4);
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const auto now = static_cast<std::uint32_t>(m.shared.bits(4 * i, 0, 32));
    if (now != shared[i]) change(fmt::format("{}shared.byte[{}]", scope, 4 * i), shared[i] = now, ns);
  }
}

void MachineWave::look(const std::string& scope, const machine::Wavefront& wave, std::uint64_t ns) {
  const layout::RegisterFiles& files = wave.files();
  for (const Bank bank : {Bank::vector, Bank::accumulation}) {
    const int registers = bank == Bank::vector ? files.vector : files.accumulation;
    const char letter = bank == Bank::vector ? 'v' : 'a';
    std::vector<std::uint32_t>& bank_seen =
        seen(fmt::format("{}wave.{}", scope, letter), static_cast<std::size_t>(registers * files.lanes));
    for (int number = 0; number < registers; ++number) {
      for (int lane = 0; lane < files.lanes; ++lane) {
        std::uint32_t& before = bank_seen[static_cast<std::size_t>(number * files.lanes + lane)];
        const std::uint32_t now = wave.at(bank, number, lane);
        if (now == before) continue;
        change(fmt::format("{}wave.lane[{}].{}{}", scope, lane, letter, number), before = now, ns);
      }
    }
  }
}

void MachineWave::show(const std::string& scope, const Trace& trace, std::uint64_t ns) {
  int at = 0;
  for (const Place& place : trace.plan().places) {
    const Bits bits = trace.at(at++);
    const std::string all = bits.binary(0, bits.width);
    std::size_t from = 0;
    for (const Field& field : place.fields) {
      Variable& variable = variables_[vcd_scopes(scope + place.name + "." + std::string(field.name))];
      variable.width = field.width;
      variable.unknown_first = true;
      variable.changes.emplace_back(ns, all.substr(from, static_cast<std::size_t>(field.width)));
      from += static_cast<std::size_t>(field.width);
    }
  }
}

std::string MachineWave::text() const {
  std::ostringstream out;
  out << "$timescale 1 ns $end\n";
  std::vector<std::string> open;
  std::map<std::uint64_t, std::string> changes;
  std::string first;
  int number = 0;
  for (const auto& [name, variable] : variables_) {
    vcd_enter(out, open, {name.begin(), name.end() - 1});
    const std::string id = vcd_identifier(number++);
    out << "$var wire " << variable.width << " " << id << " " << name.back() << " $end\n";
    first += (variable.unknown_first ? "bx " : "b0 ") + id + "\n";
    for (const auto& [ns, bits] : variable.changes) changes[ns] += "b" + bits + " " + id + "\n";
  }
  vcd_enter(out, open, {});
  out << "$enddefinitions $end\n#0\n$dumpvars\n" << first << "$end\n";
  for (const auto& [ns, lines] : changes) out << "#" << ns << "\n" << lines;
  return out.str();
}

}  // namespace assay
