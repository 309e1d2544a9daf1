// assay import: our own exports and other people's recordings as vector files.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <filesystem>

#include "model/base/files.hpp"
#include "model/base/hex.hpp"
#include "model/base/utf8.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "tb/export/import.hpp"
#include "tb/import/recording.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t often = 1024;  // cases from one look at the clock to the next

struct Options {
  std::string input, output = "-";
  std::string from, part;
  SubjectOptions subject;
  RecordingOptions recording;

  bool of_recording() const {
    return !from.empty() || !part.empty() || !subject.instruction.empty() || !subject.datapath.empty() ||
           recording.pad || recording.zero_c;
  }
};

std::uint64_t write_all(VectorWriter& writer, Progress& progress, const std::function<bool(Case&)>& next) {
  std::uint64_t done = 0;
  for (Case c; next(c); ++done) {
    c.number = done;
    writer.write(c);
    if (done % often == 0) progress.at(done);
  }
  return done;
}

void import_export(const Options& options, const Console& console) {
  ExportReader reader(options.input);
  if (options.of_recording()) {
    throw Error{options.input +
                " is an export of Assay, which says itself what it is of: --from, --instruction, --datapath, "
                "--part, --pad and --zero-c are for recordings of others."};
  }
  const Subject subject = subject_of_header(shipped_catalogue(), reader.header(), reader.name());
  warn(subject.warning, console);
  reader.open(subject.plan);
  VectorWriter writer(options.output, reader.header(), case_shape(subject.plan));
  Progress progress(console, *reader.header().cases);
  write_all(writer, progress, [&](Case& c) { return reader.next(c); });
  writer.finish();
}

// A vector file is JSON, and so UTF-8.
std::string json_of(const std::string& what, const std::string& text, const std::string& advice) {
  const std::size_t at = no_utf8_at(text);
  if (at == text.npos) return json_string(text);
  throw Error{fmt::format("{} has the byte {}, which is no UTF-8, as the text of a vector file is; {}.", what,
                          hex_text(static_cast<unsigned char>(text[at]), 2), advice)};
}

// Where the cases come from: each file by its name and its SHA-256.
std::vector<HeaderMember> provenance(const Recording& recording, const RecordingFormat& format,
                                     const std::string& part) {
  std::vector<HeaderMember> members;
  const auto put = [&](const std::string& name, const std::string& value) {
    members.push_back({name, json_string(value)});
  };
  if (const std::string& known = part.empty() ? recording.part : part; !known.empty())
    members.push_back({"device", json_of("the part " + known, known, "--part names it otherwise")});
  std::string files;
  for (const std::string& path : recording.files) {
    const ManifestFile file = described(path, fs::path(path).filename().string());
    const std::string name = json_of("the name of " + path, file.name, "give the file another");
    files += fmt::format("{}{}:{}", files.empty() ? "{" : ",", name, json_string(file.sha256));
  }
  members.push_back({"source_sha256", files + "}"});
  put("layout", format.name);
  put("imported", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))));
  put("tool", std::string("assay import ") + ASSAY_VERSION);
  return members;
}

const RecordingFormat& format_of(const Options& options) {
  if (options.from.empty()) return recognised_format(options.input);
  if (const RecordingFormat* format = find_recording_format(options.from)) return *format;
  throw Error{
      fmt::format("--from {} is no layout of a recording; there are {}.", options.from, recording_format_names())};
}

void import_recording(const Options& options, const Console& console) {
  const RecordingFormat& format = format_of(options);
  const Subject subject = options.subject.open(shipped_catalogue());
  const Recording recording = format.open(options.input, subject.plan, options.recording);
  VectorHeader header = subject.header;
  header.datapath_sha256.clear();  // d was not computed here
  header.provenance = provenance(recording, format, options.part);
  VectorWriter writer(options.output, header, case_shape(subject.plan));
  Progress progress(console, 0);
  if (write_all(writer, progress, recording.next) == 0) throw Error{options.input + " has no case in it."};
  writer.finish();
}

bool is_in_export(const std::string& file) {
  const fs::path given(file);
  std::error_code ignored;
  return given.filename() == manifest_file || fs::exists(given.parent_path() / manifest_file, ignored);
}

void import_any(const Options& options, const Console& console) {
  if (options.input == "-")
    throw Error{"import reads its files twice, once for their hash: name a file instead of standard input."};
  std::error_code ignored;
  const bool is_folder = fs::is_directory(options.input, ignored);
  const std::string why = why_no_file(options.input);
  if (options.from.empty() && (is_folder || (why.empty() && is_in_export(options.input))))
    return import_export(options, console);
  if (!why.empty()) {
    throw Error{options.input + " cannot be imported: " + why +
                "; name a file of a recording, or the folder of an export."};
  }
  import_recording(options, console);
}

std::string table_of_formats() {
  std::string text = "The layout of somebody else's recording:";
  for (const RecordingFormat* format : recording_formats())
    text += fmt::format("{} {} ({})", format == recording_formats().front() ? "" : ",", format->name, format->about);
  return text + "; recognised where it is not given";
}

}  // namespace

void add_import(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("import", "Reads an export, or a recording that others published, into a vector file.");
  command.footer(
      "Example:  assay import results -o results.jsonl\n"
      "Example:  assay import A100/fp16/d_A100_fp32.txt --instruction ampere:mma.m16n8k16.f32.f16.f16.f32 -o "
      "a100.jsonl");
  command
      .add_option("FILE", options->input,
                  "The folder that `assay export` wrote, or a file in it; or a file of a recording")
      .required();
  command.add_option("--from", options->from, table_of_formats());
  options->subject.add(command);
  command.add_option("--part", options->part, "Whose results a recording has, for the file's provenance");
  command.add_flag("--pad", options->recording.pad, "Of csv: fills shorter a and b up with zeros");
  command.add_flag("--zero-c", options->recording.zero_c, "Takes c as zero, whatever the recording has or lacks");
  command
      .add_option("-o,--output", options->output,
                  "Where the cases go: .jsonl, .jsonl.gz, .jsonl.zst, or - for standard output")
      .shows_default();
  command.callback([options, &console] { import_any(*options, console); });
}

}  // namespace assay
