// Every word of every shipped datapath decides something: changed by one step, it changes d for some case - or there is
// an argument why no case can tell (tb/generate/equivalence.cpp), which must then hold for every case tried.
#include <gtest/gtest.h>

#include <list>
#include <map>
#include <set>

#include "model/config/catalogue.hpp"
#include "model/core/dot.hpp"
#include "tb/generate/equivalence.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/effort.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

std::string operands_text(const Plan& p) {
  return p.a.name + " x " + p.b.name + " + " + p.c.name + " to " + p.d.name + ", k " + std::to_string(p.k);
}

// A file of the second revision serves the instructions of the first as well.
std::string serving(const std::string& datapath) {
  const auto suffix = datapath.rfind("_revision1");
  return suffix == std::string::npos ? datapath : datapath.substr(0, suffix);
}

// One plan for each choice of operands that some instruction makes of the datapath; its own where none does.
std::vector<Plan> plans_of(const std::string& datapath) {
  std::vector<Plan> plans;
  std::set<std::string> seen;
  for (const Architecture& architecture : catalogue().architectures()) {
    for (Instruction i : architecture.instructions) {
      if (i.datapath != serving(datapath)) continue;
      i.datapath = datapath;
      Plan p = catalogue().plan_of(i);
      const std::string block = p.scale ? p.scale->name + std::to_string(p.scale_block) : "";
      if (seen.insert(operands_text(p) + block).second) plans.push_back(std::move(p));
    }
  }
  if (plans.empty()) plans.push_back(plan_of(catalogue().datapath(datapath)));
  return plans;
}

// What chance does not come upon.
std::vector<Case> directed_cases(const std::string& datapath, const Plan& plan) {
  Case made;
  made.a.assign(static_cast<std::size_t>(plan.k), plan.a.has_signed_zero ? Code{1} << (plan.a.stored_bits - 1) : 0);
  made.b.assign(static_cast<std::size_t>(plan.k), 1);
  if (datapath == "pair_sum_coarse") {
    // 4 x 1025 - 3 x 1367 = -1: each pair cancels to less than its result keeps, a zero of the sum's sign. c is -0.
    for (std::size_t i = 0; i < made.a.size(); i += 2) {
      made.a[i] = 0x0001, made.b[i] = 0x3c01;
      made.a[i + 1] = 0x8003, made.b[i + 1] = 0x3557;
    }
    made.c = Code{1} << 31;
    return {made};
  }
  if (datapath == "split_f25_f16") {
    // The first step leaves so little that it is rounded to -0; everything after it is -0.
    made.a[0] |= 1;
    made.c = 0x8000;
    return {made};
  }
  return {};
}

struct Found {
  bool noticed = false;           // by some case
  std::string argument;           // why for some operands no case can notice
  std::vector<std::string> open;  // the operands for which there is neither
};

// The mutations of one datapath on its plans, as names to what was found.
class Hunt {
 public:
  explicit Hunt(std::string datapath) : datapath_(std::move(datapath)) {
    for (const Plan& p : plans_of(datapath_)) grounds_.emplace_back(p, directed_cases(datapath_, p));
    for (Ground& ground : grounds_) take_up(ground);
  }

  void run(int batches, int batch) {
    for (int i = 0; i < batches; ++i) {
      for (Ground& ground : grounds_) try_cases(ground, i * batch, batch);
    }
    for (const Ground& ground : grounds_) {
      for (const Prey& prey : ground.prey) {
        Found& found = found_[prey.mutation.name];
        if (!found.noticed && prey.argument.empty()) found.open.push_back(operands_text(ground.plan));
      }
    }
  }

  const std::map<std::string, Found>& found() const { return found_; }
  const std::string& wrong_arguments() const { return wrong_; }

 private:
  struct Prey {
    Mutation mutation;
    Plan plan;
    std::string argument;
  };
  struct Ground {
    Ground(const Plan& p, std::vector<Case> first) : plan(p), generator(plan, 1), directed(std::move(first)) {}
    Plan plan;
    Generator generator;
    std::vector<Case> directed;
    std::vector<Prey> prey;
  };

