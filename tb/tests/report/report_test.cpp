#include "tb/explore/report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <tuple>

#include "tb/explore/report/front.hpp"
#include "tb/explore/report/measures.hpp"
#include "tb/explore/report/panels.hpp"
#include "tb/explore/report/ticks.hpp"
#include "tb/tests/report/study.hpp"

namespace assay {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool has(const std::string& text, const std::string& part) { return count(text, part) > 0; }

std::vector<std::string> labels(const AxisScale& scale) {
  std::vector<std::string> all;
  for (const Tick& tick : scale.ticks) all.push_back(tick.label);
  return all;
}

const Plot& plot(const std::vector<Plot>& all, const std::string& file) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Plot& p) { return p.file == file; });
  if (found == all.end()) throw std::runtime_error("no plot " + file);
  return *found;
}

// Where the tick of this label stands, from the top.
double per_cent_of_tick(const std::string& svg, const std::string& label) {
  const std::size_t end = svg.find("%\" dy=\"4\">" + label + "</text>");
  return std::stod(svg.substr(svg.rfind("y=\"", end) + 3));
}

// One point for each value of an axis, one input, and a row for each of `ks`.
StudyResult study_over(const std::vector<std::string>& values, const std::vector<int>& ks) {
  StudyResult study;
  study.title = "small";
  study.axes = {{"F", values}};
  study.inputs = {"normal"};
  for (const int k : ks) study.shapes.push_back({8, 8, k});
  for (int point = 0; point < static_cast<int>(values.size()); ++point) {
    StudyPoint made;
    made.name = "F = " + values[static_cast<std::size_t>(point)];
    made.values = {point};
    study.points.push_back(made);
    for (int shape = 0; shape < static_cast<int>(ks.size()); ++shape) {
      Row row{point, 0, shape, {}};
      row.measures.normwise = {0.5, 0.25, 1};
      study.rows.push_back(row);
    }
  }
  return study;
}

TEST(Report, IsTheSameBytesEachTime) {
  const StudyResult study = made_up_study();
  EXPECT_EQ(report_html(study), report_html(study));
  const std::vector<Plot> once = plots(study), again = plots(study);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].svg, again[i].svg);
}

TEST(Report, EscapesWhatTheStudySays) {
  const std::string html = report_html(made_up_study());
  EXPECT_EQ(count(html, "<script"), 2U);
  EXPECT_EQ(count(html, "</script>"), 2U);
  EXPECT_FALSE(has(html, "<five>"));
  EXPECT_TRUE(has(html, "for &#60;five&#62; inputs."));
  EXPECT_TRUE(has(html, "\"gradient \\u003cx>\""));
  EXPECT_FALSE(has(html, "{{"));
}

TEST(Report, AsksForNothingElse) {
  const std::string html = report_html(made_up_study());
  for (const char* const outward : {" src=", "<link", "<iframe", "@import", "url("}) EXPECT_FALSE(has(html, outward));
  EXPECT_TRUE(has(html, "default-src 'none'; script-src 'sha256-"));
}

TEST(Report, TellsAStudyWithoutFindingsOrRows) {
  StudyResult study;
  study.title = "empty";
  EXPECT_TRUE(has(report_html(study), "asks for no findings"));
  EXPECT_TRUE(plots(study).empty());
}

TEST(Report, BeginsWithAPlotAndThreeFindings) {
  StudyResult study = made_up_study();
  for (int i = 5; i <= 12; ++i) study.findings.push_back({"Finding " + std::to_string(i), {}, {}});
  const std::string html = report_html(study);
  EXPECT_LT(html.find("class=\"plot\""), html.find("class=\"findings\""));
  EXPECT_LT(html.find("The bias of the floor"), html.find("<summary>All 12 findings</summary>"));
  EXPECT_GT(html.find("<li>Finding 5</li>"), html.find("<ol class=\"findings\" start=\"4\">"));
  study.findings.resize(3);
  EXPECT_FALSE(has(report_html(study), "All 3 findings"));
}

