#include "tb/devices/rtl/export_sum.hpp"

#include <algorithm>

namespace assay {
namespace {

int signed_bits(int value) { return 1 + bit_length(static_cast<std::uint64_t>(value < 0 ? -value - 1 : value)); }

// Of the field that holds the exponent of every term.
int common_exponent_bits(const std::vector<SumEntry>& entries) {
  int bits = 1;
  for (const SumEntry& entry : entries) {
    bits = std::max(bits, entry.numbers.bundle().exponent_bits);
    if (entry.words->empty) bits = std::max(bits, signed_bits(*entry.words->empty));
  }
  return bits;
}

// How far the last bit of a term may stand above the last one that is kept.
int up(const AdderPlan& adder, const SumEntry& entry) {
  const BundleWidths bundle = entry.numbers.bundle();
  const bool fixed = adder.window.exponent == WindowExponent::fixed;
  const int headroom = fixed ? std::max(0, entry.numbers.range.greatest_exponent - adder.window.at) : 0;
  const int above = bundle.absolute ? -adder.sum.range.least_exponent : headroom;
  return std::max(0, *entry.words->keep - bundle.fraction_bits + above);
}

// The cuts of `again` that change something: each keeps less than all before it.
std::vector<Recut> further_cuts(const Input& words) {
  std::vector<Recut> list;
  int keep = words.keep.value_or(0);
  for (const Recut& again : words.again) {
    if (again.keep >= keep) continue;
    list.push_back(again);
    keep = again.keep;
  }
  return list;
}

// How much finer the grid of the first cut is than that of the last.
int finer(const Input& words) {
  const std::vector<Recut> cuts = further_cuts(words);
  return cuts.empty() ? 0 : *words.keep - cuts.back().keep;
}

class Sum {
 public:
  Sum(Sheet& sheet, const SumNames& names, const AdderPlan& adder, const std::vector<SumEntry>& entries)
      : sheet_(sheet),
        names_(names),
        name_(sv_identifier(names.place)),
        adder_(adder),
        entries_(entries),
        exponent_bits_(common_exponent_bits(entries)) {
    for (const SumEntry& entry : entries) count_ += entry.numbers.count;
    aligned_ = {name_ + "_addend", name_ + "_lost"};
  }

  // Whether a bit that remembers what was lost goes on beside the sum, and its name.
  bool joins() const { return adder_.sticky == Sticky::at_result; }
  std::string lost() const { return name_ + "_sum_lost"; }

  // Before a window that may be lost takes anything.
  SumLoss loss() const {
    return {count_, adder_.sum.align_width, name_ + "_addend", name_ + "_lost", name_ + "_any_counts"};
  }

  // From the numbers to their exact sum.
  Wire run() {
    terms();
    window();
    align();
    sheet_.cut(names_.cut + ".align");
    const Wire exact = as_found(reduce());
    const Wire sum = adder_.zero == ZeroSign::ieee ? signed_zero(exact) : exact;
    sheet_.cut(names_.cut + ".reduce");
    return sum;
  }

 private:
  std::string slice(const std::string& what, int first, int count, int width) const {
    const std::string signal = name_ + "_" + what;
    return count == count_ ? signal : sv_slice(signal, first * width, count * width);
  }
  std::string significand(std::size_t entry) const {
    return name_ + "_significand" + (entries_.size() == 1 ? "" : sv_text(static_cast<int>(entry)));
  }
  std::string instance_name(const std::string& what, std::size_t entry) const {
    return name_ + "_" + what + sv_text(static_cast<int>(entry));
  }

  void terms() {
    for (const char* what : {"_counts", "_negative"}) sheet_.declare(name_ + what, count_);
    sheet_.declare(name_ + "_exponent", count_ * exponent_bits_);
    int first = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Wire& in = entries_[i].numbers;
      const BundleWidths bundle = in.bundle();
      std::vector<Connection> parameters{{"Terms", sv_text(in.count)},
                                         {"InExponentWidth", sv_text(bundle.exponent_bits)},
                                         {"SignificandWidth", sv_text(bundle.significand_bits)},
                                         {"ExponentWidth", sv_text(exponent_bits_)}};
      if (const auto empty = entries_[i].words->empty; empty && !in.absent) {
        parameters.emplace_back("HasEmpty", sv_text(true));
        parameters.emplace_back("Empty", sv_text(*empty));
      }
      sheet_.declare(significand(i), in.count * bundle.significand_bits);
      sheet_.instance("assay_term", instance_name("term", i), parameters,
                      {{"number_i", in.name},
                       {"counts_o", slice("counts", first, in.count, 1)},
                       {"negative_o", slice("negative", first, in.count, 1)},
                       {"exponent_o", slice("exponent", first, in.count, exponent_bits_)},
                       {"significand_o", significand(i)}});
      first += in.count;
    }
  }

