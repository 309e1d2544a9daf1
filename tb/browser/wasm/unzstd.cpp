// Unpacks a vector file for the page: browsers unpack gzip by themselves, and zstd not.
#include <zstd.h>

#include <cstddef>
#include <memory>
#include <string>

namespace {
constexpr std::size_t most = std::size_t{1} << 29;  // bytes; the page holds a file as a text of at most as many
std::string unpacked;
}  // namespace

// Frames one after the other. False where they are damaged or end early, or where there is too much.
extern "C" bool assay_unzstd(const char* packed, std::size_t size) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  unpacked.clear();
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{packed, size, 0};
  std::size_t left = 0;  // of a frame
  bool is_full = false;  // there may be more to come of what was read
  while (in.pos < in.size || is_full) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0 || unpacked.size() + out.pos > most) return false;
    unpacked.append(piece, 0, out.pos);
    is_full = out.pos == out.size;
  }
  return left == 0;
}

// They stay until the next call.
extern "C" const char* assay_unzstd_bytes() { return unpacked.data(); }
extern "C" std::size_t assay_unzstd_size() { return unpacked.size(); }
