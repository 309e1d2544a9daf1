#include "tb/dpi/assay_dpi.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/config/catalogue.hpp"
#include "tb/scoreboard/scoreboard.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

// Thrown inside a call; becomes an error of the unit.
struct Wrong {
  std::string sentence;
};

// --- text ---

std::string counted(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_file(const std::string& name) { return ends_with(name, ".yaml") || ends_with(name, ".yml"); }

// --- packed vectors ---

bool any_unknown(const assay_dpi_word* words, int count) {
  for (int i = 0; i < count; ++i) {
    if (words[i].bval != 0) return true;
  }
  return false;
}

// Bits [at + width - 1 : at], which may lie across words.
Code bits_at(const assay_dpi_word* words, int at, int width) {
  Code code = 0;
  for (int taken = 0; taken < width;) {
    const int from = (at + taken) % 32;
    code |= static_cast<Code>(words[(at + taken) / 32].aval >> from) << taken;
    taken += 32 - from;
  }
  return width == 64 ? code : code & ((Code{1} << width) - 1);
}

bool any_above(const assay_dpi_word* words, int count, int bits) {
  for (int at = bits; at < 32 * count; at += 32 - at % 32) {
    if (words[at / 32].aval >> (at % 32) != 0) return true;
  }
  return false;
}

struct Shape {
  const char* name;
  int elements, bits;
};

std::vector<Code> unpacked(const Shape& shape, const assay_dpi_word* words, int count) {
  if (any_unknown(words, count)) {
    throw Wrong{std::string(shape.name) + " has unknown bits (x or z); the model takes 0 and 1 only."};
  }
  if (any_above(words, count, shape.elements * shape.bits)) {
    throw Wrong{std::string(shape.name) + " has bits set above its " + std::to_string(shape.elements) + " x " +
                std::to_string(shape.bits) + "; a signed or wider vector must be cut to that width."};
  }
  std::vector<Code> codes;
  for (int i = 0; i < shape.elements; ++i) codes.push_back(bits_at(words, i * shape.bits, shape.bits));
  return codes;
}

// --- the model ---

Plan plan_named(const std::string& name) {
  const Catalogue catalogue = shipped_catalogue();
  return is_file(name) ? plan_of(read_datapath_file(name, catalogue)) : catalogue.plan_of(catalogue.instruction(name));
}

// --- the unit that a testbench holds ---

struct Scales {
  std::vector<Code> a, b;
};

// The codes of Plan::more, and which of these operands the testbench has given.
struct More {
  std::vector<Code> codes;
  std::vector<bool> given;
};

struct Expected {
  std::optional<Case> given;  // none: the operands were refused, and their result says nothing
  Code d = 0;
};

// A plan, and what judges results by it.
struct Model {
  explicit Model(const std::string& name) : plan(plan_named(name)), scoreboard(plan, usual_nan_rule(plan), 0) {}
  Model(const Model&) = delete;  // the scoreboard refers to the plan
  Model& operator=(const Model&) = delete;

  const Plan plan;
  Scoreboard scoreboard;
  Registers registers;
};

struct Unit {
  std::string name;
  std::unique_ptr<Model> model;  // none: it could not be opened
  Scales scales;
  More more;
  std::deque<Expected> waiting;
  std::uint64_t checked = 0, errors = 0;
  std::string first_error, summary;
};

// The numbers that the testbench and the unit must agree on.
void agree(const Unit& unit, const char* what, int testbench, int model) {
  if (testbench == model) return;
  throw Wrong{"The testbench takes " + unit.name + " for one with " + what + " = " + std::to_string(testbench) +
              "; it has " + what + " = " + std::to_string(model) + "."};
}

void agree_on_fit(const Unit& unit, const Shape& shape) {
  const int most = 32 * ASSAY_DPI_VECTOR_WORDS;
  if (static_cast<long long>(shape.elements) * shape.bits <= most) return;
  throw Wrong{std::string(shape.name) + " of " + unit.name + " has " + std::to_string(shape.elements) + " x " +
              std::to_string(shape.bits) + " bits; assay_dpi_pkg takes at most " + std::to_string(most) +
              " in a vector: call the C interface, assay.h, for longer ones."};
}

Shape vector_of(const char* name, const Format& format, int elements) { return {name, elements, format.stored_bits}; }

Shape scales_of(const Plan& plan, const char* name) {
  return plan.scale ? vector_of(name, *plan.scale, plan.scales) : Shape{name, 0, 0};
}

Shape shape_of(const CaseOperand& operand) { return {operand.name.c_str(), operand.count, operand.format.stored_bits}; }

void need_operands(const Unit& unit) {
  const Plan& plan = unit.model->plan;
  if (unit.scales.a.empty() && plan.scale) {
    throw Wrong{unit.name + " has " + counted(static_cast<std::uint64_t>(plan.scales), "scale") +
                " on each side; call assay_dpi_scales first."};
  }
  for (std::size_t i = 0; i < plan.more.size(); ++i) {
    if (!unit.more.given[i])
      throw Wrong{unit.name + " takes " + plan.more[i].name + ", too; call assay_dpi_operand with this name first."};
  }
}

// Which of the further operands has this name.
std::size_t more_named(const Unit& unit, const std::string& name) {
  std::string names;
  const std::vector<CaseOperand>& more = unit.model->plan.more;
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (more[i].name == name) return i;
    names += (i == 0 ? "" : ", ") + more[i].name;
  }
  throw Wrong{unit.name + " has no further operand " + name + "; " +
              (names.empty() ? "do not call assay_dpi_operand for it." : "it has " + names + ".")};
}

