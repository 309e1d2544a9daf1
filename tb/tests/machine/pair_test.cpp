// tcgen05.mma of cta_group::2: two multiprocessors with halves of A, B and D in their own memories give what core gives
// of the whole matrices. Where the halves lie is written down here, as the PTX manual's layouts A and B draw it.
#include <gtest/gtest.h>

#include <functional>

#include "model/base/error.hpp"
#include "model/core/matmul.hpp"
#include "tb/machine/mma_datapaths.hpp"
#include "tb/tests/machine/plain_tensor.hpp"

namespace assay::machine {
namespace {

using namespace testing;

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

constexpr int d_column = 64, a_column = 320, scale_a_column = 352, scale_b_column = 384;

// Of 256 rows, 128 in each; of 128, 64 in each, the second half of their columns 64 lanes on.
struct Where {
  int member, lane, column;
};

Where place_of_d(const MmaShape& s, int row, int column) {
  if (s.m == 256) return {row / 128, row % 128, d_column + column};
  const bool second_half = column >= s.n / 2;
  return {row / 64, row % 64 + (second_half ? 64 : 0), d_column + column - (second_half ? s.n / 2 : 0)};
}

class Pair : public ::testing::Test {
 protected:
  MmaDatapaths units = mma_datapaths(catalogue());
  TensorMachine first{units}, second{units};
  Random random{33};
  std::vector<Code> a, b, d, scale_a, scale_b;  // m x k, n x k, m x n, m x blocks, n x blocks
  MmaOperation operation;

  void SetUp() override {
    first.tensor.allocate(512);
    second.tensor.allocate(512);
  }

  TensorMachine& member(int i) { return i == 0 ? first : second; }

  // One's half of A and B as a case of its own: what of them lies in its shared memory.
  static MmaCase half_of(MmaCase c) {
    c.shape.m /= 2;
    c.shape.n /= 2;
    return c;
  }

  void prepare(const MmaCase& c, int width, bool a_in_tensor) {
    const MmaShape& s = c.shape;
    a = random_codes(random, s.m * s.k, bits_of(s.a));
    b = random_codes(random, s.n * s.k, bits_of(s.b));
    d = random_codes(random, s.m * s.n, bits_of(s.d));
    operation = {};
    operation.kind = c.kind;
    operation.descriptor = instruction_descriptor_bits(c.kind, s);
    operation.d = {0, d_column};
    const MmaCase half = half_of(c);
    const Put put_a = place(half, true, width, 0), put_b = place(half, false, width, 65536);
    operation.a = descriptor_bits(put_a.matrix);
    operation.b = descriptor_bits(put_b.matrix);
    if (a_in_tensor) operation.a_in_tensor = TensorAddress{0, a_column};
    for (int i = 0; i < 2; ++i) {
      const auto part = [&](const std::vector<Code>& all) {
        const auto size = static_cast<std::ptrdiff_t>(all.size() / 2);
        return std::vector<Code>(all.begin() + i * size, all.begin() + (i + 1) * size);
      };
      put_matrix(member(i).shared, put_b, part(b), s.n / 2, s.k);
      if (a_in_tensor) {
        put_a_in_tensor(i, c, part(a));
      } else {
        put_matrix(member(i).shared, put_a, part(a), s.m / 2, s.k);
      }
    }
    for (int row = 0; row < s.m; ++row) {
      for (int j = 0; j < s.n; ++j) {
        const Where w = place_of_d(s, row, j);
        member(w.member).tensor.set_word(w.lane, w.column,
                                         static_cast<std::uint32_t>(d[static_cast<std::size_t>(row * s.n + j)]));
      }
    }
    if (!s.scale.empty()) put_scales(s);
  }

  // 16 bits an element: two a column. 64 rows stand in lanes 0 to 63 and once more in 64 to 127.
  void put_a_in_tensor(int i, const MmaCase& c, const std::vector<Code>& rows) {
    for (int lane = 0; lane < 128; ++lane) {
      const int row = lane % (c.shape.m / 2);
      for (int k = 0; k < c.shape.k; k += 2) {
        const auto at = static_cast<std::size_t>(row * c.shape.k + k);
        member(i).tensor.set_word(lane, a_column + k / 2, static_cast<std::uint32_t>(rows[at] | rows[at + 1] << 16));
      }
    }
  }

