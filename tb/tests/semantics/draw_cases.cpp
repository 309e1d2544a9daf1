// draw_cases FIRST COUNT CASES: random datapaths FIRST to FIRST + COUNT - 1 as YAML, CASES cases of each, and what the
// model makes of them; read by agreement_test.py.
//
//   datapath 17
//   name: own
//   ...
//   case A,..;B,..;C;SCALE_A,..;SCALE_B,..;NAME=..,..&NAME=../FLAGS       in hexadecimal
//
// FLAGS: invalid 1, overflow 2, underflow 4, inexact 8; without `flags` neither it nor its bar.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
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
#include "tb/tests/equality/example_units.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/source_dir.hpp"

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

std::string more_text(const Plan& plan, const Case& c) {
  std::string text;
  for (const CaseOperand& operand : plan.more) {
    const auto first = c.more.begin() + operand.first;
    text += (text.empty() ? "" : "&") + operand.name + "=" + list_text({first, first + operand.count});
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
      ", ((subnormals|of|tiny|overflow|negative|least_exponent|empty|lost_below|deal|unit|from|floor|step|exponent|"
      "infinity_at|times): [a-z_0-9-]+|infinity: (keep|largest|nan)|nan: (keep|positive|zero|largest))");
  static const std::regex lines(
      "    (group|shape|window|sticky|times|zero): .*\n|    result: \\[\\]\n|(start|nan|subnormals|k_order|product): "
      ".*\n|invalid: [a-z]+, ");
  return without_some(without_some(text, words, draws), lines, draws);
}

struct Drawn {
  std::string text;
  Plan plan;
};

std::optional<Drawn> planned(const std::string& text, const Catalogue& catalogue) {
  try {
    return Drawn{text, plan_of(read_datapath_text(text, "own.yaml", catalogue))};
  } catch (const Error&) {
    return std::nullopt;
  }
}

// A shipped datapath, and a file that is like it, with the formats and k of an instruction that runs on it or its own.
struct Base {
  Datapath words;
  std::string text;
};

std::string operands_text(const Operands& o) {
  std::string text = "{a: " + o.a + ", b: " + o.b + ", c: " + o.c + ", d: " + o.d;
  if (!o.scale.empty()) text += ", scale: {format: " + o.scale + ", block: " + std::to_string(o.scale_block) + "}";
  return text + "}";
}

std::vector<Base> shipped(const Catalogue& catalogue) {
  std::map<std::string, const Instruction*> first;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) first.emplace(instruction.datapath, &instruction);
  }
  std::vector<Base> bases;
  for (const auto& [name, instruction] : first) {
    bases.push_back(
        {catalogue.datapath(name).datapath, "name: own\nlike: " + name + "\nk: " + std::to_string(instruction->k) +
                                                "\noperands: " + operands_text(instruction->operands) + "\n"});
  }
  for (const std::string& name : catalogue.datapath_names()) {
    const DatapathFile file = catalogue.datapath(name);
    if (first.count(name) == 0 && file.k) bases.push_back({file.datapath, "name: own\nlike: " + name + "\n"});
  }
  return bases;
}

// Files that are like a shipped datapath and change some of its words.
class Changes {
 public:
  Changes(std::uint64_t number, std::uint64_t attempt) : draws_(seed, number, Part::noise, attempt), number_(number) {}

  std::string text(const std::vector<Base>& bases) {
    const Base& base = bases[draws_.below(bases.size())];
    std::string text = base.text;
    if (chance(30)) text += "specials: " + one_of({"step", "operation"}) + "\n";
    if (chance(30)) text += "nan: " + one_of({"propagate", "signed", "7f"}) + "\n";
    if (chance(30)) text += "start: c\n";
    if (chance(30)) text += "subnormals: {" + one_of({"a: keep", "a: zero", "b: zero", "c: zero", "c: keep"}) + "}\n";
    if (chance(30))
      text += "product: {" +
              one_of({"exponent: normalised", "infinity_at: 9", "infinity_at: none", "round: exact",
                      "round: {at: window, keep: 8, cut: up}"}) +
              "}\n";
    if (chance(40))
      text += "k_order: {" +
              one_of({"from: last", "step: {deal: strided}", "step: {terms: 2}", "step: {unit: 2}",
                      "lanes: {deal: neighbours}"}) +
              "}\n";
    if (chance(15)) return text + other_adders();
    return text + adders("adders", base.words.adders) + adders("finish", base.words.finish);
  }

 private:
  bool chance(int percent) { return draws_.between(1, 100) <= percent; }
  std::string one_of(const std::vector<std::string>& words) { return words[draws_.below(words.size())]; }
  std::string some(int least, int greatest) { return std::to_string(draws_.between(least, greatest)); }

  // Those of a random datapath; called as the base's are, they change those.
  std::string other_adders() {
    const OwnDatapath own = random_datapath(number_, draws_.below(50), Domain::farther);
    const std::string text = datapath_text(own.words, own.k);
    return text.substr(text.find("adders:\n"));
  }

