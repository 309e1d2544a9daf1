#include "sim/cli/gemm_operands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "model/fast/kernel.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/program/number_option.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

constexpr std::int64_t most_elements = 1 << 24;  // of one matrix: 128 MiB of codes

std::size_t size(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t end = text.find(at); end != std::string::npos; end = text.find(at, from)) {
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

struct Extents {
  int m = 0, n = 0, k = 0;
};

std::optional<Extents> extents_of(const std::string& text) {
  const std::vector<std::string> parts = split(text, 'x');
  std::vector<int> numbers;
  for (const std::string& part : parts) {
    int number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error == std::errc{} && end == part.data() + part.size() && number > 0) numbers.push_back(number);
  }
  if (parts.size() != 3 || numbers.size() != 3) return std::nullopt;
  const Extents e{numbers[0], numbers[1], numbers[2]};
  const std::int64_t m = e.m, n = e.n, k = e.k;
  if (m * k > most_elements || k * n > most_elements || m * n > most_elements) {
    throw ConfigError{fmt::format("--gemm {} has a matrix of more than {} elements, the most that is taken here.", text,
                                  grouped(most_elements))};
  }
  return e;
}

struct Types {
  std::string a, b, d;
};

std::string types_text(const Types& t) { return fmt::format("{} x {} + {} -> {}", t.a, t.b, t.d, t.d); }

// The sums' usual format: f32, and what holds everything where that is another one.
std::string usual_d(const Format& a) { return a.is_integer() ? "i32" : a.name == "f64" ? "f64" : "f32"; }

Types types_of(const std::string& text) {
  const std::vector<std::string> names = split(text, ',');
  if (text.empty() || names.size() > 3) {
    throw ConfigError{"--formats takes the formats of A, B and D, such as f16 or e4m3,e5m2 or f16,f16,f16; found '" +
                      text + "'."};
  }
  std::vector<const Format*> found;
  for (const std::string& name : names) {
    found.push_back(find_format(name));
    if (found.back() == nullptr)
      throw ConfigError{fmt::format("--formats: '{}' is no format; there are {}.", name, format_names())};
  }
  const Format& b = *found[found.size() > 1 ? 1 : 0];
  return {found[0]->name, b.name, found.size() > 2 ? found[2]->name : usual_d(*found[0])};
}

bool has_types(const Operands& o, const Types& t) { return o.a == t.a && o.b == t.b && o.c == t.d && o.d == t.d; }

std::string types_there_are(const Architecture& architecture) {
  std::set<std::string> all;
  for (const Instruction& i : architecture.instructions) {
    if (i.operands.c == i.operands.d) all.insert(types_text({i.operands.a, i.operands.b, i.operands.d}));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

// Of an architecture's instructions of these types one on each datapath: the one of most terms that K is a multiple of,
// of several the last, which is the newest. With block scales only where there is none without.
std::vector<const Instruction*> chosen_instructions(const Architecture& architecture, const Types& types, int k) {
  std::vector<const Instruction*> all;
  for (const Instruction& i : architecture.instructions) {
    if (has_types(i.operands, types)) all.push_back(&i);
  }
  if (all.empty()) {
    throw ConfigError{fmt::format("{} has no instruction for {}; it has {}.", architecture.name, types_text(types),
                                  types_there_are(architecture))};
  }
  const bool plain =
      std::any_of(all.begin(), all.end(), [](const Instruction* i) { return i->operands.scale.empty(); });
  std::vector<const Instruction*> chosen;
  for (const Instruction* i : all) {
    if (k % i->k != 0 || (plain && !i->operands.scale.empty())) continue;
    const auto same = std::find_if(chosen.begin(), chosen.end(),
                                   [&](const Instruction* other) { return other->datapath == i->datapath; });
    if (same == chosen.end()) {
      chosen.push_back(i);
    } else if (i->k >= (*same)->k) {
      *same = i;
    }
  }
  if (!chosen.empty()) return chosen;
  throw ConfigError{fmt::format("No instruction of {} for {} takes a number of terms that K = {} is a multiple of.",
                                architecture.name, types_text(types), k)};
}

void add_subjects(const std::string& name, const Types& types, int k, const Catalogue& catalogue,
                  std::vector<Subject>& into) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) {
    into.push_back(subject_of_file(catalogue, name));
  } else if (const Instruction* alone = catalogue.find_instruction(name)) {
    into.push_back(subject_of(catalogue, *alone));
  } else {
    for (const Instruction* i : chosen_instructions(catalogue.architecture(name), types, k))
      into.push_back(subject_of(catalogue, *i));
  }
}

std::string operands_text(const Plan& p) {
  const std::string scales = p.scale ? fmt::format(", scales {} for {} each", p.scale->name, p.scale_block) : "";
  return fmt::format("{} x {} + {} -> {}{}", p.a.name, p.b.name, p.c.name, p.d.name, scales);
}

// That all take the same matrices.
void check(const std::vector<Subject>& subjects, const Extents& e) {
  if (subjects.size() < 2) {
    throw ConfigError{
        "--architectures takes two or more, separated by commas: architectures, ARCHITECTURE:INSTRUCTION or datapath "
        "files. Here is one instruction alone."};
  }
  for (const Subject& s : subjects) {
    const std::string problem = shape_problem(s.plan, e.m, e.n, e.k);
    if (!problem.empty()) throw ConfigError{s.name + ": " + problem};
    const std::string own = operands_text(s.plan), first = operands_text(subjects.front().plan);
    if (own != first) {
      throw ConfigError{fmt::format("{} computes {}, but {} computes {}; one product needs the same formats.", s.name,
                                    own, subjects.front().name, first)};
    }
  }
}

