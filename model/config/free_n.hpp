// The columns n of an instruction that leaves them open, as its name says with an N.
#pragma once

#include <optional>
#include <string>

#include "model/config/catalogue.hpp"

namespace assay {

struct FreeN {
  int first = 0, last = 0, step = 1;

  bool has(int n) const { return n >= first && n <= last && (n - first) % step == 0; }
  // "a multiple of 8 from 8 to 256"
  std::string text() const;
};

// Nothing where the instruction has one n alone.
std::optional<FreeN> free_n(const Instruction& instruction);

// The n that a name spells out where the instruction's own has N; nothing where it is another name. It need not be one
// that the instruction takes. `spelling` is the name's canonical_spelling.
std::optional<int> spelled_n(const Instruction& instruction, const std::string& spelling);

}  // namespace assay
