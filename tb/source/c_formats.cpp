#include "tb/source/c_formats.hpp"

#include <algorithm>

#include "model/base/text.hpp"
#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "tb/source/fill.hpp"

namespace assay {
namespace {

Code ones(int bits) { return bits >= 64 ? ~Code{0} : (Code{1} << bits) - 1; }

// The fields of a code and where they stand, the uppermost first.
//
//   15 | 14..10   | 9..0
//    s | exponent | mantissa
class Drawing {
 public:
  explicit Drawing(int bits) : above_(bits) {}

  void field(const std::string& name, int bits) {
    if (bits == 0) return;
    above_ -= bits;
    const std::string last = std::to_string(above_);
    const std::string where = bits == 1 ? last : std::to_string(above_ + bits - 1) + ".." + last;
    const std::size_t width = std::max(where.size(), name.size());
    const std::string between = places_.empty() ? "//   " : " | ";
    places_ += between + where + std::string(width - where.size(), ' ');
    names_ += between + name + std::string(width - name.size(), ' ');
  }
  std::string text() const { return trimmed_end(places_) + "\n" + trimmed_end(names_) + "\n"; }

 private:
  static std::string trimmed_end(std::string line) { return line.erase(line.find_last_not_of(' ') + 1); }

  int above_;
  std::string places_, names_;
};

std::string used_of(const Format& f) {
  const std::string code = f.ignored_low_bits == 0 ? "code" : "code >> " + std::to_string(f.ignored_low_bits);
  return code + " & " + c_hex(ones(f.used_bits()));
}

// --- decode ---

class Decoding {
 public:
  Decoding(const Plan& plan, const CWords& words, const Format& format, const ReadAs& as)
      : plan_(plan), w_(words), f_(format), as_(as) {}

  std::string body() const {
    if (f_.is_list()) return of_list();
    const std::string used = "  const uint64_t used = " + used_of(f_) + ";\n";
    return used + (f_.is_integer() ? of_integer() : of_fields());
  }

 private:
  std::string sign() const { return f_.has_sign ? "used >> " + std::to_string(f_.used_bits() - 1) + " != 0" : "false"; }

  // Two's complement of a number below zero is its magnitude again.
  std::string of_integer() const {
    const std::string quantum = std::to_string(f_.last_place());
    const std::string all = c_hex(ones(f_.used_bits()));
    if (!f_.has_sign)
      return "  return used == 0 ? a_zero(false) : a_number(false, " + w_.of_code("used") + ", 0, " + quantum + ");\n";
    const std::string magnitude =
        f_.sign_magnitude ? "used & " + c_hex(ones(f_.used_bits() - 1)) : "(negative ? 0 - used : used) & " + all;
    return "  const bool negative = " + sign() + ";\n  const uint64_t magnitude = " + magnitude +
           ";\n  return magnitude == 0 ? a_zero(false) : a_number(negative, " + w_.of_code("magnitude") + ", 0, " +
           quantum + ");\n";
  }

  std::string of_fields() const {
    std::string text = "  const bool negative = " + sign() + ";\n";
    if (f_.mantissa_bits > 0) text += "  const uint64_t mantissa = used & " + c_hex(ones(f_.mantissa_bits)) + ";\n";
    text += "  const int32_t field = (int32_t)(used >> " + std::to_string(f_.mantissa_bits) + " & " +
            c_hex(ones(f_.exponent_bits)) + ");\n";
    if (plan_.datapath.specials != Specials::numbers) text += specials();
    if (f_.has_zero) text += subnormal();
    const std::string hidden = c_hex(Code{1} << f_.mantissa_bits);
    const std::string magnitude = f_.mantissa_bits > 0 ? "mantissa | " + hidden : hidden;
    return text + "  return a_number(negative, " + w_.of_code(magnitude) + ", field - " + c_text(f_.bias) +
           ", field - " + c_text(f_.bias + f_.mantissa_bits) + ");\n";
  }

