#include "tb/source/c_sums.hpp"

#include <algorithm>
#include <set>

#include "model/base/text.hpp"
#include "tb/source/c_formats.hpp"
#include "tb/source/c_round.hpp"
#include "tb/source/fill.hpp"

namespace assay {
namespace {

// How items of one kind enter a sum.
struct Entry {
  Input words;

  bool operator==(const Entry& o) const {
    return words.keep == o.words.keep && words.cut == o.words.cut && words.empty == o.words.empty &&
           words.lost_below == o.words.lost_below && words.again == o.words.again;
  }
};

class SumText {
 public:
  SumText(const Plan& plan, const CWords& words, const CSums& sums, const CircuitBlock& block,
          const std::vector<AdderPlan>& adders, std::size_t index, const std::string& prefix)
      : plan_(plan), w_(words), sums_(sums), block_(block), adder_(adders[index]), name_(prefix + adder_.name) {
    for (std::size_t i = 0; i < block.sums.size(); ++i) {
      if (block.sums[i].adder == static_cast<int>(index)) nodes_.push_back(static_cast<int>(i));
    }
    items_ = static_cast<int>(first().items.size());
    for (const InputPlan& input : adder_.inputs) {
      const Entry entry{input.words};
      const auto found = std::find(entries_.begin(), entries_.end(), entry);
      entry_of_.push_back(static_cast<int>(found - entries_.begin()));
      if (found == entries_.end()) entries_.push_back(entry);
    }
  }

  CAdder run() const {
    CAdder made{name_, "add_" + name_ + "_places_t", places(), nodes_};
    made.text += window();
    for (std::size_t i = 0; i < entries_.size(); ++i) made.text += align(i);
    made.text += reduce();
    for (std::size_t i = 0; i < adder_.results.size(); ++i)
      made.text += c_round(w_, {round_name(i), own_name(), i == 0 && joins_at_result()}, adder_.results[i]);
    made.text += add();
    return made;
  }

 private:
  const SumNode& node(int index) const { return block_.sums[static_cast<std::size_t>(index)]; }
  const SumNode& first() const { return node(nodes_.front()); }
  const std::string& own_name() const { return adder_.name; }
  bool is_exact() const { return adder_.sum.arithmetic != Arithmetic::native; }
  std::string sum_type() const { return is_exact() ? "register_t" : "magnitude_t"; }
  std::string count() const { return std::to_string(items_); }
  bool is_ieee() const { return adder_.zero == ZeroSign::ieee; }
  bool has_absent() const { return plan_.datapath.start == Start::none; }
  bool is_fixed() const { return adder_.window.exponent == WindowExponent::fixed; }
  bool joins_at_result() const { return adder_.sticky == Sticky::at_result; }
  bool has_sticky_bit() const { return adder_.sticky == Sticky::below_sum; }
  // Whether anybody asks if ones are lost.
  bool tells_lost() const { return adder_.has_sticky() || w_.carried.raised; }

  std::string round_name(std::size_t i) const {
    return "round_" + name_ + (adder_.results.size() == 1 ? "" : "_" + std::to_string(i));
  }

  // The number of a row is that of the adder's sum, the column that of the item.
  IndexTable table(int (*of)(const SumNode&, const SumItem&, const std::vector<int>&)) const {
    IndexTable t;
    for (const int index : nodes_) {
      t.rows.emplace_back();
      for (const SumItem& item : node(index).items) t.rows.back().push_back(of(node(index), item, entry_of_));
    }
    return t;
  }
  IndexTable entries() const {
    return table([](const SumNode&, const SumItem& item, const std::vector<int>& entry_of) {
      return entry_of[static_cast<std::size_t>(item.input)];
    });
  }
  // Of an item: which way it enters, as an expression; the table goes to `declarations`.
  std::string entry(std::string& declarations) const {
    const IndexTable t = entries();
    if (t.is_one_number()) return std::to_string(t.rows.front().front());
    // All of the first input, then the others: one comparison says it.
    const std::vector<int>& row = t.rows.front();
    const auto change = std::find_if(row.begin(), row.end(), [&](int e) { return e != row.front(); });
    const bool alike = std::all_of(t.rows.begin(), t.rows.end(), [&](const auto& r) { return r == row; });
    if (alike && std::all_of(change, row.end(), [&](int e) { return e == *change; }))
      return "i < " + std::to_string(change - row.begin()) + " ? " + std::to_string(row.front()) + " : " +
             std::to_string(*change);
    return looked_up(t, "entry", "which", "i", declarations);
  }
  bool has_one_entry() const { return entries().is_one_number(); }
  bool needs_which() const { return nodes_.size() > 1; }

