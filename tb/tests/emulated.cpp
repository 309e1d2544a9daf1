#include "tb/tests/emulated.hpp"

namespace assay {

bool is_emulated() { return ASSAY_EMULATED != 0; }

}  // namespace assay
