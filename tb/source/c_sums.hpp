// The stages window, align and reduce as C, and the sums that they make up.
#pragma once

#include <string>

#include "tb/source/c_words.hpp"

namespace assay {

// A name in C: "sum", "x_9" for one that begins with a digit, "double_" for a keyword,
// "number_t_" for what may be a type.
std::string c_name(const std::string& name);

// One adder of a block: its stages, and `add_NAME`, which makes one sum of the block's values.
//
//   add_NAME(value, which, .., at)     `which` of the adder's sums, where it has several
struct CAdder {
  std::string name;       // in functions: "sum", "finish_sum"
  std::string places;     // the type of its places
  std::string text;       // type and functions
  std::vector<int> sums;  // of the block
};

// The numbers that a case's further operand is read as; the type of its random words; the block of an element, or
// the element of a product.
std::string c_numbers(const Plan& plan, int operand);
std::string c_random_type(const Plan& plan);
std::string c_block(const std::string& index, int block);

class CSums {
 public:
  CSums(const Plan& plan, const CWords& words) : plan_(plan), w_(words) {}

  CAdder adder(const CircuitBlock& block, const std::vector<AdderPlan>& adders, std::size_t index,
               const std::string& prefix) const;

  // What a sum is given beside the block's values, as parameters, and as arguments where it is called. Each begins with
  // ", ". `element`: whose blocks' scales multiply it; `draw`: its first random word.
  std::string parameters(const AdderPlan& adder) const;
  std::string arguments(const AdderPlan& adder, const std::string& element, const std::string& draw) const;

  // Times the scales of the blocks in which element `index` of k lies, as statements on `number`.
  std::string scaled(bool by_pair, const std::vector<int>& others, const std::string& number,
                     const std::string& index) const;

 private:
  const Plan& plan_;
  const CWords& w_;
};

}  // namespace assay
