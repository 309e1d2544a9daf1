#include "tb/tests/source/compiled_c.hpp"

#include <fstream>
#include <stdexcept>

#include "model/base/files.hpp"
#include "model/base/run_program.hpp"
#include "model/core/reading.hpp"
#include "tb/source/model_c.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int number_words = 5;  // kind and sign, exponent, quantum, magnitude

// Reads cases, writes what stands at each spot of a table.
constexpr const char* runner = R"(
#include <stdio.h>
#include <string.h>

static uint64_t next_code(FILE *in, bool *more) {
  uint64_t code = 0;
  *more = fread(&code, sizeof code, 1, in) == 1;
  return code;
}

static void put_word(FILE *out, uint64_t word) { fwrite(&word, sizeof word, 1, out); }

static void put_number(FILE *out, const number_t *n) {
  uint64_t magnitude[2] = {0, 0};
  memcpy(magnitude, &n->magnitude, sizeof n->magnitude);
  put_word(out, (uint64_t)n->kind | (uint64_t)n->negative << 8);
  put_word(out, (uint64_t)(int64_t)n->exponent);
  put_word(out, (uint64_t)(int64_t)n->quantum);
  put_word(out, magnitude[0]);
  put_word(out, magnitude[1]);
}

static void put_spot(FILE *out, const struct spot *s, const void *at) {
  uint64_t words[80] = {0};
  if (s->bytes == 0) {
    put_number(out, (const number_t *)at);
    return;
  }
  memcpy(words, at, s->bytes);
  fwrite(words, 8, (s->bytes + 7) / 8, out);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  FILE *in = fopen(argv[1], "rb");
  FILE *out = fopen(argv[2], "wb");
  bool more = in && out;
  while (more) {
    static places_t places;
    const size_t count = sizeof spots / sizeof *spots;
    memset(&places, 0x5a, sizeof places);
    one_case(in, &more, &places);
    for (size_t i = 0; more && i < count; ++i) put_spot(out, &spots[i], (const char *)&places + spots[i].at);
  }
  return !in || !out || fclose(in) || fclose(out);
}
)";

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string read_codes(const std::string& name, const Format& format, int count) {
  const std::string type = "uint" + std::to_string(8 * element_bytes(format.stored_bits)) + "_t";
  return "  static " + type + " " + name + "[" + std::to_string(count) + "];\n  for (int i = 0; i < " +
         std::to_string(count) + "; ++i) " + name + "[i] = (" + type + ")next_code(in, more);\n";
}

Number number_from(const std::uint64_t* from) {
  Number n;
  n.cls = static_cast<Class>(from[0] & 0xff);
  n.negative = (from[0] >> 8 & 1) != 0;
  n.exponent = static_cast<int>(static_cast<std::int64_t>(from[1]));
  n.quantum = static_cast<int>(static_cast<std::int64_t>(from[2]));
  n.magnitude = u128{from[4]} << 64 | from[3];
  return n;
}

// Whether the number can stand at the place at all.
bool fits(const Number& n, const Place& place) {
  if (n.cls != Class::finite || n.magnitude == 0) return true;
  const int unit = place.absolute ? -place.fraction_bits : n.exponent - place.fraction_bits;
  return n.has_exponent() && n.quantum >= unit &&
         bit_length(n.magnitude) + n.quantum - unit <= place.fields.back().width;
}

}  // namespace

std::string c_of(const Plan& plan) { return model_as_c(plan, {"unit", "a test", "assay", "0"}); }

std::string said_by_analysers(const std::string& text, const fs::path& folder) {
  fs::create_directories(folder);
  const std::string file = (folder / "all.c").string(), log = (folder / "log").string();
  write(file, "#define ASSAY_FN\n" + text);  // in no header and not static: all are looked at
  std::string said;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"gcc", "-std=c99", "-O1", "-fanalyzer", "-Werror", "-c", file, "-o", "/dev/null"},
        std::vector<std::string>{"clang", "-std=c99", "--analyze", "-Xclang", "-analyzer-werror", file, "-o",
                                 "/dev/null"}}) {
    if (run_program(command, log) != 0) said += command.front() + ": " + read_whole_file(log, 16, "a log");
  }
  return said;
}

