#include "tb/export/part_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "model/base/descriptor.hpp"

namespace assay {
namespace {

constexpr std::size_t much = std::size_t{1} << 18;

}  // namespace

PartFile::PartFile(const OutputFolder& folder, const std::string& name)
    : folder_(folder),
      name_(name),
      shown_(folder.shown(name)),
      descriptor_(::open((folder / name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw Error{shown_ + " cannot be written: " + reason_of(errno) + "."};
}

PartFile::~PartFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PartFile::drain() {
  if (pending_.size() >= much) flush();
}

void PartFile::add(std::string_view text) {
  pending_ += text;
  drain();
}

void PartFile::add_file(const std::string& name) {
  each_piece(folder_ / name, [&](std::string_view bytes) { add(bytes); });
  ::unlink((folder_ / name).c_str());
}

void PartFile::flush() {
  descriptor_sink(descriptor_, shown_)(pending_, false);
  written_ += pending_.size();
  pending_.clear();
}

// Some file systems say only when it is closed that the disk is full.
void PartFile::finish() {
  flush();
  const int status = ::close(descriptor_);
  descriptor_ = -1;
  if (status != 0) throw Error{shown_ + " cannot be written: " + reason_of(errno) + "."};
}

std::string bytes_at(const std::string& path, std::int64_t offset, std::size_t count) {
  if (offset < 0) return "";
  const ByteSource source = open_plain_source(path, static_cast<std::uint64_t>(offset));
  std::string bytes(count, '\0');
  std::size_t read = 0;
  while (const std::size_t n = read < count ? source(bytes.data() + read, count - read) : 0) read += n;
  bytes.resize(read);
  return bytes;
}

void write_part(const OutputFolder& folder, const std::string& name, std::string_view text) {
  PartFile file(folder, name);
  file.add(text);
  file.finish();
}

}  // namespace assay
