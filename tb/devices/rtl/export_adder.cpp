#include "tb/devices/rtl/export_adder.hpp"

#include <algorithm>

namespace assay {
namespace {

// The shape that all inputs of one adder are brought to.
struct Terms {
  int count = 0;
  int exponent_bits = 0, integer_bits = 0, fraction_bits = 0;

  int significand_bits() const { return integer_bits + fraction_bits; }
  int width() const { return 2 + exponent_bits + significand_bits(); }
};

int signed_bits(int value) { return 1 + bit_length(static_cast<std::uint64_t>(value < 0 ? -value - 1 : value)); }

Terms common_shape(const AdderPlan& adder, const std::vector<Wire>& numbers) {
  Terms t;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Wire& wire = numbers[i];
    t.count += wire.count;
    t.exponent_bits = std::max(t.exponent_bits, wire.bundle.exponent_bits);
    t.integer_bits = std::max(t.integer_bits, wire.bundle.integer_bits());
    t.fraction_bits = std::max(t.fraction_bits, wire.bundle.fraction_bits);
    if (const auto empty = adder.inputs[i].words.empty)
      t.exponent_bits = std::max(t.exponent_bits, signed_bits(*empty));
  }
  return t;
}

std::vector<Connection> rounded_to(const ResultPlan& result) {
  const Result& words = result.words;
  const Format& format = result.format;
  switch (words.at) {
    case ResultAt::window: return {{"Keep", sv_text(words.keep)}};
    case ResultAt::leading_one:
      return {{"Keep", sv_text(words.keep)},
              {"HasLeastExponent", sv_text(words.least_exponent.has_value())},
              {"LeastExponent", sv_text(words.least_exponent.value_or(0))}};
    case ResultAt::format:
      return {{"Keep", sv_text(format.mantissa_bits)},
              {"LeastExponent", sv_text(format.least_exponent())},
              {"GreatestExponent", sv_text(format.greatest_exponent())},
              {"GreatestIsAllOnes", sv_text((format.greatest_finite() & 1) != 0)},
              {"OverflowToInfinity", sv_text(words.overflow == Overflow::infinity)},
              {"HasSignedZero", sv_text(format.has_signed_zero)}};
  }
  return {};
}

std::vector<Connection> cut(const AdderPlan& adder, const InputPlan& input) {
  const SumPlan& sum = adder.sum;
  if (sum.fixed_quantum) return {{"GridBits", sv_text(-*sum.fixed_quantum)}, {"Exact", sv_text(true)}};
  const bool fixed = adder.window.exponent == WindowExponent::fixed;
  const int headroom = fixed ? std::max(0, input.range.greatest_exponent - adder.window.at) : 0;
  std::vector<Connection> list{{"Headroom", sv_text(headroom)},
                               {"Keep", sv_text(*input.words.keep)},
                               {"Cut", sv_enumerator("Cut", word(input.words.cut))}};
  if (const auto below = input.words.lost_below) {
    list.emplace_back("HasLostBelow", sv_text(true));
    list.emplace_back("LostBelow", sv_text(*below));
  }
  list.emplace_back("GridBits", sv_text(sum.fraction_bits));
  return list;
}

class Sum {
 public:
  Sum(Sheet& sheet, const std::string& name, const AdderPlan& adder, const std::vector<Wire>& numbers)
      : sheet_(sheet), name_(name), adder_(adder), numbers_(numbers), terms_(common_shape(adder, numbers)) {}

  // From the numbers to their exact sum.
  Wire run(const std::string& place) {
    // Groups side by side share their cuts.
    const std::string all_groups = adder_.groups > 1 ? place.substr(0, place.rfind('[')) : place;
    bring_together();
    window();
    align();
    sheet_.cut(all_groups + ".align");
    const Wire exact = reduce();
    const Wire sum = adder_.zero == ZeroSign::ieee ? signed_zero(exact) : exact;
    sheet_.cut(all_groups + ".reduce");
    return sum;
  }

