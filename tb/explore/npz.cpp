// Arrays of NumPy's .npz. A zip archive ends with a directory, which says of each array where it lies, how long it is,
// packed and unpacked, and which CRC-32 it has:
//
//   local header: 30 bytes, name, extra field, data       entry of the directory: 46 bytes, name, extra field, comment
//   end of the directory: 22 bytes, comment
//
// What the directory says is believed only where the data bear it out.
#include <zlib.h>

#include <algorithm>
#include <set>

#include "tb/explore/tensor_file.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

constexpr std::uint64_t most_of_directory = std::uint64_t{16} << 20;
constexpr std::uint64_t longest_header = 1 << 16;  // of an array
constexpr std::uint64_t in_zip64 = 0xffffffff;     // stands where a number of 64 bits is elsewhere

std::uint64_t number(std::string_view text, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)])} << (8 * i);
  return value;
}

struct Entry {
  std::string name;
  std::uint64_t flags = 0, method = 0, crc = 0;
  std::uint64_t packed = 0, bytes = 0;  // as it lies in the archive, and unpacked
  std::uint64_t local = 0;              // where its local header is
};

struct Directory {
  std::string text;
  std::uint64_t entries = 0;
};

// By the record at the file's end, after which only a comment stands.
Directory directory_of(const TensorFile& file) {
  constexpr std::uint64_t record = 22, longest_comment = 0xffff;
  const std::uint64_t size = std::min(file.size(), record + longest_comment), first = file.size() - size;
  const std::string tail = file.part(first, size);
  for (std::size_t at = tail.rfind("PK\x05\x06"); at != tail.npos;
       at = at == 0 ? tail.npos : tail.rfind("PK\x05\x06", at - 1)) {
    if (tail.size() - at < record || number(tail, at + 20, 2) != tail.size() - at - record) continue;
    const std::uint64_t entries = number(tail, at + 10, 2), bytes = number(tail, at + 12, 4),
                        offset = number(tail, at + 16, 4);
    if (entries == 0xffff || offset == in_zip64)
      file.fail("This archive is larger than 4 GiB, which is not read here.");
    if (offset > first + at || bytes > first + at - offset)
      file.fail("This archive is damaged: its directory does not lie within it.");
    if (bytes > most_of_directory)
      file.fail("This archive has a directory of more than 16 MiB, which is not read here.");
    return {file.part(offset, bytes), entries};
  }
  file.fail("This is no .npz archive: its directory is missing.");
}

std::vector<Entry> entries_in(const TensorFile& file) {
  const auto [text, count] = directory_of(file);
  std::vector<Entry> entries;
  std::set<std::string> names;
  for (std::size_t at = 0; entries.size() < count;) {
    if (text.size() - at < 46 || text.compare(at, 4, "PK\x01\x02") != 0 ||
        text.size() - at - 46 < number(text, at + 28, 2) + number(text, at + 30, 2) + number(text, at + 32, 2))
      file.fail("This archive is damaged: its directory has fewer arrays than it says.");
    entries.push_back({text.substr(at + 46, number(text, at + 28, 2)), number(text, at + 8, 2),
                       number(text, at + 10, 2), number(text, at + 16, 4), number(text, at + 20, 4),
                       number(text, at + 24, 4), number(text, at + 42, 4)});
    if (!names.insert(entries.back().name).second)
      file.fail("This archive has two files called " + excerpt(entries.back().name) + ".");
    at += 46 + number(text, at + 28, 2) + number(text, at + 30, 2) + number(text, at + 32, 2);
  }
  return entries;
}

// --- the data ---

// Deflated bytes as what they were: no more than there really is, whatever the directory says.
class Inflated {
 public:
  Inflated(const TensorFile& file, std::string name, ByteSource packed)
      : file_(file), name_(std::move(name)), packed_(std::move(packed)), chunk_(std::size_t{1} << 16) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) file_.fail("There is too little memory to unpack this archive.");
  }
  ~Inflated() { inflateEnd(&stream_); }
  Inflated(const Inflated&) = delete;
  Inflated& operator=(const Inflated&) = delete;

  std::size_t read(char* into, std::size_t size) {
    if (ended_) return 0;
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    const std::size_t room = std::min<std::size_t>(size, chunk_.size());
    stream_.avail_out = static_cast<uInt>(room);
    while (!ended_ && stream_.avail_out == room) {
      if (stream_.avail_in == 0) refill();
      const int status = inflate(&stream_, Z_NO_FLUSH);
      ended_ = status == Z_STREAM_END;
      if (status != Z_OK && !ended_) damaged();
    }
    if (ended_ && (stream_.avail_in != 0 || packed_(chunk_.data(), 1) != 0)) damaged();
    return room - stream_.avail_out;
  }

 private:
  void refill() {
    stream_.next_in = reinterpret_cast<Bytef*>(chunk_.data());
    stream_.avail_in = static_cast<uInt>(packed_(chunk_.data(), chunk_.size()));
    if (stream_.avail_in == 0) damaged();
  }
  [[noreturn]] void damaged() const { file_.fail("The array " + excerpt(name_) + " of this archive is damaged."); }

  const TensorFile file_;
  std::string name_;
  ByteSource packed_;
  std::vector<char> chunk_;
  z_stream stream_{};
  bool ended_ = false;
};

