#include "model/core/trace.hpp"

#include <algorithm>

#include "model/base/hex.hpp"

namespace assay {
namespace {

void write_bits(std::uint64_t* words, int from, u128 value, int width) {
  for (int done = 0; done < width;) {
    const int within = (from + done) % 64;
    const int count = std::min(64 - within, width - done);
    const auto part = static_cast<std::uint64_t>(value >> done & low_mask(count));
    words[(from + done) / 64] |= part << within;
    done += count;
  }
}

// All bits of a place of 1 to 128.
void put_whole(std::uint64_t* words, int width, u128 bits) {
  words[0] = static_cast<std::uint64_t>(bits);
  if (width > 64) words[1] = static_cast<std::uint64_t>(bits >> 64);
}

int field_start(const Place& place, std::string_view name) {
  int from = place.width;
  for (const Field& field : place.fields) {
    from -= field.width;
    if (field.name == name) return from;
  }
  assert(false);
  return 0;
}

int field_width(const Place& place, std::string_view name) {
  for (const Field& field : place.fields) {
    if (field.name == name) return field.width;
  }
  return 0;
}

}  // namespace

u128 Bits::field(int from, int count) const {
  u128 value = 0;
  for (int done = 0; done < count;) {
    const int within = (from + done) % 64;
    const int part = std::min(64 - within, count - done);
    value |= (u128{words[(from + done) / 64]} >> within & low_mask(part)) << done;
    done += part;
  }
  return value;
}

std::string Bits::hex() const {
  std::string text;
  for (int digit = (width + 3) / 4 - 1; digit >= 0; --digit) {
    const int from = 4 * digit;
    text += hex_digit(static_cast<std::uint64_t>(field(from, std::min(4, width - from))));
  }
  return text;
}

std::string Bits::binary(int from, int count) const {
  std::string text;
  for (int i = from + count - 1; i >= from; --i) text += bit(i) ? '1' : '0';
  return text;
}

std::uint64_t* Trace::cleared(const Spot& spot) {
  std::uint64_t* words = words_of(spot);
  std::fill(words, words + (spot.place->width + 63) / 64, std::uint64_t{0});
  return words;
}

// Nearly all places are at most 128 bits wide; they are written once, as a whole.
void Trace::put(const Spot& spot, u128 bits) {
  const int width = spot.place->width;
  if (width > 128) {
    write_bits(cleared(spot), 0, bits, 128);
  } else {
    put_whole(words_of(spot), width, bits & low_mask(width));
  }
}

//   class | sign | exponent | significand
void Trace::put(const Spot& spot, const Number& number) {
  const Place& place = *spot.place;
  const int above = place.significand_width + place.exponent_width;
  const bool finite = number.is_finite();
  int shift = 0;
  if (finite && number.magnitude != 0) {
    const int below = place.fraction_bits;
    const int unit = place.absolute ? -below : number.exponent - below;
    assert(number.quantum >= unit);
    shift = number.quantum - unit;
  }
  const bool negative = number.negative && number.cls != Class::nan;
  const unsigned head = static_cast<unsigned>(number.cls) << 1 | (negative ? 1U : 0U);
  const bool counts = finite && number.has_exponent();
  if (place.width <= 64) {
    const auto mask = [](int width) { return (std::uint64_t{1} << width) - 1; };  // of less than 62 bits
    const std::uint64_t magnitude = finite && shift < 64 ? static_cast<std::uint64_t>(number.magnitude) << shift : 0;
    const std::uint64_t exponent = counts ? static_cast<std::uint64_t>(std::int64_t{number.exponent}) : 0;
    *words_of(spot) = std::uint64_t{head} << above |
                      (exponent & mask(place.exponent_width)) << place.significand_width |
                      (magnitude & mask(place.significand_width));
    return;
  }
  u128 significand = 0, exponent = 0;
  if (finite) significand = shift_left(number.magnitude, shift) & low_mask(place.significand_width);
  if (counts) exponent = static_cast<u128>(static_cast<i128>(number.exponent)) & low_mask(place.exponent_width);
  if (place.width <= 128)
    return put_whole(words_of(spot), place.width,
                     u128{head} << above | exponent << place.significand_width | significand);
  std::uint64_t* words = cleared(spot);
  write_bits(words, 0, significand, place.significand_width);
  write_bits(words, place.significand_width, exponent, place.exponent_width);
  write_bits(words, above, head, 3);
}

Bits Trace::at(int place) const {
  const Spot spot = plan_->places.spot(place);
  return {words_.data() + spot.first_word, spot.place->width};
}

u128 Trace::field(int place, std::string_view name) const {
  const Place& p = *plan_->places.spot(place).place;
  return at(place).field(field_start(p, name), field_width(p, name));
}

i128 Trace::signed_field(int place, std::string_view name) const {
  const int width = field_width(*plan_->places.spot(place).place, name);
  const u128 value = field(place, name);
  const bool negative = width > 0 && (value >> (width - 1) & 1) != 0;
  return static_cast<i128>(negative ? value | ~low_mask(width) : value);
}

void Trace::set(int place, const Bits& bits) {
  const Spot spot = plan_->places.spot(place);
  assert(bits.width == spot.place->width);
  std::copy(bits.words, bits.words + (bits.width + 63) / 64, words_.data() + spot.first_word);
}

bool Trace::set_hex(int place, std::string_view hex) {
  const Spot spot = plan_->places.spot(place);
  const int width = spot.place->width;
  if (static_cast<int>(hex.size()) != (width + 3) / 4) return false;
  std::uint64_t* words = cleared(spot);
  int from = 4 * static_cast<int>(hex.size());
  for (const char c : hex) {
    const int value = hex_value(c);
    from -= 4;
    if (value < 0 || (from + 4 > width && value >> (width - from) != 0)) return false;
    write_bits(words, from, static_cast<u128>(value), std::min(4, width - from));
  }
  return true;
}

bool Trace::same(int place, const Trace& other) const {
  const Spot spot = plan_->places.spot(place);
  const std::uint64_t* mine = words_.data() + spot.first_word;
  return std::equal(mine, mine + (spot.place->width + 63) / 64, other.words_.data() + spot.first_word);
}

}  // namespace assay