void take(Unit& unit, std::size_t index, const assay_dpi_word* codes) {
  const CaseOperand& operand = unit.model->plan.more[index];
  const std::vector<Code> given = unpacked(shape_of(operand), codes, ASSAY_DPI_VECTOR_WORDS);
  const std::string problem = mask_problem(operand.name, operand.pattern, given.data(), operand.count);
  if (!problem.empty()) throw Wrong{unit.name + ": " + problem};
  std::copy(given.begin(), given.end(), unit.more.codes.begin() + operand.first);
  unit.more.given[index] = true;
}

Case case_of(const Unit& unit, const assay_dpi_word* a, const assay_dpi_word* b, const assay_dpi_word* c) {
  need_operands(unit);
  const Plan& plan = unit.model->plan;
  Case given;
  given.a = unpacked(vector_of("a", plan.a, plan.k), a, ASSAY_DPI_VECTOR_WORDS);
  given.b = unpacked(vector_of("b", plan.b, plan.k), b, ASSAY_DPI_VECTOR_WORDS);
  given.c = unpacked(vector_of("c", plan.c, 1), c, ASSAY_DPI_ELEMENT_WORDS).front();
  given.scale_a = unit.scales.a;
  given.scale_b = unit.scales.b;
  given.more = unit.more.codes;
  return given;
}

Code result_of(Model& model, const Case& given) { return dot(model.plan, given.operand(), model.registers); }

// As words of a command line, so that an error can be copied from the log.
std::string shown_command(const Unit& unit, const Case& given) {
  const std::string subject = is_file(unit.name) ? "--datapath " + shell_word(unit.name) : "--instruction " + unit.name;
  return explain_command(subject, unit.model->plan, given);
}

std::string hex(Code code, const Format& format) { return fmt::format("{:0{}x}", code, format.hex_digits()); }

bool too_wide(const Format& format, const assay_dpi_word* d) {
  return any_above(d, ASSAY_DPI_ELEMENT_WORDS, format.stored_bits);
}

std::string found_text(const Format& format, const assay_dpi_word* d) {
  if (any_unknown(d, ASSAY_DPI_ELEMENT_WORDS)) return "unknown bits (x or z)";
  const Code code = bits_at(d, 0, 64);
  return too_wide(format, d) ? fmt::format("{:016x}", code) : hex(code, format);
}

