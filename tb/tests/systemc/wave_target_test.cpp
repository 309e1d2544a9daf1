// A wavefront on a bus: a program of transactions does what the wavefront does, in its time; and what is refused.
#include "model/tlm/machine/wave_target.hpp"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <random>

#include "tb/machine/wave_instruction.hpp"

namespace assay::bus {
namespace {

using machine::Bank;
using machine::RegisterName;

struct Bench : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Bench> socket{"socket"};
  const Catalogue catalogue = shipped_catalogue();
  WaveTarget target;
  sc_core::sc_time delay;

  explicit Bench(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name),
        target("target", *catalogue.architecture("MI250X").wave,
               {instruction("v_mfma_f32_16x16x1f32"), instruction("v_mfma_f64_4x4x4f64")}) {
    socket.bind(target.socket);
  }

  machine::WaveInstruction instruction(const char* name) const {
    return machine::wave_instruction(catalogue, catalogue.instruction("MI250X", name));
  }

  ::tlm::tlm_response_status send(::tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                                  unsigned count) {
    ::tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(bytes);
    p.set_data_length(count);
    p.set_streaming_width(count);
    p.set_byte_enable_ptr(nullptr);
    socket->b_transport(p, delay);
    return p.get_response_status();
  }

  ::tlm::tlm_response_status write(std::uint64_t address, std::uint32_t word) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i));
    return send(::tlm::TLM_WRITE_COMMAND, address, bytes, 4);
  }
  ::tlm::tlm_response_status write(WaveReg reg, std::uint32_t word) {
    return write(static_cast<std::uint64_t>(reg), word);
  }

  std::uint32_t read(std::uint64_t address) {
    unsigned char bytes[4] = {};
    EXPECT_EQ(send(::tlm::TLM_READ_COMMAND, address, bytes, 4), ::tlm::TLM_OK_RESPONSE) << target.why();
    std::uint32_t word = 0;
    for (int i = 3; i >= 0; --i) word = word << 8 | bytes[i];
    return word;
  }
  std::uint32_t read(WaveReg reg) { return read(static_cast<std::uint64_t>(reg)); }
};

Bench& bench() {
  static Bench* const only = [] {
    auto* made = new Bench("bench");  // the kernel keeps it
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return made;
  }();
  only->write(WaveReg::error, 0);
  only->delay = sc_core::SC_ZERO_TIME;
  return *only;
}

TEST(WaveTarget, DoesWhatAWavefrontDoes) {
  Bench& b = bench();
  EXPECT_EQ(b.read(WaveReg::id), wave_id);
  EXPECT_EQ(b.read(WaveReg::lanes), 64U);
  EXPECT_EQ(b.read(WaveReg::instructions), 2U);
  machine::WaveUnit unit(b.instruction("v_mfma_f32_16x16x1f32"));
  machine::Wavefront wave(*b.catalogue.architecture("MI250X").wave);
  std::mt19937 random(4);
  for (const auto bank : {Bank::vector, Bank::accumulation}) {
    for (int number = 0; number < 32; ++number) {
      for (int lane = 0; lane < 64; ++lane) {
        const auto word = static_cast<std::uint32_t>(random());
        wave.at(bank, number, lane) = word;
        ASSERT_EQ(b.write(register_address(bank, number, lane), word), ::tlm::TLM_OK_RESPONSE);
      }
    }
  }
  const std::uint32_t before = b.read(WaveReg::busy_cycles);
  wave.execute({&unit,
                {Bank::accumulation, 4},
                {Bank::vector, 3},
                {Bank::vector, 9},
                RegisterName{Bank::vector, 10},
                {},
                {},
                {2, 3, 5}});
  b.write(WaveReg::instruction, 0);
  b.write(WaveReg::d, 512 + 4);
  b.write(WaveReg::a, 3);
  b.write(WaveReg::b, 9);
  b.write(WaveReg::c, 10);
  b.write(WaveReg::modifiers, 5 << 12 | 3 << 4 | 2);
  b.delay = sc_core::SC_ZERO_TIME;
  EXPECT_EQ(b.write(WaveReg::start, 1), ::tlm::TLM_OK_RESPONSE) << b.target.why();
  EXPECT_EQ(b.delay, sc_core::sc_time(32, sc_core::SC_NS));
  EXPECT_EQ(b.read(WaveReg::busy_cycles), before + 32);
  EXPECT_EQ(b.read(WaveReg::modifiers), 0x5032U);
  for (const auto bank : {Bank::vector, Bank::accumulation}) {
    for (int number = 0; number < 32; ++number) {
      for (int lane = 0; lane < 64; ++lane)
        ASSERT_EQ(b.read(register_address(bank, number, lane)), wave.at(bank, number, lane)) << number << " " << lane;
    }
  }
}

