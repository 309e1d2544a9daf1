// The journal of a study: one line for each unit of work that is finished, so that a run that was killed goes on
// where it stopped, with nothing lost and nothing counted twice.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tb/explore/measure.hpp"

namespace assay {

class Journal {
 public:
  // Opens or begins folder/journal.jsonl and makes the folder where there is none. `identity` is all that the samples
  // depend on, as a digest. Throws Error where the folder holds something else, the journal is that of another
  // study, or another run is writing it.
  Journal(const std::string& folder, const std::string& identity);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // What earlier runs finished. A last line that was torn is gone from the file, too.
  const std::map<int, std::vector<Sample>>& finished() const { return finished_; }

  // Not by two threads at once. Throws Error where it cannot be written.
  void add(int unit, const std::vector<Sample>& samples);

  // The same lines in the order of their units, so that the file no longer says how the work was shared out.
  void sort();

 private:
  void read(const std::string& text);
  void write(const std::string& text);
  [[noreturn]] void fail(const std::string& sentence) const;

  std::string path_, head_;
  int descriptor_ = -1;
  std::map<int, std::vector<Sample>> finished_;
};

}  // namespace assay
