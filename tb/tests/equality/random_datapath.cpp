#include "tb/tests/equality/random_datapath.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "model/core/fields.hpp"
#include "tb/generate/random.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 1;

class Drawer {
 public:
  Drawer(std::uint64_t number, std::uint64_t attempt, Domain domain)
      : draws_(seed, number, Part::choice, attempt),
        farther_(domain == Domain::farther),
        integer_(chance(12)),
        ieee_(!integer_ && chance(20)),
        mixed_(!integer_ && !ieee_ && chance(45)) {}

  OwnDatapath own() {
    own_.words.name = "own";
    own_.k = farther_ ? any_of<int>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20})
                      : any_of<int>({4, 6, 8, 8, 12, 16, 16, 24, 32});
    formats();
    operands();
    operand_words();
    order();
    product();
    words().adders = step_adders();
    if (words().start == Start::zero || chance(15)) words().finish = finish_adders();
    if (!integer_ && !ieee_ && chance(33)) lists();
    return std::move(own_);
  }

 private:
  // --- draws ---

  bool chance(int percent) { return draws_.between(1, 100) <= percent; }
  bool coin() { return draws_.coin(); }
  int between(int least, int greatest) { return draws_.between(least, greatest); }
  template <class T>
  T any_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(draws_.below(choices.size()))];
  }
  template <class Enum>
  Enum any_word() {
    return static_cast<Enum>(draws_.below(assay::words<Enum>().size()));
  }
  Cut any_cut() { return static_cast<Cut>(draws_.below(steady_cuts)); }
  int divisor_of(int n) {
    std::vector<int> divisors;
    for (int i = 1; i <= n; ++i) {
      if (n % i == 0) divisors.push_back(i);
    }
    return any_of(divisors);
  }
  Datapath& words() { return own_.words; }

  // Whether the next word is the one of an IEEE operation. Now and then it is any, as beside a fast path's condition.
  bool plain() { return ieee_ && !chance(2); }

  // --- formats and operands ---

  Format format(const std::string& name) {
    Format f;
    f.name = name;
    f.exponent_bits = farther_ ? between(1, 11) : between(2, 9);
    f.mantissa_bits = chance(80) ? between(farther_ ? 0 : 1, 12) : between(0, 30);
    f.bias = (1 << (f.exponent_bits - 1)) - 1 + (chance(50) ? 0 : between(-9, 9));
    f.nan = static_cast<NanCodes>(between(0, 3));
    f.has_infinity = f.nan == NanCodes::ieee;
    f.has_signed_zero = f.nan != NanCodes::negative_zero && chance(80);
    f.stored_bits = 1 + f.exponent_bits + f.mantissa_bits;
    return f;
  }

  void formats() {
    if (integer_ || ieee_) return;
    const int own = std::max(0, between(-2, 2));
    for (int i = 0; i < own; ++i) words().formats.push_back(format("own" + std::to_string(i)));
  }

  std::string format_name(const std::vector<std::string>& shipped) {
    if (!words().formats.empty() && chance(45)) return any_of(words().formats).name;
    return any_of(shipped);
  }

  // A format whose numbers d may just hold, or not quite.
  std::string near_d() {
    const Format d = named(words().operands.d);
    Format f = format("near_d");
    f.exponent_bits = std::clamp(d.exponent_bits + between(-1, 1), 1, 11);
    f.mantissa_bits = std::clamp(d.mantissa_bits + between(-3, 1), 0, 52);
    f.bias = (1 << (f.exponent_bits - 1)) - 1 + between(-6, 6);
    f.stored_bits = 1 + f.exponent_bits + f.mantissa_bits;
    words().formats.push_back(f);
    return f.name;
  }

  void operands() {
    Operands& o = words().operands;
    if (integer_) {
      o = {any_of<std::string>({"i8", "u8"}),
           any_of<std::string>({"i8", "u8", "i32"}),
           any_of<std::string>({"i8", "i32"}),
           any_of<std::string>({"i32", "i32", "i8"}),
           "",
           0};
      return;
    }
    const std::vector<std::string> narrow{"f16",  "bf16", "tf32", "e5m2", "e4m3", "e5m2fnuz", "e4m3fnuz",
                                          "e3m2", "e2m3", "e2m1", "f32",  "f32",  "f64"};
    if (ieee_) {
      o.c = o.d = any_of<std::string>({"f32", "f64"});
      o.a = chance(60) ? o.d : any_of(narrow);
      o.b = chance(70) ? o.a : any_of(narrow);
      if (o.d == "f32" && chance(40)) flush_ = {Subnormals::signed_zero, any_word<Tiny>()};
      return;
    }
    o.a = format_name(narrow);
    o.b = chance(50) ? o.a : format_name(narrow);
    o.c = format_name({"f32", "f32", "f16", "bf16", "tf32", "e5m2", "e5m2fnuz", "e4m3", "f64"});
    o.d = format_name({"f32", "f32", "f16", "bf16", "tf32", "e5m2", "e4m3", "e4m3fnuz", "e2m3", "ue4m3", "f64"});
    if (mixed_) some_integers(o);
    if (farther_ && !named(o.d).is_integer() && chance(20)) o.c = near_d();
    if (chance(20)) {
      o.scale = format_name({"ue8m0", "ue4m3", "e5m2", "bf16"});
      o.scale_block = farther_ ? between(1, own_.k) : divisor_of(own_.k);
    }
  }

  // Integers times integers beside a floating c, floats beside an integer c, one of both factors, and d of either kind.
  void some_integers(Operands& o) {
    const int kind = between(0, 3);
    const std::vector<std::string> small{"i8", "i8", "u8"}, any{"i32", "i32", "i8", "u8"};
    if (kind == 0 || (kind == 3 && coin())) o.a = any_of<std::string>({"i8", "i8", "u8", "i32"});
    if (kind == 0 || kind == 1 || (kind == 3 && coin())) o.b = any_of(small);
    if (kind == 2 || (kind == 3 && coin())) o.c = any_of(any);
    if (chance(35)) o.d = any_of(any);
  }

  void operand_words() {
    Datapath& w = words();
    if (plain()) {
      w.specials = Specials::operation;
      w.nan = Nan{true, 0};
      if (flush_.subnormals != Subnormals::keep) w.subnormals_c = any_word<Subnormals>();
      return;
    }
    if (chance(50)) w.subnormals_a = any_word<Subnormals>();
    if (chance(50)) w.subnormals_b = any_word<Subnormals>();
    if (chance(50)) w.subnormals_c = any_word<Subnormals>();
    w.specials = any_word<Specials>();
    if (chance(30)) w.nan = Nan{true, 0};
    if (chance(30)) w.nan = Nan{false, draws_.bits() & 0x7f};
    if (chance(20)) w.nan = Nan{false, 0, true};
  }

  // --- which terms go together ---

  Group group_of(int available) {
    Group group;
    if (plain() && chance(60)) return group;
    const int terms = divisor_of(available);
    if (terms != available || chance(50)) group.terms = terms;
    group.deal = any_word<Deal>();
    group.unit = divisor_of(terms);
    return group;
  }

  void order() {
    Datapath& w = words();
    int lane = own_.k;
    if (chance(30)) {
      w.lanes = group_of(own_.k);
      lane = w.lanes.terms.value_or(lane);
    }
    step_terms_ = lane;
    if (plain()) {
      w.step.terms = std::gcd(lane, any_of<int>({1, 2, 4, 8}));
      step_terms_ = *w.step.terms;
    } else if (chance(60)) {
      w.step = group_of(lane);
      step_terms_ = w.step.terms.value_or(lane);
    }
    w.from = chance(30) ? From::last : From::first;
    w.start = lane != own_.k || chance(25) ? Start::zero : Start::c;
  }

  // --- results ---

  Format named(const std::string& given) {
    const std::string& name = given == "d" ? words().operands.d : given;
    for (const Format& own : words().formats) {
      if (own.name == name) return own;
    }
    return *find_format(name);
  }

  struct FlushWords {
    Subnormals subnormals = Subnormals::keep;
    Tiny tiny = Tiny::result;
  };

  Result in_format(const std::string& name) {
    Result r;
    r.format = name;
    if (plain()) {
      r.subnormals = flush_.subnormals;
      r.tiny = flush_.tiny;
      return r;
    }
    r.cut = any_cut();
    const Format f = named(name == "d" ? words().operands.d : name);
    const bool numbers = words().specials == Specials::numbers;
    if (!f.is_integer()) {
      if (chance(75)) r.subnormals = any_word<Subnormals>();
      if (chance(60)) r.tiny = any_word<Tiny>();
    }
    r.overflow = overflow(f, numbers);
    if (integer_ || numbers) return r;
    // Most datapaths whose d is without infinity or NaN are legal.
    const bool last = name == "d";
    if (chance(last && !f.has_infinity ? 90 : 60))
      r.infinity = any_of<OfInfinity>({OfInfinity::largest, OfInfinity::nan});
    if (chance(80)) r.nan = any_word<OfNan>();
    if (!f.is_integer() && !f.has_sign) r.negative = any_word<OfNegative>();
    return r;
  }

  Overflow overflow(const Format& f, bool numbers) {
    std::vector<Overflow> legal{Overflow::largest};
    if (f.is_integer()) legal = {Overflow::largest, Overflow::wrap};
    if (f.is_integer() && f.has_sign) legal.push_back(Overflow::symmetric);
    if (f.has_infinity && !numbers)
      legal = {Overflow::infinity, Overflow::infinity, Overflow::largest, Overflow::directed};
    if (!integer_ && !numbers && chance(20)) return Overflow::nan;
    return any_of(legal);
  }

  Result in_bits() {
    Result r;
    r.at = any_of<ResultAt>({ResultAt::window, ResultAt::leading_one});
    r.keep = between(0, 35);
    r.cut = any_cut();
    if (r.at == ResultAt::leading_one && chance(50)) r.least_exponent = between(-150, 10);
    return r;
  }

  Result some_result() {
    if (integer_ || (mixed_ && chance(25)))
      return chance(50) ? in_bits() : in_format(any_of<std::string>({"i32", "i8", "u8"}));
    return chance(60)
               ? in_bits()
               : in_format(format_name(farther_ ? std::vector<std::string>{"d", "d", "f32", "f16", "bf16", "e5m2",
                                                                           "tf32", "e4m3", "e4m3fnuz", "f64"}
                                                : std::vector<std::string>{"d", "f32", "f16", "bf16", "e5m2", "tf32"}));
  }

  std::vector<Result> some_results(int most) {
    std::vector<Result> results;
    if (plain()) return results;
    for (int i = between(0, most); i > 0; --i) results.push_back(some_result());
    return results;
  }

  void product() {
    Product& p = words().product;
    if (plain()) {
      if (chance(85)) p.round = in_format("d");
      return;
    }
    if (chance(60))
      p.round = !integer_ && chance(30) ? in_format(any_of<std::string>({"d", "f16", "e5m2", "e4m3"})) : some_result();
    p.exponent = chance(25) ? ProductExponent::normalised : ProductExponent::raw;
    if (chance(20)) p.infinity_at = between(-2, 130);
    if (farther_ && p.round && p.infinity_at && chance(50)) round_up_to_infinity(p);
    scales_left_ = !words().operands.scale.empty();
    if (scales_left_ && chance(50)) {
      p.times_scales = true;
      scales_left_ = false;
    }
  }

  // Coarse enough that products often round up to what is infinite.
  void round_up_to_infinity(Product& p) {
    p.round = Result{};
    p.round->at = ResultAt::leading_one;
    p.round->keep = between(0, 2);
    p.round->cut = any_cut();
    p.infinity_at = between(-3, 6);
  }

  // --- adders ---

  struct Source {
    std::string name;
    int count;
  };

  Input input(const std::string& source) {
    Input i;
    i.source = source;
    if (plain()) return i;
    if (chance(75)) {
      i.keep = chance(85) ? between(2, 36) : between(0, 60);
      i.cut = any_cut();
    }
    if (farther_ && integer_ && chance(40)) i.empty = between(-5, 20);
    if (chance(15)) i.empty = between(-150, 20);
    if (chance(15)) i.lost_below = between(0, 40);
    return i;
  }

  Window window() {
    Window w;
    if (plain()) return w;
    if (chance(12)) {
      w.exponent = WindowExponent::fixed;
      w.at = between(-30, 30);
      return w;
    }
    if (chance(40)) w.floor = between(-150, 10);
    if (chance(30)) w.step = between(2, 9);
    return w;
  }

  Adder adder(const std::string& name, const std::vector<Source>& sources) {
    Adder a;
    a.name = name;
    a.window = window();
    a.zero = plain() ? ZeroSign::ieee : any_word<ZeroSign>();
    int items = 0;
    for (const Source& source : sources) {
      a.add.push_back(input(source.name));
      items += source.count;
    }
    if (items > 1 && chance(ieee_ ? 90 : 40)) a.shape = any_word<Shape>();
    const bool all_cut = std::all_of(a.add.begin(), a.add.end(), [](const Input& i) { return i.keep.has_value(); });
    a.sticky = (all_cut || farther_) && chance(40) ? Sticky::below_sum : Sticky::none;
    if (farther_ && a.sticky != Sticky::none && chance(40)) drop_all_small(a);
    return a;
  }

  // Sums of small items are nothing but their sticky bit.
  void drop_all_small(Adder& a) {
    if (a.window.exponent == WindowExponent::largest) a.window.floor = between(-20, 20);
    for (Input& i : a.add) i.lost_below = between(0, 12);
  }

  // One source alone, in groups.
  Adder grouped(const std::string& name, const Source& source, int& groups) {
    Adder a = adder(name, {source});
    a.group = group_of(source.count);
    const int terms = a.group->terms.value_or(source.count);
    groups = source.count / terms;
    if (terms == 1) a.shape = Shape::flat;
    if (scales_left_ && source.name == "product") {
      a.times_scales = true;
      a.shape = Shape::flat;
      scales_left_ = false;
    }
    a.results = some_results(2);
    if (plain()) a.results.push_back(in_format("d"));
    return a;
  }

  // The last adder takes what no other has taken.
  Adder last(const std::string& name, std::vector<Source> sources) {
    if (chance(50)) std::reverse(sources.begin(), sources.end());
    Adder a = adder(name, sources);
    a.results = some_results(2);
    a.results.push_back(in_format("d"));
    return a;
  }

  std::vector<Adder> step_adders() {
    std::vector<Adder> adders;
    std::vector<Source> sources{{"product", step_terms_}};
    const int before = scales_left_ ? between(1, 2) : between(0, 2);
    for (int i = 0; i < before; ++i) {
      const std::string name = i == 0 ? "first" : "second";
      int groups = 1;
      adders.push_back(grouped(name, sources.front(), groups));
      sources = {{name, groups}};
      if (i == 1 && chance(20)) sources.push_back({"first", 0});  // taken a second time
    }
    sources.push_back({"acc", 1});
    if (words().start == Start::zero && words().step.terms.value_or(step_terms_) == own_.k && chance(30))
      sources.pop_back();
    adders.push_back(last("sum", sources));
    return adders;
  }

  std::vector<Adder> finish_adders() {
    const int lanes = own_.k / words().lanes.terms.value_or(own_.k);
    if (chance(50)) return {last("late", {{"lanes", lanes}, {"c", 1}})};
    int groups = 1;
    const Adder both = grouped("both", {"lanes", lanes}, groups);
    return {both, last("late", {{"both", groups}, {"c", 1}})};
  }

  // --- formats that are lists, and those of other fields ---

  // A value for each code of a few bits.
  Format list_format() {
    Format f;
    f.name = "listed";
    f.kind = FormatKind::values;
    f.ties = any_word<Ties>();
    const int codes = 1 << between(1, 4);
    for (int i = 0; i < codes; ++i) {
      const int choice = between(0, 19);
      const std::string number = std::to_string(between(-40, 40)) + "*2^" + std::to_string(between(-9, 6));
      f.listed.push_back(choice == 0 ? "nan" : choice == 1 ? "-0" : number);
    }
    f.listed[0] = "0";
    f.listed[1] = "-1.75";
    if (codes > 4 && chance(40)) f.listed[2] = "inf", f.listed[4] = "-inf";
    complete(f);
    return f;
  }

  std::string any_list() {
    if (chance(55)) {
      if (words().formats.empty() || words().formats.back().name != "listed") words().formats.push_back(list_format());
      return "listed";
    }
    return any_of<std::string>({"hif8", "posit8_0", "posit8_2", "posit8_1", "posit16_1", "nf4", "Binary8p3se",
                                "Binary8p4ue", "Binary6p1sf", "Binary5p1se", "Binary4p2sf", "Binary8p8uf",
                                "e4m3b11fnuz", "ieee_e3m4", "hif4_s1p2"});
  }

  void fit(Result& r, const std::string& name) {
    if (r.at != ResultAt::format || r.format != name) return;
    const Format f = named(name);
    if (f.is_list()) r.subnormals = Subnormals::keep;
    if (!f.has_infinity) r.overflow = Overflow::largest;
  }

  void each_result(const std::function<void(Result&)>& see) {
    if (words().product.round) see(*words().product.round);
    for (std::vector<Adder>* adders : {&words().adders, &words().finish}) {
      for (Adder& a : *adders) {
        for (Result& r : a.results) see(r);
      }
    }
  }

  // In place of formats that were drawn before.
  void lists() {
    Datapath& w = words();
    w.specials = any_of<Specials>({Specials::step, Specials::operation});
    if (chance(70)) w.operands.a = any_list();
    if (chance(40)) w.operands.b = any_list();
    if (chance(30)) w.operands.c = any_list();
    if (chance(30)) w.operands.d = any_list();
    if (chance(30)) {
      const std::string name = any_list();
      each_result([&](Result& r) {
        if (r.at == ResultAt::format && r.format != "d" && chance(50)) r.format = name;
      });
      each_result([&](Result& r) { fit(r, name); });
    }
    each_result([&](Result& r) { fit(r, "d"); });
    if (named(w.operands.a).is_list()) w.subnormals_a = Subnormals::keep;
    if (named(w.operands.b).is_list()) w.subnormals_b = Subnormals::keep;
    if (named(w.operands.c).is_list()) w.subnormals_c = Subnormals::keep;
  }

  Draws draws_;
  bool farther_;
  bool integer_, ieee_;  // ieee_: operations of f32 or of f64, each rounded to it
  bool mixed_;           // integers and floats
  FlushWords flush_;
  OwnDatapath own_;
  int step_terms_ = 0;
  bool scales_left_ = false;
};

