// check_holds CASES SEED [DATAPATHS]: what arguments say of every distinct instruction, and of so many random datapaths
// and small ones, is tried on CASES cases each. Exit status 1: some argument is contradicted.
// check_holds survey CASES: the table of docs/guarantees.md, with so many cases.
#include <cstdio>
#include <cstdlib>

#include "tb/guarantee/property_report.hpp"
#include "tb/tests/guarantee/second_route.hpp"

namespace {

int report(const char* what, const assay::guarantee::SecondRoute& route) {
  std::printf("%s: %llu properties of units hold by an argument, %llu trials, %zu contradictions\n", what,
              static_cast<unsigned long long>(route.held), static_cast<unsigned long long>(route.tried),
              route.contradictions.size());
  for (const std::string& text : route.contradictions) std::printf("%s\n", text.c_str());
  std::fflush(stdout);
  return route.contradictions.empty() ? 0 : 1;
}

int run(int argc, char** argv) {
  using namespace assay;
  using namespace assay::guarantee;
  if (argc == 3 && std::string(argv[1]) == "survey") {
    SearchEffort effort;
    effort.cases = static_cast<std::uint64_t>(std::atoll(argv[2]));
    std::printf("%s", survey_table(survey(shipped_catalogue(), effort)).c_str());
    return 0;
  }
  if (argc < 3) {
    std::fprintf(stderr, "Usage: check_holds CASES SEED [DATAPATHS], or check_holds survey CASES.\n");
    return 2;
  }
  const auto cases = static_cast<std::uint64_t>(std::atoll(argv[1])),
             seed = static_cast<std::uint64_t>(std::atoll(argv[2]));
  const auto datapaths = static_cast<std::uint64_t>(argc > 3 ? std::atoll(argv[3]) : 0);
  const Tries tries{seed, cases, 0}, all{seed, cases, 1 << 18};
  SecondRoute shipped, random, small;
  for (const auto& [name, plan] : distinct_instructions()) try_what_holds(name, plan, tries, shipped);
  int status = report("catalogue", shipped);
  for (std::uint64_t number = 0; number < datapaths; ++number) {
    if (const auto plan = random_plan(seed * 100000 + number))
      try_what_holds("random datapath " + std::to_string(seed * 100000 + number), *plan, tries, random);
    if (const auto plan = random_small_plan(seed * 100000 + number))
      try_what_holds("small datapath " + std::to_string(seed * 100000 + number), *plan, all, small);
  }
  if (datapaths > 0) status |= report("random", random) | report("small", small);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const assay::Error& error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 2;
  }
}