  void window() {
    const Window& words = adder_.window;
    sheet_.declare(name_ + "_window", adder_.sum.window_exponent_bits);
    sheet_.declare(name_ + "_any_counts", 1);
    std::vector<Connection> parameters{{"Terms", sv_text(count_)},
                                       {"ExponentWidth", sv_text(exponent_bits_)},
                                       {"WindowWidth", sv_text(adder_.sum.window_exponent_bits)},
                                       {"Fixed", sv_text(words.exponent == WindowExponent::fixed)},
                                       {"At", sv_text(words.at)},
                                       {"HasFloor", sv_text(words.floor.has_value())},
                                       {"Floor", sv_text(words.floor.value_or(0))},
                                       {"Step", sv_text(words.step)}};
    if (words.raise != 0) parameters.emplace_back("Raise", sv_text(words.raise));
    if (words.step_from != 0) parameters.emplace_back("From", sv_text(words.step_from));
    if (words.lost_at) {
      parameters.emplace_back("HasLostAt", sv_text(true));
      parameters.emplace_back("LostAt", sv_text(*words.lost_at));
    }
    sheet_.instance("assay_window", name_ + "_window", parameters,
                    {{"counts_i", name_ + "_counts"},
                     {"exponent_i", name_ + "_exponent"},
                     {"window_o", name_ + "_window"},
                     {"counts_o", name_ + "_any_counts"}});
    sheet_.probe(name_ + "_window");
  }

  std::vector<Connection> alignment(const SumEntry& entry) const {
    const SumPlan& sum = adder_.sum;
    const BundleWidths bundle = entry.numbers.bundle();
    std::vector<Connection> list{{"Terms", sv_text(entry.numbers.count)},
                                 {"ExponentWidth", sv_text(exponent_bits_)},
                                 {"SignificandWidth", sv_text(bundle.significand_bits)},
                                 {"FractionBits", sv_text(bundle.fraction_bits)},
                                 {"InAbsolute", sv_text(bundle.absolute)},
                                 {"WindowWidth", sv_text(sum.window_exponent_bits)},
                                 {"Cuts", sv_text(entry.words->keep.has_value())}};
    if (entry.words->keep) {
      list.emplace_back("Keep", sv_text(*entry.words->keep));
      list.emplace_back("Cut", sv_enumerator("Cut", word(entry.words->cut)));
      list.emplace_back("Up", sv_text(up(adder_, entry)));
    }
    if (const auto below = entry.words->lost_below) {
      list.emplace_back("HasLostBelow", sv_text(true));
      list.emplace_back("LostBelow", sv_text(*below));
    }
    list.emplace_back("GridBits", sv_text(grid_bits() + finer(*entry.words)));
    list.emplace_back("GridAbsolute", sv_text(sum.fixed_quantum.has_value()));
    list.emplace_back("AddendWidth", sv_text(sum.align_width + finer(*entry.words)));
    return list;
  }

  // The grid is so far below the window, or below the point.
  int grid_bits() const {
    const SumPlan& sum = adder_.sum;
    return sum.fixed_quantum ? -*sum.fixed_quantum : sum.fraction_bits;
  }

  // Addends and which of them lost ones.
  struct Aligned {
    std::string addend, lost;
  };

  void align() {
    const int width = adder_.sum.align_width;
    declare_addends({name_ + "_addend", name_ + "_lost"}, count_, width);
    int first = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const int count = entries_[i].numbers.count;
      align(i, first, {slice("addend", first, count, width), slice("lost", first, count, 1)});
      first += count;
    }
    if (adder_.window.lost_at) lose();
    sheet_.probe(aligned_.addend, count_);
  }

  void align(std::size_t entry, int first, const Aligned& to) {
    const int count = entries_[entry].numbers.count;
    const std::vector<Recut> cuts = further_cuts(*entries_[entry].words);
    const std::string name = instance_name("align", entry);
    const Aligned finest = cuts.empty() ? to : Aligned{name + "_finest", name + "_finest_lost"};
    if (!cuts.empty()) declare_addends(finest, count, adder_.sum.align_width + finer(*entries_[entry].words));
    sheet_.instance("assay_align", name, alignment(entries_[entry]),
                    {{"negative_i", slice("negative", first, count, 1)},
                     {"exponent_i", slice("exponent", first, count, exponent_bits_)},
                     {"significand_i", significand(entry)},
                     {"window_i", name_ + "_window"},
                     {"addend_o", finest.addend},
                     {"lost_o", finest.lost}});
    if (!cuts.empty()) cut_again(name, entries_[entry], cuts, finest, to);
  }

