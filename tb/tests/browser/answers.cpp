// answers: each line of standard input is a request of the explorer page, each line of output its answer.
// answers --text FILE: a vector file as the page reads it, unpacked.
#include <iostream>
#include <string>

#include "model/config/home.hpp"
#include "tb/vectors/bytes.hpp"

extern "C" void assay_open(const char* folder);
extern "C" const char* assay_answer(const char* request);

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--text") {
    const assay::ByteSource source = assay::open_source(argv[2]);
    char bytes[65536];
    for (std::size_t count = source(bytes, sizeof bytes); count > 0; count = source(bytes, sizeof bytes))
      std::cout.write(bytes, static_cast<std::streamsize>(count));
    return 0;
  }
  assay_open(assay::home().c_str());
  for (std::string request; std::getline(std::cin, request);) std::cout << assay_answer(request.c_str()) << "\n";
}
