#include "tb/run/recorded_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

// Cases as a file holds them, less those that are not to be compared.
class RecordedCases : public CaseSource {
 public:
  RecordedCases(VectorReader& reader, const Plan& plan, std::string file, RecordedChoice choice)
      : reader_(reader),
        shape_(case_shape(plan, reader.header().pad)),
        file_(std::move(file)),
        choice_(std::move(choice)) {}

  bool next(std::vector<Case>& into) override {
    if (!reader_.next(shape_, batch_of_cases, into)) return false;
    read_ += into.size();
    into.erase(std::remove_if(into.begin(), into.end(), [&](const Case& c) { return !is_chosen(c); }), into.end());
    chosen_ += into.size();
    const auto unrecorded = std::remove_if(into.begin(), into.end(), [](const Case& c) { return !c.d; });
    unrecorded_ += static_cast<std::uint64_t>(into.end() - unrecorded);
    into.erase(unrecorded, into.end());
    return true;
  }

  std::uint64_t total() const override { return reader_.header().cases.value_or(0); }
  std::uint64_t read() const override { return read_; }
  std::uint64_t unrecorded() const override { return unrecorded_; }

  std::string why_nothing() const override {
    if (read_ == 0) return reader_.file() + " holds no case";
    if (chosen_ == 0) return fmt::format("{} holds no {}", reader_.file(), choice_text());
    const bool one = unrecorded_ == 1;
    return fmt::format("{} of {} has {} recorded d; `assay run` fills in d",
                       one ? "the one case" : fmt::format("none of the {} cases", unrecorded_), reader_.file(),
                       one ? "no" : "a");
  }

  std::string command(const RunNames& names, const Case& failed) const override {
    if (names.device.empty())
      return fmt::format("{} explain --file {} {}", names.program, shell_word(file_), case_options(failed));
    const std::string device = names.device == "model" ? "" : " --device " + shell_word(names.device);
    return fmt::format("{} check {}{} {}", names.program, shell_word(file_), device, case_options(failed));
  }

 private:
  bool is_chosen(const Case& c) const {
    return (!choice_.number || c.number == *choice_.number) && is_element(c, choice_.element);
  }

  std::string choice_text() const {
    const std::string one = choice_.number ? fmt::format("case {}", *choice_.number) : "case";
    if (choice_.element.empty()) return one;
    return fmt::format("{} with an element [{},{}]", one, choice_.element[0], choice_.element[1]);
  }

  VectorReader& reader_;
  CaseShape shape_;
  std::string file_;
  RecordedChoice choice_;
  std::uint64_t read_ = 0, chosen_ = 0, unrecorded_ = 0;
};

class RecordedDevice : public Device {
 public:
  explicit RecordedDevice(std::string name) : name_(std::move(name)) {}

  std::string name() const override { return name_; }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].d) {
        answers[i].d = *cases[i].d;
      } else {
        answers[i].error = case_name(cases[i]) + " has no recorded d.";
      }
    }
    return answers;
  }

 private:
  std::string name_;
};

}  // namespace

bool is_element(const Case& c, const std::vector<int>& element) {
  return element.empty() || (c.element && c.element->row == element[0] && c.element->column == element[1]);
}

std::unique_ptr<CaseSource> recorded_cases(VectorReader& reader, const Plan& plan, const std::string& file,
                                           const RecordedChoice& choice) {
  return std::make_unique<RecordedCases>(reader, plan, file, choice);
}

std::unique_ptr<Device> recorded_device(const std::string& name) { return std::make_unique<RecordedDevice>(name); }

}  // namespace assay
