// A plan, cases and true answers for the tests of the scoreboard, and ways to spoil them.
#pragma once

#include <gtest/gtest.h>

#include "model/core/dot.hpp"
#include "tb/scoreboard/report.hpp"
#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

inline void PrintTo(Verdict verdict, std::ostream* out) { *out << verdict_name(verdict); }

inline Plan planned(const Datapath& datapath, int k) {
  auto made = plan(datapath, k);
  if (auto* problems = std::get_if<std::vector<Problem>>(&made)) {
    ADD_FAILURE() << problems->front().key << ": " << problems->front().message;
    return {};
  }
  return std::get<Plan>(made);
}

// keep: nothing for an exact sum.
inline Datapath fused(const std::string& a, const std::string& d, std::optional<int> keep) {
  Adder sum;
  sum.name = "sum";
  for (const char* source : {"product", "acc"}) {
    Input input;
    input.source = source;
    input.keep = keep;
    sum.add.push_back(input);
  }
  Result result;
  result.format = "d";
  result.cut = keep ? Cut::toward_zero : Cut::nearest_even;
  sum.results = {result};
  Datapath words;
  words.name = "fused";
  words.operands = {a, a, d, d, "", 0};
  words.adders = {sum};
  return words;
}

inline Plan f16_plan(int k = 4) { return planned(fused("f16", "f32", 25), k); }

// a x b + c with a[i] = 1 + i / 1024 and b[i] = 1.
inline Case ordinary_case(const Plan& p, std::uint64_t number) {
  Case c;
  c.number = number;
  for (int i = 0; i < p.k; ++i) c.a.push_back(0x3c00U + (number + static_cast<Code>(i)) % 512);
  c.b.assign(static_cast<std::size_t>(p.k), 0x3c00);
  c.c = 0x3f000000;
  return c;
}

inline std::vector<Case> ordinary_cases(const Plan& p, std::uint64_t count) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < count; ++i) cases.push_back(ordinary_case(p, i));
  return cases;
}

inline Answer true_answer(const Plan& p, const Case& given, bool traced = false) {
  Registers registers;
  Answer answer;
  if (traced) {
    answer.trace.emplace(p);
    answer.traced.assign(p.places.size(), 1);
  }
  answer.d = dot(p, given.operand(), registers, traced ? &*answer.trace : nullptr);
  return answer;
}

inline std::vector<Answer> true_answers(const Plan& p, const std::vector<Case>& cases, bool traced = false) {
  std::vector<Answer> answers;
  for (const Case& given : cases) answers.push_back(true_answer(p, given, traced));
  return answers;
}

inline Answer answer_of(Code d) {
  Answer answer;
  answer.d = d;
  return answer;
}

inline Answer error_of(const std::string& sentence) {
  Answer answer;
  answer.error = sentence;
  return answer;
}

// Flips the lowest bit of a hexadecimal digit of a place, counted from the left.
inline void spoil(Answer& answer, const std::string& place, std::size_t digit) {
  Trace& trace = *answer.trace;
  const int at = trace.plan().find_place(place);
  ASSERT_GE(at, 0) << place;
  std::string hex = trace.at(at).hex();
  char& c = hex.at(digit);
  c = "1032547698badcfe"[c <= '9' ? c - '0' : c - 'a' + 10];
  ASSERT_TRUE(trace.set_hex(at, hex));
}

}  // namespace assay
