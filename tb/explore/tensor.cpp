#include "tb/explore/tensor.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "tb/explore/real.hpp"

namespace assay {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;
constexpr std::uint64_t most_deflated = 1032;  // bytes that one packed byte can stand for
constexpr int most_side = 1 << 24;

// The elements of one tensor as they lie in a file.
struct Raw {
  std::string type;  // as the file has it
  std::vector<std::uint64_t> shape;
  std::string bytes;
};

struct TensorFile {
  std::string path, bytes;

  [[noreturn]] void fail(const std::string& sentence) const { throw ConfigError{path + ": " + sentence}; }

  std::uint64_t number(std::uint64_t at, int count) const {
    if (at > bytes.size() || bytes.size() - at < static_cast<std::uint64_t>(count)) fail("This file ends too early.");
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes[at + static_cast<std::uint64_t>(i)])} << (8 * i);
    return value;
  }

  std::string part(std::uint64_t at, std::uint64_t count) const {
    if (at > bytes.size() || bytes.size() - at < count) fail("This file ends too early.");
    return bytes.substr(at, count);
  }
};

TensorFile read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw ConfigError{path + ": This file of tensors cannot be read."};
  TensorFile file{path, {}};
  const auto size = static_cast<std::uint64_t>(in.tellg());
  if (size > most_bytes) file.fail("This file is larger than 4 GiB.");
  file.bytes.resize(size);
  in.seekg(0);
  in.read(file.bytes.data(), static_cast<std::streamsize>(size));
  if (!in) file.fail("This file of tensors cannot be read.");
  return file;
}

[[noreturn]] void no_such_tensor(const TensorFile& file, const std::string& name,
                                 const std::vector<std::string>& names) {
  file.fail("There is no tensor '" + name + "' in this file; there are " + joined(names) + nearest(name, names));
}

// --- .npz: a zip archive of .npy files ---

std::string inflated(const TensorFile& file, const std::string& packed, std::uint64_t size) {
  if (size > most_bytes) file.fail("An array of more than 4 GiB does not fit here.");
  if (size / most_deflated > packed.size())
    file.fail("An array of this archive is said to be larger than what its packed bytes can hold.");
  std::string out(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) file.fail("This archive cannot be unpacked.");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(size);
  const int ended = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (ended != Z_STREAM_END || stream.total_out != size) file.fail("An array of this archive is damaged.");
  return out;
}

std::uint64_t crc_of(const std::string& bytes) {
  return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

//   local header: 30 bytes, name, extra field, data;  entry of the directory: 46 bytes, name, extra field, comment
std::string zip_entry(const TensorFile& file, const std::string& name) {
  const std::size_t end = file.bytes.rfind("PK\x05\x06");
  if (end == std::string::npos) file.fail("This is no .npz archive: its directory is missing.");
  std::uint64_t at = file.number(end + 16, 4);
  std::vector<std::string> names;
  for (std::uint64_t left = file.number(end + 10, 2); left > 0; --left) {
    const std::uint64_t length = file.number(at + 28, 2);
    names.push_back(file.part(at + 46, length));
    if (names.back() == name + ".npy") {
      const std::uint64_t local = file.number(at + 42, 4);
      const std::uint64_t data = local + 30 + file.number(local + 26, 2) + file.number(local + 28, 2);
      const std::string stored = file.part(data, file.number(at + 20, 4));
      const std::uint64_t method = file.number(at + 10, 2);
      if (method != 0 && method != 8) file.fail("The array '" + name + "' is packed in a way that NumPy does not use.");
      const std::string bytes = method == 0 ? stored : inflated(file, stored, file.number(at + 24, 4));
      if (crc_of(bytes) != file.number(at + 16, 4))
        file.fail("The array '" + name + "' is damaged: its CRC-32 is not the one that the archive gives.");
      return bytes;
    }
    if (names.back().size() > 4) names.back().resize(names.back().size() - 4);
    at += 46 + length + file.number(at + 30, 2) + file.number(at + 32, 2);
  }
  no_such_tensor(file, name, names);
}

// The text between `before` and `after` in NumPy's header.
std::string between(const TensorFile& file, const std::string& text, const std::string& before,
                    const std::string& after) {
  const std::size_t from = text.find(before);
  const std::size_t to = from == std::string::npos ? from : text.find(after, from + before.size());
  if (to == std::string::npos) file.fail("An array of this archive has no header of NumPy's.");
  return text.substr(from + before.size(), to - from - before.size());
}

std::vector<std::uint64_t> sizes(const TensorFile& file, const std::string& text) {
  std::vector<std::uint64_t> result;
  std::uint64_t value = 0;
  bool digits = false;
  for (const char c : text + ",") {
    if (c >= '0' && c <= '9') {
      value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(c - '0'), most_bytes);
      digits = true;
    } else if (c == ',') {
      if (digits) result.push_back(value);
      value = 0;
      digits = false;
    } else if (c != ' ') {
      file.fail("An array of this archive has a shape that cannot be read.");
    }
  }
  return result;
}

Raw npz_tensor(const TensorFile& file, const std::string& name) {
  const TensorFile array{file.path, zip_entry(file, name)};
  const int width = array.number(6, 1) == 1 ? 2 : 4;  // of the header's length
  const std::uint64_t length = array.number(8, width), data = 8 + static_cast<std::uint64_t>(width) + length;
  const std::string header = array.part(8 + static_cast<std::uint64_t>(width), length);
  if (between(file, header, "'fortran_order':", ",").find("True") != std::string::npos)
    file.fail("The array '" + name + "' is in Fortran's order; save it as numpy.ascontiguousarray.");
  return {between(file, header, "'descr': '", "'"), sizes(file, between(file, header, "'shape': (", ")")),
          array.part(data, array.bytes.size() - data)};
}

