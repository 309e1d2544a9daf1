// assay-capture: vector files through the GPU of this machine, and the source of the kernels that takes.
#include <ctime>
#include <exception>
#include <iostream>
#include <map>

#include "scripts/capture/capture.hpp"
#include "scripts/capture/kernels.hpp"
#include "scripts/capture/serve.hpp"
#include "tb/devices/serve.hpp"

namespace assay::capture {
namespace {

enum Status : int { passed = 0, wrong_use = 2, cannot_here = 4 };

constexpr const char* usage =
    "assay-capture COMMAND --targets FILE [options]\n"
    "  list [TARGET]           the targets; or the instructions of one\n"
    "  emit TARGET             the source of its kernels\n"
    "  here --kernels FOLDER   which target this machine's GPU is\n"
    "  run FILE -o OUT --kernels FOLDER\n"
    "                          the cases of FILE with the GPU's d\n"
    "  serve --kernels FOLDER [--instruction ARCHITECTURE:NAME]\n"
    "                          this machine's GPU as a device of Assay: exec:'assay-capture serve ..'; with\n"
    "                          --instruction it executes that one, whatever it is asked for\n"
    "Exit status: 0 done; 2 wrong use or unreadable file; 4 not on this machine.\n";

struct Arguments {
  std::vector<std::string> words;
  std::map<std::string, std::string> options;
};

Arguments read_arguments(int argc, char** argv) {
  Arguments found;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.size() < 2 || word[0] != '-') {
      found.words.push_back(word);
    } else if (word != "--targets" && word != "--kernels" && word != "--instruction" && word != "-o") {
      throw Error{"'" + word + "' is no option; there are --targets, --kernels, --instruction and -o."};
    } else if (i + 1 == argc) {
      throw Error{word + " takes a value."};
    } else {
      found.options[word] = argv[++i];
    }
  }
  return found;
}

std::string needed(const Arguments& arguments, const std::string& option) {
  const auto found = arguments.options.find(option);
  if (found == arguments.options.end()) throw Error{option + " is missing.\n" + usage};
  return found->second;
}

const Target& target_named(const std::vector<Target>& targets, const std::string& name) {
  std::string names;
  for (const Target& target : targets) {
    if (target.name == name || target.architecture == name) return target;
    names += (names.empty() ? "" : ", ") + target.name;
  }
  throw Error{"There is no target '" + name + "'; there are " + names + "."};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

void list(const std::vector<Target>& targets, const Arguments& arguments) {
  if (arguments.words.size() > 1) {
    for (const std::string& name : target_named(targets, arguments.words[1]).instructions) std::cout << name << "\n";
    return;
  }
  for (const Target& target : targets) {
    std::cout << target.name << " " << target.architecture << " " << target.toolkit << " " << target.instructions.size()
              << " instructions\n";
  }
}

// What lies on a GPU, or the lack of one, is not to be had here.
std::unique_ptr<Unit> unit_for(const std::vector<Target>& targets, const Header& header, const std::string& kernels) {
  const Target& target = target_named(targets, header.architecture);
  for (const std::string& instruction : target.instructions) {
    if (instruction != header.instruction) continue;
    try {
      return open_gpu(target, kernels);
    } catch (const Error& error) {
      throw Error{error.message, Ending::not_here};
    }
  }
  throw Error{"There is no kernel for " + header.architecture + ":" + header.instruction + "; `assay-capture list " +
                  target.name + "` shows those there are.",
              Ending::not_here};
}

void run(const std::vector<Target>& targets, const Arguments& arguments) {
  if (arguments.words.size() != 2) throw Error{std::string("run takes one FILE.\n") + usage};
  const Task task{arguments.words[1], needed(arguments, "-o"), today()};
  const std::string kernels = needed(arguments, "--kernels");
  const Done done = capture(task, [&](const Header& header) { return unit_for(targets, header, kernels); });
  std::cout << task.to << ": " << done.cases << " cases";
  if (done.resumed > 0) std::cout << ", " << done.resumed << " of them captured before";
  std::cout << "\n";
}

// The GPU of this machine; the lack of one is a matter of the machine.
Here gpu_here(const std::vector<Target>& targets, const std::string& kernels) {
  try {
    return open_here(targets, kernels);
  } catch (const Error& error) {
    throw Error{error.message, Ending::not_here};
  }
}

int serve_here(const std::vector<Target>& targets, const Arguments& arguments) {
  const Here here = gpu_here(targets, needed(arguments, "--kernels"));
  const auto instruction = arguments.options.find("--instruction");
  const std::string fixed = instruction == arguments.options.end() ? "" : instruction->second;
  return serve({*here.unit, *here.target, fixed}, STDIN_FILENO, claim_stdout());
}

int command(const Arguments& arguments) {
  const std::string name = arguments.words.empty() ? "" : arguments.words[0];
  if (name == "help" || name.empty()) {
    std::cout << usage;
    return name.empty() ? wrong_use : passed;
  }
  const std::vector<Target> targets = read_targets(needed(arguments, "--targets"));
  if (name == "list") {
    list(targets, arguments);
  } else if (name == "emit" && arguments.words.size() == 2) {
    std::cout << kernel_source(target_named(targets, arguments.words[1]));
  } else if (name == "here") {
    const Here here = gpu_here(targets, needed(arguments, "--kernels"));
    std::cout << here.target->name << " " << here.target->architecture << "\n";
  } else if (name == "serve" && arguments.words.size() == 1) {
    return serve_here(targets, arguments);
  } else if (name == "run") {
    run(targets, arguments);
  } else {
    throw Error{std::string("This is no command.\n") + usage};
  }
  return passed;
}

}  // namespace
}  // namespace assay::capture

int main(int argc, char** argv) {
  using namespace assay::capture;
  try {
    return command(read_arguments(argc, argv));
  } catch (const assay::Error& error) {
    std::cerr << "assay-capture: " << error.message << "\n";
    return error.ending == assay::Ending::not_here ? cannot_here : wrong_use;
  } catch (const std::exception& error) {
    std::cerr << "assay-capture: " << error.what() << "\n";
    return wrong_use;
  }
}
