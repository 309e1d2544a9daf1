#include "sim/cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace assay {
namespace {

using namespace std::chrono_literals;

std::string bar(std::uint64_t done, std::uint64_t total) {
  constexpr std::size_t width = 40;
  const auto filled = static_cast<std::size_t>(width * done / std::max<std::uint64_t>(total, 1));
  return std::string(std::min(filled, width), '#') + std::string(width - std::min(filled, width), '.');
}

}  // namespace

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
  const double rate = static_cast<double>(done) / seconds();
  const std::string place =
      total_ > 0 ? fmt::format("[{}] {} of {}", bar(done, total_), done, total_) : fmt::format("{}", done);
  *console_.terminal << fmt::format("\r{} {}, {:.0f}/s\033[K", place, what_, rate) << std::flush;
}

double Progress::seconds() const {
  return std::max(1e-9, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
}

}  // namespace assay
