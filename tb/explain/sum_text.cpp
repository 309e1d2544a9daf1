#include "tb/explain/sum_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/core/align.hpp"
#include "tb/explain/numbers.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

constexpr long everything = std::numeric_limits<long>::max();
constexpr int widest_register = 58;  // shown whole, as it stands; wider ones from their first one to their last

Place place(const Trace& trace, int index) { return trace.plan().places[static_cast<std::size_t>(index)]; }

std::string short_name(const Trace& trace, int index) {
  const std::string& name = place(trace, index).name;
  return "  " + name.substr(name.rfind('.') + 1);
}

class SumBlock {
 public:
  SumBlock(Page& page, const Trace& trace, const SumSite& site)
      : page_(page), trace_(trace), site_(site), adder_(*site.adder), sum_(read_sum(trace, site)) {}

  void show() {
    page_.heading(site_.name);
    const std::string special = special_reason(items());
    if (special.empty()) {
      page_.row("  window", window_text());
      grid();
    } else {
      page_.row("  special", special);
    }
    results();
  }

 private:
  std::string label(std::size_t item) const { return place(trace_, site_.align(static_cast<int>(item))).label; }

  std::vector<NamedNumber> items() const {
    std::vector<NamedNumber> all;
    for (std::size_t i = 0; i < sum_.addends.size(); ++i) all.push_back({label(i), sum_.addends[i].item});
    return all;
  }

  // --- window ---

  // The item that has the largest exponent, a zero with the one it counts with; none: nothing has any.
  std::optional<std::size_t> holder() const {
    std::optional<std::size_t> found;
    const auto exponent = [&](std::size_t i) { return exponent_counted(sum_.addends[i].item, *site_.inputs[i]); };
    for (std::size_t i = 0; i < sum_.addends.size(); ++i) {
      if (exponent(i) == Number::no_exponent) continue;
      if (!found || exponent(i) > exponent(*found)) found = i;
    }
    return found;
  }

  std::string window_text() const {
    const Window& words = adder_.window;
    if (words.exponent == WindowExponent::fixed) return fmt::format("2^{}   fixed", sum_.window);
    const std::optional<std::size_t> item = holder();
    if (!item && !words.floor) return "none: nothing here has an exponent";
    std::string why;
    if (item) {
      const int largest = exponent_counted(sum_.addends[*item].item, *site_.inputs[*item]);
      why = fmt::format("the largest exponent{}, of {}{}", largest == sum_.window ? "" : fmt::format(" 2^{}", largest),
                        label(*item), sum_.addends[*item].item.is_zero() ? ", a zero that counts with it" : "");
      if (words.raise > 0) why += fmt::format("; raised by {}", words.raise);
      if (words.floor && largest + words.raise < *words.floor)
        why = fmt::format("the floor is 2^{}; ", *words.floor) + why;
    } else {
      why = fmt::format("the floor is 2^{}; nothing here has an exponent", *words.floor);
    }
    if (words.step > 1) why += fmt::format("; rounded up to a multiple of {}", words.step);
    if (words.step > 1 && words.step_from != 0) why += fmt::format(" from {} on", words.step_from);
    if (sum_.lost(adder_)) why += fmt::format("; at 2^{} or below nothing is left", *words.lost_at);
    return fmt::format("2^{}   {}", sum_.window, why);
  }

  // --- grid ---

  bool shown_whole() const { return !adder_.sum.fixed_quantum && adder_.sum.sum_width <= widest_register; }

  BitGrid make_grid() const {
    std::vector<Dyadic> numbers{sum_.sum};
    for (const AddendReading& addend : sum_.addends) numbers.push_back(addend.kept);
    long top = sum_.window, bottom = shown_whole() ? sum_.grid : std::max(sum_.grid, top);
    if (shown_whole()) top = sum_.grid + adder_.sum.sum_width - 2;
    for (const Dyadic& x : numbers) {
      if (sign(x) == 0) continue;
      top = std::max(top, floor_log2(x));
      bottom = std::min(bottom, lowest_one(x));
    }
    // What an adder cuts is shown at the place of its cut.
    for (const AddendReading& addend : sum_.addends) bottom = std::min(bottom, addend.cut_at.value_or(bottom));
    BitGrid grid(top, bottom, sum_.window);
    grid.fold(numbers);
    return grid;
  }

  void grid() {
    const BitGrid grid = make_grid();
    for (std::size_t band = 0; band < grid.bands(); ++band) {
      const bool last = band + 1 == grid.bands();
      if (grid.bands() > 1 || grid.folded()) {
        page_.row("", grid.band_name(band));
      }
      std::vector<BitLine> lines;
      std::size_t zeros = 0;
      for (std::size_t i = 0; i < sum_.addends.size(); ++i) {
        const bool zero = sum_.addends[i].item.is_zero();
        zeros += zero ? 1 : 0;
        const bool anything = grid.bands() == 1 || last || grid.has_ones(sum_.addends[i].kept, band);
        if (!zero && anything) lines.push_back(addend_line(grid, band, i, last));
      }
      if (zeros > 0 && last)
        lines.push_back({"", false, "", "", zeros == 1 ? "1 more is zero" : fmt::format("{} more are zero", zeros)});
      lines.push_back(sum_line(grid, band, last));
      page_.bits(lines);
    }
  }

