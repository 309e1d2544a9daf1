/* The model for C, and for any language that can call C: a catalogue, units opened from it, dot products and matrix
 * products on raw bits. docs/embedding.md shows it at work.
 *
 * Handles are opaque and never change after they were opened: any number of threads may use one const handle at the
 * same time. Only the call that closes a handle needs it for itself.
 *
 * No C++ exception leaves these functions. What can fail returns an assay_status and, where `message` is not NULL,
 * leaves there a sentence that says what was wrong (empty after ASSAY_OK). The message is the caller's, so no call of
 * another thread can overwrite it.
 *
 * Elements are bits in the machine's byte order, each in the smallest of 1, 2, 4 or 8 bytes that holds it
 * (assay_unit_bytes): f16 as uint16_t, f32 as uint32_t, a format of 4 or 6 bits in the low bits of a byte. */
#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_status {
  ASSAY_OK = 0,
  ASSAY_BAD_ARGUMENT = 1,      /* a null pointer, or a size or shape that does not fit */
  ASSAY_BAD_BITS = 2,          /* an element has bits above its format's width */
  ASSAY_BAD_CONFIGURATION = 3, /* no such instruction, file or key; configs that cannot be read */
  ASSAY_FAILED = 4             /* out of memory, or a fault of this library */
} assay_status;

typedef struct assay_message {
  char text[1024]; /* ends with NUL; a longer text ends with "..." */
} assay_message;

typedef struct assay_catalogue assay_catalogue; /* every instruction known */
typedef struct assay_unit assay_unit;           /* one instruction, or a datapath of one's own */

/* "0.2.0" */
const char* assay_version(void);

/* Opens the catalogue in folder `home`, which holds configs/. NULL: $ASSAY_HOME, else share/assay above the program or
 * this library. */
assay_status assay_catalogue_open(const char* home, assay_catalogue** catalogue, assay_message* message);
void assay_catalogue_close(assay_catalogue* catalogue); /* NULL is allowed; units stay open */

size_t assay_catalogue_size(const assay_catalogue* catalogue);
/* "ARCHITECTURE:INSTRUCTION", valid until the catalogue is closed; NULL from assay_catalogue_size on. */
const char* assay_catalogue_name(const assay_catalogue* catalogue, size_t index);

/* An instruction by any of its spellings, "ARCHITECTURE:INSTRUCTION", or "INSTRUCTION" where only one architecture has
   it. */
assay_status assay_unit_open(const assay_catalogue* catalogue, const char* instruction, assay_unit** unit,
                             assay_message* message);
/* A datapath file, or its text, with `operands` and `k`; it may be `like` one of the catalogue. */
assay_status assay_unit_open_file(const assay_catalogue* catalogue, const char* path, assay_unit** unit,
                                  assay_message* message);
assay_status assay_unit_open_text(const assay_catalogue* catalogue, const char* yaml, assay_unit** unit,
                                  assay_message* message);
void assay_unit_close(assay_unit* unit); /* NULL is allowed */

typedef enum assay_operand { ASSAY_A = 0, ASSAY_B = 1, ASSAY_C = 2, ASSAY_D = 3, ASSAY_SCALE = 4 } assay_operand;

int assay_unit_k(const assay_unit* unit);      /* terms of one dot product */
int assay_unit_scales(const assay_unit* unit); /* scales of one dot product on each side; 0: it has none */
/* "f16"; NULL for ASSAY_SCALE of a unit without scales. Valid until the unit is closed. */
const char* assay_unit_format(const assay_unit* unit, assay_operand operand);
int assay_unit_bits(const assay_unit* unit, assay_operand operand);     /* of one element; 0: has none */
size_t assay_unit_bytes(const assay_unit* unit, assay_operand operand); /* that one element takes; 0: has none */
/* 64 hex digits: which arithmetic this is, as `datapath_sha256` in vector files. Valid until the unit is closed. */
const char* assay_unit_sha256(const assay_unit* unit);

/* Buffers with their sizes in bytes, which must be exactly what the call needs. */
typedef struct assay_in {
  const void* data;
  size_t bytes;
} assay_in;
typedef struct assay_out {
  void* data;
  size_t bytes;
} assay_out;

typedef struct assay_operands {
  assay_in a, b, c;
  assay_in scale_a, scale_b; /* left {0} where the unit has no scales */
} assay_operands;

/* `count` dot products, d = c + a . b, one after the other:
 *   a, b                count x k elements
 *   c, d                count elements
 *   scale_a, scale_b    count x scales elements
 * d may be the same memory as c. Nothing is written unless ASSAY_OK is returned. */
assay_status assay_dot(const assay_unit* unit, size_t count, const assay_operands* operands, assay_out d,
                       assay_message* message);

/* D = A x B + C, row-major; k is a multiple of assay_unit_k, and where it is more than once that, each instruction's d
 * is the next one's c:
 *   A  m x k    B  k x n    C, D  m x n
 *   scale_a  m x (k / assay_unit_k x scales)    scale_b  (k / assay_unit_k x scales) x n
 * D may be the same memory as C. Nothing is written unless ASSAY_OK is returned. */
assay_status assay_matmul(const assay_unit* unit, size_t m, size_t n, size_t k, const assay_operands* operands,
                          assay_out d, assay_message* message);

#ifdef __cplusplus
}
#endif

#endif
