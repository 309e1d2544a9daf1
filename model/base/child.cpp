#include "model/base/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "model/base/descriptor.hpp"
#include "model/base/error.hpp"
#include "model/base/start.hpp"

namespace assay {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe open_pipe() {
  constexpr int wished_bytes = 1 << 20;  // large batches pass in one piece; the system may grant less
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error{"No pipe can be opened: " + reason_of(errno) + "."};
  fcntl(ends[0], F_SETPIPE_SZ, wished_bytes);
  return {ends[0], ends[1]};
}

// stdin and stdout are the pipes.
Started started(const std::vector<std::string>& argv, int in, int out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  Started child = start(argv, actions, environ);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

// The name of a signal that ends a program which does not catch it. glibc has them as text from 2.32 on.
std::string name_of(int signal) {
  static constexpr std::pair<int, const char*> names[] = {
      {SIGABRT, "SIGABRT"}, {SIGALRM, "SIGALRM"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGHUP, "SIGHUP"},
      {SIGILL, "SIGILL"},   {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"}, {SIGQUIT, "SIGQUIT"},
      {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},   {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGUSR1, "SIGUSR1"},
      {SIGUSR2, "SIGUSR2"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}};
  for (const auto& [number, name] : names)
    if (number == signal) return name;
  return "";
}

std::string words_of(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const std::string name = name_of(signal);
    const std::string words = name.empty() ? "" : " (" + name + ", " + strsignal(signal) + ")";
    return "was killed by signal " + std::to_string(signal) + words;
  }
  const int code = WEXITSTATUS(status);
  if (code == 0) return "";
  // What a shell says of a command it cannot run.
  const char* hint = code == 127 ? " (command not found)" : code == 126 ? " (command cannot be executed)" : "";
  return "exited with status " + std::to_string(code) + hint;
}

}  // namespace

Child::Child(const std::vector<std::string>& argv) {
  if (argv.empty() || argv.front().empty()) throw Error{"The device's command is empty; name a program."};
  const Pipe in = open_pipe();
  const Pipe out = open_pipe();
  Started child = started(argv, in.read, out.write);
  close(in.read);
  close(out.write);
  if (child.error != 0) {
    close(in.write);
    close(out.read);
    throw Error{argv.front() + " cannot be started: " + reason_of(child.error) + "."};
  }
  pid_ = child.pid;
  group_ = std::move(child.group);
  to_ = in.write;
  from_ = out.read;
  ended_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));  // glibc 2.36 declares its own for C alone
  for (const int end : {to_, from_}) fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
}

Child::~Child() {
  close_to();
  close(from_);
  if (ended_ >= 0) close(ended_);
  if (!reaped_) reap();
}

void Child::close_to() {
  if (to_ >= 0) close(to_);
  to_ = -1;
}

void Child::ask_to_end() const { kill(-pid_, SIGTERM); }

std::string Child::wait(std::chrono::milliseconds grace) {
  const bool ended = reaped_ || ends_within(grace);
  if (!reaped_) reap();
  return ended ? words_of(status_) : "did not exit and was killed";
}

bool Child::ends_within(std::chrono::milliseconds grace) const {
  const auto deadline = std::chrono::steady_clock::now() + grace;
  for (;;) {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == pid_) return true;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// The group first: until its leader is reaped, its number cannot belong to anybody else.
void Child::reap() {
  kill(-pid_, SIGKILL);
  group_.forget();
  waitpid(pid_, &status_, 0);
  reaped_ = true;
}

}  // namespace assay
