#include "tb/devices/process.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "model/base/child.hpp"
#include "model/base/descriptor.hpp"
#include "model/base/text.hpp"
#include "tb/devices/protocol.hpp"
#include "tb/vectors/bytes.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int greatest_window = 1 << 16;
constexpr milliseconds exit_grace{2000};
constexpr int most_hand_overs = 100;  // in one run

std::string seconds(milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (time.count() % 1000 != 0) text += "." + std::to_string(1000 + time.count() % 1000).substr(1);
  return text + " s";
}

// Lines to and from a process, or records after its greeting. Neither side waits for the other longer than it must.
class Conversation {
 public:
  Conversation(const ProcessOptions& options, std::size_t longest_line)
      : child_(options.argv), timeout_(options.timeout), longest_line_(longest_line) {}

  // From now on the device writes records.
  void expect_records(std::size_t most_words) { most_words_ = most_words; }

  std::string& outgoing() { return outgoing_; }

  // Called for each answer that counts: the device has its full time for the next one.
  void progressed() { heard_ = steady_clock::now(); }
  void set_timeout(milliseconds timeout) { timeout_ = timeout; }

  // The next line from the device; false where it closed its side. A device that keeps silent is told to end; what
  // it still sends is read, and then Broken is thrown.
  bool next_line(std::string_view& line) {
    return awaited([&] { return incoming_.next(line); });
  }
  bool next_record(RecordView& record) {
    return awaited([&] {
      check_record();
      return assay::next_record(incoming_, record);
    });
  }

  // After the device closed its side: how it went.
  std::string ending() {
    const std::string_view rest = incoming_.rest();
    const std::string words = child_.wait(exit_grace);
    return (words.empty() ? "exited" : words) + (rest.empty() ? "" : ", leaving an unfinished " + part_text(rest));
  }

  // After everything is said: its exit status in words, empty for 0.
  std::string finish() {
    child_.close_to();
    return child_.wait(timeout_);
  }

 private:
  template <class Take>
  bool awaited(const Take& take) {
    while (!take()) {
      if (pump()) continue;
      if (!silence_.empty()) throw Broken{silence_};
      return false;
    }
    return true;
  }

  std::string part_text(std::string_view rest) const {
    return most_words_ > 0 ? "record, " + counted(rest.size(), "byte") + " of it" : "line, " + excerpt(rest);
  }

