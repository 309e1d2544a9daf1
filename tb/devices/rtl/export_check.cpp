#include "tb/devices/rtl/export_check.hpp"

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "tb/source/known_words.hpp"

namespace assay {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
  throw Error{key + ": export-sv " + why, Ending::not_here};
}

// --- values of words: a new one does not compile until somebody says here whether a block does it ---

bool has_block(Cut cut) {
  switch (cut) {
    case Cut::toward_zero:
    case Cut::down:
    case Cut::up:
    case Cut::nearest_even:
    case Cut::nearest_away:
    case Cut::nearest_up:
    case Cut::to_odd:
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: return true;
  }
  return false;
}

bool has_block(Subnormals subnormals) {
  switch (subnormals) {
    case Subnormals::keep:
    case Subnormals::zero:
    case Subnormals::signed_zero: return true;
  }
  return false;
}

bool has_block(Specials specials) {
  switch (specials) {
    case Specials::step:
    case Specials::operation:
    case Specials::numbers: return true;
  }
  return false;
}

bool has_block(Tiny tiny) {
  switch (tiny) {
    case Tiny::result:
    case Tiny::before:
    case Tiny::after: return true;
  }
  return false;
}

bool has_block(Overflow overflow) {
  switch (overflow) {
    case Overflow::infinity:
    case Overflow::largest:
    case Overflow::wrap:
    case Overflow::nan:
    case Overflow::directed:
    case Overflow::symmetric:
    case Overflow::top: return true;
  }
  return false;
}

bool has_block(Nans nans) {
  switch (nans) {
    case Nans::keep:
    case Nans::zero: return true;
  }
  return false;
}

bool has_block(RowDigits digits) {
  switch (digits) {
    case RowDigits::bits:
    case RowDigits::booth4: return true;
  }
  return false;
}

bool has_block(RowSign sign) {
  switch (sign) {
    case RowSign::rows:
    case RowSign::digits: return true;
  }
  return false;
}

bool has_block(RowExtension extension) {
  switch (extension) {
    case RowExtension::sign:
    case RowExtension::constant: return true;
  }
  return false;
}

bool has_block(Compress compress) {
  switch (compress) {
    case Compress::tree:
    case Compress::chain: return true;
  }
  return false;
}

bool has_block(Cancelled cancelled) {
  switch (cancelled) {
    case Cancelled::window:
    case Cancelled::none: return true;
  }
  return false;
}

bool has_block(Sticky sticky) {
  switch (sticky) {
    case Sticky::none:
    case Sticky::below_sum:
    case Sticky::at_result: return true;
  }
  return false;
}

bool has_block(OfInfinity infinity) {
  switch (infinity) {
    case OfInfinity::keep:
    case OfInfinity::largest:
    case OfInfinity::nan: return true;
  }
  return false;
}

bool has_block(OfNan nan) {
  switch (nan) {
    case OfNan::keep:
    case OfNan::positive:
    case OfNan::zero:
    case OfNan::largest: return true;
  }
  return false;
}

bool has_block(OfNegative negative) {
  switch (negative) {
    case OfNegative::zero:
    case OfNegative::nan:
    case OfNegative::directed: return true;
  }
  return false;
}

bool has_block(MinusZero minus_zero) {
  switch (minus_zero) {
    case MinusZero::keep:
    case MinusZero::never: return true;
  }
  return false;
}

bool has_block(SliceExponent exponent) {
  switch (exponent) {
    case SliceExponent::operand:
    case SliceExponent::slice: return true;
  }
  return false;
}

bool has_block(SliceRun run) {
  switch (run) {
    case SliceRun::together:
    case SliceRun::step:
    case SliceRun::passes: return true;
  }
  return false;
}

bool has_block(Start start) {
  switch (start) {
    case Start::c:
    case Start::zero:
    case Start::none: return true;
  }
  return false;
}

