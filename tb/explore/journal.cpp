#include "tb/explore/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/base/descriptor.hpp"
#include "model/base/output_file.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t most_results = std::uint64_t{1} << 32;  // of one D

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
struct RealMember {
  double Sample::*member;
  const char* name;
  bool may_be_negative, may_be_nan;
};
constexpr RealMember reals[] = {{&Sample::normwise, "normwise", false, false},
                                {&Sample::elementwise, "elementwise", false, false},
                                {&Sample::greatest, "greatest", false, false},
                                {&Sample::bias, "bias_ulps", true, false},
                                {&Sample::shrink, "shrink_ulps", true, false},
                                {&Sample::value, "value", true, true},  // results may be NaN themselves
                                {&Sample::quantisation, "quantisation", false, false},
                                {&Sample::total, "total", false, false}};
constexpr std::uint64_t Sample::*counts[] = {&Sample::correct, &Sample::results, &Sample::special, &Sample::swamped,
                                             &Sample::products};

// Why a line is none that a run has written.
struct Impossible {
  std::string why;
};

Json json_of(const Sample& sample) {
  Json list = Json::array();
  for (const RealMember& real : reals) list.push_back(bits_of(sample.*real.member));
  for (const auto member : counts) list.push_back(sample.*member);
  Json bins = Json::array();
  for (std::size_t i = 0; i < sample.histogram.size(); ++i) {
    if (sample.histogram[i] != 0) bins.push_back(Json::array({i, sample.histogram[i]}));
  }
  list.push_back(std::move(bins));
  return list;
}

// What JSON's reader would also make of -1, 1.5 or true.
std::uint64_t whole(const Json& number) {
  constexpr std::size_t shown = 40;  // characters, all of ASCII
  if (!number.is_number_unsigned())
    throw Impossible{"'" + number.dump(-1, ' ', true).substr(0, shown) + "' stands where a count belongs"};
  return number.get<std::uint64_t>();
}

double real_in(const Json& number, const RealMember& of) {
  const double x = double_of(whole(number));
  if ((std::isnan(x) && !of.may_be_nan) || (x < 0 && !of.may_be_negative))
    throw Impossible{std::string(of.name) + " is " + (std::isnan(x) ? "not a number" : "below zero")};
  return x;
}

// Elements are right, special or neither; each that is not special is in one bin of the histogram.
void check_counts(const Sample& s) {
  std::uint64_t binned = 0;
  bool too_many = s.results > most_results || s.products > most_results;
  for (const std::uint64_t count : s.histogram) {
    too_many = too_many || count > most_results;
    binned += count;
  }
  if (too_many || s.correct > s.results || s.special > s.results || binned > s.results)
    throw Impossible{"it counts more elements than there are"};
  if (s.swamped > s.products) throw Impossible{"it counts more swamped products than products"};
}

Sample sample_in(const Json& list) {
  if (list.size() != std::size(reals) + std::size(counts) + 1) throw Impossible{"a sample has not all of its numbers"};
  Sample sample;
  std::size_t at = 0;
  for (const RealMember& real : reals) sample.*real.member = real_in(list.at(at++), real);
  for (const auto member : counts) sample.*member = whole(list.at(at++));
  for (const Json& bin : list.at(at)) sample.histogram.at(whole(bin.at(0))) = whole(bin.at(1));
  check_counts(sample);
  return sample;
}

struct UnitLine {
  int unit = 0;
  std::vector<Sample> samples;
};

// Throws Impossible.
UnitLine read_line(const std::string& text) {
  const Json line = Json::parse(text, nullptr, false);
  if (line.is_discarded()) throw Impossible{"it is no JSON, or has a number that none can hold"};
  try {
    const std::uint64_t unit = whole(line.at("unit"));
    if (unit > std::numeric_limits<int>::max()) throw Impossible{"there is no unit " + std::to_string(unit)};
    UnitLine read{static_cast<int>(unit), {}};
    for (const Json& sample : line.at("samples")) read.samples.push_back(sample_in(sample));
    return read;
  } catch (const std::exception&) {  // of the reader of JSON: a member is missing or of another kind
    throw Impossible{"it lacks `unit` or `samples`, or they are not what a run writes"};
  }
}

std::string line_of(int unit, const std::vector<Sample>& samples) {
  Json list = Json::array();
  for (const Sample& s : samples) list.push_back(json_of(s));
  return Json{{"unit", unit}, {"samples", std::move(list)}}.dump() + "\n";
}

}  // namespace

Journal::Journal(const std::string& folder, const std::string& identity)
    : path_(folder + "/journal.jsonl"), head_(Json{{"journal", 2}, {"study", identity}}.dump() + "\n") {
  std::error_code error;
  const bool present = fs::exists(path_, error);
  if (!present && fs::exists(folder, error) && !fs::is_empty(folder, error))
    throw Error{folder + ": This folder holds something other than a study's results; name a new one with --out."};
  fs::create_directories(folder, error);
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("This file cannot be written: " + reason_of(errno) + ".");
  try {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      fail("Another run is writing this journal; wait for it, or name another folder with --out.");
    read(whole_text(descriptor_));
  } catch (const Error&) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::fail(const std::string& sentence) const { throw Error{path_ + ": " + sentence}; }

void Journal::read(const std::string& text) {
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole != 0 && text.compare(0, head_.size(), head_) != 0)
    fail(
        "This journal is that of another study, of other seeds, files or datapaths, or of another version of Assay; "
        "name another folder with --out.");
  if (whole != text.size() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
    fail("Its torn last line cannot be taken away.");
  if (whole == 0) return write(head_);
  int number = 2;  // of the line, for people; the first is the head
  for (std::size_t from = head_.size(); from < whole; ++number) {
    const std::size_t end = text.find('\n', from);
    try {
      UnitLine line = read_line(text.substr(from, end - from));
      finished_[line.unit] = std::move(line.samples);
    } catch (const Impossible& e) {
      throw Error{path_ + ":" + std::to_string(number) + ": This line is no finished unit of work: " + e.why +
                  ". Take the line away: what it stands for is run again."};
    }
    from = end + 1;
  }
}

void Journal::write(const std::string& text) {
  if (!write_fully(descriptor_, text)) fail("This file cannot be written: " + reason_of(errno) + ".");
}

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
