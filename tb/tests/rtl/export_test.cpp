// The wiring that export-sv prints, and what it refuses.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "model/config/catalogue.hpp"
#include "model/config/yaml.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/source/known_words.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

TEST(ExportSv, TheCommittedWiringIsWhatItPrints) {
  const Unit& unit = committed_unit();
  const std::string printed = export_sv(plan_of_unit(unit), unit.name);
  const auto committed = source_folder() / "rtl_ref" / (std::string(unit.name) + ".sv");
  const auto fresh = scratch_folder() / (std::string(unit.name) + ".sv");
  write_text(fresh, printed);
  EXPECT_TRUE(printed == read_text(committed)) << committed << " is not what export_sv prints now. If the change is "
                                               << "meant, copy " << fresh << " over it.";
}

// FuseSoC takes the blocks in this order: the package before who imports it.
TEST(ExportSv, TheCoreFileListsEveryBlock) {
  const std::filesystem::path folder = source_folder() / "rtl_ref";
  const YamlValue core = read_yaml_file((folder / "assay.core").string());
  const std::vector<std::string> files = core.at("filesets").at("rtl").at("files").texts();
  EXPECT_EQ(files.front(), "assay_pkg.sv");
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".sv") there.insert(entry.path().filename().string());
  }
  EXPECT_EQ(std::set<std::string>(files.begin(), files.end()), there);
  EXPECT_EQ(files.size(), there.size());
}

TEST(ExportSv, TheDutFileClaimsAnInstructionOfTheSameDatapath) {
  const Catalogue catalogue = shipped_catalogue();
  const Dut dut = read_dut_file((source_folder() / "configs/dut/fused_f25_f16.yaml").string());
  const Plan claimed = catalogue.plan_of(catalogue.instruction(dut.claims.front().instruction));
  EXPECT_EQ(export_sv(claimed, dut.top), export_sv(plan_of_unit(committed_unit()), dut.top));
}

TEST(ExportSv, EveryInstructionOfTheCatalogueCanBeWired) {
  const Catalogue catalogue = shipped_catalogue();
  int wired = 0;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      const Plan plan = catalogue.plan_of(instruction);
      ASSERT_NO_THROW(export_sv(plan, "dot")) << instruction.full_name();
      ++wired;
    }
  }
  EXPECT_GE(wired, 850);
}

// What docs/rtl.md lists as refused.
bool is_known(const std::string& refusal) {
  return refusal.find("in which lost bits join a number of the list") != std::string::npos ||
         refusal.find("has no block for a code that is no NaN of") != std::string::npos;
}

// Both timings of what nobody built: every word of the vocabulary is among them often.
TEST(ExportSv, EveryDatapathThatCanBePlannedCanBeWired) {
  for (const Domain domain : {Domain::usual, Domain::farther}) {
    int wired = 0;
    for (std::uint64_t number = 0; number < 300; ++number) {
      for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
        const OwnDatapath own = random_datapath(number, attempt, domain);
        const auto made = plan(own.words, own.k);
        const auto* good = std::get_if<Plan>(&made);
        if (good == nullptr) continue;
        const std::string refusal = why_not_exportable(*good).value_or("");
        if (is_known(refusal)) continue;
        ASSERT_EQ(refusal, "") << datapath_text(own.words, own.k);
        ASSERT_NO_THROW(export_sv(*good, "dot")) << datapath_text(own.words, own.k);
        ASSERT_NO_THROW(export_sv(*good, "dot", ExportTiming::pipelined)) << datapath_text(own.words, own.k);
        ++wired;
        break;
      }
    }
    EXPECT_EQ(wired, 300);
  }
}

// The first datapath of each number that can be planned; docs/export.md has these figures.
TEST(ExportSv, RandomDatapathsAreWired) {
  for (const auto& [domain, wired] : {std::pair{Domain::usual, 292}, std::pair{Domain::farther, 292}}) {
    int count = 0;
    std::string refused;
    for (std::uint64_t number = 0; number < 300; ++number) {
      for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
        const OwnDatapath own = random_datapath(number, attempt, domain);
        const auto made = plan(own.words, own.k);
        const auto* good = std::get_if<Plan>(&made);
        if (good == nullptr) continue;
        const std::string refusal = why_not_exportable(*good).value_or("");
        refused += refusal.empty() ? "" : refusal + "\n";
        count += refusal.empty() ? 1 : 0;
        break;
      }
    }
    EXPECT_EQ(count, wired) << refused;
  }
}

