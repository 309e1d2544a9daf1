// The unit on a bus: the core's bits, its registers, time, interrupts, resets, DMI and debug access, several
// initiators.
#include "tb/tests/systemc/bus.hpp"

#include <fstream>
#include <map>
#include <set>

#include "model/base/error.hpp"
#include "model/core/dot.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::testing {
namespace {

class Target : public ::testing::TestWithParam<Engine> {};

TEST_P(Target, MatricesAsInTheCore) {
  const std::vector<Plan> plans = {plan_of("fused_f25"), plan_of("scaled_groups"), plan_of("two_lanes"),
                                   plan_of("brings_more")};
  bus::MmaTarget target("target", plans, options_for(GetParam()));  // neither reset nor interrupt is bound
  bus::Driver driver("driver");
  driver.socket.bind(target.socket);
  in_a_thread([&] {
    for (int i = 0; i < 16; ++i) {
      const Plan& plan = plans[static_cast<std::size_t>(i % 4)];
      const Matrices x = make_matrices(plan, 2, 3, plan.c == plan.d ? 1 + i / 4 : 1, static_cast<std::uint64_t>(i));
      EXPECT_EQ(driver.multiply(i % 4, plan, x), matmul(plan, x)) << i;
    }
    EXPECT_EQ(driver.read(Reg::operations), 16U);
  });
}

TEST_P(Target, RegistersSayWhatTheUnitIs) {
  const Plan plan = plan_of("fused_f25");
  bus::UnitOptions options = options_for(GetParam());
  options.contexts = 2;
  options.most_steps = 5;
  Bench bench({plan, plan_of("scaled_groups")}, options);
  bench.begin();
  Initiator& host = bench.initiator;
  const std::map<Reg, std::uint32_t> expected = {{Reg::id, 0x59415341},
                                                 {Reg::version, 2},
                                                 {Reg::instructions, 2},
                                                 {Reg::rows, 2},
                                                 {Reg::columns, 3},
                                                 {Reg::most_steps, 5},
                                                 {Reg::contexts, 2},
                                                 {Reg::instruction, 0},
                                                 {Reg::steps, 4},
                                                 {Reg::depth, 64},
                                                 {Reg::a_offset, 0},
                                                 {Reg::b_offset, 256},
                                                 {Reg::scale_a_offset, 640},
                                                 {Reg::scale_b_offset, 640},
                                                 {Reg::c_offset, 640},
                                                 {Reg::d_offset, 664},
                                                 {Reg::operands, 0},
                                                 {Reg::status, 0},
                                                 {Reg::error, 0},
                                                 {Reg::interrupt_enable, 0},
                                                 {Reg::interrupt, 0},
                                                 {Reg::operations, 0},
                                                 {Reg::more, 0},
                                                 {Reg::more_index, 0},
                                                 {Reg::more_offset, 640}};
  EXPECT_EQ(host.write(Reg::steps, 4), tlm::TLM_OK_RESPONSE);
  for (const auto& [reg, value] : expected) EXPECT_EQ(host.read(reg), value) << address_of(reg);
  EXPECT_EQ(host.read(Reg::page_bytes) % 0x1000, 0U);
  EXPECT_EQ(host.read(Reg::page_bytes), bench.target.page_bytes());
  EXPECT_EQ(host.read(Reg::window_bytes), bench.target.window_bytes());
  EXPECT_EQ(host.write(Reg::instruction, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(host.read(Reg::steps), 1U) << "a selection begins with one step";
}

// 2 x 16 times 16 x 3 by two steps: A has 32 bytes and B 96. Behind them stand 2 x 2 scales of rows, two bytes each; 8
// x 3 scales of columns, of one; 2 x 4 zero points, of one; and 6 x 4 random words, of two.
TEST_P(Target, SaysWhereLiesWhatElseThereIs) {
  const Plan plan = plan_of("brings_more");
  ASSERT_EQ(plan.more.size(), 4U);
  Bench bench({plan_of("fused_f25"), plan}, options_for(GetParam()));
  const Matrices x = make_matrices(plan, 2, 3, 2, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    EXPECT_EQ(host.write(Reg::more_index, 0), tlm::TLM_GENERIC_ERROR_RESPONSE) << "the first instruction has none";
    EXPECT_EQ(host.error(), ErrorCode::bad_value);
    host.write(Reg::error, 0);
    host.write(Reg::instruction, 1);
    host.put_operands(plan, x);
    EXPECT_EQ(host.read(Reg::more), 4U);
    std::vector<std::uint32_t> offsets;
    for (std::uint32_t i = 0; i < 4; ++i) {
      EXPECT_EQ(host.write(Reg::more_index, i), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(host.read(Reg::more_index), i);
      offsets.push_back(host.read(Reg::more_offset));
    }
    EXPECT_EQ(offsets, (std::vector<std::uint32_t>{128, 136, 160, 168}));
    EXPECT_EQ(host.read(Reg::c_offset), 168U + 6 * 4 * 2);
    EXPECT_EQ(host.write(Reg::more_index, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(host.error(), ErrorCode::bad_value);
    EXPECT_EQ(host.write(Reg::more_offset, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
    bench.expect_usable(plan, x);

    const bus::OperandWindow w = bus::window_of(plan, 2, 3, 2);
    std::vector<unsigned char> bytes = bus::pack(w, x);
    host.write(Reg::operands, 0);
    const auto words = bytes.begin() + static_cast<std::ptrdiff_t>(w.more[3].offset);
    host.write_window(0, {bytes.begin(), words});
    host.write_window(w.c.offset, {bytes.begin() + static_cast<std::ptrdiff_t>(w.c.offset), bytes.end()});
    EXPECT_EQ(host.write(Reg::start, bus::start_and_wait), tlm::TLM_GENERIC_ERROR_RESPONSE) << "no random words yet";
    EXPECT_EQ(host.error(), ErrorCode::no_operands);
    host.write_window(w.more[3].offset, {words, bytes.begin() + static_cast<std::ptrdiff_t>(w.more[3].end())});
    EXPECT_EQ(host.write(Reg::start, bus::start_and_wait), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.take_d(plan, x), matmul(plan, x));
  });
}

TEST_P(Target, InterruptsComeWhenTheOperationEndsAndAtErrors) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, options_for(GetParam()));
  const Matrices x = make_matrices(plan, 2, 3, 1, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    host.put_operands(plan, x);
    host.write(Reg::interrupt_enable, bus::done_interrupt);
    host.write(Reg::start, bus::start_and_return);
    sc_core::wait(host.delay);
    host.delay = sc_core::SC_ZERO_TIME;
    EXPECT_FALSE(bench.interrupt.read());
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(host.read(Reg::status), bus::done_bit);
    EXPECT_EQ(host.read(Reg::interrupt), bus::done_interrupt);
    host.write(Reg::interrupt, bus::done_interrupt);
    EXPECT_EQ(host.read(Reg::interrupt), 0U);
    sc_core::wait(1, sc_core::SC_NS);
    EXPECT_FALSE(bench.interrupt.read());
    host.write(Reg::id, 0);
    EXPECT_EQ(host.read(Reg::interrupt), bus::error_interrupt);
    sc_core::wait(1, sc_core::SC_NS);
    EXPECT_FALSE(bench.interrupt.read()) << "errors are not enabled";
    host.write(Reg::interrupt_enable, bus::error_interrupt);
    sc_core::wait(1, sc_core::SC_NS);
    EXPECT_TRUE(bench.interrupt.read());
  });
}

TEST_P(Target, AResetOfOneContextDropsWhatItBegan) {
  const Plan plan = plan_of("fused_f25");
  bus::UnitOptions options = options_for(GetParam());
  options.contexts = 2;
  Bench bench({plan, plan}, options);
  const Matrices x = make_matrices(plan, 2, 3, 3, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    host.write(Reg::instruction, 1);
    for (int i = 0; i < 3; ++i) {
      host.put_operands(plan, x);
      host.write(Reg::interrupt_enable, bus::done_interrupt);
      EXPECT_EQ(host.write(Reg::start, bus::start_and_return), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(host.read(Reg::status), bus::busy_bit);
      EXPECT_EQ(host.write(Reg::reset, 1), tlm::TLM_OK_RESPONSE);
      for (const Reg reg : {Reg::instruction, Reg::status, Reg::operands, Reg::operations, Reg::interrupt_enable}) {
        EXPECT_EQ(host.read(reg), 0U);
      }
      EXPECT_EQ(host.take_d(plan, x), std::vector<Code>(6)) << "the window is empty";
      if (i == 0) sc_core::wait(1, sc_core::SC_US);  // the others begin while the modules still work
      EXPECT_FALSE(bench.interrupt.read());
    }
    bench.expect_usable(plan, x);
    EXPECT_EQ(host.read(Reg::operations), 1U);
  });
  ASSERT_EQ(bench.initiator.invalidated.size(), 3U);
  EXPECT_EQ(bench.initiator.invalidated[0].first, bus::window_base);
  EXPECT_EQ(bench.initiator.invalidated[0].second, bus::window_base + bench.target.window_bytes() - 1);
}

// As docs/systemc.md says: the datapath works on what was dropped to its end.
TEST_P(Target, WhatAContextDroppedStillTakesTheSharedDatapath) {
  const Plan plan = plan_of("fused_f25");
  bus::UnitOptions options = options_for(GetParam());
  options.contexts = 2;
  options.access_cycles = 0;
  Bench bench({plan}, options);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    const std::uint64_t second = bench.target.page_bytes();
    const auto time_of_second = [&] {
      const sc_core::sc_time before = sc_core::sc_time_stamp();
      host.delay = sc_core::SC_ZERO_TIME;
      host.write(second + address_of(Reg::operands), 1);
      EXPECT_EQ(host.write(second + address_of(Reg::start), bus::start_and_wait), tlm::TLM_OK_RESPONSE);
      sc_core::wait(host.delay);
      return sc_core::sc_time_stamp() - before;
    };
    const sc_core::sc_time alone = time_of_second();
    host.delay = sc_core::SC_ZERO_TIME;
    host.put_operands(plan, make_matrices(plan, 2, 3, 8, 1));
    EXPECT_EQ(host.write(Reg::start, bus::start_and_return), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.write(Reg::reset, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.read(Reg::status), 0U);
    EXPECT_GT(time_of_second(), alone * 2);
  });
}

TEST_P(Target, TheResetPortDropsEverythingWheneverItComes) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, options_for(GetParam()));
  const Matrices x = make_matrices(plan, 2, 3, 3, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    for (int after = 1; after < 30; after += 3) {
      host.put_operands(plan, make_matrices(plan, 2, 3, 3, 2));
      host.write(Reg::start, bus::start_and_return);
      host.delay = sc_core::SC_ZERO_TIME;
      sc_core::wait(after, sc_core::SC_NS);
      bench.reset.write(true);
      sc_core::wait(1, sc_core::SC_NS);
      EXPECT_EQ(host.read(Reg::status), bus::busy_bit) << "nothing begins during reset";
      bench.reset.write(false);
      sc_core::wait(1, sc_core::SC_NS);
      EXPECT_EQ(host.read(Reg::status), 0U);
      EXPECT_EQ(host.read(Reg::operations), 0U);
      bench.expect_usable(plan, x);
      host.delay = sc_core::SC_ZERO_TIME;
      sc_core::wait(1, sc_core::SC_US);
    }
  });
}

