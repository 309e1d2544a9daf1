// The inputs of studies: as they are defined, and the same whatever else is asked for.
#include "tb/explore/reals.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <functional>

#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

StudyInput input(InputFamily family) {
  StudyInput i;
  i.family = family;
  return i;
}

Reals made(const StudyInput& i, const ProductShape& shape, std::uint64_t seed = 1) {
  return reals_of(i, {seed, 0}, shape, -14, nullptr);
}

double mean_of(const std::vector<double>& values, const std::function<double(double)>& of) {
  double sum = 0;
  for (const double v : values) sum += of(v);
  return sum / static_cast<double>(values.size());
}

constexpr ProductShape many{20, 20, 1000};

TEST(Portable, LogarithmsAndPowersAreThoseOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 7.3)
    EXPECT_NEAR(portable_log(x), std::log(x), 4e-16 * std::fabs(std::log(x)));
  for (double x = -900; x < 900; x += 0.37) EXPECT_NEAR(portable_exp2(x) / std::exp2(x), 1, 1e-15);
}

TEST(Inputs, AreWhatTheirNamesSay) {
  const std::vector<double> normal = made(input(InputFamily::normal), many).a;
  EXPECT_NEAR(mean_of(normal, [](double x) { return x; }), 0, 0.03);
  EXPECT_NEAR(mean_of(normal, [](double x) { return x * x; }), 1, 0.04);
  EXPECT_NEAR(mean_of(normal, [](double x) { return x * x * x * x; }), 3, 0.3);
  const std::vector<double> uniform = made(input(InputFamily::uniform), many).b;
  EXPECT_NEAR(mean_of(uniform, [](double x) { return x * x; }), 1.0 / 3, 0.01);
  for (const double x : uniform) EXPECT_LE(std::fabs(x), 1);
}

TEST(Inputs, PositiveOnesAreTheSameWithoutTheirSigns) {
  StudyInput positive = input(InputFamily::normal);
  const Reals signs = made(positive, many);
  positive.positive = true;
  const Reals sizes = made(positive, many);
  for (std::size_t i = 0; i < signs.a.size(); ++i) ASSERT_EQ(sizes.a[i], std::fabs(signs.a[i]));
  for (std::size_t i = 0; i < signs.b.size(); ++i) ASSERT_EQ(sizes.b[i], std::fabs(signs.b[i]));
}

TEST(Inputs, OutliersAreAsOftenAndAsFarAsAskedFor) {
  StudyInput outliers = input(InputFamily::outliers);
  outliers.probability = 0.05;
  outliers.deviation = 100;
  const std::vector<double> a = made(outliers, many).a;
  EXPECT_NEAR(mean_of(a, [](double x) { return std::fabs(x) > 6 ? 1 : 0; }), 0.05 * 0.952, 0.006);
}

TEST(Inputs, LogUniformOnesFillEveryBinadeAlike) {
  StudyInput log = input(InputFamily::log_uniform);
  log.least = -8;
  log.greatest = 8;
  const std::vector<double> a = made(log, many).a;
  for (int e = -8; e < 8; ++e)
    EXPECT_NEAR(mean_of(a, [&](double x) { return std::ilogb(x) == e ? 1 : 0; }), 1.0 / 16, 0.01) << e;
}

TEST(Inputs, GradientsAreHalfSubnormal) {
  const std::vector<double> b = made(input(InputFamily::gradient), many).b;
  EXPECT_NEAR(mean_of(b, [](double x) { return std::fabs(x) < std::ldexp(1.0, -14) ? 1 : 0; }), 0.5, 0.02);
}

TEST(Inputs, IllConditionedOnesHaveAboutTheirCondition) {
  StudyInput ill = input(InputFamily::ill_conditioned);
  ill.condition = 1e5;
  const Reals r = made(ill, {8, 8, 1024});
  double added = 0, left = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      long double sum = 0;
      for (std::size_t t = 0; t < 1024; ++t) {
        added += std::fabs(r.a[i * 1024 + t] * r.b[j * 1024 + t]);
        sum += static_cast<long double>(r.a[i * 1024 + t]) * static_cast<long double>(r.b[j * 1024 + t]);
      }
      left += std::fabs(static_cast<double>(sum));
    }
  }
  EXPECT_GT(added / left, 0.6e5);
  EXPECT_LT(added / left, 1.7e5);
}

