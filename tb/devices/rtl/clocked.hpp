// A clocked unit between requests and answers: operands in when it takes them, results out when it gives them, stalls
// on both sides, and a sentence for each way of breaking its own handshake. Standard library and serve.hpp only.
//
//   clock      _/~\_/~\_/~\_/~\_/~\_      inputs change and everything is looked at while the clock is low;
//   in_valid   _/~~~~~~~\____________      the rising edge takes what was agreed on
//   in_ready   ~~~~~\___/~~~~~~~~~~~~
//                       ^ taken here
//
// A case is one beat or several, after what is loaded and after a cycle that clears, where the unit has these:
//
//   load load .. | swap | clear | beat beat .. beat
//
// Where what is loaded stays, cases that share it follow each other, and so may operations whose results are nobody's:
//
//   load load .. | nobody's | case | case | nobody's | nobody's | load ..
//
// and while what is written aside comes:
//
//   .. swap | load       load load      | swap | case ..
//           | nobody's  case  nobody's  |
//
// The swap may come with the first beat in place of a cycle of its own:
//
//   load load .. | clear | swap, beat   beat .. beat
//
// Operands stand at their ports while they are offered, and at no other time: before and after others do, so that a
// unit that looks too early or too late shows it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "tb/devices/rtl/harness.hpp"
#include "tb/devices/rtl/stopped.hpp"
#include "tb/devices/serve.hpp"

namespace assay::rtl {

enum class Kind { fixed_latency, valid, valid_ready, start_done };

struct Rules {
  Kind kind = Kind::valid_ready;
  int latency = 0;  // fixed_latency
  bool enable = false;
  int tag_bits = 0;  // 0: results come in the order of their operands
  int reset_cycles = 4;
  int cycle_limit = 1000;
  bool results_wait = true;     // valid_ready: until out_ready
  bool hold = false;            // operands stay until their result is there
  bool clear = false;           // in a cycle of its own before the first beat
  std::size_t load_beats = 0;   // what is written before, while nothing is on its way
  bool swap = false;            // a cycle of its own takes over what was written aside
  bool swap_rides = false;      // or the first beat of the case
  bool swap_is_level = false;   // it says which of two is at work, and so turns with each swap
  bool ahead = false;           // it is written while the unit works
  bool load_gated = true;       // what is loaded is taken at enabled edges alone
  std::uint64_t load_wait = 0;  // enabled edges after a swap before the next is written
  // Operands that are loaded, and stay: cases that share them follow each other, and others that do, whose results are
  // nobody's, come beside them. None: a load goes before each case.
  std::vector<std::string> stays = {};
  std::size_t beats = 1;    // in which operands come
  bool partial = false;     // each beat has a result, of which the last one is the case's
  bool says_ready = false;  // start_done: there is a signal for it
  bool resets = false;      // amid the unit's work, which is lost, and asked for once more
  std::size_t modes = 1;    // more: operations of modes 1 and up, whose results are nobody's, come between cases
  // By how many enabled edges each element of an operand's that is at the ports comes after the others of its beat.
  std::vector<std::pair<std::string, std::vector<std::size_t>>> late = {};
  bool skewed = false;        // of a tile, which knows itself which of its elements come late
  std::size_t load_skew = 0;  // by how many edges the last element comes late of what is loaded
};

// SplitMix64: a counter put through a mixing function.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

// Which cycles stand still: spells of 64 without any, of some, and of most, drawn from a seed.
class Stalls {
 public:
  explicit Stalls(std::uint64_t seed) : draws_(seed) {}

  bool next() {
    if (cycle_++ % 64 == 0) rate_ = rates[draws_.next() % 4];
    return draws_.next() % 4 < rate_;
  }

 private:
  static constexpr unsigned rates[] = {0, 0, 1, 3};  // quarters
  SplitMix draws_;
  std::uint64_t cycle_ = 0;
  unsigned rate_ = 0;
};

// When a unit is reset amid its work: after some results, so that each case is done sometime, and some cycles.
class Resets {
 public:
  explicit Resets(std::uint64_t seed) : draws_(seed) { draw(); }

