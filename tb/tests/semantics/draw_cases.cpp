// draw_cases FIRST COUNT CASES: random datapaths FIRST to FIRST + COUNT - 1 as YAML, CASES cases of each, and what the
// model makes of them; read by agreement_test.py.
//
//   datapath 17
//   name: own
//   ...
//   case A,..;B,..;C;SCALE_A,..;SCALE_B,..;D       in hexadecimal
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <stdexcept>

#include "model/config/catalogue.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/random_datapath.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 1;

std::string list_text(const std::vector<Code>& codes) {
  std::string text;
  char code[20];
  for (const Code c : codes) {
    std::snprintf(code, sizeof code, "%s%llx", text.empty() ? "" : ",", static_cast<unsigned long long>(c));
    text += code;
  }
  return text;
}

std::string without_some(const std::string& text, const std::regex& may_be_left_out, Draws& draws) {
  std::string shorter;
  std::size_t end = 0;
  for (std::sregex_iterator found(text.begin(), text.end(), may_be_left_out), last; found != last; ++found) {
    const auto at = static_cast<std::size_t>(found->position());
    shorter += text.substr(end, at - end);
    if (draws.below(3) != 0) shorter += found->str();
    end = at + static_cast<std::size_t>(found->length());
  }
  return shorter + text.substr(end);
}

// The text with some of the words left out that may be: what then counts is what the page says of them.
std::string with_words_left_out(const std::string& text, Draws& draws) {
  static const std::regex words(
      ", (subnormals|tiny|overflow|least_exponent|empty|lost_below|deal|unit|from|floor|step|exponent|infinity_at|"
      "times): [a-z_0-9-]+");
  static const std::regex lines(
      "    (group|shape|window|sticky|times|zero): .*\n|    result: \\[\\]\n|(start|nan|subnormals|k_order|product): "
      ".*\n");
  return without_some(without_some(text, words, draws), lines, draws);
}

struct Drawn {
  std::string text;
  Plan plan;
};

std::optional<Drawn> planned(const std::string& text, const Catalogue& catalogue) {
  try {
    return Drawn{text, plan_of(read_datapath_text(text, "own.yaml", catalogue))};
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

// The first of the datapaths drawn for `number` that can be planned; of every second one some words are left out.
Drawn random_drawn(std::uint64_t number, const Catalogue& catalogue) {
  const Reach reach = number % 4 == 0 ? Reach::usual : Reach::farther;
  for (std::uint64_t attempt = 0; attempt < 200; ++attempt) {
    const OwnDatapath own = random_datapath(number, attempt, reach);
    std::string text = datapath_text(own.words, own.k);
    Draws draws(seed, number, Part::noise, attempt);
    if (number % 2 == 1) text = with_words_left_out(text, draws);
    if (auto drawn = planned(text, catalogue)) return *drawn;
  }
  throw std::runtime_error("None of 200 datapaths drawn for number " + std::to_string(number) + " can be planned.");
}

// A case with one to four of its codes made NaN, infinite or zero: few enough that which comes first is seen.
Case with_specials(Case c, const Plan& plan, std::uint64_t number) {
  Draws draws(seed, number, Part::noise, 0);
  const auto special = [&](const Format& f) {
    const bool negative = f.has_sign && draws.coin();
    switch (draws.below(4)) {
      case 0: return negative ? f.stored(f.sign_bit()) : zero_code(f, false);  // also where a format writes no -0
      case 1: return infinity_code(f, negative);
      default: return nan_code(f, negative, draws.bits());
    }
  };
  const auto one_of = [&](std::vector<Code>& codes, const Format& f) { codes[draws.below(codes.size())] = special(f); };
  if (plan.scale && draws.below(3) == 0) {
    const auto block = draws.below(c.scale_a.size());
    c.scale_a[block] = nan_code(*plan.scale, plan.scale->has_sign && draws.coin(), draws.bits());
    c.scale_b[block] = nan_code(*plan.scale, plan.scale->has_sign && draws.coin(), draws.bits());
    return c;
  }
  for (auto left = 1 + draws.below(4); left > 0; --left) {
    switch (draws.below(plan.scale ? 5 : 3)) {
      case 0: one_of(c.a, plan.a); break;
      case 1: one_of(c.b, plan.b); break;
      case 2: c.c = special(plan.c); break;
      case 3: one_of(c.scale_a, *plan.scale); break;
      default: one_of(c.scale_b, *plan.scale); break;
    }
  }
  return c;
}

Case case_of(const Plan& plan, const Generator& generator, std::uint64_t datapath, std::uint64_t i) {
  if (i % 5 == 4) return with_specials(corner_case(plan, i), plan, datapath * 1000 + i);
  return i % 2 == 0 ? corner_case(plan, i / 2) : generator.make(i / 2 + datapath);
}

void print_cases(const Drawn& drawn, std::uint64_t number, int cases) {
  std::printf("datapath %llu\n%s", static_cast<unsigned long long>(number), drawn.text.c_str());
  const Generator generator(drawn.plan, seed);
  Registers registers;
  for (int i = 0; i < cases; ++i) {
    const Case c = case_of(drawn.plan, generator, number, static_cast<std::uint64_t>(i));
    std::printf("case %s;%s;%s;%s;%s;%s\n", list_text(c.a).c_str(), list_text(c.b).c_str(), list_text({c.c}).c_str(),
                list_text(c.scale_a).c_str(), list_text(c.scale_b).c_str(),
                list_text({dot(drawn.plan, c.operand(), registers)}).c_str());
  }
}

// Each shipped datapath once, with the formats of the first instruction that runs on it.
void print_shipped(const Catalogue& catalogue, int cases) {
  std::map<std::string, const Instruction*> first;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) first.emplace(instruction.datapath, &instruction);
  }
  std::uint64_t number = 0;
  for (const auto& [name, instruction] : first) {
    const Operands& o = instruction->operands;
    std::string operands = "{a: " + o.a + ", b: " + o.b + ", c: " + o.c + ", d: " + o.d;
    if (!o.scale.empty())
      operands += ", scale: {format: " + o.scale + ", block: " + std::to_string(o.scale_block) + "}";
    const auto drawn = planned(
        "name: own\nlike: " + name + "\nk: " + std::to_string(instruction->k) + "\noperands: " + operands + "}\n",
        catalogue);
    if (!drawn) throw std::runtime_error("The shipped datapath " + name + " cannot be planned.");
    print_cases(*drawn, number++, cases);
  }
}

int run(int argc, char** argv) {
  const Catalogue catalogue = shipped_catalogue();
  if (argc == 3 && std::string(argv[1]) == "shipped") {
    print_shipped(catalogue, std::atoi(argv[2]));
    return 0;
  }
  if (argc != 4) throw std::runtime_error("Usage: draw_cases FIRST COUNT CASES, or draw_cases shipped CASES.");
  const auto from = static_cast<std::uint64_t>(std::atoi(argv[1])),
             count = static_cast<std::uint64_t>(std::atoi(argv[2]));
  for (std::uint64_t number = from; number < from + count; ++number)
    print_cases(random_drawn(number, catalogue), number, std::atoi(argv[3]));
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  try {
    return assay::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
