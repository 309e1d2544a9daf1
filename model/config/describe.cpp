#include "model/config/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/base/text.hpp"
#include "model/config/free_n.hpp"
#include "model/core/fields.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

// "s ii.ffff", or with counts where the picture would be long: "s i(8).f(40)".
std::string fixed_point(int sign_bits, int integer_bits, int fraction_bits) {
  const auto run = [](char bit, int count) {
    return count <= 30 ? std::string(static_cast<std::size_t>(std::max(count, 0)), bit)
                       : fmt::format("{}({})", bit, count);
  };
  return fmt::format("{}{}.{}", sign_bits > 0 ? "s " : "", run('i', integer_bits), run('f', fraction_bits));
}

std::string number(const Range& r) {
  if (r.fixed_quantum) {
    return fmt::format("{} bits, the last worth 2^{}", r.significand_bits(), *r.fixed_quantum);
  }
  return fmt::format("{} bits {}, exponent {}..{}", r.significand_bits(),
                     fixed_point(0, r.integer_bits, r.fraction_bits), r.least_exponent, r.greatest_exponent);
}

// --- what a word says of itself, by its row in the table ---

// The row's phrase about this value; empty where it has nothing to say.
template <class Row>
std::string said(const Row& row, const std::string& value) {
  std::string text(row.phrase);
  const std::size_t gap = text.find("{}");
  return gap == std::string::npos ? text : text.replace(gap, 2, value);
}

template <class Row, class Enum>
std::enable_if_t<std::is_enum_v<Enum>, std::string> phrase_of(const Row& row, Enum value) {
  const auto is_given = [](std::string_view text) { return !text.empty(); };
  if (std::none_of(row.phrase_words.begin(), row.phrase_words.end(), is_given))
    return said(row, std::string(word(value)));
  const std::string_view own = row.phrase_words[static_cast<std::size_t>(value)];
  return own.empty() ? "" : said(row, std::string(own));
}
template <class Row>
std::string phrase_of(const Row& row, bool value) {
  return value ? said(row, "") : "";
}
template <class Row>
std::string phrase_of(const Row& row, int value) {
  return said(row, std::to_string(value));
}
template <class Row>
std::string phrase_of(const Row& row, const std::string& value) {
  return said(row, value);
}
template <class Row>
std::string phrase_of(const Row& row, const std::optional<int>& value) {
  return value ? said(row, std::to_string(*value)) : std::string(row.phrase_of_nothing);
}
// Mappings and lists are drawn.
template <class Row, class V>
std::enable_if_t<has_rows<V>, std::string> phrase_of(const Row&, const V&) {
  return "";
}
template <class Row, class V>
std::string phrase_of(const Row&, const std::vector<V>&) {
  return "";
}
template <class Row, class V>
std::string phrase_of(const Row&, const std::optional<V>&) {
  return "";
}

using PhraseKeys = std::vector<std::string_view>;