  // A's own rows in each, B's of all columns in both: row r in lane r mod 32, column r / 32, bytes from 0 on.
  void put_scales(const MmaShape& s) {
    const int blocks = s.k / s.scale_block;
    scale_a = random_codes(random, s.m * blocks, 7);
    scale_b = random_codes(random, s.n * blocks, 7);
    const auto put = [&](int i, int from, int rows, int column, const std::vector<Code>& codes) {
      for (int row = 0; row < rows; ++row) {
        std::uint32_t word = 0;
        for (int block = 0; block < blocks; ++block)
          word |= static_cast<std::uint32_t>(codes[static_cast<std::size_t>((from + row) * blocks + block)])
                  << (8 * block);
        member(i).tensor.set_word(row % 32, column + row / 32, word);
      }
    };
    for (int i = 0; i < 2; ++i) {
      put(i, 128 * i, 128, scale_a_column, scale_a);
      put(i, 0, s.n, scale_b_column, scale_b);
    }
    operation.scale_a = TensorAddress{0, scale_a_column};
    operation.scale_b = TensorAddress{0, scale_b_column};
    operation.scale_block = s.scale_block;
  }

  std::vector<Code> found(const MmaShape& s) {
    std::vector<Code> codes;
    for (int row = 0; row < s.m; ++row) {
      for (int j = 0; j < s.n; ++j) {
        const Where w = place_of_d(s, row, j);
        codes.push_back(member(w.member).tensor.word(w.lane, w.column) & (~Code{0} >> (64 - bits_of(s.d))));
      }
    }
    return codes;
  }

  std::vector<Code> expected(const MmaCase& c) {
    const MmaShape& s = c.shape;
    const int blocks = s.scale.empty() ? 0 : s.k / s.scale_block;
    Matrices x{s.m, s.n, s.k, a, {}, d, scale_a, {}, {}};
    x.b.resize(b.size());
    x.scale_b.resize(scale_b.size());
    for (int j = 0; j < s.n; ++j) {
      for (int k = 0; k < s.k; ++k)
        x.b[static_cast<std::size_t>(k * s.n + j)] = b[static_cast<std::size_t>(j * s.k + k)];
      for (int i = 0; i < blocks; ++i)
        x.scale_b[static_cast<std::size_t>(i * s.n + j)] = scale_b[static_cast<std::size_t>(j * blocks + i)];
    }
    for (Code& code : x.a) code ^= s.negate_a ? Code{1} << (bits_of(s.a) - 1) : 0;
    for (Code& code : x.b) code ^= s.negate_b ? Code{1} << (bits_of(s.b) - 1) : 0;
    MmaShape own = s;
    own.m = 128;
    return matmul(units(own)->plan, x);
  }

