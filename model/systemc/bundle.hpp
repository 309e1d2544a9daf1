// What travels between modules: the core's numbers, made fit for sc_fifo and sc_signal (==, <<, sc_trace).
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <systemc>

#include "model/core/align.hpp"
#include "model/core/format.hpp"
#include "model/core/number.hpp"

namespace assay {

std::ostream& operator<<(std::ostream& out, const Number& number);
void sc_trace(sc_core::sc_trace_file* file, const Number& number, const std::string& name);

namespace systemc {

// Values side by side. Made once and never changed, so that every module they go to can share them.
template <class T>
class Lines {
 public:
  Lines() = default;
  explicit Lines(std::vector<T> values) : values_(std::make_shared<const std::vector<T>>(std::move(values))) {}

  std::size_t size() const { return values_ ? values_->size() : 0; }
  const T& operator[](std::size_t index) const { return (*values_)[index]; }
  const T* begin() const { return values_ ? values_->data() : nullptr; }
  const T* end() const { return begin() + size(); }

  bool operator==(const Lines& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::shared_ptr<const std::vector<T>> values_;
};

using Numbers = Lines<Number>;

// The stored bits of one case.
struct Codes {
  Lines<Code> a, b;
  Code c = 0;
  Lines<Code> scale_a, scale_b;
  Lines<Code> more{};  // of the operands of Plan::more

  bool operator==(const Codes& o) const {
    return a == o.a && b == o.b && c == o.c && scale_a == o.scale_a && scale_b == o.scale_b && more == o.more;
  }
};

// What else a case brings, random words included.
struct Scales {
  Numbers a, b;
  Numbers more{};  // of the operands of Plan::more

  bool operator==(const Scales& o) const { return a == o.a && b == o.b && more == o.more; }
};

// What special values among the terms of a step decide, if anything.
struct Decision {
  bool made = false;
  Number number;

  bool operator==(const Decision& o) const { return made == o.made && number == o.number; }
};

// The exponent all addends of a sum are brought to.
struct CommonExponent {
  int exponent = 0;
  bool empty = true;  // nothing that is added has one

  bool operator==(const CommonExponent& o) const { return exponent == o.exponent && empty == o.empty; }
};

// Addends in the register that their sum needs.
using Addends = std::variant<Lines<Addend<i128>>, Lines<Addend<Wide<10>>>, Lines<Addend<Wide<70>>>>;

// One value of one case on its way. Every module takes the cases in order; `number` counts them and shows it.
template <class T>
struct Bundle {
  std::uint64_t number = 0;
  bool traced = false;
  T value{};

  bool operator==(const Bundle& o) const { return number == o.number && traced == o.traced && value == o.value; }
};

std::ostream& operator<<(std::ostream& out, const Codes& codes);
std::ostream& operator<<(std::ostream& out, const Scales& scales);
std::ostream& operator<<(std::ostream& out, const Decision& decision);
std::ostream& operator<<(std::ostream& out, const CommonExponent& common);
std::ostream& operator<<(std::ostream& out, const Addends& addends);

template <class T>
std::ostream& operator<<(std::ostream& out, const Lines<T>& lines) {
  const char* before = "[";
  for (const T& value : lines) {
    out << before << value;
    before = ", ";
  }
  return out << (lines.size() == 0 ? "[]" : "]");
}

template <class T>
std::ostream& operator<<(std::ostream& out, const Bundle<T>& bundle) {
  return out << "case " << bundle.number << (bundle.traced ? " (traced): " : ": ") << bundle.value;
}

template <class T>
void sc_trace(sc_core::sc_trace_file* file, const Bundle<T>& bundle, const std::string& name) {
  sc_core::sc_trace(file, bundle.number, name + ".case");
  sc_trace(file, bundle.value, name);
}

}  // namespace systemc
}  // namespace assay
