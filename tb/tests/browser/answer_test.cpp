// What the explorer page is answered: the model's own words, and a sentence for everything that is wrong.
#include "tb/browser/answer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/browser/datapath_picture.hpp"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

const std::string instruction = "hopper:wgmma.m64nNk16.f32.f16.f16";

class AnswerTest : public ::testing::Test {
 protected:
  Json ask(const Json& request) { return Json::parse(answerer_.answer(request.dump())); }
  std::string error_of(const Json& request) { return ask(request).value("error", ""); }

  browser::Answerer answerer_{shipped_catalogue()};
  Json unit_{{"instruction", instruction}};
  Json operands_{{"a", {"3c00"}}, {"b", {"3c00"}}, {"c", {"bf7fffff"}}};
};

TEST_F(AnswerTest, ListsEveryInstruction) {
  const Json list = ask({{"ask", "list"}});
  std::size_t listed = 0, there = 0;
  for (const Json& architecture : list["architectures"]) listed += architecture["instructions"].size();
  const Catalogue catalogue = shipped_catalogue();
  for (const Architecture& a : catalogue.architectures()) there += a.instructions.size();
  EXPECT_EQ(listed, there);
}

// docs/architecture.md works this case out by hand.
TEST_F(AnswerTest, ExplainsTheCaseOfTheFirstPage) {
  const Json answer = ask({{"ask", "explain"}, {"units", {unit_}}, {"operands", operands_}});
  ASSERT_FALSE(answer.contains("error")) << answer;
  const Json& unit = answer["units"][0];
  EXPECT_EQ(unit["explanation"]["d"], "33800000");
  EXPECT_EQ(unit["operands"][0]["codes"].size(), 16u);
  EXPECT_EQ(unit["operands"][0]["values"][0], "+1");
  EXPECT_EQ(unit["keeps"][0]["key"], "adders.sum.add.product.keep");
  EXPECT_EQ(unit["keeps"][0]["keep"], 25);
  EXPECT_FALSE(answer.contains("differences"));
}

TEST_F(AnswerTest, WithTwoBitsLessTheTwoPartAtTheAddendOfC) {
  Json fewer = unit_;
  fewer["words"] = {{"adders.sum.add.product.keep", "23"}, {"adders.sum.add.acc.keep", "23"}};
  const Json answer = ask({{"ask", "explain"}, {"units", {unit_, fewer}}, {"operands", operands_}});
  ASSERT_FALSE(answer.contains("error")) << answer;
  EXPECT_EQ(answer["units"][0]["explanation"]["d"], "33800000");
  EXPECT_EQ(answer["units"][1]["explanation"]["d"], "34000000");
  EXPECT_EQ(answer["differences"][0]["place"], "step[0].sum.align[16]");
}

TEST_F(AnswerTest, TheTextOfAnInstructionIsTheSameUnit) {
  const std::string text = ask({{"ask", "text"}, {"unit", unit_}})["text"];
  const Json own{{"text", text}};
  const Json answer = ask({{"ask", "explain"}, {"units", {unit_, own}}, {"operands", operands_}});
  ASSERT_FALSE(answer.contains("error")) << answer;
  EXPECT_TRUE(answer["differences"].empty());
}

// Zeros at the end of a list may be left out; a list that is left out changes no product.
TEST_F(AnswerTest, WhatIsLeftOutOfAListIsZero) {
  const auto codes = [&](const Json& unit, const Json& operands, const std::string& name) {
    const Json answer = ask({{"ask", "explain"}, {"units", Json::array({unit})}, {"operands", operands}});
    for (const Json& list : answer.at("units").at(0).at("operands")) {
      if (list["name"] == name) return list["codes"].get<std::vector<std::string>>();
    }
    return std::vector<std::string>{answer.dump()};
  };
  using Codes = std::vector<std::string>;
  const Json scaled{{"instruction", "blackwell:tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0"}};
  EXPECT_EQ(codes(scaled, Json::object(), "scale_a"), (Codes{"7f", "7f"}));
  EXPECT_EQ(codes(scaled, {{"scale_a", {"80"}}}, "scale_a"), (Codes{"80", "00"}));
  const Json own{
      {"text",
       "name: own\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32, mask: {}}\nspecials: step\nadders:\n  - name: sum\n"
       "    add: {product: exact, acc: exact}\n    result: [{format: d, cut: nearest_even}]\n"}};
  EXPECT_EQ(codes(own, Json::object(), "mask"), (Codes{"1", "1", "1", "1"}));
  EXPECT_EQ(codes(own, {{"mask", {"0", "1"}}}, "mask"), (Codes{"0", "1", "0", "0"}));
}

