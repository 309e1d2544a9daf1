// Cases and answers as words of 64 bits in the machine's own byte order, in place of lines: for a device that is built
// where its host runs, such as the program around a Verilated unit. Its greeting, still a line, says what a record
// holds; the host's header, still a line, says whether records follow it. Standard library only.
//
//   head      kind, words that follow it | id
//   request   a .. b .. c .. as the greeting lists them, a word each code
//   answer    d | the greeting's places, each in whole words, the lowest first; none where no trace was asked
//             for, or where there is nothing to show of this case
//   error     a sentence, filled up with zero bytes
//   restart   nothing
//   end       nothing; its id is a count
//   batch     nothing; its id is how many requests come next, before the host waits for all their answers
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/vectors/lines.hpp"

namespace assay {

inline constexpr int record_version = 2;

// What a request and a traced answer hold.
struct RecordLayout {
  std::vector<std::pair<std::string, int>> codes;   // {"a", 16}: how many of each list
  std::vector<std::pair<std::string, int>> places;  // {"step[0].sum.window", 10}: how many bits of each place

  bool offered() const { return !codes.empty(); }
};

inline std::size_t words_of_bits(int bits) { return (static_cast<std::size_t>(bits) + 63) / 64; }

enum class RecordKind : std::uint32_t { request = 1, answer, error, restart, end, batch };

struct RecordHead {
  RecordKind kind = RecordKind::request;
  std::uint32_t words = 0;  // that follow
  std::uint64_t id = 0;
};
static_assert(sizeof(RecordHead) == 16, "a head is two words, without gaps");

// Good until the buffer that it was read from takes more.
struct RecordView {
  RecordHead head;
  const char* bytes = nullptr;

  std::size_t size() const { return std::size_t{head.words} * sizeof(std::uint64_t); }
  std::uint64_t word(std::size_t i) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + i * sizeof value, sizeof value);
    return value;
  }
  void copy(std::size_t first, std::size_t count, std::uint64_t* into) const {
    if (count != 0) std::memcpy(into, bytes + first * sizeof *into, count * sizeof *into);
  }
  std::string text() const {
    std::string sentence(bytes, size());
    sentence.erase(sentence.find_last_not_of('\0') + 1);
    return sentence;
  }
};

// The head of what comes next, as soon as it is there.
inline bool peek_record(const LineBuffer& buffer, RecordHead& head) {
  const std::string_view rest = buffer.rest();
  if (rest.size() < sizeof head) return false;
  std::memcpy(&head, rest.data(), sizeof head);
  return true;
}

inline bool has_record(const LineBuffer& buffer) {
  RecordView next;
  return peek_record(buffer, next.head) && buffer.rest().size() >= sizeof next.head + next.size();
}

inline bool next_record(LineBuffer& buffer, RecordView& record) {
  if (!has_record(buffer)) return false;
  peek_record(buffer, record.head);
  record.bytes = buffer.take(sizeof record.head + record.size()) + sizeof record.head;
  return true;
}

inline void append_head(std::string& out, RecordKind kind, std::size_t words, std::uint64_t id) {
  const RecordHead head{kind, static_cast<std::uint32_t>(words), id};
  out.append(reinterpret_cast<const char*>(&head), sizeof head);
}
inline void append_words(std::string& out, const std::uint64_t* words, std::size_t count) {
  out.append(reinterpret_cast<const char*>(words), count * sizeof *words);
}
inline void append_sentence(std::string& out, std::uint64_t id, const std::string& sentence) {
  const std::size_t words = words_of_bits(8 * static_cast<int>(sentence.size()));
  append_head(out, RecordKind::error, words, id);
  out.append(sentence).append(words * sizeof(std::uint64_t) - sentence.size(), '\0');
}

}  // namespace assay
