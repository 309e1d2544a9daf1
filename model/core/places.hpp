// The places of a dot product: each value that can be traced, with its name and its bits.
//
// PlaceTable stand in regions. A region is a list of places and how often that list stands there, so that a dot product
// of a million terms takes no more of them than one of two:
//
//   decode.a[0] .. decode.a[k - 1]   one place, k times
//   step[0] .. step[n - 1]           special, sum.window, sum.align[0], .., acc, n times
//
//   index of a place = region.first_place + instance x places in the region + place in the region
//
// Nothing is searched for: an index makes a name, and a name is taken apart to its index.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// One named spot whose value can be traced, and the bits of its bundle, first field uppermost.
enum class Stage { decode, multiply, scale, special, window, align, reduce, round, acc, encode, flags };
std::string_view stage_name(Stage stage);

struct Field {
  std::string_view name;  // class sign exponent significand outcome sum sticky lost addend bits raised
  int width = 0;
};

struct Place {
  std::string name;  // step[1].sum.align[5]
  Stage stage = Stage::decode;
  std::vector<Field> fields;
  int width = 0;
  int significand_width = 0, exponent_width = 0;  // of these fields, where it has them
  int least_exponent = 0, greatest_exponent = 0;  // of the numbers that come there
  int first_word = 0;                             // in Trace
  int fraction_bits = 0;                          // of a significand, sum or addend: its binary point ...
  bool absolute = false;                          // ... or, where true, the weight of its last bit is 2^-fraction_bits
  std::string label;                              // what stands here, for people: "a[5] x b[5]", "acc"
};

// In the order in which a dot product meets them.
enum class Region {
  decode_a,
  decode_b,
  decode_c,
  decode_scale_a,
  decode_scale_b,
  decode_more,
  factor_a,
  factor_b,
  multiply,
  scale,
  multiply_round,
  step,
  finish,
  encode,
  flags
};
inline constexpr std::size_t regions = static_cast<std::size_t>(Region::flags) + 1;

// How the label of a place is made from where it stands.
enum class Labelled {
  as_is,       // "acc"
  by_index,    // "a[5]"
  by_product,  // "a[5] x b[5]", and what the label adds
  by_term      // the product that is this term of the step
};

// A place of a region, as it stands in each of its instances: `name` is what follows the instance's own, `first_word`
// counts from the instance's first.
struct RegionPlace {
  Place place;
  Labelled labelled = Labelled::as_is;
  int term = 0;
};

class PlaceTable {
 public:
  // A region, numbered or alone, after those that are there. With several lanes its instances are dealt to them evenly.
  struct Instances {
    bool numbered = false;
    int count = 1;
    int lanes = 1;
  };
  void add(Region region, std::string name, Instances instances, std::vector<RegionPlace> places);
  // order[(instance of step) x terms + i]: the index in k of term i, for labels.
  void label_terms(std::vector<int> order, int terms);
  // What follows the names of a and b in the label of each product of an element, where it has several.
  void label_pieces(std::vector<std::array<std::string, 2>> pieces);

  std::size_t size() const { return static_cast<std::size_t>(size_); }
  int words() const { return words_; }  // of a Trace
  Place operator[](std::size_t index) const;
  std::string name(int index) const;
  Place at(std::size_t index) const { return (*this)[index]; }
  Place front() const { return (*this)[0]; }
  Place back() const { return (*this)[size() - 1]; }

  // -1 where there is none.
  int find(std::string_view name) const;
  int first(Region region, int instance = 0) const;
  int last(Region region, int instance = 0) const;

  // What every instance of a place has in common, without its name and label, and where its bits stand in a Trace.
  struct Spot {
    const Place* place = nullptr;
    int first_word = 0;
  };
  Spot spot(int index) const;

  // The places of one instance of a region, which must be there: without looking each of them up.
  class Instance {
   public:
    Instance(const RegionPlace* places, int count, int first_place, int first_word)
        : places_(places), count_(count), first_place_(first_place), first_word_(first_word) {}
    int first_place() const { return first_place_; }
    int count() const { return count_; }
    Spot last() const { return (*this)[count_ - 1]; }
    Spot operator[](int at) const { return {&places_[at].place, first_word_ + places_[at].place.first_word}; }

   private:
    const RegionPlace* places_;
    int count_, first_place_, first_word_;
  };
  Instance instance(Region region, int index = 0) const {
    const Block& block = blocks_[static_cast<std::size_t>(block_at_[static_cast<std::size_t>(region)])];
    const int count = static_cast<int>(block.places.size());
    return {block.places.data(), count, block.first_place + index * count, block.first_word + index * block.words};
  }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Place;
    using difference_type = std::ptrdiff_t;
    using pointer = const Place*;
    using reference = Place;

    Iterator(const PlaceTable& places, std::size_t index) : places_(&places), index_(index) {}
    Place operator*() const { return (*places_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator==(const Iterator& o) const { return index_ == o.index_; }
    bool operator!=(const Iterator& o) const { return index_ != o.index_; }

   private:
    const PlaceTable* places_;
    std::size_t index_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  static std::array<int, regions> none() {
    std::array<int, regions> all;
    all.fill(-1);
    return all;
  }

  struct Block {
    Region region = Region::encode;
    std::string name;
    Instances instances;
    std::vector<RegionPlace> places;
    std::vector<int> by_name;  // of `places`
    int first_place = 0, first_word = 0;
    int words = 0;  // of one instance
  };

  const Block& block_of(int index) const;
  int find_in(const Block& block, std::string_view name) const;
  std::string label(const RegionPlace& place, int instance) const;
  std::string product_label(int index) const;

  std::vector<Block> blocks_;
  std::array<int, regions> block_at_ = none();  // of each region, -1 where it is not there
  int size_ = 0, words_ = 0;
  std::vector<int> order_;
  std::vector<std::array<std::string, 2>> pieces_;
  int terms_ = 0;
};

// name[index]
std::string indexed(std::string_view name, int index);

}  // namespace assay
