#include "tb/generate/equivalence_of_pieces.hpp"

#include <climits>
#include <numeric>
#include <set>

#include "model/base/text.hpp"
#include "model/core/cut.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

// What a sum is made of, whatever the order: the same text for sums of the same products and sums.
class Contents {
 public:
  // `plan`: whose products the terms are; nullptr where they are what lanes left.
  Contents(const CircuitBlock& block, const std::vector<AdderPlan>& adders, const Plan* plan, const int* order)
      : block_(block), adders_(adders), plan_(plan), order_(order) {}

  std::string of_block() const { return of(block_.result()); }

  // By its element and the bits that are taken of it.
  std::string product(int index) const {
    std::string text = "p" + std::to_string(plan_->element_of(index));
    const int piece = index % plan_->pieces;
    if (plan_->rows) return text + ".row" + std::to_string(piece);
    if (!plan_->is_sliced()) return text;
    const SlicePair& pair = plan_->datapath.slices.pairs[static_cast<std::size_t>(piece)];
    for (const int word :
         {pair.a_from, pair.a_bits.value_or(-1), pair.b_from, pair.b_bits.value_or(-1), plan_->lowered(piece)})
      text += "." + std::to_string(word);
    return text;
  }

 private:
  std::string of(int value) const {
    if (block_.kind(value) == ValueKind::one) return "one";
    if (block_.kind(value) == ValueKind::term) return plan_ == nullptr ? std::to_string(value) : product(order_[value]);
    const SumNode& node = block_.sum_of(value);
    const AdderPlan& adder = adders_[static_cast<std::size_t>(node.adder)];
    std::vector<std::string> items;
    for (const SumItem& item : node.items) {
      const Input& words = adder.inputs[static_cast<std::size_t>(item.input)].words;
      items.push_back(words.source + (item.negate ? "-" : "+") + of(item.value));
    }
    std::sort(items.begin(), items.end());
    return adder.name + "(" + std::accumulate(items.begin(), items.end(), std::string()) + ")";
  }

  const CircuitBlock& block_;
  const std::vector<AdderPlan>& adders_;
  const Plan* plan_;
  const int* order_;
};

// Steps of so many terms at most are compared, and dot products of so many products.
constexpr int most_terms = 128;
constexpr int most_products = 4096;

class Pieces : MutatedPlace {
 public:
  explicit Pieces(const MutatedPlace& place) : MutatedPlace(place) {}

  std::string_view found() const {
    if (no_nan()) return "Every code is a number: no NaN is written.";
    if (same_bits()) return "The slices take the same bits of every number, and have the same exponents.";
    if (compressed_alike()) return "Of five rows or fewer both ways make the same two.";
    if (rows_meet_uncut()) return "All rows are added as they are: their sum is the product, whichever they are.";
    if (pieces_meet_in_one_sum()) return "All slices of an element meet in one sum, whose window the first one sets.";
    if (every_window_is_one(right_) && every_window_is_one(changed_))
      return "Each first sum takes a slice of every element: all windows are one.";
    if (cut_again_alike()) return "What the first cut leaves differs by less than the second one sees.";
    if (ties_before_a_tie()) return "Where the second cut looks, both ways of the first one's ties are one.";
    if (cuts_no_negative_product()) return "No product is negative: both ways of cutting are one.";
    if (only_grows()) return "Nothing negative is added after the first step: sums stop at the greatest number.";
    if (no_window_so_low()) return "No window lies so low.";
    if (same_contents()) return "Every sum adds the same, in another order, and there is one NaN.";
    return {};
  }

 private:
  bool no_nan() const { return starts_with(key_, "nan") && takes_numbers_alone() && !right_.brings_numbers(); }

  // --- slices ---

