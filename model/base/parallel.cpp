#include "model/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace assay {

void parallel(int tasks, int threads, const std::function<void(int, int)>& task) {
  std::atomic<int> next{0};
  std::mutex mutex;  // of what follows
  std::exception_ptr thrown;
  const auto work = [&](int worker) {
    try {
      for (int i = next++; i < tasks; i = next++) task(i, worker);
    } catch (...) {
      next = tasks;
      const std::lock_guard<std::mutex> lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(std::max(std::min(threads, tasks) - 1, 0)));
  try {
    for (int worker = 1; worker < std::min(threads, tasks); ++worker) others.emplace_back(work, worker);
  } catch (const std::exception&) {
    // The machine grants no more of them: those that there are do all the work.
  }
  work(0);
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace assay
