#include "tb/identify/box.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tb/vectors/reader.hpp"

namespace assay::identify {
namespace {

constexpr std::size_t batch = 16;  // answers of a slow unit are kept as they come

void append_whole(int file, const std::string& line) {
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t n = ::write(file, line.data() + written, line.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error{std::string("the file of --answers cannot be written: ") + std::strerror(errno) + "."};
    written += static_cast<std::size_t>(n);
  }
}

}  // namespace

Box::Box(const Subject& subject, Device& device, const std::string& answers, std::function<void(std::uint64_t)> heard)
    : subject_(subject), device_(device), shape_(case_shape(subject.plan)), heard_(std::move(heard)) {
  if (answers.empty()) return;
  std::error_code none;
  const bool is_new = !std::filesystem::exists(answers, none) || std::filesystem::is_empty(answers, none);
  if (!is_new) read(answers);
  file_ = ::open(answers.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw Error{answers + " cannot be written: " + std::strerror(errno) + "."};
  if (is_new) append_whole(file_, print_header(subject_.header) + "\n");
}

Box::~Box() {
  if (file_ >= 0) ::close(file_);
}

void Box::read(const std::string& path) {
  VectorReader reader(path);
  const VectorHeader &then = reader.header(), &now = subject_.header;
  if (then.datapath != now.datapath || then.architecture != now.architecture || then.instruction != now.instruction)
    throw Error{path + ":1: these answers are of another question: their header is not that of " + subject_.name +
                ". Name a new file, or ask with the formats and k that this one began with."};
  Case c;
  while (reader.next(shape_, c)) {
    if (!c.d) throw Error{path + ":" + std::to_string(reader.line()) + ": the case has no d; an answer has one."};
    known_.emplace(key(c), *c.d);
  }
}

std::string Box::key(const Case& c) const { return operands_text(c, shape_); }

void Box::write(const Case& c, Code d) {
  if (file_ < 0 || !known_.emplace(key(c), d).second) return;
  Case answered = c;
  answered.d = d;
  std::string line;
  append_case(line, answered, shape_);
  append_whole(file_, line + "\n");
}

std::vector<Code> Box::ask(std::vector<Case> cases) {
  std::vector<Code> results(cases.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto known = known_.empty() ? known_.end() : known_.find(key(cases[i]));
    if (known == known_.end()) {
      open.push_back(i);
    } else {
      results[i] = known->second;
      ++recalled_;
    }
  }
  for (std::size_t first = 0; first < open.size(); first += batch) {
    std::vector<Case> some;
    for (std::size_t i = first; i < std::min(first + batch, open.size()); ++i) some.push_back(cases[open[i]]);
    const std::vector<Code> answers = ask_again(some);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      results[open[first + i]] = answers[i];
      write(some[i], answers[i]);
    }
    if (heard_) heard_(questions_ + std::min(first + batch, open.size()));
  }
  questions_ += cases.size();
  return results;
}

std::vector<Code> Box::ask_again(const std::vector<Case>& cases) {
  std::vector<Case> numbered = cases;
  for (Case& c : numbered) c.number = runs_++;
  std::vector<Code> results;
  for (const Answer& answer : device_.run(numbered, false)) {
    if (!answer.ok()) throw Error{device_.name() + " gave no d to a question: " + answer.error, Ending::mismatch};
    results.push_back(answer.d);
  }
  return results;
}

}  // namespace assay::identify
