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
  explicit Trace(const Plan& plan) : plan_(&plan), words_(static_cast<std::size_t>(plan.trace_words)) {}

  // Writing, in the order of Plan::places.
  void begin() { next_ = 0; }
  bool complete() const { return next_ == plan_->places.size(); }
  std::size_t written() const { return next_; }  // places, since `begin`
  void put(u128 bits);
  // A bundle of class, sign, exponent and significand. What does not matter is zero: the exponent of a number without
  // one, all but class and sign of an infinity, all but the class of a NaN.
  void put(const Number& number);
  template <int Words>
  void put(const Wide<Words>& value);
  // A sum in its register, above the sticky bit where there is one.
  void put_sum(i128 sum, bool sticky, bool lost);
  template <int Words>
  void put_sum(const Wide<Words>& sum, bool sticky, bool lost);

  // Also keeps the numbers that entered each sum, for `explain`.
  void keep_items(bool keep) { keeps_items_ = keep; }
  void note_items(const Number* items, int count) {
    if (keeps_items_) items_[static_cast<int>(next_)].assign(items, items + count);
  }
  // By the index of a sum's window place.
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
  bool same(int place, const Trace& other) const;

 private:
  std::uint64_t* start_place();
  void finish_place(std::uint64_t* words);

  const Plan* plan_;
  std::vector<std::uint64_t> words_;
  std::size_t next_ = 0;
  bool keeps_items_ = false;
  std::map<int, std::vector<Number>> items_;
};

template <int Words>
void Trace::put(const Wide<Words>& value) {
  const int width = plan_->places[next_].width;
  std::uint64_t* words = start_place();
  for (int i = 0; i < (width + 63) / 64; ++i) words[i] = static_cast<std::uint64_t>(value.window(64 * i));
  finish_place(words);
}

inline void Trace::put_sum(i128 sum, bool sticky, bool lost) {
  put(sticky ? static_cast<u128>(sum) << 1 | (lost ? 1 : 0) : static_cast<u128>(sum));
}

template <int Words>
void Trace::put_sum(const Wide<Words>& sum, bool sticky, bool lost) {
  Wide<Words> value = sum;
  if (sticky) {
    value += sum;
    value.word[0] |= lost ? 1 : 0;
  }
  put(value);
}

}  // namespace assay
