// Every instruction of lanes, from register contents to register contents, against the manuals' own description.
#include <gtest/gtest.h>

#include <random>

#include "model/base/error.hpp"
#include "model/machine/wavefront.hpp"
#include "tb/machine/images.hpp"
#include "tb/tests/machine/plain_wave.hpp"

namespace assay::machine {
namespace {

using testing::LaneWords;
using testing::PlainOperands;

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

std::unique_ptr<WaveUnit> unit_of(const std::string& name) {
  return std::make_unique<WaveUnit>(wave_instruction(catalogue(), catalogue().instruction(name)));
}

// All that work on registers alone; `start` begins their names.
std::vector<Instruction> instructions_of_lanes(const std::string& start) {
  std::vector<Instruction> all;
  for (const Architecture& a : catalogue().architectures()) {
    for (const Instruction& i : a.instructions) {
      if (i.name.rfind(start, 0) == 0 && !i.operands.mask) all.push_back(i);
    }
  }
  return all;
}

std::vector<layout::Modifiers> all_modifiers(const layout::LegalModifiers& legal) {
  std::vector<layout::Modifiers> all;
  for (int cbsz = 0; cbsz <= legal.most_cbsz; ++cbsz) {
    for (int abid = 0; abid < 1 << cbsz; ++abid) {
      for (int blgp = 0; blgp < (legal.blgp == layout::BlgpUse::none ? 1 : 8); ++blgp)
        all.push_back({cbsz, abid, blgp});
    }
  }
  return all;
}

using Random = std::mt19937_64;

// Random bits, of which most are ordinary numbers of no format in particular.
layout::Words random_words(Random& random, std::size_t count) {
  layout::Words words(count);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

LaneWords by_lane(const layout::Words& words, int lanes) {
  const std::size_t each = words.size() / static_cast<std::size_t>(lanes);
  LaneWords result;
  for (std::size_t at = 0; at < words.size(); at += each)
    result.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(at),
                        words.begin() + static_cast<std::ptrdiff_t>(at + each));
  return result;
}

RegisterImages random_images(const WaveInstruction& w, Random& random) {
  RegisterImages images;
  for (const WaveOperand& operand : operands_of(w.fragments))
    images[operand.name] = random_words(random, static_cast<std::size_t>(operand.words * operand.lanes));
  return images;
}

PlainOperands plain(const WaveInstruction& w, const RegisterImages& images) {
  const int lanes = w.fragments.a.lanes;
  const auto of = [&](const char* name) {
    const auto found = images.find(name);
    return found == images.end() ? LaneWords{} : by_lane(found->second, lanes);
  };
  return {of("a"), of("b"), of("c"), of("scale_a"), of("scale_b")};
}

void expect_as_described(const WaveUnit& unit, const layout::Modifiers& m, Random& random) {
  const WaveInstruction& w = unit.instruction();
  RegisterImages images = random_images(w, random);
  const PlainOperands before = plain(w, images);
  execute(unit, m, images);
  const LaneWords zeros = by_lane(layout::Words(word_count(w.fragments.d)), w.fragments.d.lanes);
  ASSERT_EQ(by_lane(images.at("d"), w.fragments.d.lanes), plain_execute(w, m, before, zeros))
      << w.name << " cbsz " << m.cbsz << " abid " << m.abid << " blgp " << m.blgp;
}

TEST(Wave, EveryMfmaWithEveryModifierIsWhatTheManualsDescribe) {
  Random random(1);
  std::size_t instructions = 0, forms = 0;
  for (const Instruction& i : instructions_of_lanes("v_mfma_")) {
    const auto unit = unit_of(i.full_name());
    for (const layout::Modifiers& m : all_modifiers(i.modifiers)) {
      expect_as_described(*unit, m, random);
      ++forms;
    }
    ++instructions;
  }
  EXPECT_EQ(instructions, 79U);
  EXPECT_GT(forms, 2000U);
}

TEST(Wave, EveryWarpInstructionIsWhatTheManualDescribes) {
  Random random(2);
  std::size_t instructions = 0;
  for (const Instruction& i : instructions_of_lanes("mma.m")) {
    expect_as_described(*unit_of(i.full_name()), {}, random);
    ++instructions;
  }
  EXPECT_GT(instructions, 150U);
}

TEST(Wave, TheCatalogueTakesTheArticlesRates) {
  // "Flops/cycle/CU": four matrix units in each compute unit, a multiply-add two operations.
  for (const Instruction& i : instructions_of_lanes("v_mfma_")) {
    ASSERT_TRUE(i.timing) << i.full_name();
    EXPECT_EQ(i.timing->cycles * i.timing->flops, 4 * 2 * i.m * std::stoi(i.n) * i.k * i.blocks) << i.full_name();
  }
}

// Lines of the article's table of CDNA2, as printed: formats, M, N, K, blocks, cycles, flops.
TEST(Wave, TheCatalogueHasTheArticlesTable) {
  struct Row {
    const char* name;
    int m, n, k, blocks, cycles, flops;
  };
  const Row rows[] = {
      {"v_mfma_f32_32x32x2f32", 32, 32, 2, 1, 64, 256},      {"v_mfma_f32_32x32x1f32", 32, 32, 1, 2, 64, 256},
      {"v_mfma_f32_16x16x4f32", 16, 16, 4, 1, 32, 256},      {"v_mfma_f32_16x16x1f32", 16, 16, 1, 4, 32, 256},
      {"v_mfma_f32_4x4x1f32", 4, 4, 1, 16, 8, 256},          {"v_mfma_f32_32x32x8f16", 32, 32, 8, 1, 64, 1024},
      {"v_mfma_f32_32x32x4f16", 32, 32, 4, 2, 64, 1024},     {"v_mfma_f32_16x16x16f16", 16, 16, 16, 1, 32, 1024},
      {"v_mfma_f32_16x16x4f16", 16, 16, 4, 4, 32, 1024},     {"v_mfma_f32_4x4x4f16", 4, 4, 4, 16, 8, 1024},
      {"v_mfma_i32_32x32x8i8", 32, 32, 8, 1, 64, 1024},      {"v_mfma_i32_32x32x4i8", 32, 32, 4, 2, 64, 1024},
      {"v_mfma_i32_16x16x16i8", 16, 16, 16, 1, 32, 1024},    {"v_mfma_i32_16x16x4i8", 16, 16, 4, 4, 32, 1024},
      {"v_mfma_i32_4x4x4i8", 4, 4, 4, 16, 8, 1024},          {"v_mfma_f32_32x32x8bf16_1k", 32, 32, 8, 1, 64, 1024},
      {"v_mfma_f32_32x32x4bf16_1k", 32, 32, 4, 2, 64, 1024}, {"v_mfma_f32_16x16x16bf16_1k", 16, 16, 16, 1, 32, 1024},
      {"v_mfma_f32_16x16x4bf16_1k", 16, 16, 4, 4, 32, 1024}, {"v_mfma_f32_4x4x4bf16_1k", 4, 4, 4, 16, 8, 1024},
      {"v_mfma_f32_32x32x4bf16", 32, 32, 4, 1, 64, 512},     {"v_mfma_f32_32x32x2bf16", 32, 32, 2, 2, 64, 512},
      {"v_mfma_f32_16x16x8bf16", 16, 16, 8, 1, 32, 512},     {"v_mfma_f32_16x16x2bf16", 16, 16, 2, 4, 32, 512},
      {"v_mfma_f32_4x4x2bf16", 4, 4, 2, 16, 8, 512},         {"v_mfma_f64_16x16x4f64", 16, 16, 4, 1, 32, 256},
      {"v_mfma_f64_4x4x4f64", 4, 4, 4, 4, 16, 128}};
  EXPECT_EQ(std::size(rows), catalogue().architecture("MI250X").instructions.size());
  for (const Row& row : rows) {
    const Instruction i = catalogue().instruction("MI250X", row.name);
    EXPECT_EQ(std::make_tuple(i.m, std::stoi(i.n), i.k, i.blocks, i.timing->cycles, i.timing->flops),
              std::make_tuple(row.m, row.n, row.k, row.blocks, row.cycles, row.flops))
        << row.name;
  }
}

// --- a wavefront ---

// Registers of both banks beside an interpreter that has nothing else in common with the wavefront.
struct Both {
  Wavefront wave;
  LaneWords vector, accumulation;