  // First and last bit, of those that a number has.
  static std::pair<int, int> bits_taken(int from, const std::optional<int>& bits, const Range& r) {
    const int all = r.significand_bits();
    return {from, bits ? std::min(all, from + *bits) : all};
  }
  // Of a product that is no slices', all bits.
  static SlicePair pair_of(const Plan& p, int piece) {
    return p.is_sliced() ? p.datapath.slices.pairs[static_cast<std::size_t>(piece)] : SlicePair{};
  }
  bool same_bits() const {
    if (!starts_with(key_, "slices.") || right_.pieces != changed_.pieces || right_.order != changed_.order ||
        right_.step_terms != changed_.step_terms)
      return false;
    for (int i = 0; i < right_.pieces; ++i) {
      if (right_.lowered(i) != changed_.lowered(i)) return false;
      const SlicePair x = pair_of(right_, i), y = pair_of(changed_, i);
      const Range &a = right_.factor_a.range, &b = right_.factor_b.range;
      if (bits_taken(x.a_from, x.a_bits, a) != bits_taken(y.a_from, y.a_bits, a)) return false;
      if (bits_taken(x.b_from, x.b_bits, b) != bits_taken(y.b_from, y.b_bits, b)) return false;
    }
    return true;
  }

  // --- rows ---

  // A tree takes a second three of six rows and more.
  bool compressed_alike() const {
    if (key_ != "product.rows.compress") return false;
    const RowsPlan& rows = *right_.rows;
    const int further = right_.datapath.product.rows->is_booth() ? 1 : 0;
    return rows.at_first + further <= 5 && 2 * rows.groups() <= 5;
  }

  bool rows_meet_uncut() const {
    if (!starts_with(key_, "product.rows.") || right_.pieces != changed_.pieces) return false;
    const auto takes = [](const AdderPlan& a) {
      return std::any_of(a.inputs.begin(), a.inputs.end(),
                         [](const InputPlan& i) { return i.kind == ValueKind::term; });
    };
    return std::all_of(right_.adders.begin(), right_.adders.end(), [&](const AdderPlan& a) {
      return !takes(a) || (a.groups == 1 && one_sum(a) && exact(a) && !a.has_sticky());
    });
  }

  // An exponent is asked for to find a window, and where one is lost or dropped. The greatest of a term's pieces has
  // that of the operands.
  bool pieces_meet_in_one_sum() const {
    if (key_ != "slices.exponent" || right_.datapath.slices.run != SliceRun::together || right_.datapath.product.empty)
      return false;
    int least_lowered = INT_MAX;
    for (const Plan* p : {&right_, &changed_}) {
      for (int i = 0; i < p->pieces; ++i) {
        const SlicePair& pair = p->datapath.slices.pairs[static_cast<std::size_t>(i)];
        least_lowered = std::min(least_lowered, pair.a_from + pair.b_from);
      }
    }
    const AdderPlan& first = right_.adders.front();
    const InputPlan& products = first.inputs.front();
    const bool takes_all = products.kind == ValueKind::term && first.groups == 1 && one_sum(first);
    const bool alone = std::none_of(right_.adders.begin() + 1, right_.adders.end(), [](const AdderPlan& a) {
      return std::any_of(a.inputs.begin(), a.inputs.end(),
                         [](const InputPlan& i) { return i.kind == ValueKind::term; });
    });
    return least_lowered == 0 && takes_all && alone && !products.words.lost_below && !right_.product_round &&
           right_.datapath.product.exponent == ProductExponent::raw && !right_.datapath.product.infinity_at;
  }

  // Slices have the exponents of their elements. Where each sum of slices alone takes one of every element, its window
  // is that of all of them, and so is that of each sum of sums: every slice is cut there once, and what follows stands
  // on one grid.
  bool every_window_is_one(const Plan& p) const {
    if (key_ != "shape" || adder_ == nullptr || spot_.finish || !slices_have_exponents_of_elements(p)) return false;
    const AdderPlan& a = adder_of(p);
    const Input& words = a.inputs.front().words;
    if (a.inputs.size() > 1 || words.empty || words.lost_below || !words.again.empty() || a.groups > 1) return false;
    if (a.has_sticky() || a.is_scaled() || a.window.lost_at || !a.results.empty()) return false;
    const CircuitBlock& block = p.circuit.step;
    return std::all_of(block.sums.begin(), block.sums.end(), [&](const SumNode& node) {
      return node.adder != spot_.adder || takes_sums(block, node) || sees_every_element(p, node);
    });
  }
  static bool slices_have_exponents_of_elements(const Plan& p) {
    return p.is_sliced() && p.datapath.slices.exponent == SliceExponent::operand && !p.datapath.product.empty &&
           p.datapath.product.exponent == ProductExponent::raw && p.circuit.products.size() == 1 &&
           p.datapath.specials != Specials::operation;
  }
  static bool takes_sums(const CircuitBlock& block, const SumNode& node) {
    return std::any_of(node.items.begin(), node.items.end(),
                       [&](const SumItem& i) { return block.kind(i.value) == ValueKind::sum; });
  }
  static bool sees_every_element(const Plan& p, const SumNode& node) {
    std::set<int> all, seen;
    for (int term = 0; term < p.step_terms; ++term) all.insert(p.element_of(p.order_of(0)[term]));
    for (const SumItem& i : node.items) {
      if (p.circuit.step.kind(i.value) == ValueKind::term) seen.insert(p.element_of(p.order_of(0)[i.value]));
    }
    return seen == all;
  }

