#include "model/config/digest.hpp"

#include <type_traits>

#include "model/base/sha256.hpp"

namespace assay {
namespace {

// A text in which no two values look alike: strings and lists carry their length. Each struct is taken apart whole, so
// that one with a new member does not compile here until the member is told.
class Canonical {
 public:
  const std::string& text() const { return text_; }

  template <class... Values>
  void add(const Values&... values) {
    (put(values), ...);
  }

 private:
  void put(const std::string& value) { text_ += std::to_string(value.size()) + ":" + value + ";"; }
  void put(int value) { text_ += std::to_string(value) + ";"; }
  void put(bool value) { text_ += value ? "true;" : "false;"; }
  void put(Code value) { text_ += std::to_string(value) + ";"; }
  void put(FormatKind value) { put(static_cast<int>(value)); }
  void put(NanCodes value) { put(static_cast<int>(value)); }

  template <class Enum>
  std::enable_if_t<std::is_enum_v<Enum>> put(Enum value) {
    put(std::string(word(value)));
  }

  template <class Value>
  void put(const std::optional<Value>& value) {
    put(value.has_value());
    if (value) put(*value);
  }

  template <class Value>
  void put(const std::vector<Value>& values) {
    put(static_cast<int>(values.size()));
    for (const Value& value : values) put(value);
  }

  void put(const Operands& operands) {
    const auto& [a, b, c, d, scale, scale_block] = operands;
    add(a, b, c, d, scale, scale_block);
  }

  void put(const Format& format) {
    const auto& [name, ml_dtypes_name, kind, stored_bits, has_sign, exponent_bits, mantissa_bits, bias, has_infinity,
                 nan, has_signed_zero, has_zero, ignored_low_bits, ignored_high_bits] = format;
    add(name, ml_dtypes_name, kind, stored_bits, has_sign, exponent_bits, mantissa_bits, bias, has_infinity, nan,
        has_signed_zero, has_zero, ignored_low_bits, ignored_high_bits);
  }

  void put(const Result& result) {
    const auto& [at, cut, keep, least_exponent, format, subnormals, tiny, overflow] = result;
    add(at, cut, keep, least_exponent, format, subnormals, tiny, overflow);
  }

  void put(const Group& group) {
    const auto& [terms, deal, unit] = group;
    add(terms, deal, unit);
  }

  void put(const Input& input) {
    const auto& [source, keep, cut, empty, lost_below] = input;
    add(source, keep, cut, empty, lost_below);
  }

  void put(const Window& window) {
    const auto& [exponent, at, floor, step] = window;
    add(exponent, at, floor, step);
  }

  void put(const Adder& adder) {
    const auto& [name, inputs, group, shape, window, sticky, times_scales, zero, results] = adder;
    add(name, inputs, group, shape, window, sticky, times_scales, zero, results);
  }

  void put(const Product& product) {
    const auto& [round, exponent, infinity_at, times_scales] = product;
    add(round, exponent, infinity_at, times_scales);
  }

  void put(const Nan& nan) {
    const auto& [propagate, code] = nan;
    add(propagate, code);
  }

  void put(const Datapath& datapath) {
    const auto& [name, operands, formats, subnormals_a, subnormals_b, subnormals_c, specials, nan, product, lanes, step,
                 from, start, adders, finish] = datapath;
    add(operands, formats, subnormals_a, subnormals_b, subnormals_c, specials, nan, product, lanes, step, from, start,
        adders, finish);
  }

  void put(const Instruction& instruction) {
    const auto& [architecture, name, spelling, sass, m, n, k, blocks, operands, datapath, evidence] = instruction;
    add(architecture, name, sass, m, n, k, blocks, operands, datapath, evidence);
  }

  void put(const Architecture& architecture) {
    const auto& [name, about, aliases, instructions] = architecture;
    add(name, about, aliases, instructions);
  }

  std::string text_;
};

}  // namespace

std::string datapath_sha256(const Plan& plan) {
  Canonical canonical;
  canonical.add(plan.datapath, plan.k);
  return sha256(canonical.text());
}

std::string catalogue_sha256(const Catalogue& catalogue) {
  Canonical canonical;
  canonical.add(catalogue.architectures());
  for (const std::string& name : catalogue.datapath_names()) {
    const DatapathFile file = catalogue.datapath(name);
    canonical.add(name, file.datapath, file.k);
  }
  return sha256(canonical.text());
}

}  // namespace assay
