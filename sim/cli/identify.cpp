// assay identify: what an unknown unit computes, as a datapath file, from its answers or from recorded cases.
#include "tb/identify/identify.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/threads_option.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/identify/recorded.hpp"
#include "tb/identify/report.hpp"
#include "tb/identify/unknown.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

using identify::Identified;
using identify::IdentifyOutcome;

struct Options {
  std::vector<std::string> files;
  SubjectOptions subject;
  std::string device, formats, scale, answers, next, nan;
  std::optional<int> k;
  std::vector<std::string> without;
  identify::IdentifyEffort effort;
  ThreadsOption threads;
  bool together = false, json = false;
};

int status_of(IdentifyOutcome outcome) {
  switch (outcome) {
    case IdentifyOutcome::found: return passed;
    case IdentifyOutcome::undecided: return nothing_compared;
    case IdentifyOutcome::no_word:
    case IdentifyOutcome::inconsistent: return mismatch;
  }
  return mismatch;
}

class Identifying {
 public:
  Identifying(const Options& options, const Console& console) : options_(options), console_(console) {}

  int run() {
    if (options_.files.empty() == options_.device.empty())
      throw Error{"Say what to identify: --device DEVICE, which is asked, or FILE.., recorded cases of it."};
    if (!options_.files.empty() && (!options_.subject.instruction.empty() || !options_.subject.datapath.empty()))
      throw Error{"Vector files say what they are of: leave out --instruction and --datapath, or the files."};
    if (options_.files.size() > 1 && !options_.next.empty() && !options_.together)
      throw Error{"--next writes the cases of one answer; give one FILE with it, or several of one unit --together."};
    return options_.files.empty() ? ask() : read();
  }

 private:
  identify::VersionSpace space_for(const Subject& subject) {
    identify::VersionSpace space = identify::begun(subject, catalogue_, {options_.nan, options_.without});
    space.use_threads(options_.threads.count());
    return space;
  }

  int ask() {
    const Subject subject = asked();
    const std::unique_ptr<Device> device = open_device(options_.device, subject, catalogue_, console_.err);
    identify::VersionSpace space = space_for(subject);
    Progress progress(console_, 0, "questions");
    identify::Box box(subject, *device, options_.answers, [&](std::uint64_t asked) { progress.at(asked); });
    const Identified found = identify::identify(subject, space, box, options_.effort);
    if (const std::string wrong = device->close(); !wrong.empty()) throw Error{wrong, Ending::mismatch};
    show(subject, found, {options_.device, "question"});
    return status_of(found.outcome);
  }

  Subject asked() {
    if (options_.formats.empty()) return subject_for(options_.subject, options_.device, catalogue_, console_);
    if (!options_.k) throw Error{"--formats needs --k, the number of products that one operation adds."};
    return identify::unknown_unit(catalogue_, {options_.formats, options_.scale, *options_.k});
  }

  int read() {
    if (options_.together) return tell(read_together(), joined(options_.files));
    int worst = passed;
    for (const std::string& file : options_.files) {
      const int status = tell(recorded_in(file), file);
      if (worst != mismatch && status != passed) worst = status;
    }
    return worst;
  }

  identify::RecordedAnswers recorded_in(const std::string& file) const {
    identify::RecordedAnswers recorded = identify::read_recorded(catalogue_, file);
    if (recorded.left_out > 0)
      warn(fmt::format("{}: its first {} of {} cases are looked at, and the others are not.", file,
                       grouped(recorded.answers.size()), grouped(recorded.answers.size() + recorded.left_out)),
           console_);
    return recorded;
  }

  // The cases of one file after those of another.
  identify::RecordedAnswers read_together() const {
    identify::RecordedAnswers all = recorded_in(options_.files.front());
    for (std::size_t i = 1; i < options_.files.size(); ++i) {
      const identify::RecordedAnswers more = recorded_in(options_.files[i]);
      const VectorHeader &one = all.subject.header, &other = more.subject.header;
      if (other.datapath_sha256 != one.datapath_sha256 || more.subject.name != all.subject.name || other.nan != one.nan)
        throw Error{options_.files[i] + " is of " + more.subject.name + ", " + options_.files.front() + " of " +
                    all.subject.name + "; --together takes recordings of one unit, with one rule for NaN."};
      all.answers.insert(all.answers.end(), more.answers.begin(), more.answers.end());
    }
    return all;
  }

