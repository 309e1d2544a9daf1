// Exports and their way back, as commands: every format for units of many kinds, and every error that is documented.
#include <gtest/gtest.h>

#include <filesystem>

#include "model/base/sha256.hpp"
#include "tb/export/export_format.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing_vectors::file_bytes;
using testing_vectors::put_file;

const std::vector<std::string> all_formats{"jsonl", "readmemh", "c", "npz", "safetensors"};
const std::vector<std::string> array_formats{"readmemh", "c", "npz", "safetensors"};

void generate(const std::string& path, const std::string& unit = wgmma, const std::vector<std::string>& more = {}) {
  std::vector<std::string> args{"generate", "--instruction", unit, "-o", path, "--cases", "60"};
  args.insert(args.end(), more.begin(), more.end());
  const Ran ran = run(args);
  ASSERT_EQ(ran.status, passed) << ran.err;
}

void replace(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = file_bytes(path);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, text.npos) << path << " has no " << from;
  put_file(path, text.replace(at, from.size(), to));
}

// Text of `count` cases whose members are these.
std::string file_of(const std::vector<std::string>& cases, const std::string& header = "") {
  std::string text =
      "{\"assay\":1,\"architecture\":\"ampere\",\"instruction\":\"mma.m8n8k4.f64.f64.f64.f64\"" + header + "}\n";
  const std::string list = "[\"3ff0000000000000\",\"3ff0000000000000\",\"3ff0000000000000\",\"3ff0000000000000\"]";
  for (const std::string& more : cases)
    text += "{\"a\":" + list + ",\"b\":" + list + ",\"c\":\"3ff0000000000000\"" + more + "}\n";
  return text;
}
const std::string with_d = ",\"d\":\"4014000000000000\"";

// --- there and back ---

void expect_same_after_export(const Scratch& folder, const std::string& file, const std::vector<std::string>& formats) {
  for (const std::string& format : formats) {
    const Ran exported = run({"export", folder / file, "--to", format, "-o", folder / format});
    ASSERT_EQ(exported.status, passed) << exported.err;
    EXPECT_TRUE(fs::exists(folder / format + "/manifest.json"));
    const Ran imported = run({"import", folder / format, "-o", folder / "back.jsonl"});
    ASSERT_EQ(imported.status, passed) << imported.err;
    EXPECT_EQ(file_bytes(folder / "back.jsonl"), file_bytes(folder / file)) << format;
  }
}

class ThereAndBack : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Units, ThereAndBack,
                         ::testing::Values(wgmma, "hopper:wgmma.m64nNk32.f16.e4m3.e5m2",
                                           "hopper:mma.m16n8k4.f32.tf32.tf32.f32", "ampere:mma.m8n8k4.f64.f64.f64.f64",
                                           "x86:tdpbssd", "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e3m2.f32.ue8m0",
                                           "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e2m1.f32.ue8m0"));

TEST_P(ThereAndBack, GivesTheSameFile) {
  const Scratch folder;
  ASSERT_NO_FATAL_FAILURE(generate(folder / "v.jsonl", GetParam(), {"--with-results"}));
  expect_same_after_export(folder, "v.jsonl", all_formats);
  EXPECT_NE(file_bytes(folder / "v.jsonl").find("\"d\":"), std::string::npos);
}

TEST(Export, WithoutResults) {
  const Scratch folder;
  ASSERT_NO_FATAL_FAILURE(generate(folder / "v.jsonl"));
  expect_same_after_export(folder, "v.jsonl", all_formats);
  EXPECT_EQ(file_bytes(folder / "back.jsonl").find("\"d\":"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "readmemh/tb.sv")) << "there is nothing that it could compare";
}

