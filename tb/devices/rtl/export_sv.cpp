#include "tb/devices/rtl/export_sv.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "model/base/hex.hpp"
#include "tb/devices/rtl/export_adder.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

std::string nan_codes(NanCodes codes) {
  switch (codes) {
    case NanCodes::none: return "assay_pkg::NanCodesNone";
    case NanCodes::ieee: return "assay_pkg::NanCodesIeee";
    case NanCodes::all_ones: return "assay_pkg::NanCodesAllOnes";
    case NanCodes::negative_zero: return "assay_pkg::NanCodesNegativeZero";
    case NanCodes::listed: break;  // export_check has refused it
  }
  return "";
}

std::string hex(Code code, int bits) { return sv_text(bits) + "'h" + hex_text(code, (bits + 3) / 4); }

class Exporter {
 public:
  Exporter(const Plan& plan, const std::string& module, bool pipelined)
      : plan_(plan), module_(module), sheet_(pipelined), pipelined_(pipelined) {}

  std::string run() {
    const Wire products = finish_products(multiply());
    const Wire limited = limit(products);
    const Wire c = start();
    sheet_.cut("multiply");
    const int first = sheet_.stage();
    std::vector<Wire> lanes;
    for (int lane = 0; lane < plan_.lanes; ++lane) {
      sheet_.go_to(first);
      lanes.push_back(run_lane(lane, {products, limited}, c));
    }
    encode(plan_.finish.empty() ? lanes.front() : finish(c, lanes));
    const std::string probed = probes();
    return header() + control() + sheet_.body() + probed + "\nendmodule\n";
  }

 private:
  bool payloads() const { return plan_.nan.propagate; }

  // --- stages ---

  Wire decode(const std::string& name, const Format& format, Subnormals subnormals, const Range& range, int count) {
    const Wire wire{name, count, BundleWidths(range)};
    sheet_.input(name + "_i", count * format.stored_bits);
    sheet_.section("decode." + name);
    sheet_.declare(name, count * wire.bundle.width());
    sheet_.instance("assay_decode", "decode_" + name,
                    {{"Terms", sv_text(count)},
                     {"ExponentBits", sv_text(format.exponent_bits)},
                     {"MantissaBits", sv_text(format.mantissa_bits)},
                     {"HasSign", sv_text(format.has_sign)},
                     {"HasZero", sv_text(format.has_zero)},
                     {"IgnoredLowBits", sv_text(format.ignored_low_bits)},
                     {"IgnoredHighBits", sv_text(format.ignored_high_bits)},
                     {"Bias", sv_text(format.bias)},
                     {"HasInfinity", sv_text(format.has_infinity)},
                     {"NanCodes", nan_codes(format.nan)},
                     {"Subnormals", sv_enumerator("Subnormals", word(subnormals))},
                     {"ExponentWidth", sv_text(wire.bundle.exponent_bits)}},
                    {{"code_i", name + "_i"}, {"number_o", name}});
    sheet_.probe_numbers(wire);
    return wire;
  }

  Wire multiply() {
    const Datapath& words = plan_.datapath;
    const Wire a = decode("a", plan_.a, words.subnormals_a, plan_.a_range, plan_.k);
    const Wire b = decode("b", plan_.b, words.subnormals_b, plan_.b_range, plan_.k);
    decode("c", plan_.c, words.subnormals_c, plan_.c_range, 1);
    for (const char* name : {"scale_a", "scale_b"}) {
      if (plan_.scale) scales_.push_back(decode(name, *plan_.scale, Subnormals::keep, plan_.scale_range, plan_.scales));
    }
    const Wire product{"product", plan_.k, BundleWidths(plan_.product_range)};
    sheet_.section("multiply");
    sheet_.declare(product.name, product.count * product.bundle.width());
    sheet_.instance("assay_multiply", "multiply",
                    {{"Terms", sv_text(plan_.k)},
                     {"AExponentWidth", sv_text(a.bundle.exponent_bits)},
                     {"ASignificandWidth", sv_text(a.bundle.significand_bits)},
                     {"BExponentWidth", sv_text(b.bundle.exponent_bits)},
                     {"BSignificandWidth", sv_text(b.bundle.significand_bits)},
                     {"ExponentWidth", sv_text(product.bundle.exponent_bits)},
                     {"NanPayloads", sv_text(payloads())}},
                    {{"a_i", a.name}, {"b_i", b.name}, {"product_o", product.name}});
    sheet_.probe_numbers(product);
    return product;
  }

