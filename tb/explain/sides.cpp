#include "tb/explain/sides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tb/explain/numbers.hpp"
#include "tb/explain/page.hpp"
#include "tb/explain/sums.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

constexpr long most_bits = 76;           // on one line
constexpr std::size_t most_places = 12;  // shown one by one

Place place_of(const Answered& side, int index) { return side.plan->places[static_cast<std::size_t>(index)]; }

// The bits of both around those that differ, the point of the reference's exponent between them where it is in sight.
BitPair value_bits(const Reading& x, const Reading& y) {
  const Dyadic difference = x.value - y.value;
  long top = std::max<long>(x.exponent, y.exponent), bottom = top;
  for (const Dyadic& value : {x.value, y.value}) {
    if (sign(value) == 0) continue;
    top = std::max(top, floor_log2(value));
    bottom = std::min(bottom, lowest_one(value));
  }
  const bool cut_front = top - bottom + 1 > most_bits && sign(difference) != 0;
  if (cut_front) top = std::min(top, std::max(floor_log2(difference) + 8, bottom + most_bits - 1));
  const bool cut_back = top - bottom + 1 > most_bits;
  if (cut_back) bottom = top - most_bits + 1;
  const auto bits = [&](const Reading& r) {
    std::string text = bits_between(r.value, top, bottom);
    const long point = x.exponent - bottom;
    if (point > 0 && point < static_cast<long>(text.size())) text = pointed(text, point);
    return std::string(r.negative ? "- " : "+ ") + (cut_front ? "..." : "") + text + (cut_back ? "..." : "");
  };
  const std::string weight = fmt::format("   last bit 2^{}", bottom);
  return {bits(x) + weight, bits(y) + weight};
}

std::string plain(const Place& place, const Reading& r, const Format& d) {
  static const char* const outcomes[] = {"nothing", "NaN", "+inf", "-inf"};
  if (place.stage == Stage::special) return outcomes[static_cast<unsigned>(r.bits)];
  if (place.stage == Stage::encode) return split_code(static_cast<Code>(r.bits), d);
  if (place.stage == Stage::flags) return r.bits != 0 ? "raised" : "not raised";
  if (place.stage == Stage::window) return fmt::format("2^{}", r.exponent);
  return r.cls == Class::nan ? "NaN" : r.negative ? "-inf" : "+inf";
}

// Sums know their window's exponent only through the window's place.
Reading with_window(const Answered& side, int index, Reading reading) {
  const Stage stage = place_of(side, index).stage;
  if (stage != Stage::align && stage != Stage::reduce) return reading;
  while (place_of(side, index).stage != Stage::window) --index;
  reading.exponent = static_cast<int>(side.answer.trace->signed_field(index, "exponent"));
  return reading;
}

std::string note_of(const Place& place, const Reading& r) {
  if (holds_number(place) && r.cls == Class::finite) return fmt::format("   exponent {}", r.exponent);
  return place.stage == Stage::reduce && place.fields.size() > 1 ? fmt::format("   sticky {}", r.bits != 0 ? 1 : 0)
                                                                 : "";
}

std::string painted(const std::string& text, bool colour) {
  return colour && !text.empty() ? "\x1b[31m" + text + "\x1b[0m" : text;
}

void two_lines(Page& page, const std::string& first, const std::string& second, const std::string& under, bool colour) {
  page.line("  reference " + first);
  page.line("  device    " + second);
  if (!under.empty()) page.line(std::string(Page::name_width, ' ') + painted(under, colour));
}

void show_place(Page& page, const Sides& sides, const SharedPlace& place, bool colour) {
  const BitPair pair = bit_pair(sides, place);
  two_lines(page, pair.reference, pair.device, marks(pair), colour);
}

std::string d_text(const Answered& side) {
  if (!side.answer.ok()) return "no answer: " + side.answer.error;
  const exact::Datum d = exact_value(side.plan->d, side.answer.d, side.plan->datapath.specials);
  return fmt::format("{}   {}   {}", hex_text(side.answer.d, side.plan->d), split_code(side.answer.d, side.plan->d),
                     decimal(d));
}

