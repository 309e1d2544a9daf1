#include "tb/tests/guarantee/shipped.hpp"

#include <map>

#include "model/config/digest.hpp"
#include "tb/guarantee/chain.hpp"

namespace assay {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

Plan plan_called(const std::string& name) { return catalogue().plan_of(catalogue().instruction(name)); }

Plan plan_of_text(const std::string& text) { return plan_of(read_datapath_text(text, "own.yaml", catalogue())); }

std::vector<Form> shipped_forms() {
  std::vector<Form> forms;
  std::map<std::string, std::size_t> known;
  for (const Architecture& architecture : catalogue().architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      Plan plan = catalogue().plan_of(instruction);
      if (!guarantee::unspoken(plan).empty()) continue;
      const auto [at, fresh] = known.emplace(datapath_sha256(plan), forms.size());
      if (fresh) forms.push_back({std::move(plan), {}});
      forms[at->second].instructions.push_back(instruction.full_name());
    }
  }
  return forms;
}

}  // namespace assay
