#include "tb/browser/explorer_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/base/files.hpp"
#include "model/base/text.hpp"
#include "model/config/datapath_text.hpp"
#include "model/config/home.hpp"
#include "tb/browser/operands.hpp"
#include "tb/explain/numbers.hpp"

namespace assay::browser {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t most_megabytes = 16;

// share/assay-pages/explorer.html in the nearest folder above this code or the program.
std::string page_file() {
  for (const fs::path& file : own_files()) {
    for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
      const fs::path page = folder.parent_path() / "share" / "assay-pages" / "explorer.html";
      std::error_code ignored;
      if (fs::exists(page, ignored)) return page.string();
    }
  }
  throw Error{
      "The explorer page was not built with this program, since there was no Emscripten: scripts/setup --page installs "
      "it, and scripts/build makes the page.",
      Ending::not_here};
}

Json unit_json(const Plan& plan, const Subject& subject) {
  if (subject.instruction && &plan == &subject.plan) return {{"instruction", subject.name}};
  return {{"text", yaml_text(plan.datapath, plan.k)}};
}

}  // namespace

Json first_state(const Subject& subject, const explain::Question& question) {
  return {{"units", Json::array({unit_json(subject.plan, subject)})},
          {"operands", short_operands(subject.plan, question.one)}};
}

Json first_state(const Subject& subject, const explain::Explanation& e) {
  Json state = first_state(subject, e.question);
  if (!e.sides) return state;
  const explain::Answered& device = e.sides->device;
  if (e.sides->reference.plan.get() != &subject.plan && e.sides->reference.has_stages())
    state["units"][0] = unit_json(*e.sides->reference.plan, subject);
  if (device.has_stages()) {
    state["units"].push_back(unit_json(*device.plan, subject));
  } else if (device.answer.ok()) {
    state["d"] = explain::hex_text(device.answer.d, subject.plan.d);
    state["by"] = device.name;
  }
  return state;
}

// As the page writes it: all but these characters as their bytes.
std::string address_word(const std::string& text) {
  constexpr std::string_view plain = "-_.~:,=[]*";
  std::string word;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || plain.find(c) != std::string_view::npos) {
      word += c;
    } else {
      word += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return word;
}

std::string address_of(const Json& state) {
  std::string address;
  const auto add = [&](const std::string& name, const std::string& text) {
    address += (address.empty() ? "#" : "&") + address_word(name) + "=" + address_word(text);
  };
  for (std::size_t i = 0; i < state["units"].size(); ++i) {
    const Json& unit = state["units"][i];
    const std::string which = i == 0 ? "" : "2";
    if (unit.contains("text")) add("text" + which, unit["text"].get<std::string>());
    if (unit.contains("instruction")) add("unit" + which, unit["instruction"].get<std::string>());
  }
  for (auto list = state["operands"].begin(); list != state["operands"].end(); ++list)
    add(list.key(), joined(list->get<std::vector<std::string>>(), ","));
  for (const char* name : {"at", "d", "by"}) {
    if (state.contains(name)) add(name, state[name].get<std::string>());
  }
  return address;
}

std::string explorer_html(const Json& state) {
  std::string page = read_whole_file(page_file(), most_megabytes, "the explorer page");
  if (state.is_null()) return page;
  const std::string begin = "<script type=\"application/json\" id=\"case\">";
  const std::size_t from = page.find(begin) + begin.size();
  std::string text = state.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
    text.replace(at, 1, "\\u003c");
  return page.replace(from, page.find("</script>", from) - from, text);
}

}  // namespace assay::browser