  // The scales of these terms, on both sides.
  ScalePair scales_of(const std::string& name, const std::vector<int>& terms) {
    std::vector<WireElement> a, b;
    for (const int term : terms) {
      a.push_back({&scales_[0], term / plan_.scale_block});
      b.push_back({&scales_[1], term / plan_.scale_block});
    }
    return {sheet_.side_by_side(name + "_scale_a", a), sheet_.side_by_side(name + "_scale_b", b)};
  }

  // What the datapath does to exact products before any adder sees them.
  Wire finish_products(Wire product) {
    if (!plan_.datapath.product.times_scales) return product;
    std::vector<int> all(static_cast<std::size_t>(plan_.k));
    std::iota(all.begin(), all.end(), 0);
    sheet_.section("scale");
    product = wire_scale(sheet_, "scaled", product, scales_of("product", all), plan_.term_range);
    product.special = false;  // the step decides
    sheet_.probe_numbers(product);
    return product;
  }

  // Those that are too large to stay finite as infinities, where there can be any.
  Wire limit(const Wire& product) {
    const auto infinity_at = plan_.datapath.product.infinity_at;
    const Range& range = plan_.term_range;
    if (!infinity_at || range.greatest_exponent + range.integer_bits <= *infinity_at) return product;
    const Wire out{"limited", product.count, product.bundle};
    sheet_.section("products without those that overflow");
    sheet_.declare(out.name, out.count * out.bundle.width());
    sheet_.instance("assay_limit", out.name,
                    {{"Terms", sv_text(out.count)},
                     {"ExponentWidth", sv_text(out.bundle.exponent_bits)},
                     {"SignificandWidth", sv_text(out.bundle.significand_bits)},
                     {"FractionBits", sv_text(out.bundle.fraction_bits)},
                     {"InfinityAt", sv_text(*infinity_at)}},
                    {{"number_i", product.name}, {"number_o", out.name}});
    return out;
  }

  // What the first step accumulates onto: c, as d's format would carry it where that is the wider one.
  Wire start() {
    const Wire c{"c", 1, BundleWidths(plan_.c_range), true};
    if (!plan_.widen_c) return c;
    Result words;
    words.at = ResultAt::leading_one;
    words.cut = Cut::toward_zero;
    words.keep = plan_.d.mantissa_bits;
    words.least_exponent = plan_.d.least_exponent();
    const Range range{plan_.d.least_exponent(), plan_.d.greatest_exponent(), 1, plan_.d.mantissa_bits, std::nullopt};
    sheet_.section("c as a number of " + plan_.d.name);
    return wire_round(sheet_, "c_widened", c, {words, plan_.d, range});
  }

  // --- lanes and steps ---

  struct Products {
    Wire exact, limited;
  };

  Wire run_lane(int lane, const Products& products, const Wire& c) {
    const std::string prefix = plan_.lanes > 1 ? indexed("lane", lane) + "." : "";
    Wire acc = plan_.datapath.start == Start::c ? c : zero(prefix);
    for (int step = 0; step < plan_.steps; ++step) {
      const int* order = plan_.step_order(lane, step);
      acc = run_step(prefix + indexed("step", step) + ".", products, {order, order + plan_.step_terms}, acc);
    }
    return acc;
  }

  Wire zero(const std::string& prefix) {
    const Wire wire{sv_identifier(prefix + "zero"), 1, BundleWidths(plan_.adders.back().range)};
    sheet_.declare(wire.name, wire.bundle.width());
    sheet_.assign(wire.name, "'0");
    return wire;
  }

  Wire run_step(const std::string& place, const Products& products, const std::vector<int>& order, const Wire& acc) {
    sheet_.section(place + "special");
    const std::string name = sv_identifier(place);
    const Wire exact = products_in(name + "product", products.exact, order);
    const Wire limited =
        products.limited.name == products.exact.name ? exact : products_in(name + "limited", products.limited, order);
    const std::string outcome = step_special(name + "special", {exact, limited}, order, acc);
    Wire finite = acc;
    finite.special = false;  // the step decides
    std::vector<WireElement> values;
    for (int i = 0; i < plan_.step_terms; ++i) values.push_back({&limited, i});
    values.push_back({&finite, 0});
    const Wire sum = run_sums(place, plan_.circuit.step, plan_.adders, std::move(values), order);
    sheet_.section(place + "acc");
    const Wire next = wire_acc(sheet_, name + "acc", outcome, sum, {exact, acc}, payloads());
    sheet_.probe_numbers(next);
    sheet_.cut(place + "acc");
    return next;
  }

  Wire products_in(const std::string& name, const Wire& products, const std::vector<int>& order) {
    std::vector<WireElement> elements;
    for (const int index : order) elements.push_back({&products, index});
    return sheet_.side_by_side(name, elements);
  }