  // Asked in each cycle.
  bool next() {
    if (results_ > 0 || cycles_-- > 0) return false;
    draw();
    return true;
  }
  void count_result() {
    if (results_ > 0) --results_;
  }

 private:
  void draw() {
    results_ = 1 + draws_.next() % 32;
    cycles_ = draws_.next() % 32;
  }

  SplitMix draws_;
  std::uint64_t results_ = 0, cycles_ = 0;
};

// Unit: eval(), clock(bool), reset(bool), enable(bool), ask(request, beat), in_valid(bool), in_ready(), out_valid(),
// out_ready(bool), tag_in(number), tag_out(), others(request), reply(trace, others), first(bool), last(bool),
// clear(bool), load(request, beat), load_valid(bool), load_ready(), load_last(bool), swap(bool), mode(number). What a
// unit has no port for does nothing, and is ready. One whose elements come late is told of the past(stood, loads), what
// stood at the ports at earlier edges, the newest first; one whose results do of each sample() before an edge, and to
// forget() them.
template <class Unit>
class Clocked {
 public:
  Clocked(Unit& unit, const Rules& rules, Session& session, std::uint64_t seed)
      : unit_(unit),
        rules_(rules),
        session_(session),
        offers_(2 * seed),
        takes_(2 * seed + 1),
        resets_(~seed - 1),
        beside_(~seed - 2),
        tags_(~seed) {
    unit_.past(history_, load_history_);
  }

  // Until the host says that no more comes; the process's exit status.
  int run() try {
    start_again();
    while (session_.open() || busy() || !again_.empty()) {
      if (!has_request_ && room() && (!busy() || !again_.empty() || session_.ready())) fetch();
      if (busy() && rules_.resets && resets_.next()) reset_amid();
      if (busy()) cycle();
    }
    // A result too many shows within the time that a result takes.
    for (int i = 0; i < rules_.latency + 64 && fault_.empty(); ++i) cycle();
    return finish();
  } catch (const Stopped& stopped) {
    fault_ = stopped.what();
    if (!busy()) has_request_ = next_request();  // which hears of it
    if (!busy()) return finish();
    const auto inside = std::count_if(flights_.begin(), flights_.end(), [](const Flight& f) { return !f.partial; });
    if (inside > 1) fault_ += " " + std::to_string(inside) + " cases were in the unit.";
    lose();
    return fault_.empty() ? session_.hand_over() : finish();
  }

 private:
  struct Flight {
    std::uint64_t id = 0, tag = 0, edge = 0;
    bool trace = false;
    bool partial = false;  // its result is nobody's: others of the case follow
    Others others = {};    // of a tile, beside the case
    Request request = {};  // where it may have to be asked again
  };

  using Lists = std::vector<std::vector<std::uint64_t>>;

  // What a cycle offers to the unit.
  enum class Offer { nothing, load, swap, clear, beat };

  // What stands at the ports of operands.
  enum class At { unknown, load, beat, beside, others };

  struct Result {
    std::uint64_t d = 0, tag = 0;
    std::string trace;  // after what is wrong with d
    std::vector<std::uint64_t> places;

    bool operator==(const Result& o) const {
      return d == o.d && tag == o.tag && trace == o.trace && places == o.places;
    }
  };

  int finish() {
    const int status = session_.finish();
    if (fault_.empty()) return status;
    std::fprintf(stderr, "%s\n", fault_.c_str());
    return 3;
  }

  bool next_request() {
    mode_ = 0;
    is_nobodys_ = false;
    if (again_.empty()) return session_.next(request_);
    request_ = std::move(again_.front());
    again_.pop_front();
    return true;
  }

  // In another mode where there are any. Its result is nobody's.
  void fetch_other() {
    if (rules_.modes > 1) mode_ = other_mode();
    request_ = other_than(request_, staying(request_));
    is_nobodys_ = true;
  }

  // Never before the first case, whose operands it turns, nor after the last one.
  bool other_comes() {
    const bool more = session_.open() || !again_.empty();
    return more && (rules_.modes > 1 || !rules_.stays.empty()) && !request_.a.empty() &&
           beside_.next() % in_a_row_ != 0;
  }
  std::size_t other_mode() { return 1 + beside_.next() % (rules_.modes - 1); }