// All of what the entry promises, no more and no less, and with its CRC-32.
ByteSource checked(const TensorFile& file, const Entry& entry, ByteSource bytes) {
  return [file, entry, bytes = std::move(bytes), seen = std::uint64_t{0}, crc = crc32_z(0, nullptr, 0)](
             char* into, std::size_t size) mutable {
    const std::size_t n = bytes(into, size);
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(into), n);
    seen += n;
    if (seen > entry.bytes || (n == 0 && seen != entry.bytes))
      file.fail("The array " + excerpt(entry.name) +
                " of this archive is damaged: it is not as long as the directory says.");
    if (n == 0 && crc != entry.crc)
      file.fail("The array " + excerpt(entry.name) +
                " of this archive is damaged: its CRC-32 is not what the directory says.");
    return n;
  };
}

ByteSource source_of(const TensorFile& file, const Entry& entry) {
  if (entry.local == in_zip64 || entry.packed == in_zip64 || entry.bytes == in_zip64)
    file.fail("The array " + excerpt(entry.name) + " is larger than 4 GiB, which is not read here.");
  const std::string local = file.part(entry.local, 30);
  if (local.compare(0, 4, "PK\x03\x04") != 0)
    file.fail("This archive is damaged: " + excerpt(entry.name) + " is not where the directory says.");
  const std::uint64_t data = entry.local + 30 + number(local, 26, 2) + number(local, 28, 2);
  const bool stored = entry.method == 0 && entry.packed == entry.bytes, deflated = entry.method == 8;
  if ((entry.flags & 1) != 0 || (!stored && !deflated))
    file.fail("The array " + excerpt(entry.name) + " is packed in a way that NumPy does not use.");
  const ByteSource packed = file.source(data, entry.packed);
  if (stored) return checked(file, entry, packed);
  auto inflated = std::make_shared<Inflated>(file, entry.name, packed);
  return checked(file, entry, [inflated](char* into, std::size_t size) { return inflated->read(into, size); });
}

// --- .npy: a magic, a version, the length of a header, the header, the elements ---

[[noreturn]] void no_header(const TensorFile& file, const std::string& name) {
  file.fail("The array " + excerpt(name) + " has no header of NumPy's.");
}

std::string taken(const TensorFile& file, const std::string& name, const ByteSource& bytes, std::uint64_t count) {
  std::string text(count, '\0');
  for (std::size_t n = 0; n < text.size();) {
    const std::size_t more = bytes(text.data() + n, text.size() - n);
    if (more == 0) no_header(file, name);
    n += more;
  }
  return text;
}

struct Header {
  std::string text;
  std::uint64_t bytes = 0;  // of everything before the elements
};

Header header_of(const TensorFile& file, const std::string& name, const ByteSource& bytes) {
  const std::string start = taken(file, name, bytes, 8);
  const char version = start[6];
  if (start.compare(0, 6, "\x93NUMPY") != 0 || version < 1 || version > 3) no_header(file, name);
  const int width = version == 1 ? 2 : 4;  // of the header's length
  const std::uint64_t length = number(taken(file, name, bytes, static_cast<std::uint64_t>(width)), 0, width);
  if (length > longest_header) file.fail("The array " + excerpt(name) + " has a header of more than 64 KiB.");
  return {taken(file, name, bytes, length), 8 + static_cast<std::uint64_t>(width) + length};
}

// The text between `before` and `after` in NumPy's header.
std::string between(const TensorFile& file, const std::string& name, const std::string& text, const std::string& before,
                    const std::string& after) {
  const std::size_t from = text.find(before);
  const std::size_t to = from == text.npos ? from : text.find(after, from + before.size());
  if (to == text.npos) no_header(file, name);
  return text.substr(from + before.size(), to - from - before.size());
}

// "2, 3" or "2,"
std::vector<std::uint64_t> sizes(const TensorFile& file, const std::string& name, const std::string& text) {
  constexpr std::size_t most_digits = 18;
  const auto fail = [&] {
    file.fail("The array " + excerpt(name) + " has a shape that cannot be read: " + excerpt(text) + ".");
  };
  std::vector<std::uint64_t> result;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::size_t first = std::min(text.find_first_not_of(' ', from), end),
                      last = std::min(text.find_first_not_of("0123456789", first), end);
    if (text.find_first_not_of(' ', last) < end || last - first > most_digits) fail();
    if (first == last && (end < text.size() || result.empty())) fail();
    if (first < last) result.push_back(std::stoull(text.substr(first, last - first)));
    from = end + 1;
  }
  return result;
}

}  // namespace

RawTensor npz_tensor(const TensorFile& file, const std::string& name) {
  const std::vector<Entry> entries = entries_in(file);
  const auto entry =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name + ".npy"; });
  if (entry == entries.end()) {
    std::vector<std::string> names;
    for (const Entry& e : entries)
      names.push_back(e.name.substr(0, e.name.size() - std::min<std::size_t>(4, e.name.size())));
    file.no_such_tensor(name, names);
  }
  const ByteSource bytes = source_of(file, *entry);
  const Header header = header_of(file, name, bytes);
  if (header.bytes > entry->bytes) no_header(file, name);
  if (between(file, name, header.text, "'fortran_order':", ",").find("True") != std::string::npos)
    file.fail("The array " + excerpt(name) + " is in Fortran's order; save it as numpy.ascontiguousarray.");
  return {between(file, name, header.text, "'descr': '", "'"),
          sizes(file, name, between(file, name, header.text, "'shape': (", ")")), entry->bytes - header.bytes, bytes};
}

}  // namespace assay