TEST(TargetOfModules, AResetFreesWhoWaitsInStart) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, options_for(Engine::modules));
  bench.begin();
  sc_core::sc_spawn([&] {
    sc_core::wait(20, sc_core::SC_NS);
    bench.reset.write(true);
    sc_core::wait(1, sc_core::SC_NS);
    bench.reset.write(false);
  });
  in_a_thread([&] {
    bench.initiator.put_operands(plan, make_matrices(plan, 2, 3, 3, 2));
    EXPECT_EQ(bench.initiator.write(Reg::start, bus::start_and_wait), tlm::TLM_GENERIC_ERROR_RESPONSE);
    sc_core::wait(1, sc_core::SC_US);
    EXPECT_EQ(bench.initiator.error(), ErrorCode::none) << "reset leaves no error";
    bench.expect_usable(plan, make_matrices(plan, 2, 3, 1, 3));
  });
}

// Between any two of its accesses, too, where instruction 0 and one step are selected from then on.
TEST_P(Target, TheDriverSaysThatAResetCame) {
  constexpr int resets = 90;
  const std::vector<Plan> plans{plan_of("two_lanes"), plan_of("fused_f25")};
  sc_core::sc_signal<bool> reset("reset");
  bus::UnitOptions options = options_for(GetParam());
  options.access_cycles = 10;
  bus::MmaTarget target("target", plans, options);
  target.reset.bind(reset);
  bus::Driver driver("driver");
  driver.socket.bind(target.socket);
  const sc_core::sc_time pause(1, sc_core::SC_US);
  sc_core::sc_spawn([&] {
    for (int i = 0; i < 3 * resets; ++i) {
      sc_core::wait(pause * (i + 1) + sc_core::sc_time(2 * (i % resets), sc_core::SC_NS) - sc_core::sc_time_stamp());
      reset.write(true);
      sc_core::wait(1, sc_core::SC_NS);
      reset.write(false);
    }
  });
  in_a_thread([&] {
    int aborted = 0, right = 0;
    for (int i = 0; i < 3 * resets; ++i) {
      const auto [instruction, steps] =
          std::vector<std::pair<int, int>>{{0, 3}, {1, 1}, {1, 3}}[static_cast<std::size_t>(i / resets)];
      const Plan& of = plans[static_cast<std::size_t>(instruction)];
      const Matrices x = make_matrices(of, 2, 3, steps, static_cast<std::uint64_t>(i));
      driver.sync();
      sc_core::wait(pause * (i + 1) - sc_core::sc_time_stamp());
      try {
        EXPECT_EQ(driver.multiply(instruction, of, x), matmul(of, x))
            << "reset " << 2 * (i % resets) << " ns after it began";
        ++right;
      } catch (const bus::BusError& error) {
        EXPECT_EQ(error.error, ErrorCode::aborted) << error.message;
        EXPECT_EQ(error.message, "START left no D. A reset cut the operation short.");
        ++aborted;
      } catch (const Error& error) {
        ADD_FAILURE() << error.message;
      }
    }
    EXPECT_GT(aborted, resets);
    EXPECT_GT(right, 10);
  });
}

