#include "tb/import/recording.hpp"

#include "tb/import/text_lines.hpp"

namespace assay {
namespace {

// Reports of tests that passed or failed have no results in them.
bool is_list_of_verdicts(const std::string& path) {
  TextLines lines(path);
  for (std::string_view line; lines.number() < 64 && lines.next(line);) {
    if (line.find("[PASS]") != line.npos || line.find("[FAIL]") != line.npos) return true;
  }
  return false;
}

}  // namespace

const std::vector<const RecordingFormat*>& recording_formats() {
  static const std::vector<const RecordingFormat*> table{&words_format, &listing_format, &csv_format};
  return table;
}

std::string recording_format_names() {
  std::string names;
  for (const RecordingFormat* format : recording_formats())
    names += (names.empty() ? "" : ", ") + std::string(format->name);
  return names;
}

const RecordingFormat* find_recording_format(const std::string& name) {
  for (const RecordingFormat* format : recording_formats()) {
    if (name == format->name) return format;
  }
  return nullptr;
}

const RecordingFormat& recognised_format(const std::string& path) {
  for (const RecordingFormat* format : recording_formats()) {
    if (format->recognises(path)) return *format;
  }
  if (is_list_of_verdicts(path)) {
    throw Error{path +
                " says which tests passed and which failed, but not with which results: there are no cases "
                "in it. `assay probe` asks the same questions of a device."};
  }
  throw Error{path +
              " is neither an export, which has a manifest.json beside it, nor a recording in a layout that is "
              "known here (" +
              recording_format_names() + "); --from names the one that it should have."};
}

}  // namespace assay