// Rows of A, and columns of B, are the operands of cases that have nothing to do with each other; C is zero.
Matrices generated(const Plan& plan, const Extents& e, const Generator& generator) {
  const int steps = e.k / plan.k, blocks = steps * plan.scales;
  Matrices x{e.m, e.n, e.k, {}, {}, {}, {}, {}};
  x.a.resize(size(e.m, e.k)), x.b.resize(size(e.k, e.n)), x.c.resize(size(e.m, e.n));
  x.scale_a.resize(size(e.m, blocks)), x.scale_b.resize(size(blocks, e.n));
  std::uint64_t number = 0;
  for (int i = 0; i < e.m; ++i) {
    for (int s = 0; s < steps; ++s) {
      const Case one = generator.make(number++);
      std::copy(one.a.begin(), one.a.end(), x.a.begin() + i * e.k + s * plan.k);
      std::copy(one.scale_a.begin(), one.scale_a.end(), x.scale_a.begin() + i * blocks + s * plan.scales);
    }
  }
  for (int j = 0; j < e.n; ++j) {
    for (int s = 0; s < steps; ++s) {
      const Case one = generator.make(number++);
      for (int t = 0; t < plan.k; ++t)
        x.b[size(s * plan.k + t, e.n) + static_cast<std::size_t>(j)] = one.b[static_cast<std::size_t>(t)];
      for (int t = 0; t < plan.scales; ++t)
        x.scale_b[size(s * plan.scales + t, e.n) + static_cast<std::size_t>(j)] =
            one.scale_b[static_cast<std::size_t>(t)];
    }
  }
  return x;
}

struct FileOperands {
  Types types;
  Matrices matrices;
};

FileOperands from_file(const std::string& file, const Catalogue& catalogue) {
  VectorReader reader(file);
  const Subject subject = subject_of_header(catalogue, reader.header(), file);
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  MatrixCase matrix;
  for (Case element; reader.next(shape, element);) {
    if (!element.element) break;
    if (put_together(element, matrix))
      return {{subject.plan.a.name, subject.plan.b.name, subject.plan.d.name}, matrix.operands};
  }
  throw ConfigError{file + ": the first case is no whole matrix; --gemm needs one with \"A\", \"B\" and \"C\"."};
}

Matrix view(const std::vector<Code>& codes, int columns) { return row_major(codes.data(), columns); }

}  // namespace

CLI::Option* GemmOptions::add(CLI::App& command) {
  CLI::Option* option = command.add_option(
      "--gemm", gemm,
      "Multiplies matrices of M x N x K on several architectures: MxNxK, or a file with a whole matrix");
  command
      .add_option("--formats", formats, "With --gemm MxNxK: the formats of A, B and D, such as f16 or e4m3,e5m2,f32")
      ->needs(option);
  command
      .add_option("--architectures", architectures,
                  "With --gemm: two or more architectures, ARCHITECTURE:INSTRUCTION or datapath files")
      ->delimiter(',')
      ->needs(option);
  add_number(command, "--threads", threads, {1, 256}, "With --gemm: how many threads multiply")
      ->needs(option)
      ->capture_default_str();
  return option;
}

GemmProblem gemm_problem(const GemmOptions& options, std::uint64_t seed, const std::string& family,
                         const Catalogue& catalogue) {
  GemmProblem problem;
  const std::optional<Extents> given = extents_of(options.gemm);
  FileOperands file;
  if (!given) {
    if (!options.formats.empty()) throw ConfigError{"--formats goes with --gemm MxNxK; a file says its own formats."};
    file = from_file(options.gemm, catalogue);
  }
  const Types types = given ? types_of(options.formats) : file.types;
  const Extents extents = given ? *given : Extents{file.matrices.m, file.matrices.n, file.matrices.k};
  for (const std::string& name : options.architectures)
    add_subjects(name, types, extents.k, catalogue, problem.subjects);
  check(problem.subjects, extents);
  if (!given) {
    problem.operands = "the first case of " + options.gemm;
    problem.matrices = std::move(file.matrices);
    return problem;
  }
  const Plan& plan = problem.subjects.front().plan;
  GenerateOptions from;
  from.seed = seed;
  from.family = !family.empty() ? family : plan.a.is_integer() ? "raw" : "gaussian";
  problem.operands = fmt::format("family {}, seed {}", from.family, seed);
  problem.matrices = generated(plan, extents, from.open(plan));
  return problem;
}

std::vector<Code> gemm_product(const Plan& plan, const Matrices& x, int threads, std::string& path) {
  const int blocks = x.k / plan.k * plan.scales;
  std::vector<Code> d(x.c.size());
  Gemm gemm{x.m, x.n, x.k, view(x.a, x.k), view(x.b, x.n), view(x.c, x.n), {}, {}, row_major(d.data(), x.n)};
  if (plan.scale) gemm.scale_a = view(x.scale_a, blocks), gemm.scale_b = view(x.scale_b, x.n);
  const Kernel kernel(plan);
  kernel.gemm(gemm, threads);
  path = kernel.path();
  return d;
}

Case gemm_element(const Plan& plan, const Matrices& x, int row, int column) {
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
  return element;
}

}  // namespace assay
