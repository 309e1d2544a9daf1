#include "tb/export/import.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "model/base/files.hpp"
#include "tb/export/export_format.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// The folder of an export, given by itself or by a file in it.
std::string folder_of(const std::string& path) {
  std::error_code none;
  const bool is_folder = fs::is_directory(path, none);
  const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path();
  const std::string manifest = (folder / manifest_file).string();
  if (!fs::exists(manifest, none) && !none) {
    throw Error{path + " is no export: there is no " + manifest_file + (is_folder ? " in it" : " beside it") +
                ", as `assay export` writes one."};
  }
  if (const std::string why = why_no_file(manifest); !why.empty())
    throw Error{manifest + " cannot be read: " + why + "."};
  return folder.empty() ? "." : folder.string();
}

// A manifest lists few files and arrays; its header is a line of at most 1 MiB.
std::string manifest_text(const std::string& path) {
  constexpr std::size_t most = std::size_t{1} << 22;
  std::string text;
  each_piece(path, [&](std::string_view bytes) {
    text += bytes;
    if (text.size() > most) throw Error{path + " is larger than 4 MiB, which no manifest is."};
  });
  return text;
}

// One column's bytes, a case at a time.
class ColumnReader {
 public:
  ColumnReader(const std::string& path, const ManifestArray& array, const Column& column, const Encoding& encoding)
      : path_(path),
        source_(open_plain_source(path, array.offset)),
        column_(column),
        encoding_(encoding),
        width_(encoding.width(column)) {}

  void read(Case& into) {
    if (bytes_.size() - used_ < width_) refill();
    const std::string_view text = std::string_view(bytes_).substr(used_, width_);
    used_ += width_;
    Code* codes = room_for(column_, into);
    if (text.size() == width_) encoding_.parse(text, column_, codes);
    again_.clear();
    encoding_.append(again_, codes, column_);
    const bool fits = std::all_of(codes, codes + column_.elements, [&](Code c) { return column_.format.fits(c); });
    if (fits && again_ == text) return;
    throw Error{path_ + ": " + column_.name + " of " + case_name(into) + " is not " + std::to_string(column_.elements) +
                " x " + std::to_string(column_.bits()) + " bits as an export writes them."};
  }

 private:
  void refill() {
    bytes_.erase(0, used_);
    used_ = 0;
    const std::size_t wanted = std::max(width_, std::size_t{1} << 16);
    while (bytes_.size() < wanted) {
      const std::size_t before = bytes_.size();
      bytes_.resize(wanted);
      bytes_.resize(before + source_(bytes_.data() + before, wanted - before));
      if (bytes_.size() == before) return;
    }
  }

  std::string path_;
  ByteSource source_;
  Column column_;
  const Encoding& encoding_;
  std::size_t width_;
  std::string bytes_, again_;
  std::size_t used_ = 0;
};

std::string place(std::uint64_t offset, std::uint64_t bytes) {
  return std::to_string(bytes) + " bytes at " + std::to_string(offset);
}

}  // namespace

ExportReader::ExportReader(const std::string& path) : folder_(folder_of(path)), name_(folder_ + "/" + manifest_file) {
  const std::string text = manifest_text(name_);
  try {
    manifest_ = parse_manifest(text);
    header_ = parse_header(manifest_.header);
  } catch (const ScanError& error) {
    fail(error.message);
  }
  if (header_.cases != manifest_.cases) {
    fail("cases is " + std::to_string(manifest_.cases) + ", but the header has " +
         (header_.cases ? std::to_string(*header_.cases) : "none") + "; they should be the same.");
  }
  check_files();
}

void ExportReader::fail(const std::string& sentence) const { throw Error{name_ + ": " + sentence}; }

void ExportReader::check_files() const {
  std::set<std::string> with_cases;
  for (const ManifestArray& array : manifest_.arrays) with_cases.insert(array.file);
  if (manifest_.arrays.empty()) with_cases.insert(lines_file);
  for (const std::string& name : with_cases) {
    const auto file = std::find_if(manifest_.files.begin(), manifest_.files.end(),
                                   [&](const ManifestFile& f) { return f.name == name; });
    if (file == manifest_.files.end()) fail("files does not have " + name + ", in which there are cases.");
    check_file(*file);
  }
}