// Words of what a case brings beside a, b, c and the pair of scales, by draws of their own: whatever else a datapath
// says stays as it was drawn.
class MoreDrawer {
 public:
  MoreDrawer(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own)
      : draws_(seed, number, Part::term, attempt), own_(own), integer_(is_integer(words().operands.a)) {}

  void add() {
    if (!chance(55)) return;
    for (int i = between(-1, 2); i > 0; --i) words().operands.scales.push_back(scale("more" + std::to_string(i)));
    if (!integer_ && words().operands.scale.empty() && chance(30)) words().operands.scales.push_back(scale("scale_b"));
    factor(words().operands.a, words().factor_a, words().operands.zero_a);
    factor(words().operands.b, words().factor_b, words().operands.zero_b);
    if (words().product.round) by_chance(*words().product.round, 60);
    for (auto* adders : {&words().adders, &words().finish}) {
      for (Adder& adder : *adders) {
        for (Result& result : adder.results) by_chance(result);
      }
    }
  }

 private:
  bool chance(int percent) { return draws_.between(1, 100) <= percent; }
  int between(int least, int greatest) { return draws_.between(least, greatest); }
  template <class T>
  T any_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(draws_.below(choices.size()))];
  }
  Datapath& words() { return own_.words; }
  bool is_integer(const std::string& name) {
    const Format* format = find_format(name);
    return format != nullptr && format->is_integer();
  }

  std::optional<int> block() {
    if (chance(30)) return std::nullopt;
    return chance(50) ? between(1, own_.k) : any_of<int>({1, 2, 4, 8});
  }

  Scale scale(const std::string& name) {
    Scale s;
    s.name = name;
    s.of = chance(50) ? Side::a : Side::b;
    s.format = integer_ ? any_of<std::string>({"i8", "u8", "ue8m0"})
                        : any_of<std::string>({"ue8m0", "ue4m3", "e5m2", "bf16", "f16", "f32", "e2m1"});
    s.block = block();
    std::vector<std::string> places{"operand", "operand", "product", words().adders.back().name};
    for (const auto* adders : {&words().adders, &words().finish}) {
      for (const Adder& adder : *adders) places.push_back(adder.name);
    }
    s.at = any_of(places);
    if (!words().finish.empty() && chance(25)) {
      s.at = words().finish.back().name;
      s.block = std::nullopt;
    }
    return s;
  }

  void factor(const std::string& format, Factor& factor, ZeroPoints& zeros) {
    if (is_integer(format) && chance(80)) {
      if (chance(50)) {
        factor.zero_point = between(-300, 300);
      } else {
        zeros = {any_of<std::string>({"i8", "u8", "i32"}), block()};
      }
    }
    if (!chance(30)) return;
    Result r;
    r.cut = static_cast<Cut>(draws_.below(steady_cuts));
    if (integer_ || chance(40)) {
      r.at = chance(50) ? ResultAt::window : ResultAt::leading_one;
      r.keep = between(0, 12);
    } else {
      r.format = any_of<std::string>({"f16", "bf16", "f32", "e5m2", "e4m3"});
      r.overflow = Overflow::largest;
      if (chance(30)) r.subnormals = any_of<Subnormals>({Subnormals::zero, Subnormals::signed_zero});
    }
    by_chance(r);
    factor.round = r;
  }

  void by_chance(Result& r, int percent = 45) {
    if (!chance(percent)) return;
    r.cut = any_of<Cut>({Cut::stochastic_a, Cut::stochastic_b, Cut::stochastic_c});
    r.random_bits = chance(80) ? between(1, 10) : between(1, 32);
  }

  Draws draws_;
  OwnDatapath& own_;
  bool integer_;
};

