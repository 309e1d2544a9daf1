#include "model/tlm/machine/wave_target.hpp"

#include <array>

namespace assay::bus {
namespace {

using machine::Bank;

constexpr std::uint32_t accumulation_bit = 512, end_of_numbers = 1024;
constexpr std::uint32_t end_of_modifiers = 0x10000;  // bits 15..0 have meanings

Refusal refused(const std::string& sentence) { return {::tlm::TLM_GENERIC_ERROR_RESPONSE, sentence}; }

Refusal no_such(std::uint64_t address) {
  return {::tlm::TLM_ADDRESS_ERROR_RESPONSE, "Nothing is at address " + std::to_string(address) + " of this wave."};
}

machine::RegisterName name_of(std::uint32_t word) {
  return {(word & accumulation_bit) != 0 ? Bank::accumulation : Bank::vector,
          static_cast<int>(word & (accumulation_bit - 1))};
}

std::optional<machine::RegisterName> maybe(std::uint32_t word) {
  if (word == no_register) return std::nullopt;
  return name_of(word);
}

// In the order of their registers, d first; the last three may be none.
constexpr std::array<const char*, 6> operand_names{"D", "A", "B", "C", "SCALE_A", "SCALE_B"};
constexpr std::size_t first_optional = 3;

// Empty, or a sentence: the word that an operand's register holds is no register's number.
std::string number_problem(std::size_t operand, std::uint32_t word) {
  const bool is_optional = operand >= first_optional;
  if (word < end_of_numbers || (is_optional && word == no_register)) return "";
  if (word == no_register)
    return std::string(operand_names[operand]) + " is 0xffffffff, none; only C and scales may be none.";
  return std::string(operand_names[operand]) + " is " + std::to_string(word) +
         "; it takes a register's number, + 512 of the accumulation bank" +
         (is_optional ? ", or 0xffffffff for none." : ".");
}

// They follow one another.
std::size_t operand_index(WaveReg reg) {
  return (static_cast<std::size_t>(reg) - static_cast<std::size_t>(WaveReg::d)) / 4;
}

}  // namespace

WaveTarget::WaveTarget(const sc_core::sc_module_name& name, const layout::RegisterFiles& files,
                       std::vector<machine::WaveInstruction> instructions)
    : sc_module(name), wave_(files) {
  for (machine::WaveInstruction& instruction : instructions)
    units_.push_back(std::make_unique<machine::WaveUnit>(std::move(instruction)));
  socket.register_b_transport(this, &WaveTarget::b_transport);
}

void WaveTarget::b_transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Refusal refusal = access(payload, delay);
  if (refusal.is_one()) why_ = refusal.sentence;
  payload.set_response_status(refusal.response);
}

Refusal WaveTarget::access(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (const Refusal refusal = refusal_of(payload); refusal.is_one()) return refusal;
  if (payload.get_address() >= wave_window) return access_registers(payload);
  if (payload.get_address() > static_cast<std::uint64_t>(WaveReg::operations)) return no_such(payload.get_address());
  if (words_of(payload) != 1)
    return {::tlm::TLM_BURST_ERROR_RESPONSE, "Below the registers of lanes a transaction is one word."};
  const auto reg = static_cast<WaveReg>(payload.get_address());
  if (payload.is_write()) return write(reg, get_word(payload, 0), delay);
  std::uint32_t word = 0;
  const Refusal refusal = read(reg, word);
  put_word(payload, 0, word);
  return refusal;
}

// All of it lies in registers that there are, or nothing is read or written.
Refusal WaveTarget::access_registers(::tlm::tlm_generic_payload& payload) {
  const std::uint64_t first = (payload.get_address() - wave_window) / 4;
  const auto place = [&](unsigned i) {
    const std::uint64_t word = first + i;
    return std::pair(word / 64, static_cast<int>(word % 64));
  };
  const layout::RegisterFiles& files = wave_.files();
  const auto is_there = [&](std::uint64_t number, int lane) {
    const bool other = number >= accumulation_bit;
    const auto count = static_cast<std::uint64_t>(other ? files.accumulation : files.vector);
    return number - (other ? accumulation_bit : 0) < count && lane < files.lanes;
  };
  for (unsigned i = 0; i < words_of(payload); ++i) {
    const auto [number, lane] = place(i);
    if (!is_there(number, lane)) return no_such(payload.get_address() + std::uint64_t{4} * i);
  }
  for (unsigned i = 0; i < words_of(payload); ++i) {
    const auto [number, lane] = place(i);
    const machine::RegisterName name = name_of(static_cast<std::uint32_t>(number));
    std::uint32_t& word = wave_.at(name.bank, name.first, lane);
    if (payload.is_write()) {
      word = get_word(payload, i);
    } else {
      put_word(payload, i, word);
    }
  }
  return {};
}

