#include "tb/prove/c_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/base/error.hpp"

namespace assay {
namespace {

using Kind = CType::Kind;

[[noreturn]] void fail(int line, const std::string& what) {
  throw Error{fmt::format("Line {} of the model as C++ cannot be turned into gates: {}.", line, what)};
}

bool is_word(const CType& type) { return type.kind == Kind::integer || type.kind == Kind::bits; }
bool is_bool(const CType& type) { return type.kind == Kind::integer && type.width == 1; }

std::int64_t known(const CObject& o, int line, const char* what) {
  const auto value = value_of(o.word);
  if (!value) fail(line, std::string(what) + " depends on operands");
  return *value;
}

}  // namespace

const CObject& CObject::part(const std::string& path) const {
  const CObject* at = this;
  for (std::size_t i = 0; i < path.size();) {
    const std::size_t end = std::min(path.find_first_of(".[]", i), path.size());
    const std::string word = path.substr(i, end - i);
    if (!word.empty() && at->type->kind == Kind::structure) {
      const auto& members = at->type->members;
      const auto found = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == word; });
      if (found == members.end()) throw Error{"The model as C++ has no place " + path + "."};
      at = at->parts[static_cast<std::size_t>(found - members.begin())].get();
    } else if (!word.empty()) {
      const std::size_t index = std::stoul(word);
      if (index >= at->parts.size()) throw Error{"The model as C++ has no place " + path + "."};
      at = at->parts[index].get();
    }
    i = end + 1;
  }
  return *at;
}

CMachine::CMachine(const CProgram& program, Gates& gates) : program_(program), gates_(gates), words_(gates) {
  globals_["INT32_MIN"] = number(integer_type(32, true), constant_word(0x80000000, 32, true));
  globals_["true"] = truth(lit_true);
  globals_["false"] = truth(lit_false);
  frames_.emplace_back();
  frames_.back().scopes.emplace_back();
  // in order: enumerators and constants
  for (const CVariable& v : program.globals) globals_[v.name] = started(v);
}

CTypeRef CMachine::type(const std::string& name) const { return program_.types.at(name); }

CObjectRef CMachine::made(const CTypeRef& type) const {
  auto o = std::make_shared<CObject>();
  o->type = type;
  o->depth = guards_.size();
  if (is_word(*type)) o->word = constant_word(0, type->width, type->kind == Kind::integer && type->is_signed);
  for (int i = 0; type->kind == Kind::array && i < type->count; ++i) o->parts.push_back(made(type->of));
  for (const auto& [name, of] : type->members) o->parts.push_back(made(of));
  return o;
}

CObjectRef CMachine::call(const std::string& function, const std::vector<CObjectRef>& arguments) {
  const auto found = program_.functions.find(function);
  if (found == program_.functions.end()) throw Error{"The model as C++ has no function " + function + "."};
  const CFunction& f = found->second;
  Frame frame;
  frame.base = guards_.size();
  frame.scopes.emplace_back();
  frames_.push_back(std::move(frame));
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    const CVariable& p = f.parameters[i];
    const bool is_shared = p.type->kind == Kind::array || p.type->kind == Kind::pointer;
    CObjectRef given = is_shared ? arguments[i] : converted(arguments[i], p.type);
    if (!p.by_reference && !is_shared) given = copy_of(*given);
    frames_.back().scopes.back()[p.name] = given;
  }
  Calls* const calls = calls_of(function);
  if (calls != nullptr) calls->given.push_back(copy_of(*arguments.front()));
  run(f.body);
  guards_.resize(frames_.back().base);
  const std::vector<Left> left = std::move(frames_.back().left);
  frames_.pop_back();
  if (left.empty()) return truth(lit_false);
  CObjectRef result = left.back().value;
  for (auto one = left.rbegin() + 1; one != left.rend(); ++one) result = chosen(one->when, one->value, result);
  if (calls != nullptr) calls->returned.push_back(result);
  return result;
}

CMachine::Calls* CMachine::calls_of(const std::string& function) {
  const auto found = std::find_if(calls_.begin(), calls_.end(),
                                  [&](const auto& watched) { return function.rfind(watched.first, 0) == 0; });
  return found == calls_.end() ? nullptr : &found->second;
}

// --- statements ---

void CMachine::run(const CStatement& s) {
  switch (s.kind) {
    case CStatement::Kind::block: return run_block(s);
    case CStatement::Kind::condition: return run_condition(s);
    case CStatement::Kind::loop: return run_loop(s);
    case CStatement::Kind::leave: return leave(s);
    case CStatement::Kind::expression: value(s.expressions.front()); return;
    case CStatement::Kind::variables:
      for (const CVariable& v : s.variables) declare(v);
      return;
    case CStatement::Kind::empty: return;
  }
}

