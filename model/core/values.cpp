#include "model/core/values.hpp"

#include <algorithm>
#include <charconv>
#include <climits>
#include <utility>

#include "model/core/decode.hpp"

namespace assay {
namespace {

int compare_magnitudes(const Number& x, const Number& y) {
  if (x.magnitude == 0 || y.magnitude == 0) return (x.magnitude != 0) - (y.magnitude != 0);
  const int ex = leading_exponent(x), ey = leading_exponent(y);
  if (ex != ey) return ex < ey ? -1 : 1;
  const int lx = bit_length(x.magnitude), ly = bit_length(y.magnitude);
  const u128 mx = x.magnitude << std::max(0, ly - lx), my = y.magnitude << std::max(0, lx - ly);
  return mx < my ? -1 : mx > my ? 1 : 0;
}

// A value that has no code follows the last one, and its code would too.
ListedValue beyond(const Number& number, Code last) { return {number, last + 1}; }

bool takes_upper_of_tie(const ListedValue& lower, bool negative, Cut cut, Ties ties) {
  if (ties == Ties::cut && cut == Cut::nearest_up) return true;
  if (ties == Ties::cut) ties = cut == Cut::nearest_away ? Ties::away : Ties::even_code;
  if (ties == Ties::even_code) return lower.code % 2 != 0;
  return ties == Ties::away && !negative;
}

bool takes_upper(const ListedValue& lower, const ListedValue& upper, const Number& boundary, const Number& n, Cut cut,
                 Ties ties) {
  switch (cut) {
    case Cut::toward_zero: return n.negative;
    case Cut::down: return false;
    case Cut::up: return true;
    case Cut::to_odd: return ((n.negative ? upper : lower).code % 2 != 0) == n.negative;
    case Cut::nearest_even:
    case Cut::nearest_away:
    case Cut::nearest_up:
    case Cut::stochastic_a:  // no plan has these with a list
    case Cut::stochastic_b:
    case Cut::stochastic_c: break;
  }
  const int side = compare(n, boundary);
  return side == 0 ? takes_upper_of_tie(lower, n.negative, cut, ties) : side > 0;
}

// --- a list in a file ---

Number as_listed(bool negative, u128 magnitude, int quantum) {
  if (magnitude == 0) return Number::zero(negative);
  for (; (magnitude & 1) == 0; magnitude >>= 1) ++quantum;
  Number n;
  n.negative = negative;
  n.magnitude = magnitude;
  n.quantum = quantum;
  n.exponent = leading_exponent(n);
  return n;
}

// The digits at the front of a text, at most 19 of them.
std::optional<std::uint64_t> digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::uint64_t value = 0;
  if (end == 0 || end > 19 || std::from_chars(text.data(), text.data() + end, value).ec != std::errc{})
    return std::nullopt;
  text.remove_prefix(end);
  return value;
}

std::optional<int> power(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc{} && end == text.data() + text.size() && value > -20'000 && value < 20'000;
  return good ? std::optional(value) : std::nullopt;
}

}  // namespace

LazyValues::LazyValues(Make make) : make_(std::move(make)) {}

const ValueTable& LazyValues::get() const {
  std::call_once(made_, [&] { values_ = make_(); });
  return values_;
}

int compare(const Number& x, const Number& y) {
  const bool nx = x.negative && x.magnitude != 0, ny = y.negative && y.magnitude != 0;
  if (nx != ny) return nx ? -1 : 1;
  return nx ? compare_magnitudes(y, x) : compare_magnitudes(x, y);
}

Number middle(const Number& x, const Number& y) {
  const int quantum = std::min(x.magnitude == 0 ? INT_MAX : x.quantum, y.magnitude == 0 ? INT_MAX : y.quantum);
  const auto at = [&](const Number& n) {
    const u128 m = n.magnitude == 0 ? 0 : shift_left(n.magnitude, n.quantum - quantum);
    return n.negative ? -static_cast<i128>(m) : static_cast<i128>(m);
  };
  const i128 sum = at(x) + at(y);
  Number n;
  n.negative = sum < 0;
  n.magnitude = static_cast<u128>(sum < 0 ? -sum : sum);
  n.quantum = quantum - 1;
  n.exponent = n.magnitude == 0 ? Number::no_exponent : leading_exponent(n);
  return n;
}

Number normalised(Number n, int fraction_bits) {
  if (!n.is_finite() || n.magnitude == 0) return n;
  n.exponent = leading_exponent(n);
  return with_quantum(n, n.exponent - fraction_bits);
}

