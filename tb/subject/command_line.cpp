#include "tb/subject/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/core/values.hpp"

namespace assay {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// As bash has it: $'a\x0ab'. A control character between plain quotes would not survive a terminal.
std::string escaped_word(const std::string& text) {
  std::string quoted = "$'";
  for (const char c : text) {
    if (is_control(c)) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
  }
  return quoted + "'";
}

std::string codes_text(const std::vector<Code>& codes, const Format& format) {
  const Code zero = zero_code(format);  // which a reader fills up with
  std::size_t used = codes.size();
  while (used > 1 && codes[used - 1] == zero) --used;
  std::string text;
  for (std::size_t i = 0; i < used; ++i)
    text += fmt::format("{}{:0{}x}", i > 0 ? "," : "", codes[i], format.hex_digits());
  return text;
}

}  // namespace

std::string shell_word(const std::string& text) {
  const bool plain =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+") ==
      std::string::npos;
  if (plain && !text.empty()) return text;
  if (std::any_of(text.begin(), text.end(), is_control)) return escaped_word(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string case_options(const Case& c) {
  const std::string number = fmt::format("--case {}", c.number);
  return c.element ? fmt::format("{} --element {},{}", number, c.element->row, c.element->column) : number;
}

std::string operand_options(const Plan& plan, const Case& one) {
  std::string text = fmt::format("--a {} --b {} --c {:0{}x}", codes_text(one.a, plan.a), codes_text(one.b, plan.b),
                                 one.c, plan.c.hex_digits());
  if (plan.scale) {
    text += fmt::format(" --scale-a {} --scale-b {}", codes_text(one.scale_a, *plan.scale),
                        codes_text(one.scale_b, *plan.scale));
  }
  for (const CaseOperand& more : plan.more)
    text += fmt::format(" --operand {}={}", more.name,
                        codes_text({one.more.begin() + more.first, one.more.begin() + more.end()}, more.format));
  return text;
}

std::string explain_command(const std::string& subject, const Plan& plan, const Case& one, const std::string& program) {
  return fmt::format("{} explain {} {}", program, subject, operand_options(plan, one));
}

}  // namespace assay
