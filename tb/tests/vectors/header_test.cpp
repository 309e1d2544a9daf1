// The header: what it carries, and the sentence for each way in which it can be wrong.
#include "tb/vectors/header.hpp"

#include <gtest/gtest.h>

#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

std::string error_of(const std::string& line) {
  try {
    parse_header(line);
  } catch (const ScanError& error) {
    return error.message;
  }
  return "no error";
}

std::string with(const std::string& member) {
  return R"({"assay":1,"architecture":"hopper","instruction":"x",)" + member + "}";
}

TEST(Header, CarriesEverything) {
  const std::string line = R"({"assay":1,"architecture":"hopper","instruction":"wgmma","datapath_sha256":")" +
                           std::string(64, 'a') +
                           R"(","pad":true,"nan":"any","cases":12,"trace":true,)"
                           R"("provenance":{"device":"NVIDIA \"H100\"","year":2025,"who":["x"]},"k":16,"note":"kept"})";
  const VectorHeader header = parse_header(line);
  EXPECT_EQ(header.version, 1);
  EXPECT_EQ(header.architecture, "hopper");
  EXPECT_EQ(header.instruction, "wgmma");
  EXPECT_EQ(header.datapath_sha256, std::string(64, 'a'));
  EXPECT_TRUE(header.pad);
  EXPECT_EQ(header.nan, NanPolicy::any);
  EXPECT_EQ(header.cases, std::uint64_t{12});
  EXPECT_TRUE(header.trace);
  ASSERT_EQ(header.provenance.size(), 3U);
  EXPECT_EQ(header.provenance[0].name, "device");
  EXPECT_EQ(header.provenance[0].text(), "NVIDIA \"H100\"");
  EXPECT_EQ(header.provenance[1].text(), "2025");
  EXPECT_EQ(header.provenance[2].json, R"(["x"])");
  EXPECT_EQ(header.others, (std::vector<HeaderMember>{{"k", "16"}, {"note", "\"kept\""}}));
  EXPECT_EQ(print_header(header), line);
}

TEST(Header, StaysSilentAboutWhatIsNotGiven) {
  const std::string line = R"({"assay":1,"architecture":"hopper","instruction":"x"})";
  const VectorHeader header = parse_header(line);
  EXPECT_FALSE(header.pad);
  EXPECT_FALSE(header.cases.has_value());
  EXPECT_EQ(header.nan, NanPolicy::unset);
  EXPECT_EQ(print_header(header), line);
  EXPECT_EQ(parse_header(with(R"("nan":"bits")")).nan, NanPolicy::bits);
}

TEST(Header, KeepsAnInlineDatapathAsItStands) {
  const std::string line = R"({"assay":1,"datapath":{"adders": [ {"name":"sum"} ]}})";
  const VectorHeader header = parse_header(line);
  EXPECT_EQ(header.datapath, R"({"adders": [ {"name":"sum"} ]})");
  EXPECT_EQ(print_header(header), line);
}

TEST(Header, MustBeOne) {
  EXPECT_EQ(error_of(R"({"a":["3c00"],"b":["3c00"],"c":"00000000"})"),
            "the line is no header: a vector file begins with {\"assay\":1,\"architecture\":...}.");
  EXPECT_EQ(error_of("a,b,c"), "byte 1 is 'a', but '{' should stand there.");
  EXPECT_EQ(error_of(R"({"assay":1,"arch)"),
            "the line is cut short at byte 17 where the text should go on or end with a quote.");
  EXPECT_EQ(error_of(R"({"assay":1,"assay":1})"), "member assay is given twice; give it once.");
}

TEST(Header, MustBeOfAKnownVersion) {
  EXPECT_EQ(error_of(R"({"assay":2,"architecture":"hopper","instruction":"x"})"),
            "assay is '2', a version this program does not know; it reads version 1.");
  EXPECT_EQ(error_of(R"({"assay":"1"})"),
            "assay is '\"1\"', a version this program does not know; it reads version 1.");
}

TEST(Header, MustSayWhatItIsOf) {
  const std::string either =
      "; a header names an architecture and an instruction, or describes a datapath in their place.";
  EXPECT_EQ(error_of(R"({"assay":1,"instruction":"x"})"), "the header has no architecture" + either);
  EXPECT_EQ(error_of(R"({"assay":1,"architecture":"x"})"), "the header has no instruction" + either);
}

TEST(Header, SaysItOnce) {
  const std::string either =
      "; a header names an architecture and an instruction, or describes a datapath in their place.";
  EXPECT_EQ(error_of(with(R"("datapath":{"name":"x"})")), "the header has an instruction and a datapath" + either);
  EXPECT_EQ(error_of(R"({"assay":1,"datapath":{"name":"x"},"instruction":"x"})"),
            "the header has an instruction and a datapath" + either);
  EXPECT_EQ(error_of(R"({"assay":1,"datapath":{"name":"x"},"architecture":"x"})"),
            "the header has an architecture and a datapath" + either);
}

TEST(Header, ChecksEachMember) {
  EXPECT_EQ(error_of(R"({"assay":1,"architecture":5})"),
            "architecture is '5'; it should be the name of an architecture.");
  EXPECT_EQ(error_of(R"({"assay":1,"architecture":""})"),
            "architecture is '\"\"'; it should be the name of an architecture.");
  EXPECT_EQ(error_of(R"({"assay":1,"instruction":[]})"),
            "instruction is '[]'; it should be the name of an instruction.");
  EXPECT_EQ(error_of(R"({"assay":1,"datapath":"x.yaml"})"), "datapath is '\"x.yaml\"'; it should be a mapping, {...}.");
  EXPECT_EQ(error_of(with(R"("pad":1)")), "pad is '1'; it should be true or false.");
  EXPECT_EQ(error_of(with(R"("trace":"yes")")), "trace is '\"yes\"'; it should be true or false.");
  EXPECT_EQ(error_of(with(R"("cases":-1)")), "cases is '-1'; it should be a whole number, not negative.");
  EXPECT_EQ(error_of(with(R"("cases":"3")")), "cases is '\"3\"'; it should be a whole number, not negative.");
  EXPECT_EQ(error_of(with(R"("nan":"some")")), "nan is '\"some\"'; it should be \"bits\" or \"any\".");
  EXPECT_EQ(error_of(with(R"("provenance":"me")")), "provenance is '\"me\"'; it should be a mapping, {...}.");
  EXPECT_EQ(error_of(with(R"("datapath_sha256":"abc")")),
            "datapath_sha256 is '\"abc\"'; it should be the 64 lower-case hex digits of a SHA-256.");
  EXPECT_EQ(error_of(with("\"datapath_sha256\":\"" + std::string(64, 'A') + "\"")).substr(0, 18), "datapath_sha256 is");
  EXPECT_EQ(error_of("{\"assay\":1,\"architecture\":\"\xff\"}"), "architecture is not UTF-8 text.");
}

}  // namespace
}  // namespace assay
