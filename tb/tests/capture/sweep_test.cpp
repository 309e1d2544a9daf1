// Sweeps on a device that stands for a GPU: the kernels of a sweep run on the host, and the instruction is FakeUnit,
// which takes registers apart by the manuals' formulas.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "tb/tests/capture/sweep_unit_small.hpp"
// after the unit
#include "scripts/capture/sweep.hpp"
#include "scripts/capture/sweep_unit.hpp"
#include "tb/tests/capture/fake_unit.hpp"

namespace assay::capture {
namespace {

#ifdef SPARSE
constexpr const char* instruction = "mma.sp.m16n8k32.s32.u8.u8.s32";
#else
constexpr const char* instruction = "mma.m16n8k16.s32.u8.u8.s32";
#endif

class FakeAccelerator : public Accelerator {
 public:
  // Which element of d, of those of all launches, comes out wrong; none of them unless set.
  std::uint64_t wrong = ~std::uint64_t{0};
  std::function<void(const SweepPlan&, const Model::A*, const Model::B*, const Model::C*)> look;
  bool silent = false;  // the instruction leaves d as it was

  std::string device() const override { return "fake"; }
  Address allocate(std::size_t bytes) override {
    auto memory = std::make_unique<std::vector<unsigned char>>(bytes, 0xa5);
    const auto address = reinterpret_cast<Address>(memory->data());
    memory_[address] = std::move(memory);
    return address;
  }
  void release(Address address) noexcept override { memory_.erase(address); }
  std::size_t kept() const { return memory_.size(); }
  void clear(Address from, std::size_t bytes) override { std::memset(reinterpret_cast<void*>(from), 0, bytes); }
  void write(Address to, const void* from, std::size_t bytes) override {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  }
  void read(void* to, Address from, std::size_t bytes) override {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  }

  void launch(const std::string& kernel, std::size_t blocks, int threads, void** arguments) override {
    arguments_ = arguments;
    if (kernel.compare(0, 6, "sweep_") != 0) return execute(blocks);
    const std::uint64_t all = blocks * static_cast<std::uint64_t>(threads);
    const auto each = [&](std::uint64_t count, const auto& body) {
      ASSERT_GE(all, count) << kernel;
      for (std::uint64_t i = 0; i < count; ++i) body(i);
    };
    if (kernel == "sweep_make_a") {
      plan_ = value<SweepPlan>(0);
      each(plan_.tiles * of(plan_.m * plan_.k), [&](std::uint64_t i) { make_a(plan_, at<Model::A>(1), i); });
    } else if (kernel == "sweep_make_b") {
      each(plan_.tiles * of(plan_.n * plan_.k), [&](std::uint64_t i) { make_b(plan_, at<Model::B>(1), i); });
    } else if (kernel == "sweep_make_c") {
      each(plan_.tiles * of(plan_.m * plan_.n), [&](std::uint64_t i) { make_c(plan_, at<Model::C>(1), i); });
    } else if (kernel == "sweep_halve") {
      each(plan_.tiles * of(plan_.m), [&](std::uint64_t i) {
        halve(plan_, at<Model::A>(1), at<std::uint8_t>(2), at<Model::A>(3), at<std::uint8_t>(4), i);
      });
    } else if (kernel == "sweep_hold") {
      each(plan_.tiles * of(plan_.m * plan_.n), [&](std::uint64_t i) { hold(i); });
      if (look) look(plan_, at<Model::A>(1), at<Model::B>(2), at<Model::C>(3));
    } else {  // all codes of the small units that stand here are bytes, but c's
      const auto operand = value<SweptOperand>(1);
      each(value<std::uint64_t>(0), [&](std::uint64_t i) {
        if (kernel == "sweep_pack_c") return pack(operand, at<SweptPiece>(2), at<Model::C>(3), at<std::uint32_t>(4), i);
        pack(operand, at<SweptPiece>(2), at<std::uint8_t>(3), at<std::uint32_t>(4), i);
      });
    }
  }

 private:
  static std::uint64_t of(int count) { return static_cast<std::uint64_t>(count); }
  template <class T>
  T value(int i) const {
    return *static_cast<const T*>(arguments_[i]);
  }
  template <class T>
  T* at(int i) const {
    return reinterpret_cast<T*>(value<Address>(i));
  }

