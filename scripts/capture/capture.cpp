#include "scripts/capture/capture.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "model/base/text.hpp"
#include "tb/vectors/print.hpp"
#include "tb/vectors/scan.hpp"

namespace assay::capture {
namespace {

int digits_of(const layout::Fragment& f) { return (f.bits + 3) / 4; }

// Reads the cases of one instruction, line by line.
class CaseReader {
 public:
  CaseReader(const Tiling& tiling, bool pad) : tiling_(tiling), pad_(pad) {}

  // The case, and in `kept` its line up to where d goes: what d the line had is dropped.
  CapturedCase read(const std::string& line, std::string& kept) const {
    const layout::Fragments& f = tiling_.fragments();
    CapturedCase found;
    bool has_c = false;
    kept = "{";
    Scanner scanner(line);
    scanner.line([&](std::string_view name) {
      std::vector<std::uint64_t>* list = list_of(found, name);
      const layout::Fragment* fragment = fragment_of(name);
      if (list != nullptr && fragment == nullptr)
        throw ScanError{std::string(name) + " is given, but " + tiling_.shape().name + " has no scales."};
      std::string value;
      if (list != nullptr) {
        scanner.hex_list(fragment->bits, *list);
        append_hex_list(value, *list, digits_of(*fragment));
        check_length(name, *list);
      } else if (name == "mask" && f.indices) {
        scanner.hex_list(1, found.mask);
        append_hex_list(value, found.mask, 1);
      } else if (name == "c") {
        found.c = scanner.hex(f.c.bits);
        append_hex(value, found.c, digits_of(f.c));
        has_c = true;
      } else {
        if (name == "A" || name == "B")
          throw ScanError{"whole matrices are not captured; give dot products, a, b and c."};
        value = scanner.value();
      }
      if (name == "d") return;
      if (kept.size() > 1) kept += ',';
      kept += '"' + std::string(name) + "\":" + value;
    });
    const bool whole = !found.a.empty() && !found.b.empty() && has_c &&
                       (!f.scale_a || (!found.scale_a.empty() && !found.scale_b.empty()));
    if (!whole)
      throw ScanError{f.scale_a ? "the case needs a, b, c, scale_a and scale_b." : "the case needs a, b and c."};
    if (const std::string wrong = wrong_mask(tiling_.shape(), found.mask); !wrong.empty()) throw ScanError{wrong};
    found.a.resize(static_cast<std::size_t>(tiling_.shape().k));
    found.b.resize(static_cast<std::size_t>(tiling_.shape().k));
    return found;
  }

 private:
  static std::vector<std::uint64_t>* list_of(CapturedCase& c, std::string_view name) {
    if (name == "a") return &c.a;
    if (name == "b") return &c.b;
    if (name == "scale_a") return &c.scale_a;
    return name == "scale_b" ? &c.scale_b : nullptr;
  }

  const layout::Fragment* fragment_of(std::string_view name) const {
    const layout::Fragments& f = tiling_.fragments();
    if (name == "a") return &f.a;
    if (name == "b") return &f.b;
    if (name == "scale_a") return f.scale_a ? &*f.scale_a : nullptr;
    return f.scale_b ? &*f.scale_b : nullptr;
  }

  void check_length(std::string_view name, const std::vector<std::uint64_t>& list) const {
    const bool scale = name[0] == 's';
    const auto wanted =
        static_cast<std::size_t>(scale ? tiling_.shape().k / tiling_.shape().scale_block : tiling_.shape().k);
    if (list.size() == wanted || (pad_ && !scale && list.size() < wanted && !list.empty())) return;
    throw ScanError{std::string(name) + " has " + std::to_string(list.size()) + " elements; " + tiling_.shape().name +
                    " takes " + std::to_string(wanted) + "."};
  }

