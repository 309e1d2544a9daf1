#include "model/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "model/base/descriptor.hpp"
#include "model/base/error.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// One that a whole text is read from.
class OpenFile {
 public:
  // A pipe that nobody writes into would be waited for without end if it were opened in the usual way.
  explicit OpenFile(const std::string& path)
      : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file_.number() < 0) fail("This file cannot be read: " + reason_of(errno) + ".");
    struct stat status {};
    fstat(file_.number(), &status);
    is_pipe_ = S_ISFIFO(status.st_mode);
    fcntl(file_.number(), F_SETFL, fcntl(file_.number(), F_GETFL) & ~O_NONBLOCK);
  }

  // 0 at the end.
  std::size_t read(char* into, std::size_t size) const {
    const ssize_t n = read_some(file_.number(), into, size);
    if (n < 0 && errno == EISDIR) fail("This is a folder, and a file is needed here.");
    if (n < 0) fail("This file cannot be read: " + reason_of(errno) + ".");
    return static_cast<std::size_t>(n);
  }

  bool is_pipe() const { return is_pipe_; }
  [[noreturn]] void fail(const std::string& sentence) const { throw Error{path_ + ": " + sentence}; }

 private:
  const std::string& path_;
  Descriptor file_;
  bool is_pipe_ = false;
};

}  // namespace

std::string read_whole_file(const std::string& path, std::size_t most_mebibytes, const std::string& what) {
  const OpenFile file(path);
  std::string text;
  std::array<char, 1 << 14> chunk{};
  while (const std::size_t n = file.read(chunk.data(), chunk.size())) {
    text.append(chunk.data(), n);
    if (text.size() > most_mebibytes << 20)
      file.fail("This file is larger than " + std::to_string(most_mebibytes) + " MiB, too large to be " + what + ".");
  }
  if (text.empty() && file.is_pipe()) file.fail("This is a pipe that nobody writes into; name a file.");
  return text;
}

std::string why_no_file(const std::string& path) {
  std::error_code error;
  switch (fs::status(path, error).type()) {
    case fs::file_type::regular: return "";
    case fs::file_type::directory: return "it is a folder";
    case fs::file_type::fifo: return "it is a pipe";
    case fs::file_type::socket: return "it is a socket";
    case fs::file_type::block:
    case fs::file_type::character: return "it is a device of the system's";
    case fs::file_type::not_found: return "there is no such file";
    case fs::file_type::none:
    case fs::file_type::symlink:
    case fs::file_type::unknown: break;
  }
  return error ? error.message() : "it is no ordinary file";
}

std::vector<fs::path> entries_of(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error))
    entries.push_back(at->path());
  if (error) entries.clear();
  std::sort(entries.begin(), entries.end());
  return entries;
}

fs::path folder_of_file(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return (error ? fs::path(path) : whole).parent_path();
}

}  // namespace assay
