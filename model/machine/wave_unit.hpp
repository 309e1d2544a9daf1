// A matrix instruction as the lanes of a wave see it: from the contents of their registers to those of others.
//
// Where elements stand is the table of model/layout, what they are multiplied to is the Plan: the numbers of core.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fast/kernel.hpp"
#include "model/layout/modifiers.hpp"
#include "model/machine/product.hpp"

namespace assay::machine {

struct WaveInstruction {
  std::string name;
  Plan plan;
  layout::NamedShape shape;
  layout::Fragments fragments;
  layout::LegalModifiers modifiers = {};
  int cycles = 0;  // that it keeps its unit busy; 0: no table says it
};

// Registers of 32 bits of every lane: those of lane l begin at first + l x stride. Nothing where first is null.
template <class Word>
struct LaneRegisters {
  Word* first = nullptr;
  int stride = 0;

  Word* of(int lane) const { return first + static_cast<std::ptrdiff_t>(lane) * stride; }
};
using Registers32 = LaneRegisters<const std::uint32_t>;
using RegistersOut32 = LaneRegisters<std::uint32_t>;

// C that is nothing is zeros. D may be C, but overlap nothing else.
struct WaveOperands {
  Registers32 a, b, c, scale_a, scale_b;
  RegistersOut32 d;
};

class WaveUnit {
 public:
  // Of registers alone: `why_no_wave` has nothing against it.
  explicit WaveUnit(WaveInstruction instruction);
  WaveUnit(const WaveUnit&) = delete;
  WaveUnit& operator=(const WaveUnit&) = delete;

  const WaveInstruction& instruction() const { return instruction_; }
  bool has_scales() const { return instruction_.fragments.scale_a.has_value(); }

  // Modifiers that are legal. `listener` hears of every product; it may be empty.
  void execute(const WaveOperands& operands, const layout::Modifiers& modifiers,
               const ProductListener& listener = {}) const;

 private:
  // An operand's elements, block by block, each block row by row: of B and its scales column by column.
  using Places = std::vector<layout::Location>;

  std::vector<Code> codes_of_a(const Registers32& from, const layout::Feeds& feeds) const;
  std::vector<Code> codes_of_b(const Registers32& from, const layout::Feeds& feeds) const;
  std::vector<Code> codes_of_c(const Registers32& from, const layout::Feeds& feeds) const;

  const WaveInstruction instruction_;
  const Kernel kernel_;
  Places a_, b_, c_, d_, scale_a_, scale_b_;
};

// A sentence where an instruction does not work on registers alone; empty where it does.
std::string why_no_wave(const WaveInstruction& instruction);

}  // namespace assay::machine
