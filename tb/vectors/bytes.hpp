// Compressed streams of bytes, in and out, in constant memory.
#pragma once

#include <string>
#include <string_view>

#include "model/base/error.hpp"
#include "model/base/streams.hpp"

namespace assay {

// "-" is standard input. gzip and zstd are recognised by their first bytes, whatever the name. Throws Error.
ByteSource open_source(const std::string& path);

enum class Compression { none, gzip, zstd };

// By the name's end: .gz, .zst.
Compression compression_of(std::string_view path);

// `path` is for messages.
ByteSink compressed(ByteSink sink, Compression compression, const std::string& path);

}  // namespace assay
