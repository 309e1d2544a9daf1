// A unit on a bus with a bare initiator, for tests that say every field of a transaction themselves.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>

#include "model/tlm/driver.hpp"
#include "model/tlm/mma_target.hpp"
#include "tb/tests/systemc/matrices.hpp"
#include "tb/tests/systemc/plans.hpp"

namespace assay::testing {

using bus::Engine;
using bus::ErrorCode;
using bus::Reg;

inline Plan plan_of(const std::string& name) {
  const Example& chosen = example(name);
  return planned(chosen.datapath, chosen.k);
}

inline std::uint64_t address_of(Reg reg) { return static_cast<std::uint64_t>(reg); }

// Runs `work` as a thread of the simulation, until nothing is left to do.
inline void in_a_thread(const std::function<void()>& work) {
  bool ended = false;
  sc_core::sc_spawn([&] {
    work();
    ended = true;
  });
  sc_core::sc_start();
  ASSERT_TRUE(ended) << "the thread waits for something that never comes";
}

class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;

  explicit Initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.register_invalidate_direct_mem_ptr(this, &Initiator::invalidate);
  }

  // A payload with every field as it should be.
  static void fill(tlm::tlm_generic_payload& p, tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                   std::size_t count) {
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(bytes);
    p.set_data_length(static_cast<unsigned>(count));
    p.set_streaming_width(static_cast<unsigned>(count));
    p.set_byte_enable_ptr(nullptr);
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  tlm::tlm_response_status send(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                                std::size_t count) {
    tlm::tlm_generic_payload p;
    fill(p, command, address, bytes, count);
    socket->b_transport(p, delay);
    return p.get_response_status();
  }

  tlm::tlm_response_status write(std::uint64_t address, std::uint32_t value) {
    unsigned char bytes[4];
    bus::from_word(value, bytes);
    return send(tlm::TLM_WRITE_COMMAND, address, bytes, 4);
  }
  tlm::tlm_response_status write(Reg reg, std::uint32_t value) { return write(address_of(reg), value); }

  std::uint32_t read(Reg reg) {
    unsigned char bytes[4] = {};
    EXPECT_EQ(send(tlm::TLM_READ_COMMAND, address_of(reg), bytes, 4), tlm::TLM_OK_RESPONSE);
    return bus::to_word(bytes);
  }

  tlm::tlm_response_status write_window(std::uint64_t offset, std::vector<unsigned char> bytes) {
    return send(tlm::TLM_WRITE_COMMAND, bus::window_base + offset, bytes.data(), bytes.size());
  }

  std::vector<unsigned char> read_window(std::uint64_t offset, std::size_t count) {
    std::vector<unsigned char> bytes(count);
    EXPECT_EQ(send(tlm::TLM_READ_COMMAND, bus::window_base + offset, bytes.data(), count), tlm::TLM_OK_RESPONSE);
    return bytes;
  }

  void put_operands(const Plan& plan, const Matrices& x) {
    const bus::OperandWindow window = bus::window_of(plan, x.m, x.n, x.k / plan.k);
    EXPECT_EQ(write(Reg::steps, static_cast<std::uint32_t>(x.k / plan.k)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(write_window(0, bus::pack(window, x)), tlm::TLM_OK_RESPONSE);
  }

  std::vector<Code> take_d(const Plan& plan, const Matrices& x) {
    const bus::OperandRegion d = bus::window_of(plan, x.m, x.n, x.k / plan.k).d;
    return bus::unpack(d, read_window(d.offset, d.end() - d.offset).data());
  }

  ErrorCode error() { return static_cast<ErrorCode>(read(Reg::error)); }

  sc_core::sc_time delay;

 private:
  void invalidate(sc_dt::uint64 from, sc_dt::uint64 to) { invalidated.emplace_back(from, to); }
};

struct Bench {
  Bench(std::vector<Plan> plans, const bus::UnitOptions& options)
      : target("target", std::move(plans), options), initiator("initiator") {
    initiator.socket.bind(target.socket);
    target.reset.bind(reset);
    target.interrupt.bind(interrupt);
  }

  // From here on transactions may come, also from outside of threads where the unit does not wait.
  void begin() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

  // The unit still does what it should.
  void expect_usable(const Plan& plan, const Matrices& x) {
    initiator.write(Reg::error, 0);
    initiator.put_operands(plan, x);
    EXPECT_EQ(initiator.write(Reg::start, bus::start_and_wait), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(initiator.read(Reg::status), bus::done_bit);
    EXPECT_EQ(initiator.take_d(plan, x), matmul(plan, x));
    EXPECT_EQ(initiator.error(), ErrorCode::none);
  }

  sc_core::sc_signal<bool> reset{"reset"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  bus::MmaTarget target;
  Initiator initiator;
};

inline bus::UnitOptions options_for(Engine engine, int rows = 2, int columns = 3) {
  bus::UnitOptions options;
  options.shape = {rows, columns};
  options.engine = engine;
  return options;
}

inline std::string name_of(Engine engine) { return engine == Engine::core ? "core" : "modules"; }

}  // namespace assay::testing