ValueTable table_of(std::vector<Number> by_code, const Boundary& boundary) {
  ValueTable t;
  t.by_code = std::move(by_code);
  const auto first = [](std::optional<Code>& into, Code code) {
    if (!into) into = code;
  };
  for (Code code = 0; code < t.by_code.size(); ++code) {
    const Number& n = t.by_code[code];
    if (n.cls == Class::nan) {
      first(t.nan, code);
    } else if (n.cls == Class::infinity) {
      first(n.negative ? t.negative_infinity : t.infinity, code);
    } else if (n.magnitude == 0 && n.negative) {
      first(t.negative_zero, code);
    } else {
      t.ascending.push_back({n, code});
    }
  }
  std::stable_sort(t.ascending.begin(), t.ascending.end(),
                   [](const ListedValue& x, const ListedValue& y) { return compare(x.number, y.number) < 0; });
  const auto same = [](const ListedValue& x, const ListedValue& y) { return compare(x.number, y.number) == 0; };
  t.ascending.erase(std::unique(t.ascending.begin(), t.ascending.end(), same), t.ascending.end());
  for (std::size_t i = 0; i + 1 < t.ascending.size(); ++i) {
    const ListedValue &lower = t.ascending[i], &upper = t.ascending[i + 1];
    t.boundaries.push_back(boundary ? boundary(lower, upper) : middle(lower.number, upper.number));
  }
  return t;
}

ValueTable values_of_fields(const Format& format) {
  std::vector<Number> by_code;
  const Decoder read(format, Subnormals::keep, Specials::step);
  for (Code code = 0; code < Code{1} << format.used_bits(); ++code) by_code.push_back(read(format.stored(code)));
  ValueTable t = table_of(std::move(by_code));
  Number next;
  next.magnitude = 1;
  next.exponent = next.quantum = t.greatest().exponent + 1;
  t.above = next;
  if (format.has_sign) t.below = next, t.below->negative = true;
  return t;
}

//  lower   b   upper           n stands between two values, or beyond the last, where the next one would be
//    |  n  |     |
std::optional<Number> rounded_to_list(const Number& n, Cut cut, const Format& format) {
  const ValueTable& t = format.values();
  const auto upper = std::upper_bound(t.ascending.begin(), t.ascending.end(), n,
                                      [](const Number& x, const ListedValue& v) { return compare(x, v.number) < 0; });
  const auto signed_zero = [&](Number found) {
    if (found.magnitude == 0) found.negative = n.negative && format.has_signed_zero;
    return found;
  };
  const auto last = t.ascending.end() - 1;
  if (upper == t.ascending.begin()) {
    const ListedValue& first = *upper;
    if (first.number.magnitude != 0 && !first.number.negative) return first.number;  // there is no zero to round to
    if (!t.below || compare(n, *t.below) <= 0) return std::nullopt;
    if (!takes_upper(beyond(*t.below, first.code), first, middle(*t.below, first.number), n, cut, t.ties))
      return std::nullopt;
    return signed_zero(first.number);
  }
  const ListedValue& lower = *(upper - 1);
  if (compare(n, lower.number) == 0) return signed_zero(lower.number);
  if (upper - 1 == last) {
    if (!t.above || compare(n, *t.above) >= 0) return std::nullopt;
    if (takes_upper(lower, beyond(*t.above, lower.code), middle(lower.number, *t.above), n, cut, t.ties))
      return std::nullopt;
    return signed_zero(lower.number);
  }
  const auto at = static_cast<std::size_t>(upper - 1 - t.ascending.begin());
  const bool up = takes_upper(lower, *upper, t.boundaries[at], n, cut, t.ties);
  return signed_zero((up ? *upper : lower).number);
}

Code code_in_list(const Number& n, const Format& format) {
  const ValueTable& t = format.values();
  if (n.magnitude == 0 && n.negative && t.negative_zero) return *t.negative_zero;
  const auto found = std::lower_bound(t.ascending.begin(), t.ascending.end(), n,
                                      [](const ListedValue& v, const Number& x) { return compare(v.number, x) < 0; });
  return found == t.ascending.end() ? t.ascending.back().code : found->code;
}

Code zero_code(const Format& format, bool negative) {
  const bool minus = negative && format.has_signed_zero;
  return format.is_list() ? code_in_list(Number::zero(minus), format) : format.stored(minus ? format.sign_bit() : 0);
}