// NF4 has zero at code 7, and -1 at code 0.
TEST_F(AnswerTest, WhatIsLeftOutIsTheCodeOfZero) {
  const Json own{{"text", "name: own\nlike: fused_f25\nk: 4\noperands: {a: nf4, b: f16, c: f32, d: f32}\n"}};
  const auto a_of = [&](const Json& codes) {
    return ask({{"ask", "explain"}, {"units", {own}}, {"operands", {{"a", codes}}}})["units"][0]["operands"][0];
  };
  EXPECT_EQ(a_of({"2"})["codes"], Json({"2", "7", "7", "7"}));
  EXPECT_EQ(a_of({"2"})["zero"], "7");
  const std::string of_own = R"({"assay":1,"datapath":{"name":"own","like":"fused_f25","k":"4",)"
                             R"("operands":{"a":"nf4","b":"f16","c":"f32","d":"f32"}}})";
  const auto operands_of = [&](const std::string& a) {
    const std::string line = R"({"a":)" + a + R"(,"b":["3c00","0000","0000","0000"],"c":"00000000"})";
    return ask({{"ask", "case"}, {"header", of_own}, {"line", line}})["operands"];
  };
  EXPECT_EQ(operands_of(R"(["2","f","0","0"])"),
            (Json{{"a", {"2", "f", "0", "0"}}, {"b", {"3c00"}}, {"c", {"00000000"}}}));
  EXPECT_EQ(operands_of(R"(["2","0","7","7"])")["a"], Json({"2", "0"}));
}

TEST_F(AnswerTest, ReadsCodesAndNumbers) {
  const auto read = [&](const char* text) {
    return ask({{"ask", "read"}, {"unit", unit_}, {"operand", "a"}, {"text", text}});
  };
  EXPECT_EQ(read("3c00"), (Json{{"code", "3c00"}, {"rounded", false}}));
  EXPECT_EQ(read("-1.5"), (Json{{"code", "be00"}, {"rounded", false}}));
  EXPECT_EQ(read("0b0011110000000000"), (Json{{"code", "3c00"}, {"rounded", false}}));
  EXPECT_EQ(read("0.1"), (Json{{"code", "2e66"}, {"rounded", true}}));
  EXPECT_EQ(read("inf"), (Json{{"code", "7c00"}, {"rounded", false}}));
  EXPECT_EQ(read("12").value("error", ""),
            "'12' may be bits or a number: write bits with all their 4 digits (16 bits), and a number with a point.");
  EXPECT_EQ(read("1e9").value("error", ""),
            "'1e9' is not the bits of f16: those are 4 digits (16 bits) of 0-9 and a-f.");
}

TEST_F(AnswerTest, SaysWhatIsWrong) {
  const auto of_text = [&](const std::string& text) { return error_of({{"ask", "text"}, {"unit", {{"text", text}}}}); };
  EXPECT_EQ(of_text("name: own\nk: 4\nadder: 3\n").substr(0, 36), "datapath.yaml:3: adder: unknown key;");
  EXPECT_EQ(of_text("name: [").substr(0, 35), "datapath.yaml:1: This is not YAML: ");
  EXPECT_NE(error_of({{"ask", "text"}, {"unit", {{"instruction", "hopper:none"}}}}), "");
  EXPECT_EQ(error_of({{"ask", "pray"}}),
            "'pray' cannot be asked; the requests are list, text, read, explain, vectors and case.");
  EXPECT_EQ(error_of({{"ask", "explain"}, {"units", Json::array()}}),
            "A unit is missing: an instruction, or a datapath's text.");
  EXPECT_EQ(error_of({{"ask", "explain"}, {"units", {unit_, unit_, unit_}}}),
            "Two units are put side by side, no more.");
  EXPECT_EQ(error_of({{"ask", "explain"}, {"units", {unit_}}, {"operands", {{"a", {"3c"}}}}}),
            "a[0]: '3c' is not the bits of f16: those are 4 digits (16 bits) of 0-9 and a-f.");
  EXPECT_EQ(error_of({{"ask", "explain"}, {"units", {unit_}}, {"operands", {{"c", {"00000000", "00000000"}}}}}),
            "c has 2 codes, but this unit takes 1.");
  EXPECT_EQ(error_of({{"ask", "read"}, {"unit", unit_}, {"operand", "e"}, {"text", "1.0"}}),
            "A case of this unit has no operand 'e'.");
  const Json bf16{{"instruction", "hopper:wgmma.m64nNk16.f32.bf16.bf16"}};
  EXPECT_EQ(error_of({{"ask", "explain"}, {"units", {unit_, bf16}}}),
            instruction +
                " takes 16 terms of f16 x f16 + f32 -> f32, and hopper:wgmma.m64nNk16.f32.bf16.bf16 takes 16 "
                "terms of bf16 x bf16 + f32 -> f32; two units are put side by side on the same operands.");
  EXPECT_EQ(Json::parse(answerer_.answer("{")).value("error", "").substr(0, 46),
            "The request is not what the model is asked wit");
}

