#include "model/config/catalogue.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <mutex>

#include "model/base/files.hpp"
#include "model/base/text.hpp"
#include "model/config/family.hpp"
#include "model/config/free_n.hpp"
#include "model/config/home.hpp"
#include "model/config/spelling.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// A name that somebody gave, for messages.
std::string shown(const std::string& name) {
  constexpr std::size_t most = 100;
  return name.size() <= most ? "'" + name + "'" : "'" + name.substr(0, most) + "...'";
}

std::vector<std::string> yaml_files(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::path& path : entries_of(folder, error)) {
    if (path.extension() == ".yaml") files.push_back(path.string());
  }
  if (error) throw Error{folder.string() + ": This folder cannot be read (" + error.message() + ")."};
  return files;
}

// --- families ---

// What stands for the variables of a family: words of its names, and what these mean.
struct Choices {
  std::vector<Binding> words{{}}, meant{{}};
};

Choices choices_of(const YamlValue& family) {
  const auto lists = family.find("for");
  if (!lists) return {};
  const std::vector<Binding> words = bindings(*lists, "instructions");
  return {words, meanings(*lists, words)};
}

const std::vector<std::string_view>& evidence_words() {
  static const std::vector<std::string_view> words{"captured", "maker's model", "paper",          "published simulator",
                                                   "inferred", "documented",    "draft standard", "emulated"};
  return words;
}

// `evidence: paper`, or per instruction: {captured: [names], paper: rest}.
std::string evidence_of(const YamlValue& evidence, const std::string& name) {
  if (evidence.is_scalar()) return std::string(evidence_words()[evidence.one_of(evidence_words())]);
  evidence.only(evidence_words());
  std::string rest;
  for (const auto& [word, names] : evidence.members()) {
    if (names.is_scalar()) {
      names.one_of({"rest"});
      rest = word;
      continue;
    }
    const std::vector<std::string> listed = names.texts();
    if (std::find(listed.begin(), listed.end(), name) != listed.end()) return word;
  }
  if (rest.empty())
    evidence.fail("no evidence is given for '" + name + "'; list it, or say `rest` for one kind of evidence.");
  return rest;
}

std::string read_n(const YamlValue& value) {
  const std::string text = value.text();
  if (!is_count(text) && !free_n_in(text))
    value.fail("a number or first:last:step is needed here, or several of these with a space between, found " +
               value.found() + ".");
  return text;
}

int one_n(const YamlValue& layout, const Instruction& i) {
  if (free_n(i)) layout.fail("a layout has one n, and this shape leaves it open; leave `layout` out.");
  return std::stoi(i.n);
}

// `modifiers: {cbsz: 4, blgp: lanes}`: the greatest cbsz, and what blgp means.
layout::LegalModifiers read_modifiers(const YamlValue& value) {
  value.only({"cbsz", "blgp"});
  layout::LegalModifiers legal;
  if (const auto cbsz = value.find("cbsz")) legal.most_cbsz = cbsz->integer(1, 6);
  static const std::vector<std::string_view> uses{"lanes", "negate"};
  if (const auto blgp = value.find("blgp"))
    legal.blgp = blgp->one_of(uses) == 0 ? layout::BlgpUse::lanes : layout::BlgpUse::negate;
  return legal;
}

// `timing: {cycles: 64, flops: 256}`: of one instruction, and of a compute unit in each cycle.
InstructionTiming read_timing(const YamlValue& value) {
  value.only({"cycles", "flops"});
  return {value.at("cycles").integer(1, 4096), value.at("flops").integer(1, 1 << 20)};
}

// What all instructions of a family have in common.
Instruction read_family(const YamlValue& family, const std::string& architecture) {
  Instruction i;
  i.architecture = architecture;
  i.family = family.at("name").text();
  const YamlValue shape = family.at("shape");
  shape.only({"m", "n", "k", "blocks"});
  i.m = shape.at("m").integer(1, 4096);
  i.n = read_n(shape.at("n"));
  i.k = shape.at("k").integer(1, greatest_k);
  i.blocks = shape.at("blocks").integer(1, 64);
  const YamlValue operands = family.at("operands");
  for (const char* key : {"a", "b", "c", "d"}) operands.at(key);
  read_operands(operands, i.operands);
  if (const auto layout = family.find("layout")) i.layout = read_layouts(*layout, {i.m, one_n(*layout, i), i.k});
  if (const auto modifiers = family.find("modifiers")) i.modifiers = read_modifiers(*modifiers);
  if (const auto timing = family.find("timing")) i.timing = read_timing(*timing);
  return i;
}