  std::string subnormal() const {
    const std::string least = std::to_string(1 - f_.bias), last = std::to_string(1 - f_.bias - f_.mantissa_bits);
    const std::string negative = f_.has_sign ? "negative" : "false";
    if (f_.mantissa_bits == 0) return "  if (field == 0) return a_zero(" + negative + ");\n";
    switch (as_.subnormals) {
      case Subnormals::signed_zero: return "  if (field == 0) return a_zero(" + negative + ");  // subnormals, too\n";
      case Subnormals::zero:
        return "  if (field == 0) return a_zero(" + negative + " && mantissa == 0);  // of a subnormal +0\n";
      case Subnormals::keep: break;
    }
    return "  if (field == 0) return mantissa == 0 ? a_zero(" + negative + ") : a_number(" + negative + ", " +
           w_.of_code("mantissa") + ", " + least + ", " + last + ");\n";
  }

  std::string specials() const {
    const std::string below = f_.has_sign ? "(used & " + c_hex(f_.sign_bit() - 1) + ")" : "used";
    std::string text;
    switch (f_.nan) {
      case NanCodes::none:
      case NanCodes::listed: break;
      case NanCodes::ieee:
        text = "  if (" + below + " > " + c_hex(f_.infinity()) + ") return " + nan("negative", payload()) + ";\n";
        break;
      case NanCodes::all_ones:
        text = "  if (" + below + " == " + c_hex(f_.quiet_nan()) + ") return " + nan("negative", quiet()) + ";\n";
        break;
      case NanCodes::negative_zero:
        text = "  if (used == " + c_hex(f_.sign_bit()) + ") return " + nan("false", quiet()) + ";\n";
        break;
    }
    if (f_.has_infinity) text += "  if (" + below + " == " + c_hex(f_.infinity()) + ") return an_infinity(negative);\n";
    return text;
  }

  std::string nan(const std::string& negative, const std::string& payload) const {
    return as_.nans == Nans::zero ? "a_zero(false)" : "a_nan(" + negative + ", " + payload + ")";
  }
  std::string quiet() const { return w_.literal(keeps_payloads(plan_) ? quiet_bit : 0); }

  // Left-aligned in 52 bits, the quiet bit on top and above it whether the NaN is a signalling one.
  std::string payload() const {
    if (!keeps_payloads(plan_)) return w_.literal(0);
    const std::string quiet = c_hex(static_cast<Code>(quiet_bit));
    const std::string bits = "mantissa << " + std::to_string(payload_bits - f_.mantissa_bits) + " | " + quiet;
    const std::string is_quiet = "mantissa >> " + std::to_string(f_.mantissa_bits - 1) + " != 0";
    return w_.of_code(bits + " | (" + is_quiet + " ? 0 : " + c_hex(static_cast<Code>(signalling_bit)) + ")");
  }

  std::string of_list() const {
    std::vector<std::string> rows;
    for (const Number& n : f_.values().by_code) {
      const bool counts = n.is_finite() && n.magnitude != 0;
      rows.push_back(fill("{@kind@,@sign@,@exponent@,@magnitude@}",
                          {{"kind", std::to_string(static_cast<int>(n.cls))},
                           {"sign", std::to_string(n.negative ? 1 : 0)},
                           {"exponent", std::to_string(counts ? n.exponent : 0)},
                           {"magnitude", c_hex(counts ? static_cast<Code>(n.magnitude) : 0)}}));
    }
    return fill(R"(  static const struct {
    uint8_t kind, negative;
    int32_t exponent;
    uint64_t significand;
  } row[@rows@] = {
@list@  };
  const uint64_t used = @used@;
  const bool negative = row[used].negative != 0;
  if (row[used].kind == kind_nan) return @nan@;
  if (row[used].kind == kind_infinity) return an_infinity(negative);
  if (row[used].significand == 0) return a_zero(negative);
  return a_number(negative, @magnitude@, row[used].exponent, row[used].exponent - @bits@);
)",
                {{"rows", std::to_string(rows.size())},
                 {"list", wrapped(split(joined(rows), ' '), {100, "      ", "      ", " ", ""})},
                 {"used", used_of(f_)},
                 {"nan", nan("negative", quiet())},
                 {"magnitude", w_.of_code("row[used].significand")},
                 {"bits", std::to_string(f_.mantissa_bits)}});
  }

