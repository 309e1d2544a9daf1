#include "tb/gemm/smallest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tb/devices/chain.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/scoreboard/difference.hpp"
#include "tb/scoreboard/shrink.hpp"
#include "tb/subject/command_line.hpp"

namespace assay::gemm {
namespace {

constexpr std::size_t most_tried = 16;  // elements that are made smaller, from all over the matrix

int nonzero_terms(const Case& c) {
  int count = 0;
  for (std::size_t i = 0; i < c.a.size(); ++i) count += c.a[i] != 0 || c.b[i] != 0 ? 1 : 0;
  return count;
}

// Those terms at the front, in their order.
Case gathered(const Case& c) {
  Case front = c;
  std::fill(front.a.begin(), front.a.end(), Code{0});
  std::fill(front.b.begin(), front.b.end(), Code{0});
  std::size_t count = 0;
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    if (c.a[i] == 0 && c.b[i] == 0) continue;
    front.a[count] = c.a[i];
    front.b[count++] = c.b[i];
  }
  return front;
}

class Search {
 public:
  Search(const Subject& one, const Subject& other)
      : longer_(one.plan.k >= other.plan.k ? one : other),
        shorter_(one.plan.k >= other.plan.k ? other : one),
        long_model_(model_device(longer_.plan)),
        short_model_(model_device(shorter_.plan)) {}

  bool is_possible() const { return longer_.plan.k % shorter_.plan.k == 0; }

  // Of the steps along K of one element the first after which the two differ: the same c goes in, another d comes out.
  std::optional<Case> first_step_apart(const Case& element) {
    const auto k = static_cast<std::size_t>(longer_.plan.k);
    Code c = element.c;
    for (std::size_t step = 0; step < element.a.size() / k; ++step) {
      const Case part = instruction_of(longer_.plan, element, step, c);
      if (differs({part}).front()) return part;
      c = long_model_->run({part}, false).front().d;
    }
    return std::nullopt;
  }

  Case smallest(const Case& apart) {
    const Case small = shrunk(longer_.plan, apart, [this](const std::vector<Case>& cases) { return differs(cases); });
    const Case front = gathered(small);
    return differs({front}).front() ? front : small;
  }

  std::string command(const Case& input) const {
    return fmt::format("assay explain {} --device {} {}", longer_.option, shell_word("model:" + shorter_.name),
                       operand_options(longer_.plan, input));
  }

 private:
  std::vector<bool> differs(const std::vector<Case>& cases) {
    const std::vector<Answer> x = long_model_->run(cases, false), y = run_chained(*short_model_, shorter_.plan, cases);
    std::vector<bool> all;
    for (std::size_t i = 0; i < cases.size(); ++i) all.push_back(!same_result(longer_.plan.d, x[i].d, y[i].d));
    return all;
  }

  const Subject &longer_, &shorter_;
  std::unique_ptr<Device> long_model_, short_model_;
};

// Indices of elements that differ, spread over all of them.
std::vector<std::size_t> some_that_differ(const Format& format, const std::vector<Code>& x,
                                          const std::vector<Code>& y) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!same_result(format, x[i], y[i])) all.push_back(i);
  }
  std::vector<std::size_t> some;
  const std::size_t count = std::min(most_tried, all.size());
  for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
  return some;
}

}  // namespace

std::optional<SmallestDisagreement> smallest_disagreement(const Subject& one, const Subject& other,
                                                          const Matrices& matrices, const std::vector<Code>& x,
                                                          const std::vector<Code>& y) {
  Search search(one, other);
  if (!search.is_possible()) return std::nullopt;
  std::optional<SmallestDisagreement> best;
  for (const std::size_t i : some_that_differ(one.plan.d, x, y)) {
    const int row = static_cast<int>(i) / matrices.n, column = static_cast<int>(i) % matrices.n;
    const std::optional<Case> apart = search.first_step_apart(element_of(one.plan, matrices, row, column));
    if (!apart) continue;
    const Case small = search.smallest(*apart);
    const int terms = nonzero_terms(small);
    if (!best || terms < best->terms) best = SmallestDisagreement{small, terms, search.command(small)};
  }
  return best;
}

}  // namespace assay::gemm
