#include "tb/explore/exact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/core/decode.hpp"
#include "model/core/round.hpp"
#include "tb/explore/real.hpp"

namespace assay {
namespace {

constexpr int most_value_bits = 62;  // of an int64
constexpr int most_sum_bits = 126;   // of an i128
constexpr int number_bits = 120;     // of a sum that goes on as a Number, the last of them sticky

// An element as (-1)^negative x magnitude x 2^quantum, its scale included.
struct Element {
  std::int64_t value = 0;
  int quantum = 0;
};

struct Elements {
  std::vector<Element> of;
  int quantum = 0;  // the least of any element ...
  int top = 0;      // ... and 2^top is above all of them
};

Element element_of(const Number& n, const Number& scale) {
  const auto magnitude = static_cast<std::int64_t>(n.magnitude * scale.magnitude);
  return {n.negative ? -magnitude : magnitude, n.quantum + scale.quantum};
}

// Without the zeros that end it, so that quanta say no more than they must.
Element shortened(Element e) {
  if (e.value == 0) return {};
  const int zeros = __builtin_ctzll(static_cast<std::uint64_t>(e.value));
  return {e.value >> zeros, e.quantum + zeros};
}

int top_of(const Element& e) {
  return e.quantum + bit_length(static_cast<std::uint64_t>(e.value < 0 ? -e.value : e.value));
}

void find_range(Elements& elements) {
  bool found = false;
  for (const Element& e : elements.of) {
    if (e.value == 0) continue;
    elements.quantum = found ? std::min(elements.quantum, e.quantum) : e.quantum;
    elements.top = found ? std::max(elements.top, top_of(e)) : top_of(e);
    found = true;
  }
}

Number one() {
  Number n;
  n.magnitude = 1;
  return n;
}

Elements elements_of(const CodeMatrix& codes, const Format& format, const CodeMatrix& scales,
                     const OperandFormats& formats) {
  const Decoder decode(format, Subnormals::keep, Specials::step);
  Elements elements;
  elements.of.reserve(static_cast<std::size_t>(codes.rows()) * static_cast<std::size_t>(codes.columns()));
  Number scale = one();
  for (int i = 0; i < codes.rows(); ++i) {
    for (int j = 0; j < codes.columns(); ++j) {
      if (scales.columns() != 0 && j % formats.scale_block == 0)
        scale = assay::decode(scales.view().get(i, j / formats.scale_block), *formats.scale, Subnormals::keep,
                              Specials::step);
      elements.of.push_back(shortened(element_of(decode(codes.view().get(i, j)), scale)));
    }
  }
  find_range(elements);
  return elements;
}

Elements elements_of(const std::vector<double>& values, double times) {
  Elements elements;
  elements.of.reserve(values.size());
  for (const double x : values) elements.of.push_back(shortened(element_of(number_of(x * times), one())));
  find_range(elements);
  return elements;
}

// The values of a matrix in units of its least quantum.
std::vector<std::int64_t> in_units(const Elements& elements) {
  std::vector<std::int64_t> units;
  units.reserve(elements.of.size());
  for (const Element& e : elements.of)
    units.push_back(e.value == 0 ? 0 : e.value * (std::int64_t{1} << (e.quantum - elements.quantum)));
  return units;
}

// --- sums as they leave their register ---

struct SignMagnitude {
  Number head, tail;  // of 53 bits each
  Number whole;       // of number_bits, sticky
};

template <int Words>
Number top_bits(const Wide<Words>& magnitude, bool negative, int quantum) {
  Number n;
  n.negative = negative;
  const int length = magnitude.bit_length();
  const int below = std::max(0, length - number_bits);
  n.magnitude = (magnitude.window(below) & low_mask(number_bits)) << 1 | (magnitude.any_below(below) ? 1 : 0);
  n.quantum = quantum + below - 1;
  return n;
}

u128 magnitude_of(i128 sum) { return sum < 0 ? -static_cast<u128>(sum) : static_cast<u128>(sum); }

Number number_in(i128 sum, int quantum) {
  Number n;
  n.negative = sum < 0;
  n.magnitude = magnitude_of(sum);
  n.quantum = quantum;
  return n;
}

template <int Words>
Number number_in(const Wide<Words>& sum, int quantum) {
  return top_bits(sum.negative() ? -sum : sum, sum.negative(), quantum);
}

// The nearest number of 53 bits.
Number nearest_53(const Number& n) {
  return n.magnitude == 0 ? n : round_at_leading_one(n, 52, Cut::nearest_even, std::nullopt);
}

// sum - n, of which every bit has a place in the register.
i128 less(i128 sum, const Number& n, int quantum) {
  const int distance = n.quantum - quantum;
  const u128 part = distance >= 0 ? shift_left(n.magnitude, distance) : shift_right(n.magnitude, -distance);
  return n.negative ? sum + static_cast<i128>(part) : sum - static_cast<i128>(part);
}

template <int Words>
Wide<Words> less(Wide<Words> sum, const Number& n, int quantum) {
  const int distance = n.quantum - quantum;
  const auto part = distance >= 0 ? Wide<Words>::shifted(n.magnitude, distance)
                                  : Wide<Words>::shifted(shift_right(n.magnitude, -distance), 0);
  sum += n.negative ? part : -part;
  return sum;
}

class Output {
 public:
  Output(std::size_t elements, const std::vector<Format>& results) : results_(results) {
    product_.head.reserve(elements);
    product_.tail.reserve(elements);
    for (const Format& f : results) product_.rounded[f.name].reserve(elements);
  }

