#include "model/core/fields.hpp"

namespace assay {

template <>
const std::vector<std::string_view>& words<NanCodes>() {
  static const std::vector<std::string_view> w{"none", "ieee", "all_ones", "negative_zero", "listed"};
  return w;
}

template <>
const std::vector<std::string_view>& words<InfinityCodes>() {
  static const std::vector<std::string_view> w{"top_exponent", "last"};
  return w;
}

template <>
const std::vector<std::string_view>& words<Ties>() {
  static const std::vector<std::string_view> w{"cut", "even_code", "away", "down"};
  return w;
}

}  // namespace assay
