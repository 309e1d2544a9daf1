#include "model/tlm/machine/tensor_target.hpp"

#include <algorithm>

#include "model/base/error.hpp"

namespace assay::bus {
namespace {

using machine::CollectorUse;
using machine::MmaKind;
using machine::tensor_address;

Refusal refused(const std::string& sentence) { return {::tlm::TLM_GENERIC_ERROR_RESPONSE, sentence}; }

Refusal no_such(std::uint64_t address) {
  return {::tlm::TLM_ADDRESS_ERROR_RESPONSE, "Nothing is at address " + std::to_string(address) + " of this target."};
}

bool is_read_only(TensorReg reg) {
  return reg == TensorReg::id || reg == TensorReg::result || (reg >= TensorReg::cycles && reg <= TensorReg::copied);
}

// Registers stand in three groups, each from its first to its last word.
constexpr std::pair<std::uint64_t, std::uint64_t> groups[] = {{0x00, 0x58}, {0x60, 0x80}, {0x90, 0x9c}};

bool is_there(std::uint64_t address) {
  return std::any_of(std::begin(groups), std::end(groups),
                     [&](const auto& group) { return group.first <= address && address <= group.second; });
}

constexpr std::uint32_t flags_with_meaning = 0x3f7;

// The choice of a number; Error names how many there are.
template <class List>
auto chosen(const char* reg, const List& list, std::uint32_t number) {
  if (number >= list.size())
    throw Error{std::string(reg) + " is " + std::to_string(number) + "; it takes numbers below " +
                std::to_string(list.size()) + "."};
  return list[number];
}

constexpr std::array<CollectorUse, 4> collectors{CollectorUse::discard, CollectorUse::fill, CollectorUse::use,
                                                 CollectorUse::lastuse};

}  // namespace

TensorTarget::TensorTarget(const sc_core::sc_module_name& name, machine::MmaDatapaths units, int banks)
    : sc_module(name), machine_(std::move(units), banks) {
  at(TensorReg::scale_a) = at(TensorReg::scale_b) = no_address;
  at(TensorReg::repeat) = 1;
  socket.register_b_transport(this, &TensorTarget::b_transport);
}

void TensorTarget::b_transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Refusal refusal = access(payload, delay);
  if (refusal.is_one()) why_ = refusal.sentence;
  payload.set_response_status(refusal.response);
}

Refusal TensorTarget::access(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (const Refusal refusal = refusal_of(payload); refusal.is_one()) return refusal;
  const std::uint64_t address = payload.get_address();
  if (address >= shared_window) return access_shared(payload);
  if (address >= warp_window) return access_words(payload);
  if (!is_there(address)) return no_such(address);
  if (words_of(payload) != 1) return {::tlm::TLM_BURST_ERROR_RESPONSE, "Below the windows a transaction is one word."};
  const auto reg = static_cast<TensorReg>(address);
  if (payload.is_write()) return write(reg, get_word(payload, 0), delay);
  if (reg == TensorReg::command) return {::tlm::TLM_COMMAND_ERROR_RESPONSE, "COMMAND is written and not read."};
  put_word(payload, 0, read(reg));
  return {};
}

Refusal TensorTarget::access_words(::tlm::tlm_generic_payload& payload) {
  const std::uint64_t first = (payload.get_address() - warp_window) / 4;
  if (first + words_of(payload) > warp_.size())
    return no_such(std::max<std::uint64_t>(payload.get_address(), warp_window + 4 * warp_.size()));
  for (unsigned i = 0; i < words_of(payload); ++i) {
    if (payload.is_write()) {
      warp_[first + i] = get_word(payload, i);
    } else {
      put_word(payload, i, warp_[first + i]);
    }
  }
  return {};
}

Refusal TensorTarget::access_shared(::tlm::tlm_generic_payload& payload) {
  const std::uint64_t first = payload.get_address() - shared_window;
  const unsigned count = payload.get_data_length();
  if (!machine_.shared.holds(first, count))
    return no_such(std::max<std::uint64_t>(payload.get_address(), shared_window + machine_.shared.size()));
  for (unsigned i = 0; i < count; ++i) {
    std::uint8_t& byte = machine_.shared.at(first + i);
    if (payload.is_write()) {
      byte = payload.get_data_ptr()[i];
    } else {
      payload.get_data_ptr()[i] = byte;
    }
  }
  return {};
}

std::uint32_t TensorTarget::read(TensorReg reg) const {
  const machine::MmaCounts& counts = machine_.counts();
  switch (static_cast<std::uint32_t>(reg)) {
    case static_cast<std::uint32_t>(TensorReg::id): return tensor_id;
    case static_cast<std::uint32_t>(TensorReg::error): return why_.empty() ? 0 : 1;
    case static_cast<std::uint32_t>(TensorReg::cycles): return static_cast<std::uint32_t>(machine_.tensor.cycles());
    case static_cast<std::uint32_t>(TensorReg::a_dwords): return static_cast<std::uint32_t>(counts.a_dwords);
    case static_cast<std::uint32_t>(TensorReg::b_dwords): return static_cast<std::uint32_t>(counts.b_dwords);
    case static_cast<std::uint32_t>(TensorReg::a_saved): return static_cast<std::uint32_t>(counts.a_dwords_saved);
    case static_cast<std::uint32_t>(TensorReg::copied):
      return static_cast<std::uint32_t>(machine_.tensor.dwords_copied());
    default: return at(reg);
  }
}

