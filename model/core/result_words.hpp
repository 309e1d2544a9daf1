// What a result may say of numbers that its format has no code for, and what may reach d.
#pragma once

#include "model/core/plan.hpp"

namespace assay {

// Whether there are NaN and infinity at all, and whether d has a code for NaN.
struct SpecialCodes {
  bool are_read = true;
  bool write_nan = true;
};

// Words that cannot be said of a result in `format`, which stands at `key`.
std::vector<Problem> result_word_problems(const Result& words, const Format& format, SpecialCodes special,
                                          const std::string& key);

// An infinity or a NaN that may come to d, and that d has no code for. `key`: the last result's. The plan's adders must
// be there.
std::vector<Problem> unwritable_problems(const Plan& plan, const std::string& key);

// Whether the file itself gives the code of every NaN.
inline bool gives_nan_code(const Datapath& datapath) {
  return datapath.nan && !datapath.nan->propagate && !datapath.nan->with_sign;
}

inline SpecialCodes special_codes(const Datapath& datapath, const Format& d) {
  return {datapath.specials != Specials::numbers, d.nan != NanCodes::none || gives_nan_code(datapath)};
}

// A number below zero has no place in it.
inline bool is_unsigned_float(const Format& f) { return !f.has_sign && !f.is_integer(); }

// Whether integers and floats meet: an operand or a result is of the other kind than d.
bool mixes_kinds(const Plan& plan);

// The first format that is a list of values, an integer with bits after the point, or one that is a sign and a
// magnitude; nullptr where there is none.
const Format* list_in(const Plan& plan);
const Format* point_in(const Plan& plan);
const Format* magnitude_in(const Plan& plan);

// The first result that makes something of what its format cannot hold that is neither an infinity nor the number it
// comes next to, or whose format is floating and has no sign; nullptr where there is none.
const ResultPlan* result_beyond(const Plan& plan);

// The first result that wraps, and so may come round to another sign; nullptr where none does.
const ResultPlan* wrapping_result(const Plan& plan);

// The first result that is never -0; nullptr where each may be.
const ResultPlan* result_without_minus_zero(const Plan& plan);

// For those who know none of these; whether results may be -0 is another question.
inline bool is_plain(const Plan& plan) {
  return !mixes_kinds(plan) && result_beyond(plan) == nullptr && magnitude_in(plan) == nullptr && !plan.nan.with_sign;
}

}  // namespace assay
