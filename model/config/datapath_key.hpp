// One key of a datapath set to another value: the step from one point of a study to the next.
#pragma once

#include "model/config/datapath_file.hpp"

namespace assay {

// `path` is written as the keys are nested, adders by their names: adders.sum.add.product.keep, finish.late.zero,
// adders.sum.result[0].cut, k_order.step.terms, operands.d. What else the datapath says stays. A Error names the
// line of `value`.
DatapathFile with_key(const DatapathFile& file, const std::string& path, const YamlValue& value);

}  // namespace assay
