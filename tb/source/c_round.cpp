#include "tb/source/c_round.hpp"

#include "model/base/text.hpp"
#include "model/core/round.hpp"
#include "tb/source/fill.hpp"
#include "tb/source/list_edges.hpp"

namespace assay {
namespace {

Number of_sign(bool negative) {
  Number n;
  n.negative = negative;
  n.magnitude = 1;
  return n;
}

Number infinity_of_sign(bool negative) { return Number::infinity(negative); }

// The tables of a list, and the function that looks a number up in them.
class ListText {
 public:
  ListText(const CWords& words, const Format& format, Cut cut, bool has_minus_zero)
      : w_(words),
        f_(format),
        values_(format.values().ascending),
        edges_(list_edges(format, cut)),
        has_minus_zero_(has_minus_zero) {}

  // Whether the list has a number for a finite one that is not zero, and which.
  std::string function(const std::string& name) const {
    const bool has_least = edges_.size() == values_.size();  // nothing lies below the first value
    return fill(R"(
FN bool @name@(number_t n, number_t *found) {
  static const struct {
    uint8_t negative, is_upper;
    int32_t exponent, quantum;
    uint64_t @edge_words@;
  } edge[@edges@] = {
@edge_list@  };
  static const struct {
    uint8_t negative;
    int32_t exponent;
    uint64_t significand;
  } value[@values@] = {
@value_list@  };
  int32_t at = @least@;
  for (int32_t i = 0; i < @edges@; ++i) {
    const number_t e = a_number(edge[i].negative != 0, @edge_magnitude@, edge[i].exponent, edge[i].quantum);
    const int32_t side = compare(n, e);
    if (side > 0 || (side == 0 && edge[i].is_upper != 0)) at = i + @next@;
  }
  if (at < 0 || at == @values@) return false;
  *found = value[at].significand == 0
               ? a_zero(@zero@)
               : a_number(value[at].negative != 0, @value_magnitude@, value[at].exponent, value[at].exponent - @bits@);
  return true;
}
)",
                {{"name", name},
                 {"edges", std::to_string(edges_.size())},
                 {"edge_list", edge_rows()},
                 {"values", std::to_string(values_.size())},
                 {"value_list", value_rows()},
                 {"least", has_least ? "0" : "-1"},
                 {"next", has_least ? "1" : "0"},
                 {"edge_words", w_.wide ? "high, low" : "low"},
                 {"edge_magnitude", w_.wide ? "m_of(edge[i].high, edge[i].low)" : "edge[i].low"},
                 {"zero", has_minus_zero_ ? "n.negative" : "false"},
                 {"value_magnitude", w_.of_code("value[at].significand")},
                 {"bits", std::to_string(f_.mantissa_bits)}});
  }

 private:
  std::string rows(const std::vector<std::string>& list) const {
    return wrapped(split(joined(list), ' '), {100, "      ", "      ", " ", ""});
  }
  std::string edge_rows() const {
    std::vector<std::string> list;
    for (const ListEdge& e : edges_) {
      const bool zero = e.at.magnitude == 0;
      list.push_back("{" + std::to_string(e.at.negative ? 1 : 0) + "," + std::to_string(e.is_upper ? 1 : 0) + "," +
                     std::to_string(zero ? 0 : e.at.exponent) + "," + std::to_string(zero ? 0 : e.at.quantum) + "," +
                     (w_.wide ? c_hex(static_cast<Code>(e.at.magnitude >> 64)) + "," : std::string()) +
                     c_hex(static_cast<Code>(e.at.magnitude)) + "}");
    }
    return rows(list);
  }
  std::string value_rows() const {
    std::vector<std::string> list;
    for (const ListedValue& v : values_)
      list.push_back("{" + std::to_string(v.number.negative ? 1 : 0) + "," +
                     std::to_string(v.number.magnitude == 0 ? 0 : v.number.exponent) + "," +
                     c_hex(static_cast<Code>(v.number.magnitude)) + "}");
    return rows(list);
  }

