// What format cases are exported to, and where.
#pragma once

#include <memory>
#include <string>

#include "sim/cli/subject.hpp"
#include "tb/vectors/case_writer.hpp"

namespace assay {

struct ExportOptions {
  std::string to;  // empty: JSON lines in one file
  static constexpr const char* default_module = "dut";
  std::string module = default_module;

  void add(Command command);

  // `path` is a folder, or a vector file where `to` is empty. Refers to the subject, which must outlive it. A
  // Error where the options do not go together.
  std::unique_ptr<CaseWriter> open(const std::string& path, const VectorHeader& header, const Subject& subject,
                                   const Catalogue& catalogue) const;

  // What the finished export lacks, to the user.
  static void remark(const CaseWriter& writer, const Console& console);
};

}  // namespace assay
