// Where --wave leaves its file. The simulator's own writer unlinks what it is named, and says nothing where it cannot
// write: it is given a folder of its own, and what it wrote goes from there to where it was asked for.
#pragma once

#include <optional>
#include <string>

#include "model/base/output_file.hpp"

namespace assay {

class WaveFile {
 public:
  // `path` is what was asked for; empty: nothing was. Throws Error where it cannot be written.
  explicit WaveFile(const std::string& path);
  ~WaveFile();
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;

  // What the simulator is to write; empty where nothing was asked for.
  std::string written() const { return folder_.empty() ? "" : folder_ + "/case.fst"; }

  // Once the simulator has ended. Throws Error.
  void finish();

 private:
  std::optional<OutputFile> file_;
  std::string folder_;
};

}  // namespace assay
