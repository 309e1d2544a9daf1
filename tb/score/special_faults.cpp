#include "tb/score/special_faults.hpp"

#include <algorithm>

#include "model/core/decode.hpp"
#include "model/core/multiply.hpp"
#include "model/core/plain_sums.hpp"
#include "model/core/signs.hpp"
#include "tb/generate/codes.hpp"

namespace assay {
namespace {

using Side = ReadOperands::Side;

bool has_nan(const Format& f) { return f.nan != NanCodes::none; }
const Format& format_of(const Plan& p, Side side) { return side == Side::a ? p.a : p.b; }
Side other(Side side) { return side == Side::a ? Side::b : Side::a; }
std::string name_of(Side side) { return side == Side::a ? "a" : "b"; }

std::string name_of(Meeting meeting) {
  switch (meeting) {
    case Meeting::group: return "in one sum";
    case Meeting::groups: return "of two groups";
    case Meeting::steps: return "of two steps";
    case Meeting::lanes: return "of two lanes";
  }
  return "";
}

template <class Does>
bool any_term(const ReadOperands& o, Does does) {
  for (int i = 0; i < o.plan().k; ++i) {
    if (does(i)) return true;
  }
  return false;
}

bool any_infinite_product(const ReadOperands& o) {
  return any_term(o, [&](int i) { return o.infinite_product(i); });
}

void clear_nan_products(ReadOperands& o) {
  for (int i = 0; i < o.plan().k; ++i) {
    if (o.nan_product(i)) o.clear(i);
  }
}

bool in_step(const ReadOperands& o, int i) { return o.infinite_product(i) || o.nan_product(i); }

// The rule, decision by decision; of each what else a unit might do.
class Faults {
 public:
  explicit Faults(const Plan& plan) : plan_(plan), meetings_(plan), signs_(signs_of(plan)) {}

  std::vector<SpecialFault> all() {
    if (plan_.d.is_integer() || plan_.datapath.specials == Specials::numbers) return {};
    for (const Side side : {Side::a, Side::b}) {
      operands(side);
      zero_times_infinity(side);
      nan_in_a_product(side);
      if (plan_.scales > 0) scales(side);
    }
    if (infinite_products()) signs_of_products();
    if (reads_c()) c();
    nan_before_infinity();
    for (int x = 0; x < assay::meetings; ++x) {
      if (meetings_.any(static_cast<Meeting>(x))) both_infinities(static_cast<Meeting>(x));
    }
    if (reads_c() && infinite_products() && plan_.c.has_infinity) product_against_c();
    if (plan_.datapath.product.infinity_at) overflowed_products();
    handed_on();
    masks();
    return std::move(made_);
  }

 private:
  using Misread = std::function<void(ReadOperands&)>;
  void make(const std::string& name, const std::string& from, const std::string& to, Misread misread) {
    made_.push_back({"special." + name + " " + to, from, to, std::move(misread), false});
  }

  bool reads_c() const { return signs_.c != 0; }
  bool infinite_products() const { return plan_.a.has_infinity || plan_.b.has_infinity; }
  bool nan_products() const { return infinite_products() || has_nan(plan_.a) || has_nan(plan_.b); }

  // --- one operand ---

  void operands(Side side) {
    const Format& f = format_of(plan_, side);
    const auto each = [side](auto is, auto code) {
      return [=](ReadOperands& o) {
        for (int i = 0; i < o.plan().k; ++i) {
          const Number n = o.read(side, i);
          if (is(n)) o.code(side, i) = code(format_of(o.plan(), side), n.negative);
        }
      };
    };
    const auto is_nan = [](const Number& n) { return n.cls == Class::nan; };
    const auto is_infinite = [](const Number& n) { return n.cls == Class::infinity; };
    if (has_nan(f))
      make(name_of(side) + " NaN", "NaN", "one", each(is_nan, [](const Format& g, bool) { return one_code(g); }));
    if (!f.has_infinity) return;
    make(name_of(side) + " infinite", "infinity", "greatest",
         each(is_infinite, [](const Format& g, bool negative) { return greatest_code(g, negative); }));
  }

  void c() {
    const auto when = [](Class cls, auto code) {
      return [=](ReadOperands& o) {
        const Number n = o.read_c();
        if (n.cls == cls) o.c() = code(o.plan().c, n.negative);
      };
    };
    if (has_nan(plan_.c)) {
      make("c NaN", "NaN", "zero", when(Class::nan, [](const Format& f, bool) { return zero_code(f, false); }));
    }
    if (!plan_.c.has_infinity) return;
    make("c infinite", "infinity", "greatest",
         when(Class::infinity, [](const Format& f, bool negative) { return greatest_code(f, negative); }));
    if (!plan_.c.has_sign) return;
    make("c infinite", "infinity", "of the other sign",
         when(Class::infinity, [](const Format& f, bool negative) { return infinity_code(f, !negative); }));
  }

