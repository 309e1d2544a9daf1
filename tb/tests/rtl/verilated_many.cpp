#include "tb/tests/rtl/verilated_many.hpp"

#include <algorithm>

namespace assay {
namespace {

// Compiled without optimisation, what Verilator writes for wide sums takes more stack than a process begins with.
constexpr const char* head = R"(
#include <pthread.h>

#include <cstdio>
#include "Vmany.h"
#include "verilated.h"

static void* run(void* arguments) {
  char** argv = static_cast<char**>(arguments);
  VerilatedContext context;
  Vmany many{&context};
  std::FILE* in = std::fopen(argv[1], "rb");
  std::FILE* out = std::fopen(argv[2], "wb");
)";

constexpr const char* loop = R"(
  while (std::fread(&many.in_i, sizeof many.in_i, 1, in) == 1) {
)";

constexpr const char* tail = R"(
    std::fwrite(&many.out_o, sizeof many.out_o, 1, out);
  }
  std::fclose(in);
  std::fclose(out);
  return nullptr;
}

int main(int, char** argv) {
  pthread_attr_t roomy;
  pthread_attr_init(&roomy);
  pthread_attr_setstacksize(&roomy, std::size_t{1} << 30);
  pthread_t thread;
  return pthread_create(&thread, &roomy, run, argv) != 0 || pthread_join(thread, nullptr) != 0;
}
)";

void put(std::uint32_t* to, int& at, const std::vector<Code>& codes, int width) {
  for (const Code code : codes) {
    for (int done = 0; done < width;) {
      const int within = (at + done) % 32, part = std::min(32 - within, width - done);
      const auto low = static_cast<std::uint32_t>(code >> done & ((Code{1} << part) - 1));
      to[(at + done) / 32] |= low << within;
      done += part;
    }
    at += width;
  }
}

}  // namespace

int case_bits(const Plan& plan) {
  const int scales = plan.scale ? 2 * plan.scales * plan.scale->stored_bits : 0;
  int more = 0;
  for (const CaseOperand& operand : plan.more) more += operand.count * operand.format.stored_bits;
  return plan.k * (plan.a.stored_bits + plan.b.stored_bits) + plan.c.stored_bits + scales + more;
}

void put_case(std::uint32_t* to, int at, const Plan& plan, const Case& one) {
  put(to, at, one.a, plan.a.stored_bits);
  put(to, at, one.b, plan.b.stored_bits);
  put(to, at, {one.c}, plan.c.stored_bits);
  if (plan.scale) {
    put(to, at, one.scale_a, plan.scale->stored_bits);
    put(to, at, one.scale_b, plan.scale->stored_bits);
  }
  for (const CaseOperand& more : plan.more)
    put(to, at, {one.more.begin() + more.first, one.more.begin() + more.end()}, more.format.stored_bits);
}

std::vector<std::string> verilator_command(const std::filesystem::path& folder, Built built) {
  return {"verilator",
          "--cc",
          "--exe",
          "--build",
          "-j",
          "2",
          "-Wall",
          "-Wno-DECLFILENAME",
          "--Mdir",
          (folder / "obj").string(),
          "--top-module",
          "many",
          "-MAKEFLAGS",
          built == Built::soon ? "OPT_FAST=-O0" : "OPT_FAST=-O1",
          "--output-split",
          "20000",
          "main.cpp"};
}

std::string program_of_many(const std::string& first, const std::string& each) {
  return head + first + loop + each + tail;
}

}  // namespace assay
