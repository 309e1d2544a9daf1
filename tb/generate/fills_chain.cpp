// What one step leaves to the next.
#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

namespace {

int terms_of_step(const Maker& m) { return m.plan().element_terms(); }
int steps_in_all(const Maker& m) { return m.plan().k / terms_of_step(m); }

// The position of a term of a step, counted on from any term of it.
int in_step(const Maker& m, int step, int x) { return step * terms_of_step(m) + x % terms_of_step(m); }

// A step leaves one term, `distance` below the exponent of a pair that cancels in the next step: what is cut off it
// there is missing in the result. c is what the first step finds.
void residue_before_a_pair(Maker& m, int distance) {
  const Peak peak = draw_peak(m, distance);
  const int steps = steps_in_all(m), terms = terms_of_step(m);
  const int step = m.choice().between(0, steps - 1), first = m.choice().between(0, terms - 1);
  const int x = m.ordered(in_step(m, step, first)), y = m.ordered(in_step(m, step, first + 1));
  if (x != y) {
    m.put_term(x, {m.choice().coin(), peak.exponent, draw_fill(m.choice())});
    m.put_negated(y, x);
  }
  const Wanted rest{m.choice().coin(), peak.exponent - distance, draw_fill(m.choice())};
  if (step == 0 || terms == 1) return m.put_c(rest);
  m.put_term(m.ordered(in_step(m, step - 1, m.choice().between(0, terms - 1))), rest);
  if (terms < 3) return;
  const Wanted more{m.choice().coin(), peak.exponent - distance - m.choice().between(0, 12), draw_fill(m.choice())};
  m.put_term(m.ordered(in_step(m, step - 1, m.choice().between(0, terms - 1))), more);
}

// 2^0 in one step, half of d's last bit in the next one, and one step later a bit that would have decided the tie.
void tie_across_steps(Maker& m) {
  const int mantissa = m.plan().d.mantissa_bits, below = m.choice().between(1, 12);
  const Peak peak = draw_peak(m, mantissa + 1 + below);
  const bool negative = m.choice().coin();
  const int exponents[] = {peak.exponent, peak.exponent - mantissa - 1, peak.exponent - mantissa - 1 - below};
  const int step = m.choice().between(0, steps_in_all(m) - 1);
  for (int j = 0; j < 3; ++j) {
    const int position = in_step(m, step + j, m.choice().between(0, terms_of_step(m) - 1));
    m.put_bit(m.ordered(position), j == 0 ? negative : m.choice().coin(), exponents[j]);
  }
}

// Every step of a size of its own, and about half of them cancel but for one term.
void steps_of_any_size(Maker& m) {
  const Exponents& shared = m.facts().shared;
  const int terms = terms_of_step(m), half = terms / 2;
  for (int step = 0; step < steps_in_all(m); ++step) {
    Draws draws = m.draws(Part::block, step);
    const int exponent = draws.between(shared.least, shared.greatest);
    const bool cancels = draws.coin();
    for (int x = 0; x < terms; ++x) {
      const int i = m.ordered(in_step(m, step, x));
      Draws each = m.draws(Part::term, i);
      m.put_term(i, {each.coin(), exponent + each.between(-2, 2), draw_fill(each)});
      if (cancels && x >= half && half > 0) m.put_negated(i, m.ordered(in_step(m, step, x - half)));
    }
  }
  m.put_c({m.choice().coin(), draw_shared_exponent(m), Fill::any});
}

}  // namespace

void chain_boundaries(Maker& m) {
  const int distances = m.facts().deepest + m.plan().d.mantissa_bits;
  switch (m.counted(4)) {
    case 0:
    case 1: return residue_before_a_pair(m, m.counted(distances, 2));
    case 2: return tie_across_steps(m);
    default: return steps_of_any_size(m);
  }
}

}  // namespace assay::fills
