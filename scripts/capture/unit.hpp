// What executes packed operands: a GPU, or in tests something that stands for one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scripts/capture/targets.hpp"
#include "scripts/capture/tiles.hpp"

namespace assay::capture {

class Unit {
 public:
  virtual ~Unit() = default;
  virtual std::string device() const = 0;  // "NVIDIA H100"
  virtual std::string driver() const = 0;
  virtual std::string toolkit() const = 0;  // that compiled the kernels; empty: not known
  // The machine instruction that the kernel of an instruction executes; empty where nobody could read it.
  virtual std::string machine(const std::string& instruction) const = 0;
  // The registers of d. Throws Error.
  virtual layout::Words execute(const Tiling& tiling, const PackedOperands& operands) = 0;
};

// The same below: memory of a device, and kernels by name. Throws Error.
class Accelerator {
 public:
  using Address = unsigned long long;
  virtual ~Accelerator() = default;
  virtual std::string device() const = 0;
  virtual Address allocate(std::size_t bytes) = 0;
  virtual void release(Address address) noexcept = 0;
  virtual void clear(Address from, std::size_t bytes) = 0;
  virtual void write(Address to, const void* from, std::size_t bytes) = 0;
  virtual void read(void* to, Address from, std::size_t bytes) = 0;
  // Waits until all is done. `arguments` points to each of the kernel's.
  virtual void launch(const std::string& kernel, std::size_t blocks, int threads, void** arguments) = 0;
};

// The GPU of this machine with the target's kernels, as below, and those of the file `more`, whose names begin with
// "sweep_". Throws Error as below.
std::unique_ptr<Accelerator> open_accelerator(const Target& target, const std::string& folder, const std::string& more);

// The GPU of this machine with the kernels FOLDER/TARGET.cubin or .co. Throws Error, a sentence on what is missing,
// where there is no driver, no GPU, another GPU than the target's or no kernels for it.
std::unique_ptr<Unit> open_gpu(const Target& target, const std::string& folder);

// The first of the targets that this machine's GPU is, and the GPU. Throws Error, a line on each toolkit, where there
// is none.
struct Here {
  const Target* target = nullptr;
  std::unique_ptr<Unit> unit;
};
Here open_here(const std::vector<Target>& targets, const std::string& folder);

}  // namespace assay::capture
