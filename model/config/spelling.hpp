// The many spellings of an instruction's name.
#pragma once

#include <string>

namespace assay {

// No instruction's name is longer, in any spelling.
constexpr std::size_t longest_name = 200;

// PTX qualifiers that do not change the arithmetic are dropped; block scales are written as blockN; AMD's two spellings
// (v_mfma_f32_32x32x4f16, v_mfma_f32_32x32x4_2b_f16) become the first. A name beyond `longest_name` stays as it is.
std::string canonical_spelling(const std::string& name);

}  // namespace assay