// Puts an integer with bits after the point in the place of some integers, by draws of its own again.
void place_points(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own) {
  Draws draws(seed, number, Part::scale_a, attempt);
  if (draws.below(3) == 0) return;
  Datapath& w = own.words;
  Format fixed = *find_format("i8");
  fixed.name = "fixed";
  fixed.stored_bits = draws.between(2, 20);
  fixed.has_sign = draws.below(4) != 0;
  fixed.fraction_bits = draws.between(-8, 20);
  bool placed = false;
  const auto place = [&](std::string& name) {
    const Format* format = find_format(name);
    if (format == nullptr || !format->is_integer() || draws.below(3) == 0) return;
    name = fixed.name;
    placed = true;
  };
  if (!w.factor_a.zero_point && w.operands.zero_a.format.empty()) place(w.operands.a);
  if (!w.factor_b.zero_point && w.operands.zero_b.format.empty()) place(w.operands.b);
  place(w.operands.c);
  place(w.operands.d);
  for (Scale& scale : w.operands.scales) place(scale.format);
  if (w.product.round) place(w.product.round->format);
  for (auto* adders : {&w.adders, &w.finish}) {
    for (Adder& adder : *adders) {
      for (Result& result : adder.results) place(result.format);
    }
  }
  if (placed) w.formats.push_back(fixed);
}

