// Integers wider than the language offers, and the few bit operations every stage needs.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace assay {

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

// The number of bits needed to write `value`: bit_length(0) = 0, bit_length(5) = 3.
inline int bit_length(std::uint64_t value) { return value == 0 ? 0 : 64 - __builtin_clzll(value); }

inline int bit_length(u128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + bit_length(high) : bit_length(static_cast<std::uint64_t>(value));
}

// Of a value that is not zero.
inline int trailing_zeros(u128 value) { return bit_length(value & (~value + 1)) - 1; }

// Carry bits of a sum of `count` numbers: ceil_log2(1) = 0, ceil_log2(5) = 3.
inline int ceil_log2(int count) { return count <= 1 ? 0 : bit_length(static_cast<std::uint64_t>(count - 1)); }

// Shifts that stay defined for every distance.
inline u128 shift_left(u128 value, int distance) {
  assert(distance >= 0);
  return distance >= 128 ? 0 : value << distance;
}
inline u128 shift_right(u128 value, int distance) {
  assert(distance >= 0);
  return distance >= 128 ? 0 : value >> distance;
}

// `bits` ones: low_mask(3) = 0b111.
inline u128 low_mask(int bits) { return bits >= 128 ? ~u128{0} : (u128{1} << bits) - 1; }

// Two's complement of Words x 64 bits: the register of an exact window. It can be filled, added to
// and read; nothing in a datapath needs more.
template <int Words>
struct Wide {
  std::array<std::uint64_t, Words> word{};  // word[0] holds the lowest bits

  // magnitude x 2^distance
  static Wide shifted(u128 magnitude, int distance) {
    assert(distance >= 0);
    Wide result;
    const auto at = static_cast<std::size_t>(distance / 64);
    const int within = distance % 64;
    const std::uint64_t low = static_cast<std::uint64_t>(magnitude);
    const std::uint64_t high = static_cast<std::uint64_t>(magnitude >> 64);
    result.add_word(at, low << within);
    result.add_word(at + 1, within == 0 ? high : (high << within) | (low >> (64 - within)));
    result.add_word(at + 2, within == 0 ? 0 : high >> (64 - within));
    return result;
  }

  Wide& operator+=(const Wide& other) {
    unsigned carry = 0;
    for (std::size_t i = 0; i < Words; ++i) {
      const u128 sum = u128{word[i]} + other.word[i] + carry;
      word[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<unsigned>(sum >> 64);
    }
    return *this;
  }

  Wide operator-() const {
    Wide result;
    unsigned carry = 1;
    for (std::size_t i = 0; i < Words; ++i) {
      const u128 sum = u128{static_cast<std::uint64_t>(~word[i])} + carry;
      result.word[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<unsigned>(sum >> 64);
    }
    return result;
  }

  bool negative() const { return (word[Words - 1] >> 63) != 0; }

  int bit_length() const {  // of a value that is not negative
    for (int i = Words - 1; i >= 0; --i) {
      if (word[static_cast<std::size_t>(i)] != 0) {
        return 64 * i + assay::bit_length(word[static_cast<std::size_t>(i)]);
      }
    }
    return 0;
  }

  // The 128 bits from bit `from` upward.
  u128 window(int from) const {
    const auto at = static_cast<std::size_t>(from / 64);
    const int within = from % 64;
    const u128 low = u128{get(at)} | (u128{get(at + 1)} << 64);
    if (within == 0) return low;
    return (low >> within) | (u128{get(at + 2)} << (128 - within));
  }

  bool any_below(int bit) const {
    for (int i = 0; i < bit / 64; ++i) {
      if (word[static_cast<std::size_t>(i)] != 0) return true;
    }
    const int within = bit % 64;
    return within != 0 && (get(static_cast<std::size_t>(bit / 64)) << (64 - within)) != 0;
  }

 private:
  std::uint64_t get(std::size_t index) const { return index < Words ? word[index] : 0; }
  void add_word(std::size_t index, std::uint64_t value) {
    if (index < Words) {
      word[index] |= value;
    } else {
      assert(value == 0);
    }
  }
};

}  // namespace assay
