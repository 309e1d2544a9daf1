#include "tb/run/given_cases.hpp"

#include <algorithm>

#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

class GivenCases : public CaseSource {
 public:
  GivenCases(const Plan& plan, std::vector<Case> cases) : plan_(plan), cases_(std::move(cases)) {}

  bool next(std::vector<Case>& into) override {
    const std::size_t end = std::min(read_ + batch_of_cases, cases_.size());
    into.assign(cases_.begin() + static_cast<std::ptrdiff_t>(read_), cases_.begin() + static_cast<std::ptrdiff_t>(end));
    read_ = end;
    return !into.empty();
  }

  std::uint64_t total() const override { return cases_.size(); }
  std::uint64_t read() const override { return read_; }
  std::string why_nothing() const override { return "no case was given"; }

  // Nobody can ask for the results again: the command shows what the model makes of the case.
  std::string command(const RunNames& names, const Case& failed) const override {
    return explain_command(names.subject, plan_, failed, names.program);
  }

 private:
  const Plan& plan_;
  std::vector<Case> cases_;
  std::size_t read_ = 0;
};

}  // namespace

std::unique_ptr<CaseSource> given_cases(const Plan& plan, std::vector<Case> cases) {
  return std::make_unique<GivenCases>(plan, std::move(cases));
}

}  // namespace assay
