// What stands behind the opaque handles. Units keep the catalogue that they were opened from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/fast/kernel.hpp"
#include "tb/capi/assay.h"
#include "tb/subject/subject.hpp"

struct assay_catalogue {
  std::shared_ptr<const assay::Catalogue> catalogue;
  std::vector<std::string> names;
  std::string program;  // as a Subject has it
};

// Stays where it is: the kernel refers to the subject's plan.
struct assay_unit {
  assay_unit(std::shared_ptr<const assay::Catalogue> from, assay::Subject opened)
      : catalogue(std::move(from)), subject(std::move(opened)), kernel(subject.plan), path(kernel.path()) {}
  assay_unit(const assay_unit&) = delete;
  assay_unit& operator=(const assay_unit&) = delete;

  std::shared_ptr<const assay::Catalogue> catalogue;
  assay::Subject subject;
  assay::Kernel kernel;
  std::string path;
};

struct assay_format {
  assay::Format format;
};

struct assay_text {
  std::string text;
};

namespace assay::capi {

// nullptr where the unit has no such operand.
const Format* format_of(const assay_unit& unit, assay_operand operand);
// nullptr beyond the last.
const CaseOperand* more_of(const assay_unit* unit, std::size_t index);

}  // namespace assay::capi
