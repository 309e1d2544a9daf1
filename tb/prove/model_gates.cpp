#include "tb/prove/model_gates.hpp"

#include <algorithm>

#include "model/base/error.hpp"
#include "model/core/dot.hpp"
#include "model/core/reading.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/prove/c_machine.hpp"
#include "tb/prove/plan_sums.hpp"
#include "tb/source/model_c.hpp"

namespace assay {
namespace {

std::vector<ListOperand> all_operands(const Plan& plan) {
  std::vector<ListOperand> list = list_operands(plan);
  list.insert(list.begin() + 2, {"c", plan.c, 1});
  return list;
}

// What the model is given: an array of codes, or one code for c.
CObjectRef argument(const CMachine& machine, const OperandGates& operand, int stored_bits) {
  int width = 8;
  while (width < stored_bits) width *= 2;
  const bool is_list = operand.name != "c";
  CType array;
  array.kind = CType::Kind::array;
  array.count = static_cast<int>(operand.codes.size());
  array.of = integer_type(width, false);
  const CObjectRef made = machine.made(is_list ? std::make_shared<const CType>(array) : array.of);
  for (std::size_t i = 0; i < operand.codes.size(); ++i) {
    CObject& at = is_list ? *made->parts[i] : *made;
    at.word = extended({operand.codes[i], false}, width, false);
    at.is_written = true;
  }
  return made;
}

// What the bits of a Trace are of what the model left at a place.
class PlaceBits {
 public:
  PlaceBits(const Plan& plan, Gates& gates)
      : plan_(plan), words_(gates), gates_(gates), zeros_(zeros_with_exponents(plan)) {
    for (const SumSite& site : sum_sites(plan)) {
      if (site.adder->errata.minus_one) moved_.insert(site.reduce + 1);
    }
  }

  std::vector<Lit> of(const Place& place, const CObject& all) const {
    const std::string path = c_place(place.name, plan_);
    const CObject& at = all.part(path);
    if (holds_number(place)) return number(place, at);
    GateWord word = extended({at.word.bits, is_sum(place)}, place.width, false);
    if (bits_below_sum(place) == 0) return word.bits;
    const CObject& below = all.part(path.substr(0, path.rfind('.')) + ".sticky");
    word.bits.pop_back();
    word.bits.insert(word.bits.begin(), words_.is_not_zero(below.word));
    return word.bits;
  }

  // A number's exponent, quantum and magnitude; of a sum what lies above its place.
  std::vector<ReadOn> read_on(const Place& place, const CObject& all) const {
    const CObject& at = all.part(c_place(place.name, plan_));
    if (holds_number(place)) return number_read_on(place, of(place, all), at);
    if (!is_sum(place)) return {};
    const int width = place.width - bits_below_sum(place);
    ReadOn above;
    for (int i = width; i < at.word.width(); ++i) {
      above.word.push_back(at.word.bit(i));
      above.made.push_back(at.word.bit(width - 1));
    }
    return {above};
  }

  // 0 nothing, 1 NaN, 2 +infinity, 3 -infinity. A NaN's payload, and its sign, the place does not show.
  std::vector<ReadOn> decided_by(const std::vector<Lit>& bits, const CObject& is_decided,
                                 const CObject& decision) const {
    const Lit is_nan = gates_.both(bits[0], inverted(bits[1])), is_negative = gates_.both(bits[0], bits[1]);
    const auto kind_of = [&](int width) {
      return words_.chosen(is_nan, constant_word(2, width, true), constant_word(1, width, true)).bits;
    };
    const GateWord &kind = decision.part("kind").word, &exponent = decision.part("exponent").word,
                   &quantum = decision.part("quantum").word, &magnitude = decision.part("magnitude").word;
    const auto constant = [](std::uint64_t value, const GateWord& word) {
      return constant_word(value, word.width(), word.is_signed).bits;
    };
    return {{{words_.is_not_zero(is_decided.word)}, {gates_.either(bits[0], bits[1])}},
            {kind.bits, kind_of(kind.width())},
            shown_where(inverted(is_nan), {decision.part("negative").word.bits, {is_negative}, ReadOn::Kind::sign}),
            {exponent.bits, constant(0x80000000, exponent)},
            {quantum.bits, constant(0, quantum)},
            shown_where(inverted(is_nan), {magnitude.bits, constant(0, magnitude), ReadOn::Kind::magnitude})};
  }

