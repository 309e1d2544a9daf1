// What every call of the C interface does alike: it refuses what makes no sense, and no exception leaves it.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "model/base/error.hpp"
#include "tb/capi/assay.h"

namespace assay::capi {

// How a call ends. Thrown too, by what refuses.
struct CallEnd {
  assay_status status = ASSAY_OK;
  std::string sentence;  // of every other status
};

inline CallEnd bad_argument(std::string sentence) { return {ASSAY_BAD_ARGUMENT, std::move(sentence)}; }

assay_status status_of(Ending ending);

// Leaves the text, or as much of it as fits.
void say(assay_message* message, std::string_view text) noexcept;

// Whatever is being handled, told as the end of a call.
assay_status told(assay_message* message) noexcept;

// Runs a function's body, which returns a CallEnd or nothing.
template <class Body>
assay_status guarded(assay_message* message, Body body) noexcept {
  try {
    CallEnd end;
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
    } else {
      end = body();
    }
    say(message, end.sentence);
    return end.status;
  } catch (...) {
    return told(message);
  }
}

template <class Pointer>
void need(Pointer pointer, const char* name) {
  if (pointer == nullptr) throw bad_argument(std::string(name) + " is NULL; it must point to one.");
}

}  // namespace assay::capi
