#include "tb/devices/host/power.hpp"

#include <array>
#include <utility>

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

constexpr unsigned no_operation = 24u << 26;

// | 1: six bits | 0x390: ten | terms: eight, of which the first k count | rows: four | columns: four, of f64 two |
constexpr unsigned prefix_of(unsigned terms, int k, unsigned columns) {
  return 0x0790u << 16 | terms << (16 - k) | 0xfu << 4 | columns;
}

#if defined(__powerpc64__)

constexpr unsigned long mma_bit = 0x00020000;  // PPC_FEATURE2_MMA, which older headers lack

bool has_mma() { return (getauxval(AT_HWCAP2) & mma_bit) != 0; }

// Accumulator 1 (vs4 to vs7), a in vs34 and vs35, b in vs36. A prefix of `no_operation` is an instruction of its own;
// with one the two are one instruction, which may not cross 64 bytes: | 59: six bits | accumulator: three | 0: two | a:
// five | b: five | extended opcode: eight | a's sixth | b's | 0 |
template <unsigned extended_opcode, unsigned prefix>
void execute(Registers& r) {
  constexpr unsigned word = 59u << 26 | 1u << 23 | 2u << 16 | 4u << 11 | extended_opcode << 3 | 1u << 2 | 1u << 1;
  asm volatile(
      ".machine push\n .machine power10\n"
      "lxv 4, 0(%[acc])\n lxv 5, 16(%[acc])\n lxv 6, 32(%[acc])\n lxv 7, 48(%[acc])\n"
      "xxmtacc 1\n"
      "lxv 34, 0(%[a])\n lxv 35, 16(%[a])\n lxv 36, 0(%[b])\n"
      ".balign 8\n"
      ".long %[prefix], %[word]\n"
      "xxmfacc 1\n"
      "stxv 4, 0(%[acc])\n stxv 5, 16(%[acc])\n stxv 6, 32(%[acc])\n stxv 7, 48(%[acc])\n"
      ".machine pop" ::[acc] "b"(r.acc),
      [a] "b"(r.a), [b] "b"(r.b), [prefix] "i"(prefix), [word] "i"(word)
      : "fr4", "fr5", "fr6", "fr7", "v2", "v3", "v4", "memory");
}

#else

bool has_mma() { return false; }

template <unsigned, unsigned>
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
template <class Word>
Bits outer_product(void (*execute)(Registers&), const Bits* a, const Bits* b, Bits c, int k) {
  constexpr int word_bits = 8 * sizeof(Word);
  const auto all = [](std::uint64_t* registers, int count, std::uint64_t word) {
    for (int i = 0; i < count; ++i) registers[i] = word_bits < 64 ? word << 32 | word : word;
  };
  Registers r;
  all(r.a, 4, packed(a, k, word_bits / k));
  all(r.b, 2, packed(b, k, word_bits / k));
  all(r.acc, 8, c);
  execute(r);
  return agreed_in<Word>(r.acc, sizeof r.acc);
}

template <class Word>
HostInstruction row_of(const std::string& name, int k, void (*execute)(Registers&)) {
  return {"power10:" + name, k,
          [=](const Bits* a, const Bits* b, Bits c) { return outer_product<Word>(execute, a, b, c, k); },
          2 * static_cast<int>(sizeof(Word))};
}

// The mask of terms is part of the instruction: a function for each. Term 0 is the leftmost bit.
template <unsigned extended_opcode, int k, unsigned... terms>
HostInstruction masked_row(const std::string& name, std::integer_sequence<unsigned, terms...>) {
  static constexpr std::array<void (*)(Registers&), sizeof...(terms)> table{
      execute<extended_opcode, prefix_of(terms, k, 0xf)>...};
  HostInstruction instruction = row_of<std::uint32_t>(name, k, table.back());
  instruction.masked = [](const Bits* a, const Bits* b, Bits c, const Bits* mask) {
    std::size_t on = 0;
    for (int i = 0; i < k; ++i) on = on << 1 | (mask[i] & 1);
    return outer_product<std::uint32_t>(table[on], a, b, c, k);
  };
  return instruction;
}

using Rows = std::vector<HostInstruction>;

// An instruction, and its prefixed form with all rows and columns on. Where k is 1 that has no mask of terms.
template <unsigned extended_opcode, int k, class Word = std::uint32_t>
void add(Rows& rows, const std::string& name) {
  rows.push_back(row_of<Word>(name, k, execute<extended_opcode, no_operation>));
  if constexpr (k == 1) {
    constexpr unsigned columns = sizeof(Word) == 8 ? 0xc : 0xf;
    rows.push_back(row_of<Word>("pm" + name, k, execute<extended_opcode, prefix_of(0, k, columns)>));
  } else {
    rows.push_back(masked_row<extended_opcode, k>("pm" + name, std::make_integer_sequence<unsigned, 1u << k>()));
  }
}

}  // namespace

// The forms: none without accumulation, pp, pn, np and nn with the signs of the product and of c, s saturating.
std::vector<HostUnit> power_units() {
  using Double = std::uint64_t;
  Rows rows;
  add<51, 2>(rows, "xvbf16ger2");
  add<50, 2>(rows, "xvbf16ger2pp");
  add<178, 2>(rows, "xvbf16ger2pn");
  add<114, 2>(rows, "xvbf16ger2np");
  add<242, 2>(rows, "xvbf16ger2nn");
  add<19, 2>(rows, "xvf16ger2");
  add<18, 2>(rows, "xvf16ger2pp");
  add<146, 2>(rows, "xvf16ger2pn");
  add<82, 2>(rows, "xvf16ger2np");
  add<210, 2>(rows, "xvf16ger2nn");
  add<27, 1>(rows, "xvf32ger");
  add<26, 1>(rows, "xvf32gerpp");
  add<154, 1>(rows, "xvf32gerpn");
  add<90, 1>(rows, "xvf32gernp");
  add<218, 1>(rows, "xvf32gernn");
  add<59, 1, Double>(rows, "xvf64ger");
  add<58, 1, Double>(rows, "xvf64gerpp");
  add<186, 1, Double>(rows, "xvf64gerpn");
  add<122, 1, Double>(rows, "xvf64gernp");
  add<250, 1, Double>(rows, "xvf64gernn");
  add<75, 2>(rows, "xvi16ger2");
  add<107, 2>(rows, "xvi16ger2pp");
  add<43, 2>(rows, "xvi16ger2s");
  add<42, 2>(rows, "xvi16ger2spp");
  add<3, 4>(rows, "xvi8ger4");
  add<2, 4>(rows, "xvi8ger4pp");
  add<99, 4>(rows, "xvi8ger4spp");
  add<35, 8>(rows, "xvi4ger8");
  add<34, 8>(rows, "xvi4ger8pp");
  return {{"mma", "POWER10 and later processors", has_mma, std::move(rows)}};
}

}  // namespace assay::host
