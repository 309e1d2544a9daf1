// Convolutions on tensor memory: small integers against plain loops over a padded image, generated numbers against
// chains of core's dot products, the worked example against its figures, and what a file says wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "model/core/dot.hpp"
#include "tb/machine/convolution_file.hpp"
#include "tb/machine/mma_datapaths.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::machine {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

// An image with its padding around it, and channels that there are not: plain numbers.
struct Padded {
  int h, w, channels;
  std::vector<int> values;  // n, h, w, channels

  int at(int n, int i, int j, int c) const {
    return values[static_cast<std::size_t>(((n * h + i) * w + j) * channels + c)];
  }
};

// Small integers as f16 (or bf16, e4m3): exact there, and so are all of their sums in f32.
Code code_of(int value, const Format& format) {
  for (Code code = 0; code < Code{1} << format.stored_bits; ++code) {
    const Code magnitude = code & ~(Code{1} << (format.stored_bits - 1));
    if (magnitude == code && value == 0) return 0;
    const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
    if (exponent == 0) continue;
    const double significand = 1 + static_cast<double>(magnitude & ((Code{1} << format.mantissa_bits) - 1)) /
                                       static_cast<double>(1 << format.mantissa_bits);
    const double found = std::ldexp(significand, exponent - format.bias) * (code == magnitude ? 1 : -1);
    if (found == value) return code;
  }
  return 0;
}

