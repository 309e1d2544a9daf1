#include "model/machine/wavefront.hpp"

#include "model/base/error.hpp"

namespace assay::machine {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

std::string range_text(const RegisterName& name, int count) {
  if (count == 1) return name_text(name);
  const char bank = name.bank == Bank::vector ? 'v' : 'a';
  return bank + ("[" + std::to_string(name.first) + ":" + std::to_string(name.first + count - 1) + "]");
}

}  // namespace

std::optional<RegisterName> register_named(std::string_view text) {
  if (text.size() < 2 || text.size() > 4 || (text[0] != 'v' && text[0] != 'a')) return std::nullopt;
  int number = 0;
  for (const char digit : text.substr(1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = 10 * number + (digit - '0');
  }
  return RegisterName{text[0] == 'v' ? Bank::vector : Bank::accumulation, number};
}

std::string name_text(const RegisterName& name) {
  return (name.bank == Bank::vector ? "v" : "a") + std::to_string(name.first);
}

Wavefront::Wavefront(const layout::RegisterFiles& files)
    : files_(files),
      vector_(index(files.lanes * files.vector)),
      accumulation_(index(files.lanes * files.accumulation)) {}

std::uint32_t& Wavefront::at(Bank bank, int number, int lane) { return registers({bank, number}).of(lane)[0]; }

std::uint32_t Wavefront::at(Bank bank, int number, int lane) const {
  const std::vector<std::uint32_t>& words = bank == Bank::vector ? vector_ : accumulation_;
  return words[index(lane * registers_of(bank) + number)];
}

LaneRegisters<std::uint32_t> Wavefront::registers(const RegisterName& name) {
  std::vector<std::uint32_t>& words = name.bank == Bank::vector ? vector_ : accumulation_;
  return {words.data() + name.first, registers_of(name.bank)};
}

std::vector<Wavefront::Use> Wavefront::uses_of(const WaveOperation& o) {
  const layout::Fragments& f = o.unit->instruction().fragments;
  std::vector<Use> uses{{"D", o.d, f.d.words()}, {"A", o.a, f.a.words()}, {"B", o.b, f.b.words()}};
  if (o.c) uses.push_back({"C", *o.c, f.c.words()});
  if (o.scale_a && f.scale_a) uses.push_back({"the scales of A", *o.scale_a, f.scale_a->words()});
  if (o.scale_b && f.scale_b) uses.push_back({"the scales of B", *o.scale_b, f.scale_b->words()});
  return uses;
}

std::string Wavefront::problem_of_range(const Use& use) const {
  const int there = registers_of(use.name.bank);
  const std::string range = range_text(use.name, use.count), operand(use.operand);
  const std::string bank = use.name.bank == Bank::vector ? "vector" : "accumulation";
  if (use.name.first < 0 || use.name.first + use.count > there)
    return operand + " takes " + range + ", but there are " + std::to_string(there) + " " + bank + " registers.";
  if (use.count > 1 && use.name.first % files_.aligned != 0)
    return operand + " takes " + range + ", but several registers begin at a multiple of " +
           std::to_string(files_.aligned) + " here.";
  const bool is_result = use.operand == "D" || use.operand == "C";
  if (files_.results_in_accumulation && is_result && use.name.bank == Bank::vector)
    return operand + " takes " + range + ", but C and D stand in accumulation registers here.";
  return "";
}

std::string Wavefront::problem(const WaveOperation& o) const {
  const WaveInstruction& instruction = o.unit->instruction();
  if (instruction.fragments.a.lanes != files_.lanes)
    return instruction.name + " is of " + std::to_string(instruction.fragments.a.lanes) + " lanes, but there are " +
           std::to_string(files_.lanes) + " here.";
  if (const std::string why = modifiers_problem(instruction.name, instruction.modifiers, o.modifiers); !why.empty())
    return why;
  if (o.unit->has_scales() != (o.scale_a && o.scale_b) || o.scale_a.has_value() != o.scale_b.has_value())
    return instruction.name + (o.unit->has_scales() ? " takes scales of A and of B." : " takes no scales.");
  const std::vector<Use> uses = uses_of(o);
  for (const Use& use : uses) {
    if (const std::string why = problem_of_range(use); !why.empty()) return why;
  }
  // What D is written over while A, B or C is still read is not defined; C alone may be D itself.
  const Use& d = uses.front();
  for (std::size_t i = 1; i < uses.size(); ++i) {
    const Use& u = uses[i];
    const bool apart =
        u.name.bank != d.name.bank || u.name.first >= d.name.first + d.count || d.name.first >= u.name.first + u.count;
    const bool same = u.operand == "C" && u.name.first == d.name.first && u.count == d.count;
    if (!apart && !same)
      return "D takes " + range_text(d.name, d.count) + ", which overlaps " + std::string(u.operand) + " in " +
             range_text(u.name, u.count) + "; " +
             (u.operand == "C" ? "take the same registers for both, or others." : "take other registers.");
  }
  return "";
}

void Wavefront::execute(const WaveOperation& o) {
  if (const std::string why = problem(o); !why.empty()) throw Error{why};
  const auto read = [&](const std::optional<RegisterName>& name) {
    if (!name) return Registers32{};
    const LaneRegisters<std::uint32_t> r = registers(*name);
    return Registers32{r.first, r.stride};
  };
  o.unit->execute({read(o.a), read(o.b), read(o.c), read(o.scale_a), read(o.scale_b), registers(o.d)}, o.modifiers,
                  listener);
  busy_cycles_ += static_cast<std::uint64_t>(o.unit->instruction().cycles);
  ++operations_;
}

}  // namespace assay::machine
