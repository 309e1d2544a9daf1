/* The C interface, from C. Every check that fails is printed; the exit status says whether one did. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

#include "tb/capi/assay.h"

static int checks = 0;
static int failures = 0;

static void check(int holds, const char* what) {
  ++checks;
  if (holds) return;
  ++failures;
  printf("failed: %s\n", what);
}

/* A refused call: its status, and words of its message. */
static void refused(assay_status found, assay_status status, const assay_message* message, const char* words) {
  check(found == status, words);
  check(strstr(message->text, words) != NULL, words);
  if (strstr(message->text, words) == NULL) printf("  the message was: %s\n", message->text);
}

static const char* const wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";

static assay_in in(const void* data, size_t bytes) {
  const assay_in buffer = {data, bytes};
  return buffer;
}

static assay_out out(void* data, size_t bytes) {
  const assay_out buffer = {data, bytes};
  return buffer;
}

static void test_catalogue(const assay_catalogue* catalogue) {
  const size_t size = assay_catalogue_size(catalogue);
  check(size == 1196, "the catalogue has 1196 instructions");
  int found = 0;
  for (size_t i = 0; i < size; ++i) found += strcmp(assay_catalogue_name(catalogue, i), wgmma) == 0;
  check(found == 1, "one of them is the wgmma");
  check(assay_catalogue_name(catalogue, size) == NULL, "no name beyond the end");
  check(strcmp(assay_version(), ASSAY_VERSION) == 0, "the version that was built");
}

static void test_what_a_unit_is(const assay_unit* unit) {
  check(assay_unit_k(unit) == 16, "k is 16");
  check(assay_unit_scales(unit) == 0, "no scales");
  check(strcmp(assay_unit_format(unit, ASSAY_A), "f16") == 0, "a is f16");
  check(strcmp(assay_unit_format(unit, ASSAY_D), "f32") == 0, "d is f32");
  check(assay_unit_bits(unit, ASSAY_B) == 16 && assay_unit_bytes(unit, ASSAY_B) == 2, "b has 16 bits in 2 bytes");
  check(assay_unit_bits(unit, ASSAY_C) == 32 && assay_unit_bytes(unit, ASSAY_C) == 4, "c has 32 bits in 4 bytes");
  check(assay_unit_format(unit, ASSAY_SCALE) == NULL && assay_unit_bytes(unit, ASSAY_SCALE) == 0, "no scale format");
  check(assay_unit_format(unit, (assay_operand)77) == NULL, "no such operand");
  check(strlen(assay_unit_sha256(unit)) == 64, "a SHA-256");
}

/* Two dot products: the fact that tells generations apart, and 2 x 3 + 1. */
static void test_dot(const assay_unit* unit) {
  const uint16_t a[32] = {0x3c00, [16] = 0x4000}, b[32] = {0x3c00, [16] = 0x4200};
  uint32_t c[2] = {0xbf7fffff, 0x3f800000};
  const assay_operands operands = {in(a, sizeof a), in(b, sizeof b), in(c, sizeof c), {0}, {0}, NULL};
  uint32_t d[2] = {0};
  assay_message message = {"left over"};
  check(assay_dot(unit, 2, &operands, out(d, sizeof d), &message) == ASSAY_OK, "two dot products");
  check(d[0] == 0x33800000 && d[1] == 0x40e00000, "their results");
  check(message.text[0] == '\0', "no message");
  check(assay_dot(unit, 2, &operands, out(c, sizeof c), NULL) == ASSAY_OK && c[1] == 0x40e00000, "d in place of c");
  const assay_operands none = {{0}, {0}, {0}, {0}, {0}, NULL};
  check(assay_dot(unit, 0, &none, out(NULL, 0), NULL) == ASSAY_OK, "no dot product at all");
}

