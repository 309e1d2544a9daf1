#include "model/core/format.hpp"

namespace assay {

std::string format_names() {
  std::string names;
  const std::string* last = nullptr;
  for (const Format& format : formats()) {
    const std::string& name = format.family.empty() ? format.name : format.family;
    if (last == nullptr || *last != name) names += (names.empty() ? "" : ", ") + name;
    last = &name;
  }
  return names;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name || (!format.ml_dtypes_name.empty() && format.ml_dtypes_name == name)) return &format;
  }
  return nullptr;
}

}  // namespace assay
