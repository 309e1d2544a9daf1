#include "tb/machine/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/base/hex.hpp"
#include "model/base/text.hpp"
#include "model/base/utf8.hpp"
#include "tb/explore/tensor_file.hpp"
#include "tb/export/npz_archive.hpp"
#include "tb/vectors/bytes.hpp"
#include "tb/vectors/lines.hpp"
#include "tb/vectors/print.hpp"

namespace assay::machine {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::uint64_t most_executions = 1 << 20;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

bool is_npz(const std::string& path) { return ends_with(path, ".npz"); }

// Where register r of lane l stands in an image.
std::size_t place(const WaveOperand& o, int r, int l) { return index(l * o.words + r); }
std::size_t word_count(const WaveOperand& o) { return index(o.words) * index(o.lanes); }

std::string shape_text(const WaveOperand& o) {
  return fmt::format("{} of {} each", counted(static_cast<std::uint64_t>(o.words), "register"),
                     counted(static_cast<std::uint64_t>(o.lanes), "lane"));
}

// --- lines of JSON ---

struct Line {
  const std::string& path;
  std::uint64_t number;

  [[noreturn]] void fail(const std::string& what) const { throw Error{fmt::format("{}:{}: {}", path, number, what)}; }
};

std::uint32_t word_of(const Line& line, const std::string& name, const nlohmann::json& json) {
  const auto fail = [&]() {
    line.fail(fmt::format("a register of \"{}\" is no text of up to 8 hexadecimal digits.", name));
  };
  if (!json.is_string()) fail();
  const auto word = hex_number(json.get_ref<const std::string&>(), 8);
  if (!word) fail();
  return static_cast<std::uint32_t>(*word);
}

layout::Words words_of(const Line& line, const WaveOperand& operand, const nlohmann::json& json) {
  const auto is_list = [](const nlohmann::json& list, int size) {
    return list.is_array() && list.size() == index(size);
  };
  const auto wrong = [&] {
    line.fail(fmt::format("\"{}\" is a list of {}, each a list of words.", operand.name, shape_text(operand)));
  };
  if (!is_list(json, operand.words)) wrong();
  layout::Words words(word_count(operand));
  for (int r = 0; r < operand.words; ++r) {
    const nlohmann::json& lanes = json[index(r)];
    if (!is_list(lanes, operand.lanes)) wrong();
    for (int l = 0; l < operand.lanes; ++l) words[place(operand, r, l)] = word_of(line, operand.name, lanes[index(l)]);
  }
  return words;
}

RegisterImages images_of_line(const Line& line, std::string_view text, const std::vector<WaveOperand>& operands) {
  const nlohmann::json json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_object()) line.fail("this line is no object of JSON.");
  RegisterImages images;
  for (const WaveOperand& operand : operands) {
    if (operand.name == "d") continue;
    if (!json.contains(operand.name)) line.fail(fmt::format("\"{}\" is missing.", operand.name));
    images[operand.name] = words_of(line, operand, json[operand.name]);
  }
  for (const auto& member : json.items()) {
    const auto same = [&](const WaveOperand& operand) { return operand.name == member.key(); };
    if (std::none_of(operands.begin(), operands.end(), same))
      line.fail(fmt::format("the instruction has no operand {}.", excerpt(member.key())));
  }
  return images;
}

std::vector<RegisterImages> read_lines(const std::string& path, const std::vector<WaveOperand>& operands) {
  const ByteSource source = open_source(path);
  LineBuffer buffer;
  std::vector<RegisterImages> all;
  std::uint64_t number = 0;
  const auto take = [&](std::string_view text) {
    const Line line{path, ++number};
    if (trimmed(text).empty()) return;
    if (all.size() == most_executions)
      line.fail(fmt::format("a file has {} executions at most.", grouped(most_executions)));
    all.push_back(images_of_line(line, text, operands));
  };
  constexpr std::size_t piece = std::size_t{1} << 16;
  while (const std::size_t n = source(buffer.room(piece), piece)) {
    buffer.filled(n);
    for (std::string_view text; buffer.next(text);) take(text);
    if (buffer.rest().size() > longest_line) Line{path, number + 1}.fail("a line has 1 MiB at most.");
  }
  take(std::string(buffer.rest()));
  return all;
}

