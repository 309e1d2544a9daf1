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
  std::vector<std::string> more;  // NAME=CODE,CODE,.. each
  std::string c;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> number;
  std::vector<int> element;
  std::string family;  // of cases under the seed; empty: all take turns
  std::string file;

  void add(Command command);
  OpenCase open(const Catalogue& catalogue, const SubjectOptions& subject) const;

 private:
  void check_used(bool by_operands, const SubjectOptions& subject) const;  // throws Error
};

// --element ROW,COLUMN of a whole-matrix case.
void add_element_option(Command command, std::vector<int>& element);

}  // namespace assay
