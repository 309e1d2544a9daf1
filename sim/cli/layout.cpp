// assay layout: where the elements of an instruction's operands live.
#include "model/layout/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/config/catalogue.hpp"
#include "model/config/free_n.hpp"
#include "model/config/instruction_layout.hpp"
#include "model/config/spelling.hpp"
#include "sim/cli/modifier_options.hpp"
#include "tb/devices/device.hpp"

namespace assay {
namespace {

using layout::Coordinates;
using layout::Fragment;
using layout::Fragments;
using layout::Home;
using layout::NamedShape;

struct Options {
  std::string architecture;
  std::string instruction;
  std::string operand;
  std::optional<int> n;
  ModifierOptions modifiers;
  std::optional<int> lane, reg;  // what does it feed?
  bool json = false;

  bool asks() const { return lane || reg; }
};

struct Named {
  std::string name;
  std::string format;
  Fragment fragment;
  std::string home = {};     // of named registers
  layout::Feeds feeds = {};  // once modifiers are applied
  bool halved = false;       // a sparse A: what there is of each row

  // The bits that an element is read from, or written to.
  layout::Location place_of(const Coordinates& e) const {
    if (name == "a") return feeds.a(fragment, e);
    return name == "b" ? feeds.b(fragment, e) : layout::place_of(fragment, e);
  }
  bool is_negated() const {
    const std::size_t which = std::string_view("abc").find(name);
    return which < 3 && feeds.negates(static_cast<int>(which));
  }
};

std::vector<Named> operands_of(const NamedShape& s, const Fragments& f) {
  std::vector<Named> all{{"a", s.a, f.a}, {"b", s.b, f.b}, {"c", s.c, f.c}, {"d", s.d, f.d}};
  all.front().halved = s.among > 0;
  if (f.scale_a) all.push_back({"scale_a", s.scale, *f.scale_a});
  if (f.scale_b) all.push_back({"scale_b", s.scale, *f.scale_b});
  if (f.indices) all.push_back({"indices", fmt::format("indices of {} bits", f.indices->bits), *f.indices});
  return all;
}

// --- the words of a lane, as text ---

// An element's row and column in its own matrix; of a scale, which block stands for the k it serves.
struct Position {
  int block = 0, row = 0, column = 0;
};

Position position_of(const std::string& operand, const Coordinates& e) {
  if (operand == "a" || operand == "indices") return {e.b, e.m, e.k};
  if (operand == "b") return {e.b, e.k, e.n};
  if (operand == "scale_a") return {e.b, e.m, e.s};
  if (operand == "scale_b") return {e.b, e.s, e.n};
  return {e.b, e.m, e.n};
}

std::string range(int first, int last) {
  return first == last ? std::to_string(first) : fmt::format("{}..{}", first, last);
}

// "0,4..7": elements that follow one another along a row or column; "0,3 1,3" where they do not. With the block before
// it where there are several: "2:0,4..7".
std::string cell(const std::vector<Position>& elements, bool has_blocks) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < elements.size(); first = next) {
    const Position& from = elements[first];
    const auto follows = [&](std::size_t i, int rows, int columns) {
      const int steps = static_cast<int>(i - first);
      const Position& p = elements[i];
      return p.block == from.block && p.row == from.row + steps * rows && p.column == from.column + steps * columns;
    };
    next = first + 1;
    const bool down = next < elements.size() && follows(next, 1, 0);
    while (next < elements.size() && follows(next, down ? 1 : 0, down ? 0 : 1)) ++next;
    const Position& to = elements[next - 1];
    if (!text.empty()) text += ' ';
    if (has_blocks) text += fmt::format("{}:", from.block);
    text += range(from.row, to.row) + "," + range(from.column, to.column);
  }
  return text;
}

// What a row of the picture is: a lane, or 16 bytes of shared memory.
constexpr int shared_row_words = 4;

std::vector<std::vector<std::string>> cells_of(const Named& operand) {
  const Fragment& f = operand.fragment;
  const bool shared = f.home == Home::shared_memory;
  const int rows = shared ? f.words() / shared_row_words : f.lanes;
  const int columns = shared ? 1 : f.words();
  // Row and column of the picture; then bit, which may feed several elements.
  std::map<std::pair<int, int>, std::multimap<int, Position>> found;
  for_each_element(f.size, [&](const Coordinates& e) {
    const layout::Location place = operand.place_of(e);
    const auto at = shared ? std::pair(place.word() / shared_row_words, 0) : std::pair(place.lane, place.word());
    found[at].emplace(place.bit, position_of(operand.name, e));
  });
  std::vector<std::vector<std::string>> cells(static_cast<std::size_t>(rows),
                                              std::vector<std::string>(static_cast<std::size_t>(columns)));
  for (const auto& [at, elements] : found) {
    std::vector<Position> in_order;
    for (const auto& element : elements) in_order.push_back(element.second);
    cells[static_cast<std::size_t>(at.first)][static_cast<std::size_t>(at.second)] = cell(in_order, f.size.b > 1);
  }
  return cells;
}

