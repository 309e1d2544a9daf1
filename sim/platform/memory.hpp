// A memory and the bus between an initiator, the memory and a unit: what a platform around the unit needs at least.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm>

#include <cstdint>
#include <vector>

namespace assay {

class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};

  Memory(const sc_core::sc_module_name& name, std::size_t bytes);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

  std::vector<unsigned char> bytes_;
};

// Addresses from `unit_base` on are the unit's and counted from there; those below are the memory's.
class Bus : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t unit_base = std::uint64_t{1} << 32;

  tlm_utils::simple_target_socket<Bus> from{"from"};
  tlm_utils::simple_initiator_socket<Bus> to_memory{"to_memory"};
  tlm_utils::simple_initiator_socket<Bus> to_unit{"to_unit"};

  explicit Bus(const sc_core::sc_module_name& name);

 private:
  // Its address becomes the target's; the socket to send it through.
  tlm_utils::simple_initiator_socket<Bus>& route(tlm::tlm_generic_payload& payload);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
};

}  // namespace assay
