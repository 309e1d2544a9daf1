// What the quick reader of YAML takes, yaml-cpp has to take as well and read alike, with the same lines.
#pragma once

#include <string>

#include "model/base/error.hpp"
#include "model/config/yaml_tree.hpp"

namespace assay {

// A tree as text, line by line. Aliases can make one without an end.
inline void append_tree(const YamlNode& node, int depth, std::string& text) {
  constexpr std::size_t longest = 1 << 20;
  if (depth > 64 || text.size() > longest) return;
  text += std::string(static_cast<std::size_t>(depth), ' ') + std::to_string(node.line) + " " +
          std::to_string(static_cast<int>(node.kind)) + " " + node.text + " " + node.problem + "\n";
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    if (!node.keys.empty()) append_tree(*node.keys[i], depth + 1, text);
    append_tree(*node.values[i], depth + 1, text);
  }
}

struct YamlReaders {
  bool is_plain = false;
  std::string plain, any;  // trees as text; of the second one what is wrong, where it refused

  bool agree() const { return !is_plain || plain == any; }
};

inline YamlReaders read_by_both(const std::string& text) {
  YamlReaders readers;
  YamlDocument plain{"plain", {}}, any{"any", {}};
  const YamlNode* root = read_plain_yaml(text, plain);
  readers.is_plain = root != nullptr;
  if (readers.is_plain) append_tree(*root, 0, readers.plain);
  try {
    root = read_any_yaml(text, any);
    if (root != nullptr) append_tree(*root, 0, readers.any);
  } catch (const Error& error) {
    readers.any = error.message;
  }
  return readers;
}

}  // namespace assay
