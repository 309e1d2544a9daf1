#include "sim/program/command.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace assay {

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

void Command::callback(std::function<void()> run) { app_->callback(std::move(run)); }

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
