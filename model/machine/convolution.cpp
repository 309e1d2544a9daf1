#include "model/machine/convolution.hpp"

#include <algorithm>

#include "model/core/dot.hpp"

namespace assay::machine {
namespace {

constexpr int row_dwords = 8;                        // 32 bytes: an instruction's k
constexpr int a_column = 480;                        // of tensor memory: eight columns; D has those from 0 on
constexpr std::uint32_t a_base = 0, b_base = 65536;  // in shared memory

std::size_t index(int i) { return static_cast<std::size_t>(i); }

int round_up(int value, int step) { return (value + step - 1) / step * step; }

// An activation; nothing is zeros.
struct Pixel {
  int n = 0, w = 0;
};

bool operator==(const Pixel& x, const Pixel& y) { return x.n == y.n && x.w == y.w; }

// Some outputs (n, q) of one p, some kernels.
struct Tile {
  int p = 0, first = 0, lanes = 0;  // outputs nq from `first` on
  int kernel = 0, kernels = 0;      // from `kernel` on
};

class Convolver {
 public:
  Convolver(const ConvolutionShape& shape, const ConvolutionUnit& unit, const ConvolutionData& data,
            const MmaDatapaths& datapaths)
      : s_(shape),
        unit_(unit),
        data_(data),
        machine_(datapaths),
        datapath_(*datapaths(unit.shape(128, 16))),
        k_(datapath_.plan.k),
        zeros_(index(k_)) {
    result_.output.resize(index(s_.outputs()));
    machine_.tensor.allocate(tensor_columns);
  }

  ConvolutionResult run(ConvolutionForm form, const std::function<void()>& row_done) {
    for (int p = 0; p < s_.p(); ++p) {
      if (form == ConvolutionForm::direct) {
        direct(p);
      } else {
        each_tile(p, [&](const Tile& tile) {
          if (form == ConvolutionForm::lanes) {
            by_lanes(tile);
          } else {
            by_columns(tile, form == ConvolutionForm::reuse);
          }
        });
      }
      if (row_done) row_done();
    }
    return std::move(result_);
  }

 private:
  int chunks() const { return data_.channels / k_; }
  int h_of(int p, int r) const { return p * s_.stride_h - s_.pad_h + r * s_.dilation_h; }
  bool has_row(int p, int r) const { return h_of(p, r) >= 0 && h_of(p, r) < s_.h; }

  // What output nq needs for s; nothing where that is padding.
  std::optional<Pixel> needed(int nq, int s) const {
    const Pixel at{nq / s_.q(), nq % s_.q() * s_.stride_w - s_.pad_w + s * s_.dilation_w};
    return at.w >= 0 && at.w < s_.w ? std::optional<Pixel>(at) : std::nullopt;
  }

  const Code* activations(const std::optional<Pixel>& at, int h, int chunk) const {
    if (!at) return zeros_.data();
    return data_.activations.data() + index(((at->n * s_.h + h) * s_.w + at->w) * data_.channels + chunk * k_);
  }
  const Code* weights(int kernel, int r, int s, int chunk) const {
    return data_.weights.data() + index(((kernel * s_.r + r) * s_.s + s) * data_.channels + chunk * k_);
  }
  Code& output(const Tile& tile, int lane, int kernel) {
    const int nq = tile.first + lane, n = nq / s_.q(), q = nq % s_.q();
    return result_.output[index(((n * s_.p() + tile.p) * s_.q() + q) * s_.k + tile.kernel + kernel)];
  }

  // --- one output after the other ---

  void direct(int p) {
    Registers registers;
    for (int nq = 0; nq < s_.n * s_.q(); ++nq) {
      for (int kernel = 0; kernel < s_.k; ++kernel)
        output({p, nq, 1, kernel, 1}, 0, 0) = direct_output(p, nq, kernel, registers);
    }
  }