std::string lines_text(const std::vector<RegisterImages>& images, const std::vector<WaveOperand>& operands) {
  std::string text;
  for (const RegisterImages& image : images) {
    char between = '{';
    for (const WaveOperand& operand : operands) {
      const layout::Words& words = image.at(operand.name);
      text += fmt::format("{}\"{}\": [", between, operand.name);
      between = ',';
      for (int r = 0; r < operand.words; ++r) {
        text += r == 0 ? "[" : ", [";
        for (int l = 0; l < operand.lanes; ++l)
          text += (l == 0 ? "\"" : ", \"") + hex_text(words[place(operand, r, l)], 8) + "\"";
        text += "]";
      }
      text += "]";
    }
    text += "}\n";
  }
  return text;
}

// --- .npz ---

// (registers, lanes) or (executions, registers, lanes): how many executions.
std::uint64_t executions_of(const TensorFile& file, const WaveOperand& operand, const RawTensor& array) {
  const std::size_t n = array.shape.size();
  const bool fits = (n == 2 || n == 3) && array.shape[n - 2] == static_cast<std::uint64_t>(operand.words) &&
                    array.shape[n - 1] == static_cast<std::uint64_t>(operand.lanes);
  if (!fits || array.type != "<u4")
    file.fail(fmt::format("The array {} has to be uint32 of shape ({}, {}), or (executions, {}, {}).", operand.name,
                          operand.words, operand.lanes, operand.words, operand.lanes));
  const std::uint64_t executions = n == 2 ? 1 : array.shape[0];
  if (executions == 0 || executions > most_executions || array.bytes != executions * 4 * word_count(operand))
    file.fail(fmt::format("The array {} has no executions, more than {}, or not as many bytes as its shape says.",
                          operand.name, grouped(most_executions)));
  return executions;
}

std::string taken(const TensorFile& file, const RawTensor& array) {
  std::string bytes(array.bytes, '\0');
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t n = array.elements(bytes.data() + at, bytes.size() - at);
    if (n == 0) file.fail("An array ends before all of its elements.");
    at += n;
  }
  char beyond = 0;
  if (array.elements(&beyond, 1) != 0) file.fail("An array goes on after all of its elements.");
  return bytes;
}

std::vector<RegisterImages> read_npz(const std::string& path, const std::vector<WaveOperand>& operands) {
  const TensorFile file(path);
  std::vector<RegisterImages> all;
  for (const WaveOperand& operand : operands) {
    if (operand.name == "d") continue;
    const RawTensor array = npz_tensor(file, operand.name);
    const std::uint64_t executions = executions_of(file, operand, array);
    if (!all.empty() && all.size() != executions)
      file.fail(
          fmt::format("The array {} has {} executions, those before it {}.", operand.name, executions, all.size()));
    all.resize(executions);
    const std::string bytes = taken(file, array);
    std::size_t at = 0;
    for (RegisterImages& images : all) {
      layout::Words& words = images[operand.name];
      words.resize(word_count(operand));
      for (int r = 0; r < operand.words; ++r) {
        for (int l = 0; l < operand.lanes; ++l, at += 4) {
          for (int i = 3; i >= 0; --i)
            words[place(operand, r, l)] =
                words[place(operand, r, l)] << 8 | static_cast<unsigned char>(bytes[at + index(i)]);
        }
      }
    }
  }
  return all;
}