// One of them: `words` in its names, and in its formats and its datapath what is `meant`.
Instruction with_binding(const YamlValue& family, Instruction i, const Binding& words, const Binding& meant) {
  const auto text_at = [](const YamlValue& value, const Binding& texts) { return filled(value, value.text(), texts); };
  i.name = text_at(family.at("name"), words);
  i.spelling = canonical_spelling(i.name);
  if (const auto sass = family.find("sass")) i.sass = text_at(*sass, words);
  const YamlValue operands = family.at("operands");
  for (std::string* format : {&i.operands.a, &i.operands.b, &i.operands.c, &i.operands.d, &i.operands.scale}) {
    *format = filled(operands, *format, meant);
  }
  i.datapath = text_at(family.at("datapath"), meant);
  i.evidence = evidence_of(family.at("evidence"), i.name);
  return i;
}

void check_evidence_names(const YamlValue& family, const std::vector<Instruction>& made) {
  const YamlValue evidence = family.at("evidence");
  if (!evidence.is_mapping()) return;
  std::vector<std::string> names;
  for (const Instruction& i : made) names.push_back(i.name);
  for (const auto& member : evidence.members()) {
    if (!member.second.is_list()) continue;
    for (const YamlValue& item : member.second.items()) {
      if (std::find(names.begin(), names.end(), item.text()) == names.end()) {
        item.fail("this family makes no instruction '" + item.text() + "'" + nearest(item.text(), names));
      }
    }
  }
}

std::vector<Variant> variants_of(const YamlValue& top) {
  const auto list = top.find("variants");
  if (!list) return {};
  std::vector<std::string> families;
  for (const YamlValue& family : top.at("families").items()) families.push_back(family.at("name").text());
  return read_variants(*list, families);
}

// `wave: {lanes: 64, vector: 256, accumulation: 256, aligned: 2, results: accumulation}`
layout::RegisterFiles read_wave(const YamlValue& value) {
  value.only({"lanes", "vector", "accumulation", "aligned", "results"});
  layout::RegisterFiles files;
  files.lanes = value.at("lanes").integer(1, 64);
  files.vector = value.at("vector").integer(1, 512);
  if (const auto accumulation = value.find("accumulation")) files.accumulation = accumulation->integer(1, 512);
  if (const auto aligned = value.find("aligned")) files.aligned = aligned->integer(1, 4);
  if (const auto results = value.find("results")) {
    results->one_of({"accumulation"});
    files.results_in_accumulation = true;
  }
  return files;
}

// `a_cycle: {f16: [8, 4, 16]}`: m, n and k of what is multiplied in a cycle.
std::vector<CycleShape> read_cycle_shapes(const YamlValue& value) {
  std::vector<CycleShape> shapes;
  for (const auto& [kind, sizes] : value.members()) {
    const std::vector<YamlValue> items = sizes.items();
    if (items.size() != 3) sizes.fail("three numbers are needed here, m, n and k.");
    shapes.push_back({kind, items[0].integer(1, 4096), items[1].integer(1, 4096), items[2].integer(1, 4096)});
  }
  return shapes;
}

// `scale_groups: {nvf4: {scale: ue4m3, elements: 16}}`
std::vector<ScaleGroup> read_scale_groups(const YamlValue& value) {
  std::vector<ScaleGroup> groups;
  for (const auto& [kind, group] : value.members()) {
    group.only({"scale", "elements"});
    groups.push_back({kind, group.at("scale").text(), group.at("elements").integer(1, 4096)});
  }
  return groups;
}

Architecture read_architecture(const YamlValue& top) {
  top.only({"architecture", "about", "aliases", "wave", "a_cycle", "scale_groups", "variants", "families"});
  Architecture a;
  a.name = top.at("architecture").text();
  a.about = top.at("about").text();
  a.aliases = top.at("aliases").texts();
  a.variants = variants_of(top);
  if (const auto wave = top.find("wave")) a.wave = read_wave(*wave);
  if (const auto shapes = top.find("a_cycle")) a.a_cycle = read_cycle_shapes(*shapes);
  if (const auto groups = top.find("scale_groups")) a.scale_groups = read_scale_groups(*groups);
  for (const YamlValue& family : top.at("families").items()) {
    family.only({"name", "for", "sass", "shape", "operands", "datapath", "evidence", "layout", "modifiers", "timing"});
    const Choices all = choices_of(family);
    const Instruction common = read_family(family, a.name);
    std::vector<Instruction> made;
    for (std::size_t i = 0; i < all.words.size(); ++i)
      made.push_back(with_binding(family, common, all.words[i], all.meant[i]));
    check_evidence_names(family, made);
    for (Instruction& i : made) {
      for (const Instruction& other : a.instructions) {
        if (other.spelling == i.spelling) family.fail("the instruction '" + i.name + "' is there already.");
      }
      a.instructions.push_back(std::move(i));
    }
  }
  return a;
}

