// Holds the answers of a device against those of a reference, and keeps count. A pass must be earned: see
// Summary::outcome.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "model/base/error.hpp"
#include "tb/devices/device.hpp"
#include "tb/scoreboard/waivers.hpp"

namespace assay {

enum class NanRule {
  bits,  // a NaN equals itself alone
  any,   // every NaN equals every other
};

// The rule unless one is given: which NaN a datapath that propagates payloads gives is seldom what is tested.
// Where the datapath says which NaN it takes, it is meant.
inline NanRule usual_nan_rule(const Plan& plan) {
  return plan.nan.propagate && !plan.nan.has_order() ? NanRule::any : NanRule::bits;
}

enum class Verdict {
  equal,
  differs,          // d does
  masked,           // d is equal, but a place on the way to it differs
  reference_error,  // no expected d
  device_error,     // no d
  unsteady,         // d is equal, but another when the cases come in another order
  waived,           // differs or masked, and covered by a waiver
  known,            // d differs as the device is known to
};

inline constexpr int no_place = -1;

// d as a number of its format.
Number result_number(const Plan& plan, Code d);

// How two values of d differ.
enum class Unlike {
  number,
  nan_code,   // both are NaN
  zero_sign,  // both are zero
};
Unlike unlike(const Plan& plan, Code expected, Code got);

// Whether more than nine in ten results are zero or NaN: that such results agree says little.
inline bool says_little(std::uint64_t zeros, std::uint64_t nans, std::uint64_t results) {
  return 10 * u128{zeros + nans} > 9 * u128{results};
}

struct Failure {
  Verdict verdict = Verdict::equal;
  Case given;
  Answer reference, device;
  int place = no_place;  // the first that both filled and that differs
};

// Where a failure begins: the name of the first place that differs; "d", "no d", "no expected d", "d in another order
// of cases".
std::string first_difference(const Plan& plan, int place, Verdict verdict);

// Which failures are kept whole; all are counted.
struct FailuresKept {
  std::size_t most = 10;
  std::size_t alike = static_cast<std::size_t>(-1);  // that begin at one place
};

struct PlaceCount {
  int place = no_place;
  std::uint64_t count = 0;
};

// Failures of one family of the generator that begin at one place.
struct FailureGroup {
  std::string_view family;  // empty: of none
  std::string first;        // the first place that differs; "d", "no d", "no expected d", "d in another order of cases"
  std::uint64_t cases = 0;
};

// An error of the device that several cases have.
struct ErrorCount {
  std::string sentence;  // ".." in place of each code
  std::uint64_t count = 0;
};

// A known difference of one side, and the cases that have just it.
struct KnownUse {
  KnownDifference known;
  bool of_reference = false;
  std::uint64_t cases = 0;
};

struct Summary {
  std::uint64_t compared = 0;  // cases for which both gave a d

  std::uint64_t differs = 0, masked = 0;
  std::uint64_t nan_codes = 0, zero_signs = 0;  // of those that differ: in nothing more
  std::uint64_t unsteady = 0;
  std::uint64_t reference_errors = 0, device_errors = 0;
  std::uint64_t unrecorded = 0;  // cases left out, since nobody knows their d
  std::uint64_t leftovers = 0;   // cases without an answer, and the first of them
  std::uint64_t first_leftover = 0;
  std::uint64_t surplus = 0;            // answers without a case
  std::vector<std::string> complaints;  // of devices that failed apart from any case

  // Among the expected d of the compared cases.
  std::uint64_t zeros = 0, nans = 0, infinities = 0;

  std::uint64_t traced = 0, places = 0;  // cases of which places were compared, and how many of those in all
  std::vector<ErrorCount> repeated;      // errors of the device that more than one case has; the most frequent first
  std::vector<PlaceCount> first_places;  // how often each was the first to differ; the most frequent first
  std::vector<FailureGroup> groups;      // the family with most failures first, and of each the most frequent place

  std::vector<WaiverUse> waivers;  // mismatches that one of these covers are counted here and nowhere above
  std::uint64_t waived() const {
    std::uint64_t cases = 0;
    for (const WaiverUse& use : waivers) cases += use.cases;
    return cases;
  }

