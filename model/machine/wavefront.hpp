// A wavefront, or a warp: lanes with their registers, on which matrix instructions work. It says what it refuses and
// counts how long its matrix unit was busy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/layout/register_files.hpp"
#include "model/machine/wave_unit.hpp"

namespace assay::machine {

enum class Bank { vector, accumulation };

// The first of an operand's registers: v4, a16.
struct RegisterName {
  Bank bank = Bank::vector;
  int first = 0;
};

struct WaveOperation {
  const WaveUnit* unit = nullptr;
  RegisterName d, a, b;
  std::optional<RegisterName> c;  // nothing: zeros
  std::optional<RegisterName> scale_a, scale_b;
  layout::Modifiers modifiers;
};

class Wavefront {
 public:
  explicit Wavefront(const layout::RegisterFiles& files);

  ProductListener listener;  // hears of every product; may be empty

  const layout::RegisterFiles& files() const { return files_; }
  std::uint32_t& at(Bank bank, int number, int lane);
  std::uint32_t at(Bank bank, int number, int lane) const;

  // Empty where it can run; else a sentence, and running it would leave everything as it is.
  std::string problem(const WaveOperation& operation) const;
  // Throws Error with that sentence.
  void execute(const WaveOperation& operation);

  std::uint64_t busy_cycles() const { return busy_cycles_; }
  std::uint64_t operations() const { return operations_; }

 private:
  // An operand of an operation, by the name that messages have for it.
  struct Use {
    std::string_view operand;
    RegisterName name;
    int count = 0;
  };

  static std::vector<Use> uses_of(const WaveOperation& operation);
  int registers_of(Bank bank) const { return bank == Bank::vector ? files_.vector : files_.accumulation; }
  std::string problem_of_range(const Use& use) const;
  LaneRegisters<std::uint32_t> registers(const RegisterName& name);

  layout::RegisterFiles files_;
  std::vector<std::uint32_t> vector_, accumulation_;  // lane after lane
  std::uint64_t busy_cycles_ = 0, operations_ = 0;
};

// "v4" or "a16"; nothing where the text is neither.
std::optional<RegisterName> register_named(std::string_view text);
std::string name_text(const RegisterName& name);

}  // namespace assay::machine
