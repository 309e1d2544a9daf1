#include "scripts/capture/targets.hpp"

#include <fstream>
#include <sstream>

namespace assay::capture {
namespace {

// "m16n8{k8,k16}.f32": both of them.
std::vector<std::string> expanded(const std::string& pattern) {
  const std::size_t open = pattern.find('{'), close = pattern.find('}');
  if (open == pattern.npos || close == pattern.npos) return {pattern};
  std::vector<std::string> all;
  std::istringstream choices(pattern.substr(open + 1, close - open - 1));
  for (std::string choice; std::getline(choices, choice, ',');) {
    for (const std::string& rest : expanded(pattern.substr(close + 1))) {
      all.push_back(pattern.substr(0, open) + choice + rest);
    }
  }
  return all;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::vector<Target> read_targets(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw Error{"The list of targets " + file + " cannot be read."};
  std::vector<Target> targets;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      if (words.size() < 3) {
        throw Error{file + ":" + std::to_string(number) +
                    ": a target is TARGET ARCHITECTURE TOOLKIT RUNS_ON.., found '" + line + "'."};
      }
      targets.push_back({words[0], words[1], words[2], {words.begin() + 3, words.end()}, {}});
      continue;
    }
    if (targets.empty())
      throw Error{file + ":" + std::to_string(number) + ": this instruction stands before any target."};
    for (const std::string& name : expanded(words[0])) targets.back().instructions.push_back(name);
  }
  if (targets.empty()) throw Error{file + " names no target."};
  return targets;
}

}  // namespace assay::capture
