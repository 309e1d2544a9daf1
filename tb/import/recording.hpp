// Recordings that others made, in the layouts in which they are published, as cases of an instruction.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/devices/device.hpp"

namespace assay {

struct RecordingOptions {
  bool pad = false;     // shorter a and b are filled with zeros, also where the layout does not do so by itself
  bool zero_c = false;  // c was zero, whatever the recording has or lacks
};

struct Recording {
  std::vector<std::string> files;   // which it is read from
  std::string part;                 // whose results they are, where the names of the files say so
  std::function<bool(Case&)> next;  // false after the last case; throws Error
};

// A layout.
struct RecordingFormat {
  const char* name;
  const char* about;
  bool (*recognises)(const std::string& path);                                                    // throws Error
  Recording (*open)(const std::string& path, const Plan& plan, const RecordingOptions& options);  // throws Error
};

extern const RecordingFormat words_format, listing_format, csv_format;

const std::vector<const RecordingFormat*>& recording_formats();

// "words, listing, csv": for messages.
std::string recording_format_names();

// nullptr where there is none of this name.
const RecordingFormat* find_recording_format(const std::string& name);

// The layout that a file has. Throws Error where it is none of them.
const RecordingFormat& recognised_format(const std::string& path);

}  // namespace assay
