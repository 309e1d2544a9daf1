#include "tb/scoreboard/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/xml.hpp"

namespace assay {
namespace {

std::string outcome_xml(const JunitCase& one) {
  const std::string message = xml_attribute(one.message), text = xml_text(one.text);
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
      xml_attribute(suite), cases.size(), count(cases, JunitOutcome::failed), count(cases, JunitOutcome::error),
      seconds);
  for (const JunitCase& one : cases) {
    xml += fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\">\n", xml_attribute(one.name),
                       xml_attribute(one.group), one.seconds);
    xml += outcome_xml(one) + "    </testcase>\n";
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace assay