  // A case whose operands are in the unit already may wait until the next ones are written aside, and be taken then.
  bool may_wait() {
    const bool another = !again_.empty() || session_.ready();
    return !is_nobodys_ && another && may_work_beside() && beside_.next() % 2 != 0;
  }
  void defer() {
    if (!may_wait()) return;
    deferred_ = request_;
    has_request_ = false;
  }
  // The swap then comes with an operation that shares its operands.
  void defer_beat() {
    if (!may_wait()) return;
    deferred_ = request_;
    request_ = other_than(request_, staying(request_));
    is_nobodys_ = true;
    at_ports_ = At::unknown;
  }

  // It cannot wait longer where nothing is to be written.
  void fetch_deferred() {
    request_ = std::move(*deferred_);
    deferred_.reset();
    is_nobodys_ = false;
    mode_ = 0;
  }

  void put_deferred_back() {
    if (deferred_) again_.push_front(std::move(*deferred_));
    deferred_.reset();
  }

  // How many others come in a row, about: mostly one, and now and then so many that counters turn over.
  void draw_in_a_row() {
    static constexpr std::uint64_t rows[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 16, 16, 64};
    if (!rules_.stays.empty()) in_a_row_ = rows[beside_.next() % std::size(rows)];
  }

  // A case whose operands are still to be loaded may wait for others that share them.
  bool other_comes_first() { return !rules_.stays.empty() && !is_inside() && beside_.next() % 2 == 0; }

  void fetch() {
    bool any = true;
    if (!deferred_ && other_comes()) {
      fetch_other();
    } else if ((any = next_request())) {
      draw_in_a_row();
      if (other_comes_first()) {
        again_.push_front(request_);
        fetch_other();
      }
    }
    if (deferred_ && (!any || is_inside())) {
      if (any && !is_nobodys_) again_.push_front(std::move(request_));
      fetch_deferred();
    } else if (!any) {
      return;
    }
    try {
      unit_.load(request_, 0);
      unit_.ask(request_, 0);
      has_request_ = true;
      others_ = turned(request_);
      at_ports_ = At::unknown;
      next_tag_ = free_tag();
      begin_case();
    } catch (const std::exception& error) {
      if (!is_nobodys_) session_.answer(request_.id, {0, 0, {}, error.what()});
    }
  }

  // Whether the operands that stay are those that were loaded last.
  bool is_inside() const { return !inside_.empty() && staying(request_) == inside_; }

  // What a request brings of the operands that stay.
  Lists staying(const Request& request) const {
    Lists lists;
    for (const std::string& name : rules_.stays) lists.push_back(codes(request, name));
    return lists;
  }

  // An operation on other operands, but for what stays, which asks for nothing.
  Request other_than(const Request& request, const Lists& stay) const {
    Request other = turned(request);
    for (std::size_t i = 0; i < stay.size(); ++i) *find_codes(other, rules_.stays[i]) = stay[i];
    other.trace = false;
    return other;
  }

  void begin_case() {
    const bool is_there = is_inside();
    loaded_ = is_there ? rules_.load_beats : 0;
    swapped_ = is_there || !rules_.swap;
    beat_ = 0;
    cleared_ = !rules_.clear;
    beside_offered_ = false;
    worked_beside_ = !may_work_beside();
    offered_ = false;
  }

  // Other operands than these.
  static Request turned(Request request) {
    const auto turn = [](std::vector<std::uint64_t>& codes) {
      for (std::uint64_t& code : codes) code = ~code;
    };
    for (auto* codes : {&request.a, &request.b, &request.scale_a, &request.scale_b}) turn(*codes);
    for (auto& [name, codes] : request.more) turn(codes);
    request.c = ~request.c;
    return request;
  }

  // Any that no case on its way has, and by no rule that a unit could follow by itself.
  std::uint64_t free_tag() {
    if (rules_.tag_bits == 0) return 0;
    const std::uint64_t mask = (std::uint64_t{1} << rules_.tag_bits) - 1;
    const auto is_free = [&](std::uint64_t tag) {
      return std::none_of(flights_.begin(), flights_.end(), [&](const Flight& f) { return f.tag == tag; });
    };
    std::uint64_t tag = tags_.next() & mask;
    while (!is_free(tag)) tag = (tag + 1) & mask;
    return tag;
  }

