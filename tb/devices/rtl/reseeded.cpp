#include "tb/devices/rtl/reseeded.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>
#include <utility>

namespace assay {
namespace {

std::string hex(Code d) {
  char text[17];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(d));
  return text;
}

constexpr int nowhere = -1;

// The first place that both show and not alike; nowhere where there is none.
int place_apart(const Answer& again, const Answer& given) {
  if (!again.trace || !given.trace) return nowhere;
  for (std::size_t i = 0; i < given.traced.size(); ++i) {
    const int place = static_cast<int>(i);
    if (given.traced[i] != 0 && again.traced[i] != 0 && !given.trace->same(place, *again.trace)) return place;
  }
  return nowhere;
}

// An answer of `again` speaks against one of `given`: by d, or by a place that it shows.
bool against(const Answer& again, const Answer& given) {
  return given.ok() && !(again.ok() && again.d == given.d && place_apart(again, given) == nowhere);
}

// "d is 3c00, and 3c01", "flags.inexact is 0, and 1"
std::string apart(const Answer& again, const Answer& given) {
  if (again.d != given.d) return "d is " + hex(given.d) + ", and " + hex(again.d);
  const int place = place_apart(again, given);
  return given.trace->plan().places[static_cast<std::size_t>(place)].name + " is " + given.trace->at(place).hex() +
         ", and " + again.trace->at(place).hex();
}

bool any_against(const std::vector<Answer>& again, const std::vector<Answer>& given) {
  for (std::size_t i = 0; i < again.size(); ++i) {
    if (against(again[i], given[i])) return true;
  }
  return false;
}

constexpr std::uint64_t drawn_orders = 3;

// In which cases are given once more.
struct Order {
  std::vector<std::size_t> at;
  bool drawn = false;
};

Order from_the_end(std::size_t count) {
  Order order;
  for (std::size_t i = count; i > 0; --i) order.at.push_back(i - 1);
  return order;
}

// The same ones each time, of the same number.
Order drawn(std::size_t count, std::uint64_t number) {
  Order order = from_the_end(count);
  order.drawn = true;
  std::mt19937_64 bits(number);
  for (std::size_t i = count; i > 1; --i) std::swap(order.at[i - 1], order.at[bits() % i]);
  return order;
}

class Reseeded : public Device {
 public:
  Reseeded(std::unique_ptr<Device> device, std::function<std::unique_ptr<Device>()> again,
           std::function<std::string(int)> advice)
      : device_(std::move(device)), again_(std::move(again)), advice_(std::move(advice)) {}

  std::string name() const override { return device_->name(); }
  bool offers_trace() const override { return device_->offers_trace(); }
  std::string advice_on_shift(int by) const override { return advice_ ? advice_(by) : ""; }

  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers = device_->run(cases, trace);
    const std::size_t count = std::min(cases.size(), left_);
    left_ -= count;
    if (count == 0) return answers;
    hold({cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(count)}, trace, answers);
    if (left_ == 0) wrong_ = end_second();
    return answers;
  }

  std::string close() override {
    if (second_) wrong_ = end_second();
    const std::string own = device_->close();
    return own.empty() ? wrong_ : own;
  }

 private:
  // Holds the answers to those of a second process, which gets the cases in other orders.
  void hold(const std::vector<Case>& cases, bool trace, std::vector<Answer>& answers) {
    if (!second_) second_ = again_();
    by_order_.reset();
    trace_ = trace;
    bool alive = hold(cases, answers, from_the_end(cases.size()));
    for (std::uint64_t i = 0; i < drawn_orders && alive && cases.size() > 2; ++i)
      alive = hold(cases, answers, drawn(cases.size(), i));
  }

  // False where the second process left a case without an answer.
  bool hold(const std::vector<Case>& cases, std::vector<Answer>& answers, const Order& order) {
    std::vector<Case> turned;
    for (const std::size_t at : order.at) turned.push_back(cases[at]);
    const std::vector<Answer> given = second_->run(turned, trace_);
    std::vector<Answer> second(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) second[order.at[i]] = given[i];
    if (!any_against(second, answers)) return true;
    if (!by_order_) by_order_ = cases.size() > 1 && !any_against(again_()->run(cases, trace_), answers);
    for (std::size_t i = 0; i < given.size(); ++i) {
      Answer& answer = answers[order.at[i]];
      if (!against(given[i], answer) || !answer.other_order.empty()) continue;
      const std::string how = !order.drawn ? "the cases come from the last to the first"
                              : i == 0     ? "it comes first"
                                           : "case " + std::to_string(turned[i - 1].number) + " comes right before it";
      object(given[i], answer, *by_order_, how);
    }
    return std::all_of(given.begin(), given.end(), [](const Answer& a) { return a.ok(); });
  }

  static void object(const Answer& second, Answer& answer, bool by_order, const std::string& how) {
    if (!second.ok()) {
      answer.error = (by_order ? "When " + how + ": " : "With registers and stalls drawn anew: ") + second.error;
    } else if (by_order) {
      answer.other_order = apart(second, answer) + " when " + how + ".";
    } else {
      answer.error =
          "The result depends on what registers hold before the reset, or on stalls: " + apart(second, answer) +
          " when both are drawn anew.";
    }
  }

  std::string end_second() {
    std::string wrong = second_->close();
    second_.reset();
    return wrong;
  }

  std::unique_ptr<Device> device_;
  std::function<std::unique_ptr<Device>()> again_;
  std::function<std::string(int)> advice_;
  std::unique_ptr<Device> second_;
  std::optional<bool> by_order_;  // of the cases that are held: whether a second process agrees in the run's order
  bool trace_ = false;            // of the cases that are held
  std::size_t left_ = reseeded_cases;
  std::string wrong_;
};

}  // namespace

std::unique_ptr<Device> reseeded(std::unique_ptr<Device> device, std::function<std::unique_ptr<Device>()> again,
                                 std::function<std::string(int by)> advice) {
  return std::make_unique<Reseeded>(std::move(device), std::move(again), std::move(advice));
}

}  // namespace assay
