#include "model/tlm/driver.hpp"

#include "model/base/error.hpp"

namespace assay::bus {
namespace {

std::uint64_t address_of(Reg reg) { return static_cast<std::uint64_t>(reg); }

}  // namespace

Driver::Driver(const sc_core::sc_module_name& name, std::uint64_t base, int context)
    : sc_core::sc_module(name), base_(base), context_(context) {}

std::uint32_t Driver::read(Reg reg) { return to_word(read_bytes(page() + address_of(reg), 4).data()); }

void Driver::write(Reg reg, std::uint32_t value) {
  std::vector<unsigned char> bytes(4);
  from_word(value, bytes.data());
  write_bytes(page() + address_of(reg), std::move(bytes));
}

std::vector<unsigned char> Driver::read_bytes(std::uint64_t address, std::size_t count) {
  std::vector<unsigned char> bytes(count);
  transport(::tlm::TLM_READ_COMMAND, address, bytes.data(), count);
  return bytes;
}

void Driver::write_bytes(std::uint64_t address, std::vector<unsigned char> bytes) {
  transport(::tlm::TLM_WRITE_COMMAND, address, bytes.data(), bytes.size());
}

std::vector<unsigned char> Driver::read_window(std::uint64_t offset, std::size_t count) {
  return read_bytes(page() + window_base + offset, count);
}

void Driver::write_window(std::uint64_t offset, std::vector<unsigned char> bytes) {
  write_bytes(page() + window_base + offset, std::move(bytes));
}

std::vector<Code> Driver::multiply(int instruction, const Plan& plan, const Matrices& matrices) {
  if (const std::string problem = matmul_problem(plan, matrices); !problem.empty()) throw Error{problem};
  const OperandWindow window = window_of(plan, matrices.m, matrices.n, matrices.k / plan.k);
  return unpack(window.d, multiply(instruction, matrices.k / plan.k, window, pack(window, matrices)).data());
}

namespace {

[[noreturn]] void aborted() {
  throw BusError{"START left no D. " + std::string(row_of(ErrorCode::aborted).what), ::tlm::TLM_GENERIC_ERROR_RESPONSE,
                 ErrorCode::aborted};
}

// The unit names no error where a reset is what is in the way, and misses operands that were written before it.
bool is_of_reset(const BusError& refused) {
  return refused.response == ::tlm::TLM_GENERIC_ERROR_RESPONSE &&
         (refused.error == ErrorCode::none || refused.error == ErrorCode::no_operands);
}

}  // namespace

// A reset at any time takes back what was chosen: it shows by that, by errors of its own, or by D that is not there.
std::vector<unsigned char> Driver::multiply(int instruction, int steps, const OperandWindow& window,
                                            std::vector<unsigned char> operands) {
  const std::pair<int, int> chosen{instruction, steps};
  try {
    choose(chosen, window);
    write_window(0, std::move(operands));
    std::vector<unsigned char> d = result(window.d);
    if (is_chosen(chosen)) return d;
  } catch (const BusError& refused) {
    const bool has_other =
        refused.error == ErrorCode::bad_value && read(Reg::instruction) != static_cast<std::uint32_t>(instruction);
    if (!is_of_reset(refused) && !has_other) throw;
  }
  chosen_ = {-1, 0};
  aborted();
}

// Whether the unit still has it. A reset selects instruction 0 and one step: these it cannot take back.
bool Driver::is_chosen(const std::pair<int, int>& chosen) {
  const auto [instruction, steps] = chosen;
  return (instruction == 0 || read(Reg::instruction) == static_cast<std::uint32_t>(instruction)) &&
         (steps == 1 || read(Reg::steps) == static_cast<std::uint32_t>(steps));
}

// What the unit says of the instruction and the steps is asked again where others are chosen.
void Driver::choose(const std::pair<int, int>& chosen, const OperandWindow& window) {
  write(Reg::instruction, static_cast<std::uint32_t>(chosen.first));
  write(Reg::steps, static_cast<std::uint32_t>(chosen.second));
  if (chosen != chosen_) {
    unit_ = {read(Reg::rows), read(Reg::columns), read(Reg::depth), read(Reg::d_offset)};
    if (!is_chosen(chosen)) aborted();
    chosen_ = chosen;
  }
  check(window);
}

void Driver::check(const OperandWindow& window) {
  const std::array<std::uint64_t, 4> given{static_cast<std::uint64_t>(window.m), static_cast<std::uint64_t>(window.n),
                                           static_cast<std::uint64_t>(window.k), window.d.offset};
  if (unit_ == given) return;
  const auto shape = [](const std::array<std::uint64_t, 4>& of) {
    return std::to_string(of[0]) + " x " + std::to_string(of[1]) + " elements of " + std::to_string(of[2]) +
           " products, with D at byte " + std::to_string(of[3]);
  };
  throw Error{"The unit's instruction gives " + shape(unit_) + " of its window; these operands are for " +
              shape(given) + "."};
}

// Waits. Over the core START is answered before its time has come, so that a reset shows by D that is not there alone.
std::vector<unsigned char> Driver::result(const OperandRegion& d) {
  write(Reg::start, start_and_wait);
  std::vector<unsigned char> bytes = read_window(d.offset, d.end() - d.offset);
  if ((read(Reg::status) & done_bit) == 0) aborted();
  return bytes;
}

// Where this context's page begins: asked for once.
std::uint64_t Driver::page() {
  if (page_bytes_ == 0) {
    time_.reset();  // in the thread whose time it keeps
    page_bytes_ = to_word(read_bytes(base_ + address_of(Reg::page_bytes), 4).data());
  }
  return base_ + static_cast<std::uint64_t>(context_) * page_bytes_;
}

void Driver::transport(::tlm::tlm_command command, std::uint64_t address, unsigned char* bytes, std::size_t count) {
  const ::tlm::tlm_response_status response = send(command, address, bytes, count);
  if (response == ::tlm::TLM_OK_RESPONSE) return;
  const ErrorCode error = take_error();
  ::tlm::tlm_generic_payload named;
  named.set_response_status(response);
  std::string message = std::string(command == ::tlm::TLM_READ_COMMAND ? "A read of " : "A write of ") +
                        std::to_string(count) + " bytes at address " + std::to_string(address) + " was answered with " +
                        named.get_response_string() + ".";
  if (error != ErrorCode::none) message += " " + std::string(row_of(error).what);
  throw BusError{message, response, error};
}

::tlm::tlm_response_status Driver::send(::tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                                        std::size_t count) {
  ::tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes);
  payload.set_data_length(static_cast<unsigned>(count));
  payload.set_streaming_width(static_cast<unsigned>(count));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = time_.get_local_time();
  socket->b_transport(payload, delay);
  time_.set(delay);
  if (time_.need_sync()) time_.sync();
  return payload.get_response_status();
}

// What the unit says was wrong, and clears it.
ErrorCode Driver::take_error() {
  if (page_bytes_ == 0) return ErrorCode::none;
  unsigned char bytes[4] = {};
  const std::uint64_t address = page() + address_of(Reg::error);
  if (send(::tlm::TLM_READ_COMMAND, address, bytes, sizeof bytes) != ::tlm::TLM_OK_RESPONSE) return ErrorCode::none;
  const std::uint32_t code = to_word(bytes);
  from_word(0, bytes);
  send(::tlm::TLM_WRITE_COMMAND, address, bytes, sizeof bytes);
  return code < errors.size() ? static_cast<ErrorCode>(code) : ErrorCode::none;
}

}  // namespace assay::bus
