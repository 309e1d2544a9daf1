#include "tb/capi/assay.h"

#include <string>
#include <vector>

#include "model/config/home.hpp"
#include "model/core/matmul.hpp"
#include "tb/capi/call.hpp"
#include "tb/capi/elements.hpp"
#include "tb/capi/handles.hpp"
#include "tb/subject/command_line.hpp"

namespace assay::capi {
namespace {

// --- dot products ---

std::vector<Code> dots(const assay_unit& unit, std::size_t count, const assay_operands& from) {
  const Plan& plan = unit.subject.plan;
  const auto k = static_cast<std::size_t>(plan.k), scales = static_cast<std::size_t>(plan.scales);
  const std::vector<Code> a = load({"a", count, k}, plan.a, from.a), b = load({"b", count, k}, plan.b, from.b);
  const std::vector<Code> c = load({"c", count, 1}, plan.c, from.c);
  const std::vector<Code> scale_a = load_scales({"scale_a", count, scales}, plan, from.scale_a);
  const std::vector<Code> scale_b = load_scales({"scale_b", count, scales}, plan, from.scale_b);
  const std::vector<Code> more = load_more(plan, count, from);
  const auto more_codes = static_cast<std::size_t>(plan.more_codes());
  std::vector<Operand> operands(count);
  for (std::size_t i = 0; i < count; ++i)
    operands[i] = {a.data() + i * k,
                   b.data() + i * k,
                   c[i],
                   scale_a.data() + i * scales,
                   scale_b.data() + i * scales,
                   more.data() + i * more_codes};
  std::vector<Code> d(count);
  unit.kernel.batch(operands.data(), count, d.data());
  return d;
}

// --- handles ---

template <class Make>
assay_status open_unit(const assay_catalogue* catalogue, const char* text, assay_unit** unit, assay_message* message,
                       Make subject_from) {
  return guarded(message, [&] {
    need(unit, "unit");
    *unit = nullptr;
    need(catalogue, "catalogue");
    need(text, "the text");
    Subject subject = subject_from(*catalogue->catalogue, text);
    subject.program = catalogue->program;
    *unit = new assay_unit(catalogue->catalogue, std::move(subject));
  });
}

}  // namespace

const Format* format_of(const assay_unit& unit, assay_operand operand) {
  const Plan& plan = unit.subject.plan;
  switch (operand) {
    case ASSAY_A: return &plan.a;
    case ASSAY_B: return &plan.b;
    case ASSAY_C: return &plan.c;
    case ASSAY_D: return &plan.d;
    case ASSAY_SCALE: return plan.scale ? &*plan.scale : nullptr;
  }
  return nullptr;
}

const CaseOperand* more_of(const assay_unit* unit, std::size_t index) {
  return index < assay_unit_more(unit) ? &unit->subject.plan.more[index] : nullptr;
}

}  // namespace assay::capi

using assay::capi::guarded;
using assay::capi::need;

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
    *catalogue = new assay_catalogue{std::make_shared<const assay::Catalogue>(std::move(read)), std::move(names),
                                     home == nullptr ? "assay" : "ASSAY_HOME=" + assay::shell_word(home) + " assay"};
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
  return assay::capi::open_unit(
      catalogue, instruction, unit, message,
      [](const assay::Catalogue& from, const char* name) { return subject_of(from, from.instruction(name)); });
}

assay_status assay_unit_open_file(const assay_catalogue* catalogue, const char* path, assay_unit** unit,
                                  assay_message* message) {
  return assay::capi::open_unit(catalogue, path, unit, message, [](const assay::Catalogue& from, const char* file) {
    return subject_of_file(from, file);
  });
}

assay_status assay_unit_open_text(const assay_catalogue* catalogue, const char* yaml, assay_unit** unit,
                                  assay_message* message) {
  return assay::capi::open_unit(catalogue, yaml, unit, message, [](const assay::Catalogue& from, const char* text) {
    return subject_of_text(from, text, "the datapath");
  });
}

void assay_unit_close(assay_unit* unit) { delete unit; }

int assay_unit_k(const assay_unit* unit) { return unit == nullptr ? 0 : unit->subject.plan.k; }

int assay_unit_scales(const assay_unit* unit) { return unit == nullptr ? 0 : unit->subject.plan.scales; }

const char* assay_unit_format(const assay_unit* unit, assay_operand operand) {
  const assay::Format* format = unit == nullptr ? nullptr : assay::capi::format_of(*unit, operand);
  return format == nullptr ? nullptr : format->name.c_str();
}

int assay_unit_bits(const assay_unit* unit, assay_operand operand) {
  const assay::Format* format = unit == nullptr ? nullptr : assay::capi::format_of(*unit, operand);
  return format == nullptr ? 0 : format->stored_bits;
}

size_t assay_unit_bytes(const assay_unit* unit, assay_operand operand) {
  const assay::Format* format = unit == nullptr ? nullptr : assay::capi::format_of(*unit, operand);
  return format == nullptr ? 0 : assay::capi::bytes_of(*format);
}

size_t assay_unit_more(const assay_unit* unit) { return unit == nullptr ? 0 : unit->subject.plan.more.size(); }

const char* assay_unit_more_name(const assay_unit* unit, size_t index) {
  const assay::CaseOperand* operand = assay::capi::more_of(unit, index);
  return operand == nullptr ? nullptr : operand->name.c_str();
}

size_t assay_unit_more_codes(const assay_unit* unit, size_t index) {
  const assay::CaseOperand* operand = assay::capi::more_of(unit, index);
  return operand == nullptr ? 0 : static_cast<size_t>(operand->count);
}

size_t assay_unit_more_bytes(const assay_unit* unit, size_t index) {
  const assay::CaseOperand* operand = assay::capi::more_of(unit, index);
  return operand == nullptr ? 0 : assay::capi::bytes_of(operand->format);
}

char assay_unit_more_owner(const assay_unit* unit, size_t index) {
  const assay::CaseOperand* operand = assay::capi::more_of(unit, index);
  if (operand == nullptr) return '\0';
  switch (assay::owner_of(*operand)) {
    case assay::Owner::row: return 'a';
    case assay::Owner::column: return 'b';
    case assay::Owner::element: return 'd';
  }
  return '\0';
}

const char* assay_unit_sha256(const assay_unit* unit) {
  return unit == nullptr ? nullptr : unit->subject.header.datapath_sha256.c_str();
}

assay_status assay_dot(const assay_unit* unit, size_t count, const assay_operands* operands, assay_out d,
                       assay_message* message) {
  return guarded(message, [&] {
    need(unit, "unit");
    need(operands, "operands");
    const assay::Plan& plan = unit->subject.plan;
    assay::capi::check({"d", count, 1}, plan.d, d);
    assay::capi::store(assay::capi::dots(*unit, count, *operands), plan.d, d.data);
  });
}
