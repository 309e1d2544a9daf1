// How many threads are of use here.
#pragma once

#include <string>

namespace assay {

// The processors this process may run on (its affinity), or fewer where its control group or one above grants fewer at
// a time. At least 1.
int usable_processors();

// What control groups grant, rounded up: their files are read below `root`, "" for the machine's own. Versions 1 and 2.
// A number that no machine reaches where nothing limits.
int granted_processors(const std::string& root);

}  // namespace assay
