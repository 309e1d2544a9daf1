#include "model/capi/assay.h"

#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "model/config/catalogue.hpp"
#include "model/config/digest.hpp"
#include "model/config/home.hpp"
#include "model/core/matmul.hpp"

struct assay_catalogue {
  assay::Catalogue catalogue;
  std::vector<std::string> names;
};

struct assay_unit {
  assay::Plan plan;
  std::string sha256;
};

namespace assay {
namespace {

struct Refusal {
  assay_status status;
  std::string sentence;
};

void say(assay_message* message, std::string_view text) noexcept {
  if (message == nullptr) return;
  constexpr std::size_t room = sizeof message->text - 1;
  const std::size_t length = text.size() < room ? text.size() : room;
  std::memcpy(message->text, text.data(), length);
  message->text[length] = '\0';
  if (text.size() > room) std::memcpy(message->text + room - 3, "...", 3);
}

// Runs a function's body; whatever it throws becomes a status and a message.
template <class Body>
assay_status guarded(assay_message* message, Body body) noexcept {
  const auto failed = [&](assay_status status, std::string_view text) {
    say(message, text);
    return status;
  };
  try {
    body();
    return failed(ASSAY_OK, "");
  } catch (const Refusal& refusal) {
    return failed(refusal.status, refusal.sentence);
  } catch (const Error& error) {
    return failed(ASSAY_BAD_CONFIGURATION, error.message);
  } catch (const std::bad_alloc&) {
    return failed(ASSAY_FAILED, "There is not enough memory for this call.");
  } catch (const std::exception& error) {
    return failed(ASSAY_FAILED, error.what());
  } catch (...) {
    return failed(ASSAY_FAILED, "A fault that has no name.");
  }
}

template <class Pointer>
void need(Pointer pointer, const char* name) {
  if (pointer == nullptr) throw Refusal{ASSAY_BAD_ARGUMENT, std::string(name) + " is NULL; it must point to one."};
}

// --- elements in memory ---

std::size_t bytes_of(const Format& format) { return static_cast<std::size_t>(element_bytes(format.stored_bits)); }

template <class Element>
void load_as(const void* data, std::vector<Code>& codes) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    Element element;
    std::memcpy(&element, static_cast<const char*>(data) + i * sizeof element, sizeof element);
    codes[i] = element;
  }
}

template <class Element>
void store_as(const std::vector<Code>& codes, void* data) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto element = static_cast<Element>(codes[i]);
    std::memcpy(static_cast<char*>(data) + i * sizeof element, &element, sizeof element);
  }
}

void store(const std::vector<Code>& codes, const Format& format, void* data) {
  switch (bytes_of(format)) {
    case 1: return store_as<std::uint8_t>(codes, data);
    case 2: return store_as<std::uint16_t>(codes, data);
    case 4: return store_as<std::uint32_t>(codes, data);
    default: return store_as<std::uint64_t>(codes, data);
  }
}

// rows x columns x bytes, where memory can hold that.
std::size_t product(std::size_t rows, std::size_t columns, std::size_t bytes, const char* name) {
  std::size_t elements = 0, all = 0;
  if (__builtin_mul_overflow(rows, columns, &elements) || __builtin_mul_overflow(elements, bytes, &all)) {
    throw Refusal{ASSAY_BAD_ARGUMENT, std::string(name) + " would have " + std::to_string(rows) + " x " +
                                          std::to_string(columns) + " elements, which no memory holds."};
  }
  return all;
}

// A buffer must have exactly the bytes of rows x columns elements.
void check_buffer(const char* name, const void* data, std::size_t bytes, std::size_t needed) {
  if (bytes != needed) {
    throw Refusal{ASSAY_BAD_ARGUMENT, std::string(name) + " has " + std::to_string(bytes) + " bytes; this call needs " +
                                          std::to_string(needed) + "."};
  }
  if (needed != 0) need(data, name);
}