  Code direct_output(int p, int nq, int kernel, Registers& registers) {
    Code sum = 0;
    for (int r = 0; r < s_.r; ++r) {
      if (!has_row(p, r)) continue;
      for (int s = 0; s < s_.s; ++s) {
        for (int chunk = 0; chunk < chunks(); ++chunk) {
          sum = dot(datapath_.plan, {activations(needed(nq, s), h_of(p, r), chunk), weights(kernel, r, s, chunk), sum},
                    registers);
          count(1, 1, 1);
        }
      }
    }
    return sum;
  }

  // --- as matrix products ---

  template <class Visit>
  void each_tile(int p, Visit&& visit) {
    const int all = s_.n * s_.q();
    for (int first = 0; first < all; first += s_.lanes) {
      for (int kernel = 0; kernel < s_.k; kernel += s_.kernels)
        visit(Tile{p, first, std::min(s_.lanes, all - first), kernel, std::min(s_.kernels, s_.k - kernel)});
    }
  }

  // Row `row` of a matrix in shared memory, k-major and without swizzle.
  void put_row(std::uint32_t base, int row, const Code* codes, int bits) {
    const MatrixDescriptor matrix = matrix_at(base);
    const int each = k_ / 2;  // elements of 16 bytes
    for (int i = 0; i < k_; ++i)
      machine_.shared.set_bits(matrix.address(Major::k, row, i / each), i % each * bits, bits, codes[i]);
  }
  static MatrixDescriptor matrix_at(std::uint32_t base) { return {base, 128, 256, 16}; }

  void put_weights(std::uint32_t base, const Tile& tile, int r, int s, int chunk) {
    for (int i = 0; i < tile.kernels; ++i)
      put_row(base, i, weights(tile.kernel + i, r, s, chunk), datapath_.plan.b.stored_bits);
  }

  void count(int products, int activation_rows, int weight_rows) {
    result_.counts.products += static_cast<std::uint64_t>(products);
    result_.counts.activations += static_cast<std::uint64_t>(activation_rows * row_dwords);
    result_.counts.weights += static_cast<std::uint64_t>(weight_rows * row_dwords);
  }

  MmaOperation operation(int m, int n) const {
    MmaOperation o;
    o.kind = unit_.kind;
    o.descriptor = instruction_descriptor_bits(o.kind, unit_.shape(m, n));
    o.a = descriptor_bits(matrix_at(a_base));
    o.b = descriptor_bits(matrix_at(b_base));
    return o;
  }

  // Weights are A: a kernel a row; activations are B: an output a column. Weights and activations may have two formats;
  // the unit is asked for them the other way round.
  void by_columns(const Tile& tile, bool reuse) {
    MmaOperation o = operation(128, round_up(tile.lanes, 16));
    MmaShape turned = unit_.shape(128, round_up(tile.lanes, 16));
    std::swap(turned.a, turned.b);
    o.descriptor = instruction_descriptor_bits(o.kind, turned);
    o.enable_input_d = false;
    clear_d(round_up(tile.lanes, 16));
    std::vector<std::optional<Pixel>> held(index(tile.lanes));
    const auto multiply = [&](int r, int s, int chunk) {
      put_weights(a_base, tile, r, s, chunk);
      const int fetched = load(tile, held, h_of(tile.p, r), s, chunk, reuse && s > 0);
      machine_.mma(o);
      o.enable_input_d = true;
      count(1, fetched, tile.kernels);
      result_.counts.saved += static_cast<std::uint64_t>((tile.lanes - fetched) * row_dwords);
    };
    each_step(tile, reuse, multiply);
    for (int lane = 0; lane < tile.lanes; ++lane) {
      for (int kernel = 0; kernel < tile.kernels; ++kernel)
        output(tile, lane, kernel) = machine_.tensor.word(kernel, lane);
    }
  }

  // s innermost where activations are reused along it.
  template <class Work>
  void each_step(const Tile& tile, bool s_innermost, Work&& work) {
    for (int r = 0; r < s_.r; ++r) {
      if (!has_row(tile.p, r)) continue;
      const int outer = s_innermost ? chunks() : s_.s, inner = s_innermost ? s_.s : chunks();
      for (int i = 0; i < outer; ++i) {
        for (int j = 0; j < inner; ++j) work(r, s_innermost ? j : i, s_innermost ? i : j);
      }
    }
  }

