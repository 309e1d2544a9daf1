#include "tb/generate/mutations.hpp"

#include <algorithm>
#include <functional>

#include "model/core/fields.hpp"
#include "tb/generate/codes.hpp"

namespace assay {
namespace {

std::string text_of(int value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "on" : "off"; }
std::string text_of(const std::optional<int>& value) { return value ? std::to_string(*value) : "none"; }
std::string text_of(const std::optional<Result>& value) { return value ? "a result" : "exact"; }
std::string hex(Code code) {
  std::string digits;
  for (; code != 0 || digits.empty(); code >>= 4) digits.insert(digits.begin(), "0123456789abcdef"[code & 15]);
  return digits;
}
template <class Enum>
std::string text_of(Enum value) {
  return std::string(word(value));
}

// Values for a number that a file leaves out: every one of a few, else some near zero, where exponents of formats lie.
std::vector<int> spread_over(const Bounds& bounds, int apart) {
  constexpr int few = 100, least = -200, greatest = 136;
  const bool all = bounds.least >= 0 && bounds.greatest <= few;
  std::vector<int> values;
  for (int v = all ? bounds.least : std::max(least, bounds.least); v <= std::min(greatest, bounds.greatest);
       v += all ? 1 : apart)
    values.push_back(v);
  return values;
}

class Mutator {
 public:
  Mutator(const Datapath& datapath, int k, const MutationReach& reach) : right_(datapath), k_(k), reach_(reach) {}

  std::vector<Mutation> all() {
    rows<Datapath>("", [](Datapath& d) -> Datapath& { return d; });
    return std::move(made_);
  }

 private:
  template <class T>
  using Of = std::function<T&(Datapath&)>;  // where the word stands

  void make(const std::string& name, const std::string& from, const std::string& to,
            const std::function<void(Datapath&)>& change) {
    Mutation m{name, from, to, spot_, right_};
    m.spot.key = key_of(name);
    change(m.changed);
    made_.push_back(std::move(m));
  }

  // The key alone: without the change that follows it, the path to its adder, and the input or result that has it.
  std::string key_of(const std::string& name) const {
    std::string key = name.substr(0, name.find(' '));
    if (spot_.adder < 0) return key;
    key.erase(0, adder_.size() + 1);
    if (spot_.item < 0) return key;
    const auto end = key.find('.', key.front() == 'a' ? 4 : 0);
    return (key.front() == 'a' ? "add" : "result") + (end == std::string::npos ? "" : key.substr(end));
  }

  template <class T>
  T now(const Of<T>& of) const {
    Datapath copy = right_;
    return of(copy);
  }

  template <class T>
  void put(const std::string& name, const Of<T>& of, T value) {
    make(name, text_of(now(of)), text_of(value), [&](Datapath& d) { of(d) = value; });
  }

  // --- any word, by the table ---

  // The words of a struct that mean anything where it stands. `path` ends in a dot where it is not empty.
  template <class S>
  void rows(const std::string& path, const Of<S>& of) {
    each_row<S>([&](const auto& row) {
      using V = typename std::decay_t<decltype(row)>::Value;
      if (row.steps == Steps::none || !row.applies(now(of))) return;
      const auto member = row.member;
      changes(row, path + std::string(row.key), Of<V>([of, member](Datapath& d) -> V& { return of(d).*member; }));
    });
  }

  // Every other word of an enum.
  template <class Row, class Enum>
  std::enable_if_t<std::is_enum_v<Enum>> changes(const Row&, const std::string& key, const Of<Enum>& of) {
    words<Enum>(key, of);
  }

  // A cut that is not stochastic has no random word that another could take.
  template <class Row>
  void changes(const Row&, const std::string& key, const Of<Cut>& of) {
    words<Cut>(key, of, is_stochastic(now(of)) ? assay::words<Cut>().size() : steady_cuts);
  }

  template <class Enum>
  void words(const std::string& key, const Of<Enum>& of, std::size_t count = assay::words<Enum>().size()) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<Enum>(i);
      if (value != now(of)) put(key + " " + std::string(word(value)), of, value);
    }
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<bool>& of) {
    put(key + (now(of) ? " off" : " on"), of, !now(of));
  }

