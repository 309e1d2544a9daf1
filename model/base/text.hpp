// Text taken apart, put together and broken into lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

bool starts_with(std::string_view text, std::string_view start);
bool ends_with(std::string_view text, std::string_view end);

// ASCII letters; all else stays.
std::string lower(std::string text);
std::string upper(std::string text);

// Without the spaces and tabs at both ends.
std::string trimmed(std::string_view text);

// "a..b" at '.' is "a", "", "b"; a text without `at` is one part.
std::vector<std::string> split(std::string_view text, char at);

// "a, b, c"
std::string joined(const std::vector<std::string>& items, std::string_view between = ", ");

// With all that is `what` made `with`.
std::string replaced(std::string text, std::string_view what, std::string_view with);

// Whether `text` is `pattern`, in which each `*` stands for any text.
bool matches(std::string_view pattern, std::string_view text);

// "1 case", "2 cases"
std::string counted(std::uint64_t count, std::string_view noun);

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

// How text is broken into lines.
struct Wrapping {
  std::size_t columns = 100;  // no line is wider, unless one word is
  std::string first = {};     // before the first line's words ...
  std::string later = {};     // ... and before each other line's
  std::string between = " ";  // between two words of a line ...
  std::string at_end = {};    // ... and after the last word of a line that another one follows
};

// Each line with its end of line.
std::string wrapped(const std::vector<std::string>& words, const Wrapping& how);

// Ends a sentence: "; did you mean 'x'?" where one of the choices is close to what was found, else ".".
std::string nearest(std::string_view found, const std::vector<std::string>& choices);

}  // namespace assay
