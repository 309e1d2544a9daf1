// The model of a Plan as one file of C99 that is C++ as well: a function for each stage under the stage's own name, one
// for the whole dot product, and every place as an output for whoever asks.
#pragma once

#include <optional>
#include <string>

#include "tb/source/c_whole.hpp"

namespace assay {

// What the file says of itself.
struct SourceFacts {
  std::string name;    // of what it declares: the namespace in C++, and the function of the whole dot product
  std::string unit;    // "hopper:wgmma..", "datapath narrow"
  std::string tool;    // "assay 0.2.0"
  std::string digest;  // of the datapath
  std::optional<WholeInstruction> whole = {};  // a function of it, too; of C and C++
};

std::string model_as_c(const Plan& plan, const SourceFacts& facts);

// The same as C++ over integers of the user's own, ASSAY_BITS(N): for ac_int, ap_uint, sc_biguint.
std::string model_as_cpp(const Plan& plan, const SourceFacts& facts);

// A sentence that says what of the plan no language is written for; nothing where it is.
std::optional<std::string> why_no_source(const Plan& plan);

// How the places of a plan are reached in its struct of them: "decode.a[3]", "step[0].sum.align[5]". Of a `reduce` with
// a sticky bit, that is `sticky` beside it.
std::string c_place(const std::string& name, const Plan& plan);

// 64-bit words of an addend or a sum: 1, 2, or more of an exact one.
int c_register_words(const Plan& plan, const AdderPlan& adder);
int c_magnitude_words(const Plan& plan);

}  // namespace assay
