// A library like those that are installed: the model is linked into it, and a program loads it from wherever it lies.
#include <cstdio>

#include "model/config/home.hpp"

extern "C" void assay_home_of_library(char* text, std::size_t size) {
  std::snprintf(text, size, "%s", assay::home().c_str());
}