// Whoever looks for the testbench reads why there is none, and what gives one.
TEST(Export, SaysWhatItLacksWithoutResults) {
  const Scratch folder;
  ASSERT_NO_FATAL_FAILURE(generate(folder / "v"));
  const std::string because =
      ": its cases have no results. `assay generate --with-results` and `assay run` give them "
      "the model's.\n";
  for (const auto& [to, what] : std::vector<std::pair<std::string, std::string>>{
           {"readmemh", "d.hex and no tb.sv"}, {"c", "assay_d"}, {"npz", "array d"}, {"safetensors", "tensor d"}}) {
    const std::string made = folder / ("generated_" + to), exported = folder / ("exported_" + to);
    const Ran generated = run({"generate", "--instruction", wgmma, "--cases", "5", "--to", to, "-o", made});
    EXPECT_EQ(generated.status, passed);
    EXPECT_NE(generated.err.find("assay: " + made + " has no " + what + because), std::string::npos) << generated.err;
    EXPECT_EQ(run({"export", folder / "v", "--to", to, "-o", exported}).err,
              "assay: " + exported + " has no " + what + because);
    const Ran whole =
        run({"generate", "--instruction", wgmma, "--cases", "5", "--to", to, "--with-results", "-o", made + "_whole"});
    EXPECT_EQ(whole.err.find("has no"), std::string::npos) << whole.err;
  }
  EXPECT_EQ(run({"export", folder / "v", "--to", "jsonl", "-o", folder / "lines"}).err, "");
}

TEST(Export, OfAnOwnDatapath) {
  const Scratch folder;
  put_file(folder / "mine.yaml", "name: mine\nlike: fused_f25\nk: 3\noperands: {a: e3m2, b: f16, c: bf16, d: f32}\n");
  ASSERT_EQ(run({"generate", "--datapath", folder / "mine.yaml", "-o", folder / "v", "--with-results"}).status, passed);
  expect_same_after_export(folder, "v", all_formats);
  // What it is called, not where it was found.
  EXPECT_NE(file_bytes(folder / "c/vectors.h").find("// Cases of datapath mine, "), std::string::npos);
}

TEST(Export, OfGeneratedCasesIsThatOfTheirFile) {
  const Scratch folder;
  ASSERT_NO_FATAL_FAILURE(generate(folder / "v.jsonl.zst", wgmma, {"--with-results"}));
  for (const std::string& format : all_formats) {
    ASSERT_NO_FATAL_FAILURE(generate(folder / format, wgmma, {"--with-results", "--to", format}));
    ASSERT_EQ(run({"export", folder / "v.jsonl.zst", "--to", format, "-o", folder / ("of_file_" + format)}).status,
              passed);
    for (const auto& file : fs::directory_iterator(folder / format)) {
      const std::string name = file.path().filename().string();
      EXPECT_EQ(file_bytes(file.path().string()), file_bytes(folder / ("of_file_" + format + "/" + name))) << name;
    }
  }
}

TEST(Export, OfAFileWithoutACount) {
  const Scratch folder;
  put_file(folder / "v", file_of({with_d, with_d, with_d}));
  for (const std::string& format : all_formats) {
    ASSERT_EQ(run({"export", folder / "v", "--to", format, "-o", folder / format}).status, passed);
    ASSERT_EQ(run({"import", folder / format, "-o", folder / "back"}).status, passed);
    EXPECT_EQ(file_bytes(folder / "back"), file_of({with_d, with_d, with_d}, ",\"cases\":3")) << format;
  }
}

TEST(Export, TakesUpPaddedCasesInFull) {
  const Scratch folder;
  std::string text = file_of({with_d}, ",\"pad\":true");
  const std::string shorter = "\"3ff0000000000000\",\"3ff0000000000000\"]";
  text.replace(text.find(shorter), shorter.size(), "\"3ff0000000000000\"]");
  put_file(folder / "v", text);
  ASSERT_EQ(run({"export", folder / "v", "--to", "npz", "-o", folder / "e"}).status, passed);
  ASSERT_EQ(run({"import", folder / "e", "-o", folder / "back"}).status, passed);
  EXPECT_NE(file_bytes(folder / "back").find("\"3ff0000000000000\",\"0000000000000000\"],\"b\""), std::string::npos);
  EXPECT_EQ(file_bytes(folder / "back").find("pad"), std::string::npos);
}

