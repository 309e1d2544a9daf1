#include "scripts/capture/sweep.hpp"

#include <algorithm>
#include <chrono>

#include "scripts/capture/kernels.hpp"
#include "tb/vectors/print.hpp"

namespace assay::capture {
namespace {

using layout::Coordinates;
using layout::Fragment;

struct NamedLayout {
  const char* name;
  CodeLayout layout;
};
constexpr NamedLayout layouts[] = {
    {"f64", {11, 52, 1}}, {"f32", {8, 23, 1}}, {"tf32", {8, 23, 1}}, {"bf16", {8, 7, 1}},
    {"f16", {5, 10, 1}},  {"e5m2", {5, 2, 1}}, {"e4m3", {4, 3, 0}},  {"i32", {0, 32, 0}},
    {"i8", {0, 8, 0}},    {"u8", {0, 8, 0}},   {"i4", {0, 4, 0}},    {"u4", {0, 4, 0}},
};

CodeLayout layout_of(const std::string& format) {
  for (const NamedLayout& l : layouts) {
    if (l.name == format) return l.layout;
  }
  throw Error{"A sweep makes no codes of the format '" + format + "'."};
}

// Bytes of an element's code where the model's C has it.
std::size_t code_bytes(int bits) {
  std::size_t bytes = 1;
  while (8 * bytes < static_cast<std::size_t>(bits)) bytes *= 2;
  return bytes;
}

// Elements of a, b (k fastest), c and d (columns fastest) by number.
int number_of(const Coordinates& e, const Coordinates& size) {
  return size.k > 1 ? (size.n > 1 ? e.n : e.m) * size.k + e.k : e.m * size.n + e.n;
}

int lane_bit(const Fragment& f, const Coordinates& e) {
  const layout::Location place = place_of(f, e);
  return place.lane * f.words() * 32 + place.bit;
}

// An operand's registers with the pieces of elements that each word holds.
struct Packing {
  SweptOperand operand;
  std::vector<SweptPiece> pieces;
};

Packing packing_of(const Fragment& f) {
  Packing p;
  p.operand = {f.elements(), static_cast<int>(layout::word_count(f)), std::max(1, 32 / f.bits)};
  p.pieces.resize(static_cast<std::size_t>(p.operand.words * p.operand.pieces));
  for_each_element(f.size, [&](const Coordinates& e) {
    const int bit = lane_bit(f, e), element = number_of(e, f.size);
    for (int done = 0; done < f.bits; done += 32) {
      const auto word = static_cast<std::size_t>((bit + done) / 32 * p.operand.pieces);
      std::size_t free = word;
      while (p.pieces[free].element >= 0) ++free;
      p.pieces[free] = {element, static_cast<std::int16_t>(done), static_cast<std::int16_t>(bit % 32)};
    }
  });
  return p;
}

std::vector<SweptSpot> spots_of(const Fragment& f) {
  std::vector<SweptSpot> spots(static_cast<std::size_t>(f.elements()));
  for_each_element(f.size, [&](const Coordinates& e) {
    const int bit = lane_bit(f, e);
    spots[static_cast<std::size_t>(number_of(e, f.size))] = {bit / 32, bit % 32};
  });
  return spots;
}

// Device memory that is given back.
class Memory {
 public:
  Memory(Accelerator& accelerator, std::size_t bytes)
      : accelerator_(accelerator), address_(accelerator.allocate(bytes + 16)) {}
  ~Memory() { accelerator_.release(address_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Accelerator::Address address() const { return address_; }

 private:
  Accelerator& accelerator_;
  Accelerator::Address address_;
};

template <class T>
std::unique_ptr<Memory> holding(Accelerator& accelerator, const std::vector<T>& values) {
  auto memory = std::make_unique<Memory>(accelerator, values.size() * sizeof(T));
  accelerator.write(memory->address(), values.data(), values.size() * sizeof(T));
  return memory;
}

class Sweeping {
 public:
  Sweeping(Accelerator& accelerator, const SweepTask& task) : accelerator_(accelerator), tiling_(task.instruction) {
    const layout::NamedShape& s = tiling_.shape();
    if (s.blocks != 1 || !s.scale.empty())
      throw Error{"A sweep takes no instruction of several blocks or with scales, as '" + task.instruction + "' is."};
    if (!fits(s, task.every)) throw Error{"'" + task.instruction + "' has too many codes to sweep all of them."};
    plan_.seed = task.seed;
    plan_.m = s.m;
    plan_.n = s.n;
    plan_.k = s.k;
    plan_.among = s.among;
    plan_.every = task.every;
    plan_.a = layout_of(s.a);
    plan_.b = layout_of(s.b);
    plan_.c = layout_of(s.c);
    plan_.tiles = std::max<std::uint64_t>(1, task.elements_a_launch / elements_of_d(plan_));
    make_room();
  }

  Swept run(const SweepTask& task) {
    Swept swept;
    const auto start = std::chrono::steady_clock::now();
    while (swept.cases < task.cases && (task.seconds == 0 || swept.seconds < task.seconds)) {
      launch();
      const Differing differing = found();
      swept.differing += differing.count;
      for (int i = 0; i < differing_kept && static_cast<unsigned long long>(i) < differing.count; ++i) {
        if (swept.lines.size() < 100) swept.lines.push_back(line_of(differing.element[i]));
      }
      plan_.first += plan_.tiles;
      swept.cases += plan_.tiles * elements_of_d(plan_);
      swept.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return swept;
  }

 private:
  // What the elements of one operand take: codes, registers, and where those lie.
  struct Room {
    Packing packing;
    std::unique_ptr<Memory> codes, pieces, words;
  };

  Room room_of(const Fragment& f, std::uint64_t elements_a_tile) const {
    Room room{packing_of(f), nullptr, nullptr, nullptr};
    room.codes = std::make_unique<Memory>(accelerator_, plan_.tiles * elements_a_tile * code_bytes(f.bits));
    room.pieces = holding(accelerator_, room.packing.pieces);
    room.words = std::make_unique<Memory>(accelerator_, plan_.tiles * layout::word_count(f) * 4);
    return room;
  }

  void make_room() {
    const layout::Fragments& f = tiling_.fragments();
    a_ = room_of(f.a, elements_of_a(plan_));
    b_ = room_of(f.b, elements_of_b(plan_));
    c_ = room_of(f.c, elements_of_d(plan_));
    if (f.indices) {
      indices_ = room_of(*f.indices, elements_of_a(plan_));
      half_ = std::make_unique<Memory>(accelerator_, plan_.tiles * elements_of_a(plan_) * code_bytes(f.a.bits));
      mask_ = std::make_unique<Memory>(accelerator_, plan_.tiles * elements_of_a(plan_));
    }
    spots_ = spots_of(f.d);
    d_spots_ = holding(accelerator_, spots_);
    d_words_ = std::make_unique<Memory>(accelerator_, plan_.tiles * layout::word_count(f.d) * 4);
    differing_ = std::make_unique<Memory>(accelerator_, sizeof(Differing));
  }

  static Accelerator::Address at(const std::unique_ptr<Memory>& memory) { return memory ? memory->address() : 0; }

  template <class... Values>
  void execute(const std::string& kernel, std::uint64_t blocks, int threads, Values... values) const {
    void* arguments[] = {&values...};
    accelerator_.launch(kernel, blocks, threads, arguments);
  }

  // A kernel of the sweep, a thread for each of `count`.
  template <class... Values>
  void each(const std::string& kernel, std::uint64_t count, Values... values) const {
    constexpr int threads = 128;
    execute(kernel, (count + threads - 1) / threads, threads, values...);
  }

  void put(const std::string& kernel, const Room& room, Accelerator::Address codes) const {
    const std::uint64_t count = plan_.tiles * static_cast<std::uint64_t>(room.packing.operand.words);
    each(kernel, count, count, room.packing.operand, at(room.pieces), codes, at(room.words));
  }

  void launch() const {
    each("sweep_make_a", plan_.tiles * elements_of_a(plan_), plan_, at(a_.codes));
    each("sweep_make_b", plan_.tiles * elements_of_b(plan_), plan_, at(b_.codes));
    each("sweep_make_c", plan_.tiles * elements_of_d(plan_), plan_, at(c_.codes));
    if (half_) {
      each("sweep_halve", plan_.tiles * static_cast<std::uint64_t>(plan_.m), plan_, at(a_.codes), at(mask_), at(half_),
           at(indices_.codes));
      put("sweep_pack_indices", indices_, at(indices_.codes));
    }
    put("sweep_pack_a", a_, half_ ? at(half_) : at(a_.codes));
    put("sweep_pack_b", b_, at(b_.codes));
    put("sweep_pack_c", c_, at(c_.codes));
    const Fragment& d = tiling_.fragments().d;
    // What a kernel leaves out shall not be a result of the launch before.
    accelerator_.clear(at(d_words_), plan_.tiles * layout::word_count(d) * 4);
    constexpr Accelerator::Address no_scales = 0;
    execute(kernel_name(tiling_.shape().name), plan_.tiles, d.lanes, at(a_.words), at(b_.words), at(c_.words),
            no_scales, no_scales, at(indices_.words), at(d_words_));
    accelerator_.clear(at(differing_), sizeof(Differing));
    const SweptOperand operand{d.elements(), static_cast<int>(layout::word_count(d)), 0};
    each("sweep_hold", plan_.tiles * elements_of_d(plan_), plan_, at(a_.codes), at(b_.codes), at(c_.codes), at(mask_),
         operand, at(d_spots_), at(d_words_), at(differing_));
  }

  Differing found() const {
    Differing differing;
    accelerator_.read(&differing, at(differing_), sizeof differing);
    return differing;
  }

  // `count` codes from number `first` on.
  std::vector<std::uint64_t> codes_at(Accelerator::Address codes, int bits, std::uint64_t first,
                                      std::size_t count) const {
    const std::size_t bytes = code_bytes(bits);
    std::vector<unsigned char> raw(count * bytes);
    accelerator_.read(raw.data(), codes + first * bytes, raw.size());
    std::vector<std::uint64_t> found(count);
    for (std::size_t i = 0; i < raw.size(); ++i)
      found[i / bytes] |= static_cast<std::uint64_t>(raw[i]) << 8 * (i % bytes);
    return found;
  }

  std::string line_of(std::uint64_t element) const {
    const layout::Fragments& f = tiling_.fragments();
    const auto n = static_cast<std::uint64_t>(plan_.n), k = static_cast<std::uint64_t>(plan_.k);
    const std::uint64_t row = element / n, column = element / elements_of_d(plan_) * n + element % n;
    const auto digits = [](const Fragment& of) { return (of.bits + 3) / 4; };
    std::string line = "{\"a\":";
    append_hex_list(line, codes_at(at(a_.codes), f.a.bits, row * k, k), digits(f.a));
    line += ",\"b\":";
    append_hex_list(line, codes_at(at(b_.codes), f.b.bits, column * k, k), digits(f.b));
    line += ",\"c\":";
    append_hex(line, codes_at(at(c_.codes), f.c.bits, element, 1)[0], digits(f.c));
    if (mask_) {
      line += ",\"mask\":";
      append_hex_list(line, codes_at(at(mask_), 1, row * k, k), 1);
    }
    line += ",\"d\":";
    append_hex(line, d_of(element), digits(f.d));
    return line + "}";
  }

  std::uint64_t d_of(std::uint64_t element) const {
    const Fragment& f = tiling_.fragments().d;
    std::vector<std::uint32_t> words(layout::word_count(f));
    accelerator_.read(words.data(), at(d_words_) + element / elements_of_d(plan_) * words.size() * 4, words.size() * 4);
    const SweptSpot spot = spots_[static_cast<std::size_t>(element % elements_of_d(plan_))];
    return layout::read_bits(&words[static_cast<std::size_t>(spot.word)], spot.bit, f.bits);
  }

  Accelerator& accelerator_;
  Tiling tiling_;
  SweepPlan plan_;
  Room a_, b_, c_, indices_;
  std::vector<SweptSpot> spots_;  // of d
  std::unique_ptr<Memory> half_, mask_, d_spots_, d_words_, differing_;
};

}  // namespace

bool fits(const layout::NamedShape& shape, Every every) {
  const int a = bits_of(layout_of(shape.a)), b = bits_of(layout_of(shape.b));
  if (every != Every::none && shape.among != 0) return false;  // a mask would take some of them out
  if (every == Every::pair) return (a == 16 && b == 16) || (a == 8 && b == 8 && shape.k > 1);
  if (every == Every::one_with_c) return a == 8 && b == 8 && bits_of(layout_of(shape.c)) == 16;
  return true;
}

Swept sweep(Accelerator& accelerator, const SweepTask& task) { return Sweeping(accelerator, task).run(task); }

}  // namespace assay::capture
