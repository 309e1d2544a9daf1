#include "tb/oracle/instruction.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <istream>
#include <stdexcept>

#include "tb/oracle/datum.hpp"

namespace assay::exact {
namespace {

constexpr std::string_view header =
    "architecture,name,sass,m,n,k,blocks,a,b,c,d,scale,scale_block,algorithm,terms_per_step,fraction_bits,"
    "exponent_floor,output_fraction_bits,evidence";

struct Name {
  Algorithm algorithm;
  std::string_view text;
};

constexpr std::array names_of_algorithms{
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
    Name{Algorithm::projected, "projected"},
    Name{Algorithm::integer_saturating, "integer_saturating"},
    Name{Algorithm::grouped_nearest, "grouped_nearest"},
    Name{Algorithm::integer_magnitudes, "integer_magnitudes"},
    Name{Algorithm::fda_plus_zero, "fda_plus_zero"},
    Name{Algorithm::dot_then_add, "dot_then_add"},
    Name{Algorithm::sfma_flush, "sfma_flush"},
    Name{Algorithm::nvidia_fma, "nvidia_fma"},
    Name{Algorithm::power_fma, "power_fma"},
    Name{Algorithm::power_pair, "power_pair"},
    Name{Algorithm::power_pair_sig24, "power_pair_sig24"},
    Name{Algorithm::arm_fma, "arm_fma"},
    Name{Algorithm::arm_exact, "arm_exact"},
    Name{Algorithm::arm_pair, "arm_pair"},
    Name{Algorithm::arm_pair_to_odd, "arm_pair_to_odd"},
    Name{Algorithm::arm_dot, "arm_dot"},
    Name{Algorithm::arm_two_pairs, "arm_two_pairs"},
    Name{Algorithm::arm_rounded_pair, "arm_rounded_pair"},
    Name{Algorithm::riscv_fma, "riscv_fma"},
    Name{Algorithm::riscv_bulk, "riscv_bulk"},
};

constexpr std::array<std::string_view, 6> names_of_forms{"pp", "pn", "np", "nn", "minus", "alone"};

struct ExtraName {
  Extra extra;
  std::string_view text;
  std::string_view digits;  // those that may follow it; empty: none follow
};

constexpr std::string_view decimal = "0123456789";

constexpr std::array names_of_extras{
    ExtraName{Extra::phases, "phases", "0123"},
    ExtraName{Extra::minus_one, "minus_one", ""},
    ExtraName{Extra::ones_filled, "ones_filled", ""},
    ExtraName{Extra::tf32, "tf32", ""},
    ExtraName{Extra::pieces, "pieces", decimal},
    ExtraName{Extra::idle, "idle", decimal},
    ExtraName{Extra::shortcut, "shortcut", ""},
    ExtraName{Extra::tiny_after, "tiny_after", ""},
    ExtraName{Extra::mask, "mask", ""},
    ExtraName{Extra::sparse, "sparse", decimal},
};

std::vector<Extra> own_extras_of(Algorithm algorithm) {
  if (algorithm == Algorithm::grouped_nearest) return {Extra::phases, Extra::minus_one, Extra::ones_filled};
  if (algorithm == Algorithm::integer_magnitudes) return {Extra::phases};
  if (algorithm == Algorithm::fda_plus_zero) return {Extra::tf32, Extra::pieces};
  if (algorithm == Algorithm::dot_then_add) {
    return {Extra::tf32, Extra::pieces, Extra::idle, Extra::shortcut, Extra::tiny_after};
  }
  return {};
}

// And those that any of them may have.
std::vector<Extra> extras_of(Algorithm algorithm) {
  std::vector<Extra> extras = own_extras_of(algorithm);
  extras.insert(extras.end(), {Extra::mask, Extra::sparse});
  return extras;
}

std::string algorithm_names() {
  std::string names;
  for (const Name& name : names_of_algorithms) names += (names.empty() ? "" : ", ") + std::string(name.text);
  return names;
}

std::vector<std::string> split(std::string_view line, char separator = ',') {
  std::vector<std::string> fields{""};
  for (const char c : line) {
    if (c == separator) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

// One line's fields by their columns' names. `sass` and `blocks` say nothing about the arithmetic and are not asked
// for.
class Row {
 public:
  explicit Row(const std::string& line) : columns_(split(header)), fields_(split(line)) {
    if (fields_.size() == columns_.size()) return;
    throw std::runtime_error("there are " + std::to_string(fields_.size()) + " fields; there must be " +
                             std::to_string(columns_.size()) + ".");
  }

  const std::string& operator[](std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return fields_[static_cast<std::size_t>(found - columns_.begin())];
  }

 private:
  std::vector<std::string> columns_;
  std::vector<std::string> fields_;
};

[[noreturn]] void wrong(std::string_view column, const std::string& found, const std::string& right) {
  throw std::runtime_error("column '" + std::string(column) + "' is '" + found + "'; " + right + ".");
}

std::optional<int> optional_integer(const Row& row, std::string_view column) {
  const std::string& text = row[column];
  if (text.empty()) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) wrong(column, text, "it must be an integer or empty");
  return value;
}

int positive_integer(const Row& row, std::string_view column) {
  const int value = optional_integer(row, column).value_or(0);
  if (value <= 0) wrong(column, row[column], "it must be an integer greater than 0");
  return value;
}

Format format(const Row& row, std::string_view column) {
  const Format* found = format_called(row[column]);
  if (found == nullptr) wrong(column, row[column], "it must be one of " + names_of_formats());
  return *found;
}

// The algorithm, then what stands after its dots.
std::vector<std::string> parts_of_algorithm(const Row& row) { return split(row["algorithm"], '.'); }

Algorithm algorithm(const Row& row) {
  for (const Name& name : names_of_algorithms) {
    if (name.text == parts_of_algorithm(row).front()) return name.algorithm;
  }
  wrong("algorithm", row["algorithm"], "it must be one of " + algorithm_names());
}

bool takes_forms(Algorithm algorithm) {
  return algorithm == Algorithm::integer || algorithm == Algorithm::integer_saturating || is_of_pairs(algorithm) ||
         algorithm == Algorithm::riscv_fma;
}

std::optional<Form> form_called(Algorithm algorithm, const std::string& text) {
  const auto* found = std::find(names_of_forms.begin() + 1, names_of_forms.end(), text);
  if (!takes_forms(algorithm) || found == names_of_forms.end()) return std::nullopt;
  return static_cast<Form>(found - names_of_forms.begin());
}

bool takes_directions(Algorithm algorithm) {
  return algorithm == Algorithm::sfma || algorithm == Algorithm::nvidia_fma;
}

std::optional<Direction> direction_called(const std::string& text) {
  if (text == "rp") return Direction::up;
  if (text == "rm") return Direction::down;
  return text == "rz" ? std::optional(Direction::zero) : std::nullopt;
}

const ExtraName& name_of(Extra extra) {
  return *std::find_if(names_of_extras.begin(), names_of_extras.end(),
                       [&](const ExtraName& n) { return n.extra == extra; });
}

// The digits that follow its name; nothing where `text` is another.
std::optional<std::string> digits_after(const ExtraName& name, const std::string& text) {
  if (text.compare(0, name.text.size(), name.text) != 0) return std::nullopt;
  const std::string digits = text.substr(name.text.size());
  const bool known = digits.find_first_not_of(name.digits) == std::string::npos && digits.size() <= 4;
  return known && digits.empty() == name.digits.empty() ? std::optional(digits) : std::nullopt;
}

std::string list_of_what_follows(Algorithm algorithm) {
  std::string names = takes_forms(algorithm) ? "pn, np, nn, minus, alone" : "";
  if (takes_directions(algorithm)) names += (names.empty() ? "" : ", ") + std::string("rp, rm, rz");
  for (const Extra extra : extras_of(algorithm)) {
    const ExtraName& name = name_of(extra);
    names += (names.empty() ? "" : ", ") + std::string(name.text);
    if (!name.digits.empty()) names += std::string(" and digits up to ") + name.digits.back();
  }
  return names;
}

std::optional<std::pair<Extra, std::string>> extra_called(Algorithm algorithm, const std::string& text) {
  for (const Extra extra : extras_of(algorithm)) {
    if (const auto digits = digits_after(name_of(extra), text)) return std::pair(extra, *digits);
  }
  return std::nullopt;
}

void read_what_follows(const Row& row, Instruction& i) {
  const std::vector<std::string> parts = parts_of_algorithm(row);
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    const auto direction = takes_directions(i.algorithm) ? direction_called(*part) : std::nullopt;
    if (direction) {
      i.modes.direction = *direction;
    } else if (const auto form = form_called(i.algorithm, *part)) {
      i.form = *form;
    } else if (const auto extra = extra_called(i.algorithm, *part)) {
      i.extras.insert(*extra);
    } else {
      wrong("algorithm", row["algorithm"],
            "after " + parts.front() + " may stand, each after a dot, " + list_of_what_follows(i.algorithm));
    }
  }
}

// Without the carriage return of a file with CRLF line ends.
bool next_line(std::istream& text, std::string& line) {
  if (!std::getline(text, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

Instruction parse(const std::string& line) {
  const Row row(line);
  Instruction i;
  i.architecture = row["architecture"];
  i.name = row["name"];
  i.m = positive_integer(row, "m");
  i.n = row["n"];
  i.k = positive_integer(row, "k");
  i.a = format(row, "a");
  i.b = format(row, "b");
  i.c = format(row, "c");
  i.d = format(row, "d");
  if (!row["scale"].empty()) i.scale = format(row, "scale");
  if (i.scale) i.scale_block = positive_integer(row, "scale_block");
  i.algorithm = algorithm(row);
  read_what_follows(row, i);
  i.terms_per_step = positive_integer(row, "terms_per_step");
  i.fraction_bits = optional_integer(row, "fraction_bits");
  i.exponent_floor = optional_integer(row, "exponent_floor");
  i.output_fraction_bits = optional_integer(row, "output_fraction_bits");
  i.evidence = row["evidence"];
  if (const std::string sentence = fault(i); !sentence.empty()) throw std::runtime_error(sentence);
  return i;
}

bool is(const Format& format, std::string_view name) { return format.name == name; }

bool has_widths(const Instruction& i) { return i.fraction_bits && i.exponent_floor && i.output_fraction_bits; }

constexpr const char* lacks_widths = "needs fraction_bits, exponent_floor and output_fraction_bits";

std::string fault_of_fda(const Instruction& i) {
  if (!has_widths(i)) return lacks_widths;
  return is(i.d, "f32") || is(i.d, "f16") ? "" : "delivers f32 or f16";
}

std::string fault_of_emulated_fp8(const Instruction& i) {
  if (const std::string fault = fault_of_fda(i); !fault.empty()) return fault;
  return i.k == 2 * i.terms_per_step && i.k % 4 == 0 ? "" : "takes two steps: k must be twice terms_per_step";
}

std::string fault_of_f32(const Instruction& i) {
  return is(i.c, "f32") && is(i.d, "f32") ? "" : "needs f32 for c and d";
}

std::string fault_of_gdfs(const Instruction& i) {
  if (const std::string fault = fault_of_fda(i); !fault.empty()) return fault;
  if (!i.scale || i.k % 16 != 0 || i.scale_block % 16 != 0) return "needs scales, k and scale_block in sixteens";
  return fault_of_f32(i);
}

std::string fault_of_fdrda(const Instruction& i) { return i.fraction_bits ? fault_of_f32(i) : "needs fraction_bits"; }

std::string fault_of_gps(const Instruction& i) {
  const bool tree = i.terms_per_step == 2 || i.terms_per_step == 4;
  return tree ? fault_of_f32(i) : "adds in pairs or fours: terms_per_step must be 2 or 4";
}

std::string fault_of_integer(const Instruction& i) {
  const bool integers = i.a.is_integer() && i.b.is_integer() && i.c.is_integer() && i.d.is_integer();
  return integers ? "" : "needs integer formats";
}

std::string fault_of_ieee(const Instruction& i) {
  return i.c == i.d && i.d.has_infinity ? "" : "needs one IEEE format for c and d";
}

constexpr const char* lacks_phases = "needs its phases, as in phases01";

std::string fault_of_grouped(const Instruction& i) {
  if (!has_widths(i)) return lacks_widths;
  if (!i.has(Extra::phases)) return lacks_phases;
  if (i.k != 16) return "adds two groups of eight: k must be 16";
  if (i.a.mantissa_bits > 10 || i.b.mantissa_bits > 10) return "takes operands of at most 11 significant bits";
  const bool known = is(i.d, "f32") || is(i.d, "bf16") || is(i.d, "f16");
  if (!known || !(i.c == i.d)) return "needs one of f32, bf16 and f16 for c and d";
  const auto half = [](const Format& format) { return format.exponent_bits <= 5; };
  const bool meet = half(i.a) == half(i.b) && (is(i.d, "f32") || half(i.a) == half(i.d));
  return meet ? "" : "takes f16 and FP8 onto f32 or f16, bf16 and tf32 onto f32 or bf16";
}

std::string fault_of_magnitudes(const Instruction& i) {
  if (!i.has(Extra::phases)) return lacks_phases;
  if (i.a.stored_bits > 8 || i.b.stored_bits > 8) return "takes operands of at most 8 bits";
  return fault_of_integer(i);
}

bool cuts_to_nothing(const Instruction& i) { return i.has(Extra::pieces) && i.number(Extra::pieces) == 0; }

std::string fault_of_tree(const Instruction& i) {
  if (cuts_to_nothing(i)) return "cuts operands into pieces of at least 1 bit";
  return i.algorithm == Algorithm::fda_plus_zero && !has_widths(i) ? lacks_widths : fault_of_fdrda(i);
}

std::string fault_of_projected(const Instruction& i) {
  const bool known = !i.d.is_integer() && !i.d.is_list() && (i.d.stored_bits <= 8 || i.d.nan == NanCodes::ieee);
  return known ? "" : "delivers a floating format of at most 8 bits, or an IEEE one";
}

// What the algorithm needs and its row lacks; empty where nothing is missing.
std::string fault_of_algorithm(const Instruction& i) {
  switch (i.algorithm) {
    case Algorithm::fda:
    case Algorithm::cofda: return fault_of_fda(i);
    case Algorithm::emulated_fp8: return fault_of_emulated_fp8(i);
    case Algorithm::gdfs: return fault_of_gdfs(i);
    case Algorithm::fdrda:
    case Algorithm::gfdrda:
    case Algorithm::cofdrda:
    case Algorithm::cogfdrda: return fault_of_fdrda(i);
    case Algorithm::gps: return fault_of_gps(i);
    case Algorithm::x86_amx_bf16:
    case Algorithm::x86_amx_f16: return i.k % 2 == 0 ? fault_of_f32(i) : "needs an even k";
    case Algorithm::x86_avx512_bf16: return i.k == 2 ? fault_of_f32(i) : "needs a k of 2";
    case Algorithm::sfma:
    case Algorithm::nvidia_fma:
    case Algorithm::exact: return fault_of_ieee(i);
    case Algorithm::integer:
    case Algorithm::integer_saturating: return fault_of_integer(i);
    case Algorithm::projected: return fault_of_projected(i);
    case Algorithm::grouped_nearest: return fault_of_grouped(i);
    case Algorithm::integer_magnitudes: return fault_of_magnitudes(i);
    case Algorithm::fda_plus_zero:
    case Algorithm::dot_then_add: return fault_of_tree(i);
    case Algorithm::sfma_flush: return fault_of_f32(i);
    case Algorithm::riscv_bulk: return i.fraction_bits ? fault_of_f32(i) : "needs fraction_bits";
    case Algorithm::riscv_fma:
    case Algorithm::power_fma:
    case Algorithm::arm_fma: return i.k == 1 ? fault_of_ieee(i) : "needs a k of 1";
    case Algorithm::power_pair:
    case Algorithm::power_pair_sig24:
    case Algorithm::arm_dot:
    case Algorithm::arm_rounded_pair: return i.k == 2 ? fault_of_ieee(i) : "needs a k of 2";
    case Algorithm::arm_pair:
    case Algorithm::arm_pair_to_odd: return i.k % 2 == 0 ? fault_of_f32(i) : "needs an even k";
    case Algorithm::arm_two_pairs: return i.k == 4 ? fault_of_f32(i) : "needs a k of 4";
    case Algorithm::arm_exact: return fault_of_ieee(i);
  }
  return "";
}

bool is_one_step(Algorithm algorithm) {
  return algorithm == Algorithm::fda || algorithm == Algorithm::gdfs || algorithm == Algorithm::fdrda ||
         algorithm == Algorithm::gfdrda || algorithm == Algorithm::projected;
}

std::string algorithm_name(Algorithm algorithm) {
  const auto* found = std::find_if(names_of_algorithms.begin(), names_of_algorithms.end(),
                                   [&](const Name& n) { return n.algorithm == algorithm; });
  return std::string(found->text);
}

bool takes_scales(Algorithm algorithm) {
  return algorithm == Algorithm::fda || algorithm == Algorithm::gdfs || algorithm == Algorithm::projected;
}

// s7 is FPMR.LSCALE = 7.
bool add_scale(const std::string& name, Modes& modes) {
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, modes.lscale);
  return name.front() == 's' && error == std::errc() && stop == end;
}

bool add_mode(const std::string& name, Modes& modes) {
  const std::map<std::string, bool Modes::*> bits{{"ebf", &Modes::ebf}, {"ah", &Modes::ah},     {"fz", &Modes::fz},
                                                  {"fiz", &Modes::fiz}, {"fz16", &Modes::fz16}, {"dn", &Modes::dn},
                                                  {"osm", &Modes::osm}};
  if (name.empty()) return false;
  if (const auto bit = bits.find(name); bit != bits.end()) return modes.*bit->second = true;
  if (const auto direction = direction_called(name)) {
    modes.direction = *direction;
    return true;
  }
  return add_scale(name, modes);
}

}  // namespace

bool is_of_pairs(Algorithm algorithm) {
  return algorithm >= Algorithm::nvidia_fma && algorithm <= Algorithm::arm_rounded_pair;
}

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
  if (i.scale && !takes_scales(i.algorithm))
    return "algorithm " + name + " takes no scales; fda, gdfs and projected do.";
  if (is_one_step(i.algorithm) && i.terms_per_step != i.k) {
    return "algorithm " + name + " is one step; terms_per_step must be k.";
  }
  const std::string rest = fault_of_algorithm(i);
  return rest.empty() ? "" : "algorithm " + name + " " + rest + ".";
}

std::vector<Instruction> read_instructions(std::istream& text, const std::string& where) {
  std::vector<Instruction> instructions;
  std::string line;
  if (!next_line(text, line) || line != header) {
    throw std::runtime_error(where + ":1: the first line is '" + line + "'; it must be '" + std::string(header) + "'.");
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

std::optional<Instruction> instruction_called(const std::vector<Instruction>& instructions,
                                              std::string_view architecture, std::string_view name) {
  if (const Instruction* found = find_instruction(instructions, architecture, name)) return *found;
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0; dot = name.rfind('.', dot - 1)) {
    const Instruction* base = find_instruction(instructions, architecture, name.substr(0, dot));
    if (base == nullptr) continue;
    Instruction found = *base;
    found.name = name;
    for (const std::string& mode : split(name.substr(dot + 1), '.')) {
      if (!add_mode(mode, found.modes)) return std::nullopt;
    }
    return found;
  }
  return std::nullopt;
}

const Instruction* find_instruction(const std::vector<Instruction>& instructions, std::string_view architecture,
                                    std::string_view name) {
  const auto found = std::find_if(instructions.begin(), instructions.end(), [&](const Instruction& i) {
    return i.architecture == architecture && i.name == name;
  });
  return found == instructions.end() ? nullptr : &*found;
}

}  // namespace assay::exact
