// Streams of bytes in and out, plain or compressed, in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace assay {

// What went wrong with a vector file; `message` is complete as the user sees it. `line` is 0 where none is to blame.
struct VectorError {
  std::string file;
  std::uint64_t line = 0;
  std::string message;
  bool reader_gone = false;  // nobody reads standard output any more: no fault, and nothing to say of it
};

// Puts up to `size` bytes there and says how many; 0 at the end. Throws VectorError.
using ByteSource = std::function<std::size_t(char* into, std::size_t size)>;

// Takes all the bytes; `last` with the final ones, and once only. Throws VectorError.
using ByteSink = std::function<void(std::string_view bytes, bool last)>;

// "-" is standard input. gzip and zstd are recognised by their first bytes, whatever the name.
ByteSource open_source(const std::string& path);

// The file's own bytes, compressed or not, from this one on.
ByteSource open_plain_source(const std::string& path, std::uint64_t offset = 0);

enum class Compression { none, gzip, zstd };

// By the name's end: .gz, .zst.
Compression compression_of(std::string_view path);

// Writes to an open descriptor. `path` is for messages.
ByteSink descriptor_sink(int descriptor, const std::string& path);

ByteSink compressed(ByteSink sink, Compression compression, const std::string& path);

// write(2), with a broken pipe (EPIPE) or a file beyond its limit (EFBIG) as an error and never as a signal. The
// signals are held back in the calling thread alone, so that the process handles them elsewhere as
// it did before.
ssize_t write_quietly(int descriptor, const char* bytes, std::size_t size);

}  // namespace assay
