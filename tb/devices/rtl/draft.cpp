#include "tb/devices/rtl/draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "model/base/json.hpp"
#include "model/base/text.hpp"

namespace assay {
namespace {

// "a_vec_i" is "a" "vec" "i": names are compared word by word.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words{""};
  for (const char c : name) {
    if (c == '_') {
      words.emplace_back();
    } else {
      words.back() += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
  }
  return words;
}

bool has_word(const std::string& name, const std::vector<std::string>& choices) {
  const std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(choices.begin(), choices.end(), word) != choices.end();
  });
}

class Draft {
 public:
  Draft(const Dut& dut, const std::vector<RtlPort>& ports) : dut_(dut), ports_(ports) {}

  std::string text() {
    const auto clock = take(true, 1, {"clk", "clock", "ck"});
    const auto reset = take(true, 1, {"rst", "reset", "arst", "nrst", "nreset", "clr"}, {"rst", "reset"});
    std::string lines =
        "# Lines that end in `?` are guesses; what stands in <> only you can tell. docs/rtl.md explains each key.\n";
    lines += "instruction: <ARCHITECTURE:INSTRUCTION, or datapath: FILE>\n" + settings();
    lines += "top: " + dut_.top + "\n";
    if (clock) lines += "clock: " + clock->name + "\n";
    if (reset) lines += reset_line(*reset);
    lines += handshake(clock.has_value());
    lines += operands();
    lines += rest();
    return lines;
  }

 private:
  std::string settings() const {
    std::string lines = list("sources", dut_.sources) + list("include_dirs", dut_.include_dirs);
    lines += mapping("defines", dut_.defines) + mapping("parameters", dut_.parameters);
    return lines + list("options", dut_.options);
  }

  static std::string list(const std::string& key, const std::vector<std::string>& items) {
    std::string lines;
    for (const std::string& item : items) lines += "  - " + quoted(item) + "\n";
    return lines.empty() ? "" : key + ":\n" + lines;
  }

  static std::string mapping(const std::string& key, const std::vector<std::pair<std::string, std::string>>& members) {
    std::string lines;
    for (const auto& [name, value] : members) lines += "  " + name + ": " + quoted(value) + "\n";
    return lines.empty() ? "" : key + ":\n" + lines;
  }

