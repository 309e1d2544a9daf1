#include "tb/oracle/device/oracle_device.hpp"

#include <stdexcept>

#include "tb/oracle/oracle.hpp"

namespace assay {
namespace {

class OracleDevice : public Device {
 public:
  OracleDevice(const Plan& plan, exact::Instruction row)
      : quiet_nan_(plan.d.stored(plan.d.quiet_nan())), row_(std::move(row)) {}

  std::string name() const override { return "oracle"; }
  bool offers_trace() const override { return false; }

  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers;
    for (const Case& one : cases) answers.push_back(answer(one));
    return answers;
  }

 private:
  Answer answer(const Case& one) const {
    Answer answer;
    try {
      const exact::OracleResult result = exact::oracle(row_, {one.a, one.b, one.c, one.scale_a, one.scale_b, one.more});
      // Where any NaN is right, the format's quiet one stands for all.
      answer.d = result.is_nan && result.bits == 0 ? quiet_nan_ : result.bits;
    } catch (const std::invalid_argument& e) {
      answer.error = e.what();
    }
    return answer;
  }

  Code quiet_nan_;
  exact::Instruction row_;
};

}  // namespace

std::unique_ptr<Device> oracle_device(const Plan& plan, const std::string& architecture, const std::string& instruction,
                                      const std::string& table) {
  std::vector<exact::Instruction> rows;
  try {
    rows = exact::read_instructions(table);
  } catch (const std::runtime_error& e) {
    throw Error{e.what()};
  }
  const std::optional<exact::Instruction> row = exact::instruction_called(rows, architecture, instruction);
  if (!row) {
    throw Error{"The oracle's table " + table + " has no row for " + architecture + ":" + instruction + ".",
                Ending::not_here};
  }
  return std::make_unique<OracleDevice>(plan, *row);
}

}  // namespace assay
