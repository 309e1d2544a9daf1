#include "tb/capi/elements.hpp"

#include <algorithm>
#include <cstring>

#include "tb/capi/call.hpp"

namespace assay::capi {
namespace {

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

// Where memory can hold that.
std::size_t buffer_bytes(const BufferShape& shape, const Format& format) {
  std::size_t elements = 0, all = 0;
  if (__builtin_mul_overflow(shape.rows, shape.columns, &elements) ||
      __builtin_mul_overflow(elements, bytes_of(format), &all)) {
    throw bad_argument(std::string(shape.name) + " would have " + std::to_string(shape.rows) + " x " +
                       std::to_string(shape.columns) + " elements, which no memory holds.");
  }
  return all;
}

void check_buffer(const char* name, const void* data, std::size_t bytes, std::size_t needed) {
  if (bytes != needed) {
    throw bad_argument(std::string(name) + " has " + std::to_string(bytes) + " bytes; this call needs " +
                       std::to_string(needed) + ".");
  }
  if (needed != 0) need(data, name);
}

// What a dot product has of one operand.
struct Part {
  const char* name;
  const Format* format;  // nullptr: the unit has none
  std::size_t columns;
  std::vector<Code> Case::*codes;  // nullptr: c
  assay_in assay_operands::*in;    // nullptr: of `more`, number `index`
  assay_out assay_arrays::*out;
  std::size_t index = 0, first = 0;  // `first`: of its codes in Case::more
};

// In the order a, b, c, scale_a, scale_b, and then `more`.
std::vector<Part> parts_of(const Plan& plan) {
  const auto k = static_cast<std::size_t>(plan.k), scales = static_cast<std::size_t>(plan.scales);
  const Format* scale = plan.scale ? &*plan.scale : nullptr;
  std::vector<Part> parts{{"a", &plan.a, k, &Case::a, &assay_operands::a, &assay_arrays::a},
                          {"b", &plan.b, k, &Case::b, &assay_operands::b, &assay_arrays::b},
                          {"c", &plan.c, 1, nullptr, &assay_operands::c, &assay_arrays::c},
                          {"scale_a", scale, scales, &Case::scale_a, &assay_operands::scale_a, &assay_arrays::scale_a},
                          {"scale_b", scale, scales, &Case::scale_b, &assay_operands::scale_b, &assay_arrays::scale_b}};
  for (std::size_t i = 0; i < plan.more.size(); ++i) {
    const CaseOperand& operand = plan.more[i];
    parts.push_back({operand.name.c_str(), &operand.format, static_cast<std::size_t>(operand.count), &Case::more,
                     nullptr, nullptr, i, static_cast<std::size_t>(operand.first)});
  }
  return parts;
}

const assay_out& out_of(const assay_arrays& into, const Part& part) {
  if (part.out != nullptr) return into.*part.out;
  need(into.more, "more");
  return into.more[part.index];
}

// `c` is a Case or a constant one.
template <class Any>
auto codes_in(Any& c, const Part& part) {
  return part.codes == nullptr ? &c.c : (c.*part.codes).data() + part.first;
}

std::vector<Code> codes_of(const std::vector<Case>& cases, const Part& part) {
  std::vector<Code> codes;
  codes.reserve(cases.size() * part.columns);
  for (const Case& c : cases) {
    const Code* first = codes_in(c, part);
    codes.insert(codes.end(), first, first + part.columns);
  }
  return codes;
}

void check_empty(const char* name, const void* data, std::size_t bytes) {
  if (data == nullptr && bytes == 0) return;
  throw bad_argument("This unit has no scales; leave " + std::string(name) + " empty.");
}

}  // namespace

std::size_t bytes_of(const Format& format) { return static_cast<std::size_t>(element_bytes(format.stored_bits)); }

std::vector<Code> load_raw(const BufferShape& shape, const Format& format, const void* data) {
  std::vector<Code> codes(shape.rows * shape.columns);
  switch (bytes_of(format)) {
    case 1: load_as<std::uint8_t>(data, codes); break;
    case 2: load_as<std::uint16_t>(data, codes); break;
    case 4: load_as<std::uint32_t>(data, codes); break;
    default: load_as<std::uint64_t>(data, codes); break;
  }
  return codes;
}

std::vector<Code> load(const BufferShape& shape, const Format& format, const assay_in& from) {
  check_buffer(shape.name, from.data, from.bytes, buffer_bytes(shape, format));
  std::vector<Code> codes = load_raw(shape, format, from.data);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!format.fits(codes[i])) {
      throw CallEnd{ASSAY_BAD_BITS, std::string(shape.name) + "[" + std::to_string(i) + "] has bits above the " +
                                        std::to_string(format.stored_bits) + " of " + format.name + "."};
    }
  }
  return codes;
}

