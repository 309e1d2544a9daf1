// A small program of the machine around the unit, read from YAML and carried out by an initiator on a bus: tensor
// memory (of one multiprocessor or of two), and a wavefront.
#pragma once

#include <string>

namespace assay {

// What it did, as text; `wave` names a VCD file, or is empty. Throws Error, with the line of the operation that is
// wrong or was refused: then no file is written.
std::string run_machine_program(const std::string& file, const std::string& wave);

}  // namespace assay
