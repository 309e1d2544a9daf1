// A device in its own process, well behaved and in every way badly: each misbehaviour is a sentence in the answers it
// touches, and the other cases are answered all the same.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <functional>
#include <thread>

#include "tb/devices/dealt.hpp"
#include "tb/devices/kinds/exec_kind.hpp"
#include "tb/tests/devices/plans.hpp"
#include "tb/tests/emulated.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

using std::chrono::milliseconds;

const Plan the_plan = testing_devices::small_plan();

VectorHeader header() {
  VectorHeader h;
  h.architecture = "hopper";
  h.instruction = "small";
  return h;
}

// Waits long enough for a loaded machine where an answer is expected, not at all long where none is.
constexpr milliseconds patient{60'000};
constexpr milliseconds impatient{1500};

std::unique_ptr<Device> fake(const std::string& mode, int when = -1, milliseconds timeout = patient) {
  ProcessOptions options;
  options.argv = {FAKE_DEVICE, mode, std::to_string(when)};
  options.name = "fake";
  options.timeout = timeout;
  return process_device(the_plan, header(), options);
}

std::vector<Case> some_cases(std::size_t count) {
  std::vector<Case> cases(count);
  for (std::size_t i = 0; i < count; ++i) {
    cases[i].number = i;
    cases[i].a = {i & 0xffff, 1};
    cases[i].b = {2, 3};
    cases[i].c = 1000 + i;
  }
  return cases;
}

// Which answers are errors; every other is right.
std::vector<std::size_t> errors(const std::vector<Answer>& answers) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].ok()) {
      wrong.push_back(i);
    } else {
      EXPECT_EQ(answers[i].d, 1000 + i);
    }
  }
  return wrong;
}

using Places = std::vector<std::size_t>;

constexpr const char* unanswered = " before it answered this case, the oldest of those unanswered.";

Error start_error(const std::function<void()>& start) {
  try {
    start();
  } catch (const Error& error) {
    return error;
  }
  return {"no error"};
}

// --- well behaved ---

TEST(ProcessDevice, AnswersInOrderThroughAnyWindow) {
  for (const int window : {1, 2, 3, 64, 100000}) {
    const auto device = fake("echo", window);
    EXPECT_EQ(device->name(), "fake");
    EXPECT_TRUE(device->offers_trace());
    const std::vector<Answer> answers = device->run(some_cases(5000), false);
    ASSERT_EQ(answers.size(), 5000U);
    EXPECT_EQ(errors(answers), Places{});
    EXPECT_EQ(device->close(), "");
  }
}

TEST(ProcessDevice, RunsAgainAndAgain) {
  const auto device = fake("echo");
  for (const std::size_t count : {1U, 0U, 300U, 2U}) {
    const std::vector<Answer> answers = device->run(some_cases(count), false);
    ASSERT_EQ(answers.size(), count);
    EXPECT_EQ(errors(answers), Places{});
  }
  EXPECT_EQ(device->close(), "");
  EXPECT_EQ(errors(device->run(some_cases(3), false)), Places{}) << "after close() it starts again";
}

TEST(ProcessDevice, ClosesWithoutHavingRun) { EXPECT_EQ(fake("echo")->close(), ""); }

TEST(ProcessDevice, TakesAnswersInAnyOrder) {
  const auto device = fake("reorder");
  const std::vector<Answer> answers = device->run(some_cases(1003), false);
  ASSERT_EQ(answers.size(), 1003U);
  EXPECT_EQ(errors(answers), Places{});
  EXPECT_EQ(device->close(), "");
}

TEST(ProcessDevice, KeepsToTheWindow) {
  const auto device = fake("window");
  EXPECT_EQ(errors(device->run(some_cases(21), false)), Places{});
  EXPECT_EQ(device->close(), "");
}

