// assay completion: what a shell sources so that the tab key knows Assay.
#include "sim/cli/completion.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>

#include "model/base/files.hpp"
#include "model/base/printable.hpp"
#include "model/base/text.hpp"
#include "sim/cli/export_model.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/explore/study.hpp"
#include "tb/export/export_format.hpp"
#include "tb/generate/families.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/levels.hpp"
#include "tb/import/recording.hpp"
#include "tb/machine/wave_instruction.hpp"
#include "tb/prove/proving.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// The words that are done, as the parser would see them.
struct Done {
  const CLI::App* command = nullptr;
  const CLI::Option* waiting = nullptr;           // an option whose value is next
  std::vector<std::string> positionals;           // of the command
  std::map<std::string, std::string> given = {};  // values of its options, by their long names

  bool has(const std::string& option) const { return given.count(option) != 0; }
};

const CLI::App* subcommand(const CLI::App& app, const std::string& name) {
  const auto found = app.get_subcommands([&](const CLI::App* a) { return a->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// "--nan=bits"
struct Assigned {
  const CLI::Option* option = nullptr;  // nullptr: the word is nothing of the kind
  std::string start, value;             // "--nan=", "bits"
};

Assigned assigned(const CLI::App& command, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (word.rfind("--", 0) != 0 || equals == std::string::npos) return {};
  const CLI::Option* option = command.get_option_no_throw(word.substr(0, equals));
  if (option == nullptr || !takes_value(*option)) return {};
  return {option, word.substr(0, equals + 1), word.substr(equals + 1)};
}

Done read_done(const CLI::App& app, const std::vector<std::string>& words) {
  Done done;
  done.command = &app;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (done.waiting != nullptr) {
      done.given[done.waiting->get_single_name()] = word;
      done.waiting = nullptr;
    } else if (const Assigned one = assigned(*done.command, word); one.option != nullptr) {
      done.given[one.option->get_single_name()] = one.value;
    } else if (word.size() > 1 && word[0] == '-') {
      const CLI::Option* option = done.command->get_option_no_throw(word);
      if (option != nullptr && takes_value(*option)) done.waiting = option;
    } else if (const CLI::App* next = subcommand(*done.command, word)) {
      done = {next, nullptr, {}, {}};
    } else {
      done.positionals.push_back(word);
    }
  }
  return done;
}

// The positional that a further word would be.
const CLI::Option* next_positional(const Done& done) {
  const auto all = done.command->get_options([](const CLI::Option* o) { return o->get_positional(); });
  if (done.positionals.size() < all.size()) return all[done.positionals.size()];
  return !all.empty() && all.back()->get_items_expected_max() > 1 ? all.back() : nullptr;
}

// --- values ---

std::vector<Candidate> architectures(const Catalogue& catalogue) {
  std::vector<Candidate> found;
  for (const Architecture& a : catalogue.architectures()) {
    found.push_back({a.name, a.about});
    for (const std::string& alias : a.aliases) found.push_back({alias, a.name});
  }
  return found;
}

std::vector<Candidate> instructions_of(const Catalogue& catalogue, const std::string& architecture) {
  std::vector<Candidate> found;
  for (const Instruction& i : catalogue.architecture(architecture).instructions) found.push_back({i.name, i.sass});
  return found;
}

bool begins(const std::string& text, const std::string& word) { return text.compare(0, word.size(), word) == 0; }

// Instructions that need no architecture before them. Where nothing is typed yet, they would only hide the others.
std::vector<Candidate> alone(const Catalogue& catalogue, const std::string& word) {
  std::vector<Candidate> found;
  if (word.empty()) return found;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (begins(i.name, word) && catalogue.named(i.name).size() == 1) found.push_back({i.name, i.architecture});
    }
  }
  return found;
}

std::vector<Candidate> joined(std::vector<Candidate> some, const std::vector<Candidate>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

std::vector<Candidate> instructions(const Catalogue& catalogue, const std::string& word) {
  std::vector<Candidate> found;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) found.push_back({i.full_name(), i.sass});
  }
  return joined(std::move(found), alone(catalogue, word));
}

