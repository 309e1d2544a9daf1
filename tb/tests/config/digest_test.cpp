#include "model/config/digest.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "model/base/sha256.hpp"
#include "model/config/home.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Around the ends of a block, where the padding takes a second one.
TEST(Sha256, LengthsAroundABlockAllDiffer) {
  std::set<std::string> digests;
  for (std::size_t length = 50; length <= 130; ++length) digests.insert(sha256(std::string(length, '\0')));
  EXPECT_EQ(digests.size(), 81u);
}

TEST(Sha256, IsTheSameInPieces) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * i);
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += piece) hash.add(std::string_view(text).substr(at, piece));
    ASSERT_EQ(hash.digits(), sha256(text)) << piece;
  }
}

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

const std::string mine =
    "name: mine\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\nspecials: step\nadders:\n"
    "  - name: sum\n    add: {product: {keep: 25, cut: toward_zero}, acc: {keep: 25, cut: toward_zero}}\n"
    "    result: [{format: d, cut: toward_zero}]\n";

std::string digest(const std::string& text) try {
  return datapath_sha256(plan_of(read_datapath_text(text, "mine.yaml", catalogue())));
} catch (const Error& error) {
  ADD_FAILURE() << error.message;
  return "";
}

// `mine` with one of its texts replaced by another.
std::string with(const std::string& old, const std::string& other) {
  std::string text = mine;
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), other);
}

// Vector files carry this digest from one machine and version to the next.
TEST(DatapathDigest, IsTheSameEverywhere) {
  EXPECT_EQ(digest(mine), "2951a26e6dd8a583118500a739ba808c98273b2deddfafae3ea04975a57834bf");
}

TEST(DatapathDigest, DoesNotHeedCommentsLayoutAndName) {
  EXPECT_EQ(digest("# A comment.\n" + mine), digest(mine));
  EXPECT_EQ(digest(with("{a: f16, b: f16,", "{b: f16,   a: f16,")), digest(mine));
  EXPECT_EQ(digest(with("name: mine", "name: yours\nabout: Something.")), digest(mine));
  EXPECT_EQ(digest(mine + "start: c\n"), digest(mine));  // as it was without being said
}

TEST(DatapathDigest, HeedsEveryKey) {
  std::set<std::string> digests{digest(mine)};
  const std::vector<std::string> others{
      with("k: 4", "k: 8"),
      with("a: f16", "a: bf16"),
      with("specials: step", "specials: operation"),
      with("product: {keep: 25", "product: {keep: 24"),
      with("acc: {keep: 25, cut: toward_zero}", "acc: {keep: 25, cut: down}"),
      with("acc: {keep: 25,", "acc: {keep: 25, empty: -20,"),
      with("acc: {keep: 25,", "acc: {keep: 25, lost_below: 20,"),
      with("format: d, cut: toward_zero", "format: d, cut: nearest_even"),
      with("format: d,", "format: d, subnormals: zero,"),
      with("format: d,", "format: d, subnormals: zero, tiny: before,"),
      with("format: d,", "format: d, overflow: largest,"),
      mine + "    window: {step: 4}\n",
      mine + "    window: {floor: -100}\n",
      mine + "    sticky: or\n",
      mine + "    zero: ieee\n",
      mine + "subnormals: {a: zero}\n",
      mine + "subnormals: {b: zero}\n",
      mine + "subnormals: {c: zero}\n",
      mine + "nan: 7fffffff\n",
      mine + "product: {exponent: normalised}\n",
      mine + "product: {infinity_at: 128}\n",
      mine +
          "start: zero\nfinish:\n  - name: end\n    add: {lanes: exact, c: exact}\n"
          "    result: [{format: d, cut: toward_zero}]\n",
      mine + "k_order: {step: {terms: 2}}\n",
      mine + "k_order: {step: {terms: 2, deal: strided}}\n",
      mine + "k_order: {from: last, step: {terms: 2}}\n",
      mine + "formats: {own: {exponent: 5, mantissa: 10, bias: 14, infinity: true, nan: ieee, signed_zero: true}}\n"};
  for (const std::string& other : others) EXPECT_TRUE(digests.insert(digest(other)).second) << other;
}

// A folder with a copy of the shipped configuration, one file of it changed.
class CatalogueDigest : public ::testing::Test {
 protected:
  void SetUp() override { fs::copy(fs::path(home()) / "configs", folder_ / "configs", fs::copy_options::recursive); }

  void append(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / "configs" / file, std::ios::app) << text;
  }
  std::string digest() const { return catalogue_sha256(Catalogue(folder_.string())); }

  const Scratch scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(CatalogueDigest, DoesNotHeedWhereItLiesNorComments) {
  append("arch/ada.yaml", "# A comment.\n");
  append("datapath/integer.yaml", "# A comment.\n");
  EXPECT_EQ(digest(), catalogue_sha256(catalogue()));
}

TEST_F(CatalogueDigest, HeedsInstructionsAndDatapaths) {
  std::set<std::string> digests{digest()};
  append("arch/ada.yaml",
         "  - name: more\n    shape: {m: 1, n: 1, k: 4, blocks: 1}\n    operands: {a: f16, b: f16, c: f32, d: f32}\n"
         "    datapath: fused_f25\n    evidence: documented\n");
  EXPECT_TRUE(digests.insert(digest()).second);
  append("datapath/fused_f25.yaml", "subnormals: {a: zero}\n");
  EXPECT_TRUE(digests.insert(digest()).second);
  append("datapath/one_more.yaml", "name: one_more\nlike: fused_f25\n");
  EXPECT_TRUE(digests.insert(digest()).second);
}

}  // namespace
}  // namespace assay