TEST(ProcessDevice, BringsTracesWhereAsked) {
  const auto device = fake("echo");
  const auto place = static_cast<std::size_t>(the_plan.find_place("encode"));
  for (const bool wanted : {false, true, false, true}) {
    const std::vector<Answer> answers = device->run(some_cases(100), wanted);
    EXPECT_EQ(errors(answers), Places{});
    ASSERT_EQ(answers[7].trace.has_value(), wanted);
    if (!wanted) continue;
    EXPECT_EQ(answers[7].trace->at(static_cast<int>(place)).hex(), "000003ef");
    std::vector<char> filled(the_plan.places.size(), 0);
    filled[place] = 1;
    EXPECT_EQ(answers[7].traced, filled);
  }
}

TEST(ProcessDevice, IsNotDisturbedByWhatItsLibrariesPrint) {
  const auto device = exec_device(the_plan, header(), "'" FAKE_DEVICE "' noisy 2>/dev/null");
  EXPECT_EQ(errors(device->run(some_cases(20), false)), Places{});
  EXPECT_EQ(device->close(), "");
}

TEST(ProcessDevice, GoesThroughTheShellWhereAsked) {
  const auto device = exec_device(the_plan, header(), "exec '" FAKE_DEVICE "' echo 4 | cat");
  EXPECT_EQ(device->name(), "exec:exec '" FAKE_DEVICE "' echo 4 | cat");
  EXPECT_EQ(errors(device->run(some_cases(50), false)), Places{});
  EXPECT_EQ(device->close(), "");
}

// --- in records ---

ProcessOptions recording(const std::string& mode, int when = -1, milliseconds timeout = patient) {
  ProcessOptions options;
  options.argv = {FAKE_DEVICE, mode, std::to_string(when)};
  options.name = "fake";
  options.timeout = timeout;
  options.records = true;
  return options;
}

std::unique_ptr<Device> fake_records(const std::string& mode, int when = -1, milliseconds timeout = patient) {
  return process_device(the_plan, header(), recording(mode, when, timeout));
}

// One device, with and without records: the same answers, places and errors.
TEST(ProcessRecords, SayWhatLinesSay) {
  const auto place = the_plan.find_place("encode");
  for (const bool records : {true, false}) {
    ProcessOptions options = recording("records");
    options.records = records;
    const auto device = process_device(the_plan, header(), options);
    for (const bool traced : {true, false, true}) {
      const std::vector<Answer> answers = device->run(some_cases(1000), traced);
      ASSERT_EQ(errors(answers), Places{13}) << records;
      EXPECT_EQ(answers[13].error, "fake answers with an error: c is unlucky");
      ASSERT_EQ(answers[999].trace.has_value(), traced);
      if (!traced) continue;
      EXPECT_EQ(answers[999].trace->at(place).hex(), "000007cf");
      std::vector<char> filled(the_plan.places.size(), 0);
      filled[static_cast<std::size_t>(place)] = 1;
      EXPECT_EQ(answers[999].traced, filled);
    }
    EXPECT_EQ(device->close(), "");
  }
}

TEST(ProcessRecords, AreAgreedUponFirst) {
  const std::pair<const char*, const char*> all[] = {
      {"records_version",
       "fake speaks in records of version 7, and this program in those of 2; build both of the same version."},
      {"records_codes", "fake takes 4 of a, 2 of b, 1 of c in a case, which has 2 of a, 2 of b, 1 of c."},
      {"records_place", "fake offers place 'nowhere[3]', which does not exist in this datapath."},
      {"records_width", "fake offers place 'encode' with 31 bits; it has 32."},
      {"records_twice", "fake offers place 'encode' twice."},
  };
  for (const auto& [mode, message] : all)
    EXPECT_EQ(start_error([mode = mode] { fake_records(mode); }).message, message) << mode;
}

