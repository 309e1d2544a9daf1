// The one run of the bench: cases go to a reference and to a device, the scoreboard judges, and what differs is made
// small and explained. `assay compare` runs it on generated cases, `assay check` on recorded ones, `assay-systemc` on
// its platform. It is a room above tb/scoreboard, which judges answers and asks nobody for any: what a run does after
// its last case - ask both devices again, look for a datapath that has the results - takes devices, a generator and
// tb/fit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/case_source.hpp"
#include "tb/scoreboard/scoreboard.hpp"
#include "tb/subject/subject.hpp"

namespace assay {

// One side of a run.
struct Party {
  std::string spec;  // as a command line names it: "rtl:unit.yaml"; empty: it cannot, since only the caller has it
  Device& device;
};

// Whose results are to be explained by another word of the datapath: those of the side that is not the model. A word
// says nothing of how anything else arrived at its results.
enum class Explained { nobody, device, reference };

struct RunOptions {
  NanRule nan = NanRule::bits;
  std::size_t max_failures = 3;                          // that are kept whole; the others are counted
  std::size_t max_alike = static_cast<std::size_t>(-1);  // of those, that begin at one place
  std::vector<Waiver> waivers;
  Explained explained = Explained::nobody;
  const Catalogue* catalogue = nullptr;                // where the unit that was meant is looked for; nullptr: nowhere
  std::function<void(std::uint64_t read)> progress;    // may be empty
  std::function<void(const std::vector<Case>&)> seen;  // each batch that was compared, in order; may be empty
  int threads = 1;  // that make cases and ask the reference while the device works: the result is the same
};

// What a vector file's header says of NaN, else what is usual for the datapath.
NanRule nan_rule_of(const Subject& subject);

// A run that has ended. Refers to the subject's plan and to the source of its cases.
struct Comparison {
  std::string subject;  // "hopper:wgmma.m64nNk16.f32.f16.f16"
  std::string devices;  // "rtl:unit.yaml held to model"
  std::uint64_t cases = 0;
  double seconds = 0;
  Scoreboard scoreboard;
  std::vector<std::string> explanation;  // of the failures, in lines
  std::string changes;                   // of the datapath that give all of them; empty: none was found
  // The change of the datapath that gives just what a failure got, "" where none does; empty where none was found.
  std::function<std::string(const Failure&)> cause;
  std::optional<Failure> smallest;                // that fails alone
  std::string nothing;                            // why nothing was compared, where nothing was
  std::function<std::string(const Case&)> repro;  // the command that shows just this case again
  bool others_count = false;                      // some case fails because of others

  double cases_a_second() const { return static_cast<double>(cases) / seconds; }
};

// Both devices are closed when it returns. Throws what the source throws.
Comparison compare(const Subject& subject, const Party& reference, const Party& device, CaseSource& source,
                   const RunOptions& options);

}  // namespace assay
