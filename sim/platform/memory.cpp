#include "sim/platform/memory.hpp"

#include <algorithm>
#include <cstring>

namespace assay {

Memory::Memory(const sc_core::sc_module_name& name, std::size_t bytes) : sc_core::sc_module(name), bytes_(bytes) {
  socket.register_b_transport(this, &Memory::b_transport);
  socket.register_transport_dbg(this, &Memory::transport_dbg);
}

void Memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += sc_core::sc_time(1, sc_core::SC_NS);
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (payload.get_streaming_width() < payload.get_data_length()) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else if (transport_dbg(payload) < payload.get_data_length()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
}

unsigned Memory::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (address >= bytes_.size()) return 0;
  const auto length = std::min<std::uint64_t>(payload.get_data_length(), bytes_.size() - address);
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), bytes_.data() + address, length);
  if (payload.is_write()) std::memcpy(bytes_.data() + address, payload.get_data_ptr(), length);
  return static_cast<unsigned>(length);
}

Bus::Bus(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
  from.register_b_transport(this, &Bus::b_transport);
  from.register_transport_dbg(this, &Bus::transport_dbg);
}

tlm_utils::simple_initiator_socket<Bus>& Bus::route(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (address < unit_base) return to_memory;
  payload.set_address(address - unit_base);
  return to_unit;
}

void Bus::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  route(payload)->b_transport(payload, delay);
}

unsigned Bus::transport_dbg(tlm::tlm_generic_payload& payload) { return route(payload)->transport_dbg(payload); }

}  // namespace assay
