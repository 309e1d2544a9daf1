// One case on a command line: given by its operands, by a seed and a number, or as a line of a vector file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/subject.hpp"
#include "tb/devices/device.hpp"

namespace assay {

struct OpenCase {
  Subject subject;
  Case one;
};

struct CaseOptions {
  std::vector<std::string> a, b, scale_a, scale_b;
  std::string c;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> number;
  std::string file;

  void add(CLI::App& command);
  OpenCase open(const Catalogue& catalogue, const SubjectOptions& subject) const;
};

// "--a 3c00,0000 --b ... --c ...": the operands of a case as CaseOptions reads them, zeros at the end left out.
std::string operand_options(const Plan& plan, const Case& one);

}  // namespace assay
