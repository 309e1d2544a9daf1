#include "tb/dpi/assay_dpi.h"

#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/base/hex.hpp"
#include "model/capi/assay.h"

namespace assay {
namespace {

using Code = std::uint64_t;

// Thrown inside a call; becomes an error of the unit.
struct Wrong {
  std::string sentence;
};

// --- text ---

std::string hex(Code code, int bits) { return hex_text(code, (bits + 3) / 4); }

std::string hex(const std::vector<Code>& codes, int bits) {
  std::string list;
  for (const Code code : codes) list += (list.empty() ? "" : ",") + hex(code, bits);
  return list;
}

std::string counted(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
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

struct Close {
  void operator()(assay_catalogue* catalogue) const { assay_catalogue_close(catalogue); }
  void operator()(assay_unit* unit) const { assay_unit_close(unit); }
};
using Catalogue = std::unique_ptr<assay_catalogue, Close>;
using Model = std::unique_ptr<assay_unit, Close>;

void must(assay_status status, const assay_message& message) {
  if (status != ASSAY_OK) throw Wrong{message.text};
}

Model open_model(const std::string& name) {
  assay_message message;
  assay_catalogue* catalogue = nullptr;
  must(assay_catalogue_open(nullptr, &catalogue, &message), message);
  const Catalogue closes(catalogue);
  assay_unit* unit = nullptr;
  const auto open = is_file(name) ? assay_unit_open_file : assay_unit_open;
  must(open(catalogue, name.c_str(), &unit, &message), message);
  return Model(unit);
}

struct Scales {
  std::vector<Code> a, b;
};

struct Operands {
  std::vector<Code> a, b, c;
  Scales scales;
};

template <class Element>
void append(const std::vector<Code>& codes, std::vector<unsigned char>& bytes) {
  for (const Code code : codes) {
    const auto element = static_cast<Element>(code);
    const auto* first = reinterpret_cast<const unsigned char*>(&element);
    bytes.insert(bytes.end(), first, first + sizeof element);
  }
}

// Elements as the C interface takes them.
std::vector<unsigned char> in_memory(const std::vector<Code>& codes, std::size_t element_bytes) {
  std::vector<unsigned char> bytes;
  switch (element_bytes) {
    case 1: append<std::uint8_t>(codes, bytes); break;
    case 2: append<std::uint16_t>(codes, bytes); break;
    case 4: append<std::uint32_t>(codes, bytes); break;
    default: append<std::uint64_t>(codes, bytes); break;
  }
  return bytes;
}

template <class Element>
Code first_of(const std::vector<unsigned char>& bytes) {
  Element element;
  std::memcpy(&element, bytes.data(), sizeof element);
  return element;
}

Code from_memory(const std::vector<unsigned char>& bytes) {
  switch (bytes.size()) {
    case 1: return first_of<std::uint8_t>(bytes);
    case 2: return first_of<std::uint16_t>(bytes);
    case 4: return first_of<std::uint32_t>(bytes);
    default: return first_of<std::uint64_t>(bytes);
  }
}

Code dot(const assay_unit* model, const Operands& x) {
  const auto bytes = [&](const std::vector<Code>& codes, assay_operand o) {
    return in_memory(codes, assay_unit_bytes(model, o));
  };
  const auto a = bytes(x.a, ASSAY_A), b = bytes(x.b, ASSAY_B), c = bytes(x.c, ASSAY_C);
  const auto scale_a = bytes(x.scales.a, ASSAY_SCALE), scale_b = bytes(x.scales.b, ASSAY_SCALE);
  const auto in = [](const std::vector<unsigned char>& from) {
    return from.empty() ? assay_in{nullptr, 0} : assay_in{from.data(), from.size()};
  };
  const assay_operands operands{in(a), in(b), in(c), in(scale_a), in(scale_b)};
  std::vector<unsigned char> d(assay_unit_bytes(model, ASSAY_D));
  assay_message message;
  must(assay_dot(model, 1, &operands, {d.data(), d.size()}, &message), message);
  return from_memory(d);
}

// --- the unit that a testbench holds ---

struct Expected {
  std::optional<Operands> operands;  // none: they were refused, and their result says nothing
  Code d = 0;
};

struct Unit {
  std::string name;
  Model model;  // none: it could not be opened
  Scales scales;
  std::deque<Expected> waiting;
  std::uint64_t checked = 0, errors = 0;
  std::string first_error, summary;
};

int bits_of(const Unit& unit, assay_operand operand) { return assay_unit_bits(unit.model.get(), operand); }

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

Shape shape_of(const Unit& unit, const char* name, assay_operand operand) {
  const assay_unit* model = unit.model.get();
  const bool vector = operand == ASSAY_A || operand == ASSAY_B;
  const int elements = vector ? assay_unit_k(model) : operand == ASSAY_SCALE ? assay_unit_scales(model) : 1;
  return {name, elements, assay_unit_bits(model, operand)};
}

Operands operands_of(const Unit& unit, const assay_dpi_word* a, const assay_dpi_word* b, const assay_dpi_word* c) {
  if (unit.scales.a.empty() && assay_unit_scales(unit.model.get()) != 0) {
    throw Wrong{unit.name + " has " +
                counted(static_cast<std::uint64_t>(assay_unit_scales(unit.model.get())), "scale") +
                " on each side; call assay_dpi_scales first."};
  }
  return {unpacked(shape_of(unit, "a", ASSAY_A), a, ASSAY_DPI_VECTOR_WORDS),
          unpacked(shape_of(unit, "b", ASSAY_B), b, ASSAY_DPI_VECTOR_WORDS),
          unpacked(shape_of(unit, "c", ASSAY_C), c, ASSAY_DPI_ELEMENT_WORDS), unit.scales};
}

// As words of a command line, so that an error can be copied from the log.
std::string explain_command(const Unit& unit, const Operands& x) {
  std::string text =
      "assay explain " + (is_file(unit.name) ? "--datapath " + quoted(unit.name) : "--instruction " + unit.name);
  text += " --a " + hex(x.a, bits_of(unit, ASSAY_A)) + " --b " + hex(x.b, bits_of(unit, ASSAY_B)) + " --c " +
          hex(x.c, bits_of(unit, ASSAY_C));
  if (x.scales.a.empty()) return text;
  const int bits = bits_of(unit, ASSAY_SCALE);
  return text + " --scale-a " + hex(x.scales.a, bits) + " --scale-b " + hex(x.scales.b, bits);
}

std::string found_text(const Unit& unit, const assay_dpi_word* d) {
  if (any_unknown(d, ASSAY_DPI_ELEMENT_WORDS)) return "unknown bits (x or z)";
  return hex(bits_at(d, 0, 64),
             any_above(d, ASSAY_DPI_ELEMENT_WORDS, bits_of(unit, ASSAY_D)) ? 64 : bits_of(unit, ASSAY_D));
}

bool is(const assay_dpi_word* d, Code expected) {
  return !any_unknown(d, ASSAY_DPI_ELEMENT_WORDS) && bits_at(d, 0, 64) == expected;
}

void fail(Unit& unit, const std::string& sentence) {
  if (unit.errors++ == 0) unit.first_error = sentence;
}

void check(Unit& unit, const assay_dpi_word* d) {
  const std::string which = "Result " + std::to_string(unit.checked + 1) + " of " + unit.name;
  if (unit.waiting.empty()) {
    throw Wrong{which + " is d = " + found_text(unit, d) +
                ", but no operands wait for one: call assay_dpi_expect first."};
  }
  const Expected expected = std::move(unit.waiting.front());
  unit.waiting.pop_front();
  if (!expected.operands) throw Wrong{which + " cannot be judged: its operands were refused."};
  ++unit.checked;
  if (is(d, expected.d)) return;
  throw Wrong{which + " is d = " + found_text(unit, d) + ", expected " + hex(expected.d, bits_of(unit, ASSAY_D)) +
              ". This shows it stage by stage:\n  " + explain_command(unit, *expected.operands)};
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
    unit->model = assay::open_model(unit->name);
    agree(*unit, "k", k, assay_unit_k(unit->model.get()));
    agree(*unit, "a_bits", a_bits, bits_of(*unit, ASSAY_A));
    agree(*unit, "b_bits", b_bits, bits_of(*unit, ASSAY_B));
    agree(*unit, "c_bits", c_bits, bits_of(*unit, ASSAY_C));
    agree(*unit, "d_bits", d_bits, bits_of(*unit, ASSAY_D));
    agree_on_fit(*unit, shape_of(*unit, "a", ASSAY_A));
    agree_on_fit(*unit, shape_of(*unit, "b", ASSAY_B));
    agree_on_fit(*unit, shape_of(*unit, "scale_a", ASSAY_SCALE));
  } catch (const assay::Wrong& wrong) {
    unit->model.reset();
    fail(*unit, wrong.sentence);
  }
  return unit.release();
}

void assay_dpi_close(void* unit) { delete unit_of(unit); }

int assay_dpi_scales(void* handle, const assay_dpi_word* scale_a, const assay_dpi_word* scale_b) {
  return on(handle, [&](Unit& unit) {
    if (assay_unit_scales(unit.model.get()) == 0) {
      throw assay::Wrong{unit.name + " has no scales; do not call assay_dpi_scales for it."};
    }
    unit.scales = {unpacked(shape_of(unit, "scale_a", ASSAY_SCALE), scale_a, ASSAY_DPI_VECTOR_WORDS),
                   unpacked(shape_of(unit, "scale_b", ASSAY_SCALE), scale_b, ASSAY_DPI_VECTOR_WORDS)};
  });
}

int assay_dpi_compute(void* handle, const assay_dpi_word* a, const assay_dpi_word* b, const assay_dpi_word* c,
                      assay_dpi_word* d) {
  d[0] = d[1] = {~0u, ~0u};
  return on(handle, [&](Unit& unit) {
    const assay::Code code = dot(unit.model.get(), operands_of(unit, a, b, c));
    d[0] = {static_cast<std::uint32_t>(code), 0};
    d[1] = {static_cast<std::uint32_t>(code >> 32), 0};
  });
}

int assay_dpi_expect(void* handle, const assay_dpi_word* a, const assay_dpi_word* b, const assay_dpi_word* c) {
  return on(handle, [&](Unit& unit) {
    assay::Expected& expected = unit.waiting.emplace_back();
    assay::Operands operands = operands_of(unit, a, b, c);
    expected.d = dot(unit.model.get(), operands);
    expected.operands = std::move(operands);
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
