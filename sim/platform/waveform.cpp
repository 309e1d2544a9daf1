#include "sim/platform/waveform.hpp"

#include <algorithm>

#include "tb/devices/device.hpp"

namespace assay {
namespace {

// Variables are called by numbers in the printable characters.
std::string identifier(int variable) {
  std::string text;
  for (int rest = variable + 1; rest > 0; rest = (rest - 1) / 94) text += static_cast<char>('!' + (rest - 1) % 94);
  return text;
}

std::vector<std::string> scopes_of(const std::string& place) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t dot = place.find('.', at);
    parts.push_back(place.substr(at, dot == std::string::npos ? dot : dot - at));
    at = dot == std::string::npos ? dot : dot + 1;
  }
  return parts;
}

}  // namespace

Waveform::Waveform(const std::string& file, const Plan& plan) : out_(file), plan_(plan), last_(plan.places.size()) {
  if (!out_) throw Error{"The waveform " + file + " cannot be written; name a file in a folder that is there."};
  declare();
}

void Waveform::declare() {
  out_ << "$timescale " << sc_core::sc_get_time_resolution().to_string() << " $end\n";
  std::vector<std::string> open;
  int variable = 0;
  for (const Place& place : plan_.places) {
    const std::vector<std::string> scopes = scopes_of(place.name);
    const auto [left, right] = std::mismatch(open.begin(), open.end(), scopes.begin(), scopes.end());
    for (auto closed = left; closed != open.end(); ++closed) out_ << "$upscope $end\n";
    for (auto opened = right; opened != scopes.end(); ++opened) out_ << "$scope module " << *opened << " $end\n";
    open = scopes;
    first_variable_.push_back(variable);
    for (const Field& field : place.fields) {
      out_ << "$var wire " << field.width << " " << identifier(variable++) << " " << field.name << " $end\n";
    }
  }
  for (std::size_t i = 0; i < open.size(); ++i) out_ << "$upscope $end\n";
  out_ << "$enddefinitions $end\n#0\n$dumpvars\n";
  for (int i = 0; i < variable; ++i) out_ << "bx " << identifier(i) << "\n";
  out_ << "$end\n";
}

void Waveform::write(const bus::Observation& observation) {
  changes_.push_back({observation.at.value(), observation.place, observation.bits.binary(0, observation.bits.width)});
}

void Waveform::flush() {
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& x, const Change& y) { return x.time < y.time; });
  for (const Change& change : changes_) put(change);
  changes_.clear();
}

void Waveform::put(const Change& change) {
  const auto place = static_cast<std::size_t>(change.place);
  if (last_[place] == change.bits) return;
  last_[place] = change.bits;
  if (change.time != now_) out_ << "#" << (now_ = change.time) << "\n";
  std::size_t from = 0;
  int variable = first_variable_[place];
  for (const Field& field : plan_.places.spot(change.place).place->fields) {
    out_ << "b" << std::string_view(change.bits).substr(from, static_cast<std::size_t>(field.width)) << " "
         << identifier(variable++) << "\n";
    from += static_cast<std::size_t>(field.width);
  }
}

bool Waveform::close() {
  flush();
  out_.close();
  return static_cast<bool>(out_);
}

}  // namespace assay
