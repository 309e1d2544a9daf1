// Where elements live, in the words of the vendors' instruction-set manuals: from lane and item to row and column, or
// from row and column to item and lane, as each manual has it. Shares nothing with model/layout but the element.
#pragma once

#include <algorithm>
#include <vector>

#include "model/layout/layout.hpp"

namespace assay::layout {

struct Documented {
  Coordinates element;
  int lane = 0;
  int item = 0;  // of the lane: the manual's a0, a1, ...; its slot
};

// The first bit of what the manual describes, in its lane. In shared memory "16 elements of 4 bits and 8 bytes of
// padding" stand where 16 bytes would, of 6 bits with 4 bytes of padding.
inline int documented_bit(const Fragment& f, const Documented& said) {
  if (f.home == Home::shared_memory && f.bits < 8 && f.size.k == 32)
    return said.item / 16 * 128 + said.item % 16 * f.bits;
  return said.item * f.slot_bits + f.shift;
}

// --- mma.sync, of the PTX manual: "groupID = %laneid >> 2; threadID_in_group = %laneid % 4" ---

inline std::vector<Documented> ptx_m16_a(int k, int bits) {
  std::vector<Documented> all;
  const int together = bits == 64 ? 1 : 32 / bits;  // elements of one register
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, thread = lane % 4;
    for (int i = 0; i < 16 * k / 32; ++i) {
      // Registers alternate between row groupID and groupID + 8; every second pair of them goes on along k.
      const int row = (i / together) % 2 == 0 ? group : group + 8;
      const int column = (thread * together) + (i % together) + (i / (2 * together)) * 4 * together;
      all.push_back({{row, 0, column, 0, 0}, lane, i});
    }
  }
  return all;
}

// mma.m8n8k16 of 8 bits and mma.m8n8k32 of 4: "row = groupID; col = (threadID_in_group * 4) + i", of 4 bits "* 8", of
// one register of .b32; B the other way round, as ptx_b has it.
inline std::vector<Documented> ptx_m8_a(int bits) {
  std::vector<Documented> all;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, thread = lane % 4;
    for (int i = 0; i < 32 / bits; ++i) all.push_back({{group, 0, (thread * 32 / bits) + i, 0, 0}, lane, i});
  }
  return all;
}

inline std::vector<Documented> ptx_b(int k, int bits) {
  std::vector<Documented> all;
  const int together = bits == 64 ? 1 : 32 / bits;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, thread = lane % 4;
    for (int i = 0; i < 8 * k / 32; ++i) {
      const int row = (thread * together) + (i % together) + (i / together) * 4 * together;
      all.push_back({{0, group, row, 0, 0}, lane, i});
    }
  }
  return all;
}

// "row = groupID for ci where i < 2, groupID + 8 for ci where i >= 2; col = (threadID_in_group * 2) + (i & 0x1)"
inline std::vector<Documented> ptx_d(int m) {
  std::vector<Documented> all;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, thread = lane % 4;
    for (int i = 0; i < m * 8 / 32; ++i) {
      all.push_back({{i < 2 ? group : group + 8, (thread * 2) + (i & 0x1), 0, 0, 0}, lane, i});
    }
  }
  return all;
}

// mma.m8n8k4 of f64: "row = groupID; col = threadID_in_group", and of B the other way round.
inline std::vector<Documented> ptx_m8n8k4_f64(bool is_a) {
  std::vector<Documented> all;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, thread = lane % 4;
    all.push_back({is_a ? Coordinates{group, 0, thread, 0, 0} : Coordinates{0, group, thread, 0, 0}, lane, 0});
  }
  return all;
}

// mma.m8n8k4 of f16. "MMA computation 1: threads with %laneid 0-3 and 16-19", 2: 4-7 and 20-23, and so on.
inline int ptx_computation(int lane) { return (lane % 16) / 4; }

// A as .row, B as .col: "row = %laneid % 4 if %laneid < 16, (%laneid % 4) + 4 otherwise; col = i".
inline std::vector<Documented> ptx_m8n8k4_f16(bool is_a) {
  std::vector<Documented> all;
  for (int lane = 0; lane < 32; ++lane) {
    const int outer = lane < 16 ? lane % 4 : (lane % 4) + 4, q = ptx_computation(lane);
    for (int i = 0; i < 4; ++i) {
      all.push_back({is_a ? Coordinates{outer, 0, i, q, 0} : Coordinates{0, outer, i, q, 0}, lane, i});
    }
  }
  return all;
}

inline std::vector<Documented> ptx_m8n8k4_result(int bits) {
  std::vector<Documented> all;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 8; ++i) {
      int row = lane < 16 ? lane % 4 : (lane % 4) + 4, column = i;
      if (bits == 32) {
        const int x = (lane & 0b1) + (i & 0b10);
        row = lane < 16 ? x : x + 4;
        column = (i & 0b100) + (lane & 0b10) + (i & 0b1);
      }
      all.push_back({{row, column, 0, ptx_computation(lane), 0}, lane, i});
    }
  }
  return all;
}

