#include "tb/devices/rtl/build.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

#include "model/config/home.hpp"
#include "model/config/yaml.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/glue.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/devices/rtl/run_program.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int cannot_here = 4;  // exit status: this machine lacks something

// --- what a build depends on ---

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The C++ that every such program includes, below `home`.
std::vector<fs::path> harness_headers(const fs::path& home) {
  std::vector<fs::path> files{home / "tb/devices/serve.hpp", home / "tb/devices/rtl/harness.hpp",
                              home / "tb/devices/rtl/clocked.hpp"};
  for (const fs::path& path : files_in(home / "tb/vectors")) {
    if (path.extension() == ".hpp") files.push_back(path);
  }
  return files;
}

// " (Permission denied)", where it is not just that there is nothing of the name.
std::string because(const std::error_code& error) {
  return error && error != std::errc::no_such_file_or_directory ? " (" + error.message() + ")" : "";
}

void check_files(const Dut& dut) {
  std::error_code error;
  for (const std::string& source : dut.sources) {
    if (!fs::is_regular_file(source, error))
      throw DeviceError{dut.file + ": sources: there is no file " + source + because(error) + "."};
  }
  for (const std::string& folder : dut.include_dirs) {
    if (!fs::is_directory(folder, error))
      throw DeviceError{dut.file + ": include_dirs: there is no folder " + folder + because(error) + "."};
  }
}

// Sources and what they are read with.
void add_sources(const Dut& dut, std::vector<std::string>& command) {
  for (const auto& [name, value] : dut.parameters) command.push_back("-G" + name + "=" + value);
  for (const auto& [name, value] : dut.defines) command.push_back("-D" + name + "=" + value);
  for (const std::string& folder : dut.include_dirs) command.push_back("-I" + folder);
  command.insert(command.end(), dut.options.begin(), dut.options.end());
  command.insert(command.end(), dut.sources.begin(), dut.sources.end());
}

// What is to be built.
struct Order {
  const Dut& dut;
  const Claim& claim;
  const Plan& plan;
  bool waves;

  std::string glue() const { return glue_text(dut, claim, plan, waves); }
};

std::vector<std::string> verilator_command(const Dut& dut, bool waves) {
  // Two-state: what Verilog leaves unknown becomes random, so that a missing reset shows.
  std::vector<std::string> command{"verilator",    "--cc",   "--exe",       "-O3",     "--no-timing",
                                   "--x-assign",   "unique", "--x-initial", "unique",  "--prefix",
                                   "Vdut",         "-o",     "device",      "-CFLAGS", "-std=c++17 -ffp-contract=off",
                                   "--top-module", dut.top};
  if (waves) command.emplace_back("--trace-fst");
  add_sources(dut, command);
  return command;
}

// Everything that Verilator may read of the DUT, paths of what is found by folder among it.
std::vector<std::string> source_texts(const Dut& dut) {
  std::vector<std::string> texts;
  for (const std::string& source : dut.sources) texts.push_back(file_text(source));
  for (const std::string& folder : dut.include_dirs) {
    for (const fs::path& path : files_in(folder)) texts.insert(texts.end(), {path.string(), file_text(path)});
  }
  return texts;
}

std::string content_hash(const Order& order, const std::string& version, const fs::path& home) {
  std::vector<std::string> texts = source_texts(order.dut);
  texts.insert(texts.end(), {version, order.glue()});
  for (const std::string& word : verilator_command(order.dut, order.waves)) texts.push_back(word);
  for (const fs::path& path : harness_headers(home)) texts.push_back(file_text(path));
  return sha256_of_all(texts);
}

// --- building ---

// The first line of a log that says what is wrong.
std::string first_error(const fs::path& log) {
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    for (const char* mark : {"%Error", "%Warning", "error:", "Error "}) {
      if (line.find(mark) != std::string::npos) return line;
    }
  }
  return "it does not say why";
}

class Build {
 public:
  Build(const Order& order, const fs::path& folder, const fs::path& home)
      : order_(order), folder_(folder), objects_(folder / "objects"), log_(folder / "build.log"), home_(home) {}

  void run() const {
    fs::remove_all(objects_);
    fs::remove(log_);
    fs::create_directories(objects_);
    const fs::path glue = objects_ / "glue.cpp";
    put_file_text(glue, order_.glue());
    std::vector<std::string> command = verilator_command(order_.dut, order_.waves);
    for (const std::string& word : {std::string("-Mdir"), objects_.string(), glue.string()}) command.push_back(word);
    step(command, "Verilator cannot read this RTL");
    check_ports(order_.dut, order_.claim, order_.plan, read_ports(file_text(objects_ / "Vdut.h")));
    step({"make", "-s", "-j2", "-C", objects_.string(), "-f", "Vdut.mk", "OPT_FAST=-O2", "OPT_GLOBAL=-O2",
          "OBJCACHE=" + object_cache()},
         "The C++ that Verilator wrote cannot be built");
    fs::rename(objects_ / "Vdut.h", folder_ / "Vdut.h");  // which held_arguments reads
    fs::rename(objects_ / "device", folder_ / "device");  // last, so that a device that is there is whole
    fs::remove_all(objects_);
  }

