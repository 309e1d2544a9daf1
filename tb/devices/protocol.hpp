// What a device in its own process may write (docs/devices.md): its greeting, its answers, its end. Bytes in, values
// out; tb/devices/process.hpp holds the conversation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tb/devices/device.hpp"
#include "tb/devices/serve.hpp"

namespace assay {

// The process did something after which the conversation cannot go on; `what` continues a sentence that begins with its
// name.
struct Broken {
  std::string what;
};

// `name` is the device's, for messages. Throws Error.
Greeting parse_greeting(const std::string& name, std::string_view line);

// What a line of the device says: an answer, or the end, or that a fresh process is to answer the rest.
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

// A sentence as part of another one.
std::string within(std::string sentence);

}  // namespace assay
