// What a device in its own process may write (docs/devices.md): its greeting, its answers, its end. Bytes in, values
// out; tb/devices/process.hpp holds the conversation.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "tb/devices/conversation.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/serve.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay {

// `name` is the device's, for messages. What it says of records is read only with `records`. Throws Error.
Greeting parse_greeting(const std::string& name, std::string_view line, bool records = false);

// What a line or record of the device says: an answer, or the end, or that a fresh process is to answer the rest.
struct DeviceLine {
  std::optional<std::uint64_t> id;
  std::optional<std::uint64_t> end;
  bool restart = false;
  Answer answer;
};

class AnswerReader {
 public:
  // Refers to `plan`, which must outlive it.
  explicit AnswerReader(const Plan& plan) : plan_(&plan) {}

  // A line that names its case but holds no valid answer is an answer with an error. Throws Broken for a line that
  // belongs to no case.
  DeviceLine read(std::string_view line, bool trace) const;

  // Bytes that no answer exceeds: every place's name and digits, each with quotes, colon and comma, and text beside.
  std::size_t longest_line() const;

 private:
  DeviceLine scan(std::string_view text, bool trace) const;
  void read_trace(Scanner& scanner, Answer& answer) const;

  const Plan* plan_;
};

// The same of records, which hold what the device's greeting says.
class RecordReader {
 public:
  // `name` is the device's, for messages; refers to `plan`, which must outlive it. Throws Error where the device takes
  // other codes than a case has, or places that the plan has not.
  RecordReader(const std::string& name, const RecordLayout& layout, const Plan& plan, const CaseShape& shape);

  // Throws Broken for a record that no device may write.
  DeviceLine read(const RecordView& record, bool trace) const;
  static std::string shown(const RecordView& record);  // in a message

  // Words that follow the head of an answer, or of an error, at most.
  std::size_t most_words() const { return std::max(1 + words_.size(), longest_error); }

 private:
  static constexpr std::size_t longest_error = 1 << 17;

  // Places that follow each other in an answer as they do in a Trace.
  struct Stretch {
    std::size_t from = 0, words = 0;  // in an answer
    std::size_t into = 0;             // in a Trace
  };
  // A word of an answer: whose it is, and which of its bits must be zero.
  struct Word {
    int place = 0;
    std::uint64_t above = 0;
  };

  void add(int place, int width);
  Answer answer(const RecordView& record, bool trace) const;
  void take_places(const RecordView& record, Answer& answer) const;

  const Plan* plan_;
  std::vector<Stretch> stretches_;
  std::vector<Word> words_;  // of all places
  std::vector<char> traced_;
};

// What a request holds, as a record.
void append_request(std::string& out, std::uint64_t id, const Case& c);

// A sentence as part of another one.
std::string within(std::string sentence);

}  // namespace assay