  std::string refused(const std::function<void()>& change) {
    change();
    try {
      TensorMachine::mma_of_pair(first, second, operation);
    } catch (const Error& error) {
      return error.message;
    }
    return "";
  }
};

TEST_F(Pair, GivesWhatCoreGivesOfTheWhole) {
  std::vector<MmaCase> cases{case_of(MmaKind::f16, 256, 32, 16, "f16", "bf16"),
                             case_of(MmaKind::f16, 128, 48, 16, "bf16", "f16"),
                             case_of(MmaKind::f16, 128, 16, 16, "f16", "f16", "f16"),
                             case_of(MmaKind::tf32, 128, 32, 8, "tf32", "tf32"),
                             case_of(MmaKind::f8f6f4, 256, 64, 32, "e4m3", "e2m1"),
                             case_of(MmaKind::f8f6f4, 128, 32, 32, "e3m2", "e5m2"),
                             case_of(MmaKind::i8, 128, 64, 32, "i8", "u8", "i32"),
                             case_of(MmaKind::mxf8f6f4, 256, 32, 32, "e4m3", "e2m3", "f32", "ue8m0", 32),
                             case_of(MmaKind::mxf4nvf4, 256, 48, 64, "e2m1", "e2m1", "f32", "ue4m3", 16)};
  cases[0].shape.negate_a = cases[1].shape.negate_b = true;
  for (const MmaCase& c : cases) {
    prepare(c, 16, false);
    TensorMachine::mma_of_pair(first, second, operation);
    ASSERT_EQ(found(c.shape), expected(c)) << c.shape.m << " " << c.shape.a << " " << c.shape.b;
  }
}

TEST_F(Pair, TakesEverySwizzleAndAFromTensorMemory) {
  for (const int m : {128, 256}) {
    for (const int width : {16, 32, 64, 128}) {
      for (const bool turned : {false, true}) {
        MmaCase c = case_of(MmaKind::f16, m, 128, 16, "f16", "f16");
        c.shape.b_is_mn_major = turned;
        for (const bool a_in_tensor : {false, true}) {
          prepare(c, width, a_in_tensor);
          TensorMachine::mma_of_pair(first, second, operation);
          ASSERT_EQ(found(c.shape), expected(c)) << m << " " << width << " " << turned << " " << a_in_tensor;
        }
      }
    }
  }
}

TEST_F(Pair, LeavesDisabledLanesAlone) {
  for (const int m : {128, 256}) {
    const MmaCase c = case_of(MmaKind::f16, m, 32, 16, "f16", "f16");
    prepare(c, 16, false);
    for (std::uint32_t& word : operation.disabled) word = static_cast<std::uint32_t>(random());
    TensorMachine::mma_of_pair(first, second, operation);
    std::vector<Code> wanted = expected(c);
    for (int i = 0; i < m * 32; ++i) {
      const Where w = place_of_d(c.shape, i / 32, i % 32);
      const std::uint32_t word = operation.disabled[static_cast<std::size_t>(4 * w.member + w.lane / 32)];
      if ((word >> (w.lane % 32) & 1) != 0) wanted[static_cast<std::size_t>(i)] = d[static_cast<std::size_t>(i)];
    }
    ASSERT_EQ(found(c.shape), wanted) << m;
  }
}

// 128 rows of A and 32 of B's 64, of 16 f16 each: 1,024 and 256 Dwords in each shared memory. One of them alone would
// have read B's 64 rows for its 128.
TEST_F(Pair, CountsWhatEachReads) {
  const MmaCase c = case_of(MmaKind::f16, 256, 64, 16, "f16", "f16");
  prepare(c, 16, false);
  for (const CollectorUse use : {CollectorUse::fill, CollectorUse::use, CollectorUse::lastuse}) {
    operation.collector = use;
    TensorMachine::mma_of_pair(first, second, operation);
  }
  for (int i = 0; i < 2; ++i) {
    const MmaCounts& counts = member(i).counts();
    EXPECT_EQ(counts.operations, 3U);
    EXPECT_EQ(counts.a_dwords, 1024U);
    EXPECT_EQ(counts.a_dwords_saved, 2 * 1024U);
    EXPECT_EQ(counts.b_dwords, 3 * 256U);
  }
}

TEST_F(Pair, RefusesInASentenceAndChangesNeither) {
  const MmaCase c = case_of(MmaKind::f16, 256, 32, 16, "f16", "f16");
  prepare(c, 16, false);
  const std::vector<Code> before = found(c.shape);
  const MmaOperation good = operation;
  const auto shaped = [&](MmaKind kind, int m, int n, const char* format, const char* d_format) {
    MmaCase other = case_of(kind, m, n, 16, format, format, d_format);
    operation = good;
    operation.kind = kind;
    operation.descriptor = instruction_descriptor_bits(kind, other.shape);
  };
  EXPECT_EQ(refused([&] { shaped(MmaKind::f16, 64, 32, "f16", "f32"); }),
            "The instruction descriptor has M = 64; two multiprocessors take 128 and 256.");
  EXPECT_EQ(refused([&] {
              MmaCase scaled = case_of(MmaKind::mxf4, 128, 32, 64, "e2m1", "e2m1", "f32", "ue8m0", 32);
              operation = good;
              operation.kind = scaled.kind;
              operation.descriptor = instruction_descriptor_bits(scaled.kind, scaled.shape);
            }),
            "The instruction descriptor has M = 128; two multiprocessors take 256.");
  EXPECT_EQ(refused([&] { shaped(MmaKind::f16, 256, 40, "f16", "f32"); }),
            "The instruction descriptor has N = 40; kind::f16 of two multiprocessors takes 16 to 256 in steps of 16.");
  EXPECT_EQ(refused([&] { shaped(MmaKind::i8, 256, 48, "i8", "i32"); }),
            "The instruction descriptor has N = 48; kind::i8 of two multiprocessors takes 32 to 256 in steps of 32.");
  EXPECT_EQ(refused([&] {
              operation = good;
              operation.collector = CollectorUse::use;
            }),
            "The collector's buffer holds no A; fill it first.");
  second.tensor.free(0, 512);
  second.tensor.allocate(64);
  EXPECT_EQ(refused([&] { operation = good; }),
            "D of multiprocessor 1 takes columns 64 to 95, but column 64 is not allocated.");
  EXPECT_EQ(found(c.shape), before);
  EXPECT_EQ(first.counts().operations + second.counts().operations, 0U);
}

}  // namespace
}  // namespace assay::machine
