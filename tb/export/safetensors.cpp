// safetensors: the length of a header of JSON as 8 bytes, the header, then the arrays one after another.
#include <algorithm>
#include <numeric>

#include "tb/export/export_format.hpp"
#include "tb/vectors/element_type.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

// Of a format that no type has the bits of, only the bits are kept.
std::string dtype(const Format& format) {
  const ElementType* type = type_of_bits(format);
  return type != nullptr ? std::string(type->safetensors) : "U" + std::to_string(8 * element_bytes(format.stored_bits));
}

// Wide elements first: then each array begins on a multiple of its element.
std::vector<std::size_t> by_width(const std::vector<Column>& columns) {
  std::vector<std::size_t> order(columns.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return columns[x].bytes() > columns[y].bytes(); });
  return order;
}

std::string tensor(const Column& column, std::uint64_t cases, std::uint64_t begin, std::uint64_t end) {
  const std::string columns = column.list ? "," + std::to_string(column.elements) : "";
  return json_string(column.name) + ":{\"dtype\":\"" + dtype(column.format) + "\",\"shape\":[" + std::to_string(cases) +
         columns + "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
}

}  // namespace

std::vector<ArrayPlace> assemble_safetensors(const WrittenColumns& written, const ExportFacts& facts) {
  const std::vector<std::size_t> order = by_width(written.columns);
  std::string header = "{\"__metadata__\":{\"header\":" + json_string(print_header(facts.header)) +
                       ",\"tool\":" + json_string(facts.tool) + "}";
  std::uint64_t end = 0;
  for (const std::size_t i : order) {
    header += "," + tensor(written.columns[i], written.cases, end, end + written.bytes[i]);
    end += written.bytes[i];
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');

  PartFile out(written.folder, "vectors.safetensors");
  for (int i = 0; i < 8; ++i) out.pending() += static_cast<char>(header.size() >> (8 * i) & 0xff);
  out.add(header);
  std::vector<ArrayPlace> places(written.columns.size());
  for (const std::size_t i : order) {
    places[i] = {dtype(written.columns[i].format), out.name(), out.bytes()};
    out.add_file(written.columns[i].name);
  }
  out.finish();
  return places;
}

// The header has to list the tensor with these very bytes. Quotes inside its metadata are escaped, so that nothing
// there looks like a tensor.
bool safetensors_has_there(const PlacedColumn& place) {
  constexpr std::uint64_t longest_header = std::uint64_t{1} << 23;
  const std::string length_bytes = bytes_at(place.path, 0, 8);
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < length_bytes.size(); ++i)
    length |= std::uint64_t{static_cast<unsigned char>(length_bytes[i])} << (8 * i);
  if (length > longest_header || place.offset < 8 + length) return false;
  const std::uint64_t begin = place.offset - 8 - length;
  const std::uint64_t bytes = raw_encoding.width(place.column) * place.cases;
  const std::string listed = "," + tensor(place.column, place.cases, begin, begin + bytes);
  return bytes_at(place.path, 8, length).find(listed) != std::string::npos;
}

}  // namespace assay
