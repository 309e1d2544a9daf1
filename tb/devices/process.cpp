#include "tb/devices/process.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/base/text.hpp"
#include "tb/devices/conversation.hpp"
#include "tb/devices/protocol.hpp"
#include "tb/vectors/bytes.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay {
namespace {

constexpr int greatest_window = 1 << 16;
constexpr int most_hand_overs = 100;  // in one run

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
    conversation_ = std::make_unique<Conversation>(options_.argv, options_.timeout, reader_.longest_line());
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
    if (record_reader_) append_head(conversation_->outgoing(), RecordKind::batch, 0, run.left);

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
