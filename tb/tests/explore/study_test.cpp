// Study files: what they say, and every mistake by its line; points; the walk along K.
#include "tb/explore/study.hpp"

#include <gtest/gtest.h>

#include "model/core/matmul.hpp"
#include "tb/explore/findings.hpp"
#include "tb/explore/real.hpp"
#include "tb/explore/runner.hpp"
#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

class Studies : public testing::Test {
 protected:
  Study read(const std::string& text) const { return read_study(scratch_.file("study.yaml", text), test_catalogue()); }

  // What is said of a study, without the name of its folder.
  std::string refused(const std::string& text, double most_seconds = 100) const {
    try {
      const Study study = read(text);
      const Machines machines = machines_of(study, test_catalogue(), most_seconds);
      check_expectations(study, result_of(study, machines, Samples(study, machines), ""));
    } catch (const Error& e) {
      std::string message = e.message;
      for (const std::string path = scratch_ / ""; message.find(path) != std::string::npos;)
        message.erase(message.find(path), path.size());
      return message;
    }
    return "not refused";
  }

  const Scratch scratch_;
};

TEST_F(Studies, HaveAPointForEveryCombination) {
  const Study study = read(
      substituted(small_study, "axes:\n", "axes:\n  - {name: promotion, set: promote_every, values: [none, 32]}\n") +
      "references: [hopper:wgmma.m64nNk16.f32.f16.f16]\n");
  const Machines machines = machines_of(study, test_catalogue(), 100);
  ASSERT_EQ(machines.size(), 9u);
  EXPECT_EQ(machines[0]->point.name, "promotion = none, F = 10");
  EXPECT_EQ(machines[5]->point.name, "promotion = 32, F = 11");
  EXPECT_EQ(machines[5]->walk.promote_every, 32);
  EXPECT_EQ(machines[5]->plan.adders[0].inputs[0].words.keep, 11);
  EXPECT_EQ(machines[5]->plan.adders[0].inputs[1].words.keep, 11);
  EXPECT_EQ(machines[8]->point.reference, "hopper:wgmma.m64nNk16.f32.f16.f16");
}

TEST_F(Studies, MayVaryWholeDatapathsByLabels) {
  const Study study = read(substituted(
      small_study, "  - {name: F, set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: 10..13}\n",
      "  - name: unit\n    values:\n      early: {datapath: fused_f24}\n"
      "      late: {datapath: late_floor_f24_step8, k: 8}\n"));
  const Machines machines = machines_of(study, test_catalogue(), 100);
  ASSERT_EQ(machines.size(), 2u);
  EXPECT_EQ(machines[0]->plan.adders.size(), 1u);
  EXPECT_EQ(machines[1]->plan.adders.size(), 2u);
  EXPECT_EQ(machines[1]->plan.k, 8);
}

const std::string own_unit = R"(name: own_unit
like: fused_f25
adders: [{name: sum, add: {product: {keep: 9}, acc: {keep: 9}}}]
)";

TEST_F(Studies, MayNameTheFileOfADatapath) {
  std::filesystem::create_directory(scratch_ / "units");
  scratch_.file("units/unit.yaml", own_unit);
  scratch_.file("beside.yaml", substituted(own_unit, "like: fused_f25", "like: fused_f24"));
  const Study study = read(substituted(small_study, "datapath: fused_f25", "datapath: units/unit.yaml"));
  EXPECT_EQ(study.base.datapath.name, "own_unit");
  const Study axis = read(substituted(
      small_study, "  - {name: F, set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: 10..13}\n",
      "  - {name: unit, set: datapath, values: [beside.yaml, fused_f24, {like: units/unit.yaml}]}\n"));
  const Machines machines = machines_of(axis, test_catalogue(), 100);
  ASSERT_EQ(machines.size(), 3u);
  EXPECT_EQ(machines[0]->plan.adders[0].inputs[0].words.keep, 9);
  EXPECT_EQ(machines[1]->plan.adders[0].inputs[0].words.keep, 24);
  EXPECT_EQ(machines[2]->plan.adders[0].inputs[0].words.keep, 9);
  EXPECT_EQ(refused(substituted(small_study, "datapath: fused_f25", "datapath: none.yaml")),
            "none.yaml: This file cannot be read: No such file or directory.");
}

