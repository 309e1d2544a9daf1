#include "tb/coverage/coverage_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace assay {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int version = 1;

ordered_json bin_json(const Bin& bin) {
  ordered_json j{{"bin", bin.name}, {"count", bin.count}};
  if (!bin.reachable()) j["unreachable"] = bin.unreachable;
  return j;
}

// The library itself takes -1, 0.5 and true for whole numbers. `what` and `name`, the file's, are for messages.
std::uint64_t read_count(const json& value, const std::string& what, const std::string& name) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  throw Error{
      fmt::format("{}: {} is {}; it should be a whole number, not negative, that 64 bits hold. Write the file again "
                  "with `assay coverage -o FILE.json`.",
                  name, what, value.dump().substr(0, 60))};
}

Bin read_bin(const json& j, const std::string& point, const std::string& name) {
  const std::string bin = j.at("bin").get<std::string>();
  return {bin, j.value("unreachable", ""),
          read_count(j.at("count"), fmt::format("the count of {}, {},", point, bin), name)};
}

const json& list(const json& j) {
  j.get_ref<const json::array_t&>();  // throws where it is none
  return j;
}

Coverage read(const json& j, const std::string& name) {
  Coverage c{j.at("subject").get<std::string>(),
             j.at("datapath_sha256").get<std::string>(),
             read_count(j.at("cases"), "cases", name),
             {}};
  for (const json& point : list(j.at("points"))) {
    Point p{point.at("point").get<std::string>(), point.at("about").get<std::string>(), {}};
    for (const json& bin : list(point.at("bins"))) p.bins.push_back(read_bin(bin, p.name, name));
    c.points.push_back(std::move(p));
  }
  return c;
}

// Whether a count of the sum is less than what went into it.
bool wrapped(const Coverage& sum, const Coverage& from) {
  bool less = sum.cases < from.cases;
  for (std::size_t p = 0; p < sum.points.size(); ++p) {
    for (std::size_t b = 0; b < sum.points[p].bins.size(); ++b)
      less = less || sum.points[p].bins[b].count < from.points[p].bins[b].count;
  }
  return less;
}

// Each bin that may be hit, with its point.
template <class See>
void each_reachable(const Coverage& coverage, See see) {
  for (const Point& point : coverage.points) {
    for (const Bin& bin : point.bins) {
      if (bin.reachable()) see(point, bin);
    }
  }
}

}  // namespace

std::string coverage_json(const Coverage& coverage) {
  ordered_json points = ordered_json::array();
  for (const Point& point : coverage.points) {
    ordered_json bins = ordered_json::array();
    for (const Bin& bin : point.bins) bins.push_back(bin_json(bin));
    points.push_back({{"point", point.name}, {"about", point.about}, {"bins", bins}});
  }
  const ordered_json all{{"assay_coverage", version},
                         {"subject", coverage.subject},
                         {"datapath_sha256", coverage.datapath_sha256},
                         {"cases", coverage.cases},
                         {"points", points}};
  return all.dump(1) + "\n";
}

Coverage read_coverage_json(const std::string& text, const std::string& name) {
  const json j = json::parse(text, nullptr, false);
  if (!j.is_object() || !j.contains("assay_coverage"))
    throw Error{name + " is no coverage file: it must be what `assay coverage -o FILE.json` wrote."};
  if (j["assay_coverage"] != version) {
    throw Error{
        fmt::format("{}: assay_coverage is {}; this version reads {}.", name, j["assay_coverage"].dump(), version)};
  }
  try {
    return read(j, name);
  } catch (const json::exception&) {
    throw Error{name +
                ": a member of this coverage file is missing or of the wrong kind; write it again with "
                "`assay coverage -o FILE.json`."};
  }
}

void merge_of_one_datapath(Coverage& into, const Coverage& from, const std::string& name) {
  if (into.datapath_sha256 != from.datapath_sha256) {
    throw Error{fmt::format(
        "{} covers {}, whose datapath is {}..., but what it is to be merged with covers {}, "
        "whose datapath is {}...: only coverage of one datapath can be merged.",
        name, from.subject, from.datapath_sha256.substr(0, 12), into.subject, into.datapath_sha256.substr(0, 12))};
  }
  if (!merge(into, from)) {
    throw Error{name +
                " has other points or bins of the same datapath: another version of assay wrote it; write "
                "it again with this one."};
  }
  if (wrapped(into, from)) throw Error{name + " brings a count beyond what 64 bits hold; leave the file out."};
}

std::string verilator_dat(const Coverage& coverage) {
  const std::string file = bins_file_name(coverage);
  std::string text = "# SystemC::Coverage-3\n";
  int line = 0;
  each_reachable(coverage, [&](const Point& point, const Bin& bin) {
    text += fmt::format("C '\001f\002{}\001l\002{}\001n\0020\001page\002v_user/{}\001o\002{}\001h\002{}' {}\n", file,
                        ++line, point.name, bin.name, point.name, bin.count);
  });
  return text;
}

std::string bins_file_name(const Coverage& coverage) {
  return "coverage-" + coverage.datapath_sha256.substr(0, 12) + ".bins";
}

std::string bins_file_text(const Coverage& coverage) {
  std::string text;
  each_reachable(coverage, [&](const Point& point, const Bin& bin) { text += point.name + ": " + bin.name + "\n"; });
  return text;
}

}  // namespace assay