  std::string adders(const std::string& key, const std::vector<Adder>& list) {
    std::string text;
    for (const Adder& adder : list) {
      if (chance(70)) text += "  - name: " + adder.name + "\n" + words_of(adder);
    }
    return text.empty() ? "" : key + ":\n" + text;
  }

  std::string words_of(const Adder& adder) {
    std::string text;
    if (chance(50)) text += "    add: " + inputs(adder.add) + "\n";
    if (chance(40))
      text += "    window: {" +
              one_of({"floor: " + some(-20, 20), "floor: none", "step: " + some(1, 5),
                      "exponent: fixed, at: " + some(-10, 10), "exponent: largest"}) +
              "}\n";
    if (chance(20)) text += "    group: " + one_of({"{terms: 2}", "{deal: neighbours}", "{unit: 2}", "none"}) + "\n";
    if (chance(20)) text += "    sticky: " + one_of({"or", "none"}) + "\n";
    if (chance(20)) text += "    zero: " + one_of({"ieee", "positive"}) + "\n";
    if (chance(20)) text += "    result: [{format: d, cut: " + one_of({"up", "down", "to_odd"}) + "}]\n";
    return text;
  }

  std::string inputs(std::vector<Input> inputs) {
    if (draws_.coin()) std::reverse(inputs.begin(), inputs.end());
    std::string text;
    for (const Input& input : inputs) {
      text += (text.empty() ? "" : ", ") + input.source + ": " +
              one_of({"exact", "{keep: " + some(2, 20) + "}", "{keep: 9, cut: up}", "{cut: down}",
                      "{empty: " + some(-9, 9) + "}", "{lost_below: " + some(0, 9) + "}", "{keep: none}"});
    }
    return "{" + text + "}";
  }

  Draws draws_;
  std::uint64_t number_;
};

// The first of the datapaths drawn for `number` that can be planned; of half of them some words are left out, and every
// eighth is like a shipped one.
Drawn random_drawn(std::uint64_t number, const Catalogue& catalogue, const std::vector<Base>& bases) {
  const Domain domain = number % 4 == 0 ? Domain::usual : Domain::farther;
  for (std::uint64_t attempt = 0; attempt < 200; ++attempt) {
    std::string text;
    if (number % 8 == 7) {
      text = Changes(number, attempt).text(bases);
    } else {
      const OwnDatapath own = random_datapath(number, attempt, domain);
      Draws draws(seed, number, Part::noise, attempt);
      text = datapath_text(own.words, own.k);
      if (number % 2 == 1) text = with_words_left_out(text, draws);
    }
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

std::string result_text(const Drawn& drawn, const Case& c, Registers& registers) {
  const bool flags = drawn.plan.datapath.flags.has_value();
  Trace trace(drawn.plan);
  const std::string d = list_text({dot(drawn.plan, c.operand(), registers, flags ? &trace : nullptr)});
  if (!flags) return d;
  Code raised = 0;
  for (std::size_t i = 0; i < flag_names.size(); ++i)
    raised |= static_cast<Code>(trace.field(drawn.plan.find_place("flags." + std::string(flag_names[i])), "raised"))
              << i;
  return d + "/" + list_text({raised});
}

void print_cases(const Drawn& drawn, std::uint64_t number, int cases) {
  std::printf("datapath %llu\n%s", static_cast<unsigned long long>(number), drawn.text.c_str());
  const Generator generator(drawn.plan, seed);
  Registers registers;
  for (int i = 0; i < cases; ++i) {
    const Case c = case_of(drawn.plan, generator, number, static_cast<std::uint64_t>(i));
    std::printf("case %s;%s;%s;%s;%s;%s;%s\n", list_text(c.a).c_str(), list_text(c.b).c_str(), list_text({c.c}).c_str(),
                list_text(c.scale_a).c_str(), list_text(c.scale_b).c_str(), more_text(drawn.plan, c).c_str(),
                result_text(drawn, c, registers).c_str());
  }
}

void print_shipped(const Catalogue& catalogue, int cases) {
  std::uint64_t number = 0;
  for (const Base& base : shipped(catalogue)) {
    const auto drawn = planned(base.text, catalogue);
    if (!drawn) throw std::runtime_error("The shipped datapath " + base.words.name + " cannot be planned.");
    print_cases(*drawn, number++, cases);
  }
  for (const std::string& file : example_units(source_dir())) {
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    print_cases({text, plan_of(read_datapath_text(text, file, catalogue))}, number++, cases);
  }
}

int run(int argc, char** argv) {
  const Catalogue catalogue = shipped_catalogue();
  if (argc == 3 && std::string(argv[1]) == "shipped") {
    print_shipped(catalogue, std::atoi(argv[2]));
    return 0;
  }
  const std::vector<Base> bases = shipped(catalogue);
  if (argc != 4) throw std::runtime_error("Usage: draw_cases FIRST COUNT CASES, or draw_cases shipped CASES.");
  const auto from = static_cast<std::uint64_t>(std::atoi(argv[1])),
             count = static_cast<std::uint64_t>(std::atoi(argv[2]));
  for (std::uint64_t number = from; number < from + count; ++number)
    print_cases(random_drawn(number, catalogue, bases), number, std::atoi(argv[3]));
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
