// A vector file through a unit: the same cases with the unit's d.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scripts/capture/unit.hpp"

namespace assay::capture {

inline constexpr std::size_t cases_a_launch = 4096;

struct Header {
  std::string architecture, instruction;
  bool pad = false;
  std::vector<std::string> others;  // members that are passed on, as JSON: "\"nan\":\"any\""
};

// Throws Error; so do all below. `place` ("cases.jsonl:1") begins the sentence.
Header read_header(const std::string& line, const std::string& place);

// The header of what is written: its provenance says what `unit` is.
std::string header_line(const Header& header, const Tiling& tiling, const Unit& unit, const std::string& date);

struct Task {
  std::string from, to;  // vector files, not compressed
  std::string date;      // 2026-11-21
};

struct Done {
  std::uint64_t cases = 0;    // in the file now ...
  std::uint64_t resumed = 0;  // ... of which an earlier run had captured so many
};

using OpenUnit = std::function<std::unique_ptr<Unit>(const Header&)>;

// Writes to TO.part, which becomes TO when it is whole. A TO.part that is there goes on after its last whole case, if
// it is of the same cases on the same device.
Done capture(const Task& task, const OpenUnit& open);

}  // namespace assay::capture
