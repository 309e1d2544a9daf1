#include "sim/cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace assay {
namespace {

using namespace std::chrono_literals;

std::string bar(std::uint64_t done, std::uint64_t total) {
  constexpr std::size_t width = 40;
  const auto filled = static_cast<std::size_t>(width * done / std::max<std::uint64_t>(total, 1));
  return std::string(std::min(filled, width), '#') + std::string(width - std::min(filled, width), '.');
}

// "40 s", "3 min 20 s", "2 h 5 min"
std::string duration(double seconds) {
  const auto all = static_cast<std::uint64_t>(std::ceil(seconds));
  if (all < 60) return fmt::format("{} s", all);
  if (all < 3600) return fmt::format("{} min {} s", all / 60, all % 60);
  return fmt::format("{} h {} min", all / 3600, all / 60 % 60);
}

}  // namespace

std::string progress_text(std::uint64_t done, std::uint64_t total, const char* what, double seconds) {
  const double rate = static_cast<double>(done) / seconds;
  const std::string speed = fmt::format("{}, {:.0f}/s", what, rate);
  if (total == 0) return fmt::format("{} {}", done, speed);
  const std::uint64_t part = std::min(done, total);
  const std::string left = done == 0 ? "" : ", " + duration(static_cast<double>(total - part) / rate) + " left";
  return fmt::format("[{}] {} %, {} of {} {}{}", bar(done, total), 100 * part / total, done, total, speed, left);
}

Progress::Progress(const Console& console, std::uint64_t total, const char* what)
    : console_(console), total_(total), what_(what) {}

Progress::~Progress() {
  if (visible_) *console_.terminal << "\r\033[K" << std::flush;
}

void Progress::at(std::uint64_t done) {
  const auto now = std::chrono::steady_clock::now();
  if (console_.terminal == nullptr || now - start_ < 2s || (visible_ && now - shown_ < 100ms)) return;
  shown_ = now;
  visible_ = true;
  *console_.terminal << "\r" << progress_text(done, total_, what_, seconds()) << "\033[K" << std::flush;
}

double Progress::seconds() const {
  return std::max(1e-9, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
}

}  // namespace assay
