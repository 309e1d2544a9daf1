// wgmma against core on plain matrices: the test puts A and B into shared memory and registers by arithmetic of its
// own, every swizzle and both majors.
#include "model/machine/warpgroup.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "model/base/error.hpp"
#include "model/core/matmul.hpp"
#include "tb/machine/wave_instruction.hpp"

namespace assay::machine {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

using Random = std::mt19937_64;

// Byte of element `along` of line `across`, in pieces of 16 bytes: eight lines of `width` bytes; in each 128 bytes the
// piece's number is XORed with the number of these 128 bytes, as far as a line has pieces.
std::uint64_t byte_of(const MatrixDescriptor& m, bool mn_major, int across, int along_byte) {
  const int piece = along_byte / 16, pieces = m.width / 16;
  if (m.width == 16)
    return m.start + static_cast<std::uint64_t>(across % 8 * 16 + along_byte % 16) +
           static_cast<std::uint64_t>(across / 8) * (mn_major ? m.leading : m.stride) +
           static_cast<std::uint64_t>(piece) * (mn_major ? m.stride : m.leading);
  const int in_eight = across % 8 * m.width + piece % pieces * 16, line = in_eight / 128, chunk = in_eight % 128 / 16;
  const int turned = chunk - chunk % pieces + ((chunk % pieces) ^ (line % pieces));
  return m.start + static_cast<std::uint64_t>(across / 8) * m.stride +
         static_cast<std::uint64_t>(piece / pieces) * m.leading +
         static_cast<std::uint64_t>(128 * line + 16 * turned + along_byte % 16);
}

MatrixDescriptor matrix_for(int width, bool mn_major, int rows, int k, int bits, std::uint32_t start) {
  const auto w = static_cast<std::uint32_t>(width), row_bytes = static_cast<std::uint32_t>(rows * bits / 8);
  if (width == 16) return {start, mn_major ? 8 * row_bytes : 128, mn_major ? 128U : 256U, 16};
  return {start, mn_major ? w * static_cast<std::uint32_t>(k) : 16, 8 * w, width};
}

struct WarpgroupRun {
  std::vector<Code> a, b, d;
  layout::Words a_words, d_words;
  WarpgroupOperation operation;
};

class Wgmma : public ::testing::Test {
 protected:
  SharedMemory shared;
  Random random{21};

  WarpgroupRun prepared(const WaveInstruction& w, int width, int majors) {
    const layout::NamedShape& s = w.shape;
    const layout::Fragments& f = w.fragments;
    WarpgroupRun run;
    const auto codes = [&](int count, int bits) {
      std::vector<Code> all(static_cast<std::size_t>(count));
      for (Code& code : all) code = random() & (~Code{0} >> (64 - bits));
      return all;
    };
    run.a = codes(s.m * s.k, f.a.bits);
    run.b = codes(s.n * s.k, f.b.bits);
    run.d = codes(s.m * s.n, f.d.bits);
    run.operation.a_is_mn_major = (majors & 1) != 0;
    run.operation.b_is_mn_major = (majors & 2) != 0;
    const auto put = [&](const std::vector<Code>& from, int rows, int bits, bool mn, std::uint32_t start) {
      const MatrixDescriptor matrix = matrix_for(width, mn, rows, s.k, bits, start);
      for (int row = 0; row < rows; ++row) {
        for (int k = 0; k < s.k; ++k) {
          const int along = mn ? row : k, across = mn ? k : row;
          for (int i = 0; i < bits / 8; ++i)
            shared.at(byte_of(matrix, mn, across, along * bits / 8 + i)) =
                static_cast<std::uint8_t>(from[static_cast<std::size_t>(row * s.k + k)] >> (8 * i));
        }
      }
      return warpgroup_descriptor_bits(matrix);
    };
    run.operation.a = put(run.a, s.m, f.a.bits, run.operation.a_is_mn_major, 0);
    run.operation.b = put(run.b, s.n, f.b.bits, run.operation.b_is_mn_major, 65536);
    run.d_words.resize(word_count(f.d));
    for (int row = 0; row < s.m; ++row) {
      for (int j = 0; j < s.n; ++j) set_d(run.d_words, f.d, row, j, run.d[static_cast<std::size_t>(row * s.n + j)]);
    }
    run.operation.d = {run.d_words.data(), f.d.words()};
    return run;
  }

