// Tensor memory: allocation, ld and st, cp, shift, and every sentence that refuses. Where a warp's registers lie in it
// is written down a second time here, as the figures of the PTX manual have it, thread by thread.
#include "model/machine/tensor_memory.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "model/base/error.hpp"

namespace assay::machine {
namespace {

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.message;
  }
  return "";
}

// All words, so that a refusal can be seen to change none.
std::vector<std::uint32_t> all_words(const TensorMemory& memory) {
  std::vector<std::uint32_t> words;
  for (int lane = 0; lane < tensor_lanes; ++lane) {
    for (int column = 0; column < tensor_columns; ++column) words.push_back(memory.word(lane, column));
  }
  return words;
}

void fill(TensorMemory& memory, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (int lane = 0; lane < tensor_lanes; ++lane) {
    for (int column = 0; column < tensor_columns; ++column)
      memory.set_word(lane, column, static_cast<std::uint32_t>(random()));
  }
}

struct Form {
  const char* shape;
  int rows, registers, most;
};
constexpr Form forms[] = {{"32x32b", 32, 1, 128},
                          {"16x64b", 16, 1, 128},
                          {"16x128b", 16, 2, 64},
                          {"16x256b", 16, 4, 32},
                          {"16x32bx2", 16, 1, 128}};

// Row and column of register r of thread t.
std::pair<int, int> figure(const std::string& shape, int t, int r, int split) {
  if (shape == "32x32b") return {t, r};
  if (shape == "16x64b") return {t / 4 + (t % 2 == 1 ? 8 : 0), t / 2 % 2 + 2 * r};
  if (shape == "16x128b") return {t / 4 + (r % 2 == 1 ? 8 : 0), t % 4 + 4 * (r / 2)};
  if (shape == "16x256b") return {t / 4 + (r / 2 % 2 == 1 ? 8 : 0), t % 4 * 2 + r % 2 + 8 * (r / 4)};
  return t < 16 ? std::pair(t, r) : std::pair(t - 16, r + split);
}

TEST(TensorMemory, LoadsAndStoresEveryShapeAsTheFiguresHaveIt) {
  TensorMemory memory;
  memory.allocate(512);
  std::size_t tried = 0;
  for (const Form& form : forms) {
    for (int repeat = 1; repeat <= form.most; repeat *= 2) {
      for (int warp = 0; warp < 4; ++warp) {
        for (int lane = 32 * warp; lane < 32 * warp + 32; lane += form.rows) {
          fill(memory, 7);
          const int split = std::string(form.shape) == "16x32bx2" ? 160 : 0;
          const WarpAccess access{form.shape, repeat, warp, split};
          const int registers = registers_of(access), column = 3;
          ASSERT_EQ(registers, form.registers * repeat);
          const layout::Words loaded = memory.load(access, {lane, column});
          for (int t = 0; t < 32; ++t) {
            for (int r = 0; r < registers; ++r) {
              const auto [row, at] = figure(form.shape, t, r, split);
              ASSERT_EQ(loaded[static_cast<std::size_t>(t * registers + r)], memory.word(lane + row, column + at))
                  << form.shape << " x" << repeat << " thread " << t << " register " << r;
            }
          }
          // st, then ld: the same; ld, then st: nothing changes.
          const std::vector<std::uint32_t> before = all_words(memory);
          memory.store(access, {lane, column}, loaded);
          ASSERT_EQ(all_words(memory), before);
          layout::Words other = loaded;
          for (std::uint32_t& word : other) word = ~word;
          memory.store(access, {lane, column}, other);
          ASSERT_EQ(memory.load(access, {lane, column}), other);
          ++tried;
        }
      }
    }
  }
  EXPECT_EQ(tried, 8U * 4 + 2 * 4 * (8 + 7 + 6 + 8));
}

