#include "tb/source/c_words.hpp"

#include <algorithm>

#include "model/base/hex.hpp"
#include "model/base/text.hpp"
#include "tb/source/fill.hpp"

namespace assay {
namespace {

bool looks_at_sign(Cut cut) { return cut == Cut::down || cut == Cut::up || cut == Cut::nearest_up; }

// Whether `name` stands in `text` as a word of its own.
bool asks_for(const std::string& text, const std::string& name) {
  const auto is_part = [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

// --- magnitudes ---

constexpr const char* one_word = R"(
// Shifts that are defined for every distance; none is below zero.
FN magnitude_t m_left(magnitude_t m, int32_t by) { return (uint32_t)by > 63 ? 0 : m << by; }
)";

constexpr const char* one_word_right =
    R"(FN magnitude_t m_right(magnitude_t m, int32_t by) { return (uint32_t)by > 63 ? 0 : m >> by; }
)";

constexpr const char* one_word_low = R"(
// The low bits, so many of them.
FN magnitude_t m_low(magnitude_t m, int32_t bits) { return (uint32_t)bits > 63 ? m : m & (((magnitude_t)1 << bits) - 1); }
)";

constexpr const char* one_word_bits = R"(
// How many bits it takes to write it:  0 0 1 x x x  takes 4.
FN int32_t m_bits(magnitude_t m) {
  int32_t bits = 0;
  for (int32_t half = 32; half > 0; half /= 2) {
    const int32_t by = m >> half != 0 ? half : 0;
    m >>= by;
    bits += by;
  }
  return bits + (m != 0);
}
)";

constexpr const char* two_words = R"(
FN magnitude_t m_of(uint64_t high, uint64_t low) {
  magnitude_t m;
  m.low = low;
  m.high = high;
  return m;
}
FN bool m_is_zero(magnitude_t m) { return m.low == 0 && m.high == 0; }
)";

constexpr const char* two_words_left = R"(
// Shifts that are defined for every distance; none is below zero.
FN magnitude_t m_left(magnitude_t m, int32_t by) {
  if ((uint32_t)by > 127) return m_of(0, 0);
  if (by > 63) return m_of(m.low << (by - 64), 0);
  return by == 0 ? m : m_of(m.high << by | m.low >> (64 - by), m.low << by);
}
)";

constexpr const char* two_words_right = R"(
FN magnitude_t m_right(magnitude_t m, int32_t by) {
  if ((uint32_t)by > 127) return m_of(0, 0);
  if (by > 63) return m_of(0, m.high >> (by - 64));
  return by == 0 ? m : m_of(m.high >> by, m.low >> by | m.high << (64 - by));
}
)";

constexpr const char* two_words_low = R"(
// The low bits, so many of them.
FN magnitude_t m_low(magnitude_t m, int32_t bits) {
  if ((uint32_t)bits > 127) return m;
  if (bits > 63) return m_of(m.high & (((uint64_t)1 << (bits - 64)) - 1), m.low);
  return m_of(0, m.low & (((uint64_t)1 << bits) - 1));
}
)";

constexpr const char* two_words_bits = R"(
// How many bits it takes to write it:  0 0 1 x x x  takes 4.
FN int32_t m_bits(magnitude_t m) {
  uint64_t word = m.high != 0 ? m.high : m.low;
  int32_t bits = m.high != 0 ? 64 : 0;
  for (int32_t half = 32; half > 0; half /= 2) {
    if (word >> half != 0) {
      word >>= half;
      bits += half;
    }
  }
  return bits + (word != 0);
}
)";

constexpr const char* two_words_plus = R"(
FN magnitude_t m_plus(magnitude_t x, magnitude_t y) {
  const uint64_t low = x.low + y.low;
  return m_of(x.high + y.high + (low < x.low), low);
}
)";

constexpr const char* three_bits = R"(
// Of three, bit by bit: ones where one or three have a one, and where two or three have.
FN magnitude_t m_odd(magnitude_t x, magnitude_t y, magnitude_t z) { return @odd@; }
FN magnitude_t m_most(magnitude_t x, magnitude_t y, magnitude_t z) { return @most@; }
)";

constexpr const char* two_words_or = R"(
FN magnitude_t m_or(magnitude_t x, magnitude_t y) { return m_of(x.high | y.high, x.low | y.low); }
)";

constexpr const char* two_words_same = R"(
FN bool m_is_same(magnitude_t x, magnitude_t y) { return x.low == y.low && x.high == y.high; }
)";

