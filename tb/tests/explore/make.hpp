// Studies and machines for tests, from a few lines of text.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tb/explore/machine.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {

inline const Catalogue& test_catalogue() {
  static const Catalogue catalogue(source_dir());
  return catalogue;
}

inline std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Without blanks in front: a study of a fused f16 sum with one width.
inline const std::string small_study = R"(study: small
title: A small one
datapath: fused_f25
operands: {a: f16, b: f16, c: f32, d: f32}
k: 16
axes:
  - {name: F, set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: 10..13}
inputs: [normal]
shapes: {m: 3, n: 4, k: 64}
seeds: 3
)";

// `text` with the first `from` replaced.
inline std::string substituted(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace assay
