// Somebody else's recording of any bytes, as comma-separated values and as a listing: it is read to its end or refused
// with a sentence, and what was read makes a vector file's lines.
#include "tb/fuzz/memory_file.hpp"
#include "tb/import/recording.hpp"
#include "tb/vectors/bytes.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay {
namespace {

// As much of a plan as an import looks at: two terms of f16 on an f32; or four of e3m2 with two scales a side; or two
// of f16 with two scales of one side and a random word.
enum class Takes { terms, scales, more };

Plan plan(Takes takes) {
  const bool scaled = takes == Takes::scales;
  Plan plan;
  plan.k = scaled ? 4 : 2;
  plan.a = plan.b = *find_format(scaled ? "e3m2" : "f16");
  plan.c = plan.d = *find_format("f32");
  if (scaled) {
    plan.scale = *find_format("ue8m0");
    plan.scales = plan.scale_block = 2;
  }
  if (takes == Takes::more) {
    plan.more.push_back({"s", CaseOperandKind::scale, Side::a, plan.a, {}, 1, 2, 0});
    plan.more.push_back({"random", CaseOperandKind::random, Side::a, random_format(5), {}, 0, 1, 2});
  }
  return plan;
}

void check_case(const Case& c, const CaseShape& shape) {
  std::string line, again_line;
  append_case(line, c, shape);
  Case again;
  demand(read_case(line, shape, again), "What was imported as a dot product is none.");
  append_case(again_line, again, shape);
  demand(again_line == line, "A case changed on its way out and in.");
}

template <class Read>
void refuse_or(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    demand(!error.message.empty() && error.message.back() == '.', "An error is no sentence.");
    demand(error.message.find('\n') == std::string::npos, "An error is longer than a line.");
  }
}

void read_all(const RecordingFormat& format, const std::string& path, Takes takes) {
  const Plan wanted = plan(takes);
  refuse_or([&] {
    const Recording recording = format.open(path, wanted, {takes == Takes::scales, false});
    for (Case c; recording.next(c);) check_case(c, case_shape(wanted));
  });
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const assay::MemoryFile file({reinterpret_cast<const char*>(data), size});
  assay::refuse_or([&] { assay::recognised_format(file.path()); });
  for (const assay::Takes takes : {assay::Takes::terms, assay::Takes::scales, assay::Takes::more}) {
    for (const assay::RecordingFormat* format : {&assay::csv_format, &assay::listing_format})
      assay::read_all(*format, file.path(), takes);
  }
  return 0;
}