// What came out, as the answer of a device: bits that no d has are none.
Answer answer_of(const Format& format, const assay_dpi_word* d) {
  Answer answer;
  if (any_unknown(d, ASSAY_DPI_ELEMENT_WORDS)) {
    answer.error = "It has unknown bits (x or z).";
  } else if (too_wide(format, d)) {
    answer.error = "It is wider than d.";
  } else {
    answer.d = bits_at(d, 0, 64);
  }
  return answer;
}

void fail(Unit& unit, const std::string& sentence) {
  if (unit.errors++ == 0) unit.first_error = sentence;
}

void check(Unit& unit, const assay_dpi_word* d) {
  const Format& format = unit.model->plan.d;
  const std::string which = "Result " + std::to_string(unit.checked + 1) + " of " + unit.name;
  if (unit.waiting.empty()) {
    throw Wrong{which + " is d = " + found_text(format, d) +
                ", but no operands wait for one: call assay_dpi_expect first."};
  }
  const Expected expected = std::move(unit.waiting.front());
  unit.waiting.pop_front();
  if (!expected.given) throw Wrong{which + " cannot be judged: its operands were refused."};
  ++unit.checked;
  Answer reference;
  reference.d = expected.d;
  if (unit.model->scoreboard.judge(*expected.given, reference, answer_of(format, d)) == Verdict::equal) return;
  throw Wrong{which + " is d = " + found_text(format, d) + ", expected " + hex(expected.d, format) +
              ". This shows it stage by stage:\n  " + shown_command(unit, *expected.given)};
}

void finish(Unit& unit) {
  if (!unit.waiting.empty()) {
    fail(unit, counted(unit.waiting.size(), "result") + " of " + unit.name +
                   " never came; each assay_dpi_expect needs its assay_dpi_check.");
  }
  unit.waiting.clear();
  if (unit.checked == 0 && unit.errors == 0)
    fail(unit, "No result of " + unit.name + " was checked, which is no pass.");
}

std::string summary(const Unit& unit) {
  const std::string text = unit.name + ": " + counted(unit.checked, "result") + " checked, ";
  if (unit.errors == 0) return text + "no error.";
  return text + counted(unit.errors, "error") + (unit.errors == 1 ? ": " : ". The first: ") + unit.first_error;
}

void agree(const Unit& unit, int k, int a_bits, int b_bits, int c_bits, int d_bits) {
  const Plan& plan = unit.model->plan;
  agree(unit, "k", k, plan.k);
  agree(unit, "a_bits", a_bits, plan.a.stored_bits);
  agree(unit, "b_bits", b_bits, plan.b.stored_bits);
  agree(unit, "c_bits", c_bits, plan.c.stored_bits);
  agree(unit, "d_bits", d_bits, plan.d.stored_bits);
  agree_on_fit(unit, vector_of("a", plan.a, plan.k));
  agree_on_fit(unit, vector_of("b", plan.b, plan.k));
  agree_on_fit(unit, scales_of(plan, "scale_a"));
  for (const CaseOperand& operand : plan.more) agree_on_fit(unit, shape_of(operand));
}

// A unit that stays shut.
void refuse(Unit& unit, const std::string& sentence) {
  unit.model.reset();
  fail(unit, sentence);
}

Unit* unit_of(void* handle) { return static_cast<Unit*>(handle); }
const Unit* unit_of(const void* handle) { return static_cast<const Unit*>(handle); }

// Runs a call's body on an open unit. 1: it went well; what it throws becomes an error of the unit.
template <class Body>
int on(void* handle, Body body) {
  Unit* unit = unit_of(handle);
  if (unit == nullptr || unit->model == nullptr) return 0;
  const std::uint64_t before = unit->errors;
  try {
    body(*unit);
  } catch (const Wrong& wrong) {
    fail(*unit, wrong.sentence);
  } catch (const std::exception& error) {
    fail(*unit, unit->name + " cannot go on: " + error.what() + ".");
  }
  return unit->errors == before ? 1 : 0;
}

}  // namespace
}  // namespace assay

