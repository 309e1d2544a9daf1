// A platform that does a convolution end to end: a host drives tensor memory over its TLM-2.0 socket, activations in
// the lanes, shifted from one s to the next, lanes whose activation is padding disabled.
//
//   O[n][p][q][k] = sum over r, s, c of A[n][p + r][q - 1 + s][c] x W[k][r][s][c]
//
// It is the worked example of the published description: two images of 9 x 9, 3 x 3 weights, P = 7, Q = 9.
#include <tlm_utils/simple_initiator_socket.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "model/config/catalogue.hpp"
#include "model/tlm/machine/tensor_target.hpp"

using assay::bus::TensorCommand;
using assay::bus::TensorReg;

namespace machine = assay::machine;

constexpr int N = 2, H = 9, W = 9, C = 16, K = 16, R = 3, S = 3, P = 7, Q = 9;
constexpr int lanes = N * Q;                                        // an output (n, q) a lane
constexpr std::uint32_t weights_at = 65536;                         // in shared memory; activations are at 0
constexpr std::uint32_t d_column = 0, a_column = 32, columns = 32;  // of tensor memory

// Small numbers, which are exact as f16 as their sums are as f32.
int activation(int n, int h, int w, int c) { return (3 * n + 5 * h + 7 * w + 2 * c) % 9 - 4; }
int weight(int k, int r, int s, int c) { return (2 * k + 3 * r + 5 * s + c) % 7 - 3; }

std::uint32_t f16_of(int number) {
  if (number == 0) return 0;
  const int magnitude = std::abs(number), exponent = std::ilogb(magnitude);
  const auto fraction = static_cast<std::uint32_t>(magnitude << (10 - exponent)) & 0x3ff;
  return (number < 0 ? 0x8000U : 0U) | static_cast<std::uint32_t>(exponent + 15) << 10 | fraction;
}

