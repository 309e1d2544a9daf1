// Every instruction that is captured, through the manuals' formulas: what is packed comes back as the right sum.
#include "scripts/capture/tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "model/config/catalogue.hpp"
#include "scripts/capture/kernels.hpp"
#include "tb/tests/capture/fake_unit.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::capture {
namespace {

std::vector<Target> targets() { return read_targets(source_dir() + "/scripts/capture/targets.txt"); }

// Codes of at most `bits`, of no pattern: position k of case i.
std::uint64_t code(std::size_t i, std::size_t k, int bits, std::uint64_t salt) {
  const std::uint64_t mixed = (i * 131 + k * 31 + salt * 17 + 1) * 0x9e3779b97f4a7c15U;
  return mixed >> 40 & ((std::uint64_t{1} << std::min(bits, 7)) - 1);
}

// Of each neighbours half, other ones from group to group and case to case; empty where A is whole.
std::vector<std::uint64_t> mask_for(std::size_t i, const layout::NamedShape& s) {
  static constexpr std::uint64_t two_in_four[] = {0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100},
                                 one_in_two[] = {0b01, 0b10};
  std::vector<std::uint64_t> mask;
  for (std::size_t group = 0; s.among > 0 && group < static_cast<std::size_t>(s.k / s.among); ++group) {
    const std::size_t drawn = code(i, group, 7, 6);
    const std::uint64_t bits = s.among == 2 ? one_in_two[drawn % 2] : two_in_four[drawn % 6];
    for (int k = 0; k < s.among; ++k) mask.push_back(bits >> k & 1);
  }
  return mask;
}

std::vector<CapturedCase> cases_for(const Tiling& tiling, std::size_t count) {
  const layout::NamedShape& s = tiling.shape();
  const layout::Fragments& f = tiling.fragments();
  std::vector<CapturedCase> cases(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(s.k); ++k) {
      cases[i].a.push_back(code(i, k, f.a.bits, 1));
      cases[i].b.push_back(code(i, k, f.b.bits, 2));
    }
    cases[i].c = code(i, 0, 7, 3);
    cases[i].mask = mask_for(i, s);
    for (std::size_t block = 0; f.scale_a && block < static_cast<std::size_t>(s.k / s.scale_block); ++block) {
      cases[i].scale_a.push_back(code(i, block, 7, 4));
      cases[i].scale_b.push_back(code(i, block, 7, 5));
    }
  }
  return cases;
}

std::uint64_t expected(const CapturedCase& c, const Tiling& tiling) {
  const layout::NamedShape& s = tiling.shape();
  std::uint64_t sum = c.c;
  for (std::size_t k = 0; k < c.a.size(); ++k) {
    std::uint64_t product = c.mask.empty() || c.mask[k] != 0 ? c.a[k] * c.b[k] : 0;
    if (!s.scale.empty()) {
      const std::size_t block = k / static_cast<std::size_t>(s.scale_block);
      product *= c.scale_a[block] * c.scale_b[block];
    }
    sum += product;
  }
  return sum & ~std::uint64_t{0} >> (64 - tiling.fragments().d.bits);
}

// How many of the cases came back wrong.
std::size_t wrong(const Tiling& tiling, std::size_t count) {
  FakeUnit unit;
  const std::vector<CapturedCase> cases = cases_for(tiling, count);
  const std::vector<std::uint64_t> d = tiling.unpack(unit.execute(tiling, tiling.pack(cases)), count);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < count; ++i) differ += d[i] != expected(cases[i], tiling) ? 1 : 0;
  return differ;
}

TEST(CaptureTiles, EveryInstructionComesBackRight) {
  std::size_t instructions = 0;
  for (const Target& target : targets()) {
    for (const std::string& name : target.instructions) {
      const Tiling tiling(name);
      // Two tiles and a part of a third.
      EXPECT_EQ(wrong(tiling, 2 * tiling.cases_a_tile() + 1), 0U) << target.name << " " << name;
      ++instructions;
    }
  }
  EXPECT_GT(instructions, 880U);
}

