// Everything that can be done wrong on the bus: the response, the error that the unit notes, and that it goes on.
#include "tb/tests/systemc/bus.hpp"

namespace assay::testing {
namespace {

using Payload = tlm::tlm_generic_payload;

struct Misuse {
  std::string name;
  tlm::tlm_response_status response;
  ErrorCode error;
  std::function<void(Payload&)> spoil;  // makes a good write of 1 to STEPS wrong
};

const std::vector<Misuse>& misuses() {
  static unsigned char enables[4] = {0xff, 0xff, 0xff, 0xff};
  static const std::vector<Misuse> all = {
      {"ignore", tlm::TLM_COMMAND_ERROR_RESPONSE, ErrorCode::no_command,
       [](Payload& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); }},
      {"no_data", tlm::TLM_COMMAND_ERROR_RESPONSE, ErrorCode::no_command, [](Payload& p) { p.set_data_ptr(nullptr); }},
      {"byte_enables", tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, ErrorCode::byte_enables,
       [](Payload& p) {
         p.set_byte_enable_ptr(enables);
         p.set_byte_enable_length(4);
       }},
      {"streaming", tlm::TLM_BURST_ERROR_RESPONSE, ErrorCode::bad_length, [](Payload& p) { p.set_streaming_width(2); }},
      {"no_streaming", tlm::TLM_BURST_ERROR_RESPONSE, ErrorCode::bad_length,
       [](Payload& p) { p.set_streaming_width(0); }},
      {"no_length", tlm::TLM_BURST_ERROR_RESPONSE, ErrorCode::bad_length, [](Payload& p) { p.set_data_length(0); }},
      {"short_register", tlm::TLM_BURST_ERROR_RESPONSE, ErrorCode::bad_length,
       [](Payload& p) { p.set_data_length(2); }},
      {"unaligned", tlm::TLM_ADDRESS_ERROR_RESPONSE, ErrorCode::unaligned,
       [](Payload& p) { p.set_address(address_of(Reg::steps) + 2); }},
      {"no_such_register", tlm::TLM_ADDRESS_ERROR_RESPONSE, ErrorCode::out_of_range,
       [](Payload& p) { p.set_address(0x74); }},
      {"far_away", tlm::TLM_ADDRESS_ERROR_RESPONSE, ErrorCode::out_of_range,
       [](Payload& p) { p.set_address(0xffffffff00000000); }},
      {"end_of_page", tlm::TLM_ADDRESS_ERROR_RESPONSE, ErrorCode::out_of_range,
       [](Payload& p) { p.set_address(bus::window_base + 0xffc); }},
      {"read_only", tlm::TLM_COMMAND_ERROR_RESPONSE, ErrorCode::read_only,
       [](Payload& p) { p.set_address(address_of(Reg::id)); }},
      {"write_only", tlm::TLM_COMMAND_ERROR_RESPONSE, ErrorCode::write_only,
       [](Payload& p) {
         p.set_command(tlm::TLM_READ_COMMAND);
         p.set_address(address_of(Reg::start));
       }},
      {"unknown_instruction", tlm::TLM_GENERIC_ERROR_RESPONSE, ErrorCode::unknown_instruction,
       [](Payload& p) { p.set_address(address_of(Reg::instruction)); }},
      {"no_operands", tlm::TLM_GENERIC_ERROR_RESPONSE, ErrorCode::no_operands,
       [](Payload& p) { p.set_address(address_of(Reg::start)); }},
      {"bad_steps", tlm::TLM_GENERIC_ERROR_RESPONSE, ErrorCode::bad_value, [](Payload& p) { p.get_data_ptr()[1] = 1; }},
      {"bad_error", tlm::TLM_GENERIC_ERROR_RESPONSE, ErrorCode::bad_value,
       [](Payload& p) { p.set_address(address_of(Reg::error)); }},
      {"bad_reset", tlm::TLM_GENERIC_ERROR_RESPONSE, ErrorCode::bad_value,
       [](Payload& p) {
         p.set_address(address_of(Reg::reset));
         p.get_data_ptr()[0] = 2;
       }},
      {"bad_start", tlm::TLM_GENERIC_ERROR_RESPONSE, ErrorCode::bad_value,
       [](Payload& p) {
         p.set_address(address_of(Reg::start));
         p.get_data_ptr()[0] = 3;
       }},
      {"bad_operands", tlm::TLM_GENERIC_ERROR_RESPONSE, ErrorCode::bad_value,
       [](Payload& p) {
         p.set_address(address_of(Reg::operands));
         p.get_data_ptr()[0] = 2;
       }},
      {"bad_interrupts", tlm::TLM_GENERIC_ERROR_RESPONSE, ErrorCode::bad_value,
       [](Payload& p) {
         p.set_address(address_of(Reg::interrupt_enable));
         p.get_data_ptr()[0] = 4;
       }},
  };
  return all;
}

class Misuses : public ::testing::TestWithParam<Engine> {};

TEST_P(Misuses, AreAnsweredAndNotedAndTheUnitGoesOn) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, options_for(GetParam()));
  const Matrices x = make_matrices(plan, 2, 3, 2, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    for (const Misuse& misuse : misuses()) {
      host.put_operands(plan, make_matrices(plan, 2, 3, 2, 9));
      host.write(Reg::operands, 0);
      unsigned char bytes[4] = {1, 0, 0, 0};
      Payload p;
      Initiator::fill(p, tlm::TLM_WRITE_COMMAND, address_of(Reg::steps), bytes, 4);
      misuse.spoil(p);
      host.socket->b_transport(p, host.delay);
      EXPECT_EQ(p.get_response_status(), misuse.response) << misuse.name;
      EXPECT_EQ(host.error(), misuse.error) << misuse.name;
      EXPECT_EQ(host.read(Reg::status), bus::error_bit) << misuse.name;
      bench.expect_usable(plan, x);
      EXPECT_EQ(host.write(Reg::reset, 1), tlm::TLM_OK_RESPONSE);
    }
  });
}

