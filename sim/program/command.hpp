// What a command declares: options, flags, and commands below it. CLI11 reads the command line; its header takes a
// compiler four seconds in each file, so only who reads declarations (help, the manual page, the tab key) includes it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace assay {

// An option of a command; the command owns it.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option& option) : option_(&option) {}

  CommandOption& required();
  CommandOption& shows_default();
  CommandOption& delimiter(char between);  // of a list in one word
  CommandOption& one_each();               // of a list: one word each time it is given
  CommandOption& one_of(const std::vector<std::string>& words);
  CommandOption& excludes(const CommandOption& other);
  CommandOption& needs(const CommandOption& other);

  bool is_given() const;
  std::string name() const;  // "--cases"

 private:
  CLI::Option* option_;
};

// A command; its program owns it.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add_subcommand(const std::string& name, const std::string& about);
  void footer(const std::string& text);
  void callback(std::function<void()> run);
  void require_subcommand();

  // `name` of a positional has no dashes.
  CommandOption add_option(const std::string& name, std::string& into, const std::string& help);
  CommandOption add_option(const std::string& name, std::vector<std::string>& into, const std::string& help);
  CommandOption add_flag(const std::string& name, bool& into, const std::string& help);
  // Its words go to `take`; `shown` gives its default, where help is to show one.
  CommandOption add_words(const std::string& name, const std::string& help, const std::string& type,
                          std::function<void(const std::vector<std::string>&)> take,
                          std::function<std::string()> shown);

  CommandOption option(const std::string& name) const;  // one that was added
  std::vector<CommandOption> options() const;
  const CLI::App& declared() const { return *app_; }  // for who includes CLI11

 private:
  CLI::App* app_;
};

}  // namespace assay
