#include "sim/program/command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "model/base/error.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// What every command calls an option whose word is a file that it writes.
const std::set<std::string> writing{"--html", "--junit", "--next", "--output", "--sheet", "--svg", "--wave"};

struct NamedFile {
  std::string option, word;
  fs::path path;
};

bool is_written(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  return std::any_of(names.begin(), names.end(), [](const std::string& n) { return writing.count("--" + n) != 0; });
}

std::string name_of(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
}

NamedFile file_in(const CLI::Option& option, const std::string& word, const std::string& path) {
  return {name_of(option), word, fs::path(path).lexically_normal()};
}

bool are_one(const NamedFile& x, const NamedFile& y) {
  std::error_code none;
  return x.path == y.path || fs::equivalent(x.path, y.path, none);
}

// Words of options that write, or of all others. Devices name their file behind a colon: vectors:recorded.jsonl.
std::vector<NamedFile> files_of(const CLI::App& app, bool written) {
  std::vector<NamedFile> files;
  for (const CLI::Option* option : app.get_options()) {
    if (is_written(*option) != written) continue;
    for (const std::string& word : option->results()) {
      if (word == "-") continue;
      files.push_back(file_in(*option, word, word));
      if (const std::size_t colon = word.find(':'); !written && colon != word.npos)
        files.push_back(file_in(*option, word, word.substr(colon + 1)));
    }
  }
  return files;
}

// A file that is written must be no other's: a report over its own recording would leave no recording.
void refuse_shared_files(const CLI::App& app) {
  const std::vector<NamedFile> written = files_of(app, true), read = files_of(app, false);
  for (auto one = written.begin(); one != written.end(); ++one) {
    const auto is_one = [&](const NamedFile& other) { return are_one(*one, other); };
    if (const auto other = std::find_if(written.begin(), one, is_one); other != one)
      throw Error{other->option + " and " + one->option + " name the same file, " + one->word + "; give each its own."};
    std::error_code none;
    if (fs::is_regular_file(one->path, none) && std::any_of(read.begin(), read.end(), is_one))
      throw Error{one->option + " would write over " + one->word + ", which is read, too; name another file."};
  }
}

}  // namespace

CommandOption& CommandOption::required() {
  option_->required();
  return *this;
}

CommandOption& CommandOption::shows_default() {
  option_->capture_default_str();
  return *this;
}

CommandOption& CommandOption::delimiter(char between) {
  option_->delimiter(between);
  return *this;
}

CommandOption& CommandOption::one_each() {
  option_->allow_extra_args(false);
  return *this;
}

CommandOption& CommandOption::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

CommandOption& CommandOption::excludes(const CommandOption& other) {
  option_->excludes(other.option_);
  return *this;
}

CommandOption& CommandOption::needs(const CommandOption& other) {
  option_->needs(other.option_);
  return *this;
}

bool CommandOption::is_given() const { return option_->count() != 0; }

std::string CommandOption::name() const { return option_->get_name(); }

Command Command::add_subcommand(const std::string& name, const std::string& about) {
  return Command(*app_->add_subcommand(name, about));
}

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::callback(std::function<void()> run) {
  app_->callback([app = app_, run = std::move(run)] {
    refuse_shared_files(*app);
    run();
  });
}

void Command::require_subcommand() { app_->require_subcommand(1); }

CommandOption Command::add_option(const std::string& name, std::string& into, const std::string& help) {
  CLI::Option* const option = app_->add_option(name, into, help);
  // Most times a variable of a shell that is not set.
  if (name.front() == '-')
    option->check([](const std::string& word) { return word.empty() ? "the word after it is empty" : std::string(); });
  return CommandOption(*option);
}

CommandOption Command::add_option(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  return CommandOption(*app_->add_option(name, into, help));
}

CommandOption Command::add_flag(const std::string& name, bool& into, const std::string& help) {
  return CommandOption(*app_->add_flag(name, into, help));
}

CommandOption Command::add_words(const std::string& name, const std::string& help, const std::string& type,
                                 std::function<void(const std::vector<std::string>&)> take,
                                 std::function<std::string()> shown) {
  const auto taken = [take = std::move(take)](const CLI::results_t& words) {
    take(words);
    return true;
  };
  return CommandOption(*app_->add_option(name, taken, help, false, std::move(shown))->type_name(type));
}

CommandOption Command::option(const std::string& name) const { return CommandOption(*app_->get_option(name)); }

std::vector<CommandOption> Command::options() const {
  std::vector<CommandOption> all;
  for (CLI::Option* option : app_->get_options()) all.emplace_back(*option);
  return all;
}

}  // namespace assay
