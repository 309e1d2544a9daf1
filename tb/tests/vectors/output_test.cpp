// Files as they are written: whole or not at all, with the mode of what they replace, into what is no file, and taken
// away by a signal that ends the process.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <functional>
#include <thread>

#include "model/base/output_file.hpp"
#include "model/base/output_folder.hpp"
#include "model/base/printable.hpp"
#include "model/base/start.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing_vectors::file_bytes;
using testing_vectors::put_file;

mode_t mode_of(const std::string& path) {
  struct stat there {};
  EXPECT_EQ(stat(path.c_str(), &there), 0) << path;
  return there.st_mode & 07777;
}

std::string refusal(const std::string& path) {
  try {
    write_whole_file(path, "text");
  } catch (const Error& error) {
    return error.message;
  }
  return "not refused";
}

TEST(OutputFile, KeepsTheModeOfWhatItReplaces) {
  const Scratch folder;
  for (const mode_t mode : {0600, 0640, 0755, 0666}) {
    put_file(folder / "f", "old");
    chmod((folder / "f").c_str(), mode);
    write_whole_file(folder / "f", "new");
    EXPECT_EQ(file_bytes(folder / "f"), "new");
    EXPECT_EQ(mode_of(folder / "f"), mode);
  }
  EXPECT_EQ(folder.files(), 1u);
}

TEST(OutputFile, NobodyElseReadsWhatIsBeingWritten) {
  const Scratch folder;
  put_file(folder / "f", "old");
  chmod((folder / "f").c_str(), 0600);
  const OutputFile file(folder / "f");
  struct stat there {};
  fstat(file.descriptor(), &there);
  EXPECT_EQ(there.st_mode & 07777, 0600u);
}

TEST(OutputFile, MakesNewFilesAsTheUserHasThem) {
  const Scratch folder;
  const mode_t before = umask(027);
  write_whole_file(folder / "f", "new");
  umask(before);
  EXPECT_EQ(mode_of(folder / "f"), 0640u);
}

TEST(OutputFile, FollowsLinksAlsoToWhatIsNotThereYet) {
  const Scratch folder;
  put_file(folder / "there", "old");
  fs::create_symlink("there", folder / "a");
  fs::create_symlink(folder / "new", folder / "b");
  fs::create_symlink("b", folder / "c");
  write_whole_file(folder / "a", "1");
  write_whole_file(folder / "c", "2");
  EXPECT_EQ(file_bytes(folder / "there"), "1");
  EXPECT_EQ(file_bytes(folder / "new"), "2");
  for (const char* link : {"a", "b", "c"}) EXPECT_TRUE(fs::is_symlink(folder / link)) << link;
  fs::create_symlink("loop", folder / "loop");
  EXPECT_EQ(refusal(folder / "loop"), folder / "loop" + " cannot be written: Too many levels of symbolic links.");
}

TEST(OutputFile, WritesIntoWhatIsNoFile) {
  const Scratch folder;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = file_bytes(fifo); });
  write_whole_file(fifo, "through");
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(fifo));
  write_whole_file("/dev/null", "nothing");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(refusal("/dev/full"), "/dev/full cannot be written: No space left on device.");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// A file that somebody holds open is written through, where a new one under its name would leave that one empty.
TEST(OutputFile, WritesIntoADescriptorThatIsNamed) {
  const Scratch folder;
  const int descriptor = open((folder / "f").c_str(), O_RDWR | O_CREAT | O_APPEND, 0600);
  ASSERT_GE(descriptor, 0);
  for (const char* at : {"/proc/self/fd/", "/dev/fd/"}) write_whole_file(at + std::to_string(descriptor), at);
  EXPECT_EQ(file_bytes(folder / "f"), "/proc/self/fd//dev/fd/");
  ASSERT_EQ(write(descriptor, "!", 1), 1) << "it is still ours, and open";
  close(descriptor);
  EXPECT_EQ(file_bytes(folder / "f"), "/proc/self/fd//dev/fd/!");
  EXPECT_EQ(folder.files(), 1u);
}

// As nobody in particular: root may write everything.
class Unprivileged {
 public:
  Unprivileged() {
    if (before_ == 0 && seteuid(65534) != 0) throw std::runtime_error("seteuid");
  }
  ~Unprivileged() {
    if (seteuid(before_) != 0) std::abort();
  }

 private:
  uid_t before_ = geteuid();
};

TEST(OutputFile, LeavesAloneWhatMayNotBeWritten) {
  const Scratch folder;
  chmod((folder / ".").c_str(), 0777);
  put_file(folder / "f", "kept");
  chmod((folder / "f").c_str(), 0444);
  fs::create_directory(folder / "closed");
  chmod((folder / "closed").c_str(), 0555);
  {
    const Unprivileged now;
    EXPECT_EQ(refusal(folder / "f"), folder / "f" + " cannot be written: Permission denied.");
    EXPECT_EQ(refusal(folder / "closed/f"), folder / "closed/f" + " cannot be written: Permission denied.");
    EXPECT_THROW(OutputFolder(folder / "closed/g"), Error);
  }
  EXPECT_EQ(file_bytes(folder / "f"), "kept");
  EXPECT_EQ(folder.files(), 2u);
}

