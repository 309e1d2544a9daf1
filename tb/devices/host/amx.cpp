// Tiles of AMX, which GCC and Clang know from 11 on.
#include "tb/devices/host/kernels.hpp"

#if defined(__x86_64__) && __has_include(<amxint8intrin.h>)
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tb/devices/host/leaf7.hpp"
#include "tb/devices/host/tiles.hpp"
#endif

namespace assay::host {

#if defined(__x86_64__) && __has_include(<amxint8intrin.h>)

namespace {

// Bits of CPUID leaf 7: of subleaf 0 in EDX, of subleaf 1 in EAX.
constexpr unsigned amx_bf16_bit = 22, amx_tile_bit = 24, amx_int8_bit = 25;
constexpr unsigned amx_fp16_bit = 21;

bool has_tiles() { return is_set(leaf7(0).edx, amx_tile_bit); }

// Linux gives a process the tiles' 8 KiB of state only when asked.
void ask_for_tiles() {
  constexpr int request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM, which older headers lack
  constexpr int tile_data = 18;
  static const bool allowed = syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
  if (!allowed) throw std::runtime_error("The operating system gives this process no tiles.");
}

__attribute__((target("amx-tile"))) void configure() {
  static const struct alignas(64) {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t bytes[16] = {tile_bytes, tile_bytes, tile_bytes};
    std::uint8_t rows[16] = {tile_rows, tile_rows, tile_rows};
  } shape;
  static_assert(sizeof shape == 64);
  _tile_loadconfig(&shape);
}

// All rows of A are one row in memory: a stride of 0.
__attribute__((target("amx-tile"))) void load(const Tiles& tiles) {
  ask_for_tiles();
  asm volatile("" ::"r"(&tiles) : "memory");  // which the compiler does not know the loads to read
  configure();
  _tile_loadd(0, tiles.c, tile_bytes);
  _tile_loadd(1, tiles.a, 0);
  _tile_loadd(2, tiles.b, tile_bytes);
}

__attribute__((target("amx-tile"))) Bits store() {
  alignas(64) std::uint32_t d[tile_words];
  _tile_stored(0, d, tile_bytes);
  asm volatile("" ::"r"(d) : "memory");
  _tile_release();
  return agreed(d, tile_words);
}

}  // namespace

bool has_amx_bf16() { return has_tiles() && is_set(leaf7(0).edx, amx_bf16_bit); }
bool has_amx_fp16() { return has_tiles() && is_set(leaf7(1).eax, amx_fp16_bit); }
bool has_amx_int8() { return has_tiles() && is_set(leaf7(0).edx, amx_int8_bit); }

__attribute__((target("amx-tile,amx-bf16"))) Bits tdpbf16ps(const Bits* a, const Bits* b, Bits c) {
  load(tiles_of<std::uint16_t>(a, b, c));
  _tile_dpbf16ps(0, 1, 2);
  return store();
}

// GCC 12 has no name for it, and assemblers before binutils 2.40 have none either: tdpfp16ps %tmm2, %tmm1, %tmm0.
Bits tdpfp16ps(const Bits* a, const Bits* b, Bits c) {
  load(tiles_of<std::uint16_t>(a, b, c));
  asm volatile(".byte 0xc4, 0xe2, 0x6b, 0x5c, 0xc1");
  return store();
}

__attribute__((target("amx-tile,amx-int8"))) Bits tdpbssd(const Bits* a, const Bits* b, Bits c) {
  load(tiles_of<std::uint8_t>(a, b, c));
  _tile_dpbssd(0, 1, 2);
  return store();
}

__attribute__((target("amx-tile,amx-int8"))) Bits tdpbsud(const Bits* a, const Bits* b, Bits c) {
  load(tiles_of<std::uint8_t>(a, b, c));
  _tile_dpbsud(0, 1, 2);
  return store();
}

__attribute__((target("amx-tile,amx-int8"))) Bits tdpbusd(const Bits* a, const Bits* b, Bits c) {
  load(tiles_of<std::uint8_t>(a, b, c));
  _tile_dpbusd(0, 1, 2);
  return store();
}

__attribute__((target("amx-tile,amx-int8"))) Bits tdpbuud(const Bits* a, const Bits* b, Bits c) {
  load(tiles_of<std::uint8_t>(a, b, c));
  _tile_dpbuud(0, 1, 2);
  return store();
}

#else

bool has_amx_bf16() { return false; }
bool has_amx_fp16() { return false; }
bool has_amx_int8() { return false; }

Bits tdpbf16ps(const Bits*, const Bits*, Bits) { of_another_processor(); }
Bits tdpfp16ps(const Bits*, const Bits*, Bits) { of_another_processor(); }
Bits tdpbssd(const Bits*, const Bits*, Bits) { of_another_processor(); }
Bits tdpbsud(const Bits*, const Bits*, Bits) { of_another_processor(); }
Bits tdpbusd(const Bits*, const Bits*, Bits) { of_another_processor(); }
Bits tdpbuud(const Bits*, const Bits*, Bits) { of_another_processor(); }

#endif

}  // namespace assay::host
