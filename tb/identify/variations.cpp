#include "tb/identify/variations.hpp"

#include <algorithm>
#include <set>

#include "model/base/text.hpp"
#include "model/core/places.hpp"
#include "tb/generate/mutations.hpp"

namespace assay::identify {
namespace {

constexpr int far_steps = 40;

class Varying {
 public:
  Varying(const Datapath& words, int k) : words_(words), k_(k) {}

  void steps(const MutationReach& reach) {
    for (Mutation& m : mutations(words_, k_, reach)) made_.push_back({std::move(m.name), std::move(m.changed)});
  }

  // NaNs are answers: their codes are read off, not guessed.
  void nan_codes(const std::vector<Code>& nans) {
    for (const Code code : nans) {
      make("nan as it was seen", [&](Datapath& d) { d.nan = Nan{false, code}; });
    }
  }

  // Where nobody has an order yet: those in which a, b and acc follow each other, or a and b element by element.
  // Further places are put into the list one after the other.
  void nan_orders(const SeenNans& nans) {
    if ((words_.nan && words_.nan->has_order()) || nans.all.size() < 2) return;
    for (const std::vector<std::string>& take : plain_nan_orders()) {
      const auto with = [&](std::optional<Code> code) {
        make("nan.take " + joined(take, ", "), [&](Datapath& d) { d.nan = Nan{true, 0, false, {code, take}}; });
      };
      with(std::nullopt);
      for (const Code code : nans.made) with(code);
    }
  }

  // One more place that a NaN is taken from, anywhere in the list.
  void nan_places() {
    if (!words_.nan || !words_.nan->has_order()) return;
    const std::vector<std::string>& take = words_.nan->order.take;
    for (const std::string& place : all_nan_places()) {
      if (std::find(take.begin(), take.end(), place) != take.end()) continue;
      for (std::size_t i = 0; i <= take.size(); ++i) {
        make("nan.take " + place, [&](Datapath& d) {
          std::vector<std::string>& list = d.nan->order.take;
          list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), place);
        });
      }
    }
  }

  void orders() {
    group("k_order.lanes", k_, [](Datapath& d) -> Group& { return d.lanes; });
    group("k_order.step", words_.lanes.terms.value_or(k_), [](Datapath& d) -> Group& { return d.step; });
    const int in_a_step = words_.step.terms.value_or(words_.lanes.terms.value_or(k_));
    for (std::size_t i = 0; i < words_.adders.size(); ++i) {
      if (words_.adders[i].group)
        group(words_.adders[i].name + ".group", in_a_step, [i](Datapath& d) -> Group& { return *d.adders[i].group; });
    }
  }

  // Each result in another format, and one more before it.
  void results() {
    const std::set<std::string> formats{"d", "f32", words_.operands.c, words_.operands.d};
    for (const bool finish : {false, true}) {
      const auto list = [finish](Datapath& d) -> std::vector<Adder>& { return finish ? d.finish : d.adders; };
      const std::vector<Adder>& adders = finish ? words_.finish : words_.adders;
      for (std::size_t a = 0; a < adders.size(); ++a) {
        const std::string path = adders[a].name + ".result";
        for (std::size_t r = 0; r <= adders[a].results.size(); ++r) {
          const auto at = static_cast<std::ptrdiff_t>(r);
          for (const std::string& format : formats) {
            if (r < adders[a].results.size())
              make(path + " in " + format,
                   [&](Datapath& d) { list(d)[a].results[r] = in(format, list(d)[a].results[r]); });
            make(path + " first in " + format, [&](Datapath& d) {
              std::vector<Result>& all = list(d)[a].results;
              all.insert(all.begin() + at, in(format, Result{}));
            });
          }
          for (const int keep : {10, 13, 23, 24, 31}) {
            make(path + " first of " + std::to_string(keep) + " bits", [&](Datapath& d) {
              std::vector<Result>& all = list(d)[a].results;
              all.insert(all.begin() + at, bits(ResultAt::leading_one, keep));
            });
          }
        }
      }
    }
  }

  // What products are rounded to before they are added.
  void product_round() {
    for (const std::string& format : {std::string("d"), std::string("f32"), std::string("f16"), std::string("bf16"),
                                      words_.operands.c, words_.operands.a})
      make("product.round in " + format, [&](Datapath& d) { d.product.round = in(format, Result{}); });
    for (const ResultAt at : {ResultAt::leading_one, ResultAt::window}) {
      for (const int keep : {4, 8, 10, 13, 18, 23, 27})
        make("product.round of " + std::to_string(keep) + " bits",
             [&](Datapath& d) { d.product.round = bits(at, keep); });
    }
  }

  // A sum of groups before the others, exact or rounded to d; and the first of several left out.
  void first_adder() {
    if (words_.adders.empty() || words_.adders.front().add.empty()) return;
    const int in_a_step = words_.step.terms.value_or(words_.lanes.terms.value_or(k_));
    for (const int terms : divisors(in_a_step)) {
      for (const Deal deal : {Deal::neighbours, Deal::strided}) {
        if (deal == Deal::strided && (terms == 1 || terms == in_a_step)) continue;
        const std::string groups = "groups of " + std::to_string(terms) + " " + std::string(word(deal));
        make(groups + " first", [&](Datapath& d) { put_first(d, {terms, deal, 1}, {}); });
        make(groups + " in d first", [&](Datapath& d) { put_first(d, {terms, deal, 1}, {in("d", Result{})}); });
      }
    }
    if (words_.adders.size() < 2) return;
    make("first adder left out", [&](Datapath& d) {
      const std::string name = d.adders.front().name;
      d.adders.erase(d.adders.begin());
      take_in_place_of(d.adders, name, "product");
    });
  }

