#include "tb/generate/told_codes.hpp"

#include "tb/generate/codes.hpp"

namespace assay {

const char* name_of(ToldCode::Of of) {
  switch (of) {
    case ToldCode::Of::zero: return "zero";
    case ToldCode::Of::infinity: return "infinity";
    case ToldCode::Of::nan: return "NaN";
  }
  return "";
}

std::vector<ToldCode> told_codes(const Format& format) {
  std::vector<ToldCode> codes;
  if (format.is_integer()) return codes;
  if (format.has_zero) codes.push_back({ToldCode::Of::zero, format.used(zero_code(format, false))});
  if (format.has_infinity) codes.push_back({ToldCode::Of::infinity, format.infinity()});
  if (format.nan != NanCodes::none && format.nan != NanCodes::ieee)
    codes.push_back({ToldCode::Of::nan, format.quiet_nan()});
  return codes;
}

}  // namespace assay
