#include "model/machine/tensor_mma.hpp"

#include <algorithm>
#include <utility>

#include "model/base/error.hpp"

namespace assay::machine {
namespace {

using layout::Coordinates;
using layout::Fragment;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// --- the instruction descriptor ---

// A field: bits `from` .. `from` + `bits` - 1.
struct BitField {
  int from, bits;

  std::uint32_t of(std::uint32_t word) const { return word >> from & ((1U << bits) - 1); }
  std::uint32_t with(std::uint32_t value) const { return value << from; }
};

constexpr BitField saturates{3, 1}, d_format{4, 2}, a_format{7, 3}, b_format{10, 3}, negate_a{13, 1}, negate_b{14, 1},
    transpose_a{15, 1}, transpose_b{16, 1}, n_field{17, 6}, m_field{24, 5};
constexpr BitField scale_id_b{4, 2}, scale_format{23, 1}, m_of_scaled{27, 2}, scale_id_a{29, 2};

struct KindRow {
  MmaKind kind;
  std::string_view name;
  bool scaled;
  int k;
  std::uint32_t reserved;  // bits that are zero
  const char* reserved_text;
};

constexpr std::uint32_t bit(int at) { return 1U << at; }

// Sparse forms (bit 2, and 1..0 beside it) and the shift of weight-stationary forms (31..30) are not held here: their
// bits count as reserved. Integers saturate (bit 3), and have no signs to turn (14..13).
constexpr std::uint32_t plain_reserved = 0b1111 | bit(6) | bit(23) | bit(29) | bit(30) | bit(31);
constexpr const char* plain_text = "3..0, 6, 23 and 31..29";
constexpr std::uint32_t integer_reserved = 0b111 | bit(6) | bit(13) | bit(14) | bit(23) | bit(29) | bit(30) | bit(31);
constexpr const char* integer_text = "2..0, 6, 14..13, 23 and 31..29";
constexpr std::uint32_t scaled_reserved = 0b1111 | bit(6) | bit(24) | bit(25) | bit(26) | bit(31);
constexpr const char* scaled_text = "3..0, 6, 26..24 and 31";

constexpr KindRow kinds[] = {
    {MmaKind::f16, "f16", false, 16, plain_reserved, plain_text},
    {MmaKind::tf32, "tf32", false, 8, plain_reserved, plain_text},
    {MmaKind::f8f6f4, "f8f6f4", false, 32, plain_reserved, plain_text},
    {MmaKind::mxf8f6f4, "mxf8f6f4", true, 32, scaled_reserved, scaled_text},
    {MmaKind::mxf4, "mxf4", true, 64, scaled_reserved, scaled_text},
    {MmaKind::mxf4nvf4, "mxf4nvf4", true, 64, scaled_reserved, scaled_text},
    {MmaKind::i8, "i8", false, 32, integer_reserved, integer_text},
};

const KindRow& row_of(MmaKind kind) {
  return *std::find_if(std::begin(kinds), std::end(kinds), [&](const KindRow& r) { return r.kind == kind; });
}

struct FormatRow {
  MmaKind kind;
  std::uint32_t value;
  std::string_view format;
};

constexpr FormatRow formats[] = {
    {MmaKind::f16, 0, "f16"},       {MmaKind::f16, 1, "bf16"},      {MmaKind::tf32, 2, "tf32"},
    {MmaKind::f8f6f4, 0, "e4m3"},   {MmaKind::f8f6f4, 1, "e5m2"},   {MmaKind::f8f6f4, 3, "e2m3"},
    {MmaKind::f8f6f4, 4, "e3m2"},   {MmaKind::f8f6f4, 5, "e2m1"},   {MmaKind::mxf8f6f4, 0, "e4m3"},
    {MmaKind::mxf8f6f4, 1, "e5m2"}, {MmaKind::mxf8f6f4, 3, "e2m3"}, {MmaKind::mxf8f6f4, 4, "e3m2"},
    {MmaKind::mxf8f6f4, 5, "e2m1"}, {MmaKind::mxf4, 1, "e2m1"},     {MmaKind::mxf4nvf4, 1, "e2m1"},
    {MmaKind::i8, 0, "u8"},         {MmaKind::i8, 1, "i8"},
};

// Of D, in kinds without block scales; with them it is f32.
constexpr FormatRow d_formats[] = {{MmaKind::f16, 0, "f16"},    {MmaKind::f16, 1, "f32"},    {MmaKind::tf32, 1, "f32"},
                                   {MmaKind::f8f6f4, 0, "f16"}, {MmaKind::f8f6f4, 1, "f32"}, {MmaKind::i8, 2, "i32"}};

template <class Rows>
std::string format_of(const Rows& rows, MmaKind kind, std::uint32_t value) {
  for (const FormatRow& row : rows) {
    if (row.kind == kind && row.value == value) return std::string(row.format);
  }
  return "";
}

template <class Rows>
std::uint32_t value_of(const Rows& rows, MmaKind kind, const std::string& format) {
  for (const FormatRow& row : rows) {
    if (row.kind == kind && row.format == format) return row.value;
  }
  return 0;
}

// Empty, or a sentence: N that this kind does not take.
std::string n_problem(const KindRow& row, const MmaShape& s, int group) {
  const bool integer = row.kind == MmaKind::i8;
  const int step = group == 1 ? (integer && s.n > 32 ? 16 : 8) : integer ? 32 : 16;
  if (s.n >= step && s.n <= 256 && s.n % step == 0) return "";
  const std::string steps = group == 1 && integer
                                ? "8, 16, 24, and 32 to 256 in steps of 16"
                                : std::to_string(step) + " to 256 in steps of " + std::to_string(step);
  return "The instruction descriptor has N = " + std::to_string(s.n) + "; kind::" + std::string(row.name) +
         (group == 2 ? " of two multiprocessors takes " : " takes ") + steps + ".";
}

// M of a multiprocessor: 128, and 64 where there are no block scales.
std::string size_problem(const KindRow& row, const MmaShape& s, int group) {
  if (s.m == 128 * group || (s.m == 64 * group && !row.scaled)) return n_problem(row, s, group);
  return "The instruction descriptor has M = " + std::to_string(s.m) + "; " +
         (group == 1 ? "one multiprocessor takes " : "two multiprocessors take ") +
         (row.scaled ? "" : std::to_string(64 * group) + " and ") + std::to_string(128 * group) + ".";
}

// D is written while the others are still read: nobody says what they are where they share columns.
void check_apart(const std::string& what, int first, int columns, int d, int d_columns) {
  if (first + columns <= d || d + d_columns <= first) return;
  const auto range = [](int from, int count) {
    return std::to_string(from) + " to " + std::to_string(from + count - 1);
  };
  throw Error{what + " and D share columns of tensor memory: " + range(first, columns) + " and " + range(d, d_columns) +
              "; they have to lie apart."};
}

// --- numbers ---

// D x 2^-by, rounded to nearest even where it becomes subnormal. NaN and infinity stay.
Code scaled_down(Code code, const Format& format, int by) {
  const int mantissa = format.mantissa_bits, exponents = format.exponent_bits;
  const Code sign = code >> (mantissa + exponents) << (mantissa + exponents), top = (Code{1} << exponents) - 1;
  const Code exponent = code >> mantissa & top, fraction = code & ((Code{1} << mantissa) - 1);
  if (exponent == top) return code;
  const auto down = static_cast<Code>(by);
  if (exponent > down) return code - (down << mantissa);
  // The significand as a multiple of the least subnormal, after `exponent` - 1 halvings that are still exponents.
  const Code significand = exponent == 0 ? fraction : fraction | Code{1} << mantissa;
  const Code shift = std::min<Code>(down - (exponent == 0 ? 0 : exponent - 1), 62);
  const Code kept = significand >> shift, lost = significand & ((Code{1} << shift) - 1);
  const Code half = shift == 0 ? 0 : Code{1} << (shift - 1);
  const bool up = shift != 0 && (lost > half || (lost == half && (kept & 1) != 0));
  return sign | (kept + (up ? 1 : 0));
}

void turn_signs(std::vector<Code>& codes, int stored_bits) {
  for (Code& code : codes) code ^= Code{1} << (stored_bits - 1);
}

// How many bits an element takes in memory, where formats may be mixed: a byte.
int slot_bits(const MmaShape& s, const Fragment& f) { return s.k == 64 ? 4 : std::max(f.bits, 8); }

// What an operation may not ask for, wherever its matrices lie. `slot`: bits of an element of A in memory.
void check_options(const MmaOperation& o, const MmaShape& s, int group, int slot) {
  const bool has_scales = o.scale_a.has_value() && o.scale_b.has_value();
  if (has_scales == s.scale.empty() || o.scale_a.has_value() != o.scale_b.has_value())
    throw Error{s.scale.empty() ? "Only kinds with block scales take scales."
                                : "A kind with block scales takes scales of A and of B."};
  const bool may_turn = s.a_is_mn_major || s.b_is_mn_major;
  if (may_turn && slot == 4) throw Error{"Matrices of packed 4 bits lie along k; transpose has to be 0 for both."};
  if (o.scale_input_d < 0 || o.scale_input_d > 15)
    throw Error{"scale-input-d is " + std::to_string(o.scale_input_d) + "; it takes 0 to 15."};
  if (o.scale_input_d != 0 && o.kind != MmaKind::f16 && o.kind != MmaKind::tf32)
    throw Error{"scale-input-d is of kind::f16 and kind::tf32 alone."};
  if (group == 1 && std::any_of(o.disabled.begin() + 4, o.disabled.end(), [](std::uint32_t w) { return w != 0; }))
    throw Error{"disable-output-lane has lanes from 128 on, which two multiprocessors have together."};
  if (o.a_in_tensor && s.a_is_mn_major) throw Error{"A in tensor memory lies along k; its transpose has to be 0."};
  if (o.a_in_tensor && o.a_in_tensor->lane != 0) throw Error{"A in tensor memory begins at lane 0."};
  if (o.d.lane != 0) throw Error{"D begins at lane 0 of tensor memory."};
}

}  // namespace

std::optional<MmaKind> mma_kind(const std::string& name) {
  for (const KindRow& row : kinds) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

std::string read_instruction_descriptor(MmaKind kind, std::uint32_t bits, int scale_block, int group, MmaShape& s) {
  const KindRow& row = row_of(kind);
  if ((bits & row.reserved) != 0)
    return "The instruction descriptor of kind::" + std::string(row.name) +
           " has a bit set that is reserved here, one of " + row.reserved_text + ".";
  if (kind != MmaKind::mxf4nvf4 && scale_block != 32 && scale_block != 0)
    return "The scales' block is " + std::to_string(scale_block) +
           ", but kind::mxf4nvf4 alone has a choice; kind::" + std::string(row.name) + " takes 32, or 0.";
  s = {};
  s.k = row.k;
  s.n = static_cast<int>(n_field.of(bits)) * 8;
  s.m = row.scaled ? static_cast<int>(m_of_scaled.of(bits)) * 128 : static_cast<int>(m_field.of(bits)) * 16;
  s.a = format_of(formats, kind, a_format.of(bits));
  s.b = format_of(formats, kind, b_format.of(bits));
  for (const bool is_a : {true, false}) {
    if (!(is_a ? s.a : s.b).empty()) continue;
    const BitField& field = is_a ? a_format : b_format;
    return std::string("The instruction descriptor has format ") + std::to_string(field.of(bits)) + " for " +
           (is_a ? "A" : "B") + ", which kind::" + std::string(row.name) + " does not have.";
  }
  s.d = "f32";
  if (!row.scaled) {
    s.d = format_of(d_formats, kind, d_format.of(bits));
    if (s.d.empty())
      return "The instruction descriptor has format " + std::to_string(d_format.of(bits)) +
             " for D, which kind::" + std::string(row.name) + " does not have.";
    s.saturate = saturates.of(bits) != 0;
  } else {
    s.scale = scale_format.of(bits) == 1 ? "ue8m0" : "ue4m3";
    s.scale_block = kind == MmaKind::mxf4nvf4 ? scale_block : 32;
    s.scale_id_a = static_cast<int>(scale_id_a.of(bits));
    s.scale_id_b = static_cast<int>(scale_id_b.of(bits));
  }
  s.negate_a = negate_a.of(bits) != 0;
  s.negate_b = negate_b.of(bits) != 0;
  s.a_is_mn_major = transpose_a.of(bits) != 0;
  s.b_is_mn_major = transpose_b.of(bits) != 0;
  return size_problem(row, s, group);
}

std::uint32_t instruction_descriptor_bits(MmaKind kind, const MmaShape& s) {
  std::uint32_t bits = a_format.with(value_of(formats, kind, s.a)) | b_format.with(value_of(formats, kind, s.b)) |
                       negate_a.with(s.negate_a) | negate_b.with(s.negate_b) | transpose_a.with(s.a_is_mn_major) |
                       transpose_b.with(s.b_is_mn_major) | n_field.with(static_cast<std::uint32_t>(s.n / 8));
  if (row_of(kind).scaled) {
    return bits | scale_format.with(s.scale == "ue8m0") | m_of_scaled.with(static_cast<std::uint32_t>(s.m / 128)) |
           scale_id_a.with(static_cast<std::uint32_t>(s.scale_id_a)) |
           scale_id_b.with(static_cast<std::uint32_t>(s.scale_id_b));
  }
  return bits | saturates.with(s.saturate) | d_format.with(value_of(d_formats, kind, s.d)) |
         m_field.with(static_cast<std::uint32_t>(s.m / 16));
}

// --- the operation ---

// Columns of D that stand side by side in tensor memory: `lane` is added to those of their rows.
struct TensorMachine::Part {
  int first = 0, columns = 0, lane = 0;
};

// As one multiprocessor sees it: M is its own rows, N all columns.
struct TensorMachine::Operands {
  MmaShape shape;
  const MmaDatapath* unit = nullptr;
  layout::Fragments fragments;
  std::vector<int> lanes = {};   // of each row of D, and of A in tensor memory
  std::vector<Part> parts = {};  // they begin in the same column
  int b_rows = 0;                // of B in its shared memory

  // Of D; `begin` is its address.
  std::pair<int, int> place(const TensorAddress& begin, int row, int column) const {
    const Part& part = parts[column < parts.front().columns ? 0 : 1];
    return {lanes[index(row)] + part.lane, begin.column + column - part.first};
  }
};

void TensorMachine::check_places(const MmaOperation& o, const Operands& x, const std::string& whose) const {
  const MmaShape& s = x.shape;
  const int d_columns = x.parts.front().columns;
  const auto needed = [&](const std::string& what, const std::optional<TensorAddress>& at, int columns) {
    if (!at) return;
    if (const std::string why = tensor.problem(what + whose, at->column, columns); !why.empty()) throw Error{why};
    if (what != "D") check_apart(what, at->column, columns, o.d.column, d_columns);
  };
  needed("D", o.d, d_columns);
  needed("A", o.a_in_tensor, s.k * slot_bits(s, x.fragments.a) / 32);
  if (o.scale_a) {
    needed("The scales of A", o.scale_a, x.fragments.scale_a->words());
    needed("The scales of B", o.scale_b, x.fragments.scale_b->words());
    const int blocks = s.k / s.scale_block;
    for (const int id : {s.scale_id_a, s.scale_id_b}) {
      if (id % blocks != 0 || id + blocks > 4)
        throw Error{"Scale data id " + std::to_string(id) + " leaves no room for " + std::to_string(blocks) +
                    " scales in the four bytes of a column."};
    }
  }
}

TensorMachine::Operands TensorMachine::operands_of(const MmaOperation& o, int group, const std::string& whose) const {
  Operands x;
  MmaShape& s = x.shape;
  if (const std::string why = read_instruction_descriptor(o.kind, o.descriptor, o.scale_block, group, s); !why.empty())
    throw Error{why};
  s.m /= group;
  x.b_rows = s.n / group;
  x.unit = units_(s);
  const layout::NamedShape named{"tcgen05.", s.m, s.n, s.k, 1, s.a, s.b, s.d, s.d, s.scale, s.scale_block};
  const auto fragments = layout::fragments_of(named);
  const std::string formats =
      s.a + " and " + s.b + " with D of " + s.d +
      (s.scale.empty() ? "" : " and scales of " + s.scale + " for " + std::to_string(s.scale_block));
  if (x.unit == nullptr || !fragments) throw Error{"No instruction multiplies " + formats + "."};
  x.fragments = *fragments;
  // 64 rows of a pair lie in lanes 0 to 63, and the second half of their columns in lanes 64 to 127.
  const bool folded = group == 2 && s.m == 64;
  for (int row = 0; row < s.m; ++row) x.lanes.push_back(folded ? row : place_of(x.fragments.d, {row, 0, 0, 0, 0}).lane);
  x.parts = {{0, folded ? s.n / 2 : s.n, 0}};
  if (folded) x.parts.push_back({s.n / 2, s.n / 2, 64});
  check_options(o, s, group, slot_bits(s, x.fragments.a));
  check_places(o, x, whose);
  return x;
}

//  row along m or n, element along k:     K-major, row by row, 16 bytes a piece; MN-major, k by k
std::vector<Code> TensorMachine::codes_in_shared(const std::string& name, std::uint64_t descriptor, const Operands& x,
                                                 bool is_a) const {
  MatrixDescriptor matrix;
  if (const std::string why = read_descriptor("The descriptor of " + name, descriptor, matrix); !why.empty())
    throw Error{why};
  const MmaShape& s = x.shape;
  const Fragment& f = is_a ? x.fragments.a : x.fragments.b;
  const bool mn = is_a ? s.a_is_mn_major : s.b_is_mn_major;
  // Packed within their 16 bytes where they are narrower than their slot, the padding behind them.
  return read_matrix(name, matrix,
                     {is_a ? s.m : x.b_rows, s.k, mn ? Major::mn : Major::k, 128 / slot_bits(s, f), f.bits}, shared);
}

// A row in the lane that D has it in, its elements side by side; narrow ones in bytes, as registers have them. Where D
// stands in two parts, each has A in its own lanes.
std::vector<Code> TensorMachine::codes_of_a(const MmaOperation& o, const Operands& x, const Part& part) const {
  if (!o.a_in_tensor) return finds_a_kept(o) ? kept_a_->codes : codes_in_shared("A", o.a, x, true);
  const MmaShape& s = x.shape;
  const Fragment& f = x.fragments.a;
  const int slot = slot_bits(s, f), shift = f.bits == 4 && slot == 8 ? 2 : 0;
  std::vector<Code> codes(index(s.m * s.k));
  for (int row = 0; row < s.m; ++row) {
    const int lane = x.lanes[index(row)] + part.lane;
    for (int k = 0; k < s.k; ++k) {
      const int first = k * slot + shift;
      const Code word = tensor.word(lane, o.a_in_tensor->column + first / 32);
      codes[index(row * s.k + k)] = word >> (first % 32) & ((Code{1} << f.bits) - 1);
    }
  }
  return codes;
}

std::vector<Code> TensorMachine::codes_of_d(const MmaOperation& o, const Operands& x) const {
  const Fragment& f = x.fragments.d;
  std::vector<Code> codes(index(f.elements()));
  if (!o.enable_input_d) return codes;
  const Code mask = (Code{1} << f.bits) - 1;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto [lane, column] = x.place(o.d, static_cast<int>(i) / x.shape.n, static_cast<int>(i) % x.shape.n);
    const Code code = tensor.word(lane, column) & mask;
    codes[i] = o.scale_input_d == 0 ? code : scaled_down(code, x.unit->plan.d, o.scale_input_d);
  }
  return codes;
}

std::vector<Code> TensorMachine::scales(const TensorAddress& at, const Fragment& f, int id) const {
  std::vector<Code> codes;
  for_each_element(f.size, [&](const Coordinates& e) {
    const layout::Location place = place_of(f, e);
    codes.push_back(tensor.word(place.lane, at.column + place.word()) >> (place.bit % 32 + 8 * id) & 0xff);
  });
  return codes;
}

bool TensorMachine::finds_a_kept(const MmaOperation& o) {
  return !o.a_in_tensor && (o.collector == CollectorUse::use || o.collector == CollectorUse::lastuse);
}

// It holds what came from shared memory.
void TensorMachine::check_collector(const MmaOperation& o, const MmaShape& s) const {
  if (!finds_a_kept(o)) return;
  if (!kept_a_) throw Error{"The collector's buffer holds no A; fill it first."};
  if (kept_a_->descriptor != o.a) throw Error{"The collector's buffer holds another A than the descriptor names."};
  const auto text = [](const MmaShape& a) {
    return std::to_string(a.m) + " x " + std::to_string(a.k) + " " + a.a + " along " + (a.a_is_mn_major ? "m" : "k");
  };
  if (text(kept_a_->shape) != text(s))
    throw Error{"The collector's buffer holds A as " + text(kept_a_->shape) + ", but this instruction takes " +
                text(s) + "; fill it anew."};
}

void TensorMachine::count(const MmaOperation& o, const Operands& x) {
  const auto dwords = [&](int rows, const Fragment& f) {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(x.shape.k * slot_bits(x.shape, f) / 32);
  };
  ++counts_.operations;
  counts_.b_dwords += dwords(x.b_rows, x.fragments.b);
  if (o.a_in_tensor) return;
  (finds_a_kept(o) ? counts_.a_dwords_saved : counts_.a_dwords) += dwords(x.shape.m, x.fragments.a);
  if (o.collector == CollectorUse::fill) kept_a_ = KeptA{o.a, x.shape, codes_in_shared("A", o.a, x, true)};
  if (o.collector == CollectorUse::lastuse || o.collector == CollectorUse::discard) kept_a_.reset();
}

std::vector<Code> TensorMachine::product(const MmaOperation& o, const Operands& x, const std::vector<Code>& b) const {
  const MmaShape& s = x.shape;
  const int blocks = x.unit->plan.scales;
  std::vector<Code> scale_a, scale_b, d = codes_of_d(o, x);
  if (o.scale_a) {
    scale_a = scales(*o.scale_a, *x.fragments.scale_a, s.scale_id_a);
    scale_b = scales(*o.scale_b, *x.fragments.scale_b, s.scale_id_b);
  }
  for (const Part& part : x.parts) {
    std::vector<Code> a = codes_of_a(o, x, part);
    if (s.negate_a) turn_signs(a, x.fragments.a.bits);
    Gemm gemm;
    gemm.m = s.m;
    gemm.n = part.columns;
    gemm.k = s.k;
    gemm.a = row_major(std::as_const(a).data(), s.k);
    gemm.b = transposed(row_major(b.data() + part.first * s.k, s.k));
    gemm.c = row_major(static_cast<const Code*>(d.data()) + part.first, s.n);
    gemm.d = row_major(d.data() + part.first, s.n);
    gemm.scale_a = row_major(std::as_const(scale_a).data(), blocks);
    gemm.scale_b = transposed(row_major(std::as_const(scale_b).data() + part.first * blocks, blocks));
    if (listener) listener({x.unit->plan, gemm, 0, 0, part.first});
    x.unit->kernel.gemm(gemm);
  }
  return d;
}

void TensorMachine::write(const MmaOperation& o, const Operands& x, const std::vector<Code>& d, int member) {
  const Code mask = (Code{1} << x.fragments.d.bits) - 1;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const auto [lane, column] = x.place(o.d, static_cast<int>(i) / x.shape.n, static_cast<int>(i) % x.shape.n);
    if ((o.disabled[index(4 * member + lane / 32)] >> (lane % 32) & 1) != 0) continue;
    tensor.set_word(lane, column, static_cast<std::uint32_t>((tensor.word(lane, column) & ~mask) | d[i]));
  }
  count(o, x);
}