  // --- places ---

  std::string places() const {
    std::string results;
    if (adder_.results.size() == 1) results = "  number_t round;\n";
    if (adder_.results.size() > 1) results = "  number_t round[" + std::to_string(adder_.results.size()) + "];\n";
    return fill(R"(
// What can be seen of one sum of adder @own@.
typedef struct {
  int32_t window;
  @type@ align[@items@], reduce;  // two's complement of @align@ and @sum@ bits
@sticky@@scale@@results@} add_@name@_places_t;
)",
                {{"own", own_name()},
                 {"name", name_},
                 {"type", sum_type()},
                 {"items", count()},
                 {"align", std::to_string(adder_.sum.align_width)},
                 {"sum", std::to_string(adder_.sum.sum_width)},
                 {"sticky", adder_.has_sticky() ? "  bool sticky;\n" : ""},
                 {"scale", adder_.scaled ? "  number_t scale;\n" : ""},
                 {"results", results}});
  }

  // --- window ---

  std::string counted(std::size_t i) const {
    const std::optional<int>& empty = entries_[i].words.empty;
    if (!empty) return "item[i].exponent";
    const std::string absent = has_absent() ? " && !item[i].absent" : "";
    return "(item[i].exponent == no_exponent" + absent + " ? " + c_text(*empty) + " : item[i].exponent)";
  }

  bool counts_alike() const {
    return std::all_of(entries_.begin(), entries_.end(),
                       [&](const Entry& e) { return e.words.empty == entries_.front().words.empty; });
  }

  // How one item is seen; its table goes to `declarations`.
  std::string window_loop(std::string& declarations) const {
    const std::string each = "  for (int32_t i = 0; i < " + count() + "; ++i)";
    if (counts_alike()) return each + " largest = larger(largest, " + counted(0) + ");\n";
    std::string loop = each + " {\n    const int32_t way = " + entry(declarations) + ";\n";
    for (std::size_t i = 0; i < entries_.size(); ++i)
      loop += "    if (way == " + std::to_string(i) + ") largest = larger(largest, " + counted(i) + ");\n";
    return loop + "  }\n";
  }
  bool window_takes_which() const {
    std::string declarations;
    return window_loop(declarations).find("which") != std::string::npos;
  }

  std::string window() const {
    std::string declarations;
    const std::string loop = window_loop(declarations);
    const std::string largest = fill(R"(
// Stage window of @own@: the largest exponent of @items@ items; none where no item has one.
FN int32_t largest_@name@(const number_t *item@which@) {
@declarations@  int32_t largest = no_exponent;
@loop@  return largest;
}
)",
                                     {{"own", own_name()},
                                      {"name", name_},
                                      {"items", count()},
                                      {"which", window_takes_which() ? ", int32_t which" : ""},
                                      {"declarations", declarations},
                                      {"loop", loop}});
    return largest + fill(
                         "// The exponent that all items are brought to@says@.\n"
                         "FN int32_t window_@name@(@parameter@) @body@\n",
                         {{"name", name_},
                          {"says", is_fixed() ? ", which stands still" : ""},
                          {"parameter", is_fixed() ? "void" : "int32_t largest"},
                          {"body", braced(window_body())}});
  }

