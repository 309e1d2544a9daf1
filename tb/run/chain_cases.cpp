#include "tb/run/chain_cases.hpp"

#include <fmt/format.h>

#include "tb/devices/chain.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

std::string family_of(const Plan& plan, const ChainChoice& choice) {
  return choice.family.empty() ? gemm::usual_family(plan) : choice.family;
}

class ChainCases : public CaseSource {
 public:
  ChainCases(const Plan& plan, const ChainChoice& choice)
      : plan_(plan),
        choice_(choice),
        family_(family_of(plan, choice)),
        matrices_(gemm::generated(plan, choice.extents,
                                  Generator(plan, choice.seed, named_family(plan, "family", family_)))) {}

  bool next(std::vector<Case>& into) override {
    into.clear();
    while (into.size() < batch_of_cases && read_ < total()) into.push_back(element(read_++));
    return !into.empty();
  }

  std::uint64_t total() const override {
    return static_cast<std::uint64_t>(choice_.extents.m) * static_cast<std::uint64_t>(choice_.extents.n);
  }
  std::uint64_t read() const override { return read_; }
  std::string why_nothing() const override { return "the product has no element"; }

  // The whole product again: an element may depend on those before it.
  std::string command(const RunNames& names, const Case&) const override {
    const gemm::Extents& e = choice_.extents;
    return fmt::format("assay compare --reference {} --device {} {} --gemm {}x{}x{} --seed {} --family {}",
                       shell_word(names.reference), shell_word(names.device), names.subject, e.m, e.n, e.k,
                       choice_.seed, family_);
  }

 private:
  Case element(std::uint64_t number) const {
    const auto columns = static_cast<std::uint64_t>(choice_.extents.n);
    const int row = static_cast<int>(number / columns), column = static_cast<int>(number % columns);
    Case one = gemm::element_of(plan_, matrices_, row, column);
    one.number = number;
    one.element = Element{row, column, choice_.extents.m, choice_.extents.n};
    return one;
  }

  const Plan& plan_;
  ChainChoice choice_;
  std::string family_;
  Matrices matrices_;
  std::uint64_t read_ = 0;
};

}  // namespace

void check_chain(const Subject& subject, const gemm::Extents& extents) {
  const Plan& plan = subject.plan;
  if (!(plan.c == plan.d)) {
    throw Error{
        fmt::format("{} takes c of {} and gives d of {}; --gemm hands d on as c, so both must be of one format.",
                    subject.name, plan.c.name, plan.d.name)};
  }
  if (plan.datapath.start == Start::none)
    throw Error{fmt::format("{} adds to nothing, so --gemm cannot hand d on as its c.", subject.name)};
  if (extents.k % plan.k != 0) {
    throw Error{fmt::format("{} adds {} terms at a time, and K = {} is no multiple of that; try K = {}.", subject.name,
                            plan.k, extents.k, (extents.k / plan.k + 1) * plan.k)};
  }
}

std::unique_ptr<CaseSource> chain_cases(const Plan& plan, const ChainChoice& choice) {
  return std::make_unique<ChainCases>(plan, choice);
}

std::string first_step(const Subject& subject, const Party& reference, const Party& device, const Case& element,
                       const RunOptions& options) {
  const Plan& plan = subject.plan;
  const Scoreboard board(plan, options.nan);
  const int steps = static_cast<int>(element.a.size()) / plan.k;
  Code c = element.c;
  for (int step = 0; step < steps; ++step) {
    const Case one = instruction_of(plan, element, static_cast<std::size_t>(step), c);
    const Answer expected = reference.device.run({one}, false).front(), given = device.device.run({one}, false).front();
    if (board.judge(one, expected, given) != Verdict::equal) {
      const std::string sides =
          fmt::format("assay explain --reference {} --device {}", shell_word(reference.spec), shell_word(device.spec));
      const std::string command = explain_command(subject.option, plan, one);
      return fmt::format("element [{},{}] parts at step {} of {}, k = {} to {}: {}{}", element.element->row,
                         element.element->column, step + 1, steps, step * plan.k, (step + 1) * plan.k - 1, sides,
                         command.substr(std::string("assay explain").size()));
    }
    c = expected.d;
  }
  return fmt::format(
      "element [{},{}] agrees at each of its {} steps alone, given the reference's c: it depends on what "
      "came before",
      element.element->row, element.element->column, steps);
}

}  // namespace assay
