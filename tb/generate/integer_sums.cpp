#include "tb/generate/integer_sums.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

// The least and the greatest that a whole number can be.
struct Extent {
  i128 least = 0, greatest = 0;
};

Extent of_format(const Format& f) {
  const i128 codes = i128{1} << f.stored_bits;
  return f.has_sign ? Extent{-codes / 2, codes / 2 - 1} : Extent{0, codes - 1};
}

Extent times(const Extent& x, const Extent& y) {
  const auto [least, greatest] =
      std::minmax({x.least * y.least, x.least * y.greatest, x.greatest * y.least, x.greatest * y.greatest});
  return {least, greatest};
}

bool within(const Extent& x, const Extent& y) { return x.least >= y.least && x.greatest <= y.greatest; }

bool exact(const AdderPlan& a) {
  return std::all_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return i.words.loses_nothing(); });
}

// Integers of at most 32 bits multiplied and added exactly in one lane, each result in d's format.
bool adds_whole(const Plan& p) {
  const bool integers = p.d.is_integer() && !mixes_kinds(p) && point_in(p) == nullptr && magnitude_in(p) == nullptr &&
                        !p.changes_numbers() && adds_whole_products(p);
  const bool narrow = p.a.stored_bits <= 32 && p.b.stored_bits <= 32;
  return integers && narrow && p.lanes == 1 && p.finish.empty() &&
         std::all_of(p.adders.begin(), p.adders.end(), [&](const AdderPlan& a) {
           return exact(a) && !a.has_sticky() && a.results.size() <= 1 &&
                  std::all_of(a.results.begin(), a.results.end(),
                              [&](const ResultPlan& r) { return r.words.at == ResultAt::format && r.format == p.d; });
         });
}

bool clamps(Overflow overflow) { return overflow == Overflow::largest || overflow == Overflow::symmetric; }
Overflow last_overflow(const Plan& p) { return p.last_adder().results.back().words.overflow; }

// Every sum stops at the ends of d, in the same way.
bool clamps_each(const Plan& p) {
  return clamps(last_overflow(p)) && std::all_of(p.adders.begin(), p.adders.end(), [&](const AdderPlan& a) {
           return a.results.size() == 1 && a.results.front().words.overflow == last_overflow(p);
         });
}

// Sums one after the other; nothing, with which the first step may begin, adds nothing to what the others are.
class Sums {
 public:
  explicit Sums(const Plan& p)
      : p_(p), d_(of_format(p.d)), product_{times(of_format(p.a), of_format(p.b))}, clamps_each_(clamps_each(p)) {
    if (last_overflow(p) == Overflow::symmetric) d_.least = -d_.greatest;
  }

  // Of the whole sum, as it is before it is brought into d's range: where no sum before it leaves that range, or all
  // that follow hand it on as it is, or what stops at the greatest number stays there, as nothing that is added to it
  // can be less than 0.
  std::optional<Extent> whole() {
    if (p_.product_round && !(p_.product_round->format == p_.d && within(product_.extent, d_))) return std::nullopt;
    Value acc{p_.datapath.start == Start::c ? of_format(p_.c) : Extent{}};
    for (int step = 0; step < p_.steps; ++step) {
      const std::optional<Value> left = add(acc, step == 0 && p_.datapath.start == Start::none);
      if (!left) return std::nullopt;
      acc = *left;
    }
    return acc.extent;
  }
  // Whether any sum but the last one may have stopped, and others were added to it.
  bool stopped_between() const { return stopped_between_; }

 private:
  struct Value {
    Extent extent;
    bool leaves = false;  // d's range, so that it was brought into it
  };

