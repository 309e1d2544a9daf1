// Files as such: what can be read, what is too much, where the shipped ones lie, and what `like` makes of them.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "model/base/files.hpp"
#include "model/config/catalogue.hpp"
#include "model/config/describe.hpp"
#include "model/config/home.hpp"
#include "model/config/spelling.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

template <class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

// A folder of this test's own.
class Files : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "configs" / "arch");
    fs::create_directories(folder_ / "configs" / "datapath");
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string write_datapath(const std::string& name, const std::string& text) const {
    return write("configs/datapath/" + name + ".yaml", "name: " + name + "\n" + text);
  }
  std::string write_architecture(const std::string& text) const { return write("configs/arch/mine.yaml", text); }

  Catalogue catalogue() const { return Catalogue(folder_.string()); }
  std::string message_of_catalogue() const {
    return message_of([&] { catalogue().architectures(); });
  }
  std::string message_of_datapath(const std::string& text) const {
    return message_of([&] { plan_of(read_datapath_text(text, "mine.yaml", catalogue())); });
  }

  const Scratch scratch_;
  const fs::path folder_ = scratch_.path();
};

// --- reading ---

TEST_F(Files, ThatAreNoFilesAreSaidToBeUnreadable) {
  const std::string nowhere = (folder_ / "nowhere.yaml").string();
  EXPECT_EQ(message_of([&] { read_yaml_file(nowhere); }),
            nowhere + ": This file cannot be read: No such file or directory.");
  EXPECT_EQ(message_of([&] { read_yaml_file(folder_.string()); }),
            folder_.string() + ": This is a folder, and a file is needed here.");
}

TEST_F(Files, ThatAreLoopsAndPipesAreNoFiles) {
  const std::string loop = (folder_ / "loop.yaml").string(), pipe = (folder_ / "pipe.yaml").string();
  fs::create_symlink("loop.yaml", loop);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(message_of([&] { read_yaml_file(loop); }),
            loop + ": This file cannot be read: Too many levels of symbolic links.");
  EXPECT_EQ(message_of([&] { read_yaml_file(pipe); }), pipe + ": This is a pipe that nobody writes into; name a file.");
}

// As a shell's <(...) gives one.
TEST_F(Files, ComeThroughAPipeThatIsWrittenInto) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string text = "name: mine\n";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  const std::string name = "/proc/self/fd/" + std::to_string(ends[0]);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(::write(ends[1], "k: 4\n", 5), 5);
    ::close(ends[1]);
  });
  EXPECT_EQ(read_yaml_file(name).at("k").text(), "4");
  writer.join();
  ::close(ends[0]);
}

TEST_F(Files, ThatMayNotBeReadAreNot) {
  const std::string file = write("locked.yaml", "name: mine\n");
  fs::permissions(file, fs::perms::none);
  fs::permissions(folder_ / "configs" / "arch", fs::perms::none);
  const bool root = geteuid() == 0;
  if (root && seteuid(65534) != 0) GTEST_SKIP() << "Root may read everything, and cannot become somebody else here.";
  const std::string of_file = message_of([&] { read_yaml_file(file); }), of_folder = message_of_catalogue();
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  fs::permissions(folder_ / "configs" / "arch", fs::perms::owner_all);
  EXPECT_EQ(of_file, file + ": This file cannot be read: Permission denied.");
  EXPECT_EQ(of_folder, (folder_ / "configs" / "arch").string() + ": This folder cannot be read (Permission denied).");
}

TEST_F(Files, LieWhereTheyWereGivenWhereTheWorkingFolderIsGone) {
  const fs::path before = fs::current_path();
  const fs::path gone = folder_ / "gone";
  fs::create_directories(gone);
  fs::current_path(gone);
  fs::remove(gone);
  EXPECT_EQ(folder_of_file("a/b.yaml"), fs::path("a"));
  fs::current_path(before);
  EXPECT_EQ(folder_of_file("a/b.yaml"), before / "a");
}