// --- what begins, what is turned, which NaN is taken ---

// Drawn after all else, so that what was drawn before stays what it was.
class EntryDrawer {
 public:
  EntryDrawer(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own)
      : draws_(number, attempt, Part::noise, 3), w_(own.words), own_(own) {}

  void add() {
    if (!chance(40)) return;
    for (auto* adders : {&w_.adders, &w_.finish}) {
      for (Adder& adder : *adders) {
        for (Input& input : adder.add) input.negate = w_.specials != Specials::step && chance(20);
      }
    }
    const bool unread = w_.start == Start::c && w_.finish.empty() && chance(25);
    if (unread || (w_.start == Start::zero && chance(50))) w_.start = Start::none;
    if (w_.specials == Specials::operation && chance(60)) nan_order();
    acc_as_read();
  }

 private:
  bool chance(int percent) { return draws_.between(1, 100) <= percent; }

  // Drawn last of these.
  void acc_as_read() {
    const Result& left = w_.adders.back().results.back();
    const Format* format = find_format(left.format == "d" ? w_.operands.d : left.format);
    if (left.at == ResultAt::format && format != nullptr && !format->is_integer() && !format->is_list() && chance(50))
      w_.subnormals_acc = static_cast<Subnormals>(draws_.below(words<Subnormals>().size()));
  }

  void nan_order() {
    std::vector<std::string> places{"acc"};
    const int lane = w_.lanes.terms.value_or(own_.k), terms = w_.step.terms.value_or(lane);
    for (int i = 0; i < std::min(terms, 4); ++i) {
      for (const char* source : {"a", "b", "product"}) places.push_back(indexed(source, i));
    }
    for (const Adder& adder : w_.adders) places.push_back(adder.group ? indexed(adder.name, 0) : adder.name);
    Nan nan{true, 0};
    nan.order.signalling_first = chance(50);
    if (chance(50)) nan.order.made = draws_.bits() & 0x7f;
    const auto count = 1 + draws_.below(places.size());
    for (std::size_t i = 0; i < count; ++i) {
      const auto next = static_cast<std::ptrdiff_t>(draws_.below(places.size()));
      nan.order.take.push_back(places[static_cast<std::size_t>(next)]);
      places.erase(places.begin() + next);
    }
    w_.nan = nan;
  }