// After a branch that may have returned, what follows is done where it has not.
void CMachine::run_block(const CStatement& s) {
  const std::size_t before = guards_.size();
  frames_.back().scopes.emplace_back();
  for (const CStatement& part : s.parts) {
    const Lit had_left = frames_.back().has_left;
    run(part);
    const Lit has_left = frames_.back().has_left;
    if (has_left != had_left) guards_.push_back(inverted(has_left));
    if (is_dead()) break;
  }
  frames_.back().scopes.pop_back();
  guards_.resize(before);
}

void CMachine::run_under(Lit condition, const CStatement& s) {
  if (condition == lit_false) return;
  guards_.push_back(condition);
  run(s);
  guards_.pop_back();
}

void CMachine::run_condition(const CStatement& s) {
  const Lit condition = truth_of(*value(s.expressions.front()));
  run_under(condition, s.parts.front());
  if (s.parts.size() > 1) run_under(inverted(condition), s.parts.back());
}

void CMachine::run_loop(const CStatement& s) {
  const std::size_t before = guards_.size();
  frames_.back().scopes.emplace_back();
  run(s.parts.front());
  while (true) {
    const Lit goes_on = truth_of(*value(s.expressions.front()));
    if (!is_constant(goes_on)) fail(s.line, "how often a loop runs depends on operands");
    if (goes_on == lit_false || is_dead()) break;
    const Lit had_left = frames_.back().has_left;
    run(s.parts.back());
    if (frames_.back().has_left != had_left) guards_.push_back(inverted(frames_.back().has_left));
    count_on(s.expressions.back(), before);
  }
  frames_.back().scopes.pop_back();
  guards_.resize(before);
}

// The counter goes on whatever has returned before.
void CMachine::count_on(const CExpression& step, std::size_t depth) {
  const std::vector<Lit> held(guards_.begin() + static_cast<std::ptrdiff_t>(depth), guards_.end());
  guards_.resize(depth);
  value(step);
  guards_.insert(guards_.end(), held.begin(), held.end());
}

void CMachine::leave(const CStatement& s) {
  const Lit when = guard_since(frames_.back().base);
  const CObjectRef result = s.expressions.empty() ? truth(lit_false) : copy_of(*value(s.expressions.front()));
  Frame& now = frames_.back();
  now.left.push_back({when, result});
  now.has_left = gates_.either(now.has_left, when);
}

void CMachine::declare(const CVariable& v) {
  const CObjectRef made = started(v);
  frames_.back().scopes.back()[v.name] = made;
  const auto watched = watched_.find(v.name);
  if (watched == watched_.end()) return;
  made->is_watched = true;
  watched->second.push_back(made);
}

CObjectRef CMachine::started(const CVariable& v) {
  if (v.is_static && tables_.count(&v) != 0) return tables_[&v];
  CObjectRef o;
  if (v.start.empty()) {
    o = made(v.type);
  } else if (v.start.front().kind == CExpression::Kind::list) {
    o = listed(v.start.front(), v.type);
  } else {
    o = copy_of(*converted(value(v.start.front()), v.type));
  }
  if (v.is_static) tables_[&v] = o;
  return o;
}

// --- expressions ---

CObjectRef CMachine::value(const CExpression& e) {
  switch (e.kind) {
    case CExpression::Kind::number: return number(e.type, constant_word(e.value, e.type->width, e.type->is_signed));
    case CExpression::Kind::name:
    case CExpression::Kind::member:
    case CExpression::Kind::through: return place(e);
    case CExpression::Kind::index: return element(e);
    case CExpression::Kind::unary: return unary(e);
    case CExpression::Kind::binary: return binary(e);
    case CExpression::Kind::conditional: return conditional(e);
    case CExpression::Kind::call: return invoked(e);
    case CExpression::Kind::cast: return converted(value(e.parts.front()), e.type);
    case CExpression::Kind::assignment: {
      const CObjectRef from = value(e.parts.back()), to = place(e.parts.front());
      assign(*to, *converted(from, to->type));
      return to;
    }
    case CExpression::Kind::list: break;
  }
  fail(e.line, "a list stands where a value is needed");
}

