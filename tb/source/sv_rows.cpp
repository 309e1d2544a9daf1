#include "tb/source/sv_rows.hpp"

#include "model/core/rows.hpp"
#include "tb/source/c_rows.hpp"
#include "tb/source/fill.hpp"

namespace assay {
namespace {

constexpr const char* three_to_two = R"(
  // Three rows become two of the same sum, which stands lowest.
  //
  //   x     0 1 1 0        sum      0 0 1 1        where one or three of them have a one
  //   y     0 1 0 1        carry  1 1 0 0 .        where two or three have, one place up
  //   z     1 1 0 0
  function automatic @two@ three_to_two(@three@ rows);
    @mag@ x, y, z;
    x = rows[0 +: @bits@];
    y = rows[@bits@ +: @bits@];
    z = rows[@twice@ +: @bits@];
    three_to_two = {((x & y) | (y & z) | (x & z)) << 1, x ^ y ^ z};
  endfunction
)";

constexpr const char* booth_digit = R"(
  // Digit i of y by Booth's rule, as the three bits that say it: 0, 1, 1, 2, -2, -1, -1, 0.
  //
  //   0 | 1 1 0 1 | .        bits 2i + 1, 2i and 2i - 1 say  -2, 1 and 1
  //   0 1 1     :            digit 2:  0 + 1 + 0 =  1
  //       1 0 1              digit 1: -2 + 1 + 1 =  0 .. each weighs four times the next
  //           0 1 .
  function automatic bit [2:0] digit_of(@mag@ y, bit turned, int i);
    @mag@ from_it;
    from_it = (y << 1) >> (2 * i);
    digit_of = from_it[2:0] ^ {3{turned}};
  endfunction
  function automatic bit is_below_zero(bit [2:0] digit);
    is_below_zero = digit[2] && digit != 3'b111;
  endfunction

  // The row of a digit, in two's complement: of a negative one the multiple's bits turned, which is one short.
  function automatic @mag@ row_of_digit(@mag@ x, bit [2:0] digit, int i);
    @mag@ multiple, row;
    multiple = (digit[1] != digit[0]) ? x : (digit == 3'b011 || digit == 3'b100) ? x << 1 : @zero@;
    row = is_below_zero(digit) ? ~multiple : multiple;
@constant@    row_of_digit = row << (2 * i);
  endfunction
)";

class RowsText {
 public:
  RowsText(const Plan& plan, const SvWords& words) : plan_(plan), rows_(*plan.rows), w_(words) {}

  std::string run() const {
    std::string text = filled(three_to_two);
    if (words().is_booth())
      text +=
          fill(filled(booth_digit),
               {{"constant", words().has_constant() ? "    row = row + " + sign() + ";  // in place of signs\n" : ""}});
    for (const DigitGroups& groups : groups_of_digits(rows_)) text += group(groups.digits);
    return text + whole();
  }

 private:
  const ProductRows& words() const { return *plan_.datapath.product.rows; }
  std::string bits() const { return n_text(w_.magnitude_bits); }
  std::string sign() const { return w_.literal(u128{1} << rows_.sign_bit); }
  std::string list(int count) const { return w_.vector(count * w_.magnitude_bits); }

  std::string filled(const char* text) const {
    return fill(text, {{"mag", w_.magnitude_type()},
                       {"two", list(2)},
                       {"three", list(3)},
                       {"bits", bits()},
                       {"twice", n_text(2 * w_.magnitude_bits)},
                       {"zero", w_.literal(0)}});
  }

  // Rows `first` and following of a list, so many of them.
  std::string rows(const std::string& name, const std::string& first, int count) const {
    const std::string from = first == "0" ? first : bits() + " * " + first;
    return name + "[" + from + " +: " + n_text(count * w_.magnitude_bits) + "]";
  }

  // Statements that leave two of `name`.
  std::string compressed(const std::string& name, int count) const {
    if (words().compress == Compress::chain)
      return count < 3 ? ""
                       : "    for (int i = 2; i < " + n_text(count) + "; i = i + 1)\n      " + rows(name, "0", 2) +
                             " = three_to_two({" + rows(name, "i", 1) + ", " + rows(name, "0", 2) + "});\n";
    std::string text;
    for (const CompressRound& round : rounds_of_tree(count)) {
      text += round.threes == 1 ? "    " + rows(name, "0", 2) + " = three_to_two(" + rows(name, "0", 3) + ");\n"
                                : "    for (int i = 0; i < " + n_text(round.threes) + "; i = i + 1)\n      " +
                                      rows(name, "(2 * i)", 2) + " = three_to_two(" + rows(name, "(3 * i)", 3) + ");\n";
      const int others = round.rows - 3 * round.threes;
      if (others > 0)
        text += "    " + rows(name, n_text(2 * round.threes), others) + " = " +
                rows(name, n_text(3 * round.threes), others) + ";\n";
    }
    return text;
  }