CompiledC::CompiledC(const Plan& plan, const std::string& text, const fs::path& folder)
    : plan_(plan), folder_(folder), spots_(spots_of()) {
  for (const Spot& spot : spots_) answer_words_ += static_cast<std::size_t>(spot.words);
  compile(text);
}

std::vector<CompiledC::Spot> CompiledC::spots_of() const {
  std::vector<int> words(plan_.places.size(), 1);
  std::vector<char> sticky(plan_.places.size(), 0);
  for (const SumSite& site : sum_sites(plan_)) {
    for (int place = site.window + 1; place <= site.reduce; ++place)
      words[static_cast<std::size_t>(place)] = c_register_words(plan_, *site.adder);
    sticky[static_cast<std::size_t>(site.reduce)] = site.adder->has_sticky() ? 1 : 0;
  }
  std::vector<Spot> spots;
  for (const Place& place : plan_.places) {
    const std::string member = c_place(place.name, plan_);
    const int width = words[spots.size()];
    const std::string_view field = place.fields.front().name;
    if (field == "class")
      spots.push_back({Spot::Holds::number, member, number_words});
    else if (field == "addend")
      spots.push_back({Spot::Holds::addend, member, width});
    else if (field == "sum" && sticky[spots.size()] != 0)
      spots.push_back({Spot::Holds::sum_and_sticky, member, width + 1});
    else if (field == "sum")
      spots.push_back({Spot::Holds::sum, member, width});
    else
      spots.push_back({Spot::Holds::word, member, 1});
  }
  return spots;
}

std::string CompiledC::program() const {
  std::string table, arguments = "a, b, c[0]";
  std::string reading =
      read_codes("a", plan_.a, plan_.k) + read_codes("b", plan_.b, plan_.k) + read_codes("c", plan_.c, 1);
  for (const char* side : {"scale_a", "scale_b"}) {
    if (!plan_.scale) continue;
    reading += read_codes(side, *plan_.scale, plan_.scales);
    arguments += std::string(", ") + side;
  }
  for (const CaseOperand& more : plan_.more) {
    reading += read_codes("operand_" + more.name, more.format, more.count);
    arguments += ", operand_" + more.name;
  }
  if (plan_.datapath.flags) {
    reading += "  uint32_t flags;\n";
    arguments += ", &flags";
  }
  const auto row = [&](const std::string& member, bool number) {
    table +=
        "  {offsetof(places_t, " + member + "), " + (number ? "0" : "sizeof(((places_t *)0)->" + member + ")") + "},\n";
  };
  for (const Spot& spot : spots_) {
    row(spot.member, spot.holds == Spot::Holds::number);
    if (spot.holds == Spot::Holds::sum_and_sticky)
      row(spot.member.substr(0, spot.member.rfind('.')) + ".sticky", false);
  }
  return "#include \"unit.h\"\n#include <stddef.h>\nstatic const struct spot {\n  size_t at, bytes;\n} spots[] = {\n" +
         table + "};\n" + "#include <stdio.h>\nstatic uint64_t next_code(FILE *in, bool *more);\n" +
         "static void one_case(FILE *in, bool *more, places_t *places) {\n" + reading + "  if (*more) dot(" +
         arguments + ", places);\n}\n" + runner;
}

