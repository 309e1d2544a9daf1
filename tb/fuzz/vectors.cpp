// A vector file of any bytes: its header, its cases, gzip and zstd. It is read to its end or refused with a sentence;
// what was read and is written again reads the same.
#include "tb/fuzz/memory_file.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

// Scales, widths that are no multiple of 4, and several instructions along K.
CaseShape shape(bool scaled) {
  CaseShape shape;
  shape.k = scaled ? 4 : 2;
  shape.scales = scaled ? 2 : 0;
  shape.a_bits = shape.b_bits = scaled ? 6 : 16;
  shape.c_bits = shape.d_bits = 32;
  shape.scale_bits = 8;
  shape.chains = true;
  return shape;
}

std::string line_of(const Case& c, const CaseShape& shape) {
  std::string line;
  append_case(line, c, shape);
  return line;
}

void check_case(const Case& c, CaseShape shape) {
  shape.k = static_cast<int>(c.a.size());  // an element of matrices has that of several instructions
  if (shape.scales > 0) shape.scales = static_cast<int>(c.scale_a.size());
  const std::string line = line_of(c, shape);
  Case again;
  demand(read_case(line, shape, again), "What was written as a single dot product is none.");
  demand(line_of(again, shape) == line, "A case changed on its way out and in.");
}

void check_header(const VectorHeader& header) {
  const std::string line = print_header(header);
  demand(print_header(parse_header(line)) == line, "A header changed on its way out and in.");
}

void read_all(const std::string& path, bool scaled) {
  try {
    VectorReader reader(path);
    check_header(reader.header());
    CaseShape wanted = shape(scaled);
    wanted.pad = reader.header().pad;
    for (Case c; reader.next(wanted, c);) check_case(c, wanted);
  } catch (const Error& error) {
    demand(!error.message.empty() && error.message.back() == '.', "An error is no sentence.");
    demand(error.message.find('\n') == std::string::npos, "An error is longer than a line.");
  }
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const assay::MemoryFile file({reinterpret_cast<const char*>(data), size});
  for (const bool scaled : {false, true}) assay::read_all(file.path(), scaled);
  return 0;
}
