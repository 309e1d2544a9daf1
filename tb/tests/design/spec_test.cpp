// What a spec says, which space that is, and what is refused.
#include "tb/design/usual_axes.hpp"
#include "tb/tests/design/make.hpp"

namespace assay::design {
namespace {

using ::testing::Test;

TEST(Spec, ConditionsLeaveATriangle) {
  const Spec spec = spec_of(small_spec);
  const Space space = space_of(spec, test_catalogue());
  EXPECT_EQ(space.combinations, 36U);
  EXPECT_EQ(space.outside, 15U);
  EXPECT_EQ(space.size(), 21U);
  EXPECT_EQ(space.count_of_wirings(), 21U);
  for (const auto& machine : space.machines) EXPECT_GE(machine->point.values[1], machine->point.values[0]);
}

TEST(Spec, ConditionsWithIfAndSums) {
  std::string text = substituted(small_spec, "[acc >= product]", "[acc = product + 2 if product > 6, acc != 9]");
  const Space space = space_of(spec_of(text), test_catalogue());
  // product 5 and 6: five values of acc each; 7: acc 9 is out; 8: acc 10; 9 and 10 would need 11 and 12.
  EXPECT_EQ(space.size(), 11U);
}

TEST(Spec, PointsThatComputeTheSameAreOne) {
  const std::string text =
      substituted(small_spec, "conditions: [acc >= product]",
                  "  - {name: name, values: {one: {nan: 7fffffff}, other: {nan: 7fffffff}}}\nconditions: [acc = 7]");
  const Space space = space_of(spec_of(text), test_catalogue());
  EXPECT_EQ(space.size(), 6U);
  EXPECT_EQ(space.alike, 6U);
}

TEST(Spec, PointsThatCannotBeAreCountedAndNamed) {
  const std::string text =
      substituted(small_spec, "conditions: [acc >= product]",
                  "  - {name: promotion, set: promote_every, values: [none, 32, 48]}\nconditions: [acc = 7]");
  Spec spec = spec_of(substituted(text, "k: 4\n", "k: 4\nsplit_k: 3\n"));
  EXPECT_EQ(error_of([&] { space_of(spec, test_catalogue()); }).find("No point of the space can be"),
            spec.study.file.size() + 2);
}

TEST(Spec, WithoutVaryTheUsualWordsVary) {
  std::string text = small_spec;
  const std::size_t at = text.find("vary:"), end = text.find("inputs:");
  text.erase(at, end - at);
  const Spec spec = spec_of(text);
  std::vector<std::string> names;
  for (const StudyAxis& axis : spec.study.axes) names.push_back(axis.name);
  EXPECT_EQ(names, (std::vector<std::string>{"sum_keep", "sum_cut", "rounding", "shape", "sticky", "places", "c"}));
  EXPECT_EQ(spec.study.axes[0].values.front().label, "3");  // e4m3's mantissa
  EXPECT_EQ(spec.study.axes[0].values.back().label, "27");  // f32's, two for carries, and two more
  EXPECT_GT(space_of(spec, test_catalogue()).size(), 100U);
}

TEST(Spec, OfALongUnitEverySecondWidthVaries) {
  std::string text = substituted(small_spec, "k: 4\n", "k: 64\n");
  const std::size_t at = text.find("vary:"), end = text.find("inputs:");
  text.erase(at, end - at);
  const Spec spec = spec_of(text);
  EXPECT_LE(combinations_of(spec.study), most_points);
  EXPECT_GT(combinations_of(spec.study), most_points / 2);
  const std::vector<AxisValue>& widths = spec.study.axes[0].values;
  EXPECT_EQ(widths.back().label, "31");  // f32's, six for carries, and two more
  EXPECT_EQ(widths[widths.size() - 2].label, "29");
}

TEST(Spec, ThroughputIsThatOfUnitsSideBySide) {
  const std::string text = substituted(substituted(small_spec, "want: area", "want: area\nthroughput: 8"),
                                       "conditions:", "  - {name: terms, set: k, values: [2, 4, 8, 16]}\nconditions:");
  const Spec spec = spec_of(text);
  const Space space = space_of(spec, test_catalogue());
  EXPECT_EQ(space.size(), 63U);
  EXPECT_EQ(space.impossible, 21U);  // of 16 terms
  EXPECT_NE(space.why.find("no whole number of units of 16 terms"), std::string::npos) << space.why;
  for (const auto& machine : space.machines) EXPECT_EQ(spec.units(machine->plan) * machine->plan.k, 8);
}

TEST(Spec, NothingUsualVariesWhereNothingIsCut) {
  std::string text = substituted(small_spec, "datapath: fused_f25", "datapath: exact_f32");
  const std::size_t at = text.find("vary:"), end = text.find("inputs:");
  text.erase(at, end - at);
  EXPECT_NE(error_of_spec(text).find("cuts nothing that it adds"), std::string::npos);
}

struct Refused {
  const char* name;
  const char* from;
  const char* to;
  const char* message;
};

class RefusedSpec : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedSpec, SaysWhy) {
  const Refused& r = GetParam();
  const std::string message = error_of_spec(substituted(small_spec, r.from, r.to));
  EXPECT_NE(message.find(r.message), std::string::npos) << message;
  EXPECT_NE(message.find("spec.yaml"), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedSpec,
    ::testing::Values(
        Refused{"EmptyRange", "values: 5..10}\n  - {name: acc", "values: 10..5}\n  - {name: acc", "is empty"},
        Refused{"NoAxes",
                "vary:\n  - {name: product, set: adders.sum.add.product.keep, values: 5..10}\n  - {name: acc, set: "
                "adders.sum.add.acc.keep, values: 5..10}\nconditions: [acc >= product]",
                "vary: []", "`vary` is empty"},
        Refused{"OneSeed", "seeds: 8", "seeds: 1", "one seed has none"},
        Refused{"NoCost", "want: area", "want: []", "at least one cost"},
        Refused{"CostTwice", "want: area", "want: [area, area]", "named twice"},
        Refused{"UnknownCost", "want: area", "want: price", "price"},
        Refused{"ClockOfNoUnit", "want: area", "want: additions\nclock: 4", "no cost of gates is wanted"},
        Refused{"ClockThatStands", "want: area", "want: area\nclock: 0", "0.01"},
        Refused{"FpgaOfNoUnit", "want: area", "want: additions\nfpga: [ice40]", "no cost of gates is wanted"},
        Refused{"FpgaTwice", "want: area", "want: area\nfpga: [ice40, ice40]", "this family is named twice"},
        Refused{"FpgaUnknown", "want: area", "want: area\nfpga: [stratix]", "stratix"},
        Refused{"ClockedAreaWithoutClock", "want: area", "want: clocked_area", "say which one"},
        Refused{"TablesOfNoFpga", "want: area", "want: tables", "say of which one"},
        Refused{"ThroughputOfNothing", "want: area", "want: area\nthroughput: 0", "throughput"},
        Refused{"ThroughputOfNoWholeUnits", "want: area", "want: area\nthroughput: 6",
                "no whole number of units of 4 terms"},
        Refused{"BoundOfNoChain", "k: 4\n", "k: 4\nerror: bound\nsplit_k: 3\n", "cannot be"},
        Refused{"UnknownKey", "want: area", "want: area\nwish: area", "wish"},
        Refused{"NoSuchError", "want: area", "want: area\nerror: quantisation", "quantisation"},
        Refused{"ConditionOfNoAxis", "[acc >= product]", "[depth >= 3]", "'depth' is no axis"},
        Refused{"ConditionOfNoForm", "[acc >= product]", "[acc>=product]", "words stand apart"},
        Refused{"ConditionOfNoValue", "[acc >= product]", "[acc = 77]", "neither an axis nor a value"},
        Refused{"ConditionOfNoNumber", "[acc >= product]", "[acc >= wide]", "neither an axis nor a whole number"},
        Refused{"ConditionThatAddsNoNumber", "[acc >= product]", "[acc >= product + x]", "a whole number is needed"},
        Refused{"ConditionsLeaveNothing", "[acc >= product]", "[acc > product, acc < product]",
                "leave no point at all"},
        Refused{"TooMany", "values: 5..10}\nconditions: [acc >= product]",
                "values: 5..10}\n  - {name: x, set: promote_every, values: 1..999}\n  - {name: y, set: split_k, "
                "values: 1..999}",
                "at most 20000"},
        Refused{"LimitOfNoKind", "want: area", "want: area\nmust: [{most: 1}]", "one of the keys bound, measure"},
        Refused{"LimitWithoutNumber", "want: area", "want: area\nmust: [{measure: normwise}]",
                "most, least and within"},
        Refused{"LimitOfNoMeasure", "want: area", "want: area\nmust: [{measure: price, most: 1}]", "price"},
        Refused{"LimitOnNoInput", "want: area", "want: area\nmust: [{measure: normwise, most: 1, input: odd}]",
                "no input of this name"},
        Refused{"LimitAtNoK", "want: area", "want: area\nmust: [{measure: normwise, most: 1, k: 7}]",
                "no shape of the spec"},
        Refused{"LimitOfNoProperty", "want: area", "want: area\nmust: [{property: kindness}]", "there is no property"},
        Refused{"LimitOfNoInstruction", "want: area", "want: area\nmust: [{equals: hopper:nothing}]", "nothing"},
        Refused{"LimitsContradict", "want: area",
                "want: area\nmust: [{measure: correct, least: 0.9}, {measure: correct, most: 0.5}]",
                "contradict each other"},
        Refused{"LimitsContradictByWithin", "want: area",
                "want: area\nmust: [{measure: bias_ulps, least: 2}, {measure: bias_ulps, within: 1}]",
                "contradict each other"}),
    [](const auto& info) { return info.param.name; });

TEST(Spec, OrderOfLabelsThatAreNoNumbers) {
  const std::string text =
      substituted(small_spec, "conditions: [acc >= product]",
                  "  - {name: cut, set: adders.sum.add.acc.cut, values: [toward_zero, down]}\nconditions: [cut > 3]");
  EXPECT_NE(error_of_spec(text).find("have no order"), std::string::npos);
}

TEST(Spec, LimitsOfTwoInputsDoNotContradict) {
  const std::string text = substituted(substituted(small_spec, "[normal]", "[normal, uniform]"), "want: area",
                                       "want: area\nmust: [{measure: correct, least: 0.9, input: normal}, {measure: "
                                       "correct, most: 0.5, input: uniform}]");
  EXPECT_EQ(error_of_spec(text), "");
}

TEST(AsError, IsSmallWhereItIsGood) {
  EXPECT_DOUBLE_EQ(as_error("correct", {0.75, 0.5, 1}).mean, 0.25);
  EXPECT_DOUBLE_EQ(as_error("correct", {0.75, 0.5, 1}).low, 0);
  EXPECT_DOUBLE_EQ(as_error("sqnr_db", {40, 20, 60}).mean, 0.01);
  EXPECT_DOUBLE_EQ(as_error("bias_ulps", {-3, -4, -2}).high, 4);
  EXPECT_DOUBLE_EQ(as_error("bias_ulps", {-3, -4, 2}).low, 0);
}

TEST(Additions, OfSoftware) {
  Study study;
  study.shapes = {{1, 1, 7168}};
  Walk walk;
  EXPECT_EQ(software_additions(study, walk), 1);
  walk.promote_every = 128;
  EXPECT_EQ(software_additions(study, walk), 56);
  walk.split_k = 4;
  EXPECT_EQ(software_additions(study, walk), 56);
  walk.promote_every = 0;
  EXPECT_EQ(software_additions(study, walk), 4);
}

}  // namespace
}  // namespace assay::design
