// The order in which two-input sums add a list up.
#pragma once

#include <vector>

#include "model/core/datapath.hpp"

namespace assay::systemc {

//   serial       ((0 + 1) + 2) + 3
//   neighbours   (0 + 1) + (2 + 3)
//   halves       (0 + 2) + (1 + 3)       one left over waits for the next level
//
// `add(left, right)` is called once for each sum, in the order of their places.
template <class Item, class Add>
Item add_in_pairs(Shape shape, std::vector<Item> items, const Add& add) {
  if (shape == Shape::serial) {
    for (std::size_t i = 1; i < items.size(); ++i) items[0] = add(items[0], items[i]);
    return items[0];
  }
  while (items.size() > 1) {
    const std::size_t pairs = items.size() / 2;
    const std::size_t half = items.size() - pairs;
    const bool neighbours = shape == Shape::neighbours;
    std::vector<Item> next;
    for (std::size_t i = 0; i < pairs; ++i) {
      next.push_back(neighbours ? add(items[2 * i], items[2 * i + 1]) : add(items[i], items[i + half]));
    }
    if (half > pairs) next.push_back(neighbours ? items.back() : items[pairs]);
    items = std::move(next);
  }
  return items[0];
}

}  // namespace assay::systemc