TEST(Report, BeginsWithFiveSentencesAtMost) {
  StudyResult study = study_over({"8", "9"}, {64});
  for (const char* const text : {"It is so at F = 8. It is not at F = 9.", "K = 0.5 matters. So does 2.", "One. Two."})
    study.findings.push_back({text, {}, {}});
  EXPECT_LT(report_html(study).find("<summary>All 3 findings"), report_html(study).find("<li>One. Two.</li>"));
  study.findings[1].text = "K = 0.5 matters.";
  EXPECT_FALSE(has(report_html(study), "All 3 findings"));
  study.findings = {{"A. B. C. D. E. F.", {}, {}}, {"G.", {}, {}}};
  EXPECT_LT(report_html(study).find("<li>A. B."), report_html(study).find("<summary>All 2 findings"));
}

TEST(Report, GroupsTheOtherFindingsByWhatTheyAreAbout) {
  StudyResult study = made_up_study();
  const std::vector<std::string> abouts{"", "", "", "normal", "uniform <x>", "normal"};
  study.findings.clear();
  for (std::size_t i = 0; i < abouts.size(); ++i) {
    study.findings.push_back({"Finding " + std::to_string(i + 1) + ".", {}, {}});
    study.findings.back().about = abouts[i];
  }
  const std::string html = report_html(study), rest = html.substr(html.find("<details class=\"rest\">"));
  EXPECT_TRUE(has(rest,
                  "<h3>normal</h3>\n<ol class=\"findings\" start=\"4\">\n<li>Finding 4.</li>\n<li>Finding 6.</li>\n"
                  "</ol>\n<h3>uniform &#60;x&#62;</h3>\n<ol class=\"findings\" start=\"6\">\n<li>Finding 5.</li>"))
      << rest.substr(0, 600);
  EXPECT_EQ(count(rest, "<h3>normal"), 1U);
}

TEST(Report, HasNoHeadingOfCostsWhereNobodyAskedForThem) {
  StudyResult study = made_up_study();
  EXPECT_TRUE(has(report_html(study), "Without a cost: The RTL candidate holds no F above 19."));
  for (StudyPoint& point : study.points) point.cost.reset();
  EXPECT_TRUE(has(report_html(study), "No point of this study has a cost. The RTL candidate holds no F above 19."));
  for (StudyPoint& point : study.points) point.no_cost.clear();
  EXPECT_FALSE(has(report_html(study), "Error against area"));
}

// The page's script finds every row of the study in a frame for each axis, a reference's at each value.
TEST(Report, HasAFrameForEachAxisWithEachLineOnce) {
  const StudyResult study = made_up_study();
  const std::string html = report_html(study), frames = html.substr(html.find("<template"));
  for (const char* const name : {"0", "1", "2", "3", "cost"}) {
    EXPECT_EQ(count(frames, std::string("data-frame=\"") + name + "\""), 1U) << name;
  }
  const std::string over_f =
      frames.substr(frames.find("data-frame=\"0\""), frames.find("data-frame=\"1\"") - frames.find("data-frame=\"0\""));
  EXPECT_TRUE(has(over_f, "data-split=\"3\""));
  EXPECT_EQ(count(over_f, "data-name"), 2U * 5 * 2 + 2 * 5 * 2);  // cuts, inputs, K; references, inputs, K
  std::set<std::string> points;
  for (std::size_t at = over_f.find("data-points=\""); at != std::string::npos;
       at = over_f.find("data-points=\"", at + 1)) {
    const std::size_t begin = at + 13;
    std::istringstream pairs(over_f.substr(begin, over_f.find('"', begin) - begin));
    for (std::string pair; pairs >> pair;) EXPECT_TRUE(points.insert(pair).second) << pair;
  }
  EXPECT_EQ(points.size(), 28U * 2 * 5 * 2 + 28 * 2 * 5 * 2);
  EXPECT_LT(over_f.rfind("cut = downwards"), over_f.find("data-reference"));
}

