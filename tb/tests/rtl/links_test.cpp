// Several units behind each other: what each is given, who is to blame, and each thing that does not fit.
#include "tb/devices/rtl/links.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>

#include "model/config/catalogue.hpp"
#include "model/core/dot.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/tests/rtl/bench.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Claims without RTL: what stands behind them here is the model.
const char* const four_terms = "name: four\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n";
const char* const eight_in_fours =
    "name: eight\nlike: fused_f25\nk: 8\nk_order: {step: {terms: 4}}\noperands: {a: f16, b: f16, c: f32, d: f32}\n";
const char* const products =
    "name: products\nlike: fused_f25\nk: 4\nstart: none\noperands: {a: f16, b: f16, c: f32, d: f32}\n";
const char* const one_term = "name: one\nlike: fused_f25\nk: 1\noperands: {a: f32, b: f16, c: f32, d: f32}\n";
const char* const two_terms = "name: pair\nlike: fused_f25\nk: 2\noperands: {a: f32, b: f16, c: f32, d: f32}\n";
const char* const half = "name: half\nlike: fused_f25_f16\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f16}\n";
const char* const scaled =
    "name: scaled\nlike: fused_f25_scaled\nk: 4\n"
    "operands: {a: f16, b: f16, c: f32, d: f32, scale: {format: ue8m0, block: 4}}\n";

class Chained : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch_folder();
    for (const auto& [name, text] :
         {std::pair{"four", four_terms}, std::pair{"eight", eight_in_fours}, std::pair{"products", products},
          std::pair{"one", one_term}, std::pair{"half", half}, std::pair{"pair", two_terms},
          std::pair{"scaled", scaled}}) {
      write_text(folder_ / (std::string(name) + "_words.yaml"), text);
      write_text(folder_ / (std::string(name) + ".yaml"),
                 "datapath: " + std::string(name) +
                     "_words.yaml\nsources: [none.sv]\ntop: none\nhandshake: combinational\n"
                     "ports: {a: {port: a_i, width: 16}, b: {port: b_i, width: 16}, c: c_i, d: d_o}\n");
    }
    write_text(folder_ / "two.yaml",
               "instructions: [{datapath: four_words.yaml}, {datapath: half_words.yaml}]\nsources: [none.sv]\n"
               "top: none\nhandshake: combinational\n"
               "ports: {a: {port: a_i, width: 16}, b: {port: b_i, width: 16}, c: c_i, d: d_o}\n");
  }

  std::string file() const { return (folder_ / "chain.yaml").string(); }

  // The units of a chain with these lines, each answered by the model on what it claims.
  std::vector<LinkedUnit> units(const std::string& claim, const std::string& lines) {
    write_text(file(), "datapath: " + claim + "_words.yaml\nchain:\n" + lines);
    const std::optional<UnitChain> chain = read_chain_file(file());
    subject_ = std::make_unique<Subject>(subject_of_file(catalogue_, chain->claim.datapath));
    std::ostringstream log;
    std::vector<LinkedUnit> list = units_of(*chain, *subject_, catalogue_, log);
    for (LinkedUnit& unit : list) unit.device = model_device(unit.subject->plan, "rtl:" + unit.link.file);
    return list;
  }

  std::string refused(const std::string& claim, const std::string& lines) try {
    units(claim, lines);
    return "It was taken.";
  } catch (const Error& error) {
    const std::string folder = folder_.string() + "/";
    std::string message = error.message;
    for (std::size_t at; (at = message.find(folder)) != std::string::npos;) message.erase(at, folder.size());
    return message;
  }

  // How many cases a chain answers as its claim says.
  int right(std::vector<LinkedUnit> list) {
    const std::vector<Case> cases = generated_cases(subject_->plan, 1, 1000);
    const std::vector<Answer> answers = linked("rtl:chain", std::move(list))->run(cases, false);
    Registers registers;
    int count = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      EXPECT_EQ(answers[i].error, "");
      count += answers[i].d == dot(subject_->plan, cases[i].operand(), registers);
    }
    return count;
  }

  fs::path folder_;
  const Catalogue catalogue_ = shipped_catalogue();
  std::unique_ptr<Subject> subject_;
};