TEST(ProcessRecords, LayABadRecordToItsCase) {
  const std::pair<const char*, const char*> all[] = {
      {"records_words", "fake gave a bad answer: it has 3 words, and should have 2."},
      {"records_d", "fake gave a bad answer: its d has more than the 32 bits that there are."},
      {"records_bits", "fake gave a bad answer: place 'encode' has more than its 32 bits."},
  };
  for (const auto& [mode, message] : all) {
    const auto device = fake_records(mode, 2);
    const std::vector<Answer> answers = device->run(some_cases(10), true);
    EXPECT_EQ(errors(answers), Places{2}) << mode;
    EXPECT_EQ(answers[2].error, message) << mode;
    EXPECT_EQ(device->close(), "") << mode;
  }
}

TEST(ProcessRecords, MayShowNoPlacesOfACase) {
  const auto device = fake_records("records_no_places", 2);
  const std::vector<Answer> answers = device->run(some_cases(4), true);
  EXPECT_EQ(errors(answers), Places{});
  EXPECT_FALSE(answers[2].trace);
  EXPECT_TRUE(answers[3].trace);
}

TEST(ProcessRecords, OutliveTheProcess) {
  const std::pair<const char*, const char*> all[] = {
      {"records_crash", "fake was killed by signal 11 (SIGSEGV, Segmentation fault)"},
      {"records_torn", "fake exited, leaving an unfinished record, 24 bytes of it"},
      {"records_torn_head", "fake exited with status 3, leaving an unfinished record, 8 bytes of it"},
      {"records_kind", "fake wrote a record of kind 77 with id 5, which is no answer"},
      {"records_id", "fake answered id 1000000, which it was not asked"},
      {"records_ended", "fake ended the conversation"},
      {"records_hang", "fake gave no answer for 1.500 s and was killed"},
  };
  for (const auto& [mode, message] : all) {
    const bool hangs = std::string(mode) == "records_hang";
    const std::vector<Answer> answers = fake_records(mode, 5, hangs ? impatient : patient)->run(some_cases(10), true);
    EXPECT_EQ(errors(answers), Places{5}) << mode;
    EXPECT_EQ(answers[5].error, std::string(message) + unanswered) << mode;
  }
  const std::vector<Answer> answers = fake_records("records_endless", 5)->run(some_cases(8), true);
  EXPECT_EQ(errors(answers), Places{5});
  EXPECT_EQ(answers[5].error.find("fake began a record of 1073741824 words, where "), 0U) << answers[5].error;
}

TEST(ProcessRecords, EndAsLinesDo) {
  const std::pair<const char*, const char*> all[] = {
      {"records_miscount", "After its last answer fake counted 4 cases where there were 3."},
      {"records_after_end", "After its last answer fake wrote a record of kind 2 with id 3 after its end."},
      {"records_well", ""},
  };
  for (const auto& [mode, message] : all) {
    const auto device = fake_records(mode);
    EXPECT_EQ(errors(device->run(some_cases(3), true)), Places{}) << mode;
    EXPECT_EQ(device->close(), message) << mode;
  }
}

TEST(ProcessRecords, NoCaseOfAnotherLengthIsTaken) {
  std::vector<Case> cases = some_cases(3);
  cases[1].a.push_back(7);
  const std::vector<Answer> answers = fake_records("records")->run(cases, false);
  EXPECT_EQ(errors(answers), Places{1});
  EXPECT_EQ(answers[1].error, "fake answers with an error: The request has 6 codes, where 5 are expected.");
}

// --- several alike ---

TEST(Dealt, AnswersInTheOrderOfTheCases) {
  for (const std::size_t count : {1U, 255U, 256U, 1003U}) {
    std::vector<std::unique_ptr<Device>> devices;
    for (int i = 0; i < 3; ++i) devices.push_back(fake_records("records_well"));
    const auto all = dealt(std::move(devices));
    const std::vector<Answer> answers = all->run(some_cases(count), true);
    ASSERT_EQ(answers.size(), count);
    EXPECT_EQ(errors(answers), Places{});
    EXPECT_TRUE(answers.back().trace);
    EXPECT_EQ(all->close(), "");
  }
}