  bool pump() {
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

  bool told_to_end() {
    if (!silence_.empty()) throw Broken{silence_};
    silence_ = "gave no answer for " + seconds(timeout_) + " and was killed";
    child_.ask_to_end();
    set_timeout(exit_grace);
    progressed();
    return true;
  }

  void write_some() {
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
  bool read_some(bool ended) {
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

  void check_record() const {
    RecordHead head;
    if (peek_record(incoming_, head) && head.words > most_words_)
      throw Broken{"began a record of " + std::to_string(head.words) + " words, where " + std::to_string(most_words_) +
                   " are the most"};
  }

  Child child_;
  milliseconds timeout_;
  std::size_t longest_line_;
  std::size_t most_words_ = 0;  // of a record; 0: it writes lines
  std::string outgoing_;
  LineBuffer incoming_;
  std::string silence_;  // in words, once it was too long
  steady_clock::time_point heard_ = steady_clock::now();
};

// --- the device ---

void check_instruction(const std::string& name, const Greeting& greeting, const VectorHeader& header) {
  const bool has_datapath = !header.datapath.empty();
  const std::string wanted = has_datapath ? "*" : header.architecture + ":" + header.instruction;
  std::string offered;
  for (const std::string& instruction : greeting.instructions) {
    if (instruction == "*" || instruction == wanted) return;
    offered += (offered.empty() ? "" : ", ") + instruction;
  }
  throw Error{name + " does not do " + (has_datapath ? "any datapath it is given" : wanted) + "; it offers " +
                  (offered.empty() ? "nothing" : offered) + ".",
              Ending::not_here};
}

// One run's cases, whichever processes they go through.
struct Run {
  Run(const std::vector<Case>& all, bool with_trace)
      : cases(all), trace(with_trace), answers(all.size()), answered(all.size(), 0), left(all.size()) {}

  void give(std::size_t index, Answer answer) {
    answers[index] = std::move(answer);
    answered[index] = 1;
    --left;
  }
  void give_error(std::size_t index, std::string error) {
    Answer answer;
    answer.error = std::move(error);
    give(index, std::move(answer));
  }

  const std::vector<Case>& cases;
  bool trace;
  std::vector<Answer> answers;
  std::vector<char> answered;
  std::size_t left;
};

class ProcessDevice final : public Device {
 public:
  ProcessDevice(const Plan& plan, const VectorHeader& header, const ProcessOptions& options)
      : plan_(plan), header_(header), options_(options), shape_(case_shape(plan)), reader_(plan) {
    start();
  }
  ~ProcessDevice() override {
    options_.timeout = std::min(options_.timeout, exit_grace);
    ProcessDevice::close();
  }

  std::string name() const override { return options_.name; }
  bool offers_trace() const override { return greeting_.trace; }

  std::vector<Answer> run(const std::vector<Case>& all, bool trace) override {
    Run run(all, trace && offers_trace());
    int failures = 0;
    int hand_overs = 0;
    while (run.left > 0 && failures <= options_.restarts && hand_overs <= most_hand_overs) {
      try {
        converse(run);
        if (run.left == 0) break;
        last_failure_ = "asked " + std::to_string(++hand_overs) + " times in this run to be started anew";
      } catch (const Broken& broken) {
        conversation_.reset();
        blame_oldest(run, broken.what);
        last_failure_ = "failed " + std::to_string(++failures) + " times in this run; the last time it " + broken.what;
      } catch (const Error& error) {
        conversation_.reset();
        last_failure_ = "could not be started again: " + within(error.message);
        break;
      }
    }
    for (std::size_t i = 0; i < all.size() && run.left > 0; ++i) {
      if (run.answered[i] == 0) run.give_error(i, options_.name + " was not asked: it " + last_failure_ + ".");
    }
    return std::move(run.answers);
  }

  std::string close() override {
    std::string wrong = std::exchange(complaint_, {});
    if (!conversation_) return wrong;
    try {
      if (!begun_) begin(false);
      const std::string at_end = end();
      if (!at_end.empty()) wrong = last_words(at_end);
    } catch (const Broken& broken) {
      wrong = last_words(broken.what);
    }
    conversation_.reset();
    return wrong;
  }

 private:
  std::string last_words(const std::string& what) const {
    return "After its last answer " + options_.name + " " + what + ".";
  }

  // A fresh process that has greeted.
  void start() {
    begun_ = false;
    conversation_ = std::make_unique<Conversation>(options_, reader_.longest_line());
    std::string_view line;
    try {
      if (!conversation_->next_line(line)) throw Broken{conversation_->ending()};
    } catch (const Broken& broken) {
      conversation_.reset();
      throw Error{options_.name + " " + broken.what + " before it greeted."};
    }
    greeting_ = parse_greeting(options_.name, line, options_.records);
    check_instruction(options_.name, greeting_, header_);
    if (greeting_.records.offered()) record_reader_.emplace(options_.name, greeting_.records, plan_, shape_);
    window_ = static_cast<std::size_t>(std::min(greeting_.window, greatest_window));
  }

  void begin(bool trace) {
    VectorHeader header = header_;
    header.trace = trace;
    header.cases.reset();  // what is true of a file only is not passed on
    header.pad = false;
    header.provenance.clear();
    if (record_reader_) {
      header.others.push_back({"records", "true"});
      conversation_->expect_records(record_reader_->most_words());
    }
    conversation_->outgoing() += print_header(header) + "\n";
    begun_ = true;
    answered_ = false;
    trace_ = trace;
    next_id_ = 0;
  }

  // Asks for what the run still lacks, until it lacks nothing or the device wants the rest to go to a fresh process.
  void converse(Run& run) {
    if (conversation_ && begun_ && trace_ != run.trace) complaint_ = close();
    if (!conversation_) start();
    if (!begun_) begin(run.trace);
    conversation_->progressed();

    const std::uint64_t first_id = next_id_;
    std::vector<std::size_t> asked;  // the case of each id from first_id
    std::size_t next = 0;            // cases before it are answered or asked
    std::size_t unanswered = 0;
    while (run.left > 0) {
      // Refilled half a window at a time, so that both sides move many lines at once.
      if (unanswered <= window_ / 2) {
        for (; next < run.cases.size() && unanswered < window_; ++next) {
          if (run.answered[next] != 0) continue;
          ask(run.cases[next]);
          asked.push_back(next);
          ++unanswered;
        }
      }
      Heard heard;
      if (!hear(heard)) throw Broken{conversation_->ending()};
      DeviceLine line = read(heard, run.trace);
      if (line.restart) return hand_over();
      if (!line.id) throw Broken{"ended the conversation"};
      if (*line.id >= next_id_) throw Broken{"answered id " + std::to_string(*line.id) + ", which it was not asked"};
      if (*line.id < first_id)
        throw Broken{"answered id " + std::to_string(*line.id) + " of an earlier run a second time"};
      if (take(run, asked[*line.id - first_id], std::move(line.answer))) --unanswered;
    }
  }

  void hand_over() {
    if (!answered_) throw Broken{"asked to be started anew before it answered anything"};
    conversation_->ending();
    conversation_.reset();
  }

  // What the device says next: the one or the other. False where it closed its side.
  struct Heard {
    std::string_view line;
    RecordView record;
  };
  bool hear(Heard& heard) {
    return record_reader_ ? conversation_->next_record(heard.record) : conversation_->next_line(heard.line);
  }
  DeviceLine read(const Heard& heard, bool trace) const {
    return record_reader_ ? record_reader_->read(heard.record, trace) : reader_.read(heard.line, trace);
  }
  std::string shown(const Heard& heard) const {
    return record_reader_ ? RecordReader::shown(heard.record) : excerpt(heard.line);
  }

  void ask(const Case& c) {
    std::string& out = conversation_->outgoing();
    if (record_reader_) return append_request(out, next_id_++, c);
    out += "{\"id\":";
    append_number(out, next_id_++);
    out += ',';
    append_operands(out, c, shape_);
    out += "}\n";
  }

  // False where the case had its answer already; then neither counts.
  bool take(Run& run, std::size_t index, Answer answer) {
    if (run.answered[index] != 0) {
      run.answers[index] = Answer{};
      run.answers[index].error = options_.name + " answered this case twice.";
      return false;
    }
    if (!answer.ok()) answer.error.insert(0, options_.name + " ");
    run.give(index, std::move(answer));
    answered_ = true;
    conversation_->progressed();
    return true;
  }

  // A process that works in order broke at the oldest case it had not answered; the others are asked again.
  void blame_oldest(Run& run, const std::string& what) {
    const auto oldest = std::find(run.answered.begin(), run.answered.end(), 0) - run.answered.begin();
    run.give_error(static_cast<std::size_t>(oldest),
                   options_.name + " " + what + " before it answered this case, the oldest of those unanswered.");
  }

  // Both sides say how many cases there were, and the process exits.
  std::string end() {
    const std::string count = std::to_string(next_id_);
    if (record_reader_) {
      append_head(conversation_->outgoing(), RecordKind::end, 0, next_id_);
    } else {
      conversation_->outgoing() += "{\"end\":" + count + "}\n";
    }
    conversation_->set_timeout(options_.timeout);
    conversation_->progressed();
    Heard heard;
    if (!hear(heard)) return conversation_->ending() + " without {\"end\":" + count + "}";
    const DeviceLine line = read(heard, trace_);
    if (line.restart && answered_) return "";  // there is nothing left
    if (!line.end) return "wrote " + shown(heard) + ", where {\"end\":" + count + "} was expected";
    if (*line.end != next_id_) return "counted " + counted(*line.end, "case") + " where there were " + count;
    if (hear(heard)) return "wrote " + shown(heard) + " after its end";
    return conversation_->finish();
  }

  const Plan& plan_;
  VectorHeader header_;
  ProcessOptions options_;
  CaseShape shape_;
  AnswerReader reader_;
  std::optional<RecordReader> record_reader_;  // where records are spoken
  Greeting greeting_;
  std::size_t window_ = 1;
  std::unique_ptr<Conversation> conversation_;  // none after a failure, until the next start
  bool begun_ = false;                          // it has its header ...
  bool trace_ = false;                          // ... which asked for traces
  bool answered_ = false;                       // it gave an answer
  std::uint64_t next_id_ = 0;
  std::string last_failure_;
  std::string complaint_;  // of a conversation that ended between two runs
};

}  // namespace

std::unique_ptr<Device> process_device(const Plan& plan, const VectorHeader& header, const ProcessOptions& options) {
  return std::make_unique<ProcessDevice>(plan, header, options);
}

}  // namespace assay
