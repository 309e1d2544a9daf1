#include "tb/score/exhaust.hpp"

namespace assay {
namespace {

int scale_bits(const Plan& plan) { return plan.scale ? plan.scale->stored_bits : 0; }

Code taken(std::uint64_t& bits, int width) {
  const Code code = bits & ((std::uint64_t{1} << width) - 1);
  bits >>= width;
  return code;
}

std::vector<Code> taken(std::uint64_t& bits, int width, int count) {
  std::vector<Code> codes;
  for (int i = 0; i < count; ++i) codes.push_back(taken(bits, width));
  return codes;
}

}  // namespace

int input_bits(const Plan& plan) {
  return plan.k * (plan.a.stored_bits + plan.b.stored_bits) + plan.c.stored_bits + 2 * plan.scales * scale_bits(plan);
}

Case numbered_input(const Plan& plan, std::uint64_t number) {
  Case made;
  made.number = number;
  made.a = taken(number, plan.a.stored_bits, plan.k);
  made.b = taken(number, plan.b.stored_bits, plan.k);
  made.c = taken(number, plan.c.stored_bits);
  made.scale_a = taken(number, scale_bits(plan), plan.scales);
  made.scale_b = taken(number, scale_bits(plan), plan.scales);
  return made;
}

}  // namespace assay