TEST(Inputs, OfALongerSumBeginWithThoseOfAShorter) {
  const Reals longer = made(input(InputFamily::normal), {2, 2, 64}),
              shorter = made(input(InputFamily::normal), {2, 2, 16});
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(longer.a[64 + i], shorter.a[16 + i]);
  EXPECT_NE(made(input(InputFamily::normal), {2, 2, 16}, 2).a, shorter.a);
  EXPECT_NE(shorter.a, shorter.b);
}

// --- tensors ---

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(i < 8 ? value >> (8 * i) & 0xff : 0);
  return text;
}

// a: 2 x 3 f32 of 1..6; b: 3 x 1 f16 of 1, 2, 4; bad: a NaN.
std::string safetensors() {
  std::string header =
      R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"F16","shape":[3,1],"data_offsets":[24,30]},)"
      R"("bad":{"dtype":"F16","shape":[3,1],"data_offsets":[30,36]},"whole":{"dtype":"I32","shape":[1,1],"data_offsets":[36,40]},)"
      R"("short":{"dtype":"F32","shape":[9,9],"data_offsets":[40,44]},"__metadata__":{"format":"pt"}})";
  std::string data;
  for (const std::uint32_t x : {0x3f800000u, 0x40000000u, 0x40400000u, 0x40800000u, 0x40a00000u, 0x40c00000u})
    data += little(x, 4);
  for (const std::uint32_t x : {0x3c00u, 0x4000u, 0x4400u, 0x3c00u, 0x7e00u, 0x3c00u}) data += little(x, 2);
  data += little(0, 8);
  return little(header.size(), 8) + header + data;
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& data) {
  const std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + little(header.size(), 2) + header + data;
}

std::string deflated(const std::string& text) {
  z_stream s{};
  deflateInit2(&s, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 100, '\0');
  s.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  s.avail_in = static_cast<uInt>(text.size());
  s.next_out = reinterpret_cast<Bytef*>(out.data());
  s.avail_out = static_cast<uInt>(out.size());
  deflate(&s, Z_FINISH);
  out.resize(s.total_out);
  deflateEnd(&s);
  return out;
}

// A zip archive, its second array packed.
std::string npz() {
  const std::string a = npy("<f8", "(1, 2)", little(0x3ff0000000000000, 8) + little(0x4000000000000000, 8));
  const std::string b = npy("<f4", "(2, 1)", little(0x40400000, 4) + little(0x40800000, 4));
  std::string archive, directory;
  for (const auto& [name, text, method] : {std::tuple{"a.npy", a, 0}, std::tuple{"b.npy", b, 8}}) {
    const std::string stored = method == 0 ? text : deflated(text);
    const std::uint64_t crc = crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
    const std::string description = little(static_cast<std::uint64_t>(method), 2) + little(0, 4) + little(crc, 4) +
                                    little(stored.size(), 4) + little(text.size(), 4) + little(5, 2) + little(0, 2);
    directory += "PK\x01\x02" + little(0, 6) + description + little(0, 10) + little(archive.size(), 4) + name;
    archive += "PK\x03\x04" + little(0, 4) + description + name + stored;
  }
  return archive + directory + "PK\x05\x06" + little(0, 4) + little(2, 2) + little(2, 2) + little(directory.size(), 4) +
         little(archive.size(), 4) + little(0, 2);
}

class Tensors : public testing::Test {
 protected:
  StudyInput named(const std::string& file, const std::string& a, const std::string& b) const {
    StudyInput i = input(InputFamily::tensor);
    i.file = file;
    i.a_name = a;
    i.b_name = b;
    return i;
  }

  std::string refused(const StudyInput& i, const ProductShape& shape = {1, 1, 2}) const {
    try {
      read_tensors(i, {shape});
    } catch (const ConfigError& e) {
      return e.message.substr(std::min(e.message.size(), i.file.size() + 2));
    }
    return "not refused";
  }

