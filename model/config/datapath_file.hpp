// Datapath files: configs/datapath/*.yaml and a designer's own.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "model/config/datapath_words.hpp"
#include "model/core/plan.hpp"

namespace assay {

// Where in the file each key was given, so that a problem found by `plan` can name its line.
using KeyLines = std::map<std::string, std::string>;  // "adders[0].window.floor" -> "file.yaml:12"

struct DatapathFile {
  Datapath datapath;
  std::optional<int> k;  // own files may say for how many terms they are meant
  KeyLines lines;
};

// A key of the file that is no word of its arithmetic; the texts are for docs/datapath.md.
struct FileKey {
  std::string_view key;
  std::string takes, left_out, says;
};
const std::vector<FileKey>& file_keys();

// Finds the datapath that a `like:` names.
using DatapathSource = std::function<DatapathFile(const YamlValue& like)>;

DatapathFile read_datapath(const YamlValue& top, const DatapathSource& like);

// The same with some words changed, whatever else it says.
DatapathFile changed(DatapathFile file, const Given& by);

// The Plan, or a Error that lists every problem with its file and line.
Plan plan_or_fail(const Datapath& datapath, int k, const KeyLines& lines);

}  // namespace assay
