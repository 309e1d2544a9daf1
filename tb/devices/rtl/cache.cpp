#include "tb/devices/rtl/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "model/config/sha256.hpp"
#include "tb/devices/device.hpp"

namespace assay {

namespace fs = std::filesystem;

fs::path cache_folder(const std::string& kind) {
  if (const char* given = std::getenv("XDG_CACHE_HOME"); given != nullptr && *given == '/')
    return fs::path(given) / "assay" / kind;
  if (const char* user = std::getenv("HOME"); user != nullptr && *user == '/')
    return fs::path(user) / ".cache/assay" / kind;
  throw DeviceError{"There is no place for what is built: set HOME or XDG_CACHE_HOME to an absolute path."};
}

FileLock::FileLock(const fs::path& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw DeviceError{path.string() + ": This file cannot be locked."};
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
  if (!in.is_open() || in.bad()) throw DeviceError{path.string() + ": This file cannot be read."};
  return text;
}

void put_file_text(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw DeviceError{path.string() + ": This file cannot be written; is the disk full?"};
}

}  // namespace assay
