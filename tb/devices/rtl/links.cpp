#include "tb/devices/rtl/links.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "model/base/text.hpp"
#include "model/core/decode.hpp"
#include "model/core/dot.hpp"
#include "tb/devices/rtl/claims.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

using Origin = LinkOperand::From;

Subject subject_of_link(const Link& link, const Catalogue& catalogue, std::ostream& log) {
  if (link.claim) {
    return link.claim->datapath.empty() ? subject_of(catalogue, catalogue.instruction(link.claim->instruction))
                                        : subject_of_file(catalogue, link.claim->datapath);
  }
  std::vector<Subject> subjects = subjects_of_claims(read_dut_file(link.file), catalogue, log);
  if (subjects.size() == 1) return std::move(subjects.front());
  throw Error{link.place + ": " + link.file + " claims " + counted(subjects.size(), "instruction") +
              "; say here which one: `instruction` or `datapath`."};
}

void need(bool holds, const std::string& place, const std::string& sentence) {
  if (!holds) throw Error{place + ": " + sentence};
}

void check_brings_no_more(const Plan& plan, const std::string& place, const std::string& name) {
  const std::vector<ListOperand> more = further_operands(plan);
  if (!more.empty())
    throw Error{place + ": units of a chain take a, b and c alone, and " + name + " takes " + more.front().name +
                ", too."};
}

// What a unit is given must be of the format that it takes.
void check_operand(const std::string& name, const LinkOperand& operand, const Format& takes, const Format& given,
                   const Format* before, const std::string& place) {
  const std::string at = operand.place.empty() ? place : operand.place;
  const auto is_taken = [&](const Format& format) {  // each file has formats of its own
    return takes == format && takes.stored_bits == format.stored_bits;
  };
  switch (operand.from) {
    case Origin::given:
      return need(is_taken(given), at,
                  "its " + name + " is of " + takes.name + ", and that of the chain of " + given.name + ".");
    case Origin::before:
      return need(is_taken(*before), at,
                  "its " + name + " is of " + takes.name + ", and d of the unit before it of " + before->name + ".");
    case Origin::constant:
      return need(operand.code >> (takes.stored_bits - 1) <= 1, at,
                  "its " + name + " is of " + takes.name + ", which has " +
                      counted(static_cast<std::uint64_t>(takes.stored_bits), "bit") + ".");
  }
}

// Which elements of the case each of a and b has gone to.
class Dealing {
 public:
  explicit Dealing(const Plan& plan) : taken_a_(size_of(plan)), taken_b_(size_of(plan)) {}

  std::vector<std::size_t> deal(const Link& link, const Plan& plan) {
    const bool of_a = link.a.from == Origin::given, of_b = link.b.from == Origin::given;
    need(of_a || of_b || !link.first, link.place, "neither a nor b of it is of the case; leave out `elements`.");
    if (!of_a && !of_b) return {};
    std::vector<std::size_t> elements;
    if (link.first) {
      for (int i = *link.first; i <= link.last; i += link.every) elements.push_back(static_cast<std::size_t>(i));
    } else {
      for (std::size_t i = 0; i < size_of(plan); ++i) elements.push_back(next_ + i);
      next_ += elements.size();
    }
    need(elements.size() == size_of(plan), link.place,
         "it takes " + counted(size_of(plan), "element") + ", and " + std::to_string(elements.size()) +
             " are named here.");
    for (const std::size_t i : elements) {
      if (of_a) take(taken_a_, i, "a", link.place);
      if (of_b) take(taken_b_, i, "b", link.place);
    }
    return elements;
  }

  void check_all_taken(const std::string& file) const {
    for (const auto& [name, taken] : {std::pair{"a", &taken_a_}, std::pair{"b", &taken_b_}}) {
      const auto left = std::find(taken->begin(), taken->end(), false);
      if (left == taken->end()) continue;
      throw Error{file + ": no unit of the chain takes element " + std::to_string(left - taken->begin()) + " of " +
                  name + "."};
    }
  }

 private:
  static std::size_t size_of(const Plan& plan) { return static_cast<std::size_t>(plan.k); }

  static void take(std::vector<bool>& taken, std::size_t i, const std::string& name, const std::string& place) {
    need(i < taken.size(), place,
         "it takes element " + std::to_string(i) + " of " + name + ", and what the chain claims has " +
             std::to_string(taken.size()) + " of them.");
    need(!taken[i], place, "element " + std::to_string(i) + " of " + name + " went to a unit before it.");
    taken[i] = true;
  }

  std::vector<bool> taken_a_, taken_b_;
  std::size_t next_ = 0;
};

// A unit that adds to nothing is given no c.
void leave_out_c(LinkedUnit& unit) {
  if (unit.subject->plan.datapath.start != Start::none) return;
  need(unit.link.c.place.empty(), unit.link.c.place, "this unit adds to nothing; leave out `c`.");
  unit.link.c = {Origin::constant, 0, ""};
}

void check_unit(const LinkedUnit& unit, const Plan& whole, const Format* before) {
  const Link& link = unit.link;
  const Plan& plan = unit.subject->plan;
  check_brings_no_more(plan, link.place, unit.subject->name);
  check_operand("a", link.a, plan.a, whole.a, before, link.place);
  check_operand("b", link.b, plan.b, whole.b, before, link.place);
  check_operand("c", link.c, plan.c, whole.c, before, link.place);
  for (const LinkOperand* operand : {&link.a, &link.b}) {
    need(operand->from != Origin::before || plan.k == 1, operand->place,
         "one d comes from the unit before, and this one takes " + std::to_string(plan.k) + " elements.");
  }
  const auto takes_before = [&] {
    return link.a.from == Origin::before || link.b.from == Origin::before || link.c.from == Origin::before;
  };
  need(before == nullptr || takes_before(), link.place,
       "it takes nothing of the unit before; make `a`, `b` or `c` of it `before`.");
}

