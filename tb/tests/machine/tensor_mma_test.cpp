// tcgen05.mma on tensor memory, against core on plain matrices: the tests put A, B and scales where the PTX manual has
// them, by arithmetic of their own (plain_tensor.hpp).
#include "model/machine/tensor_mma.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "model/base/error.hpp"
#include "model/core/matmul.hpp"
#include "tb/machine/mma_datapaths.hpp"
#include "tb/tests/machine/plain_tensor.hpp"

namespace assay::machine {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

using namespace testing;

struct Prepared {
  std::vector<Code> a, b, d, scale_a, scale_b;  // as plain matrices: b as n x k, scales m x blocks and n x blocks
  MmaOperation operation;
  std::vector<Code> expected;
};

constexpr int d_column = 32, a_column = 320, scale_a_column = 352, scale_b_column = 384;

// D's lane of a row.
int lane_of(int m, int row) { return m == 128 ? row : row / 16 * 32 + row % 16; }

Matrices matrices_of(const MmaCase& c, const Prepared& run, const std::vector<Code>& d) {
  const MmaShape& s = c.shape;
  const int blocks = s.scale.empty() ? 0 : s.k / s.scale_block;
  Matrices x{s.m, s.n, s.k, run.a, {}, d, run.scale_a, {}, {}};
  x.b.resize(run.b.size());
  x.scale_b.resize(run.scale_b.size());
  for (int j = 0; j < s.n; ++j) {
    for (int k = 0; k < s.k; ++k)
      x.b[static_cast<std::size_t>(k * s.n + j)] = run.b[static_cast<std::size_t>(j * s.k + k)];
    for (int i = 0; i < blocks; ++i)
      x.scale_b[static_cast<std::size_t>(i * s.n + j)] = run.scale_b[static_cast<std::size_t>(j * blocks + i)];
  }
  const Code sign_a = Code{1} << (bits_of(s.a) - 1), sign_b = Code{1} << (bits_of(s.b) - 1);
  for (Code& code : x.a) code ^= s.negate_a ? sign_a : 0;
  for (Code& code : x.b) code ^= s.negate_b ? sign_b : 0;
  return x;
}

// Fills machine and run; what D has to be afterwards is in `expected`.
Prepared prepared(TensorMachine& machine, const MmaCase& c, int width, bool a_in_tensor, Random& random) {
  const MmaShape& s = c.shape;
  Prepared run;
  const int abits = bits_of(s.a), bbits = bits_of(s.b), dbits = bits_of(s.d);
  run.a = random_codes(random, s.m * s.k, abits);
  run.b = random_codes(random, s.n * s.k, bbits);
  run.d = random_codes(random, s.m * s.n, dbits);
  const Put put_a = place(c, true, width, 0), put_b = place(c, false, width, 65536);
  if (!a_in_tensor) put_matrix(machine.shared, put_a, run.a, s.m, s.k);
  put_matrix(machine.shared, put_b, run.b, s.n, s.k);
  for (int row = 0; row < s.m; ++row) {
    for (int j = 0; j < s.n; ++j)
      machine.tensor.set_word(lane_of(s.m, row), d_column + j,
                              static_cast<std::uint32_t>(run.d[static_cast<std::size_t>(row * s.n + j)]));
    if (!a_in_tensor) continue;
    for (int k = 0; k < s.k; ++k) {
      const int bit = k * put_a.slot + (abits == 4 && put_a.slot == 8 ? 2 : 0);
      const std::uint32_t before = machine.tensor.word(lane_of(s.m, row), a_column + bit / 32);
      const std::uint32_t mask = static_cast<std::uint32_t>((Code{1} << abits) - 1) << (bit % 32);
      machine.tensor.set_word(
          lane_of(s.m, row), a_column + bit / 32,
          (before & ~mask) | static_cast<std::uint32_t>(run.a[static_cast<std::size_t>(row * s.k + k)] << (bit % 32)));
    }
  }
  if (!s.scale.empty()) {
    // Row r in lane r % 32 of each quarter, column r / 32, its scales from byte `id` on.
    const int blocks = s.k / s.scale_block;
    const auto put_scales = [&](std::vector<Code>& codes, int rows, int column, int id) {
      codes = random_codes(random, rows * blocks, 7);
      for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < blocks; ++i) {
          const int lane = row % 32, at = column + row / 32, bit = 8 * (id + i);
          const std::uint32_t before = machine.tensor.word(lane, at);
          machine.tensor.set_word(
              lane, at,
              (before & ~(0xffU << bit)) | static_cast<std::uint32_t>(codes[static_cast<std::size_t>(row * blocks + i)])
                                               << bit);
        }
      }
    };
    put_scales(run.scale_a, s.m, scale_a_column, s.scale_id_a);
    put_scales(run.scale_b, s.n, scale_b_column, s.scale_id_b);
    run.operation.scale_a = TensorAddress{0, scale_a_column};
    run.operation.scale_b = TensorAddress{0, scale_b_column};
    run.operation.scale_block = s.scale_block;
  }
  run.operation.kind = c.kind;
  run.operation.descriptor = instruction_descriptor_bits(c.kind, s);
  run.operation.d = {0, d_column};
  if (a_in_tensor) run.operation.a_in_tensor = TensorAddress{0, a_column};
  run.operation.a = descriptor_bits(put_a.matrix);
  run.operation.b = descriptor_bits(put_b.matrix);
  return run;
}

