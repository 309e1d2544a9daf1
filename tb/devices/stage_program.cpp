#include "tb/devices/stage_program.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/text.hpp"
#include "model/core/reading.hpp"
#include "tb/devices/conversation.hpp"
#include "tb/devices/protocol.hpp"
#include "tb/vectors/case_line.hpp"
#include "tb/vectors/print.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

constexpr int most_failures = 3;  // of the program in one run, before the rest is given up

struct StageGreeting {
  std::vector<std::string> places, reads;  // patterns
};

StageGreeting parse_stage_greeting(const std::string& name, std::string_view line) {
  try {
    const nlohmann::json json = nlohmann::json::parse(line);
    StageGreeting greeting{json.at("places").get<std::vector<std::string>>(), {"*"}};
    if (json.contains("reads")) greeting.reads = json.at("reads").get<std::vector<std::string>>();
    return greeting;
  } catch (const nlohmann::json::exception&) {
    throw Error{name + " greets with " + excerpt(line) +
                "; the first line of a program that computes a stage should be like "
                "{\"places\":[\"step[*].sum.reduce\"],\"reads\":[\"step[*].sum.align[*]\"]}."};
  }
}

// Which places of a plan any of the patterns means.
std::vector<char> meant(const PlaceTable& places, const std::vector<std::string>& patterns) {
  std::vector<char> found(places.size(), 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string name = places.name(static_cast<int>(i));
    for (const std::string& pattern : patterns) found[i] = found[i] != 0 || matches(pattern, name) ? 1 : 0;
  }
  return found;
}

// Why one answer cannot be used; the program goes on.
struct BadAnswer {
  std::string what;
};

// A program that has greeted, and what was said to it.
class Talk final : public Detour {
 public:
  Talk(const Plan& plan, const StageProgram& program)
      : plan_(plan),
        shape_(case_shape(plan)),
        conversation_({"/bin/sh", "-c", program.command}, program.timeout, longest_line) {
    const StageGreeting greeting = greeted(program.name);
    turned_ = meant(plan.places, greeting.places);
    read_ = meant(plan.places, greeting.reads);
    check_turned(program.name, greeting);
    say_header();
  }

  void begin(const Case& given) { given_ = &given; }

  bool turns(Trace& trace, int place) override {
    if (turned_[static_cast<std::size_t>(place)] == 0) return false;
    ask(trace, place);
    std::string_view line;
    if (!conversation_.next_line(line)) throw Broken{conversation_.ending()};
    conversation_.progressed();
    take(trace, place, line);
    return true;
  }

  // After everything was asked: what went wrong since, as the end of a sentence.
  std::string end() {
    conversation_.outgoing() += "{\"end\":" + std::to_string(next_id_) + "}\n";
    std::string_view line;
    try {
      if (conversation_.next_line(line)) return "wrote " + excerpt(line) + " after it was told to end";
    } catch (const Broken& broken) {
      return broken.what;
    }
    return conversation_.finish();
  }

 private:
  static constexpr std::size_t longest_line = 1 << 16;

  StageGreeting greeted(const std::string& name) {
    std::string_view line;
    try {
      if (!conversation_.next_line(line)) throw Broken{conversation_.ending()};
    } catch (const Broken& broken) {
      throw Error{name + " " + broken.what + " before it greeted."};
    }
    return parse_stage_greeting(name, line);
  }

  void check_turned(const std::string& name, const StageGreeting& greeting) {
    bool any = false;
    for (std::size_t i = 0; i < turned_.size(); ++i) {
      const Stage stage = plan_.places.spot(static_cast<int>(i)).place->stage;
      if (stage == Stage::special || stage == Stage::flags) turned_[i] = 0;
      any = any || turned_[i] != 0;
    }
    if (any) return;
    throw Error{name + " computes " + joined(greeting.places) +
                ", and this datapath has no such place that could be computed by somebody else; `assay describe` with "
                "--json lists its places, of which `special` and `flags` are the model's own."};
  }

