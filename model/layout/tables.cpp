// The layouts themselves, a row a shape, and which row an instruction's name asks for.
#include <algorithm>
#include <array>
#include <cctype>

#include "model/base/text.hpp"
#include "model/layout/layout.hpp"

namespace assay::layout {
namespace {

// --- matrices in the registers of a warp of 32 lanes ---

struct WarpRow {
  int m, k, slot_bits;
  Layout a, b, c;
};

constexpr WarpRow warp_rows[] = {
    {16, 4, 32, {"k0 k1 m0 m1 m2", "m3"}, {"k0 k1 n0 n1 n2", ""}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 8, 32, {"k0 k1 m0 m1 m2", "m3 k2"}, {"k0 k1 n0 n1 n2", "k2"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 8, 16, {"k1 k2 m0 m1 m2", "k0 m3"}, {"k1 k2 n0 n1 n2", "k0"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 16, 16, {"k1 k2 m0 m1 m2", "k0 m3 k3"}, {"k1 k2 n0 n1 n2", "k0 k3"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 16, 8, {"k2 k3 m0 m1 m2", "k0 k1 m3"}, {"k2 k3 n0 n1 n2", "k0 k1"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 32, 8, {"k2 k3 m0 m1 m2", "k0 k1 m3 k4"}, {"k2 k3 n0 n1 n2", "k0 k1 k4"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 32, 4, {"k3 k4 m0 m1 m2", "k0 k1 k2 m3"}, {"k3 k4 n0 n1 n2", "k0 k1 k2"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 64, 4, {"k3 k4 m0 m1 m2", "k0 k1 k2 m3 k5"}, {"k3 k4 n0 n1 n2", "k0 k1 k2 k5"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {8, 16, 8, {"k2 k3 m0 m1 m2", "k0 k1"}, {"k2 k3 n0 n1 n2", "k0 k1"}, {"n1 n2 m0 m1 m2", "n0"}},
    {8, 32, 4, {"k3 k4 m0 m1 m2", "k0 k1 k2"}, {"k3 k4 n0 n1 n2", "k0 k1 k2"}, {"n1 n2 m0 m1 m2", "n0"}},
    {8, 4, 64, {"k0 k1 m0 m1 m2", ""}, {"k0 k1 n0 n1 n2", ""}, {"n1 n2 m0 m1 m2", "n0"}},
    {16, 4, 64, {"k0 k1 m0 m1 m2", "m3"}, {"k0 k1 n0 n1 n2", ""}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 8, 64, {"k0 k1 m0 m1 m2", "m3 k2"}, {"k0 k1 n0 n1 n2", "k2"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    {16, 16, 64, {"k0 k1 m0 m1 m2", "m3 k2 k3"}, {"k0 k1 n0 n1 n2", "k2 k3"}, {"n1 n2 m0 m1 m2", "n0 m3"}},
    // Four products at once, each by two times four lanes: q to q + 3 and q + 16 to q + 19.
    {8, 4, 16, {"m0 m1 b0 b1 m2", "k0 k1"}, {"n0 n1 b0 b1 n2", "k0 k1"}, {"m0 n1 b0 b1 m2", "n0 m1 n2"}},
};
constexpr Layout quad_pairs_of_16_bits = {"m0 m1 b0 b1 m2", "n0 n1 n2"};  // c and d of the last row where they are f16

// A sparse A: the half of it that is there lies as the A of half as many k does; B and the indices by a row of their
// own. Of each group of four lanes as many hold indices as there are bits for, the first where a selector chooses. m4
// and m5 are there where four warps hold one matrix.
struct SparseRow {
  int k, slot_bits;
  Layout b, indices;
};

constexpr SparseRow sparse_rows[] = {
    {8, 32, {"k0 k1 n0 n1 n2", "k2"}, {". . m0 m1 m2 m4 m5", "k0 k1 m3"}},
    {16, 32, {"k0 k1 n0 n1 n2", "k2 k3"}, {"k2 . m0 m1 m2 m4 m5", "k0 k1 m3"}},
    {16, 16, {"k1 k2 n0 n1 n2", "k0 k3"}, {". . m0 m1 m2 m4 m5", "k0 k1 k2 m3"}},
    {32, 16, {"k1 k2 n0 n1 n2", "k0 k3 k4"}, {"k3 . m0 m1 m2 m4 m5", "k0 k1 k2 m3"}},
    {32, 8, {"k2 k3 n0 n1 n2", "k0 k1 k4"}, {"m3 . m0 m1 m2 m4 m5", "k0 k1 k2 k3"}},
    {64, 8, {"k2 k3 n0 n1 n2", "k0 k1 k4 k5"}, {"m3 k4 m0 m1 m2 m4 m5", "k0 k1 k2 k3"}},
};

// Lanes 0 and 1 of each group of four hold the scales of rows m and m + 8 of A, lane 0 those of column n of B.
constexpr Layout warp_scales_a = {"m3 . m0 m1 m2", "s0 s1"};
constexpr Layout warp_scales_b = {". . n0 n1 n2", "s0 s1"};

// --- matrices in shared memory: cores of 8 rows of 16 bytes, without swizzle, k the faster ---

struct SharedRow {
  int slot_bits;
  Layout a, b;
};

constexpr SharedRow shared_rows[] = {
    {32, {"", "k0 k1 m0 m1 m2 k2 m3 m4 m5 m6"}, {"", "k0 k1 n0 n1 n2 k2 n3 n4 n5 n6 n7"}},
    {16, {"", "k0 k1 k2 m0 m1 m2 k3 m3 m4 m5 m6"}, {"", "k0 k1 k2 n0 n1 n2 k3 n3 n4 n5 n6 n7"}},
    {8, {"", "k0 k1 k2 k3 m0 m1 m2 k4 m3 m4 m5 m6"}, {"", "k0 k1 k2 k3 n0 n1 n2 k4 n3 n4 n5 n6 n7"}},
    {4, {"", "k0 k1 k2 k3 k4 m0 m1 m2 k5 m3 m4 m5 m6"}, {"", "k0 k1 k2 k3 k4 n0 n1 n2 k5 n3 n4 n5 n6 n7"}},
};
// B of a sparse instruction: twice the k.
constexpr SharedRow sparse_shared_rows[] = {
    {32, {}, {"", "k0 k1 n0 n1 n2 k2 k3 n3 n4 n5 n6 n7"}},
    {16, {}, {"", "k0 k1 k2 n0 n1 n2 k3 k4 n3 n4 n5 n6 n7"}},
    {8, {}, {"", "k0 k1 k2 k3 n0 n1 n2 k4 k5 n3 n4 n5 n6 n7"}},
};
constexpr Layout warpgroup_d = {"n1 n2 m0 m1 m2 m4 m5", "n0 m3 n3 n4 n5 n6 n7"};         // registers of 128 lanes
constexpr Layout tensor_memory_64 = {"m0 m1 m2 m3 . m4 m5", "n0 n1 n2 n3 n4 n5 n6 n7"};  // half of its lanes
constexpr Layout tensor_memory_128 = {"m0 m1 m2 m3 m4 m5 m6", "n0 n1 n2 n3 n4 n5 n6 n7"};

// Scales in tensor memory, the same in each 32 lanes of it: a column holds four bytes, of which the scales of a row
// take as many as there are, from byte 0 on; 32 rows a column.
struct ScaleRow {
  int blocks;
  Layout a, b;
};

constexpr ScaleRow scale_rows[] = {
    {1, {"m0 m1 m2 m3 m4", ". . m5 m6"}, {"n0 n1 n2 n3 n4", ". . n5 n6 n7"}},
    {2, {"m0 m1 m2 m3 m4", "s0 . m5 m6"}, {"n0 n1 n2 n3 n4", "s0 . n5 n6 n7"}},
    {4, {"m0 m1 m2 m3 m4", "s0 s1 m5 m6"}, {"n0 n1 n2 n3 n4", "s0 s1 n5 n6 n7"}},
};

// --- matrices in the registers of a wave of 64 lanes ---

struct WaveRow {
  int m, k, blocks;
  Layout a, b, d;
};

constexpr Layout out_32{"n0 n1 n2 n3 n4 m2", "m0 m1 m3 m4 b0"};
constexpr Layout out_16{"n0 n1 n2 n3 m2 m3", "m0 m1 b0 b1"};
constexpr Layout out_4{"n0 n1 b0 b1 b2 b3", "m0 m1"};

constexpr WaveRow wave_rows[] = {
    {32, 1, 2, {"m0 m1 m2 m3 m4 b0", ""}, {"n0 n1 n2 n3 n4 b0", ""}, out_32},
    {32, 2, 2, {"m0 m1 m2 m3 m4 b0", "k0"}, {"n0 n1 n2 n3 n4 b0", "k0"}, out_32},
    {32, 4, 2, {"m0 m1 m2 m3 m4 b0", "k0 k1"}, {"n0 n1 n2 n3 n4 b0", "k0 k1"}, out_32},
    {32, 2, 1, {"m0 m1 m2 m3 m4 k0", ""}, {"n0 n1 n2 n3 n4 k0", ""}, out_32},
    {32, 4, 1, {"m0 m1 m2 m3 m4 k1", "k0"}, {"n0 n1 n2 n3 n4 k1", "k0"}, out_32},
    {32, 8, 1, {"m0 m1 m2 m3 m4 k2", "k0 k1"}, {"n0 n1 n2 n3 n4 k2", "k0 k1"}, out_32},
    {32, 16, 1, {"m0 m1 m2 m3 m4 k3", "k0 k1 k2"}, {"n0 n1 n2 n3 n4 k3", "k0 k1 k2"}, out_32},
    {16, 1, 4, {"m0 m1 m2 m3 b0 b1", ""}, {"n0 n1 n2 n3 b0 b1", ""}, out_16},
    {16, 2, 4, {"m0 m1 m2 m3 b0 b1", "k0"}, {"n0 n1 n2 n3 b0 b1", "k0"}, out_16},
    {16, 4, 4, {"m0 m1 m2 m3 b0 b1", "k0 k1"}, {"n0 n1 n2 n3 b0 b1", "k0 k1"}, out_16},
    {16, 4, 1, {"m0 m1 m2 m3 k0 k1", ""}, {"n0 n1 n2 n3 k0 k1", ""}, out_16},
    {16, 8, 1, {"m0 m1 m2 m3 k1 k2", "k0"}, {"n0 n1 n2 n3 k1 k2", "k0"}, out_16},
    {16, 16, 1, {"m0 m1 m2 m3 k2 k3", "k0 k1"}, {"n0 n1 n2 n3 k2 k3", "k0 k1"}, out_16},
    {16, 32, 1, {"m0 m1 m2 m3 k3 k4", "k0 k1 k2"}, {"n0 n1 n2 n3 k3 k4", "k0 k1 k2"}, out_16},
    {4, 1, 16, {"m0 m1 b0 b1 b2 b3", ""}, {"n0 n1 b0 b1 b2 b3", ""}, out_4},
    {4, 2, 16, {"m0 m1 b0 b1 b2 b3", "k0"}, {"n0 n1 b0 b1 b2 b3", "k0"}, out_4},
    {4, 4, 16, {"m0 m1 b0 b1 b2 b3", "k0 k1"}, {"n0 n1 b0 b1 b2 b3", "k0 k1"}, out_4},
    {4, 4, 4, {"m0 m1 b0 b1 k0 k1", ""}, {"n0 n1 b0 b1 k0 k1", ""}, {"n0 n1 b0 b1 m0 m1", ""}},
};
// Of 64-bit results rows follow one another in the lanes.
constexpr Layout out_16_of_64_bits{"n0 n1 n2 n3 m0 m1", "m2 m3"};

// --- the formats ---

struct Width {
  std::string_view format;
  int bits;
};

constexpr Width widths[] = {{"f64", 64},     {"f32", 32},     {"tf32", 32}, {"i32", 32}, {"f16", 16},
                            {"bf16", 16},    {"i8", 8},       {"u8", 8},    {"e4m3", 8}, {"e5m2", 8},
                            {"e4m3fnuz", 8}, {"e5m2fnuz", 8}, {"e3m2", 6},  {"e2m3", 6}, {"e2m1", 4},
                            {"i4", 4},       {"u4", 4},       {"ue8m0", 8}, {"ue4m3", 8}};

int bits_of(std::string_view format) {
  for (const Width& w : widths) {
    if (w.format == format) return w.bits;
  }
  return 0;
}

// A matrix of k elements a row or column, and of `fragment`'s other coordinates.
Fragment operand(const Layout& layout, int lanes, const Coordinates& size, int bits, int slot_bits) {
  // A 4-bit element in a slot of 8 bits stands in its middle, one of 6 bits at its lower end.
  const int shift = bits == 4 && slot_bits == 8 ? 2 : 0;
  return {Home::registers, layout, lanes, size, bits, slot_bits, shift, 0};
}

// Formats of less than 8 bits are stored in bytes where formats may be mixed, packed where both are of 4 bits:
// integers, and the forms of k = 64.
int slot_of(const NamedShape& s) {
  const int bits = bits_of(s.a);
  return bits >= 8 || (bits == 4 && (s.k == 64 || s.d == "i32")) ? bits : 8;
}

std::optional<Fragments> warp(const NamedShape& s) {
  const int slot = slot_of(s);
  const auto* row = std::find_if(std::begin(warp_rows), std::end(warp_rows), [&](const WarpRow& r) {
    return r.m == s.m && s.n == 8 && r.k == s.k && r.slot_bits == slot;
  });
  if (row == std::end(warp_rows)) return std::nullopt;
  const auto result = [&](std::string_view format) {
    const int bits = bits_of(format);
    const Layout layout = s.blocks == 4 && bits == 16 ? quad_pairs_of_16_bits : row->c;
    return operand(layout, 32, {s.m, s.n, 1, s.blocks, 1}, bits, bits);
  };
  Fragments f{operand(row->a, 32, {s.m, 1, s.k, s.blocks, 1}, bits_of(s.a), slot),
              operand(row->b, 32, {1, s.n, s.k, s.blocks, 1}, bits_of(s.b), slot), result(s.c), result(s.d)};
  if (!s.scale.empty()) {
    f.scale_a = operand(warp_scales_a, 32, {s.m, 1, 1, 1, s.k / s.scale_block}, 8, 8);
    f.scale_b = operand(warp_scales_b, 32, {1, s.n, 1, 1, s.k / s.scale_block}, 8, 8);
  }
  return f;
}

// The indices of a sparse A: of 4 neighbours each takes 2 bits; of 2, four bits of which two say the same.
Fragment indices_of(const NamedShape& s, const Layout& layout, int lanes) {
  const int bits = s.among == 4 ? 2 : 4;
  return operand(layout, lanes, {s.m, 1, s.k / 2, 1, 1}, bits, bits);
}

NamedShape halved(const NamedShape& s) {
  NamedShape half = s;
  half.k /= 2;
  half.among = 0;
  return half;
}

const SparseRow* sparse_row(const NamedShape& s) {
  const int slot = slot_of(halved(s));
  const auto* row = std::find_if(std::begin(sparse_rows), std::end(sparse_rows),
                                 [&](const SparseRow& r) { return r.k == s.k && r.slot_bits == slot; });
  return row == std::end(sparse_rows) ? nullptr : row;
}

std::optional<Fragments> sparse_warp(const NamedShape& s) {
  std::optional<Fragments> f = warp(halved(s));
  const SparseRow* row = sparse_row(s);
  if (!f || row == nullptr) return std::nullopt;
  f->b = operand(row->b, 32, {1, s.n, s.k, 1, 1}, bits_of(s.b), f->a.slot_bits);
  f->indices = indices_of(s, row->indices, 32);
  return f;
}

// A matrix in shared memory. Of formats narrower than 8 bits, 16 elements take as many bytes where formats may be
// mixed: packed, then padding.
Fragment in_shared_memory(const Layout& layout, const Coordinates& size, int bits, int slot) {
  Fragment f = operand(layout, 1, size, bits, bits);
  f.home = Home::shared_memory;
  if (bits < slot) f.run_bits = 128;
  return f;
}

// Where the instruction takes scales so: m = 128, and a row of the table for as many blocks.
bool add_scales(const NamedShape& s, Fragments& f) {
  const int blocks = s.k / s.scale_block;
  const auto* row =
      std::find_if(std::begin(scale_rows), std::end(scale_rows), [&](const ScaleRow& r) { return r.blocks == blocks; });
  if (row == std::end(scale_rows) || s.m != 128) return false;
  f.scale_a = operand(row->a, 32, {s.m, 1, 1, 1, blocks}, 8, 8);
  f.scale_b = operand(row->b, 32, {1, s.n, 1, 1, blocks}, 8, 8);
  f.scale_a->home = f.scale_b->home = Home::tensor_memory;
  return true;
}

std::optional<Fragments> shared(const NamedShape& s, bool in_tensor_memory) {
  const int slot = slot_of(s);
  const auto* row = std::find_if(std::begin(shared_rows), std::end(shared_rows),
                                 [&](const SharedRow& r) { return r.slot_bits == slot; });
  const bool sizes = (s.m == 64 || (s.m == 128 && in_tensor_memory)) && s.n >= 8 && s.n <= 256 && s.n % 8 == 0;
  const bool known = row != std::end(shared_rows) && std::max(bits_of(s.b), std::min(slot, 8)) == slot &&
                     s.k * slot == 256 && sizes && (s.scale.empty() || in_tensor_memory);
  if (!known) return std::nullopt;
  const Fragment a = in_shared_memory(row->a, {s.m, 1, s.k, 1, 1}, bits_of(s.a), slot);
  const Fragment b = in_shared_memory(row->b, {1, s.n, s.k, 1, 1}, bits_of(s.b), slot);
  const int bits = bits_of(s.d);
  Fragment d = operand(warpgroup_d, 128, {s.m, s.n, 1, 1, 1}, bits, bits);
  if (in_tensor_memory) {
    d.home = Home::tensor_memory;
    d.layout = s.m == 64 ? tensor_memory_64 : tensor_memory_128;
    d.slot_bits = 32;  // a column of tensor memory holds one result, however short
  }
  Fragments f{a, b, d, d};
  if (!s.scale.empty() && !add_scales(s, f)) return std::nullopt;
  return f;
}

// Each warp holds the indices of its 16 rows, as a warp alone does.
std::optional<Fragments> sparse_shared(const NamedShape& s) {
  std::optional<Fragments> f = shared(halved(s), false);
  const SparseRow* row = sparse_row(s);
  const int slot = bits_of(s.a);
  const auto* b = std::find_if(std::begin(sparse_shared_rows), std::end(sparse_shared_rows),
                               [&](const SharedRow& r) { return r.slot_bits == slot; });
  if (!f || row == nullptr || b == std::end(sparse_shared_rows)) return std::nullopt;
  f->b = in_shared_memory(b->b, {1, s.n, s.k, 1, 1}, slot, slot);
  f->indices = indices_of(s, row->indices, 128);
  return f;
}

std::optional<Fragments> wave(const NamedShape& s) {
  const auto* row = std::find_if(std::begin(wave_rows), std::end(wave_rows), [&](const WaveRow& r) {
    return r.m == s.m && s.n == s.m && r.k == s.k && r.blocks == s.blocks;
  });
  if (row == std::end(wave_rows)) return std::nullopt;
  const int in = bits_of(s.a), out = bits_of(s.d);
  const Layout layout = out == 64 && s.m == 16 ? out_16_of_64_bits : row->d;
  const Fragment d = operand(layout, 64, {s.m, s.n, 1, s.blocks, 1}, out, out);
  return Fragments{operand(row->a, 64, {s.m, 1, s.k, s.blocks, 1}, in, in),
                   operand(row->b, 64, {1, s.n, s.k, s.blocks, 1}, in, in), d, d};
}

// --- names ---

// "m16n8k32": the number after `letter`; 0 where there is none.
int number_after(std::string_view text, char letter) {
  const std::size_t at = text.find(letter);
  if (at == std::string_view::npos) return 0;
  int number = 0;
  for (std::size_t i = at + 1; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
    number = 10 * number + (text[i] - '0');
  return number;
}

// PTX calls signed integers s4, s8 and s32.
std::string ptx_format(std::string_view type) {
  return starts_with(type, "s") ? "i" + std::string(type.substr(1)) : std::string(type);
}

// mma.m16n8k32.block32.D.A.B.C.SCALE; wgmma and tcgen05.mma accumulate in d and name no c. Where a result saturates,
// the name ends so; where it is not rounded to nearest, the mode stands behind the sizes.
std::optional<NamedShape> dotted(std::string_view name, std::string_view prefix, bool names_c) {
  std::vector<std::string> parts = split(name.substr(prefix.size()), '.');
  NamedShape s;
  s.name = name;
  const bool sparse = parts[0] == "sp";
  if (sparse) parts.erase(parts.begin());
  if (parts.empty()) return std::nullopt;
  s.m = number_after(parts[0], 'm');
  s.n = number_after(parts[0], 'n');
  s.k = number_after(parts[0], 'k');
  parts.erase(parts.begin());
  if (!parts.empty() && parts.back() == "satfinite") parts.pop_back();
  if (!parts.empty() && (parts[0] == "rz" || parts[0] == "rm" || parts[0] == "rp")) {
    s.rounding = parts[0];
    parts.erase(parts.begin());
  }
  if (!parts.empty() && starts_with(parts[0], "block")) {
    s.scale_block = number_after(parts[0], 'k');
    parts.erase(parts.begin());
    if (parts.empty()) return std::nullopt;
    s.scale = parts.back();
    parts.pop_back();
  }
  if (parts.size() != (names_c ? 4U : 3U)) return std::nullopt;
  s.d = ptx_format(parts[0]);
  s.a = ptx_format(parts[1]);
  s.b = ptx_format(parts[2]);
  s.c = names_c ? ptx_format(parts[3]) : s.d;
  if (s.m == 8 && s.a == "f16") s.blocks = 4;
  if (sparse) s.among = s.a == "tf32" ? 2 : 4;
  return s;
}

// Of the multi-block names of the older spelling, which do not say so: how many elements of a type a lane holds.
int elements_a_lane(std::string_view type) {
  if (type == "f16" || type == "i8" || type == "bf16_1k") return 4;
  return type == "bf16" ? 2 : 1;
}

std::string format_of(std::string_view type) {
  if (type == "bf16_1k") return "bf16";
  if (type == "xf32") return "tf32";
  if (type == "fp8") return "e4m3fnuz";
  if (type == "bf8") return "e5m2fnuz";
  return std::string(type);
}

// v_mfma_f32_16x16x4_4b_f16, or v_mfma_f32_16x16x4f16.
std::optional<NamedShape> underscored(std::string_view name, std::string_view prefix) {
  std::vector<std::string> parts = split(name.substr(prefix.size()), '_');
  if (parts.size() < 2) return std::nullopt;
  NamedShape s;
  s.name = name;
  s.d = s.c = parts[0];
  const std::vector<std::string> sizes = split(parts[1], 'x');
  if (sizes.size() != 3) return std::nullopt;
  const std::string digits = "0123456789";
  const std::size_t end = std::min(sizes[2].find_first_not_of(digits), sizes[2].size());
  const auto number = [&](const std::string& text) { return number_after("#" + text, '#'); };
  s.m = number(sizes[0]);
  s.n = number(sizes[1]);
  s.k = number(sizes[2]);
  if (s.m * s.n * s.k == 0) return std::nullopt;
  std::string type = sizes[2].substr(end);
  if (type.empty()) {
    std::size_t at = 2;
    if (parts.size() > at && parts[at].back() == 'b' && parts[at].find_first_not_of(digits) == parts[at].size() - 1)
      s.blocks = number(parts[at++]);
    if (parts.size() <= at) return std::nullopt;
    s.a = format_of(parts[at]);
    s.b = format_of(parts.back());
  } else {
    for (std::size_t i = 2; i < parts.size(); ++i) type += "_" + parts[i];
    s.a = s.b = format_of(type);
    s.blocks = std::max(64 * elements_a_lane(type) / (s.m * s.k), 1);
  }
  return s;
}

std::optional<NamedShape> parsed(std::string_view name) {
  if (starts_with(name, "mma.")) return dotted(name, "mma.", true);
  if (starts_with(name, "wgmma.")) return dotted(name, "wgmma.", false);
  if (starts_with(name, "tcgen05.mma.")) return dotted(name, "tcgen05.mma.", false);
  if (starts_with(name, "v_mfma_")) return underscored(name, "v_mfma_");
  return std::nullopt;
}

}  // namespace

std::optional<NamedShape> shape_of(std::string_view name) {
  const std::optional<NamedShape> shape = parsed(name);
  const bool known = shape && bits_of(shape->a) > 0 && bits_of(shape->b) > 0 && bits_of(shape->c) > 0 &&
                     bits_of(shape->d) > 0 && (shape->scale.empty() || bits_of(shape->scale) > 0);
  return known ? shape : std::nullopt;
}

std::string left_out(std::string_view name) {
  std::string small(name);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto has = [&](std::string_view part) { return small.find(part) != std::string::npos; };
  const std::string quoted = "'" + std::string(name) + "'";
  if (has("_smfmac_") || (has("tcgen05") && (has(".sp.") || has(".sp::"))))
    return quoted +
           " takes a sparse A: half of its elements, and indices that say which of every four these are. The catalogue "
           "computes it from an A that is whole, with a mask; where the halved A and its indices lie is not in the "
           "tables of "
           "layouts, since nothing at hand could hold it.";
  if (has("cta_group::2"))
    return quoted +
           " is carried out by two blocks of threads together, and its D is spread over the tensor memory of both. The "
           "tables hold only the layouts of one block: leave cta_group::2 away to see these.";
  return "";
}

std::optional<Fragments> fragments_of(const NamedShape& shape) {
  const bool in_tensor_memory = starts_with(shape.name, "tcgen05.");
  if (starts_with(shape.name, "mma.")) return shape.among > 0 ? sparse_warp(shape) : warp(shape);
  if (starts_with(shape.name, "v_mfma_")) return wave(shape);
  if (shape.among == 0) return shared(shape, in_tensor_memory);
  return in_tensor_memory ? std::nullopt : sparse_shared(shape);
}

}  // namespace assay::layout