  // --- one product ---

  // Does `change` to each term whose operand on this side `is` so, and the one on the other side so.
  template <class Is, class OtherIs, class Change>
  static Misread each_term(Side side, Is is, OtherIs other_is, Change change) {
    return [=](ReadOperands& o) {
      for (int i = 0; i < o.plan().k; ++i) {
        if (is(o.read(side, i)) && other_is(o.read(other(side), i))) change(o, i);
      }
    };
  }
  static bool nan(const Number& n) { return n.cls == Class::nan; }
  static bool infinite(const Number& n) { return n.cls == Class::infinity; }
  static bool zero(const Number& n) { return n.is_zero(); }

  // A code that is 1 with the sign of what stands there.
  static void put_one(ReadOperands& o, Side side, int i) {
    const Format& f = format_of(o.plan(), side);
    const bool negative = o.read(side, i).negative;
    o.code(side, i) = negative && f.has_sign ? negated_code(f, one_code(f)) : one_code(f);
  }

  void zero_times_infinity(Side side) {
    if (!format_of(plan_, side).has_infinity || !format_of(plan_, other(side)).has_zero) return;
    const std::string name = name_of(side) + " infinite x zero";
    make(name, "NaN", "zero", each_term(side, infinite, zero, [side](ReadOperands& o, int i) { put_one(o, side, i); }));
    make(name, "NaN", "infinity",
         each_term(side, infinite, zero, [side](ReadOperands& o, int i) { put_one(o, other(side), i); }));
  }

  void nan_in_a_product(Side side) {
    if (!has_nan(format_of(plan_, side))) return;
    const Format& beside = format_of(plan_, other(side));
    const auto overlook = [side](ReadOperands& o, int i) { put_one(o, side, i); };
    if (beside.has_zero) make(name_of(side) + " NaN x zero", "NaN", "zero", each_term(side, nan, zero, overlook));
    if (beside.has_infinity)
      make(name_of(side) + " NaN x infinity", "NaN", "infinity", each_term(side, nan, infinite, overlook));
  }

  void signs_of_products() {
    if (!plan_.a.has_sign || !plan_.b.has_sign) return;
    for (const Side side : {Side::a, Side::b}) {
      const auto alone = [side](ReadOperands& o) {
        for (int i = 0; i < o.plan().k; ++i) {
          const Format& f = format_of(o.plan(), other(side));
          if (o.infinite_product(i) && o.read(other(side), i).negative)
            o.code(other(side), i) = negated_code(f, o.code(other(side), i));
        }
      };
      make("sign of an infinite product", "of both", name_of(side) + "'s", alone);
    }
  }

  // --- the scales of a block ---

  void scales(Side side) {
    const Format& f = *plan_.scale;
    const auto overlook = [side](ReadOperands& o, int block) { o.scale(side, block) = one_code(*o.plan().scale); };
    const auto each_block = [side](auto is, auto terms, auto change) {
      return [=](ReadOperands& o) {
        for (int block = 0; block < o.plan().scales; ++block) {
          if (is(o.read_scale(side, block)) && terms(o, block)) change(o, block);
        }
      };
    };
    const auto any = [](const ReadOperands&, int) { return true; };
    const auto zeros = [](const ReadOperands& o, int block) {
      const int first = block * o.plan().scale_block, end = std::min(first + o.plan().scale_block, o.plan().k);
      for (int i = first; i < end; ++i) {
        if (!o.product(i).is_zero()) return false;
      }
      return true;
    };
    const std::string name = "scale_" + name_of(side);
    if (has_nan(f)) {
      make(name + " NaN", "NaN", "one", each_block(nan, any, overlook));
      make(name + " NaN x zeros", "NaN", "zero", each_block(nan, zeros, overlook));
    }
    const auto greatest = [side](ReadOperands& o, int block) {
      o.scale(side, block) = greatest_code(*o.plan().scale, false);
    };
    if (f.has_infinity) make(name + " infinite", "infinity", "greatest", each_block(infinite, any, greatest));
  }

  // --- several of them ---