const std::string header =
    R"({"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16","pad":true})";

TEST_F(AnswerTest, HoldsAVectorFileToTheModel) {
  const std::string right = R"({"a":["3c00"],"b":["3c00"],"c":"bf7fffff","d":"33800000"})";
  const std::string wrong = R"({"a":["3c00"],"b":["3c00"],"c":"bf7fffff","d":"34000000"})";
  const std::string open = R"({"a":["3c00"],"b":["3c00"],"c":"bf7fffff"})";
  const Json answer = ask({{"ask", "vectors"}, {"text", header + "\n" + right + "\r\n" + wrong + "\n" + open + "\n"}});
  ASSERT_FALSE(answer.contains("error")) << answer;
  EXPECT_EQ(answer["cases"], 3);
  EXPECT_EQ(answer["differ"], 1);
  EXPECT_EQ(answer["without_d"], 1);
  EXPECT_EQ(answer["listed"], Json::parse(R"([{"line":3,"recorded":"34000000","model":"33800000"}])"));
  const Json one = ask({{"ask", "case"}, {"header", header}, {"line", wrong}});
  EXPECT_EQ(one["unit"]["instruction"], instruction);
  EXPECT_EQ(one["operands"]["c"], Json({"bf7fffff"}));
  EXPECT_EQ(one["d"], "34000000");
}

TEST_F(AnswerTest, ReadsARecordedD) {
  const auto recorded = [&](const std::string& d) {
    return ask({{"ask", "explain"}, {"units", {unit_}}, {"operands", operands_}, {"d", d}})["recorded"];
  };
  for (const char* spelling : {"3f800000", "3F800000", "0x3f800000", "1.0"})
    EXPECT_EQ(recorded(spelling), (Json{{"code", "3f800000"}, {"value", "+1"}})) << spelling;
  EXPECT_EQ(recorded("7fc00000")["value"], "NaN");
  for (const char* other : {"zz", "3f80"})
    EXPECT_EQ(recorded(other)["error"],
              "'" + std::string(other) + "' is not the bits of f32: those are 8 digits (32 bits) of 0-9 and a-f.");
  EXPECT_FALSE(ask({{"ask", "explain"}, {"units", {unit_}}}).contains("recorded"));
}

// The rule of NaN is the file's, else what is usual for the datapath.
TEST_F(AnswerTest, TakesEveryNanForAnotherWhereCheckDoes) {
  const auto held = [&](const std::string& of, const std::string& d) {
    const std::string line = R"({"a":["7e00"],"b":["3c00"],"c":"00000000","d":")" + d + R"("})";
    return ask({{"ask", "vectors"}, {"text", of + "\n" + line + "\n"}});
  };
  const std::string begun = header.substr(0, header.size() - 1);
  EXPECT_EQ(held(header, "7fc00000")["differ"], 1);
  EXPECT_EQ(held(header, "7fc00000")["nan"], "bits");
  EXPECT_EQ(held(begun + R"(,"nan":"any"})", "7fc00000")["differ"], 0);
  EXPECT_EQ(held(begun + R"(,"nan":"any"})", "7f800000")["differ"], 1);
  EXPECT_EQ(held(begun + R"(,"nan":"any"})", "7fc00000")["nan"], "any");
  const std::string passing_on =
      R"({"assay":1,"datapath":{"name":"own","like":"fused_f25","k":"16",)"
      R"("operands":{"a":"f16","b":"f16","c":"f32","d":"f32"},"nan":"propagate"},"pad":true)";
  EXPECT_EQ(held(passing_on + "}", "7fc00001")["nan"], "any");
  EXPECT_EQ(held(passing_on + "}", "7fc00001")["differ"], 0);
  EXPECT_EQ(held(passing_on + R"(,"nan":"bits"})", "7fc00001")["differ"], 1);
}

