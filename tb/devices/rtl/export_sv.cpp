#include "tb/devices/rtl/export_sv.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include "model/core/encode.hpp"
#include "model/core/special.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/devices/rtl/export_list.hpp"
#include "tb/devices/rtl/export_sum.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

// What NaNs pass on, where they do: d's mantissa is all that can be seen of it, unless a step looks at them first.
NanWidths nan_widths(const Plan& plan) {
  switch (said_by_nan(plan.nan, plan.d)) {
    case NanSays::nothing:
      if (!plan.take || plan.d.used(plan.nan.code) == plan.d.quiet_nan()) break;
      return {std::max({1, plan.a.mantissa_bits, plan.b.mantissa_bits, plan.c.mantissa_bits}), false, plan.nan.code,
              true};
    case NanSays::sign: return {1, true, std::nullopt};
    case NanSays::sign_and_payload:
      if (plan.take)
        return {std::max({plan.a.mantissa_bits, plan.b.mantissa_bits, plan.c.mantissa_bits, plan.d.mantissa_bits}),
                false, plan.nan.code};
      return {plan.d.mantissa_bits, false, std::nullopt};
  }
  return {};
}

class Exporter {
 public:
  Exporter(const Plan& plan, const std::string& module, bool pipelined)
      : plan_(plan),
        module_(module),
        sheet_(pipelined),
        stages_(sheet_, nan_widths(plan), plan.datapath.flags),
        pipelined_(pipelined) {}

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
    check_places(plan_, sheet_.probes());
    const std::string probed = probes();
    return header() + control() + sheet_.body() + probed + "\nendmodule\n";
  }

  // After `run`.
  const std::vector<std::string>& cut_names() const { return sheet_.cuts(); }

 private:
  bool steps_decide() const { return plan_.datapath.specials == Specials::step; }
  bool reads_c() const { return plan_.datapath.start == Start::c || !plan_.finish.empty(); }

  // --- stages ---

  Wire multiply() {
    const Datapath& words = plan_.datapath;
    const Wire a = stages_.decode("a", "a_i", plan_.a, plan_.a_range, plan_.k, {words.subnormals_a, words.nans_a});
    const Wire b = stages_.decode("b", "b_i", plan_.b, plan_.b_range, plan_.k, {words.subnormals_b, words.nans_b});
    c_ = stages_.decode("c", "c_i", plan_.c, plan_.c_range, 1, {words.subnormals_c, words.nans_c, reads_c()});
    for (const std::string name : {"scale_a", "scale_b"}) {
      if (plan_.scale)
        scales_.push_back(stages_.decode(name, name + "_i", *plan_.scale, plan_.scale_range, plan_.scales));
    }
    for (std::size_t i = 0; i < plan_.more.size(); ++i) {
      const CaseOperand& more = plan_.more[i];
      more_.push_back(
          stages_.decode("operand" + sv_text(static_cast<int>(i)), port_of(more), more.format, more.range, more.count));
    }
    const Wire by_a = factor("a", a, plan_.factor_a, plan_.random.factor_a);
    const Wire by_b = factor("b", b, plan_.factor_b, plan_.random.factor_b);
    sheet_.section("multiply");
    a_ = gated("gate_a", by_a);
    b_ = gated("gate_b", by_b);
    const Wire product = products(a_, b_);
    sheet_.probe_numbers(product);
    return product;
  }

  // Without those that the case's mask switches off.
  Wire gated(const std::string& name, const Wire& elements) {
    return plan_.mask < 0 ? elements : stages_.gate(name, elements, more_[static_cast<std::size_t>(plan_.mask)]);
  }

  // In slices or rows, those of an element stand side by side. A slice of zero has no exponent, unless zeros count.
  Wire products(const Wire& a, const Wire& b) {
    const bool zeros_may_count = rounds_at_a_bit(plan_.factor_a) || rounds_at_a_bit(plan_.factor_b);
    const Range& range = plan_.product_range;
    const Stages::Multiplying whole{zeros_may_count, plan_.counts_zeros(), 0, plan_.datapath.product.empty};
    if (plan_.rows) {
      const Wire product = stages_.multiply("whole", a, b, range, whole);
      return each_in_pieces(stages_.rows("rows", a, b, product, *plan_.datapath.product.rows, *plan_.rows));
    }
    return plan_.is_sliced() ? sliced(a, b, zeros_may_count) : stages_.multiply("product", a, b, range, whole);
  }

  Wire sliced(const Wire& a, const Wire& b, bool zeros_may_count) {
    const bool counts_zeros = plan_.counts_zeros();
    std::optional<Wire> whole;
    if (counts_zeros)
      whole = stages_.multiply("whole", a, b, product_range(a.range, b.range),
                               {zeros_may_count, true, 0, std::nullopt, false});
    std::vector<Wire> pieces;
    for (const SlicePair& pair : plan_.datapath.slices.pairs) {
      const auto piece = static_cast<int>(pieces.size());
      const std::string name = "piece" + sv_text(piece);
      const Wire x = stages_.slice(name + "_a", a, pair.a_from, pair.a_bits, counts_zeros);
      const Wire y = stages_.slice(name + "_b", b, pair.b_from, pair.b_bits, counts_zeros);
      const int lowered = plan_.lowered(piece);
      std::optional<int> empty = plan_.datapath.product.empty;
      if (empty) *empty -= lowered;
      pieces.push_back(stages_.multiply(counts_zeros ? name + "_alone" : name, x, y, plan_.product_range,
                                        {counts_zeros, counts_zeros, lowered, empty, counts_zeros}));
      if (counts_zeros) pieces.back() = stages_.whole(name, pieces.back(), *whole);
    }
    return each_in_pieces(pieces);
  }

  Wire each_in_pieces(const std::vector<Wire>& pieces) {
    std::vector<WireElement> elements;
    for (int i = 0; i < plan_.k; ++i) {
      for (const Wire& piece : pieces) elements.push_back({&piece, i});
    }
    return stages_.side_by_side("product", elements);
  }

  static bool rounds_at_a_bit(const FactorPlan& factor) {
    return factor.round && factor.round->words.at != ResultAt::format;
  }

  // Apart from names that the wiring gives.
  static std::string port_of(const CaseOperand& more) { return "operand_" + more.name + "_i"; }

  // An element of a or b as it is multiplied.
  Wire factor(const std::string& side, const Wire& elements, const FactorPlan& words, int first_draw) {
    if (!words.works()) return elements;
    const std::string name = "factor_" + side;
    sheet_.section("factors." + side);
    Wire out = elements;
    if (words.zero_point)
      out = stages_.less_zero_point(name + "_less", out, constant(name + "_zero", *words.zero_point));
    if (words.zero_points >= 0)
      out = stages_.less_zero_point(name + "_less", out, operands_of(name + "_zero", words.zero_points, all_terms()));
    out = stages_.scale_all(name + "_scaled", out, std::nullopt, sides(name, words.scales, all_terms()));
    if (words.round)
      out = stages_.round(name + "_rounded", out, *words.round, {draws(*words.round, first_draw, plan_.k), ""});
    if (words.step != 1) out = stages_.exponent_step(name + "_stepped", out, words);
    if (words.empty) out = stages_.zero_exponent(name + "_counting", out, *words.empty, words.range);
    sheet_.probe_numbers(out);
    return out;
  }

  // An integer beside each element.
  Wire constant(const std::string& name, const Number& n) {
    const int bits = std::max(1, bit_length(n.magnitude));
    const Wire wire{name, plan_.k, {0, 0, bits, 0, 0}};
    sheet_.declare(name, wire.count * wire.width());
    sheet_.assign(name, "{" + sv_text(wire.count) + "{" + sv_bits(bundle_bits(n, wire.range), wire.width()) + "}}");
    return wire;
  }

  std::vector<int> all_terms() const {
    std::vector<int> all(static_cast<std::size_t>(plan_.k));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  // The term of each product.
  std::vector<int> terms_of_products() const {
    std::vector<int> terms;
    for (int i = 0; i < plan_.products(); ++i) terms.push_back(plan_.element_of(i));
    return terms;
  }

  // What of an operand of the case belongs to each of these terms.
  Wire operands_of(const std::string& name, int operand, const std::vector<int>& terms) {
    std::vector<WireElement> elements;
    for (const int term : terms) elements.push_back(element_of(operand, term));
    return stages_.side_by_side(name, elements);
  }

  WireElement element_of(int operand, int term) const {
    const auto at = static_cast<std::size_t>(operand);
    return {&more_[at], term / plan_.more[at].block};
  }

  std::vector<Wire> sides(const std::string& name, const std::vector<int>& scales, const std::vector<int>& terms) {
    std::vector<Wire> list;
    for (const int scale : scales) list.push_back(operands_of(name + "_operand" + sv_text(scale), scale, terms));
    return list;
  }

  // The random words of so many roundings; none where the cut takes none.
  // Each is a signal of its own, so that registers hold nothing else.
  std::vector<BitRange> draws(const ResultPlan& result, int first, int count) {
    std::vector<BitRange> list;
    if (!is_stochastic(result.words.cut)) return list;
    const CaseOperand& random = plan_.more[static_cast<std::size_t>(plan_.random.operand)];
    const int bits = result.words.random_bits;
    for (int i = first; i < first + count; ++i) {
      const BitRange word{port_of(random), i * random.format.stored_bits, bits};
      list.push_back({sheet_.gather("random" + sv_text(i), {word}), 0, bits});
    }
    return list;
  }

  // The scales of these terms, on both sides.
  ScalePair scales_of(const std::string& name, const std::vector<int>& terms) {
    std::vector<WireElement> a, b;
    for (const int term : terms) {
      a.push_back({&scales_.front(), term / plan_.scale_block});
      b.push_back({&scales_.back(), term / plan_.scale_block});
    }
    return {stages_.side_by_side(name + "_scale_a", a), stages_.side_by_side(name + "_scale_b", b)};
  }

  // What the datapath does to exact products before any adder sees them.
  Wire finish_products(Wire product) {
    for (const ProductNode& node : plan_.circuit.products) {
      if (node.work == ProductWork::multiply) continue;
      product = worked(node, product);
      if (node.region) sheet_.probe_numbers(product);
    }
    return product;
  }

  Wire worked(const ProductNode& node, const Wire& product) {
    switch (node.work) {
      case ProductWork::multiply: break;
      case ProductWork::scale: {
        sheet_.section("scale");
        std::optional<ScalePair> pair;
        const std::vector<int> terms = terms_of_products();
        if (plan_.datapath.product.times_scales) pair = scales_of("product", terms);
        return stages_.scale_all("scaled", product, pair, sides("product", plan_.product_scales, terms));
      }
      case ProductWork::round: return rounded(product);
    }
    return product;
  }

  Wire rounded(Wire product) {
    sheet_.section("multiply.round");
    if (plan_.datapath.product.exponent == ProductExponent::normalised)
      product = stages_.normalise("normalised", product, normalised_range(product.range));
    if (!plan_.product_round) return product;
    return stages_.round("rounded", product, *plan_.product_round,
                         {draws(*plan_.product_round, plan_.random.product, plan_.products()), ""});
  }

  static Range normalised_range(Range range) {
    const int above = range.integer_bits - 1;
    range.least_exponent = std::min(range.least_exponent, range.least_quantum());
    range.greatest_exponent += above;
    range.fraction_bits += above;
    range.integer_bits = 1;
    return range;
  }

  // Those that are too large to stay finite as infinities, where there can be any.
  Wire limit(const Wire& product) {
    const auto infinity_at = plan_.datapath.product.infinity_at;
    const Range& range = plan_.term_range;
    if (!infinity_at || range.greatest_exponent + range.integer_bits <= *infinity_at) return product;
    sheet_.section("products without those that overflow");
    Wire out = stages_.limit("limited", product, *infinity_at);
    if (steps_decide()) out.nan.clear();  // their NaNs are seen before
    return out;
  }

  // What c is where it is added: as d's format would carry it where that is the wider one.
  Wire start() {
    if (!plan_.widen_c || !reads_c()) return c_;
    Result words;
    words.at = ResultAt::leading_one;
    words.cut = Cut::toward_zero;
    words.keep = plan_.d.mantissa_bits;
    words.least_exponent = plan_.d.least_exponent();
    const Range range{plan_.d.least_exponent(), plan_.d.greatest_exponent(), 1, plan_.d.mantissa_bits, std::nullopt};
    sheet_.section("c as a number of " + plan_.d.name);
    return stages_.round("c_widened", c_, {words, plan_.d, range});
  }

  // --- lanes and steps ---

  struct Products {
    Wire exact, limited;
  };

  static bool is_limited(const Products& products) { return products.limited.name != products.exact.name; }

  Wire run_lane(int lane, const Products& products, const Wire& c) {
    const std::string prefix = plan_.lanes > 1 ? indexed("lane", lane) + "." : "";
    Wire acc = plan_.datapath.start == Start::c ? c : zero(prefix);
    acc.absent = plan_.datapath.start == Start::none;
    for (int step = 0; step < plan_.steps; ++step) {
      const int* order = plan_.step_order(lane, step);
      const int first_draw = plan_.random.step + (lane * plan_.steps + step) * plan_.circuit.step.draws;
      const std::string place = prefix + indexed("step", step) + ".";
      if (step > 0) acc = read_acc(place, acc);
      acc = run_step(place, products, {order, order + plan_.step_terms}, acc, first_draw);
    }
    return acc;
  }

  // Rounded to the format it is in already, which leaves all but what is subnormal.
  Wire read_acc(const std::string& place, const Wire& acc) {
    if (plan_.datapath.subnormals_acc == Subnormals::keep) return acc;
    const ResultPlan& left = plan_.adders.back().results.back();
    Result words;
    words.format = left.words.format;
    words.cut = Cut::toward_zero;
    words.subnormals = plan_.datapath.subnormals_acc;
    sheet_.section(place + "acc, as it is read");
    return stages_.round(sv_identifier(place + "acc_read"), acc, {words, left.format, left.range});
  }

  Wire zero(const std::string& prefix) {
    const Wire wire{sv_identifier(prefix + "zero"), 1, plan_.adders.back().range};
    if (!takes_acc()) return wire;
    sheet_.declare(wire.name, wire.width());
    sheet_.assign(wire.name, "'0");
    return wire;
  }

  bool takes_acc() const {
    const CircuitBlock& block = plan_.circuit.step;
    return std::any_of(block.sums.begin(), block.sums.end(), [&](const SumNode& node) {
      return std::any_of(node.items.begin(), node.items.end(),
                         [&](const SumItem& item) { return item.value == block.one(); });
    });
  }

  Wire run_step(const std::string& place, const Products& products, const std::vector<int>& order, const Wire& acc,
                int first_draw) {
    const std::string name = sv_identifier(place);
    if (steps_decide()) sheet_.section(place + "special");
    const Wire limited = products_in(name + (is_limited(products) ? "limited" : "product"), products.limited, order);
    Wire exact = limited;
    if (is_limited(products)) {  // what cannot be special is not looked at
      exact = products.exact;
      if (steps_decide() && (exact.special || !exact.raised.empty()))
        exact = products_in(name + "product", exact, order);
    }
    Wire terms = limited, one = acc;
    std::string outcome;
    if (steps_decide()) {
      outcome = step_special(name + "special", {exact, limited}, order, acc);
      terms = finite(limited);
      one = finite(acc);
    }
    std::vector<WireElement> values;
    for (int i = 0; i < plan_.step_terms; ++i) values.push_back({&terms, i});
    values.push_back({&one, 0});
    std::deque<Wire> left;  // `values` points into it
    Wire sum = run_sums(place, plan_.circuit.step, plan_.adders, values, left, order, first_draw);
    sheet_.section(place + "acc");
    if (plan_.take) sum = stages_.take(name + "take", sum, taking(values, order));
    if (!outcome.empty()) {
      const std::string raised =
          stages_.raised_by_step(name + "acc_raised", outcome, seen_by_step(exact, acc, order), sum, decision());
      const std::deque<ScaleNans> scales = scale_nans(name, order);
      sum = stages_.decided(name + "acc", outcome, sum, nans_of_step(exact, acc, scales, sum), decision());
      sum.raised = raised;
    }
    sheet_.probe_numbers(sum);
    sheet_.cut(place + "acc");
    return sum;
  }

  // Where the NaN of a step may come from, as its datapath lists them. `values` are those of its sums.
  Stages::Taking taking(const std::vector<WireElement>& values, const std::vector<int>& order) const {
    Stages::Taking taking;
    taking.signalling_first = plan_.take->signalling_first;
    int run = -1;
    for (const NanPlace& place : plan_.take->places) {
      const auto at = static_cast<std::size_t>(place.index);
      const auto element = [&](const Wire& side) { return WireElement{&side, plan_.element_of(order[at])}; };
      taking.places.push_back(place.of == NanPlace::Of::a   ? element(a_)
                              : place.of == NanPlace::Of::b ? element(b_)
                                                            : values[at]);
      taking.begins.push_back(place.run != run);
      run = place.run;
    }
    return taking;
  }

  // What becomes of NaNs and infinities that decide a step.
  Stages::Decision decision() const {
    return {step_decision(plan_, Number::nan(true)), step_decision(plan_, Number::infinity(false)),
            step_decision(plan_, Number::infinity(true))};
  }

  // What is special among them has been decided on.
  static Wire finite(Wire wire) {
    wire.special = false;
    return without_nans(wire);
  }

  static Wire without_nans(Wire wire) {
    wire.nan.clear();
    return wire;
  }

  Wire products_in(const std::string& name, const Wire& products, const std::vector<int>& order) {
    std::vector<WireElement> elements;
    for (const int index : order) elements.push_back({&products, index});
    return stages_.side_by_side(name, elements);
  }

  // Scales that multiply a step's sums: a pair or one of one side.
  struct ScalesOfSums {
    std::vector<const Wire*> wires;
    std::vector<int> blocks;  // in the order in which the step meets them
  };

  // Adder after adder, each once.
  std::vector<ScalesOfSums> scales_of_sums(const std::vector<int>& order) const {
    std::vector<ScalesOfSums> list;
    bool has_pair = false;
    for (const AdderPlan& adder : plan_.adders) {
      if (adder.times_scales && !has_pair)
        list.push_back({{&scales_.front(), &scales_.back()}, blocks_of(order, plan_.scale_block)});
      has_pair = has_pair || adder.times_scales;
      for (const int scale : adder.scales) {
        const auto at = static_cast<std::size_t>(scale);
        list.push_back({{&more_[at]}, blocks_of(order, plan_.more[at].block)});
      }
    }
    return list;
  }

  // Of the terms of these products, each once.
  std::vector<int> blocks_of(const std::vector<int>& order, int block) const {
    std::vector<int> list;
    for (const int product : order) {
      const int own = plan_.element_of(product) / block;
      if (std::find(list.begin(), list.end(), own) == list.end()) list.push_back(own);
    }
    return list;
  }

  // Their classes decide, where they can be special; whose NaN it is comes of another list.
  std::vector<Wire> classes_of(const std::string& name, const ScalesOfSums& scales) {
    std::vector<Wire> list;
    for (const Wire* wire : scales.wires) {
      if (!wire->special) continue;
      const Wire classes = without_nans(*wire);
      std::vector<WireElement> elements;
      for (const int block : scales.blocks) elements.push_back({&classes, block});
      list.push_back(stages_.side_by_side(name + "_" + wire->name, elements));
    }
    return list;
  }

  // Empty where nothing can decide.
  std::string step_special(const std::string& name, const Products& terms, const std::vector<int>& order,
                           const Wire& acc) {
    std::vector<Wire> seen{terms.exact, acc};
    for (const ScalesOfSums& scales : scales_of_sums(order)) {
      for (const Wire& classes : classes_of(name, scales)) seen.push_back(classes);
    }
    seen.erase(std::remove_if(seen.begin(), seen.end(), [](const Wire& w) { return !w.special; }), seen.end());
    const bool limited = is_limited(terms);
    const bool decides = limited || !seen.empty();
    if (!decides) {
      sheet_.declare(name, 2);
      sheet_.assign(name, "assay_pkg::OutcomeNone");
    } else if (!limited) {
      stages_.special(name, seen);
    } else {  // products that overflow are looked at last
      const std::string overflow = seen.empty() ? name : name + "_overflow";
      stages_.special(overflow, {terms.limited});
      if (!seen.empty()) stages_.special(name, seen, overflow);
    }
    sheet_.probe(name);
    return decides ? name : "";
  }

  // The scales of a step's sums for their NaNs: of these blocks alone, so that registers hold nothing else.
  struct ScaleNans {
    std::vector<Wire> wires;
    std::vector<int> blocks;  // of each wire
  };

  // Where a step's NaN may come from; what its sums made of it comes last.
  std::vector<WireElement> nans_of_step(const Wire& exact, const Wire& acc, const std::deque<ScaleNans>& scales,
                                        const Wire& sum) const {
    std::vector<WireElement> list;
    for (int i = 0; i < plan_.step_terms; ++i) list.push_back({&exact, i});
    list.push_back({&acc, 0});
    for (const ScaleNans& set : scales) {
      for (std::size_t i = 0; i < set.blocks.size(); ++i) {
        for (const Wire& wire : set.wires) list.push_back({&wire, set.blocks[i]});
      }
    }
    list.push_back({&sum, 0});
    return list;
  }

  // What a step decides on, which it reads.
  std::vector<WireElement> seen_by_step(const Wire& exact, const Wire& acc, const std::vector<int>& order) const {
    std::vector<WireElement> list;
    for (int i = 0; i < plan_.step_terms; ++i) list.push_back({&exact, i});
    list.push_back({&acc, 0});
    for (const ScalesOfSums& scales : scales_of_sums(order)) {
      for (const int block : scales.blocks) {
        for (const Wire* wire : scales.wires) list.push_back({wire, block});
      }
    }
    return list;
  }

  std::deque<ScaleNans> scale_nans(const std::string& name, const std::vector<int>& order) {
    std::deque<ScaleNans> list;
    for (const ScalesOfSums& scales : scales_of_sums(order)) {
      ScaleNans set{{}, scales.blocks};
      const bool all = static_cast<int>(scales.blocks.size()) == scales.wires.front()->count;
      for (const Wire* wire : scales.wires) set.wires.push_back(all ? *wire : nans_of(name, *wire, scales.blocks));
      if (!all) std::iota(set.blocks.begin(), set.blocks.end(), 0);
      list.push_back(std::move(set));
    }
    return list;
  }

  Wire nans_of(const std::string& name, Wire wire, const std::vector<int>& blocks) {
    if (wire.nan.empty()) return wire;
    std::vector<BitRange> parts;
    for (const int block : blocks) parts.push_back({wire.nan, block * stages_.nan_width(), stages_.nan_width()});
    wire.nan = sheet_.gather(name + "nan_" + wire.name, parts);
    return wire;
  }

  Wire finish(const Wire& c, const std::vector<Wire>& lanes) {
    std::vector<WireElement> values;
    for (const Wire& lane : lanes) values.push_back({&lane, 0});
    values.push_back({&c, 0});
    std::deque<Wire> left;  // `values` points into it
    const Wire result = run_sums("finish.", plan_.circuit.finish, plan_.finish, values, left, {}, plan_.random.finish);
    sheet_.cut("finish");
    return result;
  }

  // --- sums ---

  // The sums of a block in order; the last one's result. A sum begins when all it adds is there. What each leaves
  // follows the values it was made of.
  Wire run_sums(const std::string& place, const CircuitBlock& block, const std::vector<AdderPlan>& adders,
                std::vector<WireElement>& values, std::deque<Wire>& left, const std::vector<int>& order,
                int first_draw) {
    std::vector<int> ready(values.size(), sheet_.stage());
    for (const SumNode& node : block.sums) {
      int first = 0;
      for (const SumItem& item : node.items) first = std::max(first, ready[static_cast<std::size_t>(item.value)]);
      sheet_.go_to(first);
      left.push_back(run_sum(place, node, adders[static_cast<std::size_t>(node.adder)], values, order, first_draw));
      values.push_back({&left.back(), 0});
      ready.push_back(sheet_.stage());
    }
    return left.back();
  }

  Wire run_sum(const std::string& prefix, const SumNode& node, const AdderPlan& adder,
               const std::vector<WireElement>& values, const std::vector<int>& order, int first_draw) {
    const SumNames names{prefix + node.name, prefix + adder.name + (node.is_of_tree() ? "." + node.own_name() : "")};
    sheet_.section(names.place);
    const std::string name = sv_identifier(names.place);
    SumScales scales;
    if (node.scaled_by >= 0) {
      const std::vector<int> term{order.empty() ? 0
                                                : plan_.element_of(order[static_cast<std::size_t>(node.scaled_by)])};
      if (adder.times_scales) scales.pair = scales_of(name, term);
      scales.sides = sides(name, adder.scales, term);
    }
    std::vector<BitRange> random;
    int draw = first_draw + node.draws_from;
    for (const ResultPlan& result : adder.results) {
      const std::vector<BitRange> word = draws(result, draw, 1);
      draw += static_cast<int>(word.size());
      random.insert(random.end(), word.begin(), word.end());
    }
    return wire_sum(sheet_, stages_, names, adder, entries(name, node, adder, values), scales, random);
  }

  // Items of one input and one shape, as far as they follow each other, are one entry.
  std::vector<SumEntry> entries(const std::string& name, const SumNode& node, const AdderPlan& adder,
                                const std::vector<WireElement>& values) {
    std::vector<SumEntry> list;
    for (std::size_t i = 0; i < node.items.size();) {
      const SumItem& first = node.items[i];
      const Wire& like = *values[static_cast<std::size_t>(first.value)].wire;
      std::vector<WireElement> elements;
      for (; i < node.items.size() && node.items[i].input == first.input && node.items[i].negate == first.negate; ++i) {
        const WireElement& e = values[static_cast<std::size_t>(node.items[i].value)];
        if (!e.wire->shaped_like(like)) break;
        elements.push_back(e);
      }
      const Input& words = adder.inputs[static_cast<std::size_t>(first.input)].words;
      const std::string own = name + "_" + words.source + (elements.size() == node.items.size() ? "" : number(list));
      Wire numbers = stages_.side_by_side(own, elements);
      if (first.negate) numbers = stages_.negate(own + "_negated", numbers);
      list.push_back({numbers, &words});
    }
    return list;
  }

  static std::string number(const std::vector<SumEntry>& list) { return sv_text(static_cast<int>(list.size())); }

  // What a NaN's own bits are written over.
  Code nan_code(const Wire& number) const {
    if (!plan_.nan.propagate && !plan_.nan.with_sign) return plan_.nan.code;
    const Code quiet = plan_.d.quiet_nan();
    const bool without_payload =
        plan_.take && !number.nan.empty() && said_by_nan(plan_.nan, plan_.d) == NanSays::sign_and_payload;
    return plan_.d.stored(without_payload ? quiet & ~static_cast<Code>(low_mask(plan_.d.mantissa_bits)) : quiet);
  }

  void encode(const Wire& number) {
    sheet_.section("encode");
    stages_.encode("d_o", plan_.d, nan_code(number), number);
    sheet_.probe("d_o");
    if (!plan_.datapath.flags) return;
    sheet_.section("flags");
    stages_.flags("flags_o", number);
    sheet_.probe("flags_o", static_cast<int>(flag_names.size()));
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
      t += "module " + module_ + " #(\n  parameter logic [" + sv_text(cuts() - 1) + ":0] Registers = {" +
           sv_text(cuts()) + "{1'b1}}\n) (\n";
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
    for (const CaseOperand& more : plan_.more)
      t += port("input ", more.count * more.format.stored_bits, port_of(more) + ",");
    t += port("output", plan_.d.stored_bits, "d_o,");
    if (plan_.datapath.flags)
      t += port("output", static_cast<int>(flag_names.size()),
                "flags_o,  // invalid lowest, overflow, underflow, inexact");
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

  // Of places alike that follow each other; the whole name where they have names.
  static std::string number_of_place(const std::string& name) {
    const std::size_t bracket = name.rfind('[');
    return bracket == std::string::npos ? name : name.substr(bracket);
  }

  static std::string bits_each(int width) { return width == 1 ? "a bit each" : sv_text(width) + " bits each"; }

  std::string probe_table() const {
    std::string t;
    std::size_t place = 0;
    int from = 0;
    for (const Sheet::Probe& probe : sheet_.probes()) {
      const int count = probe.count;
      const Place first = plan_.places[place];
      const Place last = plan_.places[place + static_cast<std::size_t>(count) - 1];
      std::string range = sv_slice("", from, count * first.width);
      range.resize(std::max<std::size_t>(range.size() + 2, 16), ' ');
      t += "//   " + range + first.name;
      if (count > 1) t += " to " + number_of_place(last.name) + ", " + bits_each(first.width);
      t += "\n";
      from += count * first.width;
      place += static_cast<std::size_t>(count);
    }
    return t;
  }

  std::string probes() {
    const auto& list = sheet_.probes();
    std::string t = "\n  assign probe_o = {\n";
    for (std::size_t i = list.size(); i-- > 0;) t += "    " + sheet_.here(list[i].bits) + (i > 0 ? ",\n" : "\n");
    return t + "  };\n";
  }

  const Plan& plan_;
  const std::string& module_;
  Sheet sheet_;
  Stages stages_;
  bool pipelined_;
  Wire a_{"a", 1, {}}, b_{"b", 1, {}};  // as they are multiplied
  Wire c_{"c", 1, {}};
  std::vector<Wire> scales_;  // of a and of b, where there are any
  std::vector<Wire> more_;    // the other operands of a case, in the order of the plan
};

}  // namespace

std::string export_sv(const Plan& plan, const std::string& module_name, ExportTiming timing) {
  check_exportable(plan);
  return Exporter(plan, module_name, timing == ExportTiming::pipelined).run();
}

std::vector<std::string> export_cuts(const Plan& plan) {
  check_exportable(plan);
  const std::string name = "unit";
  Exporter exporter(plan, name, true);
  exporter.run();
  return exporter.cut_names();
}

}  // namespace assay