TEST(Export, CountsWhatItHasNoPlaceFor) {
  const Scratch folder;
  put_file(folder / "v", file_of({with_d + ",\"id\":7", with_d, with_d + ",\"tag\":\"x\""}));
  for (const std::string& format : array_formats) {
    ASSERT_EQ(run({"export", folder / "v", "--to", format, "-o", folder / format}).status, passed);
    EXPECT_NE(file_bytes(folder / format + "/manifest.json").find("\"cases_that_lost_members\": 2"), std::string::npos);
  }
  ASSERT_EQ(run({"export", folder / "v", "--to", "jsonl", "-o", folder / "lines"}).status, passed);
  EXPECT_NE(file_bytes(folder / "lines/manifest.json").find("\"cases_that_lost_members\": 0"), std::string::npos);
  EXPECT_NE(file_bytes(folder / "lines/vectors.jsonl").find("\"id\":7"), std::string::npos);
}

TEST(Export, WarnsWhereTheDatapathIsAnother) {
  const Scratch folder;
  put_file(folder / "v", file_of({with_d}, ",\"datapath_sha256\":\"" + std::string(64, '0') + "\""));
  const Ran ran = run({"export", folder / "v", "--to", "npz", "-o", folder / "e"});
  EXPECT_EQ(ran.status, passed);
  EXPECT_NE(ran.err.find("datapath_sha256 is 000000000000..., but the datapath here has"), std::string::npos);
  // What d was computed with stays in the header; the manifest says what the datapath is now.
  EXPECT_NE(file_bytes(folder / "e/manifest.json").find("\"datapath_sha256\":\"0000"), std::string::npos);
  EXPECT_EQ(file_bytes(folder / "e/manifest.json").find("\"datapath_sha256\": \"0000"), std::string::npos);
}

TEST(Import, TakesAnyFileOfTheExport) {
  const Scratch folder;
  ASSERT_NO_FATAL_FAILURE(generate(folder / "e", wgmma, {"--to", "readmemh"}));
  for (const std::string name : {"e/", "e/a.hex", "e/manifest.json"}) {
    ASSERT_EQ(run({"import", folder / name, "-o", folder / "back"}).status, passed) << name;
    ASSERT_NO_FATAL_FAILURE(generate(folder / "v"));
    EXPECT_EQ(file_bytes(folder / "back"), file_bytes(folder / "v"));
  }
}

// A testbench is there to be changed.
TEST(Import, AsksOnlyAboutFilesWithCases) {
  const Scratch folder;
  ASSERT_NO_FATAL_FAILURE(generate(folder / "e", wgmma, {"--to", "readmemh", "--with-results"}));
  replace(folder / "e/tb.sv", "#1;", "#2;");
  EXPECT_EQ(run({"import", folder / "e", "-o", folder / "back"}).status, passed);
}

// --- how elements lie ---

std::string encoded(const Encoding& encoding, const Column& column, std::vector<Code> codes) {
  std::string text;
  encoding.append(text, codes.data(), column);
  EXPECT_EQ(text.size(), encoding.width(column));
  std::vector<Code> again(codes.size());
  encoding.parse(text, column, again.data());
  EXPECT_EQ(again, codes);
  return text;
}

Column column_of(const char* format, int elements) {
  return {CaseMember::a, "a", *find_format(format), elements, true};
}

TEST(Encoding, PutsElementZeroLowest) {
  EXPECT_EQ(encoded(hex_word_encoding, column_of("f16", 3), {0x1234, 0x5678, 0x9abc}), "9abc56781234\n");
  EXPECT_EQ(encoded(raw_encoding, column_of("f16", 2), {0x1234, 0x5678}), "\x34\x12\x78\x56");
  EXPECT_EQ(encoded(hex_word_encoding, column_of("e2m1", 4), {1, 2, 3, 4}), "4321\n");
}

TEST(Encoding, PacksSixBitsWithoutGaps) {
  // 111111 000001 100000: 11 1111 0000 0110 0000
  EXPECT_EQ(encoded(hex_word_encoding, column_of("e3m2", 3), {0x20, 0x01, 0x3f}), "3f060\n");
  EXPECT_EQ(encoded(raw_encoding, column_of("e3m2", 3), {0x20, 0x01, 0x3f}), "\x20\x01\x3f");
}

TEST(Encoding, WritesInitialisersInShortLines) {
  EXPECT_EQ(encoded(c_encoding, column_of("e2m1", 2), {1, 15}), "  {0x1, 0xf},\n");
  Column single = column_of("f32", 1);
  single.list = false;
  EXPECT_EQ(encoded(c_encoding, single, {0x3f800000}), "  0x3f800000,\n");
  const std::string lines = encoded(c_encoding, column_of("f64", 9), std::vector<Code>(9, 1));
  for (std::size_t at = 0, end = 0; at < lines.size(); at = end + 1) {
    end = lines.find('\n', at);
    EXPECT_LE(end - at, 100U);
  }
}

