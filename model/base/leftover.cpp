#include "model/base/leftover.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <utility>

namespace assay {
namespace {

enum class Kind { file, folder, group };

// A signal's handler may neither allocate nor wait: the table has a fixed size, and each entry has room for a whole
// path. Something that finds no free entry is left behind by a signal, and in no other case.
struct Slot {
  enum State { empty, being_filled, full };
  std::atomic<int> state{empty};
  Kind kind = Kind::file;
  pid_t leader = 0;
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 256> slots;

constexpr std::array endings{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM};

int keep(Kind kind, const std::string& path, pid_t leader) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    int expected = Slot::empty;
    if (!slot.state.compare_exchange_strong(expected, Slot::being_filled)) continue;
    slot.kind = kind;
    slot.leader = leader;
    slot.path[path.copy(slot.path.data(), path.size())] = '\0';
    slot.state = Slot::full;
    return static_cast<int>(i);
  }
  return -1;
}

// Removes the folder and the files in it; opendir would allocate.
void take_folder(const char* path) {
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(dirent64) char entries[4096];
  // glibc has its own name for this from 2.30 on.
  for (long n = 0; (n = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
    for (long at = 0; at < n;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      unlinkat(folder, entry->d_name, 0);
      at += entry->d_reclen;
    }
  }
  close(folder);
  rmdir(path);
}

void take(const Slot& slot) {
  switch (slot.kind) {
    case Kind::file: unlink(slot.path.data()); break;
    case Kind::folder: take_folder(slot.path.data()); break;
    case Kind::group: kill(-slot.leader, SIGKILL); break;
  }
}

// Processes first, which might still write.
void end_by(int signal) {
  for (const Kind kind : {Kind::group, Kind::file, Kind::folder}) {
    for (const Slot& slot : slots) {
      if (slot.state == Slot::full && slot.kind == kind) take(slot);
    }
  }
  ::signal(signal, SIG_DFL);
  raise(signal);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

}  // namespace

Leftover Leftover::file(const std::string& path) { return Leftover(keep(Kind::file, path, 0)); }
Leftover Leftover::folder(const std::string& path) { return Leftover(keep(Kind::folder, path, 0)); }
Leftover Leftover::group(pid_t leader) { return Leftover(keep(Kind::group, "", leader)); }

Leftover::Leftover(Leftover&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Leftover& Leftover::operator=(Leftover&& other) noexcept {
  forget();
  slot_ = std::exchange(other.slot_, -1);
  return *this;
}

void Leftover::forget() {
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].state = Slot::empty;
  slot_ = -1;
}

void take_leftovers_along() {
  for (const int signal : endings) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == SIG_IGN) continue;
    now = {};
    now.sa_handler = end_by;
    now.sa_flags = SA_RESTART;
    sigfillset(&now.sa_mask);
    sigaction(signal, &now, nullptr);
  }
}

}  // namespace assay