std::string npz_text(const std::string& path, const std::vector<RegisterImages>& images,
                     const std::vector<WaveOperand>& operands) {
  std::vector<NpzArray> arrays;
  for (const WaveOperand& operand : operands) {
    NpzArray array{
        operand.name,
        "<u4",
        {images.size(), static_cast<std::uint64_t>(operand.words), static_cast<std::uint64_t>(operand.lanes)},
        {}};
    for (const RegisterImages& image : images) {
      const layout::Words& words = image.at(operand.name);
      for (int r = 0; r < operand.words; ++r) {
        for (int l = 0; l < operand.lanes; ++l) {
          for (int i = 0; i < 4; ++i) array.bytes += static_cast<char>(words[place(operand, r, l)] >> (8 * i) & 0xff);
        }
      }
    }
    arrays.push_back(std::move(array));
  }
  return npz_archive(arrays, path);
}

}  // namespace

std::vector<RegisterImages> read_images(const std::string& path, const std::vector<WaveOperand>& operands) {
  std::vector<RegisterImages> images = is_npz(path) ? read_npz(path, operands) : read_lines(path, operands);
  if (images.empty()) throw Error{path + ": There is nothing to execute in this file."};
  return images;
}

std::string images_text(const std::string& path, const std::vector<RegisterImages>& images,
                        const std::vector<WaveOperand>& operands) {
  return is_npz(path) ? npz_text(path, images, operands) : lines_text(images, operands);
}

RegisterImages generated_images(const WaveInstruction& instruction, const Generator& generator, std::uint64_t number) {
  const layout::Fragments& f = instruction.fragments;
  RegisterImages images;
  for (const WaveOperand& operand : operands_of(f)) images[operand.name] = layout::Words(word_count(operand));
  const layout::NamedShape& s = instruction.shape;
  // Element (i, j) of a block has a case of its own for c; row i and column j those for a and b.
  const auto cases = static_cast<std::uint64_t>(s.blocks * s.m * s.n);
  const auto case_of = [&](int b, int i, int j) {
    return generator.make(number * cases + static_cast<std::uint64_t>((b * s.m + i) * s.n + j));
  };
  const auto put_all = [&](const char* name, const layout::Fragment& fragment, const std::vector<Code>& codes,
                           layout::Coordinates e, int layout::Coordinates::*along) {
    for (const Code code : codes) {
      put(images[name], fragment, e, code);
      ++(e.*along);
    }
  };
  for (int b = 0; b < s.blocks; ++b) {
    for (int i = 0; i < s.m; ++i) {
      for (int j = 0; j < s.n; ++j) {
        const Case c = case_of(b, i, j);
        put(images["c"], f.c, {i, j, 0, b, 0}, c.c);
        if (j == 0) put_all("a", f.a, c.a, {i, 0, 0, b, 0}, &layout::Coordinates::k);
        if (i == 0) put_all("b", f.b, c.b, {0, j, 0, b, 0}, &layout::Coordinates::k);
        if (j == 0 && f.scale_a) put_all("scale_a", *f.scale_a, c.scale_a, {i, 0, 0, b, 0}, &layout::Coordinates::s);
        if (i == 0 && f.scale_b) put_all("scale_b", *f.scale_b, c.scale_b, {0, j, 0, b, 0}, &layout::Coordinates::s);
      }
    }
  }
  return images;
}

void execute(const WaveUnit& unit, const layout::Modifiers& modifiers, RegisterImages& images) {
  const layout::Fragments& f = unit.instruction().fragments;
  layout::Words& d = images["d"];
  d.assign(word_count(f.d), 0);
  WaveOperands o;
  const auto read = [&](const char* name, const layout::Fragment& fragment) {
    return Registers32{images.at(name).data(), fragment.words()};
  };
  o.a = read("a", f.a);
  o.b = read("b", f.b);
  o.c = read("c", f.c);
  if (f.scale_a) {
    o.scale_a = read("scale_a", *f.scale_a);
    o.scale_b = read("scale_b", *f.scale_b);
  }
  o.d = {d.data(), f.d.words()};
  unit.execute(o, modifiers);
}

}  // namespace assay::machine