// Each answers its own part: the sixth case of each is the one that breaks, but not for few.
TEST(Dealt, DealsManyCasesAndKeepsFewTogether) {
  const auto broken = [](std::size_t count) {
    std::vector<std::unique_ptr<Device>> devices;
    for (int i = 0; i < 2; ++i) devices.push_back(fake_records("records_words", 5));
    return errors(dealt(std::move(devices))->run(some_cases(count), true));
  };
  EXPECT_EQ(broken(100), Places{5});
  EXPECT_EQ(broken(400), (Places{5, 205}));
}

// --- what cannot be opened ---

// Under qemu-user a parent does not hear why its child could not be made another program.
#define NEEDS_A_SYSTEM \
  if (is_emulated()) GTEST_SKIP() << "qemu-user does not tell a parent that a program could not be started."

TEST(ProcessDevice, SaysWhatCannotBeStarted) {
  NEEDS_A_SYSTEM;
  ProcessOptions options;
  options.name = "mine";
  options.argv = {"/none/such"};
  Error error = start_error([&] { process_device(the_plan, header(), options); });
  EXPECT_EQ(error.message, "/none/such cannot be started: No such file or directory.");
  EXPECT_EQ(error.ending, Ending::wrong_use);
  options.argv = {};
  error = start_error([&] { process_device(the_plan, header(), options); });
  EXPECT_EQ(error.message, "The device's command is empty; name a program.");
  error = start_error([&] { exec_device(the_plan, header(), "none-such-command 2>/dev/null"); });
  EXPECT_EQ(error.message,
            "exec:none-such-command 2>/dev/null exited with status 127 (command not found) before it greeted.");
}

TEST(ProcessDevice, NeedsAGreeting) {
  EXPECT_EQ(start_error([] { fake("no_greeting"); }).message, "fake exited with status 5 before it greeted.");
  EXPECT_EQ(start_error([] { fake("silent", 0, impatient); }).message,
            "fake gave no answer for 1.500 s and was killed before it greeted.");
  EXPECT_EQ(start_error([] { fake("wrong_greeting"); }).message,
            "fake greets with 'hello'; the first line of a device should be like "
            "{\"device\":\"mine\",\"instructions\":[\"*\"],\"trace\":false,\"window\":64}, its window at least 1.");
  EXPECT_EQ(start_error([] { fake("wrong_window"); }).message.find("fake greets with '{\"device\":\"fake\""), 0U);
}

TEST(ProcessDevice, NeedsItsInstruction) {
  const auto device = fake("picky");
  EXPECT_EQ(errors(device->run(some_cases(3), false)), Places{});
  ProcessOptions options;
  options.argv = {FAKE_DEVICE, "picky"};
  options.name = "fake";
  VectorHeader other = header();
  other.instruction = "large";
  Error error = start_error([&] { process_device(the_plan, other, options); });
  EXPECT_EQ(error.message, "fake does not do hopper:large; it offers hopper:small, hopper:other.");
  EXPECT_EQ(error.ending, Ending::not_here);
  other.datapath = "{}";
  error = start_error([&] { process_device(the_plan, other, options); });
  EXPECT_EQ(error.message, "fake does not do any datapath it is given; it offers hopper:small, hopper:other.");
}

// --- what goes wrong on one case alone ---

TEST(ProcessDevice, LaysABadAnswerToItsCase) {
  const std::pair<const char*, const char*> all[] = {
      {"width", "fake gave a bad answer: d is \"3f80\", 4 digits: it takes exactly 8 digits (32 bits)."},
      {"width_first", "fake gave a bad answer: d is \"3f80\", 4 digits: it takes exactly 8 digits (32 bits)."},
      {"no_d", "fake gave a bad answer: it has neither d nor error."},
      {"error", "fake answers with an error: The unit \"x\" overflowed."},
      {"twice", "fake answered this case twice."},
  };
  for (const auto& [mode, message] : all) {
    const auto device = fake(mode, 2);
    const std::vector<Answer> answers = device->run(some_cases(10), false);
    EXPECT_EQ(errors(answers), Places{2}) << mode;
    EXPECT_EQ(answers[2].error, message) << mode;
    EXPECT_EQ(device->close(), "") << mode;
  }
}