void CompiledC::compile(const std::string& text) {
  fs::create_directories(folder_);
  write(folder_ / "unit.h", text);
  const std::string use = "#include \"unit.h\"\n";
  write(folder_ / "use.cc",
        use + "void *ask(unit::places_t *);\nvoid *ask(unit::places_t *p) { (void)&unit::dot; return p; }\n");
  write(folder_ / "main.c", program());
  const std::vector<std::string> strict{"-Wall",   "-Wextra", "-Wconversion",  "-Wshadow",
                                        "-Werror", "-I",      folder_.string()};
  const auto run = [&](std::vector<std::string> command) {
    if (!trouble_.empty()) return;
    command.insert(command.end(), strict.begin(), strict.end());
    const fs::path log = folder_ / "log";
    if (run_program(command, log.string()) != 0) trouble_ = read_whole_file(log.string(), 16, "a log");
  };
  const std::string main = (folder_ / "main.c").string(), use_file = (folder_ / "use.cc").string();
  run({"clang", "-std=c99", "-pedantic", "-fsyntax-only", main});
  for (const char* compiler : {"g++", "clang++"}) run({compiler, "-std=c++11", "-pedantic", "-fsyntax-only", use_file});
  run({"gcc", "-std=c99", "-pedantic", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover", main, "-o",
       (folder_ / "unit").string()});
}

Judgement CompiledC::compare(const std::vector<Case>& cases) const {
  std::ofstream in(folder_ / "in", std::ios::binary);
  const auto give = [&](const std::vector<Code>& codes) {
    in.write(reinterpret_cast<const char*>(codes.data()), static_cast<long>(sizeof(Code) * codes.size()));
  };
  for (const Case& one : cases) {
    give(one.a), give(one.b), give({one.c});
    if (plan_.scale) give(one.scale_a), give(one.scale_b);
    give(one.more);
  }
  in.close();
  const fs::path log = folder_ / "log";
  Judgement judged;
  if (run_program({(folder_ / "unit").string(), (folder_ / "in").string(), (folder_ / "out").string()}, log.string()) !=
      0) {
    judged.first = "the program ended early: " + read_whole_file(log.string(), 16, "a log");
    return judged;
  }
  std::ifstream out(folder_ / "out", std::ios::binary);
  std::vector<std::uint64_t> answer(answer_words_);
  for (const Case& one : cases) {
    out.read(reinterpret_cast<char*>(answer.data()), static_cast<long>(sizeof(std::uint64_t) * answer.size()));
    if (!out) return judged;
    ++judged.cases;
    if (is_same(one, answer.data(), judged)) ++judged.same;
  }
  return judged;
}

bool CompiledC::is_same(const Case& one, const std::uint64_t* answer, Judgement& judged) const {
  Registers registers;
  Trace expected(plan_), actual(plan_);
  dot(plan_, one.operand(), registers, &expected);
  for (std::size_t i = 0; i < spots_.size(); ++i) {
    const auto place = static_cast<int>(i);
    const bool stands = put(spots_[i], answer, place, actual);
    answer += spots_[i].words;
    if (stands && expected.same(place, actual)) continue;
    if (judged.first.empty())
      judged.first = case_name(one) + ": " + plan_.places.name(place) + " should be " + expected.at(place).hex() +
                     (stands ? " and is " + actual.at(place).hex() : " and holds what does not fit there");
    return false;
  }
  return true;
}

bool CompiledC::put(const Spot& spot, const std::uint64_t* from, int place, Trace& into) const {
  const Place& at = *plan_.places.spot(place).place;
  if (spot.holds == Spot::Holds::number) {
    const Number n = number_from(from);
    if (!fits(n, at)) return false;
    into.put(place, n);
    return true;
  }
  std::vector<std::uint64_t> bits(from, from + spot.words);
  if (spot.holds == Spot::Holds::sum_and_sticky) {  // sticky stands below the sum
    std::uint64_t below = bits.back() & 1;
    bits.back() = 0;
    for (std::uint64_t& word : bits) {
      const std::uint64_t above = word >> 63;
      word = word << 1 | below;
      below = above;
    }
  }
  // A sum of fewer words than its place is one below zero or not: more of its uppermost bit.
  const auto needed = static_cast<std::size_t>((at.width + 63) / 64);
  const bool is_sum = spot.holds != Spot::Holds::word;
  while (bits.size() < needed) bits.push_back(is_sum && bits.back() >> 63 != 0 ? ~std::uint64_t{0} : 0);
  if (at.width % 64 != 0) bits[needed - 1] &= (std::uint64_t{1} << (at.width % 64)) - 1;
  into.set(place, {bits.data(), at.width});
  return true;
}

}  // namespace assay