constexpr const char* two_words_negative = R"(
FN bool m_is_negative(magnitude_t m) { return m.high >> 63 != 0; }
)";

constexpr const char* two_words_minus = R"(
FN magnitude_t m_minus(magnitude_t m) { return m_of(~m.high + (m.low == 0), ~m.low + 1); }
)";

constexpr const char* two_words_above = R"(
FN bool m_is_above(magnitude_t x, magnitude_t y) {
  return x.high != y.high ? x.high > y.high : x.low > y.low;
}
)";

constexpr const char* two_words_times = R"(
//        x1 x0
//   x    y1 y0     of 32 bits each, then what the high words bring; the product has no more than 128 bits
FN magnitude_t m_times(magnitude_t x, magnitude_t y) {
  const uint64_t x0 = x.low & 0xffffffff, x1 = x.low >> 32, y0 = y.low & 0xffffffff, y1 = y.low >> 32;
  const uint64_t middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (middle & 0xffffffff);
  const uint64_t high = x1 * y1 + (middle >> 32) + (other >> 32);
  return m_of(high + x.high * y.low + x.low * y.high, x.low * y.low);
}
)";

// --- magnitudes of a type that is given ---

// Its operators may be as wide as they like: every result is cut to its type.
constexpr const char* given_bits = R"(
FN magnitude_t m_of(uint64_t high, uint64_t low) {
  return magnitude_t((@type@(magnitude_t(high)) << 64) | @type@(magnitude_t(low)));
}
FN bool m_is_zero(const magnitude_t &m) { return m == 0; }
FN uint64_t m_word(const magnitude_t &m) { return m.to_uint64(); }
FN bool m_is_same(const magnitude_t &x, const magnitude_t &y) { return x == y; }
FN bool m_is_above(const magnitude_t &x, const magnitude_t &y) { return x > y; }
FN bool m_is_negative(const magnitude_t &m) { return bool(m[@top@]); }
FN magnitude_t m_or(const magnitude_t &x, const magnitude_t &y) { return magnitude_t(x | y); }
FN magnitude_t m_plus(const magnitude_t &x, const magnitude_t &y) { return magnitude_t(x + y); }
FN magnitude_t m_minus(const magnitude_t &m) { return magnitude_t(magnitude_t(0) - m); }
FN magnitude_t m_times(const magnitude_t &x, const magnitude_t &y) { return magnitude_t(x * y); }

// Shifts that are defined for every distance; none is below zero.
FN magnitude_t m_left(const magnitude_t &m, int32_t by) {
  return (uint32_t)by >= @bits@ ? magnitude_t(0) : magnitude_t(m << by);
}
FN magnitude_t m_right(const magnitude_t &m, int32_t by) {
  return (uint32_t)by >= @bits@ ? magnitude_t(0) : magnitude_t(m >> by);
}

// The low bits, so many of them.
FN magnitude_t m_low(const magnitude_t &m, int32_t bits) {
  return (uint32_t)bits >= @bits@ ? m : magnitude_t(m ^ m_left(m_right(m, bits), bits));
}

// How many bits it takes to write it:  0 0 1 x x x  takes 4.
FN int32_t m_bits(const magnitude_t &m) {
  int32_t found = 0;
  for (int32_t i = 0; i < @bits@; ++i) {
    if (m[i]) found = i + 1;
  }
  return found;
}
)";

constexpr const char* given_registers = R"(
// An exact sum in two's complement.
typedef ASSAY_BITS(@bits@) register_t;

FN register_t r_zero() { return register_t(0); }
FN register_t r_shifted(const magnitude_t &m, int32_t by) {
  return (uint32_t)by >= @bits@ ? r_zero() : register_t(register_t(m) << by);
}
FN register_t r_plus(const register_t &x, const register_t &y) { return register_t(x + y); }
FN register_t r_minus(const register_t &x) { return register_t(register_t(0) - x); }
FN bool r_is_negative(const register_t &x) { return bool(x[@bits@ - 1]); }

// Of a sum that is not negative its 124 leading bits, where it has more; ones below are kept in the last of them. No cut
// that follows comes within two bits of it.
FN magnitude_t r_read(const register_t &x, int32_t *below) {
  *below = 0;
  for (int32_t i = 124; i < @bits@; ++i) {
    if (x[i]) *below = i - 123;
  }
  const register_t above = register_t(x >> *below);
  const bool lost = register_t(above << *below) != x;
  return lost ? magnitude_t(magnitude_t(above) | magnitude_t(1)) : magnitude_t(above);
}
)";