bool takes(const CLI::App& command, const std::string& name) { return command.get_option_no_throw(name) != nullptr; }

// Files and folders that begin as `path` does, each after `kind`, a device's such as "rtl:".
std::vector<Candidate> files(const std::string& kind, const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  std::vector<Candidate> found;
  std::error_code error;
  for (const fs::path& entry : entries_of(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.filename().string();
    const bool is_plain = printable(name) == name && name.find_first_of("\n\t") == std::string::npos;
    if (is_plain) found.push_back({kind + folder + name + (fs::is_directory(entry, error) ? "/" : ""), ""});
  }
  return found;
}

std::vector<Candidate> listed(const DeviceKind& kind) {
  std::vector<Candidate> found;
  for (const std::string& argument : kind.can.arguments())
    found.push_back({std::string(kind.name) + ":" + argument, ""});
  return found;
}

// What a device's name begins with, each once: "model", "model:", "rtl:".
std::vector<Candidate> device_names() {
  std::vector<Candidate> found;
  for (const DeviceKind& kind : device_kinds()) {
    const std::string word = std::string(kind.name) + (kind.argument.empty() ? "" : ":");
    if (found.empty() || found.back().word != word) found.push_back({word, std::string(kind.about)});
  }
  return found;
}

std::vector<Candidate> devices(const std::string& word) {
  const std::size_t colon = word.find(':');
  for (const DeviceKind& kind : device_kinds()) {
    if (word.compare(0, colon, kind.name) != 0) continue;
    if (kind.argument_is == ArgumentIs::listed) return listed(kind);
    if (kind.argument_is == ArgumentIs::file && colon != std::string::npos)
      return files(word.substr(0, colon + 1), word.substr(colon + 1));
  }
  return device_names();
}

std::vector<Candidate> studies(const Catalogue& catalogue) {
  std::vector<Candidate> found;
  for (const std::string& name : study_names(catalogue)) found.push_back({name, "a study that is shipped"});
  return found;
}

Candidate named(const Family& family) { return {std::string(family.name), std::string(family.catches)}; }

// Those of the instruction that is named, where one is.
std::vector<Candidate> family_names(const Done& done, const Catalogue& catalogue) {
  std::vector<Candidate> found;
  if (const auto instruction = done.given.find("instruction"); instruction != done.given.end()) {
    const Plan plan = catalogue.plan_of(catalogue.instruction(instruction->second));
    const Generator generator(plan, 1);
    for (const Family* family : generator.families()) found.push_back(named(*family));
  } else {
    for (const Family& family : families()) found.push_back(named(family));
  }
  return found;
}

std::vector<Candidate> level_numbers() {
  std::vector<Candidate> found;
  for (const Level& level : levels()) found.push_back({std::to_string(level.number), grouped(level.cases) + " cases"});
  return found;
}

std::vector<Candidate> format_names_listed() {
  std::vector<Candidate> found;
  for (const Format& format : formats()) found.push_back({format.name, format.about});
  return found;
}

bool has_word(const std::vector<Candidate>& found, const std::string& word) {
  return std::any_of(found.begin(), found.end(), [&](const Candidate& c) { return c.word == word; });
}

// Of a model, of cases, or both where it is not known yet what is exported.
std::vector<Candidate> exports(const Done& done) {
  std::vector<Candidate> found;
  const bool of_model = done.has("instruction") || done.has("datapath");
  if (done.command->get_name() != "export" || !of_model) {
    for (const ExportFormat& format : export_formats())
      found.push_back({std::string(format.name), std::string(format.about)});
  }
  if (done.command->get_name() == "export" && done.positionals.empty()) {
    for (const auto& [name, about] : model_format_list()) {
      if (!has_word(found, name)) found.push_back({name, about});
    }
  }
  return found;
}

std::vector<Candidate> recordings() {
  std::vector<Candidate> found;
  for (const RecordingFormat* format : recording_formats()) found.push_back({format->name, format->about});
  return found;
}

// --- where a command takes fewer than an option of this name elsewhere ---

bool is_simulated(const std::string& device, const Catalogue&) {
  const auto& kinds = device_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const DeviceKind& kind) {
    return kind.can.bare != nullptr && begins(device, std::string(kind.name) + ":");
  });
}