  // What the sum of this window reads of a number: where that does not count, a zero.
  std::vector<ReadOn> read_by(int window, int place, const std::vector<Lit>& bits, const CObject& at) const {
    const Place shown = plan_.places[static_cast<std::size_t>(place)];
    const PlaceWords item = item_words(plan_, window, place, bits, gates_), words = place_words(shown, bits, gates_);
    const GateWord least = constant_word(static_cast<std::uint64_t>(-shown.fraction_bits), 32, true);
    const GateWord quantum = shown.absolute ? least : words_.sum(extended(words.exponent, 32, true), least);
    const GateWord none = constant_word(0x80000000, 32, true), zero = constant_word(0, 64, false);
    const auto read = [&](const char* part, const GateWord& made, const GateWord& otherwise, ReadOn::Kind kind) {
      const GateWord& word = at.part(part).word;
      const auto wide = [&](const GateWord& w) { return extended(w, word.width(), w.is_signed); };
      const ReadOn made_so{word.bits, words_.chosen(item.counts, wide(made), wide(otherwise)).bits, kind};
      const bool may_be_zero = kind == ReadOn::Kind::exponent && zeros_.count(place) != 0;
      return may_be_zero ? shown_where(item.counts, made_so) : made_so;
    };
    const Lit is_finite = inverted(gates_.either(bits.back(), bits.end()[-2])),
              is_zero = inverted(words_.is_not_zero(words.significand)),
              has_sign = gates_.both(is_finite, gates_.either(item.counts, is_zero));
    return {read("exponent", item.exponent, none, ReadOn::Kind::exponent),
            read("quantum", quantum, zero, ReadOn::Kind::exponent),
            read("magnitude", words.significand, zero, ReadOn::Kind::all), read("kind", zero, zero, ReadOn::Kind::all),
            shown_where(has_sign, {at.part("negative").word.bits, {bits.end()[-3]}, ReadOn::Kind::sign})};
  }

 private:
  ReadOn shown_where(Lit where, ReadOn read) const {
    read.exact = words_.chosen(where, {read.shown.empty() ? read.made : read.shown, false}, {read.word, false}).bits;
    return read;
  }

  static bool is_sum(const Place& place) {
    return place.fields.front().name == "sum" || place.fields.front().name == "addend" || place.stage == Stage::window;
  }

  std::vector<ReadOn> number_read_on(const Place& place, const std::vector<Lit>& bits, const CObject& at) const {
    const PlaceWords words = place_words(place, bits, gates_);
    const GateWord exponent = extended(words.exponent, 32, true);
    const GateWord least = constant_word(static_cast<std::uint64_t>(-place.fraction_bits), 32, true);
    const GateWord quantum = place.absolute ? least : words_.sum(exponent, least);
    const GateWord none = constant_word(0x80000000, 32, true), zero = constant_word(0, 32, true);
    ReadOn all, magnitude{{}, {}, ReadOn::Kind::magnitude};
    const int index = plan_.places.find(place.name);
    const bool may_be_zero = zeros_.count(index) != 0;
    const auto where_it_counts = [&](const GateWord& word, const GateWord& made, const GateWord& otherwise) {
      ReadOn read{word.bits, {}, ReadOn::Kind::exponent};
      for (int i = 0; i < word.width(); ++i)
        read.made.push_back(gates_.choose(words.counts, made.bit(i), otherwise.bit(i)));
      return may_be_zero ? shown_where(words.counts, read) : read;
    };
    magnitude.word = at.part("magnitude").word.bits;
    const int wide = static_cast<int>(magnitude.word.size());
    // What does not count is zero: a unit reads the significand as it is.
    const GateWord significand = extended(words.significand, wide, false);
    magnitude.made = significand.bits;
    magnitude.shown = words_.chosen(words.counts, significand, constant_word(0, wide, false)).bits;
    const GateWord& kind = at.part("kind").word;  // of a place that has nothing but numbers it is the constant zero
    for (int i = 0; i < kind.width(); ++i) {
      all.word.push_back(kind.bit(i));
      all.made.push_back(i < 2 ? bits[static_cast<std::size_t>(place.width - 2 + i)] : lit_false);
    }
    const Lit has_exponent = inverted(words_.is_same(at.part("exponent").word, none));
    // A number that is moved as it leaves a sum has other ones than its place shows: they are known to be themselves.
    const bool is_moved = moved_.count(index) != 0;
    const Lit is_number = is_moved ? lit_false : inverted(bits.back());
    ReadOn exact_quantum = where_it_counts(at.part("quantum").word, quantum, zero);
    if (is_moved) exact_quantum = shown_where(lit_false, exact_quantum);
    ReadOn counts{{words.counts}, {has_exponent}, ReadOn::Kind::counts};
    if (may_be_zero) counts.exact = {gates_.either(words.counts, has_exponent)};
    return {counts,
            all,
            where_it_counts(at.part("exponent").word, exponent, none),
            exact_quantum,
            shown_where(is_number, magnitude),
            shown_where(inverted(bits.back()), {at.part("negative").word.bits, {bits.end()[-3]}, ReadOn::Kind::sign})};
  }

