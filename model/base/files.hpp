// Files and folders of the user's: what is wrong with one is a sentence, and never an exception of the standard
// library.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace assay {

// All bytes of a file that is read at once. `what` it should be is for messages: "a configuration". Throws Error
// where it cannot be read or is larger than so many MiB. A pipe is read to its end, but not waited for where nobody
// writes into it.
std::string read_whole_file(const std::string& path, std::size_t most_mebibytes, const std::string& what);

// Why this is no ordinary file that can be opened again and again: "there is no such file", "it is a folder", "it is a
// pipe". Empty where it is one.
std::string why_no_file(const std::string& path);

// What the folder holds, sorted by name; nothing where `error` says why it cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder, std::error_code& error);

// The folder in which a file lies, from the root on. As it was given where nobody can say where that is: the working
// folder may be gone.
std::filesystem::path folder_of_file(const std::string& path);

}  // namespace assay
