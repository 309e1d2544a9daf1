#include "tb/prove/place_functions.hpp"

#include <algorithm>

#include "tb/prove/shown.hpp"

namespace assay {

PlaceFunctions::PlaceFunctions(const Plan& plan, const ModelGates& model, Gates& gates, const std::vector<int>& places,
                               EmptySums empty)
    : model_(model), gates_(gates), empty_(std::move(empty)), empty_map_(gates.size(), lit_none) {
  for (const Lit l : empty_.of_model) stand_for(empty_map_, l, empty_.made);
  place_map_.assign(gates.size(), lit_none);
  for (const int place : places) {
    for (const Lit l : at(place)) leaves_.insert(node_of(l));
    if (plan.places[static_cast<std::size_t>(place)].stage != Stage::decode) {
      read(place);
      continue;
    }
    for (const std::uint32_t node : cone_of(gates_, at(place))) leaves_.insert(node);
  }
  readings_.erase(0);
}

void PlaceFunctions::read(int place) {
  const auto read_as = [&](const std::vector<Lit>& from, const std::vector<Lit>& to, const std::vector<Lit>& exact) {
    const std::vector<Lit> now = never_empty(from);
    place_map_.resize(gates_.size(), lit_none);
    exact_map_.resize(gates_.size(), lit_none);
    for (std::size_t bit = 0; bit < now.size(); ++bit) {
      readings_[node_of(now[bit])] = {from[bit], to[bit], exact[bit]};
      stand_for(place_map_, now[bit], to[bit]);
      stand_for(exact_map_, now[bit], exact[bit]);
    }
  };
  for (const ReadOn& on : model_.read_on[static_cast<std::size_t>(place)]) {
    const bool turned = on.kind == ReadOn::Kind::counts;
    const std::vector<Lit>& to = turned ? on.word : on.shown.empty() ? on.made : on.shown;
    read_as(turned ? on.made : on.word, to, on.exact.empty() ? to : on.exact);
  }
  read_as(at(place), at(place), at(place));
}

std::vector<Lit> PlaceFunctions::never_empty(const std::vector<Lit>& bits) {
  return empty_.of_model.empty() ? bits : copied_within(gates_, bits, empty_map_);
}

std::optional<PlaceFunction> PlaceFunctions::of(const std::vector<Lit>& bits) {
  const std::vector<Lit> now = never_empty(bits);
  PlaceFunction function;
  function.made = copied_within(gates_, now, place_map_);
  if (!is_made_of_places(function.made)) return std::nullopt;
  for (const Lit l : empty_.of_model) {
    const Lit otherwise = gates_.both(gates_.differ(l, empty_.made), differ_in_any(bits, function.made, gates_));
    if (otherwise != lit_false) function.is_model.push_back(inverted(otherwise));
  }
  add_read(now, function);
  const std::vector<Lit> exact = copied_within(gates_, now, exact_map_);
  for (std::size_t bit = 0; bit < exact.size(); ++bit) {
    if (exact[bit] != function.made[bit])
      function.is_same.push_back(inverted(gates_.differ(exact[bit], function.made[bit])));
  }
  return function;
}

void PlaceFunctions::add_read(const std::vector<Lit>& now, PlaceFunction& function) {
  const auto is_read = [&](std::uint32_t node) { return readings_.count(node) != 0; };
  for (const std::uint32_t node : cone_of(gates_, now, is_read)) {
    const auto found = readings_.find(node);
    if (found == readings_.end()) continue;
    const Reading& read = found->second;
    const Lit is_exact = inverted(gates_.differ(read.from, read.exact));
    if (is_exact != lit_true) function.is_model.push_back(is_exact);
    if (read.exact != read.to) function.free.push_back(read.from);
  }
}

bool PlaceFunctions::is_made_of_places(const std::vector<Lit>& made) const {
  const auto is_leaf = [&](std::uint32_t node) { return leaves_.count(node) != 0; };
  const std::vector<std::uint32_t> cone = cone_of(gates_, made, is_leaf);
  return std::all_of(cone.begin(), cone.end(),
                     [&](std::uint32_t node) { return is_leaf(node) || gates_.is_gate(node); });
}

}  // namespace assay