// --- exact sums ---

constexpr const char* registers = R"(
// An exact sum in two's complement, the lowest word first.
typedef struct {
  uint64_t word[@words@];
} register_t;

FN register_t r_zero(void) {
  register_t r;
  for (int i = 0; i < @words@; ++i) r.word[i] = 0;
  return r;
}

// magnitude x 2^by
FN register_t r_shifted(magnitude_t m, int32_t by) {
  register_t r = r_zero();
  const uint32_t first = (uint32_t)by / 64, within = (uint32_t)by % 64;
  const uint64_t carried = within == 0 ? 0 : m.low >> (64 - within);
  const uint64_t above = within == 0 ? 0 : m.high >> (64 - within);
  if (first < @words@) r.word[first] = m.low << within;
  if (first + 1 < @words@) r.word[first + 1] = m.high << within | carried;
  if (first + 2 < @words@) r.word[first + 2] = above;
  return r;
}

FN register_t r_plus(register_t x, register_t y) {
  uint64_t carry = 0;
  for (int i = 0; i < @words@; ++i) {
    const uint64_t sum = x.word[i] + y.word[i], with_carry = sum + carry;
    carry = (uint64_t)(sum < x.word[i]) | (uint64_t)(with_carry < sum);
    x.word[i] = with_carry;
  }
  return x;
}

FN register_t r_minus(register_t x) {
  uint64_t carry = 1;
  for (int i = 0; i < @words@; ++i) {
    x.word[i] = ~x.word[i] + carry;
    carry = (uint64_t)(carry != 0 && x.word[i] == 0);
  }
  return x;
}

FN bool r_is_negative(register_t x) { return x.word[@words@ - 1] >> 63 != 0; }
)";

constexpr const char* readout = R"(
// Of a sum that is not negative its 124 leading bits, where it has more; ones below are kept in the last of them. No cut
// that follows comes within two bits of it.
FN magnitude_t r_read(register_t x, int32_t *below) {
  int32_t bits = 0;
  for (int i = 0; i < @words@; ++i) {
    if (x.word[i] != 0) bits = 64 * i + m_bits(m_of(0, x.word[i]));
  }
  *below = bits > 124 ? bits - 124 : 0;
  const int32_t first = *below / 64, within = *below % 64;
  uint64_t part[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    if (first + i < @words@) part[i] = x.word[first + i];
  }
  magnitude_t m = m_of(part[1], part[0]);
  if (within != 0) {
    m = m_right(m, within);
    m.high |= part[2] << (64 - within);
  }
  m.high &= ((uint64_t)1 << 60) - 1;
  bool lost = within != 0 && part[0] << (64 - within) != 0;
  for (int i = 0; i < first; ++i) lost = lost || x.word[i] != 0;
  m.low |= (uint64_t)lost;
  return m;
}
)";

// --- numbers ---

constexpr const char* number_helper = R"(
FN number_t of_kind(kind_t kind, bool negative, magnitude_t magnitude, int32_t exponent, int32_t quantum) {
  const number_t n = {kind, negative,@carried@ exponent, quantum, magnitude};
  return n;
}
FN number_t a_number(bool negative, magnitude_t magnitude, int32_t exponent, int32_t quantum) {
  return of_kind(kind_finite, negative, magnitude, exponent, quantum);
}
FN number_t a_zero(bool negative) { return of_kind(kind_finite, negative, @zero@, no_exponent, 0); }
FN number_t an_infinity(bool negative) { return of_kind(kind_infinity, negative, @zero@, no_exponent, 0); }
FN number_t a_nan(bool negative, magnitude_t payload) { return of_kind(kind_nan, negative, payload, no_exponent, 0); }
)";

constexpr const char* is_zero_helper = R"(
FN bool is_zero(number_t n) { return n.kind == kind_finite && @is_zero@; }
)";

constexpr const char* larger_helper = R"(FN int32_t larger(int32_t x, int32_t y) { return x > y ? x : y; }
)";

constexpr const char* leading_helper = R"(
// The place of the leading one of a number that is not zero.
FN int32_t leading(number_t n) { return n.quantum + m_bits(n.magnitude) - 1; }
)";

constexpr const char* signalling_helper = R"(
// Of a NaN: the bit above its payload says so.
FN bool is_signalling(number_t n) { return (@low@ & @bit@) != 0; }
)";

// --- what is raised ---

