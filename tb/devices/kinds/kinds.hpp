// The devices that a user can name, and opening one. What a command line, its help, the tab key and docs/devices.md
// say of them all comes from the one table here.
#pragma once

#include <optional>

#include "tb/devices/kinds/kind.hpp"

namespace assay {

// A kind that is named in several ways has a row for each.
const std::vector<DeviceKind>& device_kinds();

// "rtl:DUT.yaml"
std::string form_of(const DeviceKind& kind);

// "model, model:FILE.yaml, .. or vectors:FILE"
std::string device_forms();

// The table of docs/devices.md.
std::string devices_in_markdown();

// Opens a device for `subject`, which must outlive it. `log` hears what opening finds and what takes long. With `wave`
// the device writes all its signals to this FST file; with `processes` so many of it answer. Throws Error.
std::unique_ptr<Device> open_device(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                    std::ostream& log, const std::string& wave = "", int processes = 1);

// What a sheet says of a device that was opened so. Throws as opening does.
std::vector<DeviceFact> device_facts(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                     std::ostream& log, const std::string& wave = "");

// For many machines that see the folder `builds`: one of them builds there what the device takes, and all open it from
// there, with no tools of their own. A device that takes no build is opened as ever. Both throw Error.
void share_device(const std::string& spec, const Subject& subject, const Catalogue& catalogue, std::ostream& log,
                  const std::string& builds);
std::unique_ptr<Device> open_shared_device(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                           std::ostream& log, const std::string& builds);

// What is known of its content, as one hash; empty where none is: of RTL, of a file that the device is named by.
std::string device_sha256(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                          const std::string& builds);

// How often in a second what the device simulates is evaluated in a loop, with nothing around it, measured for so long.
// Throws Error, also where the device simulates nothing.
double bare_rate(const std::string& spec, const Subject& subject, const Catalogue& catalogue, std::ostream& log,
                 double seconds);

// All that the device computes by itself; none where that is whatever it is asked for, or where `spec` names no device.
// Throws Error.
std::vector<Subject> subjects_of_device(const std::string& spec, const Catalogue& catalogue, std::ostream& log);

}  // namespace assay
