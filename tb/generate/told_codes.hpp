// The codes that a unit has to tell apart from numbers, and those that differ from one of them in one bit. A test that
// does not read this bit takes one for the other.
//
//   f16  zero   0 00000 0000000000        infinity  0 11111 0000000000
//   bit 3       0 00000 0000001000        bit 3     0 11111 0000001000   NaN
//   bit 12      0 00100 0000000000        bit 12    0 11011 0000000000   a number
#pragma once

#include <vector>

#include "model/core/format.hpp"

namespace assay {

struct ToldCode {
  enum class Of { zero, infinity, nan };

  Of of;
  Code used;  // without bits that the format ignores
};

const char* name_of(ToldCode::Of of);

// None of integers. Where all of a significand's codes are NaN, infinity stands for them: its neighbours are these.
std::vector<ToldCode> told_codes(const Format& format);

// The bits that such a code may differ in, from the last one on. The sign is none of them.
inline int told_bits(const Format& format) { return format.used_bits() - (format.sign_bit() != 0 ? 1 : 0); }

}  // namespace assay