TEST_F(Studies, CallADatapathWithoutANameAsTheirFile) {
  const std::string inline_one = substituted(small_study, "datapath: fused_f25", "datapath: {like: fused_f24}");
  EXPECT_EQ(read(inline_one).base.datapath.name, "study");
  EXPECT_EQ(read(substituted(inline_one, "{like", "{name: mine, like")).base.datapath.name, "mine");
  scratch_.file("nameless.yaml", "like: fused_f24\n");
  EXPECT_EQ(refused(substituted(small_study, "datapath: fused_f25", "datapath: nameless.yaml")),
            "nameless.yaml:1: the key 'name' is missing.");
}

struct Mistake {
  const char* from;
  const char* to;
  const char* message;
};

TEST_F(Studies, SayWhatIsWrongWithThem) {
  for (const auto& [from, to, message] : std::vector<Mistake>{
           {"values: 10..13", "values: []",
            "study.yaml:7: axes[0].values: the axis 'F' is empty; give it at least one value."},
           {"values: 10..13", "values: 13..10",
            "study.yaml:7: axes[0].values: the axis 'F' is empty; give it at least one value."},
           {"values: 10..13", "values: 12",
            "study.yaml:7: axes[0].values: a list or a range such as 8..35 is needed here, found '12'."},
           {"values: 10..13", "values: [10, 10]", "study.yaml:7: axes[0].values: the value '10' is given twice."},
           {"values: 10..13", "values: 1..2000", "study.yaml:7: axes[0].values: at most 1000 values fit on an axis."},
           {"name: F", "name: input",
            "study.yaml:7: axes[0].name: an axis cannot have the name 'input': `where` means another."},
           {"seeds: 3", "sedes: 3",
            "study.yaml:10: sedes: unknown key; the keys here are study, title, description, datapath, "
            "instruction, operands, k, promote_every, split_k, output, scaling, axes, inputs, shapes, seeds, "
            "seed, references, cost, budget, measure, expect; did you mean 'seeds'?"},
           {"seeds: 3", "seeds: 0", "study.yaml:10: seeds: a whole number from 1 to 10000 is needed here, found '0'."},
           {"k: 16\n", "", "study.yaml:1: the key 'k' is missing: the number of terms of one instruction."},
           {"datapath: fused_f25\n", "",
            "study.yaml:1: one of the keys 'datapath' and 'instruction' is needed: what the study varies."},
           {"inputs: [normal]", "inputs: []", "study.yaml:8: inputs: at least one input is needed, such as `normal`."},
           {"inputs: [normal]", "inputs: [normal, normal]",
            "study.yaml:8: inputs[1]: the input 'normal' is given twice; `name` tells two apart."},
           {"inputs: [normal]", "inputs: [outliers]",
            "study.yaml:8: inputs[0]: 'outliers' needs parameters: {outliers: {probability: ..}}."},
           {"inputs: [normal]", "inputs: [{outliers: {probability: 2, deviation: 1}}]",
            "study.yaml:8: inputs[0].outliers.probability: a number from 0 to 1 is needed here, found '2'."},
           {"inputs: [normal]", "inputs: [{name: x}]",
            "study.yaml:8: inputs[0]: one family of inputs is needed in each entry of the list."},
           {"inputs: [normal]", "inputs: [{listed: {a: [1], b: [1, 2]}}]",
            "study.yaml:8: inputs[0].listed: a and b are lists of one length."},
           {"shapes: {m: 3, n: 4, k: 64}", "shapes: []",
            "study.yaml:9: shapes: at least one shape is needed, such as {m: 64, n: 64, k: 4096}."},
           {"study: small", "study: Small one",
            "study.yaml:1: study: a name of a-z, 0-9, _ and - is needed here, found 'Small one'."}}) {
    EXPECT_EQ(refused(substituted(small_study, from, to)), std::string(message)) << to;
  }
}

