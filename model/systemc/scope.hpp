// A module that is nothing but a name around others.
#pragma once

#include <systemc>

namespace assay::systemc {

// What `build` makes has its name below this one's: SystemC puts modules inside the one whose constructor runs.
class Scope : public sc_core::sc_module {
 public:
  template <class Build>
  Scope(const sc_core::sc_module_name& name, const Build& build) : sc_core::sc_module(name) {
    build();
  }
};

}  // namespace assay::systemc