Refusal TensorTarget::write(TensorReg reg, std::uint32_t word, sc_core::sc_time& delay) {
  if (is_read_only(reg)) return {::tlm::TLM_COMMAND_ERROR_RESPONSE, "This register is read and not written."};
  if (reg == TensorReg::error) {
    if (word != 0) return refused("ERROR takes 0 alone.");
    why_.clear();
    return {};
  }
  if (reg != TensorReg::command) {
    at(reg) = word;
    return {};
  }
  if (word < 1 || word > static_cast<std::uint32_t>(TensorCommand::mma))
    return refused("COMMAND is " + std::to_string(word) + "; it takes 1 to 7.");
  const std::uint64_t before = machine_.tensor.cycles();
  try {
    carry_out(static_cast<TensorCommand>(word));
  } catch (const Error& error) {  // a bus answers, it does not throw
    return refused(error.message);
  }
  delay += sc_core::sc_time(static_cast<double>(machine_.tensor.cycles() - before), sc_core::SC_NS);
  return {};
}

machine::WarpAccess TensorTarget::warp_access() const {
  return {chosen("SHAPE", access_shape_names, at(TensorReg::shape)), static_cast<int>(at(TensorReg::repeat)),
          static_cast<int>(at(TensorReg::warp)), static_cast<int>(at(TensorReg::split))};
}

machine::CopyForm TensorTarget::copy_form() const {
  return {chosen("SHAPE", copy_shape_names, at(TensorReg::shape)),
          chosen("MULTICAST", multicast_names, at(TensorReg::multicast)), static_cast<int>(at(TensorReg::packed))};
}

machine::MmaOperation TensorTarget::mma_operation() const {
  const auto maybe = [&](TensorReg reg) {
    return at(reg) == no_address ? std::optional<machine::TensorAddress>{} : tensor_address(at(reg));
  };
  const std::uint32_t flags = at(TensorReg::flags);
  machine::MmaOperation o;
  o.kind = *machine::mma_kind(chosen("KIND", mma_kind_names, at(TensorReg::kind)));
  o.descriptor = at(TensorReg::instruction);
  o.scale_block = static_cast<int>(at(TensorReg::scale_block));
  o.d = tensor_address(at(TensorReg::address));
  if ((flags & 2) != 0) o.a_in_tensor = tensor_address(at(TensorReg::a_address));
  o.a = both(TensorReg::a_low, TensorReg::a_high);
  o.b = both(TensorReg::b_low, TensorReg::b_high);
  o.enable_input_d = (flags & 1) != 0;
  o.scale_input_d = static_cast<int>(flags >> 4 & 0xf);
  o.collector = collectors[flags >> 8 & 3];
  for (std::size_t i = 0; i < 4; ++i) {
    o.disabled[i] = words_[static_cast<std::size_t>(TensorReg::disabled) / 4 + i];
    o.disabled[4 + i] = words_[static_cast<std::size_t>(TensorReg::disabled_in_second) / 4 + i];
  }
  o.scale_a = maybe(TensorReg::scale_a);
  o.scale_b = maybe(TensorReg::scale_b);
  return o;
}

std::vector<machine::TensorMachine*> TensorTarget::group() {
  if ((at(TensorReg::flags) & ~flags_with_meaning) != 0)
    throw Error{"FLAGS has a reserved bit set, one of 31..10 and 3."};
  if ((at(TensorReg::flags) & 4) == 0) return {&machine_};
  if (second_ == nullptr) throw Error{"FLAGS asks for a pair, but this multiprocessor has no second one."};
  return {&machine_, &second_->machine_};
}

void TensorTarget::copy(const machine::TensorAddress& at) {
  const machine::CopyForm form = copy_form();
  const std::uint64_t from = both(TensorReg::a_low, TensorReg::a_high);
  for (const machine::TensorMachine* m : group()) m->tensor.check_copy(form, at, from, m->shared);
  for (machine::TensorMachine* m : group()) m->tensor.copy(form, at, from, m->shared);
}

void TensorTarget::shift(const machine::TensorAddress& at) {
  for (const machine::TensorMachine* m : group()) m->tensor.check_shift(at);
  for (machine::TensorMachine* m : group()) m->tensor.shift_down(at);
}

//  a warp's registers on the bus: word register x 32 + lane; of the machine: lane after lane
void TensorTarget::carry_out(TensorCommand command) {
  machine::TensorMemory& tensor = machine_.tensor;
  const machine::TensorAddress address = tensor_address(at(TensorReg::address));
  switch (command) {
    case TensorCommand::alloc:
      at(TensorReg::result) = machine::address_bits({0, tensor.allocate(static_cast<int>(at(TensorReg::columns)))});
      return;
    case TensorCommand::dealloc: return tensor.free(address.column, static_cast<int>(at(TensorReg::columns)));
    case TensorCommand::ld: {
      const machine::WarpAccess access = warp_access();
      const auto registers = static_cast<std::size_t>(registers_of(access));
      const layout::Words words = tensor.load(access, address);
      for (std::size_t i = 0; i < words.size(); ++i) warp_[i % registers * 32 + i / registers] = words[i];
      return;
    }
    case TensorCommand::st: {
      const machine::WarpAccess access = warp_access();
      const auto registers = static_cast<std::size_t>(registers_of(access));
      layout::Words words(32 * registers);
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = warp_[i % registers * 32 + i / registers];
      return tensor.store(access, address, words);
    }
    case TensorCommand::cp: return copy(address);
    case TensorCommand::shift: return shift(address);
    case TensorCommand::mma: {
      const auto all = group();
      if (all.size() == 1) return machine_.mma(mma_operation());
      return machine::TensorMachine::mma_of_pair(*all[0], *all[1], mma_operation());
    }
  }
}

}  // namespace assay::bus
