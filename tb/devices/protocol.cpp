#include "tb/devices/protocol.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"

namespace assay {
namespace {

std::string error_text(std::string_view json) {
  const nlohmann::json value = nlohmann::json::parse(json, nullptr, false);
  return value.is_string() ? value.get<std::string>() : std::string(json);
}

std::optional<std::uint64_t> id_of(std::string_view text) {
  std::optional<std::uint64_t> id;
  try {
    Scanner scanner(text);
    scanner.line([&](std::string_view name) {
      if (name == "id") {
        id = scanner.number();
      } else {
        scanner.value();
      }
    });
    return id;
  } catch (const ScanError&) {
    return std::nullopt;
  }
}

// From 1; 0 where it is none.
int window_of(const nlohmann::json& greeting) {
  const nlohmann::json window = greeting.value("window", nlohmann::json(1U));
  if (!window.is_number_unsigned()) return 0;
  constexpr std::uint64_t greatest = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(window.get<std::uint64_t>(), greatest));
}

using NamedNumbers = std::vector<std::pair<std::string, int>>;

RecordLayout layout_of(const std::string& name, const nlohmann::json& records) {
  const int version = records.at("version").get<int>();
  if (version != record_version) {
    throw Error{name + " speaks in records of version " + std::to_string(version) + ", and this program in those of " +
                std::to_string(record_version) + "; build both of the same version."};
  }
  return {records.at("codes").get<NamedNumbers>(), records.at("places").get<NamedNumbers>()};
}

// What a case has, in the order in which append_request writes it.
NamedNumbers codes_of(const CaseShape& shape) {
  NamedNumbers codes{{"a", shape.k}, {"b", shape.k}, {"c", 1}};
  if (shape.scales > 0) {
    codes.emplace_back("scale_a", shape.scales);
    codes.emplace_back("scale_b", shape.scales);
  }
  for (const CaseShape::More& more : shape.more) codes.emplace_back(more.name, more.count);
  return codes;
}

std::string list_text(const NamedNumbers& list) {
  std::string text;
  for (const auto& [name, number] : list) text += (text.empty() ? "" : ", ") + std::to_string(number) + " of " + name;
  return text;
}

}  // namespace

Greeting parse_greeting(const std::string& name, std::string_view line, bool records) {
  try {
    const nlohmann::json json = nlohmann::json::parse(line);
    Greeting greeting;
    greeting.device = json.at("device").get<std::string>();
    greeting.instructions = json.at("instructions").get<std::vector<std::string>>();
    greeting.trace = json.value("trace", false);
    greeting.window = window_of(json);
    if (records && json.contains("records")) greeting.records = layout_of(name, json.at("records"));
    if (greeting.window >= 1) return greeting;
  } catch (const nlohmann::json::exception&) {
    // Said below, with the line itself.
  }
  throw Error{name + " greets with " + excerpt(line) +
              "; the first line of a device should be like "
              "{\"device\":\"mine\",\"instructions\":[\"*\"],\"trace\":false,\"window\":64}, its window at least "
              "1."};
}

DeviceLine AnswerReader::read(std::string_view line, bool trace) const {
  try {
    return scan(line, trace);
  } catch (const ScanError& error) {
    const std::optional<std::uint64_t> id = id_of(line);
    if (!id) throw Broken{"wrote " + excerpt(line) + ", which is no answer (" + within(error.message) + ")"};
    DeviceLine bad;
    bad.id = id;
    bad.answer.error = "gave a bad answer: " + error.message;
    return bad;
  }
}

std::size_t AnswerReader::longest_line() const {
  std::size_t bytes = 1 << 20;
  for (const Place& place : plan_->places) bytes += place.name.size() + static_cast<std::size_t>(place.width) / 4 + 16;
  return bytes;
}

DeviceLine AnswerReader::scan(std::string_view text, bool trace) const {
  DeviceLine line;
  bool has_d = false;
  Scanner scanner(text);
  scanner.line([&](std::string_view name) {
    if (name == "id") {
      line.id = scanner.number();
    } else if (name == "d") {
      line.answer.d = scanner.hex(plan_->d.stored_bits);
      has_d = true;
    } else if (name == "trace" && trace) {
      read_trace(scanner, line.answer);
    } else if (name == "error") {
      line.answer.error = "answers with an error: " + error_text(scanner.value());
    } else if (name == "end") {
      line.end = scanner.number();
    } else if (name == "restart") {
      line.restart = scanner.value() == "true";
    } else {
      scanner.value();
    }
  });
  if (!line.id && !line.end && !line.restart) throw ScanError{"it has no id."};
  if (line.id && !has_d && line.answer.ok()) throw ScanError{"it has neither d nor error."};
  return line;
}

void AnswerReader::read_trace(Scanner& scanner, Answer& answer) const {
  answer.trace.emplace(*plan_);
  answer.traced.assign(plan_->places.size(), 0);
  scanner.members([&](std::string_view name) {
    const int place = plan_->places.find(name);
    const std::string_view hex = scanner.text();
    const std::string called = "place " + excerpt(name) + " of the trace";
    if (place < 0) throw ScanError{called + " does not exist in this datapath."};
    const auto index = static_cast<std::size_t>(place);
    if (answer.traced[index] != 0) throw ScanError{called + " is given twice."};
    if (!answer.trace->set_hex(place, hex)) {
      const int width = plan_->places.spot(place).place->width;
      throw ScanError{called + " is " + excerpt(hex) + "; it takes exactly " + std::to_string((width + 3) / 4) +
                      " lower-case hex digits (" + std::to_string(width) + " bits)."};
    }
    answer.traced[index] = 1;
  });
}

