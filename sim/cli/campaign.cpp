// assay campaign: a question too large for one machine, in shards that any engine runs, and their results as one.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ostream>
#include <thread>

#include "model/base/output_file.hpp"
#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/program/number_option.hpp"
#include "tb/campaign/merge.hpp"
#include "tb/campaign/run_shard.hpp"
#include "tb/campaign/status.hpp"
#include "tb/campaign/submit.hpp"

namespace assay {
namespace {

using namespace campaign;

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

const char* variable(const char* name) { return std::getenv(name); }

CommandOption add_folder(Command command, std::string& into) {
  return command.add_option("DIR", into, "The campaign's folder, as plan made it").required();
}

// --- plan ---

struct PlanOptions {
  std::string file, folder;
};

void run_plan(const PlanOptions& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const CampaignFolder folder(options.folder);
  const CampaignManifest manifest = plan_campaign(options.file, folder, {catalogue, ASSAY_VERSION, console.err});
  for (const PlannedSeries& planned : manifest.series) {
    const double seconds = planned.seconds * static_cast<double>(planned.series.units);
    console.out << fmt::format(
        "{}: {} in {}{}\n", planned.series.name, grouped(planned.series.units), counted(planned.shards, "shard"),
        seconds == 0 ? "" : fmt::format(", about {:.1f} s each", seconds / static_cast<double>(planned.shards)));
  }
  console.out << fmt::format("Next: assay campaign submit {} --engine slurm|parallel|local\n", options.folder);
}

void add_plan(Command campaign, const Console& console, int& status) {
  auto options = std::make_shared<PlanOptions>();
  Command command = campaign.add_subcommand("plan", "Makes a campaign of its file: shards, and what they depend on.");
  command.footer("Example:  assay campaign plan signoff.yaml -o signoff");
  command.add_option("FILE", options->file, "The campaign's file (docs/campaigns.md)").required();
  command.add_option("-o,--output", options->folder, "The new folder of the campaign, which every machine sees")
      .required();
  command.callback([options, &console, &status] {
    run_plan(*options, console);
    status = passed;
  });
}

// --- run ---

struct ShardOptions {
  std::string folder;
  std::optional<std::uint64_t> shard;
};

void run_one(const ShardOptions& options, const Console& console) {
  const std::uint64_t shard = options.shard ? *options.shard : shard_of_task(variable);
  if (shard == 0)
    throw Error{"Say which shard: --shard N; a task of an array knows it by SLURM_ARRAY_TASK_ID or LSB_JOBINDEX."};
  const Catalogue catalogue = shipped_catalogue();
  switch (run_shard(CampaignFolder(options.folder), shard, {catalogue, ASSAY_VERSION, console.err})) {
    case ShardEnd::done: console.out << fmt::format("shard {}: done\n", shard); break;
    case ShardEnd::done_before: console.out << fmt::format("shard {}: done before\n", shard); break;
    case ShardEnd::stopped:
      console.out << fmt::format("shard {}: not run, since the campaign has found enough failures\n", shard);
      break;
  }
}

void add_run_shard(Command campaign, const Console& console, int& status) {
  auto options = std::make_shared<ShardOptions>();
  Command command = campaign.add_subcommand("run", "Does one shard and writes its result; done again it does nothing.");
  command.footer(
      "Exit status: 0 the result is there, whatever it says; 2 it is not, and a sentence says why.\n\n"
      "Example:  assay campaign run signoff --shard 17");
  add_folder(command, options->folder);
  add_number(command, "--shard", options->shard, {1, most_cases},
             "Which one, from 1 (default: SLURM_ARRAY_TASK_ID or LSB_JOBINDEX)");
  command.callback([options, &console, &status] {
    run_one(*options, console);
    status = passed;
  });
}

// --- submit ---

struct SubmitCommand {
  std::string folder, engine = "local";
  SubmitOptions options;
  bool script_only = false;
};

const CampaignEngine& engine_called(const std::string& name) {
  for (const CampaignEngine& engine : engines()) {
    if (engine.name == name) return engine;
  }
  throw Error{"There is no engine " + name + "."};
}

int start(const CampaignFolder& folder, const CampaignEngine& engine, const EngineScript& script,
          const Console& console) {
  const std::string log = folder.at("logs/" + std::string(engine.name) + ".log");
  const int ended = run_program(script.command, log);
  if (ended == not_started)
    throw Error{fmt::format("{} cannot be started; is it installed?", script.command.front()), Ending::not_here};
  if (!engine.waits && ended != 0)
    throw Error{fmt::format("{} refuses {}; {} says why.", script.command.front(), script.command.back(), log)};
  if (!engine.waits) console.out << fmt::format("submitted {}\n", script.command.back());
  return ended;
}

int run_submit(const SubmitCommand& options, const Console& console) {
  const CampaignFolder folder(options.folder);
  const CampaignEngine& engine = engine_called(options.engine);
  const std::vector<EngineScript> scripts = write_scripts(folder, engine, options.options);
  if (scripts.empty()) {
    console.out << "Every shard has its result.\n";
    return passed;
  }
  for (const EngineScript& script : scripts) {
    if (options.script_only) {
      console.out << joined(script.command, " ") << "\n";
    } else {
      start(folder, engine, script, console);
    }
  }
  if (options.script_only || !engine.waits) return passed;
  const CampaignStatus status = status_of(folder, seconds_since_1970());
  console.out << status_text(status);
  return status.complete() || status.stopped ? passed : nothing_compared;
}

void add_submit(Command campaign, const Console& console, int& status) {
  auto options = std::make_shared<SubmitCommand>();
  Command command = campaign.add_subcommand("submit", "Hands the shards that have no result to an engine.");
  command.footer(
      "Exit status: 3 where the engine has ended and shards are without a result.\n\n"
      "Example:  assay campaign submit signoff --engine slurm --max 200 --partition night");
  add_folder(command, options->folder);
  std::vector<std::string> names;
  for (const CampaignEngine& engine : engines()) names.emplace_back(engine.name);
  command.add_option("--engine", options->engine, "Who runs them").one_of(names).shows_default();
  add_number(command, "--max", options->options.at_once, {1, 1'000'000},
             "How many at once (default: 200 with Slurm, else as many as the machine has processors)");
  add_number(command, "--bundle", options->options.bundle, {1, 1000},
             "How many shards a task of Slurm does side by side: of a large cluster as many as a node has processors")
      .shows_default();
  command.add_option("--partition", options->options.partition, "Of the cluster");
  command.add_option("--option", options->options.more, "A further option for the engine; may be given again")
      .one_each();
  command.add_flag("--script-only", options->script_only, "Writes the scripts, and shows how they are started");
  command.callback([options, &console, &status] { status = run_submit(*options, console); });
}

// --- status ---

struct StatusOptions {
  std::string folder, html;
  int every = 0;
  bool json = false;
};

int show_status(const StatusOptions& options, const Console& console) {
  const CampaignFolder folder(options.folder);
  while (true) {
    const CampaignStatus status = status_of(folder, seconds_since_1970());
    const int every = options.every == 0 ? 10 : options.every;
    if (!options.html.empty()) write_whole_file(options.html, status_page(status, every));
    if (options.json) {
      show_json(status_json(status), console);
    } else {
      console.out << status_text(status) << std::flush;
    }
    if (options.every == 0 || status.complete() || status.stopped)
      return status.failures != 0 ? mismatch : status.complete() ? passed : nothing_compared;
    std::this_thread::sleep_for(std::chrono::seconds(options.every));
  }
}

void add_status(Command campaign, const Console& console, int& status) {
  auto options = std::make_shared<StatusOptions>();
  Command command = campaign.add_subcommand("status", "Says how far a campaign is, from its files alone.");
  command.footer(
      "Exit status: 1 failures were found; 3 it is not complete.\n\n"
      "Example:  assay campaign status signoff --html signoff.html --every 10");
  add_folder(command, options->folder);
  command.add_option("--html", options->html, "Writes a page too, which loads itself again");
  add_number(command, "--every", options->every, {1, 86'400}, "Says it again after so many seconds, until the end");
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console, &status] { status = show_status(*options, console); });
}

// --- merge ---

struct MergeOptions {
  std::string folder, output;
};

int run_merge(const MergeOptions& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const CampaignFolder folder(options.folder);
  const std::string into = options.output.empty() ? folder.at("merged") : options.output;
  const MergedResult outcome = merge_campaign(folder, into, {catalogue, ASSAY_VERSION, console.err});
  console.out << outcome.text;
  for (const std::string& file : outcome.files) console.err << fmt::format("assay: wrote {}/{}\n", into, file);
  return exit_status(outcome.ending);
}

void add_merge(Command campaign, const Console& console, int& status) {
  auto options = std::make_shared<MergeOptions>();
  Command command = campaign.add_subcommand("merge", "Makes of all results what a single machine would have given.");
  command.footer(
      "Exit status: 1 something failed; 3 nothing did, and results are missing.\n\n"
      "Example:  assay campaign merge signoff -o signoff-report");
  add_folder(command, options->folder);
  command.add_option("-o,--output", options->output, "The folder for it (default: DIR/merged)");
  command.callback([options, &console, &status] { status = run_merge(*options, console); });
}

}  // namespace

void add_campaign(Command app, const Console& console, int& status) {
  Command campaign = app.add_subcommand("campaign", "Shares a question too large for one machine out to many.");
  campaign.require_subcommand();
  add_plan(campaign, console, status);
  add_run_shard(campaign, console, status);
  add_submit(campaign, console, status);
  add_status(campaign, console, status);
  add_merge(campaign, console, status);
}

}  // namespace assay