TEST(TensorMemory, AllocatesColumns) {
  TensorMemory memory;
  EXPECT_EQ(memory.allocate(32), 0);
  EXPECT_EQ(memory.allocate(128), 32);
  EXPECT_EQ(memory.allocate(256), 160);
  EXPECT_EQ(message_of([&] { memory.allocate(128); }),
            "alloc finds no 128 free columns side by side; 96 of 512 are free.");
  memory.free(32, 128);
  EXPECT_EQ(memory.allocate(64), 32);
  for (const int columns : {0, 16, 31, 33, 96, 1024})
    EXPECT_EQ(message_of([&] { memory.allocate(columns); }),
              "alloc takes 32, 64, 128, 256 or 512 columns, not " + std::to_string(columns) + ".");
  EXPECT_EQ(message_of([&] { memory.free(160, 128); }),
            "dealloc of 128 columns from 160 on, but 256 were allocated there.");
  memory.free(160, 256);
  EXPECT_EQ(message_of([&] { memory.free(160, 256); }),
            "dealloc of column 160: no allocation begins there, or it was freed before.");
  EXPECT_EQ(message_of([&] { memory.free(-1, 32); }),
            "dealloc of column -1: no allocation begins there, or it was freed before.");
  EXPECT_EQ(message_of([&] {
              memory.load({"32x32b", 1, 0, 0}, {0, 170});
            }),
            "32x32b takes columns 170 to 170, but column 170 is not allocated.");
  EXPECT_EQ(message_of([] { TensorMemory(5); }),
            "A quarter of tensor memory has 8 banks of 64 columns or 4 of 128, not 5.");
}

TEST(TensorMemory, RefusesAccessesAndChangesNothing) {
  TensorMemory memory;
  memory.allocate(64);
  fill(memory, 1);
  const std::vector<std::uint32_t> before = all_words(memory);
  const auto refused = [&](const WarpAccess& access, const TensorAddress& at) {
    return message_of(
        [&] { memory.store(access, at, layout::Words(static_cast<std::size_t>(32 * registers_of(access)))); });
  };
  EXPECT_EQ(refused({"32x64b", 1, 0, 0}, {0, 0}),
            "There is no shape '32x64b' of ld and st; there are 32x32b, 16x64b, 16x128b, 16x256b, 16x32bx2.");
  EXPECT_EQ(refused({"16x256b", 64, 0, 0}, {0, 0}), "16x256b is repeated 64 times; it takes powers of two up to 32.");
  EXPECT_EQ(refused({"32x32b", 3, 0, 0}, {0, 0}), "32x32b is repeated 3 times; it takes powers of two up to 128.");
  EXPECT_EQ(refused({"32x32b", 1, 4, 0}, {0, 0}), "Warp 4 is none of the four that reach tensor memory, 0 to 3.");
  EXPECT_EQ(refused({"32x32b", 1, 1, 0}, {0, 0}), "Lane 0 is no start for 32x32b of warp 1, which takes 32.");
  EXPECT_EQ(refused({"16x64b", 1, 1, 0}, {40, 0}), "Lane 40 is no start for 16x64b of warp 1, which takes 32 or 48.");
  EXPECT_EQ(refused({"16x64b", 1, 1, 8}, {32, 0}), "16x64b has no second half; only 16x32bx2 takes a split.");
  EXPECT_EQ(refused({"16x32bx2", 1, 0, 512}, {0, 0}),
            "The second half of 16x32bx2 is 512 columns on; it takes 0 to 511.");
  EXPECT_EQ(refused({"16x32bx2", 1, 0, -1}, {0, 0}),
            "The second half of 16x32bx2 is -1 columns on; it takes 0 to 511.");
  EXPECT_EQ(refused({"32x32b", 16, 0, 0}, {0, 56}), "32x32b takes columns 56 to 71, but column 64 is not allocated.");
  EXPECT_EQ(refused({"32x32b", 16, 0, 0}, {0, 500}), "32x32b takes columns 500 to 515, but there are 512.");
  EXPECT_EQ(refused({"16x32bx2", 2, 0, 64}, {0, 0}),
            "The second half of 16x32bx2 takes columns 64 to 65, but column 64 is not allocated.");
  EXPECT_EQ(message_of([&] {
              memory.store({"32x32b", 2, 0, 0}, {0, 0}, layout::Words(32));
            }),
            "32x32b x2 takes 64 words of a warp's registers, not 32.");
  EXPECT_EQ(message_of([&] { memory.shift_down({16, 0}); }), "shift begins at lane 16; it takes 0, 32, 64 and 96.");
  EXPECT_EQ(message_of([&] {
              memory.shift_down({0, 60});
            }),
            "shift takes columns 60 to 67, but column 64 is not allocated.");
  EXPECT_EQ(all_words(memory), before);
}

