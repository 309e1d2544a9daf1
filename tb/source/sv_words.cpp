#include "tb/source/sv_words.hpp"

#include "model/base/hex.hpp"
#include "model/base/text.hpp"
#include "tb/source/fill.hpp"

namespace assay {
namespace {

std::string sign_bit(bool value) { return value ? "1'b1" : "1'b0"; }

constexpr const char* fields = R"(
  // A number: kind 0 finite, 1 infinity, 2 NaN; its sign; the exponent that hardware carries beside the
  // significand, or NoExponent; the weight of the last bit; the magnitude.
  //
  //   @layout@
  function automatic @number@ of_kind(int kind, bit negative, @magnitude@ magnitude, int exponent, int quantum);
    of_kind = {@carried@kind[1:0], negative, exponent, quantum, magnitude};
  endfunction
  function automatic int kind_of(@number@ n);
    kind_of = 32'(n[@kind@ +: 2]);
  endfunction
  function automatic bit negative_of(@number@ n);
    negative_of = n[@negative@];
  endfunction
  function automatic int exponent_of(@number@ n);
    exponent_of = n[@exponent@ +: 32];
  endfunction
  function automatic int quantum_of(@number@ n);
    quantum_of = n[@quantum@ +: 32];
  endfunction
  function automatic @magnitude@ magnitude_of(@number@ n);
    magnitude_of = n[0 +: @bits@];
  endfunction
  function automatic bit is_zero(@number@ n);
    is_zero = kind_of(n) == 0 && magnitude_of(n) == 0;
  endfunction

  function automatic @number@ a_number(bit negative, @magnitude@ magnitude, int exponent, int quantum);
    a_number = of_kind(0, negative, magnitude, exponent, quantum);
  endfunction
  function automatic @number@ a_zero(bit negative);
    a_zero = of_kind(0, negative, @zero@, NoExponent, 0);
  endfunction
  function automatic @number@ an_infinity(bit negative);
    an_infinity = of_kind(1, negative, @zero@, NoExponent, 0);
  endfunction
  function automatic @number@ a_nan(bit negative, @magnitude@ payload);
    a_nan = of_kind(2, negative, payload, NoExponent, 0);
  endfunction
)";

constexpr const char* absent_helper = R"(
  // A zero that stands for nothing at all.
  function automatic bit is_absent(@number@ n);
    is_absent = n[@absent@];
  endfunction
  function automatic @number@ nothing(bit unused);
    nothing = a_zero(unused && !unused);
    nothing[@absent@] = 1'b1;
  endfunction
)";

constexpr const char* small_helpers = R"(
  function automatic int larger(int x, int y);
    larger = (x > y) ? x : y;
  endfunction

  // How many bits it takes to write it:  0 0 1 x x x  takes 4.
  function automatic int m_bits(@magnitude@ m);
    m_bits = 0;
    for (int i = 0; i < @bits@; i = i + 1) begin
      if (m[i]) m_bits = i + 1;
    end
  endfunction

  // The place of the leading one of a number that is not zero.
  function automatic int leading(@number@ n);
    leading = quantum_of(n) + m_bits(magnitude_of(n)) - 1;
  endfunction
)";

constexpr const char* negated_helper = R"(
  // Its sign turned; a NaN keeps its own.
  function automatic @number@ negated(@number@ n);
    negated = n;
    if (kind_of(n) != 2@unless_absent@) negated[@negative@] = !n[@negative@];
  endfunction
)";

constexpr const char* compare_helper = R"(
  // -1, 0 or 1: how two finite numbers compare.
  function automatic int compare(@number@ x, @number@ y);
    bit below_x, below_y;
    int bits_x, bits_y;
    @magnitude@ mx, my;
    below_x = negative_of(x) && magnitude_of(x) != 0;
    below_y = negative_of(y) && magnitude_of(y) != 0;
    bits_x = m_bits(magnitude_of(x));
    bits_y = m_bits(magnitude_of(y));
    mx = magnitude_of(x) << larger(0, bits_y - bits_x);
    my = magnitude_of(y) << larger(0, bits_x - bits_y);
    if (below_x != below_y) compare = below_x ? -1 : 1;
    else if (bits_x == 0 || bits_y == 0) compare = (bits_x == bits_y) ? 0 : (((bits_x == 0) == below_x) ? 1 : -1);
    else if (leading(x) != leading(y)) compare = ((leading(x) > leading(y)) != below_x) ? 1 : -1;
    else compare = (mx == my) ? 0 : (((mx > my) != below_x) ? 1 : -1);
  endfunction
)";

