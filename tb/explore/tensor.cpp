#include "tb/explore/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tb/explore/real.hpp"
#include "tb/explore/tensor_file.hpp"
#include "tb/vectors/element_type.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

constexpr std::uint64_t most_side = 1 << 24;
constexpr std::uint64_t most_elements = std::uint64_t{1} << 28;  // 2 GiB of doubles

// nullptr where the elements are no floating point.
const Format* format_of(const std::string& name) {
  const ElementType* type = find_safetensors_type(name);
  if (type == nullptr) type = find_numpy_type(name);
  const Format* format = type == nullptr ? nullptr : find_format(type->format);
  return format != nullptr && format->is_integer() ? nullptr : format;
}

// A matrix as long as its shape says.
void check_shape(const TensorFile& file, const std::string& name, const RawTensor& raw, const Format& format) {
  const std::vector<std::uint64_t>& shape = raw.shape;
  if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0 || shape[0] > most_side || shape[1] > most_side)
    file.fail("The tensor " + excerpt(name) + " has " + std::to_string(shape.size()) +
              " dimensions or an odd size; a matrix is needed.");
  if (shape[0] * shape[1] > most_elements)
    file.fail(fmt::format("The tensor '{}' is {} x {}; at most {} elements are read.", name, shape[0], shape[1],
                          most_elements));
  if (raw.bytes != shape[0] * shape[1] * static_cast<std::uint64_t>(element_bytes(format.stored_bits)))
    file.fail("The tensor " + excerpt(name) + " is not as long as its shape says.");
}

// Calls see(code) for each element.
template <class See>
void each_code(const RawTensor& raw, const Format& format, See&& see) {
  const auto width = static_cast<std::size_t>(element_bytes(format.stored_bits));
  std::string bytes(std::size_t{1} << 16, '\0');
  std::size_t have = 0;
  while (const std::size_t n = raw.elements(bytes.data() + have, bytes.size() - have)) {
    have += n;
    std::size_t at = 0;
    for (; have - at >= width; at += width) {
      Code code = 0;
      for (std::size_t byte = width; byte-- > 0;) code = code << 8 | static_cast<unsigned char>(bytes[at + byte]);
      see(code);
    }
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin() + static_cast<std::ptrdiff_t>(have),
              bytes.begin());
    have -= at;
  }
}

Tensor values_of(const TensorFile& file, const std::string& name, const RawTensor& raw) {
  const Format* const format = format_of(raw.type);
  if (format == nullptr)
    file.fail("The tensor " + excerpt(name) + " has elements of type " + excerpt(raw.type) +
              "; floats of 8, 16, 32 or 64 bits can be read.");
  check_shape(file, name, raw, *format);
  Tensor tensor{static_cast<int>(raw.shape[0]), static_cast<int>(raw.shape[1]), {}};
  each_code(raw, *format, [&](Code code) {
    const double value = value_of(code, *format), size = std::fabs(value);
    const std::size_t i = tensor.values.size();
    if (!std::isfinite(size)) file.fail(fmt::format("Element {} of '{}' is no finite number.", i, name));
    if (size > 1e100 || (size != 0 && size < 1e-100))
      file.fail(fmt::format("Element {} of '{}' is {:g}; sizes from 1e-100 to 1e100 can be studied.", i, name, value));
    tensor.values.push_back(value);
  });
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
  const TensorFile file(input.file);
  // Four bytes: two of them are the length of many a header of safetensors.
  const bool npz = file.size() >= 4 && (file.part(0, 4) == "PK\x03\x04" || file.part(0, 4) == "PK\x05\x06");
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
