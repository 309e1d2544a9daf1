#include "tb/vectors/case_line.hpp"

#include <algorithm>

#include "model/base/text.hpp"
#include "model/core/values.hpp"

namespace assay {
namespace {

struct Found {
  bool a = false, b = false, c = false, scale_a = false, scale_b = false, matrix = false;
  std::vector<std::optional<std::vector<Code>>> more;  // of each of the shape
};

bool is_whole_matrix(std::string_view name) { return name == "A" || name == "B" || name == "C" || name == "D"; }

void read_member(Scanner& scanner, std::string_view name, const CaseShape& shape, Case& into, Found& found) {
  if (name == "a") {
    found.a = true;
    scanner.hex_list(shape.a_bits, into.a);
  } else if (name == "b") {
    found.b = true;
    scanner.hex_list(shape.b_bits, into.b);
  } else if (name == "c") {
    found.c = true;
    into.c = scanner.hex(shape.c_bits);
  } else if (name == "d") {
    into.d = scanner.hex(shape.d_bits);
  } else if (shape.scales > 0 && name == "scale_a") {
    found.scale_a = true;
    scanner.hex_list(shape.scale_bits, into.scale_a);
  } else if (shape.scales > 0 && name == "scale_b") {
    found.scale_b = true;
    scanner.hex_list(shape.scale_bits, into.scale_b);
  } else if (const std::size_t i = index_of(shape.more, name); i < shape.more.size()) {
    if (scanner.is_list_of_lists()) {
      found.matrix = true;
      scanner.value();
      return;
    }
    scanner.hex_list(shape.more[i].bits, found.more[i].emplace());
  } else if (name == "scale_a" || name == "scale_b") {
    throw ScanError{std::string(name) + " is given, but this instruction takes no scales; leave it out."};
  } else if (is_further_operand(name)) {
    throw ScanError{std::string(name) + " is given, but this instruction takes none; leave it out."};
  } else if (is_whole_matrix(name)) {
    found.matrix = true;
    scanner.value();
  } else {
    keep_member(name, scanner.value(), into.extra);
  }
}

void check_list(const char* name, bool found, std::size_t count, int expected) {
  const auto wanted = static_cast<std::size_t>(expected);
  if (!found)
    throw ScanError{std::string(name) + " is missing; the case needs " + counted(wanted, "element") + " of it."};
  if (count != wanted) {
    throw ScanError{std::string(name) + " has " + counted(count, "element") + "; this instruction takes " +
                    std::to_string(expected) + "."};
  }
}

void check_vector(const char* name, bool found, std::vector<Code>& codes, const CaseShape& shape,
                  const std::optional<Code>& zero) {
  if (shape.pad && found && codes.size() < static_cast<std::size_t>(shape.k)) {
    check_fills_up(name, zero);
    codes.resize(static_cast<std::size_t>(shape.k), *zero);
  }
  check_list(name, found, codes.size(), shape.k);
}

}  // namespace

void check_fills_up(const char* name, const std::optional<Code>& zero) {
  if (!zero) throw ScanError{std::string(name) + " is to be filled up with zeros, and its format has none."};
}

std::size_t CaseShape::longest_line() const {
  constexpr std::size_t least = 1 << 24;
  return std::max(least, static_cast<std::size_t>(k) * 128);
}

CaseShape case_shape(const Plan& plan, bool pad) {
  CaseShape shape;
  shape.k = plan.k;
  shape.scales = plan.scales;
  shape.a_bits = plan.a.stored_bits;
  shape.b_bits = plan.b.stored_bits;
  shape.c_bits = plan.c.stored_bits;
  shape.d_bits = plan.d.stored_bits;
  shape.scale_bits = plan.scale ? plan.scale->stored_bits : 0;
  for (const CaseOperand& more : plan.more)
    shape.more.push_back({more.name, more.count, more.format.stored_bits, owner_of(more), more.pattern});
  shape.pad = pad;
  const auto zero_of = [](const Format& format) {
    return has_zero_code(format) ? std::optional(zero_code(format)) : std::nullopt;
  };
  shape.zero_a = zero_of(plan.a);
  shape.zero_b = zero_of(plan.b);
  shape.chains = plan.c == plan.d;
  return shape;
}

bool is_vector_member(std::string_view name) {
  return name == "a" || name == "b" || name == "c" || name == "d" || name == "scale_a" || name == "scale_b";
}

std::size_t index_of(const std::vector<CaseShape::More>& more, std::string_view name) {
  const auto named = [&](const CaseShape::More& m) { return m.name == name; };
  return static_cast<std::size_t>(std::find_if(more.begin(), more.end(), named) - more.begin());
}

void keep_member(std::string_view name, std::string_view value, std::string& extra) {
  if (!extra.empty()) extra += ',';
  extra.append("\"").append(name).append("\":").append(value);
}

bool read_case(std::string_view line, const CaseShape& shape, Case& into) {
  into.scale_a.clear();
  into.scale_b.clear();
  into.more.clear();
  into.d.reset();
  into.extra.clear();
  into.element.reset();
  Found found;
  found.more.resize(shape.more.size());
  // No line has more elements than it has room for.
  constexpr std::size_t least_bytes = 4;  // "0",
  const std::size_t elements = std::min(static_cast<std::size_t>(shape.k), line.size() / least_bytes);
  into.a.reserve(elements);
  into.b.reserve(elements);
  Scanner scanner(line);
  scanner.line([&](std::string_view name) { read_member(scanner, name, shape, into, found); });
  if (found.matrix) return false;
  check_vector("a", found.a, into.a, shape, shape.zero_a);
  check_vector("b", found.b, into.b, shape, shape.zero_b);
  if (!found.c) throw ScanError{"c is missing; the case needs it."};
  if (shape.scales > 0) {
    check_list("scale_a", found.scale_a, into.scale_a.size(), shape.scales);
    check_list("scale_b", found.scale_b, into.scale_b.size(), shape.scales);
  }
  for (std::size_t i = 0; i < shape.more.size(); ++i) {
    const auto& codes = found.more[i];
    check_list(shape.more[i].name.c_str(), codes.has_value(), codes ? codes->size() : 0, shape.more[i].count);
    const std::string problem =
        mask_problem(shape.more[i].name, shape.more[i].pattern, codes->data(), shape.more[i].count);
    if (!problem.empty()) throw ScanError{problem};
    into.more.insert(into.more.end(), codes->begin(), codes->end());
  }
  return true;
}

void append_operands(std::string& out, const Case& c, const CaseShape& shape) {
  const auto digits = [](int bits) { return (bits + 3) / 4; };
  out += "\"a\":";
  append_hex_list(out, c.a, digits(shape.a_bits));
  out += ",\"b\":";
  append_hex_list(out, c.b, digits(shape.b_bits));
  out += ",\"c\":";
  append_hex(out, c.c, digits(shape.c_bits));
  if (shape.scales > 0) {
    out += ",\"scale_a\":";
    append_hex_list(out, c.scale_a, digits(shape.scale_bits));
    out += ",\"scale_b\":";
    append_hex_list(out, c.scale_b, digits(shape.scale_bits));
  }
  auto next = c.more.begin();
  for (const CaseShape::More& more : shape.more) {
    out.append(",\"").append(more.name).append("\":");
    append_hex_list(out, std::vector<Code>(next, next + more.count), digits(more.bits));
    next += more.count;
  }
}

void append_case(std::string& out, const Case& c, const CaseShape& shape) {
  out += '{';
  append_operands(out, c, shape);
  if (c.d) {
    out += ",\"d\":";
    append_hex(out, *c.d, (shape.d_bits + 3) / 4);
  }
  if (!c.extra.empty()) out.append(",").append(c.extra);
  out += '}';
}

std::string operands_text(const Case& c, const CaseShape& shape) {
  std::string text;
  append_operands(text, c, shape);
  return text;
}

}  // namespace assay