std::vector<Code> d_of(const TensorMachine& machine, const MmaShape& s) {
  std::vector<Code> d;
  for (int row = 0; row < s.m; ++row) {
    for (int j = 0; j < s.n; ++j)
      d.push_back(machine.tensor.word(lane_of(s.m, row), d_column + j) & ((Code{1} << bits_of(s.d)) - 1));
  }
  return d;
}

const Plan& plan_of(const MmaCase& c) {
  static const MmaDatapaths units = mma_datapaths(catalogue());
  return units(c.shape)->plan;
}

std::vector<MmaCase> all_cases() {
  std::vector<MmaCase> all{
      case_of(MmaKind::f16, 128, 8, 16, "f16", "f16"),        case_of(MmaKind::f16, 64, 8, 16, "bf16", "f16"),
      case_of(MmaKind::f16, 64, 24, 16, "f16", "f16", "f16"), case_of(MmaKind::f16, 128, 48, 16, "f16", "bf16"),
      case_of(MmaKind::tf32, 128, 32, 8, "tf32", "tf32"),     case_of(MmaKind::tf32, 64, 16, 8, "tf32", "tf32")};
  for (const char* a : {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"}) {
    for (const char* b : {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"}) {
      all.push_back(case_of(MmaKind::f8f6f4, 64, 8, 32, a, b));
      all.push_back(case_of(MmaKind::mxf8f6f4, 128, 16, 32, a, b, "f32", "ue8m0", 32));
    }
  }
  all.push_back(case_of(MmaKind::f8f6f4, 128, 16, 32, "e4m3", "e2m1", "f16"));
  for (const char* a : {"i8", "u8"}) {
    for (const char* b : {"i8", "u8"}) {
      all.push_back(case_of(MmaKind::i8, 64, 24, 32, a, b, "i32"));
      all.push_back(case_of(MmaKind::i8, 128, 48, 32, a, b, "i32"));
      all.back().shape.saturate = true;
    }
  }
  all.push_back(case_of(MmaKind::mxf4, 128, 16, 64, "e2m1", "e2m1", "f32", "ue8m0", 32));
  all.push_back(case_of(MmaKind::mxf4nvf4, 128, 32, 64, "e2m1", "e2m1", "f32", "ue8m0", 16));
  all.push_back(case_of(MmaKind::mxf4nvf4, 128, 16, 64, "e2m1", "e2m1", "f32", "ue4m3", 16));
  return all;
}

class TensorMma : public ::testing::Test {
 protected:
  TensorMachine machine{mma_datapaths(catalogue())};
  Random random{5};

  void SetUp() override { machine.tensor.allocate(512); }
};

TEST_F(TensorMma, EveryKindAndFormatIsWhatCoreGives) {
  for (const MmaCase& c : all_cases()) {
    for (const bool a_in_tensor : {false, true}) {
      const Prepared run = prepared(machine, c, 16, a_in_tensor, random);
      machine.mma(run.operation);
      ASSERT_EQ(d_of(machine, c.shape), matmul(plan_of(c), matrices_of(c, run, run.d)))
          << c.shape.a << " " << c.shape.b << " " << c.shape.d << " " << a_in_tensor;
    }
  }
}

TEST_F(TensorMma, EverySwizzleAndBothMajors) {
  std::size_t tried = 0;
  for (const MmaCase& base :
       {case_of(MmaKind::f16, 128, 64, 16, "f16", "bf16"), case_of(MmaKind::tf32, 64, 32, 8, "tf32", "tf32"),
        case_of(MmaKind::f8f6f4, 128, 128, 32, "e5m2", "e4m3")}) {
    for (const int width : {16, 32, 64, 128}) {
      for (int majors = 0; majors < 4; ++majors) {
        MmaCase c = base;
        c.shape.a_is_mn_major = (majors & 1) != 0;
        c.shape.b_is_mn_major = (majors & 2) != 0;
        const Prepared run = prepared(machine, c, width, false, random);
        machine.mma(run.operation);
        ASSERT_EQ(d_of(machine, c.shape), matmul(plan_of(c), matrices_of(c, run, run.d)))
            << c.shape.a << " width " << width << " majors " << majors;
        ++tried;
      }
    }
  }
  EXPECT_EQ(tried, 48U);
}

TEST_F(TensorMma, TurnsSignsAndTakesDOrNot) {
  MmaCase c = case_of(MmaKind::f16, 128, 16, 16, "f16", "f16");
  for (int signs = 0; signs < 4; ++signs) {
    c.shape.negate_a = (signs & 1) != 0;
    c.shape.negate_b = (signs & 2) != 0;
    Prepared run = prepared(machine, c, 16, false, random);
    run.operation.enable_input_d = signs % 2 == 0;
    machine.mma(run.operation);
    const std::vector<Code> d = run.operation.enable_input_d ? run.d : std::vector<Code>(run.d.size());
    ASSERT_EQ(d_of(machine, c.shape), matmul(plan_of(c), matrices_of(c, run, d))) << signs;
  }
}

TEST_F(TensorMma, ScalesWhatDWas) {
  const MmaCase c = case_of(MmaKind::f16, 128, 16, 16, "f16", "f16");
  Prepared run = prepared(machine, c, 16, false, random);
  for (int by = 0; by <= 15; ++by) {
    // As a float: exact, or rounded to nearest even where it becomes subnormal.
    std::vector<Code> scaled;
    for (int i = 0; i < 128 * 16; ++i) {
      const auto bits = static_cast<std::uint32_t>(run.d[static_cast<std::size_t>(i)]);
      machine.tensor.set_word(i / 16, d_column + i % 16, bits);
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      std::uint32_t code = bits;
      if (std::isfinite(value)) {
        value = std::ldexp(value, -by);
        std::memcpy(&code, &value, sizeof code);
      }
      scaled.push_back(code);
    }
    run.operation.scale_input_d = by;
    machine.mma(run.operation);
    ASSERT_EQ(d_of(machine, c.shape), matmul(plan_of(c), matrices_of(c, run, scaled))) << by;
  }
}

// Zeros for A and B leave what D was, scaled: ties among the subnormals go to even.
TEST_F(TensorMma, ScalesWhatDWasToTheLastBit) {
  for (const char* format : {"f32", "f16"}) {
    const MmaCase c = case_of(MmaKind::f16, 128, 16, 16, "f16", "f16", format);
    const int mantissa = bits_of(format) == 32 ? 23 : 10;
    Prepared run = prepared(machine, c, 16, false, random);
    for (std::uint64_t i = 0; i < 131072; ++i) machine.shared.at(i) = 0;
    for (int by = 1; by <= 15; ++by) {
      std::vector<Code> scaled;
      for (int i = 0; i < 128 * 16; ++i) {
        const Code exponent = random() % 18, fraction = (random() & random() & random()) & ((Code{1} << mantissa) - 1);
        const Code code = exponent << mantissa | fraction | (random() & 1) << (bits_of(format) - 1);
        machine.tensor.set_word(i / 16, d_column + i % 16, static_cast<std::uint32_t>(code));
        // In units of the least subnormal, which is exact in a double; nearbyint goes to even.
        const double units = static_cast<double>(fraction | (exponent == 0 ? 0 : Code{1} << mantissa)) *
                             std::ldexp(1.0, static_cast<int>(std::max<Code>(exponent, 1)) - 1 - by);
        const double least = static_cast<double>(Code{1} << mantissa);
        Code expected = static_cast<Code>(std::nearbyint(units));
        if (units >= least) {
          const int e = std::ilogb(units) - mantissa;
          expected = static_cast<Code>(e) << mantissa;
          expected += static_cast<Code>(std::ldexp(units, -e));
        }
        scaled.push_back(expected | (code >> (bits_of(format) - 1) << (bits_of(format) - 1)));
      }
      run.operation.scale_input_d = by;
      machine.mma(run.operation);
      const std::vector<Code> d = d_of(machine, c.shape);
      for (std::size_t i = 0; i < d.size(); ++i) {
        const Code sign = Code{1} << (bits_of(format) - 1);
        // A zero sum is +0.
        ASSERT_EQ(d[i], (scaled[i] & ~sign) == 0 ? 0 : scaled[i]) << format << " " << by;
      }
    }
  }
}

// Plain sums of 64-bit integers: modulo 2^32, or no further than the ends of i32. D begins near these.
TEST_F(TensorMma, IntegersWrapOrStop) {
  int beyond = 0;
  for (const bool saturate : {false, true}) {
    for (const char* a : {"i8", "u8"}) {
      for (const char* b : {"i8", "u8"}) {
        MmaCase c = case_of(MmaKind::i8, 128, 16, 32, a, b, "i32");
        c.shape.saturate = saturate;
        Prepared run = prepared(machine, c, 16, false, random);
        const auto number = [](Code code, const std::string& format) {
          return format == "i8" ? static_cast<std::int64_t>(static_cast<std::int8_t>(code))
                                : static_cast<std::int64_t>(code);
        };
        std::vector<Code> expected;
        for (int row = 0; row < 128; ++row) {
          for (int j = 0; j < 16; ++j) {
            const std::uint32_t before =
                (row % 2 == 0 ? 0x7fff0000U : 0x80000000U) + static_cast<std::uint32_t>(random() & 0xffff);
            machine.tensor.set_word(row, d_column + j, before);
            auto sum = static_cast<std::int64_t>(static_cast<std::int32_t>(before));
            for (int k = 0; k < 32; ++k)
              sum += number(run.a[static_cast<std::size_t>(row * 32 + k)], a) *
                     number(run.b[static_cast<std::size_t>(j * 32 + k)], b);
            const std::int64_t inside = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
            beyond += inside != sum ? 1 : 0;
            expected.push_back(static_cast<std::uint32_t>(saturate ? inside : sum));
          }
        }
        machine.mma(run.operation);
        ASSERT_EQ(d_of(machine, c.shape), expected) << a << " " << b << " " << saturate;
      }
    }
  }
  EXPECT_GT(beyond, 1000);
}

TEST_F(TensorMma, LeavesDisabledLanesAlone) {
  for (const int m : {64, 128}) {
    const MmaCase c = case_of(MmaKind::f16, m, 16, 16, "f16", "f16");
    Prepared run = prepared(machine, c, 16, false, random);
    for (std::size_t i = 0; i < 4; ++i) run.operation.disabled[i] = static_cast<std::uint32_t>(random());
    machine.mma(run.operation);
    const std::vector<Code> product = matmul(plan_of(c), matrices_of(c, run, run.d)), d = d_of(machine, c.shape);
    for (int row = 0; row < m; ++row) {
      const int lane = lane_of(m, row);
      const bool off = (run.operation.disabled[static_cast<std::size_t>(lane / 32)] >> (lane % 32) & 1) != 0;
      for (int j = 0; j < 16; ++j) {
        const auto i = static_cast<std::size_t>(row * 16 + j);
        ASSERT_EQ(d[i], off ? run.d[i] : product[i]) << row;
      }
    }
  }
}

TEST_F(TensorMma, ScalesStandInTheBytesThatTheirIdsSay) {
  for (const int id : {0, 1, 2, 3}) {
    MmaCase c = case_of(MmaKind::mxf8f6f4, 128, 16, 32, "e4m3", "e5m2", "f32", "ue8m0", 32);
    c.shape.scale_id_a = id;
    c.shape.scale_id_b = 3 - id;
    const Prepared run = prepared(machine, c, 16, false, random);
    machine.mma(run.operation);
    ASSERT_EQ(d_of(machine, c.shape), matmul(plan_of(c), matrices_of(c, run, run.d))) << id;
  }
}

// 128 x 16 of f16 are 1,024 Dwords; 64 x 16 of B, 512.
TEST_F(TensorMma, CountsWhatTheCollectorSaves) {
  const MmaCase c = case_of(MmaKind::f16, 128, 64, 16, "f16", "f16");
  Prepared run = prepared(machine, c, 16, false, random);
  const auto run_with = [&](CollectorUse collector) {
    run.operation.collector = collector;
    machine.mma(run.operation);
  };
  run_with(CollectorUse::fill);
  run_with(CollectorUse::use);
  run_with(CollectorUse::lastuse);
  EXPECT_EQ(machine.counts().a_dwords, 1024U);
  EXPECT_EQ(machine.counts().a_dwords_saved, 2048U);
  EXPECT_EQ(machine.counts().b_dwords, 3 * 512U);
  run_with(CollectorUse::discard);
  EXPECT_EQ(machine.counts().a_dwords, 2048U);
  EXPECT_EQ(machine.counts().operations, 4U);
  const Prepared in_tensor = prepared(machine, c, 16, true, random);
  machine.mma(in_tensor.operation);
  EXPECT_EQ(machine.counts().a_dwords, 2048U);
  EXPECT_EQ(machine.counts().b_dwords, 5 * 512U);
}

TEST_F(TensorMma, DescriptorsOfInstructionsReadAsTheyWereWritten) {
  for (const MmaCase& c : all_cases()) {
    MmaShape shape = c.shape, read;
    shape.negate_a = c.kind != MmaKind::i8 && random() % 2 == 0;
    shape.negate_b = c.kind != MmaKind::i8 && random() % 2 == 0;
    shape.b_is_mn_major = random() % 2 == 0;
    ASSERT_EQ(
        read_instruction_descriptor(c.kind, instruction_descriptor_bits(c.kind, shape), c.shape.scale_block, 1, read),
        "");
    EXPECT_EQ(std::tie(read.m, read.n, read.k, read.a, read.b, read.d, read.scale, read.scale_block, read.negate_a,
                       read.negate_b, read.a_is_mn_major, read.b_is_mn_major, read.saturate),
              std::tie(shape.m, shape.n, shape.k, shape.a, shape.b, shape.d, shape.scale, shape.scale_block,
                       shape.negate_a, shape.negate_b, shape.a_is_mn_major, shape.b_is_mn_major, shape.saturate));
  }
  // f16 with D of f32, A of bf16, N = 128, M = 128, both k-major: written down field by field.
  MmaShape read;
  ASSERT_EQ(read_instruction_descriptor(MmaKind::f16, 1U << 4 | 1U << 7 | 16U << 17 | 8U << 24, 0, 1, read), "");
  EXPECT_EQ(std::make_tuple(read.m, read.n, read.a, read.b, read.d),
            std::make_tuple(128, 128, std::string("bf16"), std::string("f16"), std::string("f32")));
}

TEST_F(TensorMma, RefusesInASentenceAndChangesNothing) {
  const MmaCase c = case_of(MmaKind::f16, 128, 16, 16, "f16", "f16");
  const Prepared good = prepared(machine, c, 16, false, random);
  const std::vector<Code> before = d_of(machine, c.shape);
  const auto refused = [&](const std::function<void(MmaOperation&)>& change) {
    MmaOperation o = good.operation;
    change(o);
    std::string message;
    try {
      machine.mma(o);
    } catch (const Error& error) {
      message = error.message;
    }
    EXPECT_EQ(d_of(machine, c.shape), before) << message;
    return message;
  };
  const auto shaped = [&](MmaKind kind, const std::function<void(MmaShape&)>& change) {
    MmaShape s = c.shape;
    change(s);
    return [=](MmaOperation& o) {
      o.kind = kind;
      o.descriptor = instruction_descriptor_bits(kind, s);
    };
  };
  const std::string reserved = " has a bit set that is reserved here, one of ";
  for (const int bit : {0, 1, 2, 3, 6, 23, 29, 30, 31})
    EXPECT_EQ(refused([&](MmaOperation& o) { o.descriptor |= 1U << bit; }),
              "The instruction descriptor of kind::f16" + reserved + "3..0, 6, 23 and 31..29.");
  for (const int bit : {0, 2, 3, 6, 24, 25, 26, 31})
    EXPECT_EQ(refused([&](MmaOperation& o) {
                o.kind = MmaKind::mxf4;
                o.descriptor = 1U << bit;
              }),
              "The instruction descriptor of kind::mxf4" + reserved + "3..0, 6, 26..24 and 31.");
  EXPECT_EQ(refused([&](MmaOperation& o) { o.descriptor |= 7U << 7; }),
            "The instruction descriptor has format 7 for A, which kind::f16 does not have.");
  EXPECT_EQ(refused([&](MmaOperation& o) { o.descriptor |= 5U << 10; }),
            "The instruction descriptor has format 5 for B, which kind::f16 does not have.");
  EXPECT_EQ(refused([&](MmaOperation& o) { o.descriptor |= 3U << 4; }),
            "The instruction descriptor has format 3 for D, which kind::f16 does not have.");
  EXPECT_EQ(refused(shaped(MmaKind::f16, [](MmaShape& s) { s.m = 256; })),
            "The instruction descriptor has M = 256; one multiprocessor takes 64 and 128.");
  for (const int n : {0, 264})
    EXPECT_EQ(refused(shaped(MmaKind::f16, [&](MmaShape& s) { s.n = n; })),
              "The instruction descriptor has N = " + std::to_string(n) + "; kind::f16 takes 8 to 256 in steps of 8.");
  for (const int n : {0, 40, 264})
    EXPECT_EQ(refused(shaped(MmaKind::i8, [&](MmaShape& s) { s.a = s.b = "i8", s.d = "i32", s.n = n; })),
              "The instruction descriptor has N = " + std::to_string(n) +
                  "; kind::i8 takes 8, 16, 24, and 32 to 256 in steps of 16.");
  for (const int bit : {0, 1, 2, 6, 13, 14, 23, 29, 30, 31})
    EXPECT_EQ(refused([&](MmaOperation& o) {
                o.kind = MmaKind::i8;
                o.descriptor = 1U << bit;
              }),
              "The instruction descriptor of kind::i8" + reserved + "2..0, 6, 14..13, 23 and 31..29.");
  EXPECT_EQ(refused([](MmaOperation& o) { o.disabled[4] = 1; }),
            "disable-output-lane has lanes from 128 on, which two multiprocessors have together.");
  EXPECT_EQ(refused(shaped(MmaKind::f16, [](MmaShape& s) { s.d = "f16", s.a = "bf16"; })),
            "No instruction multiplies bf16 and f16 with D of f16.");
  EXPECT_EQ(refused([](MmaOperation& o) {
              o.scale_a = o.scale_b = TensorAddress{0, 0};
            }),
            "Only kinds with block scales take scales.");
  EXPECT_EQ(refused(shaped(MmaKind::mxf4, [](MmaShape& s) { s.a = s.b = "e2m1", s.scale = "ue8m0"; })),
            "A kind with block scales takes scales of A and of B.");
  EXPECT_EQ(refused([](MmaOperation& o) { o.scale_input_d = 16; }), "scale-input-d is 16; it takes 0 to 15.");
  EXPECT_EQ(refused([&](MmaOperation& o) {
              shaped(MmaKind::f8f6f4, [](MmaShape& s) { s.a = s.b = "e4m3"; })(o);
              o.scale_input_d = 1;
            }),
            "scale-input-d is of kind::f16 and kind::tf32 alone.");
  EXPECT_EQ(refused([&](MmaOperation& o) {
              shaped(MmaKind::f16, [](MmaShape& s) { s.a_is_mn_major = true; })(o);
              o.a_in_tensor = TensorAddress{0, a_column};
            }),
            "A in tensor memory lies along k; its transpose has to be 0.");
  EXPECT_EQ(refused([](MmaOperation& o) {
              o.a_in_tensor = TensorAddress{1, a_column};
            }),
            "A in tensor memory begins at lane 0.");
  EXPECT_EQ(refused([](MmaOperation& o) { o.d.lane = 32; }), "D begins at lane 0 of tensor memory.");
  EXPECT_EQ(refused([](MmaOperation& o) { o.d.column = 500; }), "D takes columns 500 to 515, but there are 512.");
  EXPECT_EQ(refused([&](MmaOperation& o) {
              o.a_in_tensor = TensorAddress{0, o.d.column + 15};
            }),
            "A and D share columns of tensor memory: 47 to 54 and 32 to 47; they have to lie apart.");
  EXPECT_EQ(refused([&](MmaOperation& o) {
              o.a_in_tensor = TensorAddress{0, o.d.column - 7};
            }),
            "A and D share columns of tensor memory: 25 to 32 and 32 to 47; they have to lie apart.");
  EXPECT_EQ(refused([](MmaOperation& o) { o.a |= std::uint64_t{1} << 14; }),
            "The descriptor of A has a reserved bit set, one of 15..14, 31..30 and 60..52.");
  EXPECT_EQ(refused([](MmaOperation& o) {
              o.b = descriptor_bits({232432, 128, 256, 16});
            }),
            "The descriptor of B leads beyond the 232448 bytes of shared memory.");
  EXPECT_EQ(refused([](MmaOperation& o) { o.scale_block = 17; }),
            "The scales' block is 17, but kind::mxf4nvf4 alone has a choice; kind::f16 takes 32, or 0.");
  EXPECT_EQ(refused([](MmaOperation& o) { o.collector = CollectorUse::use; }),
            "The collector's buffer holds no A; fill it first.");
  machine.tensor.free(0, 512);
  machine.tensor.allocate(32);
  EXPECT_EQ(refused([](MmaOperation&) {}), "D takes columns 32 to 47, but column 32 is not allocated.");
  EXPECT_EQ(machine.counts().operations, 0U);
}

// Shared memory has another A by then; signs are turned behind the buffer.
TEST_F(TensorMma, MultipliesTheAThatTheCollectorKept) {
  MmaCase c = case_of(MmaKind::f16, 64, 16, 16, "bf16", "f16");
  Prepared run = prepared(machine, c, 16, false, random);
  run.operation.enable_input_d = false;
  const auto run_with = [&](CollectorUse collector) {
    run.operation.collector = collector;
    run.operation.descriptor = instruction_descriptor_bits(c.kind, c.shape);
    machine.mma(run.operation);
    return d_of(machine, c.shape);
  };
  const std::vector<Code> zeros(run.d.size());
  run_with(CollectorUse::fill);
  const Prepared other = prepared(machine, c, 16, false, random);
  run.b = other.b;
  EXPECT_EQ(run_with(CollectorUse::use), matmul(plan_of(c), matrices_of(c, run, zeros)));
  c.shape.negate_a = true;
  EXPECT_EQ(run_with(CollectorUse::lastuse), matmul(plan_of(c), matrices_of(c, run, zeros)));
  run.a = other.a;
  EXPECT_EQ(run_with(CollectorUse::discard), matmul(plan_of(c), matrices_of(c, run, zeros)));
}

TEST_F(TensorMma, RefusesAnotherAThanTheCollectorHolds) {
  const MmaCase c = case_of(MmaKind::f16, 128, 16, 16, "f16", "f16");
  Prepared run = prepared(machine, c, 16, false, random);
  run.operation.collector = CollectorUse::fill;
  machine.mma(run.operation);
  run.operation.collector = CollectorUse::use;
  run.operation.a = descriptor_bits({16384, 128, 256, 16});
  try {
    machine.mma(run.operation);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.message, "The collector's buffer holds another A than the descriptor names.");
  }
  const MmaCase other = case_of(MmaKind::f16, 128, 16, 16, "bf16", "f16");
  run.operation.a = descriptor_bits(place(c, true, 16, 0).matrix);
  run.operation.descriptor = instruction_descriptor_bits(other.kind, other.shape);
  try {
    machine.mma(run.operation);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.message,
              "The collector's buffer holds A as 128 x 16 f16 along k, but this instruction takes 128 x 16 bf16 along "
              "k; fill it anew.");
  }
}