  bool busy() const { return has_request_ || deferred_ || !flights_.empty(); }
  bool has_case() const { return has_request_ && !is_nobodys_; }
  // A unit with tags takes as many cases as it has tags, one whose operands stay takes one.
  bool room() const {
    if (rules_.hold) return flights_.empty();
    return rules_.tag_bits == 0 || flights_.size() < std::uint64_t{1} << rules_.tag_bits;
  }

  void start_again() {
    inside_.clear();
    second_is_at_work_ = false;
    beside_beat_ = 0;
    put_deferred_back();
    begin_case();
    at_ports_ = At::unknown;
    held_ = {};
    idle_ = 0;
    history_.clear();
    load_history_.clear();
    unit_.forget();
    offer(Offer::nothing);
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

  // What is in the unit is asked again, in its order.
  void reset_amid() {
    std::deque<Request> lost;
    for (Flight& flight : flights_) {
      if (!flight.partial) lost.push_back(std::move(flight.request));
    }
    if (has_case()) lost.push_back(std::move(request_));
    again_.insert(again_.begin(), std::make_move_iterator(lost.begin()), std::make_move_iterator(lost.end()));
    flights_.clear();
    has_request_ = false;
    start_again();
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

  bool may_load() const { return (rules_.ahead || flights_.empty()) && edges_ >= swap_edge_ + rules_.load_wait; }

  // A swap that comes with operands reaches each part of the unit with these, behind the ones before. A tag is needed
  // anew, since those beside the writes took the one that was drawn.
  bool may_swap() const { return worked_beside_ && (rules_.swap_rides ? room() : flights_.empty()); }

  bool takes_over(Offer what) const {
    return what == Offer::swap || (what == Offer::beat && rules_.swap_rides && !swapped_);
  }

  // What comes next of the case. What the unit has inside may change only once earlier results are out.
  Offer next_offer() const {
    if (!has_request_) return Offer::nothing;
    if (loaded_ < rules_.load_beats) return may_load() ? Offer::load : Offer::nothing;
    if (!swapped_ && !may_swap()) return Offer::nothing;
    if (!swapped_ && !rules_.swap_rides) return Offer::swap;
    if (!cleared_) return flights_.empty() ? Offer::clear : Offer::nothing;
    return Offer::beat;
  }

  // A unit that has no signal for valid operands adds up whatever is there once it has begun.
  bool must_go_on() const { return rules_.kind == Kind::fixed_latency && (beat_ > 0 || (rules_.clear && cleared_)); }

  // Whether operations that share what is in the unit may come while the next operands are written aside.
  bool may_work_beside() const {
    return rules_.ahead && !inside_.empty() && !rules_.clear && !rules_.hold && rules_.kind != Kind::start_done;
  }

  // One of them is offered, beat by beat, until it is taken; some time after the last write no more come.
  bool works_beside(Offer what) {
    if (!has_request_ || swapped_ || worked_beside_ || what == Offer::swap) return false;
    if (beside_offered_) return true;
    if (beside_beat_ > 0) return beside_offered_ = rules_.kind == Kind::fixed_latency || beside_.next() % 2 == 0;
    if (beside_.next() % 4 == 0) end_beside();
    if (worked_beside_ || !room() || beside_.next() % 2 == 0) return false;
    company_is_case_ = deferred_ && beside_.next() % (loaded_ == rules_.load_beats ? 2 : 8) == 0;
    company_ = company_is_case_ ? *deferred_ : other_than(company_.a.empty() ? request_ : company_, inside_);
    next_tag_ = free_tag();
    return beside_offered_ = true;
  }

  void end_beside() { worked_beside_ = loaded_ == rules_.load_beats && !deferred_; }

  void offer(Offer what, bool beside = false) {
    unit_.load_valid(what == Offer::load);
    unit_.load_last(what == Offer::load && loaded_ + 1 == rules_.load_beats);
    unit_.swap(takes_over(what) != (rules_.swap_is_level && second_is_at_work_));
    unit_.clear(what == Offer::clear);
    unit_.in_valid(what == Offer::beat || beside);
    const std::size_t beat = beside ? beside_beat_ : beat_;
    unit_.first((what == Offer::beat || beside) && beat == 0);
    unit_.last((what == Offer::beat || beside) && beat + 1 == rules_.beats);
  }

  // A start is given only while the unit says without it that it is ready: once the result before is out, or in the
  // cycle in which it comes, where the unit has a signal that can say so.
  bool may_start() {
    offer(Offer::nothing);
    low();
    return (flights_.empty() || (rules_.says_ready && result_is_there())) && unit_.in_ready();
  }

  bool is_taken(Offer what) const {
    if (what == Offer::load || what == Offer::swap) {
      const bool counts = enabled_ || !rules_.load_gated;
      return counts && (what == Offer::swap || unit_.load_ready());
    }
    if (what == Offer::nothing || !enabled_) return false;
    return what == Offer::clear || rules_.kind == Kind::start_done || unit_.in_ready();
  }

  // What is offered stays offered until it is taken.
  void cycle() {
    Printed::forget();
    enabled_ = !rules_.enable || !takes_.next();
    Offer what = next_offer();
    if (what != Offer::nothing && !offered_) begin_to_offer(what);
    if (!offered_) what = Offer::nothing;
    const bool beside = works_beside(what);
    const bool ready = !waits_for_ready() || !takes_.next();
    unit_.tag_in(next_tag_);
    unit_.out_ready(ready);
    unit_.enable(enabled_);
    if (what == Offer::beat && rules_.kind == Kind::start_done && !may_start()) what = Offer::nothing;
    show(what, beside);
    put_late();
    if (rules_.load_skew > 0 && !request_.a.empty()) put_load();
    offer(what, beside);
    low();
    const bool taken = is_taken(what), beside_taken = beside && is_taken(Offer::beat);
    if (beside_taken) accept_beside();
    if (taken) accept(what);  // first, since the result may be there in the same cycle
    look_at_result(ready, (what == Offer::beat && !taken) || (beside && !beside_taken));
    if (enabled_) unit_.sample();
    high();
    if (enabled_) remember();
    if (enabled_ || !rules_.load_gated) remember_load();
    if (taken) at_ports_ = operands_stay() ? At::beat : At::unknown;
    count_idle(taken || beside_taken);
    if (!fault_.empty()) give_up();
  }

  void begin_to_offer(Offer what) {
    offered_ = must_go_on() || !offers_.next();
    if (!offered_ || !takes_over(what)) return;
    next_tag_ = free_tag();
    if (what == Offer::beat) defer_beat();
  }

  bool waits_for_ready() const { return rules_.kind == Kind::valid_ready && rules_.results_wait; }

  void accept(Offer what) {
    offered_ = false;
    if (what == Offer::load) accept_load();
    if (what == Offer::swap) accept_swap();
    if (what == Offer::clear) cleared_ = true;
    if (what != Offer::beat) return;
    if (takes_over(what)) take_over();
    const bool last = ++beat_ == rules_.beats, nobodys = !last || is_nobodys_;
    if (last || rules_.partial) begin_flight(request_, nobodys);
    if (last) has_request_ = false;
  }

  void accept_beside() {
    beside_offered_ = false;
    const bool last = ++beside_beat_ == rules_.beats;
    if (last || rules_.partial) begin_flight(company_, !last || !company_is_case_);
    if (!last) return;
    beside_beat_ = 0;
    if (company_is_case_) deferred_.reset();
    // So the swap may follow at the next edge, mostly behind a case, whose result is looked at.
    if ((beside_.next() % 4 == 0) != company_is_case_) end_beside();
  }

  void begin_flight(const Request& request, bool nobodys) {
    flights_.push_back({request.id, next_tag_, edges_, request.trace, nobodys, unit_.others(request)});
    if (!nobodys && rules_.resets) flights_.back().request = request;
  }

  // What is written aside changes nothing of what is inside.
  void accept_load() {
    if (!rules_.swap) inside_.clear();
    if (++loaded_ == rules_.load_beats && !rules_.swap) inside_ = staying(request_);
  }
  void accept_swap() {
    take_over();
    defer();
  }
  void take_over() {
    swapped_ = true;
    second_is_at_work_ = !second_is_at_work_;
    swap_edge_ = edges_ + 1;
    inside_ = staying(request_);
  }

  // Operands that stay until their result is there.
  bool operands_stay() const { return rules_.hold && !has_request_ && !flights_.empty(); }

  // At the ports: what is offered, and others in place of all else.
  void show(Offer what, bool beside) {
    const bool loads = what == Offer::load;
    const At wanted = beside                                   ? At::beside
                      : loads                                  ? At::load
                      : what == Offer::beat || operands_stay() ? At::beat
                                                               : At::others;
    if (request_.a.empty() || (wanted == at_ports_ && !beside)) return;
    at_ports_ = wanted;
    if (operands_stay()) return;
    load_at_ports_ = loads ? std::optional(loaded_) : std::nullopt;
    put_load();
    beat_at_ports_ = wanted == At::beat ? beat_ : wanted == At::beside ? beside_beat_ : 0;
    unit_.ask(shown(), beat_at_ports_);
    if (rules_.modes > 1) unit_.mode(wanted == At::beat ? mode_ : other_mode());
  }

  // The operands that stand there, but for those that are loaded.
  const Request& shown() const {
    return at_ports_ == At::beat ? request_ : at_ports_ == At::beside ? company_ : others_;
  }

  // What is loaded, or others in its place.
  void put_load() { unit_.load(load_at_ports_ ? request_ : others_, load_at_ports_.value_or(0)); }

  void remember_load() {
    if (rules_.load_skew == 0 || request_.a.empty()) return;
    load_history_.push_front({load_at_ports_ ? request_ : others_, load_at_ports_.value_or(0)});
    if (load_history_.size() > rules_.load_skew) load_history_.pop_back();
  }

  // Late elements are those of what stood at the ports so many edges before.
  void put_late() {
    if (rules_.late.empty() || request_.a.empty()) return;
    if (rules_.skewed) return unit_.ask(this->shown(), beat_at_ports_);
    Request shown = this->shown();
    for (const auto& [name, edges] : rules_.late) {
      std::vector<std::uint64_t>& list = *find_codes(shown, name);
      for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i] == 0 || edges[i] > history_.size()) continue;
        const Stood& stood = history_[edges[i] - 1];
        list[beat_at_ports_ * edges.size() + i] = codes(stood.request, name)[stood.beat * edges.size() + i];
      }
    }
    unit_.ask(shown, beat_at_ports_);
  }

