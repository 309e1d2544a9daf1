#include "tb/source/c_rows.hpp"

#include "model/core/rows.hpp"
#include "tb/source/fill.hpp"

namespace assay {
namespace {

constexpr const char* three_to_two = R"(
// Three rows become two of the same sum.
//
//   x     0 1 1 0        sum      0 0 1 1        where one or three of them have a one
//   y     0 1 0 1        carry  1 1 0 0 .        where two or three have, one place up
//   z     1 1 0 0
FN void three_to_two(const magnitude_t *three, magnitude_t *two) {
  const magnitude_t x = three[0], y = three[1], z = three[2];
  two[0] = m_odd(x, y, z);
  two[1] = m_left(m_most(x, y, z), 1);
}
)";

constexpr const char* booth_digit = R"(
// The row of digit i of y, in two's complement. By Booth's rule a digit is 0, 1, 2, -2 or -1; of a negative one `one` is
// what its row is short of.
//
//   0 | 1 1 0 1 | .        bits 2i + 1, 2i and 2i - 1 say  -2, 1 and 1
//   0 1 1     :            digit 2:  0 + 1 + 0 =  1
//       1 0 1              digit 1: -2 + 1 + 1 =  0 .. each weighs four times the next
//           0 1 .
FN magnitude_t row_of_digit(magnitude_t x, uint64_t y, bool turned, int32_t i, magnitude_t *one) {
  static const int32_t digits[8] = {0, 1, 1, 2, -2, -1, -1, 0};
  const int32_t said = digits[(i == 0 ? y << 1 : y >> (2 * i - 1)) & 7], digit = turned ? -said : said;
  magnitude_t row = digit == 0 ? @zero@ : m_left(x, digit == 2 || digit == -2 ? 1 : 0);
  if (digit < 0) row = @turned@;  // its bits turned
@constant@  *one = digit < 0 ? m_left(@one@, 2 * i) : @zero@;
  return m_left(row, 2 * i);
}
)";

constexpr const char* bit_digit = R"(
// The row of bit i of y.
FN magnitude_t row_of_digit(magnitude_t x, uint64_t y, int32_t i) {
  return (y >> i & 1) != 0 ? m_left(x, i) : @zero@;
}
)";

class RowsText {
 public:
  RowsText(const Plan& plan, const CWords& words) : plan_(plan), rows_(*plan.rows), w_(words) {}

  std::string run() const {
    std::string text = three_to_two + digit();
    for (const DigitGroups& groups : groups_of_digits(rows_)) text += group(groups.digits);
    return text + whole();
  }

 private:
  const ProductRows& words() const { return *plan_.datapath.product.rows; }

  std::string digit() const {
    const std::string sign = w_.plus("row", w_.literal(u128{1} << rows_.sign_bit));
    return fill(words().is_booth() ? booth_digit : bit_digit,
                {{"zero", w_.literal(0)},
                 {"one", w_.literal(1)},
                 {"turned", w_.turned("row")},
                 {"constant", words().has_constant() ? "  row = " + sign + ";  // in place of signs\n" : ""}});
  }