TEST_P(Target, TheDriverRefusesWhatTheUnitIsNotFor) {
  const Plan plan = plan_of("fused_f25"), other = plan_of("scaled_groups");
  bus::MmaTarget target("target", {plan, other}, options_for(GetParam()));
  bus::Driver driver("driver");
  driver.socket.bind(target.socket);
  const auto refused = [&](int instruction, const Plan& of, const Matrices& matrices) -> std::string {
    try {
      driver.multiply(instruction, of, matrices);
    } catch (const Error& error) {
      return error.message;
    }
    return "";
  };
  in_a_thread([&] {
    const Matrices good = make_matrices(plan, 2, 3, 1, 1);
    EXPECT_EQ(refused(0, plan, good), "");
    EXPECT_NE(refused(0, plan, make_matrices(plan, 4, 4, 1, 1)), "");
    EXPECT_NE(refused(0, plan, make_matrices(plan, 1, 1, 1, 1)), "");
    EXPECT_EQ(
        refused(0, plan, make_matrices(plan, 3, 2, 1, 1)).rfind("The unit's instruction gives 2 x 3 elements of ", 0),
        0U);
    EXPECT_NE(refused(1, plan, good), "") << "another instruction's plan";
    Matrices odd = good;
    ++odd.k;
    EXPECT_NE(refused(0, plan, odd), "");
    Matrices less = good;
    less.a.resize(3);
    EXPECT_NE(refused(0, plan, less), "");
    EXPECT_EQ(refused(0, plan, good), "");
  });
}

