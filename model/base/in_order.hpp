// Parts that several threads make, taken one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>

namespace assay {

// take(make(i)) for each i below `parts`, in this order: take runs here, make on `threads` threads, of which each
// is ahead of it by one part. With one thread nothing is ahead. What either throws is thrown here, once no
// thread is at work any more.
template <class Make, class Take>
void in_order(std::uint64_t parts, int threads, const Make& make, const Take& take) {
  if (threads < 2 || parts < 2) {
    for (std::uint64_t i = 0; i < parts; ++i) take(make(i));
    return;
  }
  std::deque<std::future<decltype(make(0))>> begun;
  std::uint64_t next = 0;
  // Where the machine grants no more threads, a part is made as it is asked for.
  constexpr auto how = std::launch::async | std::launch::deferred;
  const auto begin = [&] { begun.push_back(std::async(how, [&make, i = next++] { return make(i); })); };
  while (next < parts && begun.size() < static_cast<std::size_t>(threads)) begin();
  while (!begun.empty()) {
    auto part = begun.front().get();
    begun.pop_front();
    if (next < parts) begin();
    take(std::move(part));
  }
}

}  // namespace assay