  std::string window_body() const {
    const Window& w = adder_.window;
    if (is_fixed()) return "  return " + std::to_string(w.at) + ";\n";
    std::string text, raised;
    if (w.raise != 0)
      raised = std::string(w.floor ? "  if (largest != no_exponent) largest" : "  largest") +
               " += " + std::to_string(w.raise) + ";\n";
    if (w.floor) {
      const std::string floored = "larger(largest, " + std::to_string(*w.floor) + ")";
      if (w.step == 1) return raised + "  return " + floored + ";\n";
      text += raised + "  largest = " + floored + ";\n";
    } else {
      text += "  if (largest == no_exponent) return 0;\n" + raised;
    }
    return text + (w.step == 1 ? "  return largest;\n" : stepped());
  }

  std::string stepped() const {
    const std::string step = std::to_string(adder_.window.step);
    const int from = adder_.window.step_from;
    return "  const int32_t above = ((" + (from == 0 ? "largest" : "(largest - " + c_text(from) + ")") + " % " + step +
           ") + " + step + ") % " + step + ";  // a multiple of " + step +
           (from == 0 ? "" : ", counted from " + std::to_string(from)) +
           "\n  return above == 0 ? largest : largest + " + step + " - above;\n";
  }

  // --- align ---

  std::string align_name(std::size_t i) const {
    return "align_" + name_ + (entries_.size() == 1 ? "" : "_" + std::to_string(i));
  }