TEST(Encoding, HoldsWhatFormatsOf64BitsDo) {
  const std::vector<Code> codes{0xfedcba9876543210, 1};
  EXPECT_EQ(encoded(hex_word_encoding, column_of("f64", 2), codes), "0000000000000001fedcba9876543210\n");
  encoded(raw_encoding, column_of("f64", 2), codes);
  encoded(c_encoding, column_of("f64", 2), codes);
}

// --- what export refuses ---

std::string refused(const std::vector<std::string>& args) {
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, wrong_use) << ran.err;
  EXPECT_EQ(ran.out, "");
  return ran.err;
}

TEST(ExportRefuses, AFolderThatIsThere) {
  const Scratch folder;
  put_file(folder / "v", file_of({with_d}));
  ASSERT_EQ(run({"export", folder / "v", "--to", "npz", "-o", folder / "e"}).status, passed);
  const std::string before = file_bytes(folder / "e/manifest.json");
  EXPECT_EQ(refused({"export", folder / "v", "--to", "c", "-o", folder / "e"}),
            "assay: " + folder / "e cannot be written: it is there already and not empty; name a new folder.\n");
  EXPECT_EQ(file_bytes(folder / "e/manifest.json"), before);
  put_file(folder / "file", "");
  EXPECT_EQ(refused({"export", folder / "v", "--to", "c", "-o", folder / "file"}),
            "assay: " + folder / "file cannot be written: it is there already and is no folder; name a new one.\n");
  fs::create_directory(folder / "empty");
  EXPECT_EQ(run({"export", folder / "v", "--to", "c", "-o", folder / "empty/"}).status, passed);
  EXPECT_TRUE(fs::exists(folder / "empty/vectors.h"));
}

TEST(ExportRefuses, OptionsThatDoNotGoTogether) {
  const Scratch folder;
  put_file(folder / "v", file_of({with_d}));
  const auto says = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args{"export", folder / "v"};
    args.insert(args.end(), more.begin(), more.end());
    return refused(args);
  };
  EXPECT_EQ(says({"--to", "hdf5", "-o", folder / "e"}),
            "assay: --to hdf5 is no format for an export; there are jsonl, readmemh, c, npz, safetensors.\n");
  EXPECT_EQ(says({"--to", "npz", "-o", "-"}), "assay: --to npz writes a folder; name a new one with -o.\n");
  EXPECT_EQ(says({"--to", "readmemh", "-o", folder / "e", "--module", "7 up"}),
            "assay: --module '7 up' is no name of a SystemVerilog module: letters, digits, _ and $, no digit or $ "
            "first.\n");
  EXPECT_EQ(says({"--to", "npz", "-o", folder / "e", "--module", "mine"}),
            "assay: --module mine names what a testbench drives, which only --to readmemh writes.\n");
  EXPECT_NE(refused({"generate", "--instruction", wgmma, "--cases", "5", "-o", folder / "e.npz"})
                .find("e.npz would be JSON lines, which no .npz file is: name it .jsonl, or give one of the formats of "
                      "--to: jsonl, readmemh, c, npz, safetensors."),
            std::string::npos);
  EXPECT_NE(says({"-o", folder / "e"}).find("--to is required"), std::string::npos);
  EXPECT_EQ(says({"--to", "npz"}), "assay: An export of cases is a folder; name a new one with -o.\n");
  EXPECT_EQ(
      says({"--to", "npz", "-o", folder / "e", "--name", "mine"}),
      "assay: --name is of a model, which --instruction or --datapath asks for; --module names what tb.sv drives.\n");
  EXPECT_EQ(says({"--to", "c", "--instruction", wgmma}),
            "assay: Say what to export: the cases of FILE, or the model of --instruction or --datapath; not both.\n");
  EXPECT_EQ(says({"--to", "npz", "-o", folder / "none/e"}),
            "assay: " + folder / "none/e cannot be written: No such file or directory.\n");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(ExportRefuses, CasesItCannotHold) {
  const Scratch folder;
  const auto says = [&](const std::string& format, const std::string& text) {
    put_file(folder / "v", text);
    const std::string error = refused({"export", folder / "v", "--to", format, "-o", folder / "e"});
    EXPECT_EQ(folder.files(), 1U) << "something was left behind";
    const std::string begin = "assay: " + folder / "e was not written: ";
    return error.compare(0, begin.size(), begin) == 0 ? error.substr(begin.size()) : error;
  };
  const std::string one = "[[\"3ff0000000000000\"]]";
  const std::string row = "[[\"3ff0000000000000\",\"3ff0000000000000\",\"3ff0000000000000\",\"3ff0000000000000\"]]";
  std::string column = row;
  for (std::size_t at = column.find(','); at != column.npos; at = column.find(',', at + 3))
    column.replace(at, 1, "],[");
  for (const std::string& format : all_formats) {
    EXPECT_EQ(says(format, file_of({})), "there is no case to export.\n");
    EXPECT_EQ(says(format, file_of({with_d}) + "{\"A\":" + row + ",\"B\":" + column + ",\"C\":" + one + "}\n"),
              "case 1, element [0,0] is one of a whole matrix; only single dot products are exported.\n");
    EXPECT_EQ(says(format, file_of({with_d}, ",\"cases\":2")),
              "assay: " + folder / "v, line 1: the header promises 2 cases, but the file holds 1.\n");
  }
  for (const std::string& format : array_formats) {
    EXPECT_EQ(says(format, file_of({with_d, with_d, ""})),
              "case 2 has no d, and those before it have one; `assay run` fills in d for all.\n");
    EXPECT_EQ(says(format, file_of({"", with_d})),
              "case 1 has a d, and those before it have none; `assay run` fills in d for all.\n");
  }
}