  void remember() {
    if (rules_.late.empty() || request_.a.empty()) return;
    history_.push_front({shown(), beat_at_ports_});
    std::size_t longest = 0;
    for (const auto& [name, edges] : rules_.late)
      longest = std::max(longest, *std::max_element(edges.begin(), edges.end()));
    if (history_.size() > longest) history_.pop_back();
  }

  // `done` of the case before may stay until the next start.
  bool result_is_there() {
    if (rules_.kind == Kind::start_done)
      return !flights_.empty() && edges_ != flights_.front().edge && unit_.out_valid();
    if (rules_.kind != Kind::fixed_latency) return unit_.out_valid();
    return !flights_.empty() && edges_ - flights_.front().edge == static_cast<std::uint64_t>(rules_.latency);
  }

  // A result that could not go yet must be there, unchanged, until it goes.
  void look_at_result(bool ready, bool operands_wait) {
    const bool there = result_is_there();
    if (held_.first && !there) return fault("The unit withdrew a result before it was taken.");
    if (!there) return;
    const bool waits = !(ready && enabled_);
    if (held_.first || waits) {
      Result now = result();
      if (held_.first && !(now == held_.second)) return fault("The unit changed a result before it was taken.");
      held_.second = std::move(now);
    }
    // A unit without registers shows the result of operands that it has not taken yet.
    const bool of_operands_on_offer = operands_wait && waits;
    if (flights_.empty() && !of_operands_on_offer) return fault("The unit gave a result that nobody had asked for.");
    held_.first = waits;
    if (!waits) take();
  }

