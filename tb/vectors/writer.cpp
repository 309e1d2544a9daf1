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
  give_on();
}

std::optional<std::string> VectorWriter::text_of(const std::vector<Case>& cases) const {
  std::string text;
  for (const Case& c : cases) {
    if (c.element) return std::nullopt;
    append_case(text, c, shape_);
    text += '\n';
  }
  return text;
}

void VectorWriter::write_text(std::string_view text, std::size_t cases) {
  pending_ += text;
  cases_ += cases;
  give_on();
}

void VectorWriter::give_on() {
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
