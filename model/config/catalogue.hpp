// The catalogue: configs/arch/*.yaml expanded into instructions, found by any of their spellings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/config/datapath_file.hpp"
#include "model/config/operand_layout.hpp"
#include "model/config/variant.hpp"
#include "model/layout/modifiers.hpp"
#include "model/layout/register_files.hpp"

namespace assay {

// How long an instruction keeps its matrix unit busy, and what that makes a compute unit do a cycle: a multiply-add is
// two operations. As the vendor's table has both.
struct InstructionTiming {
  int cycles = 0;
  int flops = 0;
};

struct Instruction {
  std::string architecture;
  std::string name;      // mma.m16n8k16.f32.f16.f16.f32; with N for a free dimension
  std::string spelling;  // canonical_spelling(name)
  std::string sass;      // the machine instruction, where it has a name of its own
  int m = 0;
  std::string n;  // "8", or "8:256:8" (first:last:step)
  int k = 0;
  int blocks = 1;
  Operands operands;
  std::string datapath;
  std::string evidence;
  std::optional<OperandLayouts> layout = {};  // in named registers; nothing of lanes, and where no text says it
  std::string family = {};                    // its name before variables are filled in
  std::vector<WordChange> changes = {};       // of a variant, to its datapath
  layout::LegalModifiers modifiers = {};
  std::optional<InstructionTiming> timing = {};  // nothing where no table says it

  std::string full_name() const { return architecture + ":" + name; }
};

// What a matrix unit multiplies in a cycle, of operands of one kind.
struct CycleShape {
  std::string kind;
  int m = 0, n = 0, k = 0;
};

// Elements that share a block scale.
struct ScaleGroup {
  std::string kind;
  std::string scale;  // its format
  int elements = 0;
};

struct Architecture {
  std::string name;
  std::string about;
  std::vector<std::string> aliases;
  std::vector<Instruction> instructions;
  std::vector<Variant> variants = {};
  std::optional<layout::RegisterFiles> wave = {};  // nothing where no lanes work together
  std::vector<CycleShape> a_cycle = {};            // empty where no table says it, as the next
  std::vector<ScaleGroup> scale_groups = {};
};

// Each file below `folder` is read when it is first asked for, and an Error that says what is wrong in it comes then.
// An architecture that is named as its file is needs no other's file.
class Catalogue {
 public:
  explicit Catalogue(std::string folder);

  const std::string& folder() const { return folder_; }
  const std::vector<Architecture>& architectures() const;  // configs/arch/*.yaml, in the order of their names

  // By name or alias, in any case; a Error that lists the choices otherwise.
  const Architecture& architecture(const std::string& name) const;
  // By our name, the full PTX mnemonic, the SASS name where it is the only one, or either AMD spelling; with variants
  // behind it, each after a dot.
  Instruction instruction(const std::string& architecture, const std::string& name) const;
  // "ARCH:INSTRUCTION", or INSTRUCTION alone where it stands in one architecture only.
  Instruction instruction(const std::string& full_name) const;
  // The same for a word that may also be an architecture: nothing where no instruction has this name.
  std::optional<Instruction> find_instruction(const std::string& word) const;
  // All that a name without its architecture may mean.
  std::vector<Instruction> named(const std::string& name) const;

  DatapathFile datapath(const std::string& name) const;  // configs/datapath/NAME.yaml
  std::vector<std::string> datapath_names() const;
  DatapathFile datapath_of(const Instruction& instruction) const;  // with its operands, k and changes
  Plan plan_of(const Instruction& instruction) const;

 private:
  struct Read;

  const Architecture* in_its_own_file(const std::string& name) const;

  std::string folder_;
  std::shared_ptr<Read> read_;  // copies know what any of them has read
};

// The catalogue in home().
Catalogue shipped_catalogue();

// A file of one's own: it may be `like` any shipped datapath. It must say its operands and k.
DatapathFile read_datapath_file(const std::string& path, const Catalogue& catalogue);
DatapathFile read_datapath_text(const std::string& text, const std::string& name, const Catalogue& catalogue);
Plan plan_of(const DatapathFile& file);

// INSTRUCTION of ARCHITECTURE:INSTRUCTION, or the name as it is.
std::string without_architecture(const std::string& name);

}  // namespace assay
