// Tensor memory on a bus: a program of transactions does what the machine does when it is called; and what is refused.
#include "model/tlm/machine/tensor_target.hpp"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <random>

#include "tb/machine/mma_datapaths.hpp"

namespace assay::bus {
namespace {

struct TensorBench : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<TensorBench> socket{"socket"}, to_second{"to_second"};
  const Catalogue catalogue = shipped_catalogue();
  TensorTarget target, second;
  sc_core::sc_time delay;

  explicit TensorBench(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name),
        target("target", machine::mma_datapaths(catalogue)),
        second("second", machine::mma_datapaths(catalogue)) {
    socket.bind(target.socket);
    to_second.bind(second.socket);
  }

  ::tlm::tlm_response_status send(::tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                                  unsigned count, bool is_second = false) {
    ::tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(bytes);
    p.set_data_length(count);
    p.set_streaming_width(count);
    p.set_byte_enable_ptr(nullptr);
    (is_second ? to_second : socket)->b_transport(p, delay);
    return p.get_response_status();
  }
  ::tlm::tlm_response_status write(std::uint64_t address, std::uint32_t word, bool is_second = false) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i));
    return send(::tlm::TLM_WRITE_COMMAND, address, bytes, 4, is_second);
  }
  ::tlm::tlm_response_status write(TensorReg reg, std::uint32_t word) {
    return write(static_cast<std::uint64_t>(reg), word);
  }
  ::tlm::tlm_response_status run(TensorCommand command) {
    return write(TensorReg::command, static_cast<std::uint32_t>(command));
  }
  std::uint32_t read(std::uint64_t address) {
    unsigned char bytes[4] = {};
    EXPECT_EQ(send(::tlm::TLM_READ_COMMAND, address, bytes, 4), ::tlm::TLM_OK_RESPONSE) << target.why();
    std::uint32_t word = 0;
    for (int i = 3; i >= 0; --i) word = word << 8 | bytes[i];
    return word;
  }
  std::uint32_t read(TensorReg reg) { return read(static_cast<std::uint64_t>(reg)); }
};

TensorBench& tensor_bench() {
  static TensorBench* const only = [] {
    auto* made = new TensorBench("tensor_bench");  // the kernel keeps it
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return made;
  }();
  only->write(TensorReg::error, 0);
  only->delay = sc_core::SC_ZERO_TIME;
  return *only;
}