TEST(TargetOptions, WhatCannotBeBuiltIsSaid) {
  const std::vector<Plan> plans{plan_of("fused_f25")};
  for (const Engine engine : {Engine::core, Engine::modules}) {
    const bus::UnitOptions good = options_for(engine);
    EXPECT_EQ(bus::why_not_built(plans, good), std::nullopt);
    bus::UnitOptions options = good;
    options.access_cycles = -1;
    EXPECT_EQ(bus::why_not_built(plans, options),
              "Transactions and stages of a unit on a bus take no less than 0 cycles, found -1.");
    options = good;
    options.latency = systemc::every_stage(-2);
    EXPECT_EQ(bus::why_not_built(plans, options),
              "Transactions and stages of a unit on a bus take no less than 0 cycles, found -2.");
    options = good;
    options.most_steps = 1 << 30;
    EXPECT_NE(bus::why_not_built(plans, options).value_or("").find("may take more than 2^28 bytes"), std::string::npos);
  }
  bus::UnitOptions wide = options_for(Engine::core);
  wide.shape = {100000, 100000};
  EXPECT_NE(bus::why_not_built(plans, wide).value_or("").find("may take more than 2^28 bytes"), std::string::npos);
}

TEST_P(Target, DmiIsForTheWindowAlone) {
  const Plan plan = plan_of("fused_f25");
  bus::UnitOptions options = options_for(GetParam());
  options.contexts = 2;
  Bench bench({plan}, options);
  const Matrices x = make_matrices(plan, 2, 3, 1, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    const std::uint64_t page = bench.target.page_bytes(), length = bench.target.window_bytes();
    tlm::tlm_generic_payload p;
    tlm::tlm_dmi dmi;
    unsigned char bytes[4] = {};
    Initiator::fill(p, tlm::TLM_READ_COMMAND, 0, bytes, 4);
    host.socket->b_transport(p, host.delay);
    EXPECT_FALSE(p.is_dmi_allowed()) << "a register";
    for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{0xfff}, bus::window_base + length, 2 * page}) {
      p.set_address(address);
      EXPECT_FALSE(host.socket->get_direct_mem_ptr(p, dmi)) << address;
      EXPECT_TRUE(dmi.is_none_allowed());
    }
    for (int context = 0; context < 2; ++context) {
      const std::uint64_t first = static_cast<std::uint64_t>(context) * page + bus::window_base;
      Initiator::fill(p, tlm::TLM_READ_COMMAND, first + length - 4, bytes, 4);
      host.socket->b_transport(p, host.delay);
      EXPECT_TRUE(p.is_dmi_allowed());
      ASSERT_TRUE(host.socket->get_direct_mem_ptr(p, dmi));
      EXPECT_EQ(dmi.get_start_address(), first);
      EXPECT_EQ(dmi.get_end_address(), first + length - 1);
      EXPECT_TRUE(dmi.is_read_write_allowed());
    }
    // Operands through the pointer: the unit is told that they are there.
    p.set_address(bus::window_base);
    ASSERT_TRUE(host.socket->get_direct_mem_ptr(p, dmi));
    const bus::OperandWindow window = bus::window_of(plan, 2, 3, 1);
    const std::vector<unsigned char> packed = bus::pack(window, x);
    std::copy(packed.begin(), packed.end(), dmi.get_dmi_ptr());
    EXPECT_EQ(host.write(Reg::start, bus::start_and_wait), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(host.error(), ErrorCode::no_operands);
    EXPECT_EQ(host.write(Reg::operands, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.write(Reg::start, bus::start_and_wait), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bus::unpack(window.d, dmi.get_dmi_ptr() + window.d.offset), matmul(plan, x));
  });
}

