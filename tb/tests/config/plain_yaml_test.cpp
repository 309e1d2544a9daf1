// The quick reader of plain YAML against yaml-cpp: what it takes means the same, and what we ship it takes.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "model/base/files.hpp"
#include "model/config/yaml.hpp"
#include "tb/fuzz/yaml_readers.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_dir()) / folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(PlainYaml, TakesTheCatalogue) {
  std::vector<std::string> files = files_below("configs/arch");
  for (std::string& file : files_below("configs/datapath")) files.push_back(std::move(file));
  ASSERT_GT(files.size(), 100U);
  for (const std::string& file : files) {
    const YamlReaders read = read_by_both(read_config_text(file));
    EXPECT_TRUE(read.is_plain) << file << " is read slowly";
    EXPECT_EQ(read.plain, read.any) << file;
  }
}

TEST(PlainYaml, ReadsEveryOtherFileAlikeOrNot) {
  for (const char* folder : {"configs", "docs", "rtl_ref"}) {
    for (const std::string& file : files_below(folder))
      EXPECT_TRUE(read_by_both(read_config_text(file)).agree()) << file;
  }
}

TEST(PlainYaml, TakesWhatPeopleWrite) {
  for (const char* text : {"a: b\n",
                           "a: b",
                           "\n# first\na: b  # rest\n\n#last",
                           "a:\n  b: 1\n  c: [x, y]\n",
                           "- a\n- b: c\n  d: e\n- - f\n  - g\n",
                           "a: {b: c, d: [e, {f: g}], h: {}, i: []}\n",
                           "a: [one,\n    two,  # comment\n    three]\nb: c\n",
                           "a:\n  [one, two]\nb: c\n",
                           "a: \"b # c: d\"\nb: 'x'\n",
                           "\"a\": b\n'c d': e\n",
                           "a b: c d\n",
                           "a: b:c::d\n",
                           "a: b#c\n",
                           "a: -1\nb: -x\nc: 1.5e-3\n",
                           "a: ~\nb: null\nc: ''\n",
                           "a: &x [1, 2]\nb: *x\n",
                           "a: &x\n  b: c\nd: *x\n",
                           "a: [&x {b: c}, *x]\n",
                           "a: &x [*x]\n",
                           "a: [maker's, b c, d:e, f.*.g]\n",
                           "a: 1\na: 2\n",
                           "[a, b]\n",
                           "word\n",
                           "  a: b\n  c: d\n",
                           "a: b\nc:\n    d: e\n    f:\n     - g\n",
                           "a: x - y\nb: c ? d\n"}) {
    const YamlReaders read = read_by_both(text);
    EXPECT_TRUE(read.is_plain) << text;
    EXPECT_TRUE(read.agree()) << text << "plain:\n" << read.plain << "any:\n" << read.any;
  }
}

TEST(PlainYaml, LeavesTheRest) {
  for (const char* text : {"",
                           "# nothing\n",
                           "a: b\n  c\n",
                           "a: b\n   c: d\n",
                           "a:\n",
                           "a:\nb: c\n",
                           "a:\n- b\n",
                           "a: b: c\n",
                           "a: !t b\n",
                           "a: |\n  b\n",
                           "a: >\n  b\n",
                           "a:\tb\n",
                           "a: b\r\n",
                           "a: \"b\\n\"\n",
                           "a: 'it''s'\n",
                           "a: \"b\n  c\"\n",
                           "a: [b, c,]\n",
                           "a: [b: c]\n",
                           "a: {b}\n",
                           "a: {b: }\n",
                           "a: {b:c}\n",
                           "a: [b]c\n",
                           "a: [b\n",
                           "a: [b,\nc]\n",
                           "a: *x\n",
                           "a: &x b\n",
                           "- &x a: b\n",
                           "*x : b\n",
                           "? a\n: b\n",
                           "---\na: b\n",
                           "a: b\n---\nc: d\n",
                           "a: b\n...\n",
                           "%YAML 1.2\n---\na: b\n",
                           "a: \xc3\xa9\n",
                           "a: @b\n",
                           "a: %b\n",
                           "a: b\n c: d\n",
                           "  a: b\nc: d\n",
                           "a: [b ? c]\n",
                           "a: [b\n  c]\n",
                           "null: b\n",
                           "a: - b\n",
                           "a:\n  - b\n c: d\n",
                           "a: [b]# c\n",
                           "a: \"b\"# c\n",
                           "- a\nb: c\n",
                           "a: ]\n",
                           "a: [b c\n   d]\n"}) {
    const YamlReaders read = read_by_both(text);
    EXPECT_FALSE(read.is_plain) << text;
  }
}

TEST(PlainYaml, LeavesWhatIsDeepOrLong) {
  const auto is_plain = [](const std::string& text) { return read_by_both(text).is_plain; };
  EXPECT_TRUE(is_plain("a: " + std::string(40, '[') + std::string(40, ']')));
  EXPECT_FALSE(is_plain("a: " + std::string(60, '[') + std::string(60, ']')));
  EXPECT_FALSE(is_plain("a: " + std::string(100000, '[')));
  EXPECT_TRUE(is_plain("a: " + std::string(500, 'x')));
  EXPECT_FALSE(is_plain("a: " + std::string(501, 'x')));
}

// Files with something wrong in them: a letter taken out, put in or repeated, a line moved.
std::string spoilt(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size());
    static const std::string letters = " \n\n  -:#,[]{}&*!|>'\"%@`?~\tax1.";
    switch (below(4)) {
      case 0: text.erase(at, 1 + below(3)); break;
      case 1: text.insert(at, 1, letters[below(letters.size())]); break;
      case 2: text[at] = letters[below(letters.size())]; break;
      default: text.insert(at, text.substr(below(text.size()), 1 + below(20))); break;
    }
  }
  return text;
}

TEST(PlainYaml, ReadsSpoiltFilesAlikeOrNot) {
  std::mt19937 random(1);
  std::vector<std::string> texts{
      "a: &x [1, {b: 'c'}, \"d\"]  # e\nf:\n  - g: *x\n    h: i\n  - [j, k: l]\n  -\n    m: n\no: {p: [q,\n  r], s: "
      "t}\n"};
  for (const std::string& file : files_below("configs/datapath")) texts.push_back(read_config_text(file));
  int plain = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string& text = texts[i % 2 == 0 ? 0 : random() % texts.size()];
    if (text.size() > 2000) continue;
    const std::string changed = spoilt(text, random);
    const YamlReaders read = read_by_both(changed);
    plain += read.is_plain ? 1 : 0;
    ASSERT_TRUE(read.agree()) << "case " << i << "\n" << changed << "\nplain:\n" << read.plain << "any:\n" << read.any;
  }
  EXPECT_GT(plain, 500);
}

// The readers do disagree where they should not be asked: an alias in yaml-cpp's view of other text.
TEST(PlainYaml, ADifferenceIsSeen) {
  YamlReaders read = read_by_both("a: b\n");
  ASSERT_TRUE(read.agree());
  read.any = read_by_both("a: c\n").any;
  EXPECT_FALSE(read.agree());
}

}  // namespace
}  // namespace assay