TEST_F(Chained, UnitsAlongKTakeTheNextElementsAndTheSumSoFar) {
  EXPECT_EQ(right(units("eight", "  - four.yaml\n  - four.yaml\n")), 1000);
  EXPECT_EQ(right(units("eight", "  - {dut: two.yaml, datapath: four_words.yaml}\n  - four.yaml\n")), 1000);
  EXPECT_LT(right(units("eight", "  - {dut: four.yaml, elements: 4-7}\n  - {dut: four.yaml, elements: 0-3}\n")), 900)
      << "the order along K is the unit's own";
  EXPECT_LT(right(units("eight",
                        "  - {dut: four.yaml, elements: 0-6, every: 2}\n"
                        "  - {dut: four.yaml, elements: 1-7, every: 2}\n")),
            900);
}

TEST_F(Chained, AUnitTakesWhatTheOneBeforeItGives) {
  std::vector<LinkedUnit> list = units("four", "  - products.yaml\n  - {dut: one.yaml, a: before, b: 3c00, c: case}\n");
  const std::unique_ptr<Device> device = linked("rtl:chain", std::move(list));
  const std::vector<Case> cases = generated_cases(subject_->plan, 1, 200);
  const std::vector<Answer> answers = device->run(cases, false);
  const Subject sum = subject_of_file(catalogue_, (folder_ / "products_words.yaml").string());
  const Subject one = subject_of_file(catalogue_, (folder_ / "one_words.yaml").string());
  Registers registers;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::vector<Code> a{dot(sum.plan, cases[i].operand(), registers)}, b{0x3c00};
    EXPECT_EQ(answers[i].d, dot(one.plan, {a.data(), b.data(), cases[i].c, nullptr, nullptr, nullptr}, registers)) << i;
  }
}

// Answers with an error, or with another d, where c is one.
class Broken : public Device {
 public:
  explicit Broken(std::unique_ptr<Device> device, std::string error) : device_(std::move(device)), error_(error) {}
  std::string name() const override { return device_->name(); }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    asked += cases.size();
    std::vector<Answer> answers = device_->run(cases, false);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].c == 0x3f800000) answers[i].d ^= 1, answers[i].error = error_;
    }
    return answers;
  }
  std::string close() override { return error_.empty() ? "" : "It " + error_ + "."; }

  inline static std::size_t asked = 0;

 private:
  std::unique_ptr<Device> device_;
  std::string error_;
};

TEST_F(Chained, AnErrorEndsItsOwnCaseOnly) {
  std::vector<LinkedUnit> list = units("eight", "  - four.yaml\n  - four.yaml\n");
  list[0].device = std::make_unique<Broken>(std::move(list[0].device), "hangs");
  Broken::asked = 0;
  list[1].device = std::make_unique<Broken>(std::move(list[1].device), "");
  std::vector<Case> cases = generated_cases(subject_->plan, 1, 3);
  for (std::size_t i = 0; i < 3; ++i) cases[i].c = i == 1 ? 0x3f800000 : 0;
  const std::unique_ptr<Device> device = linked("rtl:chain", std::move(list));
  const std::vector<Answer> answers = device->run(cases, false);
  EXPECT_EQ(answers[0].error + answers[1].error + answers[2].error, "hangs");
  EXPECT_EQ(Broken::asked, 3u + 2u);
  EXPECT_EQ(device->close(), "It hangs.");
}

TEST_F(Chained, TheUnitThatIsWrongByItselfIsToBlame) {
  std::vector<LinkedUnit> list = units("eight", "  - four.yaml\n  - four.yaml\n");
  list[1].device = std::make_unique<Broken>(std::move(list[1].device), "");
  const std::unique_ptr<Device> device = linked("rtl:chain", std::move(list));
  Case failing;
  failing.a = failing.b = std::vector<Code>(8, 0);
  failing.a[0] = failing.b[0] = 0x3c00;
  const std::string unit = (folder_ / "four.yaml").string(), words = (folder_ / "four_words.yaml").string();
  EXPECT_EQ(device->blame(failing), "unit 2 of 2 is wrong by itself: assay explain --reference model --device rtl:" +
                                        unit + " --datapath " + words + " --a 0000 --b 0000 --c 3f800000");
  failing.a[0] = 0;
  EXPECT_EQ(device->blame(failing),
            "each of the 2 units gives what its own file claims: together they are not what the chain claims");
}