TEST_P(Target, DebugAccessPreloadsAndChangesNothingElse) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, options_for(GetParam()));
  const Matrices x = make_matrices(plan, 2, 3, 1, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    host.write(Reg::id, 0);  // an error to look at
    const std::vector<unsigned char> packed = bus::pack(bus::window_of(plan, 2, 3, 1), x);
    std::vector<unsigned char> bytes = packed;
    const auto debug = [&](tlm::tlm_command command, std::uint64_t address, std::size_t count) {
      tlm::tlm_generic_payload p;
      Initiator::fill(p, command, address, bytes.data(), count);
      return host.socket->transport_dbg(p);
    };
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    EXPECT_EQ(debug(tlm::TLM_WRITE_COMMAND, bus::window_base, bytes.size()), bytes.size());
    bytes.assign(bytes.size(), 0);
    EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, bus::window_base, bytes.size()), bytes.size());
    EXPECT_EQ(bytes, packed);
    const std::uint64_t end = bus::window_base + bench.target.window_bytes();
    EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, end - 3, 8), 3U) << "cut at the window's end";
    EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, end, 8), 0U);
    tlm::tlm_generic_payload nowhere;
    Initiator::fill(nowhere, tlm::TLM_READ_COMMAND, bus::window_base, nullptr, 4);
    EXPECT_EQ(host.socket->transport_dbg(nowhere), 0U);
    EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, bench.target.page_bytes(), 8), 0U);
    EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, address_of(Reg::error), 4), 4U);
    EXPECT_EQ(bus::to_word(bytes.data()), static_cast<std::uint32_t>(ErrorCode::read_only));
    bytes[0] = 0;
    EXPECT_EQ(debug(tlm::TLM_WRITE_COMMAND, address_of(Reg::error), 4), 0U) << "registers are not written";
    EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, 0x74, 4), 0U);
    EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, 0, 3), 0U);
    EXPECT_EQ(sc_core::sc_time_stamp(), before);
    EXPECT_EQ(host.error(), ErrorCode::read_only) << "the first error is still there";
    EXPECT_EQ(host.read(Reg::operands), 1U);
    EXPECT_EQ(host.write(Reg::start, bus::start_and_wait), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.take_d(plan, x), matmul(plan, x));
    // D is nobody's to write while the unit works.
    EXPECT_EQ(host.write(Reg::start, bus::start_and_return), tlm::TLM_OK_RESPONSE);
    bytes.assign(bytes.size(), 0xff);
    EXPECT_EQ(debug(tlm::TLM_WRITE_COMMAND, bus::window_base, bytes.size()), 0U);
    while ((host.read(Reg::status) & bus::busy_bit) != 0) sc_core::wait(1, sc_core::SC_NS);
    EXPECT_EQ(host.take_d(plan, x), matmul(plan, x));
  });
}

