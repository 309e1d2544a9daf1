#include "tb/identify/questions.hpp"

#include <algorithm>
#include <cmath>

#include "tb/generate/generator.hpp"
#include "tb/generate/random.hpp"
#include "tb/identify/results.hpp"
#include "tb/probe/addends.hpp"

namespace assay::identify {
namespace {

constexpr std::size_t cases_an_aim = 40;       // candidates whose own edges are aimed at: one for so many cases
constexpr std::size_t most_results = 300'000;  // of one pool: a second

// Candidates spread over the list, the best first.
std::vector<const Plan*> aims(const VersionSpace& space, std::size_t most) {
  const std::vector<DatapathCandidate>& all = space.candidates();
  std::vector<const Plan*> plans;
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 0; i < count; ++i) plans.push_back(all[i * all.size() / count].plan.get());
  return plans;
}

bool has_nans(const Format& f) { return f.nan == NanCodes::ieee && f.has_infinity && f.mantissa_bits > 1; }

// Of either sign, quiet or signalling, with any payload.
Code any_nan(const Format& format, Code otherwise, Draws& draws) {
  if (!has_nans(format)) return otherwise;
  const Code payload = 1 + draws.below((Code{1} << format.mantissa_bits) - 1);
  return format.stored(format.infinity() | payload | (draws.coin() ? format.sign_bit() : 0));
}

Code minus_zero(const Format& format) { return format.has_signed_zero ? format.stored(format.sign_bit()) : 0; }

Code shortened(const Format& format, Code code, Draws& draws) {
  const auto bits = static_cast<std::uint64_t>(format.is_integer() ? 0 : format.mantissa_bits);
  return code & ~format.stored((Code{1} << draws.below(bits + 1)) - 1);
}

// Significands of a few bits: their products end where a result does, or half way behind it.
void shorten(Case& c, const Plan& asked, Draws& draws) {
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    c.a[i] = shortened(asked.a, c.a[i], draws);
    c.b[i] = shortened(asked.b, c.b[i], draws);
  }
  c.c = shortened(asked.c, c.c, draws);
}

// A number near 1 of either sign; any code of a list.
Code ordinary(const Format& format, Draws& draws) {
  constexpr int most_away = 3;
  if (format.is_list()) return draws.below(Code{1} << format.stored_bits);
  const bool minus = format.has_sign && draws.coin();
  if (format.is_integer()) {
    const Code magnitude = 1 + draws.below((Code{1} << (format.used_bits() / 2)) - 1);
    return format.stored(!minus                  ? magnitude
                         : format.sign_magnitude ? magnitude | format.sign_bit()
                                                 : -magnitude) &
           ((Code{2} << (format.stored_bits - 1)) - 1);
  }
  const int field = std::clamp(format.bias + draws.between(-most_away, most_away), format.has_zero ? 1 : 0,
                               format.greatest_exponent_field());
  const Code mantissa = format.mantissa_bits == 0 ? 0 : draws.below(Code{1} << format.mantissa_bits);
  return format.stored((static_cast<Code>(field) << format.mantissa_bits) | mantissa | (minus ? format.sign_bit() : 0));
}

void make_ordinary(Case& c, const Plan& asked, Draws& draws) {
  for (Code& code : c.a) code = ordinary(asked.a, draws);
  for (Code& code : c.b) code = ordinary(asked.b, draws);
  c.c = ordinary(asked.c, draws);
}

// All addends but so many become zero. Beside -0 the sign of another zero shows.
void keep_some(Case& c, const Plan& asked, const SimpleCase& simple, Draws& draws) {
  const auto k = static_cast<std::size_t>(asked.k);
  std::vector<std::size_t> there;  // c is the last
  for (std::size_t i = 0; i < k && simple.of != SimpleCase::Addends::c; ++i) {
    if (c.a[i] != 0 && c.b[i] != 0) there.push_back(i);
  }
  if (c.c != 0 && simple.of != SimpleCase::Addends::products) there.push_back(k);
  std::vector<char> left(k + 1, 0);
  for (int n = 0; n < simple.addends && !there.empty(); ++n)
    left[there[draws.below(4) == 0 ? there.size() - 1 : draws.below(there.size())]] = 1;
  const bool minus = draws.coin();
  for (std::size_t i = 0; i < k; ++i) {
    if (left[i] == 0) c.a[i] = minus ? minus_zero(asked.a) : 0, c.b[i] = 0;
  }
  if (left[k] == 0) c.c = minus ? minus_zero(asked.c) : 0;
}

}  // namespace

