#include "tb/capi/callback_device.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "tb/capi/call.hpp"
#include "tb/capi/elements.hpp"

namespace assay::capi {
namespace {

constexpr std::size_t most_at_once = 1024;  // dot products that a device's function is given, as docs/embedding.md says

// A list of operands in the layout of assay.h.
class Packed {
 public:
  Packed(const Plan& plan, const std::vector<Case>& cases) {
    sized(a_, arrays_.a, plan.a, cases.size() * static_cast<std::size_t>(plan.k));
    sized(b_, arrays_.b, plan.b, cases.size() * static_cast<std::size_t>(plan.k));
    sized(c_, arrays_.c, plan.c, cases.size());
    if (plan.scale) {
      sized(scale_a_, arrays_.scale_a, *plan.scale, cases.size() * static_cast<std::size_t>(plan.scales));
      sized(scale_b_, arrays_.scale_b, *plan.scale, cases.size() * static_cast<std::size_t>(plan.scales));
    }
    more_bytes_.resize(plan.more.size());
    more_out_.resize(plan.more.size());
    for (std::size_t i = 0; i < plan.more.size(); ++i)
      sized(more_bytes_[i], more_out_[i], plan.more[i].format,
            cases.size() * static_cast<std::size_t>(plan.more[i].count));
    arrays_.more = more_out_.empty() ? nullptr : more_out_.data();
    store_cases(plan, cases, arrays_);
    for (const assay_out& out : more_out_) more_in_.push_back({out.data, out.bytes});
  }

  assay_operands operands() const {
    const auto in = [](const assay_out& of) { return assay_in{of.data, of.bytes}; };
    return {in(arrays_.a),       in(arrays_.b),       in(arrays_.c),
            in(arrays_.scale_a), in(arrays_.scale_b), more_in_.empty() ? nullptr : more_in_.data()};
  }

 private:
  static void sized(std::vector<char>& bytes, assay_out& as, const Format& format, std::size_t elements) {
    bytes.resize(elements * bytes_of(format));
    as = {bytes.data(), bytes.size()};
  }

  std::vector<char> a_, b_, c_, scale_a_, scale_b_;
  std::vector<std::vector<char>> more_bytes_;
  std::vector<assay_out> more_out_;
  std::vector<assay_in> more_in_;
  assay_arrays arrays_{};
};

class CallbackDevice final : public Device {
 public:
  CallbackDevice(const Plan& plan, const assay_device& device) : plan_(plan), name_(device.name), device_(device) {}

  std::string name() const override { return name_; }
  bool offers_trace() const override { return false; }

  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    if (cases.empty()) return {};
    try {
      if (std::exchange(begins_anew_, false) && device_.restart != nullptr) device_.restart(device_.user);
      std::vector<Answer> all;
      for (std::size_t from = 0; from < cases.size(); from += most_at_once) {
        const auto first = cases.begin() + static_cast<std::ptrdiff_t>(from);
        const std::size_t count = std::min(most_at_once, cases.size() - from);
        const std::vector<Answer> some = answers({first, first + static_cast<std::ptrdiff_t>(count)});
        all.insert(all.end(), some.begin(), some.end());
      }
      return all;
    } catch (const std::exception& error) {
      return failed(cases.size(), "threw a C++ exception: " + std::string(error.what()));
    } catch (...) {
      return failed(cases.size(), "threw a C++ exception that is no std::exception.");
    }
  }

  std::string close() override {
    begins_anew_ = true;
    return {};
  }

 private:
  std::vector<Answer> answers(const std::vector<Case>& cases) const {
    const Packed packed(plan_, cases);
    const assay_operands operands = packed.operands();
    std::vector<char> d(cases.size() * bytes_of(plan_.d), '\xff');
    assay_message message{};
    const int status = device_.run(device_.user, cases.size(), &operands, {d.data(), d.size()}, &message);
    message.text[sizeof message.text - 1] = '\0';
    const std::string why(message.text);
    if (status != 0) {
      return failed(cases.size(), "failed with status " + std::to_string(status) +
                                      (why.empty() ? " and did not say why." : ": " + why));
    }
    return read(d, cases.size());
  }

  std::vector<Answer> read(const std::vector<char>& d, std::size_t count) const {
    const std::vector<Code> codes = load_raw({"d", count, 1}, plan_.d, d.data());
    std::vector<Answer> answers(count);
    for (std::size_t i = 0; i < count; ++i) {
      answers[i].d = codes[i];
      if (!plan_.d.fits(codes[i])) {
        answers[i].error = name_ + " gave a d with bits above the " + std::to_string(plan_.d.stored_bits) + " of " +
                           plan_.d.name + ".";
      }
    }
    return answers;
  }

  std::vector<Answer> failed(std::size_t count, const std::string& how) const {
    Answer answer;
    answer.error = name_ + " " + how;
    return std::vector<Answer>(count, answer);
  }

  const Plan& plan_;
  std::string name_;
  assay_device device_;
  bool begins_anew_ = false;
};

}  // namespace

std::unique_ptr<Device> callback_device(const Plan& plan, const assay_device& device) {
  return std::make_unique<CallbackDevice>(plan, device);
}

}  // namespace assay::capi
