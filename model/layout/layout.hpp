// Where the elements of an instruction's operands live: in which lane of the wave or warp, on which of its register
// bits; or where in shared or tensor memory. Standard library only, so that a capture program needs nothing else.
//
// Every documented layout moves the bits of an element's coordinates to bits of its place. So it is written as two
// lists of coordinate bits, the least significant first. Of a 16 x 16 matrix A of 16-bit elements on 32 lanes,
//
//   lane "k1 k2 m0 m1 m2"   bit 0 of the lane is bit 1 of the element's column k, bit 2 is bit 0 of its row m
//   slot "k0 m3 k3"         the element's slot in its lane: slot 0 and 1 share the lane's first 32 bits, 2 and 3 the
//   next
//
// The coordinates are m, n and k, the block b of an instruction that does several products at once, and the block s of
// elements along k that share a scale. '.' is a bit that is always zero, and
// '~n0' the opposite of n0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::layout {

struct Layout {
  std::string_view lane, slot;
};

// Coordinates of an element; those its operand does not have are 0. Of a size, those are 1.
struct Coordinates {
  int m = 0, n = 0, k = 0, b = 0, s = 0;
};

// What of the name of an instruction says how its operands lie.
struct NamedShape {
  std::string name;
  int m = 0, n = 0, k = 0, blocks = 1;  // n is 0 where the name leaves it open
  std::string a, b, c, d, scale;        // formats; no scale: empty
  int scale_block = 0;
  int among = 0;              // of a sparse A: of so many neighbours along k half are there; 0 where it is whole
  std::string rounding = {};  // rz, rm or rp; empty: to nearest
};

// "mma.m16n8k16.f32.f16.f16.f32", "wgmma.m64n64k16.f32.f16.f16", "v_mfma_f32_16x16x4_4b_f32"; nothing where it is no
// such name.
std::optional<NamedShape> shape_of(std::string_view name);

// Named registers: those of a processor without lanes, or the rows of a tile. Its `lanes` are such registers.
enum class Home { registers, shared_memory, tensor_memory, named_registers };

// One operand of an instruction.
struct Fragment {
  Home home = Home::registers;
  Layout layout;
  int lanes = 32;      // of tensor memory and of registers; shared memory is one
  Coordinates size;    // how many of each coordinate
  int bits = 16;       // of an element ...
  int slot_bits = 16;  // ... in a slot of so many ...
  int shift = 0;       // ... from this bit of it on
  int run_bits = 0;    // 16 slots begin at every so many bits, padding after them; 0: slots follow one another

  int elements() const { return size.m * size.n * size.k * size.b * size.s; }
  int words() const;  // of 32 bits, in each lane
};

// Of a sparse A, `a` is what is there of it: k / 2 elements a row, and `indices` says of each which of its neighbours
// it is (PTX calls them metadata).
struct Fragments {
  Fragment a, b, c, d;
  std::optional<Fragment> scale_a = {}, scale_b = {}, indices = {};
};

// What is known of an instruction that the tables leave out, as a sentence; empty of any other name.
std::string left_out(std::string_view name);

// Nothing where the tables do not hold the shape.
std::optional<Fragments> fragments_of(const NamedShape& shape);

struct Location {
  int lane = 0;
  int bit = 0;  // of the lane's registers, 32 bits each, one after another

  int word() const { return bit / 32; }
};

// Of sizes that are powers of two: a slot for each element.
Fragment in_named_registers(const Layout& layout, const Coordinates& size, int bits);

Location place_of(const Fragment& fragment, const Coordinates& element);

// Every element of the operand, each once: calls visit(element).
template <class Visit>
void for_each_element(const Coordinates& size, Visit&& visit) {
  Coordinates e;
  for (e.b = 0; e.b < size.b; ++e.b) {
    for (e.m = 0; e.m < size.m; ++e.m) {
      for (e.n = 0; e.n < size.n; ++e.n) {
        for (e.k = 0; e.k < size.k; ++e.k) {
          for (e.s = 0; e.s < size.s; ++e.s) visit(e);
        }
      }
    }
  }
}

// The operand's registers, lane after lane, words() of each.
using Words = std::vector<std::uint32_t>;

inline std::size_t word_count(const Fragment& f) {
  return static_cast<std::size_t>(f.lanes) * static_cast<std::size_t>(f.words());
}
// The `bits` bits from bit `at` on, of words one after another; 64 of them begin a word.
inline std::uint64_t read_bits(const std::uint32_t* words, int at, int bits) {
  const int low = at % 32;
  std::uint64_t found = words[at / 32] >> low;
  if (low + bits > 32) found |= static_cast<std::uint64_t>(words[at / 32 + 1]) << (32 - low);
  return found & ~std::uint64_t{0} >> (64 - bits);
}

inline void write_bits(std::uint32_t* words, int at, int bits, std::uint64_t code) {
  const int low = at % 32;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  const auto set = [](std::uint32_t& word, std::uint64_t cleared, std::uint64_t to) {
    word = static_cast<std::uint32_t>((word & ~cleared) | to);
  };
  set(words[at / 32], mask << low, (code & mask) << low);
  if (low + bits > 32) set(words[at / 32 + 1], mask >> (32 - low), (code & mask) >> (32 - low));
}

void put(Words& words, const Fragment& fragment, const Coordinates& element, std::uint64_t code);
std::uint64_t get(const Words& words, const Fragment& fragment, const Coordinates& element);

}  // namespace assay::layout
