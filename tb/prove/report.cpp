#include "tb/prove/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/files.hpp"
#include "model/base/text.hpp"
#include "tb/devices/rtl/claims.hpp"
#include "tb/prove/netlist.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

// Places that differ in a last number alone and have one answer, as one line: multiply[0] to [3].
struct Row {
  std::string stem, first, last;
  const PlaceProof* from = nullptr;
  int inputs = 0, count = 0;
  std::size_t under = 0;  // lemmas, of the place that needs the most
  double seconds = 0;
  std::vector<std::string> engines;
};

void add(Row& row, const PlaceProof& p, const std::string& index) {
  row.last = index;
  ++row.count;
  row.inputs = std::max(row.inputs, p.inputs);
  row.seconds += p.seconds;
  row.under = std::max(row.under, p.under.size());
  if (std::find(row.engines.begin(), row.engines.end(), p.engines) == row.engines.end() && !p.engines.empty())
    row.engines.push_back(p.engines);
}

// One line says both.
bool is_said_as(const PlaceProof& x, const PlaceProof& y) {
  if (x.answer != y.answer || x.answer == ProofAnswer::refuted || x.was_kept != y.was_kept) return false;
  return x.answer == ProofAnswer::proved || (x.tried == y.tried && x.lacking == y.lacking);
}

std::vector<Row> rows_of(const Proof& proof) {
  std::vector<Row> rows;
  for (const PlaceProof& p : proof.places) {
    const bool is_numbered = !p.name.empty() && p.name.back() == ']';
    const std::size_t bracket = is_numbered ? p.name.rfind('[') : p.name.size();
    const std::string stem = p.name.substr(0, bracket), index = p.name.substr(bracket);
    const bool joins = !rows.empty() && is_numbered && rows.back().stem == stem && !rows.back().first.empty() &&
                       is_said_as(p, *rows.back().from);
    if (!joins) rows.push_back({stem, index, index, &p, 0, 0, 0, 0, {}});
    add(rows.back(), p, index);
  }
  return rows;
}

std::string name_of(const Row& row) { return row.stem + row.first + (row.count > 1 ? " to " + row.last : ""); }

std::string answer_of(const Row& row) {
  const PlaceProof& p = *row.from;
  if (p.answer == ProofAnswer::refuted)
    return fmt::format("refuted (should be {}, is {}{}; by {})", p.expected, p.got,
                       p.by_open ? " with some value of what the RTL leaves open" : "", p.engines);
  if (p.answer == ProofAnswer::open)
    return fmt::format("open ({}{}{})", p.tried, p.lacking.empty() ? "" : "; not proved: ", fmt::join(p.lacking, ", "));
  if (p.was_kept)
    return fmt::format("proved (all 2^{} inputs; by an earlier run: {})", row.inputs, fmt::join(row.engines, ", "));
  return fmt::format(
      "proved (all 2^{} inputs; {}{}; {:.1f} s)", row.inputs, fmt::join(row.engines, ", "),
      row.under == 0 ? "" : fmt::format("; under {} proved lemma{}", row.under, row.under == 1 ? "" : "s"),
      row.seconds);
}

std::size_t count_of(const Proof& proof, ProofAnswer answer) {
  return static_cast<std::size_t>(
      std::count_if(proof.places.begin(), proof.places.end(), [&](const PlaceProof& p) { return p.answer == answer; }));
}

// The first place that differs, whose operands are shown: d itself, where it does.
const PlaceProof* shown(const Proof& proof) {
  if (proof.places.back().answer == ProofAnswer::refuted) return &proof.places.back();
  for (const PlaceProof& p : proof.places) {
    if (p.answer == ProofAnswer::refuted) return &p;
  }
  return nullptr;
}

std::string command(const ProofTitle& title, const Plan& plan, const Case& one) {
  return explain_command(
      fmt::format("--reference {} --device {} {}", shell_word(title.reference), shell_word(title.unit), title.option),
      plan, one);
}

const char* held_to(const Proof& proof) { return proof.is_of_model ? "the model" : "the reference"; }