 private:
  std::vector<Connection> shape(int count) const {
    return {{"Terms", sv_text(count)},
            {"ExponentWidth", sv_text(terms_.exponent_bits)},
            {"IntegerBits", sv_text(terms_.integer_bits)},
            {"FractionBits", sv_text(terms_.fraction_bits)}};
  }

  void bring_together() {
    sheet_.declare(name_ + "_term", terms_.count * terms_.width());
    int first = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Wire& in = numbers_[i];
      std::vector<Connection> parameters = shape(in.count);
      const std::vector<Connection> from{{"InExponentWidth", sv_text(in.bundle.exponent_bits)},
                                         {"InIntegerBits", sv_text(in.bundle.integer_bits())},
                                         {"InFractionBits", sv_text(in.bundle.fraction_bits)}};
      parameters.insert(parameters.begin() + 1, from.begin(), from.end());
      if (const auto empty = adder_.inputs[i].words.empty) {
        parameters.emplace_back("HasEmpty", sv_text(true));
        parameters.emplace_back("Empty", sv_text(*empty));
      }
      sheet_.instance("assay_term", name_ + "_term" + sv_text(static_cast<int>(i)), parameters,
                      {{"number_i", in.name}, {"term_o", term(first, in.count)}});
      first += in.count;
    }
  }

  std::string term(int first, int count) const {
    return sv_slice(name_ + "_term", first * terms_.width(), count * terms_.width());
  }

  void window() {
    const Window& words = adder_.window;
    sheet_.declare(name_ + "_window", adder_.sum.window_exponent_bits);
    sheet_.declare(name_ + "_counts", 1);
    sheet_.instance("assay_window", name_ + "_window",
                    {{"Terms", sv_text(terms_.count)},
                     {"ExponentWidth", sv_text(terms_.exponent_bits)},
                     {"SignificandWidth", sv_text(terms_.significand_bits())},
                     {"WindowWidth", sv_text(adder_.sum.window_exponent_bits)},
                     {"Fixed", sv_text(words.exponent == WindowExponent::fixed)},
                     {"At", sv_text(words.at)},
                     {"HasFloor", sv_text(words.floor.has_value())},
                     {"Floor", sv_text(words.floor.value_or(0))},
                     {"StepBits", sv_text(bit_length(static_cast<std::uint64_t>(words.step)) - 1)}},
                    {{"term_i", name_ + "_term"}, {"window_o", name_ + "_window"}, {"counts_o", name_ + "_counts"}});
    sheet_.probe(name_ + "_window");
  }