  BitLine addend_line(const BitGrid& grid, std::size_t band, std::size_t i, bool last) const {
    const AddendReading& addend = sum_.addends[i];
    BitLine line;
    line.name = short_name(trace_, site_.align(static_cast<int>(i)));
    line.negative = addend.item.negative;
    const long from = shown_whole() ? sum_.grid + adder_.sum.align_width - 2 : everything;
    line.kept = grid.row(addend.kept, band, from, addend.cut_at.value_or(sum_.grid));
    if (!last) return line;
    line.note = label(i);
    if (adder_.sum.fixed_quantum == 0) line.note += " = " + decimal(addend.item);
    if (!addend.lost) return line;
    const Dyadic item = exactly(addend.item);
    line.cut = bits_below(item, *addend.cut_at);
    if (addend.dropped && sum_.lost(adder_)) {
      line.note += ", lost with its window";
    } else if (addend.dropped) {
      line.note += fmt::format(", dropped: over {} below", *site_.inputs[i]->lost_below);
    } else if (away(addend, item)) {
      line.note += fmt::format(", {}: +1", cut_text(*site_.inputs[i]));
    }
    return line;
  }

  static std::string cut_text(const Input& input) {
    std::string text = spaced(word(input.cut));
    for (const Recut& again : input.again) text += fmt::format(", then {}", spaced(word(again.cut)));
    return text;
  }

  // Whether cutting made the magnitude greater.
  static bool away(const AddendReading& addend, const Dyadic& item) {
    const mpz_class units = abs(units_in(item, *addend.cut_at, exact::Rounding::toward_zero));
    return abs(units_in(addend.kept, *addend.cut_at, exact::Rounding::toward_zero)) > units;
  }

  BitLine sum_line(const BitGrid& grid, std::size_t band, bool last) const {
    BitLine line;
    line.name = "  reduce";
    line.negative = sign(sum_.sum) < 0;
    line.kept = grid.row(sum_.sum, band, everything, sum_.grid);
    if (!last) return line;
    line.note = "sum" + sticky_text();
    if (sign(sum_.sum) == 0 && adder_.cancelled == Cancelled::none) line.note += ", without an exponent";
    if (adder_.sum.fixed_quantum == 0) line.note += " = " + decimal(sum_.sum);
    if (sum_.errs(adder_))
      line.note += fmt::format(": -1 unit, which comes out as -2^{} (errata)", sum_.window + *adder_.errata.minus_one);
    return line;
  }

  std::string sticky_text() const {
    switch (adder_.sticky) {
      case Sticky::none: break;
      case Sticky::below_sum: return fmt::format(", sticky {}", sum_.sticky ? 1 : 0);
      case Sticky::at_result: return sum_.sticky ? ", and lost ones that join the result" : ", nothing lost";
    }
    return "";
  }

  // --- results ---

  void results() {
    ResultStep step{"", sum_.going_on(adder_), sum_.window, {}};
    int at = site_.reduce + 1;
    if (adder_.scaled) {
      const Number scaled = number_at(trace_, at);
      page_.row(short_name(trace_, at),
                fmt::format("{}   times {}", value_text(scaled),
                            scales_text(trace_.plan(), adder_.times_scales, adder_.scales, site_.scaled_term)));
      if (scaled.is_finite()) step.before = exactly(scaled);
      step.exponent = scaled.exponent;
      ++at;
    }
    for (const ResultPlan& result : adder_.results) {
      step.name = short_name(trace_, at);
      step.after = number_at(trace_, at++);
      if (!special_reason(items()).empty()) {
        page_.row(step.name, decimal(step.after));
        continue;
      }
      step.lost = adder_.sticky == Sticky::at_result && sum_.sticky && &result == &adder_.results.front();
      result_lines(page_, step, result);
      if (step.after.is_finite()) step.before = exactly(step.after);
      step.exponent = step.after.exponent;
    }
  }

  Page& page_;
  const Trace& trace_;
  const SumSite& site_;
  const AdderPlan& adder_;
  SumReading sum_;
};

// Where the point of a result stands, and how many bits it keeps behind it.
struct Target {
  long point;
  long fraction;
};

Target target_of(const ResultStep& step, const ResultPlan& plan) {
  const Result& words = plan.words;
  const long leading = floor_log2(step.before);
  switch (words.at) {
    case ResultAt::window: return {step.exponent, words.keep};
    case ResultAt::leading_one:
      return {words.least_exponent ? std::max<long>(leading, *words.least_exponent) : leading, words.keep};
    case ResultAt::format: break;
  }
  if (plan.format.is_integer()) return {0, plan.format.fraction_bits};
  return {std::max<long>(leading, plan.format.least_exponent()), plan.format.mantissa_bits};
}

