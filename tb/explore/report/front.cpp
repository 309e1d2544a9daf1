#include "tb/explore/report/front.hpp"

#include <utility>

#include "tb/explore/pareto.hpp"

namespace assay {

std::vector<Dot> pareto_front(std::vector<Dot> dots) { return pareto_front(std::move(dots), &Dot::x, &Dot::y); }

}  // namespace assay
