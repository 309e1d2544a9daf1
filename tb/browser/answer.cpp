#include "tb/browser/answer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/base/sha256.hpp"
#include "model/config/datapath_key.hpp"
#include "model/config/datapath_text.hpp"
#include "tb/browser/operands.hpp"
#include "tb/devices/chain.hpp"
#include "tb/explain/explanation.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/explain/sides.hpp"
#include "tb/import/value.hpp"
#include "tb/scoreboard/nan_rule.hpp"
#include "tb/subject/subject.hpp"
#include "tb/vectors/reader.hpp"

namespace assay::browser {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* own_file = "datapath.yaml";  // the name of the editor's text in messages
constexpr std::size_t most_units = 64;             // that are kept; one is asked for at each step of a drag
constexpr std::size_t most_differing = 200;        // cases that are listed

std::string text_of(const Json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string d_text(const Plan& plan, Code d) { return explain::hex_text(d, plan.d); }

// The words that say how many fraction bits are kept, so that a page can offer them.
void add_keeps(Json& keeps, const char* list, const std::vector<Adder>& adders) {
  for (const Adder& adder : adders) {
    for (const Input& input : adder.add) {
      if (!input.keep) continue;
      keeps.push_back({{"adder", adder.name},
                       {"input", input.source},
                       {"key", fmt::format("{}.{}.add.{}.keep", list, adder.name, input.source)},
                       {"keep", *input.keep}});
    }
  }
}

Json unit_json(const ShownUnit& unit, const Case& one) {
  const Plan& plan = *unit.plan;
  Json keeps = Json::array();
  add_keeps(keeps, "adders", plan.datapath.adders);
  add_keeps(keeps, "finish", plan.datapath.finish);
  return {{"name", unit.name},
          {"k", plan.k},
          {"d_format", format_facts(plan.d)},
          {"operands", operands_facts(plan, one)},
          {"keeps", keeps}};
}

bool takes_the_same(const Plan& x, const Plan& y) {
  return x.k == y.k && x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d && x.scales == y.scales &&
         x.scale.has_value() == y.scale.has_value() && (!x.scale || *x.scale == *y.scale) &&
         are_within(x.more, y.more) && are_within(y.more, x.more);
}

std::string operands_words(const Plan& p) {
  return fmt::format("{} terms of {} x {} + {} -> {}", p.k, p.a.name, p.b.name, p.c.name, p.d.name);
}

void check_side_by_side(const ShownUnit& first, const ShownUnit& second) {
  if (takes_the_same(*first.plan, *second.plan)) return;
  throw Error{fmt::format("{} takes {}, and {} takes {}; two units are put side by side on the same operands.",
                          first.name, operands_words(*first.plan), second.name, operands_words(*second.plan))};
}

Json places_json(const explain::Sides& sides) {
  Json places = Json::array();
  for (const explain::SharedPlace& shared : explain::shared_places(sides)) {
    if (shared.same) continue;
    const explain::BitPair bits = explain::bit_pair(sides, shared);
    places.push_back({{"place", sides.reference.plan->places.name(shared.reference)},
                      {"first", bits.reference},
                      {"second", bits.device}});
  }
  return places;
}

// A d that something else gave; the sentence `error` where it is no code.
Json recorded_json(const Plan& plan, const std::string& text) {
  try {
    const Code d = parse_value(text, plan.d);
    return {{"code", d_text(plan, d)},
            {"value", explain::decimal(explain::exact_value(plan.d, d, plan.datapath.specials))}};
  } catch (const ScanError& e) {
    return {{"error", e.message}};
  }
}

// A text, as a file is read.
ByteSource source_of(std::string text) {
  return [text = std::move(text), at = std::size_t{0}](char* into, std::size_t size) mutable {
    const std::size_t count = text.copy(into, size, at);
    at += count;
    return count;
  };
}

// What a vector file is about, and how to read its cases.
struct OpenVectors {
  Subject subject;
  CaseShape shape;
  NanRule nan;

  OpenVectors(const Catalogue& catalogue, const VectorHeader& header, const std::string& file)
      : subject(subject_of_header(catalogue, header, file)),
        shape(case_shape(subject.plan, header.pad)),
        nan(nan_rule_of(header, subject.plan)) {}

  // The dot products of a line: one, or every element of a matrix.
  std::vector<Case> read(std::string_view line) const {
    Case one;
    if (read_case(line, shape, one)) return {one};
    const MatrixCase matrix = read_matrix_case(line, shape);
    std::vector<Case> elements(static_cast<std::size_t>(matrix.elements()));
    for (int i = 0; i < matrix.elements(); ++i) take_apart(matrix, shape, i, elements[static_cast<std::size_t>(i)]);
    return elements;
  }

  // How many instructions along K a dot product takes, each one's d the next one's c.
  std::size_t instructions(const Case& one) const { return one.a.size() / static_cast<std::size_t>(subject.plan.k); }

  // The last of them, with what the model leaves before it.
  Case last_instruction(const Case& one) const {
    Registers registers;
    Case part = instruction_of(subject.plan, one, 0, one.c);
    for (std::size_t step = 1; step < instructions(one); ++step)
      part = instruction_of(subject.plan, one, step, dot(subject.plan, part.operand(), registers));
    return part;
  }

  Code result_of(const Case& one) const {
    Registers registers;
    return dot(subject.plan, last_instruction(one).operand(), registers);
  }

  Json unit() const {
    if (!subject.header.datapath.empty()) return {{"text", subject.header.datapath}};
    return {{"instruction", subject.header.architecture + ":" + subject.header.instruction}};
  }
};

Json listed_json(std::uint64_t line, const Case& one, const std::string& recorded, const std::string& model) {
  Json json{{"line", line}, {"recorded", recorded}, {"model", model}};
  if (one.element) json["element"] = {one.element->row, one.element->column};
  return json;
}

// The cases of a vector file held to the model.
struct HeldVectors {
  const OpenVectors& open;
  Scoreboard judge;
  std::uint64_t cases = 0, matrices = 0, sums = 0, without_d = 0, differ = 0;
  Json listed = Json::array();
  Sha256 digest;

  explicit HeldVectors(const OpenVectors& vectors) : open(vectors), judge(open.subject.plan, open.nan, 0) {}

  void add(std::uint64_t line, const Case& one) {
    const Plan& plan = open.subject.plan;
    const bool begins_a_case = !one.element || (one.element->row == 0 && one.element->column == 0);
    if (begins_a_case) ++cases;
    if (begins_a_case && one.element) ++matrices;
    ++sums;
    const Code d = open.result_of(one);
    digest.add(d_text(plan, d) + "\n");
    if (!one.d) ++without_d;
    if (!one.d || judge.same_d(d, *one.d)) return;
    ++differ;
    if (listed.size() < most_differing) listed.push_back(listed_json(line, one, d_text(plan, *one.d), d_text(plan, d)));
  }
};

// The one dot product, or the element of a matrix.
Case chosen_of(const std::vector<Case>& all, const std::vector<int>& element) {
  if (all.size() == 1 && !all.front().element) return all.front();
  for (const Case& one : all) {
    if (element.size() == 2 && one.element->row == element[0] && one.element->column == element[1]) return one;
  }
  throw Error{fmt::format("This case is a whole matrix of {} x {}, which has no element [{}].",
                          all.empty() ? 0 : all.front().element->rows, all.empty() ? 0 : all.front().element->columns,
                          fmt::join(element, ","))};
}

}  // namespace

std::string Answerer::answer(const std::string& request) {
  const auto refused = [](const std::string& sentence) { return Json{{"error", sentence}}; };
  Json result;
  try {
    result = answered(Json::parse(request));
  } catch (const Error& e) {
    result = refused(e.message);
  } catch (const ScanError& e) {
    result = refused(e.message);
  } catch (const Json::exception& e) {
    result = refused(fmt::format("The request is not what the model is asked with: {}.", e.what()));
  }
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json Answerer::answered(const Json& request) {
  const std::string ask = text_of(request, "ask");
  if (ask == "list") return list();
  if (ask == "text") return text(request);
  if (ask == "read") return read(request);
  if (ask == "explain") return explained(request);
  if (ask == "vectors") return vectors(request);
  if (ask == "case") return recorded_case(request);
  throw Error{fmt::format("'{}' cannot be asked; the requests are list, text, read, explain, vectors and case.", ask)};
}

// {} -> every instruction of the catalogue
Json Answerer::list() const {
  Json architectures = Json::array();
  for (const Architecture& a : catalogue_.architectures()) {
    Json instructions = Json::array();
    for (const Instruction& i : a.instructions) instructions.push_back(i.name);
    architectures.push_back({{"name", a.name}, {"about", a.about}, {"instructions", instructions}});
  }
  return {{"architectures", architectures}};
}

// {unit} -> its datapath as a file
Json Answerer::text(const Json& request) {
  const Plan& plan = *unit(request.at("unit")).plan;
  return {{"text", yaml_text(plan.datapath, plan.k)}};
}

// {unit, operand, text} -> the code; where no code is just that number, the nearest, and `rounded`
Json Answerer::read(const Json& request) {
  const Format format = operand_format(*unit(request.at("unit")).plan, text_of(request, "operand"));
  const NearestValue value = nearest_value(text_of(request, "text"), format);
  return {{"code", explain::hex_text(value.code, format)}, {"rounded", !value.exact}};
}

// {units: [U] or [U, U], operands, d} -> each unit's explanation; of two, the places that differ; what d is
Json Answerer::explained(const Json& request) {
  const Json& said = request.at("units");
  Json answer{{"units", Json::array()}};
  std::vector<const ShownUnit*> units;
  for (const Json& one : said) {
    if (units.size() == 2) throw Error{"Two units are put side by side, no more."};
    units.push_back(&unit(one));
  }
  if (units.empty()) throw Error{"A unit is missing: an instruction, or a datapath's text."};
  if (units.size() == 2) check_side_by_side(*units[0], *units[1]);
  const Case one = read_operands(*units[0]->plan, request.value("operands", Json::object()));
  for (const ShownUnit* u : units) {
    Json shown = unit_json(*u, one);
    shown["explanation"] = explain::as_json(explain::explained({u->name, u->plan, one}));
    answer["units"].push_back(shown);
  }
  if (units.size() == 2) {
    const auto side = [&](const ShownUnit& u) { return explain::model_side(u.name, u.plan, one); };
    answer["differences"] = places_json({side(*units[0]), side(*units[1])});
  }
  if (request.contains("d")) answer["recorded"] = recorded_json(*units[0]->plan, text_of(request, "d"));
  return answer;
}

// {text, name} of a vector file -> how many cases there are and which d the model does not give
Json Answerer::vectors(const Json& request) const {
  const std::string file = request.value("name", "The vector file");
  VectorReader reader(file, source_of(text_of(request, "text")));
  const OpenVectors open(catalogue_, reader.header(), file);
  HeldVectors held(open);
  Case one;
  while (reader.next(open.shape, one)) held.add(reader.line(), one);
  return {{"unit", open.unit()},
          {"name", open.subject.name},
          {"warning", open.subject.warning},
          {"nan", open.nan == NanRule::any ? "any" : "bits"},
          {"cases", held.cases},
          {"matrices", held.matrices},
          {"sums", held.sums},
          {"without_d", held.without_d},
          {"differ", held.differ},
          {"listed", held.listed},
          {"digest", held.digest.digits()}};
}

// {header, line} of a vector file, and of a whole matrix {element: [row, column]} -> the unit and the operands, of
// several instructions along K those of the last
Json Answerer::recorded_case(const Json& request) const {
  const OpenVectors open(catalogue_, parse_header(text_of(request, "header")), "The vector file");
  const Case one = chosen_of(open.read(text_of(request, "line")), request.value("element", std::vector<int>{0, 0}));
  Json answer{{"unit", open.unit()},
              {"operands", short_operands(open.subject.plan, open.last_instruction(one))},
              {"instructions", open.instructions(one)}};
  if (one.d) answer["d"] = d_text(open.subject.plan, *one.d);
  return answer;
}

DatapathFile Answerer::file_of(const Json& said) const {
  if (said.contains("text")) return read_datapath_text(text_of(said, "text"), own_file, catalogue_);
  return catalogue_.datapath_of(catalogue_.instruction(text_of(said, "instruction")));
}

const ShownUnit& Answerer::unit(const Json& said) {
  const std::string key = said.dump();
  if (const auto known = units_.find(key); known != units_.end()) return known->second;
  DatapathFile file = file_of(said);
  std::string name =
      said.contains("text") ? own_file : catalogue_.instruction(text_of(said, "instruction")).full_name();
  if (const auto words = said.find("words"); words != said.end()) {
    for (auto word = words->begin(); word != words->end(); ++word) {
      const std::string value = word->get<std::string>();
      file = with_key(file, word.key(), read_yaml_text("value: " + value, word.key()).at("value"));
      name += fmt::format(" with {}: {}", word.key(), value);
    }
  }
  // Others may be in use by the request that asked for this one: only as a new one begins are old ones dropped.
  if (units_.size() >= most_units) units_.clear();
  return units_[key] = {name, std::make_shared<const Plan>(plan_of(file))};
}

}  // namespace assay::browser