  int tell(const identify::RecordedAnswers& recorded, const std::string& files) {
    warn(recorded.subject.warning, console_);
    identify::VersionSpace space = space_for(recorded.subject);
    Progress progress(console_, 0, "datapaths");
    space.tell([&](std::uint64_t tried) { progress.at(tried); });
    const Identified found = identify_recorded(recorded.subject, space, recorded.answers, options_.effort);
    show(recorded.subject, found, {files, "case"});
    return status_of(found.outcome);
  }

  void show(const Subject& subject, const Identified& found, const identify::ReportNames& names) {
    if (options_.json) {
      console_.out << as_json(subject, found, names).dump(1, ' ', false, nlohmann::json::error_handler_t::replace)
                   << "\n";
    } else {
      console_.out << as_text(subject, found, names);
    }
    if (options_.next.empty()) return;
    if (found.next.empty()) {
      warn("--next " + options_.next + ": there is no case that would tell more, and the file is not written.",
           console_);
      return;
    }
    VectorHeader header;
    header.architecture = subject.header.architecture;
    header.instruction = subject.header.instruction;
    header.datapath = subject.header.datapath;
    VectorWriter writer(options_.next, header, case_shape(subject.plan));
    for (const Case& c : found.next) writer.write(c);
    writer.finish();
  }

  const Options& options_;
  const Console& console_;
  Catalogue catalogue_ = shipped_catalogue();
};

}  // namespace

void add_identify(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand(
      "identify", "Says what an unknown unit computes, as a datapath file: by asking it, or from recorded cases.");
  command.footer(
      "Examples:  assay identify --device exec:./unit --formats f16,f16,f32 --k 16 > unit.yaml\n"
      "           assay identify recorded.jsonl --next worth_recording.jsonl\n"
      "           assay identify recorded.jsonl recorded_next.jsonl --together\n"
      "Exit status 1: no datapath agrees, or the unit contradicts itself; 3: several are left.");
  CommandOption files = command.add_option("FILE", options->files, "Vector files with d, in place of --device");
  command.add_flag("--together", options->together, "The files are of one unit: one answer from all their cases")
      .needs(files);
  CommandOption device = command.add_option("--device", options->device, device_forms()).excludes(files);
  options->subject.add(command);
  CommandOption formats =
      command
          .add_option("--formats", options->formats,
                      "Formats of a, b, c and d, or of a, b and d, with a comma between: f16,f16,f32")
          .needs(device)
          .excludes(command.option("--instruction"))
          .excludes(command.option("--datapath"));
  add_number(command, "--k", options->k, {1, greatest_terms_per_step}, "Products of one operation").needs(formats);
  command.add_option("--scale", options->scale, "FORMAT:BLOCK of a pair of scales: ue8m0:32").needs(formats);
  command.add_option("--answers", options->answers, "Reads answers from this file and appends new ones to it")
      .needs(device);
  command.add_option("--next", options->next, "Writes the cases worth recording next to this vector file");
  command.add_option("--nan", options->nan, "Whether the bits of a NaN count, or any NaN is as good as another")
      .one_of({"bits", "any"});
  command.add_option("--without", options->without, "A datapath of the catalogue that the search does not begin with")
      .one_each();
  add_number(command, "--questions", options->effort.questions, {1, most_cases}, "At most, before confirmation")
      .shows_default();
  add_number(command, "--confirm", options->effort.confirm, {0, most_cases}, "Cases that confirm what was found")
      .shows_default();
  add_number(command, "--seed", options->effort.seed, {}, "The seed of all cases").shows_default();
  options->threads.add(command);
  command.add_flag("--json", options->json, "Everything as JSON");
  command.callback([options, &console, &status] { status = Identifying(*options, console).run(); });
}

}  // namespace assay
