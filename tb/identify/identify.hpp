// What an unknown unit computes, as a datapath: by asking it, or from what somebody recorded.
#pragma once

#include <string>
#include <vector>

#include "model/config/catalogue.hpp"
#include "tb/identify/space.hpp"

namespace assay::identify {

struct IdentifyEffort {
  std::uint64_t questions = 400;  // before confirmation, at most
  std::uint64_t confirm = 20'000;
  std::uint64_t seed = 1;
};

enum class IdentifyOutcome {
  found,         // one class of datapaths agrees with everything
  undecided,     // several do, and there are cases that would part them
  no_word,       // none does
  inconsistent,  // the unit answers the same case in two ways
};

// A word of what was found, held to another value.
struct Settled {
  std::string word, value;  // "adders.sum.add.product.keep", "25"
  struct Other {
    std::string value;                    // "24"
    std::optional<std::size_t> excluded;  // by this answer
    std::string argument;                 // why no case parts the two; with neither, no case that was tried does
    bool open = false;                    // a case is known that would part them, but it was not answered
  };
  std::vector<Other> others;
};

// Datapaths that compute the same on every case tried, and the first of them.
struct AgreeingClass {
  DatapathCandidate first;
  std::vector<std::string> as_well;  // where others of the class come from
};

struct Identified {
  IdentifyOutcome outcome = IdentifyOutcome::found;
  std::vector<AgreeingClass> classes;
  std::vector<Settled> settled;  // words of the first class's first
  std::vector<BoxAnswer> answers;
  std::vector<Case> next;  // cases that would part the classes, the best first
  std::uint64_t questions = 0, confirmed = 0, tried = 0;
  std::uint64_t before_confirming = 0;  // questions

  // Where the outcome is no word or inconsistent.
  std::optional<BoxAnswer> against;
  std::optional<Code> other_answer;  // of the same case, asked again
  std::size_t contradicted_by = 0;   // candidates that say otherwise, of
  std::size_t of = 0;
  std::vector<std::string> points_at;  // words of the nearest candidate that would repair that case
  std::optional<DatapathCandidate> nearest;
};

// Where a search begins: every datapath of the catalogue but those of these names.
void start_from(VersionSpace& space, const Catalogue& catalogue, const std::vector<std::string>& without);

// What a search begins with.
struct SearchStart {
  std::string nan;                   // "bits" or "any" NaN is as good as another; empty: what is usual for the unit
  std::vector<std::string> without;  // datapaths of the catalogue
};

// A space in which nothing is learnt. Throws Error where no datapath of the catalogue can be planned on these
// operands, or the unit rounds by random words.
VersionSpace begun(const Subject& subject, const Catalogue& catalogue, const SearchStart& start);

// Asks until one class is left, and confirms it.
Identified identify(const Subject& subject, VersionSpace& space, Box& box, const IdentifyEffort& effort);

// From what is there: nobody is asked.
Identified identify_recorded(const Subject& subject, VersionSpace& space, const std::vector<BoxAnswer>& recorded,
                             const IdentifyEffort& effort);

}  // namespace assay::identify
