#include "tb/run/sign_off.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/base/printable.hpp"
#include "model/base/text.hpp"
#include "tb/guarantee/summary.hpp"
#include "tb/scoreboard/report.hpp"

namespace assay {
namespace {

// Someone's text in one line that shows every character of it.
std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  return printable(line);
}

// As it stands, where Markdown would read marks: "a \| b", "\<b>".
std::string plain(const std::string& text) {
  std::string escaped;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`|<>[]*&").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Without marks there are none to read: only a new line would end it.
std::string code_line(std::string line) {
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::replace(line.begin(), line.end(), '\r', ' ');
  return printable(line);
}

constexpr const char* signature = "\nSigned: ______________________    Date: ______________\n";

std::string row(const std::string& name, const std::string& value) {
  return fmt::format("| {} | {} |\n", name, plain(value));
}

std::string cases(std::uint64_t n) { return fmt::format("{} {}", n, n == 1 ? "case" : "cases"); }

std::string waivers_table(const std::vector<WaiverUse>& waivers) {
  if (waivers.empty()) return "\nNothing is waived.\n";
  std::string text = "\n| waiver | cases | reason | owner |\n|---|---:|---|---|\n";
  for (const WaiverUse& use : waivers) {
    text += fmt::format("| {} | {} | {} | {} |\n", plain(use.waiver.name), use.cases, plain(use.waiver.reason),
                        plain(use.waiver.owner));
  }
  return text;
}

}  // namespace

SignOff sheet_of(const Comparison& found, const Subject& subject) {
  SignOff sheet{found.devices,
                {{"computes", subject.name}, {"datapath (SHA-256)", subject.header.datapath_sha256}},
                found.explanation};
  if (const auto known = guarantee::summary(subject.plan)) {
    sheet.facts.emplace_back("guaranteed of the datapath", known->bound);
    sheet.facts.emplace_back("holds for all operands", known->holds.empty() ? "nothing" : joined(known->holds));
  }
  return sheet;
}

std::string sign_off_text(const SignOff& sheet, const Summary& s) {
  std::string text = fmt::format("# {}: {}\n\n| | |\n|---|---|\n", plain(sheet.title), conclusion(s));
  for (const auto& [name, value] : sheet.facts) text += row(name, value);
  text += row("compared", fmt::format("{}, {} in {} of them", cases(s.compared), counted(s.places, "place"), s.traced));
  text += row("expected d", fmt::format("{} zero, {} NaN, {} infinity", s.zeros, s.nans, s.infinities));
  text += row("wrong d", std::to_string(s.differs));
  text += row("right d, wrong on the way", std::to_string(s.masked));
  if (s.unsteady != 0) text += row("right d, another in another order of cases", std::to_string(s.unsteady));
  text += row("errors, missing and surplus answers",
              std::to_string(s.errors() + s.leftovers + s.surplus + s.complaints.size()));
  for (const KnownUse& use : s.known) {
    if (use.cases == 0) continue;
    text += row("known difference " + use.known.name, fmt::format("{}: {}", cases(use.cases), use.known.reason));
  }
  text += row("waived", std::to_string(s.waived()));
  text += waivers_table(s.waivers);
  // Indented by four, it is code: commands are there to be pasted.
  if (!sheet.explanation.empty()) text += "\n";
  for (const std::string& line : sheet.explanation) text += "    " + code_line(line) + "\n";
  return text + signature;
}

std::string not_compared_text(const std::string& subject, const std::string& message) {
  return fmt::format("# {}: not compared\n\n{}\n{}", plain(subject), plain(message), signature);
}

}  // namespace assay