TEST(Report, WritesWhatJsonHasNoNumberFor) {
  StudyResult study = study_over({"8", "9"}, {64});
  study.rows[0].measures.sqnr_db = {std::numeric_limits<double>::infinity(), 1, 2};
  study.rows[0].measures.normwise = {0, 0, 0};
  study.rows[1].measures.bias_ulps = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  study.axes[0].name = "\xff";
  const std::string html = report_html(study);
  EXPECT_TRUE(has(html, "[\"Infinity\",1,2]"));
  EXPECT_TRUE(has(html, "[\"NaN\",0,0]"));
  EXPECT_FALSE(has(html, "\xff"));
  EXPECT_TRUE(has(plot(plots(study), "normwise.svg").svg, "small; zeros are left out"));
  EXPECT_TRUE(has(plot(plots(study), "sqnr.svg").svg, "small; infinite values are left out"));
  EXPECT_FALSE(has(plot(plots(study), "elementwise.svg").title, "infinite"));
  for (const Plot& one : plots(study)) {
    EXPECT_FALSE(has(one.svg, "nan")) << one.file;
    EXPECT_EQ(count(one.svg, "inf"), count(one.svg, "infinite")) << one.file;
  }
}

TEST(Plots, HaveNamesOfTheirOwn) {
  std::set<std::string> files;
  const std::vector<Plot> all = plots(made_up_study());
  for (const Plot& one : all) EXPECT_TRUE(files.insert(one.file).second) << one.file;
  EXPECT_EQ(all.size(), 2 * (measure_views().size() + 2));
  EXPECT_TRUE(has(plot(all, "normwise-K-4096.svg").title, "normwise relative error: Width & cut"));
  EXPECT_TRUE(has(plot(all, "normwise-K-4096.svg").title, "(K = 4096)"));
}

TEST(Plots, DrawEachLineItsBandAndEachReference) {
  const std::string svg = plot(plots(made_up_study()), "normwise-K-4096.svg").svg;
  EXPECT_EQ(count(svg, "fill-opacity"), 10U);
  EXPECT_EQ(count(svg, "stroke-width=\"1.8\""), 2 * 10U);  // in the plot and in the legend
  EXPECT_EQ(count(svg, "stroke-width=\"2\""), 2 * 10U);    // two references for five inputs
  EXPECT_EQ(count(svg, "h0"), 28 * 10U);
}

TEST(Plots, HaveNoTwoLinesOfOneLook) {
  StudyResult study = study_over({"16", "32", "64", "128", "256", "512", "1024", "none"}, {64, 128, 256});
  const std::string svg = plot(plots(study), "normwise.svg").svg;
  const auto between = [&](const std::string& from, const std::string& to, std::size_t at) {
    const std::size_t begin = svg.find(from, at) + from.size();
    return svg.substr(begin, svg.find(to, begin) - begin);
  };
  std::set<std::string> looks;  // of the legend: colour and dash
  for (std::size_t at = svg.find("transform=\"translate(7"); at != std::string::npos;
       at = svg.find("transform=\"translate(7", at + 1)) {
    looks.insert(between("stroke=\"", "\"", svg.rfind("<g", at)) + " " + between("dasharray=\"", "\"", at));
  }
  EXPECT_EQ(looks.size(), 8U);
}

// What a tick says of its height is so of a dot at the same number.
TEST(Plots, PutDotsWhereTheTicksAre) {
  StudyResult study = study_over({"8", "9"}, {64});
  study.rows[0].measures.normwise = {1e-3, 1e-3, 1e-3};
  study.rows[1].measures.normwise = {1, 1, 1};
  study.rows[0].measures.bias_ulps = {-1000, -1000, -1000};
  study.rows[1].measures.bias_ulps = {10, 10, 10};
  study.rows[0].measures.correct = {0.2, 0.2, 0.2};
  study.rows[1].measures.correct = {0.8, 0.8, 0.8};
  const std::vector<Plot> all = plots(study);
  for (const auto& [file, low, high] : {std::tuple{"normwise.svg", "10⁻³", "1"}, std::tuple{"bias.svg", "-1000", "10"},
                                        std::tuple{"correct.svg", "20", "80"}}) {
    const std::string& svg = plot(all, file).svg;
    const std::size_t stroke = svg.find("M0.0 ", svg.find("class=\"stroke\"")) + 5;
    const std::size_t then = svg.find("L640.0 ", stroke) + 7;
    EXPECT_NEAR(std::stod(svg.substr(stroke)), 4 * per_cent_of_tick(svg, low), 0.1) << file;
    EXPECT_NEAR(std::stod(svg.substr(then)), 4 * per_cent_of_tick(svg, high), 0.1) << file;
  }
}

