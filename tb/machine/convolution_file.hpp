// A convolution as a file says it, carried out in each form, and what that fetched and gave.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/config/catalogue.hpp"
#include "model/machine/convolution.hpp"

namespace assay::machine {

struct ConvolutionTask {
  std::string name;
  ConvolutionShape shape;
  ConvolutionUnit unit;
  std::uint64_t seed = 1;
};

// Throws Error, with file and line.
ConvolutionTask read_convolution(const std::string& path);

struct ConvolutionFormReport {
  ConvolutionForm form = ConvolutionForm::direct;
  ConvolutionResult result;
  std::uint64_t other_bits = 0;   // outputs that differ from the direct form's
  double largest_error = 0;       // against exact sums, of the outputs that were held to them ...
  std::uint64_t not_nearest = 0;  // ... and how many of these are not the exact sum, rounded to nearest
};

struct ConvolutionReport {
  ConvolutionTask task;
  int k = 0;               // terms of one instruction
  std::uint64_t held = 0;  // outputs that were held to exact sums
  std::vector<ConvolutionFormReport> forms;
};

// `progress`: so many of all rows of outputs, of every form, are done; may be empty.
ConvolutionReport run_convolution(const ConvolutionTask& task, const Catalogue& catalogue,
                                  const std::function<void(std::uint64_t done)>& progress = {});
std::uint64_t rows_of(const ConvolutionTask& task);

std::string convolution_text(const ConvolutionReport& report, bool with_lanes);
std::string convolution_json(const ConvolutionReport& report);

}  // namespace assay::machine
