// The unit that is asked: what it answered, in order, and a file of that, so that a long search can be gone on with.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tb/subject/subject.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay::identify {

struct BoxAnswer {
  Case given;  // its number is its place among all answers
  Code d = 0;
};

class Box {
 public:
  // `answers`: a file that is read, where there is one, and appended to; empty: none. `heard` is told how many
  // questions were answered. Throws Error.
  Box(const Subject& subject, Device& device, const std::string& answers,
      std::function<void(std::uint64_t)> heard = {});
  ~Box();
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

  // One d a case. What the file answers is not asked. Throws Error where the device gives none.
  std::vector<Code> ask(std::vector<Case> cases);
  Code ask(const Case& c) { return ask(std::vector<Case>{c}).front(); }

  // Once more, whatever was answered before.
  std::vector<Code> ask_again(const std::vector<Case>& cases);

  std::uint64_t questions() const { return questions_; }     // of ask
  std::uint64_t from_the_file() const { return recalled_; }  // of these
  std::string name() const { return device_.name(); }
  std::string key(const Case& c) const;  // the same for the same operands

 private:
  void read(const std::string& path);
  void write(const Case& c, Code d);

  const Subject& subject_;
  Device& device_;
  CaseShape shape_;
  std::map<std::string, Code> known_;  // by the operands' text
  int file_ = -1;
  std::function<void(std::uint64_t)> heard_;
  std::uint64_t questions_ = 0, recalled_ = 0, runs_ = 0;
};

}  // namespace assay::identify
