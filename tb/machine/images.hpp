// What the registers of a wave hold, as files: NumPy's .npz, or lines of JSON.
//
//   .npz    an array of uint32 for each operand, (registers, lanes) or (executions, registers, lanes)
//   lines   {"a": [["3f800000", .. a word a lane], .. a list a register], "b": .., "c": ..}, an execution a line
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tb/generate/generator.hpp"
#include "tb/machine/wave_instruction.hpp"

namespace assay::machine {

// Of one execution: each operand's registers by its name, lane after lane.
using RegisterImages = std::map<std::string, layout::Words>;

// Every operand but d, which may be there too and is not taken. "-" is standard input. Throws Error.
std::vector<RegisterImages> read_images(const std::string& path, const std::vector<WaveOperand>& operands);

// The text of such a file, by the ending of its name.
std::string images_text(const std::string& path, const std::vector<RegisterImages>& images,
                        const std::vector<WaveOperand>& operands);

// Rows and columns of generated cases, those of execution `number` each of their own.
RegisterImages generated_images(const WaveInstruction& instruction, const Generator& generator, std::uint64_t number);

// Fills in d.
void execute(const WaveUnit& unit, const layout::Modifiers& modifiers, RegisterImages& images);

}  // namespace assay::machine
