#include "tb/explore/tensor_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "model/base/files.hpp"
#include "model/config/yaml.hpp"
#include "tb/vectors/print.hpp"

namespace assay {

TensorFile::TensorFile(const std::string& path) : path_(path) {
  if (const std::string why = why_no_file(path); !why.empty())
    fail("This file of tensors cannot be read: " + why + ".");
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail("This file of tensors cannot be read: " + std::string(std::strerror(errno)) + ".");
  descriptor_ = std::shared_ptr<const int>(new int(descriptor), [](const int* d) {
    close(*d);
    delete d;
  });
  const off_t end = lseek(descriptor, 0, SEEK_END);
  if (end < 0) fail("This file of tensors cannot be read: " + std::string(std::strerror(errno)) + ".");
  size_ = static_cast<std::uint64_t>(end);
}

void TensorFile::fail(const std::string& sentence) const { throw Error{path_ + ": " + sentence}; }

// 0 where the file has become shorter since it was opened.
std::size_t TensorFile::read_some(char* into, std::size_t size, std::uint64_t at) const {
  ssize_t n = 0;
  do {
    n = pread(*descriptor_, into, size, static_cast<off_t>(at));
  } while (n < 0 && errno == EINTR);
  if (n < 0) fail("This file of tensors cannot be read: " + std::string(std::strerror(errno)) + ".");
  return static_cast<std::size_t>(n);
}

ByteSource TensorFile::source(std::uint64_t at, std::uint64_t count) const {
  if (at > size_ || size_ - at < count) fail("This file ends too early.");
  return [file = *this, at, end = at + count](char* into, std::size_t size) mutable {
    if (at == end) return std::size_t{0};
    const std::size_t n = file.read_some(into, std::min<std::uint64_t>(size, end - at), at);
    if (n == 0) file.fail("This file ends too early.");
    at += n;
    return n;
  };
}

std::string TensorFile::part(std::uint64_t at, std::uint64_t count) const {
  const ByteSource bytes = source(at, count);
  std::string text(count, '\0');
  for (std::size_t n = 0; n < text.size();) n += bytes(text.data() + n, text.size() - n);
  return text;
}

std::uint64_t TensorFile::number(std::uint64_t at, int bytes) const {
  const std::string text = part(at, static_cast<std::uint64_t>(bytes));
  std::uint64_t value = 0;
  for (auto byte = text.rbegin(); byte != text.rend(); ++byte) value = value << 8 | static_cast<unsigned char>(*byte);
  return value;
}

void TensorFile::no_such_tensor(const std::string& name, const std::vector<std::string>& names) const {
  constexpr std::size_t most_shown = 50;
  if (names.empty()) fail("There is no tensor " + excerpt(name) + " in this file, and no other one.");
  std::vector<std::string> clean;
  for (const std::string& one : names) {
    const std::string quoted = excerpt(one);
    clean.push_back(quoted.substr(1, quoted.size() - 2));
  }
  const std::size_t shown = std::min(most_shown, names.size());
  const std::vector<std::string> some(clean.begin(), clean.begin() + static_cast<std::ptrdiff_t>(shown));
  const std::string more = shown < names.size() ? " and " + std::to_string(names.size() - shown) + " more" : "";
  fail("There is no tensor " + excerpt(name) + " in this file; there are " + joined(some) + more +
       nearest(name, clean));
}

std::optional<std::uint64_t> elements_of(const std::vector<std::uint64_t>& shape) {
  std::uint64_t elements = 1;
  for (const std::uint64_t side : shape) {
    if (side != 0 && elements > std::numeric_limits<std::uint64_t>::max() / side) return std::nullopt;
    elements *= side;
  }
  return elements;
}

}  // namespace assay