  const Plan& plan_;
  const CWords& w_;
  const Format& f_;
  ReadAs as_;
};

// --- encode ---

std::string stored(const Format& f, const std::string& used) {
  return f.ignored_low_bits == 0 ? used : "(" + used + ") << " + std::to_string(f.ignored_low_bits);
}

std::string encoded_nan(const Plan& plan, const CWords& w) {
  const Format& d = plan.d;
  const Nan& nan = plan.nan;
  const auto code = [&](const std::string& text) { return "  if (n.kind == kind_nan) return " + text + ";\n"; };
  if (!nan.propagate && !nan.with_sign) return code(c_hex(nan.code));
  const std::string made =
      nan.has_order() ? fill("  if (n.kind == kind_nan && @zero@) return @code@;  // one that an operation made\n",
                             {{"zero", w.is_zero("n.magnitude")}, {"code", c_hex(nan.code)}})
                      : "";
  const std::string quiet = c_hex(d.quiet_nan());
  switch (said_by_nan(nan, d)) {
    case NanSays::nothing: break;
    case NanSays::sign: return made + code(stored(d, "sign | " + quiet));
    case NanSays::sign_and_payload:
      return made +
             code(stored(d, "sign | " + quiet + " | (" + w.low_word("n.magnitude") + " & " + c_hex(ones(payload_bits)) +
                                ") >> " + std::to_string(payload_bits - d.mantissa_bits)));
  }
  return made + code(c_hex(d.stored(d.quiet_nan())));
}

std::string encoded_infinity(const Format& d) {
  const std::string minus = c_hex(d.stored(d.negative_infinity())), plus = c_hex(d.stored(d.infinity()));
  return "  if (n.kind == kind_infinity) return " + (minus == plus ? plus : "n.negative ? " + minus + " : " + plus) +
         ";\n";
}

// Each value of the list has its least code.
std::string encoded_in_list(const Format& d, const CWords& w) {
  std::string text;
  const ValueTable& t = d.values();
  if (t.negative_zero) text += "  if (n.negative && is_zero(n)) return " + c_hex(*t.negative_zero) + ";\n";
  std::vector<std::string> rows;
  for (const ListedValue& v : t.ascending) {
    const bool zero = v.number.magnitude == 0;
    rows.push_back(
        fill("{@sign@,@exponent@,@magnitude@,@code@}", {{"sign", std::to_string(v.number.negative ? 1 : 0)},
                                                        {"exponent", std::to_string(zero ? 0 : v.number.exponent)},
                                                        {"magnitude", c_hex(static_cast<Code>(v.number.magnitude))},
                                                        {"code", c_hex(v.code)}}));
  }
  return text + fill(R"(  static const struct {
    uint8_t negative;
    int32_t exponent;
    uint64_t significand;
    uint16_t code;
  } row[@rows@] = {
@list@  };
  uint64_t code = @last@;
  for (int i = 0; i < @rows@; ++i) {
    const bool same = @same@ && (row[i].significand == 0 ||
                      (row[i].exponent == n.exponent && (row[i].negative != 0) == n.negative));
    if (same) code = row[i].code;
  }
  return code;
)",
                     {{"rows", std::to_string(rows.size())},
                      {"list", wrapped(split(joined(rows), ' '), {100, "      ", "      ", " ", ""})},
                      {"last", c_hex(t.ascending.back().code)},
                      {"same", w.same(w.of_code("row[i].significand"), "n.magnitude")}});
}

std::string encoded_integer(const Format& d, const CWords& w) {
  const std::string value = w.low_word("n.magnitude");
  if (d.sign_magnitude) return "  return " + value + " | (n.negative ? " + c_hex(d.sign_bit()) + " : 0);\n";
  const std::string all = c_hex(ones(d.stored_bits));
  return "  return (n.negative ? 0 - " + value + " : " + value + ") & " + all + ";\n";
}

