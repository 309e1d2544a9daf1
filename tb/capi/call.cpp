#include "tb/capi/call.hpp"

#include <cstring>
#include <exception>
#include <filesystem>
#include <new>

#include "tb/vectors/scan.hpp"

namespace assay::capi {

assay_status status_of(Ending ending) {
  switch (ending) {
    case Ending::passed: return ASSAY_OK;
    case Ending::mismatch: return ASSAY_MISMATCH;
    case Ending::nothing_compared: return ASSAY_NOTHING_COMPARED;
    case Ending::not_here: return ASSAY_NOT_HERE;
    case Ending::wrong_use:
    case Ending::reader_gone: break;
  }
  return ASSAY_BAD_CONFIGURATION;
}

void say(assay_message* message, std::string_view text) noexcept {
  if (message == nullptr) return;
  constexpr std::size_t room = sizeof message->text - 1;
  const std::size_t length = text.size() < room ? text.size() : room;
  std::memcpy(message->text, text.data(), length);
  message->text[length] = '\0';
  if (text.size() > room) std::memcpy(message->text + room - 3, "...", 3);
}

// Without a copy of any text: memory may be what is lacking.
assay_status told(assay_message* message) noexcept {
  const auto ended = [&](assay_status status, std::string_view text) {
    say(message, text);
    return status;
  };
  try {
    throw;
  } catch (const CallEnd& end) {
    return ended(end.status, end.sentence);
  } catch (const Error& error) {
    return ended(status_of(error.ending), error.message);
  } catch (const ScanError& error) {
    return ended(ASSAY_BAD_CONFIGURATION, error.message);
  } catch (const std::filesystem::filesystem_error& error) {
    return ended(ASSAY_BAD_CONFIGURATION, error.what());
  } catch (const std::bad_alloc&) {
    return ended(ASSAY_FAILED, "There is not enough memory for this call.");
  } catch (const std::exception& error) {
    return ended(ASSAY_FAILED, error.what());
  } catch (...) {
    return ended(ASSAY_FAILED, "A fault that has no name.");
  }
}

}  // namespace assay::capi