  // c is the first of a chain, or is added to its end.
  void place_of_c() {
    if (words_.start != Start::c || !words_.finish.empty() || words_.specials == Specials::numbers) return;
    make("c added at the end", [](Datapath& d) {
      d.start = Start::zero;
      Adder late;
      late.name = "late";
      late.zero = ZeroSign::ieee;
      for (const char* source : {"lanes", "c"}) {
        late.add.emplace_back();
        late.add.back().source = source;
      }
      late.results = {in("d", Result{})};
      d.finish = {late};
    });
  }

  std::vector<Variation> all() { return std::move(made_); }

 private:
  template <class Change>
  void make(const std::string& what, const Change& change) {
    made_.push_back({what, words_});
    change(made_.back().words);
  }

  std::vector<std::vector<std::string>> plain_nan_orders() const {
    std::vector<std::string> a, b, ab, ba;
    for (int i = 0; i < nan_terms(); ++i) {
      a.push_back(indexed("a", i));
      b.push_back(indexed("b", i));
      ab.insert(ab.end(), {a.back(), b.back()});
      ba.insert(ba.end(), {b.back(), a.back()});
    }
    const std::vector<std::string> acc{"acc"};
    using Parts = std::vector<std::vector<std::string>>;
    std::vector<Parts> orders{{acc, a, b}, {acc, b, a}, {a, acc, b}, {b, acc, a}, {a, b, acc}, {b, a, acc}};
    if (nan_terms() > 1)
      for (const auto& pairs : {ab, ba}) orders.insert(orders.end(), {{acc, pairs}, {pairs, acc}});
    std::vector<std::vector<std::string>> lists;
    for (const Parts& parts : orders) {
      lists.emplace_back();
      for (const auto& part : parts) lists.back().insert(lists.back().end(), part.begin(), part.end());
    }
    return lists;
  }

  // Of a step; places of more are not told apart by few cases.
  int nan_terms() const {
    constexpr int most_terms = 4;
    return std::min(words_.step.terms.value_or(words_.lanes.terms.value_or(k_)), most_terms);
  }

  std::vector<std::string> all_nan_places() const {
    std::vector<std::string> places{"acc"};
    for (const Adder& adder : words_.adders) places.push_back(adder.name);
    for (int i = 0; i < nan_terms(); ++i) {
      for (const char* of : {"a", "b", "product"}) places.push_back(indexed(of, i));
    }
    return places;
  }

  static Result in(const std::string& format, Result r) {
    r.at = ResultAt::format;
    r.format = format;
    return r;
  }

  static void put_first(Datapath& d, const Group& group, std::vector<Result> results) {
    Adder first;
    first.name = "groups";
    const auto taken = [&](const Adder& a) { return a.name == first.name; };
    while (std::any_of(d.adders.begin(), d.adders.end(), taken)) first.name += "_";
    first.add.emplace_back();
    first.add.back().source = "product";
    first.group = group;
    if (!results.empty()) first.zero = ZeroSign::ieee;
    first.results = std::move(results);
    take_in_place_of(d.adders, "product", first.name);
    d.adders.insert(d.adders.begin(), first);
  }

  // In the first adder.
  static void take_in_place_of(std::vector<Adder>& adders, const std::string& source, const std::string& other) {
    for (Input& input : adders.front().add) {
      if (input.source == source) input.source = other;
    }
  }

  static Result bits(ResultAt at, int keep) {
    Result r;
    r.at = at;
    r.keep = keep;
    r.cut = Cut::toward_zero;
    return r;
  }

  // Every size that divides what there is, dealt either way.
  template <class Of>
  void group(const std::string& what, int available, const Of& of) {
    for (const int terms : divisors(available)) {
      const std::string path = what + " " + std::to_string(terms);
      make(path, [&](Datapath& d) { of(d) = Group{terms, Deal::neighbours, 1}; });
      if (terms == available) continue;
      for (const int unit : divisors(terms)) {
        if (unit < terms || terms == 1)
          make(path + " by " + std::to_string(unit), [&](Datapath& d) { of(d) = Group{terms, Deal::strided, unit}; });
      }
    }
  }

  const Datapath& words_;
  int k_;
  std::vector<Variation> made_;
};

}  // namespace

std::vector<int> divisors(int n) {
  std::vector<int> found;
  for (int i = 1; i <= n; ++i) {
    if (n % i == 0) found.push_back(i);
  }
  return found;
}

std::vector<Variation> variations(const Datapath& words, int k, const SeenNans& nans, Breadth breadth) {
  Varying varying(words, k);
  varying.steps({breadth == Breadth::far ? far_steps : 1, true});
  varying.nan_codes(nans.all);
  varying.nan_places();
  varying.orders();
  varying.results();
  varying.place_of_c();
  if (breadth == Breadth::far) {
    varying.nan_orders(nans);
    varying.product_round();
    varying.first_adder();
  }
  return varying.all();
}

Datapath with_adders_of(Datapath words, const Datapath& other) {
  words.adders = other.adders;
  words.finish = other.finish;
  words.start = other.start;
  return words;
}

}  // namespace assay::identify
