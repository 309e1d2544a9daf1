#include "tb/devices/rtl/export_check.hpp"

#include "model/core/encode.hpp"

namespace assay {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
  throw Error{key + ": export-sv " + why, Ending::not_here};
}

// --- words ---

void check_format_words(const std::string& key, const Format& f) {
  check_words(key, f, &Format::exponent_bits, &Format::mantissa_bits, &Format::bias, &Format::has_infinity,
              &Format::infinity_codes, &Format::nan, &Format::has_signed_zero, &Format::stored_bits, &Format::has_sign,
              &Format::has_zero, &Format::ignored_low_bits, &Format::ignored_high_bits, &Format::fraction_bits,
              &Format::sign_magnitude, &Format::rule, &Format::parameters, &Format::listed, &Format::ties);
}

void check_result_words(const std::string& key, const Result& r) {
  check_words(key, r, &Result::format, &Result::cut, &Result::at, &Result::keep, &Result::least_exponent,
              &Result::subnormals, &Result::tiny, &Result::overflow, &Result::infinity, &Result::nan, &Result::negative,
              &Result::minus_zero, &Result::random_bits);
}

void check_group_words(const std::string& key, const Group& g) {
  check_words(key, g, &Group::terms, &Group::deal, &Group::unit);
}

void check_adder_words(const std::string& key, const Adder& a) {
  check_words(key, a, &Adder::name, &Adder::add, &Adder::group, &Adder::shape, &Adder::window, &Adder::sticky,
              &Adder::times_scales, &Adder::zero, &Adder::errata, &Adder::results);
  for (const Input& input : a.add) {
    const std::string at = key + ".add." + input.source;
    check_words(at, input, &Input::keep, &Input::cut, &Input::empty, &Input::lost_below, &Input::negate, &Input::again);
    for (const Recut& again : input.again) check_words(at + ".again", again, &Recut::keep, &Recut::cut);
  }
  if (a.group) check_group_words(key + ".group", *a.group);
  check_words(key + ".window", a.window, &Window::exponent, &Window::at, &Window::floor, &Window::step,
              &Window::lost_at);
  check_words(key + ".errata", a.errata, &Errata::minus_one);
  for (std::size_t i = 0; i < a.results.size(); ++i)
    check_result_words(indexed(key + ".result", static_cast<int>(i)), a.results[i]);
}

void check_factor_words(const std::string& key, const Factor& f) {
  check_words(key, f, &Factor::zero_point, &Factor::round);
  if (f.round) check_result_words(key + ".round", *f.round);
}

void check_operand_words(const Operands& o) {
  check_words("operands", o, &Operands::a, &Operands::b, &Operands::c, &Operands::d, &Operands::scale,
              &Operands::scale_block, &Operands::scales, &Operands::zero_a, &Operands::zero_b, &Operands::mask);
  for (const Scale& scale : o.scales)
    check_words("operands.scales." + scale.name, scale, &Scale::name, &Scale::of, &Scale::format, &Scale::block,
                &Scale::at);
  check_words("operands.zero_a", o.zero_a, &ZeroPoints::format, &ZeroPoints::block);
  check_words("operands.zero_b", o.zero_b, &ZeroPoints::format, &ZeroPoints::block);
  if (o.mask) check_words("operands.mask", *o.mask, &Mask::take, &Mask::among, &Mask::unit);
}

void check_datapath_words(const Datapath& w) {
  check_words("", w, &Datapath::operands, &Datapath::formats, &Datapath::subnormals_a, &Datapath::subnormals_b,
              &Datapath::subnormals_c, &Datapath::subnormals_acc, &Datapath::factor_a, &Datapath::factor_b,
              &Datapath::specials, &Datapath::nan, &Datapath::slices, &Datapath::product, &Datapath::lanes,
              &Datapath::step, &Datapath::from, &Datapath::start, &Datapath::adders, &Datapath::finish);
  check_operand_words(w.operands);
  check_factor_words("factors.a", w.factor_a);
  check_factor_words("factors.b", w.factor_b);
  for (const Format& f : w.formats) check_format_words("formats." + f.name, f);
  check_words("slices", w.slices, &Slices::pairs, &Slices::exponent, &Slices::run);
  for (std::size_t i = 0; i < w.slices.pairs.size(); ++i)
    check_words(indexed("slices.pairs", static_cast<int>(i)), w.slices.pairs[i], &SlicePair::a_from, &SlicePair::a_bits,
                &SlicePair::b_from, &SlicePair::b_bits);
  check_words("product", w.product, &Product::round, &Product::exponent, &Product::infinity_at, &Product::times_scales,
              &Product::empty);
  if (w.product.round) check_result_words("product.round", *w.product.round);
  check_group_words("k_order.lanes", w.lanes);
  check_group_words("k_order.step", w.step);
  for (std::size_t i = 0; i < w.adders.size(); ++i)
    check_adder_words(indexed("adders", static_cast<int>(i)), w.adders[i]);
  for (std::size_t i = 0; i < w.finish.size(); ++i)
    check_adder_words(indexed("finish", static_cast<int>(i)), w.finish[i]);
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

bool has_block(Sticky sticky) {
  switch (sticky) {
    case Sticky::none:
    case Sticky::below_sum: return true;
    case Sticky::at_result: return false;
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
  if (format.fraction_bits < 0)
    refuse(key, "has blocks for integers and bits after the point, not for units of 2^" +
                    std::to_string(format.last_place()) + ".");
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

// Where d's NaNs say nothing, one code is all that is written.
void check_nan_order(const Plan& plan) {
  if (!plan.take || said_by_nan(plan.nan, plan.d) != NanSays::nothing) return;
  if (plan.d.used(plan.nan.code) != plan.d.quiet_nan())
    refuse("nan.default", "writes every NaN as the quiet one of d's format, and this code is another.");
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
    check_value(key + ".sticky", adder.sticky);
    check_value(key + ".zero", adder.zero);
    for (std::size_t j = 0; j < adder.results.size(); ++j)
      check_result(indexed(key + ".result", static_cast<int>(j)), adder.results[j]);
  }
}

}  // namespace

void check_exportable(const Plan& plan) {
  const Datapath& words = plan.datapath;
  check_datapath_words(words);
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
  check_value("start", words.start);
  check_nan_order(plan);
  check_value("slices.exponent", words.slices.exponent);
  check_value("slices.run", words.slices.run);
  check_value("product.exponent", words.product.exponent);
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
