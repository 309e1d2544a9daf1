// The whole numbers of the page, where there is no GMP, held to GMP.
#include "tb/browser/wasm/big_integer.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <random>

namespace assay {
namespace {

// The same number both ways; some are short, some have long runs of zeros or ones.
struct Both {
  BigInteger ours;
  mpz_class gmp;
};

Both drawn(std::mt19937_64& random) {
  Both both;
  const int words = static_cast<int>(random() % 5);
  for (int i = 0; i < words; ++i) {
    const std::uint64_t kinds[] = {random(), 0, ~std::uint64_t{0}, random() >> 40};
    const std::uint64_t word = kinds[random() % 4];
    both.ours = (both.ours << 64) + word;
    both.gmp = (both.gmp << 64) + static_cast<unsigned long>(word);
  }
  if (random() % 2 == 0) {
    both.ours = -both.ours;
    both.gmp = -both.gmp;
  }
  return both;
}

class BigIntegerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 4000; ++i) {
      x_.push_back(drawn(random_));
      y_.push_back(drawn(random_));
    }
  }
  std::mt19937_64 random_{24};
  std::vector<Both> x_, y_;
};

TEST_F(BigIntegerTest, SumsAndProductsAreGmps) {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const Both &x = x_[i], &y = y_[i];
    EXPECT_EQ((x.ours + y.ours).get_str(), mpz_class(x.gmp + y.gmp).get_str());
    EXPECT_EQ((x.ours - y.ours).get_str(), mpz_class(x.gmp - y.gmp).get_str());
    EXPECT_EQ((x.ours * y.ours).get_str(), mpz_class(x.gmp * y.gmp).get_str());
    EXPECT_EQ(cmp(x.ours, y.ours) < 0, cmp(x.gmp, y.gmp) < 0);
    EXPECT_EQ(cmp(x.ours, y.ours) == 0, cmp(x.gmp, y.gmp) == 0);
    EXPECT_EQ(sgn(x.ours), sgn(x.gmp));
    EXPECT_EQ((abs(x.ours) & abs(y.ours)).get_str(), mpz_class(abs(x.gmp) & abs(y.gmp)).get_str());
    if (sgn(y.gmp) == 0) continue;
    EXPECT_EQ((x.ours % y.ours).get_str(), mpz_class(x.gmp % y.gmp).get_str());
  }
}

TEST_F(BigIntegerTest, ShiftsAndBitsAreGmps) {
  for (const Both& x : x_) {
    const std::size_t by = random_() % 200;
    mpz_class floor, cut;
    mpz_fdiv_q_2exp(floor.get_mpz_t(), x.gmp.get_mpz_t(), by);
    mpz_tdiv_q_2exp(cut.get_mpz_t(), x.gmp.get_mpz_t(), by);
    EXPECT_EQ((x.ours << by).get_str(), mpz_class(x.gmp << by).get_str());
    EXPECT_EQ((x.ours >> by).get_str(), floor.get_str());
    EXPECT_EQ(x.ours.cut_shifted(by).get_str(), cut.get_str());
    EXPECT_EQ(x.ours.is_odd(), mpz_odd_p(x.gmp.get_mpz_t()) != 0);
    EXPECT_EQ(x.ours.get_ui(), x.gmp.get_ui());
    if (sgn(x.gmp) == 0) continue;
    EXPECT_EQ(x.ours.bit_length(), mpz_sizeinbase(x.gmp.get_mpz_t(), 2));
    EXPECT_EQ(x.ours.lowest_one(), mpz_scan1(x.gmp.get_mpz_t(), 0));
    EXPECT_EQ(abs(x.ours).magnitude_bit(by), mpz_tstbit(mpz_class(abs(x.gmp)).get_mpz_t(), by) != 0);
  }
}

TEST_F(BigIntegerTest, TextIsGmps) {
  for (const Both& x : x_) {
    const mpz_class size = abs(x.gmp);
    EXPECT_EQ(BigInteger(size.get_str()).get_str(), size.get_str());
    EXPECT_EQ(BigInteger("0x" + size.get_str(16)).get_str(), size.get_str());
  }
}

TEST_F(BigIntegerTest, QuotientsAreInLowestTerms) {
  for (std::size_t i = 0; i + 1 < 400; i += 2) {
    if (sgn(y_[i].gmp) == 0 || sgn(y_[i + 1].gmp) == 0) continue;
    const auto both = [&](std::size_t at) {
      mpq_class gmp(abs(x_[at].gmp), abs(y_[at].gmp));
      gmp.canonicalize();
      return std::pair(BigRational(abs(x_[at].ours), abs(y_[at].ours)), gmp);
    };
    const auto [x, gmp_x] = both(i);
    const auto [y, gmp_y] = both(i + 1);
    const mpq_class sum = gmp_x + gmp_y, product = gmp_x * gmp_y;
    EXPECT_EQ((x + y).get_num().get_str(), sum.get_num().get_str());
    EXPECT_EQ((x + y).get_den().get_str(), sum.get_den().get_str());
    EXPECT_EQ((x * y).get_num().get_str(), product.get_num().get_str());
    EXPECT_EQ((x * y).get_den().get_str(), product.get_den().get_str());
  }
}

}  // namespace
}  // namespace assay
