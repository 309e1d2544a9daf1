// A loop over independent tasks, by several threads.
#pragma once

#include <functional>

namespace assay {

// Runs task(i, worker) for each i below `tasks`; the workers, 0 to threads - 1, take turns as they become free. There
// are fewer of them where the machine grants no more threads. What a task throws ends the loop and is thrown here.
void parallel(int tasks, int threads, const std::function<void(int task, int worker)>& task);

}  // namespace assay
