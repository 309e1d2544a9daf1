// A vector file as a device: it answers a case with the d that was recorded for the same operands.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tb/devices/device.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

// Sees the header before any case is read, and may throw. A stream is read once only, so nobody else can look.
using HeaderCheck = std::function<void(const VectorHeader&)>;

// Reads the whole file. Asked for operands that it holds, it answers with their d, of several NaNs with the first; a
// case that the file does not hold is an error in its answer. Throws Error where the file cannot be read, a case of it
// has no d, or two cases of the same operands have different ones.
std::unique_ptr<Device> vectors_device(const Plan& plan, const std::string& path, const HeaderCheck& check = {});

}  // namespace assay
