#include "tb/coverage/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace assay {
namespace {

constexpr std::size_t widest_line = 100;

std::string percent(std::uint64_t hit, std::uint64_t reachable) {
  if (reachable == 0) return "-";
  // All is 100 %; nearly all is not.
  const std::uint64_t tenths = 1000 * hit / reachable;
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

std::string row(const std::string& name, std::uint64_t hit, std::uint64_t reachable, std::uint64_t bins,
                const std::string& about) {
  return fmt::format("{:26} {:>7} {:>9} {:>6} {:>6} {:>11}  {}\n", name, hit, reachable, percent(hit, reachable),
                     reachable - hit, bins - reachable, about);
}

// "product[", 3, "] by 7"
struct Indexed {
  std::string before, after;
  int index = -1;  // -1: the name has none
};

Indexed indexed(const std::string& name) {
  const std::size_t open = name.find('['), close = name.find(']');
  const bool found = open != std::string::npos && close != std::string::npos && open + 1 < close && close - open < 8 &&
                     std::all_of(name.begin() + static_cast<std::ptrdiff_t>(open) + 1,
                                 name.begin() + static_cast<std::ptrdiff_t>(close),
                                 [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!found) return {name, "", -1};
  return {name.substr(0, open + 1), name.substr(close), std::stoi(name.substr(open + 1, close - open - 1))};
}

// Names alike but for their first index, as one: "product[0..3,7] by 7".
class Alike {
 public:
  explicit Alike(Indexed name) : name_(std::move(name)), last_(name_.index) { text_ = std::to_string(last_); }

  // One that is alike.
  void take(int index) {
    if (index == last_ + 1) {
      ++last_;
      in_run_ = true;
      return;
    }
    close_run();
    last_ = index;
    text_ += fmt::format(",{}", last_);
  }

  std::string text() {
    if (name_.index < 0) return name_.before;
    close_run();
    return name_.before + text_ + name_.after;
  }

 private:
  void close_run() {
    if (in_run_) text_ += fmt::format("..{}", last_);
    in_run_ = false;
  }

  Indexed name_;
  int last_;
  bool in_run_ = false;
  std::string text_;
};

std::vector<std::string> gathered(const std::vector<std::string>& names) {
  std::vector<Alike> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> places;  // in `groups`, by what stands around the index
  for (const std::string& name : names) {
    const Indexed one = indexed(name);
    const bool alone = one.index < 0 || places.emplace(std::pair(one.before, one.after), groups.size()).second;
    if (alone) {
      groups.emplace_back(one);
    } else {
      groups[places.at({one.before, one.after})].take(one.index);
    }
  }
  std::vector<std::string> texts;
  for (Alike& group : groups) texts.push_back(group.text());
  return texts;
}

// The names on lines of their own, separated by semicolons.
std::string wrapped(const std::vector<std::string>& names, const std::string& indent) {
  std::string text, line = indent;
  for (const std::string& name : names) {
    const bool first = line == indent;
    if (!first && line.size() + name.size() + 3 > widest_line) {
      text += line + ";\n";
      line = indent + name;
    } else {
      line += (first ? "" : "; ") + name;
    }
  }
  return text + line + "\n";
}

struct Reason {
  std::string sentence;
  std::vector<std::string> bins;
};

std::vector<Reason> reasons(const Point& point) {
  std::vector<Reason> found;
  std::map<std::string_view, std::size_t> places;  // in `found`, by the sentence
  for (const Bin& bin : point.bins) {
    if (bin.reachable()) continue;
    const auto [place, is_new] = places.emplace(bin.unreachable, found.size());
    if (is_new) found.push_back({bin.unreachable, {}});
    found[place->second].bins.push_back(bin.name);
  }
  return found;
}

}  // namespace

std::string coverage_table(const Coverage& coverage) {
  std::string text = fmt::format("{}\n{} {}\n\n{:26} {:>7} {:>9} {:>6} {:>6} {:>11}  {}\n", coverage.subject,
                                 coverage.cases, coverage.cases == 1 ? "case" : "cases", "point", "hit", "reachable",
                                 "%", "open", "unreachable", "bins of");
  std::uint64_t bins = 0;
  for (const Point& p : coverage.points) {
    text += row(p.name, p.hit(), p.reachable(), p.bins.size(), p.about);
    bins += p.bins.size();
  }
  return text + row("all", coverage.hit(), coverage.reachable(), bins, "");
}

std::vector<std::string> open_names(const Point& point) {
  std::vector<std::string> names;
  for (const Bin& bin : point.bins) {
    if (bin.open()) names.push_back(bin.name);
  }
  return gathered(names);
}

std::string open_bins(const Coverage& coverage) {
  std::string text = "\nOpen: neither hit nor shown to be out of reach\n";
  bool any = false;
  for (const Point& point : coverage.points) {
    const std::vector<std::string> names = open_names(point);
    if (names.empty()) continue;
    text += "  " + point.name + "\n" + wrapped(names, "    ");
    any = true;
  }
  return any ? text : text + "  none\n";
}

std::string unreachable_bins(const Coverage& coverage) {
  std::string text = "\nOut of reach, and why\n";
  for (const Point& point : coverage.points) {
    const std::vector<Reason> why = reasons(point);
    if (!why.empty()) text += "  " + point.name + "\n";
    for (const Reason& reason : why) text += "    " + reason.sentence + "\n" + wrapped(gathered(reason.bins), "      ");
  }
  return text;
}

std::string all_bins(const Coverage& coverage) {
  std::string text;
  for (const Point& point : coverage.points) {
    text += "\n" + point.name + ": " + point.about + "\n";
    for (const Bin& bin : point.bins) {
      const std::string count = bin.reachable() ? fmt::format("{}", bin.count) : "-";
      text += fmt::format("  {:>12}  {}\n", count, bin.name);
    }
  }
  return text;
}

}  // namespace assay
