#include "sim/program/ending.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <exception>
#include <filesystem>
#include <new>
#include <ostream>
#include <system_error>

#include "model/base/leftover.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

std::string sentence(const std::filesystem::filesystem_error& error) {
  const std::string path = error.path1().empty() ? "A file" : error.path1().string();
  return path + " cannot be used: " + error.code().message() + ".";
}

// Whatever is being handled, as an error of ours.
Error caught(const std::string& doing) {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const ScanError& error) {
    return {error.message};
  } catch (const std::filesystem::filesystem_error& error) {
    return {sentence(error)};
  } catch (const std::bad_alloc&) {
    return {doing + " needs more memory than there is; give it more, or ask for less at once.", Ending::not_here};
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      return {doing + " cannot start a thread: the system allows no more of them (ulimit -u).", Ending::not_here};
    }
    return {fmt::format("{} cannot go on: {}.", doing, error.code().message()), Ending::not_here};
  } catch (const std::exception& error) {
    return {fmt::format("{} cannot go on, for a reason that it did not foresee: {}.", doing, error.what())};
  } catch (...) {
    return {doing + " cannot go on, for a reason that it did not foresee."};
  }
}

}  // namespace

Status exit_status(Ending ending) {
  switch (ending) {
    case Ending::passed: return passed;
    case Ending::mismatch: return mismatch;
    case Ending::wrong_use: return wrong_use;
    case Ending::nothing_compared: return nothing_compared;
    case Ending::not_here: return cannot_here;
    case Ending::reader_gone: return reader_gone;
  }
  return wrong_use;
}

void prepare_ending() {
  signal(SIGXFSZ, SIG_IGN);
  take_leftovers_along();
}

int ended(const std::string& program, const std::string& doing, std::ostream& out, std::ostream& err,
          const std::function<int()>& work) {
  const auto fail = [&](const Error& error) {
    if (error.ending != Ending::reader_gone) err << program << ": " << error.message << "\n";
    return exit_status(error.ending);
  };
  try {
    const int status = work();
    out.flush();
    if (out) return status;
    return fail({"Standard output could not be written in full; is the disk full or the pipe closed?"});
  } catch (...) {
    const Error error = caught(doing);
    out.flush();
    return fail(error);
  }
}

}  // namespace assay
