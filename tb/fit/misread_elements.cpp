#include "tb/fit/misread_elements.hpp"

#include <utility>

namespace assay {
namespace {

constexpr int most_pairs_of = 64;  // elements, each exchanged with each other; of more, with those near it

// What may become of the code of one element.
struct CodeChange {
  const char* text;
  Code (*changed)(const Format&, Code);
};

Code sign(const Format& f) { return f.stored(f.sign_bit()); }
Code mantissa(const Format& f) { return f.stored((Code{1} << f.mantissa_bits) - 1); }

constexpr CodeChange code_changes[] = {
    {"read without its sign", [](const Format& f, Code code) { return code & ~sign(f); }},
    {"read with its sign turned", [](const Format& f, Code code) { return code ^ sign(f); }},
    {"read without its lowest bit", [](const Format& f, Code code) { return code & ~f.stored(1); }},
    {"read as zero where it is subnormal",
     [](const Format& f, Code code) { return (code & ~sign(f) & ~mantissa(f)) == 0 ? code & sign(f) : code; }},
};

class Misreads {
 public:
  explicit Misreads(const Plan& plan) : plan_(plan) {}

  std::vector<MisreadElement> all() {
    for (int i = 0; i < plan_.k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      make("the product of element " + std::to_string(i) + " were left out", [at](Case& c) { c.a[at] = c.b[at] = 0; });
      codes("a", i, plan_.a, &Case::a);
      codes("b", i, plan_.b, &Case::b);
      for (int j = i + 1; j < plan_.k; ++j) {
        if (plan_.k > most_pairs_of && j > i + 1) break;
        exchange("a", i, j, &Case::a);
        exchange("b", i, j, &Case::b);
      }
    }
    return std::move(made_);
  }

 private:
  using Side = std::vector<Code> Case::*;

  void make(std::string text, std::function<void(Case&)> read) { made_.push_back({std::move(text), std::move(read)}); }

  void codes(const std::string& side, int i, const Format& format, Side codes) {
    for (const CodeChange& change : code_changes) {
      make("element " + std::to_string(i) + " of " + side + " were " + change.text,
           [format, codes, changed = change.changed, at = static_cast<std::size_t>(i)](Case& c) {
             Code& code = (c.*codes)[at];
             code = changed(format, code);
           });
    }
  }

  void exchange(const std::string& side, int i, int j, Side codes) {
    make("elements " + std::to_string(i) + " and " + std::to_string(j) + " of " + side + " were exchanged",
         [codes, i, j](Case& c) {
           std::swap((c.*codes)[static_cast<std::size_t>(i)], (c.*codes)[static_cast<std::size_t>(j)]);
         });
  }

  const Plan& plan_;
  std::vector<MisreadElement> made_;
};

}  // namespace

std::vector<MisreadElement> misread_elements(const Plan& right) {
  // Zero points and masks say what a code of zero means, and some formats have none.
  if (!right.more.empty() || !right.a.has_zero || !right.b.has_zero) return {};
  return Misreads(right).all();
}

}  // namespace assay
