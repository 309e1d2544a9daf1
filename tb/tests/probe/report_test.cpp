// What probing finds, without any command.
#include "tb/probe/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/devices/model_device.hpp"

namespace assay::probe {
namespace {

Subject ada() {
  const Catalogue catalogue = shipped_catalogue();
  return subject_of(catalogue, catalogue.instruction("ada:mma.m16n8k16.f32.f16.f16.f32"));
}

TEST(ProbeReport, IsAValueThatIsWrittenInTwoWays) {
  const Subject subject = ada();
  const auto model = model_device(subject.plan);
  Report report = measured(subject, *model);
  EXPECT_EQ(report.terms_a_step, 8);
  EXPECT_FALSE(report.published_terms_a_step);
  put_published(subject, report);
  EXPECT_EQ(report.published_terms_a_step, 8);
  EXPECT_EQ(report.printed.size(), 22u);
  EXPECT_EQ(report.differences(), 0);
  const auto data = as_json(subject.plan, report);
  EXPECT_EQ(data.at("published").at("terms_a_step"), 8);
  EXPECT_EQ(data.at("questions"), report.questions);
  EXPECT_NE(as_text(subject.plan, report).find("; all agree with what is published\n"), std::string::npos);
}

TEST(ProbeReport, CountsWhatDiffersFromWhatIsPublished) {
  const Subject subject = ada();
  Report report;
  report.terms_a_step = 8;
  report.published_terms_a_step = 4;
  report.checks = {{"one", 1}, {"two", 2}, {"unknown", 3}};
  report.printed = {{"one", 1}, {"two", 3}};
  EXPECT_EQ(report.differences(), 2);
  EXPECT_EQ(as_json(subject.plan, report).at("differences"), 2);
  EXPECT_NE(as_text(subject.plan, report).find("; 2 of the published values differ\n"), std::string::npos);
}

}  // namespace
}  // namespace assay::probe
