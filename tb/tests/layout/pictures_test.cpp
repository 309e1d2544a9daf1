// The layouts a third time, as pictures: who holds an element is read off the figures of the PTX manual and off AMD's
// examples and written down here, without any formula.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "model/config/catalogue.hpp"
#include "model/layout/layout.hpp"

namespace assay::layout {
namespace {

// Element 0 of every operand is item 0 of lane 0. A picture says who holds elements 1, 2, 4, .. along each coordinate:
//
//   "m: 4.0 8.0 16.0 0.2"     row 1 in lane 4, row 2 in lane 8, row 4 in lane 16, row 8 in item 2 of lane 0
//
// Of figures whose rows and columns go on as they began, that says everything.
struct Picture {
  const char* instruction;  // with n = 256 where the name leaves it open
  char operand;             // a, b, d (and c); s and t: the scales of a and of b
  int item_bits, first_bit;
  const char* holders;
};

constexpr const char* ptx_c = "m: 4.0 8.0 16.0 0.2 n: 0.1 1.0 2.0";
constexpr const char* warpgroup_d = "m: 4.0 8.0 16.0 0.2 32.0 64.0 n: 0.1 1.0 2.0 0.4 0.8 0.16 0.32 0.64";
constexpr const char* columns_of_128 = "m: 1.0 2.0 4.0 8.0 16.0 32.0 64.0 n: 0.1 0.2 0.4 0.8 0.16 0.32 0.64 0.128";
constexpr const char* columns_of_64 = "m: 1.0 2.0 4.0 8.0 32.0 64.0 n: 0.1 0.2 0.4 0.8 0.16 0.32 0.64 0.128";
constexpr const char* rows_of_32 = "m: 0.1 0.2 32.0 0.4 0.8 n: 1.0 2.0 4.0 8.0 16.0";
constexpr const char* two_of_32 = "m: 0.1 0.2 32.0 0.4 0.8 n: 1.0 2.0 4.0 8.0 16.0 b: 0.16";
constexpr const char* rows_of_16 = "m: 0.1 0.2 16.0 32.0 n: 1.0 2.0 4.0 8.0";
constexpr const char* four_of_16 = "m: 0.1 0.2 16.0 32.0 n: 1.0 2.0 4.0 8.0 b: 0.4 0.8";
constexpr const char* sixteen_of_4 = "m: 0.1 0.2 n: 1.0 2.0 b: 4.0 8.0 16.0 32.0";

const std::vector<Picture> pictures{
    // --- mma.sync: a warp's 32 lanes ---
    {"mma.m16n8k4.f32.tf32.tf32.f32", 'a', 32, 0, "m: 4.0 8.0 16.0 0.1 k: 1.0 2.0"},
    {"mma.m16n8k4.f32.tf32.tf32.f32", 'b', 32, 0, "n: 4.0 8.0 16.0 k: 1.0 2.0"},
    {"mma.m16n8k4.f32.tf32.tf32.f32", 'd', 32, 0, ptx_c},
    {"mma.m16n8k8.f32.tf32.tf32.f32", 'a', 32, 0, "m: 4.0 8.0 16.0 0.1 k: 1.0 2.0 0.2"},
    {"mma.m16n8k8.f32.tf32.tf32.f32", 'b', 32, 0, "n: 4.0 8.0 16.0 k: 1.0 2.0 0.1"},
    {"mma.m16n8k8.f32.f16.f16.f32", 'a', 16, 0, "m: 4.0 8.0 16.0 0.2 k: 0.1 1.0 2.0"},
    {"mma.m16n8k8.f32.f16.f16.f32", 'b', 16, 0, "n: 4.0 8.0 16.0 k: 0.1 1.0 2.0"},
    {"mma.m16n8k8.f16.f16.f16.f16", 'd', 16, 0, ptx_c},
    {"mma.m16n8k16.f32.f16.f16.f32", 'a', 16, 0, "m: 4.0 8.0 16.0 0.2 k: 0.1 1.0 2.0 0.4"},
    {"mma.m16n8k16.f32.f16.f16.f32", 'b', 16, 0, "n: 4.0 8.0 16.0 k: 0.1 1.0 2.0 0.2"},
    {"mma.m16n8k16.i32.i8.i8.i32", 'a', 8, 0, "m: 4.0 8.0 16.0 0.4 k: 0.1 0.2 1.0 2.0"},
    {"mma.m16n8k16.i32.i8.i8.i32", 'b', 8, 0, "n: 4.0 8.0 16.0 k: 0.1 0.2 1.0 2.0"},
    {"mma.m16n8k32.i32.i8.i8.i32", 'a', 8, 0, "m: 4.0 8.0 16.0 0.4 k: 0.1 0.2 1.0 2.0 0.8"},
    {"mma.m16n8k32.i32.i8.i8.i32", 'b', 8, 0, "n: 4.0 8.0 16.0 k: 0.1 0.2 1.0 2.0 0.4"},
    {"mma.m16n8k32.s32.s4.u4.s32", 'a', 4, 0, "m: 4.0 8.0 16.0 0.8 k: 0.1 0.2 0.4 1.0 2.0"},
    {"mma.m16n8k32.s32.s4.u4.s32", 'b', 4, 0, "n: 4.0 8.0 16.0 k: 0.1 0.2 0.4 1.0 2.0"},
    {"mma.m16n8k32.f32.e2m1.e3m2.f32", 'a', 8, 2, "m: 4.0 8.0 16.0 0.4 k: 0.1 0.2 1.0 2.0 0.8"},
    {"mma.m16n8k32.f32.e3m2.e2m1.f32", 'b', 8, 2, "n: 4.0 8.0 16.0 k: 0.1 0.2 1.0 2.0 0.4"},
    {"mma.m16n8k32.f32.e3m2.e2m1.f32", 'a', 8, 0, "m: 4.0 8.0 16.0 0.4 k: 0.1 0.2 1.0 2.0 0.8"},
    {"mma.m16n8k32.f32.e2m1.e3m2.f32", 'b', 8, 0, "n: 4.0 8.0 16.0 k: 0.1 0.2 1.0 2.0 0.4"},
    {"mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3", 'a', 4, 0, "m: 4.0 8.0 16.0 0.8 k: 0.1 0.2 0.4 1.0 2.0 0.16"},
    {"mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3", 'b', 4, 0, "n: 4.0 8.0 16.0 k: 0.1 0.2 0.4 1.0 2.0 0.8"},
    {"mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3", 's', 8, 0, "m: 4.0 8.0 16.0 1.0 s: 0.1 0.2"},
    {"mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3", 't', 8, 0, "n: 4.0 8.0 16.0 s: 0.1 0.2"},
    {"mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0", 's', 8, 0, "m: 4.0 8.0 16.0 1.0 s: 0.1"},
    {"mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0", 't', 8, 0, "n: 4.0 8.0 16.0 s: 0.1"},
    {"mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0", 's', 8, 0, "m: 4.0 8.0 16.0 1.0"},
    {"mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0", 't', 8, 0, "n: 4.0 8.0 16.0"},
    {"mma.m8n8k16.s32.s8.u8.s32", 'a', 8, 0, "m: 4.0 8.0 16.0 k: 0.1 0.2 1.0 2.0"},
    {"mma.m8n8k16.s32.s8.u8.s32", 'b', 8, 0, "n: 4.0 8.0 16.0 k: 0.1 0.2 1.0 2.0"},
    {"mma.m8n8k16.s32.s8.u8.s32", 'd', 32, 0, "m: 4.0 8.0 16.0 n: 0.1 1.0 2.0"},
    {"mma.m8n8k32.s32.s4.u4.s32.satfinite", 'a', 4, 0, "m: 4.0 8.0 16.0 k: 0.1 0.2 0.4 1.0 2.0"},
    {"mma.m8n8k32.s32.s4.u4.s32.satfinite", 'b', 4, 0, "n: 4.0 8.0 16.0 k: 0.1 0.2 0.4 1.0 2.0"},
    {"mma.m8n8k4.f64.f64.f64.f64", 'a', 64, 0, "m: 4.0 8.0 16.0 k: 1.0 2.0"},
    {"mma.m8n8k4.f64.f64.f64.f64", 'b', 64, 0, "n: 4.0 8.0 16.0 k: 1.0 2.0"},
    {"mma.m8n8k4.f64.f64.f64.f64", 'd', 64, 0, "m: 4.0 8.0 16.0 n: 0.1 1.0 2.0"},
    {"mma.m16n8k4.f64.f64.f64.f64", 'a', 64, 0, "m: 4.0 8.0 16.0 0.1 k: 1.0 2.0"},
    {"mma.m16n8k4.f64.f64.f64.f64", 'b', 64, 0, "n: 4.0 8.0 16.0 k: 1.0 2.0"},
    {"mma.m16n8k4.f64.f64.f64.f64", 'd', 64, 0, ptx_c},
    {"mma.m16n8k8.f64.f64.f64.f64", 'a', 64, 0, "m: 4.0 8.0 16.0 0.1 k: 1.0 2.0 0.2"},
    {"mma.m16n8k8.f64.f64.f64.f64", 'b', 64, 0, "n: 4.0 8.0 16.0 k: 1.0 2.0 0.1"},
    {"mma.m16n8k16.f64.f64.f64.f64", 'a', 64, 0, "m: 4.0 8.0 16.0 0.1 k: 1.0 2.0 0.2 0.4"},
    {"mma.m16n8k16.f64.f64.f64.f64", 'b', 64, 0, "n: 4.0 8.0 16.0 k: 1.0 2.0 0.1 0.2"},
    {"mma.m8n8k4.f32.f16.f16.f32", 'a', 16, 0, "m: 1.0 2.0 16.0 k: 0.1 0.2 b: 4.0 8.0"},
    {"mma.m8n8k4.f32.f16.f16.f32", 'b', 16, 0, "n: 1.0 2.0 16.0 k: 0.1 0.2 b: 4.0 8.0"},
    {"mma.m8n8k4.f32.f16.f16.f32", 'd', 32, 0, "m: 1.0 0.2 16.0 n: 0.1 2.0 0.4 b: 4.0 8.0"},
    {"mma.m8n8k4.f16.f16.f16.f16", 'd', 16, 0, "m: 1.0 2.0 16.0 n: 0.1 0.2 0.4 b: 4.0 8.0"},

    // --- wgmma and tcgen05.mma: shared memory in core matrices of 8 rows of 16 bytes, and D ---
    {"wgmma.m64nNk8.f32.tf32.tf32", 'a', 32, 0, "k: 0.1 0.2 0.32 m: 0.4 0.8 0.16 0.64 0.128 0.256"},
    {"wgmma.m64nNk8.f32.tf32.tf32", 'b', 32, 0, "k: 0.1 0.2 0.32 n: 0.4 0.8 0.16 0.64 0.128 0.256 0.512 0.1024"},
    {"wgmma.m64nNk16.f32.f16.f16", 'a', 16, 0, "k: 0.1 0.2 0.4 0.64 m: 0.8 0.16 0.32 0.128 0.256 0.512"},
    {"wgmma.m64nNk16.f32.f16.f16", 'b', 16, 0, "k: 0.1 0.2 0.4 0.64 n: 0.8 0.16 0.32 0.128 0.256 0.512 0.1024 0.2048"},
    {"wgmma.m64nNk32.f32.e4m3.e4m3", 'a', 8, 0, "k: 0.1 0.2 0.4 0.8 0.128 m: 0.16 0.32 0.64 0.256 0.512 0.1024"},
    {"wgmma.m64nNk32.f32.e4m3.e4m3", 'b', 8, 0,
     "k: 0.1 0.2 0.4 0.8 0.128 n: 0.16 0.32 0.64 0.256 0.512 0.1024 0.2048 0.4096"},
    {"wgmma.m64nNk16.f32.f16.f16", 'd', 32, 0, warpgroup_d},
    {"wgmma.m64nNk16.f16.f16.f16", 'd', 16, 0, warpgroup_d},
    {"tcgen05.mma.m128nNk8.f32.tf32.tf32", 'a', 32, 0, "k: 0.1 0.2 0.32 m: 0.4 0.8 0.16 0.64 0.128 0.256 0.512"},
    {"tcgen05.mma.m128nNk16.f32.f16.f16", 'a', 16, 0, "k: 0.1 0.2 0.4 0.64 m: 0.8 0.16 0.32 0.128 0.256 0.512 0.1024"},
    {"tcgen05.mma.m128nNk32.f32.e4m3.e4m3", 'a', 8, 0,
     "k: 0.1 0.2 0.4 0.8 0.128 m: 0.16 0.32 0.64 0.256 0.512 0.1024 0.2048"},
    {"tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0", 'a', 4, 0,
     "k: 0.1 0.2 0.4 0.8 0.16 0.256 m: 0.32 0.64 0.128 0.512 0.1024 0.2048 0.4096"},
    {"tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0", 'b', 4, 0,
     "k: 0.1 0.2 0.4 0.8 0.16 0.256 n: 0.32 0.64 0.128 0.512 0.1024 0.2048 0.4096 0.8192"},
    // In bits: sixteen elements of 4 bits or of 6, then padding up to 128.
    {"tcgen05.mma.m64nNk32.f32.e2m1.e3m2", 'a', 1, 0,
     "k: 0.4 0.8 0.16 0.32 0.1024 m: 0.128 0.256 0.512 0.2048 0.4096 0.8192"},
    {"tcgen05.mma.m64nNk32.f32.e2m1.e3m2", 'b', 1, 0,
     "k: 0.6 0.12 0.24 0.48 0.1024 n: 0.128 0.256 0.512 0.2048 0.4096 0.8192 0.16384 0.32768"},
    {"tcgen05.mma.m64nNk32.f32.e3m2.e2m1", 'a', 1, 0,
     "k: 0.6 0.12 0.24 0.48 0.1024 m: 0.128 0.256 0.512 0.2048 0.4096 0.8192"},
    {"tcgen05.mma.m64nNk32.f32.e3m2.e2m1", 'b', 1, 0,
     "k: 0.4 0.8 0.16 0.32 0.1024 n: 0.128 0.256 0.512 0.2048 0.4096 0.8192 0.16384 0.32768"},
    {"tcgen05.mma.m128nNk32.f32.e2m1.e3m2", 'a', 1, 0,
     "k: 0.4 0.8 0.16 0.32 0.1024 m: 0.128 0.256 0.512 0.2048 0.4096 0.8192 0.16384"},
    {"tcgen05.mma.m128nNk32.f32.e3m2.e2m1", 'a', 1, 0,
     "k: 0.6 0.12 0.24 0.48 0.1024 m: 0.128 0.256 0.512 0.2048 0.4096 0.8192 0.16384"},
    {"tcgen05.mma.m64nNk16.f32.f16.f16", 'd', 32, 0, columns_of_64},
    {"tcgen05.mma.m64nNk16.f16.f16.f16", 'd', 32, 0, columns_of_64},
    {"tcgen05.mma.m128nNk16.f32.f16.f16", 'd', 32, 0, columns_of_128},
    {"tcgen05.mma.m128nNk16.f16.f16.f16", 'd', 32, 0, columns_of_128},
    // Bytes of tensor memory: four to a column, a column for each 32 rows.
    {"tcgen05.mma.m128nNk32.block32.f32.e4m3.e4m3.ue8m0", 's', 8, 0, "m: 1.0 2.0 4.0 8.0 16.0 0.4 0.8"},
    {"tcgen05.mma.m128nNk32.block32.f32.e4m3.e4m3.ue8m0", 't', 8, 0, "n: 1.0 2.0 4.0 8.0 16.0 0.4 0.8 0.16"},
    {"tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0", 's', 8, 0, "m: 1.0 2.0 4.0 8.0 16.0 0.4 0.8 s: 0.1"},
    {"tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0", 't', 8, 0, "n: 1.0 2.0 4.0 8.0 16.0 0.4 0.8 0.16 s: 0.1"},
    {"tcgen05.mma.m128nNk64.block16.f32.e2m1.e2m1.ue4m3", 's', 8, 0, "m: 1.0 2.0 4.0 8.0 16.0 0.4 0.8 s: 0.1 0.2"},
    {"tcgen05.mma.m128nNk64.block16.f32.e2m1.e2m1.ue4m3", 't', 8, 0, "n: 1.0 2.0 4.0 8.0 16.0 0.4 0.8 0.16 s: 0.1 0.2"},

    // --- v_mfma: a wave's 64 lanes ---
    {"v_mfma_f32_32x32x1_2b_f32", 'a', 32, 0, "m: 1.0 2.0 4.0 8.0 16.0 b: 32.0"},
    {"v_mfma_f32_32x32x1_2b_f32", 'b', 32, 0, "n: 1.0 2.0 4.0 8.0 16.0 b: 32.0"},
    {"v_mfma_f32_32x32x1_2b_f32", 'd', 32, 0, two_of_32},
    {"v_mfma_f32_32x32x2bf16", 'a', 16, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 0.1 b: 32.0"},
    {"v_mfma_f32_32x32x2bf16", 'b', 16, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 0.1 b: 32.0"},
    {"v_mfma_f32_32x32x4_2b_f16", 'a', 16, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 b: 32.0"},
    {"v_mfma_f32_32x32x4_2b_f16", 'b', 16, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 b: 32.0"},
    {"v_mfma_i32_32x32x4_2b_i8", 'a', 8, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 b: 32.0"},
    {"v_mfma_i32_32x32x4_2b_i8", 'b', 8, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 b: 32.0"},
    {"v_mfma_f32_32x32x2_f32", 'a', 32, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 32.0"},
    {"v_mfma_f32_32x32x2_f32", 'b', 32, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 32.0"},
    {"v_mfma_f32_32x32x2_f32", 'd', 32, 0, rows_of_32},
    {"v_mfma_f32_32x32x4bf16", 'a', 16, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 0.1 32.0"},
    {"v_mfma_f32_32x32x4bf16", 'b', 16, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 0.1 32.0"},
    {"v_mfma_f32_32x32x4_xf32", 'a', 32, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 0.1 32.0"},
    {"v_mfma_f32_32x32x4_xf32", 'b', 32, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 0.1 32.0"},
    {"v_mfma_f32_32x32x8_f16", 'a', 16, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 32.0"},
    {"v_mfma_f32_32x32x8_f16", 'b', 16, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 32.0"},
    {"v_mfma_i32_32x32x8i8", 'a', 8, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 32.0"},
    {"v_mfma_i32_32x32x8i8", 'b', 8, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 32.0"},
    {"v_mfma_f32_32x32x16_fp8_fp8", 'a', 8, 0, "m: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 0.4 32.0"},
    {"v_mfma_f32_32x32x16_fp8_fp8", 'b', 8, 0, "n: 1.0 2.0 4.0 8.0 16.0 k: 0.1 0.2 0.4 32.0"},
    {"v_mfma_f32_16x16x1_4b_f32", 'a', 32, 0, "m: 1.0 2.0 4.0 8.0 b: 16.0 32.0"},
    {"v_mfma_f32_16x16x1_4b_f32", 'b', 32, 0, "n: 1.0 2.0 4.0 8.0 b: 16.0 32.0"},
    {"v_mfma_f32_16x16x1_4b_f32", 'd', 32, 0, four_of_16},
    {"v_mfma_f32_16x16x2bf16", 'a', 16, 0, "m: 1.0 2.0 4.0 8.0 k: 0.1 b: 16.0 32.0"},
    {"v_mfma_f32_16x16x2bf16", 'b', 16, 0, "n: 1.0 2.0 4.0 8.0 k: 0.1 b: 16.0 32.0"},
    {"v_mfma_f32_16x16x4_4b_f16", 'a', 16, 0, "m: 1.0 2.0 4.0 8.0 k: 0.1 0.2 b: 16.0 32.0"},
    {"v_mfma_f32_16x16x4_4b_f16", 'b', 16, 0, "n: 1.0 2.0 4.0 8.0 k: 0.1 0.2 b: 16.0 32.0"},
    {"v_mfma_i32_16x16x4_4b_i8", 'a', 8, 0, "m: 1.0 2.0 4.0 8.0 k: 0.1 0.2 b: 16.0 32.0"},
    {"v_mfma_i32_16x16x4_4b_i8", 'b', 8, 0, "n: 1.0 2.0 4.0 8.0 k: 0.1 0.2 b: 16.0 32.0"},
    {"v_mfma_f32_16x16x4_f32", 'a', 32, 0, "m: 1.0 2.0 4.0 8.0 k: 16.0 32.0"},
    {"v_mfma_f32_16x16x4_f32", 'b', 32, 0, "n: 1.0 2.0 4.0 8.0 k: 16.0 32.0"},
    {"v_mfma_f32_16x16x4_f32", 'd', 32, 0, rows_of_16},
    {"v_mfma_f32_16x16x8bf16", 'a', 16, 0, "m: 1.0 2.0 4.0 8.0 k: 0.1 16.0 32.0"},
    {"v_mfma_f32_16x16x8bf16", 'b', 16, 0, "n: 1.0 2.0 4.0 8.0 k: 0.1 16.0 32.0"},
    {"v_mfma_f32_16x16x8_xf32", 'a', 32, 0, "m: 1.0 2.0 4.0 8.0 k: 0.1 16.0 32.0"},
    {"v_mfma_f32_16x16x8_xf32", 'b', 32, 0, "n: 1.0 2.0 4.0 8.0 k: 0.1 16.0 32.0"},
    {"v_mfma_f32_16x16x16_f16", 'a', 16, 0, "m: 1.0 2.0 4.0 8.0 k: 0.1 0.2 16.0 32.0"},
    {"v_mfma_f32_16x16x16_f16", 'b', 16, 0, "n: 1.0 2.0 4.0 8.0 k: 0.1 0.2 16.0 32.0"},
    {"v_mfma_i32_16x16x16i8", 'a', 8, 0, "m: 1.0 2.0 4.0 8.0 k: 0.1 0.2 16.0 32.0"},
    {"v_mfma_i32_16x16x16i8", 'b', 8, 0, "n: 1.0 2.0 4.0 8.0 k: 0.1 0.2 16.0 32.0"},
    {"v_mfma_f32_16x16x32_fp8_fp8", 'a', 8, 0, "m: 1.0 2.0 4.0 8.0 k: 0.1 0.2 0.4 16.0 32.0"},
    {"v_mfma_f32_16x16x32_fp8_fp8", 'b', 8, 0, "n: 1.0 2.0 4.0 8.0 k: 0.1 0.2 0.4 16.0 32.0"},
    {"v_mfma_f32_4x4x1_16b_f32", 'a', 32, 0, "m: 1.0 2.0 b: 4.0 8.0 16.0 32.0"},
    {"v_mfma_f32_4x4x1_16b_f32", 'b', 32, 0, "n: 1.0 2.0 b: 4.0 8.0 16.0 32.0"},
    {"v_mfma_f32_4x4x1_16b_f32", 'd', 32, 0, sixteen_of_4},
    {"v_mfma_f32_4x4x2bf16", 'a', 16, 0, "m: 1.0 2.0 k: 0.1 b: 4.0 8.0 16.0 32.0"},
    {"v_mfma_f32_4x4x2bf16", 'b', 16, 0, "n: 1.0 2.0 k: 0.1 b: 4.0 8.0 16.0 32.0"},
    {"v_mfma_f32_4x4x4_16b_f16", 'a', 16, 0, "m: 1.0 2.0 k: 0.1 0.2 b: 4.0 8.0 16.0 32.0"},
    {"v_mfma_f32_4x4x4_16b_f16", 'b', 16, 0, "n: 1.0 2.0 k: 0.1 0.2 b: 4.0 8.0 16.0 32.0"},
    {"v_mfma_i32_4x4x4_16b_i8", 'a', 8, 0, "m: 1.0 2.0 k: 0.1 0.2 b: 4.0 8.0 16.0 32.0"},
    {"v_mfma_i32_4x4x4_16b_i8", 'b', 8, 0, "n: 1.0 2.0 k: 0.1 0.2 b: 4.0 8.0 16.0 32.0"},
    {"v_mfma_f64_16x16x4_f64", 'a', 64, 0, "m: 1.0 2.0 4.0 8.0 k: 16.0 32.0"},
    {"v_mfma_f64_16x16x4_f64", 'b', 64, 0, "n: 1.0 2.0 4.0 8.0 k: 16.0 32.0"},
    {"v_mfma_f64_16x16x4_f64", 'd', 64, 0, "m: 16.0 32.0 0.1 0.2 n: 1.0 2.0 4.0 8.0"},
    // The four blocks take turns within 16 lanes, and the next row or k begins 16 lanes on: A, B, C and D.
    {"v_mfma_f64_4x4x4_4b_f64", 'a', 64, 0, "m: 1.0 2.0 b: 4.0 8.0 k: 16.0 32.0"},
    {"v_mfma_f64_4x4x4_4b_f64", 'b', 64, 0, "n: 1.0 2.0 b: 4.0 8.0 k: 16.0 32.0"},
    {"v_mfma_f64_4x4x4_4b_f64", 'd', 64, 0, "n: 1.0 2.0 b: 4.0 8.0 m: 16.0 32.0"},
};

NamedShape open_shape(const std::string& name) {
  NamedShape shape = *shape_of(name);
  if (shape.n == 0) shape.n = 256;
  return shape;
}

const Fragment& operand_of(const Fragments& f, char operand) {
  switch (operand) {
    case 'a': return f.a;
    case 'b': return f.b;
    case 's': return *f.scale_a;
    case 't': return *f.scale_b;
    default: return f.d;
  }
}

struct Holder {
  int lane = 0, bit = 0;
};

// The holders of elements 1, 2, 4, .. along each coordinate.
std::map<char, std::vector<Holder>> read(const Picture& picture) {
  std::map<char, std::vector<Holder>> holders;
  std::istringstream words(picture.holders);
  char coordinate = 0;
  for (std::string word; words >> word;) {
    if (word.back() == ':') {
      coordinate = word[0];
      continue;
    }
    const std::size_t dot = word.find('.');
    holders[coordinate].push_back(
        {std::stoi(word.substr(0, dot)), std::stoi(word.substr(dot + 1)) * picture.item_bits});
  }
  return holders;
}

int along(const Coordinates& e, char coordinate) {
  switch (coordinate) {
    case 'm': return e.m;
    case 'n': return e.n;
    case 'k': return e.k;
    case 'b': return e.b;
    default: return e.s;
  }
}

TEST(LayoutPictures, HoldEveryElement) {
  for (const Picture& picture : pictures) {
    const NamedShape shape = open_shape(picture.instruction);
    const Fragments fragments = *fragments_of(shape);
    const Fragment& f = operand_of(fragments, picture.operand);
    const auto holders = read(picture);
    for (const char coordinate : {'m', 'n', 'k', 'b', 's'}) {
      const auto found = holders.find(coordinate);
      const std::size_t said = found == holders.end() ? 0 : found->second.size();
      EXPECT_EQ(1 << said, along(f.size, coordinate)) << picture.instruction << " " << picture.operand << coordinate;
    }
    if (testing::Test::HasFailure()) continue;
    for_each_element(f.size, [&](const Coordinates& e) {
      Holder at{0, picture.first_bit};
      for (const auto& [coordinate, powers] : holders) {
        for (std::size_t i = 0; i < powers.size(); ++i) {
          if ((along(e, coordinate) >> i & 1) == 0) continue;
          at.lane += powers[i].lane;
          at.bit += powers[i].bit;
        }
      }
      const Location place = place_of(f, e);
      ASSERT_TRUE(place.lane == at.lane && place.bit == at.bit)
          << picture.instruction << " " << picture.operand << "[block " << e.b << ", m " << e.m << ", n " << e.n
          << ", k " << e.k << ", s " << e.s << "] is in lane " << place.lane << " from bit " << place.bit
          << " on, in the picture in lane " << at.lane << " from bit " << at.bit;
    });
  }
}

// What an operand looks like: all that decides where its elements stand.
std::string look(const Fragment& f) {
  std::ostringstream text;
  text << static_cast<int>(f.home) << "|" << f.layout.lane << "|" << f.layout.slot << "|" << f.size.m << "," << f.size.n
       << "," << f.size.k << "," << f.size.b << "," << f.size.s << "|" << f.bits << "," << f.slot_bits << "," << f.shift
       << "," << f.run_bits;
  return text.str();
}

// The same operand of another width of results, or of other formats as wide, needs no picture of its own.
TEST(LayoutPictures, AreOfEveryOperandOfTheCatalogue) {
  std::set<std::string> pictured;
  for (const Picture& picture : pictures)
    pictured.insert(look(operand_of(*fragments_of(open_shape(picture.instruction)), picture.operand)));
  const Catalogue catalogue = shipped_catalogue();
  int operands = 0;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (!shape_of(i.name)) continue;
      const auto fragments = fragments_of(open_shape(i.name));
      if (!fragments) continue;
      for (const char operand : {'a', 'b', 'd', 's', 't'}) {
        if ((operand == 's' || operand == 't') && !fragments->scale_a) continue;
        if (operand == 'b' && fragments->indices) continue;  // an H200 showed where these stand (documented.hpp)
        EXPECT_EQ(pictured.count(look(operand_of(*fragments, operand))), 1U)
            << i.full_name() << " " << operand << " has no picture: " << look(operand_of(*fragments, operand));
        ++operands;
      }
      EXPECT_EQ(pictured.count(look(fragments->c)), 1U) << i.full_name() << " c has no picture: " << look(fragments->c);
    }
  }
  EXPECT_GT(operands, 1200);
}

// --- AMD's own programs for a wave, as it prints them: which element of a matrix in memory each thread touches ---

struct Thread {
  int x, y, lane;
};

std::vector<Thread> wave_of_16_by_4() {
  std::vector<Thread> threads;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 16; ++x) threads.push_back({x, y, x + 16 * y});
  }
  return threads;
}

void expect_place(const Fragment& f, const Coordinates& e, int lane, int reg) {
  const Location place = place_of(f, e);
  EXPECT_EQ(place.lane, lane);
  EXPECT_EQ(place.word(), reg);
}

// "int mk = threadIdx.y + K * threadIdx.x; int kn = threadIdx.x + N * threadIdx.y;"
// "const int idx = threadIdx.x + i * N + threadIdx.y * 4 * N; D[idx] = dmn[i];"
TEST(LayoutPictures, AreThoseOfThePrintedSgemm) {
  const Fragments f = *fragments_of(*shape_of("v_mfma_f32_16x16x4f32"));
  constexpr int N = 16, K = 4;
  for (const Thread& t : wave_of_16_by_4()) {
    const int mk = t.y + K * t.x, kn = t.x + N * t.y;
    expect_place(f.a, {mk / K, 0, mk % K, 0, 0}, t.lane, 0);
    expect_place(f.b, {0, kn % N, kn / N, 0, 0}, t.lane, 0);
    for (int i = 0; i < 4; ++i) {
      const int idx = t.x + i * N + t.y * 4 * N;
      expect_place(f.d, {idx / N, idx % N, 0, 0, 0}, t.lane, i);
    }
  }
}

// "int mkl = K * threadIdx.x + M * K * threadIdx.y; int knl = threadIdx.x + N * K * threadIdx.y;"
// "const int idx = threadIdx.x + i * N + threadIdx.y * 4 * N + l * M * N;", of the four results of each matrix l
TEST(LayoutPictures, AreThoseOfThePrintedBatchOfFour) {
  const Fragments f = *fragments_of(*shape_of("v_mfma_f32_16x16x1f32"));
  constexpr int M = 16, N = 16, K = 1;
  for (const Thread& t : wave_of_16_by_4()) {
    const int mkl = K * t.x + M * K * t.y, knl = t.x + N * K * t.y;
    expect_place(f.a, {mkl % M, 0, 0, mkl / M, 0}, t.lane, 0);
    expect_place(f.b, {0, knl % N, 0, knl / N, 0}, t.lane, 0);
    for (int l = 0; l < 4; ++l) {
      for (int i = 0; i < 4; ++i) {
        const int idx = t.x + i * N + t.y * 4 * N + l * M * N;
        expect_place(f.d, {idx / N % M, idx % N, 0, idx / (M * N), 0}, t.lane, 4 * l + i);
      }
    }
  }
}

// "The layout of output D and of input C is that of input B": row i of a block of D where row k of that block of B is.
TEST(LayoutPictures, OfFourBlocksOfDoublesCAndDLieAsBDoes) {
  for (const char* name : {"v_mfma_f64_4x4x4f64", "v_mfma_f64_4x4x4_4b_f64"}) {
    const Fragments f = *fragments_of(*shape_of(name));
    for_each_element({4, 4, 1, 4, 1}, [&](const Coordinates& e) {
      const Location b = place_of(f.b, {0, e.n, e.m, e.b, 0});
      expect_place(f.c, e, b.lane, b.word());
      expect_place(f.d, e, b.lane, b.word());
    });
  }
}

}  // namespace
}  // namespace assay::layout