  std::vector<KnownUse> known;  // counted here and nowhere above
  std::uint64_t known_cases() const {
    std::uint64_t cases = 0;
    for (const KnownUse& use : known) cases += use.cases;
    return cases;
  }

  std::uint64_t mismatches() const { return differs + masked; }
  std::uint64_t errors() const { return reference_errors + device_errors; }
  std::uint64_t failures() const {
    return mismatches() + unsteady + errors() + leftovers + surplus + complaints.size();
  }

  bool mistrusted() const { return says_little(zeros, nans, compared); }

  Ending ending() const {
    return failures() != 0 ? Ending::mismatch : compared == 0 ? Ending::nothing_compared : Ending::passed;
  }
};

class Scoreboard {
 public:
  // Refers to `plan`, which must outlive it. The first failures are kept whole.
  Scoreboard(const Plan& plan, NanRule nan, FailuresKept kept = {});
  Scoreboard(const Plan& plan, NanRule nan, std::size_t max_failures)
      : Scoreboard(plan, nan, FailuresKept{max_failures}) {}

  void waive(const std::vector<Waiver>& waivers);
  // What both sides are known to have otherwise. A case counts as such where one side gives what is right and the other
  // what is known of it, both to the bit; all else that differs stays a failure.
  void expect_known(const std::vector<KnownDifference>& of_reference, const std::vector<KnownDifference>& of_device);

  Verdict expect_and_check(const Case& given, const Answer& reference, const Answer& device);

  // Answers in the order of their cases. A case beyond the end of either list is a leftover. A verdict for each of the
  // others.
  std::vector<Verdict> check_all(const std::vector<Case>& cases, const std::vector<Answer>& references,
                                 const std::vector<Answer>& answers);
  void leave_over(const Case& given);
  void leave_out_unrecorded(std::uint64_t cases) { summary_.unrecorded += cases; }

  // The same verdict, and nothing is counted: for what is asked beside the run.
  Verdict judge(const Case& given, const Answer& reference, const Answer& device) const;

  // What Device::close() says; an empty sentence is no complaint.
  void complain(const std::string& sentence);

  bool same_d(Code expected, Code got) const;  // by the NaN rule

  const Plan& plan() const { return *plan_; }
  // The first ones; of errors with the same sentence, one.
  const std::vector<Failure>& failures() const { return failures_; }
  // The first that begins at each place, or with each verdict; of 64 places at most.
  std::vector<Failure> examples() const;
  Summary summary() const;

 private:
  struct Judged {
    Verdict verdict = Verdict::equal;
    int place = no_place;
    std::size_t which = 0;     // of summary_.waivers, where it is waived; of summary_.known, where it is that
    std::uint64_t places = 0;  // compared
  };

  Judged judged(const Case& given, const Answer& reference, const Answer& device) const;
  bool is_nan(Code d) const;
  bool same_place(const Trace& expected, const Trace& got, int place) const;
  void compare_places(const Answer& reference, const Answer& device, Judged& found) const;
  std::optional<std::size_t> waiver_of(const Answer& reference, const Answer& device, const Judged& found) const;
  std::optional<std::size_t> known_of(const Case& given, Code expected, Code got) const;
  bool covers(const Waiver& waiver, const Answer& reference, const Answer& device, const Judged& found) const;
  void count_expected(Code d);
  void count(const Judged& found, const Answer& reference, const Answer& device);
  void group(std::string_view family, const Judged& found);
  void keep_example(const Failure& failure);
  std::vector<FailureGroup> groups() const;
  void show(Failure failure);
  bool has_room(const Failure& failure);

  const Plan* plan_;
  NanRule nan_;
  FailuresKept kept_;
  std::map<std::string, std::size_t> kept_at_;  // how many of those that are kept begin there
  Summary summary_;
  std::vector<std::uint64_t> first_at_;  // for each place, how often it was the first to differ
  std::map<std::tuple<std::string_view, int, Verdict>, std::uint64_t> groups_;  // a place, or else what went wrong
  std::vector<Failure> failures_;
  std::map<std::pair<int, Verdict>, Failure> examples_;  // by where they begin
  std::map<std::string, std::uint64_t> errors_;          // how many cases have this error of the device
};

}  // namespace assay
