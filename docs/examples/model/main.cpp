// One dot product on the model: 1 x 1 - (1 - 2^-24), which units of different widths answer differently.
#include <cstdio>

#include "model/config/catalogue.hpp"
#include "model/core/dot.hpp"

int main() try {
  const assay::Catalogue catalogue(CATALOGUE);
  const assay::Plan plan = catalogue.plan_of(catalogue.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));

  std::vector<assay::Code> a(static_cast<std::size_t>(plan.k)), b(a);  // bits of f16, all zero
  a[0] = b[0] = 0x3c00;                                                // 1.0
  assay::Operand operand;
  operand.a = a.data();
  operand.b = b.data();
  operand.c = 0xbf7fffff;

  assay::Registers registers;  // one a thread
  const assay::Code d = assay::dot(plan, operand, registers);
  std::printf("%d terms of %s onto %s: d = %08llx\n", plan.k, plan.a.name.c_str(), plan.d.name.c_str(),
              static_cast<unsigned long long>(d));
  return d == 0x33800000 ? 0 : 1;
} catch (const assay::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 2;
}
