// Exact sums, held to rationals of any size.
#include "tb/explore/exact.hpp"

#include <gtest/gtest.h>

#include "tb/explore/real.hpp"
#include "tb/generate/random.hpp"
#include "tb/oracle/datum.hpp"
#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

OperandFormats formats_of(const std::string& a, const std::string& b, const std::string& c,
                          const std::string& scale = "") {
  OperandFormats formats{*find_format(a), *find_format(b), *find_format(c), std::nullopt, 0, false};
  if (!scale.empty()) {
    formats.scale = *find_format(scale);
    formats.scale_block = 16;
  }
  return formats;
}

bool is_finite(const Format& format, Code code) { return exact::decode(format, code).kind == exact::Kind::finite; }

// Any finite code of a format.
CodeMatrix random_codes(int rows, int columns, const Format& format, Part part) {
  CodeMatrix codes(rows, columns, format);
  for (int i = 0; i < rows; ++i) {
    Draws draws(7, static_cast<std::uint64_t>(i), part, 0);
    for (int j = 0; j < columns; ++j) {
      Code code = 0;
      do code = draws.bits() >> (64 - format.stored_bits);
      while (!is_finite(format, code));
      codes.out().set(i, j, code);
    }
  }
  return codes;
}

Workload random_workload(const OperandFormats& f, const ProductShape& shape) {
  Workload w;
  w.shape = shape;
  w.a = random_codes(shape.m, shape.k, f.a, Part::a);
  w.b = random_codes(shape.n, shape.k, f.b, Part::b);
  w.c = random_codes(shape.m, shape.n, f.c, Part::c);
  if (f.scale) {
    w.scale_a = random_codes(shape.m, shape.k / f.scale_block, *f.scale, Part::scale_a);
    w.scale_b = random_codes(shape.n, shape.k / f.scale_block, *f.scale, Part::scale_b);
  }
  return w;
}

exact::Dyadic value(const Format& format, const CodeMatrix& codes, int i, int j) {
  return exact::decode(format, codes.view().get(i, j)).value;
}

exact::Dyadic sum_of(const Workload& w, const OperandFormats& f, int i, int j) {
  exact::Dyadic sum = value(f.c, w.c, i, j);
  for (int t = 0; t < w.shape.k; ++t) {
    exact::Dyadic term = value(f.a, w.a, i, t) * value(f.b, w.b, j, t);
    if (f.scale) {
      const int block = t / f.scale_block;
      term = term * value(*f.scale, w.scale_a, i, block) * value(*f.scale, w.scale_b, j, block);
    }
    sum = sum + term;
  }
  return sum;
}

exact::Dyadic dyadic(double x) {
  const Number n = number_of(x);
  exact::Dyadic d;
  d.significand = static_cast<unsigned long>(n.magnitude);
  if (n.negative) d.significand = -d.significand;
  d.exponent = n.quantum;
  return d;
}

// |x - y| <= 2^-50 |y|
bool is_close(double x, const exact::Dyadic& y) {
  const exact::Dyadic distance = dyadic(x) - y;
  if (exact::sign(distance) == 0) return true;
  return exact::sign(y) != 0 && exact::floor_log2(distance) <= exact::floor_log2(y) - 50;
}

struct ExactCase {
  const char* a;
  const char* b;
  const char* c;
  const char* d;
  const char* scale;
};

class ExactSums : public testing::TestWithParam<ExactCase> {};

TEST_P(ExactSums, AreThoseOfRationals) {
  const ExactCase& p = GetParam();
  const OperandFormats f = formats_of(p.a, p.b, p.c, p.scale);
  const Format& d = *find_format(p.d);
  const Workload w = random_workload(f, {4, 5, 64});
  const ExactProduct found = exact_product(w, f, {d});
  ASSERT_EQ(found.head.size(), 20u);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 5; ++j) {
      const auto at = static_cast<std::size_t>(5 * i + j);
      const exact::Dyadic sum = sum_of(w, f, i, j);
      EXPECT_EQ(found.rounded.at(d.name)[at], exact::encode(d, exact::nearest(d, exact::finite(sum)))) << i << "," << j;
      if (!is_finite(d, found.rounded.at(d.name)[at])) continue;  // nor is there a double so large, maybe
      EXPECT_TRUE(is_close(found.head[at], sum));
      for (const Code code : {found.rounded.at(d.name)[at], found.rounded.at(d.name)[at] ^ 1, Code{0}}) {
        if (!is_finite(d, code)) continue;
        const exact::Dyadic error = exact::decode(d, code).value - sum;
        EXPECT_TRUE(is_close(found.error(at, value_of(code, d)), error)) << i << "," << j;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, ExactSums,
    testing::Values(ExactCase{"f16", "f16", "f32", "f32", ""}, ExactCase{"f16", "f16", "f16", "f16", ""},
                    ExactCase{"e4m3", "e5m2", "f32", "f32", ""}, ExactCase{"bf16", "bf16", "f32", "f32", ""},
                    ExactCase{"tf32", "tf32", "f32", "f32", ""}, ExactCase{"f32", "f32", "f32", "f32", ""},
                    ExactCase{"e2m1", "e2m1", "f32", "f32", "ue4m3"}, ExactCase{"e2m1", "e2m3", "f32", "bf16", "ue4m3"},
                    ExactCase{"f64", "f16", "f64", "f64", ""}));

// A sum whose terms cancel but for the last bit: where roundings on the way would show.
TEST(ExactSum, KeepsWhatIsLeftOfACancellation) {
  const OperandFormats f = formats_of("f16", "f16", "f32");
  const StudyInput listed{InputFamily::listed, "",    1,  1,  0,  0,    0, 0, 0, 0, {2048, 2048, 0.00006103515625},
                          {2048, -2048, 1},    -1e-6, "", "", "", false};
  const Workload w = workload_of(reals_of(listed, {}, {1, 1, 16}, 0, nullptr), f);
  const ExactProduct found = exact_product(w, f, {*find_format("f32")});
  EXPECT_EQ(found.head[0], 0.00006103515625 - static_cast<double>(1e-6F));
  EXPECT_EQ(found.tail[0], 0);
}

}  // namespace
}  // namespace assay
