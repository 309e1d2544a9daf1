#include "tb/devices/rtl/draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

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
  Draft(const std::string& top, const std::vector<RtlPort>& ports) : top_(top), ports_(ports) {}

  std::string text(const std::vector<std::string>& sources) {
    const auto clock = take(true, 1, {"clk", "clock", "ck"});
    const auto reset = take(true, 1, {"rst", "reset", "arst", "nrst", "nreset", "clr"}, {"rst", "reset"});
    std::string lines =
        "# Lines that end in `?` are guesses; what stands in <> only you can tell. docs/rtl.md explains each key.\n";
    lines += "instruction: <ARCHITECTURE:INSTRUCTION, or datapath: FILE>\nsources:\n";
    for (const std::string& source : sources) lines += "  - " + source + "\n";
    lines += "top: " + top_ + "\n";
    if (clock) lines += "clock: " + clock->name + "\n";
    if (reset) lines += reset_line(*reset);
    lines += handshake(clock.has_value());
    lines += operands();
    lines += rest();
    return lines;
  }

 private:
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

  std::string handshake(bool clocked) {
    if (!clocked) return "handshake: combinational\n";
    const auto in_valid = take(true, 1, {"valid", "vld"});
    const auto out_valid = take(false, 1, {"valid", "vld"});
    const auto in_ready = take(false, 1, {"ready", "rdy"});
    const auto out_ready = take(true, 1, {"ready", "rdy"});
    if (in_valid && out_valid && in_ready && out_ready) {
      return fmt::format(
          "handshake: {{kind: valid_ready, in_valid: {}, in_ready: {}, out_valid: {}, out_ready: {}}}  # ?\n",
          in_valid->name, in_ready->name, out_valid->name, out_ready->name);
    }
    if (in_valid && out_valid)
      return fmt::format("handshake: {{kind: valid, in_valid: {}, out_valid: {}}}  # ?\n", in_valid->name,
                         out_valid->name);
    const auto enable = take(true, 1, {"en", "enable", "ce"});
    return fmt::format("handshake: {{kind: fixed_latency, latency: <CLOCK EDGES>{}}}\n",
                       enable ? ", enable: " + enable->name : "");
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
    return fmt::format("  {}: {}  # ? {} bits\n", operand, port->name, port->width);
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
    lines += elements("a", {"a", "op1", "opa", "lhs", "x", "src1", "srca"});
    lines += elements("b", {"b", "op2", "opb", "rhs", "y", "src2", "srcb"});
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
      if (!taken(port) && !port.input) outputs += fmt::format("#   {}: {} bits\n", port.name, port.width);
    }
    if (!outputs.empty())
      lines += "# Outputs not named above, which may be probes (`probes: {places: {PLACE: PORT}}`):\n" + outputs;
    return lines;
  }

  const std::string& top_;
  const std::vector<RtlPort>& ports_;
  std::vector<std::string> taken_;
};

}  // namespace

std::string dut_draft(const std::vector<std::string>& sources, const std::string& top,
                      const std::vector<RtlPort>& ports) {
  return Draft(top, ports).text(sources);
}

}  // namespace assay