TEST(ProcessDevice, LaysABadTraceToItsCase) {
  const std::pair<const char*, const char*> all[] = {
      {"bad_place", "fake gave a bad answer: place 'nowhere[3]' of the trace does not exist in this datapath."},
      {"bad_bits",
       "fake gave a bad answer: place 'encode' of the trace is '123'; it takes exactly 8 lower-case hex digits (32 "
       "bits)."},
      {"place_twice", "fake gave a bad answer: place 'encode' of the trace is given twice."},
  };
  for (const auto& [mode, message] : all) {
    const std::vector<Answer> answers = fake(mode, 2)->run(some_cases(10), true);
    EXPECT_EQ(errors(answers), Places{2}) << mode;
    EXPECT_EQ(answers[2].error, message) << mode;
    // Where no trace was asked for, none is looked at; only its d (here 0) counts.
    EXPECT_TRUE(fake(mode, 2)->run(some_cases(10), false)[2].ok()) << mode;
  }
}

TEST(ProcessDevice, CarriesTheErrorsOfItsHandler) {
  const std::vector<Answer> answers = fake("throws")->run(some_cases(4), false);
  EXPECT_EQ(errors(answers), (Places{1, 3}));
  EXPECT_EQ(answers[3].error, "fake answers with an error: c is odd");
}

// --- what ends a process, but not the run ---

TEST(ProcessDevice, OutlivesTheProcess) {
  const std::pair<const char*, const char*> all[] = {
      {"crash", "fake was killed by signal 11 (SIGSEGV, Segmentation fault)"},
      {"exit3", "fake exited with status 3"},
      {"exit0", "fake exited"},
      {"torn", "fake exited, leaving an unfinished line, '{\"id\":5,\"d\":\"3f'"},
      {"end", "fake ended the conversation"},
      {"garbage",
       "fake wrote 'Info: everything is fine', which is no answer (byte 1 is 'I', but '{' should stand there)"},
      {"unknown_id", "fake answered id 1000000, which it was not asked"},
  };
  for (const auto& [mode, message] : all) {
    const auto device = fake(mode, 5);
    // Each process answers five cases and breaks on its sixth.
    const std::vector<Answer> answers = device->run(some_cases(10), false);
    EXPECT_EQ(errors(answers), Places{5}) << mode;
    EXPECT_EQ(answers[5].error, std::string(message) + unanswered) << mode;
  }
}

TEST(ProcessDevice, OutlivesAHang) {
  for (const char* mode : {"hang", "forget"}) {  // the second leaves one case out and answers the rest
    const std::vector<Answer> answers = fake(mode, 5, impatient)->run(some_cases(8), false);
    EXPECT_EQ(errors(answers), Places{5}) << mode;
    EXPECT_EQ(answers[5].error, std::string("fake gave no answer for 1.500 s and was killed") + unanswered) << mode;
  }
}

TEST(ProcessDevice, KeepsWhatWasAnsweredBeforeTheProcessEnded) {
  const std::pair<const char*, const char*> all[] = {
      {"simulated_abort", "fake was killed by signal 6 (SIGABRT, Aborted)"},
      {"simulated_exit", "fake exited with status 3"},
      {"simulated_hang", "fake gave no answer for 1.500 s and was killed"},
  };
  for (const auto& [mode, message] : all) {
    const bool hangs = std::string(mode) == "simulated_hang";
    const std::vector<Answer> answers = fake(mode, 5, hangs ? impatient : patient)->run(some_cases(8), false);
    EXPECT_EQ(errors(answers), Places{5}) << mode;
    EXPECT_EQ(answers[5].error, std::string(message) + unanswered) << mode;
  }
}