// The limit of zip, without writing as much.
TEST(ExportRefuses, AnArchiveBeyond4GiB) {
  const Scratch folder;
  const OutputFolder out(folder / "e");
  const std::vector<Column> columns{column_of("f16", 16)};
  const std::vector<std::uint64_t> bytes{0xffffffff};
  const Plan plan;
  try {
    assemble_npz({out, columns, bytes, 134'217'728}, {plan, {}, "", "", "", ""});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, folder / "e/vectors.npz" +
                                 " cannot be written: it would be larger than the 4 GiB that zip has room for; export "
                                 "fewer cases, or export to safetensors.");
  }
}

TEST(ExportRefuses, ASmallestSetAtOnce) {
  EXPECT_EQ(refused({"generate", "--instruction", wgmma, "--minimise", "--to", "npz"}),
            "assay: --to excludes --minimise (see assay --help).\n");
}

// --- what import refuses ---

class Imported : public ::testing::Test {
 protected:
  void SetUp() override {
    put_file(folder_ / "v", file_of({with_d, with_d}));
    for (const std::string& format : all_formats)
      ASSERT_EQ(run({"export", folder_ / "v", "--to", format, "-o", folder_ / format}).status, passed);
  }

  // Without what every message begins with.
  std::string says(const std::string& format) {
    const std::string error = refused({"import", folder_ / format, "-o", folder_ / "back"});
    EXPECT_FALSE(fs::exists(folder_ / "back"));
    const std::string begin = "assay: " + folder_ / format + "/";
    EXPECT_EQ(error.substr(0, begin.size()), begin);
    return error.substr(std::min(error.size(), begin.size()));
  }

  std::string data_of(const std::string& format) const {
    if (format == "readmemh") return folder_ / "readmemh/c.hex";
    return folder_ / (format + "/vectors." + (format == "c" ? "h" : format));
  }

  Scratch folder_;
};

TEST_F(Imported, ChangedByte) {
  for (const std::string& format : all_formats) {
    std::string bytes = file_bytes(data_of(format));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    put_file(data_of(format), bytes);
    EXPECT_NE(says(format).find(" has changed since it was exported: its SHA-256 is "), std::string::npos) << format;
  }
}