std::string exact_text(const Number& n) {
  if (n.cls == Class::nan) return "nan";
  const std::string sign = n.negative ? "-" : "";
  if (n.cls == Class::infinity) return (n.negative ? "-" : "+") + std::string("inf");
  if (n.magnitude == 0) return sign + "0";
  const Number odd = as_listed(n.negative, n.magnitude, n.quantum);
  const std::string digits = sign + std::to_string(static_cast<std::uint64_t>(odd.magnitude));
  return odd.quantum == 0 ? digits : digits + "*2^" + std::to_string(odd.quantum);
}

//  -  12 . 75  *2^ -3        the part after the point must be so many halves
std::optional<Number> exact_number(std::string_view text) {
  if (text == "nan") return Number::nan();
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  if (text == "inf") return Number::infinity(negative);
  const std::optional<std::uint64_t> whole = digits(text);
  if (!whole) return std::nullopt;
  u128 magnitude = *whole;
  int quantum = 0;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    const std::size_t places = text.size();
    const std::optional<std::uint64_t> part = digits(text);
    if (!part) return std::nullopt;
    for (std::size_t left = places - text.size(); left > 0; --left) {
      magnitude *= 10;
      --quantum;
    }
    magnitude += *part;
    for (int i = quantum; i < 0; ++i) {  // 10^-n is 5^-n x 2^-n
      if (magnitude % 5 != 0) return std::nullopt;
      magnitude /= 5;
    }
  }
  if (text.substr(0, 3) == "*2^") {
    const std::optional<int> exponent = power(text.substr(3));
    if (!exponent) return std::nullopt;
    quantum += *exponent;
    text = {};
  }
  return text.empty() ? std::optional(as_listed(negative, magnitude, quantum)) : std::nullopt;
}

std::string complete_list(Format& f) {
  std::vector<Number> numbers;
  for (const std::string& text : f.listed) {
    const std::optional<Number> n = exact_number(text);
    if (!n) return "'" + text + "' is no value; say an exact one such as 3, -0.75, 5*2^-9, inf, -inf, nan or -0.";
    numbers.push_back(*n);
  }
  f.kind = FormatKind::values;
  f.stored_bits = ceil_log2(static_cast<int>(numbers.size()));
  if (f.stored_bits < 1 || f.stored_bits > most_list_bits || numbers.size() != std::size_t{1} << f.stored_bits)
    return "a list has a value for each code, so 2, 4, 8 .. 65536 of them, not " + std::to_string(numbers.size()) + ".";
  int least = INT_MAX, greatest = INT_MIN, fraction_bits = 0;
  f.has_sign = f.has_zero = f.has_signed_zero = f.has_infinity = false;
  f.nan = NanCodes::none;
  for (const Number& n : numbers) {
    f.has_sign = f.has_sign || n.negative;
    if (n.cls == Class::nan) f.nan = NanCodes::listed;
    if (n.cls == Class::infinity) f.has_infinity = true;
    if (n.is_zero()) (n.negative ? f.has_signed_zero : f.has_zero) = true;
    if (!n.is_finite() || n.magnitude == 0) continue;
    least = std::min(least, n.exponent);
    greatest = std::max(greatest, n.exponent);
    fraction_bits = std::max(fraction_bits, n.exponent - n.quantum);
  }
  if (least > greatest) return "a list needs a finite value that is not zero.";
  const auto infinite = [&](bool negative) {
    return std::any_of(numbers.begin(), numbers.end(),
                       [&](const Number& n) { return n.cls == Class::infinity && n.negative == negative; });
  };
  if (infinite(false) != infinite(true) && (f.has_sign || infinite(true)))
    return "a list with numbers below zero has infinities of both signs, or none.";
  if (greatest - least > 120 - 2 * fraction_bits || fraction_bits > 52)
    return "the values reach from 2^" + std::to_string(least) + " to 2^" + std::to_string(greatest) + " with " +
           std::to_string(fraction_bits) + " bits after the leading one; a list spans fewer bits than that.";
  f.mantissa_bits = fraction_bits;
  f.bias = -least;
  for (Number& n : numbers) n = normalised(n, fraction_bits);
  const Ties ties = f.ties;
  f.lazy = std::make_shared<LazyValues>([numbers, ties] {
    ValueTable t = table_of(numbers);
    t.ties = ties;
    return t;
  });
  return "";
}

}  // namespace assay
