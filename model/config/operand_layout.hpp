// Where the elements of an instruction's operands live in named registers, as a family of configs/arch says it:
//
//   layout: {a: "Vn: k0 k1 m0", b: "Vm: k0 k1 n0", d: "VSR: m0 m1 | ~n0 ~n1"}
//
// The words are the bits of an element's coordinates, the least significant first: those before the bar say in which of
// several registers it stands, the others in which slot of it, from bit 0 on. `~` is the opposite bit: ~n0 ~n1 is slot
// 3 - n. c lies as d does.
#pragma once

#include <string>

#include "model/config/yaml.hpp"

namespace assay {

struct OperandLayout {
  std::string home;  // what the registers are called
  std::string which, slot;
};

struct OperandLayouts {
  OperandLayout a, b, d;
};

// Sizes of the matrices, each a power of two.
struct LayoutSize {
  int m = 1, n = 1, k = 1;
};

OperandLayouts read_layouts(const YamlValue& value, const LayoutSize& size);

}  // namespace assay
