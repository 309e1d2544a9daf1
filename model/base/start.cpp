#include "model/base/start.hpp"

#include <signal.h>

namespace assay {
namespace {

// Blocks signals in this thread: none may end us after a process was started and before its Leftover exists.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Started start(std::vector<std::string> argv, const posix_spawn_file_actions_t& actions, char** environment) {
  sigset_t none, of_writing;
  sigemptyset(&none);
  sigemptyset(&of_writing);
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&of_writing, signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &of_writing);

  Started started;
  const SignalsHeld held;
  started.error =
      posix_spawnp(&started.pid, argv.front().c_str(), &actions, &attributes, pointers(argv).data(), environment);
  if (started.error == 0) started.group = Leftover::group(started.pid);
  posix_spawnattr_destroy(&attributes);
  return started;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace assay