std::vector<Code> load_scales(const BufferShape& shape, const Plan& plan, const assay_in& from) {
  if (plan.scale) return load(shape, *plan.scale, from);
  check_empty(shape.name, from.data, from.bytes);
  return {};
}

void check(const BufferShape& shape, const Format& format, const assay_out& into) {
  check_buffer(shape.name, into.data, into.bytes, buffer_bytes(shape, format));
}

void store(const std::vector<Code>& codes, const Format& format, void* data) {
  switch (bytes_of(format)) {
    case 1: return store_as<std::uint8_t>(codes, data);
    case 2: return store_as<std::uint16_t>(codes, data);
    case 4: return store_as<std::uint32_t>(codes, data);
    default: return store_as<std::uint64_t>(codes, data);
  }
}

void check_masks(const CaseOperand& operand, const std::vector<Code>& codes, std::size_t columns) {
  for (std::size_t at = 0; at < codes.size(); at += columns) {
    const std::string name = operand.name + (codes.size() > columns ? "[" + std::to_string(at / columns) + "]" : "");
    const std::string problem = mask_problem(name, operand.pattern, codes.data() + at, static_cast<int>(columns));
    if (!problem.empty()) throw CallEnd{ASSAY_BAD_BITS, problem};
  }
}

std::vector<Code> load_more(const Plan& plan, std::size_t count, const assay_operands& from) {
  const auto codes = static_cast<std::size_t>(plan.more_codes());
  std::vector<Code> all(count * codes);
  for (std::size_t m = 0; m < plan.more.size(); ++m) {
    need(from.more, "more");
    const CaseOperand& operand = plan.more[m];
    const auto columns = static_cast<std::size_t>(operand.count), first = static_cast<std::size_t>(operand.first);
    const std::vector<Code> loaded = load({operand.name.c_str(), count, columns}, operand.format, from.more[m]);
    check_masks(operand, loaded, columns);
    for (std::size_t i = 0; i < loaded.size(); ++i) all[i / columns * codes + first + i % columns] = loaded[i];
  }
  return all;
}

std::vector<Case> load_cases(const Plan& plan, std::size_t count, const assay_operands& from) {
  std::vector<Case> cases(count);
  for (const Part& part : parts_of(plan)) {
    if (part.in == nullptr) continue;
    const assay_in& in = from.*part.in;
    if (part.format == nullptr) {
      check_empty(part.name, in.data, in.bytes);
      continue;
    }
    const std::vector<Code> loaded = load({part.name, count, part.columns}, *part.format, in);
    for (std::size_t i = 0; i < count; ++i) {
      if (part.codes != nullptr) (cases[i].*part.codes).resize(part.columns);
      std::copy_n(loaded.data() + i * part.columns, part.columns, codes_in(cases[i], part));
    }
  }
  const std::vector<Code> more = load_more(plan, count, from);
  const auto codes = static_cast<std::ptrdiff_t>(plan.more_codes());
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = more.begin() + static_cast<std::ptrdiff_t>(i) * codes;
    cases[i].number = i;
    cases[i].more.assign(first, first + codes);
  }
  return cases;
}

void check_cases(const Plan& plan, std::size_t count, const assay_arrays& into) {
  for (const Part& part : parts_of(plan)) {
    const assay_out& to = out_of(into, part);
    if (part.format == nullptr) {
      check_empty(part.name, to.data, to.bytes);
    } else {
      check({part.name, count, part.columns}, *part.format, to);
    }
  }
}

void store_cases(const Plan& plan, const std::vector<Case>& cases, const assay_arrays& into) {
  for (const Part& part : parts_of(plan)) {
    if (part.format != nullptr) store(codes_of(cases, part), *part.format, out_of(into, part).data);
  }
}

}  // namespace assay::capi