// A is copied to tensor memory, shifted by a lane, multiplied; D comes back through a warp's registers.
TEST(TensorTarget, RunsAProgramAsTheMachineDoes) {
  TensorBench& b = tensor_bench();
  EXPECT_EQ(b.read(TensorReg::id), tensor_id);
  machine::TensorMachine machine{machine::mma_datapaths(b.catalogue)};
  std::mt19937 random(8);
  std::vector<unsigned char> bytes(16384);
  for (std::size_t i = 0; i < bytes.size(); ++i) machine.shared.at(i) = bytes[i] = static_cast<unsigned char>(random());
  ASSERT_EQ(b.send(::tlm::TLM_WRITE_COMMAND, shared_window, bytes.data(), 16384), ::tlm::TLM_OK_RESPONSE);

  const std::uint64_t a = machine::descriptor_bits({0, 128, 256, 16}),
                      w = machine::descriptor_bits({8192, 128, 256, 16});
  machine::MmaShape shape;
  shape.m = 128;
  shape.n = 32;
  shape.k = 16;
  shape.a = shape.b = "f16";
  shape.d = "f32";
  const std::uint32_t instruction = instruction_descriptor_bits(machine::MmaKind::f16, shape);

  machine.tensor.allocate(32);
  machine.tensor.allocate(32);
  machine.tensor.copy({"128x256b", "", 0}, {0, 32}, a, machine.shared);
  machine.tensor.shift_down({0, 32});
  machine::MmaOperation o;
  o.descriptor = instruction;
  o.d = {0, 0};
  o.a_in_tensor = machine::TensorAddress{0, 32};
  o.b = w;
  o.enable_input_d = false;
  o.disabled = {0, 0xff00, 0, 1};
  machine.mma(o);

  b.write(TensorReg::columns, 32);
  ASSERT_EQ(b.run(TensorCommand::alloc), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  EXPECT_EQ(b.read(TensorReg::result), 0U);
  ASSERT_EQ(b.run(TensorCommand::alloc), ::tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.read(TensorReg::result), 32U);
  b.write(TensorReg::address, 32);
  b.write(TensorReg::shape, 0);
  b.write(TensorReg::a_low, static_cast<std::uint32_t>(a));
  b.write(TensorReg::a_high, static_cast<std::uint32_t>(a >> 32));
  ASSERT_EQ(b.run(TensorCommand::cp), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  b.delay = sc_core::SC_ZERO_TIME;
  ASSERT_EQ(b.run(TensorCommand::shift), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  EXPECT_EQ(b.delay, sc_core::sc_time(1, sc_core::SC_NS));
  b.write(TensorReg::address, 0);
  b.write(TensorReg::a_address, 32);
  b.write(TensorReg::flags, 2);
  b.write(TensorReg::b_low, static_cast<std::uint32_t>(w));
  b.write(TensorReg::b_high, static_cast<std::uint32_t>(w >> 32));
  b.write(TensorReg::instruction, instruction);
  b.write(static_cast<std::uint64_t>(TensorReg::disabled) + 4, 0xff00);
  b.write(static_cast<std::uint64_t>(TensorReg::disabled) + 12, 1);
  ASSERT_EQ(b.run(TensorCommand::mma), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  EXPECT_EQ(b.read(TensorReg::b_dwords), 256U);
  EXPECT_EQ(b.read(TensorReg::a_dwords), 0U);
  EXPECT_EQ(b.read(TensorReg::copied), 1024U);
  EXPECT_EQ(b.read(TensorReg::cycles), machine.tensor.cycles());

  b.write(TensorReg::repeat, 32);
  for (int warp = 0; warp < 4; ++warp) {
    b.write(TensorReg::warp, static_cast<std::uint32_t>(warp));
    b.write(TensorReg::address, machine::address_bits({32 * warp, 0}));
    ASSERT_EQ(b.run(TensorCommand::ld), ::tlm::TLM_OK_RESPONSE) << b.target.why();
    for (int r = 0; r < 32; ++r) {
      for (int lane = 0; lane < 32; ++lane) {
        ASSERT_EQ(b.read(warp_window + 4 * static_cast<std::uint64_t>(32 * r + lane)),
                  machine.tensor.word(32 * warp + lane, r));
      }
    }
    // And st brings them back where they were.
    ASSERT_EQ(b.run(TensorCommand::st), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  }
  for (int lane = 0; lane < 128; ++lane) {
    for (int column = 0; column < 32; ++column)
      ASSERT_EQ(b.target.machine().tensor.word(lane, column), machine.tensor.word(lane, column));
  }
  for (const std::uint32_t first : {0U, 32U}) {
    b.write(TensorReg::address, first);
    ASSERT_EQ(b.run(TensorCommand::dealloc), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  }
}

TEST(TensorTarget, RefusesInASentence) {
  TensorBench& b = tensor_bench();
  const auto expect = [&](::tlm::tlm_response_status found, ::tlm::tlm_response_status wanted, const char* sentence) {
    EXPECT_EQ(found, wanted) << sentence;
    EXPECT_EQ(b.target.why(), sentence);
    EXPECT_EQ(b.read(TensorReg::error), 1U);
    EXPECT_EQ(b.write(TensorReg::error, 0), ::tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(b.read(TensorReg::error), 0U);
  };
  unsigned char bytes[8] = {};
  using ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  expect(b.write(TensorReg::command, 8), TLM_GENERIC_ERROR_RESPONSE, "COMMAND is 8; it takes 1 to 7.");
  expect(b.write(TensorReg::error, 1), TLM_GENERIC_ERROR_RESPONSE, "ERROR takes 0 alone.");
  expect(b.write(TensorReg::cycles, 1), ::tlm::TLM_COMMAND_ERROR_RESPONSE, "This register is read and not written.");
  expect(b.send(::tlm::TLM_READ_COMMAND, 4, bytes, 4), ::tlm::TLM_COMMAND_ERROR_RESPONSE,
         "COMMAND is written and not read.");
  expect(b.write(0x5c, 1), ::tlm::TLM_ADDRESS_ERROR_RESPONSE, "Nothing is at address 92 of this target.");
  expect(b.write(0x84, 1), ::tlm::TLM_ADDRESS_ERROR_RESPONSE, "Nothing is at address 132 of this target.");
  expect(b.write(0xa0, 1), ::tlm::TLM_ADDRESS_ERROR_RESPONSE, "Nothing is at address 160 of this target.");
  expect(b.write(warp_window + 4 * 4096, 1), ::tlm::TLM_ADDRESS_ERROR_RESPONSE,
         "Nothing is at address 1064960 of this target.");
  expect(b.write(shared_window + 232448, 1), ::tlm::TLM_ADDRESS_ERROR_RESPONSE,
         "Nothing is at address 2329600 of this target.");
  for (const std::uint64_t address : {0x400000ULL, 0xfffffffffffffffcULL, 0x1f0000ULL}) {
    const std::string sentence = "Nothing is at address " + std::to_string(address) + " of this target.";
    expect(b.send(::tlm::TLM_READ_COMMAND, address, bytes, 4), ::tlm::TLM_ADDRESS_ERROR_RESPONSE, sentence.c_str());
  }
  // The first word that is not there.
  expect(b.send(::tlm::TLM_READ_COMMAND, shared_window + 232444, bytes, 8), ::tlm::TLM_ADDRESS_ERROR_RESPONSE,
         "Nothing is at address 2329600 of this target.");
  for (const std::uint32_t flags : {0x8U, 0x400U, 0x80000000U}) {
    b.write(TensorReg::flags, flags);
    for (const TensorCommand command : {TensorCommand::cp, TensorCommand::shift, TensorCommand::mma})
      expect(b.run(command), TLM_GENERIC_ERROR_RESPONSE, "FLAGS has a reserved bit set, one of 31..10 and 3.");
  }
  b.write(TensorReg::flags, 0);
  expect(b.send(::tlm::TLM_WRITE_COMMAND, 0x10, bytes, 8), ::tlm::TLM_BURST_ERROR_RESPONSE,
         "Below the windows a transaction is one word.");
  b.write(TensorReg::columns, 48);
  expect(b.run(TensorCommand::alloc), TLM_GENERIC_ERROR_RESPONSE,
         "alloc takes 32, 64, 128, 256 or 512 columns, not 48.");
  b.write(TensorReg::shape, 5);
  expect(b.run(TensorCommand::ld), TLM_GENERIC_ERROR_RESPONSE, "SHAPE is 5; it takes numbers below 5.");
  b.write(TensorReg::shape, 0);
  b.write(TensorReg::multicast, 4);
  expect(b.run(TensorCommand::cp), TLM_GENERIC_ERROR_RESPONSE, "MULTICAST is 4; it takes numbers below 4.");
  b.write(TensorReg::kind, 7);
  expect(b.run(TensorCommand::mma), TLM_GENERIC_ERROR_RESPONSE, "KIND is 7; it takes numbers below 7.");
  b.write(TensorReg::kind, 0);
  b.write(TensorReg::flags, 4);
  expect(b.run(TensorCommand::mma), TLM_GENERIC_ERROR_RESPONSE,
         "FLAGS asks for a pair, but this multiprocessor has no second one.");
  b.write(TensorReg::flags, 0);
  b.write(TensorReg::address, 0);
  b.write(TensorReg::repeat, 1);
  b.write(TensorReg::warp, 0);
  expect(b.run(TensorCommand::ld), TLM_GENERIC_ERROR_RESPONSE,
         "32x32b takes columns 0 to 0, but column 0 is not allocated.");
}

// Each from its own shared memory. The last test: who has a second one keeps it.
TEST(TensorTarget, CopiesAndShiftsInBothOfAPairOrInNeither) {
  TensorBench& b = tensor_bench();
  b.target.pair_with(b.second);
  const auto words = [](const TensorTarget& target) {
    std::vector<std::uint32_t> all;
    for (int lane = 0; lane < 128; ++lane) {
      for (int column = 0; column < 8; ++column) all.push_back(target.machine().tensor.word(lane, column));
    }
    return all;
  };
  for (std::uint32_t i = 0; i < 1024; ++i) {
    b.write(shared_window + 4 * std::uint64_t{i}, 1000 + i);
    b.write(shared_window + 4 * std::uint64_t{i}, 5000 + i, true);
  }
  const std::uint64_t matrix = machine::descriptor_bits({0, 128, 256, 16});
  b.write(TensorReg::a_low, static_cast<std::uint32_t>(matrix));
  b.write(TensorReg::a_high, static_cast<std::uint32_t>(matrix >> 32));
  b.write(TensorReg::shape, 0);
  b.write(TensorReg::multicast, 0);
  b.write(TensorReg::address, 0);
  b.write(TensorReg::flags, 4);
  b.write(TensorReg::columns, 32);
  ASSERT_EQ(b.run(TensorCommand::alloc), ::tlm::TLM_OK_RESPONSE);
  const std::vector<std::uint32_t> before = words(b.target);
  for (const auto& [command, what] :
       {std::pair(TensorCommand::cp, "128x256b"), std::pair(TensorCommand::shift, "shift")}) {
    EXPECT_EQ(b.run(command), ::tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(b.target.why(), what + std::string(" takes columns 0 to 7, but column 0 is not allocated."));
    EXPECT_EQ(words(b.target), before);
  }
  b.write(static_cast<std::uint64_t>(TensorReg::columns), 32, true);
  ASSERT_EQ(b.write(static_cast<std::uint64_t>(TensorReg::command), 1, true), ::tlm::TLM_OK_RESPONSE);
  ASSERT_EQ(b.run(TensorCommand::cp), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  ASSERT_EQ(b.run(TensorCommand::shift), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  // Row 1 of the matrix, now in lane 0: its second 16 bytes begin 144 bytes on.
  for (const auto& [target, first] : {std::pair(&b.target, 1000U), std::pair(&b.second, 5000U)}) {
    EXPECT_EQ(target->machine().tensor.word(0, 1), first + 5);
    EXPECT_EQ(target->machine().tensor.word(0, 6), first + 38);
  }
}

}  // namespace
}  // namespace assay::bus