  void append_widths(std::string& out, const std::vector<char>& places) const {
    bool first = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] == 0) continue;
      const int place = static_cast<int>(i);
      out += std::string(first ? "" : ",") + "\"" + plan_.places.name(place) +
             "\":" + std::to_string(plan_.places.spot(place).place->width);
      first = false;
    }
  }

  void say_header() {
    std::string& out = conversation_.outgoing();
    out += "{\"assay\":1,\"k\":" + std::to_string(plan_.k) + ",\"places\":{";
    append_widths(out, turned_);
    out += "},\"reads\":{";
    append_widths(out, read_);
    out += "}}\n";
  }

  void ask(const Trace& trace, int place) {
    std::string& out = conversation_.outgoing();
    out += "{\"id\":" + std::to_string(next_id_++) + ",\"place\":\"" + plan_.places.name(place) + "\",";
    append_operands(out, *given_, shape_);
    out += ",\"trace\":{";
    bool first = true;
    for (int i = 0; i < place; ++i) {
      if (read_[static_cast<std::size_t>(i)] == 0) continue;
      out += std::string(first ? "" : ",") + "\"" + plan_.places.name(i) + "\":\"" + trace.at(i).hex() + "\"";
      first = false;
    }
    out += "}}\n";
  }

  void take(Trace& trace, int place, std::string_view text) const {
    const std::string name = plan_.places.name(place);
    std::optional<std::uint64_t> id;
    std::optional<std::string> bits, error;
    try {
      Scanner scanner(text);
      scanner.line([&](std::string_view member) {
        if (member == "id") {
          id = scanner.number();
        } else if (member == "bits") {
          bits = scanner.text();
        } else if (member == "error") {
          error = scanner.text();
        } else {
          scanner.value();
        }
      });
    } catch (const ScanError& wrong) {
      throw Broken{"wrote " + excerpt(text) + ", which is no answer (" + within(wrong.message) + ")"};
    }
    if (!id || *id + 1 != next_id_)
      throw Broken{"wrote " + excerpt(text) + ", where an answer with id " + std::to_string(next_id_ - 1) +
                   " was expected"};
    if (error) throw BadAnswer{"answers with an error at place " + name + ": " + *error};
    if (!bits) throw BadAnswer{"gave a bad answer for place " + name + ": it has neither bits nor error."};
    const int width = plan_.places.spot(place).place->width;
    if (!trace.set_hex(place, *bits))
      throw BadAnswer{"gave " + excerpt(*bits) + " for place " + name + ", which takes exactly " +
                      std::to_string((width + 3) / 4) + " lower-case hex digits (" + std::to_string(width) + " bits)."};
    if (!may_stand_at(trace, place))
      throw BadAnswer{"gave " + excerpt(*bits) + " for place " + name +
                      ", which is no number this datapath can have there."};
  }

  const Plan& plan_;
  CaseShape shape_;
  Conversation conversation_;
  std::vector<char> turned_, read_;
  const Case* given_ = nullptr;
  std::uint64_t next_id_ = 0;
};

class ModelWithProgram final : public Device {
 public:
  ModelWithProgram(const Plan& plan, StageProgram program)
      : plan_(plan), program_(std::move(program)), talk_(std::make_unique<Talk>(plan_, program_)) {}

  std::string name() const override { return program_.name; }
  bool offers_trace() const override { return true; }

  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers(cases.size());
    failures_ = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      answers[i] = answer(cases[i]);
      if (!trace || !answers[i].ok()) answers[i].trace.reset();
    }
    return answers;
  }

  std::string close() override {
    if (!talk_) return "";
    const std::string wrong = talk_->end();
    talk_.reset();
    return wrong.empty() ? "" : "After its last answer " + program_.name + " " + wrong + ".";
  }

 private:
  Answer answer(const Case& given) {
    Answer answer;
    if (failures_ >= most_failures) {
      answer.error = program_.name + " was not asked: it failed " + std::to_string(failures_) + " times in this run.";
      return answer;
    }
    try {
      if (!talk_) talk_ = std::make_unique<Talk>(plan_, program_);
      answer.trace.emplace(plan_);
      answer.traced.assign(plan_.places.size(), 1);
      talk_->begin(given);
      answer.d = dot(plan_, given.operand(), registers_, &*answer.trace, talk_.get());
    } catch (const BadAnswer& bad) {
      answer.error = program_.name + " " + bad.what;
    } catch (const Broken& broken) {
      answer.error = program_.name + " " + broken.what + ".";
      talk_.reset();
      ++failures_;
    } catch (const Error& error) {
      answer.error = error.message;
      ++failures_;
    }
    return answer;
  }

  const Plan& plan_;
  const StageProgram program_;
  std::unique_ptr<Talk> talk_;  // none after a failure, until the next case
  Registers registers_;
  int failures_ = 0;  // of the program, in this run
};

}  // namespace

std::unique_ptr<Device> model_with_program(const Plan& plan, const StageProgram& program) {
  return std::make_unique<ModelWithProgram>(plan, program);
}

}  // namespace assay
