#include "tb/vectors/element_type.hpp"

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

constexpr ElementType types[] = {
    {"BOOL", 1},
    {"U8", 1},
    {"I8", 1, "i8"},
    {"F8_E5M2", 1, "e5m2"},
    {"F8_E4M3", 1, "e4m3"},
    {"F8_E8M0", 1},
    {"I16", 2},
    {"U16", 2},
    {"F16", 2, "f16", "<f2"},
    {"BF16", 2, "bf16"},
    {"I32", 4, "i32"},
    {"U32", 4},
    {"F32", 4, "f32", "<f4"},
    {"I64", 8},
    {"U64", 8},
    {"F64", 8, "f64", "<f8"},
};

template <class Wanted>
const ElementType* find_type(Wanted&& wanted) {
  const auto found = std::find_if(std::begin(types), std::end(types), wanted);
  return found == std::end(types) ? nullptr : found;
}

bool same_bits(const Format& x, const Format& y) {
  return x.kind == y.kind && x.stored_bits == y.stored_bits && x.has_sign == y.has_sign &&
         x.exponent_bits == y.exponent_bits && x.mantissa_bits == y.mantissa_bits && x.bias == y.bias && x.nan == y.nan;
}

}  // namespace

const ElementType* find_safetensors_type(std::string_view name) {
  return find_type([&](const ElementType& type) { return type.safetensors == name; });
}

const ElementType* find_numpy_type(std::string_view name) {
  return find_type([&](const ElementType& type) { return !name.empty() && type.numpy == name; });
}

const ElementType* type_of_bits(const Format& format) {
  return find_type([&](const ElementType& type) {
    const Format* ours = type.format.empty() ? nullptr : find_format(type.format);
    return ours != nullptr && same_bits(*ours, format);
  });
}

}  // namespace assay
