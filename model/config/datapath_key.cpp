#include "model/config/datapath_key.hpp"

namespace assay {
namespace {

// "adders.sum.result[0].cut" as adders, sum, result, 0, cut.
std::vector<std::string> keys_of(const std::string& path) {
  std::vector<std::string> keys(1);
  for (const char c : path) {
    if (c == '.' || c == '[') {
      keys.emplace_back();
    } else if (c != ']') {
      keys.back() += c;
    }
  }
  return keys;
}

}  // namespace

DatapathFile with_key(const DatapathFile& file, const std::string& path, const YamlValue& value) {
  if (path.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.[]") != std::string::npos)
    value.fail("a path of keys such as adders.sum.add.product.keep is needed, found '" + path + "'.");
  const std::vector<std::string> keys = keys_of(path);
  for (const std::string_view own : {"name", "like", "about"}) {
    if (keys[0] == own) value.fail("'" + path + "' is no key of the arithmetic.");
  }
  return changed(file, Given(keys, value));
}

}  // namespace assay
