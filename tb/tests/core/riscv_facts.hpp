// Dot products of RISC-V's vector units, worked out by hand: for core and for the oracle.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::test {

struct RiscvFact {
  const char* instruction;
  std::vector<std::uint64_t> a, b;
  std::uint64_t c, d;
};

inline std::vector<RiscvFact> riscv_facts() {
  const char* const dot8 = "vfwbdota.vv.vlen128";
  const char* const dot16 = "vfwbdota.vv.vlen256";
  const char* const e4m3 = "vfqwbdota.vv.e4m3.e4m3.vlen256";
  return {
      // 1 + 2^-28 - 1: the small one becomes 2^-26, the last bit of 8 products, odd; 2^-27 of 16.
      {dot8, {0x3f80, 0x3180, 0xbf80}, {0x3f80, 0x3f80, 0x3f80}, 0, 0x32800000},
      {dot16, {0x3f80, 0x3180, 0xbf80}, {0x3f80, 0x3f80, 0x3f80}, 0, 0x32000000},
      // Beside 2 that bit is 2^-25: 2 + 2^-27 x 2 - 2.
      {dot8, {0x4000, 0x3200, 0xc000}, {0x3f80, 0x4000, 0x3f80}, 0, 0x33000000},
      // Behind the sum: c = 1 + 2^-30 is 1 + 2^-23, and 1 + 2^-23 + 2^-30 stays.
      {dot8, {0x3080}, {0x3f80}, 0x3f800000, 0x3f800001},
      {dot8, {0x3080}, {0x3f80}, 0x3f800001, 0x3f800001},
      {dot8, {0xb080}, {0x3f80}, 0x3f800000, 0x3f7fffff},
      // 2^64 x 2^64 is too large for f32: an infinity, which c's meets.
      {dot8, {0x5f80}, {0x5f80}, 0xc0000000, 0x7f800000},
      {dot8, {0x5f80}, {0x5f80}, 0xff800000, 0x7fc00000},
      // Zeros are +0, whatever theirs was; a subnormal stands as it is: 2^-133 x 1.
      {dot8, {0x8000}, {0x3f80}, 0x80000000, 0x00000000},
      {dot8, {0x0001}, {0x3f80}, 0x80000000, 0x00010000},
      // A subnormal factor has the least normal exponent: 2^-6 x 2^-6 next to 2^-9 x 2^-9, exactly.
      {e4m3, {0x08, 0x01}, {0x08, 0x01}, 0, 0x39820000},
      {e4m3, {0x7f}, {0x00}, 0, 0x7fc00000},
      // Signs turn before the sum: -(1 x 1) + 1 is +0. No NaN keeps its payload.
      {"vfwnmacc.vv.f16", {0x3c00}, {0x3c00}, 0xbf800000, 0x00000000},
      {"vfwmsac.vv.f16", {0x3c00}, {0x3c00}, 0x3f800000, 0x00000000},
      {"vfwnmsac.vv.f16", {0x0000}, {0x3c00}, 0x80000000, 0x80000000},
      {"vfwmaccbf16.vv", {0xffc1}, {0x3f80}, 0xffc00005, 0x7fc00000},
      {"vfwmaccbf16.vv", {0x0001}, {0x3f80}, 0, 0x00010000},
      // 3 x 2^-23 x 2^-1 next to 1 lies half way: to even.
      {"vfwmaccbf16.vv", {0x34c0}, {0x3f00}, 0x3f800000, 0x3f800002},
      {"vdot4asu.vv", {0xff, 0x02}, {0xff, 0x03}, 1, 0xffffff08},
  };
}

}  // namespace assay::test