  template <class Row>
  void changes(const Row& row, const std::string& key, const Of<int>& of) {
    // What is not raised has its neighbours by its inputs' `keep`, by which people know it.
    if (row.steps == Steps::own_rule && (row.key != "raise" || now(of) == 0)) return;
    if (row.steps == Steps::doubling_if_said && now(of) == 1) return;
    if (row.steps != Steps::doubling && row.steps != Steps::doubling_if_said) {
      by_steps(key, of, now(of));
    } else {
      put(key + " doubled", of, 2 * now(of));
      if (now(of) > 1) put(key + " halved", of, now(of) / 2);
    }
  }

  template <class Number>
  void by_steps(const std::string& key, const Of<Number>& of, int value) {
    for (int step = 1; step <= reach_.farthest; ++step) {
      put(key + " -" + std::to_string(step), of, Number(value - step));
      put(key + " +" + std::to_string(step), of, Number(value + step));
    }
  }

  // A number that may be left out.
  template <class Row>
  void changes(const Row& row, const std::string& key, const Of<std::optional<int>>& of) {
    const std::optional<int> value = now(of);
    if (value) {
      by_steps(key, of, *value);
      put(key + " none", of, std::optional<int>());
    } else if (reach_.put_in && row.steps != Steps::own_rule) {
      for (const int v : spread_over(row.of_number, reach_.apart)) {
        put(key + " " + std::to_string(v), of, std::optional<int>(v));
        made_.back().put_in = v;
      }
    }
  }

  template <class Row, class S>
  std::enable_if_t<has_rows<S>> changes(const Row&, const std::string& key, const Of<S>& of) {
    rows<S>(key + ".", of);
  }

  // The table says why these have none.
  template <class Row>
  void changes(const Row&, const std::string&, const Of<std::string>&) {}
  template <class Row>
  void changes(const Row&, const std::string&, const Of<std::vector<Format>>&) {}

