// Runs a command of `assay` in this process.
#pragma once

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "sim/cli/command.hpp"

namespace assay {

struct Ran {
  int status = 0;
  std::string out, err;
};

inline Ran run(const std::vector<std::string>& args) {
  std::ostringstream out, err;
  Ran ran;
  ran.status = run_assay(args, {out, err});
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

inline std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

inline const std::string wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";

}  // namespace assay
