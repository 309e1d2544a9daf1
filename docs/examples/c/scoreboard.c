/* A unit that is a function in C, held to the model: it adds products of signed bytes onto 32 bits, and does not wrap
 * round where the sum is too large. Ends with 1, and says where it is wrong. */
#include <assay.h>
#include <stdio.h>

static int saturates(void* user, size_t count, const assay_operands* operands, assay_out d, assay_message* message) {
  const assay_unit* unit = user;
  const size_t k = (size_t)assay_unit_k(unit);
  const int8_t *a = operands->a.data, *b = operands->b.data;
  const int32_t* c = operands->c.data;
  for (size_t i = 0; i < count; ++i) {
    int64_t sum = c[i];
    for (size_t t = 0; t < k; ++t) sum += a[i * k + t] * b[i * k + t];
    if (sum > INT32_MAX) sum = INT32_MAX;
    if (sum < INT32_MIN) sum = INT32_MIN;
    ((int32_t*)d.data)[i] = (int32_t)sum;
  }
  (void)message; /* for a sentence, where this ends with anything but 0 */
  return 0;
}

int main(void) {
  assay_catalogue* catalogue = NULL;
  assay_unit* unit = NULL;
  assay_text* report = NULL;
  assay_message message;
  if (assay_catalogue_open(CATALOGUE, &catalogue, &message) != ASSAY_OK ||
      assay_unit_open(catalogue, "cdna1:v_mfma_i32_16x16x16i8", &unit, &message) != ASSAY_OK) {
    fprintf(stderr, "%s\n", message.text);
    return 2;
  }
  const assay_device mine = {"my unit", saturates, NULL, unit};
  const assay_status status =
      assay_compare(unit, NULL, &mine, "{\"cases\": 20000, \"max_failures\": 1}", &report, &message);
  if (status != ASSAY_OK) printf("%s\n", message.text);
  if (report != NULL) printf("%s", assay_text_data(report)); /* JSON */
  assay_text_free(report);
  assay_unit_close(unit);
  assay_catalogue_close(catalogue);
  return status == ASSAY_OK ? 0 : status == ASSAY_MISMATCH ? 1 : 2;
}
