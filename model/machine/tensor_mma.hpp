// tcgen05.mma on tensor memory and shared memory: what its instruction descriptor says, and D = A x B + D by the
// catalogue's datapaths. One multiprocessor carries it out (cta_group::1), or two together (cta_group::2): then each
// has half of the rows of A and D, and half of the columns of B, in its own memories.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "model/fast/kernel.hpp"
#include "model/machine/product.hpp"
#include "model/machine/tensor_memory.hpp"

namespace assay::machine {

enum class MmaKind { f16, tf32, f8f6f4, mxf8f6f4, mxf4, mxf4nvf4, i8 };

// As the field of the mnemonic has it: "f16", "mxf4nvf4"; nothing where there is no such kind.
std::optional<MmaKind> mma_kind(const std::string& name);

// What an instruction descriptor says.
struct MmaShape {
  int m = 0, n = 0, k = 0;
  std::string a, b, d;  // formats
  std::string scale;    // empty: there are none
  int scale_block = 0;
  bool negate_a = false, negate_b = false;
  bool a_is_mn_major = false, b_is_mn_major = false;
  int scale_id_a = 0, scale_id_b = 0;  // the byte of a column from which scales count
  bool saturate = false;               // of integers: D stays within its format
};

// Empty, and `into` is what it says; or a sentence. `scale_block` is of mxf4nvf4: 16 or 32; of others 32 or 0. `group`:
// how many multiprocessors, 1 or 2.
std::string read_instruction_descriptor(MmaKind kind, std::uint32_t bits, int scale_block, int group, MmaShape& into);
std::uint32_t instruction_descriptor_bits(MmaKind kind, const MmaShape& shape);

// What the buffer of A is used for.
enum class CollectorUse { discard, fill, use, lastuse };

struct MmaOperation {
  MmaKind kind = MmaKind::f16;
  std::uint32_t descriptor = 0;  // of the instruction
  int scale_block = 32;          // of mxf4nvf4; of others 32 or 0
  TensorAddress d;
  std::optional<TensorAddress> a_in_tensor;    // else by descriptor
  std::uint64_t a = 0, b = 0;                  // matrix descriptors
  bool enable_input_d = true;                  // else zeros
  int scale_input_d = 0;                       // D enters times 2^-this
  std::array<std::uint32_t, 8> disabled = {};  // a bit a lane: D is not written there; the last four are of the second
  std::optional<TensorAddress> scale_a, scale_b;
  CollectorUse collector = CollectorUse::discard;
};

// A datapath that multiplies matrices of these formats, and its plan.
struct MmaDatapath {
  Plan plan;
  Kernel kernel;

  explicit MmaDatapath(Plan p) : plan(std::move(p)), kernel(plan) {}
  MmaDatapath(const MmaDatapath&) = delete;
  MmaDatapath& operator=(const MmaDatapath&) = delete;
};

// Who has them: nullptr where no instruction has these formats. They outlive whoever asks.
using MmaDatapaths = std::function<const MmaDatapath*(const MmaShape&)>;

struct MmaCounts {
  std::uint64_t operations = 0;
  std::uint64_t a_dwords = 0, b_dwords = 0;  // read from shared memory
  std::uint64_t a_dwords_saved = 0;          // found in the collector's buffer
};

// Tensor memory and shared memory of one multiprocessor, and the unit between them.
class TensorMachine {
 public:
  explicit TensorMachine(MmaDatapaths units, int banks = 8) : tensor(banks), units_(std::move(units)) {}

  TensorMemory tensor;
  SharedMemory shared;
  ProductListener listener;  // hears of every product; may be empty

  // Throws Error with a sentence, and nothing is written.
  void mma(const MmaOperation& operation);
  // Addresses and descriptors are the same in both; each reads and writes its own memories.
  static void mma_of_pair(TensorMachine& first, TensorMachine& second, const MmaOperation& operation);

  const MmaCounts& counts() const { return counts_; }

 private:
  struct Operands;
  struct Part;
  // What the collector's buffer holds: A as it stood in shared memory then, and how it was read.
  struct KeptA {
    std::uint64_t descriptor = 0;
    MmaShape shape;
    std::vector<Code> codes;
  };
  static void run(const std::vector<TensorMachine*>& group, const MmaOperation& operation);
  Operands operands_of(const MmaOperation& operation, int group, const std::string& whose) const;
  // That its matrices and scales lie in columns that are there, apart from D; `whose` of messages.
  void check_places(const MmaOperation& operation, const Operands& x, const std::string& whose) const;
  std::vector<Code> codes_of_a(const MmaOperation& operation, const Operands& x, const Part& part) const;
  std::vector<Code> codes_in_shared(const std::string& name, std::uint64_t descriptor, const Operands& x,
                                    bool is_a) const;
  std::vector<Code> codes_of_d(const MmaOperation& operation, const Operands& x) const;
  std::vector<Code> scales(const TensorAddress& at, const layout::Fragment& fragment, int id) const;
  // D, row after row; `b` holds the columns of B that all of the group have.
  std::vector<Code> product(const MmaOperation& operation, const Operands& x, const std::vector<Code>& b) const;
  void write(const MmaOperation& operation, const Operands& x, const std::vector<Code>& d, int member);
  static bool finds_a_kept(const MmaOperation& operation);
  void check_collector(const MmaOperation& operation, const MmaShape& shape) const;
  void count(const MmaOperation& operation, const Operands& x);

  MmaDatapaths units_;
  MmaCounts counts_;
  std::optional<KeptA> kept_a_;
};

}  // namespace assay::machine