  const Scratch scratch_;
};

TEST_F(Tensors, OfSafetensorsAreRead) {
  const std::string file = scratch_.file("x.safetensors", safetensors());
  const TensorPair pair = read_tensors(named(file, "a", "b"), {{2, 1, 3}});
  EXPECT_EQ(pair.a.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(pair.b.rows, 1);
  EXPECT_EQ(pair.b.values, (std::vector<double>{1, 2, 4}));
  const Reals r = reals_of(named(file, "a", "b"), {1, 0}, {2, 1, 3}, 0, &pair);
  EXPECT_EQ(r.a, pair.a.values);
  EXPECT_EQ(r.b, pair.b.values);
}

TEST_F(Tensors, OfNumpyAreReadStoredAndPacked) {
  const TensorPair pair = read_tensors(named(scratch_.file("x.npz", npz()), "a", "b"), {{1, 1, 2}});
  EXPECT_EQ(pair.a.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(pair.b.values, (std::vector<double>{3, 4}));
}

TEST_F(Tensors, ThatCannotBeAreRefused) {
  const std::string file = scratch_.file("x.safetensors", safetensors()), zip = scratch_.file("x.npz", npz());
  EXPECT_EQ(refused(named(scratch_ / "none.npz", "a", "b")), "This file of tensors cannot be read.");
  EXPECT_EQ(refused(named(file, "aa", "b")),
            "There is no tensor 'aa' in this file; there are a, b, bad, short, whole; did you mean 'a'?");
  EXPECT_EQ(refused(named(zip, "a", "c")), "There is no tensor 'c' in this file; there are a, b; did you mean 'a'?");
  EXPECT_EQ(refused(named(file, "a", "whole")),
            "The tensor 'whole' has elements of type I32; floats of 8, 16, 32 or 64 bits can be read.");
  EXPECT_EQ(refused(named(file, "a", "short")), "The tensor 'short' is not as long as its shape says.");
  EXPECT_EQ(refused(named(file, "a", "bad")), "Element 1 of 'bad' is no finite number.");
  EXPECT_EQ(refused(named(file, "a", "b"), {2, 1, 4}),
            "The shape 2 x 1 x 4 is larger than what 'a' and 'b' make: 2 x 1 x 3.");
  EXPECT_EQ(refused(named(file, "a", "a")),
            "'a' is 2 x 3 and 'a' has 2 along K; `b_transposed` says that b is stored n x k.");
  EXPECT_EQ(refused(named(scratch_.file("cut", safetensors().substr(0, 20)), "a", "b")), "This file ends too early.");
  EXPECT_EQ(refused(named(scratch_.file("zip", "PK nothing"), "a", "b")),
            "This is no .npz archive: its directory is missing.");
  // One bit of the stored array and one of the packed one; a length that no packed bytes can have; two on one place.
  std::string stored = npz(), packed = npz(), large = npz(), shared = safetensors();
  stored[stored.find("\x40", 100)] ^= 1;
  EXPECT_EQ(refused(named(scratch_.file("stored", stored), "a", "b")),
            "The array 'a' is damaged: its CRC-32 is not the one that the archive gives.");
  packed[packed.rfind("PK\x01\x02") + 16] ^= 1;
  EXPECT_EQ(refused(named(scratch_.file("packed", packed), "a", "b")),
            "The array 'b' is damaged: its CRC-32 is not the one that the archive gives.");
  large.replace(large.rfind("PK\x01\x02") + 24, 4, little(0xffffffff, 4));
  EXPECT_EQ(refused(named(scratch_.file("large", large), "a", "b")),
            "An array of this archive is said to be larger than what its packed bytes can hold.");
  shared.replace(shared.find("[24,30]"), 7, "[23,29]");
  EXPECT_EQ(refused(named(scratch_.file("shared", shared), "a", "b")),
            "The tensors 'a' and 'b' lie on the same bytes of this file.");
  EXPECT_EQ(refused(named(scratch_.file("json", little(2, 8) + "[]"), "a", "b")),
            "This file has no header of safetensors.");
}

}  // namespace
}  // namespace assay
