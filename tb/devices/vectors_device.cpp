#include "tb/devices/vectors_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "model/base/hex.hpp"
#include "model/core/decode.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

// All that d follows from, in a row: a, b, c, the scales and whatever else the case brings.
void append_key(const Case& c, std::vector<Code>& to) {
  for (const auto* codes : {&c.a, &c.b, &c.scale_a, &c.scale_b, &c.more})
    to.insert(to.end(), codes->begin(), codes->end());
  to.push_back(c.c);
}

std::size_t key_length(const Plan& plan) {
  return static_cast<std::size_t>(2 * plan.k + 2 * plan.scales + plan.more_codes() + 1);
}

std::uint64_t hash(const Code* key, std::size_t length) {
  std::uint64_t h = length;
  for (std::size_t i = 0; i < length; ++i) {
    h = (h ^ key[i]) * 0x9e3779b97f4a7c15U;
    h ^= h >> 29;
  }
  return h;
}

// Which NaN it was does not matter here.
bool same_result(const Plan& plan, Code x, Code y) {
  const auto is_nan = [&](Code d) {
    return decode(d, plan.d, Subnormals::keep, plan.datapath.specials).cls == Class::nan;
  };
  return x == y || (is_nan(x) && is_nan(y));
}

class VectorsDevice final : public Device {
 public:
  VectorsDevice(const Plan& plan, const std::string& path, const HeaderCheck& check)
      : name_("vectors:" + path), stride_(key_length(plan)) {
    VectorReader reader(path);
    if (check) check(reader.header());
    read(plan, reader);
  }

  std::string name() const override { return name_; }
  bool offers_trace() const override { return false; }

  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::size_t found = find(cases[i]);
      if (found == none) {
        answers[i].error = name_ + " holds no case with these operands.";
      } else {
        answers[i].d = results_[found];
        next_ = found + 1;
      }
    }
    return answers;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  void read(const Plan& plan, VectorReader& reader) {
    const CaseShape shape = case_shape(plan, reader.header().pad);
    Case c;
    while (reader.next(shape, c)) {
      const std::string where = reader.file() + ", line " + std::to_string(reader.line()) + ": ";
      if (!c.d) throw Error{where + "the case has no d; a recording gives one for every case."};
      if (c.a.size() != static_cast<std::size_t>(plan.k)) {
        throw Error{where + "the matrices take several instructions along K; a recording gives the d of each."};
      }
      const std::size_t found = find(c);
      if (found == none) {
        add(c, reader.line());
      } else if (!same_result(plan, results_[found], *c.d)) {
        const auto hex = [&](Code d) { return hex_text(d, plan.d.hex_digits()); };
        throw Error{where + fmt::format("the case has the operands of line {}, but d {} where that has {}; a recording "
                                        "gives the same operands one d.",
                                        lines_[found], hex(*c.d), hex(results_[found]))};
      }
    }
  }

  void add(const Case& c, std::uint64_t line) {
    append_key(c, keys_);
    by_hash_.emplace(hash(key(results_.size()), stride_), results_.size());
    results_.push_back(*c.d);
    lines_.push_back(line);
  }

  const Code* key(std::size_t index) const { return keys_.data() + index * stride_; }
  bool is(std::size_t index, const std::vector<Code>& wanted) const {
    return index < results_.size() && std::equal(wanted.begin(), wanted.end(), key(index));
  }

  std::size_t find(const Case& c) {
    wanted_.clear();
    append_key(c, wanted_);
    if (is(next_, wanted_)) return next_;
    const auto [begin, end] = by_hash_.equal_range(hash(wanted_.data(), wanted_.size()));
    for (auto i = begin; i != end; ++i) {
      if (is(i->second, wanted_)) return i->second;
    }
    return none;
  }

  std::string name_;
  std::size_t stride_;      // codes in a key
  std::vector<Code> keys_;  // one after another, so that a million cases stay compact
  std::vector<Code> results_;
  std::vector<std::uint64_t> lines_;  // where in the file
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
  std::size_t next_ = 0;  // after the case answered last
  std::vector<Code> wanted_;
};

}  // namespace

std::unique_ptr<Device> vectors_device(const Plan& plan, const std::string& path, const HeaderCheck& check) {
  return std::make_unique<VectorsDevice>(plan, path, check);
}

}  // namespace assay