TEST_F(Chained, WhatDoesNotFitIsSaid) {
  const std::string four = "  - four.yaml\n", first = "  - {dut: four.yaml, ";
  EXPECT_EQ(refused("eight", four), "chain.yaml: no unit of the chain takes element 4 of a.");
  EXPECT_EQ(refused("four", four + four),
            "chain.yaml:4: it takes element 4 of a, and what the chain claims has 4 of them.");
  EXPECT_EQ(refused("eight", four + first + "elements: 3-6}\n"),
            "chain.yaml:4: element 3 of a went to a unit before it.");
  EXPECT_EQ(refused("eight", first + "elements: 0-2}\n"), "chain.yaml:3: it takes 4 elements, and 3 are named here.");
  EXPECT_EQ(refused("eight", first + "every: 2}\n"),
            "chain.yaml:3: chain[0].every: say which elements these are: `elements: first-last`.");
  EXPECT_EQ(refused("eight", first + "a: before}\n"),
            "chain.yaml:3: chain[0].a: no unit stands before this one; write `case` or a code.");
  EXPECT_EQ(refused("eight", four + first + "a: before}\n"),
            "chain.yaml:4: its a is of f16, and d of the unit before it of f32.");
  EXPECT_EQ(refused("four", "  - one.yaml\n"), "chain.yaml:3: its a is of f32, and that of the chain of f16.");
  EXPECT_EQ(refused("four", "  - products.yaml\n  - {dut: pair.yaml, a: before, b: 3c00, c: case}\n"),
            "chain.yaml:4: one d comes from the unit before, and this one takes 2 elements.");
  EXPECT_EQ(refused("eight", four + first + "c: 123456789}\n"), "chain.yaml:4: its c is of f32, which has 32 bits.");
  EXPECT_EQ(refused("eight", four + first + "c: 0}\n"),
            "chain.yaml:4: it takes nothing of the unit before; make `a`, `b` or `c` of it `before`.");
  EXPECT_EQ(
      refused("eight", first + "c: zero}\n"),
      "chain.yaml:3: chain[0].c: 1 to 16 hexadecimal digits without prefix, or `case` or `before`, are needed here, "
      "found 'zero'.");
  EXPECT_EQ(refused("eight", "  - half.yaml\n" + four),
            "chain.yaml:4: its c is of f32, and d of the unit before it of f16.");
  EXPECT_EQ(refused("eight", four + "  - half.yaml\n"),
            "chain.yaml:4: d of the last unit is of f16, and that of the chain of f32.");
  EXPECT_EQ(refused("four", "  - {dut: products.yaml, c: case}\n"),
            "chain.yaml:3: this unit adds to nothing; leave out `c`.");
  EXPECT_EQ(refused("four", "  - products.yaml\n"),
            "chain.yaml: no unit of the chain takes c; one of them says `c: case`.");
  EXPECT_EQ(
      refused("four", "  - {dut: products.yaml}\n  - {dut: one.yaml, a: before, b: 3c00, elements: 0, c: case}\n"),
      "chain.yaml:4: neither a nor b of it is of the case; leave out `elements`.");
  EXPECT_EQ(refused("four", "  - two.yaml\n"),
            "chain.yaml:3: two.yaml claims 2 instructions; say here which one: `instruction` or `datapath`.");
  EXPECT_EQ(refused("four", "  - scaled.yaml\n"),
            "chain.yaml:3: units of a chain take a, b and c alone, and scaled_words.yaml takes scale_a, too.");
  EXPECT_EQ(refused("scaled", four),
            "chain.yaml: units of a chain take a, b and c alone, and scaled_words.yaml takes scale_a, too.");
  EXPECT_EQ(refused("four", "  - chain.yaml\n"),
            "chain.yaml:3: chain: a chain is compared as a whole; one unit is wanted here, so name the DUT file of one "
            "of these.");
  EXPECT_EQ(refused("four", "  []\n"), "chain.yaml:3: chain: at least one unit is needed.");
  EXPECT_EQ(
      refused("four", "  - {dut: four.yaml, top: four}\n"),
      "chain.yaml:3: chain[0].top: unknown key; the keys here are dut, instruction, datapath, elements, every, a, "
      "b, c.");
  write_text(file(), "instruction: \"*\"\nchain: [four.yaml]\n");
  try {
    read_chain_file(file());
    FAIL() << "It was read.";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, file() +
                                 ":1: say what the chain computes: `instruction: ARCHITECTURE:INSTRUCTION` or "
                                 "`datapath: FILE`.");
  }
}

}  // namespace
}  // namespace assay
