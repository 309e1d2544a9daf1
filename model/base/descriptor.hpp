// Open files of the system.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// A file that closes itself; the standard streams belong to the process and stay open.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// What the system says of an errno.
std::string reason_of(int error);

// read(2), begun again where a signal broke it off.
ssize_t read_some(int descriptor, char* into, std::size_t size);

// All bytes of a file, wherever it is read at present; as many as can be read.
std::string whole_text(int descriptor);

// All of the bytes, as write_quietly() writes them. False, and errno set, where they cannot be written.
bool write_fully(int descriptor, std::string_view bytes);

// write(2), with a broken pipe (EPIPE) or a file beyond its limit (EFBIG) as an error and never as a signal. The
// signals are held back in the calling thread alone, so that what the process does with them elsewhere stays its own
// business.
ssize_t write_quietly(int descriptor, const char* bytes, std::size_t size);

}  // namespace assay
