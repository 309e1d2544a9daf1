// The device's side of a conversation over stdin and stdout, for any C++ program: a simulator, an RTL harness, a model
// of one's own. Standard library and POSIX only. docs/devices.md describes the lines; the whole program can be
//
//   int main() {
//     return assay::serve({"mine", {"*"}}, [](const assay::Request& r) { return assay::Reply{compute(r), 8}; });
//   }
//
// A device that answers later or in another order keeps the Session in its own hands:
//
//   assay::Session session({"rtl", {"*"}, true, 64});
//   assay::Request request;
//   while (session.open() || busy()) {
//     if (room() && (!busy() || session.ready()) && session.next(request)) accept(request);
//     clock();
//     if (result_valid()) session.answer(result_id(), reply());
//   }
//   return session.finish();
#pragma once

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/devices/records.hpp"
#include "tb/vectors/lines.hpp"
#include "tb/vectors/print.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {

// The first line a device writes.
struct Greeting {
  std::string device;
  std::vector<std::string> instructions;  // "hopper:wgmma.m64nNk16.f32.f16.f16", or "*" for any
  bool trace = false;                     // it can deliver traces
  int window = 64;                        // requests it takes before it must have answered one
  RecordLayout records = {};              // it can speak in records, and these are theirs
};

struct Request {
  std::uint64_t id = 0;
  std::string_view header;  // the vector-file header this conversation began with, as JSON text
  bool trace = false;       // the host would like a trace
  std::vector<std::uint64_t> a, b, scale_a, scale_b;
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> more;  // any other lists of codes, by name
  std::uint64_t c = 0;
  int c_digits = 0;  // hex digits c came with
};

struct Reply {
  std::uint64_t d = 0;
  int digits = 8;                                                    // hex digits d is written with
  std::vector<std::pair<std::string_view, std::string>> trace = {};  // any of the places, each with its hex digits
  std::string error = {};                                            // a sentence; not empty means there is no d
  const std::uint64_t* places = nullptr;  // in place of a trace: all of the greeting's, as a record has them
};

inline void append_pairs(std::string& line, const std::vector<std::pair<std::string, int>>& pairs) {
  line += '[';
  for (const auto& [name, number] : pairs) {
    line += line.back() == '[' ? "[" : ",[";
    append_quoted(line, name);
    line += ',' + std::to_string(number) + ']';
  }
  line += ']';
}

inline std::string greeting_line(const Greeting& greeting) {
  std::string line = "{\"device\":";
  append_quoted(line, greeting.device);
  line += ",\"instructions\":[";
  for (std::size_t i = 0; i < greeting.instructions.size(); ++i) {
    if (i > 0) line += ',';
    append_quoted(line, greeting.instructions[i]);
  }
  line += "],\"trace\":";
  line += greeting.trace ? "true" : "false";
  line += ",\"window\":" + std::to_string(greeting.window);
  if (greeting.records.offered()) {
    line += ",\"records\":{\"version\":" + std::to_string(record_version) + ",\"codes\":";
    append_pairs(line, greeting.records.codes);
    line += ",\"places\":";
    append_pairs(line, greeting.records.places);
    line += '}';
  }
  return line + "}\n";
}

inline std::string hex_of_words(const std::uint64_t* words, int bits) {
  std::string digits(static_cast<std::size_t>(bits + 3) / 4, '0');
  for (std::size_t i = 0; i < digits.size(); ++i)
    digits[digits.size() - 1 - i] = hex_digit(words[i / 16] >> (4 * (i % 16)) & 15);
  return digits;
}

// Words that `places` describes, as the text of a line.
inline void give_trace(const std::vector<std::pair<std::string, int>>& places, Reply& reply) {
  const std::uint64_t* words = reply.places;
  for (const auto& [name, bits] : places) {
    reply.trace.emplace_back(name, hex_of_words(words, bits));
    words += words_of_bits(bits);
  }
}

