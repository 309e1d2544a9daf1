// A kind of device, as a user names it: what stands before the colon of "rtl:DUT.yaml". Everything that is known of all
// devices of a kind is its row in kinds.cpp; how one is opened is a file of the kind's own.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/devices/device.hpp"
#include "tb/subject/subject.hpp"

namespace assay {

// What opening a device takes. The subject outlives the device.
struct DeviceRequest {
  std::string spec;      // as it was written: "rtl:dut.yaml"
  std::string argument;  // of it: "dut.yaml"
  const Subject& subject;
  const Catalogue& catalogue;
  std::ostream& log;        // hears, in whole sentences, what opening finds and what takes long
  std::string wave;         // an FST file for all its signals; empty: none is wanted
  int processes = 1;        // that answer, each its part of the cases
  std::string builds = {};  // a folder that others share, in which what it takes was built; empty: build it
};

// A line of a sheet: "RTL (SHA-256)" and the hash.
using DeviceFact = std::pair<std::string, std::string>;

// What devices of a kind can do beyond computing; nullptr and false: nothing of the sort.
struct DeviceAbilities {
  // All that the device computes by itself, where nobody says what to ask it for. Throws Error.
  std::vector<Subject> (*subjects)(const std::string& spec, const std::string& argument, const Catalogue& catalogue,
                                   std::ostream& log) = nullptr;
  std::vector<DeviceFact> (*facts)(const DeviceRequest& request) = nullptr;
  bool simulates = false;                                                  // heeds DeviceRequest::wave and ::processes
  std::vector<std::string> (*arguments)() = nullptr;                       // that there are, where these are listed
  double (*bare)(const DeviceRequest& request, double seconds) = nullptr;  // evaluations a second of what it simulates
  void (*share)(const DeviceRequest& request) = nullptr;                   // builds into DeviceRequest::builds
};

// What an argument is, for the tab key.
enum class ArgumentIs { nothing, file, listed, text };

struct DeviceKind {
  std::string_view name;      // "rtl"
  std::string_view argument;  // "DUT.yaml"; empty: it takes none
  ArgumentIs argument_is = ArgumentIs::nothing;
  std::string_view about;  // in one line, for the tab key and docs/devices.md
  std::string_view more;   // where docs/devices.md says more of it, in Markdown
  std::unique_ptr<Device> (*open)(const DeviceRequest& request) = nullptr;
  DeviceAbilities can = {};
};

}  // namespace assay
