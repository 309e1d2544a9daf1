#include "tb/speed/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/base/error.hpp"
#include "model/base/files.hpp"

namespace assay::speed {
namespace {

std::optional<double> number_at(const nlohmann::json& row, const char* key) {
  const auto at = row.find(key);
  if (at == row.end() || !at->is_number()) return std::nullopt;
  const double value = at->get<double>();
  return value >= 0 && value < 1e30 ? std::optional(value) : std::nullopt;
}

std::string text_at(const nlohmann::json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : "";
}

std::optional<RecordedForm> form_of(const nlohmann::json& row) {
  if (!row.is_object()) return std::nullopt;
  RecordedForm form;
  form.name = text_at(row, row.contains("file") ? "file" : "instruction");
  form.size = static_cast<int>(number_at(row, "size").value_or(0));
  form.times = number_at(row, "times");
  form.noise = number_at(row, "noise");
  return form.name.empty() || form.size == 0 ? std::nullopt : std::optional(form);
}

// Two runs of one program differ by more than what either shows of itself: on a quiet machine 40 of 144 forms by up to
// 4 % more.
constexpr double between_runs = 0.05;

double noise_of(const RecordedForm& before, const RecordedForm& now) {
  return *before.noise + *now.noise + between_runs;
}

// Of the speed.
double change_in(const RecordedForm& before, const RecordedForm& now) { return *before.times / *now.times - 1; }

FormChange change_of(const RecordedForm& before, const RecordedForm& now) {
  FormChange changed{before, now, Change::unknown};
  if (!before.times || !now.times || !before.noise || !now.noise || *before.times == 0 || *now.times == 0)
    return changed;
  const double change = change_in(before, now), noise = noise_of(before, now);
  changed.change = change < -noise ? Change::slower : change > noise ? Change::faster : Change::none;
  return changed;
}

std::string ratio_text(const std::optional<double>& times) { return times ? fmt::format("1/{:.2f}", *times) : "-"; }

const char* change_text(Change change) {
  switch (change) {
    case Change::none: return "";
    case Change::slower: return "slower";
    case Change::faster: return "faster";
    case Change::unknown: return "measured too briefly, or without SGEMM";
  }
  return "";
}

std::string row_text(const FormChange& c, std::size_t width) {
  const bool known = c.change != Change::unknown;
  const std::string noise = known ? fmt::format("{:.0f} %", 100 * noise_of(c.before, c.now)) : "-";
  const std::string change = known ? fmt::format("{:+.0f} %", 100 * change_in(c.before, c.now)) : "-";
  std::string text = fmt::format("{:<{}} {:>8} {:>8} {:>7} {:>6}  {}", c.now.name, width, ratio_text(c.before.times),
                                 ratio_text(c.now.times), change, noise, change_text(c.change));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string others_text(const SpeedRecord& before, const SpeedRecord& now) {
  std::string text;
  if (before.machine != now.machine)
    text += fmt::format("The record is of another machine, {}; this one is {}.\n", before.machine, now.machine);
  if (before.instruction_set != now.instruction_set)
    text += fmt::format("The record is of {}; here it is {}.\n", before.instruction_set, now.instruction_set);
  return text;
}

}  // namespace

SpeedRecord record_of(const nlohmann::json& json) {
  SpeedRecord record{text_at(json, "machine"), text_at(json, "instruction_set"), text_at(json, "assay"), {}};
  for (const nlohmann::json& row : json.at("rows")) {
    if (auto form = form_of(row)) record.forms.push_back(*std::move(form));
  }
  return record;
}

SpeedRecord read_record(const std::string& file) {
  constexpr int most_mebibytes = 4;
  const auto json = nlohmann::json::parse(read_whole_file(file, most_mebibytes, "a record"), nullptr, false);
  if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array())
    throw Error{file + ": This is no record of speeds; assay bench --json writes one."};
  SpeedRecord record = record_of(json);
  if (record.forms.empty()) throw Error{file + ": This record has no row with a name and a size."};
  return record;
}

std::vector<FormChange> changes(const SpeedRecord& before, const SpeedRecord& now) {
  std::vector<FormChange> all;
  for (const RecordedForm& form : now.forms) {
    const auto old = std::find_if(before.forms.begin(), before.forms.end(),
                                  [&](const RecordedForm& f) { return f.name == form.name && f.size == form.size; });
    if (old != before.forms.end()) all.push_back(change_of(*old, form));
  }
  return all;
}

std::string changes_text(const SpeedRecord& before, const SpeedRecord& now, const std::vector<FormChange>& changes) {
  std::size_t width = std::string_view("form").size();
  for (const FormChange& c : changes) width = std::max(width, c.now.name.size());
  std::string text = others_text(before, now);
  text += fmt::format("{:<{}} {:>8} {:>8} {:>7} {:>6}\n", "form", width, "before", "now", "change", "noise");
  for (const FormChange& c : changes) text += row_text(c, width);
  const auto is = [&](Change change) {
    return std::count_if(changes.begin(), changes.end(), [&](const FormChange& c) { return c.change == change; });
  };
  text +=
      fmt::format("\nbefore and now: of SGEMM. {} forms: {} slower by more than the noise, {} faster, {} not known.\n",
                  changes.size(), is(Change::slower), is(Change::faster), is(Change::unknown));
  const auto left = [&](const SpeedRecord& record) { return record.forms.size() - changes.size(); };
  if (left(now) > 0) text += fmt::format("{} measured here are not in the record.\n", left(now));
  if (left(before) > 0) text += fmt::format("{} of the record were not measured here.\n", left(before));
  return text;
}

}  // namespace assay::speed
