// What stands behind the opaque handles. Units keep the catalogue that they were opened from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tb/capi/assay.h"
#include "tb/subject/subject.hpp"

struct assay_catalogue {
  std::shared_ptr<const assay::Catalogue> catalogue;
  std::vector<std::string> names;
};

struct assay_unit {
  std::shared_ptr<const assay::Catalogue> catalogue;
  assay::Subject subject;
};

struct assay_text {
  std::string text;
};
