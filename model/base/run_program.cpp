#include "model/base/run_program.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <thread>

#include "model/base/descriptor.hpp"
#include "model/base/error.hpp"
#include "model/base/start.hpp"

namespace assay {
namespace {

std::vector<std::string> with_ours(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;  // of two with one name, the first counts
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

// A shell changes the folder: glibc lets posix_spawn do so from 2.29 on. It gives way to the program, and ends with
// not_started where there is none.
std::vector<std::string> in_folder(std::vector<std::string> argv, const std::string& folder) {
  const std::string start = R"(cd "$0" && exec "$@")";
  argv.insert(argv.begin(), {"/bin/sh", "-c", start, std::filesystem::absolute(folder).string()});
  return argv;
}

// Its stdout and stderr go to the open file `log`.
Started start_into(const std::vector<std::string>& argv, int log, const Surroundings& around) {
  std::vector<std::string> variables = with_ours(around.environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, log, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
  Started child =
      start(around.folder.empty() ? argv : in_folder(argv, around.folder), actions, pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

int status_of(int waited) { return WIFEXITED(waited) ? WEXITSTATUS(waited) : 128 + WTERMSIG(waited); }

int end_of(const Started& child) {
  if (child.error != 0) return not_started;
  int waited = 0;
  while (waitpid(child.pid, &waited, 0) < 0 && errno == EINTR) {
  }
  return status_of(waited);
}

// Nothing where it has not ended when the time is over.
std::optional<int> end_within(std::chrono::milliseconds patience, const Started& child) {
  if (child.error != 0) return not_started;
  const auto until = std::chrono::steady_clock::now() + patience;
  int waited = 0;
  for (pid_t ended = 0; ended == 0 || (ended < 0 && errno == EINTR);) {
    if (std::chrono::steady_clock::now() >= until) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ended = waitpid(child.pid, &waited, WNOHANG);
  }
  return status_of(waited);
}

int memory_file() {
  const int file = memfd_create("said", MFD_CLOEXEC);
  if (file < 0) throw Error{"No memory file can be opened: " + reason_of(errno) + "."};
  return file;
}

}  // namespace

int run_program(const std::vector<std::string>& argv, const std::string& log, const Surroundings& around) {
  const Descriptor file(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (file.number() < 0) throw Error{log + ": This file cannot be written: " + reason_of(errno) + "."};
  return end_of(start_into(argv, file.number(), around));
}

std::optional<std::string> said_by(const std::vector<std::string>& argv) {
  const Descriptor file(memory_file());
  if (end_of(start_into(argv, file.number(), {})) != 0) return std::nullopt;
  return whole_text(file.number());
}

Said said_within(std::chrono::milliseconds patience, const std::vector<std::string>& argv, const Surroundings& around) {
  const Descriptor file(memory_file());
  const Started child = start_into(argv, file.number(), around);
  std::optional<int> status = end_within(patience, child);
  const bool in_time = status.has_value();
  if (!in_time) {
    kill(-child.pid, SIGKILL);
    status = end_of(child);
  }
  return {*status, in_time, whole_text(file.number())};
}

}  // namespace assay
