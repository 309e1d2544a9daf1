#include "tb/campaign/submit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <thread>

#include "model/base/output_file.hpp"
#include "model/base/run_program.hpp"
#include "tb/subject/command_line.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t usual_array = 1001;  // Slurm's MaxArraySize where nobody set it
constexpr std::uint64_t usual_at_once = 200;

std::string run_command(const CampaignFolder& folder, const CampaignManifest& manifest) {
  return shell_word(manifest.program) + " campaign run " + shell_word(fs::absolute(folder.path()).string());
}

std::uint64_t own_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

// --- Slurm ---

// A task's number is below it.
std::uint64_t array_limit() {
  const std::string config = said_by({"scontrol", "show", "config"}).value_or("");
  const std::size_t at = config.find("MaxArraySize");
  const std::size_t digits = at == std::string::npos ? at : config.find_first_of("0123456789", at);
  std::uint64_t limit = usual_array;
  if (digits != std::string::npos) std::from_chars(config.data() + digits, config.data() + config.size(), limit);
  return std::max<std::uint64_t>(2, limit);
}

// "1-3,7"
std::string array_text(const std::vector<std::uint64_t>& tasks) {
  std::string text;
  for (std::size_t i = 0; i < tasks.size();) {
    std::size_t last = i;
    while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(tasks[i]);
    if (last > i) text += "-" + std::to_string(tasks[last]);
    i = last + 1;
  }
  return text;
}

// Twice what a shard was measured to take, and ten minutes for a slow or busy machine; nothing where nobody measured.
int minutes_of_shard(const CampaignManifest& manifest) {
  double most = 0;
  for (std::uint64_t shard = 1, before = 0; before < manifest.series.size(); ++before) {
    most = std::max(most, manifest.seconds(manifest.portion(shard)));
    shard += manifest.series[before].shards;
  }
  return most <= 0 ? 0 : static_cast<int>(std::ceil(2 * most / 60)) + 10;
}

struct Array {
  std::uint64_t offset = 0;  // added to a task's number
  std::vector<std::uint64_t> tasks;
};

// Larger arrays than the cluster takes are several. The numbers are of tasks, from 1.
std::vector<Array> arrays_of(const std::vector<std::uint64_t>& all, std::uint64_t limit) {
  std::vector<Array> arrays;
  for (const std::uint64_t task : all) {
    const std::uint64_t offset = (task - 1) / (limit - 1) * (limit - 1);
    if (arrays.empty() || arrays.back().offset != offset) arrays.push_back({offset, {}});
    arrays.back().tasks.push_back(task - offset);
  }
  return arrays;
}

// Of an array, so that no more than a thousand files share it.
std::string log_folder(const Array& array) { return fmt::format("logs/slurm-{}", array.offset); }

// What ended by a signal is tried again: the machine may have been out of memory, or somebody's patience. xargs says
// 125 of it.
constexpr const char* slurm_body = R"(
{work}
status=$?
if {{ [ $status -gt 128 ] || [ $status -eq 125 ]; }} && [ "${{SLURM_RESTART_COUNT:-0}}" -lt 3 ]; then
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}" && sleep 60
fi
exit $status
)";

// A task's shard by its number; or several side by side, so that a large cluster has fewer tasks to start.
std::string work_of_task(const std::string& run, const Array& array, std::uint64_t bundle, std::uint64_t shards) {
  if (bundle == 1) return fmt::format("export ASSAY_SHARD_OFFSET={}\n{}", array.offset, run);
  return fmt::format(
      "first=$((({} + SLURM_ARRAY_TASK_ID - 1) * {} + 1))\nlast=$((first + {} - 1))\n"
      "seq $first $((last < {} ? last : {})) | xargs -P {} -n 1 {} --shard",
      array.offset, bundle, bundle, shards, shards, bundle, run);
}

std::string slurm_text(const CampaignFolder& folder, const CampaignManifest& manifest, const Array& array,
                       std::uint64_t at_once, const SubmitOptions& options) {
  const std::string logs = fs::absolute(folder.at(log_folder(array))).string();
  std::string text = "#!/bin/sh\n";
  const auto say = [&](const std::string& option) { text += "#SBATCH " + option + "\n"; };
  say("--job-name=" + shell_word(manifest.name));
  say(fmt::format("--array={}%{}", array_text(array.tasks), at_once));
  say("--output=" + shell_word(logs + "/%a.log"));
  say("--open-mode=append");
  say("--requeue");
  say(fmt::format("--cpus-per-task={}", static_cast<std::uint64_t>(manifest.threads) * options.bundle));
  if (const int minutes = minutes_of_shard(manifest); minutes > 0) say(fmt::format("--time={}", minutes));
  if (!options.partition.empty()) say("--partition=" + shell_word(options.partition));
  for (const std::string& more : options.more) say(more);
  const std::string run = run_command(folder, manifest);
  return text + fmt::format(slurm_body, fmt::arg("work", work_of_task(run, array, options.bundle, manifest.shards())));
}