  Draws draws_;
  Datapath& w_;
  const OwnDatapath& own_;
};

// As IEEE operations do, of which few are drawn.
bool says_nothing_of_inputs(const Datapath& w) {
  return std::all_of(w.adders.begin(), w.adders.end(), [](const Adder& adder) {
    return std::all_of(adder.add.begin(), adder.add.end(), [](const Input& input) { return says_only(input); });
  });
}

// --- pieces of operands, windows that are lost, second cuts, errata ---

// Drawn after all else, likewise.
class PieceDrawer {
 public:
  PieceDrawer(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own)
      : draws_(number, attempt, Part::noise, 4), w_(own.words) {}

  void add() {
    if (!chance(says_nothing_of_inputs(w_) ? 5 : 40)) return;
    magnitudes();
    if (chance(50)) slices();
    if (chance(30)) w_.product.empty = between(-60, 10);
    for (auto* adders : {&w_.adders, &w_.finish}) {
      for (Adder& adder : *adders) adder_words(adder);
    }
  }

 private:
  bool chance(int percent) { return draws_.between(1, 100) <= percent; }
  int between(int least, int greatest) { return draws_.between(least, greatest); }
  template <class Enum>
  Enum any_word() {
    return static_cast<Enum>(draws_.below(words<Enum>().size()));
  }

  void slices() {
    const auto side = [&](int& from, std::optional<int>& bits) {
      from = chance(40) ? 0 : between(1, 6);
      if (chance(70)) bits = between(1, 8);
    };
    for (int i = between(1, 4); i > 0; --i) {
      SlicePair pair;
      side(pair.a_from, pair.a_bits);
      side(pair.b_from, pair.b_bits);
      w_.slices.pairs.push_back(pair);
    }
    w_.slices.exponent = any_word<SliceExponent>();
    w_.slices.run = any_word<SliceRun>();
    for (Factor* factor : {&w_.factor_a, &w_.factor_b}) {
      if (factor->round && factor->round->at == ResultAt::window) factor->round->at = ResultAt::leading_one;
    }
  }

  // An operand of integers becomes one of a sign and a magnitude, and so may d.
  void magnitudes() {
    Format f;
    f.name = "magnitude";
    f.kind = FormatKind::integer;
    f.stored_bits = between(2, 9);
    f.sign_magnitude = true;
    f.has_signed_zero = false;
    bool placed = false;
    for (std::string* name : {&w_.operands.a, &w_.operands.b, &w_.operands.c}) {
      if ((*name != "i8" && *name != "u8") || !chance(40)) continue;
      *name = f.name;
      placed = true;
    }
    for (Adder& adder : w_.adders) {
      for (Result& result : adder.results) {
        if (result.format != "i8" || result.overflow == Overflow::wrap || !chance(60)) continue;
        result.format = f.name;
        placed = true;
      }
    }
    if (placed) w_.formats.push_back(f);
  }

  void adder_words(Adder& adder) {
    for (Input& input : adder.add) {
      for (int i = input.keep && chance(40) ? between(1, 2) : 0; i > 0; --i)
        input.again.push_back({std::max(0, *input.keep - between(-1, 6)), static_cast<Cut>(draws_.below(steady_cuts))});
    }
    if (adder.window.exponent == WindowExponent::largest && chance(40)) adder.window.lost_at = between(-40, 4);
    const bool can_err = adder.shape == Shape::flat && adder.sticky == Sticky::none && adder.add.front().keep;
    if (can_err && chance(50)) adder.errata.minus_one = between(0, 6);
    for (Result& result : adder.results) {
      if (result.at != ResultAt::format) continue;
      if (chance(40)) result.minus_zero = MinusZero::never;
      if (w_.specials == Specials::numbers && result.overflow == Overflow::largest && is_floating(result.format) &&
          chance(60))
        result.overflow = Overflow::top;
    }
  }

  bool is_floating(const std::string& given) const {
    const std::string& name = given == "d" ? w_.operands.d : given;
    for (const Format& own : w_.formats) {
      if (own.name == name) return own.kind == FormatKind::floating && own.exponent_bits > 1;
    }
    const Format* known = find_format(name);
    return known != nullptr && known->kind == FormatKind::floating && known->exponent_bits > 1;
  }

  Draws draws_;
  Datapath& w_;
};

// --- which products a case may switch off ---

void place_mask(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own) {
  Draws draws(number, attempt, Part::noise, 5);
  const std::uint64_t kind = draws.below(6);
  if (kind > 2) return;
  Mask mask;
  if (kind != 0) {
    std::vector<int> groups;
    for (int among = 2; among <= own.k; ++among) {
      if (own.k % among == 0) groups.push_back(among);
    }
    if (groups.empty()) return;
    mask.among = groups[static_cast<std::size_t>(draws.below(groups.size()))];
    mask.unit = *mask.among % 2 == 0 && draws.below(3) == 0 ? 2 : 1;
    mask.take = draws.between(1, *mask.among / mask.unit) * mask.unit;
  }
  own.words.operands.mask = mask;
}

// --- zeros with exponents, windows that are raised, lost bits that join a result, full registers, NaNs as zeros ---

// Drawn after all else, likewise.
class RegisterDrawer {
 public:
  RegisterDrawer(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own)
      : draws_(number, attempt, Part::noise, 6), w_(own.words) {}

  void add() {
    if (!chance(says_nothing_of_inputs(w_) ? 5 : 40)) return;
    for (Nans* nans : {&w_.nans_a, &w_.nans_b, &w_.nans_c}) *nans = chance(25) ? Nans::zero : Nans::keep;
    for (Factor* factor : {&w_.factor_a, &w_.factor_b}) {
      if (chance(25)) factor->empty = between(-40, 10);
    }
    if (w_.product.round && chance(60)) fill(*w_.product.round);
    for (auto* adders : {&w_.adders, &w_.finish}) {
      for (Adder& adder : *adders) adder_words(adder);
    }
  }

 private:
  bool chance(int percent) { return draws_.between(1, 100) <= percent; }
  int between(int least, int greatest) { return draws_.between(least, greatest); }