  std::string step_special(const std::string& name, const Products& terms, const std::vector<int>& order,
                           const Wire& acc) {
    std::vector<Wire> seen{terms.exact, acc};
    if (std::any_of(plan_.adders.begin(), plan_.adders.end(), [](const AdderPlan& a) { return a.times_scales; })) {
      const ScalePair scales = scales_of(name, first_of_each_block(order));
      seen.push_back(scales.a);
      seen.push_back(scales.b);
    }
    if (terms.limited.name == terms.exact.name) {
      wire_special(sheet_, name, seen);
    } else {  // products that overflow are looked at last
      wire_special(sheet_, name, seen, wire_special(sheet_, name + "_overflow", {terms.limited}));
    }
    sheet_.probe(name);
    return name;
  }

  std::vector<int> first_of_each_block(std::vector<int> terms) const {
    for (int& term : terms) term -= term % plan_.scale_block;
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    return terms;
  }

  Wire finish(const Wire& c, const std::vector<Wire>& lanes) {
    std::vector<WireElement> values;
    for (const Wire& lane : lanes) values.push_back({&lane, 0});
    values.push_back({&c, 0});
    const Wire result = run_sums("finish.", plan_.circuit.finish, plan_.finish, std::move(values), {});
    sheet_.cut("finish");
    return result;
  }

  // --- sums ---

  // The sums of a block in order; the last one's result. Those of one adder stand side by side.
  Wire run_sums(const std::string& place, const CircuitBlock& block, const std::vector<AdderPlan>& adders,
                std::vector<WireElement> values, const std::vector<int>& order) {
    std::deque<Wire> left;  // `values` points into it
    int first = sheet_.stage();
    for (std::size_t i = 0; i < block.sums.size(); ++i) {
      const SumNode& node = block.sums[i];
      if (i > 0 && node.adder != block.sums[i - 1].adder) first = sheet_.stage();
      sheet_.go_to(first);
      left.push_back(run_sum(place + node.name, node, adders[static_cast<std::size_t>(node.adder)], values, order));
      values.push_back({&left.back(), 0});
    }
    return left.back();
  }

  Wire run_sum(const std::string& place, const SumNode& node, const AdderPlan& adder,
               const std::vector<WireElement>& values, const std::vector<int>& order) {
    sheet_.section(place);
    std::vector<std::vector<WireElement>> elements(adder.inputs.size());
    for (const SumItem& item : node.items)
      elements[static_cast<std::size_t>(item.input)].push_back(values[static_cast<std::size_t>(item.value)]);
    std::vector<Wire> numbers;
    for (std::size_t i = 0; i < elements.size(); ++i)
      numbers.push_back(sheet_.side_by_side(sv_identifier(place) + "_" + adder.inputs[i].words.source, elements[i]));
    std::optional<ScalePair> scales;
    if (node.scaled_by >= 0)
      scales = scales_of(sv_identifier(place), {order[static_cast<std::size_t>(node.scaled_by)]});
    return wire_sum(sheet_, place, adder, numbers, scales, payloads());
  }

  void encode(const Wire& number) {
    const bool own_nan = payloads() && plan_.d.nan == NanCodes::ieee;
    const Code nan = payloads() ? plan_.d.stored(plan_.d.quiet_nan()) : plan_.nan.code;
    sheet_.section("encode");
    sheet_.instance("assay_encode", "encode",
                    {{"ExponentBits", sv_text(plan_.d.exponent_bits)},
                     {"MantissaBits", sv_text(plan_.d.mantissa_bits)},
                     {"IgnoredLowBits", sv_text(plan_.d.ignored_low_bits)},
                     {"Bias", sv_text(plan_.d.bias)},
                     {"ExponentWidth", sv_text(number.bundle.exponent_bits)},
                     {"NanPayloads", sv_text(own_nan)},
                     {"NanCode", hex(nan, plan_.d.stored_bits)}},
                    {{"number_i", number.name}, {"code_o", "d_o"}});
    sheet_.probe("d_o");
  }

  // --- the whole ---

  int probe_width() const {
    return std::accumulate(plan_.places.begin(), plan_.places.end(), 0,
                           [](int sum, const Place& place) { return sum + place.width; });
  }

  std::string shape() const {
    const std::string steps =
        plan_.steps == 1 ? "one step" : sv_text(plan_.steps) + " steps of " + sv_text(plan_.step_terms);
    const std::string lanes = plan_.lanes == 1 ? "" : sv_text(plan_.lanes) + " lanes of ";
    return lanes + steps + (plan_.finish.empty() ? "" : " and a finish");
  }

