// The first line of a vector file: what the cases are of, where they come from, how to hold d against them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class NanPolicy {
  unset,  // the header does not say: bits where the NaN is canonical
  bits,   // the code of d counts
  any,    // one NaN is as good as another
};

// A member of a JSON object, its value as JSON text.
struct HeaderMember {
  std::string name;
  std::string json;

  std::string text() const;  // of a string: what stands between its quotes, unescaped; of any other value: its JSON

  bool operator==(const HeaderMember& o) const { return name == o.name && json == o.json; }
};

// Empty where no member has this name.
std::string text_of(const std::vector<HeaderMember>& members, std::string_view name);

void remove_member(std::vector<HeaderMember>& members, std::string_view name);

struct VectorHeader {
  int version = 1;
  std::string architecture, instruction;
  std::string datapath;  // JSON text of a mapping, or empty; stands in place of architecture and instruction
  std::string datapath_sha256;
  bool pad = false;                    // shorter a and b are filled up with zeros
  std::optional<std::uint64_t> cases;  // how many follow
  NanPolicy nan = NanPolicy::unset;
  bool trace = false;  // to a device in another process: traces are wanted
  std::vector<HeaderMember> provenance;
  std::vector<HeaderMember> others;  // members this version does not know: kept and passed on
};

inline constexpr int vector_file_version = 1;

// Throws ScanError.
VectorHeader parse_header(std::string_view line);

// Without the newline.
std::string print_header(const VectorHeader& header);

}  // namespace assay
