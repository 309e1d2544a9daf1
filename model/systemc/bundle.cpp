#include "model/systemc/bundle.hpp"

#include "model/core/trace.hpp"

namespace assay {
namespace {

std::string hex(u128 value) {
  const std::uint64_t words[] = {static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)};
  return Bits{words, 128}.hex();
}

std::string hex(i128 value) { return hex(static_cast<u128>(value)); }

template <int Words>
std::string hex(const Wide<Words>& value) {
  return Bits{value.word.data(), 64 * Words}.hex();
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Number& number) {
  const char* sign = number.negative ? "-" : "+";
  switch (number.cls) {
    case Class::nan: return out << "NaN";
    case Class::infinity: return out << sign << "infinity";
    case Class::finite: break;
  }
  out << sign << hex(number.magnitude) << " x 2^" << number.quantum;
  if (number.has_exponent()) out << " at 2^" << number.exponent;
  return out;
}

// A significand of 128 bits is two fields of a waveform: its words as they lie in memory, the lower one first.
void sc_trace(sc_core::sc_trace_file* file, const Number& number, const std::string& name) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && sizeof(Class) == 1);
  const auto* words = reinterpret_cast<const sc_dt::uint64*>(&number.magnitude);
  sc_core::sc_trace(file, reinterpret_cast<const unsigned char&>(number.cls), name + ".class", 2);
  sc_core::sc_trace(file, number.negative, name + ".sign");
  sc_core::sc_trace(file, number.exponent, name + ".exponent");
  sc_core::sc_trace(file, number.quantum, name + ".quantum");
  sc_core::sc_trace(file, words[1], name + ".significand_high");
  sc_core::sc_trace(file, words[0], name + ".significand_low");
}

template <class Register>
std::ostream& operator<<(std::ostream& out, const Addend<Register>& addend) {
  return out << hex(addend.value) << (addend.lost ? " (ones cut off)" : "");
}

namespace systemc {

std::ostream& operator<<(std::ostream& out, const Codes& codes) {
  out << std::hex << "a " << codes.a << " b " << codes.b << " c " << codes.c << " scale_a " << codes.scale_a
      << " scale_b " << codes.scale_b;
  if (codes.more.size() != 0) out << " more " << codes.more;
  return out << std::dec;
}

std::ostream& operator<<(std::ostream& out, const Scales& scales) {
  out << "scale_a " << scales.a << " scale_b " << scales.b;
  return scales.more.size() == 0 ? out : out << " more " << scales.more;
}

std::ostream& operator<<(std::ostream& out, const Decision& decision) {
  return decision.made ? out << "decided: " << decision.number : out << "undecided";
}

std::ostream& operator<<(std::ostream& out, const CommonExponent& common) {
  return common.empty ? out << "2^" << common.exponent << " (nothing has an exponent)" : out << "2^" << common.exponent;
}

std::ostream& operator<<(std::ostream& out, const Addends& addends) {
  std::visit([&](const auto& lines) { out << lines; }, addends);
  return out;
}

}  // namespace systemc
}  // namespace assay
