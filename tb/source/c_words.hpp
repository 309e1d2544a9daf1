// How C says what is done to magnitudes: with operators where 64 bits hold every one of them, else with functions on a
// struct of two words. And the functions that a file brings along.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

// As C writes it: 12, 0x3ff
std::string c_text(int value);
std::string c_text(bool value);
std::string c_hex(std::uint64_t value);
std::string c_hex_digits(std::uint64_t value);  // 3ff

// What a number has with it from stage to stage, where the datapath has a use for it.
struct Carried {
  bool absent = false;  // that it stands for nothing at all
  bool lost = false;    // that ones were cut off below it
  bool raised = false;  // what was raised on the way
};

struct CWords {
  bool wide = false;  // a magnitude is no uint64_t: functions say what is done to it
  int bits = 0;       // of a type that whoever includes the file gives; 0: a struct of two words
  Carried carried = {};

  std::string literal(u128 value) const;
  std::string of_code(const std::string& code) const;  // a magnitude from the value of an uint64_t
  std::string low_word(const std::string& x) const;
  std::string is_zero(const std::string& x) const;
  std::string is_not_zero(const std::string& x) const;
  std::string is_odd(const std::string& x) const;
  std::string times(const std::string& x, const std::string& y) const;
  std::string plus(const std::string& x, const std::string& y) const;
  std::string either(const std::string& x, const std::string& y) const;
  std::string minus(const std::string& x) const;   // two's complement
  std::string turned(const std::string& x) const;  // every bit
  std::string above(const std::string& x, const std::string& y) const;
  std::string same(const std::string& x, const std::string& y) const;
  std::string is_negative(const std::string& x) const;  // its uppermost bit

  // A number as an expression, with the overflow that it came of.
  std::string number(const Number& n) const;
  std::string no_special() const;  // a special_t that has seen nothing
  // What `of` makes of either sign, as an expression of `n.negative`.
  template <class Of>
  std::string by_sign(const Of& of) const {
    return chosen_by_sign(of(false), of(true));
  }
  std::string chosen_by_sign(const Number& positive, const Number& negative) const;

 private:
  std::string plain_number(const Number& n) const;
};

// A function, or a few that belong together, which stand in a file where anything asks for it.
struct CHelper {
  std::vector<std::string> names;
  std::string text;
};

// In the order in which they stand. `register_words`: of the struct that holds an exact sum; 0: there is none.
std::vector<CHelper> c_helpers(const CWords& words, int register_words);

// Those of `helpers` that `text` asks for, and what they ask for.
std::string needed_helpers(const std::vector<CHelper>& helpers, const std::string& text);

// "cut_nearest_even(m, by, negative)", where the cut looks at a sign.
std::string c_cut(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative);
// The same where `lost` says whether there were ones below all of them.
std::string c_cut_above(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative,
                        const std::string& lost);

}  // namespace assay
