// assay doctor: what was found here of all that the commands can use.

#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/command.hpp"
#include "tb/doctor/doctor.hpp"

namespace assay {
namespace {

int show(bool json, const Console& console) {
  const std::vector<FoundPart> parts = look_around();
  if (json) {
    console.out << doctor_json(parts).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    console.out << doctor_text(parts);
  }
  return parts.front().found ? passed : wrong_use;  // without a catalogue nothing runs
}

}  // namespace

void add_doctor(Command app, const Console& console, int& status) {
  auto json = std::make_shared<bool>(false);
  Command command =
      app.add_subcommand("doctor", "What was found on this machine, and what each missing part would give.");
  command.footer("Example:  assay doctor");
  command.add_flag("--json", *json, "The same as JSON");
  command.callback([json, &console, &status] { status = show(*json, console); });
}

}  // namespace assay