// Of two inputs, one of which is much more exact: in one picture, then in one for each.
TEST(Plots, HaveTheNarrowestScaleThatHoldsWhatTheyShow) {
  StudyResult study = study_over({"8", "9"}, {64, 128, 256, 512, 1024, 2048});
  study.inputs = {"normal", "small"};
  StudyPoint reference;
  reference.name = reference.reference = "somebody's";
  study.points.push_back(reference);
  for (Row& row : study.rows) row.measures.normwise = {0.02, 0.02, 0.02};
  for (int shape = 0; shape < 6; ++shape) study.rows.push_back({2, 0, shape, {}});
  for (Row row : std::vector<Row>(study.rows)) {
    row.input = 1;
    row.measures.normwise = row.point == 2 ? Estimate{1e-7, 1e-7, 1e-7} : Estimate{2e-9, 1e-9, 3e-9};
    study.rows.push_back(row);
  }
  const auto ends = [](const std::vector<Plot>& all, const std::string& file) {
    const std::string& svg = plot(all, file).svg;
    const std::size_t ticks = svg.find("class=\"y-ticks\""), end = svg.find("</g>", ticks);
    const auto label = [&](std::size_t close) {
      return svg.substr(svg.rfind('>', close - 1) + 1, close - svg.rfind('>', close - 1) - 1);
    };
    return std::pair(label(svg.find("</text>", ticks)), label(svg.rfind("</text>", end)));
  };
  const std::vector<Plot> whole = plots(study);  // over K: two values of F, two inputs
  EXPECT_EQ(ends(whole, "normwise.svg"), std::pair(std::string("10⁻⁹"), std::string("10⁻¹")));
  study.axes[0].values.resize(10, "none");  // now too many lines for one picture
  const std::vector<Plot> split = plots(study);
  EXPECT_EQ(ends(split, "normwise-normal.svg"), std::pair(std::string("10⁻²"), std::string("10⁻¹")));
  EXPECT_EQ(ends(split, "normwise-small.svg"), std::pair(std::string("10⁻⁹"), std::string("10⁻⁷")));
}

TEST(Plots, NameInTheLegendOnlyWhatIsDrawn) {
  StudyResult study = study_over({"8", "9"}, {64});
  study.inputs = {"normal", "exact"};
  for (Row row : std::vector<Row>(study.rows)) {
    row.input = 1;
    row.measures.normwise = {0, 0, 0};  // which has no place on a scale of powers
    study.rows.push_back(row);
  }
  const std::vector<Plot> all = plots(study);
  EXPECT_FALSE(has(plot(all, "normwise.svg").svg, ">exact</text>"));
  EXPECT_TRUE(has(plot(all, "normwise.svg").svg, ">normal</text>"));
  EXPECT_TRUE(has(plot(all, "correct.svg").svg, ">exact</text>"));
}

TEST(Plots, KeepSharesToAHundred) {
  StudyResult study = study_over({"8", "9"}, {64});
  study.rows[0].measures.correct = {0.4, -0.2, 1};
  study.rows[1].measures.correct = {0.99, 0.9, 1.3};
  const std::string svg = plot(plots(study), "correct.svg").svg;
  EXPECT_TRUE(has(svg, ">100</text>"));
  EXPECT_FALSE(has(svg, ">120</text>"));
  EXPECT_FALSE(has(svg, ">-20</text>"));
}