  // All that is compared of a result, and whose it is.
  Result result() {
    const bool trace = flights_.empty() ? request_.trace : flights_.front().trace;
    const Reply reply = unit_.reply(trace, flights_.empty() ? unit_.others(request_) : flights_.front().others);
    Result now{reply.d, rules_.tag_bits > 0 ? unit_.tag_out() : 0, reply.error, {}};
    for (const auto& [name, digits] : reply.trace) now.trace += digits + " ";
    if (trace && reply.places != nullptr) now.places.assign(reply.places, reply.places + session_.place_words());
    return now;
  }

  void take() {
    auto flight = flights_.begin();
    if (rules_.tag_bits > 0) {
      const std::uint64_t tag = unit_.tag_out();
      while (flight != flights_.end() && flight->tag != tag) ++flight;
      if (flight == flights_.end())
        return fault("The unit gave a result with tag " + std::to_string(tag) + ", which no case on its way has.");
    }
    if (!flight->partial) {
      session_.answer(flight->id, unit_.reply(flight->trace, flight->others));
      resets_.count_result();
    }
    flights_.erase(flight);
    idle_ = -1;
  }

  // A load that comes later, by the unit's own rule.
  bool waits_after_swap() const {
    return has_request_ && loaded_ < rules_.load_beats && flights_.empty() && edges_ < swap_edge_ + rules_.load_wait;
  }