TEST(ProcessDevice, StartsADeviceAnewThatAsksForIt) {
  const auto device = fake("simulated_restart", 5);
  EXPECT_EQ(errors(device->run(some_cases(6), false)), Places{5}) << "with nothing left to answer";
  EXPECT_EQ(errors(device->run(some_cases(13), false)), (Places{5, 11}));
  EXPECT_EQ(device->close(), "");
  const auto last = fake("simulated_restart", 2);
  EXPECT_EQ(errors(last->run(some_cases(3), false)), Places{2});
  EXPECT_EQ(last->close(), "");
  // Each process answers its first case with an error.
  const std::vector<Answer> answers = fake("simulated_restart", 0)->run(some_cases(110), false);
  EXPECT_EQ(answers[100].error, "fake answers with an error: It stopped.");
  EXPECT_EQ(answers[101].error, "fake was not asked: it asked 101 times in this run to be started anew.");
  EXPECT_EQ(fake("restart", 0)->run(some_cases(1), false)[0].error,
            std::string("fake asked to be started anew before it answered anything") + unanswered);
}

TEST(ProcessDevice, KillsWhatNoLongerListens) {
  const std::vector<Answer> answers = fake("deaf", 5)->run(some_cases(8), false);
  EXPECT_EQ(errors(answers), Places{5});
  EXPECT_EQ(answers[5].error, std::string("fake did not exit and was killed") + unanswered);
}

TEST(ProcessDevice, BoundsALine) {
  const std::vector<Answer> answers = fake("endless", 5)->run(some_cases(8), false);
  EXPECT_EQ(errors(answers), Places{5});
  EXPECT_EQ(answers[5].error.find("fake wrote a line longer than 10"), 0U) << answers[5].error;
}

// What the device started in its turn keeps the pipe open, and outlives it in a session of its own.
TEST(ProcessDevice, EndsWithTheProcessWhateverThatLeavesRunning) {
  const Scratch folder;
  const auto device = [&](const std::string& mode) {
    const std::string command = "setsid sleep 1000 & echo $! >>" + folder / "pids" + "; exec " FAKE_DEVICE " " + mode;
    return exec_device(the_plan, header(), command, impatient);
  };
  const auto well = device("echo -1");
  EXPECT_EQ(errors(well->run(some_cases(3), false)), Places{});
  EXPECT_EQ(well->close(), "");
  const std::string crashed = device("exit 1")->run(some_cases(1), false).front().error;
  EXPECT_EQ(crashed.find("gave no answer"), std::string::npos) << crashed;
  std::ifstream pids(folder / "pids");
  for (pid_t pid = 0; pids >> pid;) kill(pid, SIGKILL);
}

TEST(ProcessDevice, GivesUpAfterItsRestarts) {
  // Four processes, each good for one case and broken by the next.
  const std::vector<Answer> answers = fake("crash", 1)->run(some_cases(12), false);
  EXPECT_EQ(errors(answers), (Places{1, 3, 5, 7, 8, 9, 10, 11}));
  const std::string crashed = "was killed by signal 11 (SIGSEGV, Segmentation fault)";
  EXPECT_EQ(answers[7].error, "fake " + crashed + unanswered);
  EXPECT_EQ(answers[8].error, "fake was not asked: it failed 4 times in this run; the last time it " + crashed + ".");
  EXPECT_EQ(answers[11].error, answers[8].error);
}

TEST(ProcessDevice, SaysWhenItCannotStartAgain) {
  NEEDS_A_SYSTEM;
  // The program is gone when the second process is wanted.
  const Scratch folder;
  std::filesystem::copy_file(FAKE_DEVICE, folder / "device");
  ProcessOptions options;
  options.argv = {folder / "device", "crash", "1"};
  options.name = "fake";
  const auto device = process_device(the_plan, header(), options);
  std::filesystem::remove(folder / "device");
  const std::vector<Answer> answers = device->run(some_cases(4), false);
  EXPECT_EQ(errors(answers), (Places{1, 2, 3}));
  EXPECT_EQ(answers[2].error, "fake was not asked: it could not be started again: " + folder / "device" +
                                  " cannot be started: No such file or directory.");
}