// Forwards whatever comes from two sides, as a bus does.
struct Router : sc_core::sc_module {
  tlm_utils::simple_target_socket<Router> left{"left"}, right{"right"};
  tlm_utils::simple_initiator_socket<Router> out{"out"};

  explicit Router(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    left.register_b_transport(this, &Router::forward);
    right.register_b_transport(this, &Router::forward);
  }
  void forward(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) { out->b_transport(p, delay); }
};

TEST_P(Target, TwoInitiatorsLoseNothing) {
  const std::vector<Plan> plans = {plan_of("fused_f25"), plan_of("two_lanes")};
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(100, sc_core::SC_NS));
  bus::UnitOptions options = options_for(GetParam());
  options.contexts = 2;
  bus::MmaTarget target("target", plans, options);
  Router router("router");
  bus::Driver first("first", 0, 0), second("second", 0, 1);
  first.socket.bind(router.left);
  second.socket.bind(router.right);
  router.out.bind(target.socket);
  int done = 0;
  const auto work = [&](bus::Driver& driver, int offset) {
    for (int i = 0; i < 40; ++i) {
      const int instruction = (i + offset) % 2;
      const Plan& plan = plans[static_cast<std::size_t>(instruction)];
      const Matrices x = make_matrices(plan, 2, 3, 1 + i % 3, static_cast<std::uint64_t>(2 * i + offset));
      EXPECT_EQ(driver.multiply(instruction, plan, x), matmul(plan, x)) << offset << ", " << i;
      ++done;
    }
    EXPECT_EQ(driver.read(Reg::operations), 40U);
    driver.sync();
  };
  sc_core::sc_spawn([&] { work(first, 0); });
  sc_core::sc_spawn([&] { work(second, 1); });
  sc_core::sc_start();
  EXPECT_EQ(done, 80);
}

// What the listener of all analysis ports hears of each dot product.
struct Listener : tlm::tlm_analysis_if<bus::Observation> {
  struct Heard {
    std::vector<std::pair<std::string, sc_core::sc_time>> bits;  // of each place, in hexadecimal
  };
  std::map<std::tuple<std::uint64_t, int, int, int>, Heard> dots;  // operation, row, column, step

