#include "tb/campaign/journals.hpp"

#include <algorithm>

#include "model/base/files.hpp"
#include "model/base/output_file.hpp"
#include "model/base/sha256.hpp"
#include "model/base/streams.hpp"

namespace assay::campaign {
namespace {

constexpr std::size_t most_journal = 4096;  // MiB, of a shard

}  // namespace

void Journals::add(const Portion& portion, const nlohmann::json& record) {
  parts_.push_back({portion.units.first, portion.file, record.at("journal").get<std::string>()});
}

// Each begins with the same line, which says what it is the journal of.
void Journals::put_together(const std::string& folder) {
  std::sort(parts_.begin(), parts_.end(), [](const Part& x, const Part& y) { return x.first < y.first; });
  OutputFile file(journal_in(folder));
  const ByteSink sink = descriptor_sink(file.descriptor(), file.name());
  std::string head;
  for (const Part& part : parts_) {
    const std::string path = journal_in(part.folder), text = read_whole_file(path, most_journal, "a journal");
    const std::size_t line = text.find('\n');
    if (sha256(text) != part.sha256 || line == std::string::npos)
      throw Error{path + ": This journal is not the one that its shard wrote; remove its folder and the result " +
                  "beside it, and run the shard again."};
    if (head.empty()) sink(head = text.substr(0, line + 1), false);
    sink(text.substr(line + 1), false);
  }
  sink("", true);
  file.finish();
}

}  // namespace assay::campaign
