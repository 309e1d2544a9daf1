#include "sim/cli/case_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

#include "model/core/values.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/program/number_option.hpp"
#include "tb/generate/plain_codes.hpp"
#include "tb/import/value.hpp"
#include "tb/run/recorded_cases.hpp"
#include "tb/vectors/reader.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

// 1.5, -2, 1e-3, inf, nan; 0x3c00 and 0b0011110000000000 say themselves what they are.
bool is_number_or_prefixed(const std::string& text) {
  const std::string prefix = text.substr(0, 2);
  return text == "inf" || text == "nan" || prefix == "0x" || prefix == "0b" ||
         text.find_first_of(".+-") != std::string::npos;
}

// Bits, with all their hexadecimal digits, or a number that the format holds exactly. What may be either is asked for
// again: 15 is no bits of f16, and as a number it is written 15.0.
Code parse_code(const std::string& text, const Format& format, const std::string& option) {
  const bool has_all_digits = static_cast<int>(text.size()) == format.hex_digits();
  if (has_all_digits && text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos) {
    const Code code = std::strtoull(text.c_str(), nullptr, 16);
    if (format.fits(code)) return code;
  } else if (text.find_first_not_of("0123456789eE") == std::string::npos && !text.empty()) {
    throw Error{
        fmt::format("{}: '{}' may be bits or a number; write the bits of {} with all {} hexadecimal digits, and a "
                    "number with a point.",
                    option, text, format.name, format.hex_digits())};
  } else if (is_number_or_prefixed(text)) {
    try {
      return parse_value(text, format);
    } catch (const ScanError& e) {
      throw Error{option + ": " + e.message};
    }
  }
  throw Error{fmt::format("{} takes {} codes of {} hexadecimal digits ({} bits) or numbers such as 1.5, found '{}'.",
                          option, format.name, format.hex_digits(), format.stored_bits, text)};
}

// Shorter lists are filled up with zeros.
std::vector<Code> parse_codes(const std::vector<std::string>& texts, const Format& format, int count,
                              const std::string& option) {
  if (static_cast<int>(texts.size()) > count) {
    throw Error{fmt::format("{} has {} codes, but this instruction takes {}.", option, texts.size(), count)};
  }
  std::vector<Code> codes;
  for (const std::string& text : texts) codes.push_back(parse_code(text, format, option));
  codes.resize(static_cast<std::size_t>(count), zero_code(format));
  return codes;
}

bool takes(const Plan& plan, const std::string& name) {
  return std::any_of(plan.more.begin(), plan.more.end(), [&](const CaseOperand& more) { return more.name == name; });
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// The words of --operand, and of --scale-a and --scale-b where the datapath has a scale of one side by that name.
std::map<std::string, std::vector<std::string>> named_words(const CaseOptions& options, const Plan& plan) {
  std::map<std::string, std::vector<std::string>> named;
  if (takes(plan, "scale_a") && !options.scale_a.empty()) named["scale_a"] = options.scale_a;
  if (takes(plan, "scale_b") && !options.scale_b.empty()) named["scale_b"] = options.scale_b;
  std::string names;
  for (const CaseOperand& more : plan.more) names += (names.empty() ? "" : ", ") + more.name;
  for (const std::string& text : options.more) {
    const std::size_t end = text.find('=');
    const std::string name = text.substr(0, end);
    if (end == std::string::npos)
      throw Error{fmt::format("--operand takes a name and codes, such as tensor=3f800000, found '{}'.", text)};
    if (!takes(plan, name))
      throw Error{fmt::format("--operand {}: a case of this datapath has no such operand{}.", name,
                              names.empty() ? "" : "; beside a, b and c it has " + names)};
    named[name] = words_of(text.substr(end + 1));
  }
  return named;
}

void check_mask(const CaseOperand& mask, const std::vector<Code>& codes) {
  const std::string problem = mask_problem(mask.name, mask.pattern, codes.data(), mask.count);
  if (!problem.empty()) throw Error{"--operand " + mask.name + ": " + problem};
}

// What is not given changes nothing; of what is given in part the rest is zero.
std::vector<Code> more_codes(const CaseOptions& options, const Plan& plan) {
  const auto named = named_words(options, plan);
  std::vector<Code> all;
  for (const CaseOperand& more : plan.more) {
    const auto words = named.find(more.name);
    std::vector<Code> codes = words == named.end()
                                  ? plain_codes(more)
                                  : parse_codes(words->second, more.format, more.count, "--operand " + more.name);
    if (more.kind == CaseOperandKind::mask) check_mask(more, codes);
    all.insert(all.end(), codes.begin(), codes.end());
  }
  return all;
}

Case from_operands(const CaseOptions& options, const Plan& plan) {
  Case one;
  one.a = parse_codes(options.a, plan.a, plan.k, "--a");
  one.b = parse_codes(options.b, plan.b, plan.k, "--b");
  one.c = options.c.empty() ? zero_code(plan.c) : parse_code(options.c, plan.c, "--c");
  one.more = more_codes(options, plan);
  if (plan.scale) {
    one.scale_a = parse_codes(options.scale_a, *plan.scale, plan.scales, "--scale-a");
    one.scale_b = parse_codes(options.scale_b, *plan.scale, plan.scales, "--scale-b");
  } else if ((!options.scale_a.empty() && !takes(plan, "scale_a")) ||
             (!options.scale_b.empty() && !takes(plan, "scale_b"))) {
    throw Error{"This instruction has no scales; leave --scale-a and --scale-b out."};
  }
  return one;
}

Case generated(const CaseOptions& options, const Plan& plan) {
  GenerateOptions from;
  from.seed = *options.seed;
  from.family = options.family;
  return from.open(plan).make(*options.number);
}

// That the case is one dot product of one instruction.
void check_single(const Case& one, const Plan& plan, const CaseOptions& options) {
  if (one.element && options.element.empty()) {
    throw Error{
        fmt::format("Case {} of {} is a whole matrix of {} x {}; name one of its elements with --element "
                    "ROW,COLUMN.",
                    *options.number, options.file, one.element->rows, one.element->columns)};
  }
  if (one.a.size() != static_cast<std::size_t>(plan.k)) {
    throw Error{
        fmt::format("Case {} of {} takes {} instructions along K; give the one to look at by its operands "
                    "(--a, --b, --c).",
                    *options.number, options.file, one.a.size() / static_cast<std::size_t>(plan.k))};
  }
}

OpenCase from_file(const CaseOptions& options, const Catalogue& catalogue) {
  VectorReader reader(options.file);
  OpenCase opened{subject_of_header(catalogue, reader.header(), options.file), {}};
  const CaseShape shape = case_shape(opened.subject.plan, reader.header().pad);
  while (reader.next(shape, opened.one)) {
    if (opened.one.number != *options.number || !is_element(opened.one, options.element)) continue;
    check_single(opened.one, opened.subject.plan, options);
    return opened;
  }
  if (!options.element.empty()) {
    throw Error{fmt::format("{} has no case {} with an element [{},{}].", options.file, *options.number,
                            options.element[0], options.element[1])};
  }
  throw Error{fmt::format("{} has no case {}.", options.file, *options.number)};
}

std::vector<int> parse_element(const std::string& text) {
  constexpr std::uint64_t most = std::numeric_limits<int>::max();
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto row = whole_number(text.substr(0, comma));
  const auto column = whole_number(text.substr(std::min(comma + 1, text.size())));
  if (row && column && *row <= most && *column <= most) return {static_cast<int>(*row), static_cast<int>(*column)};
  throw Error{fmt::format("--element takes a row and a column in decimal digits, such as 3,0, found '{}'.", text)};
}

}  // namespace

