#include "tb/devices/host/power.hpp"

#include "tb/devices/host/kernels.hpp"

#if defined(__powerpc64__)
#include <sys/auxv.h>
#endif

namespace assay::host {
namespace {

// What an instruction reads and writes: a in one vector register (of 64-bit elements in two), b in one, c and d in the
// four of an accumulator.
struct Registers {
  alignas(16) std::uint64_t a[4], b[2], acc[8];
};

#if defined(__powerpc64__)

constexpr unsigned long mma_bit = 0x00020000;  // PPC_FEATURE2_MMA, which older headers lack

bool has_mma() { return (getauxval(AT_HWCAP2) & mma_bit) != 0; }

// Accumulator 1 (vs4 to vs7), a in vs34 and vs35, b in vs36:
// | 59: six bits | accumulator: three | 0: two | a: five | b: five | extended opcode: eight | a's sixth | b's | 0 |
template <unsigned extended_opcode>
void execute(Registers& r) {
  constexpr unsigned word = 59u << 26 | 1u << 23 | 2u << 16 | 4u << 11 | extended_opcode << 3 | 1u << 2 | 1u << 1;
  asm volatile(
      ".machine push\n .machine power10\n"
      "lxv 4, 0(%[acc])\n lxv 5, 16(%[acc])\n lxv 6, 32(%[acc])\n lxv 7, 48(%[acc])\n"
      "xxmtacc 1\n"
      "lxv 34, 0(%[a])\n lxv 35, 16(%[a])\n lxv 36, 0(%[b])\n"
      ".long %[word]\n"
      "xxmfacc 1\n"
      "stxv 4, 0(%[acc])\n stxv 5, 16(%[acc])\n stxv 6, 32(%[acc])\n stxv 7, 48(%[acc])\n"
      ".machine pop" ::[acc] "b"(r.acc),
      [a] "b"(r.a), [b] "b"(r.b), [word] "i"(word)
      : "fr4", "fr5", "fr6", "fr7", "v2", "v3", "v4", "memory");
}

#else

bool has_mma() { return false; }

template <unsigned>
void execute(Registers&) {
  of_another_processor();
}

#endif

// The elements of one row of A, or column of B, in a word: term 0 in its most significant part.
std::uint64_t packed(const Bits* codes, int k, int bits) {
  std::uint64_t word = 0;
  for (int i = 0; i < k; ++i) word = (bits < 64 ? word << bits : 0) | codes[i];
  return word;
}

// One word in every row, one in every column, one in every element of the accumulator.
template <unsigned extended_opcode, class Word>
Bits outer_product(const Bits* a, const Bits* b, Bits c, int k) {
  constexpr int word_bits = 8 * sizeof(Word);
  const auto all = [](std::uint64_t* registers, int count, std::uint64_t word) {
    for (int i = 0; i < count; ++i) registers[i] = word_bits < 64 ? word << 32 | word : word;
  };
  Registers r;
  all(r.a, 4, packed(a, k, word_bits / k));
  all(r.b, 2, packed(b, k, word_bits / k));
  all(r.acc, 8, c);
  execute<extended_opcode>(r);
  return agreed_in<Word>(r.acc, sizeof r.acc);
}

template <unsigned extended_opcode, class Word = std::uint32_t>
HostInstruction row(const char* name, int k) {
  return {std::string("power10:") + name, k,
          [k](const Bits* a, const Bits* b, Bits c) { return outer_product<extended_opcode, Word>(a, b, c, k); },
          2 * static_cast<int>(sizeof(Word))};
}

}  // namespace

// The forms: none without accumulation, pp, pn, np and nn with the signs of the product and of c, s saturating.
std::vector<HostUnit> power_units() {
  using Double = std::uint64_t;
  return {{"mma",
           "POWER10 and later processors",
           has_mma,
           {row<51>("xvbf16ger2", 2),
            row<50>("xvbf16ger2pp", 2),
            row<178>("xvbf16ger2pn", 2),
            row<114>("xvbf16ger2np", 2),
            row<242>("xvbf16ger2nn", 2),
            row<19>("xvf16ger2", 2),
            row<18>("xvf16ger2pp", 2),
            row<146>("xvf16ger2pn", 2),
            row<82>("xvf16ger2np", 2),
            row<210>("xvf16ger2nn", 2),
            row<27>("xvf32ger", 1),
            row<26>("xvf32gerpp", 1),
            row<154>("xvf32gerpn", 1),
            row<90>("xvf32gernp", 1),
            row<218>("xvf32gernn", 1),
            row<59, Double>("xvf64ger", 1),
            row<58, Double>("xvf64gerpp", 1),
            row<186, Double>("xvf64gerpn", 1),
            row<122, Double>("xvf64gernp", 1),
            row<250, Double>("xvf64gernn", 1),
            row<75>("xvi16ger2", 2),
            row<107>("xvi16ger2pp", 2),
            row<43>("xvi16ger2s", 2),
            row<42>("xvi16ger2spp", 2),
            row<3>("xvi8ger4", 4),
            row<2>("xvi8ger4pp", 4),
            row<99>("xvi8ger4spp", 4),
            row<35>("xvi4ger8", 8),
            row<34>("xvi4ger8pp", 8)}}};
}

}  // namespace assay::host
