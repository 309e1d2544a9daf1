#include "tb/run/generated_cases.hpp"

#include <fmt/format.h>

#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

std::string choice_options(const GeneratedChoice& from, const std::string& cases) {
  const std::string family = from.family.empty() ? "" : " --family " + from.family;
  return fmt::format("--seed {}{} --case {}", from.seed, family, cases);
}

std::string compare_command(const GeneratedChoice& from, const RunNames& names, const std::string& cases) {
  return fmt::format("{} compare --reference {} --device {} {} {}", names.program, shell_word(names.reference),
                     shell_word(names.device), names.subject, choice_options(from, cases));
}

std::string cases_text(const GeneratedChoice& from, const std::string& cases) {
  return fmt::format("seed {}{}, cases {}", from.seed, from.family.empty() ? "" : ", family " + from.family, cases);
}

class GeneratedCases : public CaseSource {
 public:
  GeneratedCases(Generator generator, GeneratedChoice choice)
      : generator_(std::move(generator)), choice_(std::move(choice)) {}

  bool next(std::vector<Case>& into) override {
    const CaseMaker make = next_later();
    into = make ? make() : std::vector<Case>{};
    return !into.empty();
  }

  CaseMaker next_later() override {
    std::vector<std::uint64_t> numbers;
    while (numbers.size() < batch_of_cases && range_ < choice_.ranges.size()) {
      const CaseRange& range = choice_.ranges[range_];
      if (in_range_ < range.count) numbers.push_back(range.at(in_range_++));
      if (in_range_ >= range.count) ++range_, in_range_ = 0;
    }
    if (numbers.empty()) return nullptr;
    read_ += numbers.size();
    return [this, numbers = std::move(numbers)] {
      std::vector<Case> cases;
      cases.reserve(numbers.size());
      for (const std::uint64_t number : numbers) cases.push_back(generator_.make(number));
      return cases;
    };
  }

  std::uint64_t total() const override {
    std::uint64_t cases = 0;
    for (const CaseRange& range : choice_.ranges) cases += range.count;
    return cases;
  }
  std::uint64_t read() const override { return read_; }

  std::string why_nothing() const override {
    return "there was no case to compare; --cases says how many there are to be";
  }

  // Of several cases that were asked for, each is shown after the same ones again. Of devices that it cannot name, a
  // command shows what the model makes of the case.
  std::string command(const RunNames& names, const Case& failed) const override {
    if (!names.both()) {
      return fmt::format("{} explain {} {}", names.program, names.subject,
                         choice_options(choice_, std::to_string(failed.number)));
    }
    return compare_command(choice_, names, choice_.only.empty() ? std::to_string(failed.number) : choice_.only);
  }

  std::optional<History> history() const override {
    if (!choice_.only.empty() || choice_.ranges.empty()) return std::nullopt;
    return History{choice_.ranges.front(), [this](std::uint64_t i) { return generator_.make(i); },
                   [this](const RunNames& names, const std::string& cases) {
                     return names.both() ? compare_command(choice_, names, cases) : cases_text(choice_, cases);
                   }};
  }

 private:
  Generator generator_;
  GeneratedChoice choice_;
  std::size_t range_ = 0;       // the one being made ...
  std::uint64_t in_range_ = 0;  // ... and how many of it are
  std::uint64_t read_ = 0;
};

}  // namespace

std::unique_ptr<CaseSource> generated_cases(Generator generator, GeneratedChoice choice) {
  return std::make_unique<GeneratedCases>(std::move(generator), std::move(choice));
}

}  // namespace assay
