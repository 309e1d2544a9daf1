#include "tb/prove/cut.hpp"

#include <algorithm>
#include <iterator>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace assay {
namespace {

std::vector<Lit> joined(std::vector<Lit> x, const std::vector<Lit>& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

// The most ways from leaves to the roots that share no node that may be in the cut, which are as many as the fewest
// such nodes that cut all ways (Menger). Each node is two, in and out: one way leads between those of a node that may
// be in it, any number between those of another. The shortest ways first, as many of one length as there are (Dinic).
class Flow {
 public:
  Flow(const Gates& gates, const CutQuestion& question) : cone_(cone_of(gates, question.roots, question.is_leaf)) {
    std::unordered_map<std::uint32_t, std::size_t> at;
    for (std::size_t i = 0; i < cone_.size(); ++i) at[cone_[i]] = i;
    used_.resize(cone_.size(), 0);
    above_.resize(cone_.size());
    below_.resize(cone_.size());
    is_root_.resize(cone_.size(), 0);
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      const std::uint32_t node = cone_[i];
      is_leaf_.push_back(!gates.is_gate(node) || question.is_leaf(node) ? 1 : 0);
      may_cut_.push_back(is_leaf_[i] != 0 || question.may_cut(node) ? 1 : 0);
      if (is_leaf_[i] != 0) continue;
      for (const Lit l : {gates.first(node), gates.second(node)}) {
        const std::size_t j = at.at(node_of(l));
        below_[i].push_back({j, above_[j].size()});
        above_[j].push_back({i, 0});
      }
    }
    for (const Lit root : question.roots) {
      if (!is_constant(root)) is_root_[at.at(node_of(root))] = 1;
    }
  }

  std::optional<std::vector<std::uint32_t>> cut(int most, bool is_high) {
    int ways = 0;
    while (measure()) {
      for (std::size_t i = 0; i < cone_.size(); ++i) {
        if (is_leaf_[i] != 0 && add_way(2 * i) && ++ways > most) return std::nullopt;
      }
    }
    const std::vector<char> low = is_high ? leading_up() : reached();
    std::vector<std::uint32_t> nodes;  // low at their in and not at their out
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      if (low[2 * i] != 0 && low[2 * i + 1] == 0) nodes.push_back(cone_[i]);
    }
    return nodes;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Above {
    std::size_t to;
    int flow;
  };
  struct Below {
    std::size_t from, edge;  // of those above it
  };

  // In is 2 i, out 2 i + 1. From each of these, along what is free and back along what is used: its own other half is
  // step 0.
  std::size_t steps(std::size_t at) const { return 1 + (at % 2 == 0 ? below_[at / 2].size() : above_[at / 2].size()); }

  std::size_t along(std::size_t at, std::size_t step) const {
    const std::size_t i = at / 2;
    if (at % 2 != 0) return step != 0 ? 2 * above_[i][step - 1].to : used_[i] != 0 ? 2 * i : none;
    if (step == 0) return used_[i] == 0 || may_cut_[i] == 0 ? 2 * i + 1 : none;
    const Below& below = below_[i][step - 1];
    return above_[below.from][below.edge].flow > 0 ? 2 * below.from + 1 : none;
  }

  void take(std::size_t at, std::size_t step) {
    const std::size_t i = at / 2;
    if (step == 0) {
      used_[i] += at % 2 == 0 ? 1 : -1;
    } else if (at % 2 != 0) {
      ++above_[i][step - 1].flow;
    } else {
      const Below& below = below_[i][step - 1];
      --above_[below.from][below.edge].flow;
    }
  }

  bool is_end(std::size_t at) const { return at % 2 != 0 && is_root_[at / 2] != 0; }

  // How many steps each is from the inputs' ins; whether a root is reached.
  bool measure() {
    distance_.assign(2 * cone_.size(), none);
    next_.assign(2 * cone_.size(), 0);
    std::queue<std::size_t> open;
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      if (is_leaf_[i] == 0) continue;
      distance_[2 * i] = 0;
      open.push(2 * i);
    }
    std::size_t shortest = none;
    while (!open.empty() && distance_[open.front()] < shortest) {
      const std::size_t at = open.front();
      open.pop();
      if (is_end(at)) {
        shortest = distance_[at];
        continue;
      }
      for (std::size_t step = 0; step < steps(at); ++step) {
        const std::size_t to = along(at, step);
        if (to == none || distance_[to] != none) continue;
        distance_[to] = distance_[at] + 1;
        open.push(to);
      }
    }
    return shortest != none;
  }

  // One of the shortest ways from here to a root, if one is left. What leads nowhere is not tried again.
  bool add_way(std::size_t from) {
    std::vector<std::size_t> way{from};
    while (!way.empty()) {
      const std::size_t at = way.back();
      if (is_end(at)) {
        for (std::size_t n = 0; n + 1 < way.size(); ++n) take(way[n], next_[way[n]]);
        return true;
      }
      const auto leads_on = [&](std::size_t step) {
        const std::size_t to = along(at, step);
        return to != none && distance_[to] == distance_[at] + 1;
      };
      while (next_[at] < steps(at) && !leads_on(next_[at])) ++next_[at];
      if (next_[at] < steps(at)) {
        way.push_back(along(at, next_[at]));
        continue;
      }
      distance_[at] = none;
      way.pop_back();
    }
    return false;
  }