TEST_F(Imported, TruncatedFile) {
  for (const std::string& format : all_formats) {
    const std::string bytes = file_bytes(data_of(format));
    put_file(data_of(format), bytes.substr(0, bytes.size() - 5));
    EXPECT_NE(says(format).find(" has " + std::to_string(bytes.size() - 5) + " bytes, but "), std::string::npos);
  }
}

// Whoever changes a file and its hash in the manifest, too, is told what does not go together.
TEST_F(Imported, AFileOfMoreThanItsCases) {
  const std::string manifest = folder_ / "readmemh/manifest.json", file = folder_ / "readmemh/a.hex";
  const std::string before = file_bytes(file), after = before + before.substr(0, before.size() / 2);
  put_file(file, after);
  replace(manifest, sha256(before), sha256(after));
  const std::string entry = "\"name\": \"a.hex\", \"bytes\": ";
  replace(manifest, entry + std::to_string(before.size()), entry + std::to_string(after.size()));
  EXPECT_NE(says("readmemh").find("a.hex has no a of 2 cases there."), std::string::npos);
}

TEST_F(Imported, MissingFile) {
  for (const std::string& format : all_formats) {
    fs::remove(data_of(format));
    EXPECT_NE(says(format).find(" is missing; "), std::string::npos) << format;
  }
}

TEST_F(Imported, AnotherNumberOfTerms) {
  for (const std::string& format : all_formats) {
    const std::string manifest = folder_ / format + "/manifest.json";
    const std::string text = file_bytes(manifest);
    const std::size_t at = text.find("\"k\": ") + 5;
    const std::string k = text.substr(at, text.find(',', at) - at);
    replace(manifest, "\"k\": " + k + ",", "\"k\": 1" + k + ",");
    EXPECT_EQ(says(format), "manifest.json: k is 1" + k + ", but what the header names has " + k +
                                " terms; they should be the same.\n");
  }
}

TEST_F(Imported, WrongCount) {
  for (const std::string& format : all_formats) {
    const std::string manifest = folder_ / format + "/manifest.json";
    replace(manifest, "\"cases\": 2", "\"cases\": 3");
    EXPECT_EQ(says(format), "manifest.json: cases is 3, but the header has 2; they should be the same.\n");
    replace(manifest, "\"cases\":2", "\"cases\":3");
    if (format == "jsonl") {
      EXPECT_NE(says(format).find("manifest.json: the header is not that of "), std::string::npos);
    } else {
      EXPECT_NE(says(format).find(", but 3 cases of a take "), std::string::npos);
    }
  }
}

TEST_F(Imported, AnotherVersion) {
  replace(folder_ / "npz/manifest.json", "\"assay_export\": 1", "\"assay_export\": 2");
  EXPECT_EQ(says("npz"),
            "manifest.json: assay_export is 2, a version this program does not know; it reads version 1.\n");
}

TEST_F(Imported, AManifestThatIsNone) {
  const std::string manifest = folder_ / "npz/manifest.json";
  const std::string good = file_bytes(manifest);
  const auto with = [&](const std::string& from, const std::string& to) {
    put_file(manifest, good);
    replace(manifest, from, to);
    return says("npz");
  };
  EXPECT_EQ(with("\"npz\"", "\"hdf5\""),
            "manifest.json: format is 'hdf5', which this program does not know; it knows jsonl, readmemh, c, npz, "
            "safetensors.\n");
  EXPECT_EQ(with("\"assay_export\": 1,", ""),
            "manifest.json: it is no manifest of an export: that begins with {\"assay_export\": 1, ...}.\n");
  EXPECT_EQ(with("\"header\"", "\"headers\""),
            "manifest.json: the manifest has no header; it should have that of a vector file.\n");
  EXPECT_EQ(with("\"file\": \"vectors.npz\"", "\"file\": \"../vectors.npz\""),
            "manifest.json: file is '../vectors.npz'; it should be the name of a file in the folder.\n");
  EXPECT_EQ(with("\"name\": \"vectors.npz\"", "\"name\": \"others.npz\""),
            "manifest.json: files does not have vectors.npz, in which there are cases.\n");
  EXPECT_EQ(with("\"format\": \"npz\"", "\"format\": 7"), "manifest.json: format is '7'; it should be a text.\n");
  EXPECT_EQ(with("\"bits\": 64", "\"bits\": 99999999"), "manifest.json: bits is 99999999, too much.\n");
  EXPECT_EQ(with("\"bits\": 64", "\"bits\": 32"),
            "manifest.json: arrays[0] is 'a' of 4 x 32 bits, but what the header names has a of 4 x 64 bits there.\n");
  EXPECT_EQ(with("\"number\": \"f64\"", "\"number\": \"i64\""),
            "manifest.json: arrays[0] has codes of 'i64', but what the header names has f64 there.\n");
  EXPECT_EQ(with("\"cases_with_d\": 2", "\"cases_with_d\": 0"), "manifest.json: arrays are 4, but its cases take 3.\n");
  EXPECT_NE(with("}\n  ],", "").find("manifest.json: "), std::string::npos);
  put_file(manifest, std::string(5 << 20, ' '));
  EXPECT_EQ(says("npz"), "manifest.json is larger than 4 MiB, which no manifest is.\n");
}