// Scales of the block-scaled forms with thread-id and byte-id 0: of A in the first two threads of each group of four,
// rows groupID and groupID + 8; of B in the first one, column groupID. Byte s holds the scale of block s.
inline std::vector<Documented> ptx_scales(bool is_a, int blocks) {
  std::vector<Documented> all;
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, thread = lane % 4;
    for (int s = 0; s < blocks; ++s) {
      if (is_a && thread < 2) all.push_back({{group + 8 * thread, 0, 0, 0, s}, lane, s});
      if (!is_a && thread == 0) all.push_back({{0, group, 0, 0, s}, lane, s});
    }
  }
  return all;
}

// --- wgmma and tcgen05.mma ---

// Matrix descriptors without swizzle, k-major: core matrices of 8 rows of 16 bytes, one after another along k (leading
// byte offset 128), then along m or n (stride byte offset 256, where k is 32 bytes; 512 of the B of a sparse A).
inline std::vector<Documented> core_matrices(int rows, int k, int bits, bool is_a) {
  std::vector<Documented> all;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < k; ++column) {
      const int bit = column * bits;
      const int address =
          8 * ((row / 8) * 8 * (k * bits / 8) + (bit / 128) * 128 + (row % 8) * 16) + bit % 128;  // in bits
      all.push_back({is_a ? Coordinates{row, 0, column, 0, 0} : Coordinates{0, row, column, 0, 0}, 0, address / bits});
    }
  }
  return all;
}

// "row = (warpid % 4) * 16 + groupID (+ 8 for odd pairs of i); col = 8 * (i / 4) + (threadID_in_group * 2) + (i & 1)"
inline std::vector<Documented> wgmma_d(int n) {
  std::vector<Documented> all;
  for (int thread = 0; thread < 128; ++thread) {
    const int warp = thread / 32, lane = thread % 32;
    for (int i = 0; i < n / 2; ++i) {
      const int row = warp * 16 + (lane >> 2) + 8 * ((i / 2) % 2);
      const int column = 8 * (i / 4) + (lane % 4) * 2 + (i & 0x1);
      all.push_back({{row, column, 0, 0, 0}, thread, i});
    }
  }
  return all;
}

// Layout D (m = 128): row r in lane r. Layout F (m = 64): 16 rows at the start of each warp's 32 lanes.
inline std::vector<Documented> tensor_memory_d(int m, int n) {
  std::vector<Documented> all;
  for (int row = 0; row < m; ++row) {
    const int lane = m == 128 ? row : 32 * (row / 16) + row % 16;
    for (int column = 0; column < n; ++column) all.push_back({{row, column, 0, 0, 0}, lane, column});
  }
  return all;
}

// Scales of tcgen05.mma. The PTX manual: "scale_vec::1X: one scale factor per row .. in a 1-byte aligned sub-column",
// 2X two in a half word, 4X four in a word, and SFA_ID 0 from the lowest byte on. Which row stands where, cuBLAS says
// of the 128 x 4 tiles that tcgen05.cp.32x128b copies 16 bytes a lane: "offset = (outer % 32) * 16 + (outer / 32) * 4 +
// inner".
inline std::vector<Documented> tensor_memory_scales(int outer_size, bool is_a, int blocks) {
  std::vector<Documented> all;
  for (int outer = 0; outer < outer_size; ++outer) {
    for (int inner = 0; inner < blocks; ++inner) {
      // Of several tiles of 128, each takes four columns of its own.
      const int offset = (outer % 32) * 16 + (outer % 128 / 32) * 4 + inner;
      const Coordinates e = is_a ? Coordinates{outer, 0, 0, 0, inner} : Coordinates{0, outer, 0, 0, inner};
      all.push_back({e, offset / 16, 16 * (outer / 128) + offset % 16});
    }
  }
  return all;
}

// --- v_mfma, of the CDNA manuals, "Matrix layout" ---

// "A[b,i,k] is placed in item k % K_L of lane i + M * (b + B * (k / K_L)), K_L = K / (64 / (M * B))"; B likewise.
inline std::vector<Documented> cdna_input(const NamedShape& s, bool is_a) {
  std::vector<Documented> all;
  const int outer = is_a ? s.m : s.n;
  const int k_l = s.k / (64 / (outer * s.blocks));
  for (int b = 0; b < s.blocks; ++b) {
    for (int i = 0; i < outer; ++i) {
      for (int k = 0; k < s.k; ++k) {
        all.push_back({is_a ? Coordinates{i, 0, k, b, 0} : Coordinates{0, i, k, b, 0},
                       i + outer * (b + s.blocks * (k / k_l)), k % k_l});
      }
    }
  }
  return all;
}

