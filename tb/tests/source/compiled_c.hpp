// The C of a plan, compiled and run: what it leaves at every place, against core.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

struct Judgement {
  std::size_t cases = 0;
  std::size_t same = 0;  // at every place, d among them
  std::string first;     // where one differs: case and place
};

// The file of a plan under the name that tests give it.
std::string c_of(const Plan& plan);

// What gcc's and clang's analysers say of a file's functions, each by itself; empty where they are silent.
std::string said_by_analysers(const std::string& text, const std::filesystem::path& folder);

class CompiledC {
 public:
  // Compiles `text`, the C of the plan, in `folder`: by gcc and clang as C99 and C++ without a warning, and into a
  // program that ends where anything is undefined. The plan must outlive it.
  CompiledC(const Plan& plan, const std::string& text, const std::filesystem::path& folder);

  // What the compilers said; empty where all went well.
  const std::string& trouble() const { return trouble_; }

  Judgement compare(const std::vector<Case>& cases) const;
  // The same by a library in this process, quicker, and blind to what is undefined.
  Judgement compare_quickly(const std::vector<Case>& cases);

 private:
  struct Spot {
    enum class Holds { number, word, addend, sum, sum_and_sticky };
    Holds holds;
    std::string member;
    int words;  // of 64 bits, that the program writes
  };

  std::vector<Spot> spots_of() const;
  std::string program() const;
  void compile(const std::string& text);
  std::vector<std::uint64_t> words_of(const std::vector<Case>& cases) const;
  Judgement judge(const std::vector<Case>& cases, const std::vector<std::uint64_t>& out) const;
  std::string difference(const Trace& expected, const std::uint64_t* answer, Trace& actual) const;
  bool put(const Spot& spot, const std::uint64_t* from, int place, Trace& into) const;

  const Plan& plan_;
  std::filesystem::path folder_;
  std::vector<Spot> spots_;
  std::size_t answer_words_ = 0;
  std::string trouble_;
  using Many = void (*)(const std::uint64_t* in, std::uint64_t* out, std::size_t cases);
  std::shared_ptr<void> library_;
  Many many_ = nullptr;
};

}  // namespace assay
