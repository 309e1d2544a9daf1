// How our programs end: what becomes of errors, of signals, and of what standard output did not take.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "model/base/error.hpp"

namespace assay {

// Exit status of every command.
enum Status : int {
  passed = 0,
  mismatch = 1,
  wrong_use = 2,
  nothing_compared = 3,
  cannot_here = 4,
  reader_gone = 141,  // as a shell counts a program that a broken pipe ended: `assay run FILE | head`
};

// The one place where an ending becomes a number.
Status exit_status(Ending ending);

// For main, before anything else: a signal that ends the program takes along what it would leave behind, and a file
// that may not grow further is an error of whoever writes it, as a full disk is.
void prepare_ending();

// Runs `work`, writes out all of `out`, and returns the exit status. Whatever is thrown becomes a sentence on `err`,
// and nothing leaves this function: it is the last resort behind the errors that are understood where they arise.
// `doing` says what went on: "assay compare".
int ended(const std::string& program, const std::string& doing, std::ostream& out, std::ostream& err,
          const std::function<int()>& work);

}  // namespace assay
