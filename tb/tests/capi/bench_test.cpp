// The bench through the C interface: devices of the caller's, generated cases, and every way in which a call is
// refused.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tb/tests/capi/opened.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

class Bench : public InFolder {
 protected:
  static void SetUpTestSuite() { catalogue_ = catalogue(), unit_ = unit(catalogue_.get()); }
  static void TearDownTestSuite() { unit_.reset(), catalogue_.reset(); }

  static Held<assay_unit> own_unit(const char* datapath) {
    assay_unit* opened = nullptr;
    assay_message message{};
    EXPECT_EQ(assay_unit_open_text(catalogue_.get(), datapath, &opened, &message), ASSAY_OK) << message.text;
    return Held<assay_unit>(opened);
  }
  static Held<assay_unit> narrow() {  // keeps two bits less than the wgmma
    return own_unit("name: narrow\nlike: fused_f23\nk: 16\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  }

  static Told compare(const assay_device& device, const char* options, const assay_device* reference = nullptr) {
    return told([&](assay_text** report, assay_message* message) {
      return assay_compare(unit_.get(), reference, &device, options, report, message);
    });
  }
  static Told generate(const char* options) {
    return told([&](assay_text** cases, assay_message* message) {
      return assay_generate(unit_.get(), options, cases, message);
    });
  }
  static Told check(const std::string& file, const char* options, const assay_device* device = nullptr) {
    return told([&](assay_text** report, assay_message* message) {
      return assay_check(catalogue_.get(), file.c_str(), device, options, report, message);
    });
  }

  inline static Held<assay_catalogue> catalogue_;
  inline static Held<assay_unit> unit_;
};

// --- devices of the caller's ---

// Computes as the unit that `user` points to.
int computes(void* user, std::size_t count, const assay_operands* operands, assay_out d, assay_message* message) {
  return assay_dot(static_cast<const assay_unit*>(user), count, operands, d, message);
}

assay_device computing(const assay_unit* unit, const char* name) {
  return {name, computes, nullptr, const_cast<assay_unit*>(unit)};
}

std::uint32_t result(const assay_unit* unit, const Operands& one) {
  const assay_operands operands = one.all();
  std::uint32_t d = 0;
  EXPECT_EQ(assay_dot(unit, 1, &operands, {&d, sizeof d}, nullptr), ASSAY_OK);
  return d;
}

template <std::size_t Count>
void read_codes(const std::string& text, std::uint16_t (&codes)[Count]) {
  std::istringstream in(text);
  std::string code;
  for (std::size_t i = 0; std::getline(in, code, ','); ++i)
    codes[i] = static_cast<std::uint16_t>(std::stoul(code, nullptr, 16));
}

// Of "smallest failing case: assay explain .. --a .. --b .. --c ..".
Operands smallest_of(const nlohmann::ordered_json& report) {
  const std::regex line("smallest failing case: assay explain --instruction (\\S+) --a (\\S+) --b (\\S+) --c (\\S+)");
  for (const std::string text : report.at("explanation")) {
    std::smatch found;
    if (!std::regex_match(text, found, line)) continue;
    EXPECT_EQ(found[1], wgmma);
    Operands one;
    read_codes(found[2], one.a);
    read_codes(found[3], one.b);
    one.c = static_cast<std::uint32_t>(std::stoul(found[4], nullptr, 16));
    return one;
  }
  ADD_FAILURE() << report.dump(1);
  return {};
}

TEST_F(Bench, ADeviceOfTheCallersPasses) {
  const Told ran = compare(computing(unit_.get(), "my unit"), "{\"cases\": 3000, \"seed\": 7}");
  EXPECT_EQ(ran.status, ASSAY_OK) << ran.message;
  EXPECT_EQ(ran.message, "");
  const auto report = ran.json();
  EXPECT_EQ(report.at("devices"), "my unit held to model");
  EXPECT_EQ(report.at("subject"), wgmma);
  EXPECT_EQ(report.at("json_version"), assay_json_version());
  EXPECT_EQ(report.at("summary").at("compared"), 3000);
  EXPECT_EQ(report.at("summary").at("conclusion"), "passed");
}

TEST_F(Bench, APlantedFaultIsFoundMadeSmallAndExplained) {
  const Held<assay_unit> faulty = narrow();
  const Told ran = compare(computing(faulty.get(), "my unit"), "{\"cases\": 2000, \"max_failures\": 1}");
  EXPECT_EQ(ran.status, ASSAY_MISMATCH);
  const auto report = ran.json();
  EXPECT_EQ(ran.message, report.at("message"));
  ASSERT_EQ(report.at("failures").size(), 1U);
  const std::string number = std::to_string(report["failures"][0]["case"].get<int>());
  EXPECT_EQ(report["failures"][0]["again"], "assay explain --instruction " + wgmma + " --seed 1 --case " + number);
  const std::string explanation = report.at("explanation").at(0);
  EXPECT_NE(explanation.find("keep"), std::string::npos) << explanation;
  EXPECT_NE(explanation.find("23"), std::string::npos) << explanation;

  // It fails, and without any of its terms it does not.
  const Operands small = smallest_of(report);
  EXPECT_NE(result(unit_.get(), small), result(faulty.get(), small));
  for (int i = 0; i < 16; ++i) {
    if (small.a[i] == 0 && small.b[i] == 0) continue;
    Operands smaller = small;
    smaller.a[i] = smaller.b[i] = 0;
    EXPECT_EQ(result(unit_.get(), smaller), result(faulty.get(), smaller)) << "term " << i;
  }
}

TEST_F(Bench, ADeviceOfTheCallersMayBeTheReference) {
  const assay_device reference = computing(unit_.get(), "golden"), oracle = named("oracle");
  const Told ran = compare(oracle, "{\"cases\": 300}", &reference);
  EXPECT_EQ(ran.status, ASSAY_OK) << ran.message;
  EXPECT_EQ(ran.json().at("devices"), "oracle held to golden");
}

// Wrong from its sixth case on, until it is started again.
struct Forgetful {
  const assay_unit* unit;
  std::uint64_t cases = 0;
  int restarts = 0;
};

int forgets(void* user, std::size_t count, const assay_operands* operands, assay_out d, assay_message* message) {
  auto& self = *static_cast<Forgetful*>(user);
  const int status = assay_dot(self.unit, count, operands, d, message);
  for (std::size_t i = 0; i < count; ++i) {
    if (++self.cases > 5) static_cast<std::uint32_t*>(d.data)[i] ^= 1;
  }
  return status;
}

void starts_again(void* user) {
  auto& self = *static_cast<Forgetful*>(user);
  self.cases = 0;
  ++self.restarts;
}

TEST_F(Bench, WithARestartTheReportSaysWhatAFailureDependsOn) {
  Forgetful state{unit_.get()};
  const assay_device device{"forgetful", forgets, starts_again, &state};
  const Told ran = compare(device, "{\"cases\": 40, \"seed\": 9, \"family\": \"ties\"}");
  EXPECT_EQ(ran.status, ASSAY_MISMATCH);
  const std::string text = ran.json().at("explanation").dump();
  EXPECT_NE(
      text.find("case 5 depends on what came before it; alone it passes, after cases 0-4 it fails: seed 9, family "
                "ties, cases 0-4,5"),
      std::string::npos)
      << text;
  EXPECT_GT(state.restarts, 1);
}

TEST_F(Bench, WithoutARestartADeviceIsTakenToRememberNothing) {
  Forgetful state{unit_.get()};
  const Told ran = compare({"forgetful", forgets, nullptr, &state}, "{\"cases\": 40}");
  EXPECT_EQ(ran.status, ASSAY_MISMATCH);
  EXPECT_NE(ran.json().at("explanation").dump().find("smallest failing case"), std::string::npos);
}

// Devices that do not answer, each with what is said of it.
int fails(void*, std::size_t, const assay_operands*, assay_out, assay_message*) { return 7; }
int fails_aloud(void*, std::size_t, const assay_operands*, assay_out, assay_message* message) {
  std::strcpy(message->text, "the simulator has ended.");
  return 1;
}
int throws(void*, std::size_t, const assay_operands*, assay_out, assay_message*) {
  throw std::runtime_error("out of paper");
}
int throws_else(void*, std::size_t, const assay_operands*, assay_out, assay_message*) { throw 3; }
int fills_its_message(void*, std::size_t, const assay_operands*, assay_out, assay_message* message) {
  std::memset(message->text, 'x', sizeof message->text);
  return 1;
}

TEST_F(Bench, ADeviceThatFailsIsAMismatchAndSaysHow) {
  const std::string xs(sizeof(assay_message{}.text) - 1, 'x');
  const std::vector<std::pair<assay_device, std::string>> devices{
      {{"mine", fails, nullptr, nullptr}, "mine failed with status 7 and did not say why."},
      {{"mine", fails_aloud, nullptr, nullptr}, "mine failed with status 1: the simulator has ended."},
      {{"mine", throws, nullptr, nullptr}, "mine threw a C++ exception: out of paper"},
      {{"mine", throws_else, nullptr, nullptr}, "mine threw a C++ exception that is no std::exception."},
      {{"mine", fills_its_message, nullptr, nullptr}, "mine failed with status 1: " + xs},
  };
  for (const auto& [device, sentence] : devices) {
    const Told ran = compare(device, "{\"cases\": 10}");
    EXPECT_EQ(ran.status, ASSAY_MISMATCH);
    EXPECT_EQ(ran.message, "10 faults in 0 compared cases.");
    const auto report = ran.json();
    EXPECT_EQ(report.at("summary").at("device_errors"), 10);
    EXPECT_EQ(report.at("failures").at(0).at("device_error"), sentence);
  }
}

// Wrong in its 1,031st since it began, so that what that depends on is looked for among many before it.
struct Counting {
  const assay_unit* unit;
  std::size_t most = 0, since = 0;
};
int counts(void* user, std::size_t count, const assay_operands* operands, assay_out d, assay_message* message) {
  auto& self = *static_cast<Counting*>(user);
  self.most = std::max(self.most, count);
  const int status = assay_dot(self.unit, count, operands, d, message);
  for (std::size_t i = 0; i < count; ++i) {
    if (++self.since == 1031) static_cast<std::uint32_t*>(d.data)[i] ^= 1;
  }
  return status;
}
void begins_anew(void* user) { static_cast<Counting*>(user)->since = 0; }

TEST_F(Bench, ADeviceIsAskedForNoMoreAtATimeThanItMayHoldRoomFor) {
  Counting state{unit_.get()};
  const assay_device device{"counting", counts, begins_anew, &state};
  const Told ran = compare(device, "{\"cases\": 3000}");
  EXPECT_EQ(ran.status, ASSAY_MISMATCH);
  EXPECT_NE(ran.json().at("explanation").dump().find("case 1030 failed in the run"), std::string::npos);
  EXPECT_EQ(state.most, 1024U);
}

// A d of six bits has room above it in its byte.
int writes_above(void*, std::size_t, const assay_operands*, assay_out d, assay_message*) {
  std::memset(d.data, 0x40, d.bytes);
  return 0;
}
int writes_nothing(void*, std::size_t, const assay_operands*, assay_out, assay_message*) { return 0; }

TEST_F(Bench, BitsAboveTheWidthOfDAreNoResult) {
  const Held<assay_unit> tiny = own_unit(R"(
name: tiny
k: 4
specials: numbers
operands: {a: e2m1, b: e2m1, c: e2m3, d: e2m3}
adders:
  - name: sum
    add:
      product: {keep: 8, cut: toward_zero}
      acc: {keep: 8, cut: toward_zero}
    window: {exponent: largest}
    result:
      - {format: e2m3, cut: toward_zero, overflow: largest}
)");
  for (const auto run : {writes_nothing, writes_above}) {
    const assay_device device{"mine", run, nullptr, nullptr};
    const Told ran = told([&](assay_text** report, assay_message* into) {
      return assay_compare(tiny.get(), nullptr, &device, "{\"cases\": 5}", report, into);
    });
    EXPECT_EQ(ran.status, ASSAY_MISMATCH);
    EXPECT_EQ(ran.json().at("summary").at("device_errors"), 5);
    EXPECT_EQ(ran.json().at("failures").at(0).at("device_error"), "mine gave a d with bits above the 6 of e2m3.");
  }
}

TEST_F(Bench, ScalesReachADevice) {
  const Held<assay_unit> blocks = unit(catalogue_.get(), scaled);
  const assay_device device = computing(blocks.get(), "mine");
  const Told ran = told([&](assay_text** report, assay_message* message) {
    return assay_compare(blocks.get(), nullptr, &device, "{\"cases\": 500}", report, message);
  });
  EXPECT_EQ(ran.status, ASSAY_OK) << ran.message;
  EXPECT_EQ(ran.json().at("summary").at("compared"), 500);
}

TEST_F(Bench, ManyThreadsUseOneUnit) {
  constexpr int count = 4;
  const Held<assay_unit> faulty = narrow();
  std::vector<Told> found(count);
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([&, t] {
      const assay_device device = computing(t % 2 == 0 ? unit_.get() : faulty.get(), "mine");
      found[static_cast<std::size_t>(t)] = compare(device, "{\"cases\": 400}");
      generate("{\"cases\": 50}");
      const Operands one;
      const assay_operands operands = one.all();
      told([&](assay_text** report, assay_message* message) {
        return assay_explain(unit_.get(), &operands, nullptr, &device, nullptr, report, message);
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < count; ++t) {
    const Told& one = found[static_cast<std::size_t>(t)];
    EXPECT_EQ(one.status, t % 2 == 0 ? ASSAY_OK : ASSAY_MISMATCH);
    auto report = one.json(), same = found[static_cast<std::size_t>(t % 2)].json();
    report.erase("cases_per_second"), same.erase("cases_per_second");
    EXPECT_EQ(report, same);
  }
}

// --- explain ---

TEST_F(Bench, TwoDevicesAreExplained) {
  Operands one;
  one.a[0] = one.b[0] = 0x3c00;
  one.c = 0xbf7fffff;
  const assay_operands operands = one.all();
  const Held<assay_unit> faulty = narrow();
  const assay_device mine = computing(faulty.get(), "my unit");
  const Told ran = told([&](assay_text** report, assay_message* message) {
    return assay_explain(unit_.get(), &operands, nullptr, &mine, nullptr, report, message);
  });
  EXPECT_EQ(ran.status, ASSAY_MISMATCH);
  EXPECT_EQ(ran.message, "The two devices' d differ, or one of them gave none.");
  const auto report = ran.json();
  EXPECT_EQ(report.at("json_version"), assay_json_version());
  EXPECT_EQ(report.at("sides").at("reference").at("d").at("bits"), "33800000");
  EXPECT_EQ(report.at("sides").at("device").at("name"), "my unit");
  EXPECT_EQ(report.at("sides").at("device").at("d").at("bits"), "34000000");
}

// --- generated cases ---

TEST_F(Bench, CasesInArraysAreThoseOfTheFile) {
  constexpr std::size_t count = 60, first = 30;
  std::vector<std::uint16_t> a(16 * count), b(16 * count);
  std::vector<std::uint32_t> c(count);
  const assay_arrays into{
      {a.data(), 2 * a.size()}, {b.data(), 2 * b.size()}, {c.data(), 4 * c.size()}, {}, {}, nullptr};
  assay_message message{};
  ASSERT_EQ(assay_generate_into(unit_.get(), first, count, "{\"seed\": 5}", &into, &message), ASSAY_OK) << message.text;

  const Told file = generate("{\"seed\": 5, \"cases\": 60, \"first\": 30}");
  ASSERT_EQ(file.status, ASSAY_OK) << file.message;
  std::istringstream lines(file.text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line).at("provenance").at("first_case"), 30);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    const auto one = nlohmann::json::parse(line);
    for (std::size_t t = 0; t < 16; ++t) {
      EXPECT_EQ(std::stoul(one["a"][t].get<std::string>(), nullptr, 16), a[16 * i + t]);
      EXPECT_EQ(std::stoul(one["b"][t].get<std::string>(), nullptr, 16), b[16 * i + t]);
    }
    EXPECT_EQ(std::stoul(one["c"].get<std::string>(), nullptr, 16), c[i]);
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(Bench, CasesWithScalesFillTheirArrays) {
  const Held<assay_unit> blocks = unit(catalogue_.get(), scaled);
  std::vector<std::uint8_t> a(640), b(640), scale_a(20, 0xee), scale_b(20, 0xee);
  std::vector<std::uint32_t> c(10);
  const assay_arrays into{{a.data(), 640},      {b.data(), 640},      {c.data(), 40},
                          {scale_a.data(), 20}, {scale_b.data(), 20}, nullptr};
  assay_message message{};
  EXPECT_EQ(assay_generate_into(blocks.get(), 0, 10, nullptr, &into, &message), ASSAY_OK) << message.text;
  EXPECT_NE(scale_a, std::vector<std::uint8_t>(20, 0xee));
  assay_arrays wrong = into;
  wrong.scale_b.bytes = 19;
  EXPECT_EQ(assay_generate_into(blocks.get(), 0, 10, nullptr, &wrong, &message), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(message.text, "scale_b has 19 bytes; this call needs 20.");
}

// --- recorded results ---

TEST_F(Bench, ARecordingIsChecked) {
  const std::string good = file("good.jsonl", generate("{\"cases\": 200, \"with_results\": true}").text);
  const Told ran = check(good, nullptr);
  EXPECT_EQ(ran.status, ASSAY_OK) << ran.message;
  EXPECT_EQ(ran.json().at("file"), good);
  EXPECT_EQ(ran.json().at("summary").at("compared"), 200);
  EXPECT_FALSE(ran.json().contains("notes"));

  const Held<assay_unit> faulty = narrow();
  const assay_device mine = computing(faulty.get(), "my unit");
  const Told held = check(good, "{\"max_failures\": 1}", &mine);
  EXPECT_EQ(held.status, ASSAY_MISMATCH);
  EXPECT_EQ(held.json().at("devices"), "my unit held to " + good);
  const std::string number = std::to_string(held.json()["failures"][0]["case"].get<int>());
  EXPECT_EQ(held.json()["failures"][0]["again"], "assay explain --file " + good + " --case " + number);
}

TEST_F(Bench, WhatHasChangedSinceARecordingIsNoted) {
  std::string text = generate("{\"cases\": 5, \"with_results\": true}").text;
  const std::size_t at = text.find("datapath_sha256\":\"") + 18;
  text.replace(at, 6, "000000");
  const auto report = check(file("old.jsonl", text), nullptr).json();
  ASSERT_EQ(report.at("notes").size(), 1U);
  EXPECT_NE(report["notes"][0].get<std::string>().find("it has changed since this file was written"),
            std::string::npos);
}

TEST_F(Bench, NothingRecordedIsNothingCompared) {
  const Told ran = check(file("open.jsonl", generate("{\"cases\": 5}").text), nullptr);
  EXPECT_EQ(ran.status, ASSAY_NOTHING_COMPARED);
  EXPECT_NE(ran.message.find("none of the 5 cases"), std::string::npos) << ran.message;
  EXPECT_EQ(ran.json().at("summary").at("conclusion"), "nothing compared");
}

TEST_F(Bench, ResultsAtHandAreHeldToTheModel) {
  Operands one;
  one.a[0] = one.b[0] = 0x3c00;
  one.c = 0xbf7fffff;
  const assay_operands operands = one.all();
  const auto held = [&](std::uint32_t d, const char* options) {
    return told([&](assay_text** report, assay_message* message) {
      return assay_check_dots(unit_.get(), 1, &operands, {&d, sizeof d}, options, report, message);
    });
  };
  EXPECT_EQ(held(0x33800000, nullptr).status, ASSAY_OK);
  const Told wrong = held(0x34000000, "{\"name\": \"rev B\"}");
  EXPECT_EQ(wrong.status, ASSAY_MISMATCH);
  EXPECT_EQ(wrong.message, "1 fault in 1 compared case.");
  const auto report = wrong.json();
  EXPECT_EQ(report.at("devices"), "rev B held to model");
  EXPECT_EQ(report["failures"][0]["expected"], "33800000");
  EXPECT_EQ(report["failures"][0]["got"], "34000000");
  EXPECT_EQ(report["failures"][0]["again"], "assay explain --instruction " + wgmma + " --a 3c00 --b 3c00 --c bf7fffff");
  EXPECT_NE(report.at("explanation").dump().find("nearest explanation: none; no change of one word"),
            std::string::npos);

  const assay_operands none{};
  const Told nothing = told([&](assay_text** into, assay_message* message) {
    return assay_check_dots(unit_.get(), 0, &none, {}, nullptr, into, message);
  });
  EXPECT_EQ(nothing.status, ASSAY_NOTHING_COMPARED);
  EXPECT_EQ(nothing.message, "Nothing was compared: no case was given.");
}

TEST_F(Bench, TheLastCaseHasANumber) {
  const std::uint64_t last = 18446744073709551615U;
  Operands one;
  const assay_arrays into{{one.a, sizeof one.a}, {one.b, sizeof one.b}, {&one.c, sizeof one.c}, {}, {}, nullptr};
  assay_message message{};
  ASSERT_EQ(assay_generate_into(unit_.get(), last, 1, nullptr, &into, &message), ASSAY_OK) << message.text;
  const Told text = generate("{\"first\": 18446744073709551615, \"cases\": 1}");
  EXPECT_NE(text.text.find("\"first_case\":18446744073709551615"), std::string::npos) << text.text << text.message;
  const Told ran = compare(named("model"), "{\"first\": 18446744073709551615, \"cases\": 1}");
  EXPECT_EQ(ran.status, ASSAY_OK) << ran.message;
  EXPECT_EQ(ran.json().at("summary").at("compared"), 1);
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// Without its name a command would read another one, and show another unit.
TEST_F(Bench, CommandsNameTheCatalogueThatTheCallerOpened) {
  const std::string home = path("my home");
  std::filesystem::create_directory(home);
  std::filesystem::create_directory_symlink(source_dir() + "/configs", home + "/configs");
  assay_catalogue* opened = nullptr;
  ASSERT_EQ(assay_catalogue_open(home.c_str(), &opened, nullptr), ASSAY_OK);
  const Held<assay_catalogue> own(opened);
  const Held<assay_unit> unit = assay::unit(own.get());
  const std::string command = "ASSAY_HOME='" + home + "' assay ";

  const Operands one;
  const assay_operands operands = one.all();
  const std::uint32_t d = 1;
  const Told dots = told([&](assay_text** report, assay_message* message) {
    return assay_check_dots(unit.get(), 1, &operands, {&d, sizeof d}, nullptr, report, message);
  });
  EXPECT_EQ(dots.json()["failures"][0]["again"],
            command + "explain --instruction " + wgmma + " --a 0000 --b 0000 --c 00000000");

  const Held<assay_unit> narrow_unit = narrow();
  const assay_device unnamed = computing(narrow_unit.get(), "mine");
  const std::string cases = generate("{\"cases\": 500, \"with_results\": true}").text;
  const std::string recorded = file("recorded.jsonl", cases);
  const std::vector<Told> reports{
      told([&](auto t, auto m) { return assay_compare(unit.get(), nullptr, &unnamed, "{\"cases\": 500}", t, m); }),
      told([&](auto t, auto m) { return assay_check(own.get(), recorded.c_str(), &unnamed, nullptr, t, m); }),
      told([&](auto t, auto m) { return assay_guarantee(unit.get(), nullptr, t, m); }),
  };
  for (const Told& report : reports) {
    EXPECT_GT(count_of(report.text, " assay "), 0U) << report.message << report.text;
    EXPECT_EQ(count_of(report.text, command),
              count_of(report.text, "assay explain ") + count_of(report.text, "assay check "));
  }
}

TEST_F(Bench, ANaNIsHeldByTheRuleThatIsAskedFor) {
  Operands one;
  one.a[0] = 0x7e00;
  const assay_operands operands = one.all();
  const std::uint32_t d = 0x7fc00000;
  const auto held = [&](const char* options) {
    return told([&](assay_text** report, assay_message* message) {
      return assay_check_dots(unit_.get(), 1, &operands, {&d, sizeof d}, options, report, message);
    });
  };
  EXPECT_EQ(held("{\"nan\": \"bits\"}").status, ASSAY_MISMATCH);
  EXPECT_EQ(held("{\"nan\": \"any\"}").status, ASSAY_OK);
  const std::string waivers =
      file("waivers.yaml", "waivers:\n  - {expected: nan, got: nan, reason: a quiet NaN, owner: J. Doe}\n");
  const Told waived = held(("{\"waivers\": " + nlohmann::json(waivers).dump() + "}").c_str());
  EXPECT_EQ(waived.status, ASSAY_OK);
  EXPECT_EQ(waived.json().at("summary").at("waivers").at(0).at("cases"), 1);
}

// --- refused ---

struct Refusal {
  Told ran;
  assay_status status;
  std::string words;
};

void expect(const std::vector<Refusal>& refusals) {
  for (const Refusal& r : refusals) {
    EXPECT_EQ(r.ran.status, r.status) << r.words;
    EXPECT_NE(r.ran.message.find(r.words), std::string::npos) << r.words << "\nwas: " << r.ran.message;
    EXPECT_FALSE(r.ran.has_text) << r.words;
  }
}

TEST_F(Bench, OptionsThatMakeNoSenseAreRefused) {
  const assay_device oracle = named("oracle");
  const auto with = [&](const char* options) { return compare(oracle, options); };
  expect({
      {with("seed=7"), ASSAY_BAD_ARGUMENT,
       "Options are the text of a JSON object, such as {\"seed\": 7}, found 'seed=7'."},
      {with("[1]"), ASSAY_BAD_ARGUMENT, "Options are the text of a JSON object"},
      {with(""), ASSAY_BAD_ARGUMENT, "Options are the text of a JSON object"},
      {with("{\"sede\": 7}"), ASSAY_BAD_ARGUMENT,
       "This call has no option \"sede\"; it has seed, family, level, cases, first, nan, max_failures, waivers."},
      {with("{\"element\": [0, 0]}"), ASSAY_BAD_ARGUMENT, "This call has no option \"element\""},
      {with("{\"seed\": 7, \"cases\": 5, \"seed\": 8}"), ASSAY_BAD_ARGUMENT,
       "The option \"seed\" is given twice; give it once."},
      {with("{\"seed\": -1}"), ASSAY_BAD_ARGUMENT, "The option \"seed\" takes a whole number from 0 to"},
      {with("{\"seed\": 1.5}"), ASSAY_BAD_ARGUMENT, "The option \"seed\" takes a whole number"},
      {with("{\"seed\": 18446744073709551616}"), ASSAY_BAD_ARGUMENT, "The option \"seed\" takes a whole number"},
      {with("{\"level\": 4}"), ASSAY_BAD_ARGUMENT, "The option \"level\" takes a whole number from 1 to 3, found '4'."},
      {with("{\"level\": 1, \"cases\": 5}"), ASSAY_BAD_ARGUMENT, "\"cases\" stands in place of \"level\""},
      {with("{\"first\": 18446744073709551615, \"cases\": 2}"), ASSAY_BAD_ARGUMENT, "more than have a number"},
      {with("{\"nan\": \"quiet\"}"), ASSAY_BAD_ARGUMENT,
       "The option \"nan\" takes \"bits\" or \"any\", found '\"quiet\"'."},
      {with("{\"family\": 3}"), ASSAY_BAD_ARGUMENT, "The option \"family\" takes a text, found '3'."},
      {with("{\"family\": \"cats\"}"), ASSAY_BAD_CONFIGURATION,
       "The family cats is not one for this instruction; there are raw"},
      {with("{\"max_failures\": 1000001}"), ASSAY_BAD_ARGUMENT, "takes a whole number from 0 to 1,000,000"},
      {with("{\"waivers\": \"/nowhere.yaml\"}"), ASSAY_BAD_CONFIGURATION, "/nowhere.yaml"},
      {generate("{\"with_results\": 1}"), ASSAY_BAD_ARGUMENT,
       "The option \"with_results\" takes true or false, found '1'."},
      {check("x", "{\"element\": [0]}"), ASSAY_BAD_ARGUMENT,
       "The option \"element\" takes a row and a column, such as [3, 0]"},
      {check("x", "{\"element\": [0, -1]}"), ASSAY_BAD_ARGUMENT, "The option \"element\" takes a row and a column"},
  });
}

TEST_F(Bench, DevicesAndFilesThatCannotBeUsedAreRefused) {
  const assay_device nameless{nullptr, fails, nullptr, nullptr}, oracle = named("oracle");
  expect({
      {compare(named("magic"), nullptr), ASSAY_BAD_CONFIGURATION, "'magic' is no device; the devices are model"},
      {compare(nameless, nullptr), ASSAY_BAD_ARGUMENT, "device->name is NULL"},
      {compare(oracle, nullptr, &nameless), ASSAY_BAD_ARGUMENT, "reference->name is NULL"},
      {compare(named("rtl:/nowhere.yaml"), nullptr), ASSAY_BAD_CONFIGURATION, "/nowhere.yaml"},
      {compare(named("exec:exit 3"), nullptr), ASSAY_BAD_CONFIGURATION, "exited with status 3 before it greeted"},
      {check("/nowhere.jsonl", nullptr), ASSAY_BAD_CONFIGURATION, "/nowhere.jsonl"},
      {check(file("no.jsonl", "cats\n"), nullptr), ASSAY_BAD_CONFIGURATION,
       "no.jsonl, line 1: byte 1 is 'c', but '{' should stand there."},
      {check(file("empty.jsonl", ""), nullptr), ASSAY_BAD_CONFIGURATION, "empty.jsonl"},
      {check("x", nullptr, &nameless), ASSAY_BAD_ARGUMENT, "device->name is NULL"},
  });
  const Held<assay_unit> own = narrow();
  expect({{told([&](assay_text** report, assay_message* message) {
             return assay_compare(own.get(), nullptr, &oracle, nullptr, report, message);
           }),
           ASSAY_NOT_HERE, "it cannot judge a datapath of your own"}});
}

TEST_F(Bench, NullPointersAreRefused) {
  const assay_device oracle = named("oracle");
  const Operands one;
  const assay_operands operands = one.all();
  const assay_unit* u = unit_.get();
  const auto at = [](auto call) { return told(call); };
  expect({
      {at([&](auto t, auto m) { return assay_explain(nullptr, &operands, nullptr, nullptr, nullptr, t, m); }),
       ASSAY_BAD_ARGUMENT, "unit is NULL"},
      {at([&](auto t, auto m) { return assay_explain(u, nullptr, nullptr, nullptr, nullptr, t, m); }),
       ASSAY_BAD_ARGUMENT, "operands is NULL"},
      {at([&](auto t, auto m) { return assay_explain(u, &operands, &oracle, nullptr, nullptr, t, m); }),
       ASSAY_BAD_ARGUMENT, "a reference and no device"},
      {at([&](auto t, auto m) { return assay_explain(u, &operands, nullptr, nullptr, "{\"seed\": 1}", t, m); }),
       ASSAY_BAD_ARGUMENT, "it has none."},
      {at([&](auto t, auto m) { return assay_generate(nullptr, nullptr, t, m); }), ASSAY_BAD_ARGUMENT, "unit is NULL"},
      {at([&](auto t, auto m) { return assay_compare(nullptr, nullptr, &oracle, nullptr, t, m); }), ASSAY_BAD_ARGUMENT,
       "unit is NULL"},
      {at([&](auto t, auto m) { return assay_compare(u, nullptr, nullptr, nullptr, t, m); }), ASSAY_BAD_ARGUMENT,
       "device is NULL"},
      {at([&](auto t, auto m) { return assay_check(nullptr, "x", nullptr, nullptr, t, m); }), ASSAY_BAD_ARGUMENT,
       "catalogue is NULL"},
      {at([&](auto t, auto m) { return assay_check(catalogue_.get(), nullptr, nullptr, nullptr, t, m); }),
       ASSAY_BAD_ARGUMENT, "path is NULL"},
      {at([&](auto t, auto m) { return assay_check_dots(nullptr, 1, &operands, {}, nullptr, t, m); }),
       ASSAY_BAD_ARGUMENT, "unit is NULL"},
      {at([&](auto t, auto m) { return assay_check_dots(u, 1, nullptr, {}, nullptr, t, m); }), ASSAY_BAD_ARGUMENT,
       "operands is NULL"},
      {at([&](auto t, auto m) { return assay_check_dots(u, 1, &operands, {}, nullptr, t, m); }), ASSAY_BAD_ARGUMENT,
       "d has 0 bytes; this call needs 4."},
      {at([&](auto t, auto m) { return assay_check_dots(u, 2, &operands, {}, nullptr, t, m); }), ASSAY_BAD_ARGUMENT,
       "a has 32 bytes; this call needs 64."},
  });
  assay_message m{};
  EXPECT_EQ(assay_explain(u, &operands, nullptr, nullptr, nullptr, nullptr, &m), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(m.text, "report is NULL; it must point to one.");
  EXPECT_EQ(assay_generate(u, nullptr, nullptr, &m), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(m.text, "cases is NULL; it must point to one.");
  EXPECT_EQ(assay_compare(u, nullptr, &oracle, nullptr, nullptr, &m), ASSAY_BAD_ARGUMENT);
  EXPECT_EQ(assay_check(catalogue_.get(), "x", nullptr, nullptr, nullptr, &m), ASSAY_BAD_ARGUMENT);
  EXPECT_EQ(assay_check_dots(u, 0, &operands, {}, nullptr, nullptr, &m), ASSAY_BAD_ARGUMENT);
  EXPECT_EQ(assay_generate_into(nullptr, 0, 0, nullptr, nullptr, &m), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(m.text, "unit is NULL; it must point to one.");
  EXPECT_EQ(assay_generate_into(u, 0, 0, nullptr, nullptr, &m), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(m.text, "into is NULL; it must point to one.");
  const assay_arrays none{};
  EXPECT_EQ(assay_generate_into(u, 0, 1, nullptr, &none, &m), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(m.text, "a has 0 bytes; this call needs 32.");
  EXPECT_EQ(assay_text_data(nullptr), nullptr);
  EXPECT_EQ(assay_text_size(nullptr), 0U);
  assay_text_free(nullptr);
}

TEST_F(Bench, OperandsThatAreNoCodesAreRefused) {
  const Held<assay_unit> blocks = unit(catalogue_.get(), scaled);
  std::vector<std::uint8_t> a(64), scales(2);
  a[3] = 0x12;
  const std::uint32_t c = 0;
  const assay_operands operands{{a.data(), 64},     {a.data(), 64},     {&c, 4},
                                {scales.data(), 2}, {scales.data(), 2}, nullptr};
  expect({{told([&](assay_text** report, assay_message* message) {
             return assay_explain(blocks.get(), &operands, nullptr, nullptr, nullptr, report, message);
           }),
           ASSAY_BAD_BITS, "a[3] has bits above the 4 of e2m1."}});
}

}  // namespace
}  // namespace assay