static void test_wrong_dots(const assay_unit* unit) {
  const uint16_t a[16] = {0};
  const uint32_t c = 0;
  uint32_t d = 7;
  const assay_operands good = {in(a, 32), in(a, 32), in(&c, 4), {0}, {0}, NULL};
  const assay_out to = out(&d, 4);
  assay_message m;
  refused(assay_dot(NULL, 1, &good, to, &m), ASSAY_BAD_ARGUMENT, &m, "unit is NULL");
  refused(assay_dot(unit, 1, NULL, to, &m), ASSAY_BAD_ARGUMENT, &m, "operands is NULL");
  refused(assay_dot(unit, 2, &good, to, &m), ASSAY_BAD_ARGUMENT, &m, "d has 4 bytes; this call needs 8.");
  refused(assay_dot(unit, 1, &good, out(NULL, 4), &m), ASSAY_BAD_ARGUMENT, &m, "d is NULL");
  refused(assay_dot(unit, SIZE_MAX, &good, to, &m), ASSAY_BAD_ARGUMENT, &m, "which no memory holds");
  assay_operands wrong = good;
  wrong.a = in(a, 30);
  refused(assay_dot(unit, 1, &wrong, to, &m), ASSAY_BAD_ARGUMENT, &m, "a has 30 bytes; this call needs 32.");
  wrong.a = in(NULL, 32);
  refused(assay_dot(unit, 1, &wrong, to, &m), ASSAY_BAD_ARGUMENT, &m, "a is NULL");
  wrong = good;
  wrong.scale_a = in(a, 1);
  refused(assay_dot(unit, 1, &wrong, to, &m), ASSAY_BAD_ARGUMENT, &m, "This unit has no scales; leave scale_a empty.");
  check(assay_dot(unit, 1, &wrong, to, NULL) == ASSAY_BAD_ARGUMENT, "nobody has to take the message");
  check(d == 7, "nothing was written");
}

/* Against dot products, one at a time along K. */
static void test_matmul(const assay_unit* unit) {
  enum { m = 3, n = 2, k = 32 };
  uint16_t a[m * k], b[k * n];
  uint32_t c[m * n], d[m * n];
  for (int i = 0; i < m * k; ++i) a[i] = (uint16_t)(0x3000 + 97 * i);
  for (int i = 0; i < k * n; ++i) b[i] = (uint16_t)(0xb000 + 131 * i);
  for (int i = 0; i < m * n; ++i) c[i] = 0x3f800000u + 12345u * (unsigned)i;
  const assay_operands all = {in(a, sizeof a), in(b, sizeof b), in(c, sizeof c), {0}, {0}, NULL};
  check(assay_matmul(unit, m, n, k, &all, out(d, sizeof d), NULL) == ASSAY_OK, "a matrix product");
  int same = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      uint32_t acc = c[i * n + j];
      for (int from = 0; from < k; from += 16) {
        uint16_t column[16];
        for (int t = 0; t < 16; ++t) column[t] = b[(from + t) * n + j];
        const assay_operands one = {in(a + i * k + from, 32), in(column, 32), in(&acc, 4), {0}, {0}, NULL};
        check(assay_dot(unit, 1, &one, out(&acc, 4), NULL) == ASSAY_OK, "a step along K");
      }
      same += acc == d[i * n + j];
    }
  }
  check(same == m * n, "the matrix product is its dot products");

  assay_message message;
  refused(assay_matmul(unit, m, n, 24, &all, out(d, sizeof d), &message), ASSAY_BAD_ARGUMENT, &message,
          "k is 24, which is no multiple of the instruction's 16.");
  refused(assay_matmul(unit, 0, n, k, &all, out(d, 0), &message), ASSAY_BAD_ARGUMENT, &message, "m is 0");
  refused(assay_matmul(unit, m, n, k, &all, out(d, 8), &message), ASSAY_BAD_ARGUMENT, &message, "d has 8 bytes");
  refused(assay_matmul(NULL, m, n, k, &all, out(d, sizeof d), &message), ASSAY_BAD_ARGUMENT, &message, "unit is NULL");
}