constexpr const char* raising_helper = R"(
  // What is raised, a bit each: inexact, underflow, overflow, and invalid lowest.
  function automatic bit [3:0] raised_of(@number@ n);
    raised_of = n[@raised@ +: 4];
  endfunction

  // A number, and that it raises more than what led to it.
  function automatic @number@ raising(@number@ n, bit [3:0] more);
    raising = n;
    raising[@raised@ +: 4] = raised_of(n) | more;
  endfunction
)";

// The bit above a payload says which NaNs are signalling ones.
constexpr const char* reading_helper = R"(
  // By what led to a number, and by an operation that reads it: a signalling NaN is an invalid one.
  function automatic bit [3:0] raised_reading(@number@ n);
    raised_reading = raised_of(n) | {3'b0, kind_of(n) == 2 && n[@signalling@]};
  endfunction
)";

constexpr const char* product_helper = R"(
  // The product of x and y, and what it raises.
  function automatic @number@ raising_product(@number@ made, @number@ x, @number@ y);
    raising_product = raising(made, raised_reading(x) | raised_reading(y) |
                              {3'b0, kind_of(made) == 2 && kind_of(x) != 2 && kind_of(y) != 2});
  endfunction
)";

constexpr const char* special_helper = R"(
  // Stage special: what NaNs and infinities among numbers decide.
  //
  //   any NaN                   the first of them
  //   infinities of both signs  a new NaN
  //   infinities of one sign    that one
  //
  //   NaN | +infinity | -infinity | the first NaN
  function automatic @special@ special(@special@ s, @number@ n);
    special = s;
@raises@    if (kind_of(n) == 2 && !s[@nan@]) special[0 +: @bits@] = n;
    if (kind_of(n) == 2) special[@nan@] = 1'b1;
    if (kind_of(n) == 1 && !negative_of(n)) special[@positive@] = 1'b1;
    if (kind_of(n) == 1 && negative_of(n)) special[@minus@] = 1'b1;
  endfunction
  function automatic bit is_decided(@special@ s);
    is_decided = s[@minus@ +: 3] != 0;
  endfunction
  function automatic @number@ decision(@special@ s);
    if (s[@nan@]) decision = s[0 +: @bits@];
    else if (s[@positive@] && s[@minus@]) decision = a_nan(1'b1, @zero@);
    else decision = an_infinity(s[@minus@]);
@raised_by@  endfunction
)";

constexpr const char* raising_special =
    R"(    special[@raised_by_all@ +: 4] = s[@raised_by_all@ +: 4] | raised_reading(n);
)";

constexpr const char* raising_decision =
    R"(    decision = raising(decision, s[@raised_by_all@ +: 4] | {3'b0, !s[@nan@] && s[@positive@] && s[@minus@]});
)";

constexpr const char* scale_helper = R"(
  // Stage scale: times a scale, exactly. What has no exponent gets none.
  function automatic @number@ @name@(@number@ n, @number@ by);
    bit negative;
    int exponent;
    negative = negative_of(n) != negative_of(by);
    exponent = (exponent_of(n) == NoExponent) ? NoExponent : exponent_of(n) + exponent_of(by);
    if (kind_of(n) == 2) @name@ = n;
    else if (kind_of(by) == 2) @name@ = by;
    else if ((kind_of(n) == 1 || kind_of(by) == 1) && (is_zero(n) || is_zero(by))) @name@ = a_nan(1'b1, @zero@);
    else if (kind_of(n) == 1 || kind_of(by) == 1) @name@ = an_infinity(negative);
    else if (is_zero(by)) @name@ = a_zero(negative);
    else begin
      @name@ = a_number(negative, magnitude_of(n) * magnitude_of(by), exponent, quantum_of(n) + quantum_of(by));
@kept@    end
  endfunction
)";

