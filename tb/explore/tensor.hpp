// Tensors of real numbers from .npz and .safetensors files.
#pragma once

#include <string>
#include <vector>

#include "tb/explore/study.hpp"

namespace assay {

struct Tensor {
  int rows = 0, columns = 0;
  std::vector<double> values;  // row after row
};

// What an input of tensors multiplies: rows of a by rows of b (columns of B), K along both.
struct TensorPair {
  Tensor a;
  Tensor b;
};

// Reads both and holds them to the study's shapes. Throws Error: no such file, no such tensor, another type, too
// small, or something in it that is no number.
TensorPair read_tensors(const StudyInput& input, const std::vector<ProductShape>& shapes);

}  // namespace assay
