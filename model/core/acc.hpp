// Stage acc: what a lane's first step adds to.
#pragma once

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"

namespace assay {

inline Number start_of(Start start, const Number& c) {
  switch (start) {
    case Start::c: return c;
    case Start::zero: return Number::zero();
    case Start::none: return Number::nothing();
  }
  return c;
}

}  // namespace assay
