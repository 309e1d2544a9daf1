#include "sim/platform/machine_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <map>
#include <memory>
#include <optional>

#include "model/base/hex.hpp"
#include "model/base/output_file.hpp"
#include "model/config/yaml.hpp"
#include "model/core/dot.hpp"
#include "model/tlm/machine/tensor_target.hpp"
#include "model/tlm/machine/wave_target.hpp"
#include "sim/platform/machine_wave.hpp"
#include "sim/platform/word_initiator.hpp"
#include "tb/generate/random.hpp"
#include "tb/machine/mma_datapaths.hpp"
#include "tb/machine/wave_instruction.hpp"

namespace assay {
namespace {

using bus::TensorReg;
using bus::WaveReg;
using machine::MatrixDescriptor;
using machine::MmaKind;
using machine::MmaShape;

constexpr int most_operations = 4096;
constexpr int most_offset = 262'128;  // bytes, of a matrix descriptor

template <class List>
std::vector<std::string_view> names(const List& list) {
  return {list.begin(), list.end()};
}

// An operation is a mapping of one key, its name.
std::pair<std::string, YamlValue> operation_of(const YamlValue& item) {
  if (!item.is_mapping() || item.members().size() != 1)
    item.fail("an operation is its name and what it takes: \"- shift: {at: NAME}\".");
  const auto [name, value] = item.members().front();
  return {name, value.called(name)};
}

// Element (row, column) of a product is watched.
struct Watch {
  int member = 0, block = 0, row = 0, column = 0;
};

struct Columns {
  int first = 0, count = 0;
};

// A matrix that the program put into shared memory.
struct PlacedMatrix {
  MatrixDescriptor descriptor;
  machine::MatrixReading reading;
  std::string format;

