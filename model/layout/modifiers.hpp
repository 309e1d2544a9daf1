// What an instruction may be told about which lanes feed its matrices: one block of A to several, lanes of B to others,
// or signs turned. The manuals call the fields cbsz, abid and blgp; their values are those of the fields.
#pragma once

#include <string>

#include "model/layout/layout.hpp"

namespace assay::layout {

// What blgp means to an instruction.
enum class BlgpUse {
  none,    // 0 alone is taken
  lanes,   // one of the eight patterns of B's lanes
  negate,  // bits 0, 1 and 2 turn the signs of A, B and C
};

struct LegalModifiers {
  int most_cbsz = 0;
  BlgpUse blgp = BlgpUse::none;
};

struct Modifiers {
  int cbsz = 0;  // one block of A feeds 2^cbsz neighbours ...
  int abid = 0;  // ... this one of them
  int blgp = 0;
};

inline bool operator==(const Modifiers& x, const Modifiers& y) {
  return x.cbsz == y.cbsz && x.abid == y.abid && x.blgp == y.blgp;
}

// Empty where an instruction takes them, else a sentence with the values that it takes. `name`: the instruction's.
std::string modifiers_problem(const std::string& name, const LegalModifiers& legal, const Modifiers& modifiers);

// "cbsz 0 to 1, abid 0 to 2^cbsz - 1; blgp 0 to 7, patterns of B's lanes"; empty where it takes none.
std::string legal_text(const LegalModifiers& legal);

// What the modifiers do to each operand, of an instruction that takes them.
struct Feeds {
  LegalModifiers legal;
  Modifiers modifiers;

  int block_of_a(int block) const;  // that feeds this one
  int lane_of_b(int lane) const;    // that feeds this one
  // The register bits that feed an element of A and of B.
  Location a(const Fragment& fragment, Coordinates element) const;
  Location b(const Fragment& fragment, const Coordinates& element) const;
  // Whether the sign of each element of operand 0, 1 or 2 (A, B, C) is turned.
  bool negates(int operand) const { return legal.blgp == BlgpUse::negate && ((modifiers.blgp >> operand) & 1) != 0; }
};

}  // namespace assay::layout