bool has_wave(const std::string& name, const Catalogue& catalogue) try {
  const Instruction instruction = catalogue.instruction(name);
  if (machine::is_of_warpgroup(instruction))
    machine::warpgroup_instruction(catalogue, instruction, std::nullopt);
  else
    machine::wave_instruction(catalogue, instruction);
  return true;
} catch (const Error&) {
  return false;
}

struct Fewer {
  std::string_view command, option;
  bool (*takes)(const std::string& value, const Catalogue& catalogue);
};

constexpr Fewer fewer[] = {
    {"bench", "device", is_simulated},
    {"prove", "reference", [](const std::string& value, const Catalogue&) { return is_proofs_reference(value); }},
    {"wave", "instruction", has_wave},
};

bool is_taken(const std::string& value, const CLI::Option& option, const Done& done, const Catalogue& catalogue) {
  const std::string command = done.command->get_name(), name = option.get_single_name();
  return std::all_of(std::begin(fewer), std::end(fewer), [&](const Fewer& one) {
    return one.command != command || one.option != name || one.takes(value, catalogue);
  });
}

// The last word of a list with commas.
std::vector<Candidate> in_list(const std::string& word, std::vector<Candidate> found) {
  const std::string before = word.substr(0, word.rfind(',') + 1);
  for (Candidate& one : found) one.word = before + one.word;
  return found;
}

// What CLI::IsMember allows, from the type it shows: "TEXT:{bits,any}".
std::vector<Candidate> choices(const std::string& type) {
  const std::size_t open = type.find('{'), close = type.find('}');
  std::vector<Candidate> found;
  if (open == std::string::npos || close == std::string::npos) return found;
  for (const std::string& choice : CLI::detail::split(type.substr(open + 1, close - open - 1), ','))
    found.push_back({choice, ""});
  return found;
}

std::vector<Candidate> values_of(const CLI::Option& option, const Done& done, const std::string& word,
                                 const Catalogue& catalogue) {
  const std::string name = option.get_single_name();
  const bool whole = name == "INSTRUCTION" && !takes(*done.command, "ARCHITECTURE");
  if (name == "instruction" || whole) return instructions(catalogue, word);
  if (name == "device" || name == "reference") return devices(word);
  if (name == "ARCHITECTURE") {
    if (!takes(*done.command, "INSTRUCTION")) return architectures(catalogue);
    return joined(architectures(catalogue), alone(catalogue, word));
  }
  if (name == "STUDY") return studies(catalogue);
  if (name == "family") return family_names(done, catalogue);
  if (name == "level") return level_numbers();
  if (name == "to") return exports(done);
  if (name == "from" && done.command->get_name() == "import") return recordings();
  if (name == "format") return format_names_listed();
  if (name == "formats") return in_list(word, format_names_listed());
  if (name == "architectures") return in_list(word, architectures(catalogue));
  if (name == "INSTRUCTION" && !done.positionals.empty()) return instructions_of(catalogue, done.positionals.front());
  return choices(option.get_type_name());
}

std::vector<Candidate> values(const CLI::Option& option, const Done& done, const std::string& word,
                              const Catalogue& catalogue) {
  std::vector<Candidate> found = values_of(option, done, word, catalogue);
  const auto unfit = [&](const Candidate& c) {
    return !begins(c.word, word) || !is_taken(c.word, option, done, catalogue);
  };
  found.erase(std::remove_if(found.begin(), found.end(), unfit), found.end());
  return found;
}

// --- names ---

// Each option by its long name where it has one.
std::vector<Candidate> options(const CLI::App& command) {
  std::vector<Candidate> found;
  for (const CLI::Option* option : command.get_options([](const CLI::Option* o) { return o->nonpositional(); })) {
    const bool is_long = !option->get_lnames().empty();
    found.push_back({is_long ? "--" + option->get_lnames().front() : "-" + option->get_snames().front(),
                     option->get_description()});
  }
  return found;
}

