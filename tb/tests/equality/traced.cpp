#include "tb/tests/equality/traced.hpp"

namespace assay {
namespace {

using vocabulary::Kind;
using vocabulary::Value;

// Bits [from, from + width) of a place, of any width.
mpz_class unsigned_bits(const Bits& bits, int from, int width) {
  mpz_class number;
  for (int i = width - 1; i >= 0; --i) number = 2 * number + (bits.bit(from + i) ? 1 : 0);
  return number;
}

class Reader {
 public:
  Reader(const Trace& trace, int place)
      : trace_(trace), index_(place), place_(trace.plan().places[static_cast<std::size_t>(place)]) {}

  // Fields stand side by side, the first uppermost.
  mpz_class field(std::string_view name) const {
    int from = place_.width;
    for (const Field& f : place_.fields) {
      from -= f.width;
      if (f.name == name) return unsigned_bits(trace_.at(index_), from, f.width);
    }
    return 0;
  }

  mpz_class signed_field(std::string_view name) const {
    const mpz_class bits = field(name);
    for (const Field& f : place_.fields) {
      const mpz_class range = mpz_class(1) << f.width;
      if (f.name == name && 2 * bits >= range) return bits - range;
    }
    return bits;
  }

  int exponent() const { return static_cast<int>(signed_field("exponent").get_si()); }

  // 2^unit is the weight of the last bit of a significand, sum or addend in a window of this exponent.
  int unit(int exponent) const { return place_.absolute ? -place_.fraction_bits : exponent - place_.fraction_bits; }

 private:
  const Trace& trace_;
  int index_;
  const Place place_;
};

bool holds_number(const Reader& reader, const Value& seen) {
  if (reader.field("class") != static_cast<int>(seen.kind)) return false;
  if (seen.kind == Kind::nan) return reader.field("sign") == 0;
  if (reader.field("sign") != (seen.negative ? 1 : 0)) return false;
  if (seen.kind == Kind::infinity) return true;
  if (reader.exponent() != seen.exponent.value_or(0)) return false;
  const mpq_class unit = vocabulary::power_of_two(reader.unit(reader.exponent()));
  return reader.field("significand") * unit == seen.magnitude;
}

// A register in a window: sum or addend, in two's complement, above a sticky bit where there is one.
bool holds_register(const Reader& reader, std::string_view name, int window, const Value& seen) {
  const mpq_class unit = vocabulary::power_of_two(reader.unit(window));
  mpq_class magnitude = abs(reader.signed_field(name)) * unit;
  if (reader.field("sticky") != 0) magnitude += unit / 2;
  const bool negative = reader.signed_field(name) < 0;
  return magnitude == seen.magnitude && (seen.magnitude == 0 || negative == seen.negative);
}

int window_beside(const Trace& trace, const std::string& name) {
  const int window = trace.plan().find_place(name.substr(0, name.rfind('.') + 1) + "window");
  return Reader(trace, window).exponent();
}

}  // namespace

bool holds(const Trace& trace, int place, const Value& seen) {
  const Reader reader(trace, place);
  const Place& at = trace.plan().places[static_cast<std::size_t>(place)];
  switch (at.stage) {
    case Stage::decode:
    case Stage::multiply:
    case Stage::scale:
    case Stage::round:
    case Stage::acc: return holds_number(reader, seen);
    case Stage::window: return reader.exponent() == seen.exponent;
    case Stage::align: return holds_register(reader, "addend", window_beside(trace, at.name), seen);
    case Stage::reduce: return holds_register(reader, "sum", window_beside(trace, at.name), seen);
    case Stage::special:
    case Stage::encode:  // not numbers; d is compared by itself
    case Stage::flags: return true;
  }
  return false;
}

}  // namespace assay
