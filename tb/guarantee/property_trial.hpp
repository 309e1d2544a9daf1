// A property, put to one case of a unit: the second operands are made, both results are worked out and held to each
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tb/explain/exact.hpp"
#include "tb/guarantee/property.hpp"

namespace assay::guarantee {

// What the formats and windows of a unit leave room for, as exponents.
struct UnitRoom {
  // `no_overflow`: magnitudes add up to 2^greatest at most, about a quarter of what each format holds.
  int greatest = 0;
  // `no_underflow`: c and all products are multiples of 2^least, which lies above every least exponent and floor.
  int least = 0;
};
UnitRoom unit_room(const Plan& plan);

// Which term is increased, which order is taken, which products are zeroed: what the words of a change leave open.
// `listed` numbers count through all that matter; else any number says one of them.
struct TrialChoice {
  std::uint64_t number = 0;
  bool listed = false;
};

// A case, and what several properties ask of it, worked out once.
class CaseFacts {
 public:
  CaseFacts(const Plan& plan, const Case& one) : plan_(&plan), one_(&one) {}

  const Case& operands() const { return *one_; }
  bool finite();                 // all operands are numbers
  Code d(Registers& registers);  // what the unit makes of it
  const explain::ExactSum& exact();
  const exact::Dyadic& magnitudes();  // |c| and all |a b|, added up; of finite operands
  int lowest_bit();                   // c and all products are multiples of 2^this; INT_MAX where all are zero

 private:
  void sizes();

  const Plan* plan_;
  const Case* one_;
  std::optional<bool> finite_;
  std::optional<Code> d_;
  std::optional<explain::ExactSum> exact_;
  std::optional<exact::Dyadic> magnitudes_;
  int lowest_ = 0;
};

// Both sides of a trial, for people.
struct PropertyPair {
  Case first;
  Code d = 0;
  std::optional<Case> second;    // of SecondSide::changed
  std::optional<Code> second_d;  // none of `exact` where the sum is beyond d's format
  std::vector<Case> parts;       // of SecondSide::halves: what the two units of half the terms take
};

class PropertyTrial {
 public:
  PropertyTrial(const Plan& plan, const Property& property);
  // Refer to one another's parts.
  PropertyTrial(const PropertyTrial&) = delete;
  PropertyTrial& operator=(const PropertyTrial&) = delete;

  const Property& property() const { return property_; }
  const Plan& plan() const { return plan_; }
  // Why the property says nothing of this unit, as a sentence; empty where it does.
  const std::string& idle() const { return idle_; }

  // Nothing: the case does not count.
  std::optional<bool> holds(CaseFacts& facts, TrialChoice choice);
  std::optional<bool> holds(const Case& one, TrialChoice choice);

  // Both sides of a case that counts.
  PropertyPair pair(const Case& one, TrialChoice choice);

  // How many choices stand for all there are; 0: there are too many to list.
  std::uint64_t listed_choices() const;

 private:
  std::string reason_to_be_idle();
  bool counts(CaseFacts& facts) const;
  std::optional<Code> as_d(Code c) const;
  std::optional<bool> compared(CaseFacts& first, TrialChoice choice);
  Code by_halves(const Case& one, std::vector<Case>* parts);

  const Plan& plan_;
  Property property_;
  UnitRoom room_;
  std::optional<Plan> half_;
  std::string idle_;
  Registers registers_;
};

// The plan of half the terms, where the datapath makes sense with as many.
std::optional<Plan> plan_of_half(const Plan& plan);

// The change, done to `one`; false where the operands do not allow it.
bool change(const Plan& plan, const OperandChange& change, TrialChoice choice, Case& one);

}  // namespace assay::guarantee
