// Where cases go: a vector file, or an export.
#pragma once

#include <string>

#include "tb/devices/device.hpp"

namespace assay {

class CaseWriter {
 public:
  virtual ~CaseWriter() = default;
  CaseWriter() = default;
  CaseWriter(const CaseWriter&) = delete;
  CaseWriter& operator=(const CaseWriter&) = delete;

  // Both throw Error.
  virtual void write(const Case& c) = 0;
  virtual void finish() = 0;  // everything written, and under its name

  // After finish(): a sentence that says what a reader may miss, and what would have given it; empty where nothing.
  virtual std::string missing() const { return {}; }
};

}  // namespace assay