inline void append_reply(std::string& out, std::uint64_t id, const Reply& reply) {
  out += "{\"id\":";
  append_number(out, id);
  if (!reply.error.empty()) {
    out += ",\"error\":";
    append_quoted(out, reply.error);
  } else {
    out += ",\"d\":";
    append_hex(out, reply.d, reply.digits);
    for (std::size_t i = 0; i < reply.trace.size(); ++i) {
      out += i == 0 ? ",\"trace\":{\"" : ",\"";
      out.append(reply.trace[i].first).append("\":\"").append(reply.trace[i].second).append("\"");
    }
    if (!reply.trace.empty()) out += '}';
  }
  out += "}\n";
}

// Stdout for the conversation alone: whatever else in this process prints (a simulator's $display, a library's banner)
// goes to stderr from now on.
inline int claim_stdout() {
  std::fflush(stdout);
  const int conversation = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return conversation;
}

// The answers that a session has not sent yet, where a signal's handler can reach them. What ends the process - a crash
// in what it simulates, exit() there, the host's SIGTERM while it hangs - sends them first, so that the case it ended
// in is the oldest one without an answer. Whoever has handlers of his own keeps them.
class Unsent {
 public:
  static void remember(int out, const std::string& answers) {
    static const bool watched = watch();
    (void)watched;
    out_ = out;
    text_ = answers.data();
    size_ = answers.size();
  }
  static void forget() { size_ = 0; }
  static void belong_here() { process_ = getpid(); }  // a call of the system: once a session, and not once an answer

 private:
  static bool watch() {
    for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM}) {
      struct sigaction present {};
      if (sigaction(number, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) continue;
      struct sigaction ours {};
      ours.sa_handler = [](int signal_number) {
        send();
        raise(signal_number);  // which ends the process now
      };
      ours.sa_flags = static_cast<int>(SA_RESETHAND);
      sigaction(number, &ours, nullptr);
    }
    return std::atexit(send) == 0;
  }

  static void send() {
    if (process_ != getpid()) return;  // a fork's copy is not for it to send
    while (size_ > 0) {
      const ssize_t n = write(out_, text_, size_);
      if (n <= 0) return;
      text_ += n;
      size_ -= static_cast<std::size_t>(n);
    }
  }

  inline static int out_ = -1;
  inline static pid_t process_ = 0;
  inline static const char* text_ = nullptr;
  inline static volatile std::size_t size_ = 0;
};

