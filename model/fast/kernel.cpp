#include "model/fast/kernel.hpp"
#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"

#include <algorithm>
#include <vector>

#include "model/base/parallel.hpp"
#include "model/core/matmul.hpp"
#include "model/core/operand_codes.hpp"
#include "model/fast/gated_rows.hpp"
#include "model/fast/rounding.hpp"

namespace assay {
namespace {

constexpr int block_rows = 32;           // of A, decoded together: a thread's turn; at most
constexpr std::size_t turn_cases = 256;  // dot products: a thread's turn
constexpr std::size_t workspace_of_matrices = 2;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Working memory of each thread.
std::vector<CorePath> core_paths(const Plan& plan, int threads) {
  return std::vector<CorePath>(index(std::max(threads, 1)), CorePath(plan));
}

// --- whole matrices ---

void gemm_by(ByCore, const Plan& plan, const Gemm& gemm, int threads) {
  std::vector<CorePath> core = core_paths(plan, threads);
  parallel(gemm.m, threads, [&](int i, int worker) {
    for (int j = 0; j < gemm.n; ++j) gemm.d.set(i, j, core[index(worker)].element(gemm, i, j));
  });
}

// Where a tile stands in D.
struct Corner {
  int row, column, rows, columns;
};

void read_c(const Gemm& gemm, const Corner& at, Tile& tile) {
  for (int i = 0; i < at.rows; ++i) gemm.c.get_row(at.row + i, at.column, at.columns, tile.c[index(i)].data());
}

void write_d(const Gemm& gemm, const Corner& at, Tile& tile, CorePath& core) {
  for (int i = 0; i < at.rows; ++i) {
    for (int j = 0; j < at.columns; ++j) {
      if (tile.redo[index(i)][index(j)]) tile.d[index(i)][index(j)] = core.element(gemm, at.row + i, at.column + j);
    }
    gemm.d.set_row(at.row + i, at.column, at.columns, tile.d[index(i)].data());
  }
}

int parts(int whole, int part) { return (whole + part - 1) / part; }

// How much is decoded at a time: panels of B, and blocks of A by all threads.
struct Decoding {
  int rows = 0;  // of a block
  int panels = 0;
  std::size_t bytes = 0;
};

// Blocks of fewer rows where an element takes many bytes decoded, and a panel beside them.
template <class Path>
Decoding decoding(const Path& path, const Plan& plan, const Gemm& gemm, int threads) {
  const std::size_t line = path.line_bytes(gemm.k / plan.k), panel = panel_columns * line;
  const std::size_t allowed = workspace_of_matrices * matrix_bytes(gemm);
  const auto blocks_of = [&](int rows) {
    const int held = std::min(rows, parts(gemm.m, tile_rows) * tile_rows);
    const std::size_t gated = plan.mask < 0 ? 0 : gated_bytes(gemm, std::min(rows, gemm.m));
    return index(std::clamp(threads, 1, parts(gemm.m, rows))) * (index(held) * line + gated);
  };
  int rows = block_rows;
  while (rows > tile_rows && blocks_of(rows) + panel > allowed) rows -= tile_rows;
  const std::size_t a = blocks_of(rows), most = std::max(allowed, a + panel);
  const std::size_t panels = std::min((most - a) / panel, index(parts(gemm.n, panel_columns)));
  return {rows, static_cast<int>(panels), a + panels * panel};
}

Gemm some_columns(Gemm gemm, int first, int count) {
  gemm.n = count;
  gemm.b.data = gemm.b.at(0, first);
  gemm.c.data = gemm.c.at(0, first);
  gemm.d.data = gemm.d.at(0, first);
  if (gemm.scale_b.data != nullptr) gemm.scale_b.data = gemm.scale_b.at(0, first);
  return gemm;
}

template <class Path>
typename Path::Pack pack_block(const Path& path, const Plan& plan, const Gemm& gemm, int first, int rows) {
  if (plan.mask < 0) return path.pack_rows(gemm, first, rows);
  return path.pack_rows(GatedRows(plan, gemm, first, rows).gemm(), 0, rows);
}

// B is decoded once and A block by block, by whoever multiplies that block.
template <class Path>
void gemm_at_once(const Path& path, const Plan& plan, const Gemm& gemm, int threads, int rows_at_once,
                  std::vector<CorePath>& core) {
  std::vector<typename Path::Pack> panels(index(parts(gemm.n, panel_columns)));
  const auto columns_of = [&](int panel) { return std::min(panel_columns, gemm.n - panel * panel_columns); };
  parallel(static_cast<int>(panels.size()), threads, [&](int panel, int) {
    panels[index(panel)] = path.pack_panel(gemm, panel * panel_columns, columns_of(panel));
  });

  parallel(parts(gemm.m, rows_at_once), threads, [&](int block, int worker) {
    const int first = block * rows_at_once, rows = std::min(rows_at_once, gemm.m - first);
    const typename Path::Pack a = pack_block(path, plan, gemm, first, rows);
    Tile tile;
    for (int panel = 0; panel < static_cast<int>(panels.size()); ++panel) {
      for (int row = 0; row < rows; row += tile_rows) {
        const Corner at{first + row, panel * panel_columns, std::min(tile_rows, rows - row), columns_of(panel)};
        read_c(gemm, at, tile);
        path.tile(a, row, at.rows, panels[index(panel)], tile);
        write_d(gemm, at, tile, core[index(worker)]);
      }
    }
  });
}

template <class Path>
void gemm_by(const Path& path, const Plan& plan, const Gemm& gemm, int threads) {
  std::vector<CorePath> core = core_paths(plan, threads);
  const Decoding at_once = decoding(path, plan, gemm, threads);
  const int columns = at_once.panels * panel_columns;
  for (int first = 0; first < gemm.n; first += columns) {
    const Gemm some = some_columns(gemm, first, std::min(columns, gemm.n - first));
    gemm_at_once(path, plan, some, threads, at_once.rows, core);
  }
}

std::size_t workspace_by(ByCore, const Plan&, const Gemm&, int) { return 0; }

template <class Path>
std::size_t workspace_by(const Path& path, const Plan& plan, const Gemm& gemm, int threads) {
  return decoding(path, plan, gemm, threads).bytes;
}

// --- batches ---

void batch_by(ByCore, const Plan&, CorePath& core, const Operand* operands, std::size_t count, Code* d) {
  for (std::size_t i = 0; i < count; ++i) d[i] = core.dot(operands[i]);
}

// Cases side by side, as matrices of which only the diagonal is asked for.
struct Cases {
  std::vector<Code> a, b, scale_a, scale_b;

