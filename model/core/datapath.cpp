#include "model/core/datapath.hpp"

namespace assay {

using Words = std::vector<std::string_view>;

template <>
const Words& words<Cut>() {
  static const Words w{"toward_zero", "down", "up", "nearest_even", "nearest_away", "to_odd"};
  return w;
}
template <>
const Words& words<Subnormals>() {
  static const Words w{"keep", "zero", "signed_zero"};
  return w;
}
template <>
const Words& words<Specials>() {
  static const Words w{"step", "operation", "numbers"};
  return w;
}
template <>
const Words& words<Tiny>() {
  static const Words w{"result", "before", "after"};
  return w;
}
template <>
const Words& words<Overflow>() {
  static const Words w{"infinity", "largest", "wrap"};
  return w;
}
template <>
const Words& words<Deal>() {
  static const Words w{"neighbours", "strided"};
  return w;
}
template <>
const Words& words<Shape>() {
  static const Words w{"flat", "neighbours", "halves", "serial"};
  return w;
}
template <>
const Words& words<Start>() {
  static const Words w{"c", "zero"};
  return w;
}
template <>
const Words& words<From>() {
  static const Words w{"first", "last"};
  return w;
}
template <>
const Words& words<ZeroSign>() {
  static const Words w{"positive", "ieee"};
  return w;
}
template <>
const Words& words<ResultAt>() {
  static const Words w{"window", "leading_one", "format"};
  return w;
}
template <>
const Words& words<WindowExponent>() {
  static const Words w{"largest", "fixed"};
  return w;
}
template <>
const Words& words<ProductExponent>() {
  static const Words w{"raw", "normalised"};
  return w;
}

}  // namespace assay
