#include "tb/identify/variations.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "model/base/text.hpp"
#include "model/core/places.hpp"
#include "model/core/plan.hpp"
#include "tb/generate/mutations.hpp"

namespace assay::identify {
namespace {

constexpr int far_steps = 40;

class Varying {
 public:
  Varying(const Datapath& words, int k) : words_(words), k_(k) {}

  void steps(const MutationReach& reach) {
    for (Mutation& m : mutations(words_, k_, reach))
      made_.push_back({std::move(m.name), std::move(m.changed), m.spot, m.put_in});
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
    const std::set<std::string> formats{
        "d", "f32", words_.operands.a, words_.operands.b, words_.operands.c, words_.operands.d};
    for (const bool finish : {false, true}) {
      const auto list = [finish](Datapath& d) -> std::vector<Adder>& { return finish ? d.finish : d.adders; };
      const std::vector<Adder>& adders = finish ? words_.finish : words_.adders;
      for (std::size_t a = 0; a < adders.size(); ++a) {
        const std::string path = (finish ? "finish." : "adders.") + adders[a].name + ".result";
        for (std::size_t r = 0; r <= adders[a].results.size(); ++r) {
          const auto at = static_cast<std::ptrdiff_t>(r);
          const bool is_last = r == adders[a].results.size();
          const std::string one_more =
              path + " with one more " + (is_last ? "at its end" : "before result[" + std::to_string(r) + "]");
          for (const std::string& format : formats) {
            if (r < adders[a].results.size())
              make(path + "[" + std::to_string(r) + "] in " + format,
                   [&](Datapath& d) { list(d)[a].results[r] = in(format, list(d)[a].results[r]); });
            make(one_more + ", in " + format + ", cut " + std::string(word(Result{}.cut)), [&](Datapath& d) {
              std::vector<Result>& all = list(d)[a].results;
              all.insert(all.begin() + at, in(format, Result{}));
            });
          }
          for (const int keep : {10, 13, 23, 24, 31}) {
            const Result cut = bits(ResultAt::leading_one, keep);
            make(one_more + ", of " + std::to_string(keep) + " bits from the leading one, cut " +
                     std::string(word(cut.cut)),
                 [&](Datapath& d) {
                   std::vector<Result>& all = list(d)[a].results;
                   all.insert(all.begin() + at, cut);
                 });
          }
        }
      }
    }
  }

  // What products are rounded to before they are added.
  void product_round() {
    for (const std::string& format : {std::string("d"), std::string("f32"), std::string("f16"), std::string("bf16"),
                                      words_.operands.c, words_.operands.a, words_.operands.b})
      make("product.round in " + format, [&](Datapath& d) { d.product.round = in(format, Result{}); });
    for (const ResultAt at : {ResultAt::leading_one, ResultAt::window}) {
      for (const int keep : {4, 8, 10, 13, 18, 23, 27})
        make("product.round of " + std::to_string(keep) + " bits",
             [&](Datapath& d) { d.product.round = bits(at, keep); });
    }
  }

  // What a sum's window keeps: how many bits, of c or of the others or of all, in which steps it stands, and whether
  // lost ones are remembered. No answer tells of one of these alone.
  void windows() {
    constexpr int most_kept = 40;
    for (const bool finish : {false, true}) {
      const auto list = [finish](Datapath& d) -> std::vector<Adder>& { return finish ? d.finish : d.adders; };
      for (std::size_t a = 0; a < (finish ? words_.finish : words_.adders).size(); ++a) {
        const std::string path = finish ? "finish." + words_.finish[a].name : "adders." + words_.adders[a].name;
        for (const int step : {1, 2, 3, 4, 5, 6, 8, 16}) {
          for (const Sticky sticky : {Sticky::none, Sticky::below_sum}) {
            for (int keep = 1; keep <= most_kept; ++keep) {
              for (const Keeping which : {Keeping::acc, Keeping::others, Keeping::all}) {
                make(path + " of " + std::to_string(keep) + " bits in steps of " + std::to_string(step),
                     [&](Datapath& d) { keep_in(list(d)[a], which, keep, step, sticky); });
              }
            }
          }
        }
      }
    }
  }

