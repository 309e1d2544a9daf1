#include "model/config/digest.hpp"

#include <map>
#include <type_traits>

#include "model/base/sha256.hpp"
#include "model/core/fields.hpp"

namespace assay {
namespace {

// A text in which no two values look alike: strings and lists carry their length. What has no rows in the table of
// words is taken apart whole, so that a struct with a new member does not compile here until the member is told.
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
  // As when it was a flag.
  void put(Sticky value) {
    if (value == Sticky::at_result) return put(std::string(word(value)));
    put(value == Sticky::below_sum);
  }
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

  void put(const Format& format) {
    const auto& [name, ml_dtypes_name, kind, stored_bits, has_sign, exponent_bits, mantissa_bits, bias, has_infinity,
                 nan, has_signed_zero, has_zero, ignored_low_bits, ignored_high_bits, infinity_codes, fraction_bits,
                 sign_magnitude, family, about, source, rule, parameters, listed, ties, lazy] = format;
    add(name, ml_dtypes_name, kind, stored_bits, has_sign, exponent_bits, mantissa_bits, bias, has_infinity, nan,
        has_signed_zero, has_zero, ignored_low_bits, ignored_high_bits);
    if (infinity_codes != InfinityCodes::top_exponent) add(std::string("infinity_codes"), infinity_codes);
    if (fraction_bits != 0) add(std::string("fraction"), fraction_bits);
    if (sign_magnitude) add(std::string("magnitude"), sign_magnitude);
    if (!rule.empty()) add(std::string("rule"), rule);
    for (const auto& [parameter, value] : parameters) add(parameter, value);
    if (!listed.empty()) add(std::string("values"), listed, ties);
  }

  void put(const Input& input) {
    put(input.source);
    put_rows(input);
  }

  void put(const Scale& scale) {
    put(scale.name);
    put_rows(scale);
  }

  void put(const Nan& nan) {
    const auto& [propagate, code, with_sign, order] = nan;
    add(propagate, code);
    if (with_sign) add(with_sign);  // digests from before hold
    if (nan.has_order()) add(std::string("order"), order);
  }

  template <class S>
  std::enable_if_t<has_rows<S>> put(const S& s) {
    put_rows(s);
  }

  void put(const Instruction& instruction) {
    // Where operands live, which lanes may feed them and how long it takes change nothing of what is computed.
    const auto& [architecture, name, spelling, sass, m, n, k, blocks, operands, datapath, evidence, layout, family,
                 changes, modifiers, timing] = instruction;
    add(architecture, name, sass, m, n, k, blocks, operands, datapath, evidence);
  }

  void put(const Architecture& architecture) {
    const auto& [name, about, aliases, instructions, variants, wave, a_cycle, scale_groups] = architecture;
    add(name, about, aliases, instructions);
    if (!variants.empty()) add(std::string("variants"), variants);
  }

  void put(const Variant& variant) {
    const auto& [name, about, field, number, of, evidence, evidence_with_others, changes] = variant;
    const Bounds n = number.value_or(Bounds{});
    add(name, about, field, n.least, n.greatest, of, json_text(evidence), evidence_with_others, changes);
  }

  void put(const VariantChange& change) {
    const auto& [of, with, without, where, words] = change;
    add(of, with, without, words);
    for (const auto& [operand, format] : where) add(operand, format);
  }

  void put(const WordChange& word) { add(word.path, json_text(word.value)); }

  template <class V>
  static std::string told(const V& value) {
    Canonical canonical;
    canonical.put(value);
    return canonical.text_;
  }

  // Recorded digests hold for ever: words that had a place among those told in the beginning keep it, and any other is
  // told, after them and by its key, only where it says something.
  template <class S>
  void put_rows(const S& s) {
    std::map<int, std::string> always;
    std::string others;
    each_row<S>([&](const auto& row) {
      if (row.told != 0) {
        always[row.told] = told(s.*row.member);
      } else if (!same(s.*row.member, row.fallback())) {
        others += '+' + told(std::string(row.key)) + told(s.*row.member);
      }
    });
    for (const auto& [place, value] : always) text_ += value;
    text_ += others;
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