constexpr const char* raises_invalid_helper = R"(
// A NaN is made of numbers and infinities, or a signalling one is read.
static const uint32_t raises_invalid = 1;
)";

constexpr const char* raises_overflow_helper = R"(
// A result is too large.
static const uint32_t raises_overflow = 2;
)";

constexpr const char* raises_underflow_helper = R"(
// A result is too small, and not exact.
static const uint32_t raises_underflow = 4;
)";

constexpr const char* raises_inexact_helper = R"(
// Ones are lost.
static const uint32_t raises_inexact = 8;
)";

constexpr const char* raising_helper = R"(
// A number, and that it raises more than what led to it.
FN number_t raising(number_t n, uint32_t more) {
  n.raised |= more;
  return n;
}
)";

constexpr const char* reading_helper = R"(
// By what led to a number, and by an operation that reads it.
FN uint32_t raised_reading(number_t n) {
  return n.raised | (n.kind == kind_nan && is_signalling(n) ? raises_invalid : 0);
}
)";

constexpr const char* product_helper = R"(
// The product of x and y, and what it raises.
FN number_t raising_product(number_t made, number_t x, number_t y) {
  const bool is_new_nan = made.kind == kind_nan && x.kind != kind_nan && y.kind != kind_nan;
  return raising(made, raised_reading(x) | raised_reading(y) | (is_new_nan ? raises_invalid : 0));
}
)";

constexpr const char* special_helper = R"(
// Stage special: what NaNs and infinities among numbers decide.
//
//   any NaN                   the first of them
//   infinities of both signs  a new NaN
//   infinities of one sign    that one
typedef struct { bool nan, positive, negative;@raised@ number_t first; } special_t;
FN special_t special(special_t s, number_t n) {
@raises@  if (n.kind == kind_nan && !s.nan) s.first = n;
  s.nan = s.nan || n.kind == kind_nan;
  s.positive = s.positive || (n.kind == kind_infinity && !n.negative);
  s.negative = s.negative || (n.kind == kind_infinity && n.negative);
  return s;
}
FN bool is_decided(special_t s) { return s.nan || s.positive || s.negative; }
FN number_t decision(special_t s) {
@decision@}
)";

constexpr const char* plain_decision = R"(  if (s.nan) return s.first;
  return s.positive && s.negative ? a_nan(true, @zero@) : an_infinity(s.negative);
)";

constexpr const char* raising_decision = R"(  if (s.nan) return raising(s.first, s.raised);
  if (s.positive && s.negative) return raising(a_nan(true, @zero@), s.raised | raises_invalid);
  return raising(an_infinity(s.negative), s.raised);
)";

constexpr const char* outcome_helper = R"(
// For the places: 0 nothing, 1 NaN, 2 +infinity, 3 -infinity.
FN uint8_t outcome(special_t s) { return s.nan || (s.positive && s.negative) ? 1 : s.positive ? 2 : s.negative ? 3 : 0; }
)";

constexpr const char* negated_helper = R"(
// Its sign turned; a NaN keeps its own.
FN number_t negated(number_t n) {
  if (n.kind != kind_nan@unless_absent@) n.negative = !n.negative;
  return n;
}
)";

constexpr const char* scale_helper = R"(
// Stage scale: times a scale, exactly. What has no exponent gets none.
FN number_t @name@(number_t n, number_t by) {
  if (n.kind == kind_nan) return n;
  if (by.kind == kind_nan) return by;
  const bool negative = n.negative != by.negative;
  if (n.kind == kind_infinity || by.kind == kind_infinity)
    return is_zero(n) || is_zero(by) ? a_nan(true, @zero@) : an_infinity(negative);
  if (is_zero(by)) return a_zero(negative);
  const int32_t exponent = n.exponent == no_exponent ? no_exponent : n.exponent + by.exponent;
@made@(negative, @times@, exponent, n.quantum + by.quantum);
@kept@}
)";

constexpr const char* raising_scale = R"(
// Stage scale, and what it raises.
FN number_t scale(number_t n, number_t by) { return raising_product(exact_scale(n, by), n, by); }
)";

constexpr const char* pair_helper = R"(
// Stage scale: times a block's two scales, exactly. What has no exponent gets none.
FN number_t @name@(number_t n, number_t a, number_t b) {
  if (n.kind == kind_nan) return n;
  if (a.kind == kind_nan) return a;
  if (b.kind == kind_nan) return b;
  const bool negative = n.negative != (a.negative != b.negative);
  const bool zero_scale = is_zero(a) || is_zero(b);
  if (n.kind == kind_infinity || a.kind == kind_infinity || b.kind == kind_infinity)
    return zero_scale || is_zero(n) ? a_nan(true, @zero@) : an_infinity(negative);
  if (zero_scale) return a_zero(negative);
  const int32_t exponent = n.exponent == no_exponent ? no_exponent : n.exponent + a.exponent + b.exponent;
@made@(negative, @times_pair@, exponent, n.quantum + a.quantum + b.quantum);
@kept@}
)";

