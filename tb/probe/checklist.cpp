#include "tb/probe/checklist.hpp"

#include "tb/generate/codes.hpp"

namespace assay::probe {
namespace {

class List {
 public:
  List(const Workbench& bench, int result_bits) : bench_(bench), plan_(bench.plan()), u_(-result_bits) {}

  std::vector<Check> all() {
    if (bench_.products().size() < 4 || plan_.scales > 0) return {};
    subnormals();
    accuracy();
    rounding();
    adder();
    monotonicity();
    return std::move(checks_);
  }

 private:
  void add(const std::string& name, const Addends& addends) {
    if (const auto made = bench_.with(addends)) checks_.push_back({name, *made});
  }
  // The first four products, and c.
  void add(const std::string& name, const std::array<Value, 4>& products, const Value& c) {
    Addends addends{{bench_.c(), c}};
    for (std::size_t i = 0; i < 4; ++i) addends[bench_.products()[i]] = products[i];
    add(name, addends);
  }

  void subnormals() {
    const Format& a = plan_.a;
    const auto least = code_of(a, power(a.least_exponent() - a.mantissa_bits));
    const auto four = code_of(plan_.b, power(2));
    if (least && four) {
      Case made = *bench_.with({});
      made.a[0] = *least;
      made.b[0] = *four;
      checks_.push_back({"Subnormal numbers, test #1", made});
    }
    add("Subnormal numbers, test #2", {{bench_.c(), power(plan_.c.least_exponent() - plan_.c.mantissa_bits)}});
    const int d = plan_.d.least_exponent();
    add("Subnormal numbers, test #3/1", {{0, power(d - 1)}});
    add("Subnormal numbers, test #3/2", {{0, power(d)}, {bench_.c(), minus(power(d - 1))}});
  }

  // 1 less half a unit in a's and b's own last place, squared; and times half such a unit.
  void exact_products() {
    const auto below_one = [](const Format& f) {
      return code_of(f, {(std::int64_t{2} << f.mantissa_bits) - 1, -f.mantissa_bits - 1});
    };
    const auto a = below_one(plan_.a), b = below_one(plan_.b),
               half_unit = code_of(plan_.b, power(-plan_.b.mantissa_bits - 1));
    if (!a || !b || !half_unit) return;
    Case made = *bench_.with({});
    const auto place = [&](std::size_t i) { return static_cast<std::size_t>(bench_.products()[i]); };
    made.a[place(0)] = made.a[place(1)] = *a;
    made.b[place(0)] = *b;
    made.b[place(1)] = *half_unit;
    checks_.push_back({"Temporary overflow", made});
    for (std::size_t i = 0; i < 4; ++i) {
      made.a[place(i)] = *a;
      made.b[place(i)] = *b;
    }
    checks_.push_back({"Exact product", made});
  }

  void accuracy() {
    exact_products();
    const Value tiny = power(u_ - 2), one = power(0);
    add("Accuracy of the 5-operand adder (c=1)", {tiny, tiny, tiny, tiny}, one);
    for (std::size_t i = 0; i < 4; ++i) {
      std::array<Value, 4> products{tiny, tiny, tiny, tiny};
      products[i] = one;
      add("Accuracy of the 5-operand adder (b[" + std::to_string(i + 1) + "]=1)", products, tiny);
    }
  }

  void rounding() {
    const Value two{2, 0}, fraction{3, u_ - 1};
    add("Rounding-mode for adder test 1", {{0, two}, {bench_.products()[1], fraction}});
    add("Rounding-mode for adder test 2", {{0, minus(two)}, {bench_.products()[1], minus(fraction)}});
    const int least = plan_.d.least_exponent() - plan_.d.mantissa_bits;
    add("Rounding-mode test for the conversion of the result",
        {{0, power(least - 1)}, {bench_.products()[1], power(least - 2)}});
  }

  void adder() {
    const Value half_unit = power(u_ - 1), one = power(0);
    const std::int64_t all_ones = (std::int64_t{1} << (1 - u_)) - 1;  // 1 - 2^(u - 1)
    const Value below_one{all_ones, u_ - 1};
    add("Extra bits in the significand alignment", {{0, one}, {bench_.c(), minus(below_one)}});
    add("Normalization in addition", {half_unit, half_unit, half_unit, half_unit}, below_one);
    add("Normalization in subtraction", {one, minus(half_unit), {}, {}}, minus(below_one));
    const Value c{(std::int64_t{1} << -u_) + 3, u_};  // 1 + 3 units
    for (const std::size_t last : {3U, 0U, 1U, 2U}) {
      std::array<Value, 4> products{one, one, one, one};
      products[last] = power(u_);
      add("Extra bits for carry out: 2 bits, test " + std::to_string((last + 1) % 4 + 1), products, c);
    }
    add("Extra bits for carry out: 3 bits", {one, {3, -1}, {7, -2}, {15, -3}}, {15, -3});
  }

  void monotonicity() {
    const std::int64_t all_ones = (std::int64_t{1} << (1 - u_)) - 1;
    const Value half_unit = power(u_ - 1), quarter = power(u_ - 2), below_one{all_ones, u_ - 1}, one = power(0);
    const std::string name = "Monotonicity of the dot products test ";
    add(name + "1", {half_unit, half_unit, half_unit, half_unit}, below_one);
    add(name + "2", {half_unit, half_unit, half_unit, half_unit}, one);
    add(name + "1+", {quarter, quarter, quarter, {3, u_ - 2}}, below_one);
    add(name + "2+", {quarter, quarter, quarter, {3, u_ - 2}}, one);
  }

  const Workbench& bench_;
  const Plan& plan_;
  int u_;  // the result's unit at 1 is 2^u_
  std::vector<Check> checks_;
};

}  // namespace

std::vector<Check> checklist(const Workbench& bench, int result_bits) { return List(bench, result_bits).all(); }

}  // namespace assay::probe
