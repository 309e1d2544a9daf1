// A clocked unit between requests and answers: operands in when it takes them, results out when it gives them, stalls
// on both sides, and a sentence for each way of breaking its own handshake. Standard library and serve.hpp only.
//
//   clock      _/~\_/~\_/~\_/~\_/~\_      inputs change and everything is looked at while the clock is low;
//   in_valid   _/~~~~~~~\____________      the rising edge takes what was agreed on
//   in_ready   ~~~~~\___/~~~~~~~~~~~~
//                       ^ taken here
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "tb/devices/rtl/stopped.hpp"
#include "tb/devices/serve.hpp"

namespace assay::rtl {

enum class Kind { fixed_latency, valid, valid_ready };

struct Rules {
  Kind kind = Kind::valid_ready;
  int latency = 0;  // fixed_latency
  bool enable = false;
  int tag_bits = 0;  // 0: results come in the order of their operands
  int reset_cycles = 4;
  int cycle_limit = 1000;
};

// Which cycles stand still: spells of 64 without any, of some, and of most, drawn from a seed.
class Stalls {
 public:
  explicit Stalls(std::uint64_t seed) : state_(seed) {}

  bool next() {
    if (cycle_++ % 64 == 0) rate_ = rates[draw() % 4];
    return draw() % 4 < rate_;
  }

 private:
  // SplitMix64, a counter put through a mixing function.
  std::uint64_t draw() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  static constexpr unsigned rates[] = {0, 0, 1, 3};  // quarters
  std::uint64_t state_, cycle_ = 0;
  unsigned rate_ = 0;
};

// Unit: eval(), clock(bool), reset(bool), enable(bool), ask(request), in_valid(bool), in_ready(), out_valid(),
// out_ready(bool), tag_in(number), tag_out(), reply(trace). What a unit has no port for does nothing, and is ready.
template <class Unit>
class Clocked {
 public:
  Clocked(Unit& unit, const Rules& rules, Session& session, std::uint64_t seed)
      : unit_(unit), rules_(rules), session_(session), offers_(2 * seed), takes_(2 * seed + 1) {}

  // Until the host says that no more comes; the process's exit status.
  int run() try {
    start_again();
    while (session_.open() || busy()) {
      if (!has_request_ && room() && (!busy() || session_.ready())) fetch();
      if (busy()) cycle();
    }
    // A result too many shows within the time that a result takes.
    for (int i = 0; i < rules_.latency + 64 && fault_.empty(); ++i) cycle();
    return finish();
  } catch (const Stopped& stopped) {
    fault_ = stopped.what();
    if (!busy()) has_request_ = session_.next(request_);  // which hears of it
    if (!busy()) return finish();
    if (flights_.size() > 1) fault_ += " " + std::to_string(flights_.size()) + " cases were in the unit.";
    lose();
    return session_.hand_over();
  }

 private:
  struct Flight {
    std::uint64_t id = 0, tag = 0, edge = 0;
    bool trace = false;
  };

  int finish() {
    const int status = session_.finish();
    if (fault_.empty()) return status;
    std::fprintf(stderr, "%s\n", fault_.c_str());
    return 3;
  }

  void fetch() {
    if (!session_.next(request_)) return;
    try {
      unit_.ask(request_);
      has_request_ = true;
    } catch (const std::exception& error) {
      session_.answer(request_.id, {0, 0, {}, error.what()});
    }
  }

  // Other operands than those just taken, so that a unit that looks at them too late shows it.
  void forget() {
    for (auto* codes : {&request_.a, &request_.b, &request_.scale_a, &request_.scale_b}) {
      for (std::uint64_t& code : *codes) code = ~code;
    }
    for (auto& [name, codes] : request_.more) {
      for (std::uint64_t& code : codes) code = ~code;
    }
    request_.c = ~request_.c;
    unit_.ask(request_);
  }

  bool busy() const { return has_request_ || !flights_.empty(); }
  bool room() const { return rules_.tag_bits == 0 || flights_.size() < std::uint64_t{1} << rules_.tag_bits; }

  void start_again() {
    offered_ = false;
    held_ = {};
    idle_ = 0;
    unit_.in_valid(false);
    unit_.out_ready(false);
    unit_.enable(true);
    for (int i = 0; i < rules_.reset_cycles; ++i) {
      unit_.reset(true);
      low();
      high();
    }
    unit_.reset(false);
    low();
  }

