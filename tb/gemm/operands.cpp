#include "tb/gemm/operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "model/fast/kernel.hpp"
#include "tb/generate/codes.hpp"
#include "tb/vectors/reader.hpp"

namespace assay::gemm {
namespace {

std::size_t size(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

std::string types_text(const Types& t) { return fmt::format("{} x {} + {} -> {}", t.a, t.b, t.d, t.d); }

bool has_types(const Operands& o, const Types& t) { return o.a == t.a && o.b == t.b && o.c == t.d && o.d == t.d; }

std::string types_there_are(const Architecture& architecture) {
  std::set<std::string> all;
  for (const Instruction& i : architecture.instructions) {
    if (i.operands.c == i.operands.d) all.insert(types_text({i.operands.a, i.operands.b, i.operands.d}));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

bool is_plain(const Instruction* i) { return i->operands.scale.empty() && !i->operands.mask; }

// Of an architecture's instructions of these types one on each datapath: the one of most terms that K is a multiple of,
// of several the last, which is the newest. With block scales or a mask only where there is none without.
std::vector<const Instruction*> chosen_instructions(const Architecture& architecture, const Types& types, int k) {
  std::vector<const Instruction*> all;
  for (const Instruction& i : architecture.instructions) {
    if (has_types(i.operands, types)) all.push_back(&i);
  }
  if (all.empty()) {
    throw Error{fmt::format("{} has no instruction for {}; it has {}.", architecture.name, types_text(types),
                            types_there_are(architecture))};
  }
  const bool plain = std::any_of(all.begin(), all.end(), is_plain);
  std::vector<const Instruction*> chosen;
  for (const Instruction* i : all) {
    if (k % i->k != 0 || (plain && !is_plain(i))) continue;
    const auto same = std::find_if(chosen.begin(), chosen.end(),
                                   [&](const Instruction* other) { return other->datapath == i->datapath; });
    if (same == chosen.end()) {
      chosen.push_back(i);
    } else if (i->k >= (*same)->k) {
      *same = i;
    }
  }
  if (!chosen.empty()) return chosen;
  throw Error{fmt::format("No instruction of {} for {} takes a number of terms that K = {} is a multiple of.",
                          architecture.name, types_text(types), k)};
}

std::string mask_text(const CaseOperand& mask) {
  const Mask& words = mask.pattern;
  return words.has_pattern() ? fmt::format(", a mask of {} in {}, units of {}", *words.take, *words.among, words.unit)
                             : ", a mask";
}

std::string operands_text(const Plan& p) {
  std::string text = fmt::format("{} x {} + {} -> {}", p.a.name, p.b.name, p.c.name, p.d.name);
  if (p.scale) text += fmt::format(", scales {} for {} each", p.scale->name, p.scale_block);
  for (const CaseOperand& more : p.more) {
    text += more.kind == CaseOperandKind::mask ? mask_text(more)
            : more.kind == CaseOperandKind::random
                ? fmt::format(", {} random words of {} bits for {} terms", more.count, more.format.stored_bits, p.k)
                : fmt::format(", {} {} of {} for {} each", more.name, more.format.name, word(more.of), more.block);
  }
  return text;
}

void add_subjects(const std::string& name, const Types& types, int k, const Catalogue& catalogue,
                  std::vector<Subject>& into) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) {
    into.push_back(subject_of_file(catalogue, name));
  } else if (const auto alone = catalogue.find_instruction(name)) {
    into.push_back(subject_of(catalogue, *alone));
  } else {
    for (const Instruction* i : chosen_instructions(catalogue.architecture(name), types, k))
      into.push_back(subject_of(catalogue, *i));
  }
}

// What the cases of rows and of columns bring besides. An element's random words are its row's plus its column's, which
// spares a case for each element.
class Further {
 public:
  Further(const Plan& plan, Matrices& into) : plan_(plan), x_(into) {
    for (const CaseOperand& more : plan.more)
      x_.more.emplace_back(matrix_size(owner_of(more), x_.m, x_.n, codes(more)).size());
  }

  void take_row(const Case& one, int row, int step) {
    put(one, Owner::row, step, {row, 0});
    for (int j = 0; j < x_.n; ++j) put(one, Owner::element, step, {row, j});
  }

  void take_column(const Case& one, int column, int step) {
    put(one, Owner::column, step, {0, column});
    for (int i = 0; i < x_.m; ++i) put(one, Owner::element, step, {i, column});
  }

 private:
  int codes(const CaseOperand& more) const { return x_.k / plan_.k * more.count; }

  void put(const Case& one, Owner owner, int step, const MatrixPlace& at) {
    for (std::size_t m = 0; m < plan_.more.size(); ++m) {
      const CaseOperand& more = plan_.more[m];
      if (owner_of(more) != owner) continue;
      for (int t = 0; t < more.count; ++t) {
        Code& code = x_.more[m][code_place(owner, at, x_.n, codes(more), step * more.count + t)];
        code = (code + one.more[static_cast<std::size_t>(more.first + t)]) & all_bits(more.format);
      }
    }
  }

  const Plan& plan_;
  Matrices& x_;
};

Matrix view(const std::vector<Code>& codes, int columns) { return row_major(codes.data(), columns); }

}  // namespace

std::string usual_d(const Format& a) { return a.is_integer() ? "i32" : a.name == "f64" ? "f64" : "f32"; }

std::string usual_family(const Plan& plan) { return plan.a.is_integer() ? "raw" : "gaussian"; }

std::vector<Subject> subjects_of(const std::vector<std::string>& names, const Types& types, int k,
                                 const Catalogue& catalogue) {
  std::vector<Subject> all;
  for (const std::string& name : names) add_subjects(name, types, k, catalogue, all);
  return all;
}

void check(const std::vector<Subject>& subjects, const Extents& e) {
  for (const Subject& s : subjects) {
    const std::string problem = shape_problem(s.plan, e.m, e.n, e.k);
    if (!problem.empty()) throw Error{s.name + ": " + problem};
    const std::string own = operands_text(s.plan), first = operands_text(subjects.front().plan);
    if (own != first) {
      throw Error{fmt::format("{} computes {}, but {} computes {}; one product needs the same operands.", s.name, own,
                              subjects.front().name, first)};
    }
  }
}

Matrices generated(const Plan& plan, const Extents& e, const Generator& generator) {
  const int steps = e.k / plan.k, blocks = steps * plan.scales;
  Matrices x{e.m, e.n, e.k, {}, {}, {}, {}, {}};
  x.a.resize(size(e.m, e.k)), x.b.resize(size(e.k, e.n)), x.c.resize(size(e.m, e.n));
  x.scale_a.resize(size(e.m, blocks)), x.scale_b.resize(size(blocks, e.n));
  Further further(plan, x);
  std::uint64_t number = 0;
  for (int i = 0; i < e.m; ++i) {
    for (int s = 0; s < steps; ++s) {
      const Case one = generator.make(number++);
      further.take_row(one, i, s);
      std::copy(one.a.begin(), one.a.end(), x.a.begin() + i * e.k + s * plan.k);
      std::copy(one.scale_a.begin(), one.scale_a.end(), x.scale_a.begin() + i * blocks + s * plan.scales);
    }
  }
  for (int j = 0; j < e.n; ++j) {
    for (int s = 0; s < steps; ++s) {
      const Case one = generator.make(number++);
      further.take_column(one, j, s);
      for (int t = 0; t < plan.k; ++t)
        x.b[size(s * plan.k + t, e.n) + static_cast<std::size_t>(j)] = one.b[static_cast<std::size_t>(t)];
      for (int t = 0; t < plan.scales; ++t)
        x.scale_b[size(s * plan.scales + t, e.n) + static_cast<std::size_t>(j)] =
            one.scale_b[static_cast<std::size_t>(t)];
    }
  }
  return x;
}

std::optional<FileOperands> from_file(const std::string& file, const Catalogue& catalogue) {
  VectorReader reader(file);
  const Subject subject = subject_of_header(catalogue, reader.header(), file);
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  MatrixCase matrix;
  for (Case element; reader.next(shape, element);) {
    if (!element.element) break;
    if (put_together(element, shape, matrix))
      return FileOperands{{subject.plan.a.name, subject.plan.b.name, subject.plan.d.name}, matrix.operands};
  }
  return std::nullopt;
}

GemmProduct product(const Plan& plan, const Matrices& x, int threads) {
  const int blocks = x.k / plan.k * plan.scales;
  std::vector<Code> d(x.c.size());
  Gemm gemm{x.m, x.n, x.k, view(x.a, x.k), view(x.b, x.n), view(x.c, x.n), {}, {}, row_major(d.data(), x.n)};
  if (plan.scale) gemm.scale_a = view(x.scale_a, blocks), gemm.scale_b = view(x.scale_b, x.n);
  for (std::size_t i = 0; i < plan.more.size(); ++i) {
    const CaseOperand& more = plan.more[i];
    gemm.more.push_back(view(x.more[i], matrix_size(owner_of(more), x.m, x.n, x.k / plan.k * more.count).columns));
  }
  const Kernel kernel(plan);
  kernel.gemm(gemm, threads);
  return {std::move(d), std::string(kernel.path())};
}

Case element_of(const Plan& plan, const Matrices& x, int row, int column) {
  const int blocks = x.k / plan.k * plan.scales;
  Case element;
  element.c = x.c[size(row, x.n) + static_cast<std::size_t>(column)];
  for (int t = 0; t < x.k; ++t) {
    element.a.push_back(x.a[size(row, x.k) + static_cast<std::size_t>(t)]);
    element.b.push_back(x.b[size(t, x.n) + static_cast<std::size_t>(column)]);
  }
  for (int t = 0; t < blocks; ++t) {
    element.scale_a.push_back(x.scale_a[size(row, blocks) + static_cast<std::size_t>(t)]);
    element.scale_b.push_back(x.scale_b[size(t, x.n) + static_cast<std::size_t>(column)]);
  }
  for (std::size_t i = 0; i < plan.more.size(); ++i) {
    const int codes = x.k / plan.k * plan.more[i].count;
    for (int t = 0; t < codes; ++t)
      element.more.push_back(x.more[i][code_place(owner_of(plan.more[i]), {row, column}, x.n, codes, t)]);
  }
  return element;
}

}  // namespace assay::gemm