  // Columns of B: what each output needs for s, zeros for padding. With reuse, columns are shifted first, and only what
  // is not there is fetched; a column of zeros may keep what its neighbour will need. How many were fetched.
  int load(const Tile& tile, std::vector<std::optional<Pixel>>& held, int h, int s, int chunk, bool reuse) {
    const int by = reuse ? lanes_to_shift() : 0;
    if (by > 0) shift(held, by);
    int fetched = 0;
    for (int lane = 0; lane < tile.lanes; ++lane) {
      const std::optional<Pixel> wanted = needed(tile.first + lane, s);
      put_row(b_base, lane, activations(wanted, h, chunk), datapath_.plan.a.stored_bits);
      const bool is_new = by == 0 || lane + by >= tile.lanes;
      if (!is_new && (!wanted || held[index(lane)] == wanted)) continue;
      held[index(lane)] = best(tile, lane, s);
      ++fetched;
    }
    return fetched;
  }

  // From one s to the next every output needs what stands so many outputs on; 0 where none holds it.
  int lanes_to_shift() const { return s_.dilation_w % s_.stride_w == 0 ? s_.dilation_w / s_.stride_w : 0; }

  void shift(std::vector<std::optional<Pixel>>& held, int by) {
    held.erase(held.begin(), held.begin() + std::min(by, static_cast<int>(held.size())));
    held.resize(held.size() + index(by));
    result_.counts.shifts += static_cast<std::uint64_t>(by);
  }

  void clear_d(int columns) {
    for (int lane = 0; lane < tensor_lanes; ++lane) {
      for (int column = 0; column < columns; ++column) machine_.tensor.set_word(lane, column, 0);
    }
  }

  // --- activations in the lanes of tensor memory ---

  // Activations are A: an output a lane; weights are B: a kernel a column. Lanes whose activation is padding are
  // disabled, and may hold what their neighbour will need.
  void by_lanes(const Tile& tile) {
    const int columns = round_up(tile.kernels, 16);
    MmaOperation o = operation(128, columns);
    o.a_in_tensor = TensorAddress{0, a_column};
    clear_d(columns);
    std::vector<std::optional<Pixel>> held(index(tile.lanes));
    each_step(tile, true, [&](int r, int s, int chunk) {
      const int fetched = s == 0 || lanes_to_shift() == 0 ? fill_lanes(tile, held, h_of(tile.p, r), s, chunk)
                                                          : shift_lanes(tile, held, h_of(tile.p, r), s, chunk);
      put_weights(b_base, tile, r, s, chunk);
      o.disabled = disabled(tile, s);
      machine_.mma(o);
      count(1, fetched, tile.kernels);
      result_.counts.saved += static_cast<std::uint64_t>((tile.lanes - fetched) * row_dwords);
      const bool first = tile.p == 0 && tile.first == 0 && tile.kernel == 0;
      if (first && chunk == 0 && static_cast<int>(result_.first_lanes.size()) == s) picture(tile, held, s);
    });
    for (int lane = 0; lane < tile.lanes; ++lane) {
      for (int kernel = 0; kernel < tile.kernels; ++kernel)
        output(tile, lane, kernel) = machine_.tensor.word(lane, kernel);
    }
  }

  // What a lane is filled with: what it needs, or where that is padding what a neighbour will need from it.
  std::optional<Pixel> best(const Tile& tile, int lane, int s) const {
    if (const auto wanted = needed(tile.first + lane, s)) return wanted;
    const int by = lanes_to_shift();
    for (int later = s + 1; by > 0 && later < s_.s; ++later) {
      lane -= by;
      if (lane < 0) break;
      if (const auto wanted = needed(tile.first + lane, later)) return wanted;
    }
    return std::nullopt;
  }