  void align() {
    const int width = adder_.sum.align_width;
    sheet_.declare(name_ + "_addend", terms_.count * width);
    sheet_.declare(name_ + "_lost", terms_.count);
    int first = 0;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const int count = numbers_[i].count;
      std::vector<Connection> parameters = shape(count);
      parameters.emplace_back("WindowWidth", sv_text(adder_.sum.window_exponent_bits));
      for (const Connection& c : cut(adder_, adder_.inputs[i])) parameters.push_back(c);
      parameters.emplace_back("AddendWidth", sv_text(width));
      sheet_.instance("assay_align", name_ + "_align" + sv_text(static_cast<int>(i)), parameters,
                      {{"term_i", term(first, count)},
                       {"window_i", name_ + "_window"},
                       {"addend_o", sv_slice(name_ + "_addend", first * width, count * width)},
                       {"lost_o", sv_slice(name_ + "_lost", first, count)}});
      first += count;
    }
    sheet_.probe(name_ + "_addend", terms_.count);
  }

  Wire reduce() {
    const Wire exact{name_ + "_exact", 1, BundleWidths(adder_.sum.range)};
    sheet_.declare(name_ + "_reduce", adder_.sum.sum_width + (adder_.sticky ? 1 : 0));
    sheet_.declare(exact.name, exact.bundle.width());
    sheet_.instance("assay_reduce", name_ + "_reduce",
                    {{"Terms", sv_text(terms_.count)},
                     {"AddendWidth", sv_text(adder_.sum.align_width)},
                     {"WindowWidth", sv_text(adder_.sum.window_exponent_bits)},
                     {"Sticky", sv_text(adder_.sticky)}},
                    {{"addend_i", name_ + "_addend"},
                     {"lost_i", name_ + "_lost"},
                     {"window_i", name_ + "_window"},
                     {"counts_i", name_ + "_counts"},
                     {"sum_o", name_ + "_reduce"},
                     {"number_o", exact.name}});
    sheet_.probe(name_ + "_reduce");
    return exact;
  }

  Wire signed_zero(const Wire& sum) {
    const Wire out{name_ + "_signed", 1, sum.bundle};
    sheet_.declare(out.name, out.bundle.width());
    sheet_.instance("assay_zero", name_ + "_zero",
                    {{"Terms", sv_text(terms_.count)},
                     {"ExponentWidth", sv_text(terms_.exponent_bits)},
                     {"SignificandWidth", sv_text(terms_.significand_bits())},
                     {"SumExponentWidth", sv_text(sum.bundle.exponent_bits)},
                     {"SumSignificandWidth", sv_text(sum.bundle.significand_bits)},
                     {"RoundsDown", sv_text(adder_.rounds_down())}},
                    {{"term_i", name_ + "_term"}, {"number_i", sum.name}, {"number_o", out.name}});
    return out;
  }

  Sheet& sheet_;
  const std::string& name_;
  const AdderPlan& adder_;
  const std::vector<Wire>& numbers_;
  const Terms terms_;
};

Wire with_payload(Sheet& sheet, const Wire& acc, const std::vector<Wire>& numbers) {
  const Wire out{acc.name + "_payload", 1, acc.bundle, acc.special};
  const Wire& terms = numbers.front();
  const Wire& others = numbers.back();
  sheet.declare(out.name, out.bundle.width());
  sheet.instance("assay_nan", out.name,
                 {{"Terms", sv_text(terms.count)},
                  {"TermExponentWidth", sv_text(terms.bundle.exponent_bits)},
                  {"TermSignificandWidth", sv_text(terms.bundle.significand_bits)},
                  {"Others", sv_text(others.count)},
                  {"OthersExponentWidth", sv_text(others.bundle.exponent_bits)},
                  {"OthersSignificandWidth", sv_text(others.bundle.significand_bits)},
                  {"ExponentWidth", sv_text(acc.bundle.exponent_bits)},
                  {"SignificandWidth", sv_text(acc.bundle.significand_bits)}},
                 {{"term_i", terms.name}, {"other_i", others.name}, {"number_i", acc.name}, {"number_o", out.name}});
  return out;
}

}  // namespace

std::string wire_special(Sheet& sheet, const std::string& name, const std::vector<Wire>& numbers,
                         const std::string& last) {
  const auto sets = static_cast<int>(numbers.size());
  sheet.declare(name + "_sets", 2 * sets);
  for (int i = 0; i < sets; ++i) {
    const Wire& set = numbers[static_cast<std::size_t>(i)];
    sheet.instance("assay_special", name + sv_text(i),
                   {{"Terms", sv_text(set.count)}, {"NumberWidth", sv_text(set.bundle.width())}},
                   {{"number_i", set.name}, {"outcome_o", sv_slice(name + "_sets", 2 * i, 2)}});
  }
  sheet.declare(name, 2);
  sheet.instance("assay_decide", name, {{"Sets", sv_text(sets)}},
                 {{"outcome_i", name + "_sets"}, {"last_i", last}, {"outcome_o", name}});
  return name;
}

