// docs/examples/kernel: a GEMM in a kernel that embeds the C of a unit. Its host form gives core's bits; the kernel
// compiles wherever nvcc is, and runs where a GPU is, too.
#include <gtest/gtest.h>

#include <set>

#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "model/config/digest.hpp"
#include "tb/source/model_c.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/source/compiled_c.hpp"
#include "tb/tests/source/drawn.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

using testing_vectors::file_bytes;
using testing_vectors::put_file;

using Words = std::vector<std::string>;

constexpr int rows = 64, columns = 64, depth = 512;
constexpr const char* ampere = "ampere:mma.m16n8k16.f32.f16.f16.f32";
constexpr const char* hopper = "hopper:mma.m16n8k16.f32.f16.f16.f32";

std::string example() { return source_dir() + "/docs/examples/kernel/gemm.cu"; }

void export_unit(const std::string& instruction, const std::string& name, const std::string& file) {
  const Ran ran = run({"export", "--instruction", instruction, "--to", "c", "--name", name, "-o", file});
  ASSERT_EQ(ran.status, passed) << ran.err;
}

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The example's host form, built in a folder with unit.h.
void build(const Scratch& folder, const std::string& compiler, const Words& more = {}) {
  const Words command{compiler,  "-O1", "-pthread",  "-Wall", "-Wextra", "-Wconversion", "-Wshadow",
                      "-Werror", "-I",  folder / "", "-x",    "c++",     "-o",           folder / "gemm"};
  ASSERT_EQ(run_program(command + more + Words{example()}, folder / "log"), 0) << file_bytes(folder / "log");
}

// As the example draws them.
std::vector<Code> codes_from(std::uint64_t seed, int bytes, int count) {
  std::vector<Code> codes;
  for (int i = 0; i < count; ++i) {
    std::uint64_t x = seed += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    x ^= x >> 31;
    if (x >> 51 != 0) x &= ~(Code{1} << (8 * bytes - 2));
    codes.push_back(x & (~Code{0} >> (64 - 8 * bytes)));
  }
  return codes;
}

// Row after row, low byte first.
std::string product_by_core(const Plan& plan) {
  const std::vector<Code> a = codes_from(1, element_bytes(plan.a.stored_bits), rows * depth),
                          b = codes_from(2, element_bytes(plan.b.stored_bits), columns * depth);
  Registers registers;
  std::string product;
  for (int i = 0; i < rows * columns; ++i) {
    Code d = 0;
    for (int k = 0; k < depth; k += plan.k)
      d = dot(plan, {a.data() + i / columns * depth + k, b.data() + i % columns * depth + k, d}, registers);
    for (int byte = 0; byte < element_bytes(plan.d.stored_bits); ++byte)
      product += static_cast<char>(d >> 8 * byte & 0xff);
  }
  return product;
}

class KernelExampleOf : public testing::TestWithParam<const char*> {};

TEST_P(KernelExampleOf, HasTheUnitsBits) {
  const Scratch folder;
  export_unit(GetParam(), "unit", folder / "unit.h");
  build(folder, "g++");
  ASSERT_EQ(run_program({folder / "gemm", "64", "64", "512", folder / "d"}, folder / "log"), 0)
      << file_bytes(folder / "log");
  EXPECT_TRUE(file_bytes(folder / "d") == product_by_core(instruction_named(GetParam()).plan));
}

INSTANTIATE_TEST_SUITE_P(Units, KernelExampleOf,
                         testing::Values(hopper, ampere, "cdna3:v_mfma_f32_16x16x16_f16",
                                         "hopper:wgmma.m64nNk32.f32.e4m3.e4m3", "volta:mma.m8n8k4.f16.f16.f16.f16"));

