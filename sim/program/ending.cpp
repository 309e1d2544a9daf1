#include "sim/program/ending.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <ostream>
#include <system_error>

#include "model/config/yaml.hpp"
#include "tb/devices/device.hpp"
#include "tb/vectors/bytes.hpp"
#include "tb/vectors/leftover.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

struct Complaint {
  std::string sentence;
  int status = wrong_use;
};

std::string sentence(const std::filesystem::filesystem_error& error) {
  const std::string path = error.path1().empty() ? "A file" : error.path1().string();
  return path + " cannot be used: " + error.code().message() + ".";
}

// The sentence for the exception that is being handled; none where a reader has gone, which needs no message.
std::optional<Complaint> complaint(const std::string& doing) {
  try {
    throw;
  } catch (const ConfigError& error) {
    return Complaint{error.message};
  } catch (const ScanError& error) {
    return Complaint{error.message};
  } catch (const VectorError& error) {
    if (error.reader_gone) return std::nullopt;
    return Complaint{error.message};
  } catch (const DeviceError& error) {
    return Complaint{error.message, error.status};
  } catch (const std::filesystem::filesystem_error& error) {
    return Complaint{sentence(error)};
  } catch (const std::bad_alloc&) {
    return Complaint{doing + " needs more memory than there is; give it more, or ask for less at once.", cannot_here};
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      return Complaint{doing + " cannot start a thread: the system allows no more of them (ulimit -u).", cannot_here};
    }
    return Complaint{fmt::format("{} cannot go on: {}.", doing, error.code().message()), cannot_here};
  } catch (const std::exception& error) {
    return Complaint{fmt::format("{} cannot go on, for a reason that it did not foresee: {}.", doing, error.what())};
  } catch (...) {
    return Complaint{doing + " cannot go on, for a reason that it did not foresee."};
  }
}

}  // namespace

void prepare_ending() {
  signal(SIGXFSZ, SIG_IGN);
  take_leftovers_along();
}

int ended(const std::string& program, const std::string& doing, std::ostream& out, std::ostream& err,
          const std::function<int()>& work) {
  const auto fail = [&](const Complaint& complaint) {
    err << program << ": " << complaint.sentence << "\n";
    return complaint.status;
  };
  try {
    const int status = work();
    out.flush();
    if (out) return status;
    return fail({"Standard output could not be written in full; is the disk full or the pipe closed?"});
  } catch (...) {
    const std::optional<Complaint> found = complaint(doing);
    out.flush();
    return found ? fail(*found) : reader_gone;
  }
}

}  // namespace assay