  const CWords& w_;
  const Format& f_;
  const std::vector<ListedValue>& values_;
  std::vector<ListEdge> edges_;
  bool has_minus_zero_;
};

class Rounding {
 public:
  // `name`: of its function, which stands for those that it asks.
  Rounding(const CWords& words, const std::string& name, bool sees_lost, const ResultPlan& result)
      : name_(name), w_(words), words_(result.words), f_(result.format), result_(result), sees_lost_(sees_lost) {}

  std::string body() const {
    switch (words_.at) {
      case ResultAt::window: return in_number("n.exponent - " + std::to_string(words_.keep), false);
      case ResultAt::leading_one: return in_number("", true);
      case ResultAt::format: break;
    }
    std::string text = specials() + "  if (is_zero(n)) return a_zero(" + sign_of_zero() + ");\n";
    if (f_.is_integer()) return text + to_integer();
    if (f_.is_list()) return text + to_list();
    return text + (f_.rounds_to_list() && !is_stochastic(words_.cut) ? to_power() : to_fields());
  }

  std::string drawing() const {
    const std::string keep = std::to_string(words_.at == ResultAt::format ? f_.mantissa_bits : words_.keep);
    if (words_.at == ResultAt::format && (f_.is_integer() || f_.is_list())) return "";
    if (words_.at == ResultAt::window)
      return "//   s s . k k k k k | r r r     " + keep + " bits k below the window's exponent\n";
    return "//   0 0 1 . k k k k k | r r r     " + keep + " bits k after the leading one\n";
  }

 private:
  bool keeps_minus_zero() const { return words_.minus_zero == MinusZero::keep; }

  std::string zero(const std::string& sign) const { return "a_zero(" + (keeps_minus_zero() ? sign : "false") + ")"; }

  std::string sign_of_zero() const { return keeps_minus_zero() && f_.has_signed_zero ? "n.negative" : "false"; }

  std::string cut(const std::string& by) const {
    if (sees_lost_) return c_cut_above(words_.cut, "n.magnitude", by, "n.negative", "n.lost");
    if (!is_stochastic(words_.cut)) return c_cut(words_.cut, "n.magnitude", by, "n.negative");
    return "cut_" + std::string(word(words_.cut)) + "(n.magnitude, " + by + ", " + std::to_string(words_.random_bits) +
           ", random)";
  }

  // --- not in a format: what is no finite number passes ---

  std::string in_number(const std::string& quantum, bool at_leading_one) const {
    std::string text = "  if (n.kind != kind_finite) return n;\n";
    text += keeps_minus_zero() ? "  if (is_zero(n)) return n;\n"
                               : "  if (is_zero(n)) {\n    n.negative = false;\n    return n;\n  }\n";
    if (at_leading_one) {
      text += at_leading(words_.keep, words_.least_exponent);
      text += "  number_t made = a_number(n.negative, m, exponent, exponent - " + std::to_string(words_.keep) + ");\n";
    } else {
      text += "  const int32_t quantum = " + quantum + ";\n  const magnitude_t m = " + cut("quantum - n.quantum") +
              ";\n  number_t made = a_number(n.negative, m, n.exponent, quantum);\n";
      if (words_.bits) text += in_register();
    }
    if (!keeps_minus_zero()) text += "  if (is_zero(made)) made.negative = false;\n";
    return text + "  return made;\n";
  }

  //   s i i i . f f f f     two's complement of so many bits, which wraps or is full
  std::string in_register() const {
    const int bits = *words_.bits;
    const auto farthest = [&](bool negative) {
      return w_.literal(greatest_of_bits(bits, true, words_.overflow == Overflow::symmetric, negative));
    };
    std::string full = "    made.magnitude = farthest;\n";
    if (words_.overflow == Overflow::wrap)
      full = fill(R"(    const magnitude_t low = m_low(n.negative ? @minus_m@ : m, @bits@);
    made.negative = @sign@;
    made.magnitude = made.negative ? m_low(@minus_low@, @bits@) : low;
)",
                  {{"minus_m", w_.minus("m")},
                   {"minus_low", w_.minus("low")},
                   {"bits", std::to_string(bits)},
                   {"sign", w_.is_not_zero("m_right(low, " + std::to_string(bits - 1) + ")")}});
    return "  const magnitude_t farthest = n.negative ? " + farthest(true) + " : " + farthest(false) + ";\n  if (" +
           w_.above("m", "farthest") + ") {\n" + full +
           (w_.carried.raised ? "    made.raised = raises_overflow;\n" : "") + "  }\n";
  }