TEST(ExportSv, EveryUnitToBeginWithCanBeWired) {
  int wired = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() / "docs/examples/units")) {
    const Plan plan = plan_of_text(read_text(entry.path()));
    ASSERT_EQ(why_not_exportable(plan).value_or(""), "") << entry.path();
    ASSERT_NO_THROW(export_sv(plan, "dot")) << entry.path();
    ASSERT_NO_THROW(export_sv(plan, "dot", ExportTiming::pipelined)) << entry.path();
    ++wired;
  }
  EXPECT_EQ(wired, 20);
}

TEST(ExportSv, LinesFitAHundredColumns) {
  std::vector<Unit> all = units();
  all.insert(all.end(), further_units().begin(), further_units().end());
  for (const Unit& unit : all) {
    const Plan plan = plan_of_unit(unit);
    const std::string text = export_sv(plan, unit.name) + export_sv(plan, unit.name, ExportTiming::pipelined);
    std::size_t from = 0;
    for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
      EXPECT_LE(end - from, 100u) << text.substr(from, end - from);
  }
}

TEST(ExportSv, APipelinedHeaderNamesEveryCut) {
  const Plan plan = plan_of_text(R"(
name: pairs
k: 4
operands: {a: f16, b: f16, c: f32, d: f32}
specials: step
adders:
  - name: pairs
    add: {product: {keep: 20, cut: down}}
    group: {terms: 2}
  - name: sum
    add: {pairs: {keep: 24, cut: down}, acc: {keep: 24, cut: down}}
    result: [{format: d, cut: nearest_even}]
)");
  const std::string text = export_sv(plan, "dot", ExportTiming::pipelined);
  EXPECT_NE(text.find("//   [0]    multiply\n"
                      "//   [1]    step[0].pairs.align\n"
                      "//   [2]    step[0].pairs.reduce\n"
                      "//   [3]    step[0].sum.align\n"
                      "//   [4]    step[0].sum.reduce\n"
                      "//   [5]    step[0].acc\n"
                      "module dot #(\n  parameter logic [5:0] Registers = {6{1'b1}}\n) (\n"),
            std::string::npos)
      << text.substr(0, text.find(");"));
}

// The twin lets the scoreboard be tested; it must not differ by anything else.
TEST(ExportSv, TheFaultyTwinDiffersInItsFaultOnly) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> list;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) list.push_back(line);
    return list;
  };
  const auto sound = lines(read_text(source_folder() / "rtl_ref/assay_align.sv"));
  auto faulty = lines(read_text(source_folder() / "rtl_ref/faults/assay_align.sv"));
  ASSERT_GT(faulty.size(), 2u);
  EXPECT_EQ(faulty[0].rfind("// A broken twin:", 0), 0u);
  faulty.erase(faulty.begin(), faulty.begin() + 2);
  ASSERT_EQ(sound.size(), faulty.size());
  std::vector<std::string> different;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    if (sound[i] != faulty[i]) different.push_back(faulty[i]);
  }
  ASSERT_EQ(different.size(), 1u);
  EXPECT_NE(different[0].find("(i == 5)"), std::string::npos) << different[0];
}

// --- refusals ---

std::string refusal(const std::function<void()>& check) {
  try {
    check();
  } catch (const Error& error) {
    EXPECT_EQ(error.ending, Ending::not_here);
    return error.message;
  }
  return "";
}

// As one that was added to the table, and that nobody has wired.
TEST(ExportRefusal, AWordThatNobodyWired) {
  Product product;
  const auto unknown = [&] { return unknown_word("product", product, &Product::round, &Product::exponent); };
  EXPECT_EQ(unknown(), std::nullopt);
  product.infinity_at = 12;
  EXPECT_EQ(unknown(), "product.infinity_at");
  Datapath words;
  words.subnormals_b = Subnormals::zero;
  EXPECT_EQ(unknown_word("", words, &Datapath::subnormals_a), "subnormals.b");
  EXPECT_EQ(unknown_word(plan_of_unit(committed_unit()).datapath), std::nullopt);
}

