#include "model/machine/shared_memory.hpp"

#include "model/base/error.hpp"

namespace assay::machine {
namespace {

constexpr std::uint64_t mask(int bits) { return (std::uint64_t{1} << bits) - 1; }

struct Swizzle {
  std::uint64_t field;
  int width;
};

// The fields' values; 1 is 128 bytes in units of 32, which this does not hold.
constexpr Swizzle swizzles[] = {{0, 16}, {6, 32}, {4, 64}, {2, 128}};

// Pieces of 16 bytes change places within their row: address bits 4 and up, as many as a row has, are turned where
// bits 7 and up are set.
std::uint64_t swizzled(std::uint64_t address, int width) {
  const auto turned = static_cast<std::uint64_t>(width / 16 - 1);
  return address ^ ((address >> 7 & turned) << 4);
}

}  // namespace

// Major::k          a group of 8 rows (m, n) after the other: stride bytes; a piece of 16 bytes along k after the
// other:
//                   within the row, and without swizzle leading bytes
// Major::mn         a row (k) after the other: width bytes, after 8 of them stride bytes; a piece along m or n after
// the
//                   other: within the row, then leading bytes; without swizzle the two change places
std::uint64_t MatrixDescriptor::address(Major major, int row, int piece) const {
  const auto r = static_cast<std::uint64_t>(row), p = static_cast<std::uint64_t>(piece);
  const auto w = static_cast<std::uint64_t>(width), each = w / 16;
  std::uint64_t offset = r % 8 * w + p % each * 16;
  if (width == 16) {
    offset += major == Major::k ? r / 8 * stride + p * leading : r / 8 * leading + p * stride;
  } else {
    offset += r / 8 * stride + (major == Major::mn ? p / each * leading : 0);
  }
  return swizzled(start + offset, width);
}

std::string read_descriptor(const std::string& name, std::uint64_t bits, MatrixDescriptor& into) {
  constexpr std::uint64_t reserved = mask(2) << 14 | mask(2) << 30 | mask(9) << 52;
  if ((bits & reserved) != 0) return name + " has a reserved bit set, one of 15..14, 31..30 and 60..52.";
  if ((bits >> 46 & mask(3)) != 1) return name + " has to have 001 in bits 48..46.";
  into.width = 0;
  for (const Swizzle& s : swizzles) {
    if (s.field == bits >> 61) into.width = s.width;
  }
  if (into.width == 0)
    return name + " has swizzle " + std::to_string(bits >> 61) +
           "; it takes 0 (none), 2 (128 bytes), 4 (64) and 6 (32).";
  into.start = static_cast<std::uint32_t>((bits & mask(14)) << 4);
  into.leading = static_cast<std::uint32_t>((bits >> 16 & mask(14)) << 4);
  into.stride = static_cast<std::uint32_t>((bits >> 32 & mask(14)) << 4);
  return matrix_start_problem(name, into, static_cast<int>(bits >> 49 & mask(3)));
}

std::string matrix_start_problem(const std::string& name, const MatrixDescriptor& matrix, int base_offset) {
  if (base_offset != 0)
    return name + " has a base offset, which serves matrices that begin within a repeat; it has to be 0 here.";
  const auto row = static_cast<std::uint32_t>(matrix.width);
  if (matrix.width > 16 && matrix.start % (8 * row) >= row)
    return name + " starts at " + std::to_string(matrix.start) + ", but where " + std::to_string(matrix.width) +
           " bytes are swizzled, a matrix starts in the first " + std::to_string(row) + " of each " +
           std::to_string(8 * row) + ".";
  return "";
}

std::uint64_t descriptor_bits(const MatrixDescriptor& d) {
  std::uint64_t field = 0;
  for (const Swizzle& s : swizzles) {
    if (s.width == d.width) field = s.field;
  }
  return d.start >> 4 | std::uint64_t{d.leading >> 4} << 16 | std::uint64_t{d.stride >> 4} << 32 |
         std::uint64_t{1} << 46 | field << 61;
}

std::uint64_t SharedMemory::bits(std::uint64_t address, int first, int count) const {
  const std::uint64_t begin = address + static_cast<std::uint64_t>(first / 8);
  const int low = first % 8;
  std::uint64_t code = 0;
  for (int i = 0; 8 * i < low + count; ++i)
    code |= static_cast<std::uint64_t>(at(begin + static_cast<std::uint64_t>(i))) << (8 * i);
  return code >> low & mask(count);
}

void SharedMemory::set_bits(std::uint64_t address, int first, int count, std::uint64_t code) {
  const std::uint64_t begin = address + static_cast<std::uint64_t>(first / 8);
  const int low = first % 8;
  const std::uint64_t cleared = mask(count) << low, set = (code & mask(count)) << low;
  for (int i = 0; 8 * i < low + count; ++i) {
    std::uint8_t& byte = at(begin + static_cast<std::uint64_t>(i));
    byte = static_cast<std::uint8_t>((byte & ~(cleared >> (8 * i))) | (set >> (8 * i) & 0xff));
  }
}

ElementPlace MatrixReading::place(const MatrixDescriptor& matrix, int row, int column) const {
  const int along = major == Major::mn ? row : column, across = major == Major::mn ? column : row;
  return {matrix.address(major, across, along / each), along % each * bits};
}

std::vector<std::uint64_t> read_matrix(const std::string& name, const MatrixDescriptor& matrix,
                                       const MatrixReading& reading, const SharedMemory& shared) {
  std::vector<std::uint64_t> codes;
  codes.reserve(static_cast<std::size_t>(reading.rows) * static_cast<std::size_t>(reading.k));
  for (int row = 0; row < reading.rows; ++row) {
    for (int k = 0; k < reading.k; ++k) {
      const ElementPlace place = reading.place(matrix, row, k);
      if (!shared.holds(place.address, 16))
        throw Error{"The descriptor of " + name + " leads beyond the " + std::to_string(shared.size()) +
                    " bytes of shared memory."};
      codes.push_back(shared.bits(place.address, place.first, reading.bits));
    }
  }
  return codes;
}

}  // namespace assay::machine