  // 1.11..1 may carry into 10.00..0.
  std::string at_leading(int keep, std::optional<int> least) const {
    const std::string carry = R"(  if (m_bits(m) > @bits@) {
    m = m_right(m, 1);
    ++exponent;
  }
)";
    const bool carries = may_carry(words_.cut);
    return fill(R"(  @const@int32_t exponent = @from@;
  @const@magnitude_t m = @cut@;
)" + (carries ? carry : ""),
                {{"const", carries ? "" : "const "},
                 {"from", least ? "larger(leading(n), " + std::to_string(*least) + ")" : "leading(n)"},
                 {"cut", cut("exponent - " + std::to_string(keep) + " - n.quantum")},
                 {"bits", std::to_string(keep + 1)}});
  }

  // --- in a format ---

  // The rules of what a format cannot hold are core's; each depends on the sign alone.
  std::string by_sign(Number (*rule)(const Number&, const Result&, const Format&), Number (*of)(bool)) const {
    return w_.by_sign([&](bool negative) { return with_zero_words(rule(of(negative), words_, f_)); });
  }
  Number with_zero_words(Number n) const {
    if (!keeps_minus_zero() && n.is_zero()) n.negative = false;
    return n;
  }

  std::string specials() const {
    std::string nan = "n";
    if (words_.nan != OfNan::keep) nan = w_.number(nan_to_format(Number::nan(), words_, f_));
    const bool passes = words_.infinity == OfInfinity::keep && (f_.has_sign || f_.is_integer());
    if (passes && nan == "n") return "  if (n.kind != kind_finite) return n;\n";
    return "  if (n.kind == kind_nan) return " + nan + ";\n  if (n.kind == kind_infinity) return " +
           (passes ? "n" : by_sign(infinity_to_format, infinity_of_sign)) + ";\n";
  }

  std::string too_large() const { return by_sign(assay::too_large, of_sign); }

  std::string below() const { return w_.number(with_zero_words(below_zero(words_))); }

  // Two's complement of so many bits as there are, and the number that these are.
  std::string to_integer() const {
    const bool wraps = words_.overflow == Overflow::wrap;
    const std::string quantum = std::to_string(f_.last_place());
    std::string text;
    if (!wraps)
      text += fill("  if (n.quantum + m_bits(n.magnitude) > @bits@) return @too_large@;\n",
                   {{"bits", std::to_string(f_.stored_bits - f_.fraction_bits + 1)}, {"too_large", too_large()}});
    text += "  const magnitude_t m = " + cut(quantum + " - n.quantum") + ";\n";
    if (wraps) return text + wrapped_integer(quantum);
    const std::string positive = w_.literal(greatest_integer(words_, f_, false)),
                      negative = w_.literal(greatest_integer(words_, f_, true));
    const std::string greatest = positive == negative ? positive : "n.negative ? " + negative + " : " + positive;
    return text + "  const magnitude_t greatest = " + greatest + ";\n  if (" + w_.above("m", "greatest") + ") return " +
           too_large() + ";\n  return " + w_.is_zero("m") + " ? a_zero(false) : a_number(n.negative, m, 0, " + quantum +
           ");\n";
  }

  std::string wrapped_integer(const std::string& quantum) const {
    const std::string low = w_.low_word("m");
    const Code all = f_.stored_bits >= 64 ? ~Code{0} : (Code{1} << f_.stored_bits) - 1;
    const std::string negative =
        f_.has_sign ? "bits >> " + std::to_string(f_.stored_bits - 1) + " != 0" : std::string("false");
    const auto greatest = [&](bool sign) { return w_.literal(greatest_integer(words_, f_, sign)); };
    std::string made = "left == 0 ? a_zero(false) : a_number(negative, " + w_.of_code("left") + ", 0, " + quantum + ")";
    if (w_.carried.raised)
      made = "raising(" + made + ",\n                 " +
             w_.above("m", "(n.negative ? " + greatest(true) + " : " + greatest(false) + ")") +
             " ? raises_overflow : 0)";
    return fill(R"(  const uint64_t bits = (n.negative ? 0 - @low@ : @low@) & @all@;
  const bool negative = @negative@;
  const uint64_t left = (negative ? 0 - bits : bits) & @all@;
  return @made@;
)",
                {{"low", low}, {"all", c_hex(all)}, {"negative", negative}, {"made", made}});
  }

  std::string to_fields() const {
    std::string text = at_leading(f_.mantissa_bits, f_.least_exponent());
    if (words_.subnormals != Subnormals::keep) text += flushed_where("m");
    text += "  if (" + w_.is_zero("m") + ") return a_zero(" + sign_of_zero() + ");\n";
    if (!f_.has_sign) text += "  if (n.negative) return " + below() + ";\n";
    return text + "  if (" + is_beyond() + ") return " + too_large() +
           ";\n  return a_number(n.negative, m, exponent, exponent - " + std::to_string(f_.mantissa_bits) + ");\n";
  }

  std::string is_beyond() const {
    const Number top = greatest(f_, false);
    const std::string exponent = std::to_string(top.exponent);
    if (words_.overflow == Overflow::top) return "exponent >= " + exponent;
    const bool all_ones = top.magnitude == low_mask(f_.mantissa_bits + 1);
    const std::string larger = "exponent > " + exponent;
    return all_ones ? larger
                    : larger + " || (exponent == " + exponent + " && " + w_.above("m", w_.literal(top.magnitude)) + ")";
  }

  std::string flushed_where(const std::string& rounded) const {
    const bool signed_zero = words_.subnormals == Subnormals::signed_zero && f_.has_signed_zero && keeps_minus_zero();
    const std::string flushed = std::string("a_zero(") + (signed_zero ? "n.negative" : "false") + ")";
    const bool unbound = words_.tiny == Tiny::after;
    return (unbound ? "  // Rounded as if there were no least exponent.\n  const magnitude_t unbound = " +
                          cut_unbound() + ";\n"
                    : std::string()) +
           "  if (" + is_tiny(words_.tiny, rounded) + ") return " + flushed + ";\n";
  }

  std::string cut_unbound() const { return cut("leading(n) - " + std::to_string(f_.mantissa_bits) + " - n.quantum"); }

  // What it asks of `unbound`, where it does, is cut_unbound.
  std::string is_tiny(Tiny tiny, const std::string& rounded) const {
    const std::string least = std::to_string(f_.least_exponent()), bits = std::to_string(f_.mantissa_bits);
    switch (tiny) {
      case Tiny::before: return "leading(n) < " + least;
      case Tiny::after:
        return "leading(n) + (m_bits(unbound) > " + std::to_string(f_.mantissa_bits + 1) + ") < " + least;
      case Tiny::result: break;
    }
    return "m_bits(" + rounded + ") <= " + bits;
  }

  // --- what is raised ---

 public:
  // After the function that rounds: the same with what it raises. `random`: the argument behind a number.
  std::string raising(const std::string& name, const std::string& parameter, const std::string& random) const {
    return fill(R"(
// Stage round, and what it raises.
FN number_t @name@(number_t n@parameter@) {
  number_t exact = n;
  exact.raised = 0;
  number_t made = @inner@(exact@random@);
  uint32_t own = 0;
  if (n.kind == kind_finite) {
@own@  }
  made.raised = @before@;
  return made;
}
)",
                {{"name", name},
                 {"parameter", parameter},
                 {"inner", name_},
                 {"random", random},
                 {"own", indented(raised_by_itself())},
                 {"before", raised_so_far()}});
  }

 private:
  // A NaN that comes of no overflow is that of a number below zero in a format without a sign.
  std::string raised_by_itself() const {
    const std::string lost = sees_lost_ ? "n.lost || " : "";
    std::string text = "  const bool overflows = (made.raised & raises_overflow) != 0;\n";
    text += "  const bool invalid = made.kind == kind_nan && !overflows;\n";
    text += "  const bool inexact = overflows || (!invalid && (" + lost + "compare(n, made) != 0));\n";
    const std::string tiny = too_small(text);
    if (!tiny.empty()) text += "  if (inexact && !overflows && " + tiny + ") own = raises_underflow;\n";
    return text +
           "  own |= (overflows ? raises_overflow : 0) | (inexact ? raises_inexact : 0) | (invalid ? raises_invalid : "
           "0);\n";
  }

  // Nothing where nothing is; what it needs goes to `declarations`.
  std::string too_small(std::string& declarations) const {
    if (words_.at != ResultAt::format || f_.is_integer()) return "";
    if (f_.rounds_to_list()) return "is_zero(made)";
    const Tiny tiny = result_.flags->tiny;
    if (tiny == Tiny::after) declarations += "  const magnitude_t unbound = " + cut_unbound() + ";\n";
    return is_tiny(tiny, "made.magnitude");
  }

  std::string raised_so_far() const {
    if (result_.flags->of == FlagsOf::all) return "n.raised | own";
    return result_.leaves_d ? "(n.raised & raises_invalid) | own" : "(n.raised | own) & raises_invalid";
  }

  // --- to one of a list ---

  std::string to_list() const {
    std::string text = !f_.has_sign ? "  if (n.negative) return " + below() + ";\n" : "";
    return text + "  number_t found = n;\n  return " + name_ + "_in_list(n, &found) ? found : " + too_large() + ";\n";
  }

  // Below zero, where there is no sign, a number is rounded as its magnitude is.
  std::string to_power() const {
    std::string text = "  number_t found = n;\n";
    if (f_.has_sign) {
      text += "  const bool fits = " + name_ + "_in_list(n, &found);\n";
    } else {
      text += "  const bool below = n.negative;\n  n.negative = false;\n  const bool fits = below ? " + name_ +
              "_mirrored_in_list(n, &found) : " + name_ + "_in_list(n, &found);\n  n.negative = below;\n";
    }
    if (words_.subnormals != Subnormals::keep)
      text += replaced(flushed_where("found.magnitude"), "  if (", "  if (fits && ");
    text += "  if (fits && is_zero(found)) return a_zero(" + sign_of_zero() + ");\n";
    if (!f_.has_sign) text += "  if (n.negative) return " + below() + ";\n";
    const std::string top =
        words_.overflow == Overflow::top ? " || found.exponent >= " + std::to_string(greatest(f_, false).exponent) : "";
    return text + "  return !fits" + top + " ? " + too_large() + " : found;\n";
  }

  const std::string& name_;
  const CWords& w_;
  const Result& words_;
  const Format& f_;
  const ResultPlan& result_;
  const bool sees_lost_;
};

