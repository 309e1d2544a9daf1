// The model of a Plan as gates: what `export --to cpp` writes, run on bits that are literals.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/devices/device.hpp"
#include "tb/prove/word.hpp"

namespace assay {

// One list of codes that a case brings, as literals: codes[i] holds the bits of element i, lowest first.
struct OperandGates {
  std::string name;  // a, b, c, scale_a, random ..
  std::vector<std::vector<Lit>> codes;
};

// In the order in which a case has them.
std::vector<OperandGates> make_operands(const Plan& plan, Gates& gates);

// What the model goes on with, and the same made of the bits of a place: equal bit for bit, if the place shows all.
struct ReadOn {
  // `counts` the other way round: whether a number counts, and the model's own gate for it. A number's `exponent` a
  // place shows where it counts, its `magnitude` and its `sign` of all but NaN.
  enum class Kind { all, counts, exponent, magnitude, sign };

  std::vector<Lit> word, made;
  Kind kind = Kind::all;
  std::vector<Lit> exact = {};  // what is read in every case: itself where the place does not show it; empty: `made`
  std::vector<Lit> shown = {};  // what a function of places has for it, whatever these are; empty: `made`
  bool is_aid = true;           // else for functions of places alone
};

struct ModelGates {
  std::vector<std::vector<Lit>> places;      // by the plan's order; bits as a Trace has them, lowest first
  std::vector<std::vector<ReadOn>> read_on;  // of each place
  std::vector<Lit> empty;                    // of each sum, that no item of it counts; where the text says so
  // Of each sum that looks for its items' largest exponent: the largest so far, after each item.
  std::vector<std::vector<GateWord>> largest;
};

// Of a place that holds a number.
struct PlaceWords {
  GateWord significand, exponent;
  Lit counts = lit_false;  // finite and not zero
};
PlaceWords place_words(const Place& place, const std::vector<Lit>& bits, Gates& gates);
// As the sum of this window reads it: a product that is too large to stay finite does not count, nor does an acc whose
// subnormals are read as zero; c has the exponent that d's format gives it.
PlaceWords item_words(const Plan& plan, int window, int place, const std::vector<Lit>& bits, Gates& gates);

// A sentence that says why there are none; empty where there are.
std::string why_no_gates(const Plan& plan);
ModelGates make_model(const Plan& plan, const std::vector<OperandGates>& operands, Gates& gates);
// The same of a text that was written of the plan.
std::string model_text(const Plan& plan);
ModelGates make_model(const Plan& plan, const std::string& text, const std::vector<OperandGates>& operands,
                      Gates& gates);

// The first place at which the gates are not core's in one of these cases, 64 at most, which are simulated; empty where
// they are everywhere.
std::string place_not_core(const Plan& plan, const ModelGates& model, const GateSimulation& simulation,
                           const std::vector<Case>& cases);

// The codes of a case in the order of the operands' bits: what the inputs of the gates are in it.
std::vector<bool> bits_of_case(const Plan& plan, const Case& one);
Case case_of_bits(const Plan& plan, const std::vector<bool>& bits);

}  // namespace assay
