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

// Parts that follow each other in one signal as one.
std::vector<BitRange> joined(const std::vector<BitRange>& parts) {
  std::vector<BitRange> list;
  for (const BitRange& part : parts) {
    if (!list.empty() && list.back().signal == part.signal &&
        (part.signal.empty() || list.back().from + list.back().width == part.from)) {
      list.back().width += part.width;
    } else {
      list.push_back(part);
    }
  }
  return list;
}

}  // namespace

bool same_range(const Range& x, const Range& y) {
  return x.least_exponent == y.least_exponent && x.greatest_exponent == y.greatest_exponent &&
         x.integer_bits == y.integer_bits && x.fraction_bits == y.fraction_bits && x.fixed_quantum == y.fixed_quantum;
}

std::string sv_text(int value) { return std::to_string(value); }
std::string sv_text(bool value) { return value ? "1'b1" : "1'b0"; }

std::string sv_bits(u128 value, int width) {
  static const char digits[] = "0123456789abcdef";
  std::string text = sv_text(width) + "'h";
  for (int digit = (width + 3) / 4 - 1; digit >= 0; --digit)
    text += digits[static_cast<std::size_t>(value >> (4 * digit) & 15)];
  return text;
}

std::string sv_slice(const std::string& name, int from, int width) {
  return name + "[" + sv_text(from + width - 1) + ":" + sv_text(from) + "]";
}

std::string sv_words(std::string_view words) {
  std::string name;
  bool first = true;
  for (const char c : words) {
    if (c != '_') name += first ? static_cast<char>(c - 'a' + 'A') : c;
    first = c == '_';
  }
  return name;
}

std::string sv_enumerator(const std::string& prefix, std::string_view word) {
  return "assay_pkg::" + prefix + sv_words(word);
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

std::string Sheet::table(const std::string& about, int width, const std::vector<Entry>& entries) {
  std::string text;
  for (std::size_t i = entries.size(); i-- > 0;) {
    text += "    " + sv_bits(entries[i].bits, width) + (i > 0 ? "," : "");
    if (!entries[i].remark.empty()) text += "  // " + entries[i].remark;
    text += "\n";
  }
  const auto found = names_of_tables_.find(text);
  if (found != names_of_tables_.end()) return found->second;
  const std::string name = "Table" + sv_text(static_cast<int>(names_of_tables_.size()));
  tables_ += "\n  // " + about + "\n  localparam logic " + sv_slice("", 0, width * static_cast<int>(entries.size())) +
             " " + name + " = {\n" + text + "  };\n";
  return names_of_tables_[text] = name;
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

std::string Sheet::gather(const std::string& name, const std::vector<BitRange>& parts) {
  const std::vector<BitRange> list = joined(parts);
  const BitRange& first = list.front();
  if (list.size() == 1 && !first.signal.empty() && first.width == width_of(first.signal)) return first.signal;
  // As early as can be: what is not among them needs no registers.
  const int stage_of_use = stage_;
  stage_ = 0;
  for (const BitRange& part : list) stage_ = std::max(stage_, stage_of(part));
  int width = 0;
  std::vector<std::string> texts;
  for (const BitRange& part : list) {
    width += part.width;
    texts.push_back(part_text(part));
  }
  declare(name, width);
  if (texts.size() == 1) {
    assign(name, texts.front());
  } else {
    std::string text;
    for (std::size_t i = texts.size(); i-- > 0;) text += "    " + texts[i] + (i > 0 ? ",\n" : "\n");
    assign(name, "{\n" + text + "  }");
  }
  stage_ = stage_of_use;
  return name;
}

std::string Sheet::gather_by_stage(const std::string& name, const std::vector<BitRange>& parts) {
  std::vector<BitRange> list;
  for (std::size_t from = 0, end = 0; from < parts.size(); from = end) {
    int width = 0;
    for (; end < parts.size() && stage_of(parts[end]) == stage_of(parts[from]); ++end) width += parts[end].width;
    if (from == 0 && end == parts.size()) break;
    const std::vector<BitRange> alike(parts.begin() + static_cast<long>(from), parts.begin() + static_cast<long>(end));
    list.push_back({gather(name + "_part" + sv_text(static_cast<int>(list.size())), alike), 0, width});
  }
  return gather(name, list.empty() ? parts : list);
}

std::string Sheet::part_text(const BitRange& part) {
  if (part.signal.empty()) return sv_text(part.width) + "'d0";
  const std::string whole = here(part.signal);
  return part.width == width_of(part.signal) ? whole : sv_slice(whole, part.from, part.width);
}

Wire Sheet::side_by_side(const std::string& name, const std::vector<WireElement>& elements, int nan_width) {
  const Wire& first = *elements.front().wire;
  Wire wire{name, static_cast<int>(elements.size()), first.range, first.special, "", first.absent};
  const int width = first.width();
  std::vector<BitRange> numbers, nans, raised;
  bool any_nan = false, any_raised = false;
  for (const WireElement& e : elements) {
    numbers.push_back({e.wire->name, e.index * width, width});
    nans.push_back({e.wire->nan, e.wire->nan.empty() ? 0 : e.index * nan_width, nan_width});
    raised.push_back({e.wire->raised, e.wire->raised.empty() ? 0 : e.index * raised_width, raised_width});
    any_nan = any_nan || !e.wire->nan.empty();
    any_raised = any_raised || !e.wire->raised.empty();
  }
  wire.name = gather_by_stage(name, numbers);
  if (any_nan) wire.nan = gather_by_stage(name + "_nan", nans);
  if (any_raised) wire.raised = gather_by_stage(name + "_raised", raised);
  return wire;
}

void Sheet::probe_numbers(const Wire& wire) {
  const std::string name = wire.name + "_probe";
  const BundleWidths bundle = wire.bundle();
  if (signals_.count(name) != 0) return probe(name, wire.count);  // it stands at another place, too
  declare(name, wire.count * (bundle.width() - 1));
  instance("assay_probe", name,
           {{"Terms", sv_text(wire.count)},
            {"ExponentWidth", sv_text(bundle.exponent_bits)},
            {"SignificandWidth", sv_text(bundle.significand_bits)}},
           {{"number_i", wire.name}, {"probe_o", name}});
  probe(name, wire.count);
}

}  // namespace assay