std::vector<std::string> own_names(const Architecture& a) {
  std::vector<std::string> names{a.name};
  names.insert(names.end(), a.aliases.begin(), a.aliases.end());
  return names;
}

void check_aliases(const std::vector<Architecture>& architectures) {
  std::map<std::string, std::string> owner;
  for (const Architecture& a : architectures) {
    for (const std::string& name : own_names(a)) {
      const auto [at, is_new] = owner.emplace(lower(name), a.name);
      if (!is_new)
        throw Error{"The name '" + name + "' belongs to two architectures, " + at->second + " and " + a.name + "."};
    }
  }
}

// --- spellings ---

// Of instructions that leave n open, the one whose name with an n spelled out this is; `wanted` is its canonical
// spelling. Where one would be it but for its n, `why` says what it takes.
const Instruction* with_free_n(const Architecture& architecture, const std::string& name, const std::string& wanted,
                               std::string& why) {
  for (const Instruction& i : architecture.instructions) {
    const std::optional<int> n = spelled_n(i, wanted);
    const std::optional<FreeN> allowed = n ? free_n(i) : std::nullopt;
    if (!allowed) continue;
    if (allowed->has(*n)) return &i;
    why = "There is no " + shown(name) + ": n is " + std::to_string(*n) + ", but " + i.full_name() + " takes " +
          allowed->text() + ".";
  }
  return nullptr;
}

const Instruction* spelled(const Architecture& a, const std::string& spelling) {
  const auto found = std::find_if(a.instructions.begin(), a.instructions.end(),
                                  [&](const Instruction& i) { return i.spelling == spelling; });
  return found == a.instructions.end() ? nullptr : &*found;
}

// What is known of an instruction in several modes is no more than what is known of each.
std::string evidence_of(const AskedVariants& asked, const Instruction& base) {
  for (const Variant* v : asked.variants) {
    const bool alone = asked.variants.size() == 1 || v->evidence_with_others.empty();
    const std::string own = alone ? evidence_of(v->evidence, base.family) : v->evidence_with_others;
    if (own != base.evidence) return own;
  }
  return base.evidence;
}

// An instruction with variants behind its name, each after a dot. Where there is the instruction but not the variant,
// `why` says what it takes.
std::optional<Instruction> with_variants(const Architecture& a, const std::string& wanted, std::string& why) {
  if (a.variants.empty()) return std::nullopt;
  for (std::size_t dot = wanted.rfind('.'); dot != std::string::npos && dot > 0; dot = wanted.rfind('.', dot - 1)) {
    const Instruction* base = spelled(a, wanted.substr(0, dot));
    if (base == nullptr) continue;
    const std::string names = wanted.substr(dot + 1);
    const auto asked =
        ask_variants(a.variants, {base->full_name(), base->family, base->operands}, split(names, '.'), why);
    if (!asked) return std::nullopt;
    Instruction i = *base;
    i.name += "." + names;
    i.spelling = wanted;
    i.evidence = evidence_of(*asked, *base);
    i.changes = asked->changes;
    return i;
  }
  return std::nullopt;
}

// What a name, and its canonical spelling, may mean on one architecture: the instruction that is spelled so, or all
// with that machine instruction.
std::vector<Instruction> meant(const Architecture& a, const std::string& name, const std::string& wanted,
                               std::string& why) {
  const bool one_k = wanted.size() > 3 && wanted.compare(wanted.size() - 3, 3, "_1k") == 0;
  for (const std::string& spelling : {wanted, one_k ? wanted.substr(0, wanted.size() - 3) : wanted}) {
    if (const Instruction* i = spelled(a, spelling)) return {*i};
  }
  if (const Instruction* i = with_free_n(a, name, wanted, why)) return {*i};
  if (auto i = with_variants(a, wanted, why)) return {*std::move(i)};
  std::vector<Instruction> by_sass;
  for (const Instruction& i : a.instructions) {
    if (!i.sass.empty() && lower(i.sass) == lower(name)) by_sass.push_back(i);
  }
  return by_sass;
}

std::vector<Instruction> meant_anywhere(const std::vector<Architecture>& architectures, const std::string& name,
                                        std::string& why) {
  const std::string wanted = canonical_spelling(name);
  std::vector<Instruction> all;
  for (const Architecture& a : architectures) {
    for (Instruction& i : meant(a, name, wanted, why)) all.push_back(std::move(i));
  }
  return all;
}

