// A report of the C interface is what the command writes with --json, on the same cases.
#include "model/base/run_program.hpp"
#include "tb/tests/capi/opened.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

const std::string narrow = "model:" + source_dir() + "/configs/datapath/fused_f23.yaml";

class SameAsTheCommand : public InFolder {
 protected:
  // What the command writes.
  std::string assay(const std::string& words) const {
    run_program({"/bin/sh", "-c", ASSAY_PROGRAM " " + words + " 2>/dev/null >" + path("out")}, path("log"));
    return text_of(path("out"));
  }

  static void SetUpTestSuite() { catalogue_ = catalogue(), unit_ = unit(catalogue_.get()); }
  static void TearDownTestSuite() { unit_.reset(), catalogue_.reset(); }

  inline static Held<assay_catalogue> catalogue_;
  inline static Held<assay_unit> unit_;
};

nlohmann::ordered_json untimed(nlohmann::ordered_json report) {
  EXPECT_EQ(report.erase("cases_per_second"), 1U);
  return report;
}

// What the command writes, without the exit status that goes with it: a call has a status of its own.
nlohmann::ordered_json without_status(nlohmann::ordered_json report) {
  EXPECT_EQ(report.at("summary").erase("status"), 1U);
  return untimed(report);
}

TEST_F(SameAsTheCommand, Explain) {
  Operands one;
  one.a[0] = one.b[0] = 0x3c00;
  one.c = 0xbf7fffff;
  const assay_operands operands = one.all();
  const std::string words = "explain --json --instruction " + wgmma + " --a 3c00 --b 3c00 --c bf7fffff";
  const auto explained = [&](const assay_device* device) {
    return told([&](assay_text** report, assay_message* message) {
      return assay_explain(unit_.get(), &operands, nullptr, device, nullptr, report, message);
    });
  };
  EXPECT_EQ(explained(nullptr).text, assay(words));
  const assay_device oracle = named("oracle"), other = named(narrow.c_str());
  EXPECT_EQ(explained(&oracle).text, assay(words + " --device oracle"));
  EXPECT_EQ(explained(&other).status, ASSAY_MISMATCH);
  EXPECT_EQ(explained(&other).text, assay(words + " --device " + narrow));
}

TEST_F(SameAsTheCommand, Identify) {
  const std::string volta = "model:volta:mma.m8n8k4.f32.f16.f16.f32";
  assay_unit* opened = nullptr;
  assay_message told_why{};
  ASSERT_EQ(assay_unit_unknown(catalogue_.get(), "f16,f16,f32", nullptr, 4, &opened, &told_why), ASSAY_OK);
  const Held<assay_unit> unknown(opened);
  const auto identified = [&](const std::string& device) {
    const assay_device asked = named(device.c_str());
    return told([&](assay_text** report, assay_message* message) {
      return assay_identify(unknown.get(), &asked, R"({"confirm": 200, "seed": 3})", nullptr, report, message);
    });
  };
  const std::string words = "identify --json --formats f16,f16,f32 --k 4 --confirm 200 --seed 3 --device ";
  const Told found = identified(volta);
  EXPECT_EQ(found.status, ASSAY_OK) << found.message;
  EXPECT_EQ(found.json().at("outcome"), "found");
  EXPECT_EQ(found.text, assay(words + volta));

  const Told recorded = told([&](assay_text** report, assay_message* message) {
    assay("generate --instruction volta:mma.m8n8k4.f32.f16.f16.f32 --cases 20 --with-results -o " + path("few.jsonl"));
    return assay_identify_file(catalogue_.get(), path("few.jsonl").c_str(), nullptr, report, message);
  });
  EXPECT_EQ(recorded.status, ASSAY_NOTHING_COMPARED) << recorded.message;
  EXPECT_EQ(recorded.json().at("outcome"), "undecided");
  EXPECT_EQ(recorded.text, assay("identify --json " + path("few.jsonl")));

  EXPECT_EQ(assay_unit_unknown(catalogue_.get(), "f16,f17,f32", nullptr, 4, &opened, &told_why), ASSAY_BAD_ARGUMENT)
      << told_why.text;
  EXPECT_EQ(opened, nullptr);
  EXPECT_EQ(std::string(told_why.text).rfind("formats names 'f17', which is no format; there are f64, f32, ", 0), 0U)
      << told_why.text;
}

TEST_F(SameAsTheCommand, Generate) {
  const auto generated = [&](const char* options) {
    return told([&](assay_text** cases, assay_message* message) {
             return assay_generate(unit_.get(), options, cases, message);
           })
        .text;
  };
  const std::string words = "generate --instruction " + wgmma;
  EXPECT_EQ(generated(nullptr), assay(words));
  EXPECT_EQ(generated("{\"seed\": 3, \"cases\": 1100, \"family\": \"ties\", \"with_results\": true}"),
            assay(words + " --seed 3 --cases 1100 --family ties --with-results"));
}

TEST_F(SameAsTheCommand, Compare) {
  const auto compared = [&](const char* device, const char* options) {
    const assay_device held = named(device);
    return told([&](assay_text** report, assay_message* message) {
             return assay_compare(unit_.get(), nullptr, &held, options, report, message);
           })
        .json();
  };
  const std::string words = "compare --json --instruction " + wgmma;
  const auto command = [&](const std::string& options) {
    return nlohmann::ordered_json::parse(assay(words + options));
  };
  EXPECT_EQ(untimed(compared("oracle", "{\"cases\": 400, \"nan\": \"any\"}")),
            without_status(command(" --device oracle --cases 400 --nan any")));
  const auto failing = untimed(compared(narrow.c_str(), "{\"cases\": 400, \"seed\": 2, \"max_failures\": 7}"));
  EXPECT_EQ(failing.at("failures").size(), 7U);
  EXPECT_EQ(failing, without_status(command(" --device " + narrow + " --cases 400 --seed 2 --max-failures 7")));
}

TEST_F(SameAsTheCommand, Check) {
  file("results.jsonl", assay("generate --with-results --cases 200 --instruction " + wgmma));
  const std::string recorded = path("results.jsonl");
  const auto checked = [&](const assay_device* device) {
    return untimed(told([&](assay_text** report, assay_message* message) {
                     return assay_check(catalogue_.get(), recorded.c_str(), device, nullptr, report, message);
                   }).json());
  };
  const auto command = [&](const std::string& options) {
    return without_status(nlohmann::ordered_json::parse(assay("check --json " + recorded + options)).at("files").at(0));
  };
  const assay_device other = named(narrow.c_str());
  EXPECT_EQ(checked(nullptr), command(""));
  EXPECT_NE(checked(&other).at("summary").at("differs"), 0);
  EXPECT_EQ(checked(&other), command(" --device " + narrow));
}

}  // namespace
}  // namespace assay
