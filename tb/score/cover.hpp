// The fewest sets that together hold all that any of them holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

// Numbers from 0 up to a size that all sets of one problem share.
class NumberSet {
 public:
  explicit NumberSet(std::size_t size = 0) : words_((size + 63) / 64) {}

  void insert(std::size_t number) { words_[number / 64] |= std::uint64_t{1} << number % 64; }
  void erase(std::size_t number) { words_[number / 64] &= ~(std::uint64_t{1} << number % 64); }
  bool has(std::size_t number) const { return (words_[number / 64] >> number % 64 & 1) != 0; }
  bool empty() const;
  std::size_t count() const;
  bool within(const NumberSet& other) const;
  void add(const NumberSet& other);
  void remove(const NumberSet& other);

  bool operator<(const NumberSet& other) const { return words_ < other.words_; }
  bool operator==(const NumberSet& other) const { return words_ == other.words_; }

 private:
  std::vector<std::uint64_t> words_;
};

struct Cover {
  std::vector<std::size_t> chosen;  // indices of sets, ascending
  std::size_t at_least = 0;         // no cover has fewer

  bool smallest() const { return chosen.size() == at_least; }
};

// Of numbers below `size`. The same for the same sets in the same order. After `most_nodes` of the search the best
// cover found so far is returned.
Cover smallest_cover(const std::vector<NumberSet>& sets, std::size_t size, std::uint64_t most_nodes = 100'000);

}  // namespace assay
