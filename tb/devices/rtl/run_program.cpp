#include "tb/devices/rtl/run_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "tb/vectors/start.hpp"

namespace assay {
namespace {

std::vector<std::string> with_ours(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;  // of two with one name, the first counts
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

}  // namespace

int run_program(const std::vector<std::string>& argv, const std::string& log,
                const std::vector<std::string>& environment) {
  std::vector<std::string> variables = with_ours(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const Started child = start(argv, actions, pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (child.error != 0) return not_started;
  int status = 0;
  while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace assay
