// What a dot product left at every place of its Plan, bit for bit.
#pragma once

#include <cassert>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/number.hpp"
#include "model/core/plan.hpp"

namespace assay {

// Bits in 64-bit words, lowest first; `width` of them count.
struct Bits {
  const std::uint64_t* words = nullptr;
  int width = 0;

  bool bit(int index) const { return (words[index / 64] >> (index % 64) & 1) != 0; }
  u128 field(int from, int count) const;  // up to 128 bits
  std::string hex() const;                // zero-padded to the width
  std::string binary(int from, int count) const;
};

class Trace {
 public:
  explicit Trace(const Plan& plan) : plan_(&plan), words_(static_cast<std::size_t>(plan.places.words())) {}

  using Spot = PlaceTable::Spot;

  // Writing, by where a place stands.
  void put(const Spot& spot, u128 bits);
  // A bundle of class, sign, exponent and significand. What does not matter is zero: the exponent of a number without
  // one, all but class and sign of an infinity, all but the class of a NaN.
  void put(const Spot& spot, const Number& number);
  template <int Words>
  void put(const Spot& spot, const Wide<Words>& value);
  void put(const Spot& spot, i128 value) { put(spot, static_cast<u128>(value)); }
  // A sum in its register, above the sticky bit where there is one.
  void put_sum(const Spot& spot, i128 sum, bool sticky, bool lost);
  template <int Words>
  void put_sum(const Spot& spot, const Wide<Words>& sum, bool sticky, bool lost);

  // The same by the index of the place.
  template <class Value>
  void put(int place, const Value& value) {
    put(plan_->places.spot(place), value);
  }
  template <class Register>
  void put_sum(int place, const Register& sum, bool sticky, bool lost) {
    put_sum(plan_->places.spot(place), sum, sticky, lost);
  }

  // Also keeps the numbers that entered each sum, for `explain`.
  void keep_items(bool keep) { keeps_items_ = keep; }
  bool keeps_items() const { return keeps_items_; }
  // By the index of a sum's window place.
  void note_items(int window_place, std::vector<Number> items) { items_[window_place] = std::move(items); }
  const std::vector<Number>& items(int window_place) const { return items_.at(window_place); }

  // Reading.
  const Plan& plan() const { return *plan_; }
  Bits at(int place) const;
  u128 field(int place, std::string_view name) const;  // unsigned
  i128 signed_field(int place, std::string_view name) const;

  // Filling one from outside, where a device sends its own.
  void set(int place, const Bits& bits);  // as wide as the place
  // False where the hex does not fit the place.
  bool set_hex(int place, std::string_view hex);
  // All words, each place at its spot's, lowest first; bits above its width must stay zero.
  std::uint64_t* words() { return words_.data(); }
  bool same(int place, const Trace& other) const;
  bool same(const Trace& other) const { return words_ == other.words_; }  // at every place

 private:
  std::uint64_t* words_of(const Spot& spot) { return words_.data() + spot.first_word; }
  std::uint64_t* cleared(const Spot& spot);

  const Plan* plan_;
  std::vector<std::uint64_t> words_;
  bool keeps_items_ = false;
  std::map<int, std::vector<Number>> items_;
};

// Writes places one after the other, from a first one on.
class TraceWriter {
 public:
  TraceWriter(Trace& trace, int first_place) : trace_(&trace), next_(first_place) {}

  template <class Value>
  void put(const Value& value) {
    trace_->put(next_++, value);
  }
  template <class Register>
  void put_sum(const Register& sum, bool sticky, bool lost) {
    trace_->put_sum(next_++, sum, sticky, lost);
  }

 private:
  Trace* trace_;
  int next_;
};

template <int Words>
void Trace::put(const Spot& spot, const Wide<Words>& value) {
  std::uint64_t* words = cleared(spot);
  const int width = spot.place->width;
  for (int i = 0; i < (width + 63) / 64; ++i) words[i] = static_cast<std::uint64_t>(value.window(64 * i));
  if (width % 64 != 0) words[width / 64] &= static_cast<std::uint64_t>(low_mask(width % 64));
}

inline void Trace::put_sum(const Spot& spot, i128 sum, bool sticky, bool lost) {
  put(spot, sticky ? static_cast<u128>(sum) << 1 | (lost ? 1 : 0) : static_cast<u128>(sum));
}

template <int Words>
void Trace::put_sum(const Spot& spot, const Wide<Words>& sum, bool sticky, bool lost) {
  Wide<Words> value = sum;
  if (sticky) {
    value += sum;
    value.word[0] |= lost ? 1 : 0;
  }
  put(spot, value);
}

}  // namespace assay
