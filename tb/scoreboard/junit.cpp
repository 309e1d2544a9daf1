#include "tb/scoreboard/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace assay {
namespace {

// How many bytes the UTF-8 sequence at the start of `text` has; 0 where there is none.
//   0xxxxxxx   110xxxxx 10xxxxxx   1110xxxx 10xxxxxx 10xxxxxx   11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond = first == 0xf4 && second >= 0x90;
  const bool no_character = first == 0xef && second == 0xbf && byte(2) >= 0xbe;  // U+FFFE, U+FFFF
  return overlong || surrogate || beyond || no_character ? 0 : length;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; }

constexpr std::string_view in_text = "<>&";
constexpr std::string_view in_attribute = "<>&\"\n\t";  // where a line break as it stands would be read as a space

std::string escaped(std::string_view text, std::string_view special) {
  std::string xml;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0 || is_control(c)) {
      xml += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else if (special.find(c) != std::string_view::npos) {
      xml += fmt::format("&#{};", static_cast<int>(c));
    } else {
      xml += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return xml;
}

std::string outcome_xml(const JunitCase& one) {
  const std::string message = escaped(one.message, in_attribute), text = escaped(one.text, in_text);
  switch (one.outcome) {
    case JunitOutcome::passed: return fmt::format("      <system-out>{}</system-out>\n", text);
    case JunitOutcome::failed:
      return fmt::format("      <failure type=\"mismatch\" message=\"{}\">{}</failure>\n", message, text);
    case JunitOutcome::error:
      return fmt::format("      <error type=\"not compared\" message=\"{}\">{}</error>\n", message, text);
  }
  return "";
}

std::ptrdiff_t count(const std::vector<JunitCase>& cases, JunitOutcome outcome) {
  return std::count_if(cases.begin(), cases.end(), [&](const JunitCase& one) { return one.outcome == outcome; });
}

}  // namespace

std::string junit_text(const std::string& suite, const std::vector<JunitCase>& cases) {
  double seconds = 0;
  for (const JunitCase& one : cases) seconds += one.seconds;
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  xml += fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\">\n",
      escaped(suite, in_attribute), cases.size(), count(cases, JunitOutcome::failed), count(cases, JunitOutcome::error),
      seconds);
  for (const JunitCase& one : cases) {
    xml += fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\">\n", escaped(one.name, in_attribute),
                       escaped(one.group, in_attribute), one.seconds);
    xml += outcome_xml(one) + "    </testcase>\n";
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace assay
