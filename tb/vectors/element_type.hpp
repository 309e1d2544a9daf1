// Types of elements as files of arrays call them.
#pragma once

#include <string_view>

#include "model/core/format.hpp"

namespace assay {

struct ElementType {
  std::string_view safetensors;
  int bytes;
  std::string_view format = {};  // of ours, that has the same bits; empty: none
  std::string_view numpy = {};   // as a header of NumPy's says it, for floating point
};

// nullptr where a file's name is none of these.
const ElementType* find_safetensors_type(std::string_view name);
const ElementType* find_numpy_type(std::string_view name);

// The type whose elements have the bits of this format; nullptr where none has.
const ElementType* type_of_bits(const Format& format);

}  // namespace assay