constexpr const char* raising_scale = R"(
  // Stage scale, and what it raises.
  function automatic @number@ scale(@number@ n, @number@ by);
    scale = raising_product(exact_scale(n, by), n, by);
  endfunction
)";

constexpr const char* pair_helper = R"(
  // Stage scale: times a block's two scales, exactly. What has no exponent gets none.
  function automatic @number@ @name@(@number@ n, @number@ a, @number@ b);
    bit negative, zero_scale, infinite;
    int exponent;
    negative = negative_of(n) != (negative_of(a) != negative_of(b));
    zero_scale = is_zero(a) || is_zero(b);
    infinite = kind_of(n) == 1 || kind_of(a) == 1 || kind_of(b) == 1;
    exponent = (exponent_of(n) == NoExponent) ? NoExponent : exponent_of(n) + exponent_of(a) + exponent_of(b);
    if (kind_of(n) == 2) @name@ = n;
    else if (kind_of(a) == 2) @name@ = a;
    else if (kind_of(b) == 2) @name@ = b;
    else if (infinite && (zero_scale || is_zero(n))) @name@ = a_nan(1'b1, @zero@);
    else if (infinite) @name@ = an_infinity(negative);
    else if (zero_scale) @name@ = a_zero(negative);
    else begin
      @name@ = a_number(negative, magnitude_of(n) * magnitude_of(a) * magnitude_of(b), exponent,
          quantum_of(n) + quantum_of(a) + quantum_of(b));
@kept@    end
  endfunction
)";

