#include "tb/vectors/header.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

// The scanner has checked the grammar; what it leaves to find out is the UTF-8 inside a string.
nlohmann::json parsed(std::string_view name, std::string_view json) {
  nlohmann::json value = nlohmann::json::parse(json, nullptr, false);
  if (value.is_discarded()) throw ScanError{std::string(name) + " is not UTF-8 text."};
  return value;
}

[[noreturn]] void refuse(std::string_view name, std::string_view json, const std::string& expected) {
  throw ScanError{std::string(name) + " is " + excerpt(json) + "; it should be " + expected + "."};
}

std::string string_member(std::string_view name, std::string_view json, const std::string& expected) {
  const nlohmann::json value = parsed(name, json);
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) refuse(name, json, expected);
  return value.get<std::string>();
}

bool bool_member(std::string_view name, std::string_view json) {
  if (json != "true" && json != "false") refuse(name, json, "true or false");
  return json == "true";
}

std::uint64_t count_member(std::string_view name, std::string_view json) {
  const nlohmann::json value = parsed(name, json);
  if (!value.is_number_unsigned()) refuse(name, json, "a whole number, not negative");
  return value.get<std::uint64_t>();
}

int version_member(std::string_view json) {
  if (json != "1") {
    throw ScanError{"assay is " + excerpt(json) + ", a version this program does not know; it reads version 1."};
  }
  return vector_file_version;
}

NanPolicy nan_member(std::string_view json) {
  if (json == "\"bits\"") return NanPolicy::bits;
  if (json == "\"any\"") return NanPolicy::any;
  refuse("nan", json, "\"bits\" or \"any\"");
}

std::string mapping_member(std::string_view name, std::string_view json) {
  if (json.front() != '{') refuse(name, json, "a mapping, {...}");
  return std::string(json);
}

std::string sha256_member(std::string_view json) {
  const std::string expected = "the 64 lower-case hex digits of a SHA-256";
  const std::string digest = string_member("datapath_sha256", json, expected);
  const bool hex = std::all_of(digest.begin(), digest.end(), [](char c) { return hex_value(c) >= 0; });
  if (digest.size() != 64 || !hex) refuse("datapath_sha256", json, expected);
  return digest;
}

std::vector<HeaderMember> provenance_members(std::string_view json) {
  std::vector<HeaderMember> members;
  if (json.front() != '{') refuse("provenance", json, "a mapping, {...}");
  Scanner scanner(json);
  scanner.line([&](std::string_view name) { members.push_back({std::string(name), std::string(scanner.value())}); });
  return members;
}

void read_member(std::string_view name, std::string_view json, VectorHeader& header) {
  if (name == "assay") {
    header.version = version_member(json);
  } else if (name == "architecture") {
    header.architecture = string_member(name, json, "the name of an architecture");
  } else if (name == "instruction") {
    header.instruction = string_member(name, json, "the name of an instruction");
  } else if (name == "datapath") {
    header.datapath = mapping_member(name, json);
  } else if (name == "datapath_sha256") {
    header.datapath_sha256 = sha256_member(json);
  } else if (name == "pad") {
    header.pad = bool_member(name, json);
  } else if (name == "cases") {
    header.cases = count_member(name, json);
  } else if (name == "nan") {
    header.nan = nan_member(json);
  } else if (name == "trace") {
    header.trace = bool_member(name, json);
  } else if (name == "provenance") {
    header.provenance = provenance_members(json);
  } else {
    header.others.push_back({std::string(name), std::string(json)});
  }
}

// With both, each reader would be free to take the one or the other.
void check(const VectorHeader& header) {
  const std::string either =
      "; a header names an architecture and an instruction, or describes a datapath in their place.";
  if (!header.datapath.empty()) {
    if (header.architecture.empty() && header.instruction.empty()) return;
    const std::string named = header.instruction.empty() ? "an architecture" : "an instruction";
    throw ScanError{"the header has " + named + " and a datapath" + either};
  }
  if (header.architecture.empty()) throw ScanError{"the header has no architecture" + either};
  if (header.instruction.empty()) throw ScanError{"the header has no instruction" + either};
}

void put(std::string& out, std::string_view name, std::string_view json) {
  out.append(",\"").append(name).append("\":").append(json);
}

void put_text(std::string& out, std::string_view name, const std::string& text) {
  if (text.empty()) return;
  std::string json;
  append_quoted(json, text);
  put(out, name, json);
}

void put_provenance(std::string& out, const std::vector<HeaderMember>& provenance) {
  if (provenance.empty()) return;
  std::string json;
  for (const HeaderMember& member : provenance) put(json, member.name, member.json);
  json.front() = '{';
  put(out, "provenance", json + "}");
}

}  // namespace

std::string HeaderMember::text() const { return json.front() == '"' ? parsed(name, json).get<std::string>() : json; }

std::string text_of(const std::vector<HeaderMember>& members, std::string_view name) {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const HeaderMember& member) { return member.name == name; });
  return found == members.end() ? "" : found->text();
}

void remove_member(std::vector<HeaderMember>& members, std::string_view name) {
  const auto same = [&](const HeaderMember& member) { return member.name == name; };
  members.erase(std::remove_if(members.begin(), members.end(), same), members.end());
}

VectorHeader parse_header(std::string_view line) {
  VectorHeader header;
  bool versioned = false;
  Scanner scanner(line);
  scanner.line([&](std::string_view name) {
    versioned = versioned || name == "assay";
    read_member(name, scanner.value(), header);
  });
  if (!versioned)
    throw ScanError{"the line is no header: a vector file begins with {\"assay\":1,\"architecture\":...}."};
  check(header);
  return header;
}

std::string print_header(const VectorHeader& header) {
  std::string out = "{\"assay\":" + std::to_string(header.version);
  put_text(out, "architecture", header.architecture);
  put_text(out, "instruction", header.instruction);
  if (!header.datapath.empty()) put(out, "datapath", header.datapath);
  put_text(out, "datapath_sha256", header.datapath_sha256);
  if (header.pad) put(out, "pad", "true");
  if (header.nan != NanPolicy::unset) put(out, "nan", header.nan == NanPolicy::any ? "\"any\"" : "\"bits\"");
  if (header.cases) put(out, "cases", std::to_string(*header.cases));
  if (header.trace) put(out, "trace", "true");
  put_provenance(out, header.provenance);
  for (const HeaderMember& member : header.others) put(out, member.name, member.json);
  return out + "}";
}

}  // namespace assay
