// Mutants of the rule of special values. The rule is no word of the vocabulary, so that none of these has a datapath of
// its own: each is a unit that takes some operands for others. What it gives is what the right plan gives for those.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/core/dot.hpp"
#include "tb/generate/meetings.hpp"

namespace assay {

// The operands of one case, as a faulty unit comes to read them.
class ReadOperands {
 public:
  ReadOperands(const Plan& plan, const Operand& operand);

  const Plan& plan() const { return plan_; }
  Operand operand() const { return {a_.data(), b_.data(), c_, scale_a_.data(), scale_b_.data(), more_.data()}; }

  enum class Side { a, b };
  Code& code(Side side, int i) { return (side == Side::a ? a_ : b_)[static_cast<std::size_t>(i)]; }
  Code& c() { return c_; }
  Code& scale(Side side, int block) { return (side == Side::a ? scale_a_ : scale_b_)[static_cast<std::size_t>(block)]; }

  Number read(Side side, int i) const;
  Number read_c() const;
  Number read_scale(Side side, int block) const;
  Number product(int i) const;  // before its scales
  bool infinite_product(int i) const { return product(i).cls == Class::infinity; }
  bool nan_product(int i) const { return product(i).cls == Class::nan; }
  bool counts_as_infinite(int i) const;  // a finite product that reaches `infinity_at`
  void clear(int i);                     // the product becomes zero
  bool is_off(int i) const {
    return off_[static_cast<std::size_t>(i)] != 0;
  }                     // by the case's mask: a and b are +0 here
  void uncover(int i);  // what the mask hides is there again

  // Any NaN or infinity, or a product that counts as one: else no fault shows.
  bool any_special() const;

 private:
  const Plan& plan_;
  std::vector<Code> given_a_, given_b_, a_, b_, scale_a_, scale_b_, more_;
  std::vector<char> off_;
  Code c_;
};

struct SpecialFault {
  std::string name;      // "special.infinity x zero"
  std::string from, to;  // "NaN", "zero"
  std::function<void(ReadOperands&)> misread;
  bool of_mask = false;  // it shows without anything special, too
};

// Those that some case can tell from the right unit.
std::vector<SpecialFault> special_faults(const Plan& right);

// What the faulty unit gives.
Code result_of(const SpecialFault& fault, const Plan& right, const Operand& operand, Registers& registers);

}  // namespace assay