  // class | sign | exponent | significand; what does not matter is zero
  std::vector<Lit> number(const Place& place, const CObject& at) const {
    const GateWord &kind = at.part("kind").word, &exponent = at.part("exponent").word,
                   &quantum = at.part("quantum").word, &magnitude = at.part("magnitude").word;
    const Lit is_finite = inverted(words_.is_not_zero(kind));
    const Lit is_nan = words_.is_same(kind, constant_word(2, 32, true));
    const Lit has_exponent =
        gates_.both(is_finite, inverted(words_.is_same(exponent, constant_word(0x80000000, 32, true))));
    const GateWord below = constant_word(static_cast<std::uint64_t>(-place.fraction_bits), 32, true);
    const GateWord unit = place.absolute ? below : words_.sum(exponent, below);
    const int wide = std::max(place.significand_width, magnitude.width());
    const GateWord significand = words_.left(extended(magnitude, wide, false), words_.difference(quantum, unit));
    std::vector<Lit> bits;
    for (int i = 0; i < place.significand_width; ++i) bits.push_back(gates_.both(is_finite, significand.bit(i)));
    for (int i = 0; i < place.exponent_width; ++i) bits.push_back(gates_.both(has_exponent, exponent.bit(i)));
    bits.push_back(gates_.both(at.part("negative").word.bit(0), inverted(is_nan)));
    bits.insert(bits.end(), {kind.bit(0), kind.bit(1)});
    return bits;
  }