  // What came so far in a register of fixed point: the last sum's window stands still, and its bits above are lost.
  void registers() {
    constexpr int most_kept = 40;
    if (words_.adders.empty()) return;
    for (const int width : {16, 20, 24, 32, 40, 48, 64}) {
      for (const Overflow overflow : {Overflow::wrap, Overflow::largest}) {
        for (int keep = 0; keep <= std::min(most_kept, width); ++keep) {
          Result held = bits(ResultAt::window, keep);
          held.bits = width;
          held.overflow = overflow;
          make("a register of " + std::to_string(width) + " bits, " + std::to_string(keep) + " below 2^0, " +
                   std::string(word(overflow)),
               [&](Datapath& d) { in_a_register(d.adders.back(), held); });
        }
      }
    }
  }

  // Exponents of elements that are rounded down, and from where that is counted: of a, of b or of both. A step that is
  // counted from elsewhere is wrong for most exponents.
  void factor_steps() {
    const auto is = [](Factor& factor, int step, int from) { factor.step = step, factor.step_from = from; };
    for (const int step : {2, 3, 4, 8, 16}) {
      for (int from = 0; from < step; ++from) {
        const std::string how = " in steps of " + std::to_string(step) + " from " + std::to_string(from);
        make("factors.a" + how, [&](Datapath& d) { is(d.factor_a, step, from); });
        make("factors.b" + how, [&](Datapath& d) { is(d.factor_b, step, from); });
        make("factors" + how, [&](Datapath& d) { is(d.factor_a, step, from), is(d.factor_b, step, from); });
      }
    }
  }

  // Products and acc in other sums than they are: sizes of steps and of groups, shapes of sums and what groups are
  // rounded to, all at once, since few answers tell of one of these alone.
  void structures() {
    if (words_.adders.empty() || words_.adders.front().add.empty() || words_.slices.pairs.size() > 1) return;
    const Datapath one = in_one_sum();
    const int available = one.lanes.terms.value_or(k_);
    for (const Group& step : plain_groups(available)) {
      Datapath stepped = one;
      stepped.step = step;
      const std::string steps = "k_order.step " + text_of(step);
      for (const Shape shape : shapes) {
        Datapath shaped = stepped;
        shaped.adders.front().shape = shape;
        made_.push_back({steps + " " + std::string(word(shape)), shaped});
      }
      groups_of_steps(stepped, *step.terms, steps);
    }
  }

  // Operands in pieces, of all sizes at once: a piece that is cut elsewhere alone leaves gaps, which break most
  // answers.
  void slices() {
    Datapath whole = words_;
    whole.slices.pairs.clear();
    const auto made = plan(whole, k_);
    const Plan* of_whole = std::get_if<Plan>(&made);
    if (of_whole == nullptr || of_whole->in_pieces()) return;
    const std::vector<Pieces> b_pieces = pieces_of(of_whole->factor_b.range.significand_bits());
    for (const Pieces& a : pieces_of(of_whole->factor_a.range.significand_bits())) {
      for (const Pieces& b : b_pieces) slices_of(a, b);
    }
  }

