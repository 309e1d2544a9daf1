#include "tb/guarantee/against.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/core/fields.hpp"
#include "tb/explain/exact.hpp"

namespace assay::guarantee {
namespace {

bool same_format(const Format& x, const Format& y) { return x.name == y.name && same(x, y); }

bool says_d(const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(), [](const Result& r) { return r.format == "d"; });
}

// Both make the same errors wherever both do the same to the same values: places from the operands on, as long as every
// word is alike.
class Alike {
 public:
  Alike(const Plan& x, const Plan& y)
      : x_(x), y_(y), words_x_(x.datapath), words_y_(y.datapath), same_d_(same_format(x.d, y.d)) {}

  CircuitWalk::Places places() {
    if (!same(words_x_.formats, words_y_.formats)) return {};
    const bool a = words_x_.subnormals_a == words_y_.subnormals_a && factors(words_x_.factor_a, words_y_.factor_a);
    const bool b = words_x_.subnormals_b == words_y_.subnormals_b && factors(words_x_.factor_b, words_y_.factor_b);
    const bool c = words_x_.subnormals_c == words_y_.subnormals_c && x_.widen_c == y_.widen_c;
    if (a) places_.push_back("decode.a");
    if (b) places_.push_back("decode.b");
    if (c) places_.push_back("decode.c");
    if (!a || !b || !products()) return places_;
    places_.push_back("multiply.");
    sums(c);
    return places_;
  }

 private:
  bool factors(const Factor& x, const Factor& y) const {
    return same(x, y) && (same_d_ || !x.round || x.round->format != "d");
  }

  bool products() const {
    const std::optional<Result>& round = words_x_.product.round;
    return same(words_x_.product, words_y_.product) && (same_d_ || !round || round->format != "d");
  }

  bool adders(const std::vector<Adder>& x, const std::vector<Adder>& y, std::size_t i) const {
    return i < x.size() && i < y.size() && same(x[i], y[i]) && (same_d_ || !says_d(x[i].results));
  }

  // Acc is the same in both in the first step, and in the others where all adders are alike.
  void sums(bool same_c) {
    if (x_.order != y_.order || x_.lanes != y_.lanes || x_.steps != y_.steps || words_x_.start != words_y_.start)
      return;
    const std::vector<Adder>&own = words_x_.adders, &other = words_y_.adders;
    std::size_t alike = 0;
    while (adders(own, other, alike)) ++alike;
    const bool all = alike == own.size() && alike == other.size();
    const bool read_alike = all && words_x_.subnormals_acc == words_y_.subnormals_acc;
    const bool same_acc = (words_x_.start == Start::zero || same_c) && (read_alike || x_.steps == 1);
    const auto takes_acc = [](const Adder& adder) {
      return std::any_of(adder.add.begin(), adder.add.end(), [](const Input& i) { return i.source == "acc"; });
    };
    for (std::size_t i = 0; i < alike && (same_acc || !takes_acc(own[i])); ++i)
      places_.push_back("step." + own[i].name + ".");
  }

  const Plan &x_, &y_;
  const Datapath &words_x_, &words_y_;
  bool same_d_;
  CircuitWalk::Places places_;
};

Apart apart_against(Reference reference, const Plan& x, const Plan& y, const Chain& chain,
                    const CircuitWalk::Places& alike) {
  Apart found{reference, {}, {}};
  for (const Signs signs : {Signs::any, Signs::positive}) {
    const Bound own = promise(x, chain, reference, signs, alike).bound;
    const Bound other = promise(y, chain, reference, signs, alike).bound;
    // x above and y below the exact sum, or the other way round.
    const Amount up = own.above.amount() + other.below.amount(), down = own.below.amount() + other.above.amount();
    Amount& apart = signs == Signs::any ? found.any : found.positive;
    apart.relative = std::max(up.relative, down.relative);
    apart.absolute = std::max(up.absolute, down.absolute);
  }
  return found;
}

class Search {
 public:
  Search(const Plan& x, const Plan& y) : x_(x), y_(y) {}

  std::optional<ApartWitness> run() {
    for (const Plan* plan : {&x_, &y_}) {
      for (const Designed& designed : designed_cases(*plan)) see(designed.one, designed.built);
    }
    if (!best_) return best_;
    const std::string built = best_->built;
    sharpen(x_, best_->one, [&](const Case& one) { return see(one, built); });
    return best_;
  }

 private:
  bool see(const Case& one, const std::string& built) {
    const Code x = dot(x_, one.operand(), registers_), y = dot(y_, one.operand(), registers_);
    const Measured m = measure(x_, one, x), n = measure(y_, one, y);
    if (!m.finite || !n.finite || sgn(m.sum) == 0) return false;
    const Rational apart = abs(m.error - n.error);
    if (sgn(apart) == 0 || (best_ && apart / m.sum <= best_->apart / best_->sum)) return false;
    best_ = ApartWitness{one, x, y, apart, m.sum, built};
    return true;
  }

  const Plan &x_, &y_;
  std::optional<ApartWitness> best_;
  Registers registers_;
};

}  // namespace

std::string against_problem(const Plan& x, const Plan& y) {
  const auto part = [](const char* what, const std::string& own, const std::string& other) {
    return fmt::format("The two units do not take the same operands: {} is {} here and {} there.", what, own, other);
  };
  if (x.k != y.k) return part("k", std::to_string(x.k), std::to_string(y.k));
  if (!same_format(x.a, y.a)) return part("a", x.a.name, y.a.name);
  if (!same_format(x.b, y.b)) return part("b", x.b.name, y.b.name);
  if (!same_format(x.c, y.c)) return part("c", x.c.name, y.c.name);
  const auto scales = [](const Plan& p) {
    return p.scale ? fmt::format("{} of {}", p.scale->name, p.scale_block) : "none";
  };
  if (scales(x) != scales(y)) return part("the scale", scales(x), scales(y));
  return "";
}

Against apart(const Plan& x, const Plan& y, const Chain& chain) {
  Against found;
  // Beyond one operation c is what each made of the terms before.
  if (chain.k == x.k && !chain.promoted()) found.alike = Alike(x, y).places();
  found.by_sum = apart_against(Reference::sum, x, y, chain, found.alike);
  found.by_greatest = apart_against(Reference::greatest, x, y, chain, found.alike);
  return found;
}

Against against(const Plan& x, const std::string& name, const Plan& y, const Chain& chain) {
  Against found = apart(x, y, chain);
  found.name = name;
  found.witness = Search(x, y).run();
  return found;
}

}  // namespace assay::guarantee