TEST(KernelExample, TellsTwoUnitsApart) {
  const Scratch folder;
  export_unit(hopper, "unit", folder / "unit.h");
  export_unit("blackwell:mma.m16n8k16.f32.f16.f16.f32", "second", folder / "second.h");
  build(folder, "clang++", {"-DSECOND_HEADER=\"second.h\""});
  EXPECT_EQ(run_program({folder / "gemm"}, folder / "alike"), 0);
  EXPECT_NE(file_bytes(folder / "alike").find("\nAll are the same.\n"), std::string::npos);

  const std::string right = file_bytes(folder / "second.h"),
                    wrong = replaced(right, "field - 15, field - 25", "field - 15, field - 24");
  ASSERT_NE(right, wrong);
  put_file(folder / "second.h", wrong);
  build(folder, "clang++", {"-DSECOND_HEADER=\"second.h\""});
  EXPECT_EQ(run_program({folder / "gemm"}, folder / "other"), 1);
  EXPECT_NE(file_bytes(folder / "other").find(" elements differ, the first [0,0]: "), std::string::npos);
}

TEST(KernelExample, SaysWhatItTakes) {
  const Scratch folder;
  export_unit(hopper, "unit", folder / "unit.h");
  build(folder, "g++");
  EXPECT_EQ(run_program({folder / "gemm", "8", "8", "24"}, folder / "said"), 2);
  EXPECT_EQ(file_bytes(folder / "said"),
            "gemm: give no sizes, or ROWS COLUMNS DEPTH [FILE], DEPTH a multiple of 16.\n");
}

// The words that --to cpp asks of a type, said to be for GPUs as well.
constexpr const char* bits_of_gpus = R"(
template <int N>
struct Bits {
  unsigned __int128 value;
  __host__ __device__ Bits(unsigned __int128 of = 0) : value(of & ~(unsigned __int128){0} >> (128 - N)) {}
  template <int M>
  __host__ __device__ explicit Bits(const Bits<M>& of) : Bits(of.value) {}
  __host__ __device__ unsigned long long to_uint64() const { return static_cast<unsigned long long>(value); }
  __host__ __device__ bool operator[](int i) const { return (value >> i & 1) != 0; }
#define OPERATOR(sign, type) \
  __host__ __device__ friend type operator sign(const Bits& x, const Bits& y) { return x.value sign y.value; }
  OPERATOR(+, Bits) OPERATOR(-, Bits) OPERATOR(*, Bits) OPERATOR(|, Bits) OPERATOR(^, Bits)
  OPERATOR(==, bool) OPERATOR(<, bool) OPERATOR(>, bool)
  __host__ __device__ Bits operator<<(int by) const { return value << by; }
  __host__ __device__ Bits operator>>(int by) const { return value >> by; }
};
#define ASSAY_BITS(N) Bits<N>
)";

bool has_nvcc() { return said_by({"nvcc", "--version"}).has_value(); }

// With a GPU they are run, and it has to give the host's bits.
TEST(KernelExample, IsAKernelToItsCompiler) {
  if (!has_nvcc()) GTEST_SKIP() << "There is no nvcc on this machine.";
  const Scratch folder;
  export_unit(ampere, "unit", folder / "unit.h");
  export_unit("ada:mma.m16n8k16.f32.f16.f16.f32", "second", folder / "second.h");
  ASSERT_EQ(run_program({"nvcc", "-I", folder / "", "-DSECOND_HEADER=\"second.h\"", "-o", folder / "gemm", example()},
                        folder / "log"),
            0)
      << file_bytes(folder / "log");
  EXPECT_EQ(file_bytes(folder / "log"), "");
  const int status = run_program({folder / "gemm"}, folder / "said");
  const std::string said = file_bytes(folder / "said");
  if (status == 4) {
    EXPECT_NE(said.find("gemm: there is no GPU on this machine.\n"), std::string::npos) << said;
  } else {
    EXPECT_EQ(status, 0) << said;
  }
}