// The colons of PTX's own words, such as kind::mxf4, name no architecture.
bool names_architecture(const std::string& name) {
  const std::size_t colon = name.find(':');
  return colon != std::string::npos && name.compare(colon, 2, "::") != 0;
}

// Where in a folder of configs, datapath or arch, the file of this name lies; empty where there is none.
std::string path_of(const Catalogue& catalogue, const char* kind, const std::string& name) {
  const fs::path path = fs::path(catalogue.folder()) / "configs" / kind / (name + ".yaml");
  std::error_code ignored;
  return name.find('/') == std::string::npos && fs::is_regular_file(path, ignored) ? path.string() : "";
}

std::string no_datapath(const Catalogue& catalogue, const std::string& name) {
  const std::vector<std::string> names = catalogue.datapath_names();
  return "There is no datapath " + shown(name) + " in configs/datapath; there are " + joined(names) +
         nearest(name, names);
}

// Datapaths of configs/datapath by name. One may be `like` another, which may itself be like a third, but not in a
// circle.
DatapathSource source_in(const Catalogue& catalogue, int depth) {
  return [&catalogue, depth](const YamlValue& like) {
    const std::string name = like.text();
    if (depth > 8) like.fail("the datapath '" + name + "' is `like` itself, through others or more than 8 deep.");
    const std::string path = path_of(catalogue, "datapath", name);
    if (path.empty()) like.fail(no_datapath(catalogue, name));
    return read_datapath(read_yaml_file(path), source_in(catalogue, depth + 1));
  };
}

}  // namespace

// What was read of configs/arch. Several threads may ask one catalogue.
struct Catalogue::Read {
  std::mutex mutex;
  std::map<std::string, std::optional<Architecture>> by_file;  // NAME.yaml; nothing where that is not what it describes
  std::optional<std::vector<Architecture>> all;
};

Catalogue::Catalogue(std::string folder) : folder_(std::move(folder)), read_(std::make_shared<Read>()) {}

const std::vector<Architecture>& Catalogue::architectures() const {
  const std::lock_guard<std::mutex> lock(read_->mutex);
  if (!read_->all) {
    std::vector<Architecture> all;
    for (const std::string& file : yaml_files(fs::path(folder_) / "configs" / "arch"))
      all.push_back(read_architecture(read_yaml_file(file)));
    check_aliases(all);
    read_->all = std::move(all);
  }
  return *read_->all;
}

// The architecture that NAME.yaml describes, where it has this name; nullptr: look at all.
const Architecture* Catalogue::in_its_own_file(const std::string& name) const {
  const std::lock_guard<std::mutex> lock(read_->mutex);
  if (read_->all) return nullptr;
  const auto [at, is_new] = read_->by_file.emplace(lower(name), std::nullopt);
  std::optional<Architecture>& known = at->second;
  if (is_new) {
    const std::string path = path_of(*this, "arch", at->first);
    if (path.empty()) return nullptr;
    Architecture read = read_architecture(read_yaml_file(path));
    if (lower(read.name) == at->first) known = std::move(read);
  }
  return known ? &*known : nullptr;
}

namespace {

// Names of instructions.
constexpr std::size_t shortest_prefix = 3, most_candidates = 8;

std::vector<std::string> beginning_with(const std::string& name, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& one : names) {
    const bool begins = name.size() >= shortest_prefix && lower(one).compare(0, name.size(), lower(name)) == 0;
    if (begins && std::find(found.begin(), found.end(), one) == found.end()) found.push_back(one);
  }
  return found;
}

std::string candidates_text(std::vector<std::string> found) {
  const std::size_t more = found.size() - std::min(found.size(), most_candidates);
  found.resize(found.size() - more);
  return joined(found) + (more == 0 ? "." : " and " + std::to_string(more) + " more.");
}

// What a name that is none may mean: those that begin with it, else the one it is nearest to.
std::string meant_by(const std::string& name, const std::vector<std::string>& names) {
  const std::vector<std::string> found = beginning_with(name, names);
  if (found.empty()) return nearest(canonical_spelling(name), names);
  if (found.size() == 1) return "; did you mean '" + found.front() + "'?";
  return "; these begin with it: " + candidates_text(found);
}

}  // namespace

