// What a command that takes a device is about: what its options say, else what the device computes by itself.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/subject.hpp"

namespace assay {

// The subject that was asked for; where nothing was, all that the device computes by itself: what the DUT of "rtl:FILE"
// claims, or what the host's unit executes. Throws Error where neither says what.
std::vector<Subject> subjects_for(const SubjectOptions& options, const std::string& device, const Catalogue& catalogue,
                                  const Console& console);

// The first of them, for commands that take one; where there are several, `console.err` hears which is taken.
Subject subject_for(const SubjectOptions& options, const std::string& device, const Catalogue& catalogue,
                    const Console& console);

}  // namespace assay
