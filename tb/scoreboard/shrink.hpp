// A failing case made as small as it can be and still fail.
#pragma once

#include <functional>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

// Which of these cases fail.
using Fails = std::function<std::vector<bool>(const std::vector<Case>&)>;

// Terms become zero, then codes plainer, as long as what is left fails. `failing` must fail.
Case shrunk(const Plan& plan, Case failing, const Fails& fails);

}  // namespace assay
