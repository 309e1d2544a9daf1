#include "tb/vectors/bytes.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "model/base/error.hpp"
#include "model/base/text.hpp"

namespace assay {
namespace {

constexpr std::size_t chunk = 1 << 17;

[[noreturn]] void fail(const std::string& file, const std::string& sentence) { throw Error{file + " " + sentence}; }

// `first` again, then the rest.
ByteSource after(std::string first, ByteSource rest) {
  return
      [first = std::move(first), rest = std::move(rest), given = std::size_t{0}](char* into, std::size_t size) mutable {
        if (given == first.size()) return rest(into, size);
        const std::size_t n = first.copy(into, size, given);
        given += n;
        return n;
      };
}

// Compressed bytes on their way into a decompressor.
struct Inlet {
  ByteSource source;
  std::vector<char> bytes = std::vector<char>(chunk);
  std::size_t size = 0;
  std::size_t used = 0;
  bool ended = false;

  bool empty() const { return used == size; }
  void refill() {
    size = source(bytes.data(), bytes.size());
    used = 0;
    ended = size == 0;
  }
};

struct Inflater {
  explicit Inflater(ByteSource source) : inlet{std::move(source)} { inflateInit2(&stream, 16 + MAX_WBITS); }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  Inlet inlet;
  z_stream stream{};
  bool whole = false;  // what has been read so far ends with a whole member
};

std::size_t inflate_some(Inflater& in, char* into, std::size_t size, const std::string& file) {
  in.stream.next_out = reinterpret_cast<Bytef*>(into);
  in.stream.avail_out = static_cast<uInt>(std::min(size, chunk));
  const uInt room = in.stream.avail_out;
  while (in.stream.avail_out == room) {
    if (in.inlet.empty()) in.inlet.refill();
    if (in.inlet.ended) {
      if (!in.whole) fail(file, "is cut short: its gzip stream does not end.");
      return 0;
    }
    if (in.whole) inflateReset(&in.stream);  // another member follows
    in.stream.next_in = reinterpret_cast<Bytef*>(in.inlet.bytes.data() + in.inlet.used);
    in.stream.avail_in = static_cast<uInt>(in.inlet.size - in.inlet.used);
    const int status = inflate(&in.stream, Z_NO_FLUSH);
    in.inlet.used = in.inlet.size - in.stream.avail_in;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail(file, std::string("is damaged: its gzip stream cannot be decompressed (") +
                     (in.stream.msg != nullptr ? in.stream.msg : zError(status)) + ").");
    }
    in.whole = status == Z_STREAM_END;
  }
  return room - in.stream.avail_out;
}

struct Unzstd {
  explicit Unzstd(ByteSource source) : inlet{std::move(source)} {}

  Inlet inlet;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context{ZSTD_createDCtx(), &ZSTD_freeDCtx};
  bool whole = false;
  bool holding = false;  // the last call filled its room: more output waits inside, whether or not input is left
};

std::size_t unzstd_some(Unzstd& in, char* into, std::size_t size, const std::string& file) {
  ZSTD_outBuffer out{into, size, 0};
  while (out.pos == 0) {
    if (in.inlet.empty() && !in.holding) in.inlet.refill();
    if (in.inlet.ended && !in.holding) {
      if (!in.whole) fail(file, "is cut short: its zstd stream does not end.");
      return 0;
    }
    ZSTD_inBuffer bytes{in.inlet.bytes.data(), in.inlet.size, in.inlet.used};
    const std::size_t left = ZSTD_decompressStream(in.context.get(), &out, &bytes);
    in.inlet.used = bytes.pos;
    if (ZSTD_isError(left) != 0) {
      fail(file, std::string("is damaged: its zstd stream cannot be decompressed (") + ZSTD_getErrorName(left) + ").");
    }
    in.whole = left == 0;
    in.holding = !in.whole && out.pos == out.size;
  }
  return out.pos;
}

struct Deflater {
  Deflater() { deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY); }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  z_stream stream{};
};

ByteSink gzip(ByteSink sink) {
  auto out = std::make_shared<Deflater>();
  return [out, sink = std::move(sink), buffer = std::vector<char>(chunk)](std::string_view bytes, bool last) mutable {
    // zlib's type for input lacks a const; it does not write there.
    out->stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    out->stream.avail_in = static_cast<uInt>(bytes.size());
    int status = Z_OK;
    do {
      out->stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      out->stream.avail_out = static_cast<uInt>(buffer.size());
      status = deflate(&out->stream, last ? Z_FINISH : Z_NO_FLUSH);
      sink({buffer.data(), buffer.size() - out->stream.avail_out}, status == Z_STREAM_END);
    } while (last ? status != Z_STREAM_END : out->stream.avail_in > 0);
  };
}

ByteSink zstd(ByteSink sink, const std::string& path) {
  std::shared_ptr<ZSTD_CCtx> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  return [context, sink = std::move(sink), buffer = std::vector<char>(chunk), path](std::string_view bytes,
                                                                                    bool last) mutable {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    bool more = true;
    while (more) {
      ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) fail(path, std::string("cannot be compressed: ") + ZSTD_getErrorName(left) + ".");
      more = last ? left != 0 : in.pos < in.size;
      sink({buffer.data(), out.pos}, last && !more);
    }
  };
}

// The first bytes of gzip and of zstd; no JSON begins with either.
constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";

// Others that a file may come in by mistake; none of them begins as JSON does.
struct Foreign {
  std::string_view magic, name;
};
constexpr Foreign foreign[] = {
    {std::string_view("\xfd\x37\x7a\x58", 4), "xz"},
    {"BZh", "bzip2"},
    {std::string_view("\x50\x4b\x03\x04", 4), "zip"},
    {std::string_view("\x04\x22\x4d\x18", 4), "lz4"},
};

void refuse_foreign(const std::string& first, const std::string& file) {
  for (const Foreign& other : foreign) {
    if (first.compare(0, other.magic.size(), other.magic) != 0) continue;
    fail(file, "is compressed with " + std::string(other.name) + "; what is read is plain text, gzip and zstd.");
  }
}

std::string first_bytes(const ByteSource& source) {
  std::string first;
  while (first.size() < zstd_magic.size()) {
    char bytes[4];
    const std::size_t n = source(bytes, zstd_magic.size() - first.size());
    if (n == 0) break;
    first.append(bytes, n);
  }
  return first;
}

}  // namespace

ByteSource open_source(const std::string& path) {
  const std::string file = source_name(path);
  const ByteSource plain = open_plain_source(path);
  const std::string first = first_bytes(plain);
  const ByteSource source = after(first, plain);
  if (std::string_view(first).substr(0, 2) == gzip_magic) {
    return [in = std::make_shared<Inflater>(source), file](char* into, std::size_t size) {
      return inflate_some(*in, into, size, file);
    };
  }
  if (first == zstd_magic) {
    return [in = std::make_shared<Unzstd>(source), file](char* into, std::size_t size) {
      return unzstd_some(*in, into, size, file);
    };
  }
  refuse_foreign(first, file);
  return source;
}

Compression compression_of(std::string_view path) {
  if (ends_with(path, ".gz")) return Compression::gzip;
  return ends_with(path, ".zst") ? Compression::zstd : Compression::none;
}

ByteSink compressed(ByteSink sink, Compression compression, const std::string& path) {
  switch (compression) {
    case Compression::none: return sink;
    case Compression::gzip: return gzip(std::move(sink));
    case Compression::zstd: return zstd(std::move(sink), path);
  }
  return sink;
}

}  // namespace assay
