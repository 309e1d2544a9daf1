#include "tb/tests/guarantee/shipped.hpp"

#include <map>

#include "model/config/digest.hpp"
#include "tb/guarantee/chain.hpp"

namespace assay {

std::vector<Form> shipped_forms() {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<Form> forms;
  std::map<std::string, std::size_t> known;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      Plan plan = catalogue.plan_of(instruction);
      if (!guarantee::unspoken(plan).empty()) continue;
      const auto [at, fresh] = known.emplace(datapath_sha256(plan), forms.size());
      if (fresh) forms.push_back({std::move(plan), {}});
      forms[at->second].instructions.push_back(instruction.full_name());
    }
  }
  return forms;
}

}  // namespace assay