// What can be said about stages: how many were compared, and where the two part.
void places_text(Page& page, const Sides& sides, bool colour) {
  const auto& [reference, device] = sides;
  for (const Answered* side : {&reference, &device}) {
    if (side->answer.ok() && !side->answer.trace)
      return page.row("stages", side->name + " shows none; only d is compared");
  }
  if (!reference.answer.ok() || !device.answer.ok()) return;
  const std::vector<SharedPlace> shared = shared_places(sides);
  std::vector<SharedPlace> differ;
  std::copy_if(shared.begin(), shared.end(), std::back_inserter(differ), [](const SharedPlace& p) { return !p.same; });
  page.row("stages", fmt::format("{} places that both name, {} of them differ", shared.size(), differ.size()));
  for (std::size_t i = 0; i < std::min(differ.size(), most_places); ++i) {
    const Place& place = place_of(reference, differ[i].reference);
    const std::string first = i == 0 ? "first difference: " : "";
    page.line(fmt::format("\n{}{} ({})", first, place.name, place.label));
    show_place(page, sides, differ[i], colour);
  }
  if (differ.size() > most_places)
    page.line(fmt::format("\n{} more {}", differ.size() - most_places,
                          differ.size() == most_places + 1 ? "place differs" : "places differ"));
}

}  // namespace

std::vector<SharedPlace> shared_places(const Sides& sides) {
  const auto& [reference, device] = sides;
  std::vector<SharedPlace> shared;
  if (!reference.answer.trace || !device.answer.trace) return shared;
  for (int at = 0; at < static_cast<int>(reference.plan->places.size()); ++at) {
    const Place x = place_of(reference, at);
    const int other = device.plan->find_place(x.name);
    if (other < 0 || !reference.has(at) || !device.has(other)) continue;
    const Place y = place_of(device, other);
    if (x.stage != y.stage || x.label != y.label) continue;  // the same name for something else
    const bool same_plan = reference.plan == device.plan;
    const bool same = same_plan ? reference.answer.trace->same(at, *device.answer.trace)
                                : read_place(*reference.answer.trace, at) == read_place(*device.answer.trace, other);
    shared.push_back({at, other, same});
  }
  return shared;
}

BitPair bit_pair(const Sides& sides, const SharedPlace& place) {
  const auto& [reference, device] = sides;
  const Place& at = place_of(reference, place.reference);
  const Reading x = with_window(reference, place.reference, read_place(*reference.answer.trace, place.reference));
  const Reading y = with_window(device, place.device, read_place(*device.answer.trace, place.device));
  const bool bits =
      at.stage != Stage::special && at.stage != Stage::encode && at.stage != Stage::window && at.stage != Stage::flags;
  const Format& d = reference.plan->d;
  BitPair pair;
  if (bits && x.cls == Class::finite && y.cls == Class::finite) {
    pair = value_bits(x, y);
  } else {
    const auto text = [&](const Reading& r) {
      return bits && r.cls == Class::finite ? decimal(r.value, r.negative) : plain(at, r, d);
    };
    pair = {text(x), text(y)};
  }
  return {pair.reference + note_of(at, x), pair.device + note_of(at, y)};
}

std::string marks(const BitPair& pair) {
  std::string marks;
  for (std::size_t i = 0; i < std::max(pair.reference.size(), pair.device.size()); ++i) {
    const bool both = i < pair.reference.size() && i < pair.device.size();
    marks += both && pair.reference[i] == pair.device[i] ? ' ' : '^';
  }
  marks.erase(marks.find_last_not_of(' ') + 1);
  return marks;
}

std::string sides_text(const Sides& sides, bool colour) {
  const auto& [reference, device] = sides;
  Page page;
  page.line(fmt::format("\n{} held to {}", device.name, reference.name));
  places_text(page, sides, colour);
  page.line("\nd");
  const std::string x = d_text(reference), y = d_text(device);
  const bool both = reference.answer.ok() && device.answer.ok();
  two_lines(page, x, y,
            both && reference.answer.d != device.answer.d
                ? marks({x.substr(0, x.rfind("  ")), y.substr(0, y.rfind("  "))})
                : "",
            colour);
  return page.text();
}

}  // namespace assay::explain
