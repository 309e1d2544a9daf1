// Streams of bytes in and out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace assay {

// Puts up to `size` bytes there and says how many; 0 at the end. Throws Error.
using ByteSource = std::function<std::size_t(char* into, std::size_t size)>;

// Takes all the bytes; `last` with the final ones, and once only. Throws Error.
using ByteSink = std::function<void(std::string_view bytes, bool last)>;

// The bytes of a file from this one on; "-" is standard input.
ByteSource open_plain_source(const std::string& path, std::uint64_t offset = 0);

// The file as messages call it.
std::string source_name(const std::string& path);

// Writes to an open descriptor. `path` is for messages.
ByteSink descriptor_sink(int descriptor, const std::string& path);

}  // namespace assay
