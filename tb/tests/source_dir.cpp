#include "tb/tests/source_dir.hpp"

namespace assay {

std::string source_dir() { return ASSAY_SOURCE_DIR; }

}  // namespace assay
