#include "tb/tests/rtl/units.hpp"

#include "model/config/catalogue.hpp"

namespace assay {

const std::vector<Unit>& flagged_units() {
  static const std::vector<Unit> list{
      // One operation of IEEE 754.
      {"flags_fma", R"(
name: flags_fma
k: 2
operands: {a: f16, b: bf16, c: f32, d: f16}
specials: operation
nan: {default: 7e00, take: [acc, "b[0]", "a[0]"], signalling: first}
flags: {of: d, invalid: made, tiny: after}
k_order: {step: {terms: 1}}
subnormals: {acc: signed_zero}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    zero: ieee
    result: [{format: d, cut: nearest_even}]
)"},
      // All that is done counts: lost ones that join at the result, a register that wraps, products too large.
      {"flags_of_all", R"(
name: flags_of_all
k: 4
operands: {a: f16, b: e5m2, c: f32, d: f32}
subnormals: {a: zero, b: zero}
nans: {a: zero}
factors: {a: {round: {format: e5m2, cut: nearest_even, subnormals: zero, tiny: after}, empty: -20}, b: {empty: -16}}
specials: step
product: {infinity_at: 24}
flags: {of: all, invalid: nan, tiny: before}
k_order: {step: {terms: 2}}
adders:
  - name: groups
    add: {product: {keep: 3, cut: down}}
    group: {terms: 1}
    window: {raise: 2, step: 3, from: -15}
    sticky: at_result
    cancelled: none
    result: [{at: window, keep: 6, cut: nearest_even, bits: 6, overflow: wrap}]
  - name: sum
    add: {groups: {keep: 9, cut: toward_zero, lost_below: 12}, acc: {keep: 9, cut: toward_zero}}
    window: {lost_at: -14}
    result: [{at: window, keep: 8, cut: nearest_up, bits: 9, overflow: symmetric}, {format: d, cut: up, subnormals: zero, tiny: before}]
)"},
      // Scales, integers that wrap, a format without a sign on the way.
      {"flags_scaled", R"(
name: flags_scaled
k: 4
operands: {a: e2m1, b: e4m3, c: i16, d: i8, scale: {format: ue8m0, block: 2}}
specials: operation
flags: {of: all, invalid: made, tiny: result}
start: none
k_order: {lanes: {terms: 2}, step: {terms: 2}}
adders:
  - name: block
    add: {product: exact}
    group: {terms: 2}
    times: scales
    result: [{format: Binary8p3ue, cut: nearest_even, negative: nan, overflow: nan}]
  - name: sum
    add: {block: {keep: 5, cut: nearest_away}, acc: exact}
    result: [{format: f32, cut: to_odd}]
finish:
  - name: late
    add: {lanes: exact, c: exact}
    sticky: or
    result: [{format: d, cut: down, overflow: largest, infinity: largest, nan: zero}]
)"},
      // A list of values, and an integer that wraps.
      {"flags_of_lists", R"(
name: flags_of_lists
k: 2
operands: {a: i8, b: i8, c: i16, d: i8}
specials: step
flags: {of: d, invalid: made, tiny: before}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result: [{format: nf4, cut: down, overflow: largest}, {format: d, cut: to_odd, overflow: wrap}]
)"},
  };
  return list;
}

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
      // What a step leaves is flushed as the next one reads it: two operations of a chain after the other.
      {"dot_acc_flushed", R"(
name: acc_flushed
k: 8
operands: {a: bf16, b: bf16, c: f32, d: f32}
subnormals: {a: signed_zero, b: signed_zero, c: signed_zero, acc: signed_zero}
specials: operation
k_order: {step: {terms: 2}}
adders:
  - name: pair
    add: {product: exact}
    zero: ieee
    result:
      - {format: f32, cut: nearest_even, subnormals: signed_zero}
  - name: sum
    add: {acc: exact, pair: exact}
    zero: ieee
    result:
      - {format: f32, cut: nearest_even}
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
      // Groups summed exactly, each times its block's scales; then a fused sum.
      {"dot_scaled_groups", R"(
name: scaled_groups
like: group_scaled_f35
k: 64
operands: {a: e2m1, b: e2m1, c: f32, d: f32, scale: {format: ue4m3, block: 16}}
)",
       true},
      // Each product times its block's scales; two formats of operands.
      {"dot_scaled_products", R"(
name: scaled_products
like: fused_f25_scaled
k: 32
operands: {a: e4m3, b: e3m2, c: f32, d: f32, scale: {format: ue8m0, block: 16}}
)"},
      // Steps dealt out and chained from zero; c is added late, by an addition that passes NaNs on.
      {"dot_split", R"(
name: split
like: split_f25
k: 8
k_order: {step: {terms: 4, deal: strided, unit: 2}}
operands: {a: e4m3, b: e5m2, c: f32, d: f32}
)",
       true},
      // Sums of even and odd products, floored together; then floored together with acc.
      {"dot_even_odd", R"(
name: even_odd
like: even_odd_late_floor_f24
k: 8
operands: {a: e4m3fnuz, b: e5m2fnuz, c: f32, d: f32}
k_order: {step: {terms: 4}}
adders:
  - name: halves
    group: {terms: 2, deal: strided, unit: 1}
)",
       true},
      // The same in one sum, as first published, with products that overflow.
      {"dot_late_floor", R"(
name: late_floor
like: late_floor_f24_step8_revision1
k: 16
operands: {a: bf16, b: bf16, c: f32, d: f32}
)"},
      // Two lanes from zero, then late additions: the sum of the lanes passes on what is special.
      {"dot_lanes", R"(
name: lanes
like: late_floor_f24_step8
k: 16
operands: {a: bf16, b: tf32, c: f16, d: f32}
k_order: {lanes: {terms: 8, deal: strided, unit: 1}, step: {terms: 4}}
start: zero
finish:
  - name: both
    add: {lanes: exact}
    zero: ieee
    result: [{format: f32, cut: down}]
  - name: late
    add: {c: exact, both: exact}
    zero: ieee
    result: [{format: f32, cut: nearest_even}]
)"},
      // A chain of exact multiply-adds, each rounded; tiny results become zeros, NaNs keep their payload.
      {"dot_fma_chain", R"(
name: fma_chain
k: 4
operands: {a: f16, b: f16, c: f16, d: f16}
subnormals: {a: keep, b: keep, c: signed_zero}
specials: operation
nan: propagate
adders:
  - name: sum
    add: {acc: exact, product: exact}
    shape: serial
    zero: ieee
    result: [{format: d, cut: nearest_even, overflow: infinity, subnormals: signed_zero, tiny: after}]
)",
       true},
      // Products rounded by themselves, added in a tree whose sums are rounded, too; then in the other tree.
      {"dot_tree_rounded", R"(
name: tree_rounded
k: 8
operands: {a: bf16, b: e5m2, c: bf16, d: bf16}
specials: operation
nan: propagate
product: {round: {format: d, cut: nearest_away, overflow: infinity, subnormals: zero, tiny: before}, exponent: normalised}
k_order: {step: {terms: 4}}
adders:
  - name: pairs
    add: {product: {keep: 9, cut: nearest_even}}
    group: {terms: 2, deal: strided, unit: 1}
    shape: neighbours
    result: [{at: leading_one, keep: 8, cut: to_odd, least_exponent: -126}]
  - name: sum
    add: {acc: {keep: 11, cut: down}, pairs: {keep: 11, cut: up}}
    shape: halves
    zero: ieee
    result: [{format: d, cut: down, overflow: infinity, subnormals: zero, tiny: result}]
)"},
      // Products normalised and then too large to stay finite, in a step that decides; scales that may be NaN or
      // infinite.
      {"dot_normalised", R"(
name: normalised
k: 8
operands: {a: e4m3, b: e5m2, c: f16, d: f32, scale: {format: e5m2, block: 4}}
specials: step
nan: propagate
product: {times: scales, exponent: normalised, infinity_at: 12}
k_order: {step: {terms: 4, deal: strided, unit: 1}, from: last}
adders:
  - name: sum
    add: {product: {keep: 20, cut: toward_zero, lost_below: 13}, acc: {keep: 22, cut: down, empty: -20}}
    window: {exponent: largest, floor: -40, step: 3}
    sticky: or
    result: [{format: d, cut: nearest_even, overflow: largest}]
)"},
      // Groups summed exactly, each in a window that moves, times its block's scales; what leaves a step is exact, and
      // c
      // is kept whole or dropped whole.
      {"dot_scaled_moving", R"(
name: scaled_moving
k: 8
operands: {a: e2m3, b: e2m1, c: e4m3, d: bf16, scale: {format: ue4m3, block: 4}}
specials: step
nan: 7fc0
start: zero
adders:
  - name: groups
    add: {product: exact}
    group: {terms: 4}
    times: scales
  - name: sum
    add: {groups: exact, acc: exact}
finish:
  - name: late
    add: {lanes: {keep: 12, cut: nearest_even}, c: {lost_below: 9}}
    sticky: or
    result: [{at: window, keep: 9, cut: to_odd}, {format: d, cut: nearest_even, overflow: largest}]
)"},
      // Integers that wrap.
      {"dot_integers", R"(
name: integers
k: 8
operands: {a: i8, b: u8, c: i32, d: i32}
specials: numbers
k_order: {step: {terms: 4}}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result: [{format: d, cut: toward_zero, overflow: wrap}]
)",
       true},
      // Integers in a tree that drops bits and stops at the ends of their formats; the window's exponent takes one bit.
      {"dot_integers_stop", R"(
name: integers_stop
k: 8
operands: {a: i8, b: i8, c: i8, d: i8}
specials: step
product: {exponent: normalised}
k_order: {step: {terms: 4}}
adders:
  - name: pairs
    add: {product: {keep: 9, cut: nearest_even, empty: 4}}
    group: {terms: 2}
    shape: neighbours
    result: [{at: leading_one, keep: 6, cut: up}, {format: u8, cut: down, overflow: largest}]
  - name: sum
    add: {pairs: exact, acc: exact}
    shape: serial
    window: {exponent: fixed, at: 0}
    result: [{at: window, keep: 0, cut: nearest_away}, {format: d, cut: nearest_even, overflow: largest}]
)"},
      // Every code is a number, and results without a mantissa.
      {"dot_numbers", R"(
name: numbers
formats: {e5m0: {exponent: 5, mantissa: 0, bias: 15, infinity: false, nan: none, signed_zero: false}}
k: 4
operands: {a: e4m3, b: e5m2, c: e5m0, d: e5m0}
specials: numbers
adders:
  - name: sum
    add: {product: {keep: 7, cut: nearest_even}, acc: exact}
    sticky: or
    result: [{format: d, cut: up, overflow: largest, subnormals: zero, tiny: before}]
)"},
  };
  return list;
}