  void take_up(Ground& ground) {
    for (Mutation& m : mutations(ground.plan.datapath, ground.plan.k)) {
      auto made = plan(m.changed, ground.plan.k);
      if (auto* changed = std::get_if<Plan>(&made)) {
        std::string argument(equivalence(ground.plan, *changed, m));
        if (!argument.empty()) found_[m.name].argument = argument;
        ground.prey.push_back({std::move(m), std::move(*changed), std::move(argument)});
      }
    }
  }

  Case case_of(const Ground& ground, int number) const {
    if (number < static_cast<int>(ground.directed.size())) return ground.directed[static_cast<std::size_t>(number)];
    const auto half = static_cast<std::uint64_t>(number / 2);
    return number % 2 == 0 ? ground.generator.make(half) : corner_case(ground.plan, half);
  }

  // A mutation with an argument is tried in the first batch only; one without, until it is noticed.
  void try_cases(Ground& ground, int first, int count) {
    const auto wanted = [&](const Prey& prey) {
      return prey.argument.empty() ? !found_[prey.mutation.name].noticed : first == 0;
    };
    if (std::none_of(ground.prey.begin(), ground.prey.end(), wanted)) return;
    Registers registers;
    std::vector<Case> cases;
    std::vector<Code> right;
    for (int i = first; i < first + count; ++i) {
      cases.push_back(case_of(ground, i));
      right.push_back(dot(ground.plan, cases.back().operand(), registers));
    }
    for (const Prey& prey : ground.prey) {
      if (!wanted(prey)) continue;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        if (dot(prey.plan, cases[i].operand(), registers) == right[i]) continue;
        notice(ground, prey, first + static_cast<int>(i));
        break;
      }
    }
  }

  void notice(const Ground& ground, const Prey& prey, int number) {
    if (prey.argument.empty()) {
      found_[prey.mutation.name].noticed = true;
    } else {
      wrong_ += prey.mutation.name + " (" + operands_text(ground.plan) + ") is noticed by case " +
                std::to_string(number) + ", although: " + prey.argument + "\n";
    }
  }

  std::string datapath_;
  std::list<Ground> grounds_;  // a generator keeps a reference to its plan
  std::map<std::string, Found> found_;
  std::string wrong_;
};

class EveryWord : public testing::TestWithParam<std::string> {};

TEST_P(EveryWord, DecidesSomethingOrIsShownNotTo) {
  Hunt hunt(GetParam());
  hunt.run(quick_or_full(60, 400), 500);
  int noticed = 0, argued = 0;
  for (const auto& [name, found] : hunt.found()) {
    noticed += found.noticed ? 1 : 0;
    argued += !found.noticed && !found.argument.empty() ? 1 : 0;
    std::string where;
    for (const std::string& operands : found.open) where += "\n  " + operands;
    EXPECT_TRUE(found.noticed || found.open.empty()) << GetParam() << ": no case notices " << name << " for" << where;
  }
  EXPECT_EQ(hunt.wrong_arguments(), "");
  EXPECT_GT(noticed, 0);
  RecordProperty("noticed", noticed);
  RecordProperty("argued", argued);
}

std::string argument_for(const std::string& datapath, const std::string& mutation) {
  const Plan right = plans_of(datapath).front();
  for (const Mutation& m : mutations(right.datapath, right.k)) {
    if (m.name != mutation) continue;
    return std::string(equivalence(right, std::get<Plan>(plan(m.changed, right.k)), m));
  }
  return "There is no such mutation.";
}

TEST(Equivalence, IsArguedWhereItHoldsAndNowhereElse) {
  EXPECT_EQ(argument_for("fma_chain", "adders.fma.shape serial"), "Two terms can be added in one way only.");
  EXPECT_EQ(argument_for("fma_chain", "adders.fma.sticky on"),
            "No bit is cut off, or the first result cuts the sticky bit off again.");
  EXPECT_EQ(argument_for("fused_f25", "adders.sum.add.product.keep +1"), "");
  EXPECT_EQ(argument_for("pair_sum_coarse", "adders.sum.result[0].overflow largest"), "");  // the sticky bit is half
  EXPECT_EQ(argument_for("pair_sum_coarse", "adders.sum.sticky off"), "");
}

INSTANTIATE_TEST_SUITE_P(Datapaths, EveryWord, testing::ValuesIn(catalogue().datapath_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace assay