TEST_F(TensorMma, RefusesScalesThatDoNotFitAndPackedTransposes) {
  MmaCase c = case_of(MmaKind::mxf4, 128, 16, 64, "e2m1", "e2m1", "f32", "ue8m0", 32);
  c.shape.scale_id_a = 3;
  Prepared run =
      prepared(machine, case_of(MmaKind::mxf4, 128, 16, 64, "e2m1", "e2m1", "f32", "ue8m0", 32), 16, false, random);
  run.operation.descriptor = instruction_descriptor_bits(c.kind, c.shape);
  const auto message = [&] {
    try {
      machine.mma(run.operation);
    } catch (const Error& error) {
      return error.message;
    }
    return std::string();
  };
  EXPECT_EQ(message(), "Scale data id 3 leaves no room for 2 scales in the four bytes of a column.");
  const MmaOperation good = run.operation;
  c.shape.scale_id_a = 0;
  run.operation.descriptor = instruction_descriptor_bits(c.kind, c.shape);
  const std::vector<Code> before = d_of(machine, c.shape);
  for (auto scales : {&MmaOperation::scale_a, &MmaOperation::scale_b}) {
    run.operation.*scales = TensorAddress{0, good.d.column + 12};
    const std::string what = scales == &MmaOperation::scale_a ? "The scales of A" : "The scales of B";
    EXPECT_EQ(message().rfind(what + " and D share columns of tensor memory: 44 to ", 0), 0U) << message();
    run.operation.*scales = good.*scales;
  }
  EXPECT_EQ(d_of(machine, c.shape), before);
  c.shape.b_is_mn_major = true;
  run.operation.descriptor = instruction_descriptor_bits(c.kind, c.shape);
  EXPECT_EQ(message(), "Matrices of packed 4 bits lie along k; transpose has to be 0 for both.");
}