// std::regex calls itself for each character.
TEST(Spelling, OfANameWithoutEndIsNoInstruction) {
  const Catalogue catalogue = shipped_catalogue();
  const std::string name = "v_x" + std::string(1 << 20, '1');
  const std::string begin = "There is no instruction '" + name.substr(0, 100) + "...' among the ";
  EXPECT_EQ(message_of([&] { catalogue.instruction("cdna3", name); }).substr(0, begin.size()), begin);
  EXPECT_EQ(message_of([&] { catalogue.instruction(name); }),
            "There is no instruction '" + name.substr(0, 100) +
                "...' in any of the 20 architectures (`assay list` shows them).");
  EXPECT_LT(message_of([&] { catalogue.instruction(name + ":x"); }).size(), 1000U);
  EXPECT_LT(message_of([&] { catalogue.datapath(name); }).size(), 10'000U);
}

TEST_F(Files, ThatAreEmptyHoldNoMapping) {
  const std::string file = write("empty.yaml", "");
  EXPECT_EQ(message_of([&] { read_yaml_file(file); }), file + ": One YAML mapping is needed, found none.");
}

TEST_F(Files, OfMoreThanFourMebibytesAreTooLarge) {
  const std::string head = "name: ";
  const std::string most = write("most.yaml", head + std::string((4 << 20) - head.size(), 'x'));
  EXPECT_EQ(read_yaml_file(most).at("name").text().size(), (4 << 20) - head.size());
  const std::string more = write("more.yaml", head + std::string((4 << 20) - head.size() + 1, 'x'));
  const std::string too_large = ": This file is larger than 4 MiB, too large to be a configuration.";
  EXPECT_EQ(message_of([&] { read_yaml_file(more); }), more + too_large);
  EXPECT_EQ(message_of([&] { read_yaml_file("/dev/zero"); }), "/dev/zero" + too_large);
}

TEST_F(Files, AreTheSameAsJson) {
  const YamlValue value =
      read_yaml_text("name: \"a \\\"b\\\" \\\\ \\t c\"\nlist: [1, {x: y}]\nmap: {k: \"\\x01\"}\n", "mine.yaml");
  const std::string json = R"({"name":"a \"b\" \\ \u0009 c","list":["1",{"x":"y"}],"map":{"k":"\u0001"}})";
  EXPECT_EQ(json_text(value), json);
  EXPECT_EQ(json_text(read_yaml_text(json, "mine.json")), json);
}