  std::string sources(std::size_t entry) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < adder_.inputs.size(); ++i) {
      if (entry_of_[i] == static_cast<int>(entry)) names.push_back(adder_.inputs[i].words.source);
    }
    return joined(names);
  }

  std::string grid() const {
    const SumPlan& s = adder_.sum;
    return s.fixed_quantum ? std::to_string(*s.fixed_quantum) : "window - " + std::to_string(s.fraction_bits);
  }

  std::string align(std::size_t i) const {
    const Input& words = entries_[i].words;
    const bool cuts = words.keep || !words.again.empty();
    const bool uses_window = !adder_.sum.fixed_quantum || words.keep || words.lost_below || !words.again.empty();
    const std::string zero = is_exact() ? "r_zero()" : w_.literal(0);
    const std::string lost = tells_lost() ? "    *lost = true;\n" : "";
    std::string body = "  if (n.kind != kind_finite || is_zero(n)) return " + zero + ";\n";
    if (words.lost_below)
      body += "  if (n.exponent != no_exponent && n.exponent < window - " + std::to_string(*words.lost_below) +
              ") {\n" + lost + "    return " + zero + ";\n  }\n";
    std::string m = "n.magnitude", quantum = "n.quantum";
    if (cuts && leaves_grid(words)) {
      m = c_cut(words.cut, "n.magnitude", grid() + " - n.quantum", "n.negative");
      return align_function(
          i, uses_window,
          body + "  const magnitude_t m = " + m + ";\n  return n.negative ? " + w_.minus("m") + " : m;\n");
    }
    if (cuts) {
      body += "  magnitude_t m = n.magnitude;\n  int32_t quantum = n.quantum;\n";
      if (words.keep) body += cut(*words.keep, words.cut);
      for (const Recut& again : words.again) body += cut(again.keep, again.cut);
      body += "  if (" + w_.is_zero("m") + ") return " + zero + ";\n";
      m = "m", quantum = "quantum";
    }
    const std::string by = quantum + " - (" + grid() + ")";
    const std::string addend = is_exact() ? "r_shifted(" + m + ", " + by + ")" : "m_left(" + m + ", " + by + ")";
    body += "  const " + sum_type() + " addend = " + addend + ";\n  return n.negative ? " +
            (is_exact() ? "r_minus(addend)" : w_.minus("addend")) + " : addend;\n";
    return align_function(i, uses_window, body);
  }

  std::string align_function(std::size_t i, bool uses_window, const std::string& body) const {
    const Input& words = entries_[i].words;
    return fill(R"(
// Stage align of @own@ (@sources@): an item on the grid of the window, in two's complement of @width@ bits.
//
@drawing@FN @type@ @function@(number_t n@window@@lost@) {
@body@}
)",
                {{"own", own_name()},
                 {"sources", sources(i)},
                 {"width", std::to_string(adder_.sum.align_width)},
                 {"drawing", drawing(words)},
                 {"type", sum_type()},
                 {"function", align_name(i)},
                 {"window", uses_window ? ", int32_t window" : ""},
                 {"lost", loses(i) ? ", bool *lost" : ""},
                 {"body", body}});
  }

  // One cut that leaves the last bit where the grid has it, and nobody asks what was lost.
  bool leaves_grid(const Input& words) const {
    return !is_exact() && !tells_lost() && words.keep && words.again.empty() && !adder_.sum.fixed_quantum &&
           *words.keep == adder_.sum.fraction_bits;
  }

  // Whether ones of it may be lost, and anybody asks.
  bool loses(std::size_t i) const {
    const Input& words = entries_[i].words;
    return tells_lost() && (words.keep || words.lost_below || !words.again.empty());
  }
  bool uses_window(std::size_t i) const {
    const Input& words = entries_[i].words;
    return !adder_.sum.fixed_quantum || words.keep || words.lost_below || !words.again.empty();
  }

  static std::string drawing(const Input& words) {
    if (!words.keep) return "//   s s . f f f f f f           whole: nothing is cut\n";
    return "//   s s . f f f f | x x x       " + std::to_string(*words.keep) +
           " bits f below the window's exponent, x " +
           (words.cut == Cut::toward_zero ? "dropped" : "cut: " + std::string(word(words.cut))) + "\n";
  }

  std::string cut(int keep, Cut how) const {
    const std::string last = "window - " + std::to_string(keep);
    const std::string lost =
        tells_lost() ? "    *lost = *lost || " + w_.is_not_zero("m_low(m, " + last + " - quantum)") + ";\n" : "";
    return "  if (quantum < " + last + ") {\n" + lost +
           "    m = " + c_cut(how, "m", last + " - quantum", "n.negative") + ";\n    quantum = " + last + ";\n  }\n";
  }

  // --- reduce ---

  std::string reduce() const {
    std::string body;
    if (is_exact()) {
      body =
          "  const bool negative = r_is_negative(sum);\n  int32_t below = 0;\n"
          "  const magnitude_t m = r_read(negative ? r_minus(sum) : sum, &below);\n";
    } else {
      body = "  const bool negative = " + w_.is_negative("sum") + ";\n";
    }
    const std::string quantum = grid() + (is_exact() ? " + below" : "") + (has_sticky_bit() ? " - 1" : "");
    std::string m = is_exact() ? "m" : "negative ? " + w_.minus("sum") + " : sum";
    if (!is_exact() && (has_sticky_bit() || joins_at_result())) {
      body += "  const magnitude_t m = " + m + ";\n";
      m = "m";
    }
    if (has_sticky_bit()) m = w_.either("m_left(m, 1)", w_.of_code("(uint64_t)lost")), m = w_.wide ? sticky_wide() : m;
    const std::string number = "a_number(negative, " + m + ", window, " + quantum + ");\n";
    const std::string more = std::string(joins_at_result() ? "  n.lost = lost && " + w_.is_not_zero("m") + ";\n" : "") +
                             (w_.carried.raised ? "  if (lost) n.raised = raises_inexact;\n" : "") +
                             (adder_.errata.minus_one ? minus_one() : "");
    body += more.empty() ? "  return " + number : "  number_t n = " + number + more + "  return n;\n";
    return fill(R"(
// Stage reduce of @own@: the sum of the addends, @width@ bits in two's complement@sticky_says@, as a number.
FN number_t reduce_@name@(@type@ sum, int32_t window@lost@) {
@body@}
)",
                {{"own", own_name()},
                 {"width", std::to_string(adder_.sum.sum_width)},
                 {"sticky_says", has_sticky_bit() ? " above a bit that says whether any lost ones" : ""},
                 {"name", name_},
                 {"type", sum_type()},
                 {"lost", tells_lost() ? ", bool lost" : ""},
                 {"body", body}});
  }

  std::string sticky_wide() const { return "m_plus(m_left(m, 1), m_of(0, (uint64_t)lost))"; }

  // A sum of -1 unit comes out otherwise.
  std::string minus_one() const {
    const std::string unit = "window - " + std::to_string(*adder_.inputs.front().words.keep);
    return "  if (negative && !is_zero(n) && leading(n) == " + unit + " && " +
           w_.is_zero("m_low(n.magnitude, m_bits(n.magnitude) - 1)") +
           ") {  // -1 unit\n    n.magnitude = " + w_.literal(1) + ";\n    n.quantum = window + " +
           std::to_string(*adder_.errata.minus_one) + ";\n  }\n";
  }

  // --- the sum ---

  std::string add() const {
    std::string declarations;
    const IndexTable values =
        table([](const SumNode&, const SumItem& item, const std::vector<int>&) { return item.value; });
    const IndexTable signs =
        table([](const SumNode&, const SumItem& item, const std::vector<int>&) { return item.negate ? 1 : 0; });
    std::string item = "value[" + looked_up(values, "from", "which", "i", declarations) + "]";
    if (signs.is_one_number()) {
      if (signs.rows.front().front() == 1) item = "negated(" + item + ")";
    } else {
      item = looked_up(signs, "turned", "which", "i", declarations) + " != 0 ? negated(" + item + ") : " + item;
    }
    const std::string items_from = gathered(item);
    const std::string addends = this->addends(declarations);
    const std::string finish = results();
    return fill(R"(
// Adder @own@: @items@ items to one number.
FN number_t add_@name@(const number_t *@values@@which@@parameters@, add_@name@_places_t *at) {
@declarations@@gather@  const int32_t largest = largest_@name@(item@largest_which@);
  const int32_t window = window_@name@(@window_of@);
  const bool empty = @empty@;
  if (at) at->window = window;
@addends@@reduce@@zero@@raised@@decided@@finish@  return n;
}
)",
                {{"own", own_name()},
                 {"name", name_},
                 {"items", count()},
                 {"values", stand_as_they_are(item) ? "item" : "value"},
                 {"which", needs_which() ? ", int32_t which" : ""},
                 {"parameters", sums_.parameters(adder_)},
                 {"declarations", declarations},
                 {"decided", decides() ? "  if (is_decided(found)) n = decision(found);\n" : ""},
                 {"raised",
                  w_.carried.raised ? "  n.raised |= found.raised | (empty && !all_zero ? raises_inexact : 0);\n" : ""},
                 {"gather", items_from},
                 {"largest_which", window_takes_which() ? ", which" : ""},
                 {"window_of", is_fixed() ? "" : "largest"},
                 {"empty", emptiness()},
                 {"addends", addends},
                 {"reduce", "  number_t n = reduce_" + name_ + "(sum, window" + (tells_lost() ? ", lost" : "") +
                                ");\n  if (" + has_no_exponent() + ") n.exponent = no_exponent;\n"},
                 {"zero", zero_sign()},
                 {"finish", finish}});
  }

  // Whether NaNs and infinities may be among the items: a step that decides on them leaves none among its terms and
  // acc, but what another sum leaves may be one.
  bool decides() const {
    const bool in_step = &block_ == &plan_.circuit.step;
    if (!in_step || plan_.datapath.specials != Specials::step || w_.carried.raised) return true;
    return std::any_of(nodes_.begin(), nodes_.end(), [&](int index) {
      const auto& items = node(index).items;
      return std::any_of(items.begin(), items.end(),
                         [&](const SumItem& item) { return item.value > plan_.step_terms; });
    });
  }

  bool stand_as_they_are(const std::string& item) const { return !decides() && item == "value[i]"; }

  // The items of a sum: its values as they stand, or one by one.
  std::string gathered(const std::string& item) const {
    if (stand_as_they_are(item)) return "";
    const std::string head = "  for (int32_t i = 0; i < " + count() + "; ++i)";
    const std::string text = "  number_t item[" + count() + "];\n";
    if (!decides()) return text + head + " item[i] = " + item + ";\n";
    return text + fill(R"(  special_t found = @no_special@;
@all_zero@@head@ {
    item[i] = @item@;
    found = special(found, item[i]);
@zeros@  }
)",
                       {{"no_special", w_.no_special()},
                        {"all_zero", w_.carried.raised ? "  bool all_zero = true;\n" : ""},
                        {"head", head},
                        {"item", item},
                        {"zeros", w_.carried.raised ? "    all_zero = all_zero && is_zero(item[i]);\n" : ""}});
  }

  std::string has_no_exponent() const {
    return adder_.cancelled == Cancelled::none ? "empty || " + w_.is_zero("n.magnitude") : "empty";
  }

  std::string emptiness() const {
    const std::string none = "largest == no_exponent";
    return adder_.window.lost_at ? none + " || window <= " + std::to_string(*adder_.window.lost_at) : none;
  }

  std::string addends(std::string& declarations) const {
    const std::string zero = is_exact() ? "r_zero()" : w_.literal(0);
    const std::string sum = is_exact() ? "r_plus(sum, addend)" : w_.plus("sum", "addend");
    std::string call, declared = "    " + sum_type() + " addend = " + zero + ";\n";
    const auto aligned = [&](std::size_t i) {
      return align_name(i) + "(item[i]" + (uses_window(i) ? ", window" : "") + (loses(i) ? ", &lost" : "") + ")";
    };
    if (has_one_entry()) {
      const auto used = static_cast<std::size_t>(entries().rows.front().front());
      declared = "    const " + sum_type() + " addend = empty ? " + zero + " : " + aligned(used) + ";\n";
    } else {
      std::string own;
      const std::string way = entry(own);
      if (declarations.find(" entry[") == std::string::npos) declarations += own;
      call = "    const int32_t way = " + way + ";\n";
      for (std::size_t i = 0; i < entries_.size(); ++i)
        call += "    if (!empty && way == " + std::to_string(i) + ") addend = " + aligned(i) + ";\n";
    }
    return fill(R"(  @type@ sum = @zero@;
@lost@  for (int32_t i = 0; i < @items@; ++i) {
@declared@@call@    sum = @sum@;
    if (at) at->align[i] = addend;
  }
  if (at) at->reduce = sum;
@sticky@)",
                {{"type", sum_type()},
                 {"zero", zero},
                 {"lost", tells_lost() ? "  bool lost = false;\n" : ""},
                 {"items", count()},
                 {"declared", declared},
                 {"call", call},
                 {"sum", sum},
                 {"sticky", adder_.has_sticky() ? "  if (at) at->sticky = lost;\n" : ""}});
  }

  // Of a sum that is zero: zeros of one sign keep it; all else is +0, or -0 where the result rounds down.
  std::string zero_sign() const {
    const std::string is_zero = w_.is_zero("n.magnitude");
    if (!is_ieee()) return "";
    const std::string mixed = adder_.rounds_down() ? "any_negative || any_positive" : "false";
    return fill(R"(  if (@zero@) {
    bool only_zeros = true, any_negative = false, any_positive = false;
    for (int32_t i = 0; i < @items@; ++i) {
      only_zeros = only_zeros && is_zero(item[i]);
      any_negative = any_negative || @negative@;
      any_positive = any_positive || @positive@;
    }
    n.negative = only_zeros && any_negative != any_positive ? any_negative : @mixed@;
  }
)",
                {{"zero", is_zero},
                 {"items", count()},
                 {"negative", has_absent() ? "(!item[i].absent && item[i].negative)" : "item[i].negative"},
                 {"positive", has_absent() ? "(!item[i].absent && !item[i].negative)" : "!item[i].negative"},
                 {"mixed", mixed}});
  }

  std::string results() const {
    std::string text;
    if (adder_.is_scaled()) {
      text += sums_.scaled(adder_.times_scales, adder_.scales, "n", "element");
      text += "  if (at) at->scale = n;\n";
    }
    int draw = 0;
    for (std::size_t i = 0; i < adder_.results.size(); ++i) {
      const bool by_chance = is_stochastic(adder_.results[i].words.cut);
      text += "  n = " + round_name(i) + "(n" + (by_chance ? ", random[" + std::to_string(draw++) + "]" : "") + ");\n";
      text += "  if (at) at->round" + (adder_.results.size() == 1 ? "" : "[" + std::to_string(i) + "]") + " = n;\n";
    }
    return text;
  }

  const Plan& plan_;
  const CWords& w_;
  const CSums& sums_;
  const CircuitBlock& block_;
  const AdderPlan& adder_;
  std::string name_;
  std::vector<int> nodes_;
  int items_ = 0;
  std::vector<Entry> entries_;
  std::vector<int> entry_of_;  // by input
};

}  // namespace

