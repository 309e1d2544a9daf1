#include "model/fast/float_reader.hpp"

namespace assay {
namespace {

constexpr int float_mantissa = 23;

}  // namespace

template <class T>
FloatReader<T>::FloatReader(const OperandCodes& codes) {
  const Format& f = codes.format;
  if (!codes.round && is_ieee(f)) {
    if (is_double(f)) by_ = By::bits_of_double;
    if (is_leading_part_of_float(f)) by_ = By::leading_bits_of_float;
    if (is_float(f)) by_ = By::bits_of_float;
    if (is_half(f)) by_ = By::bits_of_half;
  }
  if (by_ == By::decoder) {
    decoder_ = std::make_shared<DoubleDecoder>(codes);
    return;
  }
  shift_ = float_mantissa - f.mantissa_bits;
  ignored_ = f.ignored_low_bits;
  mask_ = f.used(~Code{0});
  if (codes.subnormals != Subnormals::keep) least_ = static_cast<T>(std::ldexp(1.0, f.least_exponent()));
  keeps_sign_ = codes.subnormals == Subnormals::signed_zero;
}

template class FloatReader<float>;
template class FloatReader<double>;

}  // namespace assay
