#include "model/config/describe_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/base/json.hpp"
#include "model/base/text.hpp"
#include "model/config/format_file.hpp"
#include "model/core/decode.hpp"

namespace assay {
namespace {

constexpr int most_listed_bits = 16;  // as JSON
constexpr int most_page_bits = 8;

Number number_of(Code code, const Format& f) { return decode(code, f, Subnormals::keep, Specials::step); }

double real_of(const Number& n) {
  const double magnitude = std::ldexp(static_cast<double>(n.magnitude), n.quantum);
  return n.negative ? -magnitude : magnitude;
}

// Five digits, for a page; `exact_text` has them all.
std::string short_text(const Number& n) {
  return n.is_finite() && n.magnitude != 0 ? fmt::format("{:.5g}", real_of(n)) : exact_text(n);
}

std::string hex(Code code, const Format& f) { return fmt::format("{:0{}x}", code, f.hex_digits()); }

// --- facts ---

std::string layout(const Format& f) {
  if (f.is_integer()) {
    const std::string kind = f.sign_magnitude ? "a sign and a magnitude"
                             : f.has_sign     ? "two's complement"
                                              : "binary, without a sign";
    return f.fraction_bits == 0 ? kind : fmt::format("{}, {} bits after the point", kind, f.fraction_bits);
  }
  if (f.is_list()) return f.rule.empty() ? "a list of values" : "read by the rule '" + f.rule + "'";
  const auto run = [](char c, int count) { return std::string(static_cast<std::size_t>(count), c); };
  std::string text = run('-', f.ignored_high_bits) + run('s', f.has_sign ? 1 : 0);
  for (const std::string& part : {run('e', f.exponent_bits), run('m', f.mantissa_bits), run('-', f.ignored_low_bits)})
    text += (text.empty() || part.empty() ? "" : " ") + part;
  return fmt::format("{}, bias {}", text, f.bias);
}

// What the codes of a short format mean, in order of value; of a long one, by its fields.
struct Ends {
  Number least, greatest;  // above zero
  Code least_code = 0, greatest_code = 0;
};

Ends ends_of(const Format& f) {
  Ends e;
  if (f.is_integer()) {
    e.least_code = 1;
    e.greatest_code = f.has_sign ? f.sign_bit() - 1 : static_cast<Code>(low_mask(f.stored_bits));
  } else if (f.is_list()) {
    const std::vector<ListedValue>& values = f.values().ascending;
    e.greatest_code = values.back().code;
    for (std::size_t i = values.size(); i-- > 0 && !values[i].number.negative && values[i].number.magnitude != 0;)
      e.least_code = values[i].code;
  } else {
    e.least_code = f.stored(f.has_zero ? 1 : 0);
    e.greatest_code = f.stored(f.greatest_finite());
  }
  e.least = number_of(e.least_code, f);
  e.greatest = number_of(e.greatest_code, f);
  return e;
}

std::string specials_text(const Format& f) {
  std::vector<std::string> parts;
  if (!f.has_zero && !f.is_integer()) parts.push_back("no zero");
  if (f.has_signed_zero) parts.push_back("a -0");
  if (f.has_infinity) parts.push_back("infinity " + hex(f.stored(f.infinity()), f));
  if (!f.is_integer()) parts.push_back(f.nan == NanCodes::none ? "no NaN" : "NaN " + hex(f.stored(f.quiet_nan()), f));
  return parts.empty() ? "none" : joined(parts);
}

std::string facts(const Format& f) {
  std::string text;
  const auto line = [&](const std::string& what, const std::string& is) {
    if (!is.empty()) text += fmt::format("{:<12}{}\n", what, is);
  };
  const Ends ends = ends_of(f);
  line("about", f.about);
  line("ml_dtypes", f.ml_dtypes_name);
  line("source", f.source);
  line("bits", fmt::format("{}: {}", f.stored_bits, layout(f)));
  line("least > 0",
       fmt::format("{} = {} ({})", exact_text(ends.least), short_text(ends.least), hex(ends.least_code, f)));
  line("greatest",
       fmt::format("{} = {} ({})", exact_text(ends.greatest), short_text(ends.greatest), hex(ends.greatest_code, f)));
  line("specials", specials_text(f));
  return text;
}

// --- all codes on one page ---

std::string page(const Format& f) {
  constexpr Code columns = 8;
  std::string text = "\n";
  const Code count = Code{1} << f.stored_bits;
  for (Code row = 0; row < count; row += columns) {
    std::string line = fmt::format("{:>4}  ", hex(row, f));
    for (Code code = row; code < std::min(row + columns, count); ++code)
      line += fmt::format("{:>11}", short_text(number_of(code, f)));
    text += line + "\n";
  }
  return text;
}

// --- where the values lie ---

constexpr std::size_t axis = 32;  // characters to one power of two

// 2^e |.......|  a mark for each value in [2^e, 2^(e + 1))
std::map<int, std::string, std::greater<>> lines_of(const Format& f) {
  std::map<int, std::string, std::greater<>> lines;
  for (Code code = 0; code < Code{1} << f.stored_bits; ++code) {
    const Number n = number_of(code, f);
    if (!n.is_finite() || n.magnitude == 0 || n.negative) continue;
    const int e = leading_exponent(n);
    std::string& line = lines.emplace(e, std::string(axis, ' ')).first->second;
    const double place = std::ldexp(real_of(n), -e) - 1;
    line[static_cast<std::size_t>(place * static_cast<double>(axis))] = '|';
  }
  return lines;
}

// Equal lines that follow each other are drawn twice, with dots between.
std::string number_line(const Format& f) {
  std::vector<std::pair<int, std::string>> lines;
  for (const auto& line : lines_of(f)) lines.push_back(line);
  std::string text = "\nvalues from each power of two to the next\n";
  const auto draw = [&](std::size_t i) {
    const std::string& marks = lines[i].second;
    text +=
        fmt::format("{:>7}  {}\n", fmt::format("2^{}", lines[i].first), marks.substr(0, marks.find_last_of('|') + 1));
  };
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t last = i;
    while (last + 1 < lines.size() && lines[last + 1].second == lines[i].second) ++last;
    draw(i);
    if (last > i + 2) text += "     ..\n";
    if (last == i + 2) draw(i + 1);
    if (last > i) draw(last);
    i = last + 1;
  }
  return text;
}

}  // namespace

