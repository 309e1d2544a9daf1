// Writing an export: a folder with the files of one format and a manifest, which appears when it is whole.
#pragma once

#include <memory>

#include "tb/export/export_format.hpp"
#include "tb/vectors/case_writer.hpp"

namespace assay {

// Throws Error where there cannot be such a folder. What write() refuses are whole matrices, cases that have a d
// among some that have none, and what finish() refuses is to have no case at all.
std::unique_ptr<CaseWriter> open_export(const ExportFormat& format, const std::string& path, const ExportFacts& facts);

}  // namespace assay
