#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

constexpr std::size_t chunk = 1 << 18;

}  // namespace

VectorWriter::VectorWriter(const std::string& path, const VectorHeader& header, const CaseShape& shape)
    : file_(path),
      sink_(compressed(descriptor_sink(file_.descriptor(), file_.name()), compression_of(path), file_.name())),
      shape_(shape),
      promised_(header.cases) {
  pending_ = print_header(header) + "\n";
}

void VectorWriter::write(const Case& c) {
  if (!c.element) {
    append_case(pending_, c, shape_);
  } else if (put_together(c, shape_, matrix_)) {
    append_matrix_case(pending_, matrix_, shape_);
  } else {
    return;
  }
  pending_ += '\n';
  ++cases_;
  if (pending_.size() < chunk) return;
  sink_(pending_, false);
  pending_.clear();
}

void VectorWriter::finish() {
  if (promised_ && *promised_ != cases_) {
    throw Error{file_.name() + " was not written: its header promises " + std::to_string(*promised_) + " cases, but " +
                std::to_string(cases_) + " came."};
  }
  sink_(pending_, true);
  pending_.clear();
  file_.finish();
}

}  // namespace assay
