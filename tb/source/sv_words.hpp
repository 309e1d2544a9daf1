// How a SystemVerilog package says numbers, and the functions that it brings along.
#pragma once

#include <string>

#include "tb/source/c_words.hpp"

namespace assay {

struct SvWords {
  int magnitude_bits = 1;
  Carried carried = {};

  // Where what is carried begins, above magnitude, quantum, exponent, sign and kind.
  int lost_at() const { return magnitude_bits + 64 + 3; }
  int raised_at() const { return lost_at() + (carried.lost ? 1 : 0); }
  int absent_at() const { return raised_at() + (carried.raised ? 4 : 0); }
  int number_bits() const { return absent_at() + (carried.absent ? 1 : 0); }
  // Of what NaNs and infinities among numbers decide.
  int special_bits() const { return number_bits() + 3 + (carried.raised ? 4 : 0); }
  std::string vector(int bits) const { return "bit [" + std::to_string(bits - 1) + ":0]"; }
  std::string number_type() const { return vector(number_bits()); }
  std::string numbers(int count) const { return vector(count * number_bits()); }
  std::string magnitude_type() const { return vector(magnitude_bits); }
  // Element `index` of several numbers side by side.
  std::string element(const std::string& list, const std::string& index) const;

  std::string literal(u128 value) const;
  // With the overflow that it came of.
  std::string number(const Number& n) const;
  template <class Of>
  std::string by_sign(const Of& of) const {
    return chosen_by_sign(of(false), of(true));
  }
  std::string chosen_by_sign(const Number& positive, const Number& negative) const;

 private:
  std::string plain_number(const Number& n) const;
};

std::vector<CHelper> sv_helpers(const SvWords& words);

std::string sv_cut(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative);
// The same where `lost` says whether there were ones below all of them.
std::string sv_cut_above(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative,
                         const std::string& lost);

}  // namespace assay