  Cases(const Plan& plan, const Operand* operands, int count) {
    for (int i = 0; i < count; ++i) {
      const Operand& x = operands[i];
      append_a(a, plan, x);
      b.insert(b.end(), x.b, x.b + plan.k);
      scale_a.insert(scale_a.end(), x.scale_a, x.scale_a + plan.scales);
      scale_b.insert(scale_b.end(), x.scale_b, x.scale_b + plan.scales);
    }
  }

  Gemm gemm(const Plan& plan, int count) const {
    Gemm g;
    g.m = g.n = count;
    g.k = plan.k;
    g.a = row_major(a.data(), plan.k);
    g.b = transposed(row_major(b.data(), plan.k));
    g.scale_a = row_major(scale_a.data(), plan.scales);
    g.scale_b = transposed(row_major(scale_b.data(), plan.scales));
    return g;
  }
};

// As many cases as a panel has columns.
template <class Path>
void lanes_by(const Path& path, const Plan& plan, CorePath& core, const Operand* operands, int count, Code* d) {
  const Cases cases(plan, operands, count);
  const Gemm gemm = cases.gemm(plan, count);
  Tile tile;
  for (int i = 0; i < count; ++i) tile.c[0][index(i)] = operands[i].c;
  path.lanes(path.pack_cases(gemm, count), path.pack_panel(gemm, 0, count), tile);
  for (int i = 0; i < count; ++i) d[i] = tile.redo[0][index(i)] ? core.dot(operands[i]) : tile.d[0][index(i)];
}

template <class Path>
void batch_by(const Path& path, const Plan& plan, CorePath& core, const Operand* operands, std::size_t count, Code* d) {
  for (std::size_t i = 0; i < count; i += panel_columns) {
    const auto some = static_cast<int>(std::min<std::size_t>(panel_columns, count - i));
    lanes_by(path, plan, core, operands + i, some, d + i);
  }
}

}  // namespace

Kernel::Path Kernel::path_for(const Plan& plan) {
  if (plan.brings_numbers() || (plan.mask >= 0 && !gates_as_zero(plan))) return ByCore{};
  const DefaultFloatingPoint floating_point;
  const bool rereads_acc = plan.datapath.subnormals_acc != Subnormals::keep && plan.steps > 1;
  const bool whole = adds_whole_products(plan) && keeps_values(plan) && !rereads_acc;
  const bool plain = is_plain(plan) && adds_as_given(plan) && whole;
  if (plain) {
    if (auto fused = Fused::of(plan)) return *std::move(fused);
    if (auto groups = GroupsKernel::of(plan)) return *std::move(groups);
  }
  if (whole && !mixes_kinds(plan)) {
    if (auto floats = IeeeKernel<float>::of(plan)) return *std::move(floats);
    if (auto doubles = IeeeKernel<double>::of(plan)) return *std::move(doubles);
  }
  if (plain) {
    if (auto exact = ExactKernel::of(plan)) return *std::move(exact);
  }
  if (auto doubles = DoublesKernel::of(plan)) return *std::move(doubles);
  if (whole && is_plain(plan)) {
    if (auto integers = IntegerKernel::of(plan)) return *integers;
  }
  return ByCore{};
}

Kernel::Kernel(const Plan& plan) : plan_(plan), path_(path_for(plan)) {}

std::string_view Kernel::path() const {
  return std::visit([](const auto& path) { return path.name; }, path_);
}

std::string Kernel::problem(const Gemm& gemm) const {
  if (gemm.more.size() != plan_.more.size())
    return "Beside a, b, c and pairs of scales the product brings " + std::to_string(gemm.more.size()) +
           " operands; this datapath takes " + std::to_string(plan_.more.size()) + ".";
  return shape_problem(plan_, gemm.m, gemm.n, gemm.k);
}

void Kernel::gemm(const Gemm& gemm, int threads) const {
  assert(problem(gemm).empty());
  const DefaultFloatingPoint floating_point;
  std::visit([&](const auto& path) { gemm_by(path, plan_, gemm, threads); }, path_);
}

std::size_t Kernel::workspace(const Gemm& gemm, int threads) const {
  assert(problem(gemm).empty());
  return std::visit([&](const auto& path) { return workspace_by(path, plan_, gemm, threads); }, path_);
}

void Kernel::batch(const Operand* operands, std::size_t count, Code* d, int threads) const {
  const DefaultFloatingPoint floating_point;
  std::vector<CorePath> core = core_paths(plan_, threads);
  const auto turns = static_cast<int>((count + turn_cases - 1) / turn_cases);
  parallel(turns, threads, [&](int turn, int worker) {
    const std::size_t first = index(turn) * turn_cases, some = std::min(turn_cases, count - first);
    CorePath& own = core[index(worker)];
    std::visit([&](const auto& path) { batch_by(path, plan_, own, operands + first, some, d + first); }, path_);
  });
}

}  // namespace assay
