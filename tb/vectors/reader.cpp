#include "tb/vectors/reader.hpp"

#include <utility>

#include "model/base/text.hpp"

namespace assay {
namespace {

constexpr std::size_t longest_header = 1 << 20;

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

// Some editors begin a text with one.
bool has_byte_order_mark(std::string_view line) {
  const auto begins = [&](std::string_view mark) { return line.substr(0, mark.size()) == mark; };
  return begins("\xef\xbb\xbf") || begins("\xff\xfe") || begins("\xfe\xff");
}

}  // namespace

VectorReader::VectorReader(std::string file, ByteSource source) : file_(std::move(file)), source_(std::move(source)) {
  std::string_view line;
  if (!next_line(longest_header, line)) {
    throw Error{file_ + " is empty; a vector file begins with a header, {\"assay\":1,...}."};
  }
  if (has_byte_order_mark(line))
    fail("the file begins with a byte order mark; save it as UTF-8 without one, since a vector file begins with '{'.");
  try {
    header_ = parse_header(line);
  } catch (const ScanError& error) {
    fail(error.message);
  }
}

bool VectorReader::next(const CaseShape& shape, Case& into) {
  if (element_ == matrix_.elements()) {
    std::string_view line;
    if (!next_line_with_case(shape, line)) return false;
    try {
      read(line, shape, into);
    } catch (const ScanError& error) {
      fail(error.message);
    }
    ++cases_;
  }
  if (element_ < matrix_.elements()) take_apart(matrix_, shape, element_++, into);
  into.number = cases_ - 1;
  return true;
}

// Into `into`, or into the matrix that is taken apart next.
void VectorReader::read(std::string_view line, const CaseShape& shape, Case& into) {
  if (read_case(line, shape, into)) return;
  matrix_ = read_matrix_case(line, shape);
  element_ = 0;
}

bool VectorReader::next_line_with_case(const CaseShape& shape, std::string_view& line) {
  do {
    if (!next_line(shape.longest_line(), line)) {
      if (header_.cases && *header_.cases != cases_) {
        throw Error{file_ + ", line 1: the header promises " + counted(*header_.cases, "case") +
                    ", but the file holds " + std::to_string(cases_) + "."};
      }
      return false;
    }
  } while (is_blank(line));
  return true;
}

bool VectorReader::next(const CaseShape& shape, std::size_t most, std::vector<Case>& into) {
  constexpr std::size_t most_codes = std::size_t{1} << 22;  // 32 MiB, where each case has very many terms
  into.resize(most);
  std::size_t count = 0, codes = 0;
  while (count < most && codes < most_codes && next(shape, into[count])) codes += 2 * into[count++].a.size();
  into.resize(count);
  return count > 0;
}

bool VectorReader::next_line(std::size_t longest, std::string_view& line) {
  constexpr std::size_t chunk = 1 << 18;
  const auto check_length = [&](std::size_t length) {
    if (length <= longest) return;
    fail("the line is longer than " + std::to_string(longest) + " bytes, the most that is read of one line here.");
  };
  ++line_;
  while (!lines_.next(line)) {
    check_length(lines_.rest().size());
    if (!ended_) {
      const std::size_t n = source_(lines_.room(chunk), chunk);
      lines_.filled(n);
      ended_ = n == 0;
    }
    if (ended_) {
      line = lines_.rest();
      lines_.drop_rest();
      return !line.empty();
    }
  }
  check_length(line.size());
  return true;
}

void VectorReader::fail(const std::string& sentence) const {
  throw Error{file_ + ", line " + std::to_string(line_) + ": " + sentence};
}

}  // namespace assay