// --- safetensors: the length of a JSON header, the header, the data ---

struct Extent {
  std::uint64_t from = 0, to = 0;
};

Extent extent_of(const nlohmann::json& entry) {
  const nlohmann::json& offsets = entry.at("data_offsets");
  return {offsets.at(0).get<std::uint64_t>(), offsets.at(1).get<std::uint64_t>()};
}

// No byte belongs to two tensors.
void check_apart(const TensorFile& file, const nlohmann::json& header, const std::string& name, const Extent& own) {
  for (const auto& [other, entry] : header.items()) {
    if (other == name || other == "__metadata__") continue;
    const Extent extent = extent_of(entry);
    if (std::max(own.from, extent.from) < std::min(own.to, extent.to))
      file.fail("The tensors '" + std::min(name, other) + "' and '" + std::max(name, other) +
                "' lie on the same bytes of this file.");
  }
}

Raw safetensors_tensor(const TensorFile& file, const std::string& name) {
  const std::uint64_t length = file.number(0, 8);
  const auto header = nlohmann::json::parse(file.part(8, length), nullptr, false);
  if (!header.is_object()) file.fail("This file has no header of safetensors.");
  std::vector<std::string> names;
  for (const auto& [key, value] : header.items()) {
    if (key != "__metadata__") names.push_back(key);
  }
  if (!header.contains(name)) no_such_tensor(file, name, names);
  try {
    const auto& entry = header.at(name);
    const auto [from, to] = extent_of(entry);
    if (to < from) file.fail("The tensor '" + name + "' ends before it begins.");
    check_apart(file, header, name, {from, to});
    return {entry.at("dtype").get<std::string>(), entry.at("shape").get<std::vector<std::uint64_t>>(),
            file.part(8 + length + from, to - from)};
  } catch (const nlohmann::json::exception&) {
    file.fail("The tensor '" + name + "' is not described as safetensors are.");
  }
}

// --- either ---

const Format* format_of(const std::string& type) {
  static const std::map<std::string, std::string> names{{"<f2", "f16"}, {"<f4", "f32"},      {"<f8", "f64"},
                                                        {"F16", "f16"}, {"F32", "f32"},      {"BF16", "bf16"},
                                                        {"F64", "f64"}, {"F8_E4M3", "e4m3"}, {"F8_E5M2", "e5m2"}};
  const auto found = names.find(type);
  return found == names.end() ? nullptr : find_format(found->second);
}

Tensor values_of(const TensorFile& file, const std::string& name, const Raw& raw) {
  const Format* const format = format_of(raw.type);
  if (format == nullptr)
    file.fail("The tensor '" + name + "' has elements of type " + raw.type +
              "; floats of 8, 16, 32 or 64 bits can be read.");
  if (raw.shape.size() != 2 || raw.shape[0] == 0 || raw.shape[1] == 0 || raw.shape[0] > most_side ||
      raw.shape[1] > most_side)
    file.fail("The tensor '" + name + "' has " + std::to_string(raw.shape.size()) +
              " dimensions or an odd size; a matrix is needed.");
  const auto width = static_cast<std::uint64_t>(element_bytes(format->stored_bits)),
             elements = raw.shape[0] * raw.shape[1];
  if (raw.bytes.size() != elements * width) file.fail("The tensor '" + name + "' is not as long as its shape says.");
  Tensor tensor{static_cast<int>(raw.shape[0]), static_cast<int>(raw.shape[1]), {}};
  const TensorFile data{file.path, raw.bytes};
  for (std::uint64_t i = 0; i < elements; ++i) {
    tensor.values.push_back(value_of(data.number(i * width, static_cast<int>(width)), *format));
    const double size = std::fabs(tensor.values.back());
    if (!std::isfinite(size)) file.fail(fmt::format("Element {} of '{}' is no finite number.", i, name));
    if (size > 1e100 || (size != 0 && size < 1e-100))
      file.fail(fmt::format("Element {} of '{}' is {:g}; sizes from 1e-100 to 1e100 can be studied.", i, name,
                            tensor.values.back()));
  }
  return tensor;
}

Tensor transpose(const Tensor& t) {
  Tensor result{t.columns, t.rows, {}};
  for (int j = 0; j < t.columns; ++j) {
    for (int i = 0; i < t.rows; ++i)
      result.values.push_back(
          t.values[static_cast<std::size_t>(i) * static_cast<std::size_t>(t.columns) + static_cast<std::size_t>(j)]);
  }
  return result;
}

}  // namespace

TensorPair read_tensors(const StudyInput& input, const std::vector<ProductShape>& shapes) {
  const TensorFile file = read_whole(input.file);
  const bool npz = file.bytes.compare(0, 2, "PK") == 0;
  const auto read = [&](const std::string& name) {
    return values_of(file, name, npz ? npz_tensor(file, name) : safetensors_tensor(file, name));
  };
  TensorPair pair{read(input.a_name), read(input.b_name)};
  if (!input.b_transposed) pair.b = transpose(pair.b);
  if (pair.a.columns != pair.b.columns)
    file.fail(fmt::format("'{}' is {} x {} and '{}' has {} along K; `b_transposed` says that b is stored n x k.",
                          input.a_name, pair.a.rows, pair.a.columns, input.b_name, pair.b.columns));
  for (const ProductShape& s : shapes) {
    if (s.m > pair.a.rows || s.n > pair.b.rows || s.k > pair.a.columns)
      file.fail(fmt::format("The shape {} x {} x {} is larger than what '{}' and '{}' make: {} x {} x {}.", s.m, s.n,
                            s.k, input.a_name, input.b_name, pair.a.rows, pair.b.rows, pair.a.columns));
  }
  return pair;
}

}  // namespace assay
