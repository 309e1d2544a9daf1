// A datapath file of any bytes. It becomes a plan or is refused with a sentence; as JSON it is the
// same file. What the quick reader takes, the other one reads alike.
#include "model/config/catalogue.hpp"
#include "tb/fuzz/memory_file.hpp"
#include "tb/fuzz/yaml_readers.hpp"

namespace assay {
namespace {

const std::string name = "fuzz.yaml";

// A plan's size grows with k: what is asked here is whether the words are understood.
constexpr int most_terms = 64;

template <class Read>
void sentence_or(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    demand(!error.message.empty(), "An error says nothing.");
  }
}

void read(const std::string& text, const Catalogue& catalogue) {
  if (text.find('\0') == std::string::npos) demand(read_by_both(text).agree(), "The two readers of YAML do not agree.");
  sentence_or([&] {
    const std::string json = json_text(read_yaml_text(text, name));
    demand(json_text(read_yaml_text(json, name)) == json, "A file changed on its way out and in.");
  });
  sentence_or([&] {
    const DatapathFile file = read_datapath_text(text, name, catalogue);
    if (file.k.value_or(0) <= most_terms) plan_of(file);
  });
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const assay::Catalogue catalogue = assay::shipped_catalogue();
  assay::read({reinterpret_cast<const char*>(data), size}, catalogue);
  return 0;
}