// --- records ---

RecordReader::RecordReader(const std::string& name, const RecordLayout& layout, const Plan& plan,
                           const CaseShape& shape)
    : plan_(&plan), traced_(plan.places.size(), 0) {
  if (layout.codes != codes_of(shape)) {
    throw Error{name + " takes " + list_text(layout.codes) + " in a case, which has " + list_text(codes_of(shape)) +
                "."};
  }
  for (const auto& [place, bits] : layout.places) {
    const int index = plan.places.find(place);
    if (index < 0) throw Error{name + " offers place " + excerpt(place) + ", which does not exist in this datapath."};
    const int width = plan.places.spot(index).place->width;
    if (bits != width) {
      throw Error{name + " offers place " + excerpt(place) + " with " +
                  counted(static_cast<std::uint64_t>(bits), "bit") + "; it has " + std::to_string(width) + "."};
    }
    if (traced_[static_cast<std::size_t>(index)] != 0)
      throw Error{name + " offers place " + excerpt(place) + " twice."};
    traced_[static_cast<std::size_t>(index)] = 1;
    add(index, width);
  }
}

void RecordReader::add(int place, int width) {
  const auto into = static_cast<std::size_t>(plan_->places.spot(place).first_word);
  const std::size_t from = 1 + words_.size(), words = words_of_bits(width);
  if (!stretches_.empty() && stretches_.back().into + stretches_.back().words == into) {
    stretches_.back().words += words;
  } else {
    stretches_.push_back({from, words, into});
  }
  words_.resize(words_.size() + words, {place, 0});
  if (width % 64 != 0) words_.back().above = ~std::uint64_t{0} << (width % 64);
}

DeviceLine RecordReader::read(const RecordView& record, bool trace) const {
  DeviceLine line;
  switch (record.head.kind) {
    case RecordKind::answer:
      line.id = record.head.id;
      line.answer = answer(record, trace);
      return line;
    case RecordKind::error:
      line.id = record.head.id;
      line.answer.error = "answers with an error: " + record.text();
      return line;
    case RecordKind::restart: line.restart = true; return line;
    case RecordKind::end: line.end = record.head.id; return line;
    case RecordKind::request:
    case RecordKind::batch: break;
  }
  throw Broken{"wrote " + shown(record) + ", which is no answer"};
}

std::string RecordReader::shown(const RecordView& record) {
  return "a record of kind " + std::to_string(static_cast<unsigned>(record.head.kind)) + " with id " +
         std::to_string(record.head.id);
}

Answer RecordReader::answer(const RecordView& record, bool trace) const {
  Answer answer;
  const std::size_t wanted = trace ? 1 + words_.size() : 1;
  const bool shows_none = record.head.words == 1;
  if (record.head.words != wanted && !shows_none) {
    answer.error = "gave a bad answer: it has " + counted(record.head.words, "word") + ", and should have " +
                   std::to_string(wanted) + ".";
    return answer;
  }
  answer.d = record.word(0);
  if ((u128{answer.d} >> plan_->d.stored_bits) != 0) {
    answer.error = "gave a bad answer: its d has more than the " +
                   counted(static_cast<std::uint64_t>(plan_->d.stored_bits), "bit") + " that there are.";
  }
  if (trace && !shows_none && answer.ok()) take_places(record, answer);
  return answer;
}

void RecordReader::take_places(const RecordView& record, Answer& answer) const {
  answer.trace.emplace(*plan_);
  answer.traced = traced_;
  for (const Stretch& stretch : stretches_)
    record.copy(stretch.from, stretch.words, answer.trace->words() + stretch.into);
  std::uint64_t above = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) above |= record.word(1 + i) & words_[i].above;
  if (above == 0) return;
  const auto wrong = std::find_if(words_.begin(), words_.end(), [&](const Word& word) {
    return (record.word(1 + static_cast<std::size_t>(&word - words_.data())) & word.above) != 0;
  });
  const Place place = plan_->places[static_cast<std::size_t>(wrong->place)];
  answer.error = "gave a bad answer: place " + excerpt(place.name) + " has more than its " +
                 counted(static_cast<std::uint64_t>(place.width), "bit") + ".";
}

void append_request(std::string& out, std::uint64_t id, const Case& c) {
  const std::size_t words = c.a.size() + c.b.size() + 1 + c.scale_a.size() + c.scale_b.size() + c.more.size();
  append_head(out, RecordKind::request, words, id);
  append_words(out, c.a.data(), c.a.size());
  append_words(out, c.b.data(), c.b.size());
  append_words(out, &c.c, 1);
  for (const auto* codes : {&c.scale_a, &c.scale_b, &c.more}) {
    if (!codes->empty()) append_words(out, codes->data(), codes->size());
  }
}

std::string within(std::string sentence) {
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  return sentence;
}

}  // namespace assay
