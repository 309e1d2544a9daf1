#include "model/core/result_words.hpp"

#include <algorithm>

namespace assay {
namespace {

bool may_be_said(Overflow overflow, const Format& f, SpecialCodes special) {
  switch (overflow) {
    case Overflow::infinity:
    case Overflow::directed: return f.has_infinity;
    case Overflow::wrap: return f.is_integer() && !f.sign_magnitude;
    case Overflow::symmetric: return f.is_integer() && f.has_sign;
    case Overflow::nan: return special.are_read;
    case Overflow::largest: return true;
    case Overflow::top:
      return f.kind == FormatKind::floating && !f.has_infinity && f.nan == NanCodes::none && f.exponent_bits > 1;
  }
  return false;
}

// The words of `overflow` that a result in the format may say: "`largest` or `nan`".
std::string legal_overflow(const Format& f, SpecialCodes special) {
  std::vector<std::string> words;
  if (f.is_integer()) {
    words = {"largest"};
    if (!f.sign_magnitude) words.insert(words.begin(), "wrap");
    if (f.has_sign) words.emplace_back("symmetric");
  } else {
    words = {"largest"};
    if (f.has_infinity) words.insert(words.begin(), {"infinity", "directed"});
  }
  if (may_be_said(Overflow::top, f, special)) words.emplace_back("top");
  if (special.are_read && special.write_nan) words.emplace_back("nan");
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "`overflow: " : i + 1 < words.size() ? ", `" : " or `") + words[i] + "`";
  return text;
}

std::string why_not(Overflow overflow, const Format& f) {
  switch (overflow) {
    case Overflow::wrap:
      return f.sign_magnitude ? "`overflow: wrap` is for two's complement, and " + f.name + " is a sign and a magnitude"
                              : "`overflow: wrap` is for integers, and " + f.name + " is none";
    case Overflow::top: return "`overflow: top` is for floating formats of which every code is a number";
    case Overflow::symmetric: return "`overflow: symmetric` is for integers with a sign, and " + f.name + " is none";
    case Overflow::nan: return "With `specials: numbers` there is no NaN";
    case Overflow::infinity:
    case Overflow::directed:
    case Overflow::largest: break;
  }
  return f.is_integer() ? "Integers have no infinity" : "Format " + f.name + " has no infinity";
}

// What of infinities and NaNs may be there on the way to d's last result.
class Reaching {
 public:
  explicit Reaching(const Plan& plan) {
    const Datapath& words = plan.datapath;
    read(plan.a, words.nans_a);
    read(plan.b, words.nans_b);
    read(plan.c, words.nans_c);
    if (plan.scale) read(*plan.scale);
    for (const CaseOperand& more : plan.more) read(more.format);
    for (const FactorPlan* factor : {&plan.factor_a, &plan.factor_b}) {
      if (factor->round) made(*factor->round);
    }
    infinite_ = infinite_ || plan.datapath.product.infinity_at.has_value();
    if (plan.product_round) made(*plan.product_round);
    for (const auto* adders : {&plan.adders, &plan.finish}) {
      for (const AdderPlan& adder : *adders) {
        for (const ResultPlan& result : adder.results) made(result);
      }
    }
    nan_ = nan_ || infinite_;
  }

  // The last result's own NaNs are among these where there are more steps than one: it reads them as acc.
  bool infinite() const { return infinite_; }
  bool nan() const { return nan_; }

  // Whether the result itself makes one.
  static bool makes_nan(const ResultPlan& r, bool from_infinity) {
    if (r.words.at != ResultAt::format) return false;
    return r.words.overflow == Overflow::nan || (from_infinity && r.words.infinity == OfInfinity::nan) ||
           (is_unsigned_float(r.format) && r.words.negative != OfNegative::zero);
  }

 private:
  void read(const Format& f, Nans nans = Nans::keep) {
    infinite_ = infinite_ || f.has_infinity;
    nan_ = nan_ || (f.nan != NanCodes::none && nans == Nans::keep);
  }
  void made(const ResultPlan& r) {
    if (r.words.at != ResultAt::format) return;
    const bool overflows = r.words.overflow == Overflow::infinity || r.words.overflow == Overflow::directed;
    infinite_ = infinite_ || (overflows && r.format.has_infinity);
    nan_ = nan_ || makes_nan(r, false);
  }

  bool infinite_ = false, nan_ = false;
};

}  // namespace

