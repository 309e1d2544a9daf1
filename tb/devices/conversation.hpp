// Lines to and from a process, or records after its greeting. Neither side waits for the other longer than it must.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/child.hpp"
#include "tb/devices/records.hpp"

namespace assay {

// The process did something after which the conversation cannot go on; `what` continues a sentence that begins with its
// name.
struct Broken {
  std::string what;
};

inline constexpr std::chrono::milliseconds exit_grace{2000};  // for a process that was told to end

class Conversation {
 public:
  // Throws Error where the program cannot be started.
  Conversation(const std::vector<std::string>& argv, std::chrono::milliseconds timeout, std::size_t longest_line)
      : child_(argv), timeout_(timeout), longest_line_(longest_line) {}

  // From now on the device writes records.
  void expect_records(std::size_t most_words) { most_words_ = most_words; }

  std::string& outgoing() { return outgoing_; }

  // Called for each answer that counts: the device has its full time for the next one.
  void progressed() { heard_ = std::chrono::steady_clock::now(); }
  void set_timeout(std::chrono::milliseconds timeout) { timeout_ = timeout; }

  // The next line from the device; false where it closed its side. A device that keeps silent is told to end; what
  // it still sends is read, and then Broken is thrown.
  bool next_line(std::string_view& line);
  bool next_record(RecordView& record);

  // After the device closed its side: how it went.
  std::string ending();

  // After everything is said: its exit status in words, empty for 0.
  std::string finish();

 private:
  template <class Take>
  bool awaited(const Take& take);
  std::string part_text(std::string_view rest) const;
  bool pump();
  bool told_to_end();
  void write_some();
  bool read_some(bool ended);
  void check_record() const;

  Child child_;
  std::chrono::milliseconds timeout_;
  std::size_t longest_line_;
  std::size_t most_words_ = 0;  // of a record; 0: it writes lines
  std::string outgoing_;
  LineBuffer incoming_;
  std::string silence_;  // in words, once it was too long
  std::chrono::steady_clock::time_point heard_ = std::chrono::steady_clock::now();
};

}  // namespace assay
