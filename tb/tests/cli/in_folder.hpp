// Tests of commands that read and write files.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tb/tests/scratch.hpp"

namespace assay {

inline std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// With an empty folder for each test, gone after it.
class InFolder : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }
  std::string file(const std::string& name, const std::string& text) const { return folder_.file(name, text); }

 private:
  Scratch folder_;
};

}  // namespace assay
