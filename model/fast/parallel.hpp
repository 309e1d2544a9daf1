// A loop over independent tasks, by several threads.
#pragma once

#include <functional>

namespace assay {

// Runs task(i, worker) for each i below `tasks`; the workers, 0 to threads - 1, take turns as they become free.
void parallel(int tasks, int threads, const std::function<void(int task, int worker)>& task);

}  // namespace assay
