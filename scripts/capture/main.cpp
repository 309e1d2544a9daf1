// assay-capture: vector files through the GPU of this machine, and the source of the kernels that takes.
#include <charconv>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>

#include "model/base/json.hpp"
#include "scripts/capture/capture.hpp"
#include "scripts/capture/kernels.hpp"
#include "scripts/capture/serve.hpp"
#include "scripts/capture/sweep.hpp"
#include "tb/devices/serve.hpp"

namespace assay::capture {
namespace {

enum Status : int { passed = 0, differs = 1, wrong_use = 2, cannot_here = 4 };

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
    "  sweep UNIT INSTRUCTION.. --kernels FOLDER [--every | --every-c] [--cases N] [--seconds N] [--seed N] [-o "
    "FOLDER]\n"
    "                          random cases by the thousand million: the GPU's d held to the model's on the GPU "
    "itself,\n"
    "                          as scripts/capture/sweep compiled it into UNIT; -o keeps cases that differ\n"
    "Exit status: 0 done; 1 a sweep found a difference; 2 wrong use or unreadable file; 4 not on this machine.\n";

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
    } else if (word == "--every" || word == "--every-c") {
      found.options[word] = "yes";
    } else if (word != "--targets" && word != "--kernels" && word != "--instruction" && word != "-o" &&
               word != "--cases" && word != "--seconds" && word != "--seed") {
      throw Error{"'" + word +
                  "' is no option; there are --targets, --kernels, --instruction, --every, --every-c, --cases, "
                  "--seconds, --seed and -o."};
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

std::uint64_t number(const Arguments& arguments, const std::string& option, std::uint64_t otherwise) {
  const auto found = arguments.options.find(option);
  if (found == arguments.options.end()) return otherwise;
  const std::string& text = found->second;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw Error{option + " takes a whole number, not '" + text + "'."};
  return value;
}

// Whatever differs, as a vector file in `folder`.
void keep(const Swept& swept, const SweepTask& task, const Target& target, const std::string& device,
          const std::string& folder) {
  const char* pass = task.every == Every::none ? "" : task.every == Every::pair ? "_every" : "_every_c";
  const std::string file = folder + "/" + kernel_name(task.instruction) + pass + ".jsonl";
  std::ofstream out(file);
  out << R"({"assay":1,"architecture":)" << json_string(target.architecture) << R"(,"instruction":)"
      << json_string(task.instruction) << R"(,"provenance":{"device":)" << json_string(device) << R"(,"date":)"
      << json_string(today()) << "}}\n";
  for (const std::string& line : swept.lines) out << line << "\n";
  if (!out.flush()) throw Error{file + " cannot be written."};
}

bool sweep_all(const std::vector<Target>& targets, const Arguments& arguments) {
  if (arguments.words.size() < 3) throw Error{std::string("sweep takes a UNIT and INSTRUCTIONs.\n") + usage};
  const std::string kernels = needed(arguments, "--kernels");
  const Target target = *gpu_here(targets, kernels).target;
  const std::unique_ptr<Accelerator> accelerator = open_accelerator(target, kernels, arguments.words[1]);
  const auto folder = arguments.options.find("-o");
  bool same = true;
  for (std::size_t i = 2; i < arguments.words.size(); ++i) {
    SweepTask task;
    task.instruction = arguments.words[i];
    if (arguments.options.count("--every") != 0) task.every = Every::pair;
    if (arguments.options.count("--every-c") != 0) task.every = Every::one_with_c;
    task.cases = number(arguments, "--cases", task.every == Every::none ? 1000000000 : std::uint64_t{1} << 32);
    task.seconds = static_cast<double>(number(arguments, "--seconds", 0));
    task.seed = number(arguments, "--seed", 1);
    if (!fits(Tiling(task.instruction).shape(), task.every)) continue;  // too many codes to sweep all of them
    const Swept swept = sweep(*accelerator, task);
    std::printf("%-46s %15llu cases  %12llu differ  %8.2f s\n", task.instruction.c_str(),
                static_cast<unsigned long long>(swept.cases), static_cast<unsigned long long>(swept.differing),
                swept.seconds);
    std::fflush(stdout);
    same = same && swept.differing == 0;
    if (swept.differing > 0 && folder != arguments.options.end())
      keep(swept, task, target, accelerator->device(), folder->second);
  }
  return same;
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
  } else if (name == "sweep") {
    return sweep_all(targets, arguments) ? passed : differs;
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