  std::optional<Value> add(const Value& acc, bool absent) {
    const CircuitBlock& block = p_.circuit.step;
    std::vector<Value> values(static_cast<std::size_t>(block.terms), product_);
    values.push_back(acc);
    for (const SumNode& node : block.sums) {
      std::vector<Value> added;
      for (const SumItem& item : node.items) {
        if (absent && item.value == block.one()) continue;
        Value x = values[static_cast<std::size_t>(item.value)];
        if (item.negate && x.leaves && node.items.size() > 1) return std::nullopt;
        if (item.negate) x.extent = {-x.extent.greatest, -x.extent.least};
        added.push_back(x);
      }
      const std::optional<Value> sum = sum_of(added);
      if (!sum) return std::nullopt;
      values.push_back(*sum);
    }
    return values.back();
  }

  std::optional<Value> sum_of(const std::vector<Value>& added) {
    const auto leaves = [](const Value& x) { return x.leaves; };
    const auto left = std::count_if(added.begin(), added.end(), leaves);
    Value sum;
    for (const Value& x : added) {
      sum.extent.least += x.extent.least;
      sum.extent.greatest += x.extent.greatest;
      if (left == 0 || added.size() == 1) continue;
      const bool is_the_one = x.leaves && left == 1;
      if (!clamps_each_ || x.extent.least < (is_the_one ? d_.least : 0)) return std::nullopt;
      stopped_between_ = true;
    }
    sum.leaves = left > 0 || !within(sum.extent, d_);
    return sum;
  }

  const Plan& p_;
  Extent d_;
  const Value product_;
  const bool clamps_each_;
  bool stopped_between_ = false;
};

// How often each value of a step enters what it leaves; less than 0 with its sign turned.
std::vector<std::uint64_t> weights_in(const CircuitBlock& block) {
  std::vector<std::uint64_t> weights(static_cast<std::size_t>(block.values()));
  weights.back() = 1;
  for (std::size_t i = block.sums.size(); i-- > 0;) {
    const std::uint64_t left = weights[static_cast<std::size_t>(block.left_by(i))];
    for (const SumItem& item : block.sums[i].items)
      weights[static_cast<std::size_t>(item.value)] += item.negate ? -left : left;
  }
  return weights;
}

// Of each product by its place in k, then of c.
std::vector<std::uint64_t> weights_of(const Plan& p) {
  const std::vector<std::uint64_t> step = weights_in(p.circuit.step);
  std::vector<std::uint64_t> weights(static_cast<std::size_t>(p.k) + 1);
  for (int lane = 0; lane < p.lanes; ++lane) {
    std::uint64_t left = 1;  // of what this step leaves, in d
    for (int s = p.steps - 1; s >= 0; --s) {
      const int* order = p.step_order(lane, s);
      for (int i = 0; i < p.step_terms; ++i)
        weights[static_cast<std::size_t>(order[i])] = left * step[static_cast<std::size_t>(i)];
      left *= step[static_cast<std::size_t>(p.circuit.step.one())];
    }
    if (p.datapath.start == Start::c) weights.back() += left;
  }
  return weights;
}

}  // namespace

bool weighs_alike(const Plan& x, const Plan& y) { return weights_of(x) == weights_of(y); }

bool sum_integers_alike(const Plan& x, const Plan& y) {
  if (!adds_whole(x) || !adds_whole(y) || !weighs_alike(x, y)) return false;
  Sums sums_of_x(x), sums_of_y(y);
  const std::optional<Extent> of_x = sums_of_x.whole(), of_y = sums_of_y.whole();
  if (!of_x || !of_y) return false;
  const Overflow by_x = last_overflow(x), by_y = last_overflow(y);
  if (by_x == by_y) return true;
  if (sums_of_x.stopped_between() || sums_of_y.stopped_between()) return false;
  Extent d = of_format(x.d);
  d.least = -d.greatest;  // the least that `symmetric` leaves
  const bool never_so_low = of_x->least >= d.least && of_y->least >= d.least;
  return (clamps(by_x) && clamps(by_y) && never_so_low) || (within(*of_x, d) && within(*of_y, d));
}

}  // namespace assay