std::string_view column_name(Home home) {
  switch (home) {
    case Home::registers: return "reg";
    case Home::tensor_memory: return "col";
    case Home::named_registers: return "word";
    case Home::shared_memory: break;
  }
  return "16 bytes";
}

std::string heading(const Named& operand) {
  const Fragment& f = operand.fragment;
  const Coordinates& size = f.size;
  std::string text = operand.name + ": ";
  if (size.b > 1) text += fmt::format("{} blocks of ", size.b);
  const Position sizes = position_of(operand.name, size);
  text += fmt::format("{} x {} {}, ", sizes.row, sizes.column, operand.format);
  if (operand.halved) text += "half of each row, ";
  if (f.home == Home::shared_memory) {
    text += fmt::format("{} bytes of shared memory", 4 * f.words());
    return f.run_bits == 0 ? text : text + fmt::format("; 16 elements of {} bits, then padding, in every 16", f.bits);
  }
  const std::string_view plural = f.words() == 1 ? "" : "s";
  if (f.home == Home::named_registers) {
    text += fmt::format("{} word{} of 32 bits in {}", f.words(), plural,
                        f.lanes == 1 ? "one " + operand.home : fmt::format("each of {} {}s", f.lanes, operand.home));
    return f.bits == 64 ? text + "; an element takes two" : text;
  }
  const std::string where = f.home == Home::registers ? fmt::format("register{} of 32 bits", plural)
                                                      : fmt::format("column{} of tensor memory", plural);
  text += fmt::format("{} {} in each of {} lanes", f.words(), where, f.lanes);
  if (f.home == Home::tensor_memory && f.lanes == 32) text += ", and in the next 32 again";
  if (f.bits == 64) text += "; an element takes two";
  if (operand.is_negated()) text += "; each sign is turned";
  if (f.slot_bits != f.bits) text += fmt::format("; {} bits from bit {} of every {}", f.bits, f.shift, f.slot_bits);
  return text;
}

void draw(const Named& operand, std::ostream& out) {
  const bool shared = operand.fragment.home == Home::shared_memory;
  const std::string row_name = shared ? "byte" : operand.home.empty() ? "lane" : operand.home;
  const std::size_t page = 100, label = std::max<std::size_t>(6, row_name.size() + 2);
  const auto cells = cells_of(operand);
  const std::size_t columns = cells.front().size();
  std::size_t width = 8;
  for (const auto& row : cells) {
    for (const std::string& text : row) width = std::max(width, text.size());
  }
  const std::size_t abreast = std::max<std::size_t>((page - label) / (width + 2), 1);
  out << heading(operand) << "\n";
  for (std::size_t first = 0; first < columns; first += abreast) {
    const std::size_t last = std::min(first + abreast, columns);
    out << fmt::format("\n{:>{}}", row_name, label);
    for (std::size_t c = first; c < last; ++c) {
      const std::string name(column_name(operand.fragment.home));
      out << fmt::format("  {:<{}}", shared ? name : fmt::format("{} {}", name, c), c + 1 == last ? 0 : width);
    }
    out << "\n";
    for (std::size_t r = 0; r < cells.size(); ++r) {
      std::string line = fmt::format("{:>{}}", shared ? 16 * r : r, label);
      for (std::size_t c = first; c < last; ++c) line += fmt::format("  {:<{}}", cells[r][c], width);
      out << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
    }
  }
}

// --- the command ---

std::string_view home_name(Home home) {
  switch (home) {
    case Home::registers: return "registers";
    case Home::shared_memory: return "shared_memory";
    case Home::named_registers: return "named_registers";
    case Home::tensor_memory: break;
  }
  return "tensor_memory";
}

// Which places a question is about.
struct Wanted {
  std::optional<int> lane, word;

  // Of an element of such bits: one of 64 is in two words.
  bool operator()(const layout::Location& place, int bits) const {
    const bool in_word = !word || (*word >= place.word() && *word <= place.word() + (bits == 64 ? 1 : 0));
    return (!lane || *lane == place.lane) && in_word;
  }
};