class Linked final : public Device {
 public:
  Linked(std::string name, std::vector<LinkedUnit> units) : name_(std::move(name)), units_(std::move(units)) {}

  std::string name() const override { return name_; }
  bool offers_trace() const override { return false; }

  // Batch by batch through each of them; a case that one cannot answer goes no further.
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers(cases.size());
    for (LinkedUnit& unit : units_) {
      std::vector<Case> parts;
      std::vector<std::size_t> whose;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        if (!answers[i].ok()) continue;
        parts.push_back(part_of(unit, cases[i], answers[i].d));
        whose.push_back(i);
      }
      std::vector<Answer> found = unit.device->run(parts, false);
      for (std::size_t i = 0; i < whose.size(); ++i) pass_on(unit, answers[whose[i]], found[i]);
    }
    return answers;
  }

  // The first unit that does not do what its own file claims.
  std::string blame(const Case& failing) override {
    Code before = 0;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      LinkedUnit& unit = units_[i];
      const Case part = part_of(unit, failing, before);
      const Answer answer = unit.device->run({part}, false).front();
      if (!answer.ok() || !same(unit.subject->plan.d, answer.d, claimed(unit, part))) {
        const std::string sides =
            "assay explain --reference model --device " + shell_word(unit.device->name()) + " " + unit.subject->option;
        return "unit " + std::to_string(i + 1) + " of " + std::to_string(units_.size()) +
               " is wrong by itself: " + sides + " " + operand_options(unit.subject->plan, part);
      }
      before = answer.d;
    }
    return "each of the " + std::to_string(units_.size()) +
           " units gives what its own file claims: together they are not what the chain claims";
  }

  std::string close() override {
    std::string wrong;
    for (const LinkedUnit& unit : units_) {
      const std::string own = unit.device->close();
      if (wrong.empty()) wrong = own;
    }
    return wrong;
  }

 private:
  static Code code(const LinkOperand& operand, Code given, Code before) {
    switch (operand.from) {
      case Origin::given: return given;
      case Origin::before: return before;
      case Origin::constant: break;
    }
    return operand.code;
  }

  static Case part_of(const LinkedUnit& unit, const Case& whole, Code before) {
    Case part;
    part.number = whole.number;
    part.family = whole.family;
    const auto k = static_cast<std::size_t>(unit.subject->plan.k);
    for (std::size_t i = 0; i < k; ++i) {
      const bool any = !unit.elements.empty();
      part.a.push_back(code(unit.link.a, any ? whole.a[unit.elements[i]] : 0, before));
      part.b.push_back(code(unit.link.b, any ? whole.b[unit.elements[i]] : 0, before));
    }
    part.c = code(unit.link.c, whole.c, before);
    return part;
  }

  static void pass_on(const LinkedUnit& unit, Answer& so_far, const Answer& found) {
    so_far.d = found.d;
    so_far.error = found.error;
    if (so_far.other_order.empty() && !found.other_order.empty())
      so_far.other_order = unit.device->name() + ": " + found.other_order;
  }

  static Code claimed(const LinkedUnit& unit, const Case& part) {
    Registers registers;
    return dot(unit.subject->plan, part.operand(), registers);
  }

  // Any NaN is as good as another: which one it is the run has judged.
  static bool same(const Format& format, Code x, Code y) {
    const auto is_nan = [&](Code code) {
      return decode(code, format, Subnormals::keep, Specials::step).cls == Class::nan;
    };
    return x == y || (is_nan(x) && is_nan(y));
  }

  std::string name_;
  std::vector<LinkedUnit> units_;
};

}  // namespace

std::vector<LinkedUnit> units_of(const UnitChain& chain, const Subject& subject, const Catalogue& catalogue,
                                 std::ostream& log) {
  const Plan& whole = subject.plan;
  check_brings_no_more(whole, chain.file, subject.name);
  Dealing dealing(whole);
  std::vector<LinkedUnit> units;
  bool takes_c = whole.datapath.start == Start::none;
  for (const Link& link : chain.links) {
    const Format before = units.empty() ? Format{} : units.back().subject->plan.d;
    const bool is_first = units.empty();
    units.push_back({link, std::make_unique<const Subject>(subject_of_link(link, catalogue, log)), {}});
    leave_out_c(units.back());
    check_unit(units.back(), whole, is_first ? nullptr : &before);
    units.back().elements = dealing.deal(units.back().link, units.back().subject->plan);
    takes_c = takes_c || units.back().link.c.from == Origin::given;
  }
  dealing.check_all_taken(chain.file);
  need(takes_c, chain.file, "no unit of the chain takes c; one of them says `c: case`.");
  const Format& last = units.back().subject->plan.d;
  need(last == whole.d, chain.links.back().place,
       "d of the last unit is of " + std::string(last.name) + ", and that of the chain of " +
           std::string(whole.d.name) + ".");
  return units;
}

std::unique_ptr<Device> linked(const std::string& name, std::vector<LinkedUnit> units) {
  return std::make_unique<Linked>(name, std::move(units));
}

}  // namespace assay
