// How each family fills a case, and what several of them share.
#pragma once

#include "tb/generate/maker.hpp"

namespace assay::fills {

// fills_exponents.cpp: how far one exponent lies below another
void near_exponents(Maker& m);
void alignment(Maker& m);
void largest(Maker& m);
void cancellation(Maker& m);
void carry(Maker& m);
void rounding(Maker& m);
void ties(Maker& m);

// fills_cut_edges.cpp: edge by edge
void cut_edges(Maker& m);

// fills_double_cuts.cpp: sums that are cut
void cut_twice(Maker& m);
void lost_alone(Maker& m);

// fills_elements.cpp: what is rounded before it is multiplied
void rounded_elements(Maker& m);

// fills_slices.cpp: products of slices
void slices(Maker& m);

// fills_ends.cpp: the least and the greatest
void subnormals(Maker& m);
void floors(Maker& m);
void tiny(Maker& m);
void overflow(Maker& m);

// fills_format_edges.cpp: what the list of a format's values says
void format_edges(Maker& m);

// fills_results.cpp: what a result cannot hold
void result_ends(Maker& m);

// fills_values.cpp: codes by what they are
void raw(Maker& m);
void small_integers(Maker& m);
void specials(Maker& m);
void nan_payloads(Maker& m);
void nan_order(Maker& m);
void scale_extremes(Maker& m);
void operand_extremes(Maker& m);
void scale_blocks(Maker& m);

// fills_integers.cpp: ends of their range, and carries
void integer_edges(Maker& m);
void saturation(Maker& m);
void integer_carries(Maker& m);

// fills_masks.cpp: which products are on
void masks(Maker& m);

// fills_special_rules.cpp: what NaN and infinity decide
void special_rules(Maker& m);

// fills_one_bit.cpp: one bit away from what is told apart
void number_tests(Maker& m);
void nan_tests(Maker& m);
void exponent_tests(Maker& m);

// fills_zeros.cpp: zeros, and numbers that become zero
void signed_zeros(Maker& m);
void vanishing(Maker& m);
void low_windows(Maker& m);
void zero_times_huge(Maker& m);

// fills_chain.cpp: from step to step
void chain_boundaries(Maker& m);

// fills_programs.cpp: what programs compute
void gaussian(Maker& m);
void outliers(Maker& m);
void log_uniform(Maker& m);
void ill_conditioned(Maker& m);

// --- shared ---

int integer_bits(const Format& f);  // of integers that it holds whole, without a sign
Number whole_number(bool negative, std::uint64_t magnitude, int quantum = 0);

Fill draw_fill(Draws& draws);
Code draw_tiny(const Format& f, Draws& draws);  // the least or greatest subnormal, or the least normal number
int draw_shared_exponent(Maker& m);
int most_doublings(const Maker& m);  // the greatest n with room for 2^n terms and one more; -1: there is none

// Every chosen term with draws of its own.
template <class Put>
void each_term(Maker& m, Put put) {
  for (int x = 0; x < m.count(); ++x) {
    Draws draws = m.draws(Part::term, m.index(x));
    put(m.index(x), draws);
  }
}

void put_zero_c(Maker& m);                      // of either sign
void put_near(Maker& m, int base, int spread);  // all terms and c, their exponents about `base`

// Pairs x and -x, of which the last may differ by one unit in a's last place. Returns the index in k of a term that is
// in no pair.
int put_pairs(Maker& m, int exponent, bool one_unit);

// Product `i` of two whole numbers of units, 2^quantum their product's unit.
void put_whole(Maker& m, int i, bool negative, std::uint64_t a, std::uint64_t b, int quantum);

// In units of 2^quantum.
struct Aim {
  i128 units = 0;
  int quantum = 0;
};

// The greatest number of a format, or the least, and quarters of the last place there away from zero: where it is
// rounded to, and from where on it is too large.
Aim end_of(const Format& format, bool negative, int quarters);

// The aim in c and in products by one, as many as it takes and as far as they reach; c comes first, or last.
void hit(Maker& m, Aim aim, bool c_first);

// Where the largest exponent stands.
struct Peak {
  bool in_c;
  int exponent;
};

// A peak with room for terms `distance` below it, in a term or in c: drawn where both have room. The second form asks
// for room for terms `nearest` below it too, where both distances are possible: c may be far above all terms.
Peak draw_peak(Maker& m, int distance);
Peak draw_peak(Maker& m, int distance, bool rather_in_c, int nearest);

// What follows the last kept bit, as terms of one bit each, 2^-below of its unit; `second` is added or taken off.
struct Tail {
  int first;
  int second;
  bool minus;
};

// All tails in turn, each `times` times in a row.
const Tail& counted_tail(Maker& m, int times = 1);
constexpr int tail_kinds = 7;

// How far below the unit the deep bit of a tail stands: just below, or beyond everything that any adder keeps.
int draw_deep(Maker& m, int edge);

// Puts the tail into terms after index(0), as far as there are any; 2^unit is the last kept bit.
void put_tail(Maker& m, const Tail& tail, int unit, int deep_below, bool negative);

}  // namespace assay::fills