constexpr const char* raising_pair = R"(
// Stage scale, and what it raises.
FN number_t scale_by_pair(number_t n, number_t a, number_t b) {
  const number_t made = exact_scale_by_pair(n, a, b);
  const bool is_new_nan = made.kind == kind_nan && n.kind != kind_nan && a.kind != kind_nan && b.kind != kind_nan;
  return raising(made, raised_reading(n) | raised_reading(a) | raised_reading(b) | (is_new_nan ? raises_invalid : 0));
}
)";

constexpr const char* compare_helper = R"(
// -1, 0 or 1: how two finite numbers compare.
FN int32_t compare(number_t x, number_t y) {
  const bool zero_x = @zero_x@, zero_y = @zero_y@;
  const bool below_x = x.negative && !zero_x, below_y = y.negative && !zero_y;
  if (below_x != below_y) return below_x ? -1 : 1;
  const int32_t more = below_x ? -1 : 1;
  if (zero_x || zero_y) return zero_x && zero_y ? 0 : zero_x ? -more : more;
  if (leading(x) != leading(y)) return leading(x) > leading(y) ? more : -more;
  const int32_t bits_x = m_bits(x.magnitude), bits_y = m_bits(y.magnitude);
  const magnitude_t mx = m_left(x.magnitude, larger(0, bits_y - bits_x));
  const magnitude_t my = m_left(y.magnitude, larger(0, bits_x - bits_y));
  return @x_above@ ? more : @y_above@ ? -more : 0;
}
)";

// --- cuts ---

std::string drawing_of_cuts() {
  return "\n// The one place where bits are dropped.\n//\n"
         "//   k k k k k | h r r r     k kept, h half, r the rest; where there is nothing to drop, zeros follow\n";
}

CHelper cut_helper(Cut cut, const std::string& body) {
  const std::string name = "cut_" + std::string(word(cut));
  const std::string sign = looks_at_sign(cut) ? ", bool negative" : "";
  return {{name}, "FN magnitude_t " + name + "(magnitude_t m, int32_t by" + sign + ") {\n" + body + "}\n"};
}

// A cut that adds a unit where `grows` holds; `lost`: ones were dropped.
CHelper growing_cut(const CWords& w, Cut cut, const std::string& grows) {
  return cut_helper(cut,
                    "  if (by <= 0) return m_left(m, -by);\n  const magnitude_t kept = m_right(m, by);\n"
                    "  const bool lost = " +
                        w.is_not_zero("m_low(m, by)") + ";\n  return lost" + grows + " ? " +
                        w.plus("kept", w.literal(1)) + " : kept;\n");
}

CHelper nearest_cut(const CWords& w, Cut cut, const std::string& tie) {
  const std::string rest = tie == "true" ? "" : "  const bool rest = " + w.is_not_zero("m_low(m, by - 1)") + ";\n";
  const std::string grows = tie == "true" ? "half" : "half && (rest || " + tie + ")";
  return cut_helper(cut,
                    "  if (by <= 0) return m_left(m, -by);\n  const magnitude_t kept = m_right(m, by);\n"
                    "  const bool half = " +
                        w.is_odd("m_right(m, by - 1)") + ";\n" + rest + "  return " + grows + " ? " +
                        w.plus("kept", w.literal(1)) + " : kept;\n");
}

// What is dropped, as so many bits, plus the random word; the carry rounds away from zero.
CHelper chance_cut(const CWords& w, Cut cut) {
  const bool halfway = cut == Cut::stochastic_b;
  const std::string bits = halfway ? "bits + 1" : "bits";
  const std::string by = halfway ? "by - bits - 1" : "by - bits";
  const std::string random = "(word & (((uint64_t)1 << bits) - 1))";
  const std::string added = halfway ? "2 * " + random + " + 1" : random;
  const std::string name = "cut_" + std::string(word(cut));
  const Cut first = cut == Cut::stochastic_c ? Cut::nearest_even : Cut::toward_zero;
  return {{name},
          "FN magnitude_t " + name +
              "(magnitude_t m, int32_t by, int32_t bits, uint64_t word) {\n"
              "  if (by <= 0) return m_left(m, -by);\n  const magnitude_t dropped = " +
              c_cut(first, "m_low(m, by)", by, "") + ";\n  return " +
              w.plus("m_right(m, by)", "m_right(" + w.plus("dropped", w.of_code(added)) + ", " + bits + ")") +
              ";\n}\n"};
}