/* One element of D: its scales go along K block by block, row by row for A and column by column for B. */
static void test_scaled_matmul(const assay_unit* unit) {
  const uint8_t a[128] = {[0] = 2, [96] = 2}, b[256] = {[0] = 4, [192] = 4}; /* 1 and 2 at terms 0 and 96 */
  const uint8_t scale_a[4] = {0x7f, 0, 0, 0x80},
                scale_b[8] = {0x80, 0, 0, 0, 0, 0, 0x80, 0}; /* 1 or 2 where it counts */
  const uint32_t c[2] = {0x3f800000, 0x40000000};
  uint32_t d[2] = {0};
  const assay_operands all = {in(a, 128), in(b, 256), in(c, 8), in(scale_a, 4), in(scale_b, 8), NULL};
  check(assay_matmul(unit, 1, 2, 128, &all, out(d, 8), NULL) == ASSAY_OK, "a scaled matrix product");
  check(d[0] == 0x41500000, "1 + 1 x 2 x 1 x 2 + 1 x 2 x 2 x 2 is 13");
  check(d[1] == 0x40000000, "the other column has nothing but c");
}

static void test_eight_bytes(const assay_catalogue* catalogue) {
  assay_unit* unit = NULL;
  check(assay_unit_open(catalogue, "ampere:mma.m8n8k4.f64.f64.f64.f64", &unit, NULL) == ASSAY_OK, "a unit of f64");
  check(assay_unit_bytes(unit, ASSAY_D) == 8, "which take 8 bytes");
  const double a[4] = {1.5, 0, 0, 2}, c = 0.25;
  double d = 0;
  const assay_operands operands = {in(a, sizeof a), in(a, sizeof a), in(&c, 8), {0}, {0}, NULL};
  check(assay_dot(unit, 1, &operands, out(&d, 8), NULL) == ASSAY_OK && d == 6.5, "1.5 x 1.5 + 2 x 2 + 0.25 is 6.5");
  assay_unit_close(unit);
}

/* Scales and elements of four bits. */
static void test_other_operands(const assay_catalogue* catalogue) {
  assay_unit* unit = NULL;
  assay_message message;
  check(assay_unit_open(catalogue, "rtx_blackwell:mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0", &unit, &message) ==
            ASSAY_OK,
        "a unit with scales");
  if (unit == NULL) {
    printf("  %s\n", message.text);
    return;
  }
  uint8_t a[64] = {2}, b[64] = {4};
  const uint8_t scales[2] = {0x80, 0x7f};
  const uint32_t c = 0;
  uint32_t d = 0;
  assay_operands operands = {in(a, 64), in(b, 64), in(&c, 4), in(scales, 2), in(scales, 2), NULL};
  check(assay_unit_scales(unit) == 2 && assay_unit_bytes(unit, ASSAY_SCALE) == 1, "two scales of a byte");
  check(assay_unit_bits(unit, ASSAY_A) == 4 && assay_unit_bytes(unit, ASSAY_A) == 1, "four bits in a byte");
  check(assay_dot(unit, 1, &operands, out(&d, 4), NULL) == ASSAY_OK, "a scaled dot product");
  check(d == 0x41000000, "1 x 2, both times 2, is 8");
  a[3] = 0x12;
  refused(assay_dot(unit, 1, &operands, out(&d, 4), &message), ASSAY_BAD_BITS, &message,
          "a[3] has bits above the 4 of e2m1.");
  a[3] = 0;
  operands.scale_b = in(scales, 1);
  refused(assay_dot(unit, 1, &operands, out(&d, 4), &message), ASSAY_BAD_ARGUMENT, &message, "scale_b has 1 bytes");
  test_scaled_matmul(unit);
  assay_unit_close(unit);
}

