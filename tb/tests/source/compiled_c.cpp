#include "tb/tests/source/compiled_c.hpp"

#include <dlfcn.h>

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

// Takes the words of cases, leaves what stands at each spot of a table: as a function of a library, and as a program
// that reads a file and writes one.
constexpr const char* runner = R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_number(uint64_t *out, const number_t *n) {
  out[0] = (uint64_t)n->kind | (uint64_t)n->negative << 8;
  out[1] = (uint64_t)(int64_t)n->exponent;
  out[2] = (uint64_t)(int64_t)n->quantum;
  out[3] = out[4] = 0;
  memcpy(&out[3], &n->magnitude, sizeof n->magnitude);
}

static uint64_t *put_spot(uint64_t *out, const struct spot *s, const void *at) {
  if (s->bytes == 0) {
    put_number(out, (const number_t *)at);
    return out + 5;
  }
  const size_t words = (s->bytes + 7) / 8;
  out[words - 1] = 0;
  memcpy(out, at, s->bytes);
  return out + words;
}

void many(const uint64_t *in, uint64_t *out, size_t cases);
void many(const uint64_t *in, uint64_t *out, size_t cases) {
  for (size_t n = 0; n < cases; ++n) {
    static places_t places;
    const size_t count = sizeof spots / sizeof *spots;
    memset(&places, 0x5a, sizeof places);
    one_case(&in, &places);
    for (size_t i = 0; i < count; ++i) out = put_spot(out, &spots[i], (const char *)&places + spots[i].at);
  }
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  const size_t cases = strtoul(argv[3], NULL, 10), in_words = cases * strtoul(argv[4], NULL, 10);
  const size_t out_words = cases * strtoul(argv[5], NULL, 10);
  uint64_t *in_at = (uint64_t *)calloc(in_words, 8), *out_at = (uint64_t *)calloc(out_words, 8);
  FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
  if (!in_at || !out_at || !in || !out || fread(in_at, 8, in_words, in) != in_words) return 3;
  many(in_at, out_at, cases);
  const bool written = fwrite(out_at, 8, out_words, out) == out_words && fclose(out) == 0;
  fclose(in);
  free(in_at);
  free(out_at);
  return written ? 0 : 4;
}
)";

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string read_codes(const std::string& name, const Format& format, int count) {
  const std::string type = "uint" + std::to_string(8 * element_bytes(format.stored_bits)) + "_t";
  return "  static " + type + " " + name + "[" + std::to_string(count) + "];\n  for (int i = 0; i < " +
         std::to_string(count) + "; ++i) " + name + "[i] = (" + type + ")*(*in)++;\n";
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
         table + "};\n" + "static void one_case(const uint64_t **in, places_t *places) {\n" + reading + "  dot(" +
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

std::vector<std::uint64_t> CompiledC::words_of(const std::vector<Case>& cases) const {
  std::vector<std::uint64_t> words;
  const auto give = [&](const std::vector<Code>& codes) { words.insert(words.end(), codes.begin(), codes.end()); };
  for (const Case& one : cases) {
    give(one.a), give(one.b), give({one.c});
    if (plan_.scale) give(one.scale_a), give(one.scale_b);
    give(one.more);
  }
  return words;
}

Judgement CompiledC::compare(const std::vector<Case>& cases) const {
  const std::vector<std::uint64_t> in = words_of(cases);
  const auto file = [&](const char* name) { return (folder_ / name).string(); };
  std::ofstream(file("in"), std::ios::binary)
      .write(reinterpret_cast<const char*>(in.data()), static_cast<long>(sizeof in[0] * in.size()));
  Judgement judged;
  if (run_program({file("unit"), file("in"), file("out"), std::to_string(cases.size()),
                   std::to_string(in.size() / cases.size()), std::to_string(answer_words_)},
                  file("log")) != 0) {
    judged.first = "the program ended early: " + read_whole_file(file("log"), 16, "a log");
    return judged;
  }
  std::vector<std::uint64_t> out(cases.size() * answer_words_);
  std::ifstream(file("out"), std::ios::binary)
      .read(reinterpret_cast<char*>(out.data()), static_cast<long>(sizeof out[0] * out.size()));
  return judge(cases, out);
}

Judgement CompiledC::compare_quickly(const std::vector<Case>& cases) {
  if (many_ == nullptr) {
    const std::string library = (folder_ / "libunit.so").string(), log = (folder_ / "log").string();
    if (run_program({"gcc", "-std=c99", "-O2", "-shared", "-fPIC", "-I", folder_.string(),
                     (folder_ / "main.c").string(), "-o", library},
                    log) != 0)
      throw Error{read_whole_file(log, 16, "a log")};
    library_.reset(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
      if (handle != nullptr) dlclose(handle);
    });
    if (library_) many_ = reinterpret_cast<Many>(dlsym(library_.get(), "many"));
    if (many_ == nullptr) throw Error{library + ": This library cannot be loaded: " + dlerror()};
  }
  std::vector<std::uint64_t> out(cases.size() * answer_words_);
  many_(words_of(cases).data(), out.data(), cases.size());
  return judge(cases, out);
}

Judgement CompiledC::judge(const std::vector<Case>& cases, const std::vector<std::uint64_t>& out) const {
  Judgement judged;
  Registers registers;
  Trace expected(plan_), actual(plan_);
  for (const Case& one : cases) {
    const std::uint64_t* answer = &out[judged.cases++ * answer_words_];
    dot(plan_, one.operand(), registers, &expected);
    bool stand = true;
    for (std::size_t i = 0; i < spots_.size(); ++i) {
      stand &= put(spots_[i], answer, static_cast<int>(i), actual);
      answer += spots_[i].words;
    }
    if (stand && expected.same(actual)) {
      ++judged.same;
    } else if (judged.first.empty()) {
      judged.first = case_name(one) + ": " + difference(expected, answer - answer_words_, actual);
    }
  }
  return judged;
}

// At the first place that differs.
std::string CompiledC::difference(const Trace& expected, const std::uint64_t* answer, Trace& actual) const {
  for (std::size_t i = 0; i < spots_.size(); ++i) {
    const auto place = static_cast<int>(i);
    const bool stands = put(spots_[i], answer, place, actual);
    answer += spots_[i].words;
    if (stands && expected.same(place, actual)) continue;
    return plan_.places.name(place) + " should be " + expected.at(place).hex() +
           (stands ? " and is " + actual.at(place).hex() : " and holds what does not fit there");
  }
  return "";
}

bool CompiledC::put(const Spot& spot, const std::uint64_t* from, int place, Trace& into) const {
  const Place& at = *plan_.places.spot(place).place;
  if (spot.holds == Spot::Holds::number) {
    const Number n = number_from(from);
    if (!fits(n, at)) return false;
    into.put(place, n);
    return true;
  }
  if (at.width <= 64) {
    const bool has_sticky = spot.holds == Spot::Holds::sum_and_sticky;
    into.put(place, u128{has_sticky ? from[0] << 1 | (from[spot.words - 1] & 1) : from[0]});
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
