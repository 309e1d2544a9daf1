// Text of others - a header's title, a device's complaint, a file's name - as a terminal may see it: what steers a
// terminal, or turns around or hides what stands beside it, is shown as its number.
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace assay {

// Control characters but for the tab and the end of a line, characters that change the direction of writing, those that
// nobody sees: \u001b, \u202e. Bytes that are no UTF-8: \xff. JSON stays the same JSON.
std::string printable(std::string_view text);

// Hands on to another stream what is printable. Where `colour` is set, what begins and ends our own colours passes.
class PrintableBuffer : public std::streambuf {
 public:
  PrintableBuffer(std::streambuf& to, bool colour) : to_(to), colour_(colour) {}

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool hand_on(bool at_end);

  std::streambuf& to_;
  bool colour_;
  std::string held_;  // the bytes of a character, or of a colour, that is not whole yet
};

}  // namespace assay