static void test_own_datapaths(const assay_catalogue* catalogue, const char* folder) {
  static const char* const text = "name: mine\nlike: fused_f23\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\n";
  assay_unit* unit = NULL;
  assay_message message;
  check(assay_unit_open_text(catalogue, text, &unit, &message) == ASSAY_OK && assay_unit_k(unit) == 2, "from a text");
  const uint16_t a[2] = {0x3c00, 0};
  const uint32_t c = 0xbf7fffff;
  uint32_t d = 0;
  const assay_operands operands = {in(a, 4), in(a, 4), in(&c, 4), {0}, {0}, NULL};
  check(assay_dot(unit, 1, &operands, out(&d, 4), NULL) == ASSAY_OK && d == 0x34000000, "which keeps 23 bits");
  assay_unit_close(unit);

  char path[1024];
  snprintf(path, sizeof path, "%s/mine.yaml", folder);
  FILE* file = fopen(path, "w");
  check(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "a file can be written");
  check(assay_unit_open_file(catalogue, path, &unit, &message) == ASSAY_OK && assay_unit_k(unit) == 2, "from a file");
  assay_unit_close(unit);
  remove(path);
  refused(assay_unit_open_file(catalogue, path, &unit, &message), ASSAY_BAD_CONFIGURATION, &message, "mine.yaml");
  check(unit == NULL, "no unit where there is no file");
  refused(assay_unit_open_text(catalogue, "name: mine\nlike: nothing\n", &unit, &message), ASSAY_BAD_CONFIGURATION,
          &message, "There is no datapath 'nothing'");
  check(strlen(message.text) == sizeof message.text - 1 || strlen(message.text) < sizeof message.text, "it ends");
  refused(assay_unit_open_text(catalogue, "name: [", &unit, &message), ASSAY_BAD_CONFIGURATION, &message,
          "This is not YAML");
}

static void test_wrong_opens(const assay_catalogue* catalogue) {
  assay_catalogue* other = (assay_catalogue*)&checks;
  assay_unit* unit = (assay_unit*)&checks;
  assay_message m;
  refused(assay_catalogue_open("/nowhere", &other, &m), ASSAY_BAD_CONFIGURATION, &m, "/nowhere");
  check(other == NULL, "no catalogue");
  refused(assay_catalogue_open(NULL, NULL, &m), ASSAY_BAD_ARGUMENT, &m, "catalogue is NULL");
  refused(assay_unit_open(catalogue, "hopper:wgmma", &unit, &m), ASSAY_BAD_CONFIGURATION, &m,
          "There is no instruction 'wgmma'");
  check(unit == NULL, "no unit");
  refused(assay_unit_open(catalogue, "wgmma", &unit, &m), ASSAY_BAD_CONFIGURATION, &m,
          "There is no instruction 'wgmma' in any of the");
  refused(assay_unit_open(NULL, wgmma, &unit, &m), ASSAY_BAD_ARGUMENT, &m, "catalogue is NULL");
  refused(assay_unit_open(catalogue, NULL, &unit, &m), ASSAY_BAD_ARGUMENT, &m, "is NULL");
  refused(assay_unit_open(catalogue, wgmma, NULL, &m), ASSAY_BAD_ARGUMENT, &m, "unit is NULL");
  check(assay_unit_k(NULL) == 0 && assay_unit_scales(NULL) == 0 && assay_unit_bits(NULL, ASSAY_A) == 0, "no unit: 0");
  check(assay_unit_format(NULL, ASSAY_A) == NULL && assay_unit_sha256(NULL) == NULL, "no unit: NULL");
  check(assay_catalogue_size(NULL) == 0 && assay_catalogue_name(NULL, 0) == NULL, "no catalogue: nothing");
  assay_unit_close(NULL);
  assay_catalogue_close(NULL);
}

