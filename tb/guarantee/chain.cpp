#include "tb/guarantee/chain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/text.hpp"
#include "model/core/operand_codes.hpp"
#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"
#include "tb/guarantee/unknown_words.hpp"

namespace assay::guarantee {
namespace {

// So many operations, each one's d the next one's c.
Value operations(const Plan& plan, CircuitWalk& walk, int k, Value c) {
  for (int done = 0; done < k; done += plan.k) c = walk.operation(done == 0 ? c : walk.as_c(std::move(c)));
  return c;
}

// Runs of pieces, each summed from zero.
Value promoted(const Plan& plan, CircuitWalk& walk, const Chain& chain) {
  const Format& f32 = *find_format("f32");
  Value total = walk.software_sum(walk.zero(), walk.c(), f32, "c");
  for (int run = 0; run < chain.split_k; ++run) {
    Value sum = walk.zero();
    for (int from = 0; from < chain.run(); from += chain.piece()) {
      const int k = std::min(chain.piece(), chain.run() - from);
      sum = walk.software_sum(sum, operations(plan, walk, k, walk.zero()), f32, "promotion");
    }
    total = walk.software_sum(total, sum, f32, "split_k");
  }
  return total;
}

// How often each value of a block goes into what it leaves.
std::vector<long> uses(const CircuitBlock& block) {
  std::vector<long> uses(static_cast<std::size_t>(block.values()), 0);
  uses.back() = 1;
  for (std::size_t i = block.sums.size(); i-- > 0;) {
    for (const SumItem& item : block.sums[i].items)
      uses[static_cast<std::size_t>(item.value)] += uses[static_cast<std::size_t>(block.left_by(i))];
  }
  return uses;
}

bool adds_each_term_once(const CircuitBlock& block, const std::vector<long>& uses) {
  return std::all_of(uses.begin(), uses.begin() + block.terms, [](long n) { return n == 1; });
}

// Whether d stands for c and each product once.
bool adds_each_once(const Plan& plan) {
  const std::vector<long> step = uses(plan.circuit.step);
  const long accs = step[static_cast<std::size_t>(plan.circuit.step.one())];
  const bool from_c = plan.datapath.start == Start::c;
  if (!adds_each_term_once(plan.circuit.step, step) || ((from_c || plan.steps > 1) && accs != 1)) return false;
  if (plan.finish.empty()) return from_c;
  const std::vector<long> finish = uses(plan.circuit.finish);
  const long cs = finish[static_cast<std::size_t>(plan.circuit.finish.one())];
  return adds_each_term_once(plan.circuit.finish, finish) && cs == (from_c ? 0 : 1);
}

bool has_lasting(const Shares& shares) {
  return std::any_of(shares.begin(), shares.end(), [](const auto& s) { return s.first.cause == NoneWhere::never; });
}

// Elements that keep their values, with lesser exponents at most: no window is higher than without the word, no sum
// drops more, and every bound of the datapath without it holds.
bool widens_alone(const Plan& plan) { return plan.more.empty() && keeps_values(plan) && raises_no_exponent(plan); }

}  // namespace

std::string unit_problem(const Plan& plan) {
  const bool plain = adds_as_given(plan) && adds_whole_products(plan);
  if (plain && (!plan.takes_more() || widens_alone(plan))) return "";
  const std::vector<std::string> words = unknown_words(plan);
  return fmt::format("Nothing is known to hold for {}; guarantee takes datapaths without {}.", joined(words, " and "),
                     words.size() == 1 ? "it" : "them");
}

std::string unspoken(const Plan& plan) {
  if (const Format* list = list_in(plan))
    return "Nothing is promised of this datapath: " + list->name +
           (list->is_list() ? " is a list of values, and no bound is derived here of rounding to one."
                            : " has no mantissa, and no bound is derived here of a format without one.");
  if (const Format* integer = point_in(plan))
    return "Nothing is promised of this datapath: " + integer->name +
           " has bits after the point, and the bounds here are of whole numbers and of floats.";
  if (const Format* integer = magnitude_in(plan))
    return "Nothing is promised of this datapath: " + integer->name +
           " is a sign and a magnitude, and the bounds here are of two's complement and of floats.";
  if (mixes_kinds(plan)) return "Nothing is promised of this datapath, since integers and floats meet in it.";
  if (plan.nan.with_sign) return "Nothing is promised of this datapath, since its NaNs are signed (`nan: signed`).";
  if (result_beyond(plan) != nullptr)
    return "Nothing is promised of this datapath, since a result says of what it cannot hold that it becomes something "
           "else than an infinity or the number next to it.";
  return unit_problem(plan);
}

std::string sum_problem(const Plan& plan) {
  if (adds_each_once(plan)) return "";
  return "Nothing is promised of this datapath, since d is not c and each product once: a sum takes part in two "
         "others.";
}

std::string chain_problem(const Plan& plan, const Chain& chain) {
  if (std::string why = unspoken(plan); !why.empty()) return why;
  if (std::string why = sum_problem(plan); !why.empty()) return why;
  if (chain.k < plan.k || chain.k % plan.k != 0 || chain.k > greatest_k)
    return fmt::format("K is {}; it must be a multiple of the instruction's {}, and at most {}.", chain.k, plan.k,
                       greatest_k);
  if (chain.promoted() && (plan.d.is_integer() || plan.d.mantissa_bits > 23 || plan.d.exponent_bits > 8))
    return fmt::format("Partial sums are added in f32, which does not hold every {}.", plan.d.name);
  if (chain.split_k < 1 || chain.k % chain.split_k != 0 || chain.run() % plan.k != 0)
    return fmt::format("K is {}; {} runs of it are not whole numbers of operations of {} terms.", chain.k,
                       chain.split_k, plan.k);
  if (chain.promote_every < 0 || chain.promote_every % plan.k != 0)
    return fmt::format("Sums are promoted every {} values, which is no multiple of the instruction's {}.",
                       chain.promote_every, plan.k);
  if (std::min(chain.piece(), chain.run()) > plan.k && !(plan.c == plan.d))
    return fmt::format("Several operations along K need c and d of one format; this one has {} and {}.", plan.c.name,
                       plan.d.name);
  return "";
}

bool Promise::always_absolute() const { return has_lasting(bound.below.absolute) || has_lasting(bound.above.absolute); }

Promise promise(const Plan& plan, const Chain& chain, Reference reference, Signs signs, CircuitWalk::Places without) {
  CircuitWalk walk(plan, reference, signs, std::move(without));
  const Value d = chain.promoted() ? promoted(plan, walk, chain) : operations(plan, walk, chain.k, walk.c());
  return {reference, signs, d.error, walk.limits(), walk.last_place()};
}

}  // namespace assay::guarantee
