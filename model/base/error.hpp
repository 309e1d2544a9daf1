// What goes wrong, as its user sees it. Every error of ours that leaves a function is this one type.
#pragma once

#include <string>

namespace assay {

// How a piece of work ends. Which exit status that is, only programs know (sim/program/ending.hpp).
enum class Ending {
  passed,
  mismatch,          // what was compared differs
  wrong_use,         // what was asked for makes no sense, or a file cannot be read or written
  nothing_compared,  // no case was left to compare
  not_here,          // this build or this machine cannot
  reader_gone,       // nobody reads standard output any more: no fault, and nothing to say of it
};

struct Error {
  std::string message;  // a whole sentence: what is wrong, where, and what would be right
  Ending ending = Ending::wrong_use;
};

}  // namespace assay
