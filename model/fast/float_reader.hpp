// Codes of one format as floats or doubles, without exponents of their own: from their bits, where the format is one of
// the machine's or the leading part of one, and else by a decoder.
#pragma once

#include <cmath>
#include <memory>

#include "model/fast/doubles.hpp"
#include "model/fast/floats.hpp"

namespace assay {

template <class T>
class FloatReader {
 public:
  explicit FloatReader(const OperandCodes& codes);

  // use(read): read(code) is the code's value, an infinity or a NaN where it is no number. A loop over codes is in
  // `use`, so that it need not ask each time how they are read.
  template <class Use>
  auto with(const Use& use) const {
    const auto flushing = [&](const auto& value) {
      return least_ == 0 ? use(value) : use([this, value](Code code) { return flushed(value(code)); });
    };
    switch (by_) {
      case By::bits_of_double: return flushing([](Code code) { return static_cast<T>(double_of_bits(code)); });
      case By::bits_of_half: return flushing([](Code code) { return static_cast<T>(float_of_half(low_bits(code))); });
      case By::bits_of_float: return flushing([](Code code) { return static_cast<T>(float_of_bits(low_bits(code))); });
      case By::leading_bits_of_float:
        return flushing([this](Code code) { return static_cast<T>(float_of_bits(low_bits(used(code)) << shift_)); });
      case By::decoder: break;
    }
    return use([this](Code code) { return static_cast<T>((*decoder_)(code).value); });
  }

  T operator()(Code code) const {
    return with([code](const auto& read) { return read(code); });
  }

 private:
  enum class By { bits_of_double, bits_of_float, leading_bits_of_float, bits_of_half, decoder };

  T flushed(T x) const {
    if (!(std::abs(x) < least_) || x == 0) return x;
    return keeps_sign_ ? std::copysign(T{0}, x) : T{0};
  }

  static std::uint32_t low_bits(Code code) { return static_cast<std::uint32_t>(code); }
  Code used(Code code) const { return code >> ignored_ & mask_; }

  By by_ = By::decoder;
  int shift_ = 0, ignored_ = 0;  // to where a float has it, from where the code has it
  Code mask_ = 0;
  T least_ = 0;  // what is less becomes zero
  bool keeps_sign_ = false;
  std::shared_ptr<const DoubleDecoder> decoder_;
};

extern template class FloatReader<float>;
extern template class FloatReader<double>;

}  // namespace assay
