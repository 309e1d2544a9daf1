// The families of cases: each exists to catch one kind of mistake. They read everything off the Plan and know no
// instruction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

class Maker;

struct Family {
  std::string_view name;
  std::string_view catches;  // the mistake it exists to catch
  bool (*suits)(const Plan&);
  void (*fill)(Maker&);
};

const std::vector<Family>& families();

// Those that suit the plan, in order of the table. Never empty.
std::vector<const Family*> families_for(const Plan& plan);

// nullptr where no family of that name suits the plan.
const Family* find_family(const Plan& plan, std::string_view name);

// "raw, small_integers, ...": for messages.
std::string family_names(const Plan& plan);

// The family of that name; nullptr, for all in turn, where the name is empty. Throws Error, which begins with `what`,
// the option that named it.
const Family* named_family(const Plan& plan, const std::string& what, const std::string& name);

}  // namespace assay
