#include "tb/tests/rtl/units.hpp"

#include "model/config/catalogue.hpp"

namespace assay {

const Unit& committed_unit() {
  static const Unit unit{"dot_fused_f25_f16", R"(
name: fused_f25
like: fused_f25
k: 16
operands: {a: f16, b: f16, c: f32, d: f32}
)"};
  return unit;
}

const std::vector<Unit>& units() {
  static const std::vector<Unit> list{
      // c is narrower than d; steps in a chain; steps dealt out; a is flushed.
      {"dot_chained_widened", R"(
name: chained_widened
k: 16
operands: {a: f16, b: bf16, c: f16, d: f32}
subnormals: {a: zero, b: keep, c: keep}
specials: step
nan: 7fffffff
k_order: {step: {terms: 4, deal: strided, unit: 2}}
adders:
  - name: sum
    add:
      product: {keep: 23, cut: toward_zero}
      acc: {keep: 24, cut: down}
    window: {exponent: largest, floor: -131}
    result:
      - {format: d, cut: toward_zero, overflow: infinity}
)"},
      // f16 out, rounded; f16 acc of the second step may be infinite.
      {"dot_chained_f16", R"(
name: chained_f16
k: 16
operands: {a: f16, b: f16, c: f16, d: f16}
subnormals: {a: keep, b: signed_zero, c: signed_zero}
specials: step
nan: 7fff
k_order: {step: {terms: 8}}
adders:
  - name: sum
    add:
      product: {keep: 24, cut: toward_zero}
      acc: {keep: 24, cut: toward_zero}
    window: {exponent: largest, floor: -20}
    result:
      - {format: f16, cut: nearest_even, overflow: infinity}
)"},
      // Products in pairs at their own windows, then a sum with a sticky bit and exponents in fours.
      {"dot_pairs_sticky", R"(
name: pairs_sticky
k: 8
operands: {a: bf16, b: bf16, c: f32, d: f32}
specials: step
nan: 7fc00000
adders:
  - name: pairs
    add:
      product: {keep: 22, cut: nearest_even}
    group: {terms: 2, deal: strided, unit: 1}
    result:
      - {at: window, keep: 21, cut: to_odd}
  - name: sum
    add:
      pairs: {keep: 24, cut: toward_zero}
      acc: {keep: 24, cut: toward_zero}
    window: {exponent: largest, floor: -200, step: 4}
    sticky: or
    result:
      - {format: f32, cut: nearest_even, overflow: infinity}
)"},
      // An eight-bit format without infinities in and out, two results, no floor.
      {"dot_eight_bits", R"(
name: eight_bits
k: 32
operands: {a: e4m3, b: e5m2fnuz, c: e4m3fnuz, d: e4m3fnuz}
specials: step
nan: 80
adders:
  - name: sum
    add:
      product: {keep: 13, cut: down}
      acc: {keep: 11, cut: nearest_away}
    result:
      - {at: leading_one, keep: 9, cut: up, least_exponent: -8}
      - {format: e4m3fnuz, cut: nearest_away, overflow: largest}
)"},
      // A fixed window that products may exceed, and the 19 used bits of tf32.
      {"dot_fixed_window", R"(
name: fixed_window
k: 4
operands: {a: tf32, b: tf32, c: f32, d: tf32}
specials: step
adders:
  - name: sum
    add:
      product: {keep: 30, cut: toward_zero}
      acc: {keep: 30, cut: up}
    window: {exponent: fixed, at: 220}
    result:
      - {at: leading_one, keep: 15, cut: to_odd}
      - {format: tf32, cut: down, overflow: infinity}
)"},
      // Exact sums, rounded once.
      {"dot_exact", R"(
name: exact
k: 8
operands: {a: f16, b: f16, c: f32, d: f32}
specials: step
nan: 7fc00000
k_order: {step: {terms: 4}}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result:
      - {format: f32, cut: nearest_even, overflow: infinity}
)"},
  };
  return list;
}

Plan plan_of_text(const std::string& text) { return plan_of(read_datapath_text(text, "test", shipped_catalogue())); }

}  // namespace assay
