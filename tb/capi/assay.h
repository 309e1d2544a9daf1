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
  ASSAY_NOT_HERE = 7,          /* the device needs what this build or this machine has not */
  ASSAY_STOPPED = 8            /* whoever watches the call wanted its end; since 0.2 */
} assay_status;

typedef struct assay_message {
  char text[1024]; /* ends with NUL; a longer text ends with "..." */
} assay_message;

typedef struct assay_catalogue assay_catalogue; /* every instruction known */
typedef struct assay_unit assay_unit;           /* one instruction, or a datapath of one's own */

/* "0.2.0" */
const char* assay_version(void);

/* Opens the catalogue in folder `home`, which holds configs/. NULL: $ASSAY_HOME, else share/assay above this library,
 * else above the program. */
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

/* What a case of this unit takes beside a, b, c and the pairs of scales, in this order: scales of one side, zero
 * points, random words. `index` is below their number. Names are valid until the unit is closed; NULL and 0 beyond.
 * Since 0.2. */
size_t assay_unit_more(const assay_unit* unit);                         /* how many such operands there are */
const char* assay_unit_more_name(const assay_unit* unit, size_t index); /* "zero_b" */
size_t assay_unit_more_codes(const assay_unit* unit, size_t index);     /* that one dot product takes of it */
size_t assay_unit_more_bytes(const assay_unit* unit, size_t index);     /* that one code takes */
/* To what of a product it belongs: 'a', a row of A; 'b', a column of B; 'd', an element of D; '\0' beyond. */
char assay_unit_more_owner(const assay_unit* unit, size_t index);

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
  const assay_in* more;      /* assay_unit_more of them; NULL where there are none */
} assay_operands;

/* `count` dot products, d = c + a . b, one after the other:
 *   a, b                count x k elements
 *   c, d                count elements
 *   scale_a, scale_b    count x scales elements
 *   more[i]             count x assay_unit_more_codes(unit, i) elements
 * d may be the same memory as c. Nothing is written unless ASSAY_OK is returned. */
assay_status assay_dot(const assay_unit* unit, size_t count, const assay_operands* operands, assay_out d,
                       assay_message* message);

/* D = A x B + C, row-major; k is a multiple of assay_unit_k, and where it is more than once that, each instruction's d
 * is the next one's c:
 *   A  m x k    B  k x n    C, D  m x n
 *   scale_a  m x (k / assay_unit_k x scales)    scale_b  (k / assay_unit_k x scales) x n
 *   more[i]  with w = k / assay_unit_k x assay_unit_more_codes(unit, i): m x w where it belongs to a; w x n where it
 *            belongs to b; (m x n) x w of random words, a row for each element of D (assay_unit_more_owner)
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
  const assay_out* more;      /* assay_unit_more of them; NULL where there are none */
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

/* --- Whole arrays, changed units, formats, and calls that are watched. Since 0.2. --- */

/* The unit's datapath as the text of a file, with operands and k, and without `like`. */
assay_status assay_unit_text(const assay_unit* unit, assay_text** yaml, assay_message* message);
/* The unit with some keys of its datapath changed, one after the other: `settings` is a mapping in YAML or JSON, such
 * as
 * {"adders.sum.add.product.keep": 20}. "F" stands for the `keep` of every input of every adder that has one. */
assay_status assay_unit_with(const assay_unit* unit, const char* settings, assay_unit** changed,
                             assay_message* message);
/* What runs the unit's dot products, as `assay bench` names it: "32-bit lanes", "core". Valid until the unit is closed.
 */
const char* assay_unit_path(const assay_unit* unit);

/* A matrix as it lies in memory: element (i, j) begins at `data` + (i x row + j x column) elements. Strides may be
 * negative, or 0 where elements repeat; it is the caller's to see that all of it is there. */
typedef struct assay_matrix {
  void* data; /* only d's is written to */
  ptrdiff_t row, column;
} assay_matrix;

/* D = A x B + C as assay_matmul has it, in place: nothing is copied. */
typedef struct assay_product {
  size_t m, n, k;
  assay_matrix a, b, c, d;
  assay_matrix scale_a, scale_b; /* left {0} where the unit has no scales */
  const assay_matrix* more;      /* assay_unit_more of them; NULL where there are none */
} assay_product;

/* `threads` is 1 to 256. D may be C, and overlaps nothing else. Where memory runs out, a part of D may be written. */
assay_status assay_gemm(const assay_unit* unit, const assay_product* product, int threads, assay_message* message);

