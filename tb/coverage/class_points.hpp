// Points of what stands at either end: classes of operands and which of them meet, scales, the class of d.
#pragma once

#include <vector>

#include "model/core/decode.hpp"
#include "model/core/dot.hpp"
#include "tb/coverage/coverage.hpp"
#include "tb/coverage/extent.hpp"
#include "tb/generate/told_codes.hpp"

namespace assay {

// Whether an operand of the format may be a NaN as it is read.
bool may_be_nan(const Format& f, Nans read);

// Reads codes of one format as one of a few classes.
class ClassReader {
 public:
  ClassReader(const Format& format, Specials specials);

  const std::vector<Bin>& classes() const { return classes_; }  // those the format does not have are out of reach
  std::size_t read(Code code) const;

 private:
  const Format& format_;
  Decoder decoder_;
  std::vector<Bin> classes_;
};

// Class of a[i] x class of b[i].
class OperandPoint {
 public:
  explicit OperandPoint(const Plan& plan);
  const Point& point() const { return point_; }
  void see(const Operand& operand);

 private:
  int k_;
  ClassReader a_, b_;
  Point point_;
};

// Codes of one operand that differ in one bit from those that a unit tells apart.
class OneBitPoint {
 public:
  OneBitPoint(std::string operand, const Format& format, Specials specials);
  const Point& point() const { return point_; }
  bool empty() const { return point_.bins.empty(); }
  void see(const Code* codes, int count);

 private:
  const Format& format_;
  int bits_;
  struct Told {
    Code used, any;  // bits that it has, and those that may be either
  };
  std::vector<Told> told_;
  Point point_;
};

// What exact products are x class of c, each pair once a case.
class ProductPoint {
 public:
  explicit ProductPoint(const Plan& plan);
  const Point& point() const { return point_; }
  void see(const Operand& operand, const Trace& trace);

 private:
  std::size_t read(const Number& product) const;

  const Plan& plan_;
  int first_product_;
  ClassReader c_;
  std::vector<char> seen_;
  Point point_;
};

// The scale of each block of one side.
class ScalePoint {
 public:
  ScalePoint(std::string name, const Format& format, int blocks);
  const Point& point() const { return point_; }
  void see(const Code* scales);

 private:
  std::size_t read(Code code) const;

  const Format& format_;
  Number least_, greatest_;  // in magnitude, without zero
  std::size_t blocks_;
  Point point_;
};

// What a step reads of the one before, where a subnormal is read as zero.
class AccPoint {
 public:
  explicit AccPoint(const Plan& plan);
  const Point& point() const { return point_; }
  void see(const Trace& trace);

 private:
  const Plan& plan_;
  Point point_;
};

// What d is.
class OutputPoint {
 public:
  OutputPoint(const Plan& plan, const Reach& reach);
  const Point& point() const { return point_; }
  void see(Code d, bool is_nan);

 private:
  std::size_t read_float(Code d) const;
  std::size_t read_integer(Code d) const;

  const Plan& plan_;
  Point point_;
};

}  // namespace assay
