#include "tb/devices/rtl/dependencies.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>

#include "model/base/sha256.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/cache.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kind_names{"verilog", "cpp", "variable", "made"};

std::string state_of_file(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return nothing;
  try {
    return sha256(file_text(path));
  } catch (const Error&) {
    return nothing;
  }
}

std::string state_of_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? nothing : sha256(value);
}

// --- Verilator's list ---

// "S  size inode  changed ns  modified ns  "name"": a file that was read, as it was then.
struct ReadFile {
  fs::path path;
  long long size = 0, seconds = 0, nanoseconds = 0;
};

constexpr const char* letters_and_digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

std::optional<ReadFile> read_file_of(const std::string& line, const fs::path& folder) {
  if (line.rfind("S ", 0) != 0) return std::nullopt;
  std::size_t from = line.find('"');
  const std::size_t to = line.rfind('"');
  if (from == to) return std::nullopt;
  ReadFile file;
  long long unused = 0;
  std::istringstream numbers(line.substr(2, from - 2));
  numbers >> file.size >> unused >> unused >> unused >> file.seconds >> file.nanoseconds;
  // Since 5.040 or so a hash of letters and digits stands before the name.
  const std::size_t hash_end = line.find_first_not_of(letters_and_digits, from + 1);
  if (line.compare(hash_end, 3, "\" \"") == 0) from = hash_end + 2;
  file.path = (folder / line.substr(from + 1, to - from - 1)).lexically_normal();
  return file;
}

bool is_as_read(const ReadFile& file) {
  struct stat now {};
  if (stat(file.path.c_str(), &now) != 0) return file.size == 0;
  // That Verilator writes no nanoseconds.
  return now.st_size == file.size && now.st_mtim.tv_sec == file.seconds &&
         (file.nanoseconds == 0 || now.st_mtim.tv_nsec == file.nanoseconds);
}

// Verilator lists itself, too; its version is known already.
bool is_verilator(const fs::path& path) { return path.filename().string().rfind("verilator_bin", 0) == 0; }

// By which names a file may have been looked for: its own, and those with folders below one that is searched.
std::set<fs::path> names_of(const fs::path& file, const Search& search) {
  std::set<fs::path> names{file.filename()};
  for (const fs::path& folder : search.folders) {
    const fs::path name = file.lexically_relative(folder);
    if (!name.empty() && *name.begin() != "..") names.insert(name);
  }
  return names;
}

// Where a new file would be read in place of `file`: in any folder of the search, under its name, or as the same module
// with another suffix. Which of them come before it is for Verilator to say, when it builds again.
void add_rivals(const fs::path& file, const Search& search, std::vector<Dependency>& list) {
  const auto add = [&](const fs::path& rival) {
    std::error_code ignored;
    if (!fs::exists(rival, ignored)) list.push_back({Dependency::Kind::verilog, rival.string(), nothing});
  };
  for (const fs::path& folder : search.folders) {
    for (const fs::path& name : names_of(file, search)) {
      add(folder / name);
      for (const std::string& suffix : search.suffixes) add(folder / fs::path(name).replace_extension() += suffix);
    }
  }
}

// --- the compiler's lists ---

// "glue.o: glue.cpp /usr/include/a\ b.h \" and so on: names with spaces and the like escaped as make reads them.
std::vector<std::string> names_in_rule(const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  const auto end = [&] {
    if (!name.empty()) names.push_back(std::move(name));
    name.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\n';
    if (text[i] == '\\' && (next == ' ' || next == '#')) {
      name += text[++i];
    } else if (text[i] == '$' && next == '$') {
      name += text[++i];
    } else if (text[i] == ' ' || text[i] == '\n' || (text[i] == '\\' && next == '\n')) {
      end();
    } else {
      name += text[i];
    }
  }
  end();
  return names;
}

// --- variables ---

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