const std::vector<Unit>& further_units() {
  static const std::vector<Unit> list{
      // Posits in and out, each product rounded to one.
      {"dot_posit8", R"(
name: posit8
k: 2
operands: {a: posit8_2, b: posit8_1, c: posit8_2, d: posit8_2}
specials: step
product: {round: {format: posit8_2, cut: nearest_even, overflow: largest, infinity: nan}}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    shape: serial
    result: [{format: d, cut: nearest_even, overflow: largest, infinity: nan}]
)"},
      // Codes whose infinities are the last of a list, and sums that each operation decides.
      {"dot_hif8", R"(
name: hif8
k: 4
operands: {a: hif8, b: hif8, c: f16, d: hif8}
specials: operation
k_order: {step: {terms: 2}}
adders:
  - name: sum
    add: {product: {keep: 12, cut: toward_zero}, acc: {keep: 12, cut: nearest_even}}
    result: [{format: d, cut: nearest_away}]
)"},
      // Posits of 16 bits in every role; products of another shape that overflow to infinities.
      {"dot_posit16", R"(
name: posit16
formats: {p9: {rule: posit, parameters: {bits: 9, es: 3}}}
k: 2
operands: {a: posit16_1, b: posit16_2, c: p9, d: posit16_1}
specials: step
product: {round: {format: p9, cut: to_odd, overflow: nan, infinity: nan}}
adders:
  - name: sum
    add: {product: {keep: 40, cut: toward_zero}, acc: {keep: 40, cut: toward_zero}}
    shape: serial
    result: [{format: posit16_2, cut: down, overflow: largest, infinity: largest}, {format: d, cut: nearest_even, overflow: largest, infinity: nan}]
)"},
      // Prefix codes of 16 and of 10 bits, decided through the results of a step.
      {"dot_prefix", R"(
name: prefix
formats: {long: {rule: prefix, parameters: {bits: 16, exponent: 5}}, short: {rule: prefix, parameters: {bits: 10, exponent: 2}}}
k: 2
operands: {a: long, b: short, c: f32, d: long}
specials: step
k_order: {step: {terms: 1}}
adders:
  - name: sum
    add: {product: {keep: 40, cut: toward_zero}, acc: {keep: 40, cut: toward_zero}}
    result: [{format: short, cut: up, overflow: directed, infinity: nan}, {format: d, cut: nearest_even}]
)"},
      // Weights from a table, and a list that has a say of its own in d.
      {"dot_nf4", R"(
name: nf4
formats: {own: {values: ["0", "-0", "1", "-1", "1.5", "-1.5", "3", "-3", inf, -inf, nan, "5", "-5", "5", "7*2^-3", "-7*2^-3"], ties: away}}
k: 4
operands: {a: bf16, b: nf4, c: own, d: own}
specials: step
adders:
  - name: sum
    add: {product: {keep: 24, cut: toward_zero}, acc: exact}
    result: [{format: f16, cut: to_odd}, {format: d, cut: nearest_even, overflow: directed}]
)"},
      // P3109: infinities at the last codes, with a sign and without.
      {"dot_p3109", R"(
name: p3109
k: 4
operands: {a: Binary8p4se, b: Binary8p3ue, c: Binary8p3se, d: Binary8p3ue}
specials: step
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result:
      - {format: Binary8p4se, cut: toward_zero, overflow: directed, subnormals: signed_zero}
      - {format: d, cut: up, overflow: directed, negative: directed}
)"},
      // No mantissa: codes decide what is even.
      {"dot_powers", R"(
name: powers
formats: {e5m0: {exponent: 5, mantissa: 0, bias: 15, infinity: false, nan: all_ones, signed_zero: true}}
k: 2
operands: {a: e4m3, b: e5m0, c: e5m0, d: e5m0}
specials: step
adders:
  - name: sum
    add: {product: {keep: 7, cut: nearest_even}, acc: exact}
    result: [{format: d, cut: nearest_even, overflow: largest}]
)"},
      // The same where 2^-127 to 2^127 is too far for a table; tiny results are flushed.
      {"dot_far_powers", R"(
name: far_powers
formats: {e8m0: {exponent: 8, mantissa: 0, bias: 127, signed: false, infinity: false, nan: all_ones, signed_zero: false}}
k: 2
operands: {a: f16, b: bf16, c: f32, d: e8m0}
specials: step
adders:
  - name: sum
    add: {product: {keep: 30, cut: toward_zero}, acc: {keep: 30, cut: toward_zero}}
    result: [{format: d, cut: nearest_even, overflow: largest, infinity: largest, negative: nan, subnormals: zero, tiny: after}]
)"},
      // A list that spans as many binary places as one may.
      {"dot_far_list", R"(
name: far_list
formats: {far: {values: ["0", 1*2^-60, 1*2^60, nan]}}
k: 2
operands: {a: far, b: f16, c: f32, d: far}
specials: step
adders:
  - name: sum
    add: {product: {keep: 30, cut: toward_zero}, acc: {keep: 30, cut: toward_zero}}
    result: [{format: d, cut: nearest_even, overflow: largest, infinity: nan, negative: zero}]
)"},
      // Integers beside floats in every role.
      {"dot_mixed", R"(
name: mixed
k: 4
operands: {a: i8, b: f16, c: f32, d: f32}
specials: step
adders:
  - name: pairs
    add: {product: {keep: 20, cut: toward_zero}}
    group: {terms: 2}
    result: [{format: i16, cut: nearest_even, overflow: symmetric, infinity: largest, nan: zero}]
  - name: sum
    add: {pairs: exact, acc: {keep: 24, cut: toward_zero}}
    result: [{format: d, cut: nearest_even}]
)"},
      {"dot_to_integer", R"(
name: to_integer
k: 4
operands: {a: bf16, b: mxint8, c: i32, d: i32}
specials: step
nan: 80000000
k_order: {step: {terms: 2}}
adders:
  - name: sum
    add: {product: exact, acc: {keep: 40, cut: nearest_even}}
    window: {exponent: largest, floor: -4}
    result: [{format: d, cut: toward_zero, overflow: nan, infinity: nan}]
)"},
      {"dot_fixed_point", R"(
name: fixed_point
formats: {q3_4: {integer: 8, fraction: 4}, u2_10: {integer: 12, fraction: 10, signed: false}}
k: 4
operands: {a: q3_4, b: mxint8, c: f16, d: q3_4}
specials: operation
nan: "80"
adders:
  - name: sum
    add: {product: exact, acc: {keep: 18, cut: down}}
    result:
      - {format: u2_10, cut: stochastic_c, random_bits: 5, overflow: wrap, infinity: largest, nan: positive}
      - {format: d, cut: nearest_away, overflow: nan, infinity: largest}
)"},
      // Weights of 4 bits with a zero point and a scale a block, rounded before they are multiplied; one scale late.
      {"dot_weights", R"(
name: weights
k: 4
operands:
  a: bf16
  b: i4
  c: f32
  d: f32
  zero_b: {format: u4, block: 2}
  scales:
    scale_b: {of: b, format: bf16, block: 2, at: operand}
    tensor: {of: a, format: f32, at: late}
specials: step
nan: propagate
factors: {b: {round: {format: bf16, cut: nearest_even}}}
start: zero
adders:
  - name: sum
    add: {product: {keep: 24, cut: toward_zero}, acc: {keep: 24, cut: toward_zero}}
    result: [{format: f32, cut: toward_zero}]
finish:
  - name: late
    add: {lanes: {keep: 23, cut: nearest_even}}
    result: [{format: f32, cut: nearest_even}]
  - name: with_c
    add: {late: exact, c: exact}
    zero: ieee
    result: [{format: d, cut: nearest_even}]
)"},
      // Scales at products and, level after level, at sums, which a step sees; a zero point that never changes.
      {"dot_levels", R"(
name: levels
k: 8
operands:
  a: u8
  b: e4m3
  c: f32
  d: bf16
  scale: {format: e5m2, block: 2}
  scales:
    wide: {of: a, format: e5m2, at: product}
    four: {of: b, format: f16, block: 4, at: fours}
    one: {of: a, format: i8, at: sum}
specials: step
nan: propagate
factors: {a: {zero_point: 128}}
k_order: {step: {terms: 4}}
adders:
  - name: pairs
    add: {product: {keep: 10, cut: toward_zero}}
    group: {terms: 2}
    times: scales
  - name: fours
    add: {pairs: {keep: 12, cut: down}}
  - name: sum
    add: {fours: {keep: 14, cut: nearest_even}, acc: {keep: 16, cut: toward_zero}}
    result: [{format: d, cut: nearest_even}]
)"},
      // Chance in every place where something is rounded.
      {"dot_by_chance", R"(
name: by_chance
k: 4
operands: {a: f16, b: f16, c: f32, d: f32, scales: {s: {of: a, format: e5m2, block: 2, at: operand}}}
specials: step
factors: {a: {round: {format: e4m3, cut: stochastic_a, random_bits: 4, overflow: largest, infinity: nan}}}
product: {round: {at: leading_one, keep: 6, cut: stochastic_b, random_bits: 3}}
k_order: {step: {terms: 2}}
adders:
  - name: sum
    add: {product: {keep: 30, cut: toward_zero}, acc: {keep: 30, cut: toward_zero}}
    shape: serial
    result:
      - {at: window, keep: 26, cut: stochastic_c, random_bits: 2}
      - {format: d, cut: stochastic_b, random_bits: 8, subnormals: zero, tiny: after}
)"},
      // e4m3 with every word: saturating, with signed NaNs of what is infinite, decided through the results of a step.
      {"dot_saturating", R"(
name: saturating
k: 4
operands: {a: f16, b: f16, c: f32, d: e4m3}
specials: step
nan: signed
k_order: {step: {terms: 2}}
adders:
  - name: sum
    add: {product: {keep: 20, cut: toward_zero}, acc: exact}
    result:
      - {format: e5m2, cut: nearest_even, overflow: directed, infinity: nan}
      - {format: d, cut: stochastic_a, random_bits: 6, overflow: largest, infinity: largest}
)"},
      {"dot_directed", R"(
name: directed
k: 2
operands: {a: f16, b: f16, c: f16, d: f16}
specials: operation
nan: propagate
adders:
  - name: sum
    add: {acc: exact, product: exact}
    shape: serial
    zero: ieee
    result: [{format: d, cut: down, overflow: directed, nan: keep, infinity: nan}]
)"},
      // Floats without a sign, ignored bits among them.
      {"dot_unsigned", R"(
name: unsigned
k: 2
operands: {a: f16, b: ue4m3, c: ue4m3, d: ue4m3}
specials: operation
nan: "7f"
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result:
      - {format: d, cut: nearest_even, overflow: nan, infinity: largest, nan: largest, negative: nan}
)"},
      // Every list's rule of ties, and to_odd.
      {"dot_ties", R"(
name: ties
formats: {low: {values: ["0", "1", "2", "4", "-1", "-2", "-4", nan], ties: down}}
k: 2
operands: {a: i4, b: low, c: low, d: low}
specials: step
product: {round: {format: low, cut: to_odd, overflow: nan}}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result: [{format: d, cut: nearest_away, overflow: largest}]
)"},
      // Passes over slices with lower exponents, zeros that count, lost groups whose zeros have a sign, scales of
      // groups,
      // several cuts of an addend, an erratum, and a top exponent that is one number.
      {"dot_passes", R"(
name: passes
k: 4
operands: {a: f16, b: f16, c: f32, d: f32, scale: {format: ue4m3, block: 2}}
subnormals: {a: zero, b: zero, c: zero}
specials: numbers
slices:
  pairs:
    - {a: {from: 0, bits: 7}, b: {from: 0, bits: 5}}
    - {a: {from: 7, bits: 4}, b: {from: 0, bits: 5}}
    - {a: {from: 0, bits: 7}, b: {from: 5}}
  exponent: slice
  run: passes
product: {empty: -30}
adders:
  - name: groups
    add: {product: {keep: 3, cut: nearest_away}}
    group: {terms: 2}
    window: {lost_at: -2}
    times: scales
    zero: ieee
    errata: {minus_one: 16}
    result: [{at: window, keep: 12, cut: down}]
  - name: sum
    add:
      groups: {keep: 23, cut: nearest_up, again: [{keep: 18, cut: to_odd}, {keep: 20, cut: up}, {keep: 17, cut: nearest_up}]}
      acc: {keep: 23, cut: nearest_away}
    result: [{format: d, cut: nearest_away, subnormals: zero, tiny: after, overflow: top}]
)"},
      // All products of an element in one sum, each by its scales, rounded by itself; what is cut stands beside what is
      // exact; the sign of a sum of zeros is lost at last.
      {"dot_pieces", R"(
name: pieces
k: 4
operands: {a: f16, b: e5m2, c: f16, d: f16, scale: {format: e5m2, block: 2}}
specials: step
nan: propagate
factors: {a: {round: {at: leading_one, keep: 7, cut: nearest_up}}}
slices:
  pairs:
    - {a: {from: 0, bits: 3}, b: {from: 0, bits: 1}}
    - {a: {from: 3}, b: {from: 1}}
  exponent: operand
  run: together
product: {round: {at: leading_one, keep: 6, cut: nearest_up}, times: scales}
k_order: {step: {terms: 2}}
adders:
  - name: sum
    add: {product: {keep: 4, cut: nearest_up, again: [{keep: 2, cut: nearest_even}]}, acc: exact}
    window: {floor: -60, lost_at: -9}
    zero: ieee
    errata: {minus_one: 3}
    result: [{format: d, cut: nearest_up, minus_zero: never}]
)"},
      // Signs and magnitudes, in a step for each pair of slices.
      {"dot_magnitudes", R"(
name: magnitudes
formats: {sm10: {integer: 10, magnitude: true, fraction: 3}, sm6: {integer: 6, magnitude: true}}
k: 4
operands: {a: sm8, b: sm6, c: sm10, d: sm10}
specials: step
slices:
  pairs:
    - {a: {from: 0, bits: 3}, b: {from: 0, bits: 2}}
    - {a: {from: 3}, b: {from: 2, bits: 2}}
    - {a: {from: 1}, b: {from: 4}}
  exponent: slice
  run: step
product: {exponent: normalised, empty: -30}
k_order: {step: {terms: 2}}
adders:
  - name: products
    add: {product: {keep: 9, cut: down, again: [{keep: 6, cut: nearest_up}]}}
  - name: sum
    add: {products: exact, acc: exact}
    result: [{format: d, cut: nearest_up, overflow: largest}]
)"},
      // Posits and numbers without a sign to the nearest, of two to the greater.
      {"dot_nearest_up", R"(
name: nearest_up
k: 2
operands: {a: posit8_2, b: hif8, c: ufp16, d: ufp16}
specials: step
product: {round: {format: posit8_2, cut: nearest_up, overflow: largest, infinity: nan}}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    shape: serial
    result: [{format: hif8, cut: nearest_up}, {format: d, cut: nearest_up, negative: directed}]
)"},
      // Integers whose last bit weighs more than 1.
      {"dot_large_units", R"(
name: large_units
formats: {tens: {integer: 8, fraction: -3}, far: {integer: 12, fraction: -6, signed: false}, fives: {integer: 10, fraction: -2}}
k: 4
operands: {a: tens, b: e4m3, c: fives, d: far}
specials: operation
nan: "800"
product: {round: {format: fives, cut: nearest_even, overflow: largest, infinity: largest, nan: zero}}
adders:
  - name: sum
    add: {product: exact, acc: {keep: 18, cut: down}}
    result:
      - {format: fives, cut: stochastic_c, random_bits: 5, overflow: wrap, infinity: largest, nan: positive}
      - {format: d, cut: nearest_away, overflow: largest, infinity: largest, nan: zero}
)"},
      // Slices of zeros that count, with infinities and zeros among the factors.
      {"dot_zeros_in_slices", R"(
name: zeros_in_slices
k: 4
operands: {a: bf16, b: e5m2, c: f32, d: f32}
specials: operation
nan: propagate
factors: {a: {empty: -20}, b: {round: {format: e5m2, cut: toward_zero}, empty: -9}}
slices:
  pairs:
    - {a: {from: 0, bits: 4}, b: {from: 0, bits: 2}}
    - {a: {from: 4}, b: {from: 0}}
  exponent: slice
product: {empty: -40}
k_order: {step: {terms: 2}}
adders:
  - name: sum
    add: {product: {keep: 12, cut: toward_zero}, acc: exact}
    result: [{format: d, cut: nearest_even}]
)"},
      // Rows by Booth's rule with a constant, groups of digits, digits of a negative product turned; NaNs that pass by.
      {"dot_rows", R"(
name: rows
k: 4
operands: {a: f16, b: bf16, c: f32, d: f32}
specials: operation
nan: propagate
product: {rows: {of: b, digits: booth4, sign: digits, extension: constant, width: 15, first: 2}}
k_order: {step: {terms: 2}}
adders:
  - name: sum
    add: {product: {keep: 12, cut: toward_zero, lost_below: 30}, acc: {keep: 20, cut: down}}
    sticky: or
    result: [{format: d, cut: nearest_even}]
)"},
      // Rows with signs, one after the other, of digits of a; zeros count. Then rows of bits, of what is rounded
      // before.
      {"dot_rows_with_signs", R"(
name: rows_with_signs
k: 3
operands: {a: f16, b: e5m2, c: f32, d: f32}
specials: step
factors: {a: {empty: -20}, b: {empty: -11}}
product: {empty: -40, rows: {of: a, digits: booth4, compress: chain, first: 4}}
adders:
  - name: each
    add: {product: {keep: 7, cut: down}}
    group: {terms: 3}
    result: [{at: leading_one, keep: 6, cut: nearest_even}]
  - name: sum
    add: {each: {keep: 12, cut: nearest_up}, acc: {keep: 12, cut: toward_zero}}
    result: [{format: d, cut: nearest_even}]
)"},
      {"dot_rows_of_bits", R"(
name: rows_of_bits
k: 4
operands: {a: e4m3, b: f16, c: f32, d: f32}
specials: step
factors: {b: {round: {format: e5m2, cut: nearest_even}}}
flags: {of: all, tiny: before}
product: {rows: {of: b, digits: bits}}
adders:
  - name: sum
    add: {product: {keep: 2, cut: nearest_away}, acc: exact}
    result: [{format: d, cut: nearest_even}]
)"},
      // Exponents are taken apart, of powers of two and not, scaled and rounded before; zeros count, and windows are
      // stepped, too. Then the rows of significands that are shifted.
      {"dot_stepped_factors", R"(
name: stepped_factors
k: 4
operands: {a: f16, b: bf16, c: f32, d: f32, scales: {of_b: {of: b, format: e4m3, block: 2}}}
specials: operation
factors: {a: {step: 8, from: -15, empty: -13}, b: {round: {format: e5m2, cut: nearest_even}, step: 3, from: 2, empty: 0}}
k_order: {step: {terms: 2}}
adders:
  - name: sum
    add: {product: {keep: 14, cut: down}, acc: {keep: 20, cut: toward_zero}}
    window: {step: 4}
    sticky: or
    result: [{format: d, cut: nearest_even}]
)"},
      {"dot_stepped_rows", R"(
name: stepped_rows
k: 3
operands: {a: f16, b: e4m3, c: f32, d: f32}
specials: step
factors: {a: {step: 4, from: -15}, b: {step: 2}}
product: {rows: {of: a, digits: booth4, sign: digits, extension: constant, first: 3}}
adders:
  - name: sum
    add: {product: {keep: 20, cut: toward_zero}, acc: {keep: 12, cut: toward_zero}}
    result: [{format: d, cut: nearest_even}]
)"},
      // Which NaN was made is told by its code, though no code of d has a payload.
      {"dot_made_nans", R"(
name: made_nans
k: 2
operands: {a: e5m2, b: e4m3, c: f32, d: e4m3}
specials: operation
nan: {default: ff, take: [acc, "b[0]", "a[0]"]}
k_order: {step: {terms: 1}}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result: [{format: d, cut: nearest_even, infinity: nan, overflow: nan}]
)"},
      // A NaN of a format that has no payloads is not one that was made.
      {"dot_ordered_lists", R"(
name: ordered_lists
k: 2
operands: {a: posit8_2, b: e4m3, c: hif8, d: f32}
specials: operation
nan: {default: ffc12345, take: ["a[0]", "b[0]", acc], signalling: first}
k_order: {step: {terms: 1}}
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result: [{format: d, cut: nearest_even}]
)"},
      // Infinities pass a register that wraps as they are.
      {"dot_through_register", R"(
name: through_register
k: 4
operands: {a: e5m2, b: e4m3, c: f32, d: f32}
specials: step
product: {round: {at: window, keep: 2, cut: nearest_away, bits: 3, overflow: wrap}}
adders:
  - name: sum
    add: {product: exact, acc: {keep: 24, cut: down}}
    result: [{format: d, cut: down}]
)"},
      {"dot_large_scales", R"(
name: large_scales
formats: {tens: {integer: 6, fraction: -3, signed: false}, fives: {integer: 10, fraction: -2}}
k: 4
operands: {a: e4m3, b: fives, c: f32, d: f32, scale: {format: tens, block: 2}}
specials: operation
product: {times: scales}
adders:
  - name: sum
    add: {product: {keep: 20, cut: down}, acc: {keep: 20, cut: down}}
    result: [{format: d, cut: nearest_even}]
)"},
  };
  return list;
}

Plan plan_of_text(const std::string& text) { return plan_of(read_datapath_text(text, "test", shipped_catalogue())); }

}  // namespace assay
