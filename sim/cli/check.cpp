// assay check: recorded d against a device.
#include <fmt/format.h>

#include <ostream>

#include "sim/cli/case_option.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/verdict.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

constexpr std::size_t batch = 1024;

struct Options {
  std::vector<std::string> files;
  std::string device = "model";
  std::optional<std::uint64_t> one;
  VerdictOptions verdict;
};

Answer recorded(const Case& c) {
  Answer answer;
  if (c.d) {
    answer.d = *c.d;
  } else {
    answer.error = "This case has no recorded d.";
  }
  return answer;
}

int check_file(const Options& options, const std::string& file, const Catalogue& catalogue, const Console& console) {
  VectorReader reader(file);
  const Subject subject = subject_of_header(catalogue, reader.header(), file);
  warn(subject, console);
  const std::unique_ptr<Device> device = open_device(options.device, subject, catalogue, console);
  Scoreboard scoreboard(subject.plan, options.verdict.nan_rule(subject), options.verdict.max_failures);
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  Progress progress(console, reader.header().cases.value_or(0));
  std::uint64_t done = 0;

  for (bool more = true; more;) {
    std::vector<Case> cases;
    Case c;
    while (cases.size() < batch && (more = reader.next(shape, c))) {
      if (!options.one || c.number == *options.one) cases.push_back(c);
    }
    std::vector<Answer> expected;
    for (const Case& given : cases) expected.push_back(recorded(given));
    scoreboard.check_all(cases, expected, device->run(cases, false));
    progress.at(done += cases.size());
  }
  scoreboard.complain(device->close());
  const auto repro = [&](const Case& failed) {
    const std::string other = options.device == "model" ? "" : " --device " + shell_word(options.device);
    return fmt::format("assay check {}{} --case {}", shell_word(file), other, failed.number);
  };
  return show_verdict({subject.name, fmt::format("{} held to {}", device->name(), file),
                       static_cast<double>(done) / progress.seconds(), repro, options.verdict},
                      scoreboard, console);
}

// The worst of all files: a mismatch before nothing compared, nothing compared before a pass.
int worse(int x, int y) { return x == mismatch || y == mismatch ? mismatch : std::max(x, y); }

}  // namespace

void add_check(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Holds the recorded d of vector files against a device.");
  command->footer("Example:  assay check vectors.jsonl --device rtl:configs/dut/fused_f25_f16.yaml");
  command->add_option("FILE", options->files, "Vector files; - is standard input")->required();
  command->add_option("--device", options->device, device_help)->capture_default_str();
  command->add_option("--case", options->one, "Only this case of each file");
  options->verdict.add(*command);
  command->callback([options, &console, &status] {
    const Catalogue catalogue = shipped_catalogue();
    for (const std::string& file : options->files)
      status = worse(status, check_file(*options, file, catalogue, console));
  });
}

}  // namespace assay
