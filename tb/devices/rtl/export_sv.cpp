#include "tb/devices/rtl/export_sv.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "tb/devices/rtl/export_check.hpp"

namespace assay {
namespace {

std::string text(int value) { return std::to_string(value); }
std::string text(bool value) { return value ? "1'b1" : "1'b0"; }

// An enumerator of assay_pkg: word("nearest_even") after prefix "Cut" is assay_pkg::CutNearestEven.
std::string enumerator(const std::string& prefix, std::string_view word) {
  std::string name = "assay_pkg::" + prefix;
  bool first = true;
  for (const char c : word) {
    if (c != '_') name += first ? static_cast<char>(c - 'a' + 'A') : c;
    first = c == '_';
  }
  return name;
}

std::string nan_codes(NanCodes codes) {
  switch (codes) {
    case NanCodes::none: return "assay_pkg::NanCodesNone";
    case NanCodes::ieee: return "assay_pkg::NanCodesIeee";
    case NanCodes::all_ones: return "assay_pkg::NanCodesAllOnes";
    case NanCodes::negative_zero: return "assay_pkg::NanCodesNegativeZero";
  }
  return "";
}

// step[0].pairs[3].window as an identifier: step0_pairs3_window.
std::string identifier(const std::string& place) {
  std::string name;
  for (const char c : place) {
    if (c == '.') name += '_';
    if (c != '.' && c != '[' && c != ']') name += c;
  }
  return name;
}

std::string hex(Code code, int bits) {
  std::string digits;
  for (int i = (bits + 3) / 4 - 1; i >= 0; --i) digits += "0123456789abcdef"[code >> (4 * i) & 15];
  return text(bits) + "'h" + digits;
}

// A number on its way: counts | class[1:0] | negative | exponent | significand.
struct Bundle {
  int exponent_bits = 0;
  int significand_bits = 0;
  int fraction_bits = 0;  // of the significand ...
  bool absolute = false;  // ... or, where true, its last bit weighs 2^-fraction_bits

  explicit Bundle(const Range& range)
      : exponent_bits(range.exponent_bits()),
        significand_bits(range.significand_bits()),
        fraction_bits(range.fixed_quantum ? -*range.fixed_quantum : range.fraction_bits),
        absolute(range.fixed_quantum.has_value()) {}

  int width() const { return 4 + exponent_bits + significand_bits; }
  int integer_bits() const { return significand_bits - fraction_bits; }
};

// Numbers of one shape side by side, number 0 lowest.
struct Wire {
  std::string name;
  int count;
  Bundle bundle;
};

struct Element {
  const Wire* wire;
  int index;
};

std::string slice(const std::string& name, int from, int width) {
  return name + "[" + text(from + width - 1) + ":" + text(from) + "]";
}

// The shape that all inputs of one adder are brought to.
struct Terms {
  int count = 0;
  int exponent_bits = 0, integer_bits = 0, fraction_bits = 0;

  int width() const { return 2 + exponent_bits + integer_bits + fraction_bits; }
  void take(const Wire& wire) {
    count += wire.count;
    exponent_bits = std::max(exponent_bits, wire.bundle.exponent_bits);
    integer_bits = std::max(integer_bits, wire.bundle.integer_bits());
    fraction_bits = std::max(fraction_bits, wire.bundle.fraction_bits);
  }
};

// A parameter or a port and what it is given.
using Connection = std::pair<std::string, std::string>;

class Exporter {
 public:
  Exporter(const Plan& plan, const std::string& module) : plan_(plan), module_(module) {}

  std::string run() {
    const Wire products = multiply();
    Wire acc = start();
    for (int step = 0; step < plan_.steps; ++step) acc = run_step(step, products, acc);
    encode(acc);
    return header() + body_ + probes() + "\nendmodule\n";
  }

 private:
  // --- text ---