std::vector<Problem> result_word_problems(const Result& words, const Format& format, SpecialCodes special,
                                          const std::string& key) {
  std::vector<Problem> problems;
  if (!may_be_said(words.overflow, format, special))
    problems.push_back(
        {key + ".overflow", why_not(words.overflow, format) + ": say " + legal_overflow(format, special) + "."});
  if (!special.are_read && (words.infinity != OfInfinity::keep || words.nan != OfNan::keep))
    problems.push_back({key + (words.infinity != OfInfinity::keep ? ".infinity" : ".nan"),
                        "With `specials: numbers` there is neither infinity nor NaN: leave `infinity` and `nan` out."});
  if (words.negative != OfNegative::zero && (!is_unsigned_float(format) || !special.are_read))
    problems.push_back({key + ".negative", is_unsigned_float(format)
                                               ? "With `specials: numbers` there is no NaN: leave `negative` out."
                                               : "`negative` is for floating formats without a sign, and " +
                                                     format.name + " is none: leave it out."});
  return problems;
}

std::vector<Problem> unwritable_problems(const Plan& plan, const std::string& key) {
  const ResultPlan& last = plan.last_adder().results.back();
  const Reaching reaching(plan);
  const std::string& d = plan.d.name;
  const bool writes_nan = special_codes(plan.datapath, plan.d).write_nan;
  std::vector<Problem> problems;
  if (reaching.infinite() && last.words.infinity == OfInfinity::keep && !plan.d.has_infinity)
    problems.push_back({key + ".infinity", "An infinity may reach d, and its format " + d +
                                               " has none: say `infinity: largest`" +
                                               (writes_nan ? " or `infinity: nan`" : "") + " in this result."});
  const bool arrives = reaching.nan() && (last.words.nan == OfNan::keep || last.words.nan == OfNan::positive);
  if (writes_nan) return problems;
  if (Reaching::makes_nan(last, reaching.infinite())) {
    problems.push_back({key, "This result makes NaNs, and d's format " + d +
                                 " has none: give NaN a code, such as `nan: 0` beside `adders`, or say `largest` "
                                 "in the place of `nan`."});
  } else if (arrives) {
    problems.push_back({key + ".nan", "A NaN may reach d, and its format " + d +
                                          " has none: say `nan: zero` or `nan: largest` in this result, or give NaN a "
                                          "code, such as `nan: 0` beside `adders`."});
  }
  return problems;
}

namespace {

// Of the products, the adders and the finish: the first that `is_it` says; nullptr where none is.
template <class IsIt>
const ResultPlan* first_result(const Plan& plan, const IsIt& is_it) {
  for (const FactorPlan* factor : {&plan.factor_a, &plan.factor_b}) {
    if (factor->round && is_it(*factor->round)) return &*factor->round;
  }
  if (plan.product_round && is_it(*plan.product_round)) return &*plan.product_round;
  for (const auto* adders : {&plan.adders, &plan.finish}) {
    for (const AdderPlan& adder : *adders) {
      const auto found = std::find_if(adder.results.begin(), adder.results.end(), is_it);
      if (found != adder.results.end()) return &*found;
    }
  }
  return nullptr;
}

// Of a, b, c and d, and then of the results: the first that `is_it` says; nullptr where none is.
template <class IsIt>
const Format* first_format(const Plan& plan, const IsIt& is_it) {
  for (const Format* f : {&plan.a, &plan.b, &plan.c, &plan.d}) {
    if (is_it(*f)) return f;
  }
  const ResultPlan* found =
      first_result(plan, [&](const ResultPlan& r) { return r.words.at == ResultAt::format && is_it(r.format); });
  return found == nullptr ? nullptr : &found->format;
}

}  // namespace

bool mixes_kinds(const Plan& plan) {
  const bool integer = plan.d.is_integer();
  return first_format(plan, [&](const Format& f) { return f.is_integer() != integer; }) != nullptr;
}

const Format* list_in(const Plan& plan) {
  return first_format(plan, [](const Format& f) { return f.rounds_to_list(); });
}

const Format* point_in(const Plan& plan) {
  return first_format(plan, [](const Format& f) { return f.has_point(); });
}

const Format* magnitude_in(const Plan& plan) {
  return first_format(plan, [](const Format& f) { return f.sign_magnitude; });
}

const ResultPlan* result_beyond(const Plan& plan) {
  return first_result(plan, [](const ResultPlan& r) {
    const Result& w = r.words;
    const bool known =
        w.overflow == Overflow::infinity || w.overflow == Overflow::largest || w.overflow == Overflow::wrap;
    return w.at == ResultAt::format && (!known || w.infinity != OfInfinity::keep || w.nan != OfNan::keep ||
                                        w.negative != OfNegative::zero || is_unsigned_float(r.format));
  });
}

const ResultPlan* wrapping_result(const Plan& plan) {
  return first_result(plan, [](const ResultPlan& r) { return r.words.overflow == Overflow::wrap; });
}

const ResultPlan* result_without_minus_zero(const Plan& plan) {
  return first_result(plan, [](const ResultPlan& r) {
    return r.words.at == ResultAt::format && r.words.minus_zero != MinusZero::keep;
  });
}

}  // namespace assay