  //   keep of the second cut
  //   2^W . . . . . . | h . . . . . . .        h, half of its unit. What reaches h has `bits` bits from there on, and
  //   the
  //                     x x x x x | . .        first cut none of them; what does not reach it is zero after the second.
  bool cut_again_alike() const {
    if (adder_ == nullptr || (key_ != "add.keep" && key_ != "add.cut")) return false;
    const auto item = static_cast<std::size_t>(spot_.item);
    const InputPlan &x = adder_->inputs[item], &y = changed_adder_->inputs[item];
    if (x.words.again.empty() || !(x.words.again == y.words.again) || !x.words.keep || !y.words.keep) return false;
    const Recut& second = x.words.again.front();
    const int needed = second.keep + x.range.significand_bits() + 1;
    return is_nearest(second.cut) && !adder_->has_sticky() && !x.range.fixed_quantum &&
           std::min(*x.words.keep, *y.words.keep) >= needed;
  }

  // Halves of the first cut's unit are rounded to even, up or away. In its units the second cut's results change at
  // multiples T of 2^(how many bits it cuts - 1), which are even numbers:
  //
  //   second cut up      from T - 1 to T: between these even is T, and so is up
  //   second cut away    the same of magnitudes
  bool ties_before_a_tie() const {
    if (adder_ == nullptr || key_ != "add.cut" || adder_->has_sticky()) return false;
    const auto item = static_cast<std::size_t>(spot_.item);
    const Input &x = adder_->inputs[item].words, &y = changed_adder_->inputs[item].words;
    if (x.again.empty() || !x.keep || *x.keep - x.again.front().keep < 2) return false;
    const Cut second = x.again.front().cut;
    const auto alike = [&](Cut cut) { return cut == Cut::nearest_even || cut == second; };
    return (second == Cut::nearest_up || second == Cut::nearest_away) && alike(x.cut) && alike(y.cut);
  }

  // Toward zero is down then, and away from it up.
  bool cuts_no_negative_product() const {
    if (adder_ == nullptr || spot_.finish || key_ != "add.cut" || !one_sum(*adder_) || !no_negative_products())
      return false;
    const auto item = static_cast<std::size_t>(spot_.item);
    const InputPlan &x = adder_->inputs[item], &y = changed_adder_->inputs[item];
    const auto of_magnitudes = [](Cut cut) {
      return cut == Cut::down ? Cut::toward_zero : cut == Cut::nearest_up ? Cut::nearest_away : cut;
    };
    return x.kind == ValueKind::term && !x.words.negate && of_magnitudes(x.words.cut) == of_magnitudes(y.words.cut);
  }
  // Nothing that is multiplied has a sign, or gets one.
  bool no_negative_products() const {
    const auto wraps = [](const std::optional<ResultPlan>& r) { return r && r->words.overflow == Overflow::wrap; };
    const auto subtracts = [&](const FactorPlan& f) { return f.zero_point || f.zero_points >= 0 || wraps(f.round); };
    const bool scales = (right_.scale && right_.scale->has_sign) ||
                        std::any_of(right_.more.begin(), right_.more.end(), [](const CaseOperand& m) {
                          return m.kind == CaseOperandKind::scale && m.format.has_sign;
                        });
    return !right_.rows && !right_.a.has_sign && !right_.b.has_sign && !scales && !subtracts(right_.factor_a) &&
           !subtracts(right_.factor_b) && !wraps(right_.product_round);
  }

