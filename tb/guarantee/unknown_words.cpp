#include "tb/guarantee/unknown_words.hpp"

#include <algorithm>

#include "model/core/plain_sums.hpp"

namespace assay::guarantee {
namespace {

class Finder {
 public:
  explicit Finder(const Plan& plan) : plan_(plan), words_(plan.datapath) {}

  std::vector<std::string> found() {
    operands();
    products();
    for (const Adder& adder : words_.adders) sum(adder);
    for (const Adder& adder : words_.finish) sum(adder);
    return std::move(found_);
  }

 private:
  void say(bool given, const std::string& word) {
    if (given && std::find(found_.begin(), found_.end(), word) == found_.end()) found_.push_back(word);
  }

  void operands() {
    say(words_.start == Start::none, "`start: none`");
    say(!keeps_nans(words_), "`nans`");
    say(!words_.operands.scales.empty(), "`scales`");
    say(!words_.operands.zero_a.format.empty(), "`zero_a`");
    say(!words_.operands.zero_b.format.empty(), "`zero_b`");
    say(words_.operands.mask.has_value(), "`mask`");
  }

  void products() {
    for (const auto& [factor, name] : {std::pair(&words_.factor_a, "a"), std::pair(&words_.factor_b, "b")}) {
      const std::string path = "`factors." + std::string(name) + ".";
      say(factor->zero_point.has_value(), path + "zero_point`");
      say(factor->round.has_value(), path + "round`");
      say(factor->step != 1, path + "step`");
      say(factor->empty.has_value(), path + "empty`");
    }
    say(!words_.slices.pairs.empty(), "`slices`");
    say(words_.product.rows.has_value(), "`product.rows`");
    say(words_.product.empty.has_value(), "`product.empty`");
    if (words_.product.round) result(*words_.product.round, "product.round");
  }

  void sum(const Adder& adder) {
    const std::string of = " of " + adder.name;
    for (const Input& input : adder.add) {
      say(input.negate, "`negate`" + of);
      say(!input.again.empty(), "`again`" + of);
      say(is_stochastic(input.cut), "`" + std::string(word(input.cut)) + "`" + of);
    }
    const Window& w = adder.window;
    say(w.lost_at.has_value(), "`lost_at`" + of);
    say(w.raise != 0, "`raise`" + of);
    say(w.step_from != 0, "`from`" + of);
    say(adder.cancelled != Cancelled::window, "`cancelled`" + of);
    say(adder.sticky == Sticky::at_result, "`sticky: at_result`" + of);
    say(adder.errata.minus_one.has_value(), "`errata`" + of);
    for (const Result& r : adder.results) result(r, adder.name);
  }

  void result(const Result& r, const std::string& of) {
    say(r.bits.has_value(), "`bits` of " + of);
    say(is_stochastic(r.cut), "`" + std::string(word(r.cut)) + "` of " + of);
  }

  const Plan& plan_;
  const Datapath& words_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> unknown_words(const Plan& plan) { return Finder(plan).found(); }

}  // namespace assay::guarantee