  // What the last search came to from the leaves.
  std::vector<char> reached() const {
    std::vector<char> low;
    for (const std::size_t distance : distance_) low.push_back(distance != none ? 1 : 0);
    return low;
  }

  // All from which no search would come to a root.
  std::vector<char> leading_up() const {
    std::vector<char> low(2 * cone_.size(), 1);
    std::queue<std::size_t> open;
    const auto reach = [&](std::size_t at) {
      if (low[at] == 0) return;
      low[at] = 0;
      open.push(at);
    };
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      if (is_root_[i] != 0) reach(2 * i + 1);
    }
    while (!open.empty()) {
      const std::size_t at = open.front(), i = at / 2;
      open.pop();
      if (at % 2 == 0) {
        for (const Below& below : below_[i]) reach(2 * below.from + 1);
        if (used_[i] != 0) reach(2 * i + 1);
        continue;
      }
      if (used_[i] == 0 || may_cut_[i] == 0) reach(2 * i);
      for (const Above& above : above_[i]) {
        if (above.flow > 0) reach(2 * above.to);
      }
    }
    return low;
  }

  std::vector<std::uint32_t> cone_;
  std::vector<std::vector<Above>> above_;
  std::vector<std::vector<Below>> below_;
  std::vector<int> used_;
  std::vector<char> is_root_, is_leaf_, may_cut_;
  std::vector<std::size_t> distance_, next_;  // next_: the step that is tried
};

// Words of 64 values: bits 0 to 5 of a value's number change within a word.
constexpr std::uint64_t within[6] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                     0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
constexpr int block_bits = 4;  // words at once
constexpr std::size_t block = std::size_t{1} << block_bits;

struct Row {
  std::uint32_t x, y;
  std::uint64_t turns_x, turns_y;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> smallest_cut(const Gates& gates, const CutQuestion& question, int most) {
  return Flow(gates, question).cut(most, question.is_high);
}

std::optional<std::vector<std::uint32_t>> smallest_cut(const Gates& gates, const std::vector<Lit>& x,
                                                       const std::vector<Lit>& y, int most) {
  const std::vector<std::uint32_t> of_x = cone_of(gates, x), of_y = cone_of(gates, y);
  std::unordered_set<std::uint32_t> common;
  std::set_intersection(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(), std::inserter(common, common.end()));
  const auto may_cut = [&](std::uint32_t node) { return common.count(node) != 0; };
  return smallest_cut(gates, {joined(x, y), may_cut, [](std::uint32_t) { return false; }, false}, most);
}

std::vector<std::uint64_t> all_values(const Gates& gates, Lit root, const std::vector<std::uint32_t>& leaves,
                                      std::size_t most, const std::function<bool()>& goes_on) {
  std::unordered_map<std::uint32_t, std::uint32_t> at;
  for (const std::uint32_t leaf : leaves) at.emplace(leaf, static_cast<std::uint32_t>(at.size()));
  const auto is_leaf = [&](std::uint32_t node) { return at.count(node) != 0; };
  std::vector<Row> rows;
  for (const std::uint32_t node : cone_of(gates, {root}, is_leaf)) {
    if (is_leaf(node)) continue;
    const Lit x = gates.first(node), y = gates.second(node);
    const auto turn = [](Lit l) { return is_inverted(l) ? ~std::uint64_t{0} : 0; };
    rows.push_back({at.at(node_of(x)), at.at(node_of(y)), turn(x), turn(y)});
    at.emplace(node, static_cast<std::uint32_t>(at.size()));
  }
  const int bits = static_cast<int>(leaves.size());
  std::vector<std::uint64_t> words((leaves.size() + rows.size()) * block, 0);
  std::vector<std::uint64_t> found;
  const std::uint64_t total = bits > 6 ? std::uint64_t{1} << (bits - 6) : 1;
  const std::uint64_t* result = words.data() + at.at(node_of(root)) * block;
  const std::uint64_t turned = is_inverted(root) ? ~std::uint64_t{0} : 0;
  const std::uint64_t last = bits >= 6 ? ~std::uint64_t{0} : (std::uint64_t{1} << (1 << bits)) - 1;
  for (std::uint64_t first = 0; first < total && found.size() < most; first += block) {
    if (first % (block << 10) == 0 && goes_on && !goes_on()) return {~std::uint64_t{0}};
    for (int i = 0; i < bits; ++i) {
      for (std::size_t w = 0; w < block; ++w)
        words[static_cast<std::size_t>(i) * block + w] = i < 6                               ? within[i]
                                                         : ((first + w) >> (i - 6) & 1) != 0 ? ~std::uint64_t{0}
                                                                                             : 0;
    }
    std::uint64_t* to = words.data() + leaves.size() * block;
    for (const Row& row : rows) {
      const std::uint64_t *x = words.data() + row.x * block, *y = words.data() + row.y * block;
      for (std::size_t w = 0; w < block; ++w) to[w] = (x[w] ^ row.turns_x) & (y[w] ^ row.turns_y);
      to += block;
    }
    for (std::size_t w = 0; w < block && first + w < total; ++w) {
      std::uint64_t ones = (result[w] ^ turned) & last;
      for (; ones != 0 && found.size() < most; ones &= ones - 1)
        found.push_back((first + w) << 6 | static_cast<std::uint64_t>(__builtin_ctzll(ones)));
    }
  }
  return found;
}

}  // namespace assay