  void fill(Result& result) {
    if (result.at == ResultAt::format) {
      const Cut cut = result.cut;
      const int random_bits = result.random_bits;
      result = Result{};
      result.cut = cut;
      result.random_bits = random_bits;
      result.keep = between(0, 20);
    }
    result.at = ResultAt::window;
    result.least_exponent.reset();
    result.bits = between(2, std::max(2, result.keep + 3));
    static constexpr std::array<Overflow, 3> legal{Overflow::wrap, Overflow::largest, Overflow::symmetric};
    result.overflow = legal[static_cast<std::size_t>(draws_.below(legal.size()))];
  }

  void adder_words(Adder& adder) {
    if (adder.window.exponent == WindowExponent::largest) {
      if (chance(30)) adder.window.raise = between(1, 6);
      if (adder.window.step != 1 && chance(50)) adder.window.step_from = between(-20, 20);
    }
    if (chance(25)) adder.cancelled = Cancelled::none;
    for (Result& result : adder.results) {
      if (result.at != ResultAt::format && chance(50)) fill(result);
    }
    const bool can_join = !adder.results.empty() && !adder.errata.minus_one && !is_stochastic(adder.results[0].cut);
    if (can_join && chance(35)) adder.sticky = Sticky::at_result;
  }

  Draws draws_;
  Datapath& w_;
};

void add_flags(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own) {
  Draws draws(number, attempt, Part::noise, 7);
  if (draws.below(4) != 0) return;
  const auto one_of = [&](std::size_t words) { return static_cast<int>(draws.below(words)); };
  Flags flags;
  flags.of = static_cast<FlagsOf>(one_of(words<FlagsOf>().size()));
  flags.invalid = static_cast<Invalid>(one_of(words<Invalid>().size()));
  flags.tiny = static_cast<Tiny>(one_of(words<Tiny>().size()));
  own.words.flags = flags;
}

// --- products that go on as rows ---

bool has_a_width(const Datapath& w, const std::string& operand, const Factor& factor) {
  const std::string& name = factor.round ? factor.round->format == "d" ? w.operands.d : factor.round->format : operand;
  const auto own = std::find_if(w.formats.begin(), w.formats.end(), [&](const Format& f) { return f.name == name; });
  const Format* found = own != w.formats.end() ? &*own : find_format(name);
  return found != nullptr && !found->is_integer() && !found->is_list();
}

// Drawn after all else, likewise.
void add_rows(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own) {
  Draws draws(number, attempt, Part::noise, 9);
  Datapath& w = own.words;
  if (draws.below(8) == 0 || w.product.round || !has_a_width(w, w.operands.a, w.factor_a) ||
      !has_a_width(w, w.operands.b, w.factor_b))
    return;
  w.slices.pairs.clear();
  w.product.exponent = ProductExponent::raw;
  w.product.infinity_at.reset();
  ProductRows rows;
  rows.of = draws.below(2) == 0 ? Side::a : Side::b;
  rows.compress = draws.below(2) == 0 ? Compress::chain : Compress::tree;
  if (draws.below(2) == 0) rows.first = draws.between(1, 5);
  if (draws.below(4) != 0) {
    rows.digits = RowDigits::booth4;
    rows.sign = static_cast<RowSign>(draws.below(words<RowSign>().size()));
    rows.extension = draws.below(3) == 0 ? RowExtension::sign : RowExtension::constant;
    if (rows.has_constant() && draws.below(2) == 0) rows.width = draws.between(10, 30);
  }
  w.product.rows = rows;
}

// --- factors whose exponents are rounded down ---

// Drawn after all else, likewise. Bits of slices are counted from one place, and integers have no exponents.
void add_factor_steps(std::uint64_t number, std::uint64_t attempt, OwnDatapath& own) {
  Draws draws(number, attempt, Part::noise, 10);
  Datapath& w = own.words;
  if (draws.below(6) != 0 || !w.slices.pairs.empty()) return;
  const auto add = [&](const std::string& operand, Factor& factor) {
    const bool takes = draws.below(3) != 0;
    const int step = std::array<int, 5>{2, 3, 4, 8, 16}[draws.below(5)], from = draws.between(-20, 20);
    if (!takes || !has_a_width(w, operand, factor)) return;
    factor.step = step;
    if (draws.coin()) factor.step_from = from;
  };
  add(w.operands.a, w.factor_a);
  add(w.operands.b, w.factor_b);
}

// --- what a datapath says ---

class Speaker {
 public:
  std::vector<std::string> said;

  void own(const OwnDatapath& own) {
    const Datapath& w = own.words;
    for (const Format& f : w.formats) format(f);
    word("subnormals", w.subnormals_a);
    word("subnormals", w.subnormals_b);
    word("subnormals", w.subnormals_c);
    word("subnormals.acc", w.subnormals_acc);
    word("nans", w.nans_a);
    word("nans", w.nans_b);
    word("nans", w.nans_c);
    if (w.flags) {
      word("flags.of", w.flags->of);
      word("flags.invalid", w.flags->invalid);
      word("flags.tiny", w.flags->tiny);
    }
    word("specials", w.specials);
    if (w.nan && w.nan->has_order()) nan_order(w.nan->order);
    say("nan", !w.nan               ? "left out"
               : w.nan->has_order() ? "order"
               : w.nan->propagate   ? "propagate"
               : w.nan->with_sign   ? "signed"
                                    : "code");
    operands(w.operands);
    factor(w.operands.a);
    factor(w.operands.b);
    say("scale", w.operands.scale.empty() ? "none" : "given");
    for (const Scale& scale : w.operands.scales) one_scale(scale, w);
    mask(w.operands.mask);
    factor("factor", w.factor_a, w.operands.zero_a);
    factor("factor", w.factor_b, w.operands.zero_b);
    slices(w.slices);
    product(w.product);
    group("k_order.lanes", w.lanes, own.k);
    group("k_order.step", w.step, w.lanes.terms.value_or(own.k));
    word("from", w.from);
    word("start", w.start);
    say("adders", std::to_string(w.adders.size()));
    say("finish", std::to_string(w.finish.size()));
    for (const Adder& a : w.adders) {
      adder(a);
      if (w.product.round && a.add.front().source == "product") word("rounded_products", a.shape);
    }
    for (const Adder& a : w.finish) adder(a);
  }

 private:
  void say(const std::string& key, const std::string& value) { said.push_back(key + "." + value); }
  template <class Enum>
  void word(const std::string& key, Enum value) {
    say(key, std::string(assay::word(value)));
  }
  template <class T>
  void given(const std::string& key, const std::optional<T>& value) {
    say(key, value ? "given" : "none");
  }