std::string c_name(const std::string& name) {
  static const std::set<std::string> keywords{
      "and",      "asm",      "auto",     "bool",     "break",   "case",      "catch",   "char",
      "class",    "compl",    "const",    "continue", "default", "delete",    "do",      "double",
      "else",     "enum",     "explicit", "export",   "extern",  "false",     "float",   "for",
      "friend",   "goto",     "if",       "inline",   "int",     "long",      "mutable", "namespace",
      "new",      "not",      "operator", "or",       "private", "protected", "public",  "register",
      "restrict", "return",   "short",    "signed",   "sizeof",  "static",    "struct",  "switch",
      "template", "this",     "throw",    "true",     "try",     "typedef",   "typeid",  "typename",
      "union",    "unsigned", "using",    "virtual",  "void",    "volatile",  "while",   "xor"};
  const bool is_type = name.size() > 2 && name.compare(name.size() - 2, 2, "_t") == 0;  // of what is written, maybe
  if (keywords.count(name) != 0 || is_type) return name + "_";
  return name.front() >= '0' && name.front() <= '9' ? "x_" + name : name;
}

CAdder CSums::adder(const CircuitBlock& block, const std::vector<AdderPlan>& adders, std::size_t index,
                    const std::string& prefix) const {
  return SumText(plan_, w_, *this, block, adders, index, prefix).run();
}

