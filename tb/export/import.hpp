// Reading an export back: the same header, the same cases.
#pragma once

#include <functional>
#include <string>

#include "tb/export/manifest.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

class ExportReader {
 public:
  // `path` is the export's folder or a file in it. Holds every file that has cases in it to the manifest. Throws
  // Error.
  explicit ExportReader(const std::string& path);

  const std::string& name() const { return name_; }  // of the manifest, for messages
  const VectorHeader& header() const { return header_; }

  // What the header is of. Throws Error where the manifest speaks of something else.
  void open(const Plan& plan);

  // The next case into `into`; false after the last. Throws Error.
  bool next(Case& into) { return next_(into); }

 private:
  std::function<bool(Case&)> lines(const Plan& plan) const;
  std::function<bool(Case&)> arrays(const Plan& plan) const;
  void check_array(std::size_t i, const Column& column) const;
  std::string path_of(const ManifestArray& array) const;
  void check_files() const;
  void check_file(const ManifestFile& file) const;
  [[noreturn]] void fail(const std::string& sentence) const;

  std::string folder_, name_;
  Manifest manifest_;
  VectorHeader header_;
  std::function<bool(Case&)> next_;
};

}  // namespace assay