bool among(std::string_view key, const PhraseKeys& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// What the words of a struct say, each by its key, in the table's order.
template <class S>
std::vector<std::pair<std::string_view, std::string>> phrases_of(const S& s) {
  std::vector<std::pair<std::string_view, std::string>> found;
  each_row<S>([&](const auto& row) {
    using V = typename std::decay_t<decltype(row)>::Value;
    if (row.phrase.empty() || !row.applies(s)) return;
    if constexpr (std::is_enum_v<V> || std::is_arithmetic_v<V>) {
      if (!row.phrase_of_default && s.*row.member == row.fallback()) return;
    }
    std::string text = phrase_of(row, s.*row.member);
    if (!text.empty()) found.emplace_back(row.key, std::move(text));
  });
  return found;
}

// Those of the keys, in their order.
template <class S>
std::vector<std::string> phrases(const S& s, const PhraseKeys& keys) {
  const auto all = phrases_of(s);
  std::vector<std::string> found;
  for (const std::string_view key : keys) {
    for (const auto& [of, text] : all) {
      if (of == key) found.push_back(text);
    }
  }
  return found;
}

// All but those of the keys.
template <class S>
std::vector<std::string> other_phrases(const S& s, const PhraseKeys& keys) {
  std::vector<std::string> found;
  for (const auto& [of, text] : phrases_of(s)) {
    if (!among(of, keys)) found.push_back(text);
  }
  return found;
}

std::string sentence(const std::vector<std::string>& phrases) {
  std::string text;
  for (const std::string& phrase : phrases) text += (text.empty() || phrase.front() == ' ' ? "" : ", ") + phrase;
  return text;
}

template <class S>
std::string sentence_of(const S& s, const PhraseKeys& first = {}) {
  std::vector<std::string> all = phrases(s, first);
  const std::vector<std::string> others = other_phrases(s, first);
  all.insert(all.end(), others.begin(), others.end());
  return sentence(all);
}

std::string result_text(const Result& r) {
  return sentence_of(r, {"format", "keep", "at", "bits", "least_exponent", "overflow", "subnormals", "tiny", "cut"});
}

// --- the picture ---

std::string source_text(const InputPlan& input) {
  return input.count == 1 ? input.words.source : fmt::format("{} x {}", input.count, input.words.source);
}

class Picture {
 public:
  explicit Picture(const Plan& plan) : p_(plan) {}

  std::vector<DescribedStage> lines() {
    operands();
    product();
    steps();
    finish();
    line(0, "encode", fmt::format("{}; NaN is {}", p_.d.name, nan_text()));
    line(0, "", "|");
    line(0, "d", fmt::format("{}, {} bits", p_.d.name, p_.d.stored_bits));
    if (p_.datapath.flags) line(0, "flags", sentence(phrases(*p_.datapath.flags, {"of", "invalid", "tiny"})));
    return std::move(lines_);
  }

 private:
  void line(int indent, const std::string& stage, const std::string& what) { lines_.push_back({indent, stage, what}); }

  void operands() {
    line(0, "a", fmt::format("{:>3} x {:<9} significand {}", p_.k, p_.a.name, number(p_.a_range)));
    line(0, "b", fmt::format("{:>3} x {:<9} significand {}", p_.k, p_.b.name, number(p_.b_range)));
    line(0, "c", fmt::format("  1 x {:<9} significand {}", p_.c.name, number(p_.c_range)));
    if (p_.scale)
      line(0, "scale a, b", fmt::format("{:>3} x {:<9} one for {} terms", p_.scales, p_.scale->name, p_.scale_block));
    for (const CaseOperand& more : p_.more)
      line(0, more.name, fmt::format("{:>3} x {:<9} {}", more.count, more.format.name, brought_text(more)));
    for (const std::string& text : other_phrases(p_.datapath, {"specials"})) line(0, "", text);
    factor("factors.a", p_.factor_a, p_.datapath.factor_a);
    factor("factors.b", p_.factor_b, p_.datapath.factor_b);
    line(0, "", "|");
  }

  std::string brought_text(const CaseOperand& more) const {
    if (more.kind == CaseOperandKind::random) return "one for each rounding by chance";
    if (more.kind == CaseOperandKind::mask) return mask_text(more.pattern);
    const std::string side(word(more.of));
    const std::string each = more.count == 1 ? "one for all terms" : fmt::format("one for {} terms", more.block);
    if (more.kind == CaseOperandKind::zero_point) return fmt::format("{}, subtracted from {}", each, side);
    for (const Scale& scale : p_.datapath.operands.scales) {
      if (scale.name == more.name) return fmt::format("{}, a scale of {}, at {}", each, side, scale.at);
    }
    return each;
  }

  static std::string mask_text(const Mask& pattern) {
    const std::string off = "one for each product; off is (+0) x (+0)";
    if (!pattern.has_pattern()) return off;
    const std::string unit = pattern.unit == 1 ? "" : fmt::format(" in units of {}", pattern.unit);
    return fmt::format("{}; of each {} neighbours {} on{}", off, *pattern.among, *pattern.take, unit);
  }

  void factor(const std::string& name, const FactorPlan& plan, const Factor& words) {
    if (!plan.works()) return;
    std::vector<std::string> work = phrases(words, {"zero_point"});
    if (plan.zero_points >= 0) work.push_back("less its zero point");
    if (!plan.scales.empty()) work.push_back(times_text(plan.scales));
    if (words.round) work.push_back("rounded " + result_text(*words.round));
    for (const std::string& text : phrases(words, {"step", "from", "empty"})) work.push_back(text);
    line(0, name, sentence(work) + ": " + number(plan.range));
  }

  // "times e4_a and e4_b"
  std::string times_text(const std::vector<int>& scales) const {
    std::string text;
    for (const int scale : scales)
      text += (text.empty() ? "times " : " and ") + p_.more[static_cast<std::size_t>(scale)].name;
    return text;
  }

  void product() {
    const Product& w = p_.datapath.product;
    line(0, "multiply", fmt::format("exact: {}", number(p_.product_range)));
    slices();
    if (w.rows) line(0, "rows", sentence(other_phrases(*w.rows, {})));
    for (const std::string& text : phrases(w, {"times"})) line(0, "scale", text);
    if (!p_.product_scales.empty()) line(0, "scale", "each product " + times_text(p_.product_scales));
    for (const std::string& text : other_phrases(w, {"times"})) line(0, "", text);
    if (w.round) line(0, "round", result_text(*w.round));
    line(0, "", "|");
  }

  //   a 1mmmm|.....   b .....|mmmmm     in one picture, bit 0 first: which bits of each side a pair multiplies
  void slices() {
    const Slices& w = p_.datapath.slices;
    if (w.pairs.empty()) return;
    for (std::size_t i = 0; i < w.pairs.size(); ++i) {
      const SlicePair& pair = w.pairs[i];
      const int lowered = p_.lowered(static_cast<int>(i));
      line(0, i == 0 ? "slices" : "",
           fmt::format("a {}  x  b {}{}", bits_taken(pair.a_from, pair.a_bits, p_.factor_a.range),
                       bits_taken(pair.b_from, pair.b_bits, p_.factor_b.range),
                       lowered == 0 ? "" : fmt::format("   exponent lower by {}", lowered)));
    }
    static constexpr std::array<std::string_view, 3> runs{"all pairs are terms of one step",
                                                          "each step once for each pair, in order",
                                                          "all steps for the first pair, then all for the next"};
    if (w.pairs.size() > 1) line(0, "", std::string(runs[static_cast<std::size_t>(w.run)]));
  }

  static std::string bits_taken(int from, const std::optional<int>& bits, const Range& r) {
    const int all = r.significand_bits(), last = bits ? std::min(all, from + *bits) : all;
    std::string picture(static_cast<std::size_t>(all), '.');
    for (int i = from; i < last; ++i) picture[static_cast<std::size_t>(i)] = '#';
    return picture;
  }

  void steps() {
    if (p_.lanes > 1)
      line(0, "lanes",
           fmt::format("{} accumulators, {} terms each, {}", p_.lanes, p_.k / p_.lanes, dealt(p_.datapath.lanes)));
    const Start start = p_.datapath.start;
    line(0, "steps",
         fmt::format("{} of {} terms{}; acc starts from {}", p_.steps, p_.step_terms,
                     p_.steps > 1 ? ", " + dealt(p_.datapath.step) : "",
                     start == Start::none ? "nothing" : word(start)));
    line(2, "special", sentence(phrases(p_.datapath, {"specials"})));
    pictures(p_.adders, p_.datapath.adders);
    line(2, "acc", number(p_.adders.back().range));
    line(0, "", "|");
  }

  static std::string dealt(const Group& g) {
    return g.deal == Deal::neighbours ? "neighbours" : fmt::format("dealt out in units of {}", g.unit);
  }

  void finish() {
    if (p_.finish.empty()) return;
    line(0, "finish", "once, afterwards");
    pictures(p_.finish, p_.datapath.finish);
    line(0, "", "|");
  }

  void pictures(const std::vector<AdderPlan>& plans, const std::vector<Adder>& words) {
    for (std::size_t i = 0; i < plans.size(); ++i) picture(plans[i], words[i]);
  }

  void picture(const AdderPlan& a, const Adder& words) {
    std::string inputs;
    for (const InputPlan& input : a.inputs) inputs += (inputs.empty() ? "" : " + ") + source_text(input);
    const std::string groups = a.groups == 1 ? "" : fmt::format("{} groups side by side, each ", a.groups);
    line(2, a.name, groups + inputs + ": " + sentence(phrases(words, {"shape"})));
    const SumPlan& s = a.sum;
    line(4, "window", sentence_of(a.window) + fmt::format("; {} bits", s.window_exponent_bits));
    for (const InputPlan& input : a.inputs)
      line(4, "align", fmt::format("{}: {}{}", input.words.source, sentence_of(input.words), again_text(input.words)));
    const std::string point = s.fixed_quantum ? fmt::format(", the last worth 2^{}", *s.fixed_quantum)
                                              : " " + fixed_point(1, s.integer_bits, s.fraction_bits);
    line(4, "", fmt::format("{} bits{}", s.align_width, point));
    std::vector<std::string> reduced = phrases(words, {"sticky", "zero"});
    reduced.insert(reduced.begin(), fmt::format("{} bits", s.sum_width));
    line(4, "reduce", sentence(reduced));
    for (const std::string& text : other_phrases(words, {"shape", "sticky", "zero", "times"})) line(4, "", text);
    for (const std::string& text : other_phrases(words.errata, {})) line(4, "errata", text);
    for (const std::string& text : phrases(words, {"times"})) line(4, "scale", text + ": " + number(*a.scaled));
    if (!a.scales.empty()) line(4, "scale", times_text(a.scales) + ": " + number(*a.scaled));
    for (const ResultPlan& r : a.results) line(4, "round", result_text(r.words));
  }

  static std::string again_text(const Input& input) {
    std::string text;
    for (const Recut& again : input.again) text += ", then " + sentence(other_phrases(again, {}));
    return text;
  }

  std::string nan_order_text(const NanOrder& order) const {
    const std::string made = fmt::format("{:0{}x}", p_.nan.code, p_.d.hex_digits());
    return fmt::format("the first of {}, made quiet{}; one that an operation makes is {}", joined(order.take),
                       order.signalling_first ? ", signalling ones before quiet ones" : "", made);
  }

  std::string nan_text() const {
    if (p_.nan.has_order()) return nan_order_text(p_.nan.order);
    if (p_.nan.propagate) return "the first operand's, made quiet";
    if (p_.nan.with_sign) return "the quiet one, with the sign of the first operand's";
    return p_.d.nan == NanCodes::none && !gives_nan_code(p_.datapath)
               ? "none"
               : fmt::format("{:0{}x}", p_.nan.code, p_.d.hex_digits());
  }

  const Plan& p_;
  std::vector<DescribedStage> lines_;
};

}  // namespace

