#include "model/core/fields.hpp"

namespace assay {

template <>
const std::vector<std::string_view>& words<NanCodes>() {
  static const std::vector<std::string_view> w{"none", "ieee", "all_ones", "negative_zero"};
  return w;
}

}  // namespace assay