  static bool is_integer(const std::string& format) {
    return format == "i8" || format == "u8" || format == "i32" || format == "fixed" || format == "magnitude";
  }

  void nan_order(const NanOrder& order) {
    say("nan.default", order.made ? "given" : "none");
    say("nan.signalling", order.signalling_first ? "first" : "alike");
    for (const std::string& place : order.take) say("nan.take", nan_source(place));
  }
  static std::string nan_source(const std::string& place) {
    const std::string source = place.substr(0, place.find('['));
    return source.size() == 1 || source == "product" || source == "acc" ? source : "adder";
  }

  void operands(const Operands& o) {
    const int integers = is_integer(o.a) + is_integer(o.b) + is_integer(o.c) + is_integer(o.d);
    say("operands", integers == 4 ? "integers" : integers == 0 ? "floating" : "mixed");
    if (integers == 0 || integers == 4) return;
    if (is_integer(o.a) != is_integer(o.b)) say("mixed", "product");
    if (is_integer(o.a) && is_integer(o.b) && !is_integer(o.c)) say("mixed", "floating c");
    if (!is_integer(o.a) && !is_integer(o.b) && is_integer(o.c)) say("mixed", "integer c");
    say("mixed", is_integer(o.d) ? "integer d" : "floating d");
  }

  void factor(const std::string& format) {
    if (format == "f32" || format == "f64") say("factor", format);
  }

  void format(const Format& f) {
    if (f.is_list()) return word("formats.ties", f.ties);
    if (f.sign_magnitude) return say("formats.magnitude", "true");
    if (f.is_integer()) return say("formats.fraction", "given");
    static const std::array<const char*, 4> nans{"none", "ieee", "all_ones", "negative_zero"};
    say("formats.nan", nans[static_cast<std::size_t>(f.nan)]);
    say("formats.signed_zero", f.has_signed_zero ? "true" : "false");
  }

  void group(const std::string& key, const Group& g, int available) {
    if (g.terms.value_or(available) == available) return say(key, "all");
    word(key + ".deal", g.deal);
    say(key + ".unit", g.unit == 1 ? "1" : "more");
  }

  void result(const std::string& key, const Result& r) {
    word(key + ".at", r.at);
    word(key + ".cut", r.cut);
    if (r.at == ResultAt::leading_one) given(key + ".least_exponent", r.least_exponent);
    if (r.at == ResultAt::window) given(key + ".bits", r.bits);
    if (r.bits) word(key + ".bits.overflow", r.overflow);
    if (r.at != ResultAt::format) return;
    word(key + ".subnormals", r.subnormals);
    if (r.subnormals != Subnormals::keep) word(key + ".tiny", r.tiny);
    word(key + ".overflow", r.overflow);
    word(key + ".infinity", r.infinity);
    word(key + ".nan", r.nan);
    word(key + ".minus_zero", r.minus_zero);
    if (r.format == "ue4m3") word(key + ".negative", r.negative);
  }

  void one_scale(const Scale& scale, const Datapath& w) {
    const auto among = [&](const std::vector<Adder>& adders) {
      return std::any_of(adders.begin(), adders.end(), [&](const Adder& a) { return a.name == scale.at; });
    };
    word("scales.of", scale.of);
    given("scales.block", scale.block);
    say("scales.at", among(w.adders) ? "adders" : among(w.finish) ? "finish" : scale.at);
  }

  void mask(const std::optional<Mask>& m) {
    say("mask", !m ? "none" : m->has_pattern() ? "pattern" : "any");
    if (m && m->has_pattern()) say("mask.unit", m->unit == 1 ? "1" : "more");
  }

  void factor(const std::string& key, const Factor& f, const ZeroPoints& zeros) {
    say(key + ".zero_point", f.zero_point ? "given" : zeros.format.empty() ? "none" : "of the case");
    given(key + ".round", f.round);
    given(key + ".empty", f.empty);
    say(key + ".step", f.step == 1 ? "1" : "more");
    if (f.step != 1) say(key + ".from", f.step_from == 0 ? "0" : "other");
    if (f.round) say(key + ".round", is_stochastic(f.round->cut) ? "stochastic" : "steady");
  }

  void product(const Product& p) {
    given("product.round", p.round);
    if (p.round) result("product.round", *p.round);
    word("product.exponent", p.exponent);
    given("product.infinity_at", p.infinity_at);
    say("product.times", p.times_scales ? "scales" : "none");
    given("product.empty", p.empty);
    say("rows", p.rows ? "given" : "none");
    if (p.rows) rows(*p.rows);
  }

  void rows(const ProductRows& r) {
    word("rows.of", r.of);
    word("rows.digits", r.digits);
    word("rows.compress", r.compress);
    given("rows.first", r.first);
    if (r.digits != RowDigits::booth4) return;
    word("rows.sign", r.sign);
    word("rows.extension", r.extension);
    if (r.has_constant()) given("rows.width", r.width);
  }

  void slices(const Slices& s) {
    if (s.pairs.empty()) return say("slices", "none");
    word("slices.exponent", s.exponent);
    word("slices.run", s.run);
    say("slices", s.pairs.size() == 1 ? "one" : "several");
    for (const SlicePair& pair : s.pairs) {
      given("slices.bits", pair.a_bits);
      given("slices.bits", pair.b_bits);
    }
  }

  void adder(const Adder& a) {
    for (const Input& i : a.add) input(i);
    given("group", a.group);
    if (a.group) word("group.deal", a.group->deal);
    word("shape", a.shape);
    word("window.exponent", a.window.exponent);
    if (a.window.exponent == WindowExponent::largest) {
      given("window.floor", a.window.floor);
      say("window.step", a.window.step == 1 ? "1" : "more");
      given("window.lost_at", a.window.lost_at);
      say("window.raise", a.window.raise == 0 ? "0" : "other");
      if (a.window.step != 1) say("window.from", a.window.step_from == 0 ? "0" : "other");
    }
    word("sticky", a.sticky);
    word("cancelled", a.cancelled);
    say("times", a.times_scales ? "scales" : "none");
    word("zero", a.zero);
    given("errata", a.errata.minus_one);
    say("results", std::to_string(a.results.size()));
    for (const Result& r : a.results) result("result", r);
  }

  void input(const Input& i) {
    const bool earlier = i.source != "product" && i.source != "acc" && i.source != "c" && i.source != "lanes";
    say("add", earlier ? "adder" : i.source);
    given("keep", i.keep);
    if (i.keep) word("cut", i.cut);
    given("empty", i.empty);
    given("lost_below", i.lost_below);
    say("negate", i.negate ? "true" : "false");
    say("again", std::to_string(i.again.size()));
    for (const Recut& again : i.again) word("again.cut", again.cut);
  }
};

