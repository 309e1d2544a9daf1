#include "model/layout/modifiers.hpp"

namespace assay::layout {
namespace {

constexpr int blgp_values = 8;

//  blgp   lane l of B is fed by lane
//  0      l
//  1, 2   l mod 32 of the lower, of the upper half
//  3      l + 16, around: what lane 0 holds goes to lane 48
//  4 .. 7 l mod 16 of each quarter in turn
int lane_that_feeds(int lane, int blgp) {
  if (blgp == 0) return lane;
  if (blgp <= 2) return 32 * (blgp - 1) + lane % 32;
  if (blgp == 3) return (lane + 16) % 64;
  return 16 * (blgp - 4) + lane % 16;
}

std::string up_to(int last) { return last == 0 ? "0 alone" : "0 to " + std::to_string(last); }

}  // namespace

std::string modifiers_problem(const std::string& name, const LegalModifiers& legal, const Modifiers& m) {
  const auto refused = [&](const std::string& field, int value, const std::string& taken) {
    return field + " is " + std::to_string(value) + ", but " + name + " takes " + taken + ".";
  };
  if (m.cbsz < 0 || m.cbsz > legal.most_cbsz) return refused("cbsz", m.cbsz, up_to(legal.most_cbsz));
  const int most_abid = (1 << m.cbsz) - 1;
  if (m.abid < 0 || m.abid > most_abid)
    return refused("abid", m.abid, up_to(most_abid) + " where cbsz is " + std::to_string(m.cbsz));
  const int most_blgp = legal.blgp == BlgpUse::none ? 0 : blgp_values - 1;
  if (m.blgp < 0 || m.blgp > most_blgp) return refused("blgp", m.blgp, up_to(most_blgp));
  return "";
}

std::string legal_text(const LegalModifiers& legal) {
  std::string text;
  if (legal.most_cbsz > 0) text = "cbsz " + up_to(legal.most_cbsz) + ", abid 0 to 2^cbsz - 1";
  if (legal.blgp == BlgpUse::none) return text;
  if (!text.empty()) text += "; ";
  return text + "blgp " + up_to(blgp_values - 1) +
         (legal.blgp == BlgpUse::lanes ? ", patterns of B's lanes" : ", its bits turn the signs of A, B and C");
}

int Feeds::block_of_a(int block) const { return (block >> modifiers.cbsz << modifiers.cbsz) + modifiers.abid; }

int Feeds::lane_of_b(int lane) const {
  return legal.blgp == BlgpUse::lanes ? lane_that_feeds(lane, modifiers.blgp) : lane;
}

Location Feeds::a(const Fragment& fragment, Coordinates element) const {
  element.b = block_of_a(element.b);
  return place_of(fragment, element);
}

Location Feeds::b(const Fragment& fragment, const Coordinates& element) const {
  Location place = place_of(fragment, element);
  place.lane = lane_of_b(place.lane);
  return place;
}

}  // namespace assay::layout