using assay::on;
using assay::Unit;
using assay::unit_of;

void* assay_dpi_open(const char* name, int k, int a_bits, int b_bits, int c_bits, int d_bits) {
  auto unit = std::make_unique<Unit>();
  unit->name = name == nullptr ? "" : name;
  try {
    unit->model = std::make_unique<assay::Model>(unit->name);
    agree(*unit, k, a_bits, b_bits, c_bits, d_bits);
    const assay::Plan& plan = unit->model->plan;
    unit->more = {std::vector<assay::Code>(static_cast<std::size_t>(plan.more_codes())),
                  std::vector<bool>(plan.more.size())};
  } catch (const assay::Wrong& wrong) {
    refuse(*unit, wrong.sentence);
  } catch (const assay::Error& error) {
    refuse(*unit, error.message);
  } catch (const std::exception& error) {
    refuse(*unit, unit->name + " cannot be opened: " + error.what() + ".");
  }
  return unit.release();
}

void assay_dpi_close(void* unit) { delete unit_of(unit); }

int assay_dpi_scales(void* handle, const assay_dpi_word* scale_a, const assay_dpi_word* scale_b) {
  return on(handle, [&](Unit& unit) {
    const assay::Plan& plan = unit.model->plan;
    if (!plan.scale) throw assay::Wrong{unit.name + " has no scales; do not call assay_dpi_scales for it."};
    unit.scales = {assay::unpacked(assay::scales_of(plan, "scale_a"), scale_a, ASSAY_DPI_VECTOR_WORDS),
                   assay::unpacked(assay::scales_of(plan, "scale_b"), scale_b, ASSAY_DPI_VECTOR_WORDS)};
  });
}

int assay_dpi_operand(void* handle, const char* name, const assay_dpi_word* codes) {
  return on(handle, [&](Unit& unit) { take(unit, more_named(unit, name == nullptr ? "" : name), codes); });
}

int assay_dpi_compute(void* handle, const assay_dpi_word* a, const assay_dpi_word* b, const assay_dpi_word* c,
                      assay_dpi_word* d) {
  d[0] = d[1] = {~0u, ~0u};
  return on(handle, [&](Unit& unit) {
    const assay::Code code = result_of(*unit.model, case_of(unit, a, b, c));
    d[0] = {static_cast<std::uint32_t>(code), 0};
    d[1] = {static_cast<std::uint32_t>(code >> 32), 0};
  });
}

int assay_dpi_expect(void* handle, const assay_dpi_word* a, const assay_dpi_word* b, const assay_dpi_word* c) {
  return on(handle, [&](Unit& unit) {
    assay::Expected& expected = unit.waiting.emplace_back();
    assay::Case given = case_of(unit, a, b, c);
    expected.d = result_of(*unit.model, given);
    expected.given = std::move(given);
  });
}

int assay_dpi_check(void* handle, const assay_dpi_word* d) {
  return on(handle, [&](Unit& unit) { check(unit, d); });
}

long long assay_dpi_finish(void* handle) {
  on(handle, [](Unit& unit) { finish(unit); });
  return assay_dpi_errors(handle);
}

long long assay_dpi_checked(const void* unit) {
  return unit == nullptr ? 0 : static_cast<long long>(unit_of(unit)->checked);
}

// A handle that was never opened is an error too, so that no testbench passes with it.
long long assay_dpi_errors(const void* unit) {
  return unit == nullptr ? 1 : static_cast<long long>(unit_of(unit)->errors);
}

const char* assay_dpi_error_text(const void* unit) {
  return unit == nullptr ? "There is no unit: the handle is null; it must come from assay_dpi_open."
                         : unit_of(unit)->first_error.c_str();
}

const char* assay_dpi_summary(void* unit) {
  if (unit == nullptr) return assay_dpi_error_text(unit);
  unit_of(unit)->summary = summary(*unit_of(unit));
  return unit_of(unit)->summary.c_str();
}
