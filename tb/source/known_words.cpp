#include "tb/source/known_words.hpp"

namespace assay {
namespace {

class Reader {
 public:
  std::optional<std::string> first_unknown(const Datapath& w) {
    datapath_words(w);
    return found_;
  }

 private:
  template <class S, class... V>
  void words(const std::string& key, const S& s, V S::*... known) {
    if (!found_) found_ = unknown_word(key, s, known...);
  }

  void format_words(const std::string& key, const Format& f) {
    words(key, f, &Format::exponent_bits, &Format::mantissa_bits, &Format::bias, &Format::has_infinity,
          &Format::infinity_codes, &Format::nan, &Format::has_signed_zero, &Format::stored_bits, &Format::has_sign,
          &Format::has_zero, &Format::ignored_low_bits, &Format::ignored_high_bits, &Format::fraction_bits,
          &Format::sign_magnitude, &Format::rule, &Format::parameters, &Format::listed, &Format::ties);
  }

  void result_words(const std::string& key, const Result& r) {
    words(key, r, &Result::format, &Result::cut, &Result::at, &Result::keep, &Result::least_exponent,
          &Result::subnormals, &Result::tiny, &Result::overflow, &Result::infinity, &Result::nan, &Result::negative,
          &Result::minus_zero, &Result::random_bits, &Result::bits);
  }

  void group_words(const std::string& key, const Group& g) { words(key, g, &Group::terms, &Group::deal, &Group::unit); }

  void adder_words(const std::string& key, const Adder& a) {
    words(key, a, &Adder::name, &Adder::add, &Adder::group, &Adder::shape, &Adder::window, &Adder::sticky,
          &Adder::times_scales, &Adder::zero, &Adder::cancelled, &Adder::errata, &Adder::results);
    for (const Input& input : a.add) {
      const std::string at = key + ".add." + input.source;
      words(at, input, &Input::keep, &Input::cut, &Input::empty, &Input::lost_below, &Input::negate, &Input::again);
      for (const Recut& again : input.again) words(at + ".again", again, &Recut::keep, &Recut::cut);
    }
    if (a.group) group_words(key + ".group", *a.group);
    words(key + ".window", a.window, &Window::exponent, &Window::at, &Window::floor, &Window::raise, &Window::step,
          &Window::step_from, &Window::lost_at);
    words(key + ".errata", a.errata, &Errata::minus_one);
    for (std::size_t i = 0; i < a.results.size(); ++i)
      result_words(indexed(key + ".result", static_cast<int>(i)), a.results[i]);
  }

  void factor_words(const std::string& key, const Factor& f) {
    words(key, f, &Factor::zero_point, &Factor::round, &Factor::step, &Factor::step_from, &Factor::empty);
    if (f.round) result_words(key + ".round", *f.round);
  }

  void operand_words(const Operands& o) {
    words("operands", o, &Operands::a, &Operands::b, &Operands::c, &Operands::d, &Operands::scale,
          &Operands::scale_block, &Operands::scales, &Operands::zero_a, &Operands::zero_b, &Operands::mask);
    for (const Scale& scale : o.scales)
      words("operands.scales." + scale.name, scale, &Scale::name, &Scale::of, &Scale::format, &Scale::block,
            &Scale::at);
    words("operands.zero_a", o.zero_a, &ZeroPoints::format, &ZeroPoints::block);
    words("operands.zero_b", o.zero_b, &ZeroPoints::format, &ZeroPoints::block);
    if (o.mask) words("operands.mask", *o.mask, &Mask::take, &Mask::among, &Mask::unit);
  }

  void datapath_words(const Datapath& w) {
    words("", w, &Datapath::operands, &Datapath::formats, &Datapath::subnormals_a, &Datapath::subnormals_b,
          &Datapath::subnormals_c, &Datapath::subnormals_acc, &Datapath::nans_a, &Datapath::nans_b, &Datapath::nans_c,
          &Datapath::factor_a, &Datapath::factor_b, &Datapath::specials, &Datapath::nan, &Datapath::slices,
          &Datapath::product, &Datapath::lanes, &Datapath::step, &Datapath::from, &Datapath::start, &Datapath::adders,
          &Datapath::finish, &Datapath::flags);
    if (w.flags) words("flags", *w.flags, &Flags::of, &Flags::invalid, &Flags::tiny);
    operand_words(w.operands);
    factor_words("factors.a", w.factor_a);
    factor_words("factors.b", w.factor_b);
    for (const Format& f : w.formats) format_words("formats." + f.name, f);
    words("slices", w.slices, &Slices::pairs, &Slices::exponent, &Slices::run);
    for (std::size_t i = 0; i < w.slices.pairs.size(); ++i)
      words(indexed("slices.pairs", static_cast<int>(i)), w.slices.pairs[i], &SlicePair::a_from, &SlicePair::a_bits,
            &SlicePair::b_from, &SlicePair::b_bits);
    words("product", w.product, &Product::round, &Product::exponent, &Product::infinity_at, &Product::times_scales,
          &Product::empty, &Product::rows);
    if (w.product.rows)
      words("product.rows", *w.product.rows, &ProductRows::of, &ProductRows::digits, &ProductRows::sign,
            &ProductRows::extension, &ProductRows::width, &ProductRows::compress, &ProductRows::first);
    if (w.product.round) result_words("product.round", *w.product.round);
    group_words("k_order.lanes", w.lanes);
    group_words("k_order.step", w.step);
    for (std::size_t i = 0; i < w.adders.size(); ++i) adder_words(indexed("adders", static_cast<int>(i)), w.adders[i]);
    for (std::size_t i = 0; i < w.finish.size(); ++i) adder_words(indexed("finish", static_cast<int>(i)), w.finish[i]);
  }

  std::optional<std::string> found_;
};

}  // namespace

std::optional<std::string> unknown_word(const Datapath& words) { return Reader().first_unknown(words); }

}  // namespace assay