CObjectRef CMachine::named(const std::string& name, int line) {
  const auto& scopes = frames_.back().scopes;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    const auto found = scope->find(name);
    if (found != scope->end()) return found->second;
  }
  const auto found = globals_.find(name);
  if (found == globals_.end()) fail(line, "nothing is called " + name);
  return found->second;
}

// What stands there itself, to be written too. A pointer to an array is the array.
CObjectRef CMachine::place(const CExpression& e) {
  if (e.kind == CExpression::Kind::name) return named(e.word, e.line);
  if (e.kind == CExpression::Kind::index) {
    const CObjectRef array = place(e.parts.front());
    const CObjectRef start = array->to ? array->to : array;
    const CObject& all = *start;
    const std::int64_t index = known(*value(e.parts.back()), e.line, "which element is written");
    if (all.type->kind != Kind::array && index == 0) return start;  // behind a pointer to one
    if (index < 0 || index >= static_cast<std::int64_t>(all.parts.size())) fail(e.line, "an index is out of its array");
    return all.parts[static_cast<std::size_t>(index)];
  }
  if (e.kind == CExpression::Kind::unary && e.word == "*") {
    const CObjectRef pointer = value(e.parts.front());
    return pointer->to ? pointer->to : pointer;
  }
  const bool reaches =
      e.kind == CExpression::Kind::member || e.kind == CExpression::Kind::through || e.kind == CExpression::Kind::index;
  if (!reaches) return value(e);
  CObjectRef from = value(e.parts.front());
  if (from->to) from = from->to;
  const auto& members = from->type->members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].first == e.word) return from->parts[i];
  }
  fail(e.line, "nothing has a member " + e.word);
}

CObjectRef CMachine::element(const CExpression& e) {
  CObjectRef from = value(e.parts.front());
  if (from->to) from = from->to;
  const CObjectRef index = value(e.parts.back());
  if (from->type->kind == Kind::bits) {
    const std::int64_t bit = known(*index, e.line, "which bit is read");
    return truth(from->word.bit(static_cast<int>(bit)));
  }
  if (value_of(index->word)) return place(e);
  int bits = 0;
  while ((std::size_t{1} << bits) < from->parts.size()) ++bits;
  return picked(*from, index->word, bits - 1, 0);
}

// One of those from `from` on, by the index's bits from `bit` down; where there are fewer, the last one.
CObjectRef CMachine::picked(const CObject& array, const GateWord& index, int bit, std::size_t from) {
  if (bit < 0) return array.parts[std::min(from, array.parts.size() - 1)];
  if (from >= array.parts.size()) return array.parts.back();
  const CObjectRef low = picked(array, index, bit - 1, from);
  const CObjectRef high = picked(array, index, bit - 1, from + (std::size_t{1} << bit));
  return chosen(index.bit(bit), high, low);
}

CObjectRef CMachine::unary(const CExpression& e) {
  if (e.word == "&") {
    auto pointer = std::make_shared<CObject>();
    CType type;
    type.kind = Kind::pointer;
    pointer->to = place(e.parts.front());
    type.of = pointer->to->type;
    pointer->type = std::make_shared<const CType>(type);
    return pointer;
  }
  if (e.word == "*") return place(e);
  if (e.word == "++") {
    const CObjectRef at = place(e.parts.front());
    const CObjectRef one = number(at->type, constant_word(1, at->type->width, at->type->is_signed));
    assign(*at, *converted(arithmetic("+", *at, *one, e.line), at->type));
    return at;
  }
  const CObjectRef of = value(e.parts.front());
  if (e.word == "!") return truth(inverted(truth_of(*of)));
  const CTypeRef type = common(of->type, of->type);
  const GateWord word = converted(of, type)->word;
  if (e.word == "~") return number(type, words_.complement(word));
  return number(type, words_.difference(constant_word(0, type->width, type->is_signed), word));
}

CObjectRef CMachine::binary(const CExpression& e) {
  if (e.word == "&&" || e.word == "||") return logical(e);
  const CObjectRef x = value(e.parts.front()), y = value(e.parts.back());
  if (e.word == "+" && x->type->kind == Kind::array) return further_on(*x, known(*y, e.line, "a step along an array"));
  if (!is_word(*x->type) || !is_word(*y->type)) fail(e.line, "an operator is given what is no number");
  return arithmetic(e.word, *x, *y, e.line);
}

// An array from one of its elements on.
CObjectRef CMachine::further_on(const CObject& array, std::int64_t by) const {
  const auto rest = std::make_shared<CObject>(array);
  rest->parts.erase(rest->parts.begin(), rest->parts.begin() + by);
  return rest;
}

