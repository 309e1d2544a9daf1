#include "model/core/places.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <numeric>
#include <optional>

namespace assay {
namespace {

std::string instance_name(const std::string& region, const PlaceTable::Instances& instances, int instance) {
  if (!instances.numbered) return region;
  const int in_lane = instances.count / instances.lanes;
  const std::string name = indexed(region, instance % in_lane);
  return instances.lanes == 1 ? name : indexed("lane", instance / in_lane) + "." + name;
}

// Takes `word` off the front of `text`, if it stands there.
bool take(std::string_view& text, std::string_view word) {
  if (text.substr(0, word.size()) != word) return false;
  text.remove_prefix(word.size());
  return true;
}

// Takes "[12]" off the front of `text`, if a number of at most eight digits stands there as it is printed.
std::optional<int> take_index(std::string_view& text) {
  const std::size_t end = text.find(']');
  if (text.empty() || text.front() != '[' || end == std::string_view::npos || end < 2 || end > 9) return std::nullopt;
  int index = 0;
  const auto [last, error] = std::from_chars(text.data() + 1, text.data() + end, index);
  const bool padded = text[1] == '0' && end > 2;
  if (error != std::errc() || last != text.data() + end || index < 0 || padded || text[1] == '-') return std::nullopt;
  text.remove_prefix(end + 1);
  return index;
}

// Takes the name of an instance off the front of `text`; which one it is.
std::optional<int> take_instance(std::string_view& text, std::string_view region,
                                 const PlaceTable::Instances& instances) {
  const int in_lane = instances.count / instances.lanes;
  int lane = 0;
  if (instances.lanes > 1) {
    if (!take(text, "lane")) return std::nullopt;
    const auto found = take_index(text);
    if (!found || *found >= instances.lanes || !take(text, ".")) return std::nullopt;
    lane = *found;
  }
  if (!take(text, region)) return std::nullopt;
  if (!instances.numbered) return lane;
  const auto found = take_index(text);
  if (!found || *found >= in_lane) return std::nullopt;
  return lane * in_lane + *found;
}

}  // namespace

std::string indexed(std::string_view name, int index) {
  return std::string(name).append("[").append(std::to_string(index)).append("]");
}

void PlaceTable::add(Region region, std::string name, Instances instances, std::vector<RegionPlace> places) {
  assert(instances.count % instances.lanes == 0);
  Block block{region, std::move(name), instances, std::move(places), {}, size_, words_, 0};
  for (RegionPlace& each : block.places) {
    Place& place = each.place;
    place.width = 0;
    for (const Field& field : place.fields) {
      place.width += field.width;
      if (field.name == "significand") place.significand_width = field.width;
      if (field.name == "exponent") place.exponent_width = field.width;
    }
    place.first_word = block.words;
    block.words += (place.width + 63) / 64;
  }
  block.by_name.resize(block.places.size());
  std::iota(block.by_name.begin(), block.by_name.end(), 0);
  std::sort(block.by_name.begin(), block.by_name.end(), [&](int x, int y) {
    return block.places[static_cast<std::size_t>(x)].place.name < block.places[static_cast<std::size_t>(y)].place.name;
  });
  int& at = block_at_[static_cast<std::size_t>(region)];
  if (at < 0) at = static_cast<int>(blocks_.size());
  size_ += instances.count * static_cast<int>(block.places.size());
  words_ += instances.count * block.words;
  blocks_.push_back(std::move(block));
}

void PlaceTable::label_terms(std::vector<int> order, int terms) {
  order_ = std::move(order);
  terms_ = terms;
}

void PlaceTable::label_pieces(std::vector<std::array<std::string, 2>> pieces) { pieces_ = std::move(pieces); }

const PlaceTable::Block& PlaceTable::block_of(int index) const {
  assert(index >= 0 && index < size_);
  const auto after =
      std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.first_place > index; });
  return *(after - 1);
}