  // The last cut leaves the sum's own grid.
  void cut_again(const std::string& name, const SumEntry& entry, const std::vector<Recut>& cuts, Aligned from,
                 const Aligned& to) {
    const int count = entry.numbers.count, drop = finer(*entry.words);
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const bool is_last = i + 1 == cuts.size();
      const std::string own = name + "_again" + sv_text(static_cast<int>(i));
      const Aligned next = is_last ? to : Aligned{own, own + "_lost"};
      if (!is_last) declare_addends(next, count, adder_.sum.align_width + drop);
      sheet_.instance("assay_recut", own,
                      {{"Terms", sv_text(count)},
                       {"WindowWidth", sv_text(adder_.sum.window_exponent_bits)},
                       {"Keep", sv_text(cuts[i].keep)},
                       {"Cut", sv_enumerator("Cut", word(cuts[i].cut))},
                       {"GridBits", sv_text(grid_bits() + drop)},
                       {"GridAbsolute", sv_text(adder_.sum.fixed_quantum.has_value())},
                       {"InWidth", sv_text(adder_.sum.align_width + drop)},
                       {"Drop", sv_text(is_last ? drop : 0)}},
                      {{"addend_i", from.addend},
                       {"lost_i", from.lost},
                       {"window_i", name_ + "_window"},
                       {"addend_o", next.addend},
                       {"lost_o", next.lost}});
      from = next;
    }
  }

  void declare_addends(const Aligned& signals, int count, int width) {
    sheet_.declare(signals.addend, count * width);
    sheet_.declare(signals.lost, count);
  }

  // The signs of zeros are found among what was there.
  void lose() {
    aligned_ = {name_ + "_left", name_ + "_left_lost"};
    declare_addends(aligned_, count_, adder_.sum.align_width);
    sheet_.instance("assay_lost_window", name_ + "_left",
                    {{"Terms", sv_text(count_)}, {"AddendWidth", sv_text(adder_.sum.align_width)}},
                    {{"counts_i", name_ + "_any_counts"},
                     {"addend_i", name_ + "_addend"},
                     {"lost_i", name_ + "_lost"},
                     {"addend_o", aligned_.addend},
                     {"lost_o", aligned_.lost}});
  }

  Wire reduce() {
    const Wire exact{name_ + "_exact", 1, reduced_range()};
    const int window_bits = std::min(adder_.sum.window_exponent_bits, exact.bundle().exponent_bits);
    sheet_.declare(name_ + "_reduce", adder_.sum.sum_width + (adder_.has_sticky() ? 1 : 0));
    sheet_.declare(exact.name, exact.width());
    std::vector<Connection> parameters{{"Terms", sv_text(count_)},
                                       {"AddendWidth", sv_text(adder_.sum.align_width)},
                                       {"WindowWidth", sv_text(window_bits)},
                                       {"Sticky", sv_text(adder_.sticky == Sticky::below_sum)}};
    if (adder_.sticky == Sticky::at_result) parameters.emplace_back("LostBeside", sv_text(true));
    if (adder_.cancelled == Cancelled::none) parameters.emplace_back("ZeroCounts", sv_text(false));
    const std::string number = joins() ? exact.name + "_and_lost" : exact.name;
    if (joins()) sheet_.declare(number, exact.width() + 1);
    sheet_.instance("assay_reduce", name_ + "_reduce", parameters,
                    {{"addend_i", aligned_.addend},
                     {"lost_i", aligned_.lost},
                     {"window_i", window_of(window_bits)},
                     {"counts_i", name_ + "_any_counts"},
                     {"sum_o", name_ + "_reduce"},
                     {"number_o", number}});
    sheet_.probe(name_ + "_reduce");
    if (joins()) part(number, exact);
    return exact;
  }

  // The number, and the bit below it.
  void part(const std::string& number, const Wire& exact) {
    sheet_.assign(exact.name, sv_slice(number, 1, exact.width()));
    sheet_.declare(lost(), 1);
    sheet_.assign(lost(), sv_slice(number, 0, 1));
  }

  // A sum has fewer exponents than its window where a low window is lost.
  std::string window_of(int bits) const {
    const std::string window = name_ + "_window";
    return bits < adder_.sum.window_exponent_bits ? sv_slice(window, 0, bits) : window;
  }

  // Before errata.
  Range reduced_range() const {
    Range range = adder_.sum.range;
    range.integer_bits = adder_.sum.integer_bits + ceil_log2(adder_.sum.items);
    return range;
  }

  Wire as_found(const Wire& sum) {
    if (!adder_.errata.minus_one) return sum;
    const Wire out{name_ + "_found", 1, adder_.sum.range};
    sheet_.declare(out.name, out.width());
    sheet_.instance("assay_minus_one", name_ + "_found",
                    {{"ExponentWidth", sv_text(out.bundle().exponent_bits)},
                     {"InSignificandWidth", sv_text(sum.bundle().significand_bits)},
                     {"SignificandWidth", sv_text(out.bundle().significand_bits)},
                     {"GridBits", sv_text(grid_bits())},
                     {"GridAbsolute", sv_text(adder_.sum.fixed_quantum.has_value())},
                     {"UnitBits", sv_text(*adder_.inputs.front().words.keep)},
                     {"MinusOne", sv_text(*adder_.errata.minus_one)}},
                    {{"number_i", sum.name}, {"number_o", out.name}});
    return out;
  }

  // Which items are absent, the first one lowest.
  std::string absent() const {
    std::string bits;
    for (const SumEntry& entry : entries_)
      bits.insert(0, static_cast<std::size_t>(entry.numbers.count), entry.numbers.absent ? '1' : '0');
    return bits.find('1') == std::string::npos ? "" : sv_text(count_) + "'b" + bits;
  }

  Wire signed_zero(const Wire& sum) {
    const Wire out{name_ + "_signed", 1, sum.range};
    sheet_.declare(out.name, out.width());
    std::vector<Connection> parameters{{"Terms", sv_text(count_)},
                                       {"AddendWidth", sv_text(adder_.sum.align_width)},
                                       {"ExponentWidth", sv_text(sum.bundle().exponent_bits)},
                                       {"SignificandWidth", sv_text(sum.bundle().significand_bits)},
                                       {"RoundsDown", sv_text(adder_.rounds_down())}};
    if (const std::string bits = absent(); !bits.empty()) parameters.emplace_back("Absent", bits);
    sheet_.instance("assay_zero", name_ + "_zero", parameters,
                    {{"negative_i", name_ + "_negative"},
                     {"addend_i", name_ + "_addend"},
                     {"lost_i", name_ + "_lost"},
                     {"number_i", sum.name},
                     {"number_o", out.name}});
    return out;
  }

  Sheet& sheet_;
  const SumNames& names_;
  const std::string name_;
  const AdderPlan& adder_;
  const std::vector<SumEntry>& entries_;
  const int exponent_bits_;
  int count_ = 0;
  Aligned aligned_;  // what is added
};