  void section(const std::string& title) { body_ += "\n  // " + title + "\n"; }
  void declare(const std::string& name, int width) { body_ += "  logic [" + text(width - 1) + ":0] " + name + ";\n"; }

  static std::string connections(const std::vector<Connection>& list) {
    std::size_t longest = 0;
    for (const auto& [name, value] : list) longest = std::max(longest, name.size());
    std::string lines;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& [name, value] = list[i];
      lines += "    ." + name + std::string(longest - name.size(), ' ') + "(" + value + ")";
      lines += i + 1 < list.size() ? ",\n" : "\n";
    }
    return lines;
  }

  void instance(const std::string& block, const std::string& name, const std::vector<Connection>& parameters,
                const std::vector<Connection>& ports) {
    body_ +=
        "  " + block + " #(\n" + connections(parameters) + "  ) u_" + name + " (\n" + connections(ports) + "  );\n";
  }

  // --- probes ---

  // `bits` are the next `count` places of the plan, side by side.
  void probe(const std::string& bits, int count = 1) { probes_.emplace_back(bits, count); }

  void probe_numbers(const Wire& wire) {
    const std::string name = wire.name + "_probe";
    declare(name, wire.count * (wire.bundle.width() - 1));
    instance("assay_probe", name,
             {{"Terms", text(wire.count)},
              {"ExponentWidth", text(wire.bundle.exponent_bits)},
              {"SignificandWidth", text(wire.bundle.significand_bits)}},
             {{"number_i", wire.name}, {"probe_o", name}});
    probe(name, wire.count);
  }

  // --- stages ---

  Wire decode(const std::string& name, const Format& format, Subnormals subnormals, const Range& range, int count) {
    const Wire wire{name, count, Bundle(range)};
    section("decode." + name);
    declare(name, count * wire.bundle.width());
    instance("assay_decode", "decode_" + name,
             {{"Terms", text(count)},
              {"ExponentBits", text(format.exponent_bits)},
              {"MantissaBits", text(format.mantissa_bits)},
              {"IgnoredLowBits", text(format.ignored_low_bits)},
              {"Bias", text(format.bias)},
              {"HasInfinity", text(format.has_infinity)},
              {"NanCodes", nan_codes(format.nan)},
              {"Subnormals", enumerator("Subnormals", word(subnormals))},
              {"ExponentWidth", text(wire.bundle.exponent_bits)}},
             {{"code_i", name + "_i"}, {"number_o", name}});
    probe_numbers(wire);
    return wire;
  }

  Wire multiply() {
    const Datapath& words = plan_.datapath;
    const Wire a = decode("a", plan_.a, words.subnormals_a, plan_.a_range, plan_.k);
    const Wire b = decode("b", plan_.b, words.subnormals_b, plan_.b_range, plan_.k);
    decode("c", plan_.c, words.subnormals_c, plan_.c_range, 1);
    const Wire product{"product", plan_.k, Bundle(plan_.product_range)};
    section("multiply");
    declare(product.name, product.count * product.bundle.width());
    instance("assay_multiply", "multiply",
             {{"Terms", text(plan_.k)},
              {"AExponentWidth", text(a.bundle.exponent_bits)},
              {"ASignificandWidth", text(a.bundle.significand_bits)},
              {"BExponentWidth", text(b.bundle.exponent_bits)},
              {"BSignificandWidth", text(b.bundle.significand_bits)},
              {"ExponentWidth", text(product.bundle.exponent_bits)}},
             {{"a_i", a.name}, {"b_i", b.name}, {"product_o", product.name}});
    probe_numbers(product);
    return product;
  }