// The hidden bit vanishes into the exponent's field.
std::string encoded_fields(const Format& d, const CWords& w) {
  const Code hidden = Code{1} << d.mantissa_bits;
  const std::string mantissa =
      d.mantissa_bits == 0 ? "0" : "(" + w.low_word("n.magnitude") + " & " + c_hex(hidden - 1) + ")";
  const std::string zero = d.has_signed_zero && d.has_sign ? stored(d, "sign") : "0";
  return fill(
      R"(  if (is_zero(n)) return @zero@;
  const uint64_t field = (@significand@ & @hidden@) != 0 ? (uint64_t)(n.exponent + @bias@) : 0;
  return @stored@;
)",
      {{"zero", zero},
       {"significand", w.low_word("n.magnitude")},
       {"hidden", c_hex(hidden)},
       {"bias", c_text(d.bias)},
       {"stored", stored(d, std::string(d.has_sign ? "sign | " : "") + "field << " + std::to_string(d.mantissa_bits) +
                                (d.mantissa_bits == 0 ? "" : " | " + mantissa))}});
}

}  // namespace

std::string format_drawing(const Format& f) {
  Drawing d(f.stored_bits);
  d.field("ignored", f.ignored_high_bits);
  if (f.is_list()) {
    d.field("value by the table", f.used_bits());
  } else if (f.is_integer()) {
    d.field(f.sign_magnitude ? "sign"
            : f.has_sign     ? "two's complement"
                             : "whole number",
            f.sign_magnitude ? 1 : f.used_bits() - f.fraction_bits);
    d.field("magnitude", f.sign_magnitude ? f.used_bits() - 1 - f.fraction_bits : 0);
    d.field("after the point", f.fraction_bits);
  } else {
    d.field("sign", f.has_sign ? 1 : 0);
    d.field("exponent", f.exponent_bits);
    d.field("mantissa", f.mantissa_bits);
  }
  d.field("ignored", f.ignored_low_bits);
  return d.text();
}

bool keeps_payloads(const Plan& plan) {
  const bool signals = plan.datapath.flags.has_value();  // a bit beside the payload says which NaNs do
  return signals || plan.nan.has_order() || said_by_nan(plan.nan, plan.d) == NanSays::sign_and_payload;
}

std::string c_code_type(const Format& format) {
  return "uint" + std::to_string(8 * element_bytes(format.stored_bits)) + "_t";
}

std::string c_decode(const Plan& plan, const CWords& words, const std::string& name, const Format& format,
                     const ReadAs& as, std::vector<std::array<std::string, 2>>& known) {
  std::string body = Decoding(plan, words, format, as).body();
  if (body.find("negative", body.find("const bool negative") + 19) == std::string::npos)
    body = replaced(body, "  const bool negative = false;\n", "");
  const auto same = std::find_if(known.begin(), known.end(), [&](const auto& other) { return other[1] == body; });
  const std::string says =
      "// Stage decode of " + name + ": " + format.name + ", " + std::to_string(format.stored_bits) + " bits.\n";
  const std::string head = "FN number_t decode_" + name + "(uint64_t code) {";
  if (same != known.end()) return says + head + " return decode_" + (*same)[0] + "(code); }\n";
  known.push_back({name, body});
  return "\n" + says + "//\n" + format_drawing(format) + head + "\n" + body + "}\n";
}

std::string c_encode(const Plan& plan, const CWords& w) {
  const Format& d = plan.d;
  std::string body = encoded_nan(plan, w);
  if (d.has_infinity) body += encoded_infinity(d);
  body += d.is_list() ? encoded_in_list(d, w) : d.is_integer() ? encoded_integer(d, w) : encoded_fields(d, w);
  if (body.find("sign ") != std::string::npos || body.find("sign;") != std::string::npos)
    body.insert(0, "  const uint64_t sign = n.negative ? " + c_hex(d.sign_bit()) + " : 0;\n");
  const std::string drawing = d.name == plan.c.name ? "" : "//\n" + format_drawing(d);
  return fill(
      "\n// Stage encode: a number that d holds as its code, @format@, @bits@ bits@as_c@.\n@drawing@"
      "FN uint64_t encode(number_t n) {\n@body@}\n",
      {{"format", d.name},
       {"bits", std::to_string(d.stored_bits)},
       {"as_c", drawing.empty() ? ", as c has them" : ""},
       {"drawing", drawing},
       {"body", body}});
}

}  // namespace assay
