// The C interface as a test of it holds it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tb/capi/assay.h"

namespace assay {

inline const std::string wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";
inline const std::string scaled = "rtx_blackwell:mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0";

struct Closes {
  void operator()(assay_catalogue* catalogue) const { assay_catalogue_close(catalogue); }
  void operator()(assay_unit* unit) const { assay_unit_close(unit); }
  void operator()(assay_format* format) const { assay_format_close(format); }
  void operator()(assay_text* text) const { assay_text_free(text); }
};
template <class Handle>
using Held = std::unique_ptr<Handle, Closes>;

inline Held<assay_catalogue> catalogue() {
  assay_catalogue* opened = nullptr;
  assay_message message{};
  EXPECT_EQ(assay_catalogue_open(nullptr, &opened, &message), ASSAY_OK) << message.text;
  return Held<assay_catalogue>(opened);
}

inline Held<assay_unit> unit(const assay_catalogue* catalogue, const std::string& name = wgmma) {
  assay_unit* opened = nullptr;
  assay_message message{};
  EXPECT_EQ(assay_unit_open(catalogue, name.c_str(), &opened, &message), ASSAY_OK) << message.text;
  return Held<assay_unit>(opened);
}

// What a call gave.
struct Told {
  assay_status status = ASSAY_FAILED;
  std::string text, message;
  bool has_text = false;

  nlohmann::ordered_json json() const { return nlohmann::ordered_json::parse(text); }
};

// `call` takes where the text and the message go.
template <class Call>
Told told(Call call) {
  assay_message message{};
  assay_text* text = reinterpret_cast<assay_text*>(&message);  // to be overwritten, whatever the call does
  Told told;
  told.status = call(&text, &message);
  told.message = message.text;
  told.has_text = text != nullptr;
  if (told.has_text) told.text.assign(assay_text_data(text), assay_text_size(text));
  assay_text_free(text);
  return told;
}

inline assay_device named(const char* name) { return {name, nullptr, nullptr, nullptr}; }

// One dot product of a unit of f16 onto f32.
struct Operands {
  std::uint16_t a[16] = {}, b[16] = {};
  std::uint32_t c = 0;

  assay_operands all() const { return {{a, sizeof a}, {b, sizeof b}, {&c, sizeof c}, {}, {}, nullptr}; }
};

}  // namespace assay