TEST(Plots, HaveNoCostWhereThereIsNone) {
  StudyResult study = made_up_study();
  const auto with_cost = [](const std::vector<Plot>& all) {
    return std::count_if(all.begin(), all.end(), [](const Plot& p) { return has(p.file, "pareto"); });
  };
  EXPECT_EQ(with_cost(plots(study)), 2);
  EXPECT_TRUE(has(plot(plots(study), "pareto-K-1024.svg").svg, "<title>F = 8, cut = downwards</title>"));
  for (StudyPoint& point : study.points) point.cost.reset();
  EXPECT_EQ(with_cost(plots(study)), 0);
}

TEST(Panels, GoOverTheAxisOfMostNumbers) {
  const auto over = [](const StudyResult& study) {
    const Panels all = panels_of(study);
    return all.dimensions[all.x].name;
  };
  EXPECT_EQ(over(study_over({"8", "9", "10"}, {64, 128})), "F");
  EXPECT_EQ(over(study_over({"13", "25"}, {64, 128, 256})), "K");
  EXPECT_EQ(over(study_over({"13", "25"}, {64, 128})), "F");
  EXPECT_EQ(over(study_over({"up", "down", "nearest"}, {64, 128})), "K");
  EXPECT_EQ(over(study_over({"up", "down"}, {64})), "F");
}

TEST(Panels, HaveTenLinesAtMost) {
  StudyResult study = made_up_study();
  ASSERT_EQ(panels_of(study).panels.size(), 2U);  // one of each K
  for (const Panel& panel : panels_of(study).panels) {
    std::size_t lines = 0, references = 0;
    for (const Curve& curve : panel.curves) ++(curve.reference ? references : lines);
    EXPECT_EQ(lines, 10U);
    EXPECT_EQ(references, 10U);
  }
  study.shapes.push_back({64, 32, 4096});  // now they differ in more than K
  EXPECT_EQ(panels_of(study).panels.front().title, "64 x 64 x 1024");
  EXPECT_EQ(panels_of(study).panels.front().file, "64-x-64-x-1024");
}

TEST(Panels, AreAsFewAsDo) {
  StudyResult study =
      study_over({"16", "32", "64", "128", "256", "512", "1024"}, {64, 128, 256, 512, 1024, 2048, 4096, 8192});
  study.inputs = {"normal", "uniform", "outliers"};
  const std::vector<Row> of_one = study.rows;
  for (const int input : {1, 2}) {
    for (Row row : of_one) row.input = input, study.rows.push_back(row);
  }
  const Panels all = panels_of(study);  // over K; 7 x 3 lines
  ASSERT_EQ(all.panels.size(), 3U);
  EXPECT_EQ(all.panels[1].title, "uniform");
  EXPECT_EQ(all.panels[1].curves.size(), 7U);
}

