#include "tb/oracle/instruction.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <istream>
#include <stdexcept>

namespace assay::exact {
namespace {

constexpr std::string_view kHeader =
    "architecture,name,sass,m,n,k,blocks,a,b,c,d,scale,scale_block,algorithm,terms_per_step,fraction_bits,"
    "exponent_floor,output_fraction_bits,evidence";

// Columns, counted from 0. `sass` and `blocks` say nothing about the arithmetic and are not kept.
enum Column {
  kArchitecture = 0,
  kName = 1,
  kM = 3,
  kN = 4,
  kK = 5,
  kA = 7,
  kB = 8,
  kC = 9,
  kD = 10,
  kScale = 11,
  kScaleBlock = 12,
  kAlgorithm = 13,
  kTermsPerStep = 14,
  kFractionBits = 15,
  kExponentFloor = 16,
  kOutputFractionBits = 17,
  kEvidence = 18,
};

struct Name {
  Algorithm algorithm;
  std::string_view text;
};

constexpr std::array kNames{
    Name{Algorithm::sfma, "sfma"},
    Name{Algorithm::fda, "fda"},
    Name{Algorithm::cofda, "cofda"},
    Name{Algorithm::emulated_fp8, "emulated_fp8"},
    Name{Algorithm::gdfs, "gdfs"},
    Name{Algorithm::fdrda, "fdrda"},
    Name{Algorithm::cofdrda, "cofdrda"},
    Name{Algorithm::gfdrda, "gfdrda"},
    Name{Algorithm::cogfdrda, "cogfdrda"},
    Name{Algorithm::gps, "gps"},
    Name{Algorithm::exact, "exact"},
    Name{Algorithm::integer, "integer"},
    Name{Algorithm::x86_amx_bf16, "x86_amx_bf16"},
    Name{Algorithm::x86_amx_f16, "x86_amx_f16"},
    Name{Algorithm::x86_avx512_bf16, "x86_avx512_bf16"},
};

std::string algorithm_names() {
  std::string names;
  for (const Name& name : kNames) names += (names.empty() ? "" : ", ") + std::string(name.text);
  return names;
}

using Fields = std::vector<std::string>;

Fields split(const std::string& line) {
  Fields fields{""};
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<std::string_view> column_names() {
  std::vector<std::string_view> names;
  for (std::size_t from = 0; from < kHeader.size();) {
    const std::size_t to = std::min(kHeader.find(',', from), kHeader.size());
    names.push_back(kHeader.substr(from, to - from));
    from = to + 1;
  }
  return names;
}

[[noreturn]] void wrong(Column column, const std::string& found, const std::string& right) {
  throw std::runtime_error("column '" + std::string(column_names()[column]) + "' is '" + found + "'; " + right + ".");
}

std::optional<int> optional_integer(const Fields& fields, Column column) {
  const std::string& text = fields[column];
  if (text.empty()) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) wrong(column, text, "it must be an integer or empty");
  return value;
}

int positive_integer(const Fields& fields, Column column) {
  const int value = optional_integer(fields, column).value_or(0);
  if (value <= 0) wrong(column, fields[column], "it must be an integer greater than 0");
  return value;
}

Format format(const Fields& fields, Column column) {
  const Format* found = find_format(fields[column]);
  if (found == nullptr) wrong(column, fields[column], "it must be one of " + format_names());
  return *found;
}

Algorithm algorithm(const Fields& fields) {
  for (const Name& name : kNames) {
    if (name.text == fields[kAlgorithm]) return name.algorithm;
  }
  wrong(kAlgorithm, fields[kAlgorithm], "it must be one of " + algorithm_names());
}

// Without the carriage return of a file with CRLF line ends.
bool next_line(std::istream& text, std::string& line) {
  if (!std::getline(text, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

Instruction parse(const std::string& line) {
  const Fields fields = split(line);
  if (fields.size() != column_names().size()) {
    throw std::runtime_error("there are " + std::to_string(fields.size()) + " fields; there must be " +
                             std::to_string(column_names().size()) + ".");
  }
  Instruction i;
  i.architecture = fields[kArchitecture];
  i.name = fields[kName];
  i.m = positive_integer(fields, kM);
  i.n = fields[kN];
  i.k = positive_integer(fields, kK);
  i.a = format(fields, kA);
  i.b = format(fields, kB);
  i.c = format(fields, kC);
  i.d = format(fields, kD);
  if (!fields[kScale].empty()) i.scale = format(fields, kScale);
  if (i.scale) i.scale_block = positive_integer(fields, kScaleBlock);
  i.algorithm = algorithm(fields);
  i.terms_per_step = positive_integer(fields, kTermsPerStep);
  i.fraction_bits = optional_integer(fields, kFractionBits);
  i.exponent_floor = optional_integer(fields, kExponentFloor);
  i.output_fraction_bits = optional_integer(fields, kOutputFractionBits);
  i.evidence = fields[kEvidence];
  if (const std::string sentence = fault(i); !sentence.empty()) throw std::runtime_error(sentence);
  return i;
}

bool is(const Format& format, std::string_view name) { return format.name == name; }

// What only this algorithm asks of its row; empty where it is there.
std::string fault_of_algorithm(const Instruction& i) {
  const bool widths = i.fraction_bits && i.exponent_floor && i.output_fraction_bits;
  const bool f32_only = is(i.c, "f32") && is(i.d, "f32");
  switch (i.algorithm) {
    case Algorithm::fda:
    case Algorithm::cofda:
      if (!widths) return "needs fraction_bits, exponent_floor and output_fraction_bits";
      if (!is(i.d, "f32") && !is(i.d, "f16")) return "delivers f32 or f16";
      if (i.algorithm == Algorithm::fda && i.terms_per_step != i.k) return "is one step: terms_per_step must be k";
      return "";
    case Algorithm::emulated_fp8:
      if (!widths) return "needs fraction_bits, exponent_floor and output_fraction_bits";
      if (!is(i.d, "f32") && !is(i.d, "f16")) return "delivers f32 or f16";
      return i.k == 2 * i.terms_per_step && i.k % 4 == 0 ? "" : "takes two steps: k must be twice terms_per_step";
    case Algorithm::gdfs:
      if (!widths || !f32_only) return "needs fraction_bits, exponent_floor, output_fraction_bits, and f32 for c and d";
      if (!i.scale || i.k % 16 != 0 || i.scale_block % 16 != 0) return "needs scales, k and scale_block in sixteens";
      return "";
    case Algorithm::fdrda:
    case Algorithm::gfdrda:
      if (i.terms_per_step != i.k) return "is one step: terms_per_step must be k";
      return i.fraction_bits && f32_only ? "" : "needs fraction_bits, and f32 for c and d";
    case Algorithm::cofdrda:
    case Algorithm::cogfdrda: return i.fraction_bits && f32_only ? "" : "needs fraction_bits, and f32 for c and d";
    case Algorithm::gps:
      if (i.terms_per_step != 2 && i.terms_per_step != 4)
        return "adds in pairs or fours: terms_per_step must be 2 or 4";
      return f32_only ? "" : "needs f32 for c and d";
    case Algorithm::x86_amx_bf16:
    case Algorithm::x86_amx_f16: return f32_only && i.k % 2 == 0 ? "" : "needs f32 for c and d, and an even k";
    case Algorithm::x86_avx512_bf16: return f32_only && i.k == 2 ? "" : "needs f32 for c and d, and a k of 2";
    case Algorithm::sfma:
    case Algorithm::exact: return is(i.c, i.d.name) && i.d.has_infinity ? "" : "needs one IEEE format for c and d";
    case Algorithm::integer: {
      const bool integers = i.a.is_integer() && i.b.is_integer() && i.c.is_integer() && i.d.is_integer();
      return integers ? "" : "needs integer formats";
    }
  }
  return "";
}

std::string algorithm_name(Algorithm algorithm) {
  const auto* found =
      std::find_if(kNames.begin(), kNames.end(), [&](const Name& n) { return n.algorithm == algorithm; });
  return std::string(found->text);
}

bool takes_scales(Algorithm algorithm) { return algorithm == Algorithm::fda || algorithm == Algorithm::gdfs; }

}  // namespace

std::string title(const Instruction& instruction) { return instruction.architecture + " " + instruction.name; }

std::string fault(const Instruction& i) {
  if (i.k <= 0 || i.terms_per_step <= 0 || i.k % i.terms_per_step != 0) {
    return "k is " + std::to_string(i.k) + " and terms_per_step " + std::to_string(i.terms_per_step) +
           "; k must be a multiple of it.";
  }
  if (i.scale && (i.scale_block <= 0 || i.k % i.scale_block != 0)) {
    return "k is " + std::to_string(i.k) + " and scale_block " + std::to_string(i.scale_block) +
           "; k must be a multiple of it.";
  }
  const std::string name = algorithm_name(i.algorithm);
  if (i.scale && !takes_scales(i.algorithm)) return "algorithm " + name + " takes no scales; fda and gdfs do.";
  const std::string rest = fault_of_algorithm(i);
  return rest.empty() ? "" : "algorithm " + name + " " + rest + ".";
}

std::vector<Instruction> read_instructions(std::istream& text, const std::string& where) {
  std::vector<Instruction> instructions;
  std::string line;
  if (!next_line(text, line) || line != kHeader) {
    throw std::runtime_error(where + ":1: the first line is '" + line + "'; it must be '" + std::string(kHeader) +
                             "'.");
  }
  for (int number = 2; next_line(text, line); ++number) {
    const std::string at = where + ":" + std::to_string(number) + ": ";
    try {
      instructions.push_back(parse(line));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(at + error.what());
    }
    const Instruction& last = instructions.back();
    if (find_instruction(instructions, last.architecture, last.name) != &last) {
      throw std::runtime_error(at + title(last) + " is listed a second time; it must be listed once.");
    }
  }
  return instructions;
}

std::vector<Instruction> read_instructions(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": the instruction table cannot be read; it must be a readable CSV file.");
  return read_instructions(file, path);
}

const Instruction* find_instruction(const std::vector<Instruction>& instructions, std::string_view architecture,
                                    std::string_view name) {
  const auto found = std::find_if(instructions.begin(), instructions.end(), [&](const Instruction& i) {
    return i.architecture == architecture && i.name == name;
  });
  return found == instructions.end() ? nullptr : &*found;
}

}  // namespace assay::exact
