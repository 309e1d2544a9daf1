// Tensors as they lie in a file: what it says of them, held to what is really there, and their elements piece by piece.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/vectors/bytes.hpp"

namespace assay {

// An ordinary file, of which some bytes are read at a time. Throws Error, as all of these do.
class TensorFile {
 public:
  explicit TensorFile(const std::string& path);

  [[noreturn]] void fail(const std::string& sentence) const;
  std::uint64_t size() const { return size_; }
  std::string part(std::uint64_t at, std::uint64_t count) const;
  std::uint64_t number(std::uint64_t at, int bytes) const;  // the lowest byte first
  ByteSource source(std::uint64_t at, std::uint64_t count) const;
  [[noreturn]] void no_such_tensor(const std::string& name, const std::vector<std::string>& names) const;

 private:
  std::size_t read_some(char* into, std::size_t size, std::uint64_t at) const;

  std::string path_;
  std::shared_ptr<const int> descriptor_;
  std::uint64_t size_ = 0;
};

struct RawTensor {
  std::string type;  // as the file calls it: "<f4", "BF16"
  std::vector<std::uint64_t> shape;
  std::uint64_t bytes = 0;  // of its elements
  ByteSource elements;      // to be read until it says that there are no more: then it has checked them
};

// How many elements there are; nothing where 64 bits do not hold it.
std::optional<std::uint64_t> elements_of(const std::vector<std::uint64_t>& shape);

// NumPy's .npz: a zip archive of .npy files, stored or deflated.
RawTensor npz_tensor(const TensorFile& file, const std::string& name);

RawTensor safetensors_tensor(const TensorFile& file, const std::string& name);

}  // namespace assay
