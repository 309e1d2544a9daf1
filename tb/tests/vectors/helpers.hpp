// What the tests of vector files share.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tb/tests/scratch.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay::testing_vectors {

inline void put_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string file_bytes(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

// Two terms of f16 on an f32.
inline CaseShape small_shape() {
  CaseShape shape;
  shape.k = 2;
  shape.a_bits = shape.b_bits = 16;
  shape.c_bits = shape.d_bits = 32;
  return shape;
}

// Four terms of e3m2 on an f32, a scale of ue8m0 for every two.
inline CaseShape scaled_shape() {
  CaseShape shape;
  shape.k = 4;
  shape.scales = 2;
  shape.a_bits = shape.b_bits = 6;
  shape.c_bits = shape.d_bits = 32;
  shape.scale_bits = 8;
  return shape;
}

// Two terms of f16 on an f32, a scale of 8 bits for both of side a, zero points of 4 bits for each of b, a random word.
inline CaseShape shape_with_more() {
  CaseShape shape = small_shape();
  shape.more = {{"scale_a", 1, 8, Owner::row}, {"zero_b", 2, 4, Owner::column}, {"random", 1, 4, Owner::element}};
  shape.chains = true;
  return shape;
}

inline const char* const small_header = R"({"assay":1,"architecture":"hopper","instruction":"small"})";

}  // namespace assay::testing_vectors
