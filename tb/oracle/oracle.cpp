#include "tb/oracle/oracle.hpp"

#include <numeric>
#include <sstream>
#include <stdexcept>

#include "tb/oracle/fused.hpp"
#include "tb/oracle/grouped.hpp"
#include "tb/oracle/pairs.hpp"
#include "tb/oracle/projection.hpp"
#include "tb/oracle/riscv.hpp"
#include "tb/oracle/sequential.hpp"
#include "tb/oracle/tree.hpp"

namespace assay::exact {
namespace {

[[noreturn]] void refuse(const Instruction& instruction, const std::string& sentence) {
  throw std::invalid_argument(title(instruction) + ": " + sentence);
}

void require_code(const Instruction& instruction, const char* operand, const Format& format, Code code) {
  if (format.stored_bits >= 64 || code >> format.stored_bits == 0) return;
  std::ostringstream hex;
  hex << std::hex << code;
  refuse(instruction, std::string("operand ") + operand + " has the code " + hex.str() + "; " + format.name + " has " +
                          std::to_string(format.stored_bits) + " bits.");
}

void require_codes(const Instruction& instruction, const char* operand, const Format& format, int count,
                   const std::vector<Code>& codes) {
  if (codes.size() != static_cast<std::size_t>(count)) {
    refuse(instruction, std::string("operand ") + operand + " has " + std::to_string(codes.size()) +
                            " codes; it must have " + std::to_string(count) + ".");
  }
  for (const Code code : codes) require_code(instruction, operand, format, code);
}

void require_fit(const Instruction& instruction, const OracleOperands& operands) {
  if (const std::string sentence = fault(instruction); !sentence.empty()) refuse(instruction, sentence);
  const Format scale = instruction.scale.value_or(Format{});
  require_codes(instruction, "a", instruction.a, instruction.k, operands.a);
  require_codes(instruction, "b", instruction.b, instruction.k, operands.b);
  require_code(instruction, "c", instruction.c, operands.c);
  require_codes(instruction, "scale_a", scale, instruction.scales(), operands.scale_a);
  require_codes(instruction, "scale_b", scale, instruction.scales(), operands.scale_b);
  if (!instruction.takes_mask()) return;
  if (operands.mask.size() != operands.a.size())
    refuse(instruction, "the mask has " + std::to_string(operands.mask.size()) + " bits; it must have " +
                            std::to_string(instruction.k) + ".");
}

// A product that is off is (+0) x (+0); the code 0 of every format here that is multiplied is +0.
OracleOperands masked(const Instruction& instruction, OracleOperands operands) {
  if (!instruction.takes_mask()) return operands;
  for (std::size_t i = 0; i < operands.mask.size(); ++i) {
    if (operands.mask[i] == 0) operands.a[i] = operands.b[i] = 0;
  }
  return operands;
}

using Change = Datum (*)(const Format& own, const Datum&);

Datum unchanged(const Format&, const Datum& x) { return x; }

// Exact; a subnormal gets the exponent it has as an f16.
Datum widened_to_f16(const Format&, const Datum& x) { return nearest(*find_format("f16"), x); }

// What an operand becomes before anything else sees it.
struct Changes {
  Change ab, c;
};

Changes changes(Algorithm algorithm) {
  const bool flushes_all = algorithm == Algorithm::x86_amx_bf16 || algorithm == Algorithm::x86_avx512_bf16 ||
                           algorithm == Algorithm::sfma_flush;
  if (flushes_all) return {subnormal_as_signed_zero, subnormal_as_signed_zero};
  if (algorithm == Algorithm::gps) return {subnormal_as_plus_zero, subnormal_as_plus_zero};
  if (algorithm == Algorithm::x86_amx_f16) return {unchanged, subnormal_as_signed_zero};
  if (algorithm == Algorithm::emulated_fp8) return {widened_to_f16, unchanged};
  return {unchanged, unchanged};
}

Terms decoded(const Format& format, const std::vector<Code>& codes, Change change) {
  Terms terms;
  terms.reserve(codes.size());
  for (const Code code : codes) terms.push_back(change(format, decode(format, code)));
  return terms;
}

Terms multiplied(const Terms& x, const Terms& y) {
  Terms products;
  products.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) products.push_back(product(x[i], y[i]));
  return products;
}

struct Inputs {
  Terms products;  // without scales
  Terms scales;    // the product of a's and b's, of each block
  Datum c;
};

Inputs inputs(const Instruction& instruction, const OracleOperands& operands) {
  const auto [ab, c] = changes(instruction.algorithm);
  Inputs in;
  in.products = multiplied(decoded(instruction.a, operands.a, ab), decoded(instruction.b, operands.b, ab));
  in.c = c(instruction.c, decode(instruction.c, operands.c));
  if (!instruction.scale) return in;
  in.scales = multiplied(decoded(*instruction.scale, operands.scale_a, unchanged),
                         decoded(*instruction.scale, operands.scale_b, unchanged));
  return in;
}

// The scale of each run of `width` products; `width` divides the block.
Terms scales_of_runs(const Instruction& instruction, const Terms& scales, int width) {
  Terms result;
  for (int first = 0; first < instruction.k; first += width) {
    result.push_back(scales[static_cast<std::size_t>(first / instruction.scale_block)]);
  }
  return result;
}

Terms scaled(const Instruction& instruction, const Inputs& in) {
  return instruction.scale ? multiplied(in.products, scales_of_runs(instruction, in.scales, 1)) : in.products;
}

// One step after the other, each step's d the next one's c.
template <typename Step>
Datum chained(const Instruction& instruction, const Terms& products, Datum d, Step step) {
  for (auto from = products.begin(); from != products.end(); from += instruction.terms_per_step) {
    d = step(Terms(from, from + instruction.terms_per_step), d);
  }
  return d;
}

Datum fda(const Instruction& instruction, const Terms& products, const Datum& c) {
  return chained(instruction, products, c,
                 [&](const Terms& terms, const Datum& d) { return fda_step(instruction, terms, d); });
}

Datum fdrda(const Instruction& instruction, const Inputs& in, Revision revision) {
  return chained(instruction, in.products, in.c,
                 [&](const Terms& terms, const Datum& d) { return fdrda_step(instruction, terms, d, revision); });
}

Datum gfdrda(const Instruction& instruction, const Inputs& in, Revision revision) {
  return chained(instruction, in.products, in.c,
                 [&](const Terms& terms, const Datum& d) { return gfdrda_step(instruction, terms, d, revision); });
}

Datum exactly(const Instruction& instruction, const Inputs& in) {
  return chained(instruction, in.products, in.c,
                 [&](const Terms& terms, const Datum& d) { return exact_step(instruction, terms, d); });
}

Datum total(const Terms& products, const Datum& c) { return std::accumulate(products.begin(), products.end(), c, sum); }

// {0,1,4,5,8,9,...}, then {2,3,6,7,...}; of a sparse A, which has half of each four, {0..3,8..11,...}, then the others.
Terms apart(const Instruction& instruction, const Terms& products) {
  const std::size_t together = instruction.has(Extra::sparse) ? 4 : 2;
  Terms first, second;
  for (std::size_t k = 0; k < products.size(); ++k) ((k / together) % 2 == 0 ? first : second).push_back(products[k]);
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Datum emulated_fp8(const Instruction& instruction, const Inputs& in) {
  const Datum dot = fda(instruction, apart(instruction, in.products), finite({}));
  return nearest(instruction.d, sum(dot, in.c));
}

Datum run(const Instruction& instruction, const Inputs& in, Revision revision) {
  const Format& d = instruction.d;
  switch (instruction.algorithm) {
    case Algorithm::sfma: return fma_chain(d, instruction.modes.direction, in.products, in.c);
    case Algorithm::sfma_flush: return flushing_fma_chain(d, in.products, in.c);
    case Algorithm::fda:
    case Algorithm::cofda:
      return fda(instruction, scaled(instruction, in), nearest(d, in.c));  // a narrower c widens exactly
    case Algorithm::emulated_fp8: return emulated_fp8(instruction, in);
    case Algorithm::gdfs: return gdfs_step(instruction, in.products, scales_of_runs(instruction, in.scales, 16), in.c);
    case Algorithm::fdrda:
    case Algorithm::cofdrda: return fdrda(instruction, in, revision);
    case Algorithm::gfdrda:
    case Algorithm::cogfdrda: return gfdrda(instruction, in, revision);
    case Algorithm::gps: return grouped_pairwise_sum(instruction, in.products, in.c);
    case Algorithm::exact: return exactly(instruction, in);
    case Algorithm::projected: return total(scaled(instruction, in), in.c);
    case Algorithm::x86_amx_bf16:
    case Algorithm::x86_amx_f16: return two_chains(d, in.products, in.c);
    case Algorithm::x86_avx512_bf16: return odd_then_even(d, in.products, in.c);
    case Algorithm::integer:
    case Algorithm::integer_saturating:
    case Algorithm::grouped_nearest:
    case Algorithm::integer_magnitudes:
    case Algorithm::fda_plus_zero:
    case Algorithm::dot_then_add:
    case Algorithm::nvidia_fma:
    case Algorithm::power_fma:
    case Algorithm::power_pair:
    case Algorithm::power_pair_sig24:
    case Algorithm::arm_fma:
    case Algorithm::arm_exact:
    case Algorithm::arm_pair:
    case Algorithm::arm_pair_to_odd:
    case Algorithm::arm_dot:
    case Algorithm::arm_two_pairs:
    case Algorithm::arm_rounded_pair:
    case Algorithm::riscv_fma:
    case Algorithm::riscv_bulk: break;
  }
  throw std::logic_error("This algorithm takes codes and not products; oracle() must call the function that runs it.");
}

mpz_class clamped(const Format& format, const mpz_class& x) {
  const mpz_class beyond = mpz_class(1) << static_cast<unsigned>(format.stored_bits - (format.has_sign ? 1 : 0));
  const mpz_class least = format.has_sign ? mpz_class(-beyond) : mpz_class(0), greatest = beyond - 1;
  return x < least ? least : x > greatest ? greatest : x;
}

Code integer_sum(const Instruction& instruction, const OracleOperands& operands) {
  mpz_class total = 0;
  for (std::size_t i = 0; i < operands.a.size(); ++i) {
    total += decode_integer(instruction.a, operands.a[i]) * decode_integer(instruction.b, operands.b[i]);
  }
  if (instruction.form == Form::minus) total = -total;
  if (instruction.form != Form::alone) total += decode_integer(instruction.c, operands.c);
  if (instruction.algorithm == Algorithm::integer_saturating) total = clamped(instruction.d, total);
  return encode_integer(instruction.d, total);
}

// The algorithms of the units whose NaN is known: every bit but the sign is one.
bool has_canonical_nan(Algorithm algorithm) {
  return algorithm == Algorithm::fda || algorithm == Algorithm::cofda || algorithm == Algorithm::gdfs ||
         algorithm == Algorithm::emulated_fp8 || algorithm == Algorithm::fda_plus_zero ||
         algorithm == Algorithm::dot_then_add || algorithm == Algorithm::sfma_flush;
}

Datum datum(const Instruction& instruction, const OracleOperands& operands, Revision revision) {
  if (instruction.algorithm == Algorithm::fda_plus_zero) return fda_plus_zero(instruction, operands);
  if (instruction.algorithm == Algorithm::dot_then_add) return dot_then_add(instruction, operands);
  return run(instruction, inputs(instruction, operands), revision);
}

OracleResult nan_result(const Instruction& instruction) {
  const Code canonical = (Code{1} << (instruction.d.stored_bits - 1)) - 1;
  return {true, has_canonical_nan(instruction.algorithm) ? canonical : 0};
}

}  // namespace

OracleResult oracle(const Instruction& instruction, const OracleOperands& given, Revision revision) {
  require_fit(instruction, given);
  const OracleOperands operands = masked(instruction, given);
  const Algorithm algorithm = instruction.algorithm;
  if (algorithm == Algorithm::integer || algorithm == Algorithm::integer_saturating)
    return {false, integer_sum(instruction, operands)};
  if (algorithm == Algorithm::grouped_nearest) return {false, grouped_nearest(instruction, operands)};
  if (algorithm == Algorithm::integer_magnitudes) return {false, integer_magnitudes(instruction, operands)};
  if (is_of_pairs(algorithm)) return pairs(instruction, operands);
  if (is_of_riscv(algorithm)) return riscv(instruction, operands);
  const Datum d = datum(instruction, operands, revision);
  if (instruction.algorithm == Algorithm::projected) return projection(instruction.d, d);
  return d.kind == Kind::nan ? nan_result(instruction) : OracleResult{false, encode(instruction.d, d)};
}

bool agrees(const Instruction& instruction, const OracleResult& result, Code d) {
  const bool any_nan = result.is_nan && result.bits == 0;
  return any_nan ? decode(instruction.d, d).kind == Kind::nan : d == result.bits;
}

}  // namespace assay::exact