  void low() {
    unit_.clock(false);
    unit_.eval();
  }
  void high() {
    unit_.clock(true);
    unit_.eval();
    if (enabled_) ++edges_;
  }

  // What is offered stays offered until it is taken.
  void cycle() {
    Printed::forget();
    enabled_ = !rules_.enable || !takes_.next();
    offered_ = has_request_ && (offered_ || !offers_.next());
    const bool ready = rules_.kind != Kind::valid_ready || !takes_.next();
    unit_.in_valid(offered_);
    unit_.tag_in(next_tag_);
    unit_.out_ready(ready);
    unit_.enable(enabled_);
    low();
    const bool accepted = offered_ && enabled_ && unit_.in_ready();
    if (accepted) accept();  // first, since the result may be there in the same cycle
    look_at_result(ready);
    high();
    if (accepted && !has_request_) forget();
    count_idle(accepted);
    if (!fault_.empty()) give_up();
  }

  void accept() {
    flights_.push_back({request_.id, next_tag_, edges_, request_.trace});
    if (rules_.tag_bits > 0) next_tag_ = (next_tag_ + 1) & ((std::uint64_t{1} << rules_.tag_bits) - 1);
    has_request_ = offered_ = false;
  }

  bool result_is_there() {
    if (rules_.kind != Kind::fixed_latency) return unit_.out_valid();
    return !flights_.empty() && edges_ - flights_.front().edge == static_cast<std::uint64_t>(rules_.latency);
  }

  // A result that could not go yet must be there, unchanged, until it goes.
  void look_at_result(bool ready) {
    const bool there = result_is_there();
    if (held_.first && !there) return fault("The unit withdrew a result before it was taken.");
    if (!there) return;
    const Reply now = unit_.reply(false);
    if (held_.first && now.d != held_.second) return fault("The unit changed a result before it was taken.");
    const bool waits = !(ready && enabled_);
    // A unit without registers shows the result of operands that it has not taken yet.
    const bool of_operands_on_offer = offered_ && waits;
    if (flights_.empty() && !of_operands_on_offer) return fault("The unit gave a result that nobody had asked for.");
    held_ = {waits, now.d};
    if (!waits) take();
  }

  void take() {
    auto flight = flights_.begin();
    if (rules_.tag_bits > 0) {
      const std::uint64_t tag = unit_.tag_out();
      while (flight != flights_.end() && flight->tag != tag) ++flight;
      if (flight == flights_.end())
        return fault("The unit gave a result with tag " + std::to_string(tag) + ", which no case on its way has.");
    }
    session_.answer(flight->id, unit_.reply(flight->trace));
    flights_.erase(flight);
    idle_ = -1;
  }

  void count_idle(bool accepted) {
    idle_ = accepted || !busy() ? 0 : idle_ + 1;
    if (idle_ <= rules_.cycle_limit || !fault_.empty()) return;
    const std::string limit = " for " + std::to_string(rules_.cycle_limit) + " cycles";
    fault(flights_.empty()
              ? "The unit was not ready to take operands" + limit + "."
              : "The unit gave no result" + limit + " with " + std::to_string(flights_.size()) + " on their way.");
  }

  void fault(std::string sentence) { fault_ = std::move(sentence); }

  // Cases on their way are lost; the rest goes on after a reset. With none on its way the next case gets the error.
  void give_up() {
    if (!busy()) return;
    lose();
    start_again();
  }

  void lose() {
    if (flights_.empty()) {
      session_.answer(request_.id, {0, 0, {}, fault_});
      has_request_ = false;
    }
    for (const Flight& flight : flights_) session_.answer(flight.id, {0, 0, {}, fault_});
    flights_.clear();
    fault_.clear();
  }

  Unit& unit_;
  const Rules rules_;
  Session& session_;
  Stalls offers_, takes_;
  Request request_;
  std::deque<Flight> flights_;
  std::pair<bool, std::uint64_t> held_;  // a result that waits: d
  std::string fault_;
  std::uint64_t edges_ = 0;  // enabled ones
  std::uint64_t next_tag_ = 0;
  int idle_ = 0;  // cycles without anything taken or given
  bool has_request_ = false, offered_ = false, enabled_ = true;
};

}  // namespace assay::rtl