TEST_F(Studies, SayWhatIsWrongWithTheirPoints) {
  const auto begins = [&](const std::string& text, const std::string& message) {
    const std::string found = refused(text);
    EXPECT_EQ(found.substr(0, message.size()), message) << text;
  };
  begins(substituted(small_study, "10..13", "[10, 400]"),
         "study.yaml:7: adders[0].add.product.keep: a whole number from 0 to 100");
  begins(substituted(small_study, "a: f16", "a: f99"), "study.yaml: The point F = 10 cannot be: ");
  begins(substituted(small_study, "k: 64", "k: 65"),
         "study.yaml: The point F = 10 cannot be: 3 x 4 x 65: K is 65, which is no multiple of the instruction's 16.");
  begins(small_study + "promote_every: 24\n",
         "study.yaml: The point F = 10 cannot be: 3 x 4 x 64: promote_every is 24, which is no multiple of the "
         "instruction's 16.");
  begins(small_study + "split_k: 3\n",
         "study.yaml: The point F = 10 cannot be: 3 x 4 x 64: K is no multiple of split_k, which is 3.");
  begins(
      "study: wide\ntitle: Wide\ndatapath: fma_chain\noperands: {a: f64, b: f64, c: f64, d: f64}\nk: 4\n"
      "promote_every: 32\ninputs: [normal]\nshapes: {m: 1, n: 1, k: 64}\n",
      "study.yaml: The point fma_chain cannot be: partial sums are added in f32, which does not hold every f64: leave "
      "promote_every and split_k out.");
  begins(small_study + "output: e4m3\n",
         "study.yaml: The point F = 10 cannot be: `output` is 'e4m3'; it must be a format with an infinity, such as "
         "f16, bf16 or f32.");
  begins(substituted(small_study, "k: 64", "k: 1048576").replace(small_study.find("m: 3"), 4, "m: 4096"),
         "study.yaml: The point F = 10 cannot be: 4096 x 4 x 1048576: a matrix of more than 67108864 elements does not "
         "fit");
}

TEST_F(Studies, RefuseAValueThatSetsTheSameTwice) {
  const auto with = [&](const std::string& keys) {
    return refused(substituted(small_study, "inputs:", "  - {name: G, values: {x: {" + keys + "}, y: {}}}\ninputs:"));
  };
  EXPECT_EQ(with("adders.sum.result.0.cut: down, \"adders.sum.result[0].cut\": up"),
            "study.yaml:8: axes[1].values.x.adders.sum.result[0].cut: the value 'x' sets 'adders.sum.result.0.cut' and "
            "'adders.sum.result[0].cut', which overlap, so that one would undo the other.");
  EXPECT_EQ(with("adders.sum.window.floor: -20, adders.sum.window: {exponent: largest}"),
            "study.yaml:8: axes[1].values.x.adders.sum.window: the value 'x' sets 'adders.sum.window.floor' and "
            "'adders.sum.window', which overlap, so that one would undo the other.");
  EXPECT_EQ(with("adders.sum.window.floor: -20, adders.sum.window.step: 4"), "not refused");
}