  // A sum of groups before the others, exact or rounded to d; and the first of several left out.
  void first_adder() {
    if (words_.adders.empty() || words_.adders.front().add.empty()) return;
    const int in_a_step = words_.step.terms.value_or(words_.lanes.terms.value_or(k_));
    for (const Group& group : plain_groups(in_a_step)) {
      const std::string groups = "groups of " + text_of(group);
      make(groups + " first", [&](Datapath& d) { put_first(d, group, {}); });
      make(groups + " in d first", [&](Datapath& d) { put_first(d, group, {in("d", Result{})}); });
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
  struct Piece {
    int from = 0;
    std::optional<int> bits;  // nothing: all that follow
  };
  using Pieces = std::vector<Piece>;

  // One, that is all or only its first bits; two; or as many as there are of one size.
  static std::vector<Pieces> pieces_of(int bits) {
    constexpr int narrow = 12;
    const int apart = bits <= narrow ? 1 : 4;
    std::vector<Pieces> all{{{}}};
    for (int first = apart; first < bits; first += apart) {
      all.push_back({{0, first}});
      all.push_back({{0, first}, {first, std::nullopt}});
    }
    for (const int size : {3, 4, 6, 8, 12}) {
      if (bits <= 2 * size) break;
      all.emplace_back();
      for (int from = 0; from < bits; from += size) all.back().push_back({from, size});
    }
    return all;
  }

  static std::string text_of(const Pieces& pieces) {
    std::vector<std::string> sizes;
    for (const Piece& p : pieces) sizes.push_back(p.bits ? std::to_string(*p.bits) : "all");
    return joined(sizes, ", ");
  }

  // Each with each; and all but the last, which weighs least.
  void slices_of(const Pieces& a, const Pieces& b) {
    Slices slices = words_.slices;
    slices.pairs.clear();
    for (const Piece& x : a) {
      for (const Piece& y : b) slices.pairs.push_back({x.from, y.from, x.bits, y.bits});
    }
    constexpr std::size_t most = 9;  // three by three
    if (slices.pairs.size() > most || (a.size() * b.size() == 1 && !a[0].bits && !b[0].bits)) return;
    const std::string what = "slices of " + text_of(a) + " by " + text_of(b);
    for (const SliceRun run : {SliceRun::together, SliceRun::passes}) {
      slices.run = run;
      const std::string how = what + " bits, " + std::string(word(run));
      make(how, [&](Datapath& d) { d.slices = slices; });
      if (slices.pairs.size() > 2)
        make(how + ", without the last", [&](Datapath& d) { d.slices = slices, d.slices.pairs.pop_back(); });
    }
  }

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

  // Every size that divides n, of neighbours or dealt one by one.
  static std::vector<Group> plain_groups(int n) {
    std::vector<Group> groups;
    for (const int terms : divisors(n)) {
      groups.push_back({terms, Deal::neighbours, 1});
      if (terms > 1 && terms < n) groups.push_back({terms, Deal::strided, 1});
    }
    return groups;
  }

  static std::string text_of(const Group& group) {
    return std::to_string(*group.terms) + " " + std::string(word(group.deal));
  }

  static Result in(const std::string& format, Result r) {
    r.at = ResultAt::format;
    r.format = format;
    return r;
  }

  enum class Keeping { acc, others, all };
  static void keep_in(Adder& adder, Keeping which, int keep, int step, Sticky sticky) {
    adder.window.step = step;
    adder.sticky = sticky;
    for (Input& input : adder.add) {
      const bool acc = input.source == "acc" || input.source == "c";
      if (which == Keeping::all || acc == (which == Keeping::acc)) input.keep = keep;
    }
  }

  static void in_a_register(Adder& adder, const Result& held) {
    adder.window = Window{};
    adder.window.exponent = WindowExponent::fixed;
    for (Input& input : adder.add) input.keep = held.keep, input.cut = held.cut;
    if (adder.results.size() < 2)
      adder.results.insert(adder.results.begin(), held);
    else
      adder.results.front() = held;
  }

  static constexpr std::array<Shape, 4> shapes{Shape::flat, Shape::neighbours, Shape::halves, Shape::serial};

  // The last adder takes products in place of what others made of them.
  Datapath in_one_sum() const {
    Datapath one = words_;
    Adder last = words_.finish.empty() ? words_.adders.back() : words_.finish.back();
    if (!words_.finish.empty()) one.lanes = {}, one.start = Start::c;
    one.finish.clear();
    last.group.reset();
    bool has_product = false;
    std::vector<Input> inputs;
    for (Input input : last.add) {
      if (input.source == "c") input.source = "acc";
      if (input.source != "acc") {
        if (has_product) continue;
        has_product = true;
        input.source = "product";
      }
      inputs.push_back(input);
    }
    last.add = inputs;
    if (words_.adders.front().times_scales) one.product.times_scales = true, last.times_scales = false;
    one.adders = {last};
    return one;
  }

  // That of products, or of what became of them, in the first adder.
  const Input& first_input() const {
    const std::vector<Input>& inputs = words_.adders.front().add;
    const auto found = std::find_if(inputs.begin(), inputs.end(), [](const Input& i) { return i.source != "acc"; });
    return found == inputs.end() ? inputs.front() : *found;
  }

  bool had_groups() const { return words_.adders.size() + words_.finish.size() > 1; }

  // Sums of groups before a step's own: rounded to nothing, to d, or to what there was.
  void groups_of_steps(const Datapath& stepped, int in_a_step, const std::string& steps) {
    std::vector<std::vector<Result>> results{{}, {in("d", Result{})}};
    if (had_groups() && !words_.adders.front().results.empty()) results.push_back(words_.adders.front().results);
    for (const Group& group : plain_groups(in_a_step)) {
      if (group.terms == 1) continue;
      const std::string what = steps + ", groups of " + text_of(group);
      for (const std::vector<Result>& result : results) {
        Datapath d = stepped;
        put_first(d, group, result);
        losing_groups(d, what);
        for (const Shape shape : shapes) {
          d.adders.front().shape = shape;
          made_.push_back({what + " " + std::string(word(shape)), d});
          if (d.product.times_scales) scaled_groups(d, what);
        }
      }
    }
  }

  // Scales multiply a group's sum, whose window stands where its products do, or still.
  void scaled_groups(Datapath d, const std::string& what) {
    d.product.times_scales = false;
    d.adders.front().times_scales = true;
    made_.push_back({what + " times scales", d});
    d.adders.front().window.exponent = WindowExponent::fixed;
    made_.push_back({what + " at 2^0 times scales", d});
  }

  // What products lost or were rounded to, their groups lose or are rounded to; or these are as they were.
  void losing_groups(const Datapath& d, const std::string& what) {
    const Adder& before = words_.adders.front();
    if (d.adders.front().results.empty() && first_input().keep) {
      made_.push_back({what + " cut afterwards", cut_afterwards(d)});
      if (!had_groups()) made_.push_back({what + " cut before", cut_before(d)});
    }
    if (d.adders.front().results.empty() && d.product.round) {
      made_.push_back({what + " rounded as products", d});
      made_.back().words.adders.front().results = {*d.product.round};
      made_.back().words.product.round.reset();
    }
    if (!had_groups()) return;
    Datapath as_before = d;
    as_before.adders.front().add.front() = first_input();
    as_before.adders.front().window = before.window;
    made_.push_back({what + " as they were", as_before});
    if (d.product.times_scales) scaled_groups(as_before, what + " as they were");
  }

  // Groups go on as acc does. A sticky bit below a sum makes its last bit odd.
  Datapath cut_afterwards(Datapath d) const {
    const bool sticky = words_.adders.front().sticky == Sticky::below_sum;
    Result cut = bits(ResultAt::window, *first_input().keep + (sticky ? 1 : 0));
    cut.cut = sticky ? Cut::to_odd : first_input().cut;
    d.adders.front().results = {cut};
    keep_groups_as_acc(d);
    return d;
  }

  // Products lose it in their groups' windows, which stand in no steps.
  Datapath cut_before(Datapath d) const {
    d.adders.front().add.front() = first_input();
    keep_groups_as_acc(d);
    return d;
  }

  static void keep_groups_as_acc(Datapath& d) {
    std::vector<Input>& sum = d.adders.back().add;
    const auto acc = std::find_if(sum.begin(), sum.end(), [](const Input& i) { return i.source == "acc"; });
    for (Input& input : sum) {
      if (input.source != d.adders.front().name) continue;
      input.keep = acc == sum.end() ? std::nullopt : acc->keep;
      if (acc != sum.end()) input.cut = acc->cut;
    }
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
  varying.steps({breadth == Breadth::near ? 1 : far_steps, true});
  varying.nan_codes(nans.all);
  varying.nan_places();
  varying.orders();
  varying.results();
  varying.place_of_c();
  if (breadth != Breadth::near) {
    varying.nan_orders(nans);
    varying.product_round();
    if (breadth == Breadth::far) varying.first_adder();
    varying.windows();
    varying.factor_steps();
    varying.registers();
  }
  return varying.all();
}

std::vector<Variation> numbers_put_in(const Datapath& words, int k) {
  Varying varying(words, k);
  varying.steps({0, true, 1});
  std::vector<Variation> made = varying.all();
  made.erase(std::remove_if(made.begin(), made.end(), [](const Variation& v) { return !v.put_in; }), made.end());
  return made;
}

std::vector<Variation> structures(const Datapath& words, int k) {
  Varying varying(words, k);
  varying.structures();
  return varying.all();
}

std::vector<Variation> slicings(const Datapath& words, int k) {
  Varying varying(words, k);
  varying.slices();
  return varying.all();
}

Datapath with_adders_of(Datapath words, const Datapath& other) {
  words.adders = other.adders;
  words.finish = other.finish;
  words.start = other.start;
  return words;
}

}  // namespace assay::identify