void ExportReader::check_file(const ManifestFile& file) const {
  const std::string path = folder_ + "/" + file.name;
  std::error_code none;
  if (!fs::exists(path, none) && !none) throw Error{path + " is missing; " + name_ + " lists it."};
  if (const std::string why = why_no_file(path); !why.empty())
    throw Error{path + ", which " + name_ + " lists, cannot be read: " + why + "."};
  const ManifestFile found = described(path, file.name);
  if (found.bytes != file.bytes) {
    throw Error{path + " has " + std::to_string(found.bytes) + " bytes, but " + name_ + " says " +
                std::to_string(file.bytes) + ": it was cut short or changed."};
  }
  if (found.sha256 != file.sha256) {
    throw Error{path + " has changed since it was exported: its SHA-256 is " + found.sha256.substr(0, 12) +
                "..., but " + name_ + " says " + file.sha256.substr(0, 12) + "...."};
  }
}

void ExportReader::open(const Plan& plan) {
  const ExportFormat* format = find_export_format(manifest_.format);
  if (format == nullptr) {
    fail("format is " + excerpt(manifest_.format) + ", which this program does not know; it knows " +
         export_format_names() + ".");
  }
  if (manifest_.k && *manifest_.k != static_cast<std::uint64_t>(plan.k)) {
    fail("k is " + std::to_string(*manifest_.k) + ", but what the header names has " + std::to_string(plan.k) +
         " terms; they should be the same.");
  }
  next_ = format->encoding == nullptr ? lines(plan) : arrays(plan);
}

std::function<bool(Case&)> ExportReader::lines(const Plan& plan) const {
  auto reader = std::make_shared<VectorReader>(folder_ + "/" + lines_file);
  if (print_header(reader->header()) != print_header(header_))
    fail("the header is not that of " + reader->file() + "; they should be the same.");
  return [reader, shape = case_shape(plan)](Case& into) { return reader->next(shape, into); };
}

std::string ExportReader::path_of(const ManifestArray& array) const { return folder_ + "/" + array.file; }

// What the manifest says of its array `i` has to be what the header asks for, and what the file itself says.
void ExportReader::check_array(std::size_t i, const Column& column) const {
  const ManifestArray& array = manifest_.arrays[i];
  const ExportFormat& format = *find_export_format(manifest_.format);
  if (array.name != column.name || array.elements != column.elements || array.bits != column.bits()) {
    fail("arrays[" + std::to_string(i) + "] is " + excerpt(array.name) + " of " + std::to_string(array.elements) +
         " x " + std::to_string(array.bits) + " bits, but what the header names has " + column.name + " of " +
         std::to_string(column.elements) + " x " + std::to_string(column.bits()) + " bits there.");
  }
  if (array.number != column.format.name) {
    fail("arrays[" + std::to_string(i) + "] has codes of " + excerpt(array.number) +
         ", but what the header names has " + column.format.name + " there.");
  }
  const std::uint64_t each = format.encoding->width(column);
  if (array.bytes % each != 0 || array.bytes / each != manifest_.cases) {
    fail("arrays[" + std::to_string(i) + "] has " + place(array.offset, array.bytes) + ", but " +
         std::to_string(manifest_.cases) + " cases of " + column.name + " take " + std::to_string(each) +
         " bytes each.");
  }
  const std::string path = path_of(array);
  if (!format.has_there({column, manifest_.cases, path, array.offset})) {
    fail("arrays[" + std::to_string(i) + "] has " + place(array.offset, array.bytes) + ", but " + path + " has no " +
         column.name + " of " + std::to_string(manifest_.cases) + " cases there.");
  }
}

std::function<bool(Case&)> ExportReader::arrays(const Plan& plan) const {
  const Encoding& encoding = *find_export_format(manifest_.format)->encoding;
  const std::vector<Column> wanted = columns(plan, manifest_.cases_with_d > 0);
  if (wanted.size() != manifest_.arrays.size())
    fail("arrays are " + std::to_string(manifest_.arrays.size()) + ", but its cases take " +
         std::to_string(wanted.size()) + ".");
  auto readers = std::make_shared<std::vector<ColumnReader>>();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const ManifestArray& array = manifest_.arrays[i];
    const Column& column = wanted[i];
    check_array(i, column);
    readers->emplace_back(path_of(array), array, column, encoding);
  }
  return [readers, cases = manifest_.cases, number = std::uint64_t{0}](Case& into) mutable {
    if (number == cases) return false;
    into.number = number++;
    for (ColumnReader& reader : *readers) reader.read(into);
    return true;
  };
}

}  // namespace assay
