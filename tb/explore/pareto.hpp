// The items of which no other is better in both of two numbers that are small where they are good.
#pragma once

#include <algorithm>
#include <vector>

namespace assay {

// In the order of the first number, `x`; of equal ones the first. `y` falls along them.
template <class Item>
std::vector<Item> pareto_front(std::vector<Item> items, double Item::*x, double Item::*y) {
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item& a, const Item& b) { return a.*x != b.*x ? a.*x < b.*x : a.*y < b.*y; });
  std::vector<Item> front;
  for (const Item& item : items) {
    if (front.empty() || item.*y < front.back().*y) front.push_back(item);
  }
  return front;
}

}  // namespace assay
