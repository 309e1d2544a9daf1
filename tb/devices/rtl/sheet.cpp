#include "tb/devices/rtl/sheet.hpp"

#include <algorithm>

namespace assay {
namespace {

std::string connections(const std::vector<Connection>& list) {
  std::size_t longest = 0;
  for (const auto& [name, value] : list) longest = std::max(longest, name.size());
  std::string lines;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& [name, value] = list[i];
    lines += "    ." + name + std::string(longest - name.size(), ' ') + "(" + value + ")";
    lines += i + 1 < list.size() ? ",\n" : "\n";
  }
  return lines;
}

bool in_a_row(const std::vector<WireElement>& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].wire != elements[0].wire || elements[i].index != elements[0].index + static_cast<int>(i))
      return false;
  }
  return true;
}

}  // namespace

std::string sv_text(int value) { return std::to_string(value); }
std::string sv_text(bool value) { return value ? "1'b1" : "1'b0"; }

std::string sv_slice(const std::string& name, int from, int width) {
  return name + "[" + sv_text(from + width - 1) + ":" + sv_text(from) + "]";
}

std::string sv_enumerator(const std::string& prefix, std::string_view word) {
  std::string name = "assay_pkg::" + prefix;
  bool first = true;
  for (const char c : word) {
    if (c != '_') name += first ? static_cast<char>(c - 'a' + 'A') : c;
    first = c == '_';
  }
  return name;
}

std::string sv_identifier(const std::string& place) {
  std::string name;
  for (const char c : place) {
    if (c == '.') name += '_';
    if (c != '.' && c != '[' && c != ']') name += c;
  }
  return name;
}

void Sheet::cut(const std::string& name) {
  if (!pipelined_) return;
  if (stage_ == static_cast<int>(cuts_.size())) cuts_.push_back(name);
  ++stage_;
}

std::string Sheet::here(const std::string& signal) {
  const std::string name = signal.substr(0, signal.find('['));
  const auto found = signals_.find(name);
  if (found == signals_.end()) return signal;  // a constant
  const Signal declared = found->second;
  std::string delayed = name;
  for (int cut = declared.stage; cut < stage_; ++cut) {
    const std::string before = delayed;
    delayed = name + "_q" + sv_text(cut);
    if (signals_.count(delayed) != 0) continue;
    body_ += "  logic [" + sv_text(declared.width - 1) + ":0] " + delayed + ";\n";
    signals_[delayed] = {declared.width, cut + 1};
    body_ += "  assay_register #(\n" +
             connections({{"Width", sv_text(declared.width)}, {"Present", "Registers[" + sv_text(cut) + "]"}}) +
             "  ) u_" + delayed + " (\n" +
             connections({{"clk_i", "clk_i"},
                          {"enable_i", "enable[" + sv_text(cut) + "]"},
                          {"data_i", before},
                          {"data_o", delayed}}) +
             "  );\n";
  }
  return delayed + signal.substr(name.size());
}

void Sheet::declare(const std::string& name, int width) {
  signals_[name] = {width, stage_};
  body_ += "  logic [" + sv_text(width - 1) + ":0] " + name + ";\n";
}

void Sheet::assign(const std::string& name, const std::string& value) {
  body_ += "  assign " + name + " = " + value + ";\n";
}

void Sheet::instance(const std::string& block, const std::string& name, const std::vector<Connection>& parameters,
                     const std::vector<Connection>& ports) {
  std::vector<Connection> arrived = ports;
  for (auto& [port, signal] : arrived) {
    if (port.substr(port.size() - 2) == "_i") signal = here(signal);
  }
  body_ +=
      "  " + block + " #(\n" + connections(parameters) + "  ) u_" + name + " (\n" + connections(arrived) + "  );\n";
}

Wire Sheet::side_by_side(const std::string& name, const std::vector<WireElement>& elements) {
  const Wire& first = *elements.front().wire;
  const auto count = static_cast<int>(elements.size());
  const int width = first.bundle.width();
  if (in_a_row(elements) && count == first.count) return first;
  // As early as can be: what is not among them needs no registers.
  const int stage_of_use = stage_;
  stage_ = 0;
  for (const WireElement& e : elements) stage_ = std::max(stage_, signals_.at(e.wire->name).stage);
  std::string list;
  for (int i = count - 1; i >= 0; --i) {
    const WireElement& e = elements[static_cast<std::size_t>(i)];
    const std::string whole = here(e.wire->name);
    list += "    " + (e.wire->count == 1 ? whole : sv_slice(whole, e.index * width, width));
    list += i > 0 ? ",\n" : "\n";
  }
  declare(name, count * width);
  if (in_a_row(elements)) {
    assign(name, sv_slice(here(first.name), elements.front().index * width, count * width));
  } else {
    assign(name, "{\n" + list + "  }");
  }
  stage_ = stage_of_use;
  return {name, count, first.bundle, first.special};
}

void Sheet::probe_numbers(const Wire& wire) {
  const std::string name = wire.name + "_probe";
  declare(name, wire.count * (wire.bundle.width() - 1));
  instance("assay_probe", name,
           {{"Terms", sv_text(wire.count)},
            {"ExponentWidth", sv_text(wire.bundle.exponent_bits)},
            {"SignificandWidth", sv_text(wire.bundle.significand_bits)}},
           {{"number_i", wire.name}, {"probe_o", name}});
  probe(name, wire.count);
}

}  // namespace assay