  const Plan& plan_;
  mutable WordMaker words_;
  Gates& gates_;
  std::set<int> moved_;  // places of sums of which one comes out elsewhere
  std::set<int> zeros_;  // places of numbers that may be zero and have an exponent all the same
};

}  // namespace

PlaceWords place_words(const Place& place, const std::vector<Lit>& bits, Gates& gates) {
  const auto at = bits.begin() + place.significand_width, end = at + place.exponent_width;
  PlaceWords words{{{bits.begin(), at}, false}, {{at, end}, true}, lit_false};
  const Lit is_finite = gates.both(inverted(end[1]), inverted(end[2]));
  words.counts = gates.both(is_finite, WordMaker(gates).is_not_zero(words.significand));
  return words;
}

namespace {

constexpr int wide = 33;  // of exponents, with room for differences

GateWord constant_exponent(int value) { return constant_word(static_cast<std::uint64_t>(value), wide, true); }

// 2^leading is what its leading one stands for.
GateWord leading(const Place& place, const PlaceWords& number, Gates& gates) {
  WordMaker words(gates);
  const GateWord exponent = place.absolute ? constant_exponent(0) : extended(number.exponent, wide, true);
  GateWord found = exponent;
  for (int bit = 0; bit < number.significand.width(); ++bit) {
    const GateWord here = words.sum(exponent, constant_exponent(bit - place.fraction_bits));
    found = words.chosen(number.significand.bit(bit), here, found);
  }
  return found;
}

Lit reaches(const Place& place, const PlaceWords& number, int limit, Gates& gates) {
  return inverted(WordMaker(gates).is_less(leading(place, number, gates), constant_exponent(limit)));
}

bool is_product(const Plan& plan, int place) {
  const std::vector<Region> products = plan.circuit.regions_of_products();
  return !products.empty() && place >= plan.places.first(products.back()) && place < plan.places.first(Region::step);
}

// Whether a step of this window reads an acc's subnormals as zeros.
bool reads_zeros(const Plan& plan, int window, const Place& acc) {
  const bool is_in_step = plan.finish.empty() || window < plan.places.first(Region::finish);
  return acc.stage == Stage::acc && is_in_step && plan.datapath.subnormals_acc != Subnormals::keep;
}

}  // namespace

PlaceWords item_words(const Plan& plan, int window, int place, const std::vector<Lit>& bits, Gates& gates) {
  const Place at = plan.places[static_cast<std::size_t>(place)];
  PlaceWords words = place_words(at, bits, gates);
  const std::optional<int>& limit = plan.datapath.product.infinity_at;
  if (is_product(plan, place) && limit)
    words.counts = gates.both(words.counts, inverted(reaches(at, words, *limit, gates)));
  if (reads_zeros(plan, window, at)) {
    const int least = plan.adders.back().results.back().format.least_exponent();
    words.counts = gates.both(words.counts, reaches(at, words, least, gates));
  }
  if (is_product(plan, place) && plan.datapath.product.exponent == ProductExponent::normalised)
    words.exponent = leading(at, words, gates);
  if (place == plan.places.last(Region::decode_c) && plan.widen_c) {
    const GateWord exponent = leading(at, words, gates), least = constant_exponent(plan.d.least_exponent());
    WordMaker maker(gates);
    words.exponent = maker.chosen(maker.is_less(exponent, least), least, exponent);
  }
  return words;
}

std::vector<OperandGates> make_operands(const Plan& plan, Gates& gates) {
  std::vector<OperandGates> all;
  for (const ListOperand& one : all_operands(plan)) {
    OperandGates operand{one.name, {}};
    for (int i = 0; i < one.count; ++i) {
      operand.codes.emplace_back();
      for (int bit = 0; bit < one.format.stored_bits; ++bit) operand.codes.back().push_back(gates.input());
    }
    all.push_back(std::move(operand));
  }
  return all;
}

std::string why_no_gates(const Plan& plan) {
  for (const CaseOperand& more : plan.more) {
    if (more.kind == CaseOperandKind::mask && more.pattern.has_pattern())
      return "its cases bring masks of a pattern, and gates take any mask.";
  }
  return why_no_source(plan).value_or("");
}

std::string model_text(const Plan& plan) { return model_as_cpp(plan, {"unit", "a unit", "assay", "-"}); }

namespace {

constexpr const char* special_parts[] = {"nan", "positive", "negative"};

// Where a step decides NaN and infinity apart, its sum reads zeros in their place.
void add_items(const Plan& plan, const PlaceBits& bits, const std::vector<CObjectRef>& given, ModelGates& made) {
  std::size_t next = 0;
  PlanSums(plan).for_each([&](const SumSite& site, const PlanSums::Items& items) {
    if (!follows_exponents(site) || next >= given.size()) return;
    const CObject& numbers = *given[next++];
    for (std::size_t i = 0; i < items.places.size(); ++i) {
      const int place = items.places[i];
      if (place < 0 || !holds_number(plan.places[static_cast<std::size_t>(place)])) continue;
      const auto at = static_cast<std::size_t>(place);
      std::vector<ReadOn> read = bits.read_by(site.window, place, made.places[at], *numbers.parts[i]);
      for (ReadOn& one : read) one.is_aid = false;
      made.read_on[at].insert(made.read_on[at].begin(), read.begin(), read.end());
    }
  });
}

// What a call of these returned that was given the same NaNs and infinities.
CObjectRef returned_for(const CMachine::Calls& calls, const CObject& found) {
  const auto is_same = [&](const CObject& other) {
    return std::all_of(std::begin(special_parts), std::end(special_parts),
                       [&](const char* part) { return other.part(part).word.bits == found.part(part).word.bits; });
  };
  for (std::size_t i = 0; i < calls.given.size(); ++i) {
    if (is_same(*calls.given[i])) return calls.returned[i];
  }
  return nullptr;
}

// What NaN and infinity decide in a step, by what its place shows of them.
void add_decisions(const Plan& plan, const PlaceBits& bits, const CMachine& machine, ModelGates& made) {
  const std::vector<CObjectRef>& shown = machine.calls("outcome").given;
  std::size_t next = 0;
  for (std::size_t at = 0; at < plan.places.size(); ++at) {
    if (plan.places[at].stage != Stage::special || next == shown.size()) continue;
    const CObject& found = *shown[next++];
    const CObjectRef is_decided = returned_for(machine.calls("is_decided"), found),
                     decision = returned_for(machine.calls("decision"), found);
    if (is_decided && decision) made.read_on[at] = bits.decided_by(made.places[at], *is_decided, *decision);
    for (ReadOn& read : made.read_on[at]) read.is_aid = false;
  }
}

// A sum whose window lies too low says that it is empty as well, which is not asked of its items.
void leave_out_lost(const Plan& plan, ModelGates& made, Gates& gates) {
  const std::vector<SumSite> sites = sum_sites(plan);
  const auto count = static_cast<std::size_t>(std::count_if(sites.begin(), sites.end(), follows_exponents));
  if (made.empty.size() != sites.size() || made.largest.size() != count) return;
  std::size_t next = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (!follows_exponents(sites[i])) continue;
    const GateWord& largest = made.largest[next++].back();
    if (sites[i].adder->window.lost_at)
      made.empty[i] = WordMaker(gates).is_same(largest, constant_word(0x80000000, largest.width(), true));
  }
}

}  // namespace

