// The way in for JavaScript: the folder that holds configs/, then requests and their answers, both JSON.
#include <optional>

#include "tb/browser/answer.hpp"

namespace {
std::optional<assay::browser::Answerer> answerer;
std::string last_answer;
}  // namespace

extern "C" void assay_open(const char* folder) { answerer.emplace(assay::Catalogue(folder)); }

// The answer stays until the next one.
extern "C" const char* assay_answer(const char* request) {
  last_answer = answerer->answer(request);
  return last_answer.c_str();
}
