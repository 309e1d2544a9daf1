#include "sim/platform/waveform.hpp"

#include <algorithm>

#include "sim/platform/vcd.hpp"
#include "tb/devices/device.hpp"

namespace assay {
Waveform::Waveform(const std::string& file, const Plan& plan) : out_(file), plan_(plan), last_(plan.places.size()) {
  if (!out_) throw Error{"The waveform " + file + " cannot be written; name a file in a folder that is there."};
  declare();
}

void Waveform::declare() {
  out_ << "$timescale " << sc_core::sc_get_time_resolution().to_string() << " $end\n";
  std::vector<std::string> open;
  int variable = 0;
  for (const Place& place : plan_.places) {
    vcd_enter(out_, open, vcd_scopes(place.name));
    first_variable_.push_back(variable);
    for (const Field& field : place.fields) {
      out_ << "$var wire " << field.width << " " << vcd_identifier(variable++) << " " << field.name << " $end\n";
    }
  }
  vcd_enter(out_, open, {});
  out_ << "$enddefinitions $end\n#0\n$dumpvars\n";
  for (int i = 0; i < variable; ++i) out_ << "bx " << vcd_identifier(i) << "\n";
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
         << vcd_identifier(variable++) << "\n";
    from += static_cast<std::size_t>(field.width);
  }
}

bool Waveform::close() {
  flush();
  out_.close();
  return static_cast<bool>(out_);
}

}  // namespace assay
