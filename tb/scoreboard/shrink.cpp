#include "tb/scoreboard/shrink.hpp"

#include <algorithm>

namespace assay {
namespace {

constexpr int most_rounds = 200;

// Plainer codes: without all ones of the mantissa, without those of its lower half, without the last one.
std::vector<Code> plainer(const Format& format, Code code) {
  const Code mantissa = format.mantissa_bits == 0 ? 0 : (Code{1} << format.mantissa_bits) - 1;
  const Code low = mantissa >> (format.mantissa_bits + 1) / 2;
  const Code last = code & mantissa & (~(code & mantissa) + 1);
  std::vector<Code> codes;
  for (const Code gone : {mantissa, low, last}) {
    const Code less = code & ~gone;
    if (less != code && (codes.empty() || codes.back() != less)) codes.push_back(less);
  }
  return codes;
}

class Smaller {
 public:
  Smaller(const Plan& plan, const Case& from) : plan_(plan), from_(from) {}

  // Runs of terms at once, the longest first; then c.
  std::vector<Case> without_terms() {
    for (int run = plan_.k; run >= 1; run /= 2) {
      for (int first = 0; first < plan_.k; first += run) without(first, std::min(plan_.k, first + run));
    }
    if (from_.c != 0) make([](Case& c) { c.c = 0; });
    return std::move(made_);
  }

  std::vector<Case> plainer_codes() {
    for (std::size_t i = 0; i < from_.a.size(); ++i) {
      for (const Code code : plainer(plan_.a, from_.a[i])) make([&](Case& c) { c.a[i] = code; });
      for (const Code code : plainer(plan_.b, from_.b[i])) make([&](Case& c) { c.b[i] = code; });
    }
    for (const Code code : plainer(plan_.c, from_.c)) make([&](Case& c) { c.c = code; });
    return std::move(made_);
  }

 private:
  template <class Change>
  void make(const Change& change) {
    made_.push_back(from_);
    change(made_.back());
  }

  void without(int first, int end) {
    const auto zero = [](Code code) { return code == 0; };
    const auto all_zero = [&](const std::vector<Code>& codes) {
      return std::all_of(codes.begin() + first, codes.begin() + end, zero);
    };
    if (all_zero(from_.a) && all_zero(from_.b)) return;
    make([&](Case& c) {
      std::fill(c.a.begin() + first, c.a.begin() + end, Code{0});
      std::fill(c.b.begin() + first, c.b.begin() + end, Code{0});
    });
  }

  const Plan& plan_;
  const Case& from_;
  std::vector<Case> made_;
};

bool take_first_failing(Case& smallest, const std::vector<Case>& candidates, const Fails& fails) {
  if (candidates.empty()) return false;
  const std::vector<bool> failing = fails(candidates);
  const auto found = std::find(failing.begin(), failing.end(), true);
  if (found == failing.end()) return false;
  smallest = candidates[static_cast<std::size_t>(found - failing.begin())];
  return true;
}

}  // namespace

Case shrunk(const Plan& plan, Case failing, const Fails& fails) {
  failing.extra.clear();
  failing.d.reset();
  for (int round = 0; round < most_rounds; ++round) {
    if (take_first_failing(failing, Smaller(plan, failing).without_terms(), fails)) continue;
    if (!take_first_failing(failing, Smaller(plan, failing).plainer_codes(), fails)) break;
  }
  return failing;
}

}  // namespace assay
