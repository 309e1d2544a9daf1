#include "model/machine/tensor_memory.hpp"

#include <algorithm>
#include <array>

#include "model/base/error.hpp"

namespace assay::machine {
namespace {

using layout::Coordinates;
using layout::Fragment;

constexpr int free_column = -1;
constexpr int shifted_columns = 8;  // 32 bytes

// --- ld and st ---

// A warp's image of memory, m its rows and n its columns: which lane and register has which word. Of two halves apart,
// b says which.
struct AccessShape {
  std::string_view name;
  int rows, columns, halves;  // of a repeat
  int registers;              // of a repeat
  int most_repeat;
  layout::Layout image;
};

constexpr AccessShape access_shapes[] = {
    {"32x32b", 32, 1, 1, 1, 128, {"m0 m1 m2 m3 m4", "n0 n1 n2 n3 n4 n5 n6"}},
    {"16x64b", 16, 2, 1, 1, 128, {"m3 n0 m0 m1 m2", "n1 n2 n3 n4 n5 n6 n7"}},
    {"16x128b", 16, 4, 1, 2, 64, {"n0 n1 m0 m1 m2", "m3 n2 n3 n4 n5 n6 n7"}},
    {"16x256b", 16, 8, 1, 4, 32, {"n1 n2 m0 m1 m2", "n0 m3 n3 n4 n5 n6 n7"}},
    {"16x32bx2", 16, 1, 2, 1, 128, {"m0 m1 m2 m3 b0", "n0 n1 n2 n3 n4 n5 n6"}},
};

template <class Row>
std::string names_of(const Row& rows) {
  std::string text;
  for (const auto& row : rows) text += (text.empty() ? "" : ", ") + std::string(row.name);
  return text;
}

const AccessShape& access_shape(const WarpAccess& access) {
  const auto* found = std::find_if(std::begin(access_shapes), std::end(access_shapes),
                                   [&](const AccessShape& s) { return s.name == access.shape; });
  if (found == std::end(access_shapes))
    throw Error{"There is no shape '" + access.shape + "' of ld and st; there are " + names_of(access_shapes) + "."};
  const int r = access.repeat;
  if (r < 1 || r > found->most_repeat || (r & (r - 1)) != 0)
    throw Error{access.shape + " is repeated " + std::to_string(r) + " times; it takes powers of two up to " +
                std::to_string(found->most_repeat) + "."};
  if (access.warp < 0 || access.warp > 3)
    throw Error{"Warp " + std::to_string(access.warp) + " is none of the four that reach tensor memory, 0 to 3."};
  if (access.split < 0 || access.split >= tensor_columns)
    throw Error{"The second half of " + access.shape + " is " + std::to_string(access.split) +
                " columns on; it takes 0 to 511."};
  if (access.split != 0 && found->halves == 1)
    throw Error{access.shape + " has no second half; only 16x32bx2 takes a split."};
  return *found;
}

// --- cp ---

struct CopyShape {
  std::string_view name;
  int rows, pieces;  // of 16 bytes, a row
  int step;          // lanes from a row to the next: of four rows, one goes to each warp's first lane

