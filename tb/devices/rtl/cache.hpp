// What takes long is done once and kept: folders named by a hash of all that went in, and a lock on each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

// ${XDG_CACHE_HOME:-~/.cache}/assay/KIND, which need not be there. Throws Error where neither variable is set.
std::filesystem::path cache_place(const std::string& kind);

// The same as a folder that is there and can be written. Throws Error.
std::filesystem::path cache_folder(const std::string& kind);

// One writer of one content at a time, also among processes; freed when its holder ends, however it ends.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path);  // throws Error
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

// Of texts, no two lists of which look alike: each goes in by its own hash.
std::string sha256_of_all(const std::vector<std::string>& texts);

// All of a small file. Both throw Error.
std::string file_text(const std::filesystem::path& path);
void put_file_text(const std::filesystem::path& path, const std::string& text);

}  // namespace assay