std::string evidence_meaning(const std::string& evidence) {
  if (evidence == "captured") return "bit-exact on vectors recorded from real parts";
  if (evidence == "maker's model") return "bit-exact on vectors recorded from the maker's own functional model";
  if (evidence == "paper")
    return "bit-exact on a million random inputs by the authors' statement; no vectors published";
  if (evidence == "published simulator")
    return "taken from a published simulator; no comparison with the part is known";
  if (evidence == "inferred") return "inferred from related instructions";
  if (evidence == "emulated")
    return "as the vendor's text defines it, and bit-exact with an emulator of the instruction";
  if (evidence == "draft standard") return "as a draft of a standard defines it; the final text may differ";
  return "as the vendor documents it";
}

std::string describe_instruction(const Instruction& i) {
  const std::optional<FreeN> free = free_n(i);
  const std::string n = free ? fmt::format("N (N is {})", free->text()) : i.n;
  std::string text = fmt::format("{}\n", i.full_name());
  if (!i.sass.empty()) text += fmt::format("{:<14}{}\n", "machine", i.sass);
  text += fmt::format("{:<14}M x N x K = {} x {} x {}{}\n", "shape", i.m, n, i.k,
                      i.blocks > 1 ? fmt::format(", {} blocks", i.blocks) : "");
  if (i.timing)
    text += fmt::format("{:<14}{} cycles, {} flops a cycle of a compute unit\n", "timing", i.timing->cycles,
                        i.timing->flops);
  if (const std::string legal = layout::legal_text(i.modifiers); !legal.empty())
    text += fmt::format("{:<14}{}\n", "modifiers", legal);
  text += fmt::format("{:<14}{}\n", "datapath", i.datapath);
  text += fmt::format("{:<14}{}: {}\n", "evidence", i.evidence, evidence_meaning(i.evidence));
  return text;
}

std::vector<DescribedStage> described_stages(const Plan& plan) { return Picture(plan).lines(); }

std::string describe_plan(const Plan& plan) {
  std::string text;
  for (const DescribedStage& line : described_stages(plan)) {
    std::string row = fmt::format("{}{:<{}}{}", std::string(static_cast<std::size_t>(line.indent), ' '), line.stage,
                                  14 - line.indent, line.what);
    while (!row.empty() && row.back() == ' ') row.pop_back();
    text += row + "\n";
  }
  return text;
}

}  // namespace assay
