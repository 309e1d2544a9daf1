// Verdicts as JUnit XML, for what shows the tests of a continuous integration: one test a comparison.
#pragma once

#include <string>
#include <vector>

namespace assay {

enum class JunitOutcome {
  passed,
  failed,  // held against the reference, and found different
  error,   // not held against it: nothing compared, or a file that cannot be read
};

struct JunitCase {
  std::string name;
  std::string group;  // "classname"
  double seconds = 0;
  JunitOutcome outcome = JunitOutcome::passed;
  std::string message;  // in one line
  std::string text;     // the whole report
};

// A whole document. Bytes that XML cannot hold are shown as \x00.
std::string junit_text(const std::string& suite, const std::vector<JunitCase>& cases);

}  // namespace assay