  int lanes() const { return (rows - 1) * step + 1; }
};

constexpr CopyShape copy_shapes[] = {{"128x256b", 128, 2, 1},
                                     {"4x256b", 4, 2, 32},
                                     {"128x128b", 128, 1, 1},
                                     {"64x128b", 64, 1, 1},
                                     {"32x128b", 32, 1, 1}};

// The first lane that 32 rows go to, of each time that they are written.
struct Multicast {
  std::string_view shape, name;
  std::array<std::array<int, 4>, 2> lanes;  // of rows 0-31 and of rows 32-63; -1: no more
};

constexpr Multicast multicasts[] = {{"64x128b", "02_13", {{{0, 64, -1, -1}, {32, 96, -1, -1}}}},
                                    {"64x128b", "01_23", {{{0, 32, -1, -1}, {64, 96, -1, -1}}}},
                                    {"32x128b", "warpx4", {{{0, 32, 64, 96}, {-1, -1, -1, -1}}}}};

const CopyShape& copy_shape(const CopyForm& form) {
  const auto* found = std::find_if(std::begin(copy_shapes), std::end(copy_shapes),
                                   [&](const CopyShape& s) { return s.name == form.shape; });
  if (found == std::end(copy_shapes))
    throw Error{"There is no shape '" + form.shape + "' of cp; there are " + names_of(copy_shapes) + "."};
  if (form.packed_bits != 0 && form.packed_bits != 4 && form.packed_bits != 6)
    throw Error{"cp widens elements of 4 and of 6 bits, not of " + std::to_string(form.packed_bits) + "."};
  return *found;
}

const Multicast* multicast_of(const CopyForm& form) {
  std::string choices;
  for (const Multicast& m : multicasts) {
    if (m.shape != form.shape) continue;
    if (m.name == form.multicast) return &m;
    choices += (choices.empty() ? "" : " or ") + std::string(m.name);
  }
  if (choices.empty() && form.multicast.empty()) return nullptr;
  throw Error{form.shape + (choices.empty() ? " is not multicast." : " is multicast: it takes " + choices + ".")};
}

std::vector<int> lanes_of(const CopyShape& shape, const Multicast* multicast, int first, int row) {
  if (multicast == nullptr) return {first + row * shape.step};
  std::vector<int> lanes;
  for (const int lane : multicast->lanes[static_cast<std::size_t>(row / warp_lanes)]) {
    if (lane >= 0) lanes.push_back(lane + row % warp_lanes);
  }
  return lanes;
}

// A 16-byte piece as it arrives: as it is, or each of 16 packed elements in a byte of its own, of 4 bits in its middle
// and of 6 at its lower end.
std::array<std::uint32_t, 4> piece_at(const SharedMemory& from, std::uint64_t address, int packed_bits) {
  std::array<std::uint32_t, 4> words{};
  for (std::size_t i = 0; i < 16; ++i) {
    const int at = static_cast<int>(i);
    const std::uint64_t byte = packed_bits == 0
                                   ? from.bits(address, 8 * at, 8)
                                   : from.bits(address, packed_bits * at, packed_bits) << (packed_bits == 4 ? 2 : 0);
    words[i / 4] |= static_cast<std::uint32_t>(byte) << (8 * (i % 4));
  }
  return words;
}

MatrixDescriptor copied_matrix(std::uint64_t descriptor) {
  MatrixDescriptor matrix;
  if (const std::string why = read_descriptor("The descriptor of cp", descriptor, matrix); !why.empty())
    throw Error{why};
  return matrix;
}

}  // namespace

int registers_of(const WarpAccess& access) { return access_shape(access).registers * access.repeat; }

TensorMemory::TensorMemory(int banks)
    : banks_(banks),
      words_(static_cast<std::size_t>(tensor_lanes * tensor_columns)),
      owner_(tensor_columns, free_column) {
  if (banks != 4 && banks != 8)
    throw Error{"A quarter of tensor memory has 8 banks of 64 columns or 4 of 128, not " + std::to_string(banks) + "."};
}

int TensorMemory::allocate(int columns) {
  if (columns < 32 || columns > tensor_columns || (columns & (columns - 1)) != 0)
    throw Error{"alloc takes 32, 64, 128, 256 or 512 columns, not " + std::to_string(columns) + "."};
  for (int first = 0; first + columns <= tensor_columns; first += 32) {
    const auto begin = owner_.begin() + first;
    if (!std::all_of(begin, begin + columns, [](int owner) { return owner == free_column; })) continue;
    std::fill(begin, begin + columns, first);
    return first;
  }
  const auto left = std::count(owner_.begin(), owner_.end(), free_column);
  throw Error{"alloc finds no " + std::to_string(columns) + " free columns side by side; " + std::to_string(left) +
              " of 512 are free."};
}

void TensorMemory::free(int first, int columns) {
  const auto owned = std::count(owner_.begin(), owner_.end(), first);
  if (first < 0 || first >= tensor_columns || owned == 0 || owner_[static_cast<std::size_t>(first)] != first)
    throw Error{"dealloc of column " + std::to_string(first) + ": no allocation begins there, or it was freed before."};
  if (owned != columns)
    throw Error{"dealloc of " + std::to_string(columns) + " columns from " + std::to_string(first) + " on, but " +
                std::to_string(owned) + " were allocated there."};
  std::replace(owner_.begin(), owner_.end(), first, free_column);
}

std::string TensorMemory::problem(const std::string& what, int first, int columns) const {
  const std::string range = std::to_string(first) + " to " + std::to_string(first + columns - 1);
  if (first < 0 || first + columns > tensor_columns) return what + " takes columns " + range + ", but there are 512.";
  for (int c = first; c < first + columns; ++c) {
    if (owner_[static_cast<std::size_t>(c)] == free_column)
      return what + " takes columns " + range + ", but column " + std::to_string(c) + " is not allocated.";
  }
  return "";
}

void TensorMemory::check(const std::string& what, int first, int columns) const {
  if (const std::string why = problem(what, first, columns); !why.empty()) throw Error{why};
}

// Calls visit(index in the registers, lane, column).
template <class Visit>
void TensorMemory::each_word(const WarpAccess& access, const TensorAddress& at, Visit&& visit) {
  const AccessShape& shape = access_shape(access);
  const int quarter = warp_lanes * access.warp, columns = shape.columns * access.repeat;
  if (at.lane < quarter || at.lane + shape.rows > quarter + warp_lanes || at.lane % shape.rows != 0)
    throw Error{"Lane " + std::to_string(at.lane) + " is no start for " + access.shape + " of warp " +
                std::to_string(access.warp) + ", which takes " + std::to_string(quarter) +
                (shape.rows == warp_lanes ? "" : " or " + std::to_string(quarter + shape.rows)) + "."};
  for (int half = 0; half < shape.halves; ++half)
    check(half == 0 ? access.shape : "The second half of " + access.shape, at.column + half * access.split, columns);
  const Fragment image{
      layout::Home::registers, shape.image, warp_lanes, {shape.rows, columns, 1, shape.halves, 1}, 32, 32, 0, 0};
  const int registers = shape.registers * access.repeat;
  for_each_element(image.size, [&](const Coordinates& e) {
    const layout::Location place = place_of(image, e);
    visit(static_cast<std::size_t>(place.lane * registers + place.word()), at.lane + e.m,
          at.column + e.n + e.b * access.split);
  });
  // 128 lanes at once, a Dword each.
  cycles_ += static_cast<std::uint64_t>(columns * shape.halves);
}

layout::Words TensorMemory::load(const WarpAccess& access, const TensorAddress& at) {
  layout::Words registers(static_cast<std::size_t>(warp_lanes * registers_of(access)));
  each_word(access, at, [&](std::size_t i, int lane, int column) { registers[i] = word(lane, column); });
  return registers;
}

void TensorMemory::store(const WarpAccess& access, const TensorAddress& at, const layout::Words& registers) {
  const auto needed = static_cast<std::size_t>(warp_lanes * registers_of(access));
  if (registers.size() != needed)
    throw Error{access.shape + " x" + std::to_string(access.repeat) + " takes " + std::to_string(needed) +
                " words of a warp's registers, not " + std::to_string(registers.size()) + "."};
  each_word(access, at, [&](std::size_t i, int lane, int column) { set_word(lane, column, registers[i]); });
}

void TensorMemory::check_copy(const CopyForm& form, const TensorAddress& at, std::uint64_t descriptor,
                              const SharedMemory& from) const {
  const CopyShape& shape = copy_shape(form);
  const Multicast* const multicast = multicast_of(form);
  const MatrixDescriptor matrix = copied_matrix(descriptor);
  const int lanes = multicast == nullptr ? shape.lanes() : tensor_lanes;
  if (at.lane < 0 || at.lane + lanes > tensor_lanes)
    throw Error{form.shape + " from lane " + std::to_string(at.lane) + " on takes more than the 128 lanes."};
  check(form.shape, at.column, 4 * shape.pieces);
  for (int row = 0; row < shape.rows; ++row) {
    for (int piece = 0; piece < shape.pieces; ++piece) {
      if (!from.holds(matrix.address(Major::k, row, piece), 16))
        throw Error{"The descriptor of cp leads beyond the " + std::to_string(from.size()) +
                    " bytes of shared memory."};
    }
  }
}

void TensorMemory::copy(const CopyForm& form, const TensorAddress& at, std::uint64_t descriptor,
                        const SharedMemory& from) {
  check_copy(form, at, descriptor, from);
  const CopyShape& shape = copy_shape(form);
  const Multicast* const multicast = multicast_of(form);
  const MatrixDescriptor matrix = copied_matrix(descriptor);
  for (int row = 0; row < shape.rows; ++row) {
    for (int piece = 0; piece < shape.pieces; ++piece) {
      const auto words = piece_at(from, matrix.address(Major::k, row, piece), form.packed_bits);
      for (const int lane : lanes_of(shape, multicast, at.lane, row)) {
        for (int i = 0; i < 4; ++i) set_word(lane, at.column + 4 * piece + i, words[static_cast<std::size_t>(i)]);
      }
    }
  }
  dwords_copied_ += static_cast<std::uint64_t>(4 * shape.rows * shape.pieces);
  cycles_ += static_cast<std::uint64_t>(4 * shape.pieces);
}

void TensorMemory::check_shift(const TensorAddress& at) const {
  if (at.lane % warp_lanes != 0 || at.lane < 0 || at.lane >= tensor_lanes)
    throw Error{"shift begins at lane " + std::to_string(at.lane) + "; it takes 0, 32, 64 and 96."};
  check("shift", at.column, shifted_columns);
}

void TensorMemory::shift_down(const TensorAddress& at) {
  check_shift(at);
  for (int lane = at.lane; lane + 1 < tensor_lanes; ++lane) {
    for (int c = at.column; c < at.column + shifted_columns; ++c) set_word(lane, c, word(lane + 1, c));
  }
  // Neighbouring columns lie in neighbouring banks.
  cycles_ += static_cast<std::uint64_t>(shifted_columns / banks_);
}

}  // namespace assay::machine