void TensorMachine::mma(const MmaOperation& o) { run({this}, o); }

void TensorMachine::mma_of_pair(TensorMachine& first, TensorMachine& second, const MmaOperation& o) {
  run({&first, &second}, o);
}

// Everything is read, and whatever may be refused is, before anything is written.
void TensorMachine::run(const std::vector<TensorMachine*>& group, const MmaOperation& o) {
  const int members = static_cast<int>(group.size());
  std::vector<Operands> operands;
  std::vector<Code> b;
  for (int i = 0; i < members; ++i) {
    const TensorMachine& one = *group[index(i)];
    operands.push_back(one.operands_of(o, members, members == 1 ? "" : " of multiprocessor " + std::to_string(i)));
    one.check_collector(o, operands.back().shape);
    std::vector<Code> own = one.codes_in_shared("B", o.b, operands.back(), false);
    if (operands.back().shape.negate_b) turn_signs(own, operands.back().fragments.b.bits);
    b.insert(b.end(), own.begin(), own.end());
  }
  std::vector<std::vector<Code>> d;
  for (int i = 0; i < members; ++i) d.push_back(group[index(i)]->product(o, operands[index(i)], b));
  for (int i = 0; i < members; ++i) group[index(i)]->write(o, operands[index(i)], d[index(i)], i);
}

}  // namespace assay::machine
