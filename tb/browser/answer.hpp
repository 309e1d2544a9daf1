// What the explorer page asks of the model: a request and its answer, both one JSON object. docs/browser.md lists them.
//
// The same code is compiled into the page, as WebAssembly, and into this machine's tests: an answer is the same text.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/config/catalogue.hpp"
#include "tb/devices/device.hpp"

namespace assay::browser {

// A datapath that is looked at.
struct ShownUnit {
  std::string name;
  std::shared_ptr<const Plan> plan;
};

class Answerer {
 public:
  explicit Answerer(Catalogue catalogue) : catalogue_(std::move(catalogue)) {}

  // Never throws: what is wrong with a request is the sentence `error` of its answer.
  std::string answer(const std::string& request);

 private:
  using Json = nlohmann::ordered_json;

  Json answered(const Json& request);
  Json list() const;
  Json text(const Json& request);
  Json read(const Json& request);
  Json explained(const Json& request);
  Json vectors(const Json& request) const;
  Json recorded_case(const Json& request) const;

  // {"instruction": NAME} or {"text": YAML}, and "words": {KEY: VALUE} that are changed in it.
  const ShownUnit& unit(const Json& said);
  DatapathFile file_of(const Json& said) const;

  Catalogue catalogue_;
  std::map<std::string, ShownUnit> units_;  // by what was said
};

}  // namespace assay::browser
