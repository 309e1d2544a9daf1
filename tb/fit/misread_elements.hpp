// Single elements that a unit reads otherwise than the others: wires that are exchanged, a lane that is missing, a
// format that one lane takes otherwise. No word of a datapath says so, since it means every element; what such a unit
// gives is what the right one gives for the operands as they come to be read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

struct MisreadElement {
  std::string text;  // "element 5 of a were read without its sign"
  std::function<void(Case&)> read;
};

std::vector<MisreadElement> misread_elements(const Plan& right);

}  // namespace assay
