// docs/examples/kernel: a GEMM in a kernel that embeds the C of a unit. Its host form gives core's bits; the kernel
// compiles wherever nvcc is.
#include <gtest/gtest.h>

#include <sstream>

#include "model/base/run_program.hpp"
#include "model/config/catalogue.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/source/compiled_c.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

using testing_vectors::file_bytes;
using testing_vectors::put_file;

constexpr int rows = 8, columns = 8, depth = 64;

// As the example draws them.
std::vector<Code> codes_from(int first) {
  std::vector<Code> codes;
  for (int i = first; i < first + rows * depth; ++i) {
    std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761U + 12345U;
    x ^= x >> 15;
    codes.push_back((x * 2246822519U) >> 16 & 0xbfff);
  }
  return codes;
}

std::string product_by_core(const Plan& plan) {
  const std::vector<Code> a = codes_from(0), b = codes_from(rows * depth);
  Registers registers;
  std::string text;
  for (int i = 0; i < rows * columns; ++i) {
    Code d = 0;
    for (int k = 0; k < depth; k += plan.k) {
      const Operand operand{a.data() + i / columns * depth + k, b.data() + i % columns * depth + k, d};
      d = dot(plan, operand, registers);
    }
    char code[16];
    std::snprintf(code, sizeof code, "%08x%c", static_cast<unsigned>(d), i % columns == columns - 1 ? '\n' : ' ');
    text += code;
  }
  return text;
}

TEST(KernelExample, HasTheUnitsBits) {
  const Scratch folder;
  const std::string source = source_dir() + "/docs/examples/kernel/gemm.cu";
  const std::string program = folder / "gemm", log = folder / "log";
  ASSERT_EQ(run({"export", "--instruction", wgmma, "--to", "c", "--name", "unit", "-o", folder / "unit.h"}).status,
            passed);
  ASSERT_EQ(run_program({"g++", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-I", folder / "", "-x",
                         "c++", "-o", program, source},
                        log),
            0)
      << file_bytes(log);
  const std::optional<std::string> said = said_by({program});
  ASSERT_TRUE(said);
  const Catalogue catalogue = shipped_catalogue();
  EXPECT_EQ(*said, product_by_core(catalogue.plan_of(catalogue.instruction(wgmma))));
}

TEST(KernelExample, IsAKernelToItsCompiler) {
  if (!said_by({"nvcc", "--version"})) GTEST_SKIP() << "There is no nvcc on this machine.";
  const Scratch folder;
  const std::string source = source_dir() + "/docs/examples/kernel/gemm.cu", log = folder / "log";
  ASSERT_EQ(run({"export", "--instruction", wgmma, "--to", "c", "--name", "unit", "-o", folder / "unit.h"}).status,
            passed);
  EXPECT_EQ(run_program({"nvcc", "-I", folder / "", "-c", "-o", folder / "gemm.o", source}, log), 0) << file_bytes(log);
  EXPECT_EQ(file_bytes(log), "");
}

// Debian's clang writes code for both makers' GPUs without their headers: the kernels say themselves what they are.
TEST(KernelExample, ClangWritesItForGpus) {
  const Scratch folder;
  put_file(folder / "kernel.cu",
           "#define ASSAY_FN static __attribute__((device)) inline\n#include \"unit.h\"\n"
           R"(__attribute__((global)) void one(const uint16_t* a, const uint16_t* b, uint32_t* d) {
  *d = unit::dot(a, b, *d, nullptr);
}
__attribute__((global)) void whole(const uint32_t* a, const uint32_t* b, uint32_t* d) {
  unit::instruction(a, b, d, d);
}
)");
  ASSERT_EQ(
      run({"export", "--instruction", wgmma, "--to", "c", "--name", "unit", "--whole", "-o", folder / "unit.h"}).status,
      passed);
  struct Target {
    std::vector<std::string> options;
    const char* says;
  };
  for (const Target& target :
       {Target{{"-x", "cuda", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version"},
               ".entry"},
        Target{{"-x", "hip", "--offload-arch=gfx90a", "-nogpuinc", "-nogpulib"}, "amdhsa_kernel"}}) {
    std::vector<std::string> command{"clang", "--cuda-device-only", "-O1", "-Wall", "-Wextra", "-Werror", "-S",
                                     "-o",    folder / "kernel.s"};
    command.insert(command.end(), target.options.begin(), target.options.end());
    command.push_back(folder / "kernel.cu");
    ASSERT_EQ(run_program(command, folder / "log"), 0) << file_bytes(folder / "log");
    EXPECT_NE(file_bytes(folder / "kernel.s").find(target.says), std::string::npos) << target.says;
  }
}

}  // namespace
}  // namespace assay