TEST(TensorMemory, ShiftsEachLaneToItsNeighbour) {
  TensorMemory memory;
  memory.allocate(32);
  fill(memory, 3);
  const std::vector<std::uint32_t> before = all_words(memory);
  memory.shift_down({0, 8});
  for (int lane = 0; lane < tensor_lanes; ++lane) {
    for (int column = 0; column < tensor_columns; ++column) {
      const bool moved = column >= 8 && column < 16 && lane < 127;
      EXPECT_EQ(memory.word(lane, column), before[static_cast<std::size_t>((lane + (moved ? 1 : 0)) * 512 + column)]);
    }
  }
}

// "8 banks and each bank's depth is 64: it is possible to finish the shift in 1 cycle; 4 banks of 128 entries: 2".
TEST(TensorMemory, CountsCyclesByItsBanks) {
  for (const auto& [banks, cycles] : {std::pair(8, 1U), std::pair(4, 2U)}) {
    TensorMemory memory(banks);
    memory.allocate(32);
    memory.shift_down({0, 0});
    EXPECT_EQ(memory.cycles(), cycles);
    memory.load({"32x32b", 16, 0, 0}, {0, 0});
    EXPECT_EQ(memory.cycles(), cycles + 16);  // 128 Dwords a cycle
  }
}

// --- cp ---

std::uint32_t dword_of(const SharedMemory& shared, std::uint64_t address) {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | shared.at(address + static_cast<std::uint64_t>(i));
  return word;
}

void fill(SharedMemory& shared) {
  std::mt19937 random(9);
  for (std::uint64_t i = 0; i < shared.size(); ++i) shared.at(i) = static_cast<std::uint8_t>(random());
}

struct CopyCase {
  const char* shape;
  const char* multicast;
  int rows, dwords;
  std::vector<std::vector<int>> to;  // by 32 rows: the first lanes they go to
  int step = 1;                      // lanes from a row to the next
};

TEST(TensorMemory, CopiesEveryShape) {
  SharedMemory shared;
  fill(shared);
  const CopyCase cases[] = {
      {"128x256b", "", 128, 8, {{0}, {32}, {64}, {96}}}, {"4x256b", "", 4, 8, {{0}}, 32},
      {"128x128b", "", 128, 4, {{0}, {32}, {64}, {96}}}, {"64x128b", "02_13", 64, 4, {{0, 64}, {32, 96}}},
      {"64x128b", "01_23", 64, 4, {{0, 32}, {64, 96}}},  {"32x128b", "warpx4", 32, 4, {{0, 32, 64, 96}}}};
  for (const CopyCase& c : cases) {
    TensorMemory memory;
    memory.allocate(64);
    fill(memory, 2);
    const std::vector<std::uint32_t> before = all_words(memory);
    std::vector<std::uint32_t> expected = before;
    // Without swizzle: 8 rows of 16 bytes side by side; the next piece of a row 128 bytes on, the next 8 rows 256.
    const MatrixDescriptor matrix{4096, 128, 256, 16};
    for (int row = 0; row < c.rows; ++row) {
      for (int i = 0; i < c.dwords; ++i) {
        const auto address = static_cast<std::uint64_t>(4096 + row / 8 * 256 + row % 8 * 16 + i / 4 * 128 + i % 4 * 4);
        for (const int first : c.to[static_cast<std::size_t>(row / 32)])
          expected[static_cast<std::size_t>((first + row % 32 * c.step) * 512 + 5 + i)] = dword_of(shared, address);
      }
    }
    memory.copy({c.shape, c.multicast, 0}, {0, 5}, descriptor_bits(matrix), shared);
    EXPECT_EQ(all_words(memory), expected) << c.shape << " " << c.multicast;
    EXPECT_EQ(memory.dwords_copied(), static_cast<std::uint64_t>(c.rows * c.dwords));
  }
}

