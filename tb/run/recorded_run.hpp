// A vector file held to a device: what `assay check` does with one file.
#pragma once

#include <memory>
#include <string>

#include "tb/run/comparison.hpp"
#include "tb/run/recorded_cases.hpp"

namespace assay {

class RecordedRun {
 public:
  // Opens the file, named as a command line has it; one that begins with `program` reads this catalogue. Throws Error.
  RecordedRun(const Catalogue& catalogue, const std::string& file, const RecordedChoice& choice = {},
              const std::string& program = "assay");
  RecordedRun(const RecordedRun&) = delete;  // its cases refer to its plan
  RecordedRun& operator=(const RecordedRun&) = delete;

  const Subject& subject() const { return subject_; }
  const CaseSource& cases() const { return *cases_; }

  // The recorded d is the reference. `device` was opened for the subject, and takes cases of several instructions along
  // K one after the other. What is returned refers to this run.
  Comparison held_to(const std::string& spec, std::unique_ptr<Device> device, const RunOptions& options);

 private:
  std::string file_;
  VectorReader reader_;
  Subject subject_;
  std::unique_ptr<CaseSource> cases_;
};

}  // namespace assay