void add_variables(const std::string& text, std::set<std::string>& names) {
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    std::size_t from = at + 1;
    if (from < text.size() && (text[from] == '{' || text[from] == '(')) ++from;
    std::size_t to = from;
    while (to < text.size() && continues_name(text[to])) ++to;
    if (to > from && starts_name(text[from])) names.insert(text.substr(from, to - from));
  }
}

}  // namespace

std::string States::of(const Dependency& one, const fs::path& folder) {
  const bool variable = one.kind == Dependency::Kind::variable;
  const std::string name = one.kind == Dependency::Kind::made ? (folder / one.name).string() : one.name;
  const auto [place, is_new] = known_.try_emplace((variable ? "$" : "") + name);
  if (is_new) place->second = variable ? state_of_variable(name) : state_of_file(name);
  return place->second;
}

Search search_of(const std::string& log, const std::string& missing, const fs::path& folder) {
  Search search;
  std::set<std::string> suffixes;
  std::istringstream lines(log.substr(std::min(log.size(), log.find("... Looked in:"))));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t from = line.find_first_not_of(' '), name = line.rfind(missing);
    if (from == line.npos || name == line.npos || name < from || line[0] != ' ') continue;
    fs::path place = (folder / line.substr(from, name - from)).lexically_normal();
    if (!place.has_filename()) place = place.parent_path();
    if (std::find(search.folders.begin(), search.folders.end(), place) == search.folders.end())
      search.folders.push_back(place);
    suffixes.insert(line.substr(name + missing.size()));
  }
  search.suffixes.assign(suffixes.begin(), suffixes.end());
  return search;
}

std::vector<Dependency> verilog_dependencies(const std::string& read, const fs::path& folder, const Search& search) {
  std::vector<Dependency> list;
  std::istringstream lines(read);
  for (std::string line; std::getline(lines, line);) {
    const std::optional<ReadFile> file = read_file_of(line, folder);
    if (!file || is_verilator(file->path)) continue;
    list.push_back({Dependency::Kind::verilog, file->path.string(), state_of_file(file->path)});
    if (!is_as_read(*file)) throw Error{file->path.string() + " changed while the RTL was being built; start again."};
    add_rivals(file->path, search, list);
  }
  return list;
}

std::vector<Dependency> cpp_dependencies(const fs::path& objects) {
  std::vector<Dependency> list;
  for (const auto& entry : fs::directory_iterator(objects)) {
    if (entry.path().extension() != ".d") continue;
    for (const std::string& name : names_in_rule(file_text(entry.path()))) {
      if (fs::path(name).is_absolute()) list.push_back({Dependency::Kind::cpp, name, state_of_file(name)});
    }
  }
  return list;
}

std::vector<Dependency> variables_in(const std::vector<Dependency>& list, const std::vector<std::string>& words) {
  std::set<std::string> names;
  for (const std::string& word : words) add_variables(word, names);
  for (const Dependency& one : list) {
    if (one.kind == Dependency::Kind::verilog && one.state != nothing) add_variables(file_text(one.name), names);
  }
  std::vector<Dependency> variables;
  for (const std::string& name : names)
    variables.push_back({Dependency::Kind::variable, name, state_of_variable(name)});
  return variables;
}

std::string print_dependencies(std::vector<Dependency> list) {
  std::set<std::string> lines;
  for (const Dependency& one : list) {
    lines.insert(std::string(kind_names[static_cast<std::size_t>(one.kind)]) + " " + one.state + " " + one.name + "\n");
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::vector<Dependency> parse_dependencies(const std::string& text) {
  std::vector<Dependency> list;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    const auto kind = std::find(kind_names.begin(), kind_names.end(), line.substr(0, first));
    if (kind == kind_names.end() || second == line.npos) return {};
    list.push_back({static_cast<Dependency::Kind>(kind - kind_names.begin()), line.substr(second + 1),
                    line.substr(first + 1, second - first - 1)});
  }
  return list;
}

}  // namespace assay
