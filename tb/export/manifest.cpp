#include "tb/export/manifest.hpp"

#include <algorithm>
#include <set>

#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "tb/export/part_file.hpp"
#include "tb/vectors/header.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

// --- writing ---

std::string member(const char* name, const std::string& json) { return json_string(name) + ": " + json; }

std::string member(const char* name, std::uint64_t number) { return member(name, std::to_string(number)); }

std::string text_member(const char* name, const std::string& text) { return member(name, json_string(text)); }

std::string object(const std::vector<std::string>& members) { return "{" + joined(members, ", ") + "}"; }

std::string rows(const std::vector<std::string>& objects) {
  return objects.empty() ? "[]" : "[\n    " + joined(objects, ",\n    ") + "\n  ]";
}

std::string operands(const Plan& plan) {
  std::vector<std::string> members{text_member("a", plan.a.name), text_member("b", plan.b.name),
                                   text_member("c", plan.c.name), text_member("d", plan.d.name)};
  if (plan.scale) {
    members.push_back(text_member("scale", plan.scale->name));
    members.push_back(member("scale_block", static_cast<std::uint64_t>(plan.scale_block)));
  }
  return object(members);
}

std::string row(const ManifestArray& array) {
  return object({text_member("name", array.name), text_member("number", array.number),
                 member("bits", static_cast<std::uint64_t>(array.bits)),
                 member("elements", static_cast<std::uint64_t>(array.elements)), text_member("type", array.type),
                 text_member("file", array.file), member("offset", array.offset), member("bytes", array.bytes)});
}

std::string row(const ManifestFile& file) {
  return object({text_member("name", file.name), member("bytes", file.bytes), text_member("sha256", file.sha256)});
}

template <class Row>
std::string table(const std::vector<Row>& entries) {
  std::vector<std::string> objects;
  for (const Row& entry : entries) objects.push_back(row(entry));
  return rows(objects);
}

// --- reading ---

std::string read_text(Scanner& scanner, std::string_view name) {
  const std::string_view json = scanner.value();
  if (json.front() != '"') throw ScanError{std::string(name) + " is " + excerpt(json) + "; it should be a text."};
  return HeaderMember{std::string(name), std::string(json)}.text();
}

int small_number(Scanner& scanner, std::string_view name) {
  const std::uint64_t number = scanner.number();
  if (number > greatest_k) throw ScanError{std::string(name) + " is " + std::to_string(number) + ", too much."};
  return static_cast<int>(number);
}

// A name that leads nowhere but into the export's own folder.
std::string file_name(Scanner& scanner, std::string_view name) {
  const std::string file = read_text(scanner, name);
  if (file.empty() || file == "." || file == ".." || file.find_first_of(std::string_view("/\0", 2)) != file.npos)
    throw ScanError{std::string(name) + " is " + excerpt(file) + "; it should be the name of a file in the folder."};
  return file;
}

// An array without a place would be looked for where the file begins, and of two places the last would count.
ManifestArray read_array(Scanner& scanner) {
  ManifestArray array;
  std::set<std::string> seen;
  scanner.members([&](std::string_view name) {
    if (!seen.emplace(name).second)
      throw ScanError{"an array has " + std::string(name) + " twice; it should have it once."};
    if (name == "name") {
      array.name = read_text(scanner, name);
    } else if (name == "number") {
      array.number = read_text(scanner, name);
    } else if (name == "bits") {
      array.bits = small_number(scanner, name);
    } else if (name == "elements") {
      array.elements = small_number(scanner, name);
    } else if (name == "file") {
      array.file = file_name(scanner, name);
    } else if (name == "offset") {
      array.offset = scanner.number();
    } else if (name == "bytes") {
      array.bytes = scanner.number();
    } else {
      scanner.value();
    }
  });
  if (seen.count("offset") == 0)
    throw ScanError{"array " + excerpt(array.name) + " has no offset; it should say where in its file it begins."};
  return array;
}

ManifestFile read_file(Scanner& scanner) {
  ManifestFile file;
  scanner.members([&](std::string_view name) {
    if (name == "name") {
      file.name = file_name(scanner, name);
    } else if (name == "bytes") {
      file.bytes = scanner.number();
    } else if (name == "sha256") {
      file.sha256 = read_text(scanner, name);
    } else {
      scanner.value();
    }
  });
  return file;
}

void check_version(std::uint64_t version) {
  if (version == export_version) return;
  throw ScanError{"assay_export is " + std::to_string(version) +
                  ", a version this program does not know; it reads version 1."};
}

void read_member(Scanner& scanner, std::string_view name, Manifest& manifest) {
  if (name == "format") {
    manifest.format = read_text(scanner, name);
  } else if (name == "header") {
    manifest.header = scanner.value();
  } else if (name == "k") {
    manifest.k = scanner.number();
  } else if (name == "cases") {
    manifest.cases = scanner.number();
  } else if (name == "cases_with_d") {
    manifest.cases_with_d = scanner.number();
  } else if (name == "arrays") {
    scanner.elements([&] { manifest.arrays.push_back(read_array(scanner)); });
  } else if (name == "files") {
    scanner.elements([&] { manifest.files.push_back(read_file(scanner)); });
  } else {
    scanner.value();
  }
}

}  // namespace

std::string print_manifest(const Manifest& manifest, const Plan& plan) {
  const std::vector<std::string> members{
      member("assay_export", export_version),
      text_member("format", manifest.format),
      text_member("tool", manifest.tool),
      text_member("catalogue_sha256", manifest.catalogue_sha256),
      member("header", manifest.header),
      text_member("unit", manifest.unit),
      text_member("datapath_sha256", manifest.datapath_sha256),
      member("operands", operands(plan)),
      member("k", static_cast<std::uint64_t>(plan.k)),
      member("cases", manifest.cases),
      member("cases_with_d", manifest.cases_with_d),
      member("cases_that_lost_members", manifest.cases_that_lost_members),
      text_member("packing", manifest.packing),
      member("arrays", table(manifest.arrays)),
      member("files", table(manifest.files)),
  };
  return "{\n  " + joined(members, ",\n  ") + "\n}\n";
}

Manifest parse_manifest(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');  // the scanner reads one line
  Manifest manifest;
  bool versioned = false;
  Scanner scanner(text);
  scanner.line([&](std::string_view name) {
    if (name != "assay_export") return read_member(scanner, name, manifest);
    check_version(scanner.number());
    versioned = true;
  });
  if (!versioned) throw ScanError{"it is no manifest of an export: that begins with {\"assay_export\": 1, ...}."};
  if (manifest.header.empty()) throw ScanError{"the manifest has no header; it should have that of a vector file."};
  return manifest;
}

ManifestFile described(const std::string& path, const std::string& name) {
  ManifestFile file{name, 0, ""};
  Sha256 hash;
  each_piece(path, [&](std::string_view bytes) {
    hash.add(bytes);
    file.bytes += bytes.size();
  });
  file.sha256 = hash.digits();
  return file;
}

}  // namespace assay