std::string CSums::parameters(const AdderPlan& adder) const {
  std::string text;
  if (adder.is_scaled()) text += ", int32_t element";
  if (adder.times_scales) text += ", const number_t *scales_a, const number_t *scales_b";
  for (const int scale : adder.scales) text += ", const number_t *" + c_numbers(plan_, scale);
  if (adder.draws() > 0) text += ", const " + c_random_type(plan_) + " *random";
  return text;
}

std::string CSums::arguments(const AdderPlan& adder, const std::string& element, const std::string& draw) const {
  std::string text;
  if (adder.is_scaled()) text += ", " + element;
  if (adder.times_scales) text += ", scales_a, scales_b";
  for (const int scale : adder.scales) text += ", " + c_numbers(plan_, scale);
  if (adder.draws() > 0) text += ", random + " + draw;
  return text;
}

std::string CSums::scaled(bool by_pair, const std::vector<int>& others, const std::string& number,
                          const std::string& index) const {
  std::string text;
  if (by_pair) {
    const std::string block = c_block(index, plan_.scale_block);
    text += "  " + number + " = scale_by_pair(" + number + ", scales_a[" + block + "], scales_b[" + block + "]);\n";
  }
  for (const int scale : others)
    text += "  " + number + " = scale(" + number + ", " + c_numbers(plan_, scale) + "[" +
            c_block(index, plan_.more[static_cast<std::size_t>(scale)].block) + "]);\n";
  return text;
}

std::string c_numbers(const Plan& plan, int operand) {
  return "numbers_" + plan.more[static_cast<std::size_t>(operand)].name;
}

std::string c_random_type(const Plan& plan) {
  return c_code_type(plan.more[static_cast<std::size_t>(plan.random.operand)].format);
}

std::string c_block(const std::string& index, int block) {
  const bool is_formula = index.find(' ') != std::string::npos;
  return block == 1 ? index : (is_formula ? "(" + index + ")" : index) + " / " + std::to_string(block);
}

}  // namespace assay