  void execute(std::size_t tiles) {
    if (silent) return;
    const Tiling tiling(instruction);
    const layout::Fragments& f = tiling.fragments();
    const auto words = [&](int i, const layout::Fragment& fragment) {
      const std::uint32_t* from = at<std::uint32_t>(i);
      return layout::Words(from, from + tiles * layout::word_count(fragment));
    };
    PackedOperands in;
    in.tiles = tiles;
    in.a = words(0, f.a);
    in.b = words(1, f.b);
    in.c = words(2, f.c);
    if (f.indices) in.indices = words(5, *f.indices);
    const layout::Words d = FakeUnit().execute(tiling, in);
    std::copy(d.begin(), d.end(), at<std::uint32_t>(6));
  }

  void hold(std::uint64_t i) {
    auto d = taken<Model::D>(value<SweptOperand>(5), at<SweptSpot>(6), at<std::uint32_t>(7), i);
    const std::uint64_t per_tile = of(plan_.m) * of(plan_.n);
    if (plan_.first * per_tile + i == wrong) d ^= 1;
    if (model_d<>(plan_, at<Model::A>(1), at<Model::B>(2), at<Model::C>(3), at<std::uint8_t>(4), i) == d) return;
    Differing& differing = *at<Differing>(8);
    if (differing.count < differing_kept) differing.element[differing.count] = i;
    ++differing.count;
  }

