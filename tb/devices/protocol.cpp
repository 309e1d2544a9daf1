#include "tb/devices/protocol.hpp"

#include <limits>
#include <nlohmann/json.hpp>

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

}  // namespace

Greeting parse_greeting(const std::string& name, std::string_view line) {
  try {
    const nlohmann::json json = nlohmann::json::parse(line);
    Greeting greeting;
    greeting.device = json.at("device").get<std::string>();
    greeting.instructions = json.at("instructions").get<std::vector<std::string>>();
    greeting.trace = json.value("trace", false);
    greeting.window = window_of(json);
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

std::string within(std::string sentence) {
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  return sentence;
}

}  // namespace assay