std::vector<Code> load(const char* name, const assay_in& from, const Format& format, std::size_t rows,
                       std::size_t columns) {
  check_buffer(name, from.data, from.bytes, product(rows, columns, bytes_of(format), name));
  std::vector<Code> codes(rows * columns);
  switch (bytes_of(format)) {
    case 1: load_as<std::uint8_t>(from.data, codes); break;
    case 2: load_as<std::uint16_t>(from.data, codes); break;
    case 4: load_as<std::uint32_t>(from.data, codes); break;
    default: load_as<std::uint64_t>(from.data, codes); break;
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!format.fits(codes[i])) {
      throw Refusal{ASSAY_BAD_BITS, std::string(name) + "[" + std::to_string(i) + "] has bits above the " +
                                        std::to_string(format.stored_bits) + " of " + format.name + "."};
    }
  }
  return codes;
}

std::vector<Code> load_scales(const char* name, const assay_in& from, const Plan& plan, std::size_t rows,
                              std::size_t columns) {
  if (plan.scale) return load(name, from, *plan.scale, rows, columns);
  if (from.data == nullptr && from.bytes == 0) return {};
  throw Refusal{ASSAY_BAD_ARGUMENT, "This unit has no scales; leave " + std::string(name) + " empty."};
}

void check_result(const Format& format, std::size_t rows, std::size_t columns, const assay_out& d) {
  check_buffer("d", d.data, d.bytes, product(rows, columns, bytes_of(format), "d"));
}

// --- the two computations ---

std::vector<Code> dots(const Plan& plan, std::size_t count, const assay_operands& from) {
  const auto k = static_cast<std::size_t>(plan.k), scales = static_cast<std::size_t>(plan.scales);
  const std::vector<Code> a = load("a", from.a, plan.a, count, k), b = load("b", from.b, plan.b, count, k);
  const std::vector<Code> c = load("c", from.c, plan.c, count, 1);
  const std::vector<Code> scale_a = load_scales("scale_a", from.scale_a, plan, count, scales);
  const std::vector<Code> scale_b = load_scales("scale_b", from.scale_b, plan, count, scales);
  Registers registers;
  std::vector<Code> d(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Operand operand{a.data() + i * k, b.data() + i * k, c[i], scale_a.data() + i * scales,
                          scale_b.data() + i * scales};
    d[i] = dot(plan, operand, registers);
  }
  return d;
}

int dimension(const char* name, std::size_t value) {
  if (value == 0 || value > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Refusal{ASSAY_BAD_ARGUMENT,
                  std::string(name) + " is " + std::to_string(value) + "; it must be 1 to 2147483647."};
  }
  return static_cast<int>(value);
}

Matrices matrices(const Plan& plan, std::size_t m, std::size_t n, std::size_t k, const assay_operands& from) {
  Matrices x;
  x.m = dimension("m", m), x.n = dimension("n", n), x.k = dimension("k", k);
  const auto terms = static_cast<std::size_t>(plan.k);
  if (k % terms != 0) {
    throw Refusal{ASSAY_BAD_ARGUMENT, "k is " + std::to_string(k) + ", which is no multiple of the instruction's " +
                                          std::to_string(terms) + "."};
  }
  const std::size_t blocks = k / terms * static_cast<std::size_t>(plan.scales);
  x.a = load("a", from.a, plan.a, m, k);
  x.b = load("b", from.b, plan.b, k, n);
  x.c = load("c", from.c, plan.c, m, n);
  x.scale_a = load_scales("scale_a", from.scale_a, plan, m, blocks);
  x.scale_b = load_scales("scale_b", from.scale_b, plan, blocks, n);
  const std::string problem = matmul_problem(plan, x);
  if (!problem.empty()) throw Refusal{ASSAY_BAD_ARGUMENT, problem};
  return x;
}

// --- handles ---

assay_unit* new_unit(Plan plan) {
  std::string sha256 = datapath_sha256(plan);
  return new assay_unit{std::move(plan), std::move(sha256)};
}

template <class Make>
assay_status open_unit(const assay_catalogue* catalogue, const char* text, assay_unit** unit, assay_message* message,
                       Make plan_from) {
  return guarded(message, [&] {
    need(unit, "unit");
    *unit = nullptr;
    need(catalogue, "catalogue");
    need(text, "the text");
    *unit = new_unit(plan_from(catalogue->catalogue, text));
  });
}

