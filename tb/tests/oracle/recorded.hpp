// A set of recorded results: a file of JSON lines, its instruction a row of the committed table.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tb/tests/oracle/rows.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::exact {

// Beside the source tree, or where the environment variable ASSAY_SHARED says.
inline std::filesystem::path shared_folder() {
  const char* shared = std::getenv("ASSAY_SHARED");
  return shared != nullptr ? shared : source_dir() + "/../shared";
}

struct Recorded {
  OracleOperands operands;
  Code d = 0;
};

struct RecordedSet {
  Instruction instruction;
  std::size_t announced = 0;  // by its header; 0 where it says nothing
  std::vector<Recorded> cases;
};

inline Code hex(const nlohmann::json& text) { return std::stoull(text.get<std::string>(), nullptr, 16); }

inline Codes hex_list(const nlohmann::json& list, int k) {
  Codes codes;
  for (const auto& text : list) codes.push_back(hex(text));
  codes.resize(static_cast<std::size_t>(k));  // the header says "pad": shorter ones are filled with zero bits
  return codes;
}

inline RecordedSet read_set(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const auto header = nlohmann::json::parse(line);
  RecordedSet set{
      row_called(header.at("architecture"), header.at("instruction")), header.value("cases", std::size_t{0}), {}};
  while (std::getline(file, line)) {
    const auto one = nlohmann::json::parse(line);
    const int k = set.instruction.k;
    set.cases.push_back(
        {{hex_list(one.at("a"), k), hex_list(one.at("b"), k), hex(one.at("c")), {}, {}}, hex(one.at("d"))});
  }
  return set;
}

}  // namespace assay::exact
