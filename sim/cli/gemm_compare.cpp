#include "sim/cli/gemm_compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/output_file.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/program/number_option.hpp"
#include "tb/gemm/comparison.hpp"

namespace assay {
namespace {

using gemm::Extents;
using gemm::Types;

constexpr std::int64_t most_elements = 1 << 24;  // of one matrix: 128 MiB of codes

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

Types types_of(const std::string& text) {
  const std::vector<std::string> names = split(text, ',');
  if (text.empty() || names.size() > 3) {
    throw Error{"--formats takes the formats of A, B and D, such as f16 or e4m3,e5m2 or f16,f16,f16; found '" + text +
                "'."};
  }
  std::vector<const Format*> found;
  for (const std::string& name : names) {
    found.push_back(find_format(name));
    if (found.back() == nullptr)
      throw Error{fmt::format("--formats: '{}' is no format; there are {}.", name, format_names())};
  }
  const Format& b = *found[found.size() > 1 ? 1 : 0];
  return {found[0]->name, b.name, found.size() > 2 ? found[2]->name : gemm::usual_d(*found[0])};
}

gemm::FileOperands file_operands(const GemmOptions& options, const Catalogue& catalogue) {
  if (!options.formats.empty()) throw Error{"--formats goes with --gemm MxNxK; a file says its own formats."};
  std::optional<gemm::FileOperands> file = gemm::from_file(options.gemm, catalogue);
  if (file) return *std::move(file);
  throw Error{options.gemm + ": the first case is no whole matrix; --gemm needs one with \"A\", \"B\" and \"C\"."};
}

std::vector<Subject> subjects_of(const GemmOptions& options, const Types& types, const Extents& e,
                                 const Catalogue& catalogue) {
  std::vector<Subject> subjects = gemm::subjects_of(options.architectures, types, e.k, catalogue);
  if (subjects.size() < 2) {
    throw Error{
        "--architectures takes two or more, separated by commas: architectures, ARCHITECTURE:INSTRUCTION or datapath "
        "files. Here is one instruction alone."};
  }
  gemm::check(subjects, e);
  return subjects;
}

}  // namespace

std::optional<Extents> extents_of(const std::string& text) {
  const std::vector<std::string> parts = split(text, 'x');
  const auto is_number = [](const std::string& part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
  };
  if (parts.size() != 3 || !std::all_of(parts.begin(), parts.end(), is_number)) return std::nullopt;
  std::vector<int> numbers;
  for (const std::string& part : parts) {
    int number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc{} || number < 1)
      throw Error{
          fmt::format("--gemm {}: '{}' is no number of rows, columns or products; it is from 1 up.", text, part)};
    numbers.push_back(number);
  }
  const Extents e{numbers[0], numbers[1], numbers[2]};
  const std::int64_t m = e.m, n = e.n, k = e.k;
  if (m * k > most_elements || k * n > most_elements || m * n > most_elements) {
    throw Error{fmt::format("--gemm {} has a matrix of more than {} elements, the most that is taken here.", text,
                            grouped(most_elements))};
  }
  return e;
}

CommandOption GemmOptions::add(Command command) {
  CommandOption option = command.add_option(
      "--gemm", gemm,
      "Multiplies matrices of M x N x K on several architectures: MxNxK, or a file with a whole matrix; or MxNxK on "
      "--device, its d handed on as c along K");
  command.add_option("--formats", formats, "With --gemm MxNxK: the formats of A, B and D, such as f16 or e4m3,e5m2,f32")
      .needs(option);
  command
      .add_option("--architectures", architectures,
                  "With --gemm: two or more architectures, ARCHITECTURE:INSTRUCTION or datapath files")
      .delimiter(',')
      .needs(option);
  return option;
}

gemm::GemmProblem gemm_problem(const GemmOptions& options, std::uint64_t seed, const std::string& family,
                               const Catalogue& catalogue) {
  const std::optional<Extents> e = extents_of(options.gemm);
  if (!e) {
    gemm::FileOperands file = file_operands(options, catalogue);
    const Extents own{file.matrices.m, file.matrices.n, file.matrices.k};
    return {"the first case of " + options.gemm, subjects_of(options, file.types, own, catalogue),
            std::move(file.matrices)};
  }
  std::vector<Subject> subjects = subjects_of(options, types_of(options.formats), *e, catalogue);
  const Plan& plan = subjects.front().plan;
  GenerateOptions from;
  from.seed = seed;
  from.family = family.empty() ? gemm::usual_family(plan) : family;
  Matrices matrices = gemm::generated(plan, *e, from.open(plan));
  return {fmt::format("family {}, seed {}", from.family, seed), std::move(subjects), std::move(matrices)};
}

int compare_gemm(const GemmCompareOptions& options, const Console& console) {
  if ((options.seed_given || !options.family.empty()) && !extents_of(options.problem.gemm))
    throw Error{"--seed and --family go with --gemm MxNxK; a file has its own matrices."};
  const gemm::GemmProblem problem = gemm_problem(options.problem, options.seed, options.family, shipped_catalogue());
  Progress progress(console, gemm::parts(problem), "products and pairs");
  const gemm::GemmComparison found =
      gemm::compared(problem, options.threads, [&](std::size_t done) { progress.at(done); });
  if (options.json) {
    show_json(as_json(found), console);
  } else {
    console.out << as_text(found);
  }
  if (!options.html.empty()) write_whole_file(options.html, as_page(found));
  return found.all_agree() ? passed : mismatch;
}

}  // namespace assay
