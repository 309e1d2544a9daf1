// What a build was made of, as the tools say it: a build is used again only while all of it is as it was.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace assay {

// One thing that a build depends on.
struct Dependency {
  enum class Kind {
    verilog,   // a file that Verilator read, or would have read had it been there
    cpp,       // a file that the compiler read
    variable,  // of the environment, named in one of those files or in an option
    made,      // a file of the build itself, below its folder
  };
  Kind kind;
  std::string name;   // a path, or the variable's name
  std::string state;  // the hash of what is in it; `nothing` where it is not there
};

inline constexpr const char* nothing = "-";

// The state of things now, each looked at once.
class States {
 public:
  // `folder` is that of the build.
  std::string of(const Dependency& one, const std::filesystem::path& folder);

 private:
  std::map<std::string, std::string> known_;
};

// Where a tool looks for a file or a module it was not given: <folder>/<name><suffix>.
struct Search {
  std::vector<std::filesystem::path> folders;
  std::vector<std::string> suffixes;
};

// What Verilator says where it looked for the module `missing`, from the log of a run in `folder` that did not find it.
Search search_of(const std::string& log, const std::string& missing, const std::filesystem::path& folder);

// What Verilator read when it ran in `folder`, in its own words (`V*__verFiles.dat`), and where a file that is not
// there yet would be read instead. Throws Error where a file changed since it was read.
std::vector<Dependency> verilog_dependencies(const std::string& read, const std::filesystem::path& folder,
                                             const Search& search);

// What the compiler read, by the lists it left in `objects`; nothing that was made there.
std::vector<Dependency> cpp_dependencies(const std::filesystem::path& objects);

// Variables of the environment that these files and these words name, as $NAME, ${NAME} or $(NAME).
std::vector<Dependency> variables_in(const std::vector<Dependency>& list, const std::vector<std::string>& words);

// As the file that stands beside a build: a line for each, in order, each once.
std::string print_dependencies(std::vector<Dependency> list);
// Empty where the text is none of those.
std::vector<Dependency> parse_dependencies(const std::string& text);

}  // namespace assay