// Else the values of one would do nothing, and their labels would stand on rows.
TEST_F(Studies, RefuseAxesThatSetTheSame) {
  const auto with = [&](const std::string& axis) {
    return refused(substituted(small_study, "inputs:", "  - {name: G, " + axis + "}\ninputs:"));
  };
  const auto overlapping = [](const std::string& place, const std::string& key) {
    return "study.yaml:8: axes[1].values" + place +
           ": the axis 'F' sets 'adders.sum.add.product.keep' and the axis 'G' sets '" + key +
           "', which overlap, so that one would undo the other; let each axis set other keys.";
  };
  EXPECT_EQ(with("set: adders.sum.add.acc.keep, values: [20, 21]"),
            "study.yaml:8: axes[1].values[0]: the axes 'F' and 'G' both set 'adders.sum.add.acc.keep', so that one "
            "would undo the other; let each axis set other keys.");
  EXPECT_EQ(with("values: {x: {adders.sum.add.product: exact}, y: {}}"),
            overlapping(".x.adders.sum.add.product", "adders.sum.add.product"));
  EXPECT_EQ(with("values: {x: {adders: []}}"),
            substituted(overlapping(".x.adders", "adders"), "product.keep", "acc.keep"));
  EXPECT_EQ(with("set: adders.sum.add.product.cut, values: [toward_zero, down]"), "not refused");
  EXPECT_EQ(with("set: datapath, values: [fused_f25, fused_f24]"), "not refused");  // whose keys F changes
  const auto two = [&](const std::string& first, const std::string& second) {
    return refused(
        substituted(small_study, "axes:", "axes:\n  - {name: P, " + first + "}\n  - {name: L, " + second + "}"));
  };
  EXPECT_EQ(two("set: promote_every, values: [16, 32]", "values: {x: {promote_every: 64}, y: {promote_every: none}}"),
            "study.yaml:8: axes[1].values.x.promote_every: the axes 'P' and 'L' both set 'promote_every', so that one "
            "would undo the other; let each axis set other keys.");
  EXPECT_EQ(
      two("set: \"adders.sum.result[0].cut\", values: [down, up]", "set: adders.sum.result.0.cut, values: [down]"),
      "study.yaml:8: axes[1].values[0]: the axis 'P' sets 'adders.sum.result[0].cut' and the axis 'L' sets "
      "'adders.sum.result.0.cut', which overlap, so that one would undo the other; let each axis set other "
      "keys.");
  EXPECT_EQ(two("set: datapath, values: [fused_f25, fused_f24]",
                "set: instruction, values: [\"hopper:wgmma.m64nNk16.f32.f16.f16\"]"),
            "study.yaml:8: axes[1].values[0]: the axis 'P' sets 'datapath' and the axis 'L' sets 'instruction', which "
            "overlap, so that one would undo the other; let each axis set other keys.");
}

// A study completes its datapath, and repeats it where it likes; it does not say silently that it is another.
TEST_F(Studies, RefuseToContradictTheirDatapath) {
  const auto of = [&](const std::string& base) {
    return refused(substituted(small_study, "datapath: fused_f25", base));
  };
  EXPECT_EQ(of("datapath: {k: 16, like: fused_f25}"), "not refused");
  EXPECT_EQ(of("datapath: {k: 8, like: fused_f25}"),
            "study.yaml:5: k: the datapath says k = 8, and the study says 16; leave one of them out.");
  EXPECT_EQ(of("datapath: {like: fused_f25, operands: {a: f16, b: f16, c: f32, d: f32}}"), "not refused");
  EXPECT_EQ(
      of("datapath: {like: fused_f25, operands: {a: f16, b: bf16, c: f32, d: f32}}"),
      "study.yaml:4: operands: the datapath says operands.b = bf16, and the study says f16; leave one of them out.");
  EXPECT_EQ(of("instruction: hopper:wgmma.m64nNk16.f32.f16.f16"), "not refused");
  EXPECT_EQ(of("instruction: hopper:wgmma.m64nNk16.f32.bf16.bf16"),
            "study.yaml:4: operands: the instruction says operands.a = bf16, and the study says f16; leave one of them "
            "out.");
  EXPECT_EQ(of("instruction: cdna3:v_mfma_f32_32x32x8_f16"),
            "study.yaml:5: k: the instruction says k = 8, and the study says 16; leave one of them out.");
  scratch_.file("eight.yaml", "name: eight\nlike: fused_f24\nk: 8\noperands: {a: bf16, b: bf16, c: f32, d: f32}\n");
  EXPECT_EQ(of("datapath: eight.yaml"),
            "study.yaml:5: k: the datapath says k = 8, and the study says 16; leave one of them out.");
}