  std::string text() const {
    const machine::MatrixReading& r = reading;
    return fmt::format("{} x {} {}{} along {}", r.rows, r.k, r.bits < 8 && r.each * r.bits > 120 ? "packed " : "",
                       format, r.major == machine::Major::k ? "k" : "mn");
  }
  // That what `wanted` reads is this matrix or its first rows and elements.
  bool holds(const PlacedMatrix& wanted) const {
    const machine::MatrixReading &r = reading, &w = wanted.reading;
    return format == wanted.format && r.major == w.major && r.each == w.each && r.rows >= w.rows && r.k >= w.k;
  }
};

// A name of one multiprocessor.
using OwnName = std::pair<int, std::string>;

class ProgramRun : public sc_core::sc_module {
 public:
  // `watches`: whether anybody will see what memories held.
  ProgramRun(const sc_core::sc_module_name& name, const YamlValue& top, const Catalogue& catalogue, bool watches)
      : sc_module(name),
        top_(top),
        catalogue_(catalogue),
        operations_(top.at("operations").items()),
        watches_(watches) {
    if (operations_.size() > most_operations)
      top.at("operations").fail(fmt::format("there are at most {} operations.", most_operations));
    if (const auto seed = top.find("seed")) seed_ = static_cast<std::uint64_t>(seed->integer(0, 1'000'000'000));
    make_tensors();
    make_wave();
    SC_HAS_PROCESS(ProgramRun);
    SC_THREAD(run);
  }

  // Starts the simulation.
  std::string text() {
    sc_core::sc_start();
    if (failure_) std::rethrow_exception(failure_);
    return text_ + totals();
  }
  const MachineWave& waves() const { return waves_; }

 private:
  // --- what there is ---

  void make_tensors() {
    const auto banks = top_.find("banks");
    const auto pair = top_.find("pair");
    const int members = pair && pair->boolean() ? 2 : 1, per_quarter = banks ? banks->integer(4, 8) : 8;
    if (per_quarter != 4 && per_quarter != 8) banks->fail("8 banks of 64 columns or 4 of 128 are needed here.");
    for (int i = 0; i < members; ++i) {
      tensors_.push_back(std::make_unique<bus::TensorTarget>(fmt::format("multiprocessor_{}", i).c_str(),
                                                             machine::mma_datapaths(catalogue_), per_quarter));
      to_tensors_.push_back(std::make_unique<WordInitiator>(fmt::format("to_multiprocessor_{}", i).c_str()));
      to_tensors_.back()->socket.bind(tensors_.back()->socket);
      tensors_.back()->listen([this, i](const machine::ProductAtWork& product) { notice(product, i); });
    }
    if (members == 2) tensors_.front()->pair_with(*tensors_.back());
  }

  // With the instructions that the program names.
  void make_wave() {
    const auto wave = top_.find("wave");
    if (!wave) return;
    refuse_keys_of_tensors();
    const Architecture& architecture = catalogue_.architecture(wave->text());
    if (!architecture.wave) wave->fail("the catalogue has no registers of lanes for " + architecture.name + ".");
    std::vector<machine::WaveInstruction> instructions;
    for (const YamlValue& item : operations_) {
      const auto [name, value] = operation_of(item);
      if (name != "execute") continue;
      const YamlValue instruction = value.at("instruction");
      const std::string text = instruction.text();
      if (numbers_.count(text) != 0) continue;
      numbers_[text] = static_cast<std::uint32_t>(instructions.size());
      try {
        instructions.push_back(machine::wave_instruction(catalogue_, catalogue_.instruction(architecture.name, text)));
      } catch (const Error& error) {
        instruction.fail(error.message);
      }
    }
    wave_ = std::make_unique<bus::WaveTarget>("wave", *architecture.wave, std::move(instructions));
    to_wave_ = std::make_unique<WordInitiator>("to_wave");
    to_wave_->socket.bind(wave_->socket);
    wave_->listen([this](const machine::ProductAtWork& product) { notice(product, 0); });
  }

  // A wavefront's program has neither banks nor pairs, unless it works on tensor memory, too.
  void refuse_keys_of_tensors() const {
    const auto is_of_wave = [](const YamlValue& item) {
      const std::string name = operation_of(item).first;
      return name == "fill" || name == "execute" || name == "show";
    };
    if (!std::all_of(operations_.begin(), operations_.end(), is_of_wave)) return;
    for (const char* key : {"pair", "banks"}) {
      if (const auto given = top_.find(key))
        given->fail("this is of tensor memory, but all operations here are of the wavefront; leave it out.");
    }
  }

  // --- the list ---

  struct Operation {
    const char* name;
    std::string (ProgramRun::*work)(const YamlValue&);
  };
  static const std::vector<Operation>& operations() {
    static const std::vector<Operation> all{
        {"alloc", &ProgramRun::alloc},     {"dealloc", &ProgramRun::dealloc}, {"matrix", &ProgramRun::matrix},
        {"cp", &ProgramRun::cp},           {"shift", &ProgramRun::shift},     {"st", &ProgramRun::st},
        {"ld", &ProgramRun::ld},           {"mma", &ProgramRun::mma},         {"fill", &ProgramRun::fill},
        {"execute", &ProgramRun::execute}, {"show", &ProgramRun::show}};
    return all;
  }

  // A process that throws would lose what it threw.
  void run() {
    try {
      for (number_ = 0; number_ < operations_.size(); ++number_) carry_out(operations_[number_]);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void carry_out(const YamlValue& item) {
    const auto [name, value] = operation_of(item);
    std::vector<std::string_view> known;
    for (const Operation& o : operations()) known.emplace_back(o.name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) item.fail(unknown_key(name, known));
    watch_ = {};
    const std::string did = (this->*operations()[static_cast<std::size_t>(found - known.begin())].work)(value);
    if (watch_ && !watched_) value.fail("the product has no element that `watch` names.");
    text_ += fmt::format("{:>6} ns  {:<8}{}\n", now(), name, did);
    // What memories hold now stands there when the operation has ended: after a nanosecond at least.
    sc_core::sc_time taken = sc_core::SC_ZERO_TIME;
    for (const auto& to : to_tensors_) taken = std::max(taken, to->taken());
    if (to_wave_) taken = std::max(taken, to_wave_->taken());
    wait(std::max(taken, sc_core::sc_time(1, sc_core::SC_NS)));
    look();
  }

  static std::uint64_t now() {
    return static_cast<std::uint64_t>(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS));
  }

  void look() {
    if (watches_) show_memories();
    watched_.reset();
  }
  void show_memories() {
    for (std::size_t i = 0; i < tensors_.size(); ++i) waves_.look(scope(i), tensors_[i]->machine(), now());
    if (wave_) waves_.look("", wave_->wave(), now());
    if (watched_) waves_.show(fmt::format("operation[{}].", number_), *watched_, now());
  }
  std::string scope(std::size_t member) const {
    return tensors_.size() == 1 ? "" : fmt::format("multiprocessor[{}].", member);
  }

  // The element that is watched: its dot product once more, with what stands at every place.
  void notice(const machine::ProductAtWork& product, int member) {
    const Gemm& g = product.gemm;
    if (!watch_ || watch_->member != member || watch_->block != product.block) return;
    const int row = watch_->row - product.row, column = watch_->column - product.column;
    if (row < 0 || row >= g.m || column < 0 || column >= g.n) return;
    const Plan& plan = product.plan;
    std::vector<Code> a(static_cast<std::size_t>(g.k)), b(a.size()), scale_a(static_cast<std::size_t>(plan.scales)),
        scale_b(scale_a.size());
    for (int i = 0; i < g.k; ++i) {
      a[static_cast<std::size_t>(i)] = g.a.get(row, i);
      b[static_cast<std::size_t>(i)] = g.b.get(i, column);
    }
    for (int i = 0; i < plan.scales; ++i) {
      scale_a[static_cast<std::size_t>(i)] = g.scale_a.get(row, i);
      scale_b[static_cast<std::size_t>(i)] = g.scale_b.get(i, column);
    }
    watched_plan_ = std::make_unique<Plan>(plan);
    watched_.emplace(*watched_plan_);
    Registers registers;
    dot(*watched_plan_, {a.data(), b.data(), g.c.get(row, column), scale_a.data(), scale_b.data()}, registers,
        &*watched_);
  }

  // --- parts of operations ---

  void needed(bool done, const YamlValue& value, const std::string& why) const {
    if (!done) value.fail(why);
  }
  int member_of(const YamlValue& value) const {
    const auto on = value.find("on");
    return on ? on->integer(0, static_cast<int>(tensors_.size()) - 1) : 0;
  }
  void write(int member, std::uint64_t address, const std::vector<std::uint32_t>& words, const YamlValue& value) {
    needed(to_tensors_[static_cast<std::size_t>(member)]->write(address, words), value,
           tensors_[static_cast<std::size_t>(member)]->why());
  }
  void set(int member, TensorReg reg, std::uint32_t word, const YamlValue& value) {
    write(member, static_cast<std::uint64_t>(reg), {word}, value);
  }
  void command(int member, bus::TensorCommand what, const YamlValue& value) {
    set(member, TensorReg::command, static_cast<std::uint32_t>(what), value);
  }
  bool is_of_pair(const YamlValue& value) const {
    const auto pair = value.find("pair");
    return pair && pair->boolean();
  }
  void set_pair(int member, const YamlValue& value, std::uint32_t other_flags = 0) {
    set(member, TensorReg::flags, other_flags | (is_of_pair(value) ? 4U : 0U), value);
  }

  // What is put there can be told from a column and from a name + columns, and from what has a name.
  std::string new_name(const YamlValue& as, int on, bool is_matrix) const {
    const std::string name = as.text();
    const auto is_of_names = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (!std::all_of(name.begin(), name.end(), is_of_names) ||
        std::isdigit(static_cast<unsigned char>(name.front())) != 0)
      as.fail(fmt::format("'{}' is no name; a name has letters, digits and _, and begins with no digit.", name));
    if (columns_.count({on, name}) != 0)
      as.fail(fmt::format("an alloc before made '{}', and it was not freed; take another name.", name));
    if (!is_matrix && matrices_.count({on, name}) != 0)
      as.fail(fmt::format("a matrix before is called '{}'; take another name.", name));
    return name;
  }

  // NAME, NAME+COLUMNS or a column; its lane is 0 or stands beside it.
  std::uint32_t address_of(const YamlValue& at, int on, int lane = 0) const {
    const std::string text = at.text();
    const std::size_t plus = text.find('+');
    const auto named = columns_.find({on, text.substr(0, plus)});
    if (named == columns_.end()) {
      if (text.find_first_not_of("0123456789") != std::string::npos)
        at.fail(fmt::format("no alloc before made '{}'{}; a name, a name + columns or a column is needed here.", text,
                            or_freed(on)));
      return machine::address_bits({lane, at.integer(0, 65'535)});
    }
    const int more = plus == std::string::npos ? 0 : at.with_text(text.substr(plus + 1)).integer(0, 511);
    return machine::address_bits({lane, named->second.first + more});
  }
  std::string or_freed(int on) const {
    return tensors_.size() == 1 ? ", or it was freed" : fmt::format(" on multiprocessor {}, or it was freed", on);
  }
  const PlacedMatrix& matrix_of(const YamlValue& name, int on) const {
    const auto found = matrices_.find({on, name.text()});
    if (found == matrices_.end())
      name.fail(fmt::format("no matrix before is called '{}'{}.", name.text(),
                            tensors_.size() == 1 ? "" : fmt::format(" on multiprocessor {}", on)));
    return found->second;
  }

  // Codes of so many bits: random ones, or those of a list again and again.
  std::vector<Code> values_of(const YamlValue& operation, std::size_t count, int bits) const {
    const auto given = operation.find("values");
    std::vector<Code> codes(count);
    if (!given || (given->is_scalar() && given->text() == "random")) {
      for (std::size_t i = 0; i < count; ++i)
        codes[i] = Draws(seed_, number_, Part::more, i).bits() & ~Code{0} >> (64 - bits);
      return codes;
    }
    if (!given->is_list()) given->fail("'random' is needed here, or a list of hexadecimal codes.");
    const std::vector<YamlValue> items = given->items();
    if (items.empty()) given->fail("the list has no codes.");
    std::vector<Code> listed;
    for (const YamlValue& item : items) {
      listed.push_back(item.hex());
      if (listed.back() >> (bits - 1) >> 1 != 0) item.fail(fmt::format("a code has {} bits here.", bits));
    }
    for (std::size_t i = 0; i < count; ++i) codes[i] = listed[i % listed.size()];
    return codes;
  }

  std::optional<Watch> watch_of(const YamlValue& value) const {
    const auto watch = value.find("watch");
    if (!watch) return std::nullopt;
    watch->only({"on", "block", "row", "column"});
    Watch w;
    w.member = member_of(*watch);
    if (const auto block = watch->find("block")) w.block = block->integer(0, 63);
    w.row = watch->at("row").integer(0, 127);
    w.column = watch->at("column").integer(0, 255);
    return w;
  }

  static std::string range(const Columns& c) { return fmt::format("columns {} to {}", c.first, c.first + c.count - 1); }

  // --- operations of tensor memory ---

  std::string alloc(const YamlValue& v) {
    v.only({"columns", "as", "on"});
    const int count = v.at("columns").integer(0, 65'535), on = member_of(v);
    const std::string name = new_name(v.at("as"), on, false);
    set(on, TensorReg::columns, static_cast<std::uint32_t>(count), v);
    command(on, bus::TensorCommand::alloc, v);
    std::vector<std::uint32_t> result(1);
    to_tensors_[static_cast<std::size_t>(on)]->read(static_cast<std::uint64_t>(TensorReg::result), result);
    const Columns made{machine::tensor_address(result[0]).column, count};
    columns_[{on, name}] = made;
    return range(made) + " are " + name;
  }

  std::string dealloc(const YamlValue& v) {
    v.only({"name", "on"});
    const int on = member_of(v);
    const auto found = columns_.find({on, v.at("name").text()});
    if (found == columns_.end())
      v.at("name").fail(fmt::format("no alloc before made '{}'{}.", v.at("name").text(), or_freed(on)));
    const Columns freed = found->second;
    set(on, TensorReg::address, static_cast<std::uint32_t>(freed.first), v);
    set(on, TensorReg::columns, static_cast<std::uint32_t>(freed.count), v);
    command(on, bus::TensorCommand::dealloc, v);
    columns_.erase(found);
    return range(freed);
  }

  // Puts a matrix into shared memory: rows along m or n.
  std::string matrix(const YamlValue& v) {
    v.only({"as", "rows", "k", "format", "packed", "start", "width", "leading", "stride", "major", "values", "on"});
    const Format* const format = find_format(v.at("format").text());
    if (format == nullptr || format->stored_bits > 32) v.at("format").fail("no format of up to 32 bits has this name.");
    const int on = member_of(v);
    const std::string name = new_name(v.at("as"), on, true);
    const machine::MatrixReading m = reading_of(v, format->stored_bits);
    const MatrixDescriptor descriptor = descriptor_of(v, m);
    const std::vector<Code> codes = values_of(v, static_cast<std::size_t>(m.rows * m.k), m.bits);
    machine::SharedMemory image = tensors_[static_cast<std::size_t>(on)]->machine().shared;
    std::map<std::uint64_t, std::pair<int, int>> pieces;  // the first element of each
    for (int row = 0; row < m.rows; ++row) {
      for (int k = 0; k < m.k; ++k) {
        const machine::ElementPlace place = m.place(descriptor, row, k);
        if (!image.holds(place.address, 16))
          v.fail(fmt::format("the matrix leads beyond the {} bytes of shared memory.", image.size()));
        if (place.first == 0) {
          const auto [other, is_new] = pieces.try_emplace(place.address, row, k);
          if (!is_new) v.fail(shares_text(descriptor, place.address, other->second, {row, k}));
        }
        image.set_bits(place.address, place.first, m.bits, codes[static_cast<std::size_t>(row * m.k + k)]);
      }
    }
    send_shared(on, image, v);
    matrices_[{on, name}] = {descriptor, m, v.at("format").text()};
    return fmt::format("{} is {} x {} {} at byte {}", name, m.rows, m.k, v.at("format").text(), descriptor.start);
  }

  static std::string shares_text(const MatrixDescriptor& d, std::uint64_t byte, std::pair<int, int> one,
                                 std::pair<int, int> other) {
    return fmt::format(
        "the matrix would lie over itself: elements ({}, {}) and ({}, {}) both take byte {}, with leading {} and "
        "stride {}; where these two are left out they are chosen so that no elements share bytes.",
        one.first, one.second, other.first, other.second, byte, d.leading, d.stride);
  }

  static machine::MatrixReading reading_of(const YamlValue& v, int bits) {
    const auto packed = v.find("packed"), major = v.find("major");
    machine::MatrixReading m;
    m.rows = v.at("rows").integer(1, 256);
    m.k = v.at("k").integer(1, 128);
    m.bits = bits;
    if (packed && packed->boolean() && bits != 4)
      packed->fail(
          fmt::format("only elements of 4 bits are read packed, 32 in 16 bytes; those of this format have {}.", bits));
    m.each = 128 / (packed && packed->boolean() ? m.bits : std::max(m.bits, 8));
    if (major && major->one_of({"k", "mn"}) == 1) m.major = machine::Major::mn;
    return m;
  }

  // Offsets that are not given let the matrix lie close: the one that steps over less leads from 8 rows to the next
  // (`width` bytes each), the other one past as many of these as the matrix has. What is too far for a descriptor is
  // beyond shared memory, too.
  static MatrixDescriptor descriptor_of(const YamlValue& v, const machine::MatrixReading& m) {
    const auto bytes = [&](const char* key, int otherwise) {
      const auto given = v.find(key);
      const int value = given ? given->integer(0, most_offset) : std::min(otherwise, most_offset);
      if (value % 16 != 0) given->fail(fmt::format("a multiple of 16 bytes is needed here, not {}.", value));
      return static_cast<std::uint32_t>(value);
    };
    MatrixDescriptor d;
    if (const auto width = v.find("width")) {
      d.width = width->integer(16, 128);
      if (d.width != 16 && d.width != 32 && d.width != 64 && d.width != 128)
        width->fail("16, 32, 64 or 128 bytes are needed here.");
    }
    d.start = bytes("start", 0);
    const bool mn = m.major == machine::Major::mn;
    const int pieces = ((mn ? m.rows : m.k) + m.each - 1) / m.each, eights = ((mn ? m.k : m.rows) + 7) / 8;
    if (!mn && d.width > 16 && 16 * pieces > d.width)
      v.fail(
          fmt::format("a row along k has {} bytes here, but {} bytes of `width` alone lie side by side; take a "
                      "greater width up to 128, or leave it out.",
                      16 * pieces, d.width));
    if (d.width == 16) {
      d.leading = bytes("leading", 128);
      d.stride = bytes("stride", static_cast<int>(d.leading) * (mn ? eights : pieces));
    } else {
      d.stride = bytes("stride", 8 * d.width);
      d.leading = bytes("leading", mn ? static_cast<int>(d.stride) * eights : 128);
    }
    return d;
  }

  // What differs, word by word.
  void send_shared(int on, const machine::SharedMemory& image, const YamlValue& v) {
    const machine::SharedMemory& there = tensors_[static_cast<std::size_t>(on)]->machine().shared;
    for (std::uint64_t at = 0; at < image.size(); at += 4) {
      const auto word = static_cast<std::uint32_t>(image.bits(at, 0, 32));
      if (word == there.bits(at, 0, 32)) continue;
      write(on, bus::shared_window + at, {word}, v);
    }
  }

  std::string cp(const YamlValue& v) {
    v.only({"shape", "from", "to", "lane", "multicast", "packed", "pair", "on"});
    const int on = member_of(v);
    set_descriptor(on, TensorReg::a_low, matrix_of(v.at("from"), on).descriptor, v);
    const auto shapes = names(bus::copy_shape_names);
    set(on, TensorReg::shape, static_cast<std::uint32_t>(v.at("shape").one_of(shapes)), v);
    const auto multicast = v.find("multicast"), packed = v.find("packed");
    const auto multicasts = names(bus::multicast_names);  // the first one: none
    set(on, TensorReg::multicast,
        multicast ? 1 + static_cast<std::uint32_t>(multicast->one_of({multicasts.begin() + 1, multicasts.end()})) : 0,
        v);
    set(on, TensorReg::packed, packed ? static_cast<std::uint32_t>(packed->integer(0, 32)) : 0, v);
    set(on, TensorReg::address, address_of(v.at("to"), on, lane_of(v)), v);
    set_pair(on, v);
    command(on, bus::TensorCommand::cp, v);
    return fmt::format("{} to {}", v.at("from").text(), v.at("to").text());
  }

  static int lane_of(const YamlValue& v) {
    const auto lane = v.find("lane");
    return lane ? lane->integer(0, 65'535) : 0;
  }

  void set_descriptor(int on, TensorReg low, const MatrixDescriptor& m, const YamlValue& v) {
    const std::uint64_t bits = machine::descriptor_bits(m);
    set(on, low, static_cast<std::uint32_t>(bits), v);
    set(on, static_cast<TensorReg>(static_cast<std::uint32_t>(low) + 4), static_cast<std::uint32_t>(bits >> 32), v);
  }

  std::string shift(const YamlValue& v) {
    v.only({"at", "lane", "pair", "on"});
    const int on = member_of(v);
    set(on, TensorReg::address, address_of(v.at("at"), on, lane_of(v)), v);
    set_pair(on, v);
    command(on, bus::TensorCommand::shift, v);
    return v.at("at").text() + " by a lane";
  }

  // The warp's registers, of ld and st.
  int set_access(const YamlValue& v, const char* address) {
    const int on = member_of(v);
    const auto shapes = names(bus::access_shape_names);
    const auto number = [&](const char* key, int otherwise) {
      const auto given = v.find(key);
      return static_cast<std::uint32_t>(given ? given->integer(0, 65'535) : otherwise);
    };
    const std::uint32_t warp = number("warp", 0);
    set(on, TensorReg::shape, static_cast<std::uint32_t>(v.at("shape").one_of(shapes)), v);
    set(on, TensorReg::repeat, number("repeat", 1), v);
    set(on, TensorReg::warp, warp, v);
    set(on, TensorReg::split, number("split", 0), v);
    set(on, TensorReg::address,
        address_of(v.at(address), on, v.find("lane") ? lane_of(v) : static_cast<int>(warp) * machine::warp_lanes), v);
    return on;
  }

  std::string st(const YamlValue& v) {
    v.only({"shape", "repeat", "warp", "split", "to", "lane", "values", "on"});
    const int on = member_of(v);
    if (v.find("values")) {
      const std::vector<Code> codes = values_of(v, std::size_t{128} * machine::warp_lanes, 32);
      write(on, bus::warp_window, {codes.begin(), codes.end()}, v);
    }
    set_access(v, "to");
    command(on, bus::TensorCommand::st, v);
    return fmt::format("{} to {}", v.at("shape").text(), v.at("to").text());
  }

  std::string ld(const YamlValue& v) {
    v.only({"shape", "repeat", "warp", "split", "from", "lane", "on"});
    const int on = set_access(v, "from");
    command(on, bus::TensorCommand::ld, v);
    return fmt::format("{} from {}", v.at("shape").text(), v.at("from").text());
  }

  std::string mma(const YamlValue& v) {
    v.only({"kind", "formats", "m", "n", "a", "b", "d", "input_d", "scale_input_d", "negate", "transpose", "saturate",
            "disabled", "scales", "collector", "pair", "watch", "on"});
    const int on = member_of(v);
    const std::size_t kind = v.at("kind").one_of(names(bus::mma_kind_names));
    set(on, TensorReg::kind, static_cast<std::uint32_t>(kind), v);
    const auto [instruction, shape] = instruction_of(v, *machine::mma_kind(bus::mma_kind_names[kind]));
    set(on, TensorReg::instruction, instruction, v);
    set_scales(on, v);
    std::uint32_t flags = !v.find("input_d") || v.at("input_d").boolean() ? 1 : 0;
    const YamlValue a = v.at("a");
    if (matrices_.count({on, a.text()}) == 0) {
      flags |= 2;
      set(on, TensorReg::a_address, address_of(a, on), v);
    } else {
      set_matrix(on, a, shape, v, true);
    }
    set_matrix(on, v.at("b"), shape, v, false);
    set(on, TensorReg::address, address_of(v.at("d"), on), v);
    if (const auto scale = v.find("scale_input_d")) flags |= static_cast<std::uint32_t>(scale->integer(0, 15)) << 4;
    if (const auto collector = v.find("collector"))
      flags |= static_cast<std::uint32_t>(collector->one_of({"discard", "fill", "use", "lastuse"})) << 8;
    set_pair(on, v, flags);
    set_disabled(on, v);
    watch_ = watch_of(v);
    command(on, bus::TensorCommand::mma, v);
    return fmt::format("{} x {} into {}", a.text(), v.at("b").text(), v.at("d").text());
  }

  // The product's a or b, which two multiprocessors read by the same descriptor, each in its own memory.
  void set_matrix(int on, const YamlValue& name, const MmaShape& s, const YamlValue& v, bool is_a) {
    const MatrixDescriptor& descriptor = matrix_of(name, on).descriptor;
    const int group = is_of_pair(v) ? 2 : 1;
    PlacedMatrix wanted{descriptor, {(is_a ? s.m : s.n) / group, s.k}, is_a ? s.a : s.b};
    wanted.reading.major = (is_a ? s.a_is_mn_major : s.b_is_mn_major) ? machine::Major::mn : machine::Major::k;
    wanted.reading.bits = find_format(wanted.format)->stored_bits;
    wanted.reading.each = 128 / (s.k == 64 ? 4 : std::max(wanted.reading.bits, 8));
    for (int member = 0; member < static_cast<int>(tensors_.size()); ++member) {
      const auto found = matrices_.find({member, name.text()});
      if (found == matrices_.end() || (group == 1 && member != on)) continue;
      const std::string where = tensors_.size() == 1 ? "" : fmt::format(" on multiprocessor {}", member);
      if (!found->second.holds(wanted))
        name.fail(fmt::format("this product reads {}, but {}{} is {}.", wanted.text(), name.text(), where,
                              found->second.text()));
      if (machine::descriptor_bits(found->second.descriptor) != machine::descriptor_bits(descriptor))
        name.fail(fmt::format("both multiprocessors read by one descriptor, but {}{} lies in another way.", name.text(),
                              where));
    }
    set_descriptor(on, is_a ? TensorReg::a_low : TensorReg::b_low, descriptor, v);
  }

  // Formats of a, b and d; what an instruction descriptor cannot say is refused here, the rest by the machine.
  std::pair<std::uint32_t, MmaShape> instruction_of(const YamlValue& v, MmaKind kind) const {
    MmaShape s;
    const std::vector<std::string> formats = v.at("formats").texts();
    if (formats.size() != 3) v.at("formats").fail("three formats are needed here: of A, of B and of D.");
    s.a = formats[0];
    s.b = formats[1];
    s.d = formats[2];
    s.m = v.at("m").integer(16, 496);
    s.n = v.at("n").integer(8, 504);
    if (s.m % 16 != 0) v.at("m").fail("a multiple of 16 is needed here.");
    if (s.n % 8 != 0) v.at("n").fail("a multiple of 8 is needed here.");
    std::tie(s.negate_a, s.negate_b) = sides_of(v, "negate");
    std::tie(s.a_is_mn_major, s.b_is_mn_major) = sides_of(v, "transpose");
    if (const auto saturate = v.find("saturate")) s.saturate = saturate->boolean();
    int block = 32;
    if (const auto scales = v.find("scales")) {
      s.scale = scales->at("format").one_of({"ue8m0", "ue4m3"}) == 0 ? "ue8m0" : "ue4m3";
      block = s.scale_block = scales->at("block").integer(16, 32);
      if (const auto id = scales->find("id_a")) s.scale_id_a = id->integer(0, 3);
      if (const auto id = scales->find("id_b")) s.scale_id_b = id->integer(0, 3);
    }
    const std::uint32_t bits = machine::instruction_descriptor_bits(kind, s);
    MmaShape read;
    const int group = is_of_pair(v) ? 2 : 1;
    if (const std::string why = machine::read_instruction_descriptor(kind, bits, block, group, read); !why.empty())
      v.fail(why);
    if (read.a != s.a || read.b != s.b || read.d != s.d || read.m != s.m)
      v.at("formats").fail("this kind has no such formats, or not this m: it would multiply " + read.a + " and " +
                           read.b + " to " + read.d + " of " + std::to_string(read.m) + " rows.");
    return {bits, read};
  }

  static std::pair<bool, bool> sides_of(const YamlValue& v, const char* key) {
    std::pair<bool, bool> sides{false, false};
    const auto given = v.find(key);
    if (!given) return sides;
    for (const YamlValue& item : given->items()) (item.one_of({"a", "b"}) == 0 ? sides.first : sides.second) = true;
    return sides;
  }

  void set_scales(int on, const YamlValue& v) {
    const auto scales = v.find("scales");
    if (scales) scales->only({"a", "b", "format", "block", "id_a", "id_b"});
    set(on, TensorReg::scale_a, scales ? address_of(scales->at("a"), on) : bus::no_address, v);
    set(on, TensorReg::scale_b, scales ? address_of(scales->at("b"), on) : bus::no_address, v);
    set(on, TensorReg::scale_block, scales ? static_cast<std::uint32_t>(scales->at("block").integer(16, 32)) : 32, v);
  }

  void set_disabled(int on, const YamlValue& v) {
    std::array<std::uint32_t, 8> words{};
    if (const auto disabled = v.find("disabled")) {
      for (const YamlValue& item : disabled->items()) {
        const int lane = item.integer(0, 255);
        words[static_cast<std::size_t>(lane / 32)] |= 1U << (lane % 32);
      }
    }
    for (std::uint32_t i = 0; i < 8; ++i) {
      const TensorReg first = i < 4 ? TensorReg::disabled : TensorReg::disabled_in_second;
      set(on, static_cast<TensorReg>(static_cast<std::uint32_t>(first) + 4 * (i % 4)), words[i], v);
    }
  }

  // --- operations of the wavefront ---

  bus::WaveTarget& there_is_a_wave(const YamlValue& v) {
    if (!wave_) v.fail("there is no wavefront here: the program has no key 'wave'.");
    return *wave_;
  }

  static machine::RegisterName register_of(const YamlValue& v) {
    const auto name = machine::register_named(v.text());
    if (!name) v.fail("a register is needed here, such as v4 or a16.");
    return *name;
  }
  // That `count` registers from `name` on are there.
  void check_registers(const YamlValue& v, const machine::RegisterName& name, int count) {
    const layout::RegisterFiles& files = there_is_a_wave(v).wave().files();
    const bool is_vector = name.bank == machine::Bank::vector;
    const int there = is_vector ? files.vector : files.accumulation, last = name.first + count - 1;
    if (last >= there)
      v.at("register")
          .fail(fmt::format("there is no register {}; this wave has {} {} registers of a lane.",
                            machine::name_text({name.bank, last}), there, is_vector ? "vector" : "accumulation"));
  }
  static std::uint32_t register_number(const machine::RegisterName& name) {
    return static_cast<std::uint32_t>(name.first) + (name.bank == machine::Bank::accumulation ? 512 : 0);
  }

  std::string fill(const YamlValue& v) {
    v.only({"register", "count", "values"});
    const bus::WaveTarget& target = there_is_a_wave(v);
    const machine::RegisterName name = register_of(v.at("register"));
    const auto given = v.find("count");
    const int count = given ? given->integer(1, 512) : 1, lanes = target.wave().files().lanes;
    check_registers(v, name, count);
    const std::vector<Code> codes = values_of(v, static_cast<std::size_t>(count * lanes), 32);
    for (int i = 0; i < count; ++i) {
      const auto first = codes.begin() + static_cast<std::ptrdiff_t>(i) * lanes;
      needed(to_wave_->write(bus::register_address(name.bank, name.first + i, 0),
                             std::vector<std::uint32_t>(first, first + lanes)),
             v, target.why());
    }
    return fmt::format("{} from {} on", counted(static_cast<std::uint64_t>(count), "register"),
                       v.at("register").text());
  }

  std::string execute(const YamlValue& v) {
    v.only({"instruction", "d", "a", "b", "c", "scale_a", "scale_b", "cbsz", "abid", "blgp", "watch"});
    const bus::WaveTarget& target = there_is_a_wave(v);
    const auto put = [&](WaveReg reg, std::uint32_t word) { needed(to_wave_->set(reg, word), v, target.why()); };
    const auto field = [&](const char* key, int most) {
      const auto given = v.find(key);
      return static_cast<std::uint32_t>(given ? given->integer(0, most) : 0);
    };
    put(WaveReg::instruction, numbers_.at(v.at("instruction").text()));
    put(WaveReg::d, register_number(register_of(v.at("d"))));
    put(WaveReg::a, register_number(register_of(v.at("a"))));
    put(WaveReg::b, register_number(register_of(v.at("b"))));
    for (const auto& [key, reg] :
         {std::pair("c", WaveReg::c), std::pair("scale_a", WaveReg::scale_a), std::pair("scale_b", WaveReg::scale_b)})
      put(reg, v.find(key) ? register_number(register_of(v.at(key))) : bus::no_register);
    put(WaveReg::modifiers, field("cbsz", 15) | field("abid", 255) << 4 | field("blgp", 15) << 12);
    watch_ = watch_of(v);
    put(WaveReg::start, 1);
    return fmt::format("{} into {}", v.at("instruction").text(), v.at("d").text());
  }

  // --- what it shows ---

  std::string show(const YamlValue& v) {
    v.only({"tensor", "register", "count", "lanes", "on"});
    const auto given = v.find("count");
    const int count = given ? given->integer(1, 512) : 1;
    const bool in_tensor = v.find("tensor").has_value();
    if (in_tensor == v.find("register").has_value()) v.fail("either 'tensor' or 'register' is needed here.");
    std::string text = in_tensor ? v.at("tensor").text() : v.at("register").text();
    if (!in_tensor) check_registers(v, register_of(v.at("register")), count);
    const int lanes = in_tensor ? machine::tensor_lanes : wave_->wave().files().lanes;
    for (const YamlValue& item : v.at("lanes").items()) {
      const int lane = item.integer(0, machine::tensor_lanes - 1);
      if (lane >= lanes)
        item.fail(fmt::format("there is no lane {}; this wave has {}, 0 to {}.", lane, lanes, lanes - 1));
      text += fmt::format("\n{:>18} {:>3} ", "lane", lane);
      for (int i = 0; i < count; ++i)
        text += " " + hex_text(in_tensor ? tensor_word(v, lane, i) : wave_word(v, lane, i), 8);
    }
    return text;
  }
  std::uint32_t tensor_word(const YamlValue& v, int lane, int more) const {
    const int column = machine::tensor_address(address_of(v.at("tensor"), member_of(v))).column + more;
    if (column >= machine::tensor_columns) v.fail("there are 512 columns.");
    return tensors_[static_cast<std::size_t>(member_of(v))]->machine().tensor.word(lane, column);
  }
  std::uint32_t wave_word(const YamlValue& v, int lane, int more) {
    const machine::RegisterName name = register_of(v.at("register"));
    std::vector<std::uint32_t> word(1);
    const bus::WaveTarget& target = there_is_a_wave(v);
    needed(to_wave_->read(bus::register_address(name.bank, name.first + more, lane), word), v, target.why());
    return word[0];
  }

  std::string totals() const {
    std::string text;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      const machine::TensorMachine& m = tensors_[i]->machine();
      if (m.counts().operations + m.tensor.cycles() == 0) continue;
      text += fmt::format(
          "\n{}{}, {} of tensor memory; Dwords of shared memory: {} of A, {} saved, {} of B, {} by cp\n",
          tensors_.size() == 1 ? "" : fmt::format("multiprocessor {}: ", i), counted(m.counts().operations, "product"),
          counted(m.tensor.cycles(), "cycle"), grouped(m.counts().a_dwords), grouped(m.counts().a_dwords_saved),
          grouped(m.counts().b_dwords), grouped(m.tensor.dwords_copied()));
    }
    if (wave_)
      text += fmt::format("\n{} of the wavefront, {} of its matrix unit\n",
                          counted(wave_->wave().operations(), "instruction"),
                          counted(wave_->wave().busy_cycles(), "cycle"));
    return text;
  }

  const YamlValue& top_;
  const Catalogue& catalogue_;
  const std::vector<YamlValue> operations_;
  const bool watches_;
  std::uint64_t seed_ = 1;
  std::vector<std::unique_ptr<bus::TensorTarget>> tensors_;
  std::vector<std::unique_ptr<WordInitiator>> to_tensors_;
  std::unique_ptr<bus::WaveTarget> wave_;
  std::unique_ptr<WordInitiator> to_wave_;
  std::map<std::string, std::uint32_t> numbers_;  // of the wavefront's instructions, by what the program calls them
  std::map<OwnName, Columns> columns_;
  std::map<OwnName, PlacedMatrix> matrices_;
  std::size_t number_ = 0;  // of the operation at work
  std::optional<Watch> watch_;
  std::unique_ptr<Plan> watched_plan_;
  std::optional<Trace> watched_;
  MachineWave waves_;
  std::string text_;
  std::exception_ptr failure_;
};

}  // namespace

std::string run_machine_program(const std::string& file, const std::string& wave) {
  const YamlValue top = read_yaml_file(file);
  top.only({"program", "wave", "banks", "pair", "seed", "operations"});
  const Catalogue catalogue = shipped_catalogue();
  ProgramRun run("program", top, catalogue, !wave.empty());
  const std::string text = top.at("program").text() + "\n\n" + run.text();
  if (!wave.empty()) write_whole_file(wave, run.waves().text());
  return text;
}

}  // namespace assay