std::vector<Candidate> subcommands(const CLI::App& command) {
  std::vector<Candidate> found;
  for (const CLI::App* next : command.get_subcommands([](const CLI::App*) { return true; }))
    found.push_back({next->get_name(), next->get_description()});
  return found;
}

// Bash hands the colon of rtl:FILE and the = of --nan=bits to readline as ends of a word, so only what follows the last
// one is replaced.
// What is put on the line is quoted, as a file's name may be a command; `read` takes the quotes of what is there away.
constexpr const char* bash_script = R"(# Completion of assay for bash:  source <(assay completion bash)
_assay() {
  local line=${COMP_LINE:0:COMP_POINT} kept='' breaks='' words
  read -a words <<<"$line"
  [[ $line == *[[:space:]] && $line != *\\[[:space:]] ]] && words+=('')
  local last=${words[${#words[@]} - 1]}
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
  [[ -n $breaks ]] && kept=${last%"${last##*[$breaks]}"}
  mapfile -t COMPREPLY < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null | cut -f1)
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:/] ]] && compopt -o nospace 2>/dev/null
  local i
  for i in "${!COMPREPLY[@]}"; do printf -v "COMPREPLY[i]" %q "${COMPREPLY[i]}"; done
  return 0
}
complete -o default -F _assay assay
)";

constexpr const char* zsh_script = R"(#compdef assay
# Completion of assay for zsh:  source <(assay completion zsh)
_assay() {
  local word about
  local -a found
  while IFS=$'\t' read -r word about; do
    word=${word//\\/\\\\}
    found+=("${word//:/\\:}:$about")
  done < <("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe assay found; else _files; fi
}
if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay assay; fi
)";

constexpr const char* fish_script = R"(# Completion of assay for fish:  assay completion fish | source
function __assay_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] __complete $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c assay -f -a '(__assay_complete)'
)";

}  // namespace

std::vector<Candidate> candidates(const CLI::App& app, const std::vector<std::string>& words,
                                  const Catalogue& catalogue) {
  const std::string& last = words.back();
  const Done done = read_done(app, words);
  std::vector<Candidate> all;
  if (done.waiting != nullptr) {
    all = values(*done.waiting, done, last, catalogue);
  } else if (const Assigned one = assigned(*done.command, last); one.option != nullptr) {
    all = values(*one.option, done, one.value, catalogue);
    for (Candidate& c : all) c.word = one.start + c.word;
  } else if (!last.empty() && last[0] == '-') {
    all = options(*done.command);
  } else {
    all = subcommands(*done.command);
    if (const CLI::Option* next = next_positional(done)) {
      all = joined(std::move(all), values(*next, done, last, catalogue));
    }
  }
  const auto other = [&](const Candidate& c) { return !begins(c.word, last); };
  all.erase(std::remove_if(all.begin(), all.end(), other), all.end());
  return all;
}

// Errors are not shown: nobody wants a message for pressing the tab key.
void print_candidates(const CLI::App& app, const std::vector<std::string>& words, const Console& console) try {
  if (words.empty()) return;
  for (const Candidate& c : candidates(app, words, shipped_catalogue()))
    console.out << c.word << "\t" << c.about << "\n";
} catch (const Error&) {
}

void add_completion(Command app, const Console& console, int&) {
  auto shell = std::make_shared<std::string>();
  Command command = app.add_subcommand("completion", "Writes what a shell sources to complete commands and names.");
  command.footer(
      "Examples:  source <(assay completion bash)\n"
      "           assay completion fish > ~/.config/fish/completions/assay.fish");
  command.add_option("SHELL", *shell, "The shell").required().one_of({"bash", "zsh", "fish"});
  command.callback([shell, &console] {
    console.out << (*shell == "bash" ? bash_script : *shell == "zsh" ? zsh_script : fish_script);
  });
}

}  // namespace assay
