// The datapaths of the catalogue for tcgen05.mma, by the formats that an instruction descriptor names.
#pragma once

#include "model/config/catalogue.hpp"
#include "model/machine/tensor_mma.hpp"

namespace assay::machine {

// Of the architectures that have it, the first; each is made when it is first asked for. `catalogue` must outlive it.
MmaDatapaths mma_datapaths(const Catalogue& catalogue);

}  // namespace assay::machine
