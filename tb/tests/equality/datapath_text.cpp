#include "tb/tests/equality/datapath_text.hpp"

#include <array>
#include <cstdio>

namespace assay {
namespace {

std::string hex(Code code) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%llx", static_cast<unsigned long long>(code));
  return text.data();
}

// {key: value, key: value}
class Mapping {
 public:
  Mapping& put(const std::string& key, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + key + ": " + value;
    return *this;
  }
  Mapping& put(const std::string& key, int value) { return put(key, std::to_string(value)); }
  Mapping& put(const std::string& key, const std::optional<int>& value) { return value ? put(key, *value) : *this; }
  template <class Enum, class = std::enable_if_t<std::is_enum_v<Enum>>>
  Mapping& put(const std::string& key, Enum value) {
    return put(key, std::string(word(value)));
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string list_text(const Format& f) {
  std::string values;
  for (const std::string& value : f.listed) values += (values.empty() ? "" : ", ") + value;
  static const std::array<const char*, 4> ties{"cut", "even_code", "away", "down"};
  return Mapping().put("values", "[" + values + "]").put("ties", ties[static_cast<std::size_t>(f.ties)]).text();
}

std::string format_text(const Format& f) {
  if (f.is_list()) return list_text(f);
  if (f.is_integer())
    return Mapping()
        .put("integer", f.stored_bits)
        .put("signed", f.has_sign ? "true" : "false")
        .put("fraction", f.fraction_bits)
        .put("magnitude", f.sign_magnitude ? "true" : "false")
        .text();
  static const std::array<const char*, 4> nans{"none", "ieee", "all_ones", "negative_zero"};
  return Mapping()
      .put("exponent", f.exponent_bits)
      .put("mantissa", f.mantissa_bits)
      .put("bias", f.bias)
      .put("infinity", f.has_infinity ? "true" : "false")
      .put("nan", nans[static_cast<std::size_t>(f.nan)])
      .put("signed_zero", f.has_signed_zero ? "true" : "false")
      .text();
}

std::string formats_text(const std::vector<Format>& formats) {
  Mapping text;
  for (const Format& f : formats) text.put(f.name, format_text(f));
  return text.text();
}

std::string operands_text(const Operands& o) {
  Mapping text;
  text.put("a", o.a).put("b", o.b).put("c", o.c).put("d", o.d);
  if (!o.scale.empty()) text.put("scale", Mapping().put("format", o.scale).put("block", o.scale_block).text());
  if (!o.scales.empty()) {
    Mapping scales;
    for (const Scale& s : o.scales)
      scales.put(s.name,
                 Mapping().put("of", s.of).put("format", s.format).put("block", s.block).put("at", s.at).text());
    text.put("scales", scales.text());
  }
  const auto zeros = [&](const std::string& key, const ZeroPoints& z) {
    if (!z.format.empty()) text.put(key, Mapping().put("format", z.format).put("block", z.block).text());
  };
  zeros("zero_a", o.zero_a);
  zeros("zero_b", o.zero_b);
  if (o.mask && !o.mask->has_pattern()) text.put("mask", "{}");
  if (o.mask && o.mask->has_pattern())
    text.put("mask", Mapping().put("take", o.mask->take).put("among", o.mask->among).put("unit", o.mask->unit).text());
  return text.text();
}

std::string group_text(const Group& g) {
  return Mapping().put("terms", g.terms).put("deal", g.deal).put("unit", g.unit).text();
}

std::string result_text(const Result& r) {
  Mapping text;
  if (r.at == ResultAt::format) {
    text.put("format", r.format).put("cut", r.cut);
    if (r.random_bits != 0) text.put("random_bits", r.random_bits);
    text.put("subnormals", r.subnormals);
    text.put("tiny", r.tiny).put("overflow", r.overflow);
    text.put("infinity", r.infinity).put("nan", r.nan).put("negative", r.negative);
    return text.put("minus_zero", r.minus_zero).text();
  }
  text.put("at", r.at).put("keep", r.keep).put("cut", r.cut);
  if (r.random_bits != 0) text.put("random_bits", r.random_bits);
  if (r.bits) text.put("bits", r.bits).put("overflow", r.overflow);
  return text.put("least_exponent", r.least_exponent).text();
}

std::string factor_text(const Factor& f) {
  Mapping text;
  text.put("zero_point", f.zero_point);
  text.put("round", f.round ? result_text(*f.round) : "exact");
  if (f.step != 1) text.put("step", f.step).put("from", f.step_from);
  return text.put("empty", f.empty).text();
}

std::string input_text(const Input& i) {
  if (!i.keep && !i.empty && !i.lost_below && !i.negate) return "exact";
  Mapping text;
  if (i.keep) text.put("keep", i.keep).put("cut", i.cut);
  std::string again;
  for (const Recut& r : i.again)
    again += (again.empty() ? "" : ", ") + Mapping().put("keep", r.keep).put("cut", r.cut).text();
  if (!again.empty()) text.put("again", "[" + again + "]");
  if (i.negate) text.put("negate", "true");
  return text.put("empty", i.empty).put("lost_below", i.lost_below).text();
}

std::string nan_text(const Nan& nan) {
  if (!nan.has_order()) return nan.propagate ? "propagate" : nan.with_sign ? "signed" : hex(nan.code);
  Mapping text;
  if (nan.order.made) text.put("default", hex(*nan.order.made));
  std::string places;
  for (const std::string& place : nan.order.take) places += (places.empty() ? "'" : ", '") + place + "'";
  return text.put("take", "[" + places + "]").put("signalling", nan.order.signalling_first ? "first" : "alike").text();
}

std::string inputs_text(const std::vector<Input>& inputs) {
  Mapping text;
  for (const Input& i : inputs) text.put(i.source, input_text(i));
  return text.text();
}

std::string window_text(const Window& w) {
  Mapping text;
  text.put("exponent", w.exponent);
  if (w.exponent == WindowExponent::fixed) return text.put("at", w.at).text();
  if (w.raise != 0) text.put("raise", w.raise);
  if (w.step_from != 0) text.put("from", w.step_from);
  return text.put("floor", w.floor).put("step", w.step).put("lost_at", w.lost_at).text();
}

std::string rows_text(const ProductRows& r) {
  Mapping text;
  text.put("of", r.of).put("digits", r.digits);
  if (r.digits == RowDigits::booth4) text.put("sign", r.sign).put("extension", r.extension);
  if (r.has_constant()) text.put("width", r.width);
  return text.put("compress", r.compress).put("first", r.first).text();
}

std::string product_text(const Product& p) {
  Mapping text;
  text.put("round", p.round ? result_text(*p.round) : "exact")
      .put("exponent", p.exponent)
      .put("infinity_at", p.infinity_at ? std::to_string(*p.infinity_at) : "none")
      .put("times", p.times_scales ? "scales" : "none")
      .put("empty", p.empty);
  if (p.rows) text.put("rows", rows_text(*p.rows));
  return text.text();
}

std::string slices_text(const Slices& s) {
  std::string pairs;
  for (const SlicePair& p : s.pairs) {
    const auto side = [](int from, const std::optional<int>& bits) {
      return Mapping().put("from", from).put("bits", bits).text();
    };
    pairs += (pairs.empty() ? "" : ", ") +
             Mapping().put("a", side(p.a_from, p.a_bits)).put("b", side(p.b_from, p.b_bits)).text();
  }
  return Mapping().put("pairs", "[" + pairs + "]").put("exponent", s.exponent).put("run", s.run).text();
}

std::string adder_text(const Adder& a) {
  std::string text = "  - name: " + a.name + "\n    add: " + inputs_text(a.add) + "\n";
  if (a.group) text += "    group: " + group_text(*a.group) + "\n";
  text += "    shape: " + std::string(word(a.shape)) + "\n    window: " + window_text(a.window) + "\n";
  text += "    sticky: " + std::string(word(a.sticky)) + "\n";
  if (a.cancelled != Cancelled::window) text += "    cancelled: none\n";
  text += std::string("    times: ") + (a.times_scales ? "scales" : "none") + "\n";
  if (a.errata.minus_one) text += "    errata: {minus_one: " + std::to_string(*a.errata.minus_one) + "}\n";
  text += "    zero: " + std::string(word(a.zero)) + "\n    result: [";
  for (std::size_t i = 0; i < a.results.size(); ++i) text += (i == 0 ? "" : ", ") + result_text(a.results[i]);
  return text + "]\n";
}

std::string adders_text(const std::string& key, const std::vector<Adder>& adders) {
  if (adders.empty()) return "";
  std::string text = key + ":\n";
  for (const Adder& a : adders) text += adder_text(a);
  return text;
}

}  // namespace

std::string datapath_text(const Datapath& d, int k) {
  std::string text = "name: " + d.name + "\nk: " + std::to_string(k) + "\n";
  if (!d.formats.empty()) text += "formats: " + formats_text(d.formats) + "\n";
  text += "operands: " + operands_text(d.operands) + "\n";
  Mapping subnormals;
  subnormals.put("a", d.subnormals_a).put("b", d.subnormals_b).put("c", d.subnormals_c);
  if (d.subnormals_acc != Subnormals::keep) subnormals.put("acc", d.subnormals_acc);
  text += "subnormals: " + subnormals.text() + "\n";
  if (d.nans_a != Nans::keep || d.nans_b != Nans::keep || d.nans_c != Nans::keep)
    text += "nans: " + Mapping().put("a", d.nans_a).put("b", d.nans_b).put("c", d.nans_c).text() + "\n";
  const auto works = [](const Factor& f) { return f.zero_point || f.round || f.step != 1 || f.empty; };
  if (works(d.factor_a) || works(d.factor_b))
    text += "factors: " + Mapping().put("a", factor_text(d.factor_a)).put("b", factor_text(d.factor_b)).text() + "\n";
  text += "specials: " + std::string(word(d.specials)) + "\n";
  if (d.nan) text += "nan: " + nan_text(*d.nan) + "\n";
  if (!d.slices.pairs.empty()) text += "slices: " + slices_text(d.slices) + "\n";
  text += "product: " + product_text(d.product) + "\n";
  text += "k_order: " +
          Mapping().put("lanes", group_text(d.lanes)).put("step", group_text(d.step)).put("from", d.from).text() + "\n";
  text += "start: " + std::string(word(d.start)) + "\n";
  if (d.flags)
    text += "flags: " +
            Mapping().put("invalid", d.flags->invalid).put("of", d.flags->of).put("tiny", d.flags->tiny).text() + "\n";
  return text + adders_text("adders", d.adders) + adders_text("finish", d.finish);
}

}  // namespace assay