// A file that `check` refuses is refused here in the same words.
TEST_F(AnswerTest, RefusesAVectorFileAsTheCommandLineDoes) {
  const auto refused = [&](const std::string& text) {
    return error_of({{"ask", "vectors"}, {"name", "some.jsonl"}, {"text", text}});
  };
  const std::string line = R"({"a":["3c00"],"b":["3c00"],"c":"bf7fffff","d":"33800000"})";
  const std::string two = header.substr(0, header.size() - 1) + R"(,"cases":2})";
  EXPECT_EQ(refused(two + "\n" + line + "\n" + line + "\n"), "");
  EXPECT_EQ(refused(two + "\n" + line + "\n"),
            "some.jsonl, line 1: the header promises 2 cases, but the file holds 1.");
  EXPECT_EQ(refused(header + "\n" + line + "\n\n{}\n"),
            "some.jsonl, line 4: a is missing; the case needs 16 elements of it.");
  EXPECT_EQ(refused("\xef\xbb\xbf" + header + "\n" + line + "\n"),
            "some.jsonl, line 1: the file begins with a byte order mark; save it as UTF-8 without one, since a vector "
            "file begins with '{'.");
  EXPECT_EQ(refused(""), "some.jsonl is empty; a vector file begins with a header, {\"assay\":1,...}.");
}

// Two rows of A, one column of B: each element is a dot product.
TEST_F(AnswerTest, TakesMatricesApart) {
  const std::string matrix =
      R"({"A":[["3c00"],["4000"]],"B":[["3c00"]],"C":[["bf7fffff"],["00000000"]],"D":[["33800000"],["3f800000"]]})";
  const Json answer = ask({{"ask", "vectors"}, {"text", header + "\n" + matrix + "\n"}});
  ASSERT_FALSE(answer.contains("error")) << answer;
  EXPECT_EQ(answer["matrices"], 1);
  EXPECT_EQ(answer["sums"], 2);
  EXPECT_EQ(answer["listed"], Json::parse(R"([{"line":2,"recorded":"3f800000","model":"40000000","element":[1,0]}])"));
  const auto element = [&](const std::vector<int>& at) {
    return Json{{"ask", "case"}, {"header", header}, {"line", matrix}, {"element", at}};
  };
  EXPECT_EQ(ask(element({1, 0}))["operands"]["a"][0], "4000");
  EXPECT_EQ(ask(element({1, 0}))["d"], "3f800000");
  EXPECT_EQ(error_of(element({2, 0})), "This case is a whole matrix of 2 x 1, which has no element [2,0].");
}

// 17 products of 1 onto c = 1: sixteen in the first instruction along K, the last one in the second.
TEST_F(AnswerTest, HoldsElementsOfSeveralInstructionsToTheModel) {
  std::string row, column;
  for (int i = 0; i < 17; ++i) {
    row += i == 0 ? R"("3c00")" : R"(,"3c00")";
    column += i == 0 ? R"(["3c00"])" : R"(,["3c00"])";
  }
  const auto line = [&](const std::string& d) {
    return R"({"A":[[)" + row + R"(]],"B":[)" + column + R"(],"C":[["3f800000"]])" + d + "}";
  };
  const std::string right = line(R"(,"D":[["41900000"]])"), wrong = line(R"(,"D":[["41880000"]])");
  const Json answer =
      ask({{"ask", "vectors"}, {"text", header + "\n" + right + "\n" + wrong + "\n" + line("") + "\n"}});
  ASSERT_FALSE(answer.contains("error")) << answer;
  EXPECT_EQ(answer["sums"], 3);
  EXPECT_EQ(answer["without_d"], 1);
  EXPECT_EQ(answer["differ"], 1);
  EXPECT_EQ(answer["listed"], Json::parse(R"([{"line":3,"recorded":"41880000","model":"41900000","element":[0,0]}])"));
  const Json one = ask({{"ask", "case"}, {"header", header}, {"line", wrong}});
  EXPECT_EQ(one["instructions"], 2);
  EXPECT_EQ(one["operands"], (Json{{"a", {"3c00"}}, {"b", {"3c00"}}, {"c", {"41880000"}}}));
  EXPECT_EQ(one["d"], "41880000");
}

TEST(StageOfPlace, HasNoIndices) {
  EXPECT_EQ(browser::stage_of_place("lane[1].step[3].sum.align[5]"), "step.sum.align");
  EXPECT_EQ(browser::stage_of_place("step[0].tree[1].add[2].reduce"), "step.tree.reduce");
  EXPECT_EQ(browser::stage_of_place("decode.a[7]"), "decode.a");
  EXPECT_EQ(browser::stage_of_place("encode"), "encode");
}

}  // namespace
}  // namespace assay