TEST(ExportRefusal, LostBitsThatWouldJoinAList) {
  Plan plan = plan_of_unit(committed_unit());
  plan.adders[0].sticky = Sticky::at_result;
  EXPECT_EQ(refusal([&] { check_exportable(plan); }), "");
  plan.adders[0].results[0].format = *find_format("hif8");
  EXPECT_EQ(refusal([&] { check_exportable(plan); }),
            "adders[0].sticky: export-sv has no block in which lost bits join a number of the list hif8.");
}

TEST(ExportRefusal, AMadeNanThatIsNoneOfD) {
  const auto unit = [](const std::string& code) {
    return plan_of_text(
        "name: own\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\nspecials: operation\nnan: "
        "{default: " +
        code +
        ", take: [acc]}\nadders: [{name: sum, add: {product: exact, acc: "
        "exact}, result: [{format: d, cut: nearest_even}]}]\n");
  };
  EXPECT_EQ(refusal([&] { check_exportable(unit("7fc00001")); }), "");
  EXPECT_EQ(refusal([&] { check_exportable(unit("7c")); }),
            "nan.default: export-sv has no block for a code that is no NaN of f32: say one that is.");
}

// Words whose values are enumerators: one that no switch knows, as after a value that was added to datapath.hpp.
TEST(ExportRefusal, AValueThatNobodyWired) {
  Plan plan = plan_of_unit(committed_unit());
  plan.adders[0].results[0].words.cut = static_cast<Cut>(99);
  EXPECT_EQ(refusal([&] { check_exportable(plan); }),
            "adders[0].result[0].cut: export-sv has no block for this value.");
  plan = plan_of_unit(committed_unit());
  plan.b.kind = static_cast<FormatKind>(99);
  EXPECT_EQ(refusal([&] { check_exportable(plan); }),
            "operands.b: export-sv has no block that reads or writes the format f16.");
}

TEST(ExportRefusal, AnOperandThatNobodyWired) {
  Plan plan = plan_of_unit(committed_unit());
  plan.more.emplace_back();
  plan.more.back().name = "bias";
  plan.more.back().kind = static_cast<CaseOperandKind>(99);
  EXPECT_EQ(refusal([&] { check_exportable(plan); }),
            "operands.bias: export-sv has no block for what this operand does.");
}

TEST(ExportRefusal, AWordOfAFormatThatNobodyWired) {
  const auto with = [](const std::function<void(Result&)>& change) {
    Plan plan = plan_of_unit(committed_unit());
    change(plan.adders[0].results[0].words);
    return refusal([&] { check_exportable(plan); });
  };
  const std::string at = "adders[0].result[0].", none = ": export-sv has no block for this value.";
  EXPECT_EQ(with([](Result& r) { r.overflow = static_cast<Overflow>(99); }), at + "overflow" + none);
  EXPECT_EQ(with([](Result& r) { r.infinity = static_cast<OfInfinity>(99); }), at + "infinity" + none);
  EXPECT_EQ(with([](Result& r) { r.nan = static_cast<OfNan>(99); }), at + "nan" + none);
  EXPECT_EQ(with([](Result& r) { r.negative = static_cast<OfNegative>(99); }), at + "negative" + none);
  EXPECT_EQ(with([](Result& r) { r.minus_zero = static_cast<MinusZero>(99); }), at + "minus_zero" + none);
}

TEST(ExportRefusal, SlicesThatNobodyWired) {
  const auto with = [](const std::function<void(Slices&)>& change) {
    Plan plan = plan_of_unit(committed_unit());
    change(plan.datapath.slices);
    return refusal([&] { check_exportable(plan); });
  };
  const std::string none = ": export-sv has no block for this value.";
  EXPECT_EQ(with([](Slices& s) { s.exponent = static_cast<SliceExponent>(99); }), "slices.exponent" + none);
  EXPECT_EQ(with([](Slices& s) { s.run = static_cast<SliceRun>(99); }), "slices.run" + none);
}

