// assay man: the manual page, from the same words as --help.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>

#include "sim/cli/command.hpp"

namespace assay {
namespace {

// Roff would make something else of these.
std::string roff_character(char c) {
  switch (c) {
    case '\\': return "\\e";
    case '-': return "\\-";
    case '\'': return "\\(aq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    default: return std::string(1, c);
  }
}

// One line of text, none of it a request: those begin with a dot or an apostrophe.
std::string roff_line(const std::string& line) {
  std::string text = !line.empty() && line[0] == '.' ? "\\&" : "";
  for (const char c : line) text += roff_character(c);
  return text;
}

std::string roff(const std::string& text) {
  std::string out;
  for (const std::string& line : CLI::detail::split(text, '\n')) out += (out.empty() ? "" : "\n") + roff_line(line);
  return out;
}

std::string as_it_stands(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

// "[FILE...]" or "FILE": a positional in a synopsis.
std::string positional(const CLI::Option& option) {
  const std::string name = option.get_single_name() + (option.get_items_expected_max() > 1 ? "..." : "");
  return option.get_required() ? name : "[" + name + "]";
}

std::string synopsis(const CLI::App& command, const std::string& name) {
  std::string text = name;
  for (const CLI::Option* option : command.get_options([](const CLI::Option* o) { return o->get_positional(); }))
    text += " " + positional(*option);
  return text;
}

std::string names(const CLI::Option& option) {
  return option.nonpositional() ? option.get_name(false, true) : option.get_single_name();
}

std::string option_entry(const CLI::Option& option) {
  std::string head = "\\fB" + roff_line(names(option)) + "\\fR";
  const bool takes_value = option.nonpositional() && option.get_items_expected_max() > 0;
  if (takes_value) head += " \\fI" + roff_line(option.get_type_name()) + "\\fR";
  if (!option.get_default_str().empty()) head += " (" + roff_line(option.get_default_str()) + ")";
  return ".TP\n" + head + "\n" + roff(option.get_description()) + "\n";
}

std::string options(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options({})) text += option_entry(*option);
  return text;
}

// The command and, after it, its own commands.
std::string command_section(const CLI::App& command, const std::string& name) {
  std::string text = ".SS " + roff_line(synopsis(command, name)) + "\n" + roff(command.get_description()) + "\n";
  text += options(command);
  if (!command.get_footer().empty()) text += ".PP\n" + as_it_stands(command.get_footer());
  for (const CLI::App* next : command.get_subcommands([](const CLI::App*) { return true; }))
    text += command_section(*next, name + " " + next->get_name());
  return text;
}

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(".TH ASSAY 1 \"\" \"assay {}\" \"User Commands\"\n", ASSAY_VERSION);
  text += ".SH NAME\nassay \\- a bit\\-accurate reference model of matrix\\-multiply units\n";
  text += ".SH SYNOPSIS\n.B assay\n\\fICOMMAND\\fR [\\fIoptions\\fR]\n";
  text += ".SH DESCRIPTION\n" + roff(app.get_description()) + "\n" + options(app);
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    text += command_section(*command, "assay " + command->get_name());
  text += ".SH EXIT STATUS AND FIRST STEPS\n" + as_it_stands(app.get_footer());
  text +=
      ".SH ENVIRONMENT\n"
      ".TP\n.B ASSAY_HOME\nthe folder that holds configs/, in place of the nearest share/assay above the program\n"
      ".TP\n.B ASSAY_CACHE\nthe folder, by its absolute path, that keeps what is built, in place of the next\n"
      ".TP\n.B XDG_CACHE_HOME\nin its folder assay what is built is kept, in place of ~/.cache/assay\n"
      ".TP\n.B ASSAY_CACHE_LIMIT\nhow much is kept, such as 5G or 500M, in place of 20G; none: without limit\n"
      ".TP\n.B VERILATOR_ROOT\nwhere it has a bin/verilator, that one, in place of the first on PATH\n"
      ".TP\n.B NO_COLOR\nno colour, also on a terminal\n";
  return text;
}

}  // namespace

void add_man(Command app, const Console& console, int&) {
  Command command = app.add_subcommand("man", "Writes the manual page, in roff.");
  command.footer("Example:  assay man | man -l -");
  command.callback([app, &console] { console.out << man_page(app.declared()); });
}

}  // namespace assay
