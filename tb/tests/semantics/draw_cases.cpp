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

// The text with some of the words left out that may be: what then counts is what the page says of them.
std::string with_words_left_out(const std::string& text, Draws& draws) {
  static const std::regex may_be_left_out(
      ", (subnormals|tiny|overflow|least_exponent|empty|lost_below|deal|unit|floor|step|infinity_at|times): [a-z_0-9-]+"
      "|    (group|shape|window|sticky|times|zero): .*\n|    result: \\[\\]\n"
      "|(start|nan|subnormals|k_order|product): .*\n");
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

void print_cases(const Drawn& drawn, std::uint64_t number, int cases) {
  std::printf("datapath %llu\n%s", static_cast<unsigned long long>(number), drawn.text.c_str());
  const Generator generator(drawn.plan, seed);
  Registers registers;
  for (int i = 0; i < cases; ++i) {
    const auto n = static_cast<std::uint64_t>(i);
    const Case c = i % 2 == 0 ? corner_case(drawn.plan, n / 2) : generator.make(n / 2 + number);
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
