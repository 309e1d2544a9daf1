#include "tb/devices/rtl/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

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

constexpr const char* another_place = "; set XDG_CACHE_HOME to the absolute path of a folder that you can write.";

}  // namespace

fs::path cache_place(const std::string& kind) {
  if (const char* given = std::getenv("XDG_CACHE_HOME"); given != nullptr && *given == '/')
    return fs::path(given) / "assay" / kind;
  if (const char* user = std::getenv("HOME"); user != nullptr && *user == '/')
    return fs::path(user) / ".cache/assay" / kind;
  throw Error{"There is no place for what is built: set HOME or XDG_CACHE_HOME to an absolute path."};
}

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

FileLock::FileLock(const fs::path& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (file_ < 0 || flock(file_, LOCK_EX) != 0)
    throw Error{path.string() + ": This file cannot be locked (" + reason(errno) + ")" + another_place};
}

FileLock::~FileLock() { close(file_); }

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
  if (!out) throw Error{path.string() + ": This file cannot be written (" + reason(errno) + ")."};
}

}  // namespace assay
