// The options of a call of the bench, from their JSON text.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/generate/generator.hpp"
#include "tb/generate/levels.hpp"
#include "tb/guarantee/chain.hpp"
#include "tb/identify/identify.hpp"
#include "tb/run/comparison.hpp"

namespace assay::capi {

struct BenchOptions {
  std::uint64_t seed = 1;
  std::string family;  // empty: all of them in turn
  std::optional<std::uint64_t> level, cases;
  std::uint64_t first = 0;
  bool with_results = false;
  std::string nan;  // "bits", "any"; empty: what is usual for the subject
  std::uint64_t max_failures = 3;
  std::string waivers;                // a file
  std::optional<std::uint64_t> only;  // "case": of a file
  std::vector<int> element;
  std::string name = "d";  // of what gave results
  guarantee::Chain chain;
  std::string answers;  // a file of those of a unit that is asked
  identify::IdentifyEffort identify;

  CaseRange range() const;
  Generator open(const Plan& plan) const;
  NanRule nan_rule(const Subject& subject) const;
  RunOptions run(const Subject& subject, Explained explained, const Catalogue& catalogue) const;
};

// `text` may be NULL; only the options of these names are taken. Throws CallEnd.
BenchOptions read_options(const char* text, const std::vector<std::string_view>& names);

}  // namespace assay::capi