TEST(KernelExample, CompilesWithInstructionsOfTheGpu) {
  if (!has_nvcc()) GTEST_SKIP() << "There is no nvcc on this machine.";
  struct Own {
    const char *instruction, *option;
  };
  for (const Own& own : {Own{hopper, "-DOWN_MMA=\"m16n8k16.row.col.f32.f16.f16.f32\""},
                         Own{"hopper:wgmma.m64nNk32.f16.e4m3.e5m2", "-DOWN_WGMMA=\"m64n8k32.f16.e4m3.e5m2\""}}) {
    const Scratch folder;
    export_unit(own.instruction, "unit", folder / "unit.h");
    EXPECT_EQ(run_program({"nvcc", "-gencode", "arch=compute_90a,code=sm_90a", "-I", folder / "", own.option, "-cubin",
                           "-o", folder / "gemm.cubin", example()},
                          folder / "log"),
              0)
        << file_bytes(folder / "log");
    EXPECT_EQ(file_bytes(folder / "log"), "");
  }
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

TEST(KernelExample, TakesTheFormWithATypeOfTheGpus) {
  if (!has_nvcc()) GTEST_SKIP() << "There is no nvcc on this machine.";
  const Scratch folder;
  put_file(folder / "unit.h", bits_of_gpus + std::string("#include \"unit.hpp\"\n"));
  const Ran ran = run({"export", "--instruction", hopper, "--to", "cpp", "--name", "unit", "-o", folder / "unit.hpp"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  EXPECT_EQ(run_program({"nvcc", "-arch=sm_90", "-I", folder / "", "-cubin", "-o", folder / "gemm.cubin", example()},
                        folder / "log"),
            0)
      << file_bytes(folder / "log");
  EXPECT_EQ(file_bytes(folder / "log"), "");
}

// The catalogue's instructions, one for each datapath.
std::vector<Named> datapaths() {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<Named> all;
  std::set<std::string> seen;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      Named named{i.full_name(), catalogue.plan_of(i)};
      if (!why_no_source(named.plan) && seen.insert(datapath_sha256(named.plan) + std::to_string(named.plan.k)).second)
        all.push_back(std::move(named));
    }
  }
  return all;
}

TEST(KernelOfMany, WholeCatalogueHasTheUnitsBits) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "A quarter of an hour of one core: with ASSAY_FULL=1.";
  int held = 0;
  for (const Named& named : datapaths()) {
    const Plan& plan = named.plan;
    const bool is_chain = plan.c.name == plan.d.name && depth % plan.k == 0;
    if (!is_chain || plan.scale || !plan.more.empty() || plan.datapath.flags) continue;
    const Scratch folder;
    put_file(folder / "unit.h", c_of(plan));
    build(folder, "g++");
    ASSERT_EQ(run_program({folder / "gemm", "64", "64", "512", folder / "d"}, folder / "log"), 0) << named.name;
    EXPECT_TRUE(file_bytes(folder / "d") == product_by_core(plan)) << named.name;
    ++held;
  }
  std::printf("%d datapaths\n", held);
}

// The tables of lists among them, which a GPU has to reach.
TEST(KernelOfMany, WholeCatalogueIsDeviceCode) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Some minutes of one core: with ASSAY_FULL=1.";
  if (!has_nvcc()) GTEST_SKIP() << "There is no nvcc on this machine.";
  const Scratch folder;
  put_file(folder / "kernel.cu",
           "#include \"unit.h\"\n__global__ void kernel(decltype(&unit::dot)* at) { *at = unit::dot; }\n");
  const std::vector<Named> all = datapaths();
  for (const Named& named : all) {
    put_file(folder / "unit.h", c_of(named.plan));
    EXPECT_EQ(run_program({"nvcc", "-arch=sm_90", "-cubin", "-o", folder / "kernel.cubin", folder / "kernel.cu"},
                          folder / "log"),
              0)
        << named.name;
  }
  EXPECT_EQ(file_bytes(folder / "log"), "");
  std::printf("%zu datapaths\n", all.size());
}

}  // namespace
}  // namespace assay
