#include "tb/design/program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "model/base/error.hpp"
#include "model/base/output_file.hpp"
#include "model/base/read_double.hpp"
#include "model/base/run_program.hpp"
#include "model/config/datapath_text.hpp"
#include "tb/devices/rtl/cache.hpp"

namespace assay::design {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_shown = 300;  // characters of what a program printed

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  const std::size_t at = text.rfind('\n');
  return at == text.npos ? text : text.substr(at + 1);
}

}  // namespace

double number_of_program(const std::string& program, const Datapath& datapath, int k, const std::string& folder) {
  fs::create_directories(folder);
  const std::string file = folder + "/datapath.yaml", log = folder + "/printed.txt";
  write_whole_file(file, yaml_text(datapath, k));
  fs::remove(log);
  const std::string path = program.find('/') == program.npos && fs::exists(program) ? "./" + program : program;
  const int status = run_program({path, file}, log);
  const std::string printed = fs::exists(log) ? file_text(log) : "";
  const std::string end = printed.size() > most_shown ? printed.substr(printed.size() - most_shown) : printed;
  if (status == not_started)
    throw Error{fmt::format("The program {} cannot be started; it must be a file that may be executed.", program)};
  if (status != 0)
    throw Error{fmt::format("The program {} ended with status {} on {}; the last it printed: {}", program, status, file,
                            end.empty() ? "nothing" : end)};
  const std::string line = last_line(printed);
  double number = 0;
  const auto read = read_double(line.data(), line.data() + line.size(), number);
  if (line.empty() || read.ec != std::errc{} || read.ptr != line.data() + line.size() || !std::isfinite(number))
    throw Error{fmt::format("The program {} printed no number as its last line on {}, but '{}'.", program, file, line)};
  return number;
}

}  // namespace assay::design
