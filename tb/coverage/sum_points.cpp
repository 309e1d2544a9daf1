#include "tb/coverage/sum_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>

#include "model/core/align.hpp"

namespace assay {
namespace {

// Bits that the sum's results keep: what makes the depths and distances of an exact sum worth telling apart.
int kept_bits(const AdderPlan& adder) {
  if (adder.results.empty()) return 24;
  const ResultPlan& first = adder.results.front();
  if (first.words.at != ResultAt::format) return first.words.keep;
  return first.format.is_integer() ? first.format.stored_bits : first.format.mantissa_bits;
}

// The highest one of a two's complement number's magnitude; -1 of zero.
int top_bit(const Bits& bits, int skipped) {
  const int width = bits.width - skipped;
  if (width <= 0) return -1;
  const bool negative = bits.bit(bits.width - 1);
  if (width <= 128) {
    u128 value = bits.field(skipped, width);
    if (negative) value = -(value | ~low_mask(width));
    return bit_length(value) - 1;
  }
  // -x = ~x + 1: its leading one is that of ~x, one higher where all below are ones.
  int top = bits.width - 1;
  while (top >= skipped && bits.bit(top) == negative) --top;
  if (!negative) return top < skipped ? -1 : top - skipped;
  int ones = top;  // of ~x: zeros of x
  while (ones >= skipped && !bits.bit(ones)) --ones;
  return (ones < skipped ? top + 1 : top) - skipped;
}

std::vector<const Port*> alive(const std::vector<Port>& ports) {
  std::vector<const Port*> found;
  for (const Port& port : ports) {
    if (!port.extent.always_zero) found.push_back(&port);
  }
  return found;
}

const std::vector<Port>& widest_sum(const AdderReach& adder) {
  return *std::max_element(adder.sums.begin(), adder.sums.end(),
                           [](const auto& x, const auto& y) { return alive(x).size() < alive(y).size(); });
}

std::string why_not_shifted(const WindowReach& reach, int distance) {
  if (distance > reach.greatest)
    return fmt::format("The window is at most {} above the least exponent of this item.", reach.greatest);
  if (distance < reach.least) {
    return fmt::format("The window stays at least {} above the greatest exponent of this item.", reach.least);
  }
  return "";
}

}  // namespace

SumSample sample(const Trace& trace, const SumSite& site) {
  SumSample s{site, trace, trace.items(site.window)};
  s.window = static_cast<int>(trace.signed_field(site.window, "exponent"));
  for (int i = 0; i < site.items(); ++i) s.addend_top = std::max(s.addend_top, top_bit(trace.at(site.align(i)), 0));
  s.sum_top = top_bit(trace.at(site.reduce), site.adder->has_sticky() ? 1 : 0);
  return s;
}

// --- shifts ---

ShiftPoint::ShiftPoint(const AdderReach& adder, std::size_t from, std::size_t to, const std::string& name)
    : from_(from), to_(to) {
  point_.name = name;
  point_.about = "distance below the window";
  const Window& window = adder.adder->window;
  WindowReach all{INT_MAX, INT_MIN};
  for (const std::vector<Port>& ports : adder.sums) {
    for (std::size_t i = from; i < to; ++i) {
      const WindowReach reach = shift_distances(ports, i, window);
      all = {std::min(all.least, reach.least), std::max(all.greatest, reach.greatest)};
      last_ = std::max(last_, ports[i].words->keep.value_or(kept_bits(*adder.adder)) + 3);
    }
  }
  if (window.exponent == WindowExponent::fixed) {
    first_ = std::clamp(all.least, -last_, last_);
    last_ = std::clamp(all.greatest, first_, last_);
  }
  for (const std::vector<Port>& ports : adder.sums) {
    for (std::size_t i = from; i < to; ++i) add_item(ports, i, window);
  }
}

void ShiftPoint::add_item(const std::vector<Port>& ports, std::size_t port, const Window& window) {
  const Port& item = ports[port];
  const WindowReach reach = shift_distances(ports, port, window);
  const std::string never = item.extent.always_zero ? "This item is always zero." : "";
  const ShiftGrid grid = shift_grid(ports, port, window);
  for (int distance = first_; distance <= last_; ++distance) {
    // What lies further above a fixed window counts with the first.
    const int nearest = distance == first_ ? std::min(distance, reach.greatest) : distance;
    std::string why = never.empty() ? why_not_shifted(reach, nearest) : never;
    if (why.empty() && !grid.has(nearest))
      why = fmt::format("Exponents lie on a grid here: these distances are {} apart.", grid.apart);
    point_.bins.push_back({fmt::format("{} by {}", item.name, distance), why});
  }
  std::string beyond = never;
  if (never.empty() && reach.greatest <= last_) beyond = why_not_shifted(reach, reach.greatest + 1);
  point_.bins.push_back({item.name + " beyond", beyond});
  point_.bins.push_back({item.name + " is zero", ""});
}

void ShiftPoint::see(const SumSample& sum) {
  const auto index = static_cast<std::size_t>(sum.site.index);
  for (std::size_t i = from_; i < to_; ++i) {
    const Number& n = sum.items[i];
    // A zero may have no exponent at all.
    const int place = n.is_zero() ? last_ + 2 : std::clamp(sum.window - n.exponent, first_, last_ + 1);
    const std::size_t item = index * (to_ - from_) + i - from_;
    ++point_.bins[item * bins_of_an_item() + static_cast<std::size_t>(place - first_)].count;
  }
}

// --- owners ---

namespace {

constexpr std::array<const char*, 4> shared{"two items alike", "three or more alike", "the floor",
                                            "none: no item has an exponent"};

std::string why_never_alone(const std::vector<Port>& ports, std::size_t own, const Window& window) {
  const Port& port = ports[own];
  if (!port.counts()) return "This item is always zero and counts with no exponent.";
  const int greatest = port.greatest_counted();
  if (window.floor && greatest + window.raise < *window.floor)
    return "Every exponent of this item lies below the floor.";
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (i != own && ports[i].always_counts() && ports[i].least_counted() >= greatest)
      return fmt::format("{} always counts with an exponent as great or greater.", ports[i].name);
  }
  return "";
}

// The most items that can have one exponent, at the floor or above.
int most_alike(const std::vector<Port>& ports, const Window& window) {
  int most = 0;
  for (const Port& at : ports) {
    if (!at.counts()) continue;
    const int exponent = window.floor ? std::max(at.least_counted(), *window.floor - window.raise) : at.least_counted();
    most = std::max(most, static_cast<int>(std::count_if(ports.begin(), ports.end(), [&](const Port& p) {
                      return p.counts() && p.least_counted() <= exponent && exponent <= p.greatest_counted();
                    })));
  }
  return most;
}

// Why the window of a sum is never decided so, in the order of `shared`.
std::array<std::string, 4> why_never_shared(const std::vector<Port>& ports, const Window& window) {
  std::array<std::string, 4> why;
  const int alike = most_alike(ports, window);
  if (alike < 2) why[0] = "No two items can have the same exponent there.";
  if (alike < 3) why[1] = "No three items can have the same exponent there.";
  const std::optional<WindowReach> largest = largest_exponents(ports);
  if (!window.floor) {
    why[2] = "This window has no floor.";
  } else if (!largest || largest->least + window.raise >= *window.floor) {
    why[2] = fmt::format("The floor of {} never binds: every exponent is greater or the same.", *window.floor);
  }
  if (std::any_of(ports.begin(), ports.end(), [](const Port& p) { return p.always_counts(); }))
    why[3] = "A zero counts with an exponent here.";
  return why;
}

}  // namespace