  // Statements that leave two of `rows`.
  std::string compressed(const std::string& rows, int count) const {
    if (words().compress == Compress::chain)
      return count < 3 ? ""
                       : fill(R"(  for (int32_t i = 2; i < @count@; ++i) {
    @rows@[2] = @rows@[i];
    three_to_two(@rows@, @rows@);
  }
)",
                              {{"count", n_text(count)}, {"rows", rows}});
    std::string text;
    for (const CompressRound& round : rounds_of_tree(count)) {
      text += round.threes == 1
                  ? "  three_to_two(" + rows + ", " + rows + ");\n"
                  : fill("  for (int32_t i = 0; i < @threes@; ++i) three_to_two(@rows@ + 3 * i, @rows@ + 2 * i);\n",
                         {{"threes", n_text(round.threes)}, {"rows", rows}});
      for (int i = 3 * round.threes; i < round.rows; ++i)
        text += "  " + rows + "[" + n_text(i - round.threes) + "] = " + rows + "[" + n_text(i) + "];\n";
    }
    return text;
  }

  std::string group(int digits) const {
    const bool booth = words().is_booth();
    const int count = digits + (booth ? 1 : 0);
    const std::string of_digits =
        booth ? fill(R"(  magnitude_t one, added = @zero@;
  for (int32_t i = 0; i < @digits@; ++i) {
    row[i] = @with_added@;
    added = one;
  }
  row[@digits@] = added;
)",
                     {{"zero", w_.literal(0)},
                      {"digits", n_text(digits)},
                      {"with_added", w_.either("row_of_digit(x, y, turned, first + i, &one)", "added")}})
              : "  for (int32_t i = 0; i < " + n_text(digits) + "; ++i) row[i] = row_of_digit(x, y, first + i);\n";
    return fill(R"(
// Two rows of @digits@ digits, from digit `first` on@says@.
FN void rows_of_@digits@(magnitude_t x, uint64_t y@turned@, int32_t first, magnitude_t *left) {
  magnitude_t row[@count@];
@of_digits@@compressed@  left[0] = row[0];
  left[1] = @second@;
}
)",
                {{"digits", n_text(digits)},
                 {"says", booth ? ". What a negative one is short of stands in the row that follows" : ""},
                 {"turned", booth ? ", bool turned" : ""},
                 {"count", n_text(count)},
                 {"of_digits", of_digits},
                 {"compressed", compressed("row", count)},
                 {"second", count > 1 ? "row[1]" : w_.literal(0)}});
  }

  // A significand as a whole number, of the width that the Plan says.
  std::string significand(const char* n, const FactorPlan& factor) const {
    return std::string("m_left(") + n + ".magnitude, " + n + ".quantum - " + n + ".exponent + " +
           n_text(factor.range.fraction_bits) + ")";
  }

  std::string all_groups() const {
    const std::string turned = !words().is_booth() ? "" : words().turns_digits() ? ", p.negative" : ", false";
    std::string text;
    for (const DigitGroups& g : groups_of_digits(rows_)) {
      const bool one = g.count == 1;
      const std::string first = one ? n_text(g.before * rows_.at_first) : n_text(rows_.at_first) + " * i";
      const std::string behind = !one ? " + 2 * i" : g.before > 0 ? " + " + n_text(2 * g.before) : "";
      text += (one ? "  " : "  for (int32_t i = 0; i < " + n_text(g.count) + "; ++i) ") + "rows_of_" +
              n_text(g.digits) + "(x, y" + turned + ", " + first + ", left" + behind + ");\n";
    }
    return text + compressed("left", 2 * rows_.groups());
  }

  std::string whole() const {
    const bool of_a = words().of == Side::a;
    const std::string a = significand("a", plan_.factor_a), b = significand("b", plan_.factor_b);
    const bool has_constant = words().has_constant();
    const std::string value =
        has_constant ? "piece == 2 ? " + w_.minus("constant") + " : left[piece]" : std::string("left[piece]");
    return fill(
        R"(
// Stage multiply, where a product goes on as rows that nobody has added yet:
// 0 the sum, 1 the carry@third@.
FN number_t multiply_rows(number_t a, number_t b, int32_t piece) {
  number_t p = multiply(a, b);
  if (p.kind != kind_finite || is_zero(a) || is_zero(b)) return p;
  const magnitude_t x = @x@;
  const uint64_t y = @y@;
@constant@  magnitude_t left[@left@];
@all_groups@  magnitude_t value = @value@;
@sign@  p.negative = @negative@;
  p.magnitude = p.negative ? @minus@ : value;
  p.quantum = p.exponent - @bits@;
  return p;
}
)",
        {{"third", has_constant ? ", 2 minus what stands in place of signs" : ""},
         {"constant", has_constant ? "  const magnitude_t constant = " + w_.literal(row_constant(rows_)) + ";\n" : ""},
         {"x", of_a ? b : a},
         {"y", w_.low_word(of_a ? a : b)},
         {"left", n_text(2 * rows_.groups())},
         {"all_groups", all_groups()},
         {"value", value},
         {"sign", words().turns_digits() ? "" : "  if (p.negative) value = " + w_.minus("value") + ";\n"},
         {"negative", w_.is_negative("value")},
         {"minus", w_.minus("value")},
         {"bits", n_text(plan_.factor_a.range.fraction_bits + plan_.factor_b.range.fraction_bits)}});
  }

  const Plan& plan_;
  const RowsPlan& rows_;
  const CWords& w_;
};

}  // namespace

std::vector<CompressRound> rounds_of_tree(int rows) {
  std::vector<CompressRound> found;
  for (; rows > 2; rows = found.back().left()) found.push_back({rows, rows / 3});
  return found;
}

std::vector<DigitGroups> groups_of_digits(const RowsPlan& plan) {
  const int whole = plan.digits / plan.at_first, rest = plan.digits % plan.at_first;
  std::vector<DigitGroups> groups{{plan.at_first, whole, 0}};
  if (rest > 0) groups.push_back({rest, 1, whole});
  return groups;
}

std::string c_multiply_rows(const Plan& plan, const CWords& words) { return RowsText(plan, words).run(); }

}  // namespace assay
