// A device in a process of its own, spoken to over its stdin and stdout (docs/devices.md; its side is serve.hpp), in
// lines or in records. Whatever goes wrong there - a crash, a hang, a garbled or missing answer - is an error in the
// answers it touches; the rest of the run goes on in a fresh process.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tb/devices/device.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

struct ProcessOptions {
  std::vector<std::string> argv;              // found on PATH, started without a shell
  std::string name;                           // what messages call the device: "systemc", "rtl:mine.yaml"
  std::chrono::milliseconds timeout{60'000};  // longest wait for the next answer, or for the greeting
  int restarts = 3;                           // fresh processes in one run before the rest is given up
  bool records = false;                       // it may speak in records where it offers them (records.hpp)
};

// Starts the process and reads its greeting. `header` says which instruction (or datapath) it is to be; `plan` is that
// one's and must outlive the device. Throws Error where the process cannot be started, greets wrongly or does not
// do this instruction.
std::unique_ptr<Device> process_device(const Plan& plan, const VectorHeader& header, const ProcessOptions& options);

}  // namespace assay