  Both(const layout::RegisterFiles& files, Random& random) : wave(files) {
    const auto fill = [&](Bank bank, int count, LaneWords& plain) {
      plain.assign(static_cast<std::size_t>(files.lanes), std::vector<std::uint32_t>(static_cast<std::size_t>(count)));
      for (int lane = 0; lane < files.lanes; ++lane) {
        for (int r = 0; r < count; ++r)
          wave.at(bank, r, lane) = plain[static_cast<std::size_t>(lane)][static_cast<std::size_t>(r)] =
              static_cast<std::uint32_t>(random());
      }
    };
    fill(Bank::vector, files.vector, vector);
    fill(Bank::accumulation, files.accumulation, accumulation);
  }

  LaneWords& plain(const RegisterName& name) { return name.bank == Bank::vector ? vector : accumulation; }

  LaneWords cut(const RegisterName& name, const layout::Fragment& f) {
    LaneWords part;
    for (const auto& lane : plain(name))
      part.emplace_back(lane.begin() + name.first, lane.begin() + name.first + f.words());
    return part;
  }

  void execute(const WaveOperation& o) {
    wave.execute(o);
    const WaveInstruction& w = o.unit->instruction();
    const layout::Fragments& f = w.fragments;
    PlainOperands x{cut(o.a, f.a), cut(o.b, f.b), {}, {}, {}};
    x.c = o.c ? cut(*o.c, f.c) : LaneWords(64, std::vector<std::uint32_t>(static_cast<std::size_t>(f.c.words())));
    const LaneWords d = testing::plain_execute(w, o.modifiers, x, cut(o.d, f.d));
    for (std::size_t lane = 0; lane < d.size(); ++lane)
      std::copy(d[lane].begin(), d[lane].end(), plain(o.d)[lane].begin() + o.d.first);
  }

