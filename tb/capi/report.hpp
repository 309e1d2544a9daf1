// Reports, and who watches what makes one.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>

#include "model/base/text.hpp"
#include "tb/capi/call.hpp"
#include "tb/capi/handles.hpp"

namespace assay::capi {

// What a command would say on standard error meanwhile.
using Log = std::ostringstream;

// The caller's to free.
template <class Json>
assay_text* report_text(Json report, const Log& log) {
  std::vector<std::string> notes = split(log.str(), '\n');
  if (notes.back().empty()) notes.pop_back();
  if (!notes.empty()) report["notes"] = notes;
  return new assay_text{report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"};
}

// Where a text is to go: NULL until there is one.
inline void need_place(assay_text** text, const char* name) {
  need(text, name);
  *text = nullptr;
}

// Throws where the watch wants the call to end; it may be NULL.
inline void tick(const assay_watch* watch, std::uint64_t done, std::uint64_t total) {
  if (watch != nullptr && watch->tick != nullptr && watch->tick(watch->user, done, total) != 0)
    throw CallEnd{ASSAY_STOPPED, "The call was stopped by whoever watches it."};
}

}  // namespace assay::capi