// The place that a manifest names has to be the one that the file itself has for this array.
TEST_F(Imported, AnArrayThatIsNotWhereTheManifestSays) {
  const auto offset_of = [](const std::string& text, const std::string& array) {
    const std::size_t at = text.find("\"offset\": ", text.find("{\"name\": \"" + array + "\", \"number\""));
    return text.substr(at, text.find(',', at) - at);
  };
  for (const std::string& format : array_formats) {
    const std::string manifest = folder_ / format + "/manifest.json", good = file_bytes(manifest);
    const std::string a = offset_of(good, "a"), b = offset_of(good, "b");
    const auto with = [&](const std::string& to) {
      put_file(manifest, good);
      replace(manifest, a, to);
      return says(format);
    };
    const std::string elsewhere = with(format == "readmemh" ? "\"offset\": 1" : b);
    EXPECT_NE(elsewhere.find("manifest.json: arrays[0] has "), std::string::npos) << elsewhere;
    EXPECT_NE(elsewhere.find(" has no a of 2 cases there.\n"), std::string::npos) << elsewhere;
    EXPECT_EQ(with("\"other\": 0"),
              "manifest.json: array 'a' has no offset; it should say where in its file it begins.\n");
    EXPECT_EQ(with(a + ", " + a), "manifest.json: an array has offset twice; it should have it once.\n");
    EXPECT_NE(with("\"offset\": 18446744073709551615").find("manifest.json: arrays[0] has "), std::string::npos);
  }
}

// Of one type and shape: only the name tells them apart.
TEST_F(Imported, AnArrayInTheFileOfAnother) {
  const std::string manifest = folder_ / "readmemh/manifest.json";
  replace(manifest, "\"file\": \"a.hex\"", "\"file\": \"b.hex\"");
  EXPECT_NE(says("readmemh").find(" has no a of 2 cases there.\n"), std::string::npos);
}

TEST_F(Imported, WhatIsNoExport) {
  EXPECT_EQ(
      refused({"import", folder_ / "none"}),
      "assay: " + folder_ / "none cannot be imported: there is no such file; name a file of a recording, or the " +
          "folder of an export.\n");
  EXPECT_EQ(refused({"import", folder_ / "v"}),
            "assay: " + folder_ / "v is neither an export, which has a manifest.json beside it, nor a recording in a " +
                "layout that is known here (words, listing, csv); --from names the one that it should have.\n");
  fs::create_directory(folder_ / "empty");
  EXPECT_EQ(
      refused({"import", folder_ / "empty"}),
      "assay: " + folder_ / "empty is no export: there is no manifest.json in it, as `assay export` writes one.\n");
}

// Each digit of text is held to what would be written.
TEST_F(Imported, ADigitThatIsNone) {
  for (const auto& [format, file] : {std::pair("readmemh", "c.hex"), std::pair("c", "vectors.h")}) {
    const std::string path = folder_ / format + "/" + file;
    std::string bytes = file_bytes(path);
    bytes[bytes.find("3ff0")] = 'x';
    const std::string manifest = folder_ / format + "/manifest.json";
    const std::string before = sha256(file_bytes(path));
    put_file(path, bytes);
    replace(manifest, before, sha256(bytes));
    EXPECT_NE(says(format).find(" of case 0 is not "), std::string::npos) << format;
  }
}

}  // namespace
}  // namespace assay