// On an axis a datapath is given the study's k and operands, unless other settings say them.
TEST_F(Studies, RefuseToContradictADatapathOfAnAxis) {
  scratch_.file("eight.yaml", "name: eight\nlike: fused_f24\nk: 8\noperands: {a: bf16, b: f16, c: f32, d: f32}\n");
  const auto with = [&](const std::string& values) {
    return refused(substituted(small_study, "inputs:", "  - {name: unit, values: {" + values + "}}\ninputs:"));
  };
  EXPECT_EQ(with("x: {datapath: eight.yaml}"),
            "study.yaml:8: axes[1].values.x.datapath: the datapath 'eight' says k = 8, and the study says 16; set 'k' "
            "with it.");
  EXPECT_EQ(with("x: {datapath: eight.yaml, k: 8}"),
            "study.yaml:8: axes[1].values.x.datapath: the datapath 'eight' says operands.a = bf16, and the study says "
            "f16; set 'operands.a' with it.");
  EXPECT_EQ(with("x: {datapath: eight.yaml, k: 8, operands.a: bf16}"), "not refused");
}

TEST_F(Studies, OfTooManyPointsAreRefusedWithTheirEstimate) {
  std::string axes = "axes:\n";
  for (const std::string key : {"floor", "raise", "step", "lost_at"})
    axes += "  - {name: " + key + ", set: adders.sum.window." + key + ", values: 0..999}\n";
  const std::string text = substituted(small_study, "axes:\n", axes);
  EXPECT_EQ(refused(text),
            "study.yaml: This study has 4e+12 points and 9.2e+15 multiply-accumulates, at least 512 h on one thread; "
            "more than "
            "the 100 s that --limit allows: give it fewer points, inputs, shapes or seeds, or raise --limit.");
  EXPECT_EQ(refused(text, 1e9),
            "study.yaml: This study has 4e+12 points and 9.2e+15 multiply-accumulates, at least 512 h on one "
            "thread; a study has at most 20000 points: shorten its axes.");
}

TEST_F(Studies, OfTooManySamplesAreRefused) {
  const std::string axis = "axes:\n  - {name: floor, set: adders.sum.window.floor, values: -999..0}\n";
  const std::string text = substituted(substituted(small_study, "axes:\n", axis), "seeds: 3", "seeds: 1000");
  const std::string found = refused(text, 1e9);
  EXPECT_NE(found.find("points times inputs, shapes and seeds are 4e+06, and 1000000 fit in memory"), std::string::npos)
      << found;
}

TEST_F(Studies, ThatAreNotUtf8AreRefused) {
  EXPECT_EQ(refused(substituted(small_study, "A small one", "Un \xe9tude")),
            "study.yaml: This file is not UTF-8 text.");
}

TEST_F(Studies, SayWhatIsWrongWithWhatTheyExpect) {
  const auto expecting = [&](const std::string& words) {
    return refused(small_study + "expect:\n  - {" + words + ", published: 1, source: a page}\n");
  };
  EXPECT_EQ(expecting("where: {F: 10}, measure: normwise"), "not refused");
  EXPECT_EQ(expecting("measure: knee"), "not refused");
  EXPECT_EQ(
      expecting("measure: normwise"),
      "study.yaml:12: `where` is about 4 rows of the study; name axes, input, k or reference so that it is about one.");
  EXPECT_EQ(expecting("where: {F: 11}, measure: knee"),
            "study.yaml:12: 'knee' is about all values of the axis 'F', and `where` names one of them; leave it out.");
  EXPECT_EQ(
      refused(substituted(small_study, "set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: 10..13",
                          "set: promote_every, values: [16, 32, 64]") +
              "expect: [{measure: knee, published: 1, source: a page}]\n"),
      "study.yaml:11: 'knee' needs an axis of widths: at least three whole numbers that grow, of a key that sets "
      "bits, such as `keep`.");
  EXPECT_EQ(expecting("where: {F: 9}, measure: normwise"),
            "study.yaml:12: expect[0].where.F: the study has no 'F' of that value; `where` names axes, input, "
            "reference or k.");
  EXPECT_EQ(expecting("where: {F: 10}, measure: nrmwise").substr(0, 47),
            "study.yaml:12: expect[0].measure: found 'nrmwis");
}