  void count_idle(bool accepted) {
    idle_ = accepted || !busy() || waits_after_swap() ? 0 : idle_ + 1;
    if (idle_ <= rules_.cycle_limit || !fault_.empty()) return;
    const std::string limit = " for " + std::to_string(rules_.cycle_limit) + " cycles";
    fault(flights_.empty()
              ? "The unit was not ready to take operands" + limit + "."
              : "The unit gave no result" + limit + " with " + std::to_string(flights_.size()) + " on their way.");
  }

  void fault(std::string sentence) { fault_ = std::move(sentence); }

  // Cases on their way are lost; the rest goes on after a reset. With none on its way the next case gets the error,
  // and with none left the process ends with it.
  void give_up() {
    if (!busy()) return;
    lose();
    start_again();
  }

  void lose() {
    put_deferred_back();
    bool any = false;
    for (const Flight& flight : flights_) {
      if (flight.partial) continue;
      session_.answer(flight.id, {0, 0, {}, fault_});
      any = true;
    }
    if (!any) {
      any = has_case() || next_request();
      if (any) session_.answer(request_.id, {0, 0, {}, fault_});
      has_request_ = false;
    }
    flights_.clear();
    if (any) fault_.clear();
  }

  Unit& unit_;
  const Rules rules_;
  Session& session_;
  Stalls offers_, takes_;
  Resets resets_;
  SplitMix beside_, tags_;
  Request request_, others_;  // the case's operands, and what stands at the ports in their place
  Request company_;           // while what comes next is written aside: nobody's, or the case that was deferred
  std::optional<Request> deferred_;
  At at_ports_ = At::unknown;
  std::deque<Flight> flights_;
  std::deque<Request> again_;                 // what was in the unit when it was reset
  std::deque<Stood> history_, load_history_;  // where elements come late, the newest first
  std::size_t loaded_ = 0, beat_ = 0;         // of the request, what the unit has taken
  std::size_t beat_at_ports_ = 0;
  std::optional<std::size_t> load_at_ports_;  // which beat of what is loaded; none: others stand there
  std::size_t mode_ = 0;                      // of the request; others than 0 are no case
  bool is_nobodys_ = false;                   // the request is no case
  Lists inside_;                              // what `stays` in the unit; none before it was loaded
  bool swapped_ = false, cleared_ = false;
  bool second_is_at_work_ = false;  // of two that take turns
  bool company_is_case_ = false, beside_offered_ = false;
  std::size_t beside_beat_ = 0;  // of that company
  bool worked_beside_ = true;    // no more of it comes before the swap
  std::uint64_t in_a_row_ = 2;
  std::pair<bool, Result> held_;  // a result that waits
  std::string fault_;
  std::uint64_t edges_ = 0;      // enabled ones
  std::uint64_t swap_edge_ = 0;  // the latest, after which what is inside was taken over
  std::uint64_t next_tag_ = 0;
  int idle_ = 0;  // cycles without anything taken or given
  bool has_request_ = false, offered_ = false, enabled_ = true;
};

}  // namespace assay::rtl
