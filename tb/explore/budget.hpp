// Where the errors of a study are made: for each row, the share of every place, and what one word changed would do.
#pragma once

#include <cstdint>
#include <functional>

#include "tb/explore/machine.hpp"
#include "tb/explore/result.hpp"

namespace assay {

// Of `elements` elements of the first seed, for each row of the study: point by point, and of each its inputs and
// shapes. Each element's parts are held to its error; throws Error where they do not add up, which no datapath may
// cause.
// `progress`: of so many rows they are known, one call at a time; may be empty.
std::vector<RowBudget> budgets_of(const Study& study, const Machines& machines, int elements, int threads,
                                  const std::function<void(std::uint64_t done)>& progress = {});

// What that takes of one thread, from an element of a few rows.
double budget_seconds(const Study& study, const Machines& machines, int elements);

}  // namespace assay
