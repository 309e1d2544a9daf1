#include "tb/devices/host/arm.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "tb/devices/host/kernels.hpp"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace assay::host {
namespace {

constexpr std::size_t most_bytes = 256;  // of a scalable vector

// What an instruction reads and writes, as it lies in vector registers; of an outer product, a row of the tile.
struct Vectors {
  alignas(16) std::uint8_t a[most_bytes], b[most_bytes], d[most_bytes];
  std::uint64_t fpcr = 0, fpmr = 0;  // the modes it runs in
  std::vector<std::uint8_t> tile;    // d of an outer product: all rows
};

// FPMR: which FP8 formats a and b have, 2:0 and 5:3.
constexpr std::uint64_t e5m2 = 0, e4m3 = 1;

#if defined(__aarch64__)

// Bits of the auxiliary vector, by number; `second`: of AT_HWCAP2.
template <int bit, bool second = true>
bool announced() {
  return (getauxval(second ? AT_HWCAP2 : AT_HWCAP) >> bit & 1) != 0;
}

// Words before the instruction: nothing, or the modes of FP8 from x9, which processors without FP8 do not know.
constexpr std::uint32_t nothing = 0xd503201f, set_fpmr = 0xd51b4449;  // nop; msr fpmr, x9

#define ASSAY_VECTOR_REGISTERS                                                                                        \
  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", \
      "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"

// A mode that the processor has not is left out of FPCR without a word.
void check_modes(std::uint64_t wanted, std::uint64_t found) {
  if ((wanted & ~found) != 0) throw std::runtime_error("This processor has not the mode that the instruction runs in.");
}

std::size_t vector_bytes() { return 16; }

std::size_t scalable_bytes() {
  std::uint64_t bytes = 0;
  asm(".arch armv8.2-a+sve\n cntb %0" : "=r"(bytes));
  return bytes;
}

std::size_t streaming_bytes() {
  std::uint64_t bytes = 0;
  asm(".inst 0x04bf5820\n mov %0, x0" : "=r"(bytes)::"x0");  // rdsvl x0, #1
  return bytes;
}

template <std::uint32_t word>
void on_vectors(Vectors& v) {
  std::uint64_t found = 0, usual = 0;
  asm volatile(
      "ldr q1, [%[a]]\n ldr q2, [%[b]]\n ldr q0, [%[d]]\n"
      "mrs %[usual], fpcr\n msr fpcr, %[fpcr]\n mrs %[found], fpcr\n"
      ".inst %c[word]\n"
      "msr fpcr, %[usual]\n str q0, [%[d]]"
      : [found] "=&r"(found), [usual] "=&r"(usual)
      : [fpcr] "r"(v.fpcr), [a] "r"(v.a), [b] "r"(v.b), [d] "r"(v.d), [word] "i"(word)
      : "v0", "v1", "v2", "memory");
  check_modes(v.fpcr, found);
}

template <std::uint32_t word, std::uint32_t before = nothing>
void on_scalable_vectors(Vectors& v) {
  std::uint64_t found = 0, usual = 0;
  asm volatile(
      ".arch armv8.2-a+sve\n"
      "ldr z1, [%[a]]\n ldr z2, [%[b]]\n ldr z0, [%[d]]\n mov x9, %[fpmr]\n"
      "mrs %[usual], fpcr\n msr fpcr, %[fpcr]\n mrs %[found], fpcr\n"
      ".inst %c[before]\n .inst %c[word]\n"
      "msr fpcr, %[usual]\n str z0, [%[d]]"
      : [found] "=&r"(found), [usual] "=&r"(usual)
      : [fpcr] "r"(v.fpcr), [a] "r"(v.a), [b] "r"(v.b), [d] "r"(v.d), [word] "i"(word), [before] "i"(before),
        [fpmr] "r"(v.fpmr)
      : "x9", "v0", "v1", "v2", "memory");
  check_modes(v.fpcr, found);
}

// Streaming mode begins and ends with all vector and predicate registers forgotten, and FPMR at 0. The rows of the
// first tile of elements of n bytes are every n-th vector of the array ZA.
template <std::uint32_t word, std::uint32_t before, std::uint64_t element_bytes>
void on_tile(Vectors& v) {
  const std::uint64_t bytes = streaming_bytes();
  v.tile.resize(bytes / element_bytes * bytes);
  std::uint64_t found = 0, usual = 0;
  asm volatile(
      ".arch armv8.2-a+sve\n"
      ".inst 0xd503477f\n"  // smstart
      "ptrue p0.b\n"
      "ldr z1, [%[a]]\n ldr z2, [%[b]]\n mov x9, %[fpmr]\n mov x1, %[d]\n mov w12, #0\n"
      "1: .inst 0xe1000020\n"  // ldr za[w12, 0], [x1]
      "add w12, w12, %w[step]\n cmp w12, %w[bytes]\n b.lt 1b\n"
      "mrs %[usual], fpcr\n msr fpcr, %[fpcr]\n mrs %[found], fpcr\n"
      ".inst %c[before]\n .inst %c[word]\n"
      "msr fpcr, %[usual]\n mov x1, %[tile]\n mov w12, #0\n"
      "2: .inst 0xe1200020\n"  // str za[w12, 0], [x1]
      "add x1, x1, %[bytes]\n add w12, w12, %w[step]\n cmp w12, %w[bytes]\n b.lt 2b\n"
      ".inst 0xd503467f"  // smstop
      : [found] "=&r"(found), [usual] "=&r"(usual)
      : [fpcr] "r"(v.fpcr), [a] "r"(v.a), [b] "r"(v.b), [d] "r"(v.d), [word] "i"(word), [before] "i"(before),
        [fpmr] "r"(v.fpmr), [step] "r"(element_bytes), [bytes] "r"(bytes), [tile] "r"(v.tile.data())
      : "x1", "x9", "x12", "cc", "memory", "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11",
        "p12", "p13", "p14", "p15", ASSAY_VECTOR_REGISTERS);
  check_modes(v.fpcr, found);
}

#undef ASSAY_VECTOR_REGISTERS

#else

template <int, bool = true>
bool announced() {
  return false;
}

constexpr std::uint32_t nothing = 0, set_fpmr = 1;

std::size_t vector_bytes() { return 16; }
std::size_t scalable_bytes() { of_another_processor(); }
std::size_t streaming_bytes() { of_another_processor(); }

template <std::uint32_t>
void on_vectors(Vectors&) {
  of_another_processor();
}
template <std::uint32_t, std::uint32_t = nothing>
void on_scalable_vectors(Vectors&) {
  of_another_processor();
}
template <std::uint32_t, std::uint32_t, std::uint64_t>
void on_tile(Vectors&) {
  of_another_processor();
}

#endif

// Where an instruction's vectors lie, and how long these are.
struct Way {
  void (*execute)(Vectors&);
  std::size_t (*bytes)();
  bool tile = false;
  bool first_row = false;  // is all that is looked at of the tile
};

template <std::uint32_t word>
Way vectors() {
  return {on_vectors<word>, vector_bytes};
}
template <std::uint32_t word, std::uint32_t before = nothing>
Way scalable() {
  return {on_scalable_vectors<word, before>, scalable_bytes};
}
template <std::uint32_t word, class Element, std::uint32_t before = nothing>
Way tile() {
  return {on_tile<word, before, sizeof(Element)>, streaming_bytes, true};
}

// Codes of `size` bytes one after the other, and again from the beginning to the end of the vector.
void fill(std::uint8_t* vector, std::size_t bytes, const Bits* codes, int k, std::size_t size) {
  const std::size_t together = static_cast<std::size_t>(k) * size;
  for (std::size_t at = 0; at < bytes; at += together) {
    for (std::size_t i = 0; i < together; i += size) std::memcpy(vector + at + i, codes + i / size, size);
  }
}

template <class Input, class Result>
Bits compute(const Way& way, int k, Vectors& v, const Bits* a, const Bits* b, Bits c) {
  const std::size_t bytes = way.bytes();
  fill(v.a, bytes, a, k, sizeof(Input));
  fill(v.b, bytes, b, k, sizeof(Input));
  fill(v.d, bytes, &c, 1, sizeof(Result));
  way.execute(v);
  if (!way.tile) return agreed_in<Result>(v.d, bytes);
  return agreed_in<Result>(v.tile.data(), way.first_row ? bytes : v.tile.size());
}

struct Modes {
  std::uint64_t fpcr = 0, fpmr = 0;
};

template <class Input, class Result>
HostCompute case_of(int k, const Way& way, const Modes& modes) {
  return [way, k, modes](const Bits* a, const Bits* b, Bits c) {
    static thread_local Vectors v;
    v.fpcr = modes.fpcr, v.fpmr = modes.fpmr;
    return compute<Input, Result>(way, k, v, a, b, c);
  };
}

struct ModeName {
  std::string_view name;
  Modes bits;
};

// Bits of FPCR, then of FPMR. RMode is 23:22.
constexpr ModeName names_of_modes[] = {
    {"ebf", {1 << 13, 0}}, {"ah", {1 << 1, 0}},  {"fz", {1 << 24, 0}}, {"fiz", {1 << 0, 0}}, {"fz16", {1 << 19, 0}},
    {"dn", {1 << 25, 0}},  {"rp", {1 << 22, 0}}, {"rm", {2 << 22, 0}}, {"rz", {3 << 22, 0}}, {"osm", {0, 1 << 14}}};

// FPMR.LSCALE, 22:16, by a name such as s7.
std::optional<Modes> scale_called(std::string_view name) {
  std::uint64_t scale = 0;
  const auto [stop, error] = std::from_chars(name.data() + 1, name.data() + name.size(), scale);
  const bool good = name.front() == 's' && error == std::errc() && stop == name.data() + name.size() && scale < 128;
  return good ? std::optional(Modes{0, scale << 16}) : std::nullopt;
}

std::optional<Modes> mode_called(std::string_view name) {
  for (const ModeName& mode : names_of_modes) {
    if (mode.name == name) return mode.bits;
  }
  return name.size() < 2 ? std::nullopt : scale_called(name);
}

// "fz.rz" beside modes that are set already.
std::optional<Modes> with_modes(Modes modes, const std::string& names) {
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t end = std::min(names.find('.', from), names.size());
    const auto one = mode_called(std::string_view(names).substr(from, end - from));
    if (!one) return std::nullopt;
    modes.fpcr |= one->fpcr, modes.fpmr |= one->fpmr;
    from = end + 1;
  }
  return modes;
}

