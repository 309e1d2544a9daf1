#include "tb/devices/kinds/kinds.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "tb/devices/kinds/exec_kind.hpp"
#include "tb/devices/kinds/host_kind.hpp"
#include "tb/devices/kinds/model_kind.hpp"
#include "tb/devices/kinds/oracle_kind.hpp"
#include "tb/devices/kinds/qemu_kind.hpp"
#include "tb/devices/kinds/rtl_kind.hpp"
#include "tb/devices/kinds/systemc_kind.hpp"
#include "tb/devices/kinds/vectors_kind.hpp"

namespace assay {
namespace {

struct Named {
  const DeviceKind* kind = nullptr;  // nullptr: there is none of this name
  std::string argument;
};

// Of a list nothing may stand after the colon: its kind says what there is.
bool is_named(const DeviceKind& kind, const std::string& name, bool colon, const std::string& argument) {
  if (kind.name != name || kind.argument.empty() == colon) return false;
  return !colon || !argument.empty() || kind.argument_is == ArgumentIs::listed;
}

Named named(const std::string& spec) {
  const std::size_t colon = std::min(spec.find(':'), spec.size());
  const std::string name = spec.substr(0, colon), argument = spec.substr(std::min(colon + 1, spec.size()));
  for (const DeviceKind& kind : device_kinds()) {
    if (is_named(kind, name, colon < spec.size(), argument)) return {&kind, argument};
  }
  return {};
}

// Of the files that an argument names: FILE, FILE#exec=COMMAND, COMMAND. Programs that PATH finds are the machine's.
std::string sha256_of_files(const std::string& argument) {
  const auto hash_of = [](const std::string& word) {
    std::error_code unreachable;
    return std::filesystem::is_regular_file(word, unreachable) ? file_sha256(word) : "";
  };
  const std::size_t sharp = std::min(argument.find('#'), argument.size());
  std::vector<std::string> words{argument.substr(0, sharp)};
  if (hash_of(words.front()).empty()) words = split(words.front(), ' ');
  for (const std::string& word : split(argument.substr(sharp), ' '))
    words.push_back(word.substr(word.find('=') == word.npos ? 0 : word.find('=') + 1));
  std::string all;
  std::size_t files = 0;
  for (const std::string& word : words) {
    const std::string one = hash_of(word);
    all += one;
    files += one.empty() ? 0 : 1;
  }
  return files > 1 ? sha256(all) : all;
}

}  // namespace

const std::vector<DeviceKind>& device_kinds() {
  static const std::vector<DeviceKind> kinds{
      {"model", "", ArgumentIs::nothing, "the reference model", "[architecture.md](architecture.md)", open_model},
      {"model", "FILE.yaml", ArgumentIs::file, "the model on a datapath file", "[datapath.md](datapath.md)",
       open_other_model},
      {"model", "ARCHITECTURE:INSTRUCTION", ArgumentIs::text, "the model on another instruction's datapath",
       "`assay list` shows them", open_other_model},
      {"model", "FILE.yaml#exec=COMMAND", ArgumentIs::text, "the same, some of its stages computed by a program",
       "[below](#a-stage-of-your-own)", open_other_model},
      {"oracle", "", ArgumentIs::nothing, "exact rationals", "[testing.md](testing.md)", open_oracle},
      {"systemc", "", ArgumentIs::nothing, "the model as SystemC modules", "[systemc.md](systemc.md)", open_systemc},
      {"rtl",
       "DUT.yaml",
       ArgumentIs::file,
       "Verilated RTL, from its DUT file",
       "[rtl.md](rtl.md)",
       open_rtl,
       {rtl_subjects, rtl_facts, true, nullptr, rtl_bare_rate, share_rtl}},
      {"host",
       "UNIT",
       ArgumentIs::listed,
       "a unit of this machine's processor",
       "[below](#this-machines-own-units)",
       open_host,
       {host_subjects, host_facts, false, host_names}},
      {"qemu",
       "MACHINE",
       ArgumentIs::listed,
       "another processor's units, in QEMU",
       "[below](#other-processors-in-qemu)",
       open_qemu,
       {qemu_subjects, qemu_facts, false, qemu_names}},
      {"vectors", "FILE", ArgumentIs::file, "recorded results, from a vector file", "[vectors.md](vectors.md)",
       open_vectors},
      {"exec", "COMMAND", ArgumentIs::text, "a program that speaks JSON lines", "below", open_exec},
  };
  return kinds;
}

std::string form_of(const DeviceKind& kind) {
  return std::string(kind.name) + (kind.argument.empty() ? "" : ":") + std::string(kind.argument);
}

std::string device_forms() {
  const std::vector<DeviceKind>& kinds = device_kinds();
  std::string text;
  for (const DeviceKind& kind : kinds) {
    if (!text.empty()) text += &kind == &kinds.back() ? " or " : ", ";
    text += form_of(kind);
  }
  return text;
}

std::string devices_in_markdown() {
  std::string text = "| device | what it is | more |\n|---|---|---|\n";
  for (const DeviceKind& kind : device_kinds()) {
    text += "| `" + form_of(kind) + "` | " + std::string(kind.about) + " | " + std::string(kind.more) + " |\n";
  }
  return text;
}

std::unique_ptr<Device> open_device(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                    std::ostream& log, const std::string& wave, int processes) {
  const Named found = named(spec);
  const bool simulates = found.kind != nullptr && found.kind->can.simulates;
  if (processes > 1 && !simulates)
    throw Error{"--processes is for rtl:DUT.yaml, of which several can run at once; " + spec + " is one alone."};
  if (!wave.empty() && !simulates) {
    throw Error{"--wave shows the signals of rtl:DUT.yaml; " + spec +
                " has none. For SystemC's bundles see assay-systemc --wave."};
  }
  if (found.kind == nullptr) throw Error{"'" + spec + "' is no device; the devices are " + device_forms() + "."};
  return found.kind->open({spec, found.argument, subject, catalogue, log, wave, processes});
}

std::vector<DeviceFact> device_facts(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                     std::ostream& log, const std::string& wave) {
  const Named found = named(spec);
  if (found.kind == nullptr || found.kind->can.facts == nullptr) return {};
  return found.kind->can.facts({spec, found.argument, subject, catalogue, log, wave});
}

void share_device(const std::string& spec, const Subject& subject, const Catalogue& catalogue, std::ostream& log,
                  const std::string& builds) {
  const Named found = named(spec);
  if (found.kind != nullptr && found.kind->can.share != nullptr)
    found.kind->can.share({spec, found.argument, subject, catalogue, log, "", 1, builds});
}

std::unique_ptr<Device> open_shared_device(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                                           std::ostream& log, const std::string& builds) {
  const Named found = named(spec);
  if (found.kind == nullptr || found.kind->can.share == nullptr) return open_device(spec, subject, catalogue, log);
  return found.kind->open({spec, found.argument, subject, catalogue, log, "", 1, builds});
}

std::string device_sha256(const std::string& spec, const Subject& subject, const Catalogue& catalogue,
                          const std::string& builds) {
  const Named found = named(spec);
  if (found.kind == nullptr) return "";
  if (found.kind->can.share != nullptr && found.kind->can.facts != nullptr) {
    std::ostringstream unheard;
    return found.kind->can.facts({spec, found.argument, subject, catalogue, unheard, "", 1, builds}).front().second;
  }
  return sha256_of_files(found.argument);
}

double bare_rate(const std::string& spec, const Subject& subject, const Catalogue& catalogue, std::ostream& log,
                 double seconds) {
  const Named found = named(spec);
  if (found.kind == nullptr || found.kind->can.bare == nullptr) {
    throw Error{"bench --device measures rtl:DUT.yaml against the unit alone; " + spec +
                " has nothing inside that could be run alone."};
  }
  return found.kind->can.bare({spec, found.argument, subject, catalogue, log, ""}, seconds);
}

std::vector<Subject> subjects_of_device(const std::string& spec, const Catalogue& catalogue, std::ostream& log) {
  const Named found = named(spec);
  if (found.kind == nullptr || found.kind->can.subjects == nullptr) return {};
  return found.kind->can.subjects(spec, found.argument, catalogue, log);
}

}  // namespace assay