TEST(Panels, ShowReferencesOverKAsLines) {
  StudyResult study = study_over({"13", "25"}, {64, 128, 256});
  StudyPoint reference;
  reference.name = reference.reference = "somebody's";
  study.points.push_back(reference);
  for (int shape = 0; shape < 3; ++shape) study.rows.push_back({2, 0, shape, {}});
  const Panels all = panels_of(study);
  ASSERT_EQ(all.panels.size(), 1U);
  ASSERT_EQ(all.panels[0].curves.size(), 3U);
  EXPECT_EQ(all.panels[0].curves[0].name, "F = 13");
  EXPECT_TRUE(all.panels[0].curves[2].reference);
  EXPECT_EQ(all.panels[0].curves[2].at, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Panels, TellMostBeforeTheKnee) {
  StudyResult study = study_over({"8", "9", "10"}, {64});
  study.rows[0].measures.correct.mean = 0.5;
  study.rows[1].measures.correct.mean = 0.9989;
  study.rows[2].measures.correct.mean = 0.9991;
  EXPECT_EQ(telling_row(study, panels_of(study).panels[0]), 1);
}

TEST(Ticks, AreRoundNumbers) {
  const AxisScale scale = linear_scale(-3.2, 11, 8);
  EXPECT_EQ(labels(scale), (std::vector<std::string>{"-4", "-2", "0", "2", "4", "6", "8", "10", "12"}));
  EXPECT_EQ(scale.at(-4), 0);
  EXPECT_EQ(scale.at(12), 1);
  EXPECT_EQ(labels(linear_scale(5, 5, 4)), (std::vector<std::string>{"4.5", "5", "5.5"}));
}

TEST(Ticks, AreDecadesWhereThereIsRoom) {
  EXPECT_EQ(labels(decimal_scale(2e-3, 4, 9)), (std::vector<std::string>{"10⁻³", "10⁻²", "10⁻¹", "1", "10¹"}));
  EXPECT_EQ(labels(decimal_scale(1e-20, 1, 5)),
            (std::vector<std::string>{"10⁻²⁰", "10⁻¹⁶", "10⁻¹²", "10⁻⁸", "10⁻⁴", "1"}));
  EXPECT_EQ(labels(decimal_scale(2e-3, 0.4, 9)).size(), 4U);
  EXPECT_EQ(labels(decimal_scale(2e-2, 0.4, 9)),
            (std::vector<std::string>{"10⁻²", "2·10⁻²", "5·10⁻²", "10⁻¹", "2·10⁻¹", "5·10⁻¹", "1"}));
  EXPECT_DOUBLE_EQ(decimal_scale(1e-4, 1, 9).at(1e-2), 0.5);
  EXPECT_FALSE(has_place(Spacing::logarithmic, 0));
}

TEST(Ticks, OfBothSignsStandAboutZero) {
  EXPECT_EQ(labels(signed_scale(-2, 2, 4)), (std::vector<std::string>{"-2", "-1", "0", "1", "2"}));
  const AxisScale scale = signed_scale(-10000, 10000, 8);
  EXPECT_EQ(labels(scale), (std::vector<std::string>{"0", "-10", "-1000", "10", "1000"}));
  EXPECT_DOUBLE_EQ(scale.at(0), 0.5);
  EXPECT_DOUBLE_EQ(scale.at(-10) + scale.at(10), 1);
  EXPECT_LT(signed_scale(0, 1000, 8).at(0), 0.1);
}

TEST(Ticks, GoByFactorsWhereTheNumbersDo) {
  EXPECT_TRUE(grows_by_factors({1024, 4096, 16384}));
  EXPECT_TRUE(grows_by_factors({8, 512}));
  EXPECT_TRUE(grows_by_factors({512, 64, 32, 128, 256}));
  EXPECT_FALSE(grows_by_factors({13, 25}));
  EXPECT_FALSE(grows_by_factors({0, 10, 100}));
  std::vector<double> widths;
  for (int f = 8; f <= 35; ++f) widths.push_back(f);
  EXPECT_FALSE(grows_by_factors(widths));
}

TEST(Ticks, StandAtTheValuesOfAnAxis) {
  EXPECT_EQ(labels(scale_of({9, 8, 10}, {"9", "8", "10"}, 90)), (std::vector<std::string>{"8", "9", "10"}));
  std::vector<double> many;
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i) many.push_back(i), names.push_back(std::to_string(100 + i));
  EXPECT_EQ(scale_of(many, names, 90).ticks.size(), 15U);  // every fourth
  EXPECT_DOUBLE_EQ(scale_of({16, 256, 4096}, {"16", "256", "4096"}, 90).at(256), 0.5);
}

TEST(Ticks, LeaveLabelsOutWhereItIsNarrow) {
  const AxisScale wide = scale_of({8, 9, 10, 11}, {"8", "9", "10", "11"}, 90), narrow = readable(wide, 10);
  ASSERT_EQ(narrow.ticks.size(), 4U);
  EXPECT_FALSE(narrow.ticks[0].where_wide);
  EXPECT_TRUE(narrow.ticks[1].where_wide);
  EXPECT_FALSE(narrow.ticks[2].where_wide);
  for (const Tick& tick : readable(wide, 90).ticks) EXPECT_FALSE(tick.where_wide);
}

