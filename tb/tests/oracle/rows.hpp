// What the oracle's tests share: rows of the committed table, operands with the unlisted terms zero, codes of values.
#pragma once

#include <cstring>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tb/oracle/datum.hpp"
#include "tb/oracle/oracle.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::exact {

inline const std::vector<Instruction>& table() {
  static const std::vector<Instruction> rows = read_instructions(source_dir() + "/tb/oracle/instructions.csv");
  return rows;
}

inline const Instruction& row(const std::string& architecture, const std::string& name) {
  const Instruction* found = find_instruction(table(), architecture, name);
  if (found == nullptr) throw std::runtime_error("The table has no row '" + architecture + " " + name + "'.");
  return *found;
}

// The same in modes, too.
inline Instruction row_called(const std::string& architecture, const std::string& name) {
  const std::optional<Instruction> found = instruction_called(table(), architecture, name);
  return found ? *found : row(architecture, name);
}

using Codes = std::vector<Code>;

inline OracleOperands padded(const Instruction& instruction, Codes a, Codes b, Code c) {
  a.resize(static_cast<std::size_t>(instruction.k));
  b.resize(static_cast<std::size_t>(instruction.k));
  return {a, b, c, {}, {}};
}

inline OracleResult oracle(const Instruction& instruction, const Codes& a, const Codes& b, Code c,
                           Revision revision = Revision::second) {
  return oracle(instruction, padded(instruction, a, b, c), revision);
}

inline Code f32(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline Code f64(double value) {
  Code bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float as_float(Code bits) {
  const auto narrow = static_cast<std::uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &narrow, sizeof value);
  return value;
}

inline double as_double(Code bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Pseudo-random bits from a number alone (splitmix64), so that any one case can be had again.
inline Code random_bits(Code number) {
  Code x = (number + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

inline bool operator==(const OracleResult& x, const OracleResult& y) {
  return x.is_nan == y.is_nan && x.bits == y.bits;
}

inline std::ostream& operator<<(std::ostream& out, const OracleResult& x) {
  return out << (x.is_nan ? "NaN " : "") << std::hex << x.bits << std::dec;
}

inline OracleResult number(Code bits) { return {false, bits}; }
inline OracleResult any_nan() { return {true, 0}; }
inline OracleResult canonical_nan(Code bits) { return {true, bits}; }

}  // namespace assay::exact
