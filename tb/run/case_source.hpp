// Where the cases of a run come from, a batch at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/devices/device.hpp"
#include "tb/generate/levels.hpp"

namespace assay {

inline constexpr std::size_t batch_of_cases = 1024;  // enough that a device in a process of its own need not wait

// As a command line says them.
struct RunNames {
  std::string reference, device;  // "model", "rtl:unit.yaml"; empty: a device that only the caller of the run has
  std::string subject;            // "--instruction hopper:.."
  std::string program;            // "assay"

  // Whether a command line can name both devices.
  bool both() const { return !reference.empty() && !device.empty(); }
};

// A run whose cases are numbered, any of which can be made again.
struct History {
  CaseRange cases;  // in the order of the run
  std::function<Case(std::uint64_t)> make;
  // The command that runs only these: "17-40,41", "42,41". Where none can name the devices: which cases of which seed
  // they are.
  std::function<std::string(const RunNames&, const std::string& cases)> command;
};

// Makes a batch of cases, once; any thread may call it, also while others are being made.
using CaseMaker = std::function<std::vector<Case>()>;

class CaseSource {
 public:
  virtual ~CaseSource() = default;
  CaseSource() = default;
  CaseSource(const CaseSource&) = delete;
  CaseSource& operator=(const CaseSource&) = delete;

  // Up to a batch of further cases; false where there was none left. None, where all that was read is not asked for.
  virtual bool next(std::vector<Case>& into) = 0;

  // The same batch, to be made later; nullptr where there is none left.
  virtual CaseMaker next_later() {
    std::vector<Case> cases;
    if (!next(cases)) return nullptr;
    return [cases = std::move(cases)]() mutable { return std::move(cases); };
  }

  virtual std::uint64_t total() const = 0;                // 0: not known before the end
  virtual std::uint64_t read() const = 0;                 // so far; with those that are not asked for
  virtual std::uint64_t unrecorded() const { return 0; }  // so far; left out, since nobody knows their d

  virtual std::string why_nothing() const = 0;  // where no case was compared, as the end of a sentence
  virtual std::string command(const RunNames& names, const Case& failed) const = 0;  // that shows it again
  virtual std::optional<History> history() const { return std::nullopt; }
};

}  // namespace assay