  // All lanes at once, by way of shared memory.
  int fill_lanes(const Tile& tile, std::vector<std::optional<Pixel>>& held, int h, int s, int chunk) {
    for (int lane = 0; lane < tile.lanes; ++lane) {
      held[index(lane)] = best(tile, lane, s);
      put_row(a_base, lane, activations(held[index(lane)], h, chunk), datapath_.plan.a.stored_bits);
    }
    const int bits = datapath_.plan.a.stored_bits;
    machine_.tensor.copy({"128x256b", "", bits < 8 ? bits : 0}, {0, a_column}, descriptor_bits(matrix_at(a_base)),
                         machine_.shared);
    return tile.lanes;
  }

  int shift_lanes(const Tile& tile, std::vector<std::optional<Pixel>>& held, int h, int s, int chunk) {
    const int by = lanes_to_shift();
    for (int i = 0; i < by; ++i) machine_.tensor.shift_down({0, a_column});
    shift(held, by);
    int fetched = 0;
    for (int lane = 0; lane < tile.lanes; ++lane) {
      const std::optional<Pixel> wanted = needed(tile.first + lane, s);
      const bool is_new = lane + by >= tile.lanes;
      if (!is_new && (!wanted || held[index(lane)] == wanted)) continue;
      held[index(lane)] = best(tile, lane, s);
      put_lane(lane, activations(held[index(lane)], h, chunk));
      ++fetched;
    }
    return fetched;
  }

  // One row straight into its lane; narrow elements in bytes, as cp widens them.
  void put_lane(int lane, const Code* codes) {
    const int bits = datapath_.plan.a.stored_bits, slot = 256 / k_, up = bits == 4 ? 2 : 0;
    std::uint32_t words[row_dwords] = {};
    for (int i = 0; i < k_; ++i) layout::write_bits(words, i * slot, slot, codes[i] << (slot == 8 ? up : 0));
    for (int i = 0; i < row_dwords; ++i) machine_.tensor.set_word(lane, a_column + i, words[i]);
  }

  std::array<std::uint32_t, 8> disabled(const Tile& tile, int s) const {
    std::array<std::uint32_t, 8> mask{~0U, ~0U, ~0U, ~0U};
    for (int lane = 0; lane < tile.lanes; ++lane) {
      if (needed(tile.first + lane, s)) mask[index(lane / 32)] &= ~(1U << (lane % 32));
    }
    return mask;
  }

  void picture(const Tile& tile, const std::vector<std::optional<Pixel>>& held, int s) {
    std::vector<LaneContent> lanes;
    for (int lane = 0; lane < tile.lanes; ++lane) {
      LaneContent content;
      if (const auto& at = held[index(lane)]) content = {at->n, at->w, false};
      content.is_off = !needed(tile.first + lane, s);
      lanes.push_back(content);
    }
    result_.first_lanes.push_back(std::move(lanes));
  }

  const ConvolutionShape& s_;
  const ConvolutionUnit& unit_;
  const ConvolutionData& data_;
  TensorMachine machine_;
  const MmaDatapath& datapath_;
  const int k_;
  const std::vector<Code> zeros_;
  ConvolutionResult result_;
};

}  // namespace

MmaShape ConvolutionUnit::shape(int m, int n) const {
  MmaShape s;
  s.m = m;
  s.n = n;
  s.k = kind == MmaKind::tf32 ? 8 : kind == MmaKind::f16 ? 16 : 32;
  s.a = a;
  s.b = b;
  s.d = "f32";
  return s;
}

std::string problem(const ConvolutionShape& s) {
  if (s.h + 2 * s.pad_h < s.dilation_h * (s.r - 1) + 1 || s.w + 2 * s.pad_w < s.dilation_w * (s.s - 1) + 1)
    return "The kernel is larger than the padded image, so that there are no outputs.";
  return "";
}

std::string order_of_sums(ConvolutionForm form) {
  return form == ConvolutionForm::direct || form == ConvolutionForm::mma ? "r, s, c" : "r, c, s";
}

ConvolutionResult convolve(ConvolutionForm form, const ConvolutionShape& shape, const ConvolutionUnit& unit,
                           const ConvolutionData& data, const MmaDatapaths& datapaths,
                           const std::function<void()>& row_done) {
  return Convolver(shape, unit, data, datapaths).run(form, row_done);
}

}  // namespace assay::machine