TEST(CaptureTiles, EachCaseStandsAtSeveralPositions) {
  for (const Target& target : targets()) {
    for (const std::string& name : target.instructions) EXPECT_GE(Tiling(name).positions(), 4) << name;
  }
}

// Two bits of a layout exchanged, in each operand in turn: wrong numbers, or positions that do not agree.
bool is_seen(const layout::NamedShape& shape, const layout::Fragments& fragments) {
  try {
    return wrong(Tiling(shape, fragments), 8) > 0;
  } catch (const Error&) {
    return true;
  }
}

TEST(CaptureTiles, ALayoutErrorIsSeen) {
  const layout::NamedShape shape = *layout::shape_of("mma.m16n8k16.f32.f16.f16.f32");
  const layout::Fragments right = *layout::fragments_of(shape);
  const auto found = [&](const layout::Fragments& fragments) { return is_seen(shape, fragments); };
  EXPECT_FALSE(found(right));
  layout::Fragments f = right;
  f.a.layout.lane = "k2 k1 m0 m1 m2";
  EXPECT_TRUE(found(f));
  f = right;
  f.b.layout.slot = "k3 k0";
  EXPECT_TRUE(found(f));
  f = right;
  f.c.layout.lane = "m0 n2 n1 m1 m2";
  EXPECT_TRUE(found(f));
  f = right;
  f.d.layout.slot = "m3 n0";
  EXPECT_TRUE(found(f));
}

TEST(CaptureTiles, AnErrorInTheLayoutOfScalesIsSeen) {
  const layout::NamedShape shape = *layout::shape_of("tcgen05.mma.m128n64k64.block16.f32.e2m1.e2m1.ue4m3");
  const layout::Fragments right = *layout::fragments_of(shape);
  EXPECT_FALSE(is_seen(shape, right));
  layout::Fragments f = right;
  f.scale_a->layout.slot = "s1 s0 m5 m6";
  EXPECT_TRUE(is_seen(shape, f));
  f = right;
  f.scale_b->layout.lane = "n1 n0 n2 n3 n4";
  EXPECT_TRUE(is_seen(shape, f));
}

TEST(CaptureTiles, AnErrorInTheLayoutOfIndicesIsSeen) {
  for (const auto& [name, lane, slot] : std::vector<std::tuple<const char*, const char*, const char*>>{
           {"mma.sp.m16n8k32.f32.f16.f16.f32", "k3 . m0 m1 m2 m4 m5", "k0 k1 m3 k2"},
           {"mma.sp.m16n8k64.s32.s8.s8.s32", "k4 m3 m0 m1 m2 m4 m5", "k0 k1 k2 k3"},
           {"wgmma.sp.m64n64k16.f32.tf32.tf32", "k2 . m1 m0 m2 m4 m5", "k0 k1 m3"}}) {
    const layout::NamedShape shape = *layout::shape_of(name);
    layout::Fragments f = *layout::fragments_of(shape);
    EXPECT_FALSE(is_seen(shape, f)) << name;
    f.indices->layout = {lane, slot};
    EXPECT_TRUE(is_seen(shape, f)) << name;
  }
}

TEST(CaptureTiles, PositionsThatDifferAreAnError) {
  const Tiling tiling("mma.m16n8k16.f32.f16.f16.f32");
  FakeUnit unit;
  layout::Words d = unit.execute(tiling, tiling.pack(cases_for(tiling, 4)));
  d[0] ^= 1;
  try {
    tiling.unpack(d, 4);
    FAIL() << "nothing was noticed";
  } catch (const Error& error) {
    EXPECT_NE(error.message.find("The same dot product gave another d in row "), std::string::npos) << error.message;
  }
}

TEST(CaptureTiles, WhatTheTablesLackIsAnError) {
  EXPECT_THROW(Tiling("tdpbf16ps"), Error);
  EXPECT_THROW(Tiling("tcgen05.mma.m64nNk64.block16.f32.e2m1.e2m1.ue4m3"), Error);
  EXPECT_THROW(Tiling("wgmma.m64nNk32.block32.f32.e4m3.e4m3.ue8m0"), Error);
}