// Lost ones are joined two places below, where they are no half.
CHelper cut_above_lost(const CWords& w, Cut cut) {
  const std::string name = "cut_" + std::string(word(cut)) + "_above";
  const std::string joined = w.either("m_left(m, larger(-by, 0) + 2)", w.of_code("(uint64_t)lost"));
  return {{name},
          fill(R"(
// The same where ones may have been lost below all of them.
FN magnitude_t @name@(magnitude_t m, int32_t by@sign@, bool lost) {
  return @cut@;
}
)",
               {{"name", name},
                {"sign", looks_at_sign(cut) ? ", bool negative" : ""},
                {"cut", c_cut(cut, joined, "larger(by, 0) + 2", "negative")}})};
}

std::vector<CHelper> cut_helpers(const CWords& w) {
  std::vector<CHelper> cuts{
      {{"cut_toward_zero"},
       "FN magnitude_t cut_toward_zero(magnitude_t m, int32_t by) { return by > 0 ? m_right(m, by) : m_left(m, -by); "
       "}\n"},
      growing_cut(w, Cut::down, " && negative"),
      growing_cut(w, Cut::up, " && !negative"),
      nearest_cut(w, Cut::nearest_even, w.is_odd("kept")),
      nearest_cut(w, Cut::nearest_away, "true"),
      nearest_cut(w, Cut::nearest_up, "!negative"),
      cut_helper(Cut::to_odd,
                 "  if (by <= 0) return m_left(m, -by);\n  const magnitude_t kept = m_right(m, by);\n  return " +
                     w.is_zero("m_low(m, by)") + " ? kept : " + w.either("kept", w.literal(1)) + ";\n")};
  for (const Cut cut : {Cut::stochastic_a, Cut::stochastic_b, Cut::stochastic_c}) cuts.push_back(chance_cut(w, cut));
  for (CHelper& cut : cuts) cut.text.insert(0, drawing_of_cuts());
  for (std::size_t i = 0; i < steady_cuts; ++i) cuts.push_back(cut_above_lost(w, static_cast<Cut>(i)));
  return cuts;
}

// Those of what is done to numbers, with all that they carry.
std::vector<CHelper> number_helpers(const CWords& w) {
  const std::string zero = w.literal(0);
  const std::string carried = std::string(w.carried.absent ? " false," : "") + (w.carried.lost ? " false," : "") +
                              (w.carried.raised ? " 0," : "");
  return {{{"a_number", "a_zero", "an_infinity", "a_nan"}, fill(number_helper, {{"carried", carried}, {"zero", zero}})},
          {{"is_zero"}, fill(is_zero_helper, {{"is_zero", w.is_zero("n.magnitude")}})},
          {{"larger"}, larger_helper},
          {{"leading"}, leading_helper},
          {{"compare"},
           fill(compare_helper, {{"zero_x", w.is_zero("x.magnitude")},
                                 {"zero_y", w.is_zero("y.magnitude")},
                                 {"x_above", w.above("mx", "my")},
                                 {"y_above", w.above("my", "mx")}})},
          {{"negated"}, fill(negated_helper, {{"unless_absent", w.carried.absent ? " && !n.absent" : ""}})}};
}

std::vector<CHelper> raising_helpers(const CWords& w) {
  return {{{"is_signalling"},
           fill(signalling_helper,
                {{"low", w.low_word("n.magnitude")}, {"bit", c_hex(static_cast<Code>(signalling_bit))}})},
          {{"raises_invalid"}, raises_invalid_helper},
          {{"raises_overflow"}, raises_overflow_helper},
          {{"raises_underflow"}, raises_underflow_helper},
          {{"raises_inexact"}, raises_inexact_helper},
          {{"raising"}, raising_helper},
          {{"raised_reading"}, reading_helper},
          {{"raising_product"}, product_helper}};
}