std::string conclusion(const Proof& proof) {
  const std::size_t refuted = count_of(proof, ProofAnswer::refuted), open = count_of(proof, ProofAnswer::open);
  if (refuted != 0)
    return fmt::format("refuted: {} of {} places differ from {} for some operands", refuted, proof.places.size(),
                       held_to(proof));
  if (open != 0)
    return fmt::format("open: {} of {} places are proved, {} are not", count_of(proof, ProofAnswer::proved),
                       proof.places.size(), open);
  return proof_line(proof);
}

std::string heading(const ProofTitle& title, const Proof& proof) {
  if (proof.is_of_model)
    return fmt::format("{} held to {}\nmodel: core's stages as gates, equal to core at every place in {} cases\n",
                       title.unit, title.subject, proof.cases);
  return fmt::format(
      "{} held to {}, with the operands of {}\nreference: what yosys reads of it; the model has no part in this\n",
      title.unit, title.reference, title.subject);
}

std::string reading(const Proof& proof) {
  return proof.simulated.empty() ? "what yosys reads was not held to a simulator's program" : proof.simulated;
}

}  // namespace

std::string proof_line(const Proof& proof) {
  if (proof.unit != ProofAnswer::proved) return conclusion(proof);
  const std::size_t places = proof.places.size() - 1;
  return fmt::format("proved: for all 2^{} operands d is {}'s{}", proof.input_bits, held_to(proof),
                     places == 0 ? ""
                                 : fmt::format(", and so are the bits at the {} it shows",
                                               places == 1 ? "place" : fmt::format("{} places", places)));
}

std::string proof_text(const ProofTitle& title, const Plan& plan, const Proof& proof) {
  std::string text = heading(title, proof);
  text += fmt::format("gates: {} of {}, {} of the unit, {} of both once what is equal is one\n", proof.reference_gates,
                      held_to(proof), proof.unit_gates, proof.merged_gates);
  if (!proof.clocked.empty()) text += "clock: " + proof.clocked + "\n";
  if (!proof.tagged.empty()) text += "tags: " + proof.tagged + "\n";
  text += "reading: " + reading(proof) + "\n";
  if (proof.open_values > 0)
    text += fmt::format("open: the RTL leaves {} open, as x or undriven; what is proved holds whatever they are\n",
                        counted(proof.open_values, "bit"));
  const std::vector<Row> rows = rows_of(proof);
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, name_of(row).size());
  for (const Row& row : rows) text += fmt::format("  {:<{}}  {}\n", name_of(row), width, answer_of(row));
  if (const PlaceProof* p = shown(proof)) {
    text += fmt::format(
        "{} is {} where {} is right{}: {}\n", p->name, p->got, p->expected,
        p->by_open ? ", with some value of what the RTL leaves open, which a simulator may take otherwise" : "",
        command(title, plan, *p->one));
    if (proof.places.back().answer == ProofAnswer::proved) text += "d is right for all operands.\n";
  }
  text += fmt::format("{} ({:.1f} s)\n", conclusion(proof), proof.seconds);
  if (proof.unit == ProofAnswer::proved)
    text +=
        "The word for it: yosys for what the RTL says, CaDiCaL (no checker of its proofs is in Debian), assay for the "
        "rest.\n";
  return text;
}