struct Host : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Host> socket{"socket"};
  const assay::bus::TensorTarget& target;  // for its sentence, where it refuses something
  std::vector<float> outputs;              // n, p, q, k
  sc_core::sc_time time;

  Host(const sc_core::sc_module_name& name, const assay::bus::TensorTarget& of) : sc_core::sc_module(name), target(of) {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }

  // --- transactions ---

  void send(tlm::tlm_command command, std::uint64_t address, std::uint32_t* words, std::size_t count) {
    tlm::tlm_generic_payload payload;  // this machine and the bus are little-endian
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(words));
    payload.set_data_length(static_cast<unsigned>(4 * count));
    payload.set_streaming_width(static_cast<unsigned>(4 * count));
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    if (!payload.is_response_ok()) throw assay::Error{target.why()};
    wait(delay);
  }
  void set(TensorReg reg, std::uint32_t word) {
    send(tlm::TLM_WRITE_COMMAND, static_cast<std::uint64_t>(reg), &word, 1);
  }
  void command(TensorCommand what) { set(TensorReg::command, static_cast<std::uint32_t>(what)); }
  void set_descriptor(TensorReg low, TensorReg high, std::uint32_t start) {
    const std::uint64_t bits = machine::descriptor_bits({start, 128, 256, 16});
    set(low, static_cast<std::uint32_t>(bits));
    set(high, static_cast<std::uint32_t>(bits >> 32));
  }

  // 16 channels, two a word: 32 bytes, as two pieces of 16 that lie 128 bytes apart.
  void put_row(std::uint32_t matrix, int row, std::vector<std::uint32_t> words) {
    const auto at = assay::bus::shared_window + matrix + static_cast<std::uint64_t>(row / 8 * 256 + row % 8 * 16);
    send(tlm::TLM_WRITE_COMMAND, at, words.data(), 4);
    send(tlm::TLM_WRITE_COMMAND, at + 128, words.data() + 4, 4);
  }
  template <class Number>
  static std::vector<std::uint32_t> packed(Number&& number) {
    std::vector<std::uint32_t> words;
    for (int c = 0; c < C; c += 2) words.push_back(f16_of(number(c)) | f16_of(number(c + 1)) << 16);
    return words;
  }

  // ld and st of 32 lanes: `count` columns from `column` on.
  void move(TensorCommand what, std::uint32_t column, std::uint32_t count) {
    set(TensorReg::shape, 0);  // 32x32b
    set(TensorReg::repeat, count);
    set(TensorReg::address, column);
    command(what);
  }

  // --- the convolution ---

  static bool is_padding(int lane, int s) { return lane % Q - 1 + s < 0 || lane % Q - 1 + s >= W; }

  // What a lane holds at s; where that is padding, what its neighbour will need next.
  static std::vector<std::uint32_t> content(int p, int r, int s, int lane) {
    if (is_padding(lane, s) && lane > 0)
      return s + 1 < S ? content(p, r, s + 1, lane - 1) : packed([](int) { return 0; });
    if (is_padding(lane, s)) return packed([](int) { return 0; });
    return packed([&](int c) { return activation(lane / Q, p + r, lane % Q - 1 + s, c); });
  }

  void run() {
    load_weights();
    set(TensorReg::columns, columns);
    command(TensorCommand::alloc);  // columns 0 to 31: D
    command(TensorCommand::alloc);  // 32 to 63: activations
    for (int p = 0; p < P; ++p) row_of_outputs(p);
    time = sc_core::sc_time_stamp();
  }

  void load_weights() {
    for (int r = 0; r < R; ++r) {
      for (int s = 0; s < S; ++s) {
        for (int k = 0; k < K; ++k)
          put_row(weights_at + static_cast<std::uint32_t>(r * S + s) * 512, k,
                  packed([&](int c) { return weight(k, r, s, c); }));
      }
    }
  }

  void row_of_outputs(int p) {
    std::vector<std::uint32_t> zeros(32 * K);
    send(tlm::TLM_WRITE_COMMAND, assay::bus::warp_window, zeros.data(), zeros.size());
    move(TensorCommand::st, d_column, K);
    for (int r = 0; r < R; ++r) {
      fill(p, r);
      for (int s = 0; s < S; ++s) {
        if (s > 0) shift(p, r, s);
        multiply(r, s);
      }
    }
    move(TensorCommand::ld, d_column, K);
    std::vector<std::uint32_t> words(32 * K);
    send(tlm::TLM_READ_COMMAND, assay::bus::warp_window, words.data(), words.size());
    for (int lane = 0; lane < lanes; ++lane) {
      for (int k = 0; k < K; ++k) {
        float value = 0;
        std::memcpy(&value, &words[static_cast<std::size_t>(32 * k + lane)], sizeof value);
        outputs.push_back(value);
      }
    }
  }

  // s = 0: all lanes, by way of shared memory.
  void fill(int p, int r) {
    for (int lane = 0; lane < lanes; ++lane) put_row(0, lane, content(p, r, 0, lane));
    set_descriptor(TensorReg::a_low, TensorReg::a_high, 0);
    set(TensorReg::shape, 0);  // 128x256b
    set(TensorReg::address, a_column);
    command(TensorCommand::cp);
  }

  // Each lane takes its neighbour's; the last output's activation is the only new one.
  void shift(int p, int r, int s) {
    set(TensorReg::address, a_column);
    command(TensorCommand::shift);
    if (is_padding(lanes - 1, s)) return;
    move(TensorCommand::ld, a_column, C / 2);
    std::vector<std::uint32_t> words = content(p, r, s, lanes - 1);
    for (std::uint32_t i = 0; i < C / 2; ++i)
      send(tlm::TLM_WRITE_COMMAND, assay::bus::warp_window + 4 * (32 * i + lanes - 1), &words[i], 1);
    move(TensorCommand::st, a_column, C / 2);
  }

  void multiply(int r, int s) {
    machine::MmaShape shape;
    shape.m = 128;
    shape.n = K;
    shape.a = shape.b = "f16";
    shape.d = "f32";
    set(TensorReg::kind, 0);
    set(TensorReg::instruction, machine::instruction_descriptor_bits(machine::MmaKind::f16, shape));
    set_descriptor(TensorReg::b_low, TensorReg::b_high, weights_at + static_cast<std::uint32_t>(r * S + s) * 512);
    set(TensorReg::a_address, a_column);
    set(TensorReg::address, d_column);
    set(TensorReg::flags, 1 | 2);  // D enters; A is in tensor memory
    std::uint32_t disabled = ~0U << lanes;
    for (int lane = 0; lane < lanes; ++lane) disabled |= (is_padding(lane, s) ? 1U : 0U) << lane;
    for (std::uint64_t i = 0; i < 4; ++i) {
      std::uint32_t word = i == 0 ? disabled : ~0U;
      send(tlm::TLM_WRITE_COMMAND, static_cast<std::uint64_t>(TensorReg::disabled) + 4 * i, &word, 1);
    }
    command(TensorCommand::mma);
  }
};

// Plain loops.
int wanted(int n, int p, int q, int k) {
  int sum = 0;
  for (int r = 0; r < R; ++r) {
    for (int s = 0; s < S; ++s) {
      const int w = q - 1 + s;
      for (int c = 0; c < C && w >= 0 && w < W; ++c) sum += activation(n, p + r, w, c) * weight(k, r, s, c);
    }
  }
  return sum;
}

int sc_main(int, char**) try {
  const assay::Catalogue catalogue(CATALOGUE);
  const machine::MmaDatapath datapath(
      catalogue.plan_of(catalogue.instruction("blackwell:tcgen05.mma.m128nNk16.f32.f16.f16")));
  assay::bus::TensorTarget tensor("tensor", [&](const machine::MmaShape&) { return &datapath; });
  Host host("host", tensor);
  host.socket.bind(tensor.socket);
  sc_core::sc_start();

  int same = 0, count = 0;
  for (int p = 0; p < P; ++p) {
    for (int lane = 0; lane < lanes; ++lane) {
      for (int k = 0; k < K; ++k, ++count)
        same +=
            host.outputs.at(static_cast<std::size_t>(count)) == static_cast<float>(wanted(lane / Q, p, lane % Q, k));
    }
  }
  const machine::TensorMachine& done = tensor.machine();
  std::printf("%d of %d outputs are those of plain loops; %llu products, %llu Dwords of weights, %llu copied, %s\n",
              same, count, static_cast<unsigned long long>(done.counts().operations),
              static_cast<unsigned long long>(done.counts().b_dwords),
              static_cast<unsigned long long>(done.tensor.dwords_copied()), host.time.to_string().c_str());
  return same == count ? 0 : 1;
} catch (const assay::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 2;
}