OwnerPoint::OwnerPoint(const AdderReach& adder) {
  point_.name = adder.name + ".owner";
  point_.about = "whose exponent counts";
  const Window& window = adder.adder->window;
  ports_ = adder.sums.front().size();
  std::array<std::string, 4> why;
  for (const std::vector<Port>& ports : adder.sums) {
    const bool first = &ports == &adder.sums.front();
    const auto never = why_never_shared(ports, window);
    for (std::size_t i = 0; i < why.size(); ++i) {
      if (first || never[i].empty()) why[i] = never[i];
    }
    for (std::size_t i = 0; i < ports.size(); ++i)
      point_.bins.push_back({ports[i].name, why_never_alone(ports, i, window)});
  }
  owners_ = point_.bins.size();
  for (std::size_t i = 0; i < shared.size(); ++i) point_.bins.push_back({shared[i], why[i]});
  if (window.lost_at) point_.bins.push_back({"lost: the window lies low", ""});
}

void OwnerPoint::see(const SumSample& sum) {
  int largest = Number::no_exponent;
  std::size_t owner = 0, alike = 0;
  for (std::size_t i = 0; i < sum.items.size() && i < ports_; ++i) {
    const int exponent = exponent_counted(sum.items[i], *sum.site.inputs[i]);
    if (exponent == Number::no_exponent || exponent < largest) continue;
    alike = exponent == largest ? alike + 1 : 1;
    largest = exponent;
    owner = i;
  }
  const Window& window = sum.site.adder->window;
  std::size_t bin = static_cast<std::size_t>(sum.site.index) * ports_ + owner;
  WindowFinder finder(window);
  for (std::size_t i = 0; i < sum.items.size(); ++i) finder.see(sum.items[i], *sum.site.inputs[i]);
  if (largest == Number::no_exponent) {
    bin = owners_ + 3;
  } else if (finder.empty()) {
    bin = owners_ + 4;
  } else if (window.floor && largest + window.raise < *window.floor) {
    bin = owners_ + 2;
  } else if (alike > 1) {
    bin = owners_ + (alike == 2 ? 0 : 1);
  }
  ++point_.bins[bin].count;
}

// --- cancellation ---