nlohmann::ordered_json as_json(const Named& operand, const Wanted& wanted) {
  const Fragment& f = operand.fragment;
  nlohmann::ordered_json elements = nlohmann::ordered_json::array();
  for_each_element(f.size, [&](const Coordinates& e) {
    const Position p = position_of(operand.name, e);
    const layout::Location place = operand.place_of(e);
    if (!wanted(place, f.bits)) return;
    nlohmann::ordered_json element{{"row", p.row}, {"column", p.column}};
    if (f.size.b > 1) element["block"] = p.block;
    element["lane"] = place.lane;
    element["word"] = place.word();
    element["bit"] = place.bit % 32;
    elements.push_back(element);
  });
  nlohmann::ordered_json json{{"operand", operand.name}, {"format", operand.format}, {"in", home_name(f.home)}};
  if (!operand.home.empty()) json["registers"] = operand.home;
  if (operand.is_negated()) json["negated"] = true;
  json.update({{"lanes", f.lanes}, {"words", f.words()}, {"bits", f.bits}, {"elements", elements}});
  return json;
}

// "lane 3, reg 1, bits 16..31"
std::string place_text(const Named& operand, const layout::Location& place) {
  const Fragment& f = operand.fragment;
  const int first = place.bit % 32;
  std::string text = f.home == Home::shared_memory
                         ? ""
                         : fmt::format("{} {}, ", operand.home.empty() ? "lane" : operand.home, place.lane);
  const std::string_view word = f.home == Home::shared_memory ? "word" : column_name(f.home);
  if (f.bits == 64) return text + fmt::format("{}s {}..{}", word, place.word(), place.word() + 1);
  return text + fmt::format("{} {}, bits {}", word, place.word(), range(first, first + f.bits - 1));
}

// What one lane or register feeds, each of its elements a line.
void answer(const Named& operand, const Options& options, std::ostream& out) {
  const Wanted wanted{options.lane, options.reg};
  std::map<std::pair<int, int>, std::vector<Position>> found;
  for_each_element(operand.fragment.size, [&](const Coordinates& e) {
    const layout::Location place = operand.place_of(e);
    if (wanted(place, operand.fragment.bits)) found[{place.lane, place.bit}].push_back(position_of(operand.name, e));
  });
  out << heading(operand) << "\n";
  if (found.empty()) out << "nothing\n";
  for (const auto& [at, elements] : found)
    out << fmt::format("{}: {}\n", place_text(operand, {at.first, at.second}),
                       cell(elements, operand.fragment.size.b > 1));
}

// --- questions about a place that nothing has ---

struct PlaceQuestion {
  std::string option;
  std::optional<int> asked;
  std::string places;  // "lanes"
  int there = 0;       // how many there are
};

void check_there(const PlaceQuestion& question, const std::vector<Named>& operands, const std::string& instruction) {
  if (!question.asked || *question.asked < question.there) return;
  const std::string of = operands.size() == 1 ? fmt::format("{} of {} has", operands.front().name, instruction)
                                              : fmt::format("the operands of {} have", instruction);
  throw Error{fmt::format("{} is {}, but {} {} 0 to {}.", question.option, *question.asked, of, question.places,
                          question.there - 1)};
}

std::string_view words_name(const std::vector<Named>& operands) {
  const Home home = operands.front().fragment.home;
  for (const Named& operand : operands) {
    if (operand.fragment.home != home) return "words";
  }
  return home == Home::registers ? "registers" : home == Home::tensor_memory ? "columns" : "words";
}

// That some of the operands shown has such a lane and such a register.
void check_places(const std::vector<Named>& operands, const Options& options, const std::string& instruction) {
  int lanes = 0, words = 0;
  for (const Named& operand : operands) {
    lanes = std::max(lanes, operand.fragment.lanes);
    words = std::max(words, operand.fragment.words());
  }
  check_there({"--lane", options.lane, "lanes", lanes}, operands, instruction);
  check_there({"--register", options.reg, std::string(words_name(operands)), words}, operands, instruction);
}

[[noreturn]] void refuse(const Instruction& instruction) {
  throw Error{
      fmt::format("The operands of {} do not live in registers that this command knows: it draws mma, "
                  "wgmma, tcgen05.mma and v_mfma, and instructions whose family in configs/arch has a `layout`.",
                  instruction.full_name()),
      Ending::not_here};
}

// The columns asked for: by --n, by a name that spells them out, or else the fewest.
int columns_of(const Instruction& instruction, const Options& options, const FreeN& free) {
  const int n = chosen_n(instruction, options.instruction, options.n).value_or(free.first());
  if (!free.has(n)) throw Error{fmt::format("--n is {}, but {} takes {}.", n, instruction.name, free.text())};
  return n;
}