/* A message longer than its room is cut, and says so. */
static void test_long_message(const assay_catalogue* catalogue) {
  char name[3000];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  assay_unit* unit = NULL;
  assay_message m;
  check(assay_unit_open_file(catalogue, name, &unit, &m) == ASSAY_BAD_CONFIGURATION, "no such file");
  check(strlen(m.text) == sizeof m.text - 1 && strcmp(m.text + sizeof m.text - 4, "...") == 0, "a cut message");
}

enum { thread_count = 4, products = 500 };

typedef struct Share {
  const assay_catalogue* catalogue;
  const assay_unit* unit;
  uint32_t first;
  uint32_t d[products];
  int refusals;
} Share;

static void compute(const assay_unit* unit, uint32_t first, uint32_t* d) {
  for (uint32_t i = 0; i < products; ++i) {
    const uint16_t a[16] = {(uint16_t)(0x3000 + first + i), 0x3c00, (uint16_t)(0xb000 + 3 * i)};
    const uint32_t c = 0x3f800000u + 4097u * i;
    const assay_operands operands = {in(a, 32), in(a, 32), in(&c, 4), {0}, {0}, NULL};
    if (assay_dot(unit, 1, &operands, out(&d[i], 4), NULL) != ASSAY_OK) d[i] = 0xdeadbeef;
  }
}

/* Each thread computes on the one unit, opens others from the one catalogue, and is refused in its own words. */
static int work(void* argument) {
  Share* share = argument;
  compute(share->unit, share->first, share->d);
  for (int i = 0; i < 20; ++i) {
    char name[64], words[64];
    snprintf(name, sizeof name, "hopper:none%u_%d", share->first, i);
    snprintf(words, sizeof words, "'none%u_%d'", share->first, i);
    assay_unit* unit = NULL;
    assay_message message;
    assay_unit_open(share->catalogue, name, &unit, &message);
    share->refusals += strstr(message.text, words) != NULL;
  }
  assay_unit* own = NULL;
  const int opened = assay_unit_open(share->catalogue, wgmma, &own, NULL) == ASSAY_OK;
  assay_unit_close(own);
  return opened;
}

static void test_threads(const assay_catalogue* catalogue, const assay_unit* unit) {
  static Share shares[thread_count];
  static uint32_t expected[products];
  thrd_t threads[thread_count];
  for (uint32_t t = 0; t < thread_count; ++t) {
    shares[t].catalogue = catalogue;
    shares[t].unit = unit;
    shares[t].first = 100 * t;
    check(thrd_create(&threads[t], work, &shares[t]) == thrd_success, "a thread starts");
  }
  for (uint32_t t = 0; t < thread_count; ++t) {
    int opened = 0;
    thrd_join(threads[t], &opened);
    check(opened, "a thread opens a unit of its own");
    check(shares[t].refusals == 20, "each refusal names what its own thread asked for");
    compute(unit, shares[t].first, expected);
    check(memcmp(expected, shares[t].d, sizeof expected) == 0, "threads compute what one alone computes");
  }
}

int main(int argc, char** argv) {
  if (argc != 2) {
    printf("usage: capi_test FOLDER, one that may be written to\n");
    return 2;
  }
  assay_catalogue* catalogue = NULL;
  assay_unit* unit = NULL;
  assay_message message;
  if (assay_catalogue_open(NULL, &catalogue, &message) != ASSAY_OK ||
      assay_unit_open(catalogue, wgmma, &unit, &message) != ASSAY_OK) {
    printf("failed: %s\n", message.text);
    return 1;
  }
  test_catalogue(catalogue);
  test_what_a_unit_is(unit);
  test_dot(unit);
  test_wrong_dots(unit);
  test_matmul(unit);
  test_other_operands(catalogue);
  test_eight_bytes(catalogue);
  test_own_datapaths(catalogue, argv[1]);
  test_wrong_opens(catalogue);
  test_long_message(catalogue);
  test_threads(catalogue, unit);
  assay_unit_close(unit);
  assay_catalogue_close(catalogue);
  printf("%d checks, %d failed.\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