float float_of(Code code) {
  const auto bits = static_cast<std::uint32_t>(code);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

ConvolutionShape random_shape(std::mt19937& random) {
  const auto up_to = [&](unsigned most) { return static_cast<int>(1 + random() % most); };
  ConvolutionShape s;
  do {
    s.n = up_to(3);
    s.h = up_to(9);
    s.w = up_to(12);
    s.c = up_to(40);
    s.k = up_to(20);
    s.r = up_to(3);
    s.s = up_to(4);
    s.stride_h = up_to(2);
    s.stride_w = up_to(3);
    s.pad_h = up_to(3) - 1;
    s.pad_w = up_to(4) - 1;
    s.dilation_h = up_to(2);
    s.dilation_w = up_to(3);
    s.lanes = up_to(16);
    s.kernels = up_to(24);
  } while (!problem(s).empty());
  return s;
}

TEST(Convolution, OfSmallIntegersIsThatOfPlainLoops) {
  std::mt19937 random(11);
  const MmaDatapaths datapaths = mma_datapaths(catalogue());
  const ConvolutionUnit units[] = {{MmaKind::f16, "f16", "bf16"},
                                   {MmaKind::f8f6f4, "e4m3", "e4m3"},
                                   {MmaKind::f16, "bf16", "bf16"},
                                   {MmaKind::f8f6f4, "e2m3", "e3m2"},
                                   {MmaKind::f8f6f4, "e2m1", "e4m3"}};
  int strided = 0, dilated = 0, several_tiles = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const ConvolutionShape s = random_shape(random);
    const ConvolutionUnit& unit = units[trial % 5];
    const Plan& plan = datapaths(unit.shape(128, 16))->plan;
    strided += s.stride_w > 1 ? 1 : 0;
    dilated += s.dilation_w > 1 ? 1 : 0;
    several_tiles += s.lanes < s.n * s.q() ? 1 : 0;
    ConvolutionData data;
    data.channels = (s.c + plan.k - 1) / plan.k * plan.k;
    Padded image{s.h + 2 * s.pad_h, s.w + 2 * s.pad_w, s.c, {}};
    image.values.resize(static_cast<std::size_t>(s.n * image.h * image.w * s.c));
    std::vector<int> weights(static_cast<std::size_t>(s.k * s.r * s.s * s.c));
    data.activations.resize(static_cast<std::size_t>(s.n * s.h * s.w * data.channels));
    data.weights.resize(static_cast<std::size_t>(s.k * s.r * s.s * data.channels));
    std::vector<Code> a_codes, b_codes;
    for (int v = -3; v <= 3; ++v) {
      a_codes.push_back(code_of(v, plan.a));
      b_codes.push_back(code_of(v, plan.b));
    }
    for (int at = 0; at < s.n * s.h * s.w * s.c; ++at) {
      const int value = static_cast<int>(random() % 7) - 3, c = at % s.c, w = at / s.c % s.w, h = at / s.c / s.w % s.h,
                n = at / s.c / s.w / s.h;
      image.values[static_cast<std::size_t>(((n * image.h + h + s.pad_h) * image.w + w + s.pad_w) * s.c + c)] = value;
      data.activations[static_cast<std::size_t>(at / s.c * data.channels + c)] =
          a_codes[static_cast<std::size_t>(value + 3)];
    }
    for (int at = 0; at < s.k * s.r * s.s * s.c; ++at) {
      const int value = static_cast<int>(random() % 7) - 3;
      weights[static_cast<std::size_t>(at)] = value;
      data.weights[static_cast<std::size_t>(at / s.c * data.channels + at % s.c)] =
          b_codes[static_cast<std::size_t>(value + 3)];
    }
    std::vector<int> expected;
    for (int n = 0; n < s.n; ++n) {
      for (int p = 0; p < s.p(); ++p) {
        for (int q = 0; q < s.q(); ++q) {
          for (int k = 0; k < s.k; ++k) {
            int sum = 0;
            for (int r = 0; r < s.r; ++r) {
              for (int t = 0; t < s.s; ++t) {
                for (int c = 0; c < s.c; ++c)
                  sum += image.at(n, p * s.stride_h + r * s.dilation_h, q * s.stride_w + t * s.dilation_w, c) *
                         weights[static_cast<std::size_t>(((k * s.r + r) * s.s + t) * s.c + c)];
              }
            }
            expected.push_back(sum);
          }
        }
      }
    }
    for (const ConvolutionForm form : convolution_forms) {
      const ConvolutionResult result = convolve(form, s, unit, data, datapaths);
      ASSERT_EQ(result.output.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(float_of(result.output[i]), static_cast<float>(expected[i]))
            << "trial " << trial << " form " << static_cast<int>(form) << " output " << i;
    }
  }
  EXPECT_GT(strided, 15);
  EXPECT_GT(dilated, 15);
  EXPECT_GT(several_tiles, 10);
}

// Random bits: every output is a chain of core's dot products in the form's order, over the padded image. NaN and
// infinity stay out, since a disabled lane leaves (+0) x infinity out.
TEST(Convolution, AddsInTheOrderThatItSays) {
  std::mt19937 random(12);
  const MmaDatapaths datapaths = mma_datapaths(catalogue());
  const ConvolutionUnit unit{MmaKind::f16, "f16", "f16"};
  const Plan& plan = datapaths(unit.shape(128, 16))->plan;
  int same = 0, other = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const ConvolutionShape s = random_shape(random);
    ConvolutionData data;
    data.channels = (s.c + 15) / 16 * 16;
    const auto fill = [&](std::vector<Code>& codes, int vectors) {
      codes.resize(static_cast<std::size_t>(vectors * data.channels));
      for (Code& code : codes) code = (random() & 0x83ffU) | (8 + random() % 12) << 10;
    };
    fill(data.activations, s.n * s.h * s.w);
    fill(data.weights, s.k * s.r * s.s);
    const std::vector<Code> zeros(16);
    const auto reference = [&](bool c_outer) {
      Registers registers;
      std::vector<Code> all;
      const int chunks = data.channels / 16;
      for (int output = 0; output < s.outputs(); ++output) {
        const int k = output % s.k, q = output / s.k % s.q(), p = output / s.k / s.q() % s.p(),
                  n = output / s.k / s.q() / s.p();
        Code sum = 0;
        for (int r = 0; r < s.r; ++r) {
          for (int step = 0; step < s.s * chunks; ++step) {
            const int t = c_outer ? step % s.s : step / chunks, chunk = c_outer ? step / s.s : step % chunks;
            const int h = p * s.stride_h + r * s.dilation_h - s.pad_h, w = q * s.stride_w + t * s.dilation_w - s.pad_w;
            const bool outside = h < 0 || h >= s.h || w < 0 || w >= s.w;
            const Code* a = outside ? zeros.data()
                                    : data.activations.data() + ((n * s.h + h) * s.w + w) * data.channels + 16 * chunk;
            const Code* b = data.weights.data() + ((k * s.r + r) * s.s + t) * data.channels + 16 * chunk;
            sum = dot(plan, {a, b, sum}, registers);
          }
        }
        all.push_back(sum);
      }
      return all;
    };
    const std::vector<Code> s_first = reference(false), c_first = reference(true);
    EXPECT_EQ(convolve(ConvolutionForm::direct, s, unit, data, datapaths).output, s_first) << trial;
    EXPECT_EQ(convolve(ConvolutionForm::mma, s, unit, data, datapaths).output, s_first) << trial;
    EXPECT_EQ(convolve(ConvolutionForm::reuse, s, unit, data, datapaths).output, c_first) << trial;
    int rows = 0;
    EXPECT_EQ(convolve(ConvolutionForm::lanes, s, unit, data, datapaths, [&] { ++rows; }).output, c_first) << trial;
    EXPECT_EQ(rows, s.p());
    (s_first == c_first ? same : other) += 1;
  }
  EXPECT_GT(same, 0);
  EXPECT_GT(other, 0);
}