PlaceTable::Spot PlaceTable::spot(int index) const {
  const Block& block = block_of(index);
  const int count = static_cast<int>(block.places.size());
  const int instance = (index - block.first_place) / count;
  const Place& place = block.places[static_cast<std::size_t>((index - block.first_place) % count)].place;
  return {&place, block.first_word + instance * block.words + place.first_word};
}

Place PlaceTable::operator[](std::size_t index) const {
  const auto at = static_cast<int>(index);
  const Block& block = block_of(at);
  const int count = static_cast<int>(block.places.size());
  const int instance = (at - block.first_place) / count;
  const RegionPlace& found = block.places[static_cast<std::size_t>((at - block.first_place) % count)];
  Place place = found.place;
  place.name = name(at);
  place.first_word += block.first_word + instance * block.words;
  place.label = label(found, instance);
  return place;
}

std::string PlaceTable::name(int index) const {
  const Block& block = block_of(index);
  const int count = static_cast<int>(block.places.size());
  const std::string owner = instance_name(block.name, block.instances, (index - block.first_place) / count);
  const std::string& own = block.places[static_cast<std::size_t>((index - block.first_place) % count)].place.name;
  return own.empty() ? owner : owner + "." + own;
}

std::string PlaceTable::product_label(int index) const {
  const std::size_t pieces = std::max<std::size_t>(1, pieces_.size()), product = static_cast<std::size_t>(index);
  const int element = static_cast<int>(product / pieces);
  const auto [of_a, of_b] = pieces_.empty() ? std::array<std::string, 2>{} : pieces_[product % pieces];
  return indexed("a", element) + of_a + " x " + indexed("b", element) + of_b;
}

std::string PlaceTable::label(const RegionPlace& place, int instance) const {
  const std::string& text = place.place.label;
  switch (place.labelled) {
    case Labelled::as_is: return text;
    case Labelled::by_index: return indexed(text, instance);
    case Labelled::by_product: return product_label(instance) + text;
    case Labelled::by_term:
      return text + product_label(order_[static_cast<std::size_t>(instance * terms_ + place.term)]);
  }
  return text;
}

int PlaceTable::find(std::string_view name) const {
  for (const Block& block : blocks_) {
    const int found = find_in(block, name);
    if (found >= 0) return found;
  }
  return -1;
}

int PlaceTable::find_in(const Block& block, std::string_view name) const {
  const auto instance = take_instance(name, block.name, block.instances);
  if (!instance || (!name.empty() && (!take(name, ".") || name.empty()))) return -1;
  const auto name_of = [&](int i) -> const std::string& {
    return block.places[static_cast<std::size_t>(i)].place.name;
  };
  const auto found = std::lower_bound(block.by_name.begin(), block.by_name.end(), name,
                                      [&](int i, std::string_view sought) { return name_of(i) < sought; });
  if (found == block.by_name.end() || name_of(*found) != name) return -1;
  return block.first_place + *instance * static_cast<int>(block.places.size()) + *found;
}

int PlaceTable::first(Region region, int instance) const {
  const int at = block_at_[static_cast<std::size_t>(region)];
  if (at < 0) return -1;
  const Block& block = blocks_[static_cast<std::size_t>(at)];
  return block.first_place + instance * static_cast<int>(block.places.size());
}

int PlaceTable::last(Region region, int instance) const {
  const int next = first(region, instance + 1);
  return next < 0 ? -1 : next - 1;
}

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::decode: return "decode";
    case Stage::multiply: return "multiply";
    case Stage::scale: return "scale";
    case Stage::special: return "special";
    case Stage::window: return "window";
    case Stage::align: return "align";
    case Stage::reduce: return "reduce";
    case Stage::round: return "round";
    case Stage::acc: return "acc";
    case Stage::encode: return "encode";
    case Stage::flags: return "flags";
  }
  return "";
}

}  // namespace assay
