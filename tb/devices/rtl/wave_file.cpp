#include "tb/devices/rtl/wave_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "model/base/streams.hpp"
#include "tb/devices/device.hpp"

namespace assay {

namespace fs = std::filesystem;

WaveFile::WaveFile(const std::string& path) {
  if (path.empty()) return;
  if (path == "-") throw Error{"--wave needs a file; waves are not written to standard output."};
  file_.emplace(path);
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "assay-wave-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr)
    throw Error{"There is no folder for waves while they are written: " + pattern + " cannot be made (" +
                std::strerror(errno) + "); set TMPDIR to one that you can write."};
  folder_ = pattern;
}

WaveFile::~WaveFile() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

void WaveFile::finish() {
  if (!file_) return;
  std::error_code error;
  if (fs::file_size(written(), error) == 0 || error)
    throw Error{file_->name() + " is not written: the simulation left no waves in " + folder_ + "; is that disk full?"};
  const ByteSource source = open_plain_source(written());
  const ByteSink sink = descriptor_sink(file_->descriptor(), file_->name());
  std::string piece(1 << 16, '\0');
  for (std::size_t size; (size = source(piece.data(), piece.size())) > 0;)
    sink(std::string_view(piece).substr(0, size), false);
  sink("", true);
  file_->finish();
}

}  // namespace assay