TEST(Ticks, OfNamesStandInCells) {
  const AxisScale scale = scale_of_names({"down", "nearest even", "up"}, 90);
  EXPECT_EQ(labels(scale), (std::vector<std::string>{"down", "nearest even", "up"}));
  EXPECT_DOUBLE_EQ(scale.at(0), 1.0 / 6);
  EXPECT_DOUBLE_EQ(scale.at(1), 0.5);
  EXPECT_EQ(labels(scale_of_names({"down", "nearest even", "up"}, 20)), (std::vector<std::string>{"down", "up"}));
}

TEST(Front, LeavesOutWhatIsLargerAndNoBetter) {
  const auto dot = [](double x, double y) { return Dot{x, y, y, y}; };
  const std::vector<Dot> front = pareto_front({dot(3, 1), dot(1, 5), dot(2, 6), dot(2, 3), dot(4, 1)});
  ASSERT_EQ(front.size(), 3U);
  EXPECT_EQ(front[0].x, 1);
  EXPECT_EQ(front[1].y, 3);
  EXPECT_EQ(front[2].x, 3);
}

// --- budgets ---

StudyResult study_with_budgets() {
  StudyResult study = study_over({"8", "9"}, {64});
  for (int row = 0; row < 2; ++row) {
    RowBudget budget;
    budget.row = row;
    budget.elements = 6;
    budget.mean = -0.25, budget.rms = 0.5;
    budget.lines = {{"sum.align <acc>", "bits cut off", -0.375, 0.5, 1.25},
                    {"sum.round", "rounded", 0.125, 0.25, -0.25}};
    budget.forecasts = {{"adders.sum.add.acc.keep", "9", "one more bit of acc in sum", 0.25, 0.3, ""},
                        {"adders.sum.window.floor", "-9", "a floor one lower", 0.5, std::nullopt, "It is refused."}};
    study.budgets.push_back(budget);
  }
  return study;
}

// The length of each bar of an SVG, of shares and of means in turn.
std::vector<double> bars_of(const std::string& svg) {
  std::vector<double> lengths;
  for (std::size_t at = svg.find("<rect class=\"line"); at != std::string::npos;
       at = svg.find("<rect class=\"line", at + 1))
    lengths.push_back(std::stod(svg.substr(svg.find("width=\"", at) + 7)));
  return lengths;
}

TEST(Budgets, AreBarsOfThePageAndAFile) {
  const StudyResult study = study_with_budgets();
  const std::string html = report_html(study);
  EXPECT_EQ(count(html, "id=\"h-budget\""), 1U);
  EXPECT_EQ(count(html, "<details class=\"budget\">"), 1U);  // the row that is not the opening one
  EXPECT_FALSE(has(html, "<acc>"));
  EXPECT_TRUE(has(html, "takes 50.0 % of the error away; 40.0 % when run")) << html;
  EXPECT_TRUE(has(html, "cannot be run: It is refused."));
  const std::vector<double> bars = bars_of(plot(plots(study), "budget.svg").svg);
  ASSERT_EQ(bars.size(), 4U);
  EXPECT_NEAR(bars[0] / bars[2], 5, 0.02);    // shares of 1.25 and -0.25
  EXPECT_NEAR(bars[1] / bars[3], 3, 0.02);    // means of -0.375 and 0.125
  EXPECT_NEAR(bars[1] / bars[0], 0.6, 0.01);  // a mean of -0.375 beside an rms of 0.5 is 0.75, of the share of 1.25
}

TEST(Budgets, AreAbsentWhereNobodyAsked) {
  const StudyResult study = study_over({"8", "9"}, {64});
  EXPECT_FALSE(has(report_html(study), "h-budget"));
  for (const Plot& one : plots(study)) EXPECT_NE(one.file, "budget.svg");
}

}  // namespace
}  // namespace assay
