#include "tb/devices/kinds/vectors_kind.hpp"

#include <fmt/format.h>

#include <ostream>

#include "model/base/streams.hpp"
#include "model/config/digest.hpp"
#include "tb/devices/rtl/fitting.hpp"
#include "tb/devices/vectors_device.hpp"

namespace assay {
namespace {

std::string file_of(const DeviceRequest& request) { return source_name(request.argument); }

// What the file says its results are of. A datapath that is wrong names the file by itself.
Subject recorded_subject(const DeviceRequest& request, const VectorHeader& header) {
  try {
    return subject_of_header(request.catalogue, header, file_of(request));
  } catch (const Error& error) {
    if (!header.datapath.empty()) throw;
    throw Error{file_of(request) + ":1: " + error.message, error.ending};
  }
}

// Two instructions are two operations, unless one datapath computes both. A datapath of one's own has no name that says
// what it stands for: there it is enough that the operands are the same.
void check_operation(const Subject& recorded, const DeviceRequest& request) {
  const Subject& asked = request.subject;
  if (recorded.instruction && asked.instruction) {
    throw Error{fmt::format("{} holds results of {}, but {} is asked for; give a recording of that instruction.",
                            file_of(request), recorded.name, asked.name)};
  }
  const std::string has = operands_text(recorded.plan), wanted = operands_text(asked.plan);
  if (has == wanted) return;
  throw Error{
      fmt::format("{} holds results of {}, which has {}, but {} is asked for, which has {}; give a recording "
                  "of the same operands.",
                  file_of(request), recorded.name, has, asked.name, wanted)};
}

// The operation that was recorded has to be the one that is asked for.
void check_header(const VectorHeader& header, const DeviceRequest& request) {
  const Subject& asked = request.subject;
  const Subject recorded = recorded_subject(request, header);
  const bool same_name = recorded.instruction && asked.instruction && recorded.name == asked.name;
  const bool same = same_name || datapath_sha256(recorded.plan) == datapath_sha256(asked.plan);
  if (!same) check_operation(recorded, request);
  std::string warning = other_datapath(file_of(request), header, asked);
  if (warning.empty() && !same) {
    warning = fmt::format("{}:1: {} has another datapath than {}: results may differ for that alone.", file_of(request),
                          recorded.name, asked.name);
  }
  if (!warning.empty()) request.log << "assay: warning: " << warning << "\n";
}

}  // namespace

std::unique_ptr<Device> open_vectors(const DeviceRequest& request) {
  return vectors_device(request.subject.plan, request.argument,
                        [&](const VectorHeader& header) { check_header(header, request); });
}

}  // namespace assay
