#include "tb/source/c_whole.hpp"

#include "model/base/text.hpp"
#include "tb/source/c_formats.hpp"
#include "tb/source/fill.hpp"

namespace assay {
namespace {

using layout::Fragment;
using layout::Home;

constexpr int run = 16;  // slots, behind which some layouts leave a gap

constexpr const char* words_helper = R"(
// So many bits from bit `at` on, of words one after another; 64 of them begin a word.
//
//   word   1                 0
//          . . . . . . . e e | e e e . . . .
//                               ^ at
FN uint64_t read_bits(const uint32_t *words, int32_t at, int32_t bits) {
  const int32_t low = at % 32;
  uint64_t found = words[at / 32] >> low;
  if (low + bits > 32) found |= (uint64_t)words[at / 32 + 1] << (32 - low);
  return found & (~(uint64_t)0 >> (64 - bits));
}
FN void write_bits(uint32_t *words, int32_t at, int32_t bits, uint64_t code) {
  const int32_t low = at % 32;
  const uint64_t mask = ~(uint64_t)0 >> (64 - bits);
  words[at / 32] = (words[at / 32] & ~(uint32_t)(mask << low)) | (uint32_t)((code & mask) << low);
  if (low + bits > 32)
    words[at / 32 + 1] = (words[at / 32 + 1] & ~(uint32_t)(mask >> (32 - low))) | (uint32_t)((code & mask) >> (32 - low));
}
)";

std::string coordinate(char letter) { return letter == 'b' ? "block" : std::string(1, letter); }

// "k1 ~m0" as C: the number whose bits these are, the lowest first.
std::string number_of(std::string_view bits) {
  std::vector<std::string> terms;
  int place = 0;
  for (const std::string& word : split(std::string(bits), ' ')) {
    const bool turned = word.front() == '~';
    const std::string bit = word.substr(turned ? 1 : 0);
    const std::string shift = place == 0 ? "" : " << " + std::to_string(place);
    ++place;
    if (bit.size() < 2) continue;  // one that is always zero
    const std::string from = bit[1] == '0' ? "" : std::string(" >> ") + bit[1];
    const std::string one = "(" + coordinate(bit[0]) + from + " & 1)";
    terms.push_back((turned ? "(1 - " + one + ")" : one) + shift);
  }
  return terms.empty() ? "0" : joined(terms, " | ");
}

struct Operand {
  std::string name;
  const Fragment& at;

  // Of an element that its place depends on, in order.
  std::vector<std::string> coordinates() const {
    std::vector<std::string> used;
    for (const char letter : {'b', 'm', 'n', 'k', 's'}) {
      if ((std::string(at.layout.lane) + std::string(at.layout.slot)).find(letter) != std::string::npos)
        used.push_back(coordinate(letter));
    }
    return used;
  }

  std::string bit() const { return "bit_of_" + name + "(" + joined(coordinates()) + ")"; }
  std::string read() const { return "read_bits(" + name + ", " + bit() + ", " + std::to_string(at.bits) + ")"; }

  std::string function() const {
    std::vector<std::string> parameters;
    for (const std::string& name : coordinates()) parameters.push_back("int32_t " + name);
    const std::string slot = at.run_bits == 0
                                 ? std::to_string(at.slot_bits) + " * slot"
                                 : "slot / " + std::to_string(run) + " * " + std::to_string(at.run_bits) +
                                       " + slot % " + std::to_string(run) + " * " + std::to_string(at.slot_bits);
    const std::string lane =
        at.lanes == 1 ? "" : std::to_string(32 * at.words()) + " * (" + number_of(at.layout.lane) + ") + ";
    return fill(R"(
// Where an element of @name@ stands: @home@.
FN int32_t bit_of_@name@(@parameters@) {
  const int32_t slot = @slot@;
  return @lane@@first@;
}
)",
                {{"name", name},
                 {"home", home()},
                 {"parameters", parameters.empty() ? "void" : joined(parameters)},
                 {"slot", number_of(at.layout.slot)},
                 {"lane", lane},
                 {"first", slot + (at.shift == 0 ? "" : " + " + std::to_string(at.shift))}});
  }

  std::string home() const {
    const std::string words = std::to_string(at.words()) + " words of 32 bits", lanes = std::to_string(at.lanes);
    switch (at.home) {
      case Home::registers: return words + " in each of " + lanes + " lanes, lane after lane";
      case Home::named_registers: return words + " in each of " + lanes + " registers";
      case Home::shared_memory: return words + " of shared memory";
      case Home::tensor_memory: return words + " in each of " + lanes + " lanes of tensor memory";
    }
    return words;
  }
};

std::string loop(const std::string& name, int count, const std::string& body) {
  return "  for (int32_t " + name + " = 0; " + name + " < " + std::to_string(count) + "; ++" + name + ") {\n" +
         indented(body) + "  }\n";
}

}  // namespace

std::string c_whole(const Plan& plan, const WholeInstruction& whole) {
  const layout::Fragments& f = whole.operands;
  const Operand a{"a", f.a}, b{"b", f.b}, c{"c", f.c}, d{"d", f.d};
  std::string text = words_helper + a.function() + b.function() + c.function() + d.function();
  std::string parameters = "const uint32_t *a, const uint32_t *b, const uint32_t *c";
  const auto line = [](const Format& format, const std::string& array, int count, const std::string& index,
                       const Operand& from) {
    const std::string type = c_code_type(format);
    return "  " + type + " " + array + "[" + std::to_string(count) + "];\n  for (int32_t " + index + " = 0; " + index +
           " < " + std::to_string(count) + "; ++" + index + ") " + array + "[" + index + "] = (" + type + ")" +
           from.read() + ";\n";
  };
  std::string body = line(plan.a, "row", plan.k, "k", a) + line(plan.b, "column", plan.k, "k", b);
  std::string arguments = "row, column, (" + c_code_type(plan.c) + ")" + c.read();
  if (f.scale_a) {
    const Operand scale_a{"scale_a", *f.scale_a}, scale_b{"scale_b", *f.scale_b};
    text += scale_a.function() + scale_b.function();
    parameters += ", const uint32_t *scale_a, const uint32_t *scale_b";
    body += line(*plan.scale, "scales_of_row", plan.scales, "s", scale_a) +
            line(*plan.scale, "scales_of_column", plan.scales, "s", scale_b);
    arguments += ", scales_of_row, scales_of_column";
  }
  if (plan.datapath.flags) arguments += ", 0";
  body += "  write_bits(d, " + d.bit() + ", " + std::to_string(f.d.bits) + ", dot(" + arguments + ", 0));\n";
  body = loop("m", whole.size.m, loop("n", whole.size.n, body));
  if (whole.size.b > 1) body = loop("block", whole.size.b, body);
  return text + fill(R"(
// The whole instruction: each element of D as a dot product of a row of A, a column of B and an element of C.
// @blocks@@m@ x @n@, @k@ terms each. D may stand where C does; bits of it that hold no element stay.
FN void instruction(@parameters@, uint32_t *d) {
@body@}
)",
                     {{"blocks", whole.size.b > 1 ? std::to_string(whole.size.b) + " blocks of " : ""},
                      {"m", std::to_string(whole.size.m)},
                      {"n", std::to_string(whole.size.n)},
                      {"k", std::to_string(plan.k)},
                      {"parameters", parameters},
                      {"body", body}});
}

}  // namespace assay
