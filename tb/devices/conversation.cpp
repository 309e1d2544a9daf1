#include "tb/devices/conversation.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "model/base/descriptor.hpp"
#include "model/base/text.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string seconds(milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (time.count() % 1000 != 0) text += "." + std::to_string(1000 + time.count() % 1000).substr(1);
  return text + " s";
}

}  // namespace

template <class Take>
bool Conversation::awaited(const Take& take) {
  while (!take()) {
    if (pump()) continue;
    if (!silence_.empty()) throw Broken{silence_};
    return false;
  }
  return true;
}

bool Conversation::next_line(std::string_view& line) {
  return awaited([&] { return incoming_.next(line); });
}

bool Conversation::next_record(RecordView& record) {
  return awaited([&] {
    check_record();
    return assay::next_record(incoming_, record);
  });
}

std::string Conversation::ending() {
  const std::string_view rest = incoming_.rest();
  const std::string words = child_.wait(exit_grace);
  return (words.empty() ? "exited" : words) + (rest.empty() ? "" : ", leaving an unfinished " + part_text(rest));
}

std::string Conversation::finish() {
  child_.close_to();
  return child_.wait(timeout_);
}

std::string Conversation::part_text(std::string_view rest) const {
  return most_words_ > 0 ? "record, " + counted(rest.size(), "byte") + " of it" : "line, " + excerpt(rest);
}

bool Conversation::pump() {
  write_some();
  const bool unsent = !outgoing_.empty() && child_.to() >= 0;
  pollfd ends[] = {{child_.from(), POLLIN, 0}, {child_.ended(), POLLIN, 0}, {child_.to(), POLLOUT, 0}};
  const auto left = std::chrono::duration_cast<milliseconds>(heard_ + timeout_ - steady_clock::now());
  if (left.count() <= 0) return told_to_end();
  constexpr milliseconds longest_poll{1 << 30};
  poll(ends, unsent ? 3 : 2, static_cast<int>(std::min(left, longest_poll).count()) + 1);
  const bool ended = ends[1].revents != 0;
  return (ends[0].revents == 0 && !ended) || read_some(ended);
}

bool Conversation::told_to_end() {
  if (!silence_.empty()) throw Broken{silence_};
  silence_ = "gave no answer for " + seconds(timeout_) + " and was killed";
  child_.ask_to_end();
  set_timeout(exit_grace);
  progressed();
  return true;
}

void Conversation::write_some() {
  std::size_t written = 0;
  while (written < outgoing_.size() && child_.to() >= 0) {
    const ssize_t n = write_quietly(child_.to(), outgoing_.data() + written, outgoing_.size() - written);
    if (n >= 0) {
      written += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      child_.close_to();  // it no longer reads; what it still sends is read to the end
    }
  }
  outgoing_.erase(0, written);
}

// False where nothing more comes. Once the process has ended, an empty pipe is the end: a process that it started
// may keep the other side open without end.
bool Conversation::read_some(bool ended) {
  constexpr std::size_t chunk = 1 << 18;
  const ssize_t n = read(child_.from(), incoming_.room(chunk), chunk);
  if (n < 0 && errno == EAGAIN) return !ended;
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  incoming_.filled(static_cast<std::size_t>(n));
  if (most_words_ == 0 && !incoming_.has_line() && incoming_.rest().size() > longest_line_)
    throw Broken{"wrote a line longer than " + std::to_string(longest_line_) + " bytes"};
  return true;
}

void Conversation::check_record() const {
  RecordHead head;
  if (peek_record(incoming_, head) && head.words > most_words_)
    throw Broken{"began a record of " + std::to_string(head.words) + " words, where " + std::to_string(most_words_) +
                 " are the most"};
}

}  // namespace assay
