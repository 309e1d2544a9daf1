// Coverage as text: our own JSON, from which it is read again and merged, and Verilator's coverage format.
#pragma once

#include <string>

#include "model/base/error.hpp"
#include "tb/coverage/coverage.hpp"

namespace assay {

std::string coverage_json(const Coverage& coverage);

// `name` is for messages. Throws Error.
Coverage read_coverage_json(const std::string& text, const std::string& name);

// Adds `from`, which `name` brought. Throws Error where it is of another datapath, or its bins are others.
void merge_of_one_datapath(Coverage& into, const Coverage& from, const std::string& name);

// The lines that verilator_coverage reads; line N of its source file is bin N. Only what may be hit counts.
std::string verilator_dat(const Coverage& coverage);
std::string bins_file_name(const Coverage& coverage);  // that source file, beside the .dat; the same in every shard
std::string bins_file_text(const Coverage& coverage);

}  // namespace assay
