// What the blocks of rtl_ref can express.
#pragma once

#include <optional>
#include <string>

#include "model/base/error.hpp"
#include "model/core/fields.hpp"
#include "tb/devices/rtl/sheet.hpp"

namespace assay {

// Throws Error where the plan asks for more: a sentence that begins with the key.
void check_exportable(const Plan& plan);

// That sentence; nothing where the blocks can do it.
std::optional<std::string> why_not_exportable(const Plan& plan);

// Throws Error where the words of `s`, which stands at `key`, say anything beyond the known ones: a word that is new in
// the table has no block until somebody wires it and names it where this is called.
template <class S, class... V>
void check_words(const std::string& key, const S& s, V S::*... known);

// Throws Error where the places of a plan and what was wired for them, one after the other, differ in their bits.
void check_places(const Plan& plan, const std::vector<Sheet::Probe>& probes);

// --- templates ---

template <class S, class V, class W>
bool is_row_of([[maybe_unused]] const TableRow<S, V>& row, [[maybe_unused]] W S::*member) {
  if constexpr (std::is_same_v<V, W>) return row.member == member;
  return false;
}

template <class S, class... V>
void check_words(const std::string& key, const S& s, V S::*... known) {
  each_row<S>([&](const auto& row) {
    if ((is_row_of(row, known) || ...) || same(s.*row.member, row.fallback())) return;
    throw Error{key + (key.empty() ? "" : ".") + std::string(row.key) + ": export-sv has no block for this word.",
                Ending::not_here};
  });
}

}  // namespace assay
