#include "tb/export/export.hpp"

#include "tb/export/manifest.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay {
namespace {

// The part of an export that depends on how the format holds its cases.
class Body {
 public:
  virtual ~Body() = default;
  virtual void write(const Case& c) = 0;
  virtual std::vector<ManifestArray> finish(std::uint64_t cases, const ExportFacts& facts) = 0;
};

// A line a case, under a header that gives their number.
class Lines : public Body {
 public:
  Lines(const OutputFolder& folder, const Plan& plan) : folder_(folder), shape_(case_shape(plan)) {}

  void write(const Case& c) override {
    append_case(cases_.pending(), c, shape_);
    cases_.pending() += '\n';
    cases_.drain();
  }

  std::vector<ManifestArray> finish(std::uint64_t, const ExportFacts& facts) override {
    cases_.finish();
    PartFile file(folder_, lines_file);
    file.add(print_header(facts.header) + "\n");
    file.add_file(cases_.name());
    file.finish();
    return {};
  }

 private:
  const OutputFolder& folder_;
  CaseShape shape_;
  PartFile cases_{folder_, "cases"};
};

// A file a column, of which the format then makes its own.
class Columns : public Body {
 public:
  Columns(const OutputFolder& folder, const ExportFormat& format, const Plan& plan, bool with_d)
      : folder_(folder), format_(format), columns_(columns(plan, with_d)) {
    for (const Column& column : columns_) files_.push_back(std::make_unique<PartFile>(folder, column.name));
  }

  void write(const Case& c) override {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      format_.encoding->append(files_[i]->pending(), codes_of(c, columns_[i]), columns_[i]);
      files_[i]->drain();
    }
  }

  std::vector<ManifestArray> finish(std::uint64_t cases, const ExportFacts& facts) override {
    std::vector<std::uint64_t> bytes;
    for (const auto& file : files_) {
      file->finish();
      bytes.push_back(file->bytes());
    }
    const std::vector<ArrayPlace> places = format_.assemble({folder_, columns_, bytes, cases}, facts);
    std::vector<ManifestArray> arrays;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      arrays.push_back({column.name, column.format.name, column.bits(), column.elements, places[i].type, places[i].file,
                        places[i].offset, bytes[i]});
    }
    return arrays;
  }

 private:
  const OutputFolder& folder_;
  const ExportFormat& format_;
  std::vector<Column> columns_;
  std::vector<std::unique_ptr<PartFile>> files_;
};

class Export : public CaseWriter {
 public:
  Export(const ExportFormat& format, const std::string& path, const ExportFacts& facts)
      : path_(path), folder_(path), format_(format), facts_(facts) {}

  void write(const Case& c) override {
    check(c);
    if (cases_ == 0) open_body(c);
    body_->write(c);
    ++cases_;
    with_d_ += c.d ? 1 : 0;
    with_extra_ += c.extra.empty() ? 0 : 1;
  }

  void finish() override {
    if (cases_ == 0) refuse("there is no case to export.");
    facts_.header.cases = cases_;
    const std::vector<ManifestArray> arrays = body_->finish(cases_, facts_);
    write_part(folder_, manifest_file, print_manifest(manifest(arrays), facts_.plan));
    folder_.finish();
  }

  std::string missing() const override {
    if (with_d_ != 0 || format_.of_results.empty()) return {};
    return path_ + " has no " + std::string(format_.of_results) +
           ": its cases have no results. `assay generate --with-results` and `assay run` give them the model's.";
  }

 private:
  bool of_lines() const { return format_.encoding == nullptr; }

  void open_body(const Case& first) {
    if (of_lines()) {
      body_ = std::make_unique<Lines>(folder_, facts_.plan);
    } else {
      body_ = std::make_unique<Columns>(folder_, format_, facts_.plan, first.d.has_value());
    }
  }

  void check(const Case& c) const {
    if (c.element) refuse(case_name(c) + " is one of a whole matrix; only single dot products are exported.");
    const bool all_have_d = with_d_ == cases_, none_has_d = with_d_ == 0;
    if (of_lines() || (c.d ? all_have_d : none_has_d)) return;
    refuse(case_name(c) +
           (c.d ? " has a d, and those before it have none" : " has no d, and those before it have one") +
           "; `assay run` fills in d for all.");
  }

  [[noreturn]] void refuse(const std::string& why) const { throw Error{path_ + " was not written: " + why}; }

  Manifest manifest(const std::vector<ManifestArray>& arrays) const {
    Manifest m;
    m.format = format_.name;
    m.packing = format_.packing;
    m.tool = facts_.tool;
    m.catalogue_sha256 = facts_.catalogue_sha256;
    m.unit = facts_.unit;
    m.datapath_sha256 = facts_.datapath_sha256;
    m.header = print_header(facts_.header);
    m.cases = cases_;
    m.cases_with_d = with_d_;
    m.cases_that_lost_members = of_lines() ? 0 : with_extra_;
    m.arrays = arrays;
    for (const std::string& name : folder_.files()) m.files.push_back(described(folder_ / name, name));
    return m;
  }

  std::string path_;
  OutputFolder folder_;
  const ExportFormat& format_;
  ExportFacts facts_;
  std::unique_ptr<Body> body_;  // from the first case on, which says whether there is a d
  std::uint64_t cases_ = 0, with_d_ = 0, with_extra_ = 0;
};

}  // namespace

std::unique_ptr<CaseWriter> open_export(const ExportFormat& format, const std::string& path, const ExportFacts& facts) {
  return std::make_unique<Export>(format, path, facts);
}

}  // namespace assay