const Architecture& Catalogue::architecture(const std::string& name) const {
  if (const Architecture* own = in_its_own_file(name)) return *own;
  std::vector<std::string> choices;
  for (const Architecture& a : architectures()) {
    for (const std::string& own : own_names(a)) {
      if (lower(own) == lower(name)) return a;
      choices.push_back(own);
    }
  }
  std::vector<std::string> names;
  for (const Architecture& a : architectures()) names.push_back(a.name);
  std::vector<std::string> instructions;
  for (const Architecture& a : architectures()) {
    for (const Instruction& i : a.instructions) instructions.push_back(i.name);
  }
  const std::vector<std::string> begin_so = beginning_with(name, instructions);
  throw Error{"There is no architecture " + shown(name) + "; the architectures are " + joined(names) +
              nearest(lower(name), choices) +
              (begin_so.empty() ? "" : " Instructions that begin with it: " + candidates_text(begin_so))};
}

Instruction Catalogue::instruction(const std::string& architecture_name, const std::string& name) const {
  const Architecture& a = architecture(architecture_name);
  const std::string wanted = canonical_spelling(name);
  std::string why;
  const std::vector<Instruction> found = meant(a, name, wanted, why);
  if (found.size() == 1) return found.front();
  if (found.empty() && !why.empty()) throw Error{why};
  std::vector<std::string> names;
  for (const Instruction& i : found) names.push_back(i.name);
  if (!found.empty()) {
    throw Error{"On " + a.name + ", '" + name + "' is the machine instruction of " + joined(names) +
                "; name one of them."};
  }
  for (const Instruction& i : a.instructions) names.push_back(i.name);
  throw Error{"There is no instruction " + shown(name) + " among the " + std::to_string(names.size()) + " of " +
              a.name + " (`assay list " + a.name + "` shows them)" + meant_by(name, names)};
}

Instruction Catalogue::instruction(const std::string& full_name) const {
  if (auto found = find_instruction(full_name)) return *std::move(found);
  std::vector<std::string> names;
  for (const Architecture& a : architectures()) {
    for (const std::string& own : own_names(a)) {
      if (lower(own) == lower(full_name)) {
        throw Error{"'" + full_name + "' is an architecture; name one of its instructions too, " + a.name +
                    ":INSTRUCTION, as `assay list " + a.name + "` shows them."};
      }
    }
    for (const Instruction& i : a.instructions) names.push_back(i.name);
  }
  throw Error{"There is no instruction " + shown(full_name) + " in any of the " +
              std::to_string(architectures().size()) + " architectures (`assay list` shows them)" +
              meant_by(full_name, names)};
}

std::string without_architecture(const std::string& name) {
  return names_architecture(name) ? name.substr(name.find(':') + 1) : name;
}

std::optional<Instruction> Catalogue::find_instruction(const std::string& word) const {
  if (names_architecture(word)) return instruction(word.substr(0, word.find(':')), without_architecture(word));
  std::string why;
  const std::vector<Instruction> found = meant_anywhere(architectures(), word, why);
  if (found.empty() && !why.empty()) throw Error{why};
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return found.front();
  std::vector<std::string> names;
  for (const Instruction& i : found) names.push_back(i.full_name());
  throw Error{"'" + word + "' may be any of " + joined(names) + "; name one of them."};
}

std::vector<Instruction> Catalogue::named(const std::string& name) const {
  std::string why;
  return meant_anywhere(architectures(), name, why);
}

DatapathFile Catalogue::datapath(const std::string& name) const {
  const std::string path = path_of(*this, "datapath", name);
  if (path.empty()) throw Error{no_datapath(*this, name)};
  return read_datapath(read_yaml_file(path), source_in(*this, 1));
}

std::vector<std::string> Catalogue::datapath_names() const {
  std::vector<std::string> names;
  for (const std::string& file : yaml_files(fs::path(folder_) / "configs" / "datapath"))
    names.push_back(fs::path(file).stem().string());
  return names;
}

DatapathFile Catalogue::datapath_of(const Instruction& instruction) const {
  DatapathFile file = datapath(instruction.datapath);
  file.datapath.operands = instruction.operands;
  file.k = instruction.k;
  return with_changes(std::move(file), instruction.changes);
}

Plan Catalogue::plan_of(const Instruction& instruction) const { return assay::plan_of(datapath_of(instruction)); }

Catalogue shipped_catalogue() { return Catalogue(home()); }

DatapathFile read_datapath_file(const std::string& path, const Catalogue& catalogue) {
  return read_datapath(read_yaml_file(path), source_in(catalogue, 0));
}

DatapathFile read_datapath_text(const std::string& text, const std::string& name, const Catalogue& catalogue) {
  return read_datapath(read_yaml_text(text, name), source_in(catalogue, 0));
}

Plan plan_of(const DatapathFile& file) {
  if (!file.k)
    throw Error{"The datapath '" + file.datapath.name +
                "' says no `k`; add the number of terms it is meant for, such as `k: 16`."};
  return plan_or_fail(file.datapath, *file.k, file.lines);
}

}  // namespace assay