TEST(Nearest, OffersWhatIsCloseAndNothingElse) {
  EXPECT_EQ(nearest("adder", {"adders", "finish"}), "; did you mean 'adders'?");
  EXPECT_EQ(nearest("x", {"adders", "finish"}), ".");
  EXPECT_EQ(nearest("spez", {"sped", "spec"}), "; did you mean 'sped'?");
  EXPECT_EQ(joined({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(joined({}), "");
}

// --- too much ---

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST_F(Files, WithMoreAddersThanAnyUnitHasAreRefused) {
  const std::string head = "name: mine\nspecials: step\n";
  const std::string first = "adders:\n  - &x {name: x, add: {product: exact}}\n";
  EXPECT_EQ(message_of_datapath(head + first + repeated("  - *x\n", 800'000)),
            "mine.yaml:4: adders: at most 64 adders fit here, found 800001.");
  const std::string results =
      "adders:\n  - name: x\n    add: {product: exact}\n    result: [&r {at: window, keep: 1, cut: up}";
  EXPECT_EQ(message_of_datapath(head + results + repeated(", *r", 8) + "]\n"),
            "mine.yaml:6: adders[0].result: at most 8 results fit here, found 9.");
}

TEST_F(Files, WithMoreInstructionsThanAnyArchitectureHasAreRefused) {
  const std::string hundred = "[" + repeated("x, ", 99) + "x]";
  const std::string file = write_architecture(
      "architecture: mine\nabout: A page\naliases: []\nfamilies:\n  - name: \"{a}{b}\"\n    for: {a: " + hundred +
      ", b: " + hundred + ", c: " + hundred + ", d: " + hundred + "}\n");
  EXPECT_EQ(message_of_catalogue(), file + ":6: families[0].for: these lists make more than 4096 instructions.");
}

TEST_F(Files, OfAliasesThatContainThemselvesAreRefused) {
  EXPECT_EQ(message_of_datapath("name: mine\nspecials: step\nadders: &x [*x]\n").substr(0, 10), "mine.yaml:");
  EXPECT_EQ(message_of_datapath("name: mine\nspecials: step\nadders: []\nfinish: &y {a: *y}\n").substr(0, 10),
            "mine.yaml:");
}

// --- where the shipped ones lie ---

// $ASSAY_HOME for as long as this lives.
class Home {
 public:
  explicit Home(const std::string& folder) {
    if (const char* before = std::getenv("ASSAY_HOME")) before_ = before;
    setenv("ASSAY_HOME", folder.c_str(), 1);
  }
  ~Home() { before_ ? setenv("ASSAY_HOME", before_->c_str(), 1) : unsetenv("ASSAY_HOME"); }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;

 private:
  std::optional<std::string> before_;
};

TEST_F(Files, AreThoseOfAssayHomeWhereItIsSet) {
  const Home here(folder_.string());
  EXPECT_EQ(home(), folder_.string());
  write_architecture("architecture: mine\nabout: A page\naliases: []\nfamilies: []\n");
  EXPECT_EQ(shipped_catalogue().architecture("MINE").name, "mine");
}

TEST_F(Files, AreMissedWhereAssayHomeHasNone) {
  const Home here((folder_ / "configs").string());
  EXPECT_EQ(message_of([] { home(); }),
            "ASSAY_HOME is '" + (folder_ / "configs").string() +
                "', which has no folder configs/arch; set it to the folder that holds Assay's configs.");
}

// Loads the library under this name, and asks it once the process is in another folder.
std::string home_of_library(const std::string& name) {
  const fs::path before = fs::current_path();
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return dlerror();
  std::array<char, 4096> text{};
  fs::current_path("/");
  reinterpret_cast<void (*)(char*, std::size_t)>(dlsym(library, "assay_home_of_library"))(text.data(), text.size());
  fs::current_path(before);
  dlclose(library);
  return text.data();
}

// This program lies below the build's share/assay.
class Library : public Files {
 protected:
  void SetUp() override {
    Files::SetUp();
    unsetenv("ASSAY_HOME");
    fs::create_directories(folder_ / "lib");
    fs::copy(running_program().parent_path() / "libassay_home_library.so", folder_ / "lib" / "libhome.so");
  }
  fs::path own_catalogue() const {
    const fs::path share = folder_ / "share" / "assay";
    fs::create_directories(share / "configs" / "arch");
    return share;
  }

  const std::string library_ = (folder_ / "lib" / "libhome.so").string();

 private:
  const Home restored_{""};
};

TEST_F(Library, ReadsTheCatalogueAboveItself) {
  const fs::path own = own_catalogue();
  EXPECT_EQ(home_of_library(library_), own.string());
  EXPECT_NE(home(), own.string());
}

TEST_F(Library, IsFoundByNoNameOfTheFolderItWasLoadedFrom) {
  const fs::path own = own_catalogue(), before = fs::current_path();
  fs::current_path(folder_);
  EXPECT_EQ(home_of_library("lib/libhome.so"), own.string());
  fs::current_path(before);
}

TEST_F(Library, ReadsWhatLiesAboveTheProgramWhereItHasNone) { EXPECT_EQ(home_of_library(library_), home()); }

TEST_F(Library, GivesWayToAssayHome) {
  own_catalogue();
  const Home here(folder_.string());
  EXPECT_EQ(home_of_library(library_), folder_.string());
}

// --- like ---

const std::string one_sum =
    "k: 4\n"
    "operands: {a: f16, b: f16, c: f32, d: f32}\n"
    "specials: step\n"
    "adders:\n"
    "  - name: sum\n"
    "    add: {product: {keep: 25, cut: down, lost_below: 40}, acc: exact}\n"
    "    window: {exponent: largest, floor: -133, step: 4}\n"
    "    sticky: or\n"
    "    result: [{format: d, cut: toward_zero}]\n";

TEST_F(Files, MayBeLikeAnotherThatIsLikeAThird) {
  write_datapath("first", one_sum);
  write_datapath("second", "like: first\nadders:\n  - name: sum\n    add: {product: {keep: 20}, acc: exact}\n");
  const Plan p = plan_of(read_datapath_text("name: mine\nlike: second\nadders:\n  - {name: sum, sticky: none}\n",
                                            "mine.yaml", catalogue()));
  const AdderPlan& sum = p.adders.at(0);
  EXPECT_EQ(sum.inputs[0].words.keep, 20);
  EXPECT_EQ(sum.inputs[0].words.cut, Cut::down);
  EXPECT_EQ(sum.inputs[0].words.lost_below, 40);
  EXPECT_EQ(sum.window.floor, -133);
  EXPECT_EQ(sum.window.step, 4);
  EXPECT_EQ(sum.sticky, Sticky::none);
  EXPECT_EQ(p.k, 4);
}

TEST_F(Files, TakeInheritedValuesBackWithNone) {
  write_datapath("first", one_sum + "product: {infinity_at: 128}\nk_order: {step: {terms: 2}}\n");
  const DatapathFile file = read_datapath_text(
      "name: mine\nlike: first\nproduct: {infinity_at: none, round: exact, times: none}\n"
      "k_order: {step: {terms: none}}\n"
      "adders:\n  - {name: sum, add: {product: {keep: none, lost_below: none}, acc: exact}, window: {floor: none}, "
      "group: none, times: none}\n",
      "mine.yaml", catalogue());
  const Datapath& d = file.datapath;
  EXPECT_FALSE(d.product.infinity_at.has_value());
  EXPECT_FALSE(d.step.terms.has_value());
  EXPECT_FALSE(d.adders[0].add[0].keep.has_value());
  EXPECT_FALSE(d.adders[0].add[0].lost_below.has_value());
  EXPECT_FALSE(d.adders[0].window.floor.has_value());
  EXPECT_EQ(d.adders[0].window.step, 4);
}

TEST_F(Files, ReplaceTheAddersWhereOneNameIsNew) {
  write_datapath("first", one_sum);
  const DatapathFile file = read_datapath_text(
      "name: mine\nlike: first\nadders:\n  - {name: dot, add: {product: exact}}\n"
      "  - {name: sum, add: {dot: exact, acc: exact}, result: [{format: d, cut: up}]}\n",
      "mine.yaml", catalogue());
  ASSERT_EQ(file.datapath.adders.size(), 2U);
  EXPECT_EQ(file.datapath.adders[1].sticky, Sticky::none);  // nothing of the inherited sum is left
}

TEST_F(Files, ChangeInheritedFinishAddersByName) {
  const Catalogue shipped = shipped_catalogue();
  const DatapathFile file = read_datapath_text(
      "name: mine\nlike: fma_even_odd_flush\nfinish:\n  - name: late\n    result: [{format: f32, cut: up}]\n",
      "mine.yaml", shipped);
  ASSERT_EQ(file.datapath.finish.size(), 2U);
  EXPECT_EQ(file.datapath.finish[0].results[0].cut, Cut::nearest_even);
  EXPECT_EQ(file.datapath.finish[1].results[0].cut, Cut::up);
}

TEST_F(Files, GiveAnInheritedFormatAnew) {
  const std::string e4m2 = "exponent: 4, mantissa: 2, infinity: false, nan: none, signed_zero: true}}\n";
  write_datapath("first", one_sum + "formats: {e4m2: {bias: 7, " + e4m2);
  const DatapathFile file = read_datapath_text(
      "name: mine\nlike: first\noperands: {a: e4m2}\nformats: {e4m2: {bias: 9, " + e4m2, "mine.yaml", catalogue());
  const Plan p = plan_of(file);
  EXPECT_EQ(p.a.bias, 9);
  EXPECT_EQ(p.a.stored_bits, 7);
  EXPECT_EQ(p.b.name, "f16");
}

TEST_F(Files, MayNotBeLikeThemselves) {
  write_datapath("first", "like: second\n");
  write_datapath("second", "like: first\n");
  const std::string message = message_of([&] { catalogue().datapath("first"); });
  EXPECT_NE(message.find(".yaml:2: like: the datapath '"), std::string::npos) << message;
  EXPECT_NE(message.find("is `like` itself, through others or more than 8 deep."), std::string::npos) << message;
}

TEST_F(Files, NameTheLineOfTheInheritedFileWhereTheProblemIsThere) {
  const std::string first = write_datapath("first", one_sum);
  EXPECT_EQ(message_of_datapath("name: mine\nlike: first\noperands: {d: f16}\nadders:\n  - name: sum\n"
                                "    result: [{format: f32, cut: up}]\n"),
            "mine.yaml:6: The last result of sum must be {format: f16}, the format of d.");
  write_datapath("second", one_sum + "finish:\n  - {name: late, add: {c: exact}, result: [{format: d, cut: up}]}\n");
  EXPECT_EQ(message_of_datapath("name: mine\nlike: second\nk: 8\n"),
            (folder_ / "configs/datapath/second.yaml:12").string() +
                ": No adder of `finish` takes `lanes`: the steps would be lost.");
}

TEST_F(Files, NameEveryProblemOnALineOfItsOwn) {
  EXPECT_EQ(
      message_of_datapath("name: mine\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\nspecials: step\n"
                          "adders:\n  - {name: x, add: {product: exact}}\n"
                          "  - {name: sum, add: {acc: exact}, result: [{format: d, cut: up}]}\n"
                          "start: zero\nfinish:\n  - {name: late, add: {c: exact}, result: [{format: d, cut: up}]}\n"),
      "mine.yaml:10: No adder of `finish` takes `lanes`: the steps would be lost.\n"
      "mine.yaml:6: Adder x is added to nothing; only the last one's sum is the result.");
}

TEST_F(Files, OfOnesOwnHaveALineForTheirDatapath) {
  const std::string file = write("mine.yaml", "name: mine\n" + one_sum);
  EXPECT_EQ(plan_of(read_datapath_file(file, catalogue())).adders[0].sum.items, 5);
  EXPECT_EQ(message_of([&] { read_datapath_file((folder_ / "other.yaml").string(), catalogue()); }),
            (folder_ / "other.yaml").string() + ": This file cannot be read: No such file or directory.");
}

// --- what a family says wrong ---

const std::string page = "architecture: mine\nabout: A page\naliases: [M1]\nfamilies:\n";
const std::string family =
    "  - name: dot\n    shape: {m: 1, n: \"1\", k: 4, blocks: 1}\n"
    "    operands: {a: f16, b: f16, c: f32, d: f32}\n    datapath: first\n    evidence: paper\n";

class FamilyFiles : public Files {
 protected:
  // What is said of a page in which one text stands in place of another.
  std::string changed(const std::string& from, const std::string& to) const {
    std::string text = page + family;
    text.replace(text.find(from), from.size(), to);
    write_architecture(text);
    return message_of_catalogue();
  }
  std::string at(const std::string& rest) const { return (folder_ / "configs/arch/mine.yaml").string() + ":" + rest; }
};

TEST_F(FamilyFiles, NameUnknownAndMissingKeys) {
  EXPECT_EQ(changed("families:", "familie:"), at("4: familie: unknown key; the keys here are architecture, about, "
                                                 "aliases, wave, a_cycle, scale_groups, variants, "
                                                 "families; did you mean 'families'?"));
  EXPECT_EQ(changed("aliases: [M1]", "about: x"), at("3: the key 'about' is given twice."));
  EXPECT_EQ(changed("aliases: [M1]", "# none"), at("1: the key 'aliases' is missing."));
  EXPECT_EQ(changed("    datapath: first\n", ""), at("5: families[0]: the key 'datapath' is missing."));
  EXPECT_EQ(changed("c: f32, ", ""), at("7: families[0].operands: the key 'c' is missing."));
}

TEST_F(FamilyFiles, NameTheKeyAndWhatStandsThere) {
  EXPECT_EQ(changed("- name: dot", "- name: \"dot{\""),
            at("5: families[0].name: '{}' is no variable of this family; it has none."));
  EXPECT_EQ(changed("m: 1,", "m: 4097,"),
            at("6: families[0].shape.m: a whole number from 1 to 4096 is needed here, found '4097'."));
  EXPECT_EQ(changed("blocks: 1", "block: 1"),
            at("6: families[0].shape.block: unknown key; the keys here are m, n, k, blocks; did you mean 'blocks'?"));
  EXPECT_EQ(changed("n: \"1\"", "n: \"8:16\""), at("6: families[0].shape.n: a number or first:last:step is needed "
                                                   "here, or several of these with a space between, "
                                                   "found '8:16'."));
  EXPECT_EQ(changed("evidence: paper", "evidence: {paper: some}"),
            at("9: families[0].evidence.paper: found 'some'; the choices are rest."));
}

TEST_F(FamilyFiles, SayWhatIsWrongAroundTheUnit) {
  const auto beside = [&](const std::string& key) { return changed("evidence: paper", "evidence: paper\n    " + key); };
  EXPECT_EQ(beside("modifiers: {cbsz: 7}"),
            at("10: families[0].modifiers.cbsz: a whole number from 1 to 6 is needed here, found '7'."));
  EXPECT_EQ(beside("modifiers: {blgp: both}"),
            at("10: families[0].modifiers.blgp: found 'both'; the choices are lanes, negate."));
  EXPECT_EQ(beside("modifiers: {abid: 1}"),
            at("10: families[0].modifiers.abid: unknown key; the keys here are cbsz, blgp."));
  EXPECT_EQ(beside("timing: {cycles: 8}"), at("10: families[0].timing: the key 'flops' is missing."));
  EXPECT_EQ(beside("timing: {cycles: 0, flops: 1}"),
            at("10: families[0].timing.cycles: a whole number from 1 to 4096 is needed here, found '0'."));
  const auto wave = [&](const std::string& value) { return changed("aliases: [M1]", "aliases: [M1]\nwave: " + value); };
  EXPECT_EQ(wave("{lanes: 65, vector: 8}"),
            at("4: wave.lanes: a whole number from 1 to 64 is needed here, found '65'."));
  EXPECT_EQ(wave("{lanes: 64}"), at("4: wave: the key 'vector' is missing."));
  EXPECT_EQ(wave("{lanes: 64, vector: 8}\na_cycle: {f16: [8, 4]}"),
            at("5: a_cycle.f16: three numbers are needed here, m, n and k."));
  EXPECT_EQ(wave("{lanes: 64, vector: 8}\nscale_groups: {nvf4: {scale: ue4m3}}"),
            at("5: scale_groups.nvf4: the key 'elements' is missing."));
  EXPECT_EQ(wave("{lanes: 64, vector: 8, results: vector}"),
            at("4: wave.results: found 'vector'; the choices are accumulation."));
}

// What is wrong in another's file is said where that is asked for.
TEST_F(FamilyFiles, AreReadAsTheyAreAskedFor) {
  write_datapath("first", one_sum);
  write_architecture(page + family);
  write("configs/arch/other.yaml", "nothing: of the kind\n");
  const Catalogue mine = catalogue();
  EXPECT_EQ(mine.instruction("Mine:dot").full_name(), "mine:dot");
  const Architecture& first = mine.architecture("mine");
  const std::string wrong = message_of([&] { mine.architectures(); });
  EXPECT_NE(wrong.find("other.yaml:1: nothing: unknown key"), std::string::npos) << wrong;
  EXPECT_EQ(message_of([&] { mine.instruction("M1:dot"); }), wrong);  // an alias may stand in any file
  EXPECT_EQ(message_of([&] { mine.instruction("dot"); }), wrong);
  EXPECT_EQ(message_of([&] { mine.architecture("other"); }), wrong);
  EXPECT_EQ(&mine.architecture("mine"), &first);
}

TEST_F(FamilyFiles, NeedNotBeNamedAsTheyAre) {
  write("configs/arch/page1.yaml", page + family);
  write("configs/arch/mine.yaml", "architecture: yours\nabout: A page\naliases: [Y1]\nfamilies:\n" + family);
  const Catalogue both = catalogue();
  EXPECT_EQ(both.architecture("mine").aliases.front(), "M1");
  EXPECT_EQ(both.architecture("y1").name, "yours");
  EXPECT_EQ(message_of([&] { both.architecture("page1"); }).find("There is no architecture 'page1'"), 0U);
  EXPECT_EQ(message_of([&] { both.architecture("../arch/mine"); }).find("There is no architecture '../arch/mine'"), 0U);
}

// Copies share what was read.
TEST_F(FamilyFiles, AreReadByOneOfSeveralThreads) {
  write_architecture(page + family);
  const Catalogue mine = catalogue();
  std::vector<const Architecture*> own(4), all(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < own.size(); ++i) {
    threads.emplace_back([&, i, copy = mine] {
      all[i] = &copy.architectures().front();
      own[i] = &copy.architecture("mine");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_EQ(own[i], &mine.architecture("mine"));
    EXPECT_EQ(all[i], &mine.architectures().front());
  }
}

TEST_F(FamilyFiles, NameADatapathThatIsNotThere) {
  write_datapath("first", one_sum);
  write_datapath("third", one_sum);
  EXPECT_EQ(changed("datapath: first", "datapath: frist"), "");
  const Catalogue mine = catalogue();
  EXPECT_EQ(message_of([&] { mine.plan_of(mine.instruction("m1:dot")); }),
            "There is no datapath 'frist' in configs/datapath; there are first, third; did you mean 'first'?");
}

// --- spellings ---

TEST(CanonicalSpelling, DropsWhatDoesNotChangeTheArithmetic) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"WGMMA.mma_async.sync.aligned.m64n128k16.f32.f16.f16", "wgmma.m64n128k16.f32.f16.f16"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.m16n8k16.f32.f16.f16.f32"},
      {"mma.m16n8k32.kind::mxf8f6f4.block_scale.scale_vec::1X.f32", "mma.m16n8k32.block32.f32"},
      {"mma.m16n8k64.kind::mxf4nvf4.block_scale.scale_vec::2X.f32", "mma.m16n8k64.block32.f32"},
      {"mma.m16n8k64.kind::mxf4nvf4.block_scale.scale_vec::4X.f32", "mma.m16n8k64.block16.f32"},
      {"tcgen05.mma.cta_group::2.kind::f16.m128n8k16", "tcgen05.mma.m128n8k16"},
      {"mma.sp.sync.aligned.m16n8k16.f32", "mma.sp.m16n8k16.f32"},  // half of A and indices are another dot product
      {"mma.m8n8k4.column.f32", "mma.m8n8k4.column.f32"},           // only whole words are dropped
      {"v_mfma_f32_32x32x4_2b_f16", "v_mfma_f32_32x32x4f16"},
      {"V_MFMA_F32_32X32X4F16", "v_mfma_f32_32x32x4f16"},
      {"v_mfma_f32_32x32x8_bf16_1k", "v_mfma_f32_32x32x8bf16_1k"},
      {"v_mfma_f32_16x16x32_fp8_bf8", "v_mfma_f32_16x16x32fp8_bf8"},
      {"__builtin_amdgcn_mfma_f32_16x16x4f32", "v_mfma_f32_16x16x4f32"},
      {"tdpbf16ps", "tdpbf16ps"},
  };
  for (const auto& [asked, spelling] : expected) EXPECT_EQ(canonical_spelling(asked), spelling);
}

TEST(CanonicalSpelling, IsItsOwn) {
  const Catalogue shipped = shipped_catalogue();
  int count = 0;
  for (const Architecture& a : shipped.architectures()) {
    for (const Instruction& i : a.instructions) {
      EXPECT_EQ(canonical_spelling(i.spelling), i.spelling);
      EXPECT_EQ(shipped.instruction(i.full_name()).full_name(), i.full_name());
      ++count;
    }
  }
  EXPECT_GT(count, 400);
}

TEST(FreeN, TakesItsRangeAndNothingElse) {
  const Catalogue shipped = shipped_catalogue();
  const auto found = [&](const std::string& n) {
    return message_of([&] { shipped.instruction("hopper", "wgmma.m64n" + n + "k16.f32.f16.f16"); }).empty();
  };
  for (const char* n : {"8", "16", "248", "256", "N", "n"}) EXPECT_TRUE(found(n)) << n;
  for (const char* n : {"", "0", "4", "12", "257", "264", "-8", "8x", "99999999", "+8"}) EXPECT_FALSE(found(n)) << n;
  EXPECT_EQ(
      message_of([&] { shipped.instruction("hopper", "wgmma.m64n12k16.f32.f16.f16"); }),
      "There is no 'wgmma.m64n12k16.f32.f16.f16': n is 12, but hopper:wgmma.m64nNk16.f32.f16.f16 takes a multiple of 8 "
      "from 8 to 256.");
}

TEST(FreeN, MayHaveSeveralRanges) {
  const Catalogue shipped = shipped_catalogue();
  const auto found = [&](const std::string& n) {
    return message_of([&] { shipped.instruction("hopper", "wgmma.m64n" + n + "k32.s32.s8.s8"); });
  };
  for (const char* n : {"8", "16", "24", "32", "48", "240", "256"}) EXPECT_EQ(found(n), "") << n;
  for (const char* n : {"0", "4", "40", "56", "248", "264"}) EXPECT_NE(found(n), "") << n;
  EXPECT_EQ(
      found("40"),
      "There is no 'wgmma.m64n40k32.s32.s8.s8': n is 40, but hopper:wgmma.m64nNk32.s32.s8.s8 takes a multiple of 8 "
      "from 8 to 32, or one of 16 from 48 to 256.");
}

}  // namespace
}  // namespace assay
