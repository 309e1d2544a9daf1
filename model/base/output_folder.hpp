// A folder that appears under its name when all its files are whole, and not before.
#pragma once

#include <string>
#include <vector>

#include "model/base/leftover.hpp"

namespace assay {

class OutputFolder {
 public:
  // Makes a temporary folder beside `path`, where nothing may stand yet but an empty folder. Throws Error.
  explicit OutputFolder(const std::string& path);

  // Takes the temporary folder away again where finish() was not reached.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  std::string operator/(const std::string& file) const { return temporary_ + "/" + file; }  // where it is now
  std::string shown(const std::string& file) const { return path_ + "/" + file; }           // as messages say it

  std::vector<std::string> files() const;  // their names, in order

  // Under its name. Throws Error.
  void finish();

 private:
  std::string path_, temporary_;
  Leftover leftover_;
};

}  // namespace assay