  // "row = 16 warp + lane / 4, + 8 for odd pairs; column = 8 (i / 4) + 2 (lane mod 4) + i mod 2"
  static std::pair<int, int> d_place(int row, int column) {
    return {32 * (row / 16) + 4 * (row % 8) + column % 8 / 2, 4 * (column / 8) + 2 * (row % 16 / 8) + column % 2};
  }
  static void set_d(layout::Words& words, const layout::Fragment& f, int row, int column, Code code) {
    const auto [lane, item] = d_place(row, column);
    std::uint32_t& word = words[static_cast<std::size_t>(lane * f.words() + item * f.bits / 32)];
    if (f.bits == 32) {
      word = static_cast<std::uint32_t>(code);
    } else {
      const int at = item % 2 * 16;
      word = (word & ~(0xffffU << at)) | static_cast<std::uint32_t>(code) << at;
    }
  }
  static std::vector<Code> d_of(const layout::Words& words, const layout::Fragment& f, const layout::NamedShape& s) {
    std::vector<Code> d;
    for (int row = 0; row < s.m; ++row) {
      for (int column = 0; column < s.n; ++column) {
        const auto [lane, item] = d_place(row, column);
        const std::uint32_t word = words[static_cast<std::size_t>(lane * f.words() + item * f.bits / 32)];
        d.push_back(f.bits == 32 ? word : word >> (item % 2 * 16) & 0xffff);
      }
    }
    return d;
  }

