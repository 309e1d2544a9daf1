// One changed word of one plan: what stands at its place, before and after. What arguments begin with.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/generate/mutations.hpp"

namespace assay {

class MutatedPlace {
 public:
  MutatedPlace(const Plan& right, const Plan& changed, const Spot& spot)
      : right_(right), changed_(changed), spot_(spot), key_(spot.key) {
    if (spot_.adder < 0) return;
    adder_ = &adder_of(right_);
    changed_adder_ = &adder_of(changed_);
  }

 protected:
  const AdderPlan& adder_of(const Plan& p) const {
    return (spot_.finish ? p.finish : p.adders)[static_cast<std::size_t>(spot_.adder)];
  }
  // A block of the right plan with its adders.
  struct Wired {
    const CircuitBlock& block;
    const std::vector<AdderPlan>& adders;

    const AdderPlan& adder_of(const SumNode& node) const { return adders[static_cast<std::size_t>(node.adder)]; }
  };
  Wired steps() const { return {right_.circuit.step, right_.adders}; }
  Wired finish() const { return {right_.circuit.finish, right_.finish}; }
  Wired wired() const { return spot_.finish ? finish() : steps(); }
  bool of_adder(std::string_view key) const { return adder_ != nullptr && key_ == key; }
  const ResultPlan& result() const {
    return adder_ == nullptr ? *right_.product_round : adder_->results[static_cast<std::size_t>(spot_.item)];
  }
  const ResultPlan& changed_result() const {
    return adder_ == nullptr ? *changed_.product_round : changed_adder_->results[static_cast<std::size_t>(spot_.item)];
  }
  // The key within a result, of an adder or of the products.
  bool of_result(std::string_view key) const {
    if (adder_ == nullptr) return right_.product_round && key_ == "product.round" + std::string(key);
    return key_ == "result" + std::string(key);
  }

  // No operand, and no code of d, is infinite or NaN, but for a list's NaN among its numbers.
  bool takes_numbers_alone() const {
    const auto formats = {&right_.a, &right_.b, &right_.c, &right_.d};
    return right_.datapath.specials == Specials::numbers && !right_.scale &&
           std::none_of(formats.begin(), formats.end(),
                        [](const Format* f) { return f->nan != NanCodes::none || f->has_infinity; });
  }

  static bool exact(const AdderPlan& a) {
    return std::all_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return i.words.loses_nothing(); });
  }
  static bool first_result_is_a_format(const AdderPlan& a) {
    return !a.results.empty() && a.results.front().words.at == ResultAt::format;
  }
  static bool reads_window(const AdderPlan& a) {
    return std::any_of(a.results.begin(), a.results.end(),
                       [](const ResultPlan& r) { return r.words.at == ResultAt::window; });
  }
  static bool one_sum(const AdderPlan& a) { return a.sums() == 1; }

  const Plan& right_;
  const Plan& changed_;
  const Spot& spot_;
  const std::string& key_;
  const AdderPlan* adder_ = nullptr;
  const AdderPlan* changed_adder_ = nullptr;
};

}  // namespace assay