void CaseOptions::add(Command command) {
  command.add_option("--a", a, "Codes of a, or numbers such as 1.5, separated by commas; what is missing is zero")
      .delimiter(',');
  command.add_option("--b", b, "Codes of b, or numbers").delimiter(',');
  command.add_option("--c", c, "The code of c, or a number; zero where it is not given");
  command.add_option("--scale-a", scale_a, "Codes of a's block scales").delimiter(',');
  command.add_option("--scale-b", scale_b, "Codes of b's block scales").delimiter(',');
  command.add_option("--operand", more,
                     "NAME=CODE,CODE,..: what else a case of the datapath has, such as scales of one side or random "
                     "words");
  add_number(command, "--seed", seed, {}, "The seed of a generated case");
  command.add_option("--family", family,
                     "The family of the generated case, where one was asked for (see docs/vectors.md)");
  command.add_option("--file", file, "A vector file");
  add_number(command, "--case", number, {}, "The number of the case, in the file or under the seed");
  add_element_option(command, element);
}

// What would go without any effect beside the way in which the case is given.
void CaseOptions::check_used(bool by_operands, const SubjectOptions& subject) const {
  if (!by_operands && !number) throw Error{"--case is missing: which case of the seed or file?"};
  if (!family.empty() && !seed) {
    throw Error{"--family says which cases a seed makes; give --seed and --case with it, or leave it out."};
  }
  if (!file.empty() && (!subject.instruction.empty() || !subject.datapath.empty()))
    throw Error{"A vector file says what it is of: leave out --instruction and --datapath, or --file."};
  if (by_operands && number)
    throw Error{"--case names a case of a seed or a file; leave it out beside --a, --b and --c."};
  if (!by_operands && (!scale_a.empty() || !scale_b.empty() || !more.empty())) {
    throw Error{"--scale-a, --scale-b and --operand go with --a, --b and --c; a case of a seed or a file has its own."};
  }
  if (file.empty() && !element.empty())
    throw Error{"--element is for the whole matrices of a file; give --file with it, or leave it out."};
}

OpenCase CaseOptions::open(const Catalogue& catalogue, const SubjectOptions& subject) const {
  const bool by_operands = !a.empty() || !b.empty() || !c.empty();
  const int ways = (by_operands ? 1 : 0) + (seed ? 1 : 0) + (file.empty() ? 0 : 1);
  if (ways != 1)
    throw Error{"Give one case: its operands (--a, --b, --c), or --seed and --case, or --file and --case."};
  check_used(by_operands, subject);
  if (!file.empty()) return from_file(*this, catalogue);
  OpenCase opened{subject.open(catalogue), {}};
  const Plan& plan = opened.subject.plan;
  opened.one = by_operands ? from_operands(*this, plan) : generated(*this, plan);
  return opened;
}

void add_element_option(Command command, std::vector<int>& element) {
  const auto take = [&element](const std::vector<std::string>& words) { element = parse_element(words.back()); };
  command.add_words("--element", "ROW,COLUMN of a whole-matrix case, from 0", number_type, take, {});
}

}  // namespace assay