namespace {

// How deep two numbers can cancel that have at most so many bits each: the smaller one's last bit weighs at least half
// as much as if it had the larger one's exponent.
std::optional<int> deepest_of_two(const std::vector<Port>& ports) {
  const std::vector<const Port*> two = alive(ports);
  if (two.size() < 2) return 0;
  if (two.size() > 2) return std::nullopt;
  return std::max(two[0]->extent.bits, two[1]->extent.bits);
}

// How deep a sum can cancel of which one number may be far wider than all others together: where it is, they take one
// or two of its leading bits; else no leading one lies higher than theirs, and the last bit of all is left.
std::optional<int> deepest_beside_others(const std::vector<Port>& ports) {
  int top = INT_MIN, low = INT_MAX, others = INT_MIN;
  for (const Port* port : alive(ports)) {
    if (port->words->keep) return std::nullopt;
    others = std::max(others, std::min(top, port->extent.top));
    top = std::max(top, port->extent.top);
    low = std::min(low, port->extent.low);
  }
  const int carried = ceil_log2(static_cast<int>(alive(ports).size()) - 1);
  return std::max(2, others + carried + 1 - low);
}

// Integers alone, and what else has one grid for all sums.
std::string why_no_deeper_than_others(const AdderReach& adder, int depth) {
  int deepest = 0;
  for (const std::vector<Port>& ports : adder.sums) {
    if (alive(ports).size() < 2) continue;
    const std::optional<int> limit = deepest_beside_others(ports);
    if (!limit || *limit >= depth) return "";
    deepest = std::max(deepest, *limit);
  }
  if (deepest == 0) return "";  // one term alone
  return fmt::format("All terms but the widest together have too few bits to take away more than {}.", deepest);
}

std::string why_no_deeper(const AdderReach& adder, int depth) {
  if (adder.adder->sum.fixed_quantum) {
    const std::string why = why_no_deeper_than_others(adder, depth);
    if (!why.empty()) return why;
  }
  int deepest = 0;
  for (const std::vector<Port>& ports : adder.sums) {
    const std::optional<int> limit = deepest_of_two(ports);
    if (!limit || *limit >= depth) return "";
    deepest = std::max(deepest, *limit);
  }
  if (deepest == 0) return "One term has nothing to cancel with.";
  return fmt::format("Two numbers of at most {} bits cancel no deeper than that or not at all.", deepest);
}

}  // namespace

CancellationPoint::CancellationPoint(const AdderReach& adder) {
  point_.name = adder.name + ".cancellation";
  point_.about = "leading bits cancelled";
  const AdderPlan& a = *adder.adder;
  const int deepest = a.sum.align_width - 2;
  last_ = a.sum.fixed_quantum ? std::min(deepest, kept_bits(a) + 3) : deepest;
  for (int depth = 0; depth <= last_; ++depth)
    point_.bins.push_back({fmt::format("{}", depth), why_no_deeper(adder, depth)});
  const std::string deeper = deepest <= last_ ? "The addends have no more bits." : why_no_deeper(adder, last_ + 1);
  point_.bins.push_back({"deeper", deeper});
  point_.bins.push_back({"all of it: zero", alive(widest_sum(adder)).size() < 2 ? why_no_deeper(adder, 1) : ""});
}

void CancellationPoint::see(const SumSample& sum) {
  if (sum.addend_top < 0) return;
  const int depth = std::max(0, sum.addend_top - sum.sum_top);
  const int bin = sum.sum_top < 0 ? last_ + 2 : std::min(depth, last_ + 1);
  ++point_.bins[static_cast<std::size_t>(bin)].count;
}

// --- carries ---

namespace {

std::string why_no_carry_of(const std::vector<Port>& ports, int bits) {
  double together = 0;
  bool attained = true;
  int terms = 0;
  for (const Port* port : alive(ports)) {
    const bool grows = port->words->keep && (port->words->cut != Cut::toward_zero || !port->words->again.empty());
    const double fullest = grows ? 1 : port->extent.fullest;
    together += fullest;
    attained = attained && fullest < 1;
    ++terms;
  }
  const double needed = static_cast<double>(u128{1} << (bits - 1));
  if (attained ? together >= needed : together > needed) return "";
  return fmt::format("{} {} come to at most {:.4g} times the power of two above the widest; {:.0f} are needed.", terms,
                     terms == 1 ? "term" : "terms", together, needed);
}

std::string why_no_carry(const AdderReach& adder, int bits) {
  std::string why;
  for (const std::vector<Port>& ports : adder.sums) {
    why = why_no_carry_of(ports, bits);
    if (why.empty()) break;
  }
  return why;
}

}  // namespace

CarryPoint::CarryPoint(const AdderReach& adder) {
  point_.name = adder.name + ".carry";
  point_.about = "bits carried above terms";
  const SumPlan& s = adder.adder->sum;
  point_.bins.push_back({"0", ""});
  for (int bits = 1; bits <= s.sum_width - s.align_width; ++bits)
    point_.bins.push_back({fmt::format("{}", bits), why_no_carry(adder, bits)});
}

void CarryPoint::see(const SumSample& sum) {
  if (sum.addend_top < 0) return;
  ++point_.bins[static_cast<std::size_t>(std::max(0, sum.sum_top - sum.addend_top))].count;
}

}  // namespace assay
