// What the numbers of a datapath file may be: stated here, once.
#pragma once

namespace assay {

struct Bounds {
  int least = 0, greatest = 0;

  constexpr bool hold(int value) const { return value >= least && value <= greatest; }
};

namespace bounds {
inline constexpr Bounds keep{0, 100};               // bits
inline constexpr Bounds exponent{-20'000, 20'000};  // of two
inline constexpr Bounds distance{0, 20'000};        // between exponents
inline constexpr Bounds window_step{1, 4096};
inline constexpr Bounds factor_step{1, 64};
inline constexpr Bounds window_raise{0, 100};
inline constexpr Bounds register_bits{2, 120};
inline constexpr Bounds slice_from{0, 63}, slice_bits{1, 64};
inline constexpr Bounds row_width{2, 120}, row_digits{1, 63};
inline constexpr Bounds random_bits{1, 32};
inline constexpr Bounds zero_point{-0x4000'0000, 0x4000'0000};
inline constexpr Bounds format_exponent{1, 11}, format_mantissa{0, 52};  // bits
inline constexpr Bounds format_bias{-2048, 4096};
inline constexpr Bounds unused_bits{0, 32}, integer_bits{1, 64}, fraction_bits{-64, 64};
}  // namespace bounds

}  // namespace assay