// What is lost below a number is lost below its product, too.
std::vector<CHelper> scale_helpers(const CWords& w) {
  const bool raised = w.carried.raised, lost = w.carried.lost;
  const std::string zero = w.literal(0), made = lost ? "  number_t made = a_number" : "  return a_number",
                    kept = lost ? "  made.lost = n.lost;\n  return made;\n" : "";
  const std::string by_one = w.times("n.magnitude", "by.magnitude"),
                    by_two = w.times("n.magnitude",
                                     w.wide ? w.times("a.magnitude", "b.magnitude") : "a.magnitude * b.magnitude");
  const std::string one = raised ? "exact_scale" : "scale", two = one + "_by_pair";
  std::vector<CHelper> list{
      {{one}, fill(scale_helper, {{"name", one}, {"zero", zero}, {"made", made}, {"times", by_one}, {"kept", kept}})},
      {{two},
       fill(pair_helper, {{"name", two}, {"zero", zero}, {"made", made}, {"times_pair", by_two}, {"kept", kept}})}};
  if (raised) list.push_back({{"scale"}, raising_scale});
  if (raised) list.push_back({{"scale_by_pair"}, raising_pair});
  return list;
}

CHelper special_helper_of(const CWords& w) {
  const bool raised = w.carried.raised;
  return {
      {"special_t", "special", "is_decided", "decision"},
      fill(special_helper, {{"raised", raised ? " uint32_t raised;" : ""},
                            {"raises", raised ? "  s.raised |= raised_reading(n);\n" : ""},
                            {"decision", fill(raised ? raising_decision : plain_decision, {{"zero", w.literal(0)}})}})};
}

}  // namespace

std::string c_text(int value) { return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value); }

std::string c_text(bool value) { return value ? "true" : "false"; }

std::string c_hex(std::uint64_t value) { return value < 10 ? std::to_string(value) : "0x" + c_hex_digits(value); }

std::string c_hex_digits(std::uint64_t value) { return hex_text(value, std::max(1, (bit_length(value) + 3) / 4)); }

std::string CWords::literal(u128 value) const {
  const std::string low = c_hex(static_cast<std::uint64_t>(value));
  return wide ? "m_of(" + c_hex(static_cast<std::uint64_t>(value >> 64)) + ", " + low + ")" : low;
}
std::string CWords::of_code(const std::string& code) const { return wide ? "m_of(0, " + code + ")" : code; }
std::string CWords::low_word(const std::string& x) const {
  return bits > 0 ? "m_word(" + x + ")" : wide ? x + ".low" : x;
}
std::string CWords::is_zero(const std::string& x) const { return wide ? "m_is_zero(" + x + ")" : x + " == 0"; }
std::string CWords::is_not_zero(const std::string& x) const { return wide ? "!m_is_zero(" + x + ")" : x + " != 0"; }
std::string CWords::is_odd(const std::string& x) const { return "(" + low_word(x) + " & 1) != 0"; }
std::string CWords::times(const std::string& x, const std::string& y) const {
  return wide ? "m_times(" + x + ", " + y + ")" : x + " * " + y;
}
std::string CWords::plus(const std::string& x, const std::string& y) const {
  return wide ? "m_plus(" + x + ", " + y + ")" : x + " + " + y;
}
std::string CWords::either(const std::string& x, const std::string& y) const {
  return wide ? "m_or(" + x + ", " + y + ")" : x + " | " + y;
}
std::string CWords::minus(const std::string& x) const { return wide ? "m_minus(" + x + ")" : "0 - " + x; }
std::string CWords::turned(const std::string& x) const {
  return wide ? "m_minus(" + plus(x, literal(1)) + ")" : "~" + x;
}
std::string CWords::above(const std::string& x, const std::string& y) const {
  return wide ? "m_is_above(" + x + ", " + y + ")" : x + " > " + y;
}
std::string CWords::same(const std::string& x, const std::string& y) const {
  return wide ? "m_is_same(" + x + ", " + y + ")" : x + " == " + y;
}
std::string CWords::is_negative(const std::string& x) const {
  return wide ? "m_is_negative(" + x + ")" : x + " >> 63 != 0";
}

std::string CWords::number(const Number& n) const {
  const bool overflows = carried.raised && n.raised == raises::overflow;
  return overflows ? "raising(" + plain_number(n) + ", raises_overflow)" : plain_number(n);
}

std::string CWords::plain_number(const Number& n) const {
  const std::string sign = c_text(n.negative);
  if (n.cls == Class::nan) return "a_nan(" + sign + ", " + literal(n.magnitude) + ")";
  if (n.cls == Class::infinity) return "an_infinity(" + sign + ")";
  if (n.magnitude == 0) return "a_zero(" + sign + ")";
  return "a_number(" + sign + ", " + literal(n.magnitude) + ", " + std::to_string(n.exponent) + ", " +
         std::to_string(n.quantum) + ")";
}

