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

// The model, which never reads a product.
class Unread final : public Device {
 public:
  Unread(Device& model, std::size_t dead) : model_(model), dead_(dead) {}

  std::string name() const override { return "unread"; }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Case> read = cases;
    for (Case& c : read) c.a[dead_] = c.b[dead_] = 0;
    return model_.run(read, false);
  }

 private:
  Device& model_;
  std::size_t dead_;
};

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
  EXPECT_NE(as_text(subject.plan, report).find("; 2 of what is published differ\n"), std::string::npos);
}

// A unit in which a product is never read. What follows from the tree is not made up.
TEST(ProbeReport, SaysWhatIsNotRead) {
  const Catalogue catalogue = shipped_catalogue();
  const Subject subject = subject_of(catalogue, catalogue.instruction("ada:mma.m16n8k8.f32.f16.f16.f32"));
  for (const std::size_t dead : {0U, 5U}) {
    const auto model = model_device(subject.plan);
    Unread device(*model, dead);
    Report report = measured(subject, device);
    EXPECT_EQ(report.unread, std::vector<int>{static_cast<int>(dead)});
    EXPECT_EQ(report.no_tree, "p" + std::to_string(dead) + " does not come through alone");
    EXPECT_FALSE(report.widths.result);
    EXPECT_TRUE(report.features.empty());
    put_published(subject, report);
    EXPECT_EQ(report.differences(), 1);
  }
}

// Scales hide it from the tree, which has one product of each block.
TEST(ProbeReport, SaysWhatIsNotReadBehindScales) {
  const Catalogue catalogue = shipped_catalogue();
  const Subject subject =
      subject_of(catalogue, catalogue.instruction("rtx_blackwell:mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0"));
  const auto model = model_device(subject.plan);
  Unread device(*model, 33);
  const Report report = measured(subject, device);
  EXPECT_EQ(report.unread, std::vector<int>{33});
  EXPECT_EQ(report.tree.leaves(), 3);
  const std::string text = as_text(subject.plan, report);
  EXPECT_NE(text.find("each addend alone           lost or changed: p33\n"), std::string::npos) << text;
  EXPECT_NE(text.find("one product of each block of scales, 3 of 65 addends\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::probe