  static std::vector<Code> expected(const WaveInstruction& w, const WarpgroupRun& run, const std::vector<Code>& d) {
    const layout::NamedShape& s = w.shape;
    Matrices x{s.m, s.n, s.k, run.a, {}, d, {}, {}, {}};
    x.b.resize(run.b.size());
    for (int j = 0; j < s.n; ++j) {
      for (int k = 0; k < s.k; ++k)
        x.b[static_cast<std::size_t>(k * s.n + j)] = run.b[static_cast<std::size_t>(j * s.k + k)];
    }
    for (Code& code : x.a) code ^= run.operation.negate_a ? Code{1} << (w.fragments.a.bits - 1) : 0;
    for (Code& code : x.b) code ^= run.operation.negate_b ? Code{1} << (w.fragments.b.bits - 1) : 0;
    return matmul(w.plan, x);
  }
};

TEST_F(Wgmma, EverySwizzleAndMajorIsWhatCoreGives) {
  std::size_t tried = 0;
  for (const char* name : {"wgmma.m64nNk16.f32.f16.f16", "wgmma.m64nNk16.f32.bf16.bf16", "wgmma.m64nNk16.f16.f16.f16",
                           "wgmma.m64nNk8.f32.tf32.tf32", "wgmma.m64nNk32.f32.e4m3.e5m2"}) {
    const Warpgroup group(warpgroup_instruction(catalogue(), catalogue().instruction("H100", name), 64));
    const WaveInstruction& w = group.instruction();
    for (const int width : {16, 32, 64, 128}) {
      for (int majors = 0; majors < (w.fragments.a.bits == 16 ? 4 : 1); ++majors) {
        WarpgroupRun run = prepared(w, width, majors);
        run.operation.scale_d = majors != 1;
        run.operation.negate_a = majors == 2;
        run.operation.negate_b = majors >= 2;
        group.execute(run.operation, shared);
        ASSERT_EQ(d_of(run.d_words, w.fragments.d, w.shape),
                  expected(w, run, run.operation.scale_d ? run.d : std::vector<Code>(run.d.size())))
            << name << " width " << width << " majors " << majors;
        ++tried;
      }
    }
  }
  EXPECT_EQ(tried, 3U * 16 + 2 * 4);
}

TEST_F(Wgmma, TakesAFromRegisters) {
  for (const char* name :
       {"wgmma.m64nNk16.f32.f16.f16", "wgmma.m64nNk8.f32.tf32.tf32", "wgmma.m64nNk32.f32.e4m3.e5m2"}) {
    const Warpgroup group(warpgroup_instruction(catalogue(), catalogue().instruction("H100", name), 24));
    const WaveInstruction& w = group.instruction();
    WarpgroupRun run = prepared(w, 16, 0);
    // By warps of 16 rows: lane, then registers in turn of row and row + 8, then on along k.
    const int bits = w.fragments.a.bits, each = 32 / bits, words = w.shape.k * bits / 64;
    run.a_words.assign(static_cast<std::size_t>(128 * words), 0);
    for (int lane = 0; lane < 128; ++lane) {
      for (int word = 0; word < words; ++word) {
        for (int i = 0; i < each; ++i) {
          const int row = lane / 32 * 16 + lane % 32 / 4 + word % 2 * 8, k = word / 2 * 4 * each + lane % 4 * each + i;
          run.a_words[static_cast<std::size_t>(lane * words + word)] |=
              static_cast<std::uint32_t>(run.a[static_cast<std::size_t>(row * w.shape.k + k)]) << (i * bits);
        }
      }
    }
    run.operation.a_registers = {run.a_words.data(), words};
    group.execute(run.operation, shared);
    ASSERT_EQ(d_of(run.d_words, w.fragments.d, w.shape), expected(w, run, run.d)) << name;
  }
}

TEST_F(Wgmma, RefusesInASentenceAndChangesNothing) {
  const Warpgroup group(
      warpgroup_instruction(catalogue(), catalogue().instruction("H100", "wgmma.m64nNk8.f32.tf32.tf32"), 16));
  WarpgroupRun run = prepared(group.instruction(), 16, 0);
  const layout::Words before = run.d_words;
  const auto refused = [&](const std::function<void(WarpgroupOperation&)>& change) {
    WarpgroupOperation o = run.operation;
    change(o);
    std::string message;
    try {
      group.execute(o, shared);
    } catch (const Error& error) {
      message = error.message;
    }
    EXPECT_EQ(run.d_words, before) << message;
    return message;
  };
  for (const int bit : {14, 15, 30, 31, 46, 47, 48, 52, 61})
    EXPECT_EQ(refused([&](WarpgroupOperation& o) { o.a |= std::uint64_t{1} << bit; }),
              "The descriptor of A has a reserved bit set, one of 15..14, 31..30, 48..46 and 61..52.");
  EXPECT_EQ(
      refused([](WarpgroupOperation& o) { o.b |= std::uint64_t{1} << 49; }),
      "The descriptor of B has a base offset, which serves matrices that begin within a repeat; it has to be 0 here.");
  EXPECT_EQ(refused([](WarpgroupOperation& o) {
              o.b = warpgroup_descriptor_bits({256, 16, 512, 64});
            }),
            "The descriptor of B starts at 256, but where 64 bytes are swizzled, a matrix starts in the first 64 of "
            "each 512.");
  EXPECT_EQ(refused([](WarpgroupOperation& o) {
              o.b = warpgroup_descriptor_bits({232432, 128, 256, 16});
            }),
            "The descriptor of B leads beyond the 232448 bytes of shared memory.");
  EXPECT_EQ(refused([](WarpgroupOperation& o) { o.b_is_mn_major = true; }),
            "B lies along k: only formats of 16 bits may lie the other way.");
  const layout::Words registers(128 * 4);
  EXPECT_EQ(refused([&](WarpgroupOperation& o) {
              o.a_registers = {registers.data(), 4};
              o.a_is_mn_major = true;
            }),
            "A in registers lies along k; its transpose has to be 0.");
  try {
    warpgroup_instruction(catalogue(), catalogue().instruction("ampere:mma.m16n8k16.f32.f16.f16.f32"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(
        error.message,
        "ampere:mma.m16n8k16.f32.f16.f16.f32 is no instruction of a warpgroup: B in shared memory, D in registers.");
  }
}

}  // namespace
}  // namespace assay::machine
