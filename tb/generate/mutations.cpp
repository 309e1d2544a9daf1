#include "tb/generate/mutations.hpp"

#include <algorithm>
#include <functional>

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

class Mutator {
 public:
  Mutator(const Datapath& datapath, int k) : right_(datapath), k_(k) {}

  std::vector<Mutation> all() {
    words<Subnormals>("subnormals.a", [](Datapath& d) -> Subnormals& { return d.subnormals_a; });
    words<Subnormals>("subnormals.b", [](Datapath& d) -> Subnormals& { return d.subnormals_b; });
    words<Subnormals>("subnormals.c", [](Datapath& d) -> Subnormals& { return d.subnormals_c; });
    words<Specials>("specials", [](Datapath& d) -> Specials& { return d.specials; });
    nan();
    product();
    scale_block();
    group("k_order.lanes", k_, [](Datapath& d) -> Group& { return d.lanes; });
    group("k_order.step", right_.lanes.terms.value_or(k_), [](Datapath& d) -> Group& { return d.step; });
    words<From>("k_order.from", [](Datapath& d) -> From& { return d.from; });
    words<Start>("start", [](Datapath& d) -> Start& { return d.start; });
    const int terms = right_.step.terms.value_or(right_.lanes.terms.value_or(k_));
    adders("adders", terms, [](Datapath& d) -> std::vector<Adder>& { return d.adders; });
    adders("finish", k_ / right_.lanes.terms.value_or(k_), [](Datapath& d) -> std::vector<Adder>& { return d.finish; });
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

  // Every other word of an enum.
  template <class Enum>
  void words(const std::string& key, const Of<Enum>& of) {
    for (std::size_t i = 0; i < assay::words<Enum>().size(); ++i) {
      const auto value = static_cast<Enum>(i);
      if (value != now(of)) put(key + " " + std::string(word(value)), of, value);
    }
  }

  void number(const std::string& key, const Of<int>& of) {
    put(key + " -1", of, now(of) - 1);
    put(key + " +1", of, now(of) + 1);
  }

  // A number that may be left out, where it is not.
  void optional(const std::string& key, const Of<std::optional<int>>& of) {
    const std::optional<int> value = now(of);
    if (!value) return;
    put(key + " -1", of, std::optional<int>(*value - 1));
    put(key + " +1", of, std::optional<int>(*value + 1));
    put(key + " none", of, std::optional<int>());
  }

  void flag(const std::string& key, const Of<bool>& of) { put(key + (now(of) ? " off" : " on"), of, !now(of)); }

  // The other rule, and the codes that units give: the quiet NaN, all ones, and both with a sign.
  void nan() {
    const bool propagates = right_.nan && right_.nan->propagate;
    const std::string now = propagates ? "propagate" : right_.nan ? hex(right_.nan->code) : "the quiet NaN";
    const auto set = [&](const std::string& to, const Nan& nan) {
      make("nan " + to, now, to, [&](Datapath& d) { d.nan = nan; });
    };
    if (!propagates) set("propagate", {true, 0});
    for (const Code code : nan_codes()) {
      if (propagates || !right_.nan || right_.nan->code != code) set(hex(code), {false, code});
    }
  }

  std::vector<Code> nan_codes() const {
    const Format* d = find_format(right_.operands.d);
    if (d == nullptr || !d->has_infinity) return {0x7f};
    const Code sign = Code{1} << (d->stored_bits - 1), ones = all_bits(*d) & ~ignored_bits(*d) & ~sign;
    const Code quiet = d->stored(d->quiet_nan());
    std::vector<Code> codes{ones, quiet | sign, ones | sign};
    if (right_.nan) codes.push_back(quiet);  // else it is that already
    return codes;
  }

  void product() {
    const Of<std::optional<Result>> round = [](Datapath& d) -> std::optional<Result>& { return d.product.round; };
    if (right_.product.round) {
      put("product.round exact", round, std::optional<Result>());
      result("product.round", [](Datapath& d) -> Result& { return *d.product.round; });
    } else {
      Result d;
      d.format = "d";
      if (right_.specials == Specials::numbers) d.overflow = Overflow::wrap;
      put("product.round d", round, std::optional<Result>(d));
    }
    words<ProductExponent>("product.exponent", [](Datapath& d) -> ProductExponent& { return d.product.exponent; });
    optional("product.infinity_at", [](Datapath& d) -> std::optional<int>& { return d.product.infinity_at; });
    flag("product.times", [](Datapath& d) -> bool& { return d.product.times_scales; });
  }

  // Where there are several. A block of half the size would need scales that no case has.
  void scale_block() {
    const Of<int> block = [](Datapath& d) -> int& { return d.operands.scale_block; };
    if (!right_.operands.scale.empty() && now(block) < k_) put("operands.scale_block doubled", block, 2 * now(block));
  }

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

  void result(const std::string& key, const Of<Result>& of) {
    const Result r = now(of);
    words<Cut>(key + ".cut", [of](Datapath& d) -> Cut& { return of(d).cut; });
    if (r.at != ResultAt::format) {
      words<ResultAt>(key + ".at", [of](Datapath& d) -> ResultAt& { return of(d).at; });
      number(key + ".keep", [of](Datapath& d) -> int& { return of(d).keep; });
      if (r.at == ResultAt::window) return;
      optional(key + ".least_exponent", [of](Datapath& d) -> std::optional<int>& { return of(d).least_exponent; });
      return;
    }
    words<Subnormals>(key + ".subnormals", [of](Datapath& d) -> Subnormals& { return of(d).subnormals; });
    if (r.subnormals != Subnormals::keep) words<Tiny>(key + ".tiny", [of](Datapath& d) -> Tiny& { return of(d).tiny; });
    words<Overflow>(key + ".overflow", [of](Datapath& d) -> Overflow& { return of(d).overflow; });
  }

  void input(const std::string& key, const Of<Input>& of) {
    optional(key + ".keep", [of](Datapath& d) -> std::optional<int>& { return of(d).keep; });
    if (now(of).keep) words<Cut>(key + ".cut", [of](Datapath& d) -> Cut& { return of(d).cut; });
    optional(key + ".empty", [of](Datapath& d) -> std::optional<int>& { return of(d).empty; });
    optional(key + ".lost_below", [of](Datapath& d) -> std::optional<int>& { return of(d).lost_below; });
  }

  void window(const std::string& key, const Of<Window>& of) {
    words<WindowExponent>(key + ".exponent", [of](Datapath& d) -> WindowExponent& { return of(d).exponent; });
    if (now(of).exponent == WindowExponent::fixed) {
      return number(key + ".at", [of](Datapath& d) -> int& { return of(d).at; });
    }
    optional(key + ".floor", [of](Datapath& d) -> std::optional<int>& { return of(d).floor; });
    const Of<int> step = [of](Datapath& d) -> int& { return of(d).step; };
    put(key + ".step doubled", step, 2 * now(step));
    if (now(step) > 1) put(key + ".step halved", step, now(step) / 2);
  }

  void adder(const std::string& key, int terms, const Of<Adder>& of) {
    const Adder a = now(of);
    for (std::size_t i = 0; i < a.add.size(); ++i) {
      spot_.item = static_cast<int>(i);
      input(key + ".add." + a.add[i].source, [of, i](Datapath& d) -> Input& { return of(d).add[i]; });
    }
    spot_.item = -1;
    if (a.add.size() > 1) {
      make(key + ".add reversed", "as they stand", "reversed",
           [&](Datapath& d) { std::reverse(of(d).add.begin(), of(d).add.end()); });
    }
    if (a.group) group(key + ".group", terms, [of](Datapath& d) -> Group& { return *of(d).group; });
    words<Shape>(key + ".shape", [of](Datapath& d) -> Shape& { return of(d).shape; });
    window(key + ".window", [of](Datapath& d) -> Window& { return of(d).window; });
    flag(key + ".sticky", [of](Datapath& d) -> bool& { return of(d).sticky; });
    flag(key + ".times", [of](Datapath& d) -> bool& { return of(d).times_scales; });
    words<ZeroSign>(key + ".zero", [of](Datapath& d) -> ZeroSign& { return of(d).zero; });
    for (std::size_t i = 0; i < a.results.size(); ++i) {
      spot_.item = static_cast<int>(i);
      const std::string result_key = key + ".result[" + std::to_string(i) + "]";
      result(result_key, [of, i](Datapath& d) -> Result& { return of(d).results[i]; });
      make(result_key + " removed", "there", "left out",
           [&](Datapath& d) { of(d).results.erase(of(d).results.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    spot_.item = -1;
  }

  // `terms`: how many there are of what the first adder takes.
  void adders(const std::string& key, int terms, const Of<std::vector<Adder>>& of) {
    const std::vector<Adder> list = now(of);
    int available = terms;
    spot_.finish = key == "finish";
    for (std::size_t i = 0; i < list.size(); ++i) {
      spot_.adder = static_cast<int>(i);
      adder_ = key + "." + list[i].name;
      adder(adder_, available, [of, i](Datapath& d) -> Adder& { return of(d)[i]; });
      available = list[i].group && list[i].group->terms ? available / *list[i].group->terms : 1;
    }
  }

  const Datapath& right_;
  int k_;
  Spot spot_;
  std::string adder_;  // spot_'s, as its path: "adders.sum"
  std::vector<Mutation> made_;
};

}  // namespace

std::vector<Mutation> mutations(const Datapath& datapath, int k) { return Mutator(datapath, k).all(); }

}  // namespace assay