// Arrays run side by side, and share what may run at once: so none waits for the last task of another.
std::vector<EngineScript> slurm_scripts(const CampaignFolder& folder, const CampaignManifest& manifest,
                                        const std::vector<std::uint64_t>& shards, const SubmitOptions& options) {
  std::vector<std::uint64_t> tasks;
  for (const std::uint64_t shard : shards) {
    const std::uint64_t task = (shard - 1) / options.bundle + 1;
    if (tasks.empty() || tasks.back() != task) tasks.push_back(task);
  }
  const std::vector<Array> arrays = arrays_of(tasks, array_limit());
  const std::uint64_t all = (options.at_once != 0 ? options.at_once : usual_at_once) / options.bundle;
  std::vector<EngineScript> scripts;
  for (const Array& array : arrays) {
    const auto part = static_cast<std::uint64_t>(static_cast<double>(all) * static_cast<double>(array.tasks.size()) /
                                                 static_cast<double>(tasks.size()));
    fs::create_directories(folder.at(log_folder(array)));
    scripts.push_back({fmt::format("slurm-{}.sh", scripts.size() + 1),
                       slurm_text(folder, manifest, array, std::max<std::uint64_t>(1, part), options),
                       {"sbatch"}});
  }
  return scripts;
}

// --- without a cluster ---

std::string listed(const std::vector<std::uint64_t>& shards) {
  std::string text;
  for (const std::uint64_t shard : shards) text += std::to_string(shard) + "\n";
  return text;
}

// Shards whose list stands in the script itself.
EngineScript list_script(const std::string& name, const std::string& command,
                         const std::vector<std::uint64_t>& shards) {
  return {name, "#!/bin/sh\n" + command + " <<'END'\n" + listed(shards) + "END\n", {"sh"}};
}

std::string further(const SubmitOptions& options) {
  std::string text;
  for (const std::string& more : options.more) text += " " + more;
  return text;
}

std::vector<EngineScript> parallel_scripts(const CampaignFolder& folder, const CampaignManifest& manifest,
                                           const std::vector<std::uint64_t>& shards, const SubmitOptions& options) {
  const std::string log = shell_word(fs::absolute(folder.at("logs/parallel.log")).string());
  const std::uint64_t at_once = options.at_once != 0 ? options.at_once : own_threads();
  return {list_script("parallel.sh",
                      fmt::format("parallel --will-cite --jobs {} --joblog {}{} {} --shard {{}}", at_once, log,
                                  further(options), run_command(folder, manifest)),
                      shards)};
}

std::vector<EngineScript> local_scripts(const CampaignFolder& folder, const CampaignManifest& manifest,
                                        const std::vector<std::uint64_t>& shards, const SubmitOptions& options) {
  const std::uint64_t at_once = options.at_once != 0 ? options.at_once : own_threads();
  return {list_script(
      "local.sh",
      fmt::format("xargs -P {} -n 1{} {} --shard", at_once, further(options), run_command(folder, manifest)), shards)};
}

std::uint64_t number_in(const char* name, const char* text) {
  std::uint64_t number = 0;
  const std::string_view word = text;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size())
    throw Error{fmt::format("{} is '{}', and says no shard; --shard N does.", name, word)};
  return number;
}

}  // namespace

const std::vector<CampaignEngine>& engines() {
  static const std::vector<CampaignEngine> table{
      {"slurm", "arrays of Slurm, by sbatch", false, slurm_scripts},
      {"parallel", "GNU parallel, here or on hosts that its options name", true, parallel_scripts},
      {"local", "xargs, on this machine", true, local_scripts},
  };
  return table;
}

std::vector<std::uint64_t> shards_to_do(const CampaignFolder& folder, const CampaignManifest& manifest) {
  std::vector<std::uint64_t> shards;
  for (std::uint64_t shard = 1; shard <= manifest.shards(); ++shard) {
    const auto head = folder.result_head(manifest, shard);
    if (!head || head->units < manifest.portion(shard).units.count) shards.push_back(shard);
  }
  return shards;
}

std::vector<EngineScript> write_scripts(const CampaignFolder& folder, const CampaignEngine& engine,
                                        const SubmitOptions& options) {
  const CampaignManifest manifest = folder.manifest();
  const std::vector<std::uint64_t> shards = shards_to_do(folder, manifest);
  std::vector<EngineScript> scripts;
  if (!shards.empty()) scripts = engine.scripts(folder, manifest, shards, options);
  for (EngineScript& script : scripts) {
    const std::string path = fs::absolute(folder.at("submit/" + script.name)).string();
    write_whole_file(path, script.text);
    script.command.push_back(path);
  }
  return scripts;
}

// LSF counts from 1, and says 0 of a job that is no array.
std::uint64_t shard_of_task(const char* (*get)(const char* name)) {
  const char* offset = get("ASSAY_SHARD_OFFSET");
  for (const char* name : {"SLURM_ARRAY_TASK_ID", "LSB_JOBINDEX"}) {
    const char* task = get(name);
    if (task == nullptr) continue;
    const std::uint64_t number = number_in(name, task);
    if (number == 0) continue;
    return number + (offset == nullptr ? 0 : number_in("ASSAY_SHARD_OFFSET", offset));
  }
  return 0;
}

}  // namespace assay::campaign
