// Any bytes as what holds a set of things in one file: tensors as .npz and as safetensors, coverage, the manifest of an
// export. It is read or refused with a sentence, and what was read is what it should be.
#include <cmath>

#include "model/config/yaml.hpp"
#include "tb/coverage/coverage_files.hpp"
#include "tb/explore/tensor.hpp"
#include "tb/export/manifest.hpp"
#include "tb/fuzz/memory_file.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

void check_tensor(const Tensor& tensor) {
  demand(tensor.rows > 0 && tensor.columns > 0, "A tensor without elements was taken.");
  demand(tensor.values.size() == static_cast<std::size_t>(tensor.rows) * static_cast<std::size_t>(tensor.columns),
         "A tensor has not as many elements as its shape says.");
  for (const double value : tensor.values) demand(std::isfinite(value), "An element is no number.");
}

void read_as_tensors(const std::string& path) {
  StudyInput input;
  input.family = InputFamily::tensor;
  input.file = path;
  input.a_name = "a";
  input.b_name = "b";
  try {
    const TensorPair pair = read_tensors(input, {});
    check_tensor(pair.a);
    check_tensor(pair.b);
  } catch (const Error& error) {
    demand(!error.message.empty() && error.message.size() < 1 << 16, "An error is no sentence.");
  }
}

void read_as_coverage(const std::string& text) {
  try {
    Coverage coverage = read_coverage_json(text, "fuzz");
    const std::string json = coverage_json(coverage);
    demand(coverage_json(read_coverage_json(json, "fuzz")) == json, "Coverage changed on its way out and in.");
    const Coverage same = coverage;
    merge_of_one_datapath(coverage, same, "fuzz");
    demand(coverage.cases == 2 * same.cases && coverage.cases >= same.cases, "Counts were not added.");
  } catch (const Error& error) {
    demand(!error.message.empty(), "An error says nothing.");
  }
}

void read_as_manifest(const std::string& text) {
  try {
    demand(!parse_manifest(text).header.empty(), "A manifest without a header was taken.");
  } catch (const ScanError& error) {
    demand(!error.message.empty(), "An error says nothing.");
  }
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const assay::MemoryFile file(bytes);
  assay::read_as_tensors(file.path());
  assay::read_as_coverage(bytes);
  assay::read_as_manifest(bytes);
  return 0;
}
