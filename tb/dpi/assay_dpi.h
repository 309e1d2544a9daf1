/* What assay_dpi_pkg.sv imports, which says what each function does. Types are those of DPI-C, spelled here so that the
 * library needs no simulator's header. A string that is returned lives until the next call with the same unit. */
#ifndef ASSAY_DPI_H
#define ASSAY_DPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* svLogicVecVal of svdpi.h, IEEE 1800 annex H: 32 bits of a packed vector, the lowest first.
 *   bval 0: the bit is aval    bval 1: it is unknown, z or x */
typedef struct assay_dpi_word {
  uint32_t aval;
  uint32_t bval;
} assay_dpi_word;

enum { ASSAY_DPI_VECTOR_WORDS = 128, ASSAY_DPI_ELEMENT_WORDS = 2 };

void* assay_dpi_open(const char* unit, int k, int a_bits, int b_bits, int c_bits, int d_bits);
void assay_dpi_close(void* unit);
int assay_dpi_scales(void* unit, const assay_dpi_word* scale_a, const assay_dpi_word* scale_b);
int assay_dpi_operand(void* unit, const char* name, const assay_dpi_word* codes);
int assay_dpi_compute(void* unit, const assay_dpi_word* a, const assay_dpi_word* b, const assay_dpi_word* c,
                      assay_dpi_word* d);
int assay_dpi_expect(void* unit, const assay_dpi_word* a, const assay_dpi_word* b, const assay_dpi_word* c);
int assay_dpi_check(void* unit, const assay_dpi_word* d);
long long assay_dpi_finish(void* unit);
long long assay_dpi_checked(const void* unit);
long long assay_dpi_errors(const void* unit);
const char* assay_dpi_error_text(const void* unit);
const char* assay_dpi_summary(void* unit);

#ifdef __cplusplus
}
#endif

#endif
