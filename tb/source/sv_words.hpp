// How a SystemVerilog package says numbers, and the functions that it brings along.
#pragma once

#include <string>

#include "tb/source/c_words.hpp"

namespace assay {

struct SvWords {
  int magnitude_bits = 1;
  bool may_be_absent = false;

  int number_bits() const { return 3 + 64 + magnitude_bits + (may_be_absent ? 1 : 0); }
  std::string vector(int bits) const { return "bit [" + std::to_string(bits - 1) + ":0]"; }
  std::string number_type() const { return vector(number_bits()); }
  std::string numbers(int count) const { return vector(count * number_bits()); }
  std::string magnitude_type() const { return vector(magnitude_bits); }
  // Element `index` of several numbers side by side.
  std::string element(const std::string& list, const std::string& index) const;

  std::string literal(u128 value) const;
  std::string number(const Number& n) const;
  template <class Of>
  std::string by_sign(const Of& of) const {
    return chosen_by_sign(of(false), of(true));
  }
  std::string chosen_by_sign(const Number& positive, const Number& negative) const;
};

std::vector<CHelper> sv_helpers(const SvWords& words);

std::string sv_cut(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative);

}  // namespace assay