bool has_block(ZeroSign zero) {
  switch (zero) {
    case ZeroSign::positive:
    case ZeroSign::ieee: return true;
  }
  return false;
}

bool has_block(ResultAt at) {
  switch (at) {
    case ResultAt::window:
    case ResultAt::leading_one:
    case ResultAt::format: return true;
  }
  return false;
}

bool has_block(WindowExponent exponent) {
  switch (exponent) {
    case WindowExponent::largest:
    case WindowExponent::fixed: return true;
  }
  return false;
}

bool has_block(ProductExponent exponent) {
  switch (exponent) {
    case ProductExponent::raw:
    case ProductExponent::normalised: return true;
  }
  return false;
}

bool has_block(FormatKind kind) {
  switch (kind) {
    case FormatKind::floating:
    case FormatKind::integer:
    case FormatKind::values: return true;
  }
  return false;
}

bool has_block(InfinityCodes codes) {
  switch (codes) {
    case InfinityCodes::top_exponent:
    case InfinityCodes::last: return true;
  }
  return false;
}

template <class Enum>
void check_value(const std::string& key, Enum value) {
  if (!has_block(value)) refuse(key, "has no block for this value.");
}

// Of a rule that makes lists: decode, encode and round.
bool has_blocks(const std::string& rule) { return rule == "posit" || rule == "prefix"; }

// A list that no rule makes is a table of its codes. The tools' time grows with the square of it: of 10 bits half a
// second, of 13 half a minute.
constexpr int most_table_bits = 10;

void check_format(const std::string& key, const Format& format) {
  const bool by_rule = format.is_list() && !says_list(format);
  if (!has_block(format.kind) || !has_block(format.infinity_codes) || (by_rule && !has_blocks(format.rule)))
    refuse(key, "has no block that reads or writes the format " + format.name + ".");
  if (says_list(format) && format.stored_bits > most_table_bits)
    refuse(key, "writes a list of values as a table of all codes, and " + format.name + " has " +
                    std::to_string(std::uint64_t{1} << format.stored_bits) +
                    " of them, for which a simulator takes minutes: use a list of at most " +
                    std::to_string(1 << most_table_bits) + " codes, or a format that a rule or fields describe.");
}

void check_result(const std::string& key, const ResultPlan& result) {
  const Result& words = result.words;
  check_value(key + ".at", words.at);
  check_value(key + ".cut", words.cut);
  if (words.at != ResultAt::format) return;
  check_format(key + ".format", result.format);
  check_value(key + ".infinity", words.infinity);
  check_value(key + ".nan", words.nan);
  check_value(key + ".negative", words.negative);
  check_value(key + ".subnormals", words.subnormals);
  check_value(key + ".tiny", words.tiny);
  check_value(key + ".overflow", words.overflow);
  check_value(key + ".minus_zero", words.minus_zero);
}

bool has_block(CaseOperandKind kind) {
  switch (kind) {
    case CaseOperandKind::scale:
    case CaseOperandKind::zero_point:
    case CaseOperandKind::mask:
    case CaseOperandKind::random: return true;
  }
  return false;
}

void check_operand(const CaseOperand& more) {
  if (!has_block(more.kind)) refuse("operands." + more.name, "has no block for what this operand does.");
  check_format("operands." + more.name + ".format", more.format);
}

// Of what enters a sum.
void check_cut(const std::string& key, Cut cut) {
  check_value(key, cut);
  if (is_stochastic(cut)) refuse(key, "cuts results by chance, not what enters a sum: say another cut.");
}

// What was lost joins a number whose bits are cut, not one that is looked up.
void check_joining(const std::string& key, const AdderPlan& adder) {
  if (adder.sticky != Sticky::at_result || adder.results.empty()) return;
  const ResultPlan& first = adder.results.front();
  if (first.words.at == ResultAt::format && first.format.is_list())
    refuse(key + ".sticky", "has no block in which lost bits join a number of the list " + first.format.name + ".");
}

