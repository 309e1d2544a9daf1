// The columns n of an instruction that leaves them open, as its name says with an N.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/config/catalogue.hpp"

namespace assay {

// A whole number from 1 on, as `shape` has them.
bool is_count(const std::string& text);

struct FreeN {
  struct Range {
    int first = 0, last = 0, step = 1;

    bool has(int n) const { return n >= first && n <= last && (n - first) % step == 0; }
  };
  std::vector<Range> ranges;  // ascending

  int first() const { return ranges.front().first; }
  bool has(int n) const;
  // "a multiple of 8 from 8 to 32, or one of 16 from 48 to 256"
  std::string text() const;
};

// "8:256:8", or several of them with a space between. Nothing where it is no such text.
std::optional<FreeN> free_n_in(const std::string& text);

// Nothing where the instruction has one n alone.
std::optional<FreeN> free_n(const Instruction& instruction);

// The n that a name spells out where the instruction's own has N; nothing where it is another name. It need not be one
// that the instruction takes. `spelling` is the name's canonical_spelling.
std::optional<int> spelled_n(const Instruction& instruction, const std::string& spelling);

// The n that somebody asked for, by --n or by the name that they wrote; nothing where neither says one. Throws Error
// where the two differ.
std::optional<int> chosen_n(const Instruction& instruction, const std::string& name, std::optional<int> asked);

}  // namespace assay