  // What the first step accumulates onto: c, as d's format would carry it where that is the wider one.
  Wire start() {
    const Wire c{"c", 1, Bundle(plan_.c_range)};
    if (!plan_.widen_c) return c;
    Result words;
    words.at = ResultAt::leading_one;
    words.cut = Cut::toward_zero;
    words.keep = plan_.d.mantissa_bits;
    words.least_exponent = plan_.d.least_exponent();
    const Range range{plan_.d.least_exponent(), plan_.d.greatest_exponent(), 1, plan_.d.mantissa_bits, std::nullopt};
    section("c as a number of " + plan_.d.name);
    return round("c_widened", c, {words, plan_.d, range});
  }

  Wire run_step(int step, const Wire& products, const Wire& acc) {
    const std::string place = "step[" + text(step) + "].";
    std::vector<int> order(plan_.step_order(0, step), plan_.step_order(0, step) + plan_.step_terms);
    const std::string outcome = special(place, products, order, acc);
    std::vector<std::vector<Wire>> sums;
    for (const AdderPlan& adder : plan_.adders) {
      std::vector<Wire> groups;
      for (int group = 0; group < adder.groups; ++group) {
        const std::string name = place + adder.name + (adder.groups > 1 ? "[" + text(group) + "]" : "");
        groups.push_back(add(name, adder, inputs(name, adder, group, {products, order, acc, sums})));
      }
      sums.push_back(groups);
    }
    return select(place + "acc", outcome, sums.back().front());
  }

  std::string special(const std::string& place, const Wire& products, const std::vector<int>& order, const Wire& acc) {
    const std::string name = identifier(place + "special");
    section(place + "special");
    std::vector<Element> elements;
    for (const int index : order) elements.push_back({&products, index});
    const Wire terms = side_by_side(identifier(place) + "product", elements);
    body_ += "  assay_pkg::outcome_e " + name + ";\n";
    instance("assay_special", name,
             {{"Terms", text(terms.count)},
              {"ProductWidth", text(terms.bundle.width())},
              {"AccWidth", text(acc.bundle.width())}},
             {{"product_i", terms.name}, {"acc_i", acc.name}, {"outcome_o", name}});
    probe(name);
    return name;
  }

  struct Step {
    const Wire& products;
    const std::vector<int>& order;
    const Wire& acc;
    const std::vector<std::vector<Wire>>& sums;
  };

  // The numbers that each input brings to one sum.
  std::vector<Wire> inputs(const std::string& place, const AdderPlan& adder, int group, const Step& step) {
    section(place);
    std::vector<Wire> wires;
    for (std::size_t i = 0; i < adder.inputs.size(); ++i) {
      const InputPlan& input = adder.inputs[i];
      std::vector<Element> elements;
      for (int j = 0; j < input.count; ++j) {
        const int index = i == 0 ? adder.members[static_cast<std::size_t>(group * adder.terms + j)] : j;
        elements.push_back(element(input, index, step));
      }
      wires.push_back(side_by_side(identifier(place) + "_" + input.words.source, elements));
    }
    return wires;
  }

  static Element element(const InputPlan& input, int index, const Step& step) {
    if (input.source == Source::product) return {&step.products, step.order[static_cast<std::size_t>(index)]};
    if (input.source == Source::acc) return {&step.acc, 0};
    return {&step.sums[static_cast<std::size_t>(input.adder)][static_cast<std::size_t>(index)], 0};
  }

  // One wire of these numbers: a slice where they lie in a row, else a new wire called `name`.
  Wire side_by_side(const std::string& name, const std::vector<Element>& elements) {
    const Wire& first = *elements.front().wire;
    const auto count = static_cast<int>(elements.size());
    const int width = first.bundle.width();
    bool in_a_row = true;
    for (int i = 0; i < count; ++i) {
      const Element& e = elements[static_cast<std::size_t>(i)];
      in_a_row = in_a_row && e.wire == &first && e.index == elements.front().index + i;
    }
    if (in_a_row && count == first.count) return first;
    if (in_a_row) return {slice(first.name, elements.front().index * width, width * count), count, first.bundle};
    declare(name, count * width);
    body_ += "  assign " + name + " = {\n";
    for (int i = count - 1; i >= 0; --i) {
      const Element& e = elements[static_cast<std::size_t>(i)];
      body_ += "    " + (e.wire->count == 1 ? e.wire->name : slice(e.wire->name, e.index * width, width));
      body_ += i > 0 ? ",\n" : "\n";
    }
    body_ += "  };\n";
    return {name, count, first.bundle};
  }

