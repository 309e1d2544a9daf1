#include "tb/tests/systemc/cases.hpp"

namespace assay::testing {
namespace {

constexpr std::uint64_t seed = 2024;

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

Code stored_mask(const Format& format) {
  return format.stored_bits >= 64 ? ~Code{0} : (Code{1} << format.stored_bits) - 1;
}

// A few binades around one, either sign; small integers of an integer format.
Code near_one(const Format& format, std::uint64_t random) {
  const Code sign = (random & 1) != 0 ? format.sign_bit() : 0;
  if (format.is_integer()) return sign | (random >> 1 & 15);
  const auto away = static_cast<int>(random >> 1 & 7) - 4;
  const Code top = static_cast<Code>(format.greatest_exponent_field());
  const Code field = std::min(top, static_cast<Code>(std::max(0, format.bias + away)));
  const Code mantissa = random >> 8 & ((Code{1} << format.mantissa_bits) - 1);
  return format.stored(sign | field << format.mantissa_bits | mantissa);
}

Code limit(const Format& format, std::uint64_t random) {
  const Code one_mantissa = Code{1} << format.mantissa_bits;
  const Code codes[] = {0,
                        1,
                        one_mantissa - 1,
                        one_mantissa,
                        format.is_integer() ? format.sign_bit() - 1 : format.greatest_finite(),
                        format.has_infinity ? format.infinity() : 0,
                        format.nan != NanCodes::none ? format.quiet_nan() : 0,
                        static_cast<Code>(format.bias) << format.mantissa_bits,
                        0,
                        one_mantissa + 1};
  const Code sign = (random & 1) != 0 ? format.sign_bit() : 0;
  // NaNs and infinities decide a whole case: not too many of them.
  const std::uint64_t pick = random >> 1 & 63;
  const Code chosen = pick < 10 ? codes[pick] : codes[(pick % 5 + 7) % 10];
  return format.stored(chosen | sign);
}

class Maker {
 public:
  Maker(const Plan& plan, std::uint64_t number) : plan_(plan), number_(number) {}

  systemc::Codes make() {
    std::vector<Code> a = codes(plan_.a, plan_.k), b = codes(plan_.b, plan_.k);
    Code c = code(plan_.c);
    if (kind() == 3) cancel(a, b, c);
    systemc::Codes made{systemc::Lines<Code>(std::move(a)), systemc::Lines<Code>(std::move(b)), c, {}, {}};
    if (plan_.scale) {
      made.scale_a = systemc::Lines<Code>(codes(*plan_.scale, plan_.scales));
      made.scale_b = systemc::Lines<Code>(codes(*plan_.scale, plan_.scales));
    }
    std::vector<Code> more;
    for (const CaseOperand& operand : plan_.more) {
      for (int i = 0; i < operand.count; ++i)
        more.push_back(operand.format.is_integer() ? next() & stored_mask(operand.format) : code(operand.format));
    }
    made.more = systemc::Lines<Code>(std::move(more));
    return made;
  }

 private:
  std::uint64_t kind() const { return number_ % 4; }
  std::uint64_t next() { return hash(seed, number_, index_++); }

  Code code(const Format& format) {
    const std::uint64_t random = next();
    switch (kind()) {
      case 0: return random & stored_mask(format);
      case 2: return limit(format, random) & stored_mask(format);
      default: return near_one(format, random);
    }
  }

  std::vector<Code> codes(const Format& format, int count) {
    std::vector<Code> made;
    for (int i = 0; i < count; ++i) made.push_back(code(format));
    return made;
  }

  // Every term but perhaps one meets its opposite.
  void cancel(std::vector<Code>& a, std::vector<Code>& b, Code& c) {
    const std::size_t half = a.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      a[half + i] = a[i];
      b[half + i] = plan_.b.is_integer() ? -b[i] & stored_mask(plan_.b) : b[i] ^ plan_.b.stored(plan_.b.sign_bit());
    }
    if (number_ % 8 == 3) c = 0;
  }

  const Plan& plan_;
  const std::uint64_t number_;
  std::uint64_t index_ = 0;
};

}  // namespace

std::uint64_t hash(std::uint64_t key, std::uint64_t number, std::uint64_t index) {
  return mix(mix(mix(key) + number * 0x9e3779b97f4a7c15) + index * 0xd1b54a32d192ed03);
}

systemc::Codes make_case(const Plan& plan, std::uint64_t number) { return Maker(plan, number).make(); }

std::vector<systemc::Codes> make_cases(const Plan& plan, int count) {
  std::vector<systemc::Codes> cases;
  for (int i = 0; i < count; ++i) cases.push_back(make_case(plan, static_cast<std::uint64_t>(i)));
  return cases;
}

Operand operand(const systemc::Codes& codes) {
  return {codes.a.begin(), codes.b.begin(), codes.c, codes.scale_a.begin(), codes.scale_b.begin(), codes.more.begin()};
}

}  // namespace assay::testing
