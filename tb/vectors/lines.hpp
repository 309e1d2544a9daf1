// Bytes in, lines out. Standard library only.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace assay {

// The caller reads bytes into room(), says how many came with filled(), and takes whole lines with next(). Nothing is
// copied but the start of an unfinished line; the caller bounds the memory by looking at rest().
class LineBuffer {
 public:
  // Space for at least `size` more bytes. Lines taken before are gone.
  char* room(std::size_t size) {
    if (begin_ > 0) {
      std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
      searched_ -= begin_;
      end_ -= begin_;
      begin_ = 0;
    }
    if (bytes_.size() - end_ < size) bytes_.resize(2 * end_ + size);
    return bytes_.data() + end_;
  }
  void filled(std::size_t size) { end_ += size; }

  // The next whole line, without its newline: good until room() is called.
  bool next(std::string_view& line) {
    const void* newline = find_newline();
    if (newline == nullptr) return false;
    const char* start = bytes_.data() + begin_;
    line = {start, static_cast<std::size_t>(static_cast<const char*>(newline) - start)};
    begin_ += line.size() + 1;
    searched_ = begin_;
    return true;
  }
  bool has_line() { return find_newline() != nullptr; }

  // So many bytes, which must be there: what follows a line need not be lines.
  const char* take(std::size_t size) {
    const char* start = bytes_.data() + begin_;
    begin_ += size;
    searched_ = std::max(searched_, begin_);
    return start;
  }

  // What stands after the last whole line.
  std::string_view rest() const { return {bytes_.data() + begin_, end_ - begin_}; }
  void drop_rest() { begin_ = searched_ = end_; }

 private:
  const void* find_newline() {
    if (searched_ == end_) return nullptr;
    const void* newline = std::memchr(bytes_.data() + searched_, '\n', end_ - searched_);
    searched_ = newline == nullptr ? end_ : static_cast<std::size_t>(static_cast<const char*>(newline) - bytes_.data());
    return newline;
  }

  //  | gone | the line in hand ... | searched, no newline | not yet searched | room |
  //         begin_                                        searched_          end_
  std::vector<char> bytes_;
  std::size_t begin_ = 0, searched_ = 0, end_ = 0;
};

}  // namespace assay