void check_adders(const std::string& list, const std::vector<AdderPlan>& adders) {
  for (std::size_t i = 0; i < adders.size(); ++i) {
    const std::string key = indexed(list, static_cast<int>(i));
    const AdderPlan& adder = adders[i];
    for (const InputPlan& input : adder.inputs) {
      const std::string at = key + ".add." + input.words.source;
      check_cut(at + ".cut", input.words.cut);
      for (const Recut& again : input.words.again) check_cut(at + ".again.cut", again.cut);
    }
    check_value(key + ".window.exponent", adder.window.exponent);
    check_value(key + ".zero", adder.zero);
    check_value(key + ".sticky", adder.sticky);
    check_value(key + ".cancelled", adder.cancelled);
    check_joining(key, adder);
    for (std::size_t j = 0; j < adder.results.size(); ++j)
      check_result(indexed(key + ".result", static_cast<int>(j)), adder.results[j]);
  }
}

void check_rows(const ProductRows& rows) {
  check_value("product.rows.digits", rows.digits);
  check_value("product.rows.sign", rows.sign);
  check_value("product.rows.extension", rows.extension);
  check_value("product.rows.compress", rows.compress);
}

// A NaN that was made goes on as the bits of one of d, beside those that operands bring.
void check_made_nan(const Plan& plan) {
  if (!plan.take || said_by_nan(plan.nan, plan.d) != NanSays::sign_and_payload) return;
  if (decode(plan.nan.code, plan.d, Subnormals::keep, Specials::step).cls != Class::nan)
    refuse("nan.default",
           "has no block for a code that is no NaN of " + std::string(plan.d.name) + ": say one that is.");
}

}  // namespace

void check_exportable(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (const auto key = unknown_word(words)) refuse(*key, "has no block for this word.");
  check_format("operands.a", plan.a);
  check_format("operands.b", plan.b);
  check_format("operands.c", plan.c);
  check_format("operands.d", plan.d);
  if (plan.scale) check_format("operands.scale.format", *plan.scale);
  for (const CaseOperand& more : plan.more) check_operand(more);
  if (plan.factor_a.round) check_result("factors.a.round", *plan.factor_a.round);
  if (plan.factor_b.round) check_result("factors.b.round", *plan.factor_b.round);
  check_value("subnormals.a", words.subnormals_a);
  check_value("subnormals.b", words.subnormals_b);
  check_value("subnormals.c", words.subnormals_c);
  check_value("subnormals.acc", words.subnormals_acc);
  check_value("specials", words.specials);
  check_made_nan(plan);
  check_value("start", words.start);
  check_value("nans.a", words.nans_a);
  check_value("nans.b", words.nans_b);
  check_value("nans.c", words.nans_c);
  check_value("slices.exponent", words.slices.exponent);
  check_value("slices.run", words.slices.run);
  check_value("product.exponent", words.product.exponent);
  if (words.product.rows) check_rows(*words.product.rows);
  if (plan.product_round) check_result("product.round", *plan.product_round);
  check_adders("adders", plan.adders);
  check_adders("finish", plan.finish);
}

std::optional<std::string> why_not_exportable(const Plan& plan) {
  try {
    check_exportable(plan);
    return std::nullopt;
  } catch (const Error& error) {
    return error.message;
  }
}

void check_places(const Plan& plan, const std::vector<Sheet::Probe>& probes) {
  std::size_t next = 0;
  for (const Sheet::Probe& probe : probes) {
    for (int i = 0; i < probe.count; ++i, ++next) {
      if (next >= plan.places.size()) refuse(probe.bits, "wired what is no place of this datapath.");
      const int width = plan.places[next].width;
      if (width * probe.count != probe.width)
        refuse(plan.places[next].name, "wired " + std::to_string(probe.width / probe.count) + " bits for the " +
                                           std::to_string(width) + " of this place.");
    }
  }
  if (next < plan.places.size()) refuse(plan.places[next].name, "wired nothing for this place.");
}

}  // namespace assay
