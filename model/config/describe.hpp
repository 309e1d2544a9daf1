// The text of `describe`: a Plan as a picture, with every width.
#pragma once

#include <string>
#include <vector>

#include "model/config/catalogue.hpp"

namespace assay {

// Shape, operands, spelling and evidence of one instruction.
std::string describe_instruction(const Instruction& instruction);

// The stages of a Plan from operands to d, each with what it does and the bits it is wide.
std::string describe_plan(const Plan& plan);

// The same line by line. What has no stage goes on with the stage before; "|" leads to the next one.
struct DescribedStage {
  int indent = 0;  // 2 within steps and finish, 4 within an adder
  std::string stage, what;
};
std::vector<DescribedStage> described_stages(const Plan& plan);

// What each word of evidence stands for, as one sentence.
std::string evidence_meaning(const std::string& evidence);

}  // namespace assay
