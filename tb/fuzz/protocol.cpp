// Both sides of the conversation with a device in its own process, given any bytes: as the words of a device to the
// host, in lines and in records, and as the words of a host to the device.
#include <fcntl.h>

#include "model/config/catalogue.hpp"
#include "tb/devices/protocol.hpp"
#include "tb/fuzz/memory_file.hpp"

namespace assay {
namespace {

Plan small_plan() {
  return plan_of(read_datapath_text("name: small\nlike: fused_f25\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\n",
                                    "small", shipped_catalogue()));
}

void hear_device(std::string_view bytes, const AnswerReader& reader) {
  LineBuffer lines;
  bytes.copy(lines.room(bytes.size() + 1), bytes.size());
  lines.filled(bytes.size());
  for (std::string_view line; lines.next(line);) {
    try {
      demand(parse_greeting("fuzz", line, true).window >= 1, "A window holds nothing.");
    } catch (const Error&) {
      // A sentence for the user.
    }
    for (const bool trace : {false, true}) {
      try {
        const DeviceLine said = reader.read(line, trace);
        demand(said.id || said.end || said.restart, "A line that says nothing was taken.");
      } catch (const Broken&) {
        // A sentence for the user.
      }
    }
  }
}

// Every place of the plan, as a unit that wires all of them says.
RecordLayout every_place(const Plan& plan) {
  RecordLayout layout{{{"a", plan.k}, {"b", plan.k}, {"c", 1}}, {}};
  for (const Place& place : plan.places) layout.places.emplace_back(place.name, place.width);
  return layout;
}

void hear_records(std::string_view bytes, const RecordReader& reader) {
  LineBuffer buffer;
  bytes.copy(buffer.room(bytes.size() + 1), bytes.size());
  buffer.filled(bytes.size());
  for (RecordView record; next_record(buffer, record);) {
    for (const bool trace : {false, true}) {
      try {
        const DeviceLine said = reader.read(record, trace);
        demand(said.id || said.end || said.restart, "A record that says nothing was taken.");
        demand(!said.answer.trace || trace, "A trace was taken that nobody asked for.");
      } catch (const Broken&) {
        // A sentence for the user.
      }
    }
  }
}

void hear_host(std::string_view bytes, int nowhere) {
  const MemoryFile file(bytes);
  Session session({"fuzz", {"*"}}, file.descriptor(), nowhere);
  Request request;
  while (session.next(request)) {
    demand(!request.a.empty() && !request.b.empty(), "A request without a or b was taken.");
    session.answer(request.id, {request.c, 8, {}, ""});
  }
  session.finish();
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const assay::Plan plan = assay::small_plan();
  static const assay::AnswerReader reader(plan);
  static const assay::RecordReader records("fuzz", assay::every_place(plan), plan, assay::case_shape(plan));
  static const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  assay::hear_device(bytes, reader);
  assay::hear_records(bytes, records);
  assay::hear_host(bytes, nowhere);
  return 0;
}