class Session {
 public:
  // Greets at once, so that the host need not wait for a slow start behind it.
  explicit Session(const Greeting& greeting, int in = STDIN_FILENO, int out = claim_stdout())
      : in_(in), out_(out), layout_(greeting.records), window_(static_cast<std::uint64_t>(greeting.window)) {
    Unsent::belong_here();
    for (const auto& [name, count] : layout_.codes) codes_ += static_cast<std::size_t>(count);
    for (const auto& [name, bits] : layout_.places) place_words_ += words_of_bits(bits);
    pending_ = greeting_line(greeting);
    flush();
  }
  ~Session() { Unsent::forget(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // False once the host has said that no more requests come, or the conversation broke.
  bool open() const { return open_; }
  std::size_t place_words() const { return place_words_; }  // of the greeting's records

  // Whether next() would return at once. Where not, answers given so far are on their way to the host. In records it
  // waits for what the host sends by the answers it has, so that it says the same in each run.
  bool ready() {
    if (in_records_) return is_sent() && wait();
    while (open_ && !has_next()) {
      flush();
      pollfd readable{in_, POLLIN, 0};
      if (poll(&readable, 1, 0) <= 0) return false;
      read_more();
    }
    return true;
  }

  // The next request, waiting for it; false where none comes any more. `request` keeps its memory from call to call.
  bool next(Request& request) {
    std::string_view line;
    while (open_) {
      if (!has_next()) {
        flush();
        read_more();
      } else if (in_records_) {
        if (take_record(request)) return true;
      } else if (!lines_.next(line)) {
        continue;
      } else if (header_.empty()) {
        take_header(line);
      } else if (take_request(line, request)) {
        return true;
      }
    }
    return false;
  }

  void answer(std::uint64_t id, const Reply& reply) {
    Unsent::forget();  // while they change
    append(id, reply);
    ++answered_;
    batch_.answer(window_);
    // A host that waits sees answers of a slow device one by one, those of a fast one in large pieces.
    const auto now = std::chrono::steady_clock::now();
    if (pending_.size() >= 1 << 16 || now - flushed_ > std::chrono::milliseconds(50)) flush();
    Unsent::remember(out_, pending_);
  }

  // Where this process cannot go on, though all it said so far is true: a fresh one is to answer what is left. The
  // process's exit status.
  int hand_over() {
    if (in_records_) {
      append_head(pending_, RecordKind::restart, 0, 0);
    } else {
      pending_ += "{\"restart\":true}\n";
    }
    flush();
    return failed_ ? 2 : 0;
  }

  // Once every request is answered. The process's exit status: 0 where the conversation ended as it should.
  int finish() {
    if (!ended_ || failed_) return 2;
    if (in_records_) {
      append_head(pending_, RecordKind::end, 0, answered_);
    } else {
      pending_ += "{\"end\":" + std::to_string(answered_) + "}\n";
    }
    flush();
    return failed_ ? 2 : 0;
  }

 private:
  // Of the requests that come before the host waits, as it sends them: as many as the window has, and filled up again
  // once half of these are answered.
  struct Batch {
    std::uint64_t all = 0, sent = 0, taken = 0, answered = 0;

    void answer(std::uint64_t window) {
      ++answered;
      send(window);
    }
    void send(std::uint64_t window) {
      if (sent - answered <= window / 2) sent = std::min(all, answered + window);
    }
  };

  bool is_sent() {
    if (batch_.taken < batch_.sent) return true;
    if (!pending_.empty()) flush();
    return false;
  }
  bool wait() {
    while (open_ && !has_next()) {
      flush();
      read_more();
    }
    return true;
  }

  bool has_next() { return in_records_ ? has_record(lines_) : lines_.has_line(); }

  void append(std::uint64_t id, const Reply& reply) {
    if (!in_records_) {
      if (reply.places == nullptr) return append_reply(pending_, id, reply);
      Reply shown = reply;
      give_trace(layout_.places, shown);
      return append_reply(pending_, id, shown);
    }
    if (!reply.error.empty()) return append_sentence(pending_, id, reply.error);
    const std::size_t words = reply.places == nullptr ? 0 : place_words_;
    append_head(pending_, RecordKind::answer, 1 + words, id);
    append_words(pending_, &reply.d, 1);
    if (words > 0) append_words(pending_, reply.places, words);
  }

  void flush() {
    Unsent::forget();
    std::size_t written = 0;
    while (written < pending_.size()) {
      const ssize_t n = write(out_, pending_.data() + written, pending_.size() - written);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return fail("The host no longer reads the answers.");
      written += static_cast<std::size_t>(n);
    }
    pending_.clear();
    flushed_ = std::chrono::steady_clock::now();
  }

  void read_more() {
    constexpr std::size_t chunk = 1 << 18;
    char* room = lines_.room(chunk);
    const ssize_t n = read(in_, room, chunk);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) return fail("The host went away without saying {\"end\":count}.");
    lines_.filled(static_cast<std::size_t>(n));
  }

  void take_header(std::string_view line) {
    header_ = line;
    try {
      Scanner scanner(header_);
      scanner.line([&](std::string_view name) {
        const std::string_view value = scanner.value();
        if (name == "trace") trace_ = value == "true";
        if (name == "records") in_records_ = layout_.offered() && value == "true";
      });
    } catch (const ScanError& error) {
      fail("The header cannot be read: " + error.message);
    }
  }

  // A request that cannot be read is answered with what is wrong with it. False where the line held no request.
  bool take_request(std::string_view line, Request& request) {
    bool has_id = false;
    try {
      Scanner scanner(line);
      bool has_c = false;
      clear(request);
      scanner.line([&](std::string_view name) {
        if (name == "id") {
          request.id = scanner.number();
          has_id = true;
        } else if (name == "c") {
          request.c = scanner.any_hex(request.c_digits);
          has_c = true;
        } else if (std::vector<std::uint64_t>* codes = list(request, name); codes != nullptr) {
          scanner.hex_list(0, *codes);
        } else if (name == "end") {
          scanner.number();
          open_ = false;
          ended_ = true;
        } else {
          take_other(name, scanner.value(), request);
        }
      });
      if (ended_) return false;
      request.header = header_;
      request.trace = trace_;
      if (!has_id) throw ScanError{"the request has no id."};
      if (request.a.empty() || request.b.empty() || !has_c) throw ScanError{"the request needs a, b and c."};
      return true;
    } catch (const ScanError& error) {
      if (has_id) {
        answer(request.id, {0, 0, {}, "The request cannot be read: " + error.message});
      } else {
        fail("A request cannot be read: " + error.message);
      }
      return false;
    }
  }

  // False where the record held no request.
  bool take_record(Request& request) {
    RecordView record;
    next_record(lines_, record);
    if (record.head.kind == RecordKind::end) {
      open_ = false;
      ended_ = true;
      return false;
    }
    if (record.head.kind == RecordKind::batch) {
      batch_ = {record.head.id, 0, 0, 0};
      batch_.send(window_);
      return false;
    }
    if (record.head.kind != RecordKind::request) {
      fail("A record of kind " + std::to_string(static_cast<unsigned>(record.head.kind)) +
           " came where a request or the end was expected.");
      return false;
    }
    ++batch_.taken;
    request.id = record.head.id;
    request.header = header_;
    request.trace = trace_;
    if (record.head.words != codes_) {
      answer(request.id, {0,
                          0,
                          {},
                          "The request has " + std::to_string(record.head.words) + " codes, where " +
                              std::to_string(codes_) + " are expected."});
      return false;
    }
    fill(request, record);
    return true;
  }

  // `request` keeps its lists from case to case.
  void fill(Request& request, const RecordView& record) const {
    std::size_t from = 0, others = 0;
    for (const auto& [name, count] : layout_.codes) {
      const auto size = static_cast<std::size_t>(count);
      if (name == "c") {
        request.c = record.word(from);
      } else {
        std::vector<std::uint64_t>* codes = list(request, name);
        if (codes == nullptr) codes = &other(request, others++, name);
        codes->resize(size);
        record.copy(from, size, codes->data());
      }
      from += size;
    }
  }

  static std::vector<std::uint64_t>& other(Request& request, std::size_t at, const std::string& name) {
    if (request.more.size() <= at) request.more.emplace_back(name, std::vector<std::uint64_t>{});
    return request.more[at].second;
  }

  static void clear(Request& request) {
    for (auto* codes : {&request.a, &request.b, &request.scale_a, &request.scale_b}) codes->clear();
    request.more.clear();
  }

  static std::vector<std::uint64_t>* list(Request& request, std::string_view name) {
    if (name == "a") return &request.a;
    if (name == "b") return &request.b;
    if (name == "scale_a") return &request.scale_a;
    if (name == "scale_b") return &request.scale_b;
    return nullptr;
  }

  // A list of texts is one of codes; what else a member may be is nothing to a device.
  static void take_other(std::string_view name, std::string_view value, Request& request) {
    if (value.substr(0, 1) != "[" || value.find('"') == std::string_view::npos) return;
    try {
      std::vector<std::uint64_t> codes;
      Scanner(value).hex_list(0, codes);
      request.more.emplace_back(name, std::move(codes));
    } catch (const ScanError&) {
      return;
    }
  }

  void fail(const std::string& sentence) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    pending_.clear();
    open_ = false;
    failed_ = true;
  }

  int in_, out_;
  RecordLayout layout_;
  std::size_t codes_ = 0, place_words_ = 0;  // of a record
  LineBuffer lines_;
  std::string pending_;  // written, not yet sent
  std::string header_;
  std::chrono::steady_clock::time_point flushed_;
  std::uint64_t window_ = 0, answered_ = 0;
  Batch batch_;
  bool trace_ = false;
  bool in_records_ = false;  // after the header
  bool open_ = true;
  bool ended_ = false;  // the host said so
  bool failed_ = false;
};

// A device that answers each request before it takes the next: main's return value.
template <class Handler>
int serve(const Greeting& greeting, Handler&& handler) {
  Session session(greeting);
  Request request;
  while (session.next(request)) {
    try {
      session.answer(request.id, handler(request));
    } catch (const std::exception& error) {
      session.answer(request.id, {0, 0, {}, error.what()});
    }
  }
  return session.finish();
}

}  // namespace assay
