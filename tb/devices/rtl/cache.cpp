#include "tb/devices/rtl/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include "model/base/sha256.hpp"
#include "tb/devices/device.hpp"

namespace assay {

namespace fs = std::filesystem;

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

constexpr const char* another_place = "; set ASSAY_CACHE to the absolute path of a folder that you can write.";

std::string machine_name() {
  char name[65] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

// When the file was touched last, by the clock of whoever keeps it: it is only held to what it was.
timespec touched(int file) {
  struct stat now {};
  fstat(file, &now);
  return now.st_mtim;
}

bool operator==(const timespec& x, const timespec& y) { return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec; }

}  // namespace

fs::path cache_root() {
  if (const char* given = std::getenv("ASSAY_CACHE"); given != nullptr && *given != '\0') {
    if (*given != '/')
      throw Error{"ASSAY_CACHE is '" + std::string(given) + "', and has to be the absolute path of a folder."};
    return given;
  }
  if (const char* given = std::getenv("XDG_CACHE_HOME"); given != nullptr && *given == '/')
    return fs::path(given) / "assay";
  if (const char* user = std::getenv("HOME"); user != nullptr && *user == '/') return fs::path(user) / ".cache/assay";
  throw Error{"There is no place for what is built: set ASSAY_CACHE, HOME or XDG_CACHE_HOME to an absolute path."};
}

fs::path cache_place(const std::string& kind) { return cache_root() / kind; }

fs::path cache_folder(const std::string& kind) {
  const fs::path folder = cache_place(kind);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error{"The folder " + folder.string() + ", which keeps what is built, cannot be made (" + error.message() +
                ")" + another_place};
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error{"The folder " + folder.string() + ", which keeps what is built, cannot be written (" + reason(errno) +
                ")" + another_place};
  return folder;
}

ScratchFolder::ScratchFolder(const std::string& kind) {
  std::string name = (cache_folder(kind) / ("scratch." + std::to_string(getpid()) + ".XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr)
    throw Error{"No folder can be made in " + cache_folder(kind).string() + " (" + reason(errno) + ")" + another_place};
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(path_, ignored);
}

FileLock::FileLock(const fs::path& path, Lease lease) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) throw Error{path.string() + ": This file cannot be locked (" + reason(errno) + ")" + another_place};
  held_ = wait(lease);
  if (held_) show_signs(lease);
}

FileLock::~FileLock() {
  if (signs_.joinable()) {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      ends_ = true;
    }
    end_.notify_all();
    signs_.join();
  }
  close(file_);
}

// Whether it was had. By this machine's own clock, which runs as fast as any.
bool FileLock::wait(Lease lease) const {
  using Clock = std::chrono::steady_clock;
  timespec sign = touched(file_);
  for (auto seen = Clock::now(); Clock::now() - seen < lease.patience;) {
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;  // the file server knows no locks
    std::this_thread::sleep_for(
        std::min<std::chrono::milliseconds>(lease.patience / 8, std::chrono::milliseconds(200)));
    if (const timespec now = touched(file_); !(now == sign)) sign = now, seen = Clock::now();
  }
  return false;
}

void FileLock::show_signs(Lease lease) try {
  futimens(file_, nullptr);
  signs_ = std::thread([this, lease] {
    std::unique_lock<std::mutex> guard(mutex_);
    while (!end_.wait_for(guard, lease.sign, [this] { return ends_; })) futimens(file_, nullptr);
  });
} catch (const std::system_error&) {
  // The machine grants no more threads: others wait as long as they wait for the dead.
}

std::string FileLock::writer() const { return held_ ? "" : "." + machine_name() + "." + std::to_string(getpid()); }

void mark_used(const fs::path& folder) { utimensat(AT_FDCWD, folder.c_str(), nullptr, 0); }

std::string sha256_of_all(const std::vector<std::string>& texts) {
  std::string hashes;
  for (const std::string& text : texts) hashes += sha256(text);
  return sha256(hashes);
}

std::string file_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) throw Error{path.string() + ": This file cannot be read."};
  return text;
}

void put_file_text(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw Error{path.string() + ": This file cannot be written (" + reason(errno) + ")" + another_place};
}

}  // namespace assay
