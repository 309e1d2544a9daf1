/* The model for C, and for any language that can call C: a catalogue, units opened from it, dot products and matrix
 * products on raw bits; and the bench around it, which explains, generates, compares and checks. docs/embedding.md
 * shows both at work.
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
  ASSAY_FAILED = 4,            /* out of memory, or a fault of this library */
  ASSAY_MISMATCH = 5,          /* what was compared differs, or a device failed; the report says where */
  ASSAY_NOTHING_COMPARED = 6,  /* no case was left to compare; the report says why */
  ASSAY_NOT_HERE = 7           /* the device needs what this build or this machine has not */
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

/* --- The bench: what the commands explain, generate, compare and check do. Since 0.2. ---
 *
 * Options are the text of a JSON object, {"seed": 7, "cases": 20000}; docs/embedding.md says what each means. NULL and
 * what is left out are the command's defaults.
 *
 * A report is what the command writes with --json. Where opening a file or a device has something to say, the report
 * has it as a list of lines in its member "notes". It comes with ASSAY_OK, ASSAY_MISMATCH and ASSAY_NOTHING_COMPARED;
 * with any other status it is NULL. The message of the latter two says in a sentence why it did not pass. */

/* A text that this library made; it is the caller's to free, and says the same until then. */
typedef struct assay_text assay_text;
const char* assay_text_data(const assay_text* text); /* ends with NUL */
size_t assay_text_size(const assay_text* text);      /* in bytes, without the NUL */
void assay_text_free(assay_text* text);              /* NULL is allowed */

/* The member "json_version" of every report. docs/embedding.md says what a number promises. */
int assay_json_version(void);

/* A device: by name, as a command line has it, or the caller's own. */
typedef struct assay_device {
  /* "systemc", "rtl:unit.yaml"; where `run` is not NULL, what reports call the device. */
  const char* name;
  /* NULL, or a function that computes `count` dot products, 1 or more. Operands are laid out as assay_dot takes them,
   * and d as it gives them; every bit of d is 1 before. It returns 0; anything else says that it failed, and then the
   * text of `message`, empty before, may say why. It is called by the thread that called this library, one call at a
   * time. A C++ exception that it throws is caught and told. */
  int (*run)(void* user, size_t count, const assay_operands* operands, assay_out d, assay_message* message);
  /* NULL, or a function that brings the device back to where it was before its first case. Only a device whose results
   * depend on earlier cases needs one: with it, the report says on which. */
  void (*restart)(void* user);
  void* user; /* handed to both functions */
} assay_device;

/* Explains one dot product, stage by stage, as `assay explain` does: by the model where `device` is NULL, else with the
 * places where `device` and `reference` (NULL: the model) part. ASSAY_MISMATCH: their d differ. It has no options. */
assay_status assay_explain(const assay_unit* unit, const assay_operands* operands, const assay_device* reference,
                           const assay_device* device, const char* options, assay_text** report,
                           assay_message* message);

/* Generated cases as the text of a vector file, JSON lines, as `assay generate` writes it.
 * Options: seed, family, level, cases, first (the number of the first case), with_results. */
assay_status assay_generate(const assay_unit* unit, const char* options, assay_text** cases, assay_message* message);

typedef struct assay_arrays {
  assay_out a, b, c;
  assay_out scale_a, scale_b; /* left {0} where the unit has no scales */
} assay_arrays;

/* The operands of `count` generated cases from number `first` on, laid out as assay_dot takes them. Case N is the same
 * in whichever call it comes. Nothing is written unless ASSAY_OK is returned. Options: seed, family. */
assay_status assay_generate_into(const assay_unit* unit, uint64_t first, size_t count, const char* options,
                                 const assay_arrays* into, assay_message* message);

/* Holds a device to a reference (NULL: the model) over generated cases, as `assay compare` does.
 * Options: seed, family, level, cases, first, nan, max_failures, waivers. */
assay_status assay_compare(const assay_unit* unit, const assay_device* reference, const assay_device* device,
                           const char* options, assay_text** report, assay_message* message);

/* Holds the recorded d of a vector file to a device (NULL: the model), as `assay check` does: the report is the file's
 * in the list "files" there.
 * Options: case, element ([row, column]), nan, max_failures, waivers. */
assay_status assay_check(const assay_catalogue* catalogue, const char* path, const assay_device* device,
                         const char* options, assay_text** report, assay_message* message);

/* Holds results that the caller has to the model: `count` dot products as assay_dot has them, with the d that a unit
 * gave. The report is one of assay_compare.
 * Options: name (of what gave d), nan, max_failures, waivers. */
assay_status assay_check_dots(const assay_unit* unit, size_t count, const assay_operands* operands, assay_in d,
                              const char* options, assay_text** report, assay_message* message);

/* What holds of the unit for all operands, bounds and properties, as `assay guarantee` says it.
 * Options: k, promote_every, split_k (of bounds), cases, seed (of what no argument settles). */
assay_status assay_guarantee(const assay_unit* unit, const char* options, assay_text** report, assay_message* message);

#ifdef __cplusplus
}
#endif

#endif
