/* The same dot product from C. */
#include <assay.h>
#include <stdio.h>

int main(void) {
  assay_catalogue* catalogue = NULL;
  assay_unit* unit = NULL;
  assay_message message;
  const uint16_t a[16] = {0x3c00}, b[16] = {0x3c00};
  const uint32_t c = 0xbf7fffff;
  uint32_t d = 0;
  const assay_operands operands = {{a, sizeof a}, {b, sizeof b}, {&c, sizeof c}, {0}, {0}, NULL};
  const assay_out result = {&d, sizeof d};

  if (assay_catalogue_open(CATALOGUE, &catalogue, &message) != ASSAY_OK ||
      assay_unit_open(catalogue, "hopper:wgmma.m64nNk16.f32.f16.f16", &unit, &message) != ASSAY_OK ||
      assay_dot(unit, 1, &operands, result, &message) != ASSAY_OK) {
    fprintf(stderr, "%s\n", message.text);
    return 2;
  }
  printf("%d terms of %s onto %s: d = %08x\n", assay_unit_k(unit), assay_unit_format(unit, ASSAY_A),
         assay_unit_format(unit, ASSAY_D), (unsigned)d);
  assay_unit_close(unit);
  assay_catalogue_close(catalogue);
  return d == 0x33800000 ? 0 : 1;
}