  // As YAML reads it back: 4'b0101, a path with a colon.
  static std::string quoted(const std::string& text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '/' ||
             c == '.' || c == '+';
    });
    return plain ? text : json_string(text);
  }

  // A name without the words of a group, and without those that say its direction: what belongs together has it in
  // common. "in_valid_i" and "in_ready_o" are "in".
  static std::string stem(const std::string& name, const std::vector<std::string>& words) {
    std::string rest;
    for (const std::string& word : words_of(name)) {
      const bool role = std::find(words.begin(), words.end(), word) != words.end();
      if (!role && word != "i" && word != "o") rest += word + "_";
    }
    return rest;
  }

  using Words = std::vector<std::string>;

  // Two ports, one of whose words is among `first` and `second`, that are named alike otherwise and as wide: the widest
  // of them, neither of which is taken. They are taken.
  std::optional<std::pair<RtlPort, RtlPort>> take_pair(const Words& first, bool first_input, const Words& second,
                                                       bool second_input, int width) {
    const RtlPort *x = nullptr, *y = nullptr;
    for (const RtlPort& one : ports_) {
      for (const RtlPort& other : ports_) {
        const bool free = !taken(one) && !taken(other) && one.name != other.name;
        const bool sides = one.input == first_input && other.input == second_input;
        const bool as_wide = one.width == other.width && one.elements == other.elements;
        if (!free || !sides || !as_wide || (width != 0 && one.width != width)) continue;
        if (!has_word(one.name, first) || !has_word(other.name, second)) continue;
        if (stem(one.name, first) != stem(other.name, second)) continue;
        if (x == nullptr || size(one) > size(*x)) x = &one, y = &other;
      }
    }
    if (x == nullptr) return std::nullopt;
    taken_.insert(taken_.end(), {x->name, y->name});
    return std::make_pair(*x, *y);
  }

  static int size(const RtlPort& port) { return port.width * std::max(1, port.elements); }

  void give_back(const std::optional<RtlPort>& port) {
    if (port) taken_.erase(std::find(taken_.begin(), taken_.end(), port->name));
  }

  // The first port not yet taken, of this direction and width (0: any), one of whose words is among these, or begins
  // so.
  std::optional<RtlPort> take(bool input, int width, const std::vector<std::string>& words,
                              const std::vector<std::string>& beginnings = {}) {
    for (const RtlPort& port : ports_) {
      if (taken(port) || port.input != input || (width != 0 && port.width != width)) continue;
      const bool begins = std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& word) {
        return words_of(port.name).front().rfind(word, 0) == 0;
      });
      if (!has_word(port.name, words) && !begins) continue;
      taken_.push_back(port.name);
      return port;
    }
    return std::nullopt;
  }
  bool taken(const RtlPort& port) const { return std::find(taken_.begin(), taken_.end(), port.name) != taken_.end(); }

  static std::string reset_line(const RtlPort& reset) {
    const std::vector<std::string> words = words_of(reset.name);
    const bool low = std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word == "n" || word == "ni" || word == "b" || word == "nrst" || word == "nreset" ||
             (word.size() > 2 && (word.back() == 'n' || word.back() == 'b'));
    });
    return fmt::format("reset: {{port: {}, active: {}}}  # ?\n", reset.name, low ? "low" : "high");
  }

  // What is not needed in the end is an input or an output like any other.
  std::string handshake(bool clocked) {
    if (!clocked) return "handshake: combinational\n";
    const Words valid{"valid", "vld"}, ready{"ready", "rdy"};
    const auto in = take_pair(valid, true, ready, false, 1), out = take_pair(valid, false, ready, true, 1);
    auto in_valid = in ? std::optional(in->first) : take(true, 1, valid);
    auto in_ready = in ? std::optional(in->second) : take(false, 1, ready);
    auto out_valid = out ? std::optional(out->first) : take(false, 1, valid);
    auto out_ready = out ? std::optional(out->second) : take(true, 1, ready);
    if (in_valid && out_valid && in_ready && out_ready) {
      return fmt::format(
          "handshake: {{kind: valid_ready, in_valid: {}, in_ready: {}, out_valid: {}, out_ready: {}}}  # ?\n",
          in_valid->name, in_ready->name, out_valid->name, out_ready->name);
    }
    give_back(in_ready);
    give_back(out_ready);
    if (in_valid && out_valid) {
      return fmt::format("handshake: {{kind: valid, in_valid: {}, out_valid: {}}}  # ?{}\n", in_valid->name,
                         out_valid->name, in_ready || out_ready ? " without " + names_of(in_ready, out_ready) : "");
    }
    give_back(in_valid);
    give_back(out_valid);
    const auto enable = take(true, 1, {"en", "enable", "ce"});
    const std::string others = names_of(in_valid ? in_valid : in_ready, out_valid ? out_valid : out_ready);
    return fmt::format("handshake: {{kind: fixed_latency, latency: <CLOCK EDGES>{}}}{}\n",
                       enable ? ", enable: " + enable->name : "",
                       others.empty() ? "" : "  # ? or valid, valid_ready with " + others);
  }

  static std::string names_of(const std::optional<RtlPort>& x, const std::optional<RtlPort>& y) {
    const std::string first = x ? x->name : "", second = y ? y->name : "";
    return first + (first.empty() || second.empty() ? "" : " and ") + second;
  }

  std::string elements(const std::string& operand, const std::vector<std::string>& names) {
    return elements(operand, take(true, 0, names));
  }

  static std::string elements(const std::string& operand, const std::optional<RtlPort>& port) {
    if (!port) return fmt::format("  {}: {{port: <PORT>, width: <BITS OF AN ELEMENT>}}\n", operand);
    if (port->elements != 0) {
      return fmt::format("  {}: {{port: \"{}[]\", width: {}}}  # ? {} elements\n", operand, port->name, port->width,
                         port->elements);
    }
    return fmt::format("  {}: {{port: {}, width: <BITS OF AN ELEMENT>}}  # ? {} bits in all\n", operand, port->name,
                       port->width);
  }

  std::string whole(const std::string& operand, bool input, const std::vector<std::string>& names) {
    const auto port = take(input, 0, names);
    if (!port) return fmt::format("  {}: <PORT>\n", operand);
    return fmt::format("  {}: {}  # ? {}\n", operand, port->name,
                       counted(static_cast<std::uint64_t>(port->width), "bit"));
  }

  // operand_tensor_i is `tensor`, scale_a_i is `scale_a`: as export-sv names what else a case brings.
  std::string further_operands() {
    std::string lines;
    for (const RtlPort& port : ports_) {
      const std::vector<std::string> words = words_of(port.name);
      const bool named = words.front() == "operand" && words.size() > 1;
      if (taken(port) || !port.input || (!named && words.front() != "scale")) continue;
      taken_.push_back(port.name);
      lines += elements(operand_in(words, named ? 1 : 0), port);
    }
    return lines;
  }

  static std::string operand_in(const std::vector<std::string>& words, std::size_t from) {
    std::string name = words[from];
    for (std::size_t i = from + 1; i < words.size(); ++i) {
      if (i + 1 < words.size() || words[i] != "i") name += "_" + words[i];
    }
    return name;
  }

  std::string operands() {
    const std::string further = further_operands();
    std::string lines = "ports:\n";
    const Words a{"a", "op1", "opa", "lhs", "x", "src1", "srca"}, b{"b", "op2", "opb", "rhs", "y", "src2", "srcb"};
    const auto pair = take_pair(a, true, b, true, 0);
    lines += pair ? elements("a", pair->first) : elements("a", a);
    lines += pair ? elements("b", pair->second) : elements("b", b);
    lines += whole("c", true, {"c", "acc", "op3", "opc", "addend", "src3", "srcc"});
    lines += whole("d", false, {"d", "result", "res", "out", "z", "dst", "q", "sum"});
    return lines + further;
  }

  std::string rest() {
    std::string lines;
    for (const RtlPort& port : ports_) {
      if (taken(port) || !port.input) continue;
      lines +=
          fmt::format("  {}: <HEXADECIMAL VALUE>  # {} {}\n", port.name, port.width, port.width == 1 ? "bit" : "bits");
    }
    if (!lines.empty()) lines = "constants:  # every other input\n" + lines;
    std::string outputs;
    for (const RtlPort& port : ports_) {
      if (!taken(port) && !port.input)
        outputs += "#   " + port.name + ": " + counted(static_cast<std::uint64_t>(port.width), "bit") + "\n";
    }
    if (!outputs.empty())
      lines += "# Outputs not named above, which may be probes (`probes: {places: {PLACE: PORT}}`):\n" + outputs;
    return lines;
  }

  const Dut& dut_;
  const std::vector<RtlPort>& ports_;
  std::vector<std::string> taken_;
};

}  // namespace

std::string dut_draft(const Dut& dut, const std::vector<RtlPort>& ports) { return Draft(dut, ports).text(); }

}  // namespace assay
