#include "model/base/descriptor.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace assay {

Descriptor::~Descriptor() {
  if (number_ > STDERR_FILENO) close(number_);
}

std::string reason_of(int error) { return std::generic_category().message(error); }

ssize_t read_some(int descriptor, char* into, std::size_t size) {
  ssize_t n = 0;
  do {
    n = read(descriptor, into, size);
  } while (n < 0 && errno == EINTR);
  return n;
}

std::string whole_text(int descriptor) {
  std::string text;
  char piece[1 << 16];
  for (ssize_t n = 0; (n = pread(descriptor, piece, sizeof piece, static_cast<off_t>(text.size()))) > 0;)
    text.append(piece, static_cast<std::size_t>(n));
  return text;
}

bool write_fully(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write_quietly(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

ssize_t write_quietly(int descriptor, const char* bytes, std::size_t size) {
  // A broken pipe, and a file that may not grow further.
  const std::pair<int, int> quiet[] = {{SIGPIPE, EPIPE}, {SIGXFSZ, EFBIG}};
  sigset_t held, before, pending;
  sigemptyset(&held);
  for (const auto& [signal, error] : quiet) sigaddset(&held, signal);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  const ssize_t n = write(descriptor, bytes, size);
  const int failed = n < 0 ? errno : 0;
  for (const auto& [signal, error] : quiet) {
    if (failed != error || sigismember(&pending, signal) == 1) continue;
    // Ours: take it away before the mask is lifted.
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, signal);
    const timespec at_once{0, 0};
    sigtimedwait(&ours, nullptr, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = failed;
  return n;
}

}  // namespace assay