 private:
  void step(const std::vector<std::string>& command, const std::string& complaint) const {
    const int status = run_program(command, log_.string(), {"CPLUS_INCLUDE_PATH=" + home_.string()});
    if (status == 0) return;
    if (status == not_started) throw DeviceError{command.front() + " cannot be started; is it installed?", cannot_here};
    throw DeviceError{order_.dut.file + ": " + complaint + ": " + first_error(log_) +
                      " (the whole log: " + log_.string() + ")."};
  }

  std::string object_cache() const { return run_program({"ccache", "--version"}, "/dev/null") == 0 ? "ccache" : ""; }

  const Order order_;
  fs::path folder_, objects_, log_, home_;
};

std::string verilator_version(const fs::path& cache) {
  fs::create_directories(cache);
  const fs::path answer = cache / ("version." + std::to_string(getpid()));
  const int status = run_program({"verilator", "--version"}, answer.string());
  const std::string version = status == 0 ? file_text(answer) : "";
  fs::remove(answer);
  if (version.empty())
    throw DeviceError{
        "Verilator is not installed here, and RTL needs it: install the package verilator (5.006 or later).",
        cannot_here};
  return version;
}

}  // namespace

std::string build_rtl(const Dut& dut, const Claim& claim, const Plan& plan, std::ostream* progress, bool waves) try {
  const Order order{dut, claim, plan, waves};
  check_files(dut);
  const fs::path cache = cache_folder("rtl");
  const std::string version = verilator_version(cache);
  const fs::path sources = home();
  const fs::path folder = cache / content_hash(order, version, sources);
  fs::create_directories(folder);
  const fs::path program = folder / "device";
  const FileLock lock(folder / "lock");
  if (!fs::exists(program)) {
    if (progress != nullptr) *progress << "Building " << dut.top << " with Verilator (once; it is kept)." << std::endl;
    Build(order, folder, sources).run();
  }
  return program.string();
} catch (const fs::filesystem_error& error) {
  throw DeviceError{std::string("The RTL cannot be built: ") + error.what() + "."};
} catch (const ConfigError& error) {
  throw DeviceError{error.message};
}

namespace {

// A folder below the cache for what is looked at once.
class Scratch {
 public:
  Scratch() : path_(cache_folder("rtl") / ("scratch." + std::to_string(getpid()))) { fs::create_directories(path_); }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

int run_verilator(const std::vector<std::string>& command, const fs::path& log) {
  const int status = run_program(command, log.string());
  if (status == not_started) verilator_version(cache_folder("rtl"));
  return status;
}

}  // namespace

std::vector<std::string> held_arguments(const Dut& dut, const Claim& claim, const std::string& program,
                                        const std::vector<PortConstant>& held) {
  if (held.empty()) return {};
  check_held(dut, claim, held, read_ports(file_text(fs::path(program).parent_path() / "Vdut.h")));
  std::vector<std::string> arguments;
  for (const PortConstant& h : held) {
    std::ostringstream value;
    value << std::hex << h.value;
    arguments.insert(arguments.end(), {h.port, value.str()});
  }
  return arguments;
}

std::string rtl_sha256(const Dut& dut) {
  check_files(dut);
  std::vector<std::string> texts = source_texts(dut);
  texts.push_back(file_text(dut.file));
  return sha256_of_all(texts);
}

std::string lint_rtl(const Dut& dut) {
  check_files(dut);
  const Scratch scratch;
  std::vector<std::string> command{"verilator",   "--lint-only",  "-Wall", "-Wno-fatal",
                                   "--no-timing", "--top-module", dut.top};
  add_sources(dut, command);
  const fs::path log = scratch / "lint.log";
  run_verilator(command, log);
  return fs::file_size(log) == 0 ? "" : file_text(log);
}

std::vector<RtlPort> ports_of_module(const std::vector<std::string>& sources, const std::string& top) {
  const Scratch scratch;
  const fs::path log = scratch / "header.log", objects = scratch / "objects";
  std::vector<std::string> command{"verilator", "--cc",  "--no-timing",    "-Wno-fatal",   "-Wno-lint", "--prefix",
                                   "Vdut",      "-Mdir", objects.string(), "--top-module", top};
  command.insert(command.end(), sources.begin(), sources.end());
  if (run_verilator(command, log) != 0)
    throw DeviceError{"Verilator cannot read module " + top + ": " + first_error(log) + "."};
  return read_ports(file_text(objects / "Vdut.h"));
}

}  // namespace assay