  const Tiling& tiling_;
  bool pad_;
};

// The lines of what an earlier run wrote, its unfinished last line not among them.
struct Earlier {
  std::string header;
  std::vector<std::string> cases;
  std::size_t bytes = 0;
};

Earlier read_earlier(const std::string& file) {
  Earlier earlier;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && !in.eof();) {
    earlier.bytes += line.size() + 1;
    if (earlier.header.empty()) {
      earlier.header = line;
    } else {
      earlier.cases.push_back(line);
    }
  }
  return earlier;
}

// A header line without its date: what two runs of one capture have in common.
std::string undated(const std::string& line) {
  const std::size_t at = line.find("\"date\":\"");
  if (at == line.npos) return line;
  const std::size_t end = line.find('"', at + 8);
  return line.substr(0, at) + line.substr(std::min(end, line.size() - 1) + 1);
}

class Output {
 public:
  Output(const std::string& file, bool append) : name_(file), file_(std::fopen(file.c_str(), append ? "a" : "w")) {
    if (file_ == nullptr) throw Error{file + " cannot be written."};
  }
  ~Output() {
    if (file_ != nullptr) std::fclose(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // A block of lines, on the disk when this returns.
  void write(const std::string& lines) {
    const bool whole = std::fwrite(lines.data(), 1, lines.size(), file_) == lines.size() && std::fflush(file_) == 0;
    if (!whole) throw Error{name_ + " could not be written in full; is the disk full?"};
  }

 private:
  std::string name_;
  std::FILE* file_;
};

struct Pending {
  std::vector<CapturedCase> cases;
  std::vector<std::string> lines;  // up to where d goes
};

std::string results(const Pending& pending, const Tiling& tiling, Unit& unit) {
  const std::vector<std::uint64_t> d =
      tiling.unpack(unit.execute(tiling, tiling.pack(pending.cases)), pending.cases.size());
  std::string lines;
  for (std::size_t i = 0; i < d.size(); ++i) {
    lines += pending.lines[i] + ",\"d\":";
    append_hex(lines, d[i], digits_of(tiling.fragments().d));
    lines += "}\n";
  }
  return lines;
}

}  // namespace

Header read_header(const std::string& line, const std::string& place) {
  Header header;
  try {
    bool marked = false;
    Scanner scanner(line);
    scanner.line([&](std::string_view name) {
      if (name == "architecture") {
        header.architecture = scanner.text();
      } else if (name == "instruction") {
        header.instruction = scanner.text();
      } else {
        const std::string value(scanner.value());
        if (name == "assay") marked = value == "1";
        if (name == "pad") header.pad = value == "true";
        // What d came from before goes; so does the datapath it was computed with.
        const bool dropped = name == "assay" || name == "provenance" || name == "datapath_sha256";
        if (!dropped) header.others.push_back("\"" + std::string(name) + "\":" + value);
      }
    });
    if (!marked) throw ScanError{"the first line of a vector file has \"assay\":1."};
    if (header.architecture.empty() || header.instruction.empty())
      throw ScanError{"the header names no architecture and instruction; a datapath of one's own is on no GPU."};
  } catch (const ScanError& error) {
    throw Error{place + ": " + error.message};
  }
  return header;
}

std::string header_line(const Header& header, const Tiling& tiling, const Unit& unit, const std::string& date) {
  std::string line = "{\"assay\":1,\"architecture\":" + json_string(header.architecture) +
                     ",\"instruction\":" + json_string(header.instruction);
  for (const std::string& member : header.others) line += "," + member;
  line += ",\"provenance\":{\"tool\":\"assay-capture\",\"positions\":" + std::to_string(tiling.positions());
  const std::pair<const char*, std::string> facts[] = {{"device", unit.device()},
                                                       {"driver", unit.driver()},
                                                       {"toolkit", unit.toolkit()},
                                                       {"machine", unit.machine(header.instruction)},
                                                       {"date", date}};
  for (const auto& [name, fact] : facts) {
    if (!fact.empty()) line += ",\"" + std::string(name) + "\":" + json_string(fact);
  }
  return line + "}}";
}

Done capture(const Task& task, const OpenUnit& open) {
  std::ifstream in(task.from);
  if (!in) throw Error{task.from + " cannot be read."};
  if (std::ifstream(task.to)) throw Error{task.to + " is there already; remove it to capture it again."};
  std::string line;
  std::getline(in, line);
  const Header header = read_header(line, task.from + ":1");
  const Tiling tiling(header.instruction);
  const std::unique_ptr<Unit> unit = open(header);
  const std::string first = header_line(header, tiling, *unit, task.date);

  const std::string part = task.to + ".part";
  const Earlier earlier = read_earlier(part);
  if (!earlier.header.empty() && undated(earlier.header) != undated(first)) {
    throw Error{part + " is of another capture: its header is " + excerpt(earlier.header) +
                ". Remove it to begin anew."};
  }
  if (earlier.bytes > 0 && truncate(part.c_str(), static_cast<off_t>(earlier.bytes)) != 0)
    throw Error{part + " cannot be written."};
  Output out(part, earlier.bytes > 0);
  if (earlier.header.empty()) out.write(first + "\n");

  Done done;
  Pending pending;
  const CaseReader reader(tiling, header.pad);
  const auto launch = [&] {
    if (!pending.cases.empty()) out.write(results(pending, tiling, *unit));
    pending = {};
  };
  for (std::string kept; std::getline(in, line);) {
    if (line.empty()) continue;
    CapturedCase next;
    try {
      next = reader.read(line, kept);
    } catch (const ScanError& error) {
      throw Error{task.from + ": case " + std::to_string(done.cases) + ": " + error.message};
    }
    if (done.cases < earlier.cases.size()) {
      if (earlier.cases[done.cases].compare(0, kept.size(), kept) != 0) {
        throw Error{part + ": case " + std::to_string(done.cases) + " is another one than in " + task.from +
                    ". Remove it to begin anew."};
      }
      ++done.resumed;
    } else {
      pending.cases.push_back(std::move(next));
      pending.lines.push_back(kept);
      if (pending.cases.size() == cases_a_launch) launch();
    }
    ++done.cases;
  }
  launch();
  if (done.cases == 0) throw Error{task.from + " has no cases."};
  if (done.resumed < earlier.cases.size()) {
    throw Error{part + " has " + counted(earlier.cases.size(), "case") + ", more than " + task.from +
                ". Remove it to begin anew."};
  }
  if (std::rename(part.c_str(), task.to.c_str()) != 0) throw Error{part + " cannot be renamed to " + task.to + "."};
  return done;
}

}  // namespace assay::capture