  // term, window, align, reduce, round: one sum from its numbers to a number.
  Wire add(const std::string& place, const AdderPlan& adder, const std::vector<Wire>& numbers) {
    const std::string name = identifier(place);
    Terms terms;
    for (const Wire& wire : numbers) terms.take(wire);
    bring_together(name, terms, numbers);
    window(name, adder, terms);
    align(name, adder, terms, numbers);
    Wire sum = reduce(name, adder, terms);
    for (std::size_t i = 0; i < adder.results.size(); ++i) {
      const std::string suffix = adder.results.size() == 1 ? "_round" : "_round" + text(static_cast<int>(i));
      sum = round(name + suffix, sum, adder.results[i]);
      probe_numbers(sum);
    }
    return sum;
  }

  void bring_together(const std::string& name, const Terms& terms, const std::vector<Wire>& numbers) {
    declare(name + "_term", terms.count * terms.width());
    int first = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Wire& in = numbers[i];
      instance(
          "assay_term", name + "_term" + text(static_cast<int>(i)),
          {{"Terms", text(in.count)},
           {"InExponentWidth", text(in.bundle.exponent_bits)},
           {"InIntegerBits", text(in.bundle.integer_bits())},
           {"InFractionBits", text(in.bundle.fraction_bits)},
           {"ExponentWidth", text(terms.exponent_bits)},
           {"IntegerBits", text(terms.integer_bits)},
           {"FractionBits", text(terms.fraction_bits)}},
          {{"number_i", in.name}, {"term_o", slice(name + "_term", first * terms.width(), in.count * terms.width())}});
      first += in.count;
    }
  }

  void window(const std::string& name, const AdderPlan& adder, const Terms& terms) {
    const Window& words = adder.window;
    declare(name + "_window", adder.sum.window_exponent_bits);
    body_ += "  logic " + name + "_counts;\n";
    instance("assay_window", name + "_window",
             {{"Terms", text(terms.count)},
              {"ExponentWidth", text(terms.exponent_bits)},
              {"SignificandWidth", text(terms.integer_bits + terms.fraction_bits)},
              {"WindowWidth", text(adder.sum.window_exponent_bits)},
              {"Fixed", text(words.exponent == WindowExponent::fixed)},
              {"At", text(words.at)},
              {"HasFloor", text(words.floor.has_value())},
              {"Floor", text(words.floor.value_or(0))},
              {"StepBits", text(bit_length(static_cast<std::uint64_t>(words.step)) - 1)}},
             {{"term_i", name + "_term"}, {"window_o", name + "_window"}, {"counts_o", name + "_counts"}});
    probe(name + "_window");
  }

