// A YAML document as a tree, and its two readers: a quick one of the plain YAML that people write by hand, and
// yaml-cpp, which reads everything and takes fifty times as long. What the first one takes, both read alike.
#pragma once

#include <deque>
#include <string>
#include <vector>

namespace assay {

// An alias is the node that it names, which may stand within itself.
struct YamlNode {
  enum class Kind { none, scalar, list, mapping };

  Kind kind = Kind::none;
  int line = 0;  // from 1 on
  std::string text;
  std::vector<const YamlNode*> keys, values;  // a list has values alone
  // What is wrong with a mapping's keys, and at which of them; told to whoever looks into the mapping.
  std::string problem;
  const YamlNode* problem_at = nullptr;
};

struct YamlDocument {
  std::string file;
  std::deque<YamlNode> nodes;
};

// For messages: "'abc'", "a mapping", "a list", "nothing".
std::string found_text(const YamlNode& node);

// Each key has to be a word, and none may be there twice; otherwise the mapping's `problem` says so.
void check_keys(YamlNode& mapping);

// The root of the document, in either reader. No root: this is not plain; only the other one can tell what it is.
const YamlNode* read_plain_yaml(const std::string& text, YamlDocument& document);
// Throws Error where this is no YAML or more than one document; no root where it is none.
const YamlNode* read_any_yaml(const std::string& text, YamlDocument& document);

}  // namespace assay