// Of a register whose last bit weighs 2^last: what became of a number that lies beyond it.
std::string register_text(const Dyadic& change, long last, const Result& words) {
  if (sign(change) == 0 || floor_log2(change) < last) return "";  // rounded to a neighbour
  return words.overflow == Overflow::wrap ? fmt::format("beyond {} bits: wraps", *words.bits)
                                          : fmt::format("beyond {} bits: as much as they hold", *words.bits);
}

// What became of a number that its format does not hold; empty for all others.
std::string outcome_text(const ResultStep& step, const ResultPlan& plan) {
  const bool floating = plan.words.at == ResultAt::format && !plan.format.is_integer();
  if (sign(step.before) < 0 && floating && !plan.format.has_sign)
    return fmt::format("below zero, and {} has no sign: {}", plan.format.name, decimal(step.after));
  if (step.after.cls == Class::infinity) return fmt::format("beyond the greatest {}: infinity", plan.format.name);
  if (step.after.cls == Class::nan) return fmt::format("beyond {}: NaN", plan.format.name);
  if (floating && step.after.is_zero() && plan.words.subnormals != Subnormals::keep) {
    return fmt::format("subnormal {}: flushed to zero", plan.format.name);
  }
  const Dyadic after = exactly(step.after);
  if (floating && plan.words.overflow == Overflow::top && step.after.exponent == plan.format.greatest_exponent())
    return "the only number of the top exponent";
  if (plan.words.bits) return register_text(step.before - after, step.exponent - plan.words.keep, plan.words);
  const bool largest = plan.words.overflow == Overflow::largest || plan.words.overflow == Overflow::directed;
  if (floating && largest && floor_log2(step.before) > floor_log2(after) && sign(after) != 0) {
    return fmt::format("beyond the greatest {}: the greatest", plan.format.name);
  }
  if (!plan.format.is_integer() || plan.words.at != ResultAt::format) return "";
  const Dyadic change = step.before - after;  // to a neighbour, where it is rounded
  if (sign(change) == 0 || floor_log2(change) < plan.format.last_place()) return "";
  return plan.words.overflow == Overflow::wrap
             ? fmt::format("beyond {}: wraps modulo 2^{}", plan.format.name, plan.format.stored_bits)
             : fmt::format("beyond {}: the nearest it holds", plan.format.name);
}

}  // namespace

std::string rule_text(const ResultPlan& plan) {
  const Result& words = plan.words;
  const std::string mode = spaced(word(words.cut));
  switch (words.at) {
    case ResultAt::window: {
      const std::string full = words.bits ? fmt::format(", in {} bits", *words.bits) : "";
      return fmt::format("{} bits below the window, {}{}", words.keep, mode, full);
    }
    case ResultAt::leading_one: return fmt::format("{} bits behind the leading one, {}", words.keep, mode);
    case ResultAt::format: break;
  }
  return fmt::format("{}, {}", plan.format.name, mode);
}

void sum_block(Page& page, const Trace& trace, const SumSite& site) { SumBlock(page, trace, site).show(); }

void result_lines(Page& page, const ResultStep& step, const ResultPlan& plan) {
  if (sign(step.before) == 0) {
    page.row(step.name, fmt::format("{}   ({})", decimal(step.after), rule_text(plan)));
    return;
  }
  const bool is_integer = plan.words.at == ResultAt::format && plan.format.is_integer();
  const Target target = target_of(step, plan);
  const long last = target.point - target.fraction;
  const std::string cut = bits_below(step.before, last);
  const std::string outcome = outcome_text(step, plan), below = step.lost ? "the lost ones stand below" : "";
  if (cut.empty()) {
    const std::string what = outcome.empty() ? step.lost ? below : "nothing cut" : outcome;
    page.row(step.name, fmt::format("{}   ({}; {})", value_text(step.after, is_integer), rule_text(plan), what));
    return;
  }
  const std::string kept = bits_between(step.before, std::max(floor_log2(step.before), target.point), last);
  page.bits({{step.name, sign(step.before) < 0, pointed(kept, target.fraction), cut,
              fmt::format("x 2^{}: {}{}", target.point, rule_text(plan), below.empty() ? "" : "; " + below)}});
  page.row("",
           fmt::format("= {}{}", value_text(step.after, is_integer), outcome.empty() ? "" : "   (" + outcome + ")"));
}

bool all_zero(const Trace& trace, const SumSite& site) {
  for (const Number& item : trace.items(site.window)) {
    if (!item.is_zero()) return false;
  }
  const Reading left = read_place(trace, site.end - 1);
  return left.cls == Class::finite && sign(left.value) == 0 && !left.negative;
}

std::string passed_on(const Trace& trace, const SumSite& site) {
  const std::vector<Number>& items = trace.items(site.window);
  if (items.size() != 2 || items[0].is_zero() == items[1].is_zero()) return "";
  const Number& whole = items[items[0].is_zero() ? 1 : 0];
  const Reading left = read_place(trace, site.end - 1);
  const bool same = whole.is_finite() && left.cls == Class::finite && sign(left.value - exactly(whole)) == 0;
  if (!same) return "";
  return fmt::format("{} + {} = {}", place(trace, site.align(0)).label, place(trace, site.align(1)).label,
                     value_text(whole));
}

}  // namespace assay::explain