  void** arguments_ = nullptr;
  SweepPlan plan_;
  std::map<Address, std::unique_ptr<std::vector<unsigned char>>> memory_;
};

SweepTask task(std::uint64_t cases, Every every = Every::none) {
  SweepTask t;
  t.instruction = instruction;
  t.cases = cases;
  t.every = every;
  t.elements_a_launch = 4096;
  return t;
}

TEST(Sweep, HoldsEveryElementOfEveryTile) {
  FakeAccelerator fake;
  const Swept swept = sweep(fake, task(20000));
  EXPECT_EQ(swept.cases, 5u * 4096);
  EXPECT_EQ(swept.differing, 0u);
  EXPECT_TRUE(swept.lines.empty());
  EXPECT_EQ(fake.kept(), 0u) << "memory of the device is given back";
}

TEST(Sweep, NamesTheOneElementThatDiffers) {
  for (const std::uint64_t wrong : {0, 127, 128, 4095, 4096, 12345}) {
    FakeAccelerator fake;
    fake.wrong = wrong;
    const Swept swept = sweep(fake, task(20000));
    EXPECT_EQ(swept.differing, 1u) << wrong;
    ASSERT_EQ(swept.lines.size(), 1u) << wrong;
  }
}

TEST(Sweep, KeepsDifferencesAsCases) {
  FakeAccelerator fake;
  fake.silent = true;  // d is what the launch before left there: zeros
  const Swept swept = sweep(fake, task(4096));
  EXPECT_GT(swept.differing, 4000u);
  ASSERT_EQ(swept.lines.size(), static_cast<std::size_t>(differing_kept));
  for (const std::string& line : swept.lines) {
    EXPECT_NE(line.find("\"d\":\"00000000\""), line.npos) << line;
    EXPECT_EQ(line.find("\"mask\"") != line.npos, Model::sparse) << line;
  }
}

TEST(Sweep, OperandsOfAnotherSeedAreOthers) {
  std::set<std::vector<std::uint8_t>> seen;
  for (const std::uint64_t seed : {1, 2}) {
    FakeAccelerator fake;
    fake.look = [&](const SweepPlan& plan, const Model::A* a, const Model::B* b, const Model::C* /*c*/) {
      const std::uint64_t tile = static_cast<std::uint64_t>(plan.m * plan.k);
      for (std::uint64_t t = 0; t < plan.tiles; ++t) seen.insert({a + t * tile, a + (t + 1) * tile});
      seen.insert({b, b + plan.n * plan.k});
    };
    SweepTask t = task(8192);
    t.seed = seed;
    sweep(fake, t);
  }
  EXPECT_EQ(seen.size(), 2u * 2 * (32 + 1)) << "no tile is another's";
}

#ifndef SPARSE
TEST(Sweep, MeetsEveryPairOfCodes) {
  FakeAccelerator fake;
  // Two elements of a row and two of a column: of 2^32 those whose second elements are small.
  std::set<std::uint32_t> rows, columns;
  fake.look = [&](const SweepPlan& plan, const Model::A* a, const Model::B* b, const Model::C* c) {
    for (std::uint64_t t = 0; t < plan.tiles; ++t) {
      const int first = static_cast<int>(mixed(plan.first + t) % 16);
      const int second = (first + 1 + static_cast<int>(mixed((plan.first + t) ^ 1) % 15)) % 16;
      ASSERT_NE(first, second);
      for (int m = 0; m < plan.m; ++m) {
        const Model::A* row = a + (t * 16 + static_cast<unsigned>(m)) * 16;
        for (int k = 0; k < 16; ++k) ASSERT_TRUE(k == first || k == second || row[k] == 0);
        rows.insert(row[first] | static_cast<unsigned>(row[second]) << 8);
      }
      for (int n = 0; n < plan.n; ++n) {
        const Model::B* column = b + (t * 8 + static_cast<unsigned>(n)) * 16;
        columns.insert(column[first] | static_cast<unsigned>(column[second]) << 8);
      }
    }
    ASSERT_EQ(c[0], 0u);
  };
  const Swept swept = sweep(fake, task(std::uint64_t{1} << 20, Every::pair));
  EXPECT_EQ(swept.differing, 0u);
  // 2^20 cases are 8,192 tiles: all columns, and the first row's 16 codes.
  EXPECT_EQ(columns.size(), 65536u);
  EXPECT_EQ(rows.size(), 16u);
}
#endif

// What random codes of floats are: each kind of them comes up, and not too many are no numbers.
TEST(Sweep, CodesOfFloatsAreOfEveryKind) {
  SweepPlan plan;
  plan.m = 16;
  plan.n = 8;
  plan.k = 16;
  plan.a = plan.b = {5, 10, 1};
  plan.c = {8, 23, 1};
  int subnormal = 0, zero = 0, infinite = 0, nan = 0, numbers = 0, all = 0, minus = 0, infinite_c = 0;
  for (std::uint64_t tile = 0; tile < 1000; ++tile) {
    for (int row = 0; row < plan.m; ++row) {
      for (int k = 0; k < plan.k; ++k, ++all) {
        const std::uint64_t code = code_a(plan, tile, row, k), field = code >> 10 & 31, mantissa = code & 1023;
        ASSERT_LT(code, 65536u);
        if (field == 31) ++(mantissa == 0 ? infinite : nan);
        if (field == 0) ++(mantissa == 0 ? zero : subnormal);
        if (field != 0 && field != 31) ++numbers;
      }
      for (int column = 0; column < plan.n; ++column) {
        const std::uint64_t wanted = minus_product(plan, code_a(plan, tile, row, 0), code_b(plan, tile, column, 0));
        const std::uint64_t c = code_c(plan, tile, row, column);
        infinite_c += (c & 0x7fffffff) == 0x7f800000 ? 1 : 0;
        minus += wanted != 0 && c == wanted ? 1 : 0;
      }
    }
  }
  EXPECT_GT(numbers, all * 6 / 10);
  EXPECT_GT(subnormal, all / 100);
  EXPECT_GT(zero, all / 50);
  EXPECT_GT(infinite, all / 2000);
  EXPECT_GT(nan, all / 1000);
  EXPECT_LT(infinite + nan, all / 20);
  EXPECT_GT(minus, 1000 * 16 * 8 / 20) << "c that cancels a product";
  EXPECT_GT(infinite_c, 1000 * 16 * 8 / 100);
}

// 3 x 2.5 is 7.5; a product that f32 holds is met exactly.
TEST(Sweep, MinusAProductIsExactWhereItFits) {
  SweepPlan plan;
  plan.a = plan.b = {5, 10, 1};
  plan.c = {8, 23, 1};
  EXPECT_EQ(minus_product(plan, 0x4200, 0x4100), 0xc0f00000u);
  EXPECT_EQ(minus_product(plan, 0xc200, 0x4100), 0x40f00000u);
  EXPECT_EQ(minus_product(plan, 0x0001, 0x4100), 0u) << "a subnormal's is not made";
}

TEST(Sweep, RefusesWhatItHasNoCodesFor) {
  FakeAccelerator fake;
  SweepTask t = task(1);
  t.instruction = "mma.m16n8k32.f32.e2m1.e2m1.f32";
  EXPECT_THROW(
      try { sweep(fake, t); } catch (const Error& error) {
        EXPECT_EQ(error.message, "A sweep makes no codes of the format 'e2m1'.");
        throw;
      },
      Error);
  t.instruction = "mma.m16n8k8.f32.tf32.tf32.f32";
  t.every = Every::pair;
  EXPECT_THROW(
      try { sweep(fake, t); } catch (const Error& error) {
        EXPECT_EQ(error.message, "'mma.m16n8k8.f32.tf32.tf32.f32' has too many codes to sweep all of them.");
        throw;
      },
      Error);
}

}  // namespace
}  // namespace assay::capture