// --- the list of targets ---

TEST(CaptureTargets, NameInstructionsOfTheCatalogue) {
  const Catalogue catalogue = shipped_catalogue();
  for (const Target& target : targets()) {
    for (const std::string& name : target.instructions) {
      EXPECT_EQ(catalogue.instruction(target.architecture, name).name, name) << target.name;
      EXPECT_EQ(std::count(target.instructions.begin(), target.instructions.end(), name), 1) << target.name << name;
    }
  }
}

// What has no kernel, so that a new instruction of the catalogue is noticed here: one form that no toolkit takes yet,
// and what takes a mask, since the tables of layouts do not say where a packed A lies.
TEST(CaptureTargets, LackOnlyWhatIsKnown) {
  const Catalogue catalogue = shipped_catalogue();
  std::size_t missing = 0;
  for (const Target& target : targets()) {
    for (const Instruction& i : catalogue.architecture(target.architecture).instructions) {
      const auto& has = target.instructions;
      if (i.operands.mask || std::find(has.begin(), has.end(), i.name) != has.end()) continue;
      ++missing;
      EXPECT_EQ(i.name, "mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue8m0") << i.full_name() << " has no kernel.";
    }
  }
  EXPECT_EQ(missing, 1U);
}

TEST(CaptureKernels, HaveAFunctionAnInstruction) {
  for (const Target& target : targets()) {
    const std::string source = kernel_source(target);
    for (const std::string& name : target.instructions) {
      EXPECT_NE(source.find(" void " + kernel_name(name) + "("), std::string::npos) << target.name << " " << name;
    }
  }
}

// wgmma runs on after the statement that starts it: nothing may come between that and the wait.
TEST(CaptureKernels, WaitForWgmmaInTheSameStatement) {
  const std::string source = kernel_source({"any", "any", "cuda", {}, {"wgmma.m64nNk16.f32.f16.f16"}});
  const std::size_t start = source.find("wgmma.mma_async"), end = source.find("wgmma.wait_group.sync.aligned 0; }");
  ASSERT_NE(start, source.npos);
  ASSERT_NE(end, source.npos);
  EXPECT_EQ(source.substr(start, end - start).find("asm"), std::string::npos);
}

TEST(CaptureKernels, ExecuteTheInstructionOfTheirName) {
  const auto source_of = [](const std::string& name) { return kernel_source({"any", "any", "cuda", {}, {name}}); };
  for (const auto& [name, code] : std::vector<std::pair<std::string, std::string>>{
           {"mma.m16n8k16.f32.f16.f16.f32",
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "},
           {"mma.m8n8k4.rz.f64.f64.f64.f64",
            "mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, "},
           {"mma.m8n8k32.s32.s4.u4.s32.satfinite",
            "mma.sync.aligned.m8n8k32.row.col.satfinite.s32.s4.u4.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"},
           {"mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
            "kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3 "},
           {"wgmma.m64nNk32.f16.e4m3.e5m2", "wgmma.mma_async.sync.aligned.m64n64k32.f16.e4m3.e5m2 "},
           {"v_mfma_f32_16x16x4_4b_f16", "__builtin_amdgcn_mfma_f32_16x16x4f16(x, y, r, 0, 0, 0)"},
           {"v_mfma_f32_32x32x4_2b_bf16", "__builtin_amdgcn_mfma_f32_32x32x4bf16_1k(x"},
           {"v_mfma_f32_16x16x32_fp8_bf8", "__builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(x"},
           {"v_mfma_i32_32x32x16_i8", "__builtin_amdgcn_mfma_i32_32x32x16_i8(x"}}) {
    EXPECT_NE(source_of(name).find(code), std::string::npos) << source_of(name);
  }
}

}  // namespace
}  // namespace assay::capture
