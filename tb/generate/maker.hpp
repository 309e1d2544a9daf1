// The workbench on which a family makes one case: it starts as all zeros with scales of one, and terms are then put
// where the family wants them.
#pragma once

#include <vector>

#include "tb/devices/device.hpp"
#include "tb/generate/anatomy.hpp"
#include "tb/generate/random.hpp"

namespace assay {

// The mantissa of an operand.
enum class Fill {
  one,   // 1.00..00
  last,  // 1.00..01
  ones,  // 1.11..11
  any,
};

// What is wanted of a product or of c. In braces its members are drawn from left to right; arguments would be drawn in
// whatever order the compiler likes, and a case would mean something else on another machine.
struct Wanted {
  bool negative;
  int exponent;
  Fill fill;
};

class Maker {
 public:
  // `turn`: how many cases of the family came before this one; what a family covers one after the other, it counts by.
  Maker(const Anatomy& facts, const Random& random, std::uint64_t turn);

  const Anatomy& facts() const { return facts_; }
  const Plan& plan() const { return *facts_.plan; }
  std::uint64_t turn() const { return turn_; }
  // 0, 1, .. choices - 1, 0, .. turn after turn, each `times` times in a row.
  int counted(int choices, int times = 1) const {
    return static_cast<int>(turn_ / static_cast<std::uint64_t>(times) % static_cast<std::uint64_t>(choices));
  }
  Draws& choice() { return choice_; }                                          // for the case as a whole
  Draws draws(Part part, int index) const { return random_.at(part, index); }  // for one of its parts

  // The terms a family works on: those of one step, or all. `index(0)` to `index(count() - 1)` are indices in k.
  int count() const { return count_; }
  int index(int x) const { return first_[x % count_]; }
  // As they are added, lane by lane and step by step: `ordered(0)` to `ordered(k - 1)` are all indices in k.
  int ordered(int position) const { return plan().elements[static_cast<std::size_t>(position % plan().k)]; }

  // Product `i` with this sign and nominal exponent, or the nearest exponent the formats reach. The first term put into
  // a scale block chooses the block's scales, unless `level` did.
  void put_term(int i, const Wanted& wanted);
  void put_bit(int i, bool negative, int exponent);  // the product is 2^exponent, from subnormals where need be
  void put_negated(int i, int original);             // minus the product `original`
  void put_c(const Wanted& wanted);

  // All scale blocks alike, so that a term of this exponent can stand anywhere.
  void level(int exponent, Fill fill = Fill::one);
  // All scale blocks alike: they add `shift` to the exponents of their products, or what is nearest.
  void shift_all(int shift, Fill fill = Fill::one);

  // One code: a[0..], b[0..], c, scale_a[0..], scale_b[0..] are places 0, 1, ...
  int places() const { return 2 * plan().k + 1 + 2 * plan().scales; }
  const Format& format_at(int place) const;
  Draws draws_at(int place) const;
  Code& code_at(int place);
  int place_of_a(int i) const { return i; }
  int place_of_b(int i) const { return plan().k + i; }
  int place_of_c() const { return 2 * plan().k; }

  // What a case brings beside these, one list after the other. It is drawn when the case is finished, where no family
  // has put it.
  std::vector<Code>& more() {
    more_is_put_ = true;
    return made_.more;
  }

  // The bits of all products; drawn when the case is finished, where no family has put them.
  void put_mask(const std::vector<Code>& bits);
  // Some bits that fit the mask's pattern, whatever stands at the products; none where it has no pattern.
  std::vector<Code> drawn_pattern() const;
  // The same as the case's mask: which products are on together; all of them where there is no pattern.
  std::vector<Code> put_pattern();
  // Of masks that may be any, the one that has all products on.
  void keep_on() { stays_on_ = true; }

  Number product(int i) const;  // what stands there now, scaled
  Code d() const;               // what the model makes of what stands there now

  Case finish();  // the case; in every other one the bits that formats ignore are noise

 private:
  struct Where {
    Part part;
    int index;
  };
  Where where(int place) const;
  std::optional<int>& shift_of(int i);
  int shift_for(int i, const Wanted& wanted);
  int element_exponent(int i, const Wanted& wanted, Draws& draws);
  void put_scales(int block, int exponent, Fill fill);
  void draw_more();
  void draw_mask();
  Code more_code(const CaseOperand& operand, int kind, Draws& draws) const;

  const Anatomy& facts_;
  Random random_;
  std::uint64_t turn_;
  Draws choice_;
  const int* first_;
  int count_;
  std::vector<std::optional<int>> shift_;  // what the scales of each block add to its products' exponents, once chosen
  bool more_is_put_ = false, mask_is_put_ = false, stays_on_ = false;
  Case made_;
};

}  // namespace assay
