// Where cases go: a vector file, or an export.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

class CaseWriter {
 public:
  virtual ~CaseWriter() = default;
  CaseWriter() = default;
  CaseWriter(const CaseWriter&) = delete;
  CaseWriter& operator=(const CaseWriter&) = delete;

  // All throw Error.
  virtual void write(const Case& c) = 0;
  // The bytes that are written for these, where they say nothing of those before: any thread may ask. Nothing, where
  // only write() can tell.
  virtual std::optional<std::string> text_of(const std::vector<Case>&) const { return std::nullopt; }
  virtual void write_text(std::string_view, std::size_t) {}  // of so many cases, by text_of()
  virtual void finish() = 0;                                 // everything written, and under its name

  // After finish(): a sentence that says what a reader may miss, and what would have given it; empty where nothing.
  virtual std::string missing() const { return {}; }
};

}  // namespace assay
