// The words of a datapath that those who write it as text of another language know. One that is new in the table is
// known to nobody until it is named here.
#pragma once

#include <optional>
#include <string>

#include "model/core/fields.hpp"

namespace assay {

// The key of the first word that says anything and is not among these; nothing where there is none.
std::optional<std::string> unknown_word(const Datapath& words);

// The same of the words of `s`, which stands at `key`.
template <class S, class... V>
std::optional<std::string> unknown_word(const std::string& key, const S& s, V S::*... known);

// --- templates ---

template <class S, class V, class W>
bool is_row_of([[maybe_unused]] const TableRow<S, V>& row, [[maybe_unused]] W S::*member) {
  if constexpr (std::is_same_v<V, W>) return row.member == member;
  return false;
}

template <class S, class... V>
std::optional<std::string> unknown_word(const std::string& key, const S& s, V S::*... known) {
  std::optional<std::string> found;
  each_row<S>([&](const auto& row) {
    if (found || (is_row_of(row, known) || ...) || same(s.*row.member, row.fallback())) return;
    found = key + (key.empty() ? "" : ".") + std::string(row.key);
  });
  return found;
}

}  // namespace assay
