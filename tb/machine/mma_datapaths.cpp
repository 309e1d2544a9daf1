#include "tb/machine/mma_datapaths.hpp"

#include <map>

namespace assay::machine {
namespace {

// Integers as PTX names them: s8 for i8.
std::string named(const std::string& format) { return format[0] == 'i' ? "s" + format.substr(1) : format; }

std::string name_of(const MmaShape& s) {
  std::string name = "tcgen05.mma.m" + std::to_string(s.m) + "nNk" + std::to_string(s.k) + ".";
  if (!s.scale.empty()) name += "block" + std::to_string(s.scale_block) + ".";
  name += named(s.d) + "." + named(s.a) + "." + named(s.b) + (s.saturate ? ".satfinite" : "");
  return s.scale.empty() ? name : name + "." + s.scale;
}

}  // namespace

MmaDatapaths mma_datapaths(const Catalogue& catalogue) {
  const auto made = std::make_shared<std::map<std::string, std::unique_ptr<MmaDatapath>>>();
  return [&catalogue, made](const MmaShape& shape) -> const MmaDatapath* {
    const std::string name = name_of(shape);
    const auto found = made->find(name);
    if (found != made->end()) return found->second.get();
    const std::vector<Instruction> all = catalogue.named(name);
    std::unique_ptr<MmaDatapath>& unit = (*made)[name];
    if (!all.empty()) unit = std::make_unique<MmaDatapath>(catalogue.plan_of(all.front()));
    return unit.get();
  };
}

}  // namespace assay::machine