// --- the worked example ---

const std::string worked = source_dir() + "/docs/examples/machine/worked.yaml";

// "IA(n=0, h=0, w=[-1:8]) and IA(n=1, h=0, w=[0:5]) are loaded"; then one lane on each time, "we only need to load
// IA(n=1, w=6)", and IA(n=1, w=7). Grey and purple rows are disabled.
TEST(Convolution, TheWorkedExampleHasTheLanesOfItsFigures) {
  const ConvolutionReport report = run_convolution(read_convolution(worked), catalogue());
  const auto& lanes = report.forms.back().result.first_lanes;
  ASSERT_EQ(lanes.size(), 3U);
  const std::vector<std::string> figures[] = {
      {"(-)", "0,0", "0,1", "0,2", "0,3", "0,4", "0,5", "0,6", "0,7", "(0,8)", "1,0", "1,1", "1,2", "1,3", "1,4",
       "1,5"},
      {"0,0", "0,1", "0,2", "0,3", "0,4", "0,5", "0,6", "0,7", "0,8", "1,0", "1,1", "1,2", "1,3", "1,4", "1,5", "1,6"},
      {"0,1", "0,2", "0,3", "0,4", "0,5", "0,6", "0,7", "0,8", "(1,0)", "1,1", "1,2", "1,3", "1,4", "1,5", "1,6",
       "1,7"}};
  for (std::size_t s = 0; s < 3; ++s) {
    std::vector<std::string> found;
    for (const LaneContent& lane : lanes[s]) {
      const std::string held = lane.n ? std::to_string(*lane.n) + "," + std::to_string(lane.w) : "-";
      found.push_back(lane.is_off ? "(" + held + ")" : held);
    }
    EXPECT_EQ(found, figures[s]) << "s = " << s;
  }
}

// 18 outputs a row of two images: tiles of 16 and 2. With reuse the first takes 16 + 1 + 1 rows of 8 Dwords instead of
// 48, the second 2 + 1 + 1 instead of 6; that for each of 7 p, 3 r and 2 pieces of 32 channels.
TEST(Convolution, TheWorkedExampleFetchesWhatItSays) {
  const ConvolutionReport report = run_convolution(read_convolution(worked), catalogue());
  const std::uint64_t times = 7 * 3 * 2;
  for (const ConvolutionFormReport& form : report.forms) {
    const ConvolutionCounts& c = form.result.counts;
    EXPECT_EQ(form.other_bits, form.form == ConvolutionForm::mma ? 0U : form.other_bits);
    if (form.form == ConvolutionForm::direct) {
      EXPECT_EQ(c.products, 2U * 7 * 9 * 16 * 3 * 3 * 2);
      EXPECT_EQ(c.activations, 8 * c.products);
      continue;
    }
    const bool reuses = form.form != ConvolutionForm::mma;
    EXPECT_EQ(c.products, times * 3 * 2);
    EXPECT_EQ(c.activations, times * 8 * (reuses ? 18 + 4 : 48 + 6));
    EXPECT_EQ(c.saved, reuses ? times * 8 * (48 + 6 - 18 - 4) : 0);
    EXPECT_EQ(c.weights, times * 6 * 16 * 8);
    EXPECT_EQ(c.shifts, reuses ? times * 2 * 2 : 0);
  }
}