  void nan_before_infinity() {
    if (infinite_products() && plan_.k > 1) {
      make("NaN and infinite products", "NaN", "infinity", [](ReadOperands& o) {
        if (any_infinite_product(o)) clear_nan_products(o);
      });
    }
    if (reads_c() && plan_.c.has_infinity && nan_products()) {
      make("NaN product and infinite c", "NaN", "infinity", [](ReadOperands& o) {
        if (o.read_c().cls == Class::infinity) clear_nan_products(o);
      });
    }
    if (reads_c() && infinite_products() && has_nan(plan_.c)) {
      make("infinite product and NaN c", "NaN", "infinity", [](ReadOperands& o) {
        if (o.read_c().cls == Class::nan && any_infinite_product(o)) o.c() = zero_code(o.plan().c, false);
      });
    }
  }

  // Of two infinite products of opposite sign, as they are added, one is overlooked.
  void both_infinities(Meeting meeting) {
    if (!infinite_products()) return;
    const auto overlook = [meeting](bool first_wins) {
      return [=](ReadOperands& o) {
        const Meetings meetings(o.plan());
        const std::vector<int>& order = o.plan().order;
        for (auto i = order.begin(); i != order.end(); ++i) {
          for (auto j = i + 1; j != order.end(); ++j) {
            if (!o.infinite_product(*i) || !o.infinite_product(*j)) continue;
            if (o.product(*i).negative == o.product(*j).negative || meetings.of(*i, *j) != meeting) continue;
            o.clear(first_wins ? *j : *i);
          }
        }
      };
    };
    make("both infinities " + name_of(meeting), "NaN", "the first", overlook(true));
    make("both infinities " + name_of(meeting), "NaN", "the last", overlook(false));
  }

  void product_against_c() {
    const auto against = [signs = signs_](const ReadOperands& o, int i) {
      const Number c = o.read_c();
      const bool turned = signs.products[static_cast<std::size_t>(i)] != signs.c;
      return c.cls == Class::infinity && o.infinite_product(i) && (o.product(i).negative != c.negative) != turned;
    };
    // Against a c without sign the product is below zero, which may be a NaN as well.
    const Result& last = plan_.last_adder().results.back().words;
    if (plan_.c.has_sign || plan_.d.has_sign || last.negative == OfNegative::zero) {
      make("infinite product against infinite c", "NaN", "the product's", [=](ReadOperands& o) {
        if (any_term(o, [&](int i) { return against(o, i); })) o.c() = zero_code(o.plan().c, false);
      });
    }
    make("infinite product against infinite c", "NaN", "c's", [=](ReadOperands& o) {
      for (int i = 0; i < o.plan().k; ++i) {
        if (against(o, i)) o.clear(i);
      }
    });
  }

  // A step looks at what its products overflow to last; single operations take it for an infinity like any other.
  void overflowed_products() {
    const bool last = plan_.datapath.specials == Specials::step;
    const std::string name = "overflowed product beside an infinity";
    const Range& products = plan_.product_range;
    const bool reach = products.greatest_exponent + products.integer_bits > *plan_.datapath.product.infinity_at;
    if (!last || !infinite_products() || !reach) return;
    make(name, "asked last", "one of them", [](ReadOperands& o) {
      for (int i = 0; i < o.plan().k; ++i) {
        if (!o.counts_as_infinite(i)) continue;
        const bool negative = o.product(i).negative;
        const Side side = o.plan().a.has_infinity ? Side::a : Side::b;
        o.code(side, i) = infinity_code(format_of(o.plan(), side), negative != o.read(other(side), i).negative);
      }
    });
    make(name, "the infinity", "the product", [](ReadOperands& o) {
      if (!any_term(o, [&](int i) { return o.counts_as_infinite(i); })) return;
      for (int i = 0; i < o.plan().k; ++i) {
        if (o.infinite_product(i)) o.clear(i);
      }
      if (o.read_c().cls == Class::infinity) o.c() = zero_code(o.plan().c, false);
    });
  }

  // --- from step to step, from the lanes to the finish ---

  // What a step but the last decided is no more in the accumulator of the next.
  void handed_on() {
    if (!nan_products()) return;
    if (plan_.steps > 1) {
      make("decided in an earlier step", "kept", "lost", [](ReadOperands& o) {
        const Meetings at(o.plan());
        for (int i = 0; i < o.plan().k; ++i) {
          if (in_step(o, i) && at.step(i) + 1 < o.plan().steps) o.clear(i);
        }
      });
    }
    if (plan_.lanes < 2) return;
    make("decided in another lane", "kept", "lost", [](ReadOperands& o) {
      const Meetings at(o.plan());
      for (int i = 0; i < o.plan().k; ++i) {
        if (in_step(o, i) && at.lane(i) > 0) o.clear(i);
      }
    });
  }

  // --- masks ---