Refusal WaveTarget::read(WaveReg reg, std::uint32_t& word) const {
  switch (reg) {
    case WaveReg::id: word = wave_id; break;
    case WaveReg::lanes: word = static_cast<std::uint32_t>(wave_.files().lanes); break;
    case WaveReg::instructions: word = static_cast<std::uint32_t>(units_.size()); break;
    case WaveReg::instruction: word = selected_; break;
    case WaveReg::d:
    case WaveReg::a:
    case WaveReg::b:
    case WaveReg::c:
    case WaveReg::scale_a:
    case WaveReg::scale_b: word = operands_[operand_index(reg)]; break;
    case WaveReg::modifiers: word = modifiers_; break;
    case WaveReg::start: return {::tlm::TLM_COMMAND_ERROR_RESPONSE, "START is written and not read."};
    case WaveReg::error: word = why_.empty() ? 0 : 1; break;
    case WaveReg::busy_cycles: word = static_cast<std::uint32_t>(wave_.busy_cycles()); break;
    case WaveReg::busy_cycles_high: word = static_cast<std::uint32_t>(wave_.busy_cycles() >> 32); break;
    case WaveReg::operations: word = static_cast<std::uint32_t>(wave_.operations()); break;
  }
  return {};
}

Refusal WaveTarget::write(WaveReg reg, std::uint32_t word, sc_core::sc_time& delay) {
  switch (reg) {
    case WaveReg::instruction:
      if (word >= units_.size())
        return refused("INSTRUCTION is " + std::to_string(word) + "; it takes numbers below " +
                       std::to_string(units_.size()) + ".");
      selected_ = word;
      return {};
    case WaveReg::d:
    case WaveReg::a:
    case WaveReg::b:
    case WaveReg::c:
    case WaveReg::scale_a:
    case WaveReg::scale_b: operands_[operand_index(reg)] = word; return {};
    case WaveReg::modifiers: modifiers_ = word; return {};
    case WaveReg::start: return word == 1 ? start(delay) : refused("START takes 1 alone.");
    case WaveReg::error:
      if (word != 0) return refused("ERROR takes 0 alone.");
      why_.clear();
      return {};
    case WaveReg::id:
    case WaveReg::lanes:
    case WaveReg::instructions:
    case WaveReg::busy_cycles:
    case WaveReg::busy_cycles_high:
    case WaveReg::operations: break;
  }
  return {::tlm::TLM_COMMAND_ERROR_RESPONSE, "This register is read and not written."};
}

Refusal WaveTarget::start(sc_core::sc_time& delay) {
  const auto field = [&](int from, int bits) { return static_cast<int>(modifiers_ >> from & ((1U << bits) - 1)); };
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    if (const std::string why = number_problem(i, operands_[i]); !why.empty()) return refused(why);
  }
  if (modifiers_ >= end_of_modifiers) return refused("MODIFIERS has a reserved bit set, one of 31..16.");
  machine::WaveOperation o;
  o.unit = units_[selected_].get();
  o.d = name_of(operands_[0]);
  o.a = name_of(operands_[1]);
  o.b = name_of(operands_[2]);
  o.c = maybe(operands_[3]);
  o.scale_a = maybe(operands_[4]);
  o.scale_b = maybe(operands_[5]);
  o.modifiers = {field(0, 4), field(4, 8), field(12, 4)};
  if (const std::string why = wave_.problem(o); !why.empty()) return refused(why);
  wave_.execute(o);
  delay += sc_core::sc_time(static_cast<double>(o.unit->instruction().cycles), sc_core::SC_NS);
  return {};
}

}  // namespace assay::bus