// --- the command ---

class ConvolutionFiles : public ::testing::Test {
 protected:
  std::string said(const std::string& from, const std::string& to) const {
    std::ifstream in(worked);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    text.replace(text.find(from), from.size(), to);
    const Scratch folder;
    const std::string path = folder.file("conv.yaml", text);
    const Ran ran = run({"conv", path});
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_EQ(ran.err.substr(0, 7 + path.size()), "assay: " + path);
    return ran.err.substr(7 + path.size());
  }
};

TEST_F(ConvolutionFiles, AreRefusedInASentence) {
  EXPECT_EQ(said("R: 3", "R: 12"), ":2: The kernel is larger than the padded image, so that there are no outputs.\n");
  EXPECT_EQ(said("H: 9", "H: 0"), ":4: H: a whole number from 1 to 4096 is needed here, found '0'.\n");
  EXPECT_EQ(said("N: 2\n", ""), ":2: the key 'N' is missing.\n");
  EXPECT_EQ(said("formats: e4m3", "formats: [f16, e4m3]"), ":11: formats: no instruction multiplies f16 and e4m3.\n");
  EXPECT_EQ(said("formats: e4m3", "formats: [f16]"),
            ":11: formats: one format is needed here, or two: of activations and of weights.\n");
  EXPECT_EQ(said("formats: e4m3", "formats: f64"),
            ":11: formats: found 'f64'; the choices are f16, bf16, tf32, e4m3, e5m2, e3m2, e2m3, e2m1; did you mean "
            "'f16'?\n");
  EXPECT_EQ(said("padding: [0, 1]", "padding: [0]"),
            ":10: padding: one number is needed here, or two: of height and of width.\n");
  EXPECT_EQ(said("lanes: 16", "lanes: 129"), ":12: lanes: a whole number from 1 to 128 is needed here, found '129'.\n");
  EXPECT_EQ(said("C: 64", "C: 4096\nwidth: 1").substr(0, 39), ":7: width: unknown key; the keys here a");
  EXPECT_EQ(
      said("N: 2", "N: 4096"),
      ":2: this convolution has 21,233,664 activations, channels filled up to a multiple of 32; at most 1,048,576 are "
      "taken.\n");
  EXPECT_EQ(
      said("K: 16\nR: 3\nS: 3\npadding: [0, 1]", "K: 1\nR: 130\nS: 9\npadding: [64, 1]"),
      ":2: this convolution has 74,880 terms an output, channels filled up to a multiple of 32; at most 65,536 are "
      "taken.\n");
  EXPECT_EQ(said("K: 16", "K: 4096"),
            ":2: this convolution has 2,359,296 weights, channels filled up to a multiple of 32; at most 1,048,576 are "
            "taken.\n");
}

TEST_F(ConvolutionFiles, AreAnsweredAsTextAndJson) {
  const Ran text = run({"conv", worked, "--lanes"}), json = run({"conv", worked, "--json"});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(
      text.out.find("lanes   r, c, s          252         7,392      32,256        39,648      10,752      168\n"),
      std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("mma: the bits of the direct form, in all 2,016 outputs.\n"), std::string::npos);
  EXPECT_NE(text.out.find("     9  (0,8)     1,0       1,1\n"), std::string::npos);
  EXPECT_NE(json.out.find("\"form\":\"lanes\",\"order\":\"r, c, s\",\"products\":252,\"activations\":7392"),
            std::string::npos)
      << json.out;
}

}  // namespace
}  // namespace assay::machine
