// A file of an export while its folder is being written.
#pragma once

#include <string>
#include <string_view>

#include "model/base/output_folder.hpp"
#include "tb/vectors/bytes.hpp"

namespace assay {

class PartFile {
 public:
  // A new file in `folder`. Throws Error, as all of these do, naming the file as it will be named.
  PartFile(const OutputFolder& folder, const std::string& name);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // Something is put at the end of it; then drain() lets it go to the disk, where there is much of it.
  std::string& pending() { return pending_; }
  void drain();

  void add(std::string_view text);
  void add_file(const std::string& name);  // all of another file of the folder, which is then taken away

  std::uint64_t bytes() const { return written_ + pending_.size(); }
  const std::string& name() const { return name_; }
  void finish();

 private:
  void flush();

  const OutputFolder& folder_;
  std::string name_, shown_;
  int descriptor_ = -1;
  std::string pending_;
  std::uint64_t written_ = 0;
};

void write_part(const OutputFolder& folder, const std::string& name, std::string_view text);

// So many bytes of a file from `offset` on; fewer where it ends, none where `offset` is negative. Throws Error.
std::string bytes_at(const std::string& path, std::int64_t offset, std::size_t count);

// Calls piece(bytes) for each piece of a file, in order. Throws Error.
template <class Piece>
void each_piece(const std::string& path, Piece&& piece) {
  const ByteSource source = open_plain_source(path);
  std::string bytes(std::size_t{1} << 18, '\0');
  while (const std::size_t n = source(bytes.data(), bytes.size())) piece(std::string_view(bytes).substr(0, n));
}

}  // namespace assay
