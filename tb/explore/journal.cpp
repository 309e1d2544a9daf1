#include "tb/explore/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tb/vectors/output_file.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

double double_of(std::uint64_t bits) {
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// The members of a sample, in the order in which a line has them: doubles as their bits, since infinities are no JSON.
constexpr double Sample::*reals[] = {&Sample::normwise, &Sample::elementwise, &Sample::greatest,
                                     &Sample::bias,     &Sample::shrink,      &Sample::value};
constexpr std::uint64_t Sample::*counts[] = {&Sample::correct, &Sample::results, &Sample::special, &Sample::swamped,
                                             &Sample::products};

Json json_of(const Sample& sample) {
  Json list = Json::array();
  for (const auto member : reals) list.push_back(bits_of(sample.*member));
  for (const auto member : counts) list.push_back(sample.*member);
  Json bins = Json::array();
  for (std::size_t i = 0; i < sample.histogram.size(); ++i) {
    if (sample.histogram[i] != 0) bins.push_back(Json::array({i, sample.histogram[i]}));
  }
  list.push_back(std::move(bins));
  return list;
}

Sample sample_in(const Json& list) {
  Sample sample;
  std::size_t at = 0;
  for (const auto member : reals) sample.*member = double_of(list.at(at++).get<std::uint64_t>());
  for (const auto member : counts) sample.*member = list.at(at++).get<std::uint64_t>();
  for (const Json& bin : list.at(at))
    sample.histogram.at(bin.at(0).get<std::size_t>()) = bin.at(1).get<std::uint64_t>();
  return sample;
}

std::string line_of(int unit, const std::vector<Sample>& samples) {
  Json list = Json::array();
  for (const Sample& s : samples) list.push_back(json_of(s));
  return Json{{"unit", unit}, {"samples", std::move(list)}}.dump() + "\n";
}

std::string read_all(int descriptor) {
  std::string text;
  char piece[1 << 16];
  for (ssize_t n = 0; (n = pread(descriptor, piece, sizeof piece, static_cast<off_t>(text.size()))) > 0;)
    text.append(piece, static_cast<std::size_t>(n));
  return text;
}

void write_fully(int descriptor, const std::string& text, const std::string& path) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write_quietly(descriptor, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw ConfigError{path + ": This file cannot be written: " + std::strerror(errno) + "."};
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace

Journal::Journal(const std::string& folder, const std::string& identity)
    : path_(folder + "/journal.jsonl"), head_(Json{{"journal", 1}, {"study", identity}}.dump() + "\n") {
  std::error_code error;
  const bool present = fs::exists(path_, error);
  if (!present && fs::exists(folder, error) && !fs::is_empty(folder, error))
    throw ConfigError{folder +
                      ": This folder holds something other than a study's results; name a new one with --out."};
  fs::create_directories(folder, error);
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(std::string("This file cannot be written: ") + std::strerror(errno) + ".");
  try {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      fail("Another run is writing this journal; wait for it, or name another folder with --out.");
    read(read_all(descriptor_));
  } catch (const ConfigError&) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::fail(const std::string& sentence) const { throw ConfigError{path_ + ": " + sentence}; }

void Journal::read(const std::string& text) {
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole != 0 && text.compare(0, head_.size(), head_) != 0)
    fail(
        "This journal is that of another study, or of other seeds, files or datapaths; name another folder with "
        "--out.");
  if (whole != text.size() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
    fail("Its torn last line cannot be taken away.");
  if (whole == 0) return write(head_);
  for (std::size_t from = head_.size(); from < whole;) {
    const std::size_t end = text.find('\n', from);
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(from),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    try {
      std::vector<Sample> samples;
      for (const Json& sample : line.at("samples")) samples.push_back(sample_in(sample));
      finished_[line.at("unit").get<int>()] = std::move(samples);
    } catch (const std::exception&) {
      fail("A line of this journal cannot be read; take the folder away and begin again.");
    }
    from = end + 1;
  }
}

void Journal::write(const std::string& text) { write_fully(descriptor_, text, path_); }

void Journal::add(int unit, const std::vector<Sample>& samples) {
  write(line_of(unit, samples));
  finished_[unit] = samples;
}

void Journal::sort() {
  std::string text = head_;
  for (const auto& [unit, samples] : finished_) text += line_of(unit, samples);
  write_whole_file(path_, text);
}

}  // namespace assay