/* A format of the catalogue's, by our name or by that of ml_dtypes; or of a unit's operand, or of one of
 * assay_unit_more. */
typedef struct assay_format assay_format;
assay_status assay_format_open(const assay_catalogue* catalogue, const char* name, assay_format** format,
                               assay_message* message);
assay_status assay_format_of(const assay_unit* unit, assay_operand operand, assay_format** format,
                             assay_message* message);
assay_status assay_format_of_more(const assay_unit* unit, size_t index, assay_format** format, assay_message* message);
void assay_format_close(assay_format* format); /* NULL is allowed */
/* A list of names in JSON, and what there is to know of one as an object in JSON. */
assay_status assay_catalogue_formats(const assay_catalogue* catalogue, assay_text** names, assay_message* message);
assay_status assay_format_facts(const assay_format* format, assay_text** facts, assay_message* message);

/* `count` codes as doubles, exactly. */
assay_status assay_format_decode(const assay_format* format, size_t count, assay_in codes, double* values,
                                 assay_message* message);
typedef struct assay_encoded {
  uint64_t rounded;    /* values that became another number */
  uint64_t overflowed; /* of these: that lay beyond the format's greatest or least number */
} assay_encoded;
/* `count` doubles as codes: to nearest, ties to even; what is too large becomes an infinity where the format has one,
 * else the greatest number. A NaN is refused where the format has none. `tally` may be NULL. */
assay_status assay_format_encode(const assay_format* format, size_t count, const double* values, assay_out codes,
                                 assay_encoded* tally, assay_message* message);

/* The families of generated cases that take turns for this unit, as a list of names in JSON: case N is of family N mod
 * their number. */
assay_status assay_unit_families(const assay_unit* unit, assay_text** names, assay_message* message);

/* Who watches a long call: it is told now and then how many of `total` cases are done (0: not known how many), by the
 * thread that made the call. Anything but 0 ends the call with ASSAY_STOPPED, without a report. */
typedef struct assay_watch {
  int (*tick)(void* user, uint64_t done, uint64_t total);
  void* user;
} assay_watch;

/* As without "_watched"; `watch` may be NULL. */
assay_status assay_compare_watched(const assay_unit* unit, const assay_device* reference, const assay_device* device,
                                   const char* options, const assay_watch* watch, assay_text** report,
                                   assay_message* message);
assay_status assay_check_watched(const assay_catalogue* catalogue, const char* path, const assay_device* device,
                                 const char* options, const assay_watch* watch, assay_text** report,
                                 assay_message* message);

/* Which mutants of the unit a set of cases kills, and what the set exercises, as `assay score` and `assay coverage` say
 * it of one set. The set is `count` dot products of the caller's, or generated cases where `operands` is NULL.
 * ASSAY_MISMATCH: a mutant is left that a case might kill.
 * Options: seed, family, level, cases, first (of generated cases), nan (of score). */
assay_status assay_score(const assay_unit* unit, size_t count, const assay_operands* operands, const char* options,
                         const assay_watch* watch, assay_text** report, assay_message* message);
assay_status assay_coverage(const assay_unit* unit, size_t count, const assay_operands* operands, const char* options,
                            const assay_watch* watch, assay_text** report, assay_message* message);

/* A unit of which only operands are known: "f16,f16,f32" of a, b and d, or with c before d; a pair of scales as
 * "ue8m0:32" or NULL; and k. It is there to be asked by assay_identify; its results say nothing. */
assay_status assay_unit_unknown(const assay_catalogue* catalogue, const char* formats, const char* scale, int k,
                                assay_unit** unit, assay_message* message);

/* What a device computes, as a datapath, found by asking it: the report of `assay identify`. Of the unit only operands
 * and k count. The watch is told the questions that were answered. ASSAY_NOTHING_COMPARED: several datapaths are left;
 * ASSAY_MISMATCH: none agrees, or the device contradicts itself.
 * Options: questions, confirm, seed, nan, answers (a file of answers, which is gone on with). */
assay_status assay_identify(const assay_unit* unit, const assay_device* device, const char* options,
                            const assay_watch* watch, assay_text** report, assay_message* message);

/* The same from the cases of a vector file. Options: confirm, seed, nan. */
assay_status assay_identify_file(const assay_catalogue* catalogue, const char* path, const char* options,
                                 assay_text** report, assay_message* message);

#ifdef __cplusplus
}
#endif

#endif