std::string CWords::no_special() const {
  return std::string("{false, false, false, ") + (carried.raised ? "0, " : "") + "a_zero(false)}";
}

std::string CWords::chosen_by_sign(const Number& positive, const Number& negative) const {
  if (positive == negative) return number(positive);
  Number turned = positive;
  turned.negative = true;
  if (!positive.negative && turned == negative) return replaced(number(positive), "(false", "(n.negative");
  return "n.negative ? " + number(negative) + " : " + number(positive);
}

namespace {

CHelper three_bits_helper(const CWords& w) {
  const auto each_word = [&](const char* high, const char* low, const char* whole) {
    return w.bits > 0 ? std::string("magnitude_t(") + whole + ")"
           : w.wide   ? std::string("m_of(") + high + ", " + low + ")"
                      : std::string(whole);
  };
  return {{"m_odd", "m_most"},
          fill(three_bits, {{"odd", each_word("x.high ^ y.high ^ z.high", "x.low ^ y.low ^ z.low", "x ^ y ^ z")},
                            {"most", each_word("(x.high & y.high) | (y.high & z.high) | (x.high & z.high)",
                                               "(x.low & y.low) | (y.low & z.low) | (x.low & z.low)",
                                               "(x & y) | (y & z) | (x & z)")}})};
}

}  // namespace

std::vector<CHelper> c_helpers(const CWords& w, int register_words) {
  const std::string words = std::to_string(register_words);
  std::vector<CHelper> list;
  if (w.bits > 0) {
    list.push_back({{"m_of", "m_is_zero", "m_word", "m_left", "m_bits"},
                    fill(given_bits, {{"bits", std::to_string(w.bits)},
                                      {"top", std::to_string(w.bits - 1)},
                                      {"type", w.bits > 64 ? "magnitude_t" : "ASSAY_BITS(128)"}})});
  } else if (w.wide) {
    list = {
        {{"m_of", "m_is_zero"}, two_words}, {{"m_left"}, two_words_left},      {{"m_right"}, two_words_right},
        {{"m_low"}, two_words_low},         {{"m_bits"}, two_words_bits},      {{"m_plus"}, two_words_plus},
        {{"m_or"}, two_words_or},           {{"m_is_same"}, two_words_same},   {{"m_is_negative"}, two_words_negative},
        {{"m_minus"}, two_words_minus},     {{"m_is_above"}, two_words_above}, {{"m_times"}, two_words_times}};
  } else {
    list = {
        {{"m_left"}, one_word}, {{"m_right"}, one_word_right}, {{"m_low"}, one_word_low}, {{"m_bits"}, one_word_bits}};
  }
  list.push_back(three_bits_helper(w));
  if (register_words > 0 && w.bits > 0) {
    list.push_back(
        {{"register_t", "r_zero", "r_read"}, fill(given_registers, {{"bits", std::to_string(64 * register_words)}})});
  } else if (register_words > 0) {
    list.push_back(
        {{"register_t", "r_shifted", "r_plus", "r_minus", "r_is_negative"}, fill(registers, {{"words", words}})});
    list.push_back({{"r_read"}, fill(readout, {{"words", words}})});
  }
  for (const auto& more : {number_helpers(w), raising_helpers(w), cut_helpers(w), scale_helpers(w)})
    list.insert(list.end(), more.begin(), more.end());
  list.push_back(special_helper_of(w));
  list.push_back({{"outcome"}, outcome_helper});
  return list;
}

std::string needed_helpers(const std::vector<CHelper>& helpers, const std::string& text) {
  std::string needed;
  for (auto helper = helpers.rbegin(); helper != helpers.rend(); ++helper) {
    for (const std::string& name : helper->names) {
      if (!asks_for(needed, name) && !asks_for(text, name)) continue;
      needed = helper->text + needed;
      break;
    }
  }
  return needed;
}

std::string c_cut(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative) {
  return "cut_" + std::string(word(cut)) + "(" + magnitude + ", " + by +
         (looks_at_sign(cut) ? ", " + negative : std::string()) + ")";
}

std::string c_cut_above(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative,
                        const std::string& lost) {
  return "cut_" + std::string(word(cut)) + "_above(" + magnitude + ", " + by +
         (looks_at_sign(cut) ? ", " + negative : std::string()) + ", " + lost + ")";
}

}  // namespace assay
