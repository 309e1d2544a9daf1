// How often a Verilated unit alone is evaluated in a second. Included by the program around it. Standard library and
// POSIX only.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include "tb/devices/rtl/harness.hpp"

namespace assay::rtl {

// The thread's own, which others on a busy machine do not lengthen.
inline double seconds_now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Operands that nobody thought of.
inline std::vector<Request> random_requests(const RecordLayout& layout, std::size_t count) {
  std::uint64_t state = 1;
  const auto draw = [&state] {
    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 16 ^ state << 32;
  };
  std::vector<Request> requests(count);
  for (Request& request : requests) {
    request.c = draw();
    for (const auto& [name, size] : layout.codes) {
      if (name == "c") continue;
      if (find_codes(request, name) == nullptr) request.more.emplace_back(name, std::vector<std::uint64_t>{});
      for (int i = 0; i < size; ++i) find_codes(request, name)->push_back(draw());
    }
  }
  return requests;
}

// Writes the evaluations a second, the best of many turns of 1,024: operands in, `evaluate`, d out.
template <class Unit, class Evaluate>
int run_bare(Unit& unit, const RecordLayout& layout, double seconds, const Evaluate& evaluate) {
  const std::vector<Request> requests = random_requests(layout, 1024);
  double best = 1e9;
  std::uint64_t seen = 0;
  for (const double begin = seconds_now(); seconds_now() - begin < seconds;) {
    const double turn = seconds_now();
    for (const Request& request : requests) {
      unit.ask(request, 0);
      evaluate();
      seen ^= unit.reply(false, {}).d;
    }
    best = std::min(best, seconds_now() - turn);
  }
  std::printf("%.0f evaluations a second (%llx)\n", static_cast<double>(requests.size()) / best,
              static_cast<unsigned long long>(seen));
  return std::fflush(stdout) == 0 ? 0 : 2;
}

}  // namespace assay::rtl