TEST(ExportRefusal, RowsThatNobodyWired) {
  const auto with = [](const std::function<void(ProductRows&)>& change) {
    Plan plan = plan_of_unit(committed_unit());
    change(plan.datapath.product.rows.emplace());
    return refusal([&] { check_exportable(plan); });
  };
  const std::string none = ": export-sv has no block for this value.";
  EXPECT_EQ(with([](ProductRows& r) { r.digits = static_cast<RowDigits>(99); }), "product.rows.digits" + none);
  EXPECT_EQ(with([](ProductRows& r) { r.sign = static_cast<RowSign>(99); }), "product.rows.sign" + none);
  EXPECT_EQ(with([](ProductRows& r) { r.extension = static_cast<RowExtension>(99); }), "product.rows.extension" + none);
  EXPECT_EQ(with([](ProductRows& r) { r.compress = static_cast<Compress>(99); }), "product.rows.compress" + none);
}

TEST(ExportRefusal, ChanceWhereNothingIsRounded) {
  Plan plan = plan_of_unit(committed_unit());
  plan.adders[0].inputs[0].words.cut = Cut::stochastic_b;
  EXPECT_EQ(refusal([&] { check_exportable(plan); }),
            "adders[0].add.product.cut: export-sv cuts results by chance, not what enters a sum: say another cut.");
  plan = plan_of_unit(committed_unit());
  plan.adders[0].inputs[0].words.again.push_back({9, Cut::stochastic_a});
  EXPECT_EQ(
      refusal([&] { check_exportable(plan); }),
      "adders[0].add.product.again.cut: export-sv cuts results by chance, not what enters a sum: say another cut.");
}

// One sum in f32 of operands in these formats, rounded at last to `d`.
Plan in_formats(const std::string& own, const std::string& a, const std::string& d, const std::string& result) {
  return plan_of_text("name: refused\nk: 2\nformats: {" + own + "}\noperands: {a: " + a + ", b: f16, c: f32, d: " + d +
                      "}\nspecials: step\nadders:\n  - name: sum\n    add: {product: exact, acc: exact}\n    result: "
                      "[{format: d, " +
                      result + "}]\n");
}

TEST(ExportRefusal, AListTooLongForATable) {
  const auto values = [](int count) {
    std::string list = "\"0\"";
    for (int i = 1; i < count; ++i) list += ", " + std::to_string(i);
    return "list: {values: [" + list + "]}";
  };
  const auto of = [](const std::string& own, const std::string& a, const std::string& d, const std::string& result) {
    const Plan plan = in_formats(own, a, d, result);
    return refusal([&] { check_exportable(plan); });
  };
  const std::string even = "cut: nearest_even",
                    why =
                        ": export-sv writes a list of values as a table of all codes, and list has 2048 of them, for "
                        "which a simulator "
                        "takes minutes: use a list of at most 1024 codes, or a format that a rule or fields describe.";
  EXPECT_EQ(of(values(1024), "list", "f32", even), "");
  EXPECT_EQ(of(values(2048), "list", "f32", even), "operands.a" + why);
  EXPECT_EQ(of(values(2048), "f16", "list", even + ", overflow: largest, infinity: largest, nan: zero"),
            "operands.d" + why);
}

// As one that was added to the rules, and that nobody has wired.
TEST(ExportRefusal, ARuleThatNobodyWired) {
  Plan plan = in_formats("", "posit16_1", "f32", "cut: nearest_even");
  EXPECT_EQ(refusal([&] { check_exportable(plan); }), "");
  plan.a.rule = "logarithmic";
  EXPECT_EQ(refusal([&] { check_exportable(plan); }),
            "operands.a: export-sv has no block that reads or writes the format posit16_1.");
}

TEST(ExportRefusal, APlaceThatNobodyWired) {
  const Plan plan = plan_of_unit(committed_unit());
  std::vector<Sheet::Probe> probes{{"a_probe", 16, 16 * 19}};
  EXPECT_EQ(refusal([&] { check_places(plan, probes); }), "decode.b[0]: export-sv wired nothing for this place.");
  probes.push_back({"b_probe", 16, 16 * 18});
  EXPECT_EQ(refusal([&] { check_places(plan, probes); }),
            "decode.b[0]: export-sv wired 18 bits for the 19 of this place.");
  probes.clear();
  for (const Place& place : plan.places) probes.push_back({"bits", 1, place.width});
  EXPECT_EQ(refusal([&] { check_places(plan, probes); }), "");
  probes.push_back({"more", 1, 3});
  EXPECT_EQ(refusal([&] { check_places(plan, probes); }), "more: export-sv wired what is no place of this datapath.");
}

}  // namespace
}  // namespace assay
