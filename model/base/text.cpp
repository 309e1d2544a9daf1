#include "model/base/text.hpp"

#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t longest_guess = 100;  // of what a near choice is looked for

std::size_t edit_distance(std::string_view x, std::string_view y) {
  std::vector<std::size_t> row(y.size() + 1);
  for (std::size_t j = 0; j <= y.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (x[i - 1] == y[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[y.size()];
}

}  // namespace

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") + 1 - first));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t end = text.find(at); end != text.npos; end = text.find(at, from)) {
    parts.emplace_back(text.substr(from, end - from));
    from = end + 1;
  }
  parts.emplace_back(text.substr(from));
  return parts;
}

std::string joined(const std::vector<std::string>& items, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) text.append(i == 0 ? "" : between).append(items[i]);
  return text;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

bool matches(std::string_view pattern, std::string_view text) {
  // The last `*` passed so far, and where in the text what it stands for ends.
  std::size_t star = std::string_view::npos, until = 0;
  std::size_t p = 0, n = 0;
  while (n < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      until = n;
    } else if (p < pattern.size() && pattern[p] == text[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++until;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(digits.begin() + at, ',');
  }
  return digits;
}

std::string wrapped(const std::vector<std::string>& words, const Wrapping& how) {
  std::string text, line = how.first;
  bool fresh = true;
  for (const std::string& word : words) {
    if (!fresh && line.size() + how.between.size() + word.size() + how.at_end.size() > how.columns) {
      text += line + how.at_end + "\n";
      line = how.later;
      fresh = true;
    }
    line += (fresh ? "" : how.between) + word;
    fresh = false;
  }
  return text + line + "\n";
}

std::string nearest(std::string_view found, const std::vector<std::string>& choices) {
  if (found.size() > longest_guess) return ".";
  std::size_t best = std::max<std::size_t>(2, found.size() / 4) + 1;
  const std::string* choice = nullptr;
  for (const std::string& candidate : choices) {
    if (candidate.size() >= found.size() + best) continue;  // farther away than that, whatever it says
    const std::size_t distance = edit_distance(found, candidate);
    if (distance < best) best = distance, choice = &candidate;
  }
  return choice == nullptr ? "." : "; did you mean '" + *choice + "'?";
}

}  // namespace assay