CObjectRef CMachine::logical(const CExpression& e) {
  const bool is_and = e.word == "&&";
  const Lit x = truth_of(*value(e.parts.front()));
  if (x == (is_and ? lit_false : lit_true)) return truth(x);
  const Lit y = truth_of(*value_under(inverted_if(x, !is_and), e.parts.back()));
  return truth(is_and ? gates_.both(x, y) : gates_.either(x, y));
}

CObjectRef CMachine::arithmetic(const std::string& sign, const CObject& x, const CObject& y, int line) {
  if (sign == "<<" || sign == ">>") return shifted(sign, x, y);
  if (sign == "/" || sign == "%") return divided(sign, x, y, line);
  const CTypeRef type = common(x.type, y.type);
  const GateWord p = converted(copy_of(x), type)->word, q = converted(copy_of(y), type)->word;
  if (sign == "+") return number(type, words_.sum(p, q));
  if (sign == "-") return number(type, words_.difference(p, q));
  if (sign == "*") return number(type, words_.product(under_guards(p), under_guards(q)));
  if (sign == "&") return number(type, words_.conjunction(p, q));
  if (sign == "|") return number(type, words_.disjunction(p, q));
  if (sign == "^") return number(type, words_.exclusion(p, q));
  return compared(sign, p, q);
}

CObjectRef CMachine::compared(const std::string& sign, const GateWord& x, const GateWord& y) {
  if (sign == "==") return truth(words_.is_same(x, y));
  if (sign == "!=") return truth(inverted(words_.is_same(x, y)));
  if (sign == "<") return truth(words_.is_less(x, y));
  if (sign == ">") return truth(words_.is_less(y, x));
  if (sign == "<=") return truth(inverted(words_.is_less(y, x)));
  return truth(inverted(words_.is_less(x, y)));
}

CObjectRef CMachine::shifted(const std::string& sign, const CObject& x, const CObject& y) {
  const CTypeRef type = common(x.type, x.type);
  const GateWord word = converted(copy_of(x), type)->word;
  return number(type, sign == "<<" ? words_.left(word, y.word) : words_.right(word, y.word));
}

// Toward zero; a remainder has the sign of what is divided. By a constant.
CObjectRef CMachine::divided(const std::string& sign, const CObject& x, const CObject& y, int line) {
  const std::int64_t by = known(y, line, "a divisor");
  if (by <= 0) fail(line, "a divisor is not positive");
  const CTypeRef type = common(x.type, y.type);
  const GateWord word = converted(copy_of(x), type)->word;
  const GateWord zero = constant_word(0, type->width, word.is_signed);
  const Lit negative = word.top();
  const GateWord size = words_.chosen(negative, words_.difference(zero, word), word);
  const WordMaker::Division made = words_.divided(size, static_cast<std::uint64_t>(by));
  const GateWord result = sign == "/" ? made.quotient : made.remainder;
  return number(type, words_.chosen(negative, words_.difference(zero, result), result));
}

CObjectRef CMachine::conditional(const CExpression& e) {
  const CObjectRef asked = value(e.parts[0]);
  const Lit which = truth_of(*asked);
  if (is_constant(which)) return value(e.parts[which == lit_true ? 1 : 2]);
  const CObjectRef then = value_under(which, e.parts[1]), otherwise = value_under(inverted(which), e.parts[2]);
  if (!is_word(*then->type)) return chosen(which, then, otherwise);
  const CTypeRef type =
      is_bool(*then->type) && is_bool(*otherwise->type) ? then->type : common(then->type, otherwise->type);
  return chosen(which, converted(then, type), converted(otherwise, type));
}

CObjectRef CMachine::value_under(Lit condition, const CExpression& e) {
  guards_.push_back(condition);
  const CObjectRef made = copy_of(*value(e));
  guards_.pop_back();
  return made;
}

CObjectRef CMachine::invoked(const CExpression& e) {
  const auto found = program_.functions.find(e.word);
  if (found == program_.functions.end()) fail(e.line, "there is no function " + e.word);
  std::vector<CObjectRef> arguments;
  for (const CExpression& part : e.parts) arguments.push_back(value(part));
  if (arguments.size() != found->second.parameters.size()) fail(e.line, e.word + " has other arguments");
  return converted(call(e.word, arguments), found->second.result);
}

CObjectRef CMachine::listed(const CExpression& e, const CTypeRef& type) {
  if (e.kind != CExpression::Kind::list) return copy_of(*converted(value(e), type));
  const CObjectRef o = made(type);
  if (e.parts.size() > o->parts.size()) fail(e.line, "a list is longer than what it is for");
  for (std::size_t i = 0; i < e.parts.size(); ++i) o->parts[i] = listed(e.parts[i], o->parts[i]->type);
  return o;
}

