// An initiator that knows the registers of the unit: what a processor's software would do, as calls.
//
// Its calls belong into an SC_THREAD. Time runs ahead by up to the global quantum before the kernel follows.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <tlm>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "model/tlm/operand_window.hpp"
#include "model/tlm/register_map.hpp"

namespace assay::bus {

// Thrown where the unit or the bus refuses a transaction.
struct BusError {
  std::string message;  // a sentence
  ::tlm::tlm_response_status response;
  ErrorCode error;  // the unit's; none where the bus alone refused
};

class Driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Driver> socket{"socket"};

  // Works with one context of the unit that begins at `base` on the bus.
  explicit Driver(const sc_core::sc_module_name& name, std::uint64_t base = 0, int context = 0);

  std::uint32_t read(Reg reg);
  void write(Reg reg, std::uint32_t value);
  std::vector<unsigned char> read_window(std::uint64_t offset, std::size_t count);
  void write_window(std::uint64_t offset, std::vector<unsigned char> bytes);

  // Of anything on the bus.
  std::vector<unsigned char> read_bytes(std::uint64_t address, std::size_t count);
  void write_bytes(std::uint64_t address, std::vector<unsigned char> bytes);

  // D = A x B + C by one instruction of the unit, `plan`. Throws Error where the matrices are not of the plan's k and
  // of the unit's M and N, and BusError, `aborted`, where a reset came meanwhile.
  std::vector<Code> multiply(int instruction, const Plan& plan, const Matrices& matrices);

  // The same for operands as they lie in the window, from A on up to D; the bytes of D. Throws Error where the unit's
  // own window is another one.
  std::vector<unsigned char> multiply(int instruction, int steps, const OperandWindow& window,
                                      std::vector<unsigned char> operands);

  // Lets the kernel catch up with this initiator's time.
  void sync() { time_.sync(); }

 private:
  std::uint64_t page();
  void choose(const std::pair<int, int>& chosen, const OperandWindow& window);
  void check(const OperandWindow& window);
  bool is_chosen(const std::pair<int, int>& chosen);
  std::vector<unsigned char> result(const OperandRegion& d);
  void transport(::tlm::tlm_command command, std::uint64_t address, unsigned char* bytes, std::size_t count);
  ::tlm::tlm_response_status send(::tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                                  std::size_t count);
  ErrorCode take_error();

  const std::uint64_t base_;
  const int context_;
  std::uint64_t page_bytes_ = 0;         // 0: not yet asked for
  std::pair<int, int> chosen_{-1, 0};    // an instruction and steps, of which the unit has
  std::array<std::uint64_t, 4> unit_{};  // so many rows and columns, this depth, and D there
  tlm_utils::tlm_quantumkeeper time_;
};

}  // namespace assay::bus