nlohmann::json proof_json(const ProofTitle& title, const Plan& plan, const Proof& proof) {
  nlohmann::json places = nlohmann::json::array();
  for (const PlaceProof& p : proof.places) {
    nlohmann::json one{{"place", p.name},      {"answer", proof_answer_name(p.answer)},
                       {"inputs", p.inputs},   {"engines", p.engines},
                       {"seconds", p.seconds}, {"kept", p.was_kept}};
    if (p.answer == ProofAnswer::open) one["tried"] = p.tried, one["not_proved"] = p.lacking;
    if (p.answer == ProofAnswer::proved) one["lemmas"] = p.under, one["bounds"] = p.bounds;
    if (p.one) one["by_open_values"] = p.by_open;
    if (p.one) one["expected"] = p.expected, one["got"] = p.got, one["command"] = command(title, plan, *p.one);
    places.push_back(std::move(one));
  }
  return {{"unit", title.unit},
          {"reference", title.reference},
          {"subject", title.subject},
          {"datapath_sha256", title.datapath_sha256},
          {"netlist_sha256", proof.netlist_sha256},
          {"answer", proof_answer_name(proof.unit)},
          {"conclusion", conclusion(proof)},
          {"operand_bits", proof.input_bits},
          {"open_values", proof.open_values},
          {"cases", proof.cases},
          {"gates",
           {{proof.is_of_model ? "model" : "reference", proof.reference_gates},
            {"unit", proof.unit_gates},
            {"merged", proof.merged_gates}}},
          {"clock", proof.clocked},
          {"tags", proof.tagged},
          {"reading", reading(proof)},
          {"hidden_places", proof.hidden},
          {"seconds", proof.seconds},
          {"places", std::move(places)}};
}

namespace {

// "mode=1" of rtl:dut.yaml#mode=1.
std::string constants_of(const std::string& device) {
  const std::size_t at = device.find('#');
  return at == std::string::npos ? "" : device.substr(at + 1);
}

std::string member(const nlohmann::json& proof, const char* name) {
  const auto found = proof.find(name);
  return found != proof.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<nlohmann::json> proofs_in(const std::string& file) {
  const nlohmann::json whole = nlohmann::json::parse(read_whole_file(file, 64, "a proof"), nullptr, false);
  const auto proofs = whole.is_object() ? whole.find("proofs") : whole.end();
  if (whole.is_discarded() || !whole.is_object() || proofs == whole.end() || !proofs->is_array())
    throw Error{file + " is no proof; `assay prove DUT.yaml --json > " + file + "` writes one."};
  return {proofs->begin(), proofs->end()};
}

std::string dut_of(const std::string& device) { return device.substr(std::string_view("rtl:").size()); }

// What is another than it was when it was proved; empty where nothing is.
std::string changed_since(const nlohmann::json& proof, const std::string& device, const Subject& subject,
                          std::ostream* progress) {
  if (const std::string reference = member(proof, "reference"); !reference.empty() && reference != "model")
    return "the unit was held to " + reference + " and not to the model";
  if (member(proof, "datapath_sha256") != subject.header.datapath_sha256) return "the datapath was another one";
  if (constants_of(member(proof, "unit")) != constants_of(device)) return "other constants were held";
  const Netlist now = netlist_of(named_unit(device).dut, progress);
  return member(proof, "netlist_sha256") == now.sha256 ? "" : "the unit's gates were others";
}

// What was proved, and all that was said of it.
std::string with_caveats(const nlohmann::json& proof) {
  std::string text = member(proof, "conclusion");
  for (const char* name : {"clock", "tags", "reading"}) {
    const std::string said = member(proof, name);
    if (!said.empty())
      text += fmt::format("; {}: {}", name, said.back() == '.' ? said.substr(0, said.size() - 1) : said);
  }
  const auto open = proof.find("open_values");
  if (open != proof.end() && open->is_number_unsigned() && *open != 0)
    text += fmt::format("; whatever {} are that the RTL leaves open", counted(open->get<std::uint64_t>(), "bit"));
  return text;
}

}  // namespace

std::string proof_in_file(const std::string& file, const std::string& device, const Subject& subject,
                          std::ostream* progress) {
  if (!starts_with(device, "rtl:")) throw Error{"A proof is of rtl:DUT.yaml; " + device + " has none."};
  std::string why = "it has no proof of " + subject.name;
  for (const nlohmann::json& proof : proofs_in(file)) {
    if (member(proof, "subject") != subject.name) continue;
    why = changed_since(proof, device, subject, progress);
    if (why.empty()) return with_caveats(proof);
  }
  throw Error{fmt::format("{} does not speak of {}: {}. Prove it again: assay prove {} --json > {}", file, device, why,
                          shell_word(dut_of(device)), shell_word(file))};
}

}  // namespace assay
