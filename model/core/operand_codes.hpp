// The numbers that codes of an operand stand for, as core has them.
#pragma once

#include <functional>
#include <optional>

#include "model/core/plan.hpp"

namespace assay {

struct OperandCodes {
  Format format;
  Subnormals subnormals = Subnormals::keep;
  std::optional<ResultPlan> round = std::nullopt;  // of the factor that a code becomes before it is multiplied
  Nans nans = Nans::keep;

  // `used`: without the bits that the format ignores.
  Number operator()(Code used) const;
};

// Every code that is used, from 0 on, and its number.
void of_each_code(const OperandCodes& codes, const std::function<void(Code, const Number&)>& f);

// Whether they say the same of every code, as their words show.
bool are_read_alike(const OperandCodes& x, const OperandCodes& y);

// What an operand's words say of NaN, or what they come to: a code that is read as a number is none.
Nans nans_of(const Plan& plan, const Format& format, Nans words);

OperandCodes codes_of_a(const Plan& plan);
OperandCodes codes_of_b(const Plan& plan);

// Whether a factor has no word, or none but a rounding that is the same each time: then its codes are all that it is.
bool at_most_rounds(const FactorPlan& factor);

// Whether every a and every b goes into its products as the number it is: no factor has a word that changes a value,
// only one that may change its nominal exponent, as rounding to a wider format does. Every code is tried; of a rounded
// format that has too many nothing is known.
bool keeps_values(const Plan& plan);

// Of such a plan: whether no number has a greater nominal exponent than its code has.
bool raises_no_exponent(const Plan& plan);

// Whether each code stands for the same number, with the same exponent, in both; of formats of more than 16 bits that
// is not tried.
bool are_alike(const OperandCodes& x, const OperandCodes& y);

}  // namespace assay
