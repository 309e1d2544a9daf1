#include "sim/cli/export_option.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "model/config/digest.hpp"
#include "sim/cli/verdict.hpp"
#include "tb/devices/rtl/module_name.hpp"
#include "tb/export/export.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

std::string table_of_formats() {
  std::string text = "The format:";
  for (const ExportFormat& format : export_formats())
    text += fmt::format("{} {} ({})", &format == &export_formats().front() ? "" : ",", format.name, format.about);
  return text;
}

const ExportFormat& named_format(const std::string& name) {
  const ExportFormat* format = find_export_format(name);
  if (format != nullptr) return *format;
  throw Error{fmt::format("--to {} is no format for an export; there are {}.", name, export_format_names())};
}

// Who asks for such a file wants no JSON lines.
void check_lines(const std::string& path) {
  static const std::set<std::string> others{".csv", ".h", ".hex", ".mem", ".npy", ".npz", ".safetensors", ".yaml"};
  const std::string ending = std::filesystem::path(path).extension();
  if (others.count(ending) == 0) return;
  throw Error{fmt::format(
      "-o {} would be JSON lines, which no {} file is: name it .jsonl, or give one of the formats of --to: {}.", path,
      ending, export_format_names())};
}

}  // namespace

void ExportOptions::add(Command command) {
  command.add_option("--to", to, table_of_formats());
  command.add_option("--module", module, "The module that the testbench of --to readmemh drives").shows_default();
}

void ExportOptions::remark(const CaseWriter& writer, const Console& console) {
  const std::string missing = writer.missing();
  if (!missing.empty()) console.err << "assay: " << missing << "\n";
}

std::unique_ptr<CaseWriter> ExportOptions::open(const std::string& path, const VectorHeader& header,
                                                const Subject& subject, const Catalogue& catalogue) const {
  check_module(module);
  if (to != "readmemh" && module != default_module) {
    throw Error{fmt::format("--module {} names what a testbench drives, which only --to readmemh writes.", module)};
  }
  if (to.empty()) {
    check_lines(path);
    return std::make_unique<VectorWriter>(path, header, case_shape(subject.plan));
  }
  const ExportFormat& format = named_format(to);
  if (path == "-") throw Error{fmt::format("--to {} writes a folder; name a new one with -o.", to)};
  const std::string unit = subject.instruction ? subject.name : "datapath " + subject.plan.datapath.name;
  const ExportFacts facts{subject.plan,
                          header,
                          unit,
                          std::string("assay ") + ASSAY_VERSION,
                          catalogue_sha256(catalogue),
                          datapath_sha256(subject.plan),
                          module,
                          NanOption{}.rule_for(subject) == NanRule::any};
  return open_export(format, path, facts);
}

}  // namespace assay