TEST_P(Misuses, WhileBusy) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, options_for(GetParam()));
  const Matrices x = make_matrices(plan, 2, 3, 2, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    host.put_operands(plan, x);
    EXPECT_EQ(host.write(Reg::start, bus::start_and_return), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(host.read(Reg::status), bus::busy_bit);
    EXPECT_EQ(host.read(Reg::operations), 0U);
    for (const Reg reg : {Reg::start, Reg::instruction, Reg::steps, Reg::operands}) {
      EXPECT_EQ(host.write(reg, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(host.error(), ErrorCode::busy);
      EXPECT_EQ(host.write(Reg::error, 0), tlm::TLM_OK_RESPONSE);
    }
    EXPECT_EQ(host.write_window(0, {1, 2, 3}), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(host.error(), ErrorCode::busy);
    unsigned char byte = 0;
    EXPECT_EQ(host.send(tlm::TLM_READ_COMMAND, bus::window_base, &byte, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
    sc_core::wait(1, sc_core::SC_US);
    EXPECT_EQ(host.read(Reg::status), bus::done_bit | bus::error_bit);
    EXPECT_EQ(host.take_d(plan, x), matmul(plan, x));
    EXPECT_EQ(host.read(Reg::operations), 1U);
    bench.expect_usable(plan, x);
  });
}

// D_OFFSET speaks of another D from then on. What is refused changes nothing.
TEST_P(Misuses, DIsNotThereOnceTheNextOperationIsShaped) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, options_for(GetParam()));
  const Matrices x = make_matrices(plan, 2, 3, 2, 1);
  bench.begin();
  in_a_thread([&] {
    Initiator& host = bench.initiator;
    for (const Reg reg : {Reg::steps, Reg::instruction}) {
      bench.expect_usable(plan, x);
      EXPECT_EQ(host.write(reg, 17), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(host.read(Reg::status), bus::done_bit | bus::error_bit);
      EXPECT_EQ(host.write(Reg::error, 0), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(host.write(reg, reg == Reg::steps ? 3 : 0), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(host.read(Reg::status), 0U);
      EXPECT_EQ(host.write(Reg::start, bus::start_and_wait), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(host.error(), ErrorCode::no_operands);
      EXPECT_EQ(host.read(Reg::status), bus::error_bit);
    }
    bench.expect_usable(plan, x);
  });
}

// Each is put right in turn, and the next one in the order of docs/systemc.md is answered.
TEST_P(Misuses, OfSeveralThingsTheFirstInTheOrderCounts) {
  Bench bench({plan_of("fused_f25")}, options_for(GetParam()));
  bench.begin();
  unsigned char bytes[4] = {17, 0, 0, 0}, enables[4] = {0xff, 0xff, 0xff, 0xff};
  Payload p;
  Initiator::fill(p, tlm::TLM_WRITE_COMMAND, 0xffffffff00000001, bytes, 2);
  p.set_data_ptr(nullptr);
  p.set_byte_enable_ptr(enables);
  p.set_streaming_width(1);
  const std::vector<std::pair<ErrorCode, std::function<void()>>> steps = {
      {ErrorCode::no_command, [&] { p.set_data_ptr(bytes); }},
      {ErrorCode::byte_enables, [&] { p.set_byte_enable_ptr(nullptr); }},
      {ErrorCode::bad_length, [&] { p.set_streaming_width(2); }},
      {ErrorCode::out_of_range, [&] { p.set_address(address_of(Reg::id) + 1); }},
      {ErrorCode::unaligned, [&] { p.set_address(address_of(Reg::id)); }},
      {ErrorCode::bad_length, [&] { Initiator::fill(p, tlm::TLM_WRITE_COMMAND, address_of(Reg::id), bytes, 4); }},
      {ErrorCode::read_only, [&] { p.set_address(address_of(Reg::steps)); }},
      {ErrorCode::bad_value, [] {}}};
  for (const auto& [error, mend] : steps) {
    bench.initiator.socket->b_transport(p, bench.initiator.delay);
    EXPECT_EQ(bench.initiator.error(), error);
    EXPECT_EQ(bench.initiator.write(Reg::error, 0), tlm::TLM_OK_RESPONSE);
    mend();
  }
}

// The first of several errors stays until it is cleared.
TEST_P(Misuses, TheFirstErrorStays) {
  Bench bench({plan_of("fused_f25")}, options_for(GetParam()));
  bench.begin();
  bench.initiator.write(Reg::id, 1);
  bench.initiator.write(0x74, 1);
  EXPECT_EQ(bench.initiator.error(), ErrorCode::read_only);
  bench.initiator.write(Reg::error, 0);
  EXPECT_EQ(bench.initiator.error(), ErrorCode::none);
  bench.initiator.write(0x74, 1);
  EXPECT_EQ(bench.initiator.error(), ErrorCode::out_of_range);
}

TEST(MisuseOfSteps, WhereCIsNotDSeveralStepsAreRefused) {
  Datapath words = fused_f25();
  words.operands.c = "f16";
  const Plan plan = planned(words, 16);
  Bench bench({plan}, options_for(Engine::core, 1, 1));
  bench.begin();
  EXPECT_EQ(bench.initiator.read(Reg::most_steps), 1U);
  EXPECT_EQ(bench.initiator.write(Reg::steps, 2), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(bench.initiator.error(), ErrorCode::bad_value);
  EXPECT_EQ(bench.initiator.read(Reg::steps), 1U);
  bench.expect_usable(plan, make_matrices(plan, 1, 1, 1, 1));
}

// A transaction must end within the window, and may end with its last byte.
TEST(MisuseOfTheWindow, ItsEndIsExact) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, options_for(Engine::core));
  bench.begin();
  const std::uint64_t bytes = bench.initiator.read(Reg::window_bytes);
  EXPECT_EQ(bytes, bus::window_of(plan, 2, 3, 16).bytes());
  EXPECT_EQ(bench.initiator.write_window(bytes - 3, {7, 8, 9}), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bench.initiator.read_window(bytes - 1, 1)[0], 9);
  EXPECT_EQ(bench.initiator.write_window(bytes - 3, {1, 2, 3, 4}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(bench.initiator.error(), ErrorCode::out_of_range);
  EXPECT_EQ(bench.initiator.read_window(bytes - 1, 1)[0], 9) << "nothing is written where an error is answered";
}

INSTANTIATE_TEST_SUITE_P(, Misuses, ::testing::Values(Engine::core, Engine::modules),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace assay::testing