// --- values ---

CObjectRef CMachine::truth(Lit l) const { return number(integer_type(1, false), {{l}, false}); }

CObjectRef CMachine::number(const CTypeRef& type, GateWord word) const {
  auto o = std::make_shared<CObject>();
  o->type = type;
  o->word = std::move(word);
  o->word.is_signed = type->kind == Kind::integer && type->is_signed;
  o->depth = guards_.size();
  o->is_written = true;
  return o;
}

CObjectRef CMachine::converted(const CObjectRef& value, const CTypeRef& type) {
  if (!is_word(*type) || !is_word(*value->type)) return value;
  if (is_bool(*type)) return is_bool(*value->type) ? value : truth(truth_of(*value));
  const bool is_signed = type->kind == Kind::integer && type->is_signed;
  return number(type, extended(value->word, type->width, is_signed));
}

// As C++ has it; of bits and an integer, the bits.
CTypeRef CMachine::common(const CTypeRef& x, const CTypeRef& y) const {
  const auto promoted = [](const CTypeRef& t) {
    return t->kind == Kind::integer && t->width < 32 ? integer_type(32, true) : t;
  };
  const CTypeRef p = promoted(x), q = promoted(y);
  if (p->kind != q->kind) return p->kind == Kind::bits ? p : q;
  if (p->kind == Kind::bits || p->width != q->width) return p->width >= q->width ? p : q;
  return p->is_signed ? q : p;
}

CObjectRef CMachine::copy_of(const CObject& o) const {
  auto copy = std::make_shared<CObject>(o);
  copy->depth = guards_.size();
  copy->is_watched = false;
  copy->past.clear();
  for (CObjectRef& part : copy->parts) part = copy_of(*part);
  return copy;
}

CObjectRef CMachine::chosen(Lit which, const CObjectRef& then, const CObjectRef& otherwise) {
  if (which == lit_true) return then;
  if (which == lit_false) return otherwise;
  const CObjectRef o = copy_of(*then);
  o->is_written = true;
  for (std::size_t i = 0; i < o->parts.size(); ++i) o->parts[i] = chosen(which, then->parts[i], otherwise->parts[i]);
  if (is_word(*o->type)) o->word = words_.chosen(which, then->word, converted(otherwise, then->type)->word);
  return o;
}

// Where conditions hold that did not when it was declared, the old value stays otherwise.
void CMachine::assign(CObject& to, const CObject& from) {
  const Lit when = guard_since(to.depth);
  for (std::size_t i = 0; i < to.parts.size(); ++i) assign(*to.parts[i], *from.parts[i]);
  if (is_word(*to.type)) to.word = to.is_written ? words_.chosen(when, from.word, to.word) : from.word;
  if (to.type->kind == Kind::pointer) to.to = from.to;
  to.is_written = true;
  if (to.is_watched) to.past.push_back(to.word);
}

Lit CMachine::truth_of(const CObject& o) {
  if (o.type->kind == Kind::pointer || o.type->kind == Kind::array || o.type->kind == Kind::structure)
    return o.to || !o.parts.empty() ? lit_true : lit_false;
  return words_.is_not_zero(o.word);
}

Lit CMachine::guard_since(std::size_t depth) const {
  Lit all = lit_true;
  for (std::size_t i = depth; i < guards_.size(); ++i) all = gates_.both(all, guards_[i]);
  return all;
}

// The same bits where all conditions hold, which is where anybody looks at them, with what these decide left out: a
// significand that is zero of a NaN, behind a question whether it is one.
GateWord CMachine::under_guards(const GateWord& word) {
  std::unordered_set<Lit> holds;
  std::vector<Lit> open(guards_.begin(), guards_.end());
  while (!open.empty()) {
    const Lit l = open.back();
    open.pop_back();
    if (is_constant(l) || !holds.insert(l).second || is_inverted(l) || !gates_.is_gate(node_of(l))) continue;
    open.insert(open.end(), {gates_.first(node_of(l)), gates_.second(node_of(l))});
  }
  std::vector<Lit> map(gates_.size(), lit_none);
  for (const Lit l : holds) map[node_of(l)] = is_inverted(l) ? lit_false : lit_true;
  std::vector<Lit> bits = copied_within(gates_, word.bits, map);
  return {std::move(bits), word.is_signed};
}

}  // namespace assay