  void align(const std::string& name, const AdderPlan& adder, const Terms& terms, const std::vector<Wire>& numbers) {
    const int width = adder.sum.align_width;
    declare(name + "_addend", terms.count * width);
    declare(name + "_lost", terms.count);
    int first = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const int count = numbers[i].count;
      std::vector<Connection> parameters{{"Terms", text(count)},
                                         {"ExponentWidth", text(terms.exponent_bits)},
                                         {"IntegerBits", text(terms.integer_bits)},
                                         {"FractionBits", text(terms.fraction_bits)},
                                         {"WindowWidth", text(adder.sum.window_exponent_bits)}};
      for (const Connection& c : cut(adder, adder.inputs[i])) parameters.push_back(c);
      parameters.emplace_back("AddendWidth", text(width));
      instance("assay_align", name + "_align" + text(static_cast<int>(i)), parameters,
               {{"term_i", slice(name + "_term", first * terms.width(), count * terms.width())},
                {"window_i", name + "_window"},
                {"addend_o", slice(name + "_addend", first * width, count * width)},
                {"lost_o", slice(name + "_lost", first, count)}});
      first += count;
    }
    probe(name + "_addend", terms.count);
  }

  static std::vector<Connection> cut(const AdderPlan& adder, const InputPlan& input) {
    const SumPlan& sum = adder.sum;
    if (sum.fixed_quantum) return {{"GridBits", text(-*sum.fixed_quantum)}, {"Exact", text(true)}};
    const bool fixed = adder.window.exponent == WindowExponent::fixed;
    const int headroom = fixed ? std::max(0, input.range.greatest_exponent - adder.window.at) : 0;
    return {{"Headroom", text(headroom)},
            {"Keep", text(*input.words.keep)},
            {"Cut", enumerator("Cut", word(input.words.cut))},
            {"GridBits", text(sum.fraction_bits)}};
  }

  Wire reduce(const std::string& name, const AdderPlan& adder, const Terms& terms) {
    const Wire exact{name + "_exact", 1, Bundle(adder.sum.range)};
    declare(name + "_reduce", adder.sum.sum_width + (adder.sticky ? 1 : 0));
    declare(exact.name, exact.bundle.width());
    instance("assay_reduce", name + "_reduce",
             {{"Terms", text(terms.count)},
              {"AddendWidth", text(adder.sum.align_width)},
              {"WindowWidth", text(adder.sum.window_exponent_bits)},
              {"Sticky", text(adder.sticky)}},
             {{"addend_i", name + "_addend"},
              {"lost_i", name + "_lost"},
              {"window_i", name + "_window"},
              {"counts_i", name + "_counts"},
              {"sum_o", name + "_reduce"},
              {"number_o", exact.name}});
    probe(name + "_reduce");
    return exact;
  }

  Wire round(const std::string& name, const Wire& in, const ResultPlan& result) {
    const Wire out{name, 1, Bundle(result.range)};
    std::vector<Connection> parameters{
        {"InExponentWidth", text(in.bundle.exponent_bits)}, {"InSignificandWidth", text(in.bundle.significand_bits)},
        {"InFractionBits", text(in.bundle.fraction_bits)},  {"InAbsolute", text(in.bundle.absolute)},
        {"At", enumerator("At", word(result.words.at))},    {"Cut", enumerator("Cut", word(result.words.cut))}};
    for (const Connection& c : rounded_to(result)) parameters.push_back(c);
    parameters.emplace_back("OutExponentWidth", text(out.bundle.exponent_bits));
    parameters.emplace_back("OutSignificandWidth", text(out.bundle.significand_bits));
    declare(name, out.bundle.width());
    instance("assay_round", name, parameters, {{"number_i", in.name}, {"number_o", name}});
    return out;
  }

  static std::vector<Connection> rounded_to(const ResultPlan& result) {
    const Result& words = result.words;
    const Format& format = result.format;
    switch (words.at) {
      case ResultAt::window: return {{"Keep", text(words.keep)}};
      case ResultAt::leading_one:
        return {{"Keep", text(words.keep)},
                {"HasLeastExponent", text(words.least_exponent.has_value())},
                {"LeastExponent", text(words.least_exponent.value_or(0))}};
      case ResultAt::format:
        return {{"Keep", text(format.mantissa_bits)},
                {"LeastExponent", text(format.least_exponent())},
                {"GreatestExponent", text(format.greatest_exponent())},
                {"GreatestIsAllOnes", text((format.greatest_finite() & 1) != 0)},
                {"OverflowToInfinity", text(words.overflow == Overflow::infinity)},
                {"HasSignedZero", text(format.has_signed_zero)}};
    }
    return {};
  }

  Wire select(const std::string& place, const std::string& outcome, const Wire& sum) {
    const Wire acc{identifier(place), 1, sum.bundle};
    section(place);
    declare(acc.name, acc.bundle.width());
    instance("assay_acc", acc.name, {{"NumberWidth", text(acc.bundle.width())}},
             {{"outcome_i", outcome}, {"sum_i", sum.name}, {"acc_o", acc.name}});
    probe_numbers(acc);
    return acc;
  }

  void encode(const Wire& acc) {
    section("encode");
    instance("assay_encode", "encode",
             {{"ExponentBits", text(plan_.d.exponent_bits)},
              {"MantissaBits", text(plan_.d.mantissa_bits)},
              {"IgnoredLowBits", text(plan_.d.ignored_low_bits)},
              {"Bias", text(plan_.d.bias)},
              {"ExponentWidth", text(acc.bundle.exponent_bits)},
              {"NanCode", hex(plan_.nan.code, plan_.d.stored_bits)}},
             {{"number_i", acc.name}, {"code_o", "d_o"}});
    probe("d_o");
  }

  // --- the whole ---

  int probe_width() const {
    return std::accumulate(plan_.places.begin(), plan_.places.end(), 0,
                           [](int sum, const Place& place) { return sum + place.width; });
  }

  std::string header() const {
    const std::string steps = plan_.steps == 1 ? "one step" : text(plan_.steps) + " steps of " + text(plan_.step_terms);
    std::string t = "// " + module_ + ": d = c + the sum of a[i] x b[i], i = 0 to " + text(plan_.k - 1) + ".\n";
    t += "// The wiring of datapath " + plan_.datapath.name + " in " + steps + "; a " + plan_.a.name + ", b " +
         plan_.b.name + ", c " + plan_.c.name + ", d " + plan_.d.name + ".\n";
    t += "// Written by export-sv: to change it, change the datapath and export it again.\n//\n";
    t += "// probe_o holds the bits of every place, the first place lowest:\n//\n" + probe_table();
    t += "module " + module_ + " (\n";
    t += port("input ", plan_.k * plan_.a.stored_bits, "a_i,  // element 0 lowest");
    t += port("input ", plan_.k * plan_.b.stored_bits, "b_i,");
    t += port("input ", plan_.c.stored_bits, "c_i,");
    t += port("output", plan_.d.stored_bits, "d_o,");
    t += port("output", probe_width(), "probe_o");
    return t + ");\n";
  }

  static std::string port(const std::string& direction, int width, const std::string& name) {
    std::string range = slice("", 0, width);
    range.resize(9, ' ');
    return "  " + direction + " logic " + range + " " + name + "\n";
  }

  std::string probe_table() const {
    std::string t;
    std::size_t place = 0;
    int from = 0;
    for (const auto& [bits, count] : probes_) {
      const Place& first = plan_.places[place];
      const Place& last = plan_.places[place + static_cast<std::size_t>(count) - 1];
      std::string range = slice("", from, count * first.width);
      range.resize(std::max<std::size_t>(range.size() + 2, 16), ' ');
      t += "//   " + range + first.name;
      if (count > 1) t += " to " + last.name + ", " + text(first.width) + " bits each";
      t += "\n";
      from += count * first.width;
      place += static_cast<std::size_t>(count);
    }
    return t;
  }

  std::string probes() const {
    std::string t = "\n  assign probe_o = {\n";
    for (std::size_t i = probes_.size(); i-- > 0;) t += "    " + probes_[i].first + (i > 0 ? ",\n" : "\n");
    return t + "  };\n";
  }

  const Plan& plan_;
  const std::string& module_;
  std::string body_;
  std::vector<std::pair<std::string, int>> probes_;  // bits, and how many places they are
};

}  // namespace

std::string export_sv(const Plan& plan, const std::string& module_name) {
  check_exportable(plan);
  return Exporter(plan, module_name).run();
}

}  // namespace assay