void each_word(std::vector<std::string>& all, const std::string& key, const std::vector<std::string_view>& values) {
  for (const std::string_view value : values) all.push_back(key + "." + std::string(value));
}

}  // namespace

OwnDatapath random_datapath(std::uint64_t number, std::uint64_t attempt, Domain domain) {
  OwnDatapath own = Drawer(number, attempt, domain).own();
  MoreDrawer(number, attempt, own).add();
  place_points(number, attempt, own);
  EntryDrawer(number, attempt, own).add();
  PieceDrawer(number, attempt, own).add();
  place_mask(number, attempt, own);
  RegisterDrawer(number, attempt, own).add();
  add_flags(number, attempt, own);
  add_rows(number, attempt, own);
  add_factor_steps(number, attempt, own);
  return own;
}

std::vector<std::string> words_used(const OwnDatapath& own) {
  Speaker speaker;
  speaker.own(own);
  return speaker.said;
}

std::vector<std::string> all_words() {
  const std::vector<std::string_view> given{"given", "none"};
  std::vector<std::string> all;
  each_word(all, "formats.nan", {"none", "ieee", "all_ones", "negative_zero"});
  each_word(all, "formats.signed_zero", {"true", "false"});
  each_word(all, "formats.ties", words<Ties>());
  all.push_back("formats.fraction.given");
  all.push_back("formats.magnitude.true");
  each_word(all, "subnormals", words<Subnormals>());
  each_word(all, "nans", words<Nans>());
  each_word(all, "flags.of", words<FlagsOf>());
  each_word(all, "flags.invalid", words<Invalid>());
  each_word(all, "flags.tiny", words<Tiny>());
  each_word(all, "specials", words<Specials>());
  each_word(all, "nan", {"left out", "propagate", "signed", "code", "order"});
  each_word(all, "nan.default", given);
  each_word(all, "nan.signalling", {"first", "alike"});
  each_word(all, "nan.take", {"a", "b", "product", "acc", "adder"});
  each_word(all, "operands", {"integers", "floating", "mixed"});
  each_word(all, "mixed", {"product", "floating c", "integer c", "integer d", "floating d"});
  each_word(all, "factor", {"f32", "f64"});
  each_word(all, "rounded_products", words<Shape>());
  each_word(all, "scale", given);
  each_word(all, "scales.of", words<Side>());
  each_word(all, "scales.block", given);
  each_word(all, "scales.at", {"operand", "product", "adders", "finish"});
  each_word(all, "mask", {"none", "any", "pattern"});
  each_word(all, "mask.unit", {"1", "more"});
  each_word(all, "factor.zero_point", {"given", "of the case", "none"});
  each_word(all, "factor.round", {"none", "stochastic", "steady"});
  each_word(all, "factor.empty", given);
  each_word(all, "factor.step", {"1", "more"});
  each_word(all, "factor.from", {"0", "other"});
  each_word(all, "product.exponent", words<ProductExponent>());
  each_word(all, "product.infinity_at", given);
  each_word(all, "product.times", {"scales", "none"});
  each_word(all, "product.empty", given);
  each_word(all, "rows", given);
  each_word(all, "rows.of", words<Side>());
  each_word(all, "rows.digits", words<RowDigits>());
  each_word(all, "rows.sign", words<RowSign>());
  each_word(all, "rows.extension", words<RowExtension>());
  each_word(all, "rows.width", given);
  each_word(all, "rows.compress", words<Compress>());
  each_word(all, "rows.first", given);
  each_word(all, "slices", {"none", "one", "several"});
  each_word(all, "slices.exponent", words<SliceExponent>());
  each_word(all, "slices.run", words<SliceRun>());
  each_word(all, "slices.bits", given);
  for (const std::string key : {"k_order.lanes", "k_order.step"}) {
    all.push_back(key + ".all");
    each_word(all, key + ".deal", words<Deal>());
    each_word(all, key + ".unit", {"1", "more"});
  }
  each_word(all, "from", words<From>());
  each_word(all, "start", words<Start>());
  each_word(all, "adders", {"1", "2", "3"});
  each_word(all, "finish", {"0", "1", "2"});
  each_word(all, "add", {"product", "acc", "c", "lanes", "adder"});
  each_word(all, "keep", given);
  std::vector<std::string_view> steady = words<Cut>();
  steady.resize(steady_cuts);
  each_word(all, "cut", steady);
  each_word(all, "empty", given);
  each_word(all, "lost_below", given);
  each_word(all, "negate", {"true", "false"});
  each_word(all, "again", {"0", "1", "2"});
  each_word(all, "again.cut", steady);
  each_word(all, "window.lost_at", given);
  each_word(all, "errata", given);
  each_word(all, "group", given);
  each_word(all, "group.deal", words<Deal>());
  each_word(all, "shape", words<Shape>());
  each_word(all, "window.exponent", words<WindowExponent>());
  each_word(all, "window.floor", given);
  each_word(all, "window.step", {"1", "more"});
  each_word(all, "window.raise", {"0", "other"});
  each_word(all, "window.from", {"0", "other"});
  each_word(all, "sticky", words<Sticky>());
  each_word(all, "cancelled", words<Cancelled>());
  each_word(all, "times", {"scales", "none"});
  each_word(all, "zero", words<ZeroSign>());
  each_word(all, "results", {"0", "1", "2", "3"});
  each_word(all, "product.round", given);
  for (const std::string key : {"product.round", "result"}) {
    each_word(all, key + ".at", words<ResultAt>());
    each_word(all, key + ".cut", words<Cut>());
    each_word(all, key + ".least_exponent", given);
    each_word(all, key + ".bits", given);
    each_word(all, key + ".bits.overflow", {"wrap", "largest", "symmetric"});
    each_word(all, key + ".subnormals", words<Subnormals>());
    each_word(all, key + ".overflow", {"infinity", "largest", "nan"});
    each_word(all, key + ".infinity", words<OfInfinity>());
    each_word(all, key + ".nan", words<OfNan>());
  }
  each_word(all, "result.tiny", words<Tiny>());
  each_word(all, "result.overflow", {"wrap", "directed", "symmetric", "top"});
  each_word(all, "result.minus_zero", words<MinusZero>());
  return all;
}

}  // namespace assay