  // What stands in a comment ends with its line.
  static std::string one_line(const std::string& name) {
    const std::string quoted = excerpt(name);
    return quoted.substr(1, quoted.size() - 2);
  }

  std::string header() const {
    std::string t = "// " + module_ + ": d = c + the sum of a[i] x b[i], i = 0 to " + sv_text(plan_.k - 1) + ".\n";
    t += "// The wiring of datapath " + one_line(plan_.datapath.name) + " in " + shape() + ";\n// a " + plan_.a.name +
         ", b " + plan_.b.name + ", c " + plan_.c.name + ", d " + plan_.d.name + ".\n";
    t += "// Written by export-sv: to change it, change the datapath and export it again.\n//\n";
    t += "// probe_o holds the bits of every place, the first place lowest:\n//\n" + probe_table();
    if (pipelined_) {
      t += "//\n// Registers at the cuts whose bits are set; each comes after\n//\n" + cut_table();
      t += "module " + module_ + " #(\n  parameter logic [" + sv_text(cuts() - 1) + ":0] Registers = '1\n) (\n";
      for (const char* line :
           {"input  logic           clk_i,", "input  logic           rst_ni,", "input  logic           valid_i,",
            "output logic           ready_o,", "output logic           valid_o,", "input  logic           ready_i,"})
        t += std::string("  ") + line + "\n";
    } else {
      t += "module " + module_ + " (\n";
    }
    t += port("input ", plan_.k * plan_.a.stored_bits, "a_i,  // element 0 lowest");
    t += port("input ", plan_.k * plan_.b.stored_bits, "b_i,");
    t += port("input ", plan_.c.stored_bits, "c_i,");
    for (const Wire& scale : scales_) t += port("input ", plan_.scales * plan_.scale->stored_bits, scale.name + "_i,");
    t += port("output", plan_.d.stored_bits, "d_o,");
    t += port("output", probe_width(), "probe_o");
    return t + ");\n";
  }

  int cuts() const { return static_cast<int>(sheet_.cuts().size()); }

  std::string cut_table() const {
    std::string t;
    for (int i = 0; i < cuts(); ++i) {
      std::string bit = "[" + sv_text(i) + "]";
      bit.resize(7, ' ');
      t += "//   " + bit + sheet_.cuts()[static_cast<std::size_t>(i)] + "\n";
    }
    return t;
  }

  // Which registers may take what arrives.
  std::string control() const {
    if (!pipelined_) return "";
    const std::string n = sv_text(cuts());
    return "\n  logic [" + sv_text(cuts() - 1) + ":0] enable;\n  assay_control #(\n    .Cuts     (" + n +
           "),\n    .Registers(Registers)\n  ) u_control (\n    .clk_i   (clk_i),\n    .rst_ni  (rst_ni),\n"
           "    .valid_i (valid_i),\n    .ready_o (ready_o),\n    .valid_o (valid_o),\n    .ready_i (ready_i),\n"
           "    .enable_o(enable)\n  );\n";
  }

  static std::string port(const std::string& direction, int width, const std::string& name) {
    std::string range = sv_slice("", 0, width);
    range.resize(std::max<std::size_t>(range.size(), 9), ' ');
    return "  " + direction + " logic " + range + " " + name + "\n";
  }

  std::string probe_table() const {
    std::string t;
    std::size_t place = 0;
    int from = 0;
    for (const auto& [bits, count] : sheet_.probes()) {
      const Place first = plan_.places[place];
      const Place last = plan_.places[place + static_cast<std::size_t>(count) - 1];
      std::string range = sv_slice("", from, count * first.width);
      range.resize(std::max<std::size_t>(range.size() + 2, 16), ' ');
      t += "//   " + range + first.name;
      if (count > 1) t += " to " + last.name + ", " + sv_text(first.width) + " bits each";
      t += "\n";
      from += count * first.width;
      place += static_cast<std::size_t>(count);
    }
    return t;
  }

  std::string probes() {
    const auto& list = sheet_.probes();
    std::string t = "\n  assign probe_o = {\n";
    for (std::size_t i = list.size(); i-- > 0;) t += "    " + sheet_.here(list[i].first) + (i > 0 ? ",\n" : "\n");
    return t + "  };\n";
  }

  const Plan& plan_;
  const std::string& module_;
  Sheet sheet_;
  bool pipelined_;
  std::vector<Wire> scales_;  // of a and of b, where there are any
};

}  // namespace

std::string export_sv(const Plan& plan, const std::string& module_name, ExportTiming timing) {
  check_exportable(plan);
  return Exporter(plan, module_name, timing == ExportTiming::pipelined).run();
}

}  // namespace assay
