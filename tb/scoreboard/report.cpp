#include "tb/scoreboard/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "model/base/hex.hpp"
#include "model/base/text.hpp"
#include "model/core/decode.hpp"

namespace assay {
namespace {

constexpr std::size_t columns = 100;
constexpr int most_terms = 64;
constexpr std::size_t most_places = 10;
constexpr std::size_t most_errors = 5;  // sentences shown with their counts

// Text in colour, where it was asked for.
struct Paint {
  bool on = false;

  std::string in(std::string_view code, const std::string& text) const {
    return on && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
  std::string red(const std::string& text) const { return in("31", text); }
  std::string green(const std::string& text) const { return in("32", text); }
  std::string yellow(const std::string& text) const { return in("33", text); }
  std::string bold(const std::string& text) const { return in("1", text); }
};

std::string line(const std::string& text) { return text + "\n"; }

std::string hex(Code code, const Format& format) { return hex_text(code, format.hex_digits()); }

std::string cases(std::uint64_t n) { return counted(n, "case"); }

// The second and later lines indented.
std::string wrapped(const std::vector<std::string>& words, const std::string& between, const std::string& first,
                    std::size_t indent) {
  return assay::wrapped(words, {columns, first, std::string(indent, ' '), between});
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// A mark under each character that differs.
std::string carets(const std::string& expected, const std::string& got) {
  std::string marks;
  for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i) marks += expected[i] == got[i] ? ' ' : '^';
  marks.erase(marks.find_last_not_of(' ') + 1);
  return marks;
}

// --- d ---

std::string binary(Code code, int width) {
  std::string text;
  for (int i = width - 1; i >= 0; --i) text += (code >> i & 1) != 0 ? '1' : '0';
  return text;
}

//   0|01111111|00000000000000000000001    sign, exponent, significand; bits that the format ignores at the ends
std::string split(Code code, const Format& f) {
  const int parts[] = {f.ignored_high_bits, f.has_sign ? 1 : 0, f.exponent_bits, f.mantissa_bits, f.ignored_low_bits};
  const std::string bits = binary(code, f.stored_bits);
  if (f.is_integer()) return bits;
  std::string text;
  std::size_t from = 0;
  for (const int part : parts) {
    if (part == 0) continue;
    text += (from == 0 ? "" : "|") + bits.substr(from, static_cast<std::size_t>(part));
    from += static_cast<std::size_t>(part);
  }
  return text;
}

std::string d_text(const Format& d, const Failure& failure, const Paint& paint) {
  const Code expected = failure.reference.d, got = failure.device.d;
  if (expected == got) return fmt::format("  d         {}  {}\n", hex(got, d), split(got, d));
  const std::size_t indent = 12 + hex(got, d).size() + 2;
  return fmt::format("  expected  {}  {}\n", hex(expected, d), split(expected, d)) +
         fmt::format("  got       {}  {}\n", hex(got, d), split(got, d)) +
         line(std::string(indent, ' ') + paint.red(carets(split(expected, d), split(got, d))));
}

// --- the first place that differs ---

// One field of a bundle, or as much of it as fits: the same bits of both.
struct FieldRow {
  std::string name;
  std::string expected, got;
  std::string expected_note, got_note;  // an exponent in decimal
};

constexpr int most_binary = 36;  // bits in one cell
constexpr int most_digits = 36;  // hexadecimal ones

std::string hex_digits(const Bits& bits, int from, int width) {
  std::string text;
  for (int at = 4 * ((width - 1) / 4); at >= 0; at -= 4) {
    text += fmt::format("{:x}", static_cast<unsigned>(bits.field(from + at, std::min(4, width - at))));
  }
  return text;
}

// Of a field too wide to show, the digits around the first that differs: sum[1151:1008]
FieldRow window_row(const Field& field, const std::string& expected, const std::string& got) {
  const auto digits = static_cast<int>(expected.size());
  const auto differ = std::mismatch(expected.begin(), expected.end(), got.begin()).first - expected.begin();
  const int first = std::clamp(static_cast<int>(differ) - 4, 0, digits - most_digits);
  const int lowest = 4 * (digits - first - most_digits);
  const int highest = std::min(lowest + 4 * most_digits, field.width) - 1;
  const auto at = static_cast<std::size_t>(first);
  return {fmt::format("{}[{}:{}]", field.name, highest, lowest), expected.substr(at, most_digits),
          got.substr(at, most_digits), "", ""};
}

FieldRow field_row(const Failure& failure, const Field& field, int from) {
  const Trace &expected = *failure.reference.trace, &got = *failure.device.trace;
  const Bits x = expected.at(failure.place), y = got.at(failure.place);
  if (field.width > most_binary) {
    const std::string x_digits = hex_digits(x, from, field.width), y_digits = hex_digits(y, from, field.width);
    if (field.width > 4 * most_digits) return window_row(field, x_digits, y_digits);
    return {std::string(field.name), x_digits, y_digits, "", ""};
  }
  FieldRow row{std::string(field.name), x.binary(from, field.width), y.binary(from, field.width), "", ""};
  if (field.name == "exponent") {
    row.expected_note = fmt::format(" = {}", static_cast<int>(expected.signed_field(failure.place, field.name)));
    row.got_note = fmt::format(" = {}", static_cast<int>(got.signed_field(failure.place, field.name)));
  }
  return row;
}

std::vector<FieldRow> field_rows(const Place& place, const Failure& failure) {
  std::vector<FieldRow> rows;
  int from = place.width;
  for (const Field& field : place.fields) {
    from -= field.width;
    if (field.width > 0) rows.push_back(field_row(failure, field, from));
  }
  return rows;
}

std::string place_text(const Place& place, const Failure& failure, const Paint& paint) {
  const std::vector<FieldRow> rows = field_rows(place, failure);
  std::size_t name_width = 0, cell_width = 8;  // of "expected"
  for (const FieldRow& row : rows) {
    name_width = std::max(name_width, row.name.size());
    cell_width = std::max(cell_width, row.expected.size() + row.expected_note.size());
  }
  std::string text = fmt::format("  first difference: {} ({})\n", place.name, place.label);
  text += fmt::format("    {:{}}  {:{}}  got\n", "", name_width, "expected", cell_width);
  for (const FieldRow& row : rows) {
    text += fmt::format("    {:{}}  {:{}}  {}\n", row.name, name_width, row.expected + row.expected_note, cell_width,
                        row.got + row.got_note);
    if (row.expected == row.got) continue;
    text += line(std::string(4 + name_width + 2 + cell_width + 2, ' ') + paint.red(carets(row.expected, row.got)));
  }
  return text;
}

// --- operands ---

std::vector<std::string> scale_words(const std::vector<Code>& codes, const Format& format) {
  std::vector<std::string> words;
  for (const Code code : codes) words.push_back(hex(code, format));
  return words;
}

bool both_zero(const Plan& plan, const Case& given, std::size_t i) {
  const auto zero = [](Code code, const Format& f) {
    return decode(code, f, Subnormals::keep, Specials::step).is_zero();
  };
  return zero(given.a[i], plan.a) && zero(given.b[i], plan.b);
}

// Terms of two zeros say nothing, and beyond the first 64 the repro line says it better.
std::string operands_text(const Plan& plan, const Case& given) {
  std::vector<std::string> terms;
  int zeros = 0, beyond = 0;
  const std::size_t digits = std::to_string(plan.k - 1).size();
  for (std::size_t i = 0; i < given.a.size(); ++i) {
    if (both_zero(plan, given, i)) {
      ++zeros;
    } else if (static_cast<int>(terms.size()) == most_terms) {
      ++beyond;
    } else {
      terms.push_back(fmt::format("[{:{}}] {} x {}", i, digits, hex(given.a[i], plan.a), hex(given.b[i], plan.b)));
    }
  }
  std::string text = fmt::format("  c         {}\n", hex(given.c, plan.c));
  if (plan.scale) {
    text += wrapped(scale_words(given.scale_a, *plan.scale), " ", "  scale_a   ", 12);
    text += wrapped(scale_words(given.scale_b, *plan.scale), " ", "  scale_b   ", 12);
  }
  if (!terms.empty()) text += wrapped(terms, "   ", "  a x b     ", 12);
  if (zeros != 0)
    text += fmt::format("            {} {} of two zeros left out\n", zeros, zeros == 1 ? "term" : "terms");
  if (beyond != 0) text += fmt::format("            {} more {} left out\n", beyond, beyond == 1 ? "term" : "terms");
  return text;
}

// --- the whole ---

std::string differs_text(const Plan& plan, const Failure& failure) {
  switch (unlike(plan, failure.reference.d, failure.device.d)) {
    case Unlike::number: break;
    case Unlike::nan_code: return "d is a NaN on both sides, of other bits";
    case Unlike::zero_sign: return "d differs in the sign of a zero";
  }
  return "d differs";
}

std::string order_text(const Failure& failure) {
  return failure.device.other_order.empty() ? failure.reference.other_order : failure.device.other_order;
}

std::string heading(const Plan& plan, const Failure& failure) {
  switch (failure.verdict) {
    case Verdict::equal: return "d is equal";
    case Verdict::differs: return differs_text(plan, failure);
    case Verdict::unsteady: return "equal, but not in another order of cases: " + order_text(failure);
    case Verdict::waived: return "d or the way to it differs, and is waived";
    case Verdict::known: return "d differs as is known";
    case Verdict::masked:
      return fmt::format("d is equal, but {} on the way to it differs",
                         plan.places[static_cast<std::size_t>(failure.place)].name);
    case Verdict::reference_error: return "the reference gave no answer: " + failure.reference.error;
    case Verdict::device_error: return "the device gave no answer: " + failure.device.error;
  }
  return "";
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string compared_text(const Summary& s) {
  std::string text = "compared " + cases(s.compared);
  if (s.traced != 0) text += fmt::format(", and {} in {} of them", counted(s.places, "place"), s.traced);
  if (s.unrecorded != 0) text += fmt::format("\n{} without a recorded d not compared", cases(s.unrecorded));
  return line(text);
}

std::string expected_text(const Summary& s, const Paint& paint) {
  if (s.compared == 0) return "";
  std::string text = fmt::format("expected d: {} zero, {} NaN, {} infinity\n", share(s.zeros, s.compared),
                                 share(s.nans, s.compared), share(s.infinities, s.compared));
  if (s.mistrusted()) {
    text +=
        line(paint.yellow(fmt::format("mistrusted: {} of the expected d are zero or NaN; that they agree says little",
                                      share(s.zeros + s.nans, s.compared))));
  }
  return text;
}

std::string faults_text(const Summary& s) {
  std::string text;
  if (s.differs != 0) text += fmt::format("{} with a d that differs\n", cases(s.differs));
  if (s.nan_codes != 0) {
    text += fmt::format(
        "  {} of them with a NaN on both sides, of other bits; --nan any takes every NaN for the other\n", s.nan_codes);
  }
  if (s.zero_signs != 0) text += fmt::format("  {} of them in the sign of a zero\n", s.zero_signs);
  if (s.masked != 0) text += fmt::format("{} with an equal d, but a place on the way that differs\n", cases(s.masked));
  if (s.unsteady != 0) {
    text += fmt::format("{} with an equal result that is another when the cases come in another order\n",
                        cases(s.unsteady));
  }
  if (s.reference_errors != 0) text += fmt::format("{} with an error of the reference\n", cases(s.reference_errors));
  if (s.device_errors != 0) text += fmt::format("{} with an error of the device\n", cases(s.device_errors));
  std::uint64_t shown = 0;
  for (std::size_t i = 0; i < std::min(most_errors, s.repeated.size()); ++i) {
    text += wrapped(words_of(s.repeated[i].sentence), " ", fmt::format("  {} times: ", s.repeated[i].count), 4);
    shown += s.repeated[i].count;
  }
  if (shown != 0 && shown < s.device_errors)
    text += fmt::format("  and {}\n", counted(s.device_errors - shown, "other"));
  if (s.leftovers != 0) {
    text += fmt::format("{} never answered, the first of them case {}\n", cases(s.leftovers), s.first_leftover);
  }
  if (s.surplus != 0) text += fmt::format("{} more {} than cases\n", s.surplus, s.surplus == 1 ? "answer" : "answers");
  for (const std::string& complaint : s.complaints) text += wrapped(words_of(complaint), " ", "", 2);
  return text;
}

// One family's failures: the most frequent places, and how many more there are.
using GroupRows = std::vector<std::array<std::string, 3>>;

void add_family(const std::vector<FailureGroup>& of_family, GroupRows& rows) {
  constexpr std::size_t most = 3;
  const std::size_t shown = of_family.size() == most + 1 ? most + 1 : std::min(most, of_family.size());
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < of_family.size(); ++i) {
    const FailureGroup& group = of_family[i];
    if (i < shown) {
      rows.push_back({i == 0 ? std::string(group.family) : "", group.first, std::to_string(group.cases)});
    } else {
      others += group.cases;
    }
  }
  if (others != 0) rows.push_back({"", counted(of_family.size() - shown, "other place"), std::to_string(others)});
}

// By family and first place, where a generator made the cases.
std::string groups_text(const Summary& s) {
  GroupRows rows{{"family", "first difference", "cases"}};
  for (auto from = s.groups.begin(); from != s.groups.end();) {
    const auto end =
        std::find_if(from, s.groups.end(), [&](const FailureGroup& g) { return g.family != from->family; });
    add_family({from, end}, rows);
    from = end;
  }
  std::array<std::size_t, 3> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = "failures by family and by the first place that differs:\n";
  for (const auto& row : rows)
    text += fmt::format("  {:{}}  {:{}}  {:>{}}\n", row[0], widths[0], row[1], widths[1], row[2], widths[2]);
  return text;
}

std::string first_places_text(const Plan& plan, const Summary& s) {
  const bool families =
      std::any_of(s.groups.begin(), s.groups.end(), [](const FailureGroup& g) { return !g.family.empty(); });
  if (families) return groups_text(s);
  if (s.first_places.empty()) return "";
  const std::size_t shown = std::min(most_places, s.first_places.size());
  std::string text = "first place that differs:\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const PlaceCount& entry = s.first_places[i];
    text += fmt::format("  {:<40}  {:>10}\n", plan.places[static_cast<std::size_t>(entry.place)].name, entry.count);
  }
  std::uint64_t others = 0;
  for (std::size_t i = shown; i < s.first_places.size(); ++i) others += s.first_places[i].count;
  if (others != 0) {
    text += fmt::format("  {:<40}  {:>10}\n", counted(s.first_places.size() - shown, "other place"), others);
  }
  return text;
}

std::string waivers_text(const Summary& s) {
  std::string text;
  for (const WaiverUse& use : s.waivers) {
    const std::string what = use.cases == 0 ? "nothing: is it still needed?" : cases(use.cases);
    text += wrapped(
        words_of(fmt::format("{} waives {} ({}; {})", use.waiver.name, what, use.waiver.reason, use.waiver.owner)), " ",
        "", 2);
  }
  return text;
}

// What is known to differ need not: a newer emulator may have it right.
std::string known_text(const Summary& s) {
  std::string text;
  for (const KnownUse& use : s.known) {
    if (use.cases == 0) continue;
    text += wrapped(words_of(fmt::format("{} with the known difference {} of the {}: {}", cases(use.cases),
                                         use.known.name, use.of_reference ? "reference" : "device", use.known.reason)),
                    " ", "", 2);
  }
  return text;
}

std::string passed_text(const Summary& s) {
  std::string text = "passed";
  if (s.known_cases() != 0) text += fmt::format(", {} with a known difference", s.known_cases());
  if (s.waived() != 0) text += fmt::format(", {} waived", s.waived());
  if (s.unrecorded != 0) text += fmt::format(", {} not compared", s.unrecorded);
  return text;
}

std::string conclusion_text(const Summary& s, const Paint& paint, const std::string& nothing) {
  if (s.ending() == Ending::passed) return line(paint.green(passed_text(s)));
  if (s.ending() == Ending::mismatch) return line(paint.red("failed: " + counted(s.failures(), "fault")));
  return line(paint.red("nothing compared: " + nothing));
}

// Once more at the end, where a long report is looked at first.
std::string repro_text(const std::vector<Failure>& failures, const ReportOptions& options) {
  if (failures.empty() || !options.repro) return "";
  // Whether an error comes without the cases before it is not tried.
  const bool errors = std::any_of(failures.begin(), failures.end(),
                                  [](const Failure& failure) { return failure.verdict == Verdict::device_error; });
  std::string text = options.others_count ? "to see again, where a case needs no others (below is what does):\n"
                     : errors             ? "to see again, where a case needs no others:\n"
                                          : "to see again:\n";
  for (const Failure& failure : failures) text += line("  " + options.repro(failure.given));
  return text;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal: return "equal";
    case Verdict::differs: return "differs";
    case Verdict::masked: return "masked";
    case Verdict::unsteady: return "depends on the order of cases";
    case Verdict::reference_error: return "reference error";
    case Verdict::device_error: return "device error";
    case Verdict::waived: return "waived";
    case Verdict::known: return "known difference";
  }
  return "";
}

std::string_view conclusion(const Summary& summary) {
  const Ending outcome = summary.ending();
  return outcome == Ending::passed ? "passed" : outcome == Ending::mismatch ? "failed" : "nothing compared";
}

std::string failure_text(const Plan& plan, const Failure& failure, const ReportOptions& options) {
  const Paint paint{options.colour};
  std::string text = wrapped(words_of(heading(plan, failure)), " ", case_name(failure.given) + ": ", 2);
  if (options.colour) text = line(paint.bold(text.substr(0, text.size() - 1)));
  if (failure.reference.ok() && failure.device.ok()) text += d_text(plan.d, failure, paint);
  if (failure.place != no_place) {
    text += place_text(plan.places[static_cast<std::size_t>(failure.place)], failure, paint);
  }
  text += operands_text(plan, failure.given);
  // Never wrapped: it is there to be pasted.
  if (options.repro) text += fmt::format("  again     {}\n", options.repro(failure.given));
  return text;
}

std::string summary_text(const Plan& plan, const Summary& summary, const ReportOptions& options) {
  const Paint paint{options.colour};
  return compared_text(summary) + expected_text(summary, paint) + faults_text(summary) +
         first_places_text(plan, summary) + known_text(summary) + waivers_text(summary) +
         conclusion_text(summary, paint, options.nothing);
}

std::string report_text(const Scoreboard& scoreboard, const ReportOptions& options) {
  const Summary summary = scoreboard.summary();
  std::string text;
  for (const Failure& failure : scoreboard.failures()) {
    text += line(failure_text(scoreboard.plan(), failure, options));
  }
  const std::uint64_t beyond =
      summary.mismatches() + summary.unsteady + summary.errors() - scoreboard.failures().size();
  if (beyond != 0) text += fmt::format("{} more {} not shown\n\n", beyond, beyond == 1 ? "failure" : "failures");
  return text + summary_text(scoreboard.plan(), summary, options) + repro_text(scoreboard.failures(), options);
}

}  // namespace assay
