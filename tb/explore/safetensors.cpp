// safetensors: the length of a header as 8 bytes, the header, the data. The header is one JSON object: of each tensor
// its type, its shape and its place in the data, and under __metadata__ texts that are not read. By the
// format's rules no name is there twice, and the tensors fill the data without overlap and without a gap.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tb/explore/tensor_file.hpp"
#include "tb/vectors/element_type.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_of_header = std::uint64_t{16} << 20;

struct Entry {
  std::string name, type;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;  // in the data
};

// An object of which no name stands twice: the JSON library itself keeps one of the two, and says nothing.
Json parsed(const TensorFile& file, const std::string& text) {
  std::vector<std::set<std::string>> names;  // of the objects that are being read, the outermost first
  const auto check = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key && !names.back().insert(value.get<std::string>()).second)
      file.fail("The header of this file has " + excerpt(value.get<std::string>()) + " twice.");
    return true;
  };
  Json header = Json::parse(text, check, false);
  if (!header.is_object()) file.fail("This file has no header of safetensors.");
  return header;
}

// Nothing where it is no whole number that 64 bits hold: the library itself takes any number, and true, for one.
bool read_number(const Json& json, std::uint64_t& into) {
  if (!json.is_number_unsigned()) return false;
  into = json.get<std::uint64_t>();
  return true;
}

bool read_entry(const Json& json, Entry& into) {
  if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") || !json.contains("data_offsets"))
    return false;
  const Json &type = json["dtype"], &shape = json["shape"], &place = json["data_offsets"];
  if (!type.is_string() || !shape.is_array() || !place.is_array() || place.size() != 2) return false;
  into.type = type.get<std::string>();
  into.shape.resize(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!read_number(shape[i], into.shape[i])) return false;
  }
  return read_number(place[0], into.begin) && read_number(place[1], into.end);
}

void check_length(const TensorFile& file, const Entry& entry) {
  if (entry.end < entry.begin) file.fail("The tensor " + excerpt(entry.name) + " ends before it begins.");
  const ElementType* const type = find_safetensors_type(entry.type);
  if (type == nullptr) return;  // one that is not known here
  const auto width = static_cast<std::uint64_t>(type->bytes);
  const std::optional<std::uint64_t> elements = elements_of(entry.shape);
  const std::uint64_t bytes = entry.end - entry.begin;
  if (!elements || bytes % width != 0 || bytes / width != *elements)
    file.fail("The tensor " + excerpt(entry.name) + " is not as long as its shape says.");
}

std::vector<Entry> entries_of(const TensorFile& file, const Json& header) {
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items()) {
    if (name == "__metadata__") continue;
    entries.push_back({name, "", {}, 0, 0});
    if (!read_entry(json, entries.back()))
      file.fail("The tensor " + excerpt(name) + " is not described as safetensors are.");
    check_length(file, entries.back());
  }
  return entries;
}

void check_places(const TensorFile& file, std::vector<Entry> entries, std::uint64_t bytes) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& x, const Entry& y) { return std::pair(x.begin, x.end) < std::pair(y.begin, y.end); });
  entries.push_back({"", "", {}, bytes, bytes});
  std::uint64_t end = 0;
  const std::string* before = nullptr;
  for (const Entry& entry : entries) {
    if (entry.begin > bytes || entry.end > bytes)
      file.fail("This file ends too early: the tensor " + excerpt(entry.name) + " goes on to byte " +
                std::to_string(entry.end) + " of " + std::to_string(bytes) + ".");
    if (entry.begin < end) file.fail("The tensors " + excerpt(*before) + " and " + excerpt(entry.name) + " overlap.");
    if (entry.begin > end)
      file.fail("The bytes " + std::to_string(end) + " to " + std::to_string(entry.begin - 1) +
                " of the data are of no tensor.");
    end = entry.end;
    before = &entry.name;
  }
}

}  // namespace

RawTensor safetensors_tensor(const TensorFile& file, const std::string& name) {
  const std::uint64_t length = file.number(0, 8);
  if (length > file.size() - 8) file.fail("This file ends too early.");
  if (length > most_of_header) file.fail("The header of this file is longer than 16 MiB, which is not read here.");
  const std::string text = file.part(8, length);
  if (text.empty() || text.front() != '{') file.fail("This file has no header of safetensors.");
  const std::vector<Entry> entries = entries_of(file, parsed(file, text));
  check_places(file, entries, file.size() - 8 - length);
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  if (entry == entries.end()) {
    std::vector<std::string> names;
    for (const Entry& e : entries) names.push_back(e.name);
    file.no_such_tensor(name, names);
  }
  const std::uint64_t bytes = entry->end - entry->begin;
  return {entry->type, entry->shape, bytes, file.source(8 + length + entry->begin, bytes)};
}

}  // namespace assay