  // Where a scale acts: at any other of these.
  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::vector<Scale>>& of) {
    std::vector<std::string> places{"operand", "product"};
    for (const auto* list : {&right_.adders, &right_.finish}) {
      for (const Adder& adder : *list) places.push_back(adder.name);
    }
    const std::vector<Scale> scales = now(of);
    for (std::size_t i = 0; i < scales.size(); ++i) {
      const std::string path = key + "." + scales[i].name + ".";
      rows<Scale>(path, [of, i](Datapath& d) -> Scale& { return of(d)[i]; });
      for (const std::string& place : places) {
        if (place == scales[i].at) continue;
        make(path + "at " + place, scales[i].at, place, [&](Datapath& d) { of(d)[i].at = place; });
      }
    }
  }

  // --- words whose changes depend on more than themselves ---

  // The other rule, and the codes that units give: the quiet NaN, all ones, and both with a sign.
  template <class Row>
  void changes(const Row&, const std::string&, const Of<std::optional<Nan>>&) {
    if (right_.nan && right_.nan->has_order()) return nan_order(right_.nan->order);
    const bool propagates = right_.nan && right_.nan->propagate, with_sign = right_.nan && right_.nan->with_sign;
    const std::string now = propagates   ? "propagate"
                            : with_sign  ? "signed"
                            : right_.nan ? hex(right_.nan->code)
                                         : "the quiet NaN";
    const auto set = [&](const std::string& to, const Nan& nan) {
      make("nan " + to, now, to, [&](Datapath& d) { d.nan = nan; });
    };
    if (!propagates) set("propagate", {true, 0});
    if (!with_sign) set("signed", {false, 0, true});
    for (const Code code : nan_codes()) {
      if (propagates || with_sign || !right_.nan || right_.nan->code != code) set(hex(code), {false, code});
    }
  }

  // One place left out, two neighbours the other way round, signalling NaNs not looked at, and another made NaN.
  void nan_order(const NanOrder& order) {
    const auto set = [&](const std::string& what, const std::string& from, const std::string& to, const NanOrder& now) {
      make("nan." + what, from, to, [&](Datapath& d) { d.nan->order = now; });
    };
    for (std::size_t i = 0; i < order.take.size(); ++i) {
      NanOrder fewer = order;
      fewer.take.erase(fewer.take.begin() + static_cast<std::ptrdiff_t>(i));
      set("take without " + order.take[i], order.take[i], "left out", fewer);
      if (i == 0) continue;
      NanOrder turned = order;
      std::swap(turned.take[i - 1], turned.take[i]);
      set("take " + order.take[i] + " before " + order.take[i - 1], order.take[i - 1], order.take[i], turned);
    }
    NanOrder alike = order;
    alike.signalling_first = !order.signalling_first;
    set("signalling", order.signalling_first ? "first" : "alike", order.signalling_first ? "alike" : "first", alike);
    const Format* d = find_format(right_.operands.d);
    const std::optional<Code> now = order.made || d == nullptr ? order.made : d->stored(d->quiet_nan());
    for (const Code code : nan_codes()) {
      NanOrder made = order;
      made.made = code;
      if (code != now) set("default " + hex(code), order.made ? hex(*order.made) : "the quiet NaN", hex(code), made);
    }
  }

  std::vector<Code> nan_codes() const {
    const Format* d = find_format(right_.operands.d);
    if (d == nullptr || !d->has_infinity) return {0x7f};
    const Code sign = Code{1} << (d->stored_bits - 1), ones = all_bits(*d) & ~ignored_bits(*d) & ~sign;
    const Code quiet = d->stored(d->quiet_nan());
    std::vector<Code> codes;
    const auto add = [&](Code code) {
      if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
    };
    for (const Code code : {ones, quiet | sign, ones | sign}) add(code);
    if (right_.nan) add(quiet);  // else it is that already
    return codes;
  }

  template <class Row>
  void changes(const Row& row, const std::string& key, const Of<std::optional<Result>>& of) {
    if (now(of)) {
      put(key + " exact", of, std::optional<Result>());
      rows<Result>(key + ".", [of](Datapath& d) -> Result& { return *of(d); });
    } else if (row.steps != Steps::own_rule) {
      Result d;
      d.format = "d";
      if (right_.specials == Specials::numbers) d.overflow = Overflow::wrap;
      put(key + " d", of, std::optional<Result>(d));
    }
  }

  // Changed with the order of terms, where there are several. A block of half the size would need scales that no case
  // has.
  void scale_block() {
    const Of<int> block = [](Datapath& d) -> int& { return d.operands.scale_block; };
    if (!right_.operands.scale.empty() && now(block) < k_) put("operands.scale_block doubled", block, 2 * now(block));
  }

  // Which of `available` terms go together.
  void group(const std::string& key, int available, const Of<Group>& of) {
    const Group g = now(of);
    const int terms = g.terms.value_or(available);
    const Of<std::optional<int>> size = [of](Datapath& d) -> std::optional<int>& { return of(d).terms; };
    if (terms % 2 == 0) put(key + ".terms halved", size, std::optional<int>(terms / 2));
    if (terms < available) put(key + ".terms doubled", size, std::optional<int>(2 * terms));
    if (terms == available) return;  // one group, however it is dealt
    words<Deal>(key + ".deal", [of](Datapath& d) -> Deal& { return of(d).deal; });
    if (g.deal == Deal::neighbours) return;
    const Of<int> unit = [of](Datapath& d) -> int& { return of(d).unit; };
    put(key + ".unit doubled", unit, 2 * g.unit);
    if (g.unit % 2 == 0) put(key + ".unit halved", unit, g.unit / 2);
  }

  template <class Row>
  void changes(const Row& row, const std::string& key, const Of<Group>& of) {
    if (row.member == &Datapath::lanes) {
      scale_block();
      group(key, k_, of);
    } else {
      group(key, lane_terms(), of);
    }
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::optional<Group>>& of) {
    if (now(of)) group(key, available_, [of](Datapath& d) -> Group& { return *of(d); });
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::optional<ProductRows>>& of) {
    if (!now(of)) return;
    make(key + " none", "rows", "one number", [&](Datapath& d) { of(d).reset(); });
    rows<ProductRows>(key + ".", [of](Datapath& d) -> ProductRows& { return *of(d); });
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::optional<Flags>>& of) {
    if (now(of)) rows<Flags>(key + ".", [of](Datapath& d) -> Flags& { return *of(d); });
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::optional<Mask>>& of) {
    if (now(of)) make(key + " ignored", "taken", "ignored", [&](Datapath& d) { of(d).reset(); });
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::vector<Input>>& of) {
    const std::vector<Input> inputs = now(of);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      spot_.item = static_cast<int>(i);
      rows<Input>(key + "." + inputs[i].source + ".", [of, i](Datapath& d) -> Input& { return of(d)[i]; });
    }
    spot_.item = -1;
    if (inputs.size() > 1)
      make(key + " reversed", "as they stand", "reversed",
           [&](Datapath& d) { std::reverse(of(d).begin(), of(d).end()); });
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::vector<Result>>& of) {
    for (std::size_t i = 0; i < now(of).size(); ++i) {
      spot_.item = static_cast<int>(i);
      const std::string path = key + "[" + std::to_string(i) + "]";
      rows<Result>(path + ".", [of, i](Datapath& d) -> Result& { return of(d)[i]; });
      make(path + " removed", "there", "left out",
           [&](Datapath& d) { of(d).erase(of(d).begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    spot_.item = -1;
  }

  // Each of a list by its words, and the list without it.
  template <class S>
  void each_of(const std::string& key, const Of<std::vector<S>>& of) {
    for (std::size_t i = 0; i < now(of).size(); ++i) {
      const std::string path = key + "[" + std::to_string(i) + "]";
      rows<S>(path + ".", [of, i](Datapath& d) -> S& { return of(d)[i]; });
      make(path + " removed", "there", "left out",
           [&](Datapath& d) { of(d).erase(of(d).begin() + static_cast<std::ptrdiff_t>(i)); });
    }
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::vector<Recut>>& of) {
    each_of<Recut>(key, of);
  }

  template <class Row>
  void changes(const Row&, const std::string& key, const Of<std::vector<SlicePair>>& of) {
    each_of<SlicePair>(key, of);
    for (std::size_t i = 1; i < now(of).size(); ++i) {
      make(key + "[" + std::to_string(i) + "] first", "after the one before", "before it",
           [&](Datapath& d) { std::swap(of(d)[i - 1], of(d)[i]); });
    }
  }

  template <class Row>
  void changes(const Row& row, const std::string& key, const Of<std::vector<Adder>>& of) {
    spot_.finish = row.member == &Datapath::finish;
    available_ = spot_.finish ? k_ / lane_terms() : right_.step.terms.value_or(lane_terms()) * pieces_of_a_step();
    const std::vector<Adder> list = now(of);
    for (std::size_t i = 0; i < list.size(); ++i) {
      spot_.adder = static_cast<int>(i);
      adder_ = key + "." + list[i].name;
      rows<Adder>(adder_ + ".", [of, i](Datapath& d) -> Adder& { return of(d)[i]; });
      available_ = list[i].group && list[i].group->terms ? available_ / *list[i].group->terms : 1;
    }
    spot_.adder = -1;
  }

  int pieces_of_a_step() const {
    const Slices& slices = right_.slices;
    if (right_.product.rows) return right_.product.rows->pieces();
    return slices.pairs.empty() || slices.run != SliceRun::together ? 1 : static_cast<int>(slices.pairs.size());
  }

  int lane_terms() const { return right_.lanes.terms.value_or(k_); }

  const Datapath& right_;
  int k_;
  MutationReach reach_;
  int available_ = 0;  // of what the first input of the adder at hand brings
  Spot spot_;
  std::string adder_;  // spot_'s, as its path: "adders.sum"
  std::vector<Mutation> made_;
};

}  // namespace

std::vector<Mutation> mutations(const Datapath& datapath, int k, const MutationReach& reach) {
  return Mutator(datapath, k, reach).all();
}

}  // namespace assay
