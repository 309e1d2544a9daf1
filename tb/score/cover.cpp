#include "tb/score/cover.hpp"

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t none = ~std::size_t{0};

// What is left of a set: the numbers that still have to be covered.
struct Candidate {
  std::size_t index = 0;
  NumberSet holds;
};

struct State {
  std::vector<Candidate> candidates;
  NumberSet wanted;
  std::vector<std::size_t> chosen;
};

void take(State& s, std::size_t position) {
  const Candidate taken = s.candidates[position];
  s.chosen.push_back(taken.index);
  s.wanted.remove(taken.holds);
  for (Candidate& c : s.candidates) c.holds.remove(taken.holds);
}

// A candidate that holds no more than another; of equals the first stays.
bool drop_dominated(State& s) {
  const std::size_t before = s.candidates.size();
  std::stable_sort(s.candidates.begin(), s.candidates.end(),
                   [](const Candidate& x, const Candidate& y) { return x.holds.count() > y.holds.count(); });
  std::vector<Candidate> kept;
  for (Candidate& c : s.candidates) {
    const bool dominated = c.holds.empty() || std::any_of(kept.begin(), kept.end(), [&](const Candidate& larger) {
                             return c.holds.within(larger.holds);
                           });
    if (!dominated) kept.push_back(std::move(c));
  }
  s.candidates = std::move(kept);
  return s.candidates.size() != before;
}

class Search {
 public:
  Search(std::size_t size, std::uint64_t most_nodes) : size_(size), nodes_left_(most_nodes) {}

  Cover run(State root) {
    reduce(root);
    best_ = greedy(root);
    const std::size_t bound = root.chosen.size() + apart(root);
    visit(std::move(root));
    std::sort(best_.begin(), best_.end());
    return {best_, cut_short_ ? bound : best_.size()};
  }

 private:
  // For each wanted number, the positions of the candidates that hold it.
  std::vector<NumberSet> holders(const State& s) const {
    std::vector<NumberSet> found(size_, NumberSet(s.candidates.size()));
    for (std::size_t i = 0; i < s.candidates.size(); ++i) {
      for (std::size_t n = 0; n < size_; ++n) {
        if (s.candidates[i].holds.has(n)) found[n].insert(i);
      }
    }
    return found;
  }

  // A number that every holder of another one holds too is covered with that one.
  bool drop_implied(State& s) const {
    const std::vector<NumberSet> by = holders(s);
    NumberSet implied(size_);
    for (std::size_t n = 0; n < size_; ++n) {
      for (std::size_t m = 0; m < size_ && s.wanted.has(n); ++m) {
        if (m == n || !s.wanted.has(m) || implied.has(m) || !by[m].within(by[n])) continue;
        implied.insert(n);
        break;
      }
    }
    if (implied.empty()) return false;
    s.wanted.remove(implied);
    for (Candidate& c : s.candidates) c.holds.remove(implied);
    return true;
  }

  // Takes the only holder of a number.
  bool take_essential(State& s) const {
    const std::vector<NumberSet> by = holders(s);
    for (std::size_t n = 0; n < size_; ++n) {
      if (!s.wanted.has(n) || by[n].count() != 1) continue;
      std::size_t position = 0;
      while (!by[n].has(position)) ++position;
      take(s, position);
      return true;
    }
    return false;
  }

  void reduce(State& s) const {
    while (drop_dominated(s) || drop_implied(s) || take_essential(s)) {
    }
  }

  static std::vector<std::size_t> greedy(State s) {
    while (!s.wanted.empty()) {
      const auto most =
          std::max_element(s.candidates.begin(), s.candidates.end(),
                           [](const Candidate& x, const Candidate& y) { return x.holds.count() < y.holds.count(); });
      take(s, static_cast<std::size_t>(most - s.candidates.begin()));
    }
    return s.chosen;
  }

  // Numbers no two of which one candidate holds: each needs a candidate of its own.
  std::size_t apart(const State& s) const {
    const std::vector<NumberSet> by = holders(s);
    NumberSet open = s.wanted;
    std::size_t found = 0;
    for (; !open.empty(); ++found) {
      const std::size_t n = fewest_holders(by, open);
      open.erase(n);
      for (const Candidate& c : s.candidates) {
        if (c.holds.has(n)) open.remove(c.holds);
      }
    }
    return found;
  }

  std::size_t fewest_holders(const std::vector<NumberSet>& by, const NumberSet& of) const {
    std::size_t found = none;
    for (std::size_t n = 0; n < size_; ++n) {
      if (of.has(n) && (found == none || by[n].count() < by[found].count())) found = n;
    }
    return found;
  }

  void visit(State s) {
    if (nodes_left_ == 0) {
      cut_short_ = true;
      return;
    }
    --nodes_left_;
    reduce(s);
    if (s.wanted.empty()) {
      if (s.chosen.size() < best_.size()) best_ = s.chosen;
      return;
    }
    // The number with the fewest holders must be covered by one of them; a holder that was tried is not tried again.
    const std::size_t n = fewest_holders(holders(s), s.wanted);
    while (s.chosen.size() + std::max<std::size_t>(1, apart(s)) < best_.size()) {
      const auto next =
          std::find_if(s.candidates.begin(), s.candidates.end(), [&](const Candidate& c) { return c.holds.has(n); });
      if (next == s.candidates.end()) return;
      State with = s;
      take(with, static_cast<std::size_t>(next - s.candidates.begin()));
      s.candidates.erase(next);
      visit(std::move(with));
    }
  }

  std::size_t size_;
  std::uint64_t nodes_left_;
  bool cut_short_ = false;
  std::vector<std::size_t> best_;
};

}  // namespace

bool NumberSet::empty() const {
  return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

std::size_t NumberSet::count() const {
  std::size_t found = 0;
  for (std::uint64_t word : words_) {
    for (; word != 0; word &= word - 1) ++found;
  }
  return found;
}

bool NumberSet::within(const NumberSet& other) const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if ((words_[i] & ~other.words_[i]) != 0) return false;
  }
  return true;
}

void NumberSet::add(const NumberSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
}

void NumberSet::remove(const NumberSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
}

Cover smallest_cover(const std::vector<NumberSet>& sets, std::size_t size, std::uint64_t most_nodes) {
  State root{{}, NumberSet(size), {}};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    root.candidates.push_back({i, sets[i]});
    root.wanted.add(sets[i]);
  }
  return Search(size, most_nodes).run(std::move(root));
}

}  // namespace assay