// --- the walk ---

std::vector<float> instructions_from_zero(const Plan& plan, const Workload& w, int from, int count) {
  Matrices x{w.shape.m, w.shape.n, count, {}, {}, std::vector<Code>(static_cast<std::size_t>(w.shape.m * w.shape.n)),
             {},        {}};
  for (int i = 0; i < x.m; ++i) {
    for (int t = 0; t < count; ++t) x.a.push_back(w.a.view().get(i, from + t));
  }
  for (int t = 0; t < count; ++t) {
    for (int j = 0; j < x.n; ++j) x.b.push_back(w.b.view().get(j, from + t));
  }
  std::vector<float> d;
  for (const Code code : matmul(plan, x)) d.push_back(static_cast<float>(value_of(code, plan.d)));
  return d;
}

TEST_F(Studies, WalkKInPiecesAndRuns) {
  const Study study = read(small_study + "promote_every: 32\nsplit_k: 2\n");
  const Study plain = read(substituted(small_study, "k: 64", "k: 192") + "promote_every: 32\nsplit_k: 2\n");
  const Machines machines = machines_of(plain, test_catalogue(), 100);
  const Plan& plan = machines[0]->plan;
  const Workload w = workload_of(reals_of(plain.inputs[0], {1, 0}, {3, 4, 192}, 0, nullptr), operand_formats(plan, {}));
  std::vector<float> total(12);
  for (const int run : {0, 96}) {
    std::vector<float> sum(12);
    for (const int from : {0, 32, 64}) {
      const std::vector<float> piece = instructions_from_zero(plan, w, run + from, 32);
      for (std::size_t i = 0; i < 12; ++i) sum[i] += piece[i];
    }
    for (std::size_t i = 0; i < 12; ++i) total[i] += sum[i];
  }
  const std::vector<Code> codes = walked(*machines[0], w, 1);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(static_cast<float>(value_of(codes[i], machines[0]->result)), total[i]);
}

// Sums of so few bits are exact, if each piece has the scales of its own blocks.
TEST_F(Studies, WalkBlocksWithTheirScales) {
  const Study study = read(R"(study: scaled
title: Scaled
instruction: blackwell:tcgen05.mma.m128nNk64.block16.f32.e2m1.e2m1.ue4m3
scaling: {format: ue4m3, block: 16, tensor: f32}
axes:
  - {name: promotion, set: promote_every, values: [none, 64]}
inputs: [{log_uniform: {least: -4, greatest: 4}}]
shapes: {m: 5, n: 6, k: 256}
)");
  ASSERT_TRUE(study.walk.scaling.tensor);
  const Machines machines = machines_of(study, test_catalogue(), 100);
  const Samples samples = run_study(study, machines, {scratch_ / "out", 1, {}});
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(samples.at(m, 0, 0)[0].correct, 30u);
    EXPECT_NE(samples.at(m, 0, 0)[0].value, 0);
  }
}

TEST_F(Studies, RoundTheirOutputAtLast) {
  const Study study = read(small_study + "output: bf16\n");
  const Machines machines = machines_of(study, test_catalogue(), 100);
  const Plan& plan = machines[0]->plan;
  const Workload w = workload_of(reals_of(study.inputs[0], {1, 0}, {3, 4, 64}, 0, nullptr), operand_formats(plan, {}));
  const std::vector<float> d = instructions_from_zero(plan, w, 0, 64);
  const std::vector<Code> codes = walked(*machines[0], w, 1);
  for (std::size_t i = 0; i < 12; ++i)
    EXPECT_EQ(codes[i], nearest_code(number_of(static_cast<double>(d[i])), *find_format("bf16")));
}

}  // namespace
}  // namespace assay
