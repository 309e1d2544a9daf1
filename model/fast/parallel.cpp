#include "model/fast/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace assay {

void parallel(int tasks, int threads, const std::function<void(int, int)>& task) {
  std::atomic<int> next{0};
  const auto work = [&](int worker) {
    for (int i = next++; i < tasks; i = next++) task(i, worker);
  };
  std::vector<std::thread> others;
  for (int worker = 1; worker < std::min(threads, tasks); ++worker) others.emplace_back(work, worker);
  work(0);
  for (std::thread& other : others) other.join();
}

}  // namespace assay
