#include "tb/generate/plain_codes.hpp"

#include "tb/generate/codes.hpp"

namespace assay {

std::vector<Code> plain_codes(const CaseOperand& operand) {
  const Code same = operand.kind == CaseOperandKind::scale ? one_code(operand.format) : 0;
  std::vector<Code> codes(static_cast<std::size_t>(operand.count), same);
  if (operand.kind != CaseOperandKind::mask) return codes;
  for (int i = 0; i < operand.count; ++i) codes[static_cast<std::size_t>(i)] = plain_mask_bit(operand.pattern, i);
  return codes;
}

}  // namespace assay
