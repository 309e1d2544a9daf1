// Several devices of one kind as one: each answers its part of the cases, at the same time as the others.
#pragma once

#include <memory>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

// At least one. Of few cases all go to the first, so that they meet each other there as in a device alone.
std::unique_ptr<Device> dealt(std::vector<std::unique_ptr<Device>> devices);

}  // namespace assay
