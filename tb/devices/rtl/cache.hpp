// What takes long is done once and kept: folders named by a hash of all that went in, and a lock on each. The cache may
// lie on a file server and be shared by many machines: what is there is whole, since it was renamed into its place.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace assay {

// $ASSAY_CACHE, else ${XDG_CACHE_HOME:-~/.cache}/assay; it need not be there. Throws Error where no variable is set,
// and where ASSAY_CACHE is no absolute path.
std::filesystem::path cache_root();

// KIND below it.
std::filesystem::path cache_place(const std::string& kind);

// The same as a folder that is there and can be written. Throws Error.
std::filesystem::path cache_folder(const std::string& kind);

// How often a lock's holder shows that it lives, and how long others wait without such a sign.
struct Lease {
  std::chrono::milliseconds sign{10'000}, patience{60'000};
};

// An empty folder below KIND for what is looked at once; it goes with its holder.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& kind);  // throws Error
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  void keep() { kept_ = true; }  // an error names what is in it

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

// One writer of one content at a time, also among processes and machines; freed when its holder ends. A file server may
// not notice that a machine died, and some know no locks: so a holder touches the file now and then, and who has waited
// for long without seeing that goes on without the lock. It saves work and no more: what is written has to be whole
// without it, and `writer` tells writers apart.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path, Lease lease = {});  // throws Error
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool is_held() const { return held_; }
  // Behind the names of what is not whole yet: empty for who holds the lock, else ".MACHINE.PROCESS".
  std::string writer() const;

 private:
  bool wait(Lease lease) const;
  void show_signs(Lease lease);

  int file_;
  bool held_ = false;
  bool ends_ = false;  // guarded by mutex_
  std::mutex mutex_;
  std::condition_variable end_;
  std::thread signs_;
};

// That a kept folder was used now: what nobody uses goes first where a cache is too large.
void mark_used(const std::filesystem::path& folder);

// Of texts, no two lists of which look alike: each goes in by its own hash.
std::string sha256_of_all(const std::vector<std::string>& texts);

// All of a small file. Both throw Error.
std::string file_text(const std::filesystem::path& path);
void put_file_text(const std::filesystem::path& path, const std::string& text);

}  // namespace assay