TEST(ProcessDevice, NoticesALateSecondAnswerInTheNextRun) {
  const auto device = fake("twice", 2);
  EXPECT_EQ(errors(device->run(some_cases(3), false)), Places{});
  const std::vector<Answer> answers = device->run(some_cases(2), false);
  EXPECT_EQ(errors(answers), Places{0});
  EXPECT_EQ(answers[0].error, std::string("fake answered id 2 of an earlier run a second time") + unanswered);
}

// --- the end ---

TEST(ProcessDevice, ChecksTheEnd) {
  const std::pair<const char*, const char*> all[] = {
      {"no_end", "exited without {\"end\":3}"},
      {"miscount", "counted 4 cases where there were 3"},
      {"after_end", "wrote 'one more thing' after its end"},
      {"exit3_at_end", "exited with status 3"},
  };
  for (const auto& [mode, message] : all) {
    const auto device = fake(mode);
    EXPECT_EQ(errors(device->run(some_cases(3), false)), Places{}) << mode;
    EXPECT_EQ(device->close(), std::string("After its last answer fake ") + message + ".") << mode;
    EXPECT_EQ(device->close(), "") << mode << ": said once";
  }
  // A process that ended because the next run wants traces is not forgotten.
  const auto untraced = fake("exit3_untraced");
  EXPECT_EQ(errors(untraced->run(some_cases(3), false)), Places{});
  EXPECT_EQ(errors(untraced->run(some_cases(3), true)), Places{});
  EXPECT_EQ(untraced->close(), "After its last answer fake exited with status 3.");
  EXPECT_EQ(untraced->close(), "");
  const auto hangs = fake("hang_at_end", -1, impatient);
  EXPECT_EQ(errors(hangs->run(some_cases(3), false)), Places{});
  EXPECT_EQ(hangs->close(), "After its last answer fake gave no answer for 1.500 s and was killed.");
  const auto late = fake("twice", 2);
  EXPECT_EQ(errors(late->run(some_cases(3), false)), Places{});
  EXPECT_EQ(late->close(),
            "After its last answer fake wrote '{\"id\":2,\"d\":\"000003ea\"}', where {\"end\":3} was expected.");
}

// Every descendant of this process is gone, zombies included.
void expect_no_children() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(ProcessDevice, LeavesNoProcessBehind) {
  for (const char* mode : {"echo", "hang", "linger", "hang_at_end", "deaf"}) {
    fake(mode, 1, impatient)->run(some_cases(1), false);
    expect_no_children();
  }
}

bool comes_to_its_end(const std::string& pid) {
  for (int wait = 0; wait < 1000; ++wait) {
    std::ifstream stat("/proc/" + pid + "/stat");
    std::string number, name, state = "gone";
    stat >> number >> name >> state;
    if (state == "gone" || state == "Z" || state == "X") return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(ProcessDevice, LeavesNothingOfAShellsPipelineBehind) {
  const Scratch folder;
  const std::string command = "echo '{\"device\":\"x\",\"instructions\":[\"*\"]}'; sh -c 'echo $$ > " + folder / "pid" +
                              "; exec sleep 1000'; true";
  auto device = exec_device(the_plan, header(), command, impatient);
  std::string pid;
  while (pid.empty()) std::ifstream(folder / "pid") >> pid;
  EXPECT_FALSE(device->run(some_cases(1), false)[0].ok());
  device.reset();
  // The kill is on its way; once it has come, the process is gone, or a zombie in init's hands.
  EXPECT_TRUE(comes_to_its_end(pid));
}

}  // namespace
}  // namespace assay