// nullptr where the unit has no such operand.
const Format* format_of(const assay_unit* unit, assay_operand operand) {
  if (unit == nullptr) return nullptr;
  const Plan& plan = unit->plan;
  switch (operand) {
    case ASSAY_A: return &plan.a;
    case ASSAY_B: return &plan.b;
    case ASSAY_C: return &plan.c;
    case ASSAY_D: return &plan.d;
    case ASSAY_SCALE: return plan.scale ? &*plan.scale : nullptr;
  }
  return nullptr;
}

}  // namespace
}  // namespace assay

using assay::guarded;
using assay::need;

const char* assay_version(void) { return ASSAY_VERSION; }

assay_status assay_catalogue_open(const char* home, assay_catalogue** catalogue, assay_message* message) {
  return guarded(message, [&] {
    need(catalogue, "catalogue");
    *catalogue = nullptr;
    assay::Catalogue read(home == nullptr ? assay::home() : home);
    std::vector<std::string> names;
    for (const assay::Architecture& architecture : read.architectures()) {
      for (const assay::Instruction& instruction : architecture.instructions) names.push_back(instruction.full_name());
    }
    *catalogue = new assay_catalogue{std::move(read), std::move(names)};
  });
}

void assay_catalogue_close(assay_catalogue* catalogue) { delete catalogue; }

size_t assay_catalogue_size(const assay_catalogue* catalogue) {
  return catalogue == nullptr ? 0 : catalogue->names.size();
}

const char* assay_catalogue_name(const assay_catalogue* catalogue, size_t index) {
  return index < assay_catalogue_size(catalogue) ? catalogue->names[index].c_str() : nullptr;
}

assay_status assay_unit_open(const assay_catalogue* catalogue, const char* instruction, assay_unit** unit,
                             assay_message* message) {
  return assay::open_unit(catalogue, instruction, unit, message, [](const assay::Catalogue& from, const char* name) {
    return from.plan_of(from.instruction(name));
  });
}

assay_status assay_unit_open_file(const assay_catalogue* catalogue, const char* path, assay_unit** unit,
                                  assay_message* message) {
  return assay::open_unit(catalogue, path, unit, message, [](const assay::Catalogue& from, const char* file) {
    return plan_of(read_datapath_file(file, from));
  });
}

assay_status assay_unit_open_text(const assay_catalogue* catalogue, const char* yaml, assay_unit** unit,
                                  assay_message* message) {
  return assay::open_unit(catalogue, yaml, unit, message, [](const assay::Catalogue& from, const char* text) {
    return plan_of(read_datapath_text(text, "the datapath", from));
  });
}

void assay_unit_close(assay_unit* unit) { delete unit; }

int assay_unit_k(const assay_unit* unit) { return unit == nullptr ? 0 : unit->plan.k; }

int assay_unit_scales(const assay_unit* unit) { return unit == nullptr ? 0 : unit->plan.scales; }

const char* assay_unit_format(const assay_unit* unit, assay_operand operand) {
  const assay::Format* format = assay::format_of(unit, operand);
  return format == nullptr ? nullptr : format->name.c_str();
}

int assay_unit_bits(const assay_unit* unit, assay_operand operand) {
  const assay::Format* format = assay::format_of(unit, operand);
  return format == nullptr ? 0 : format->stored_bits;
}

size_t assay_unit_bytes(const assay_unit* unit, assay_operand operand) {
  const assay::Format* format = assay::format_of(unit, operand);
  return format == nullptr ? 0 : assay::bytes_of(*format);
}

const char* assay_unit_sha256(const assay_unit* unit) { return unit == nullptr ? nullptr : unit->sha256.c_str(); }

assay_status assay_dot(const assay_unit* unit, size_t count, const assay_operands* operands, assay_out d,
                       assay_message* message) {
  return guarded(message, [&] {
    need(unit, "unit");
    need(operands, "operands");
    assay::check_result(unit->plan.d, count, 1, d);
    assay::store(assay::dots(unit->plan, count, *operands), unit->plan.d, d.data);
  });
}

assay_status assay_matmul(const assay_unit* unit, size_t m, size_t n, size_t k, const assay_operands* operands,
                          assay_out d, assay_message* message) {
  return guarded(message, [&] {
    need(unit, "unit");
    need(operands, "operands");
    assay::check_result(unit->plan.d, m, n, d);
    assay::store(matmul(unit->plan, assay::matrices(unit->plan, m, n, k, *operands)), unit->plan.d, d.data);
  });
}
