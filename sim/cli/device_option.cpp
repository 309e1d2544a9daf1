#include "sim/cli/device_option.hpp"

#include <fmt/format.h>

#include <ostream>

#include "tb/devices/kinds/kinds.hpp"

namespace assay {

std::vector<Subject> subjects_for(const SubjectOptions& options, const std::string& device, const Catalogue& catalogue,
                                  const Console& console) {
  if (options.instruction.empty() && options.datapath.empty()) {
    std::vector<Subject> subjects = subjects_of_device(device, catalogue, console.err);
    if (!subjects.empty()) return subjects;
  }
  return {options.open(catalogue)};
}

Subject subject_for(const SubjectOptions& options, const std::string& device, const Catalogue& catalogue,
                    const Console& console) {
  std::vector<Subject> subjects = subjects_for(options, device, catalogue, console);
  if (subjects.size() > 1) {
    console.err << fmt::format(
        "assay: {} has {} instructions; this is about the first, {}. --instruction names another.\n", device,
        subjects.size(), subjects.front().name);
  }
  return std::move(subjects.front());
}

}  // namespace assay