Format format_named(const std::string& name_or_file) {
  if (const Format* found = find_format(name_or_file)) return *found;
  const bool is_file = name_or_file.size() > 5 && name_or_file.compare(name_or_file.size() - 5, 5, ".yaml") == 0;
  if (is_file) return read_format_file(name_or_file, name_or_file);
  std::vector<std::string> names;
  for (const Format& format : formats()) names.push_back(format.name);
  throw Error{"There is no format '" + name_or_file + "'; name one of " + format_names() +
              ", or a file that ends in .yaml" + nearest(name_or_file, names)};
}

std::string describe_format(const Format& f) {
  std::string text = f.name + "\n" + facts(f);
  if (f.stored_bits > most_page_bits) return text;
  return text + page(f) + number_line(f);
}

std::string format_json(const Format& f) {
  const Ends ends = ends_of(f);
  std::string text = "{" + fmt::format("\"format\": {}, \"bits\": {}", json_string(f.name), f.stored_bits);
  const auto member = [&](const std::string& key, const std::string& value) {
    text += fmt::format(", \"{}\": {}", key, value);
  };
  const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
  member("ml_dtypes", json_string(f.ml_dtypes_name));
  member("about", json_string(f.about));
  member("source", json_string(f.source));
  member("layout", json_string(layout(f)));
  member("least", json_string(exact_text(ends.least)));
  member("greatest", json_string(exact_text(ends.greatest)));
  member("signed", flag(f.has_sign));
  member("zero", flag(f.has_zero || f.is_integer()));
  member("signed_zero", flag(f.has_signed_zero));
  member("infinity", flag(f.has_infinity));
  member("nan", f.is_integer() || f.nan == NanCodes::none ? "null" : json_string(hex(f.stored(f.quiet_nan()), f)));
  if (f.stored_bits <= most_listed_bits) {
    std::string codes;
    for (Code code = 0; code < Code{1} << f.stored_bits; ++code)
      codes += (code == 0 ? "" : ", ") + json_string(exact_text(number_of(code, f)));
    member("codes", "[" + codes + "]");
  }
  return text + "}\n";
}

}  // namespace assay