  void write(const bus::Observation& o) override {
    Heard& heard = dots[{o.operation, o.dot.row, o.dot.column, o.dot.step}];
    EXPECT_EQ(heard.bits.size(), static_cast<std::size_t>(o.place)) << "places come in their order";
    heard.bits.emplace_back(o.bits.hex(), o.at);
  }
};

class AnalysisPorts : public ::testing::TestWithParam<std::tuple<Engine, std::string>> {};

TEST_P(AnalysisPorts, PublishEveryPlaceAndItsTime) {
  const auto& [engine, name] = GetParam();
  const Plan plan = plan_of(name);
  bus::UnitOptions options = options_for(engine, 1, 2);
  for (int i = 0; i < systemc::stage_count; ++i) options.latency.cycles[static_cast<std::size_t>(i)] = 1 + i % 4;
  Bench bench({plan}, options);
  Listener listener;
  for (int i = 0; i < bus::MmaTarget::stages; ++i) bench.target.stage(static_cast<assay::Stage>(i)).bind(listener);
  const Matrices x = make_matrices(plan, 1, 2, 1, 1);
  bench.begin();
  in_a_thread([&] {
    bench.initiator.put_operands(plan, x);
    bench.initiator.write(Reg::start, bus::start_and_wait);
    EXPECT_EQ(bench.initiator.take_d(plan, x), matmul(plan, x));
  });
  const std::vector<int> schedule = systemc::schedule(plan, options.latency);
  ASSERT_EQ(listener.dots.size(), 2U);
  Registers registers;
  Trace expected(plan);
  for (int column = 0; column < 2; ++column) {
    const auto& heard = listener.dots.at({0, 0, column, 0}).bits;
    const systemc::Codes codes = systemc::codes_of(plan, x, {0, column, 0}, x.c[static_cast<std::size_t>(column)]);
    dot(plan, operand(codes), registers, &expected);
    ASSERT_EQ(heard.size(), plan.places.size());
    for (std::size_t i = 0; i < heard.size(); ++i) {
      EXPECT_EQ(heard[i].first, expected.at(static_cast<int>(i)).hex()) << plan.places[i].name;
      // Both engines agree on when a bundle stands where.
      const sc_core::sc_time after = heard[i].second - heard[0].second;
      EXPECT_EQ(after, sc_core::sc_time(schedule[i] - schedule[0], sc_core::SC_NS)) << plan.places[i].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    , AnalysisPorts,
    ::testing::Combine(::testing::Values(Engine::core, Engine::modules),
                       ::testing::Values("fused_f25", "scaled_groups", "neighbours", "two_lanes", "emulated_fp8")),
    [](const auto& info) { return name_of(std::get<0>(info.param)) + "_" + std::get<1>(info.param); });

TEST(TargetOfTheCore, TimeIsAddedAndNotWaited) {
  const Plan plan = plan_of("fused_f25");
  bus::UnitOptions options = options_for(Engine::core);
  options.access_cycles = 3;
  Bench bench({plan}, options);
  bench.begin();
  Initiator& host = bench.initiator;
  host.put_operands(plan, make_matrices(plan, 2, 3, 2, 1));  // two transactions
  EXPECT_EQ(host.delay, sc_core::sc_time(6, sc_core::SC_NS));
  host.write(Reg::start, bus::start_and_wait);
  const int dot = systemc::schedule(plan, options.latency).back();
  EXPECT_EQ(dot, 9);  // decode, multiply, special, window, align, reduce, round, acc, encode
  EXPECT_EQ(host.delay, sc_core::sc_time(9 + 2 * dot, sc_core::SC_NS));
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST(TargetOfTheCore, OneDatapathServesTheContextsInTurn) {
  const Plan plan = plan_of("fused_f25");
  bus::UnitOptions options = options_for(Engine::core);
  options.contexts = 2;
  options.access_cycles = 0;
  Bench bench({plan}, options);
  bench.begin();
  Initiator& host = bench.initiator;
  const Matrices x = make_matrices(plan, 2, 3, 1, 1);
  host.put_operands(plan, x);
  host.write(Reg::start, bus::start_and_wait);
  EXPECT_EQ(host.delay, sc_core::sc_time(9, sc_core::SC_NS));
  const std::uint64_t page = bench.target.page_bytes();
  host.delay = sc_core::SC_ZERO_TIME;  // another initiator, at the same time
  std::vector<unsigned char> bytes = bus::pack(bus::window_of(plan, 2, 3, 1), x);
  host.send(tlm::TLM_WRITE_COMMAND, page + bus::window_base, bytes.data(), bytes.size());
  host.write(page + address_of(Reg::start), bus::start_and_wait);
  EXPECT_EQ(host.delay, sc_core::sc_time(18, sc_core::SC_NS));
}

TEST(TargetOfTheCore, TheQuantumLetsAnInitiatorRunAhead) {
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(1, sc_core::SC_US));
  const Plan plan = plan_of("fused_f25");
  bus::MmaTarget target("target", {plan}, options_for(Engine::core));
  bus::Driver driver("driver");
  driver.socket.bind(target.socket);
  const Matrices x = make_matrices(plan, 2, 3, 1, 1);
  in_a_thread([&] {
    for (int i = 0; i < 10; ++i) EXPECT_EQ(driver.multiply(0, plan, x), matmul(plan, x));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
    driver.sync();
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(1 + 4 + 10 * (6 + 9), sc_core::SC_NS));
  });
}

TEST(Driver, SaysWhatTheUnitSaid) {
  bus::MmaTarget target("target", {plan_of("fused_f25")}, options_for(Engine::core));
  bus::Driver driver("driver");
  driver.socket.bind(target.socket);
  in_a_thread([&] {
    try {
      driver.write(Reg::start, 1);
      FAIL() << "no operands were given";
    } catch (const bus::BusError& error) {
      EXPECT_EQ(error.error, ErrorCode::no_operands);
      EXPECT_EQ(error.response, tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(error.message,
                "A write of 4 bytes at address 76 was answered with TLM_GENERIC_ERROR_RESPONSE. START needs all of A, "
                "B, C, the scales and what else there is written since the last selection.");
    }
    EXPECT_EQ(driver.read(Reg::error), 0U) << "the driver has cleared it";
  });
}

TEST(TargetOptions, WhatCannotBeMadeIsSaid) {
  const Plan plan = plan_of("fused_f25");
  bus::UnitOptions options = options_for(Engine::core, 64, 64);
  EXPECT_EQ(bus::why_not_built({plan}, options), std::nullopt) << "the core has no modules to build";
  options.engine = Engine::modules;
  EXPECT_NE(bus::why_not_built({plan}, options)->find("at most 2048 are built"), std::string::npos);
  options = options_for(Engine::core, 0, 1);
  EXPECT_NE(bus::why_not_built({plan}, options)->find("found 0 x 1"), std::string::npos);
  EXPECT_EQ(bus::why_not_built({}, options_for(Engine::core)), "A matrix unit needs at least one instruction.");
  options = options_for(Engine::core);
  options.contexts = 0;
  EXPECT_EQ(bus::why_not_built({plan}, options),
            "A unit on a bus needs at least one step along K, one context and FIFOs that hold one bundle, found 16, 0 "
            "and 16.");
}

// The page repeats the table: each row of one is in the other.
TEST(RegisterMap, TheDocumentationHasEveryRow) {
  std::ifstream file(source_dir() + "/docs/systemc.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = page.find("\n| `0x", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, bus::registers.size());
  for (const bus::Register& row : bus::registers) {
    char address[8];
    std::snprintf(address, sizeof address, "0x%02x", static_cast<unsigned>(row.reg));
    const char* access = row.access == bus::Access::both ? "rw" : row.access == bus::Access::read ? "r" : "w";
    const std::string line = "\n| `" + std::string(address) + "` | " + std::string(row.name) + " | " + access + " | " +
                             std::string(row.what) + " |\n";
    EXPECT_NE(page.find(line), std::string::npos) << line;
  }
  for (const bus::ErrorRow& row : bus::errors) {
    const std::string line = "\n| " + std::to_string(static_cast<unsigned>(row.error)) + " | " + std::string(row.name) +
                             " | " + std::string(row.what) + " |";
    EXPECT_NE(page.find(line), std::string::npos) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(, Target, ::testing::Values(Engine::core, Engine::modules),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace assay::testing