std::vector<Case> cases_of_order(const Plan& asked, OrderOf which, std::uint64_t round) {
  std::vector<Case> cases;
  if (asked.d.is_integer() || asked.a.is_integer()) return cases;
  const probe::Workbench bench(asked);
  const std::vector<int>& addends = bench.free_addends();
  const auto count = addends.size();
  const Exponents powers = bench.powers();
  for (std::uint64_t number = 0; number < 60; ++number) {
    Draws draws = Random{round, number}.at(Part::choice);
    const auto one = draws.below(count);
    // As far apart as a power of two, or any other.
    const auto other = draws.coin() ? one ^ (std::uint64_t{1} << draws.below(6)) : draws.below(count);
    const auto second = number % 3 == 0 ? count - 1 : other;
    if (second >= count || one == second) continue;
    probe::Addends numbers;
    const int least = powers.least + static_cast<int>(draws.below(4));
    for (std::size_t i = 0; i < count; ++i)
      numbers[addends[i]] = probe::power(std::min(least + static_cast<int>(i), powers.greatest - 1));
    // Now and then the small ones lie at the edge of what a sum keeps.
    if (which == OrderOf::edges_too && number % 2 == 1) {
      for (std::size_t i = 0; i < count; ++i) {
        const int down = draws.between(1, std::min(60, powers.greatest - powers.least));
        numbers[addends[i]] = probe::Value{draws.coin() ? 1 : -1, powers.greatest - down};
      }
    }
    numbers[addends[one]] = probe::power(powers.greatest);
    numbers[addends[second]] = probe::minus(probe::power(powers.greatest));
    if (auto made = bench.with(numbers)) cases.push_back(std::move(*made));
  }
  return cases;
}

std::vector<Case> cases_of_nans(const Plan& asked, std::size_t cases, std::uint64_t round) {
  std::vector<Case> made;
  if (!has_nans(asked.a) && !has_nans(asked.b) && !has_nans(asked.c)) return made;
  const Generator generator(asked, round);
  const auto k = static_cast<std::size_t>(asked.k);
  for (std::uint64_t number = 0; number < cases; ++number) {
    Case c = generator.make(number);
    Draws draws = Random{round, number}.at(Part::noise);
    for (std::uint64_t n = 0, count = 2 + draws.below(3); n < count; ++n) {
      const std::size_t i = draws.below(std::min<std::size_t>(k, draws.coin() ? 4 : k));
      switch (draws.below(4)) {
        case 0: c.a[i] = any_nan(asked.a, c.a[i], draws); break;
        case 1: c.b[i] = any_nan(asked.b, c.b[i], draws); break;
        case 2: c.c = any_nan(asked.c, c.c, draws); break;
        default:  // NaN where the product is made
          if (asked.a.has_infinity && asked.b.has_zero) c.a[i] = asked.a.stored(asked.a.infinity()), c.b[i] = 0;
      }
    }
    made.push_back(std::move(c));
  }
  return made;
}

std::vector<Case> simple_cases(const VersionSpace& space, const Plan& asked, const SimpleCase& simple,
                               std::size_t cases, std::uint64_t round) {
  std::vector<Case> made;
  if (!asked.a.has_zero || !asked.b.has_zero) return made;
  const std::vector<const Plan*> plans = aims(space, cases / cases_an_aim + 1);
  for (std::uint64_t number = 0; number < cases; ++number) {
    Case c = Generator(*plans[number % plans.size()], round).make(number);
    Draws draws = Random{round, number}.at(Part::choice);
    if (simple.ordinary) make_ordinary(c, asked, draws);
    keep_some(c, asked, simple, draws);
    if (draws.coin()) shorten(c, asked, draws);
    made.push_back(std::move(c));
  }
  return made;
}

std::vector<Case> aimed_cases(const VersionSpace& space, const Plan& asked, std::size_t cases, std::uint64_t round) {
  cases = std::min(cases, most_results / std::max<std::size_t>(1, space.candidates().size()));
  std::vector<Case> made = cases_of_order(asked, OrderOf::edges_too, round);
  const std::vector<const Plan*> plans = aims(space, cases / cases_an_aim + 1);
  for (std::size_t p = 0; p < plans.size(); ++p) {
    const Generator generator(*plans[p], round);
    const std::size_t share = p == 0 ? cases / 2 : cases / (2 * plans.size());
    for (std::size_t i = 0; i < share; ++i) made.push_back(generator.make(p * share + i));
  }
  return made;
}

Pool::Pool(const VersionSpace& space, std::vector<Case> cases)
    : candidates_(space.candidates().size()), cases_(std::move(cases)), taken_(cases_.size(), false) {
  std::vector<std::shared_ptr<const Plan>> plans;
  for (const DatapathCandidate& c : space.candidates()) plans.push_back(c.plan);
  results_ = results_of(plans, operands_of(cases_), space.threads());
}

std::optional<Pool::Choice> Pool::best(const std::vector<double>& alive) const {
  std::optional<Choice> found;
  std::vector<std::pair<Code, double>> groups;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (taken_[i]) continue;
    groups.clear();
    for (std::size_t c = 0; c < candidates_; ++c) {
      if (alive[c] > 0) groups.emplace_back(result(i, c), alive[c]);
    }
    std::sort(groups.begin(), groups.end());
    double total = 0, sum = 0, weight = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      weight += groups[g].second;
      total += groups[g].second;
      if (g + 1 < groups.size() && groups[g + 1].first == groups[g].first) continue;
      sum += weight * std::log2(weight);
      weight = 0;
    }
    const double bits = total > 0 ? std::log2(total) - sum / total : 0;
    if (bits > 1e-9 && (!found || bits > found->bits)) found = Choice{i, bits};
  }
  return found;
}

}  // namespace assay::identify
