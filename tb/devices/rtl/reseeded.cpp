#include "tb/devices/rtl/reseeded.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>

#include "model/base/hex.hpp"

namespace assay {
namespace {

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
std::string apart(const Answer& again, const Answer& given, int digits) {
  if (again.d != given.d) return "d is " + hex_text(given.d, digits) + ", and " + hex_text(again.d, digits);
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

Order as_they_come(std::size_t count) {
  Order order;
  for (std::size_t i = 0; i < count; ++i) order.at.push_back(i);
  return order;
}

Order from_the_end(std::size_t count) {
  Order order = as_they_come(count);
  std::reverse(order.at.begin(), order.at.end());
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

// Few cases are given more often, since what comes amid the work differs each time: one that fails among others so is
// to fail alone, too.
std::vector<Order> other_orders(std::size_t count) {
  constexpr std::size_t least_given = 64;
  std::vector<Order> orders{from_the_end(count)};
  for (std::uint64_t i = 0; i < drawn_orders && count > 2; ++i) orders.push_back(drawn(count, i));
  for (std::size_t i = 0; orders.size() * count < least_given; ++i) orders.push_back(orders[i]);
  return orders;
}

// What makes the difference between two runs.
enum class Cause { order, registers, resets, modes, company };

class Reseeded : public Device {
 public:
  Reseeded(std::unique_ptr<Device> device, OpenAgain again, int digits, const Disturbance& bears,
           std::function<std::string(int)> advice)
      : device_(std::move(device)),
        again_(std::move(again)),
        digits_(digits),
        bears_(bears),
        advice_(std::move(advice)) {}

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

  // A case that is asked alone afterwards is held as well, so that it fails here where it fails by itself.
  std::string close() override {
    if (second_) wrong_ = end_second();
    left_ = std::max<std::size_t>(left_, 1);
    const std::string own = device_->close();
    return own.empty() ? wrong_ : own;
  }

 private:
  // Holds the answers to those of a second process, which gets the cases in other orders.
  void hold(const std::vector<Case>& cases, bool trace, std::vector<Answer>& answers) {
    if (!second_) second_ = again_(bears_);
    cause_.reset();
    trace_ = trace;
    for (const Order& order : other_orders(cases.size())) {
      if (!hold(cases, answers, order)) break;
    }
  }

  // False where the second process left a case without an answer.
  bool hold(const std::vector<Case>& cases, std::vector<Answer>& answers, const Order& order) {
    const std::vector<Answer> given = answers_in(order, cases, *second_);
    if (!any_against(given, answers)) return true;
    if (!cause_) cause_ = cause(cases, answers);
    for (std::size_t i = 0; i < order.at.size(); ++i) {
      const std::size_t at = order.at[i];
      if (!against(given[at], answers[at]) || !answers[at].other_order.empty()) continue;
      const std::string how = !order.drawn ? "the cases come from the last to the first"
                              : i == 0
                                  ? "it comes first"
                                  : "case " + std::to_string(cases[order.at[i - 1]].number) + " comes right before it";
      object(given[at], answers[at], *cause_, how);
    }
    return std::all_of(given.begin(), given.end(), [](const Answer& a) { return a.ok(); });
  }

  // As the cases are numbered, not as they were asked.
  std::vector<Answer> answers_in(const Order& order, const std::vector<Case>& cases, Device& device) const {
    std::vector<Case> turned;
    for (const std::size_t at : order.at) turned.push_back(cases[at]);
    std::vector<Answer> given = device.run(turned, trace_), sorted(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) sorted[order.at[i]] = std::move(given[i]);
    return sorted;
  }

  // Leaves out one thing after the other until a process agrees, whatever the order: other stalls come with each.
  Cause cause(const std::vector<Case>& cases, const std::vector<Answer>& answers) const {
    const auto agrees = [&](const std::vector<Order>& orders, const Disturbance& with) {
      const std::unique_ptr<Device> device = again_(with);
      return std::all_of(orders.begin(), orders.end(),
                         [&](const Order& order) { return !any_against(answers_in(order, cases, *device), answers); });
    };
    const std::vector<Order> orders = other_orders(cases.size());
    if (bears_.resets && agrees(orders, {false, bears_.modes, bears_.company})) return Cause::resets;
    if (bears_.modes && agrees(orders, {false, false, bears_.company})) return Cause::modes;
    if (bears_.company && agrees(orders, {})) return Cause::company;
    return cases.size() > 1 && agrees({as_they_come(cases.size())}, {}) ? Cause::order : Cause::registers;
  }

  void object(const Answer& second, Answer& answer, Cause cause, const std::string& how) const {
    if (!second.ok()) {
      answer.error = when(cause, how) + ": " + second.error;
    } else if (cause == Cause::order) {
      answer.other_order = apart(second, answer, digits_) + " when " + how + ".";
    } else {
      answer.error = depends(cause, apart(second, answer, digits_));
    }
  }

  static std::string when(Cause cause, const std::string& how) {
    switch (cause) {
      case Cause::order: return "When " + how;
      case Cause::registers: return "With registers and stalls drawn anew";
      case Cause::resets: return "With resets amid the unit's work";
      case Cause::modes: return "With operations in other modes between the cases";
      case Cause::company:
        return "With operations beside the cases that share what is loaded, or with loads amid the work";
    }
    return "";
  }

  static std::string depends(Cause cause, const std::string& differ) {
    if (cause == Cause::resets)
      return "The result depends on a reset before it, with cases in the unit: " + differ + " after such resets.";
    if (cause == Cause::modes)
      return "The result depends on the modes of the operations beside it: " + differ + " where these are other ones.";
    if (cause == Cause::company)
      return "The result depends on the operations beside it that share what is loaded, or on loads amid the work: " +
             differ + " where such come before and after it.";
    return "The result depends on what registers hold before the reset, or on stalls: " + differ +
           " when both are drawn anew.";
  }

  std::string end_second() {
    std::string wrong = second_->close();
    second_.reset();
    return wrong;
  }

  std::unique_ptr<Device> device_;
  OpenAgain again_;
  int digits_;  // of d
  Disturbance bears_;
  std::function<std::string(int)> advice_;
  std::unique_ptr<Device> second_;
  std::optional<Cause> cause_;  // of the first difference among the cases that are held
  bool trace_ = false;          // of the cases that are held
  std::size_t left_ = reseeded_cases;
  std::string wrong_;
};

}  // namespace

std::unique_ptr<Device> reseeded(std::unique_ptr<Device> device, OpenAgain again, int digits, const Disturbance& bears,
                                 std::function<std::string(int by)> advice) {
  return std::make_unique<Reseeded>(std::move(device), std::move(again), digits, bears, std::move(advice));
}

}  // namespace assay
