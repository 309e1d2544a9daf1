// What must hold of a unit that is good enough.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/explore/study.hpp"
#include "tb/guarantee/property.hpp"

namespace assay::design {

// Where the answer comes from, the cheapest first.
enum class LimitKind {
  bound,     // |d - exact| over S for all operands, from the circuit
  measure,   // of a study, on its inputs
  equals,    // an instruction of the catalogue, bit for bit on the same inputs
  property,  // of `assay guarantee`
  program,   // a number that a program of the user's prints
};

enum class LimitSide { most, least, within };

struct DesignLimit {
  LimitKind kind = LimitKind::measure;
  std::string name;  // of the measure, the property, the instruction, the program
  std::string file;  // the program, from the spec's folder on
  LimitSide side = LimitSide::most;
  double number = 0;  // of bound, measure and program
  std::string input;  // of a measure; empty: each
  int k = 0;          // of a measure; 0: each
  guarantee::Property property;
  std::string place;  // "spec.yaml:12"

  std::string text() const;  // "normwise on normal at most 1e-06"
  // Of a value that is known to lie in [low, high]: surely within the limit, surely not.
  bool is_met(double low, double high) const;
  bool is_missed(double low, double high) const;
  // How far a value lies outside; 0 where it does not.
  double excess(double value) const;
};

// Throws Error where one is none, or two of one measure contradict each other.
std::vector<DesignLimit> read_limits(const YamlValue& value, const Study& study, const Catalogue& catalogue);

}  // namespace assay::design