TEST(WaveTarget, RefusesInASentenceAndChangesNothing) {
  Bench& b = bench();
  const std::uint32_t operations = b.read(WaveReg::operations);
  const auto expect = [&](::tlm::tlm_response_status found, ::tlm::tlm_response_status wanted, const char* sentence) {
    EXPECT_EQ(found, wanted) << sentence;
    EXPECT_EQ(b.target.why(), sentence);
    EXPECT_EQ(b.read(WaveReg::error), 1U);
    EXPECT_EQ(b.write(WaveReg::error, 0), ::tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(b.read(WaveReg::error), 0U);
  };
  unsigned char bytes[8] = {};
  expect(b.write(WaveReg::instruction, 2), ::tlm::TLM_GENERIC_ERROR_RESPONSE,
         "INSTRUCTION is 2; it takes numbers below 2.");
  expect(b.write(WaveReg::start, 2), ::tlm::TLM_GENERIC_ERROR_RESPONSE, "START takes 1 alone.");
  expect(b.write(WaveReg::error, 2), ::tlm::TLM_GENERIC_ERROR_RESPONSE, "ERROR takes 0 alone.");
  expect(b.write(WaveReg::lanes, 2), ::tlm::TLM_COMMAND_ERROR_RESPONSE, "This register is read and not written.");
  expect(b.send(::tlm::TLM_READ_COMMAND, 0x2c, bytes, 4), ::tlm::TLM_COMMAND_ERROR_RESPONSE,
         "START is written and not read.");
  expect(b.write(0x40, 0), ::tlm::TLM_ADDRESS_ERROR_RESPONSE, "Nothing is at address 64 of this wave.");
  expect(b.write(register_address(Bank::vector, 256, 0), 0), ::tlm::TLM_ADDRESS_ERROR_RESPONSE,
         "Nothing is at address 1114112 of this wave.");
  expect(b.write(0x11, 0), ::tlm::TLM_ADDRESS_ERROR_RESPONSE,
         "Address 17 is no multiple of four bytes, and words lie there.");
  expect(b.send(::tlm::TLM_WRITE_COMMAND, 0x10, bytes, 8), ::tlm::TLM_BURST_ERROR_RESPONSE,
         "Below the registers of lanes a transaction is one word.");
  expect(b.send(::tlm::TLM_WRITE_COMMAND, 0x10, bytes, 3), ::tlm::TLM_BURST_ERROR_RESPONSE,
         "A transaction has 3 bytes; it takes whole words of four bytes, and a streaming width of no less.");
  expect(b.send(::tlm::TLM_IGNORE_COMMAND, 0x10, bytes, 4), ::tlm::TLM_COMMAND_ERROR_RESPONSE,
         "The command is neither read nor write, or there is no data.");
  b.write(WaveReg::instruction, 0);
  b.write(WaveReg::d, 0);
  b.write(WaveReg::a, 20);
  b.write(WaveReg::b, 21);
  b.write(WaveReg::c, no_register);
  b.write(WaveReg::modifiers, 3);
  expect(b.write(WaveReg::start, 1), ::tlm::TLM_GENERIC_ERROR_RESPONSE,
         "cbsz is 3, but cdna2:v_mfma_f32_16x16x1f32 takes 0 to 2.");
  b.write(WaveReg::modifiers, 0);
  b.write(WaveReg::a, 2);
  expect(b.write(WaveReg::start, 1), ::tlm::TLM_GENERIC_ERROR_RESPONSE,
         "D takes v[0:15], which overlaps A in v2; take other registers.");
  // What lies beyond the last register is none, whatever its low bits name.
  b.write(WaveReg::d, 512);
  for (const std::uint32_t number : {0x400U, 0x10000000U, 0xfffffc00U}) {
    b.write(WaveReg::a, number);
    const std::string sentence =
        "A is " + std::to_string(number) + "; it takes a register's number, + 512 of the accumulation bank.";
    expect(b.write(WaveReg::start, 1), ::tlm::TLM_GENERIC_ERROR_RESPONSE, sentence.c_str());
  }
  b.write(WaveReg::a, no_register);
  expect(b.write(WaveReg::start, 1), ::tlm::TLM_GENERIC_ERROR_RESPONSE,
         "A is 0xffffffff, none; only C and scales may be none.");
  b.write(WaveReg::a, 2);
  b.write(WaveReg::c, 0xfffffffe);
  expect(b.write(WaveReg::start, 1), ::tlm::TLM_GENERIC_ERROR_RESPONSE,
         "C is 4294967294; it takes a register's number, + 512 of the accumulation bank, or 0xffffffff for none.");
  b.write(WaveReg::c, no_register);
  b.write(WaveReg::modifiers, 0x10000);
  expect(b.write(WaveReg::start, 1), ::tlm::TLM_GENERIC_ERROR_RESPONSE,
         "MODIFIERS has a reserved bit set, one of 31..16.");
  b.write(WaveReg::modifiers, 0);
  EXPECT_EQ(b.read(WaveReg::operations), operations);
}

}  // namespace
}  // namespace assay::bus
