#include "tb/oracle/vocabulary/listed.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "tb/oracle/listed_meaning.hpp"
#include "tb/oracle/vocabulary/rounding.hpp"

namespace assay::vocabulary {
namespace {

Value number(bool negative, const mpq_class& magnitude) {
  if (magnitude == 0) return zero(negative);
  return {Kind::finite, negative, magnitude, floor_log2(magnitude)};
}

mpq_class real(const Value& value) { return value.negative ? mpq_class(-value.magnitude) : value.magnitude; }

mpq_class signed_magnitude(const lists::Meaning& m) { return m.negative ? mpq_class(-m.magnitude) : m.magnitude; }

struct Neighbour {
  mpq_class value;
  Code code = 0;
};

Code codes_of(const Format& format) { return Code{1} << format.stored_bits; }

struct Readings {
  std::vector<Value> of_code;
  std::vector<Neighbour> ascending;  // finite; each value once, with its least code
};

Value read(const Format& format, Code code) {
  const lists::Meaning m = lists::meaning(format, code);
  if (m.kind == lists::Meaning::nan) return {Kind::nan, false, mpq_class(1, 2), std::nullopt};
  return m.kind == lists::Meaning::infinity ? infinity(m.negative) : number(m.negative, m.magnitude);
}

Readings all_of(const Format& format) {
  Readings all;
  for (Code code = 0; code < codes_of(format); ++code) {
    all.of_code.push_back(read(format, code));
    if (all.of_code.back().kind == Kind::finite) all.ascending.push_back({real(all.of_code.back()), code});
  }
  const auto less = [](const Neighbour& x, const Neighbour& y) { return x.value < y.value; };
  const auto same = [](const Neighbour& x, const Neighbour& y) { return x.value == y.value; };
  std::stable_sort(all.ascending.begin(), all.ascending.end(), less);
  all.ascending.erase(std::unique(all.ascending.begin(), all.ascending.end(), same), all.ascending.end());
  return all;
}

// A list of 65,536 values takes a tenth of a second to read, so that it is kept: by all that says what it is, since two
// datapaths may call two lists by one name.
const Readings& readings(const Format& format) {
  using Key = std::tuple<int, std::string, std::map<std::string, std::string>, std::vector<std::string>>;
  static thread_local std::map<Key, Readings> kept;
  const auto [found, is_new] = kept.try_emplace({format.stored_bits, format.rule, format.parameters, format.listed});
  if (is_new) found->second = all_of(format);
  return found->second;
}

// Where the nearest value changes from one neighbour to the next.
mpq_class boundary(const Format& format, const Neighbour& lower, const Neighbour& upper) {
  if (format.rule != "posit") return (lower.value + upper.value) / 2;
  if (lower.value == 0 || upper.value == 0) return 0;
  return signed_magnitude(
      lists::posit(lists::bit_string(lower.code, format.stored_bits) + "1", lists::parameter(format, "es")));
}

bool takes_upper(const Format& format, const Result& result, const mpq_class& x, const Neighbour& lower,
                 const Neighbour& upper) {
  const bool negative = x < 0;
  switch (result.cut) {
    case Cut::toward_zero: return negative;
    case Cut::down: return false;
    case Cut::up: return true;
    case Cut::to_odd: {
      const Neighbour& inner = negative ? upper : lower;
      return inner.code % 2 != 0 ? negative : !negative;
    }
    case Cut::nearest_even:
    case Cut::nearest_away:
    case Cut::nearest_up: break;
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: throw std::logic_error("Chance does not round to a list.");
  }
  const mpq_class middle = boundary(format, lower, upper);
  if (x != middle) return x > middle;
  const bool even = format.rule == "posit" || format.ties == Ties::even_code ||
                    (format.ties == Ties::cut && result.cut == Cut::nearest_even);
  if (format.ties == Ties::down) return false;
  if (format.rule != "posit" && format.ties == Ties::cut && result.cut == Cut::nearest_up) return true;
  return even ? lower.code % 2 != 0 : !negative;
}

// The value that the code of an infinity would have.
std::optional<mpq_class> value_of_infinity(const Format& format) {
  if (format.rule != "prefix") return std::nullopt;
  const int greatest = lists::parameter(format, "exponent"), mantissa = format.stored_bits - 3 - greatest;
  return (2 - power_of_two(-mantissa)) * power_of_two((1 << greatest) - 1);
}

}  // namespace

Value decode_listed(const Format& format, Code code) { return readings(format).of_code.at(code); }

Code encode_listed(const Format& format, const Value& value) {
  const std::vector<Value>& of_code = readings(format).of_code;
  for (Code code = 0; code < of_code.size(); ++code) {
    const Value& found = of_code[code];
    if (found.kind != value.kind) continue;
    if (found.kind == Kind::nan) return code;
    if (found.negative == value.negative && (found.kind == Kind::infinity || found.magnitude == value.magnitude))
      return code;
  }
  for (Code code = 0; code < of_code.size(); ++code) {  // a -0 that the list has not
    if (is_zero(of_code[code])) return code;
  }
  throw std::logic_error("The list of " + format.name + " has no such value.");
}

Value last_of_list(bool negative, const Format& format) {
  const Readings& all = readings(format);
  const Neighbour& last = negative ? all.ascending.front() : all.ascending.back();
  return (negative ? last.value < 0 : last.value > 0) ? all.of_code[last.code] : zero(false);
}

Value in_list(const Result& result, const Format& format, const Value& value) {
  if (value.negative && !format.has_sign) return below_zero(result);
  const mpq_class x = real(value);
  const std::vector<Neighbour>& all = readings(format).ascending;
  const auto least_not_below =
      std::lower_bound(all.begin(), all.end(), x, [](const Neighbour& n, const mpq_class& y) { return n.value < y; });
  std::optional<Neighbour> lower, upper;
  if (least_not_below != all.end()) upper = *least_not_below;
  if (upper && upper->value == x) {
    lower = upper;
  } else if (least_not_below != all.begin()) {
    lower = *(least_not_below - 1);
  }
  const auto chosen = [&](const mpq_class& v) {
    if (v == 0) return zero(value.negative && format.has_signed_zero);
    return number(v < 0, abs(v));
  };
  if (lower && upper) {
    if (lower->value == upper->value) return chosen(lower->value);
    return chosen(takes_upper(format, result, x, *lower, *upper) ? upper->value : lower->value);
  }
  const bool above = lower.has_value();
  const Neighbour last = above ? *lower : *upper;
  if (!above && last.value > 0) return chosen(last.value);
  if (const std::optional<mpq_class> next = value_of_infinity(format)) {
    const Neighbour beyond{above ? *next : mpq_class(-*next), last.code + 1};
    const bool within = above ? x < beyond.value : x > beyond.value;
    const bool leaves = within && (above ? takes_upper(format, result, x, last, beyond)
                                         : !takes_upper(format, result, x, beyond, last));
    if (within && !leaves) return chosen(last.value);
  }
  return overflowed(value.negative, result, format);
}

}  // namespace assay::vocabulary