  std::string group(int digits) const {
    const bool booth = words().is_booth();
    const int count = digits + (booth ? 1 : 0);
    const std::string of_digits = booth ? fill(R"(    added = @zero@;
    for (int i = 0; i < @digits@; i = i + 1) begin
      digit = digit_of(y, turned, first + i);
      @row@ = row_of_digit(x, digit, first + i) | added;
      added = @size@'(is_below_zero(digit)) << (2 * (first + i));
    end
    @last@ = added;
)",
                                               {{"zero", w_.literal(0)},
                                                {"digits", n_text(digits)},
                                                {"size", bits()},
                                                {"row", rows("row", "i", 1)},
                                                {"last", rows("row", n_text(digits), 1)}})
                                        : "    for (int i = 0; i < " + n_text(digits) + "; i = i + 1)\n      " +
                                              rows("row", "i", 1) +
                                              " = (y[first + i]) ? x << (first + i) : " + w_.literal(0) + ";\n";
    return fill(R"(
  // Two rows of @digits@ digits, from digit `first` on@says@.
  function automatic @two@ rows_of_@digits@(@mag@ x, @mag@ y@turned@, int first);
    @list@ row;
@own@@of_digits@@compressed@    rows_of_@digits@ = @left@;
  endfunction
)",
                {{"two", list(2)},
                 {"mag", w_.magnitude_type()},
                 {"digits", n_text(digits)},
                 {"list", list(count)},
                 {"says", booth ? ". What a negative one is short of stands in the row that follows" : ""},
                 {"turned", booth ? ", bit turned" : ""},
                 {"own", booth ? "    " + w_.magnitude_type() + " added;\n    bit [2:0] digit;\n" : ""},
                 {"of_digits", of_digits},
                 {"compressed", compressed("row", count)},
                 {"left", count > 1 ? rows("row", "0", 2) : "{" + w_.literal(0) + ", row}"}});
  }

  // A significand as a whole number, of the width that the Plan says.
  std::string significand(const std::string& n, const FactorPlan& factor) const {
    return "magnitude_of(" + n + ") << (quantum_of(" + n + ") - exponent_of(" + n + ") + " +
           n_text(factor.range.fraction_bits) + ")";
  }

  std::string all_groups() const {
    const std::string turned = !words().is_booth() ? "" : words().turns_digits() ? ", negative_of(p)" : ", 1'b0";
    std::string text;
    for (const DigitGroups& g : groups_of_digits(rows_)) {
      const bool one = g.count == 1;
      const std::string first = one ? n_text(g.before * rows_.at_first) : n_text(rows_.at_first) + " * i";
      text += (one ? "    " : "    for (int i = 0; i < " + n_text(g.count) + "; i = i + 1)\n      ") +
              rows("left", one ? n_text(2 * g.before) : "(2 * i)", 2) + " = rows_of_" + n_text(g.digits) + "(x, y" +
              turned + ", " + first + ");\n";
    }
    return text + compressed("left", 2 * rows_.groups());
  }

  std::string whole() const {
    const bool of_a = words().of == Side::a;
    const std::string a = significand("a", plan_.factor_a), b = significand("b", plan_.factor_b);
    const std::string constant =
        words().has_constant() ? "    if (piece == 2) value = -" + w_.literal(row_constant(rows_)) + ";\n" : "";
    return fill(R"(
  // Stage multiply, where a product goes on as rows that nobody has added yet:
  // 0 the sum, 1 the carry@third@.
  function automatic @number@ multiply_rows(@number@ a, @number@ b, int piece);
    @number@ p;
    @mag@ x, y, value;
    @list@ left;
    p = multiply(a, b);
    x = @x@;
    y = @y@;
@all_groups@    value = (piece == 1) ? @carry@ : @sum@;
@constant@@sign@    if (kind_of(p) == 0 && !is_zero(a) && !is_zero(b)) begin
      p[0 +: @bits@] = value[@top@] ? -value : value;
      p[@bits@ +: 32] = exponent_of(p) - @fraction@;
      p[@negative@] = value[@top@];
    end
    multiply_rows = p;
  endfunction
)",
                {{"third", words().has_constant() ? ", 2 minus what stands in place of signs" : ""},
                 {"number", w_.number_type()},
                 {"mag", w_.magnitude_type()},
                 {"list", list(2 * rows_.groups())},
                 {"x", of_a ? b : a},
                 {"y", of_a ? a : b},
                 {"all_groups", all_groups()},
                 {"carry", rows("left", "1", 1)},
                 {"sum", rows("left", "0", 1)},
                 {"constant", constant},
                 {"sign", words().turns_digits() ? "" : "    if (negative_of(p)) value = -value;\n"},
                 {"bits", bits()},
                 {"top", n_text(w_.magnitude_bits - 1)},
                 {"negative", n_text(w_.magnitude_bits + 64)},
                 {"fraction", n_text(plan_.factor_a.range.fraction_bits + plan_.factor_b.range.fraction_bits)}});
  }

  const Plan& plan_;
  const RowsPlan& rows_;
  const SvWords& w_;
};

}  // namespace

std::string sv_multiply_rows(const Plan& plan, const SvWords& words) { return RowsText(plan, words).run(); }

}  // namespace assay