NamedShape shape_for(const Instruction& instruction, const Options& options) {
  std::optional<NamedShape> shape = layout::shape_of(instruction.name);
  if (!shape) refuse(instruction);
  if (const auto free = free_n(instruction)) {
    shape->n = columns_of(instruction, options, *free);
  } else if (options.n && *options.n != shape->n) {
    throw Error{fmt::format("--n is {}, but {} has n = {}.", *options.n, instruction.name, shape->n)};
  }
  return *shape;
}

// Of a family's own layout.
std::vector<Named> operands_of(const Instruction& i, const OperandLayouts& layouts, const Plan& plan) {
  const Fragments f = fragments_of(i, layouts, plan);
  return {{"a", plan.a.name, f.a, layouts.a.home},
          {"b", plan.b.name, f.b, layouts.b.home},
          {"c", plan.c.name, f.c, layouts.d.home},
          {"d", plan.d.name, f.d, layouts.d.home}};
}

std::vector<Named> operands_of(const Catalogue& catalogue, const Instruction& instruction, const Options& options) {
  if (instruction.layout) {
    if (options.n && std::to_string(*options.n) != instruction.n)
      throw Error{fmt::format("--n is {}, but {} has n = {}.", *options.n, instruction.name, instruction.n)};
    return operands_of(instruction, *instruction.layout, catalogue.plan_of(instruction));
  }
  const NamedShape shape = shape_for(instruction, options);
  const std::optional<Fragments> fragments = layout::fragments_of(shape);
  if (!fragments) refuse(instruction);
  return operands_of(shape, *fragments);
}

void show(Options options, std::ostream& out) {
  const Catalogue catalogue = shipped_catalogue();
  const bool alone = options.instruction.empty();
  if (alone) options.instruction = without_architecture(options.architecture);
  if (const std::string why = layout::left_out(options.instruction); !why.empty()) throw Error{why, Ending::not_here};
  const Instruction& instruction = alone ? catalogue.instruction(options.architecture)
                                         : catalogue.instruction(options.architecture, options.instruction);
  std::vector<Named> operands = operands_of(catalogue, instruction, options);
  const layout::Feeds feeds{instruction.modifiers,
                            options.modifiers.chosen(instruction.full_name(), instruction.modifiers)};
  for (Named& operand : operands) operand.feeds = feeds;
  if (!options.operand.empty()) {
    operands.erase(std::remove_if(operands.begin(), operands.end(),
                                  [&](const Named& operand) { return operand.name != options.operand; }),
                   operands.end());
    if (operands.empty()) throw Error{fmt::format("{} has no operand {}.", instruction.full_name(), options.operand)};
  }
  check_places(operands, options, instruction.full_name());
  if (options.json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Named& operand : operands) all.push_back(as_json(operand, {options.lane, options.reg}));
    out << all.dump() << "\n";
    return;
  }
  out << fmt::format("{}\nROW,COLUMN of the elements of each word, from bit 0 up{}\n", instruction.full_name(),
                     instruction.blocks > 1 ? "; with BLOCK: before it" : "");
  for (const Named& operand : operands) {
    out << "\n";
    if (options.asks()) {
      answer(operand, options, out);
    } else {
      draw(operand, out);
    }
  }
}

}  // namespace

void add_layout(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand(
      "layout",
      "Shows in which lane and register, or where in memory, the elements of an instruction's operands live.");
  command.footer("Example:  assay layout ampere mma.m16n8k16.f32.f16.f16.f32 --operand a");
  command
      .add_option("ARCHITECTURE", options->architecture,
                  "A name such as hopper, sm_90a, H100, gfx942 or MI300X; or, alone, an instruction")
      .required();
  command.add_option("INSTRUCTION", options->instruction, "As `assay list` shows it, or another spelling of it");
  command.add_option("--operand", options->operand, "This one alone")
      .one_of({"a", "b", "c", "d", "scale_a", "scale_b", "indices"});
  add_number(command, "--n", options->n, {1, 65'536},
             "Columns, where the instruction leaves them open; the fewest unless given");
  options->modifiers.add(command);
  add_number(command, "--lane", options->lane, {0, 127}, "Only what this lane feeds or takes, element by element");
  add_number(command, "--register", options->reg, {0, 1023},
             "Only what this register of lanes, or column, feeds or takes");
  command.add_flag("--json", options->json, "Every element with its lane, word and bit, as JSON");
  command.callback([options, &console] { show(*options, console.out); });
}

}  // namespace assay
