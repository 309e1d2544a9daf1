// A unit of which only the operands are known.
#pragma once

#include <string>

#include "tb/subject/subject.hpp"

namespace assay::identify {

struct UnknownUnit {
  std::string formats;  // "f16,f16,f32" of a, b, d, or with c before d
  std::string scale;    // "ue8m0:32"; empty: none
  int k = 0;
};

// Its datapath is a stand-in, an exact sum, that says nothing but operands and k. Throws Error.
Subject unknown_unit(const Catalogue& catalogue, const UnknownUnit& unit);

}  // namespace assay::identify