ModelGates make_model(const Plan& plan, const std::vector<OperandGates>& operands, Gates& gates) {
  return make_model(plan, model_text(plan), operands, gates);
}

ModelGates make_model(const Plan& plan, const std::string& text, const std::vector<OperandGates>& operands,
                      Gates& gates) {
  const CProgram program = read_c(text);
  CMachine machine(program, gates);
  std::vector<CObjectRef> arguments;
  const std::vector<ListOperand> list = all_operands(plan);
  for (std::size_t i = 0; i < list.size(); ++i)
    arguments.push_back(argument(machine, operands[i], list[i].format.stored_bits));
  if (plan.datapath.flags) arguments.push_back(machine.made(integer_type(32, false)));
  const CObjectRef places = machine.made(machine.type("places_t"));
  arguments.push_back(places);
  machine.watch("empty");
  machine.watch("largest");
  for (const char* function : {"largest_", "outcome", "is_decided", "decision"}) machine.watch_calls(function);
  machine.call("dot", arguments);
  const PlaceBits bits(plan, gates);
  ModelGates made;
  for (const Place& place : plan.places) {
    made.places.push_back(bits.of(place, *places));
    made.read_on.push_back(bits.read_on(place, *places));
  }
  for (const CObjectRef& empty : machine.watched("empty"))
    made.empty.push_back(WordMaker(gates).is_not_zero(empty->word));
  for (const CObjectRef& largest : machine.watched("largest")) {
    if (!largest->past.empty()) made.largest.push_back(largest->past);
  }
  add_items(plan, bits, machine.calls("largest_").given, made);
  add_decisions(plan, bits, machine, made);
  leave_out_lost(plan, made, gates);
  return made;
}

std::string place_not_core(const Plan& plan, const ModelGates& model, const GateSimulation& simulation,
                           const std::vector<Case>& cases) {
  Registers registers;
  Trace expected(plan);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    dot(plan, cases[n].operand(), registers, &expected);
    for (std::size_t place = 0; place < model.places.size(); ++place) {
      const Bits bits = expected.at(static_cast<int>(place));
      for (int i = 0; i < bits.width; ++i) {
        if ((simulation.of(model.places[place][static_cast<std::size_t>(i)]) >> n & 1) != (bits.bit(i) ? 1U : 0U))
          return plan.places.name(static_cast<int>(place));
      }
    }
  }
  return "";
}

std::vector<bool> bits_of_case(const Plan& plan, const Case& one) {
  std::vector<bool> bits;
  const auto add = [&](const std::vector<Code>& codes, int width) {
    for (const Code code : codes) {
      for (int i = 0; i < width; ++i) bits.push_back((code >> i & 1) != 0);
    }
  };
  add(one.a, plan.a.stored_bits);
  add(one.b, plan.b.stored_bits);
  add({one.c}, plan.c.stored_bits);
  if (plan.scale) add(one.scale_a, plan.scale->stored_bits);
  if (plan.scale) add(one.scale_b, plan.scale->stored_bits);
  for (const CaseOperand& more : plan.more)
    add({one.more.begin() + more.first, one.more.begin() + more.end()}, more.format.stored_bits);
  return bits;
}

Case case_of_bits(const Plan& plan, const std::vector<bool>& bits) {
  std::size_t at = 0;
  const auto take = [&](int count, int width) {
    std::vector<Code> codes;
    for (int n = 0; n < count; ++n) {
      Code code = 0;
      for (int i = 0; i < width; ++i) code |= Code{bits[at++]} << i;
      codes.push_back(code);
    }
    return codes;
  };
  Case one;
  one.a = take(plan.k, plan.a.stored_bits);
  one.b = take(plan.k, plan.b.stored_bits);
  one.c = take(1, plan.c.stored_bits).front();
  if (plan.scale) one.scale_a = take(plan.scales, plan.scale->stored_bits);
  if (plan.scale) one.scale_b = take(plan.scales, plan.scale->stored_bits);
  for (const CaseOperand& more : plan.more) {
    for (const Code code : take(more.count, more.format.stored_bits)) one.more.push_back(code);
  }
  return one;
}

}  // namespace assay
