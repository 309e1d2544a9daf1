// What a sweep computes beside the instruction itself: random operands, the registers that hold them, and each d of the
// instruction held to that of the model's C (`assay export --to c --name unit`, which is included before this file).
// Device code where nvcc or hipcc read it; elsewhere, for tests, the host's.
#pragma once

#include <cstdint>

#include "scripts/capture/sweep_plan.hpp"

namespace assay::capture {

// --- random codes ---

ASSAY_SWEEP inline std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

enum class Of { row, column, tile, a, b, c, mask };

ASSAY_SWEEP inline std::uint64_t draw(const SweepPlan& plan, Of of, std::uint64_t index) {
  return mixed(mixed(plan.seed * 8 + static_cast<std::uint64_t>(of)) ^ index);
}

ASSAY_SWEEP inline std::uint64_t ones(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}
ASSAY_SWEEP inline std::uint64_t sign_of(const CodeLayout& f) { return std::uint64_t{1} << (f.exponent + f.mantissa); }
// The greatest exponent field that numbers have.
ASSAY_SWEEP inline int greatest_field(const CodeLayout& f) {
  return static_cast<int>(ones(f.exponent)) - (f.ieee ? 1 : 0);
}

ASSAY_SWEEP inline std::uint64_t random_mantissa(const CodeLayout& f, unsigned kind, std::uint64_t random) {
  const std::uint64_t all = ones(f.mantissa);
  if (kind < 4) return random & all;
  if (kind == 4) return 0;
  if (kind == 5) return all;
  if (kind == 6) return std::uint64_t{1} << random % static_cast<unsigned>(f.mantissa + (f.mantissa == 0)) & all;
  return random & mixed(random) & all;
}

ASSAY_SWEEP inline std::uint64_t random_integer(const CodeLayout& f, std::uint64_t row, std::uint64_t random) {
  const std::uint64_t all = ones(f.mantissa), half = std::uint64_t{1} << (f.mantissa - 1);
  switch (row % 8) {
    case 0: return random % 4;
    case 1: return (random % 2 ? half : half - 1) & all;  // the ends of what is signed
    case 2: return random % 2 ? all : 0;                  // and of what is not
    case 3: return random & mixed(random) & all;
    default: return random & all;
  }
}

// An element of a row (or column) of which `row` says what its elements have in common:
//   | 57 one sign 56 | 52 infinities 48 | 42 mantissas 40 | 34 width 32 | 31 exponent 16 | 10 zeros 8 | 3 kind 0 |
ASSAY_SWEEP inline std::uint64_t random_code(const CodeLayout& f, std::uint64_t row, std::uint64_t random) {
  if (f.exponent == 0) return random_integer(f, row, random);
  const std::uint64_t sign = (row >> 56) % 4 == 0 ? 0 : (random & 1) * sign_of(f);
  const unsigned zeros = row >> 8 & 7, zero_of_8 = zeros == 4 ? 1 : zeros == 5 ? 4 : zeros == 6 ? 7 : 0;
  if ((random >> 1 & 7) < zero_of_8) return sign;
  const int top = static_cast<int>(ones(f.exponent)), greatest = greatest_field(f);
  const unsigned kind = row & 15;
  const std::uint64_t of_exponent = random >> 4 & 0xffff;
  int field = 0;
  if (kind < 2) {
    field = static_cast<int>(of_exponent % static_cast<unsigned>(greatest + 1));
  } else if (kind == 2) {
    field = static_cast<int>(of_exponent % 3);  // subnormal, or hardly normal
  } else if (kind == 3) {
    field = greatest - static_cast<int>(of_exponent % 3);
  } else {
    const int base = static_cast<int>((row >> 16 & 0xffff) % static_cast<unsigned>(greatest + 1));
    field = base + static_cast<int>(of_exponent % (std::uint64_t{1} << 2 * (row >> 32 & 3)));
    if (field > greatest) field = greatest;
  }
  if ((row >> 48 & 15) == 0 && (random >> 20 & 7) == 0) field = top;
  if (field < 0) field = 0;
  return sign | static_cast<std::uint64_t>(field) << f.mantissa | random_mantissa(f, row >> 40 & 7, mixed(random));
}

// --- where cancelling terms stand ---

// In one tile of eight every second term is the one before it with the sign turned, in another every term of the second
// half; some are spared, so that something is left.
ASSAY_SWEEP inline int partner(const SweepPlan& plan, std::uint64_t tile, int k) {
  const std::uint64_t t = draw(plan, Of::tile, tile);
  if ((t & 7) > 1 || (mixed(t ^ static_cast<unsigned>(k)) & 3) == 0) return k;
  if ((t & 7) == 0) return k & ~1;
  return k < plan.k / 2 ? k : k - plan.k / 2;
}

// --- every code ---

// Where plan.every says so, a row holds one code of 16 bits, or two elements of 8, and a column another; all rows meet
// all columns, tile by tile, and then c goes on. Codes of 8 bits with every c of 16 stand alone.
ASSAY_SWEEP inline int row_bits(const SweepPlan& plan) { return plan.every == Every::pair ? 16 : bits_of(plan.a); }
ASSAY_SWEEP inline std::uint64_t blocks_of_a(const SweepPlan& plan) {
  return (1ull << row_bits(plan)) / static_cast<unsigned>(plan.m);
}
ASSAY_SWEEP inline std::uint64_t blocks_of_b(const SweepPlan& plan) {
  return (1ull << row_bits(plan)) / static_cast<unsigned>(plan.n);
}
ASSAY_SWEEP inline std::uint64_t turn(const SweepPlan& plan, std::uint64_t tile) {
  return tile / (blocks_of_a(plan) * blocks_of_b(plan));
}

// Element k of a row whose number among all is `number`.
ASSAY_SWEEP inline std::uint64_t every_code(const SweepPlan& plan, const CodeLayout& f, std::uint64_t tile,
                                            std::uint64_t number, int k) {
  const int first = static_cast<int>(mixed(tile) % static_cast<unsigned>(plan.k));
  const int bits = bits_of(f);
  if (k == first) return number & ones(bits);
  const int second = (first + 1 + static_cast<int>(mixed(tile ^ 1) % static_cast<unsigned>(plan.k - 1))) % plan.k;
  return row_bits(plan) > bits && k == second ? number >> bits : 0;
}

// --- operands, each by its number in the launch ---

ASSAY_SWEEP inline std::uint64_t code_a(const SweepPlan& plan, std::uint64_t tile, int row, int k) {
  if (plan.every != Every::none) {
    const std::uint64_t block = tile / blocks_of_b(plan) % blocks_of_a(plan);
    return every_code(plan, plan.a, tile, block * static_cast<unsigned>(plan.m) + static_cast<unsigned>(row), k);
  }
  const std::uint64_t of = tile * static_cast<unsigned>(plan.m) + static_cast<unsigned>(row);
  return random_code(
      plan.a, draw(plan, Of::row, of),
      draw(plan, Of::a, of * static_cast<unsigned>(plan.k) + static_cast<unsigned>(partner(plan, tile, k))));
}

ASSAY_SWEEP inline std::uint64_t code_b(const SweepPlan& plan, std::uint64_t tile, int column, int k) {
  if (plan.every != Every::none) {
    const std::uint64_t block = tile % blocks_of_b(plan);
    return every_code(plan, plan.b, tile, block * static_cast<unsigned>(plan.n) + static_cast<unsigned>(column), k);
  }
  const std::uint64_t of = tile * static_cast<unsigned>(plan.n) + static_cast<unsigned>(column);
  const int from = partner(plan, tile, k);
  const std::uint64_t code =
      random_code(plan.b, draw(plan, Of::column, of),
                  draw(plan, Of::b, of * static_cast<unsigned>(plan.k) + static_cast<unsigned>(from)));
  if (from == k || plan.b.exponent == 0) return code;
  return code ^ sign_of(plan.b);
}

ASSAY_SWEEP inline int field_of(const CodeLayout& f, std::uint64_t code) {
  return static_cast<int>(code >> f.mantissa & ones(f.exponent));
}
ASSAY_SWEEP inline int bias_of(const CodeLayout& f) { return static_cast<int>(ones(f.exponent - 1)); }

// About minus the product of two codes, in c's format; 0 where it has none such.
ASSAY_SWEEP inline std::uint64_t minus_product(const SweepPlan& plan, std::uint64_t a, std::uint64_t b) {
  const int field_a = field_of(plan.a, a), field_b = field_of(plan.b, b);
  if (field_a == 0 || field_b == 0) return 0;
  const int width = plan.a.mantissa + plan.b.mantissa;
  if (width > 62) return 0;
  const std::uint64_t x = (a & ones(plan.a.mantissa)) | std::uint64_t{1} << plan.a.mantissa;
  const std::uint64_t y = (b & ones(plan.b.mantissa)) | std::uint64_t{1} << plan.b.mantissa;
  std::uint64_t product = x * y;  // in [1, 4) x 2^width
  int field = field_a - bias_of(plan.a) + field_b - bias_of(plan.b) + bias_of(plan.c);
  int at = width;
  if (product >> (width + 1) != 0) {
    ++field;
    ++at;
  }
  if (field <= 0 || field > greatest_field(plan.c)) return 0;
  product = at > plan.c.mantissa ? product >> (at - plan.c.mantissa) : product << (plan.c.mantissa - at);
  const bool negative = ((a & sign_of(plan.a)) != 0) == ((b & sign_of(plan.b)) != 0);
  return (negative ? sign_of(plan.c) : 0) | static_cast<std::uint64_t>(field) << plan.c.mantissa |
         (product & ones(plan.c.mantissa));
}

// c near the products: no numbers, zeros, tiny ones, about minus the first product, or an exponent near that product's.
ASSAY_SWEEP inline std::uint64_t code_c(const SweepPlan& plan, std::uint64_t tile, int row, int column) {
  const CodeLayout& f = plan.c;
  const std::uint64_t of =
      (tile * static_cast<unsigned>(plan.m) + static_cast<unsigned>(row)) * static_cast<unsigned>(plan.n) +
      static_cast<unsigned>(column);
  const std::uint64_t random = draw(plan, Of::c, of), kind = random >> 60;
  if (plan.every == Every::one_with_c) return turn(plan, tile) & ones(bits_of(f));
  if (plan.every != Every::none && turn(plan, tile) == 0) return 0;
  if (f.exponent == 0) {
    const std::uint64_t all = ones(f.mantissa), half = std::uint64_t{1} << (f.mantissa - 1);
    if (kind < 4) return random & all;
    if (kind < 8) return (half - 1 - random % 0x10000) & all;  // near the greatest
    if (kind < 12) return half + random % 0x10000;             // and the least
    return random % 0x100;
  }
  if (kind < 2) return random & ones(bits_of(f));
  if (kind == 2) {  // a zero, an infinity, any NaN
    const unsigned which = random >> 8 & 3;
    const std::uint64_t top = ones(f.exponent) << f.mantissa;
    const std::uint64_t magnitude = which < 2 ? 0 : which == 2 ? top : top | (mixed(random) & ones(f.mantissa));
    return (random & 1) * sign_of(f) | magnitude;
  }
  if (kind == 3) return random_code(f, 2, random);
  const int k = plan.every != Every::none ? static_cast<int>(mixed(tile) % static_cast<unsigned>(plan.k)) : 0;
  const std::uint64_t a = code_a(plan, tile, row, k), b = code_b(plan, tile, column, k);
  if (kind < 7) {
    const std::uint64_t minus = minus_product(plan, a, b);
    return kind == 6 && minus != 0 ? minus ^ (random & 7) : minus;
  }
  const int about = field_of(plan.a, a) - bias_of(plan.a) + field_of(plan.b, b) - bias_of(plan.b) + bias_of(f);
  const int reach = kind < 10 ? 3 : kind < 13 ? 12 : 40;
  int field = about - reach + static_cast<int>((random >> 8 & 0xff) % static_cast<unsigned>(2 * reach + 1));
  const int greatest = greatest_field(f);
  if (field < 0) field = 0;
  if (field > greatest) field = greatest;
  return (random & 1) * sign_of(f) | static_cast<std::uint64_t>(field) << f.mantissa |
         random_mantissa(f, random >> 20 & 7, mixed(random));
}

// Of a sparse A: whether element k of a row is there. Half of each `among` neighbours are.
ASSAY_SWEEP inline bool is_there(const SweepPlan& plan, std::uint64_t tile, int row, int k) {
  const int group = k / plan.among, place = k % plan.among;
  const std::uint64_t random =
      draw(plan, Of::mask,
           (tile * static_cast<unsigned>(plan.m) + static_cast<unsigned>(row)) * static_cast<unsigned>(plan.k) +
               static_cast<unsigned>(group));
  if (plan.among == 2) return place == static_cast<int>(random & 1);
  const int six[] = {0x3, 0x5, 0x9, 0x6, 0xa, 0xc};  // two of four
  return (six[random % 6] >> place & 1) != 0;
}

// --- what each thread does; `i` is the thread's number ---

template <class A>
ASSAY_SWEEP void make_a(const SweepPlan& plan, A* a, std::uint64_t i) {
  const auto k = static_cast<unsigned>(plan.k), m = static_cast<unsigned>(plan.m);
  a[i] = static_cast<A>(code_a(plan, plan.first + i / (k * m), static_cast<int>(i / k % m), static_cast<int>(i % k)));
}
template <class B>
ASSAY_SWEEP void make_b(const SweepPlan& plan, B* b, std::uint64_t i) {
  const auto k = static_cast<unsigned>(plan.k), n = static_cast<unsigned>(plan.n);
  b[i] = static_cast<B>(code_b(plan, plan.first + i / (k * n), static_cast<int>(i / k % n), static_cast<int>(i % k)));
}
template <class C>
ASSAY_SWEEP void make_c(const SweepPlan& plan, C* c, std::uint64_t i) {
  const auto m = static_cast<unsigned>(plan.m), n = static_cast<unsigned>(plan.n);
  c[i] = static_cast<C>(code_c(plan, plan.first + i / (n * m), static_cast<int>(i / n % m), static_cast<int>(i % n)));
}

// A row of a sparse A: the mask, what is there, and of each which neighbour it is, as PTX writes it.
template <class A>
ASSAY_SWEEP void halve(const SweepPlan& plan, const A* a, std::uint8_t* mask, A* half, std::uint8_t* indices,
                       std::uint64_t row) {
  const auto k = static_cast<unsigned>(plan.k), m = static_cast<unsigned>(plan.m);
  std::uint64_t to = row * k / 2;
  for (unsigned i = 0; i < k; ++i) {
    const bool there = is_there(plan, plan.first + row / m, static_cast<int>(row % m), static_cast<int>(i));
    mask[row * k + i] = there;
    if (!there) continue;
    const unsigned place = i % static_cast<unsigned>(plan.among);
    half[to] = a[row * k + i];
    indices[to++] = static_cast<std::uint8_t>(plan.among == 2 ? (place == 0 ? 0x4 : 0xe) : place);
  }
}

// A word of the registers of an operand: the elements, or parts of one, that it holds.
template <class Code>
ASSAY_SWEEP void pack(const SweptOperand& operand, const SweptPiece* pieces, const Code* codes, std::uint32_t* words,
                      std::uint64_t i) {
  const auto of_tile = static_cast<unsigned>(operand.words), at = static_cast<unsigned>(i % of_tile);
  codes += i / of_tile * static_cast<unsigned>(operand.elements);
  std::uint32_t word = 0;
  for (int p = 0; p < operand.pieces; ++p) {
    const SweptPiece piece = pieces[at * static_cast<unsigned>(operand.pieces) + static_cast<unsigned>(p)];
    if (piece.element < 0) continue;
    word |= static_cast<std::uint32_t>(static_cast<std::uint64_t>(codes[piece.element]) >> piece.right) << piece.left;
  }
  words[i] = word;
}

// The d of element i, out of the registers of d.
template <class D>
ASSAY_SWEEP D taken(const SweptOperand& operand, const SweptSpot* spots, const std::uint32_t* words, std::uint64_t i) {
  const auto elements = static_cast<unsigned>(operand.elements);
  const SweptSpot spot = spots[i % elements];
  words += i / elements * static_cast<unsigned>(operand.words) + static_cast<unsigned>(spot.word);
  std::uint64_t code = words[0];
  if (sizeof(D) == 8) code |= static_cast<std::uint64_t>(words[1]) << 32;
  return static_cast<D>(code >> spot.bit);
}

// --- the model's own d ---

template <class>
struct Declared;
template <class ACode, class BCode, class CCode, class DCode, class Places>
struct Declared<DCode(const ACode*, const BCode*, CCode, Places*)> {
  using A = ACode;
  using B = BCode;
  using C = CCode;
  using D = DCode;
  static constexpr bool sparse = false;
};
template <class ACode, class BCode, class CCode, class DCode, class Places>
struct Declared<DCode(const ACode*, const BCode*, CCode, const std::uint8_t*, Places*)>
    : Declared<DCode(const ACode*, const BCode*, CCode, Places*)> {
  static constexpr bool sparse = true;
};
using Model = Declared<decltype(unit::dot)>;

// Looked at where it is called, so that a unit need not take what another takes.
template <class... Arguments>
ASSAY_SWEEP Model::D unit_dot(Arguments... arguments) {
  return unit::dot(arguments..., nullptr);
}

template <class M = Model>
ASSAY_SWEEP typename M::D model_d(const SweepPlan& plan, const typename M::A* a, const typename M::B* b,
                                  const typename M::C* c, [[maybe_unused]] const std::uint8_t* mask, std::uint64_t i) {
  const auto m = static_cast<unsigned>(plan.m), n = static_cast<unsigned>(plan.n), k = static_cast<unsigned>(plan.k);
  const std::uint64_t row = i / n, column = i / (n * m) * n + i % n;
  if constexpr (M::sparse) {
    return unit_dot(a + row * k, b + column * k, c[i], mask + row * k);
  } else {
    return unit_dot(a + row * k, b + column * k, c[i]);
  }
}

}  // namespace assay::capture
