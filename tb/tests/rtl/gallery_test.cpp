// Units in other people's styles, each attached by its DUT file alone: right as they are, seen wrong with the fault
// that each has planted.
#include <gtest/gtest.h>

#include "model/config/catalogue.hpp"
#include "tb/devices/completed.hpp"
#include "tb/devices/process.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/claims.hpp"
#include "tb/devices/rtl/draft.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

struct Exhibit {
  const char* name;   // its folder
  const char* fault;  // the parameter that plants it
  bool open = false;  // its draft leaves something to say: a latency, members, a port's value
};

void PrintTo(const Exhibit& exhibit, std::ostream* out) { *out << exhibit.name; }

Dut dut_of(const Exhibit& exhibit) {
  return read_dut_file((source_folder() / "rtl_ref/gallery" / exhibit.name / "dut.yaml").string());
}

struct Held {
  std::size_t right = 0, wrong = 0, errors = 0;
  std::string first;  // of what is not right
};

// d, and every place that the unit shows.
bool is_right(const Plan& plan, const Case& given, const Answer& answer) {
  Registers registers;
  Trace expected(plan);
  if (answer.d != dot(plan, given.operand(), registers, &expected)) return false;
  for (std::size_t i = 0; i < answer.traced.size(); ++i) {
    if (answer.traced[i] != 0 && !expected.same(static_cast<int>(i), *answer.trace)) return false;
  }
  return true;
}

// Generated cases of what `claim` computes against core, with registers and stalls of this seed, and with all that may
// come amid the unit's work where it is `disturbed`.
Held held(const Dut& dut, const Subject& subject, const Catalogue& catalogue, const std::string& seed, bool disturbed,
          std::uint64_t count) {
  const Plan& plan = subject.plan;
  const std::vector<Case> cases = generated_cases(plan, 7, count);
  const Claim& claim = claim_of(dut, subject, catalogue);
  std::vector<std::string> argv{build_rtl(dut, claim, plan, nullptr), seed};
  for (const std::string& word : run_arguments(dut, claim, argv.front())) argv.push_back(word);
  if (disturbed) {
    for (const std::string& word : disturbing_arguments(dut, claim, {}, all_disturbances(dut, claim)))
      argv.push_back(word);
  }
  std::unique_ptr<Device> device = process_device(plan, subject.header, {argv, "rtl:" + dut.file});
  if (!has_d(dut)) device = completed(plan, std::move(device));
  const std::vector<Answer> answers = device->run(cases, device->offers_trace());
  Held result;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool right = answers[i].ok() && is_right(plan, cases[i], answers[i]);
    ++(right ? result.right : answers[i].ok() ? result.wrong : result.errors);
    if (!right && result.first.empty()) result.first = std::to_string(i) + ": " + answers[i].error;
  }
  const std::string closing = device->close();
  if (result.first.empty()) result.first = closing;
  return result;
}

class Gallery : public testing::TestWithParam<Exhibit> {
 protected:
  // Of all that the file claims.
  std::vector<Held> all(const Dut& dut, const std::string& seed, bool disturbed = false,
                        std::uint64_t count = 2000) try {
    const Catalogue catalogue = shipped_catalogue();
    std::ostringstream log;
    std::vector<Held> list;
    for (const Subject& subject : subjects_of_claims(dut, catalogue, log))
      list.push_back(held(dut, subject, catalogue, seed, disturbed, count));
    return list;
  } catch (const Error& error) {
    ADD_FAILURE() << error.message;
    return {};
  }
};

TEST_P(Gallery, IsAttachedByItsFileAlone) {
  for (const char* seed : {"1", "2", "3"}) {
    for (const Held& h : all(dut_of(GetParam()), seed, seed != std::string("1"))) {
      EXPECT_EQ(h.right, 2000u) << h.wrong << " wrong, " << h.errors << " errors, the first " << h.first;
      EXPECT_EQ(h.first, "");
    }
  }
}

// What comes beside cases ends with them.
TEST_P(Gallery, OneCaseAloneIsAnswered) {
  for (int seed = 1; seed <= 20; ++seed) {
    for (const Held& h : all(dut_of(GetParam()), std::to_string(seed), true, 1)) EXPECT_EQ(h.right, 1u) << h.first;
  }
}

TEST_P(Gallery, ItsFaultIsSeen) {
  Dut dut = dut_of(GetParam());
  dut.parameters.emplace_back(GetParam().fault, "1'b1");
  std::size_t found = 0;  // by one of its claims
  for (const Held& h : all(dut, "1", true)) found += h.wrong + h.errors;
  EXPECT_GT(found, 0u);
}

// Drafted from the ports and the claim alone. What no port and no name tells is marked, and where nothing is marked the
// draft runs; that operands must stay is a remark of its own.
TEST_P(Gallery, ItsDraftRunsWhereNothingIsLeftToSay) {
  const Dut shown = dut_of(GetParam());
  Dut bare;
  bare.file = shown.file, bare.sources = shown.sources, bare.top = shown.top;
  const Catalogue catalogue = shipped_catalogue();
  std::ostringstream log;
  const Subject subject = subjects_of_claims(shown, catalogue, log).front();
  const std::string line = subject.instruction ? "instruction: " + subject.name : "datapath: " + subject.name;
  const DraftClaim claim{line, subject.plan};
  std::string draft = dut_draft(bare, ports_of(bare), &claim);
  const bool open = draft.find(" <") != std::string::npos && draft.find('<', draft.find("top:")) != std::string::npos;
  EXPECT_EQ(open, GetParam().open) << draft;
  for (const RtlPort& port : ports_of(bare)) EXPECT_NE(draft.find(port.name), std::string::npos) << port.name << draft;
  if (open) return;
  const std::string remark = "}  # ? and `hold: true`";
  if (draft.find(remark) != std::string::npos) draft.replace(draft.find(remark), 1, ", hold: true}");
  const Scratch folder;
  for (const Held& h : all(read_dut_file(folder.file("draft.yaml", draft)), "1"))
    EXPECT_EQ(h.right, 2000u) << h.first << "\n" << draft;
}

TEST_P(Gallery, VerilatorWarnsOfNothing) { EXPECT_EQ(lint_rtl(dut_of(GetParam())), ""); }

const std::vector<Exhibit> exhibits{
    {"banks", "FAULT"},           {"fields", "Fault"},         {"serial", "Fault"},      {"stream", "Fault"},
    {"through", "Fault"},         {"accumulator", "Fault"},    {"running", "Fault"},     {"cleared", "Fault", true},
    {"weights", "Fault"},         {"systolic", "Fault", true}, {"modes", "Fault", true}, {"records", "Fault", true},
    {"bus", "Fault", true},       {"status", "Fault"},         {"pair", "Fault", true},  {"booth", "FAULT", true},
    {"switching", "Fault", true}, {"tile", "FAULT", true},     {"grid", "Fault", true},  {"shadow", "Fault", true},
    {"apart", "FAULT", true},     {"pingpong", "Fault", true}, {"sums", "Fault", true}};

INSTANTIATE_TEST_SUITE_P(Units, Gallery, testing::ValuesIn(exhibits),
                         [](const auto& exhibit) { return std::string(exhibit.param.name); });

}  // namespace
}  // namespace assay
