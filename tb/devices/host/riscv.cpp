#include "tb/devices/host/riscv.hpp"

#include <algorithm>

#include "tb/devices/host/kernels.hpp"

#if defined(__riscv)
#include <sys/auxv.h>
#include <unistd.h>
#endif

namespace assay::host {
namespace {

// One vector register of 128 bits, as long as every V has them, of a and b, two of d's wider elements.
constexpr int register_bits = 128;

template <class Narrow, class Wide>
struct Registers {
  static constexpr int count = register_bits / 8 / sizeof(Narrow);
  Narrow a[count], b[count];
  Wide acc[count];
};

#if defined(__riscv)

// What Linux says of extensions of several letters; an older one says nothing.
std::uint64_t probed() {
  constexpr long hwprobe = 258;
  struct {
    std::int64_t key = 4;  // RISCV_HWPROBE_KEY_IMA_EXT_0
    std::uint64_t value = 0;
  } pair;
  return syscall(hwprobe, &pair, 1L, 0L, nullptr, 0L) == 0 && pair.key >= 0 ? pair.value : 0;
}

bool has_v() { return (getauxval(AT_HWCAP) >> ('v' - 'a') & 1) != 0; }
bool has_zvfh() { return (probed() >> 30 & 1) != 0; }
bool has_zvfbfwma() { return (probed() >> 54 & 1) != 0; }

// vd = v10, vs1 = v9, vs2 = v8, unmasked:
// | funct6 | 1 | vs2: five bits | vs1: five | 001 | vd: five | 1010111 |
constexpr unsigned word_of(unsigned funct6) {
  return funct6 << 26 | 1u << 25 | 8u << 20 | 9u << 15 | 1u << 12 | 10u << 7 | 0x57u;
}

#define ASSAY_EXECUTE(narrow, wide)                                                                  \
  asm volatile(                                                                                      \
      ".option push\n .option arch, +v\n"                                                            \
      "vsetvli zero, %[count], e" #narrow ", m1, ta, ma\n vle" #narrow ".v v8, (%[a])\n vle" #narrow \
      ".v v9, (%[b])\n"                                                                              \
      "vsetvli zero, %[count], e" #wide ", m2, ta, ma\n vle" #wide                                   \
      ".v v10, (%[acc])\n"                                                                           \
      "vsetvli zero, %[count], e" #narrow                                                            \
      ", m1, ta, ma\n .word %[word]\n"                                                               \
      "vsetvli zero, %[count], e" #wide ", m2, ta, ma\n vse" #wide                                   \
      ".v v10, (%[acc])\n"                                                                           \
      ".option pop" ::[count] "r"(r.count),                                                          \
      [a] "r"(r.a), [b] "r"(r.b), [acc] "r"(r.acc), [word] "i"(word_of(funct6))                      \
      : "memory")

template <unsigned funct6>
void execute(Registers<std::uint16_t, std::uint32_t>& r) {
  ASSAY_EXECUTE(16, 32);
}
template <unsigned funct6>
void execute(Registers<std::uint32_t, std::uint64_t>& r) {
  ASSAY_EXECUTE(32, 64);
}
#undef ASSAY_EXECUTE

#else

bool has_v() { return false; }
bool has_zvfh() { return false; }
bool has_zvfbfwma() { return false; }

template <unsigned, class Narrow, class Wide>
void execute(Registers<Narrow, Wide>&) {
  of_another_processor();
}

#endif

template <unsigned funct6, class Narrow, class Wide>
Bits multiply_add(const Bits* a, const Bits* b, Bits c) {
  Registers<Narrow, Wide> r;
  std::fill(std::begin(r.a), std::end(r.a), static_cast<Narrow>(*a));
  std::fill(std::begin(r.b), std::end(r.b), static_cast<Narrow>(*b));
  std::fill(std::begin(r.acc), std::end(r.acc), static_cast<Wide>(c));
  execute<funct6>(r);
  return agreed(r.acc, r.count);
}

template <unsigned funct6>
HostInstruction to_f32(const char* name) {
  return {std::string("riscv:") + name, 1, multiply_add<funct6, std::uint16_t, std::uint32_t>};
}
template <unsigned funct6>
HostInstruction to_f64(const char* name) {
  return {std::string("riscv:") + name, 1, multiply_add<funct6, std::uint32_t, std::uint64_t>, 16};
}

}  // namespace

std::vector<HostUnit> riscv_units() {
  return {{"v",
           "Processors with the vector extension V",
           has_v,
           {to_f64<0b111100>("vfwmacc.vv.f32"), to_f64<0b111101>("vfwnmacc.vv.f32"), to_f64<0b111110>("vfwmsac.vv.f32"),
            to_f64<0b111111>("vfwnmsac.vv.f32")}},
          {"zvfh",
           "Processors with V and Zvfh",
           has_zvfh,
           {to_f32<0b111100>("vfwmacc.vv.f16"), to_f32<0b111101>("vfwnmacc.vv.f16"), to_f32<0b111110>("vfwmsac.vv.f16"),
            to_f32<0b111111>("vfwnmsac.vv.f16")}},
          {"zvfbfwma", "Processors with V and Zvfbfwma", has_zvfbfwma, {to_f32<0b111011>("vfwmaccbf16.vv")}}};
}

}  // namespace assay::host