template <class Input, class Result>
HostInstruction row(const std::string& name, int k, Way way, const Modes& modes = {}) {
  HostInstruction row{"arm:" + name, k, case_of<Input, Result>(k, way, modes), 2 * static_cast<int>(sizeof(Result))};
  row.in_modes = [=](const std::string& names) {
    const auto with = with_modes(modes, names);
    return with ? assay::host::row<Input, Result>(name, k, way, *with) : HostInstruction{};
  };
  way.first_row = true;
  if (way.tile) row.first_row = case_of<Input, Result>(k, way, modes);
  return row;
}

// The same for both formats of a and of b.
template <class Result>
std::vector<HostInstruction> fp8_rows(const std::string& name, int k, const Way& way) {
  std::vector<HostInstruction> rows;
  for (const auto& [a, a_code] : {std::pair{".e4m3", e4m3}, {".e5m2", e5m2}}) {
    for (const auto& [b, b_code] : {std::pair{".e4m3", e4m3}, {".e5m2", e5m2}})
      rows.push_back(row<std::uint8_t, Result>(name + a + b, k, way, {0, b_code << 3 | a_code}));
  }
  return rows;
}

}  // namespace

std::vector<HostUnit> arm_units() {
  using I8 = std::uint8_t;
  using I16 = std::uint16_t;
  using I32 = std::uint32_t;
  using I64 = std::uint64_t;
  return {
      {"asimddp",
       "Processors of Armv8.4-A on, and some of Armv8.2-A,",
       announced<20, false>,
       {row<I8, I32>("sdot", 4, vectors<0x4e829420>()), row<I8, I32>("udot", 4, vectors<0x6e829420>())}},
      {"bf16",
       "Processors of Armv8.6-A on",
       announced<14>,
       {row<I16, I32>("bfmmla", 4, vectors<0x6e42ec20>()), row<I16, I32>("bfdot", 2, vectors<0x6e42fc20>())}},
      {"i8mm",
       "Processors of Armv8.6-A on",
       announced<13>,
       {row<I8, I32>("smmla", 8, vectors<0x4e82a420>()), row<I8, I32>("ummla", 8, vectors<0x6e82a420>()),
        row<I8, I32>("usmmla", 8, vectors<0x4e82ac20>()), row<I8, I32>("usdot", 4, vectors<0x4e829c20>())}},
      {"sve",
       "Processors with FEAT_SVE",
       announced<22, false>,
       {row<I16, I64>("sdot_i16i64", 4, scalable<0x44c20020>())}},
      {"svef32mm",
       "Processors with FEAT_F32MM",
       announced<10>,
       {row<I32, I32>("fmmla_f32", 2, scalable<0x64a2e420>())}},
      {"svef64mm",
       "Processors with FEAT_F64MM",
       announced<11>,
       {row<I64, I64>("fmmla_f64", 2, scalable<0x64e2e420>())}},
      {"sve2p1",
       "Processors with FEAT_SVE2p1",
       announced<36>,
       {row<I16, I32>("fdot_f16f32", 2, scalable<0x64228020>())}},
      {"svef16mm",
       "Processors with FEAT_SVE_F16F32MM",
       announced<37, false>,
       {row<I16, I32>("fmmla_f16f32", 4, scalable<0x6422e420>())}},
      {"f8mm8", "Processors with FEAT_F8F32MM", announced<35, false>,
       fp8_rows<I32>("fmmla_fp8fp32", 8, scalable<0x6422e020, set_fpmr>())},
      {"f8mm4", "Processors with FEAT_F8F16MM", announced<36, false>,
       fp8_rows<I16>("fmmla_fp8fp16", 4, scalable<0x6462e020, set_fpmr>())},
      {"f8dp4", "Processors with FEAT_FP8DOT4", announced<53>,
       fp8_rows<I32>("fdot_fp8fp32", 4, scalable<0x64628420, set_fpmr>())},
      {"f8dp2", "Processors with FEAT_FP8DOT2", announced<54>,
       fp8_rows<I16>("fdot_fp8fp16", 2, scalable<0x64228420, set_fpmr>())},
      {"smef32f32",
       "Processors with FEAT_SME",
       announced<29>,
       {row<I32, I32>("fmopa_f32", 1, tile<0x80820020, I32>()),
        row<I32, I32>("fmops_f32", 1, tile<0x80820030, I32>())}},
      {"smef64f64",
       "Processors with FEAT_SME_F64F64",
       announced<25>,
       {row<I64, I64>("fmopa_f64", 1, tile<0x80c20020, I64>()),
        row<I64, I64>("fmops_f64", 1, tile<0x80c20030, I64>())}},
      {"smef16f32",
       "Processors with FEAT_SME",
       announced<27>,
       {row<I16, I32>("fmopa_f16f32", 2, tile<0x81a20020, I32>()),
        row<I16, I32>("fmops_f16f32", 2, tile<0x81a20030, I32>())}},
      {"smeb16f32",
       "Processors with FEAT_SME",
       announced<28>,
       {row<I16, I32>("bfmopa_bf16f32", 2, tile<0x81820020, I32>()),
        row<I16, I32>("bfmops_bf16f32", 2, tile<0x81820030, I32>())}},
      {"smef16f16",
       "Processors with FEAT_SME_F16F16",
       announced<42>,
       {row<I16, I16>("fmopa_f16", 1, tile<0x81820028, I16>()),
        row<I16, I16>("fmops_f16", 1, tile<0x81820038, I16>())}},
      {"smeb16b16",
       "Processors with FEAT_SME_B16B16",
       announced<41>,
       {row<I16, I16>("bfmopa_bf16", 1, tile<0x81a20028, I16>()),
        row<I16, I16>("bfmops_bf16", 1, tile<0x81a20038, I16>())}},
      {"smef8f32", "Processors with FEAT_SME_F8F32", announced<59>,
       fp8_rows<I32>("fmopa_fp8fp32", 4, tile<0x80a20020, I32, set_fpmr>())},
      {"smef8f16", "Processors with FEAT_SME_F8F16", announced<58>,
       fp8_rows<I16>("fmopa_fp8fp16", 2, tile<0x80a20028, I16, set_fpmr>())},
      {"smei8i32",
       "Processors with FEAT_SME",
       announced<26>,
       {row<I8, I32>("smopa_i8i32", 4, tile<0xa0820020, I32>()),
        row<I8, I32>("umopa_i8i32", 4, tile<0xa1a20020, I32>()),
        row<I8, I32>("sumopa_i8i32", 4, tile<0xa0a20020, I32>()),
        row<I8, I32>("usmopa_i8i32", 4, tile<0xa1820020, I32>()),
        row<I8, I32>("smops_i8i32", 4, tile<0xa0820030, I32>()),
        row<I8, I32>("umops_i8i32", 4, tile<0xa1a20030, I32>())}},
      {"smei16i32",
       "Processors with FEAT_SME2",
       announced<39>,
       {row<I16, I32>("smopa_i16i32", 2, tile<0xa0820028, I32>()),
        row<I16, I32>("umopa_i16i32", 2, tile<0xa1820028, I32>())}},
      {"smei16i64",
       "Processors with FEAT_SME_I16I64",
       announced<24>,
       {row<I16, I64>("smopa_i16i64", 4, tile<0xa0c20020, I64>()),
        row<I16, I64>("umopa_i16i64", 4, tile<0xa1e20020, I64>())}},
  };
}

}  // namespace assay::host