  bool no_window_so_low() const {
    if (adder_ == nullptr || key_ != "window.lost_at") return false;
    for (const AdderPlan* a : {adder_, changed_adder_}) {
      const int lost = a->window.lost_at.value_or(INT_MIN);
      for (const InputPlan& i : a->inputs) {
        if (std::min(i.range.least_exponent, i.words.empty.value_or(INT_MAX)) <= lost) return false;
      }
    }
    return true;
  }

  // --- order ---

  bool same_contents() const {
    const bool of_order = starts_with(key_, "k_order.") || starts_with(key_, "slices.") || key_ == "add" ||
                          key_.find("group.") != std::string::npos;
    const bool one_nan =
        right_.datapath.specials == Specials::numbers || (!right_.nan.propagate && !right_.nan.with_sign);
    if (!of_order || !one_nan || right_.take || right_.random.operand >= 0 || scaled(right_) || scaled(changed_))
      return false;
    if (right_.pieces != changed_.pieces || right_.lanes != changed_.lanes || right_.steps != changed_.steps ||
        right_.step_terms != changed_.step_terms || right_.step_terms > most_terms)
      return false;
    if (errs_otherwise()) return false;
    for (int instance = 0; instance < right_.lanes * right_.steps; ++instance) {
      if (contents(right_, instance) != contents(changed_, instance)) return false;
    }
    return right_.finish.empty() || (contents_of_finish(right_) == contents_of_finish(changed_));
  }
  static std::string contents(const Plan& p, int instance) {
    return Contents(p.circuit.step, p.adders, &p, p.order_of(instance)).of_block();
  }
  static std::string contents_of_finish(const Plan& p) {
    return Contents(p.circuit.finish, p.finish, nullptr, nullptr).of_block();
  }
  static bool scaled(const Plan& p) {
    const auto is_scaled = [](const AdderPlan& a) { return a.is_scaled(); };
    return std::any_of(p.adders.begin(), p.adders.end(), is_scaled) ||
           std::any_of(p.finish.begin(), p.finish.end(), is_scaled);
  }
  // In units of the first input, which is another one then.
  bool errs_otherwise() const {
    return key_ == "add" && adder_->errata.minus_one &&
           adder_->inputs.front().words.keep != changed_adder_->inputs.front().words.keep;
  }

  // One sum of whole numbers for each step, stopped at the ends of d. What the first step leaves lies between these;
  // then min(x + s, greatest) follow each other, s >= 0, in any order.
  bool only_grows() const {
    const bool of_order = starts_with(key_, "slices.") || starts_with(key_, "k_order.");
    if (!of_order || !no_negative_products() || !stops_at_the_ends(right_) || !stops_at_the_ends(changed_))
      return false;
    if (right_.steps != changed_.steps || right_.step_terms != changed_.step_terms || right_.products() > most_products)
      return false;
    return products_of(right_, 0, 1) == products_of(changed_, 0, 1) &&
           products_of(right_, 1, right_.steps) == products_of(changed_, 1, right_.steps);
  }
  static bool stops_at_the_ends(const Plan& p) {
    const bool integers = p.a.is_integer() && p.b.is_integer() && p.c.is_integer() && p.d.is_integer();
    if (!integers || p.lanes != 1 || !p.finish.empty() || p.adders.size() != 1) return false;
    const AdderPlan& a = p.adders.front();
    if (!one_sum(a) || !exact(a) || a.has_sticky() || a.is_scaled() || a.window.lost_at || a.results.size() != 1)
      return false;
    const ResultPlan& r = a.results.front();
    const bool turns = std::any_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return i.words.negate; });
    return !turns && r.words.at == ResultAt::format && r.format == p.d &&
           (r.words.overflow == Overflow::largest || r.words.overflow == Overflow::symmetric) &&
           a.sum.range.least_quantum() >= p.d.last_place();
  }
  // Of steps first to end - 1, in some order.
  static std::vector<std::string> products_of(const Plan& p, int first, int end) {
    std::vector<std::string> found;
    const Contents contents(p.circuit.step, p.adders, &p, nullptr);
    for (int i = first * p.step_terms; i < end * p.step_terms; ++i)
      found.push_back(contents.product(p.order[static_cast<std::size_t>(i)]));
    std::sort(found.begin(), found.end());
    return found;
  }
};

}  // namespace

std::string_view equivalence_of_pieces(const MutatedPlace& place) { return Pieces(place).found(); }

}  // namespace assay