// Tables 10 to 12 of the published description. A row a kind; FP8 stands in one column, of which Hopper alone has it.
TEST(TensorTables, TheCatalogueHasWhatIsMultipliedInACycle) {
  const auto shapes = [&](const char* architecture) {
    std::string text;
    for (const CycleShape& s : catalogue().architecture(architecture).a_cycle)
      text += s.kind + " " + std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k) + "; ";
    return text;
  };
  EXPECT_EQ(shapes("A100"), "tf32 8x4x4; f16 8x4x8; i8 8x4x16; ");
  EXPECT_EQ(shapes("H100"), "tf32 8x4x8; f16 8x4x16; fp8 8x4x32; i8 8x4x32; ");
  EXPECT_EQ(shapes("B200"),
            "tf32 8x8x8; f16 8x8x16; i8 8x8x32; f8f6f4 8x8x32; mxf8f6f4 8x8x32; mxf4 8x8x64; mxf4nvf4 8x8x64; ");
  std::string groups;
  for (const ScaleGroup& g : catalogue().architecture("B200").scale_groups)
    groups += g.kind + " " + g.scale + " " + std::to_string(g.elements) + "; ";
  EXPECT_EQ(groups, "mxf8 ue8m0 32; mxf6 ue8m0 32; mxf4 ue8m0 32; nvf4 ue4m3 16; ");
}

}  // namespace
}  // namespace assay::machine