  void masks() {
    if (plan_.mask < 0) return;
    const auto make_mask = [&](const std::string& what, const std::string& to,
                               std::function<void(ReadOperands&, int)> misread) {
      make(what, "+0", to, [misread](ReadOperands& o) {
        for (int i = 0; i < o.plan().k; ++i) {
          if (o.is_off(i)) misread(o, i);
        }
      });
      made_.back().of_mask = true;
    };
    const Mask& pattern = plan_.more[static_cast<std::size_t>(plan_.mask)].pattern;
    if (pattern.has_pattern() && pattern.take == pattern.among) return;
    if (nan_products() || infinite_products()) {
      make_mask("off and not finite", "itself", [](ReadOperands& o, int i) {
        o.uncover(i);
        if (o.product(i).is_finite()) o.clear(i);
      });
    }
    if (tells_zeros()) {
      make_mask("off", "-0", [](ReadOperands& o, int i) { o.code(Side::a, i) = zero_code(o.plan().a, true); });
    }
  }

  // Whether a sum of zeros has IEEE's sign, all the way to d.
  bool tells_zeros() const {
    const auto ieee = [](const AdderPlan& a) { return a.zero == ZeroSign::ieee; };
    return plan_.a.has_signed_zero && plan_.d.has_signed_zero &&
           std::all_of(plan_.adders.begin(), plan_.adders.end(), ieee) &&
           std::all_of(plan_.finish.begin(), plan_.finish.end(), ieee);
  }

  const Plan& plan_;
  Meetings meetings_;
  const TermSigns signs_;
  std::vector<SpecialFault> made_;
};

}  // namespace

ReadOperands::ReadOperands(const Plan& plan, const Operand& operand)
    : plan_(plan),
      given_a_(operand.a, operand.a + plan.k),
      given_b_(operand.b, operand.b + plan.k),
      a_(given_a_),
      b_(given_b_),
      scale_a_(operand.scale_a, operand.scale_a + plan.scales),
      scale_b_(operand.scale_b, operand.scale_b + plan.scales),
      more_(operand.more, operand.more + plan.more_codes()),
      off_(given_a_.size()),
      c_(operand.c) {
  for (int i = 0; plan.mask >= 0 && i < plan.k; ++i) {
    Code& bit = more_[static_cast<std::size_t>(plan.more[static_cast<std::size_t>(plan.mask)].first + i)];
    if (bit != 0) continue;
    bit = 1;
    off_[static_cast<std::size_t>(i)] = 1;
    clear(i);
  }
}

void ReadOperands::uncover(int i) {
  a_[static_cast<std::size_t>(i)] = given_a_[static_cast<std::size_t>(i)];
  b_[static_cast<std::size_t>(i)] = given_b_[static_cast<std::size_t>(i)];
}

Number ReadOperands::read(Side side, int i) const {
  const Datapath& words = plan_.datapath;
  const auto at = static_cast<std::size_t>(i);
  return side == Side::a ? decode(a_[at], plan_.a, words.subnormals_a, words.specials)
                         : decode(b_[at], plan_.b, words.subnormals_b, words.specials);
}

Number ReadOperands::read_c() const {
  return decode(c_, plan_.c, plan_.datapath.subnormals_c, plan_.datapath.specials);
}

Number ReadOperands::read_scale(Side side, int block) const {
  const Code code = (side == Side::a ? scale_a_ : scale_b_)[static_cast<std::size_t>(block)];
  return decode(code, *plan_.scale, Subnormals::keep, plan_.datapath.specials);
}

Number ReadOperands::product(int i) const { return multiply(read(Side::a, i), read(Side::b, i)); }

bool ReadOperands::counts_as_infinite(int i) const {
  const std::optional<int>& limit = plan_.datapath.product.infinity_at;
  return limit && reaches(product(i), *limit);
}

void ReadOperands::clear(int i) {
  code(Side::a, i) = zero_code(plan_.a, false);
  code(Side::b, i) = zero_code(plan_.b, false);
}

bool ReadOperands::any_special() const {
  if (!read_c().is_finite()) return true;
  for (int block = 0; block < plan_.scales; ++block) {
    if (!read_scale(Side::a, block).is_finite() || !read_scale(Side::b, block).is_finite()) return true;
  }
  return any_term(*this, [&](int i) { return !product(i).is_finite(); });
}

// A unit that scales its elements or multiplies in slices has rules of its own, of which none is known here.
std::vector<SpecialFault> special_faults(const Plan& right) {
  if (right.changes_numbers() || !adds_whole_products(right)) return {};
  return Faults(right).all();
}

Code result_of(const SpecialFault& fault, const Plan& right, const Operand& operand, Registers& registers) {
  ReadOperands read(right, operand);
  if (fault.of_mask || read.any_special()) fault.misread(read);
  return dot(right, read.operand(), registers);
}

}  // namespace assay