// "D[b,i,j] is located in item (i % H) + H * (i / (H * M_I) + G * (b / B_I)) on lane j + N * ((i / H) % M_I + M_I *
// (b % B_I))"; H is 1 where results have 64 bits and 4 elsewhere. Of 4x4x4 with 64 bits AMD says instead, with a
// program: "lanes 0-15 cover the first row of each of the four D matrices; within them lanes 0-3 the first D matrix",
// as of B.
inline std::vector<Documented> cdna_output(const NamedShape& s, int bits) {
  std::vector<Documented> all;
  if (bits == 64 && s.m == 4) {
    for (int lane = 0; lane < 64; ++lane) all.push_back({{lane / 16, lane % 4, 0, lane % 16 / 4, 0}, lane, 0});
    return all;
  }
  const int h = bits == 64 ? 1 : 4;
  const int tile = s.n * s.m / h;
  const int b_i = (64 + tile - 1) / tile;
  const int m_i = (64 / b_i) / s.n;
  const int g = s.m / (h * m_i);
  for (int b = 0; b < s.blocks; ++b) {
    for (int i = 0; i < s.m; ++i) {
      for (int j = 0; j < s.n; ++j) {
        all.push_back({{i, j, 0, b, 0},
                       j + s.n * ((i / h) % m_i + m_i * (b % b_i)),
                       (i % h) + h * (i / (h * m_i) + g * (b / b_i))});
      }
    }
  }
  return all;
}

// --- an instruction's operands ---

struct DocumentedOperands {
  std::vector<Documented> a, b, c, d, scale_a = {}, scale_b = {}, indices = {};
};

// What an H200 says of a sparse A's indices: one of them was changed at a time, with a B that is zero but for four
// neighbours (of tf32 two), and the row and neighbours that d then told of were written down on 2026-11-26. Lane 4 g +
// t of each warp, bits 4 q to 4 q + 3; a lane that is not here is not looked at, with selector 0.
inline std::vector<Documented> measured_indices(const NamedShape& s, bool bytes) {
  std::vector<Documented> all;
  const int groups = s.k / s.among, of_a_group = s.among / 2;
  for (int warp = 0; warp < s.m / 16; ++warp) {
    for (int g = 0; g < 8; ++g) {
      for (int t = 0; t < 4; ++t) {
        for (int q = 0; q < 8; ++q) {
          const int row = g + 8 * (bytes ? t % 2 : q / 4), group = bytes ? q + 8 * (t / 2) : q % 4 + 4 * t;
          if (group >= groups) continue;
          for (int i = 0; i < of_a_group; ++i)
            all.push_back(
                {{16 * warp + row, 0, of_a_group * group + i, 0, 0}, 32 * warp + 4 * g + t, of_a_group * q + i});
        }
      }
    }
  }
  return all;
}

inline DocumentedOperands documented(const NamedShape& s, const Fragments& f) {
  if (s.name.rfind("v_mfma", 0) == 0) {
    const auto out = cdna_output(s, f.d.bits);
    return {cdna_input(s, true), cdna_input(s, false), out, out};
  }
  if (s.name.rfind("mma.", 0) != 0) {
    const auto out = s.name[0] == 'w' ? wgmma_d(s.n) : tensor_memory_d(s.m, s.n);
    // Formats that may be mixed stand in bytes; only the forms of k = 64 pack four bits.
    const int least = s.k == 64 && s.among == 0 ? 4 : 8, blocks = s.scale.empty() ? 0 : s.k / s.scale_block;
    if (s.among > 0) {
      return {core_matrices(s.m, s.k / 2, f.a.bits, true), core_matrices(s.n, s.k, f.b.bits, false), out, out, {}, {},
              measured_indices(s, f.b.slot_bits == 8)};
    }
    return {core_matrices(s.m, s.k, std::max(f.a.bits, least), true),
            core_matrices(s.n, s.k, std::max(f.b.bits, least), false),
            out,
            out,
            tensor_memory_scales(s.m, true, blocks),
            tensor_memory_scales(s.n, false, blocks),
            {}};
  }
  if (s.m == 8 && s.a == "f16") {
    return {ptx_m8n8k4_f16(true), ptx_m8n8k4_f16(false), ptx_m8n8k4_result(f.c.bits), ptx_m8n8k4_result(f.d.bits)};
  }
  if (s.m == 8 && s.a == "f64") return {ptx_m8n8k4_f64(true), ptx_m8n8k4_f64(false), ptx_d(8), ptx_d(8)};
  if (s.m == 8) return {ptx_m8_a(f.a.bits), ptx_b(s.k, f.b.bits), ptx_d(8), ptx_d(8)};
  if (s.among > 0) {
    return {ptx_m16_a(s.k / 2, f.a.slot_bits),      ptx_b(s.k, f.b.slot_bits), ptx_d(16), ptx_d(16), {}, {},
            measured_indices(s, f.b.slot_bits == 8)};
  }
  // Formats that may be mixed stand in bytes; integers and the forms of k = 64 pack four bits.
  const int bits = s.k == 64 || s.d == "i32" ? f.a.bits : std::max(f.a.bits, 8);
  const int blocks = s.scale.empty() ? 0 : s.k / s.scale_block;
  return {ptx_m16_a(s.k, bits),     ptx_b(s.k, bits),          ptx_d(16), ptx_d(16),
          ptx_scales(true, blocks), ptx_scales(false, blocks), {}};
}

}  // namespace assay::layout
