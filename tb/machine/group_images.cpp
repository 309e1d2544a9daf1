#include "tb/machine/group_images.hpp"

#include <algorithm>

namespace assay::machine {
namespace {

constexpr std::uint32_t swizzle_repeats = 1024;  // bytes: where any swizzle may begin

// A matrix, and where it lies.
struct PlacedMatrix {
  MatrixDescriptor descriptor;
  MatrixReading reading;

  ElementPlace place(int row, int column) const { return reading.place(descriptor, row, column); }
  std::uint64_t end() const {
    std::uint64_t last = 0;
    for (int row = 0; row < reading.rows; ++row) {
      for (int column = 0; column < reading.k; ++column) last = std::max(last, place(row, column).address + 16);
    }
    return last;
  }
};

PlacedMatrix matrix_of(const GroupTask& task, bool is_a) {
  const WaveInstruction& w = task.group.instruction();
  const bool mn = is_a ? task.operation.a_is_mn_major : task.operation.b_is_mn_major;
  const int bits = is_a ? w.fragments.a.bits : w.fragments.b.bits;
  PlacedMatrix m{{}, {is_a ? w.shape.m : w.shape.n, w.shape.k, mn ? Major::mn : Major::k, 128 / bits, bits}};
  const std::string name = std::string("The descriptor of ") + (is_a ? "A" : "B");
  if (const std::string why = read_warpgroup_descriptor(name, is_a ? task.operation.a : task.operation.b, m.descriptor);
      !why.empty())
    throw Error{why};
  return m;
}

// Along k, 8 rows of `width` bytes and the next 8 behind them. Along m or n, `width` bytes of each k, the next ones
// behind all of these.
MatrixDescriptor side_by_side(const MatrixReading& m, int width, std::uint32_t start) {
  const auto w = static_cast<std::uint32_t>(width), row_bytes = static_cast<std::uint32_t>(m.rows * m.bits / 8);
  const bool mn = m.major == Major::mn;
  if (width == 16) return {start, mn ? 8 * row_bytes : 128, mn ? 128U : 256U, 16};
  return {start, mn ? w * static_cast<std::uint32_t>(m.k) : 16, 8 * w, width};
}

void put(SharedMemory& shared, const PlacedMatrix& m, int row, int column, Code code) {
  const ElementPlace place = m.place(row, column);
  shared.set_bits(place.address, place.first, m.reading.bits, code);
}

layout::Words words_of(const SharedMemory& shared) {
  layout::Words words;
  for (std::uint64_t at = 0; at < shared.size(); at += 4)
    words.push_back(static_cast<std::uint32_t>(shared.bits(at, 0, 32)));
  return words;
}

std::size_t bytes_of(const GroupTask& task) {
  return static_cast<std::size_t>(std::max(matrix_of(task, true).end(), matrix_of(task, false).end()));
}

}  // namespace

void choose_descriptors(GroupTask& task, int width) {
  task.operation.a = task.operation.b = 0;
  PlacedMatrix a = matrix_of(task, true);
  const PlacedMatrix b = matrix_of(task, false);
  a.descriptor = side_by_side(a.reading, width, 0);
  const auto behind = (static_cast<std::uint32_t>(a.end()) + swizzle_repeats - 1) / swizzle_repeats * swizzle_repeats;
  task.operation.a = warpgroup_descriptor_bits(a.descriptor);
  task.operation.b = warpgroup_descriptor_bits(side_by_side(b.reading, width, behind));
}

std::vector<WaveOperand> operands_of(const GroupTask& task) {
  const std::size_t bytes = bytes_of(task), there = SharedMemory().size();
  if (bytes > there)
    throw Error{"The matrices reach to byte " + std::to_string(bytes) + " of shared memory, but there are " +
                std::to_string(there) + "."};
  const layout::Fragment& d = task.group.instruction().fragments.d;
  return {{"shared", static_cast<int>(bytes / 4), 1}, {"c", d.words(), d.lanes}, {"d", d.words(), d.lanes}};
}

RegisterImages generated_images(const GroupTask& task, const Generator& generator, std::uint64_t number) {
  const WaveInstruction& w = task.group.instruction();
  const RegisterImages plain = generated_images(w, generator, number);
  SharedMemory shared(bytes_of(task));
  const PlacedMatrix a = matrix_of(task, true), b = matrix_of(task, false);
  for (int column = 0; column < w.shape.k; ++column) {
    for (int row = 0; row < w.shape.m; ++row)
      put(shared, a, row, column, layout::get(plain.at("a"), w.fragments.a, {row, 0, column, 0, 0}));
    for (int row = 0; row < w.shape.n; ++row)
      put(shared, b, row, column, layout::get(plain.at("b"), w.fragments.b, {0, row, column, 0, 0}));
  }
  return {{"shared", words_of(shared)}, {"c", plain.at("c")}};
}

void execute(const GroupTask& task, RegisterImages& images) {
  const layout::Words& words = images.at("shared");
  SharedMemory shared(4 * words.size());
  for (std::size_t i = 0; i < words.size(); ++i) shared.set_bits(4 * i, 0, 32, words[i]);
  WarpgroupOperation operation = task.operation;
  layout::Words d = images.at("c");
  operation.d = {d.data(), task.group.instruction().fragments.d.words()};
  task.group.execute(operation, shared);
  images["d"] = std::move(d);
}

}  // namespace assay::machine
