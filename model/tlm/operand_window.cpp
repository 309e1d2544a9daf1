#include "model/tlm/operand_window.hpp"

namespace assay::bus {
namespace {

std::uint64_t product(int x, int y) { return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y); }

// Behind what ends at `end`.
OperandRegion region(std::uint64_t end, std::uint64_t count, int bits) {
  return {(end + 7) / 8 * 8, count, element_bytes(bits), bits};
}

template <int Bytes>
void pack_all(const std::vector<Code>& codes, unsigned char* bytes) {
  for (const Code code : codes) {
    for (int i = 0; i < Bytes; ++i) *bytes++ = static_cast<unsigned char>(code >> (8 * i) & 0xff);
  }
}

template <int Bytes>
void unpack_all(const unsigned char* bytes, Code mask, std::vector<Code>& codes) {
  for (Code& code : codes) {
    for (int i = 0; i < Bytes; ++i) code |= Code{*bytes++} << (8 * i);
    code &= mask;
  }
}

}  // namespace

OperandWindow window_of(const Plan& plan, int m, int n, int steps) {
  const int k = steps * plan.k;
  const int blocks = steps * plan.scales;
  const int scale_bits = plan.scale ? plan.scale->stored_bits : 8;
  OperandWindow w{m, n, k, {}, {}, {}, {}, {}, {}};
  w.a = region(0, product(m, k), plan.a.stored_bits);
  w.b = region(w.a.end(), product(k, n), plan.b.stored_bits);
  w.scale_a = region(w.b.end(), product(m, blocks), scale_bits);
  w.scale_b = region(w.scale_a.end(), product(blocks, n), scale_bits);
  std::uint64_t end = w.scale_b.end();
  for (const CaseOperand& more : plan.more) {
    const MatrixSize size = matrix_size(owner_of(more), m, n, steps * more.count);
    w.more.push_back(region(end, product(size.rows, size.columns), more.format.stored_bits));
    end = w.more.back().end();
  }
  w.c = region(end, product(m, n), plan.c.stored_bits);
  w.d = region(w.c.end(), product(m, n), plan.d.stored_bits);
  return w;
}

void pack(const OperandRegion& region, const std::vector<Code>& codes, unsigned char* bytes) {
  assert(codes.size() == region.count);
  switch (region.element_bytes) {
    case 1: return pack_all<1>(codes, bytes);
    case 2: return pack_all<2>(codes, bytes);
    case 4: return pack_all<4>(codes, bytes);
    default: return pack_all<8>(codes, bytes);
  }
}

std::vector<Code> unpack(const OperandRegion& region, const unsigned char* bytes) {
  std::vector<Code> codes(region.count);
  const Code mask = region.element_bits >= 64 ? ~Code{0} : (Code{1} << region.element_bits) - 1;
  switch (region.element_bytes) {
    case 1: unpack_all<1>(bytes, mask, codes); break;
    case 2: unpack_all<2>(bytes, mask, codes); break;
    case 4: unpack_all<4>(bytes, mask, codes); break;
    default: unpack_all<8>(bytes, mask, codes); break;
  }
  return codes;
}

std::vector<unsigned char> pack(const OperandWindow& w, const Matrices& x) {
  std::vector<unsigned char> bytes(w.d.offset);
  pack(w.a, x.a, bytes.data() + w.a.offset);
  pack(w.b, x.b, bytes.data() + w.b.offset);
  pack(w.scale_a, x.scale_a, bytes.data() + w.scale_a.offset);
  pack(w.scale_b, x.scale_b, bytes.data() + w.scale_b.offset);
  for (std::size_t i = 0; i < w.more.size(); ++i) pack(w.more[i], x.more[i], bytes.data() + w.more[i].offset);
  pack(w.c, x.c, bytes.data() + w.c.offset);
  return bytes;
}

Matrices unpack(const OperandWindow& w, const unsigned char* bytes) {
  const auto from = [bytes](const OperandRegion& region) { return unpack(region, bytes + region.offset); };
  std::vector<std::vector<Code>> more;
  for (const OperandRegion& region : w.more) more.push_back(from(region));
  return {w.m, w.n, w.k, from(w.a), from(w.b), from(w.c), from(w.scale_a), from(w.scale_b), std::move(more)};
}

}  // namespace assay::bus