Wire wire_acc(Sheet& sheet, const std::string& name, const std::string& outcome, const Wire& sum,
              const std::vector<Wire>& numbers, bool payloads) {
  const Wire acc{name, 1, sum.bundle, true};
  sheet.declare(name, acc.bundle.width());
  sheet.instance("assay_acc", name, {{"NumberWidth", sv_text(acc.bundle.width())}},
                 {{"outcome_i", outcome}, {"sum_i", sum.name}, {"acc_o", name}});
  return payloads ? with_payload(sheet, acc, numbers) : acc;
}

Wire wire_round(Sheet& sheet, const std::string& name, const Wire& in, const ResultPlan& result) {
  const bool overflows = result.words.at == ResultAt::format && result.words.overflow == Overflow::infinity;
  const Wire out{name, 1, BundleWidths(result.range), in.special || overflows};
  std::vector<Connection> parameters{{"InExponentWidth", sv_text(in.bundle.exponent_bits)},
                                     {"InSignificandWidth", sv_text(in.bundle.significand_bits)},
                                     {"InFractionBits", sv_text(in.bundle.fraction_bits)},
                                     {"InAbsolute", sv_text(in.bundle.absolute)},
                                     {"At", sv_enumerator("At", word(result.words.at))},
                                     {"Cut", sv_enumerator("Cut", word(result.words.cut))}};
  for (const Connection& c : rounded_to(result)) parameters.push_back(c);
  parameters.emplace_back("OutExponentWidth", sv_text(out.bundle.exponent_bits));
  parameters.emplace_back("OutSignificandWidth", sv_text(out.bundle.significand_bits));
  sheet.declare(name, out.bundle.width());
  sheet.instance("assay_round", name, parameters, {{"number_i", in.name}, {"number_o", name}});
  return out;
}

Wire wire_scale(Sheet& sheet, const std::string& name, const Wire& in, const ScalePair& scales, const Range& range) {
  const Wire out{name, in.count, BundleWidths(range), true};
  sheet.declare(name, out.count * out.bundle.width());
  sheet.instance(
      "assay_scale", name,
      {{"Terms", sv_text(in.count)},
       {"InExponentWidth", sv_text(in.bundle.exponent_bits)},
       {"InSignificandWidth", sv_text(in.bundle.significand_bits)},
       {"ScaleExponentWidth", sv_text(scales.a.bundle.exponent_bits)},
       {"ScaleSignificandWidth", sv_text(scales.a.bundle.significand_bits)},
       {"ExponentWidth", sv_text(out.bundle.exponent_bits)}},
      {{"number_i", in.name}, {"scale_a_i", scales.a.name}, {"scale_b_i", scales.b.name}, {"number_o", name}});
  return out;
}

Wire wire_sum(Sheet& sheet, const std::string& place, const AdderPlan& adder, const std::vector<Wire>& numbers,
              const std::optional<ScalePair>& scales, bool payloads) {
  const std::string name = sv_identifier(place);
  std::vector<Wire> special;
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(special), [](const Wire& w) { return w.special; });
  Wire sum = Sum(sheet, name, adder, numbers).run(place);
  std::string outcome;
  if (!special.empty()) {
    outcome = wire_special(sheet, name + "_special", special);
    if (adder.results.empty()) sum = wire_acc(sheet, name + "_decided", outcome, sum, special, payloads);
  }
  if (scales) {
    sum = wire_scale(sheet, name + "_scale", sum, *scales, *adder.scaled);
    sheet.probe_numbers(sum);
  }
  for (std::size_t i = 0; i < adder.results.size(); ++i) {
    const std::string suffix = adder.results.size() == 1 ? "_round" : "_round" + sv_text(static_cast<int>(i));
    sum = wire_round(sheet, name + suffix, sum, adder.results[i]);
    if (!special.empty()) sum = wire_acc(sheet, name + suffix + "_decided", outcome, sum, special, payloads);
    sheet.probe_numbers(sum);
  }
  return sum;
}

}  // namespace assay