  // sum x 2^quantum
  template <class Register>
  void add(const Register& sum, int quantum) {
    const Number whole = number_in(sum, quantum);
    const Number head = nearest_53(whole);
    product_.head.push_back(value_of(head));
    product_.tail.push_back(value_of(nearest_53(number_in(less(sum, head, quantum), quantum))));
    for (const Format& f : results_) product_.rounded[f.name].push_back(nearest_code(whole, f));
  }

  ExactProduct take() { return std::move(product_); }

 private:
  const std::vector<Format>& results_;
  ExactProduct product_;
};

i128 dot(const std::int64_t* a, const std::int64_t* b, int k) {
  i128 sum = 0;
  for (int i = 0; i < k; ++i) sum += static_cast<i128>(a[i]) * b[i];
  return sum;
}

struct Factors {
  Elements a, b, c;
  ProductShape shape;

  int quantum() const { return std::min(a.quantum + b.quantum, c.quantum); }
  int bits() const { return std::max(a.top + b.top + ceil_log2(shape.k), c.top) + 1 - quantum(); }
};

bool fits_integers(const Factors& p) {
  return p.a.top - p.a.quantum <= most_value_bits && p.b.top - p.b.quantum <= most_value_bits &&
         p.bits() <= most_sum_bits;
}

void add_integers(const Factors& p, Output& out) {
  const auto [m, n, k] = p.shape;
  const std::vector<std::int64_t> a = in_units(p.a), b = in_units(p.b);
  const int quantum = p.quantum(), shift = p.a.quantum + p.b.quantum - quantum;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      const i128 products = dot(a.data() + std::ptrdiff_t{i} * k, b.data() + std::ptrdiff_t{j} * k, k);
      const Element& c =
          p.c.of[static_cast<std::size_t>(i) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)];
      const i128 start = c.value == 0 ? 0 : static_cast<i128>(c.value) * (i128{1} << (c.quantum - quantum));
      out.add(products * (i128{1} << shift) + start, quantum);
    }
  }
}

// A sum of products in digits of 64 bits, each of which has 128 to add up in: no addition carries into the next one.
//
//   product x 2^distance     . . . | s s s h | h h h l | l l l 0 | . . .     the first of three has the sign
template <int Words>
class DigitSum {
 public:
  void add(const Element& x, const Element& y, int quantum) {
    if (x.value == 0 || y.value == 0) return;
    const i128 product = static_cast<i128>(x.value) * y.value;
    const int distance = x.quantum + y.quantum - quantum, shift = distance % 64;
    const auto low = static_cast<std::uint64_t>(product);
    const auto high = static_cast<std::int64_t>(product >> 64);
    i128* const digit = digits_.data() + distance / 64;
    digit[0] += low << shift;
    digit[1] += static_cast<std::uint64_t>(high) << shift | low >> 1 >> (63 - shift);
    digit[2] += high >> 1 >> (63 - shift);
  }

  Wide<Words> value() const {
    Wide<Words> sum;
    i128 carry = 0;
    for (std::size_t i = 0; i < sum.word.size(); ++i) {
      carry += digits_[i];
      sum.word[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    return sum;
  }

 private:
  std::array<i128, Words + 2> digits_{};
};

template <int Words>
void add_wide(const Factors& p, Output& out) {
  const auto [m, n, k] = p.shape;
  const int quantum = p.quantum();
  const Element unit{1, 0};
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      DigitSum<Words> sum;
      sum.add(p.c.of[static_cast<std::size_t>(i) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)], unit,
              quantum);
      const Element* const a = p.a.of.data() + std::ptrdiff_t{i} * k;
      const Element* const b = p.b.of.data() + std::ptrdiff_t{j} * k;
      for (int t = 0; t < k; ++t) sum.add(a[t], b[t], quantum);
      out.add(sum.value(), quantum);
    }
  }
}

ExactProduct summed(const Factors& p, const std::vector<Format>& results) {
  Output out(p.c.of.size(), results);
  if (fits_integers(p)) {
    add_integers(p, out);
  } else if (p.bits() < 4 * 64) {
    add_wide<4>(p, out);
  } else if (p.bits() < 10 * 64) {
    add_wide<10>(p, out);
  } else {
    add_wide<70>(p, out);
  }
  return out.take();
}

}  // namespace

ExactProduct exact_product(const Workload& w, const OperandFormats& formats, const std::vector<Format>& results) {
  return summed({elements_of(w.a, formats.a, w.scale_a, formats), elements_of(w.b, formats.b, w.scale_b, formats),
                 elements_of(w.c, formats.c, {}, formats), w.shape},
                results);
}

ExactProduct exact_product(const Reals& reals, double times_c) {
  return summed({elements_of(reals.a, 1), elements_of(reals.b, 1), elements_of(reals.c, times_c), reals.shape}, {});
}

}  // namespace assay