TEST(TensorMemory, WidensPackedElementsToBytes) {
  SharedMemory shared;
  fill(shared);
  for (const int bits : {4, 6}) {
    TensorMemory memory;
    memory.allocate(32);
    memory.copy({"128x128b", "", bits}, {0, 0}, descriptor_bits({0, 128, 128, 16}), shared);
    for (int row = 0; row < 128; ++row) {
      for (int e = 0; e < 16; ++e) {
        // Element e of the packed 16, by its bits one after the other.
        std::uint32_t code = 0;
        for (int i = 0; i < bits; ++i) {
          const int bit = e * bits + i;
          code |= static_cast<std::uint32_t>(shared.at(static_cast<std::uint64_t>(16 * row + bit / 8)) >> (bit % 8) & 1)
                  << i;
        }
        EXPECT_EQ(memory.word(row, e / 4) >> (8 * (e % 4)) & 0xff, bits == 4 ? code << 2 : code);
      }
    }
  }
}

TEST(TensorMemory, RefusesCopiesAndChangesNothing) {
  SharedMemory shared(8192);
  TensorMemory memory;
  memory.allocate(32);
  const std::vector<std::uint32_t> before = all_words(memory);
  const std::uint64_t good = descriptor_bits({0, 128, 128, 16});
  const auto refused = [&](const CopyForm& form, const TensorAddress& at, std::uint64_t descriptor) {
    return message_of([&] { memory.copy(form, at, descriptor, shared); });
  };
  EXPECT_EQ(refused({"16x128b", "", 0}, {0, 0}, good),
            "There is no shape '16x128b' of cp; there are 128x256b, 4x256b, 128x128b, 64x128b, 32x128b.");
  EXPECT_EQ(refused({"64x128b", "", 0}, {0, 0}, good), "64x128b is multicast: it takes 02_13 or 01_23.");
  EXPECT_EQ(refused({"128x128b", "warpx4", 0}, {0, 0}, good), "128x128b is not multicast.");
  EXPECT_EQ(refused({"128x128b", "", 5}, {0, 0}, good), "cp widens elements of 4 and of 6 bits, not of 5.");
  EXPECT_EQ(refused({"128x128b", "", 0}, {8, 0}, good), "128x128b from lane 8 on takes more than the 128 lanes.");
  EXPECT_EQ(refused({"4x256b", "", 0}, {32, 0}, good), "4x256b from lane 32 on takes more than the 128 lanes.");
  EXPECT_EQ(refused({"128x128b", "", 0}, {0, 30}, good),
            "128x128b takes columns 30 to 33, but column 32 is not allocated.");
  EXPECT_EQ(refused({"128x128b", "", 0}, {0, 0}, descriptor_bits({8192 - 16, 128, 128, 16})),
            "The descriptor of cp leads beyond the 8192 bytes of shared memory.");
  EXPECT_EQ(refused({"128x128b", "", 0}, {0, 0}, good | std::uint64_t{1} << 15),
            "The descriptor of cp has a reserved bit set, one of 15..14, 31..30 and 60..52.");
  EXPECT_EQ(refused({"128x128b", "", 0}, {0, 0}, good & ~(std::uint64_t{1} << 46)),
            "The descriptor of cp has to have 001 in bits 48..46.");
  EXPECT_EQ(
      refused({"128x128b", "", 0}, {0, 0}, good | std::uint64_t{1} << 49),
      "The descriptor of cp has a base offset, which serves matrices that begin within a repeat; it has to be 0 here.");
  EXPECT_EQ(refused({"128x128b", "", 0}, {0, 0}, good | std::uint64_t{3} << 61),
            "The descriptor of cp has swizzle 3; it takes 0 (none), 2 (128 bytes), 4 (64) and 6 (32).");
  EXPECT_EQ(
      refused({"128x128b", "", 0}, {0, 0}, descriptor_bits({128, 128, 1024, 128})),
      "The descriptor of cp starts at 128, but where 128 bytes are swizzled, a matrix starts in the first 128 of each "
      "1024.");
  EXPECT_EQ(all_words(memory), before);
  EXPECT_EQ(memory.dwords_copied(), 0U);
}

}  // namespace
}  // namespace assay::machine
