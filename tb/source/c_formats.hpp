// The stages decode and encode as C.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tb/source/c_words.hpp"

namespace assay {

// What of a NaN travels: nothing, or also its payload and whether it was a signalling one.
bool keeps_payloads(const Plan& plan);

struct ReadAs {
  Subnormals subnormals = Subnormals::keep;
  Nans nans = Nans::keep;
};

// decode_NAME, from a code to a number. `known`: the bodies of those that stand before it, each with its name; one that
// is alike asks that one.
std::string c_decode(const Plan& plan, const CWords& words, const std::string& name, const Format& format,
                     const ReadAs& as, std::vector<std::array<std::string, 2>>& known);
std::string c_encode(const Plan& plan, const CWords& words);

// The fields of a code and where they stand, as comments.
std::string format_drawing(const Format& f);

// The type of a code.
std::string c_code_type(const Format& format);

// Lists of values are looked up in tables of so many bits at most.
inline constexpr int most_table_bits = 10;

}  // namespace assay