constexpr const char* raising_pair = R"(
  // Stage scale, and what it raises.
  function automatic @number@ scale_by_pair(@number@ n, @number@ a, @number@ b);
    scale_by_pair = exact_scale_by_pair(n, a, b);
    scale_by_pair = raising(scale_by_pair, raised_reading(n) | raised_reading(a) | raised_reading(b) |
        {3'b0, kind_of(scale_by_pair) == 2 && kind_of(n) != 2 && kind_of(a) != 2 && kind_of(b) != 2});
  endfunction
)";

constexpr const char* zero_point_helper = R"(
  // q - z, exactly, of integers.
  function automatic @number@ minus_zero_point(@number@ q, @number@ z);
    bit turned;
    @magnitude@ left;
    turned = magnitude_of(z) > magnitude_of(q);
    if (negative_of(q) != negative_of(z)) left = magnitude_of(q) + magnitude_of(z);
    else if (turned) left = magnitude_of(z) - magnitude_of(q);
    else left = magnitude_of(q) - magnitude_of(z);
    if (left == 0) minus_zero_point = a_zero(1'b0);
    else minus_zero_point = a_number((negative_of(q) != negative_of(z)) ? negative_of(q) : negative_of(q) != turned,
                                     left, 0, 0);
  endfunction
)";

// --- cuts ---

// What is added to the magnitude that is left, where there is something to drop.
std::string grows(Cut cut) {
  switch (cut) {
    case Cut::toward_zero: return "";
    case Cut::down: return "lost && negative";
    case Cut::up: return "lost && !negative";
    case Cut::nearest_even: return "half && (rest || kept[0])";
    case Cut::nearest_away: return "half";
    case Cut::nearest_up: return "half && (rest || !negative)";
    case Cut::to_odd: return "lost && !kept[0]";
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: break;
  }
  return "";
}

std::string cut_helper(const SvWords& w, Cut cut) {
  return fill(R"(
  // The one place where bits are dropped.
  //
  //   k k k k k | h r r r     k kept, h half, r the rest; where there is nothing to drop, zeros follow
  function automatic @magnitude@ cut_@name@(@magnitude@ m, int by, bit negative);
    @magnitude@ kept, dropped, under;
    bit lost, half, rest;
    kept = m >> by;
    dropped = m & ~({@bits@{1'b1}} << by);
    under = m >> (by - 1);
    lost = dropped != 0;
    half = under[0];
    rest = (m & ~({@bits@{1'b1}} << (by - 1))) != 0;
    if (by <= 0) cut_@name@ = m << -by;
    else cut_@name@ = kept@plus@;
  endfunction
)",
              {{"name", std::string(word(cut))},
               {"magnitude", w.magnitude_type()},
               {"bits", std::to_string(w.magnitude_bits)},
               {"plus", grows(cut).empty() ? "" : " + " + std::to_string(w.magnitude_bits) + "'(" + grows(cut) + ")"}});
}

// Lost ones are joined two places below, where they are no half.
std::string cut_above_lost(const SvWords& w, Cut cut) {
  return fill(R"(
  // The same where ones may have been lost below all of them.
  function automatic @magnitude@ cut_@name@_above(@magnitude@ m, int by, bit negative, bit lost);
    cut_@name@_above = cut_@name@((m << (larger(-by, 0) + 2)) | @bits@'(lost), larger(by, 0) + 2, negative);
  endfunction
)",
              {{"name", std::string(word(cut))},
               {"magnitude", w.magnitude_type()},
               {"bits", std::to_string(w.magnitude_bits)}});
}

// What is dropped, as so many bits, plus the random word; the carry rounds away from zero.
std::string chance_helper(const SvWords& w, Cut cut) {
  const bool halfway = cut == Cut::stochastic_b;
  const Cut first = cut == Cut::stochastic_c ? Cut::nearest_even : Cut::toward_zero;
  return fill(R"(
  function automatic @magnitude@ cut_@name@(@magnitude@ m, int by, int bits, bit [31:0] word);
    @magnitude@ dropped, added;
    bit [31:0] masked;
    masked = word & ~({32{1'b1}} << bits);
    added = @bits@'(masked);
    @halfway@dropped = @cut@;
    if (by <= 0) cut_@name@ = m << -by;
    else cut_@name@ = (m >> by) + ((dropped + added) >> (bits + @more@));
  endfunction
)",
              {{"name", std::string(word(cut))},
               {"magnitude", w.magnitude_type()},
               {"bits", std::to_string(w.magnitude_bits)},
               {"halfway", halfway ? "added = (added << 1) | " + w.literal(1) + ";\n    " : ""},
               {"cut", sv_cut(first, "m & ~({" + std::to_string(w.magnitude_bits) + "{1'b1}} << by)",
                              halfway ? "by - bits - 1" : "by - bits", "1'b0")},
               {"more", halfway ? "1" : "0"}});
}

}  // namespace

std::string SvWords::element(const std::string& list, const std::string& index) const {
  const bool formula = index.find(' ') != std::string::npos;
  return list + "[" + std::to_string(number_bits()) + " * " + (formula ? "(" + index + ")" : index) +
         " +: " + std::to_string(number_bits()) + "]";
}

std::string SvWords::literal(u128 value) const {
  const auto high = static_cast<std::uint64_t>(value >> 64), low = static_cast<std::uint64_t>(value);
  const std::string text = high != 0 ? c_hex_digits(high) + hex_text(low, 16) : c_hex_digits(low);
  return std::to_string(magnitude_bits) + "'h" + text;
}

std::string SvWords::number(const Number& n) const {
  const bool overflows = carried.raised && n.raised == raises::overflow;
  return overflows ? "raising(" + plain_number(n) + ", 4'h2)" : plain_number(n);
}

std::string SvWords::plain_number(const Number& n) const {
  const std::string sign = sign_bit(n.negative);
  if (n.cls == Class::nan) return "a_nan(" + sign + ", " + literal(n.magnitude) + ")";
  if (n.cls == Class::infinity) return "an_infinity(" + sign + ")";
  if (n.magnitude == 0) return "a_zero(" + sign + ")";
  return "a_number(" + sign + ", " + literal(n.magnitude) + ", " + std::to_string(n.exponent) + ", " +
         std::to_string(n.quantum) + ")";
}

std::string SvWords::chosen_by_sign(const Number& positive, const Number& negative) const {
  if (positive == negative) return number(positive);
  Number turned = positive;
  turned.negative = true;
  if (!positive.negative && turned == negative) return replaced(number(positive), "(1'b0", "(negative_of(n)");
  return "negative_of(n) ? " + number(negative) + " : " + number(positive);
}

std::vector<CHelper> sv_helpers(const SvWords& w) {
  const int m = w.magnitude_bits, bits = w.number_bits();
  const bool raised = w.carried.raised;
  const std::string carried =
      std::string(w.carried.absent ? "1'b0, " : "") + (raised ? "4'h0, " : "") + (w.carried.lost ? "1'b0, " : "");
  const auto made = [&](const char* text, const std::string& name = "") {
    const std::string lost = std::to_string(w.lost_at());
    return fill(text, {{"raises", raised ? raising_special : ""},
                       {"raised_by", raised ? raising_decision : ""},
                       {"raised_by_all", std::to_string(bits + 3)},
                       {"kept", w.carried.lost ? "      @name@[" + lost + "] = n[" + lost + "];\n" : ""},
                       {"name", name},
                       {"raised", std::to_string(w.raised_at())},
                       {"signalling", std::to_string(payload_bits)},
                       {"number", w.number_type()},
                       {"magnitude", w.magnitude_type()},
                       {"special", w.vector(w.special_bits())},
                       {"bits", text == special_helper ? std::to_string(bits) : std::to_string(m)},
                       {"carried", carried},
                       {"absent", std::to_string(w.absent_at())},
                       {"unless_absent", w.carried.absent ? " && !is_absent(n)" : ""},
                       {"layout", std::string(w.carried.absent ? "absent | " : "") + (raised ? "raised[3:0] | " : "") +
                                      (w.carried.lost ? "lost | " : "") +
                                      "kind[1:0] | negative | exponent[31:0] | quantum[31:0] | magnitude[" +
                                      std::to_string(m - 1) + ":0]"},
                       {"kind", std::to_string(m + 65)},
                       {"negative", std::to_string(m + 64)},
                       {"exponent", std::to_string(m + 32)},
                       {"quantum", std::to_string(m)},
                       {"zero", w.literal(0)},
                       {"nan", std::to_string(bits + 2)},
                       {"positive", std::to_string(bits + 1)},
                       {"minus", std::to_string(bits)}});
  };
  std::vector<CHelper> list{{{"of_kind", "a_number", "a_zero", "kind_of"}, made(fields)},
                            {{"larger", "m_bits", "leading"}, made(small_helpers)}};
  if (w.carried.absent) list.push_back({{"is_absent", "nothing"}, made(absent_helper)});
  list.push_back({{"negated"}, made(negated_helper)});
  list.push_back({{"compare"}, made(compare_helper)});
  list.push_back({{"raised_of", "raising"}, made(raising_helper)});
  list.push_back({{"raised_reading"}, made(reading_helper)});
  list.push_back({{"raising_product"}, made(product_helper)});
  for (std::size_t i = 0; i < words<Cut>().size(); ++i) {
    const auto cut = static_cast<Cut>(i);
    list.push_back(
        {{"cut_" + std::string(word(cut))}, is_stochastic(cut) ? chance_helper(w, cut) : cut_helper(w, cut)});
  }
  for (std::size_t i = 0; i < steady_cuts; ++i) {
    const auto cut = static_cast<Cut>(i);
    list.push_back({{"cut_" + std::string(word(cut)) + "_above"}, cut_above_lost(w, cut)});
  }
  const std::string one = raised ? "exact_scale" : "scale", two = one + "_by_pair";
  list.push_back({{one}, made(scale_helper, one)});
  list.push_back({{two}, made(pair_helper, two)});
  if (raised) list.push_back({{"scale"}, made(raising_scale)});
  if (raised) list.push_back({{"scale_by_pair"}, made(raising_pair)});
  list.push_back({{"minus_zero_point"}, made(zero_point_helper)});
  list.push_back({{"special", "is_decided", "decision"}, made(special_helper)});
  return list;
}

std::string sv_cut(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative) {
  return "cut_" + std::string(word(cut)) + "(" + magnitude + ", " + by + ", " + negative + ")";
}

std::string sv_cut_above(Cut cut, const std::string& magnitude, const std::string& by, const std::string& negative,
                         const std::string& lost) {
  return "cut_" + std::string(word(cut)) + "_above(" + magnitude + ", " + by + ", " + negative + ", " + lost + ")";
}

}  // namespace assay