  bool same() {
    for (std::size_t lane = 0; lane < vector.size(); ++lane) {
      for (std::size_t r = 0; r < vector[lane].size(); ++r) {
        if (wave.at(Bank::vector, static_cast<int>(r), static_cast<int>(lane)) != vector[lane][r]) return false;
      }
      for (std::size_t r = 0; r < accumulation[lane].size(); ++r) {
        if (wave.at(Bank::accumulation, static_cast<int>(r), static_cast<int>(lane)) != accumulation[lane][r])
          return false;
      }
    }
    return true;
  }
};

// 10,000 programs of one to three operations. Each begins where the one before it ended; what the wavefront would
// refuse is drawn again.
TEST(Wave, RandomProgramsDoWhatAPlainInterpreterDoes) {
  Random random(3);
  std::size_t programs = 0, operations = 0;
  for (const char* architecture : {"cdna1", "cdna2", "cdna3"}) {
    const Architecture& a = catalogue().architecture(architecture);
    std::vector<std::unique_ptr<WaveUnit>> small, all;
    for (const Instruction& i : a.instructions) {
      if (i.name.rfind("v_mfma_", 0) != 0) continue;
      all.push_back(unit_of(i.full_name()));
      if (i.m == 4) small.push_back(unit_of(i.full_name()));
    }
    Both both(*a.wave, random);
    const std::size_t wanted = programs + 3400;
    for (; programs < wanted; ++programs) {
      for (std::size_t left = 1 + random() % 3; left > 0; --left) {
        WaveOperation o;
        for (bool refused = true; refused;) {
          const auto& units = random() % 16 == 0 ? all : small;
          o.unit = units[random() % units.size()].get();
          const auto any = [&] {
            return RegisterName{random() % 2 == 0 ? Bank::vector : Bank::accumulation,
                                static_cast<int>(random() % 256)};
          };
          o.d = any();
          o.a = any();
          o.b = any();
          o.c = random() % 4 == 0 ? std::optional<RegisterName>{} : random() % 2 == 0 ? o.d : any();
          const auto forms = all_modifiers(o.unit->instruction().modifiers);
          o.modifiers = forms[random() % forms.size()];
          refused = !both.wave.problem(o).empty();
        }
        both.execute(o);
        ++operations;
      }
      if (programs % 50 == 0) {
        ASSERT_TRUE(both.same()) << architecture << ", program " << programs;
      }
    }
    ASSERT_TRUE(both.same()) << architecture;
    EXPECT_GT(both.wave.busy_cycles(), 8 * both.wave.operations() - 1);
  }
  EXPECT_EQ(programs, 10200U);
  EXPECT_GT(operations, 15000U);
}

TEST(Wave, CountsWhatTheUnitWasBusy) {
  Wavefront wave(*catalogue().architecture("cdna2").wave);
  const auto f32 = unit_of("cdna2:v_mfma_f32_16x16x4f32"), f64 = unit_of("cdna2:v_mfma_f64_4x4x4f64");
  WaveOperation o{f32.get(), {Bank::accumulation, 0}, {Bank::vector, 0}, {Bank::vector, 1}, {}, {}, {}, {}};
  wave.execute(o);
  wave.execute(o);
  o.unit = f64.get();
  o.b.first = 2;
  wave.execute(o);
  EXPECT_EQ(wave.busy_cycles(), 32U + 32U + 16U);
  EXPECT_EQ(wave.operations(), 3U);
}

// --- what is refused ---

struct Refused {
  const char* architecture;
  const char* instruction;
  const char* d;
  const char* a;
  const char* b;
  const char* c;
  layout::Modifiers modifiers;
  const char* sentence;
};

TEST(Wave, RefusesInASentenceAndChangesNothing) {
  const Refused cases[] = {{"cdna2",
                            "v_mfma_f32_16x16x1f32",
                            "a0",
                            "v0",
                            "v1",
                            "",
                            {3, 0, 0},
                            "cbsz is 3, but cdna2:v_mfma_f32_16x16x1f32 takes 0 to 2."},
                           {"cdna2",
                            "v_mfma_f32_16x16x1f32",
                            "a0",
                            "v0",
                            "v1",
                            "",
                            {1, 2, 0},
                            "abid is 2, but cdna2:v_mfma_f32_16x16x1f32 takes 0 to 1 where cbsz is 1."},
                           {"cdna2",
                            "v_mfma_f32_16x16x1f32",
                            "a0",
                            "v0",
                            "v1",
                            "",
                            {0, 1, 0},
                            "abid is 1, but cdna2:v_mfma_f32_16x16x1f32 takes 0 alone where cbsz is 0."},
                           {"cdna2",
                            "v_mfma_f32_16x16x4f32",
                            "a0",
                            "v0",
                            "v1",
                            "",
                            {1, 0, 0},
                            "cbsz is 1, but cdna2:v_mfma_f32_16x16x4f32 takes 0 alone."},
                           {"cdna2",
                            "v_mfma_f32_16x16x4f32",
                            "a0",
                            "v0",
                            "v1",
                            "",
                            {0, 0, 8},
                            "blgp is 8, but cdna2:v_mfma_f32_16x16x4f32 takes 0 to 7."},
                           {"cdna2",
                            "v_mfma_f64_4x4x4f64",
                            "a0",
                            "v0",
                            "v2",
                            "",
                            {0, 0, 1},
                            "blgp is 1, but cdna2:v_mfma_f64_4x4x4f64 takes 0 alone."},
                           {"cdna2",
                            "v_mfma_f32_16x16x4f32",
                            "a253",
                            "v0",
                            "v1",
                            "",
                            {},
                            "D takes a[253:256], but there are 256 accumulation registers."},
                           {"cdna2",
                            "v_mfma_f32_16x16x4f32",
                            "a0",
                            "v256",
                            "v1",
                            "",
                            {},
                            "A takes v256, but there are 256 vector registers."},
                           {"cdna2",
                            "v_mfma_f32_16x16x4f32",
                            "a1",
                            "v0",
                            "v1",
                            "",
                            {},
                            "D takes a[1:4], but several registers begin at a multiple of 2 here."},
                           {"cdna2",
                            "v_mfma_f64_4x4x4f64",
                            "a0",
                            "v1",
                            "v2",
                            "",
                            {},
                            "A takes v[1:2], but several registers begin at a multiple of 2 here."},
                           {"cdna2",
                            "v_mfma_f32_16x16x4f32",
                            "v0",
                            "v2",
                            "v8",
                            "",
                            {},
                            "D takes v[0:3], which overlaps A in v2; take other registers."},
                           {"cdna2",
                            "v_mfma_f32_16x16x4f32",
                            "v0",
                            "v8",
                            "v3",
                            "",
                            {},
                            "D takes v[0:3], which overlaps B in v3; take other registers."},
                           {"cdna2",
                            "v_mfma_f32_16x16x4f32",
                            "v0",
                            "v8",
                            "v9",
                            "v2",
                            {},
                            "D takes v[0:3], which overlaps C in v[2:5]; take the same registers for both, or others."},
                           {"cdna1",
                            "v_mfma_f32_16x16x4f32",
                            "v0",
                            "v8",
                            "v9",
                            "",
                            {},
                            "D takes v[0:3], but C and D stand in accumulation registers here."},
                           {"ampere",
                            "mma.m16n8k16.f32.f16.f16.f32",
                            "a0",
                            "v8",
                            "v16",
                            "",
                            {},
                            "D takes a[0:3], but there are 0 accumulation registers."},
                           {"ampere",
                            "v_mfma_f32_16x16x4f32",
                            "v0",
                            "v8",
                            "v9",
                            "",
                            {},
                            "cdna2:v_mfma_f32_16x16x4f32 is of 64 lanes, but there are 32 here."},
                           {"blackwell",
                            "mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0",
                            "v0",
                            "v8",
                            "v16",
                            "",
                            {},
                            "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0 takes scales of A and of B."}};
  for (const Refused& c : cases) {
    const bool other = std::string(c.sentence).find(':') != std::string::npos && c.sentence[0] >= 'a';
    const std::string full =
        other && std::string(c.sentence).find("is of") != std::string::npos ? std::string("cdna2:") + c.instruction
        : std::string(c.architecture) == "blackwell" ? std::string("rtx_blackwell:") + c.instruction
                                                     : std::string(c.architecture) + ":" + c.instruction;
    const auto unit = unit_of(full);
    Wavefront wave(*catalogue().architecture(c.architecture).wave);
    WaveOperation o{unit.get(), *register_named(c.d), *register_named(c.a), *register_named(c.b), {}, {},
                    {},         c.modifiers};
    if (*c.c != 0) o.c = register_named(c.c);
    EXPECT_EQ(wave.problem(o), c.sentence);
    try {
      wave.execute(o);
      ADD_FAILURE() << c.sentence;
    } catch (const Error& error) {
      EXPECT_EQ(error.message, c.sentence);
    }
    EXPECT_EQ(wave.operations(), 0U);
  }
}

TEST(Wave, RegistersHaveTheirNames) {
  EXPECT_EQ(name_text(*register_named("a17")), "a17");
  EXPECT_EQ(name_text(*register_named("v0")), "v0");
  for (const char* text : {"", "v", "s1", "v1x", "v-1", "v1000", "17"}) EXPECT_FALSE(register_named(text)) << text;
}

}  // namespace
}  // namespace assay::machine