// `sum`, unless NaNs and infinities among what is added decide.
Wire decided(Stages& stages, const std::string& name, const Wire& sum, const std::vector<SumEntry>& entries) {
  std::vector<Wire> special;
  std::vector<WireElement> candidates;
  for (const SumEntry& entry : entries) {
    if (!entry.numbers.special) continue;
    special.push_back(entry.numbers);
    for (int i = 0; i < entry.numbers.count; ++i) candidates.push_back({&entry.numbers, i});
  }
  if (special.empty()) return sum;
  return stages.decided(name + "_decided", stages.special(name + "_special", special), sum, candidates);
}

std::vector<WireElement> items(const std::vector<SumEntry>& entries) {
  std::vector<WireElement> list;
  for (const SumEntry& entry : entries) {
    for (int i = 0; i < entry.numbers.count; ++i) list.push_back({&entry.numbers, i});
  }
  return list;
}

}  // namespace

Wire wire_sum(Sheet& sheet, Stages& stages, const SumNames& names, const AdderPlan& adder,
              const std::vector<SumEntry>& entries, const SumScales& scales, const std::vector<BitRange>& random) {
  const std::string name = sv_identifier(names.place);
  Sum exact(sheet, names, adder, entries);
  Wire sum = decided(stages, name, exact.run(), entries);
  const std::string inexact = stages.tells_lost() ? stages.inexact(name + "_inexact", exact.loss()) : "";
  sum.raised = stages.raised(sum, items(entries), inexact);
  if (adder.scaled) {
    sum = stages.scale_all(name + "_scale", sum, scales.pair, scales.sides);
    sheet.probe_numbers(sum);
  }
  std::size_t draw = 0;
  for (std::size_t i = 0; i < adder.results.size(); ++i) {
    const std::string suffix = adder.results.size() == 1 ? "_round" : "_round" + sv_text(static_cast<int>(i));
    Stages::Beside beside;
    if (is_stochastic(adder.results[i].words.cut)) beside.random.push_back(random[draw++]);
    if (i == 0 && exact.joins()) beside.lost = exact.lost();
    sum = stages.round(name + suffix, sum, adder.results[i], beside);
    sheet.probe_numbers(sum);
  }
  return sum;
}

}  // namespace assay
