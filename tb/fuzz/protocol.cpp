// Both sides of the conversation with a device in its own process, given any bytes: as the words of a device to the
// host, and as the words of a host to the device.
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
      demand(parse_greeting("fuzz", line).window >= 1, "A window holds nothing.");
    } catch (const Error&) {
      // A sentence for the user.
    }
    for (const bool trace : {false, true}) {
      try {
        const DeviceLine said = reader.read(line, trace);
        demand(said.id || said.end, "A line without id or end was taken.");
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
  static const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  assay::hear_device(bytes, reader);
  assay::hear_host(bytes, nowhere);
  return 0;
}