TEST(OutputFile, GivesNoOtherGroupWhatItsOwnMayDo) {
  if (geteuid() != 0) GTEST_SKIP() << "Only root can make a file of somebody else's.";
  const Scratch folder;
  chmod((folder / ".").c_str(), 0777);
  put_file(folder / "f", "theirs");
  ASSERT_EQ(chown((folder / "f").c_str(), 54321, 54321), 0);
  chmod((folder / "f").c_str(), 0666);
  {
    const Unprivileged now;
    write_whole_file(folder / "f", "nobody's");
  }
  EXPECT_EQ(mode_of(folder / "f"), 0606u);
}

TEST(OutputFolder, FollowsLinks) {
  const Scratch folder;
  fs::create_symlink("new", folder / "link");
  OutputFolder output(folder / "link");
  write_whole_file(output / "f", "x");
  output.finish();
  EXPECT_EQ(file_bytes(folder / "new/f"), "x");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
}

// --- signals ---

// The signal that ends a process which does `work` and then sends it to itself; 0 where none does.
int ended_by(int signal, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    take_leftovers_along();
    work();
    raise(signal);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(Leftovers, GoWithTheProcess) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Scratch folder;
    put_file(folder / "old", "kept");
    EXPECT_EQ(ended_by(signal,
                       [&] {
                         static const OutputFile file(folder / "old");
                         static const OutputFolder output(folder / "folder");
                         put_file(output / "a", "1");
                         put_file(output / "b", "2");
                       }),
              signal);
    EXPECT_EQ(folder.files(), 1u);
    EXPECT_EQ(file_bytes(folder / "old"), "kept");
  }
}

TEST(Leftovers, OfWhatIsFinishedThereAreNone) {
  const Scratch folder;
  ended_by(SIGTERM, [&] { write_whole_file(folder / "f", "whole"); });
  EXPECT_EQ(file_bytes(folder / "f"), "whole");
}

TEST(Leftovers, ProcessesGoToo) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  EXPECT_EQ(ended_by(SIGTERM,
                     [&] {
                       posix_spawn_file_actions_t actions;
                       posix_spawn_file_actions_init(&actions);
                       posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
                       static const Started child = start({"sh", "-c", "sleep 1000 & wait"}, actions, environ);
                       ASSERT_EQ(child.error, 0);
                     }),
            SIGTERM);
  close(ends[1]);
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 0) << "this waits until nobody holds the other end any more";
  close(ends[0]);
}

TEST(Leftovers, WhatWasIgnoredStaysIgnored) {
  EXPECT_EQ(ended_by(SIGKILL,
                     [] {
                       signal(SIGHUP, SIG_IGN);
                       take_leftovers_along();
                     }),
            SIGKILL);
  struct sigaction now {};
  signal(SIGHUP, SIG_IGN);
  take_leftovers_along();
  sigaction(SIGHUP, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
  for (const int each : {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGXCPU, SIGALRM}) signal(each, SIG_DFL);
}

// --- what others wrote, on a terminal ---

TEST(Printable, ShowsWhatSteersATerminal) {
  EXPECT_EQ(printable("plain text, \tand a line\n"), "plain text, \tand a line\n");
  EXPECT_EQ(printable("\x1b[2J\x1b]0;title\x07\r\x7f"), "\\u001b[2J\\u001b]0;title\\u0007\\u000d\\u007f");
  EXPECT_EQ(printable("Gr\u00fc\u00dfe, \u2248 \u2014 \U0001f600"), "Gr\u00fc\u00dfe, \u2248 \u2014 \U0001f600");
  EXPECT_EQ(printable("\u009b2J"), "\\u009b2J");
  EXPECT_EQ(printable("a\u202eb\u2066c\u200bd\ufeff"), "a\\u202eb\\u2066c\\u200bd\\ufeff");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\u0000");
}

TEST(Printable, ShowsBytesThatAreNoText) {
  EXPECT_EQ(printable("\xff\xc3("), "\\xff\\xc3(");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // a slash in two bytes
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half a pair of UTF-16
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("cut \xe2\x89"), "cut \\xe2\\x89");
}

std::string through(const std::vector<std::string>& pieces, bool colour) {
  std::ostringstream to;
  PrintableBuffer buffer(*to.rdbuf(), colour);
  std::ostream out(&buffer);
  for (const std::string& piece : pieces) out << piece;
  out.flush();
  return to.str();
}

TEST(Printable, WhateverPiecesATextComesIn) {
  const std::string text = "\u2248\x1b[31mred\x1b[0m\x1b[2J\u202e\xff";
  std::vector<std::string> bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  for (const auto& pieces : {std::vector<std::string>{text}, bytes}) {
    EXPECT_EQ(through(pieces, true), "\u2248\x1b[31mred\x1b[0m\\u001b[2J\\u202e\\xff");
    EXPECT_EQ(through(pieces, false), "\u2248\\u001b[31mred\\u001b[0m\\u001b[2J\\u202e\\xff");
  }
  EXPECT_EQ(through({"\x1b[3"}, true), "\\u001b[3");
}

}  // namespace
}  // namespace assay