std::string lists_of(const CWords& words, const std::string& name, const ResultPlan& result) {
  const Format& f = result.format;
  const Cut cut = result.words.cut;
  if (result.words.at != ResultAt::format || !f.rounds_to_list() || is_stochastic(cut)) return "";
  const bool has_minus_zero = f.has_signed_zero && result.words.minus_zero == MinusZero::keep;
  std::string text = ListText(words, f, cut, has_minus_zero).function(name + "_in_list");
  if (!f.is_list() && !f.has_sign)
    text += ListText(words, f, mirrored(cut), has_minus_zero).function(name + "_mirrored_in_list");
  return text;
}

}  // namespace

std::string c_round(const CWords& words, const CRounding& function, const ResultPlan& result) {
  const bool raises = words.carried.raised;
  const std::string name = (raises ? "exact_" : "") + function.name;
  const Rounding rounding(words, name, function.sees_lost, result);
  const bool by_chance = is_stochastic(result.words.cut);
  const std::string random = by_chance ? ", uint64_t random" : "";
  const Result& w = result.words;
  const std::string to = w.at == ResultAt::format   ? "to " + result.format.name
                         : w.at == ResultAt::window ? "at its window, " + std::to_string(w.keep) + " bits"
                                                    : "at its leading one, " + std::to_string(w.keep) + " bits";
  return lists_of(words, name, result) +
         fill("\n// Stage round of @of@: @to@, @cut@.\n@drawing@FN number_t @name@(number_t n@random@) {\n@body@}\n",
              {{"of", function.of},
               {"to", to},
               {"cut", std::string(word(w.cut))},
               {"drawing", rounding.drawing().empty() ? "" : "//\n" + rounding.drawing()},
               {"name", name},
               {"random", random},
               {"body", rounding.body()}}) +
         (raises ? rounding.raising(function.name, random, by_chance ? ", random" : "") : "");
}

}  // namespace assay
