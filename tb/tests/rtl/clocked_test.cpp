// The clocked harness around units written in C++: right ones under every handshake, and one for each way of being
// wrong.
#include "tb/devices/rtl/clocked.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <set>

namespace assay::rtl {
namespace {

constexpr int cases = 300;

struct Faults {
  bool loses_under_pressure = false;  // a result that has to wait is replaced by the next
  bool withdraws = false;             // ... or is gone
  bool twice = false;                 // every result is given once more
  bool last_twice = false;            // only the last one is
  bool never = false;                 // no result at all
  bool never_ready = false;
  bool late_operands = false;   // looks at a when the result leaves
  bool early_operands = false;  // ... and c as they were in the cycle before
  bool counts_tags = false;     // gives tags of its own, in order
  bool tag_wavers = false;      // another tag while the result has to wait
  bool flag_wavers = false;     // another flag beside d
  bool wrong_tag = false;
  bool reversed = false;  // results leave in pairs, second first
  bool keeps = false;     // a reset leaves what is in it
  int stops_at = -1;      // ends the simulation when it takes this case
};

// What few units have.
struct Plain {
  void load(const Request&, std::size_t) {}
  void load_valid(bool) {}
  bool load_ready() const { return true; }
  void load_last(bool) {}
  void swap(bool) {}
  void first(bool) {}
  void last(bool) {}
  void clear(bool) {}
  void mode(std::size_t) {}
  Others others(const Request&) const { return {}; }
  void past(const std::deque<Stood>&, const std::deque<Stood>&) {}
  void sample() {}
  void forget() {}
};

// Works at rising edges, without tags and stalls.
class AtEdges : public Plain {
 public:
  virtual ~AtEdges() = default;
  void eval() {
    if (clock_ && !clock_before_) edge();
    clock_before_ = clock_;
  }
  void clock(bool value) { clock_ = value; }
  void reset(bool value) { reset_ = value; }
  void enable(bool) {}
  void out_ready(bool) {}
  void tag_in(std::uint64_t) {}
  std::uint64_t tag_out() const { return 0; }

 protected:
  bool is_reset() const { return reset_; }

 private:
  virtual void edge() = 0;

  bool clock_ = false, clock_before_ = false, reset_ = false;
};

// d = a[0] + c, two cycles after it was taken, in a queue of two.
class Adder : public Plain {
 public:
  explicit Adder(const Faults& faults, Kind kind = Kind::valid_ready) : faults_(faults), kind_(kind) {}

  void eval() {
    if (clock_ && !clock_before_) edge();
    clock_before_ = clock_;
  }
  void clock(bool value) { clock_ = value; }
  void reset(bool value) { reset_ = value; }
  void enable(bool value) { enable_ = value; }
  void ask(const Request& r, std::size_t) {
    if (r.a.size() != 1) throw std::runtime_error("One element of a is needed.");
    a_ = r.a[0], c_ = r.c;
  }
  void in_valid(bool value) { in_valid_ = value; }
  bool in_ready() const { return kind_ != Kind::valid_ready || (!faults_.never_ready && !half_ && queue_.size() < 2); }
  bool out_valid() const { return kind_ == Kind::fixed_latency || front_ready(); }
  void out_ready(bool value) { out_ready_ = value; }
  void tag_in(std::uint64_t tag) { tag_ = tag; }
  std::uint64_t tag_out() const {
    return front().tag + (faults_.wrong_tag ? 8 : faults_.tag_wavers && !out_ready_ ? 1 : 0);
  }
  Reply reply(bool trace, const Others&) const {
    Reply reply{(faults_.late_operands ? a_ : front().a) + front().c, 8};
    if (trace) reply.trace = {{"flag", faults_.flag_wavers && !out_ready_ ? "1" : "0"}};
    return reply;
  }

 private:
  struct Entry {
    std::uint64_t a = 0, c = 0, tag = 0;
    int age = 0;
    bool again = false;
  };

  Entry front() const {
    if (kind_ == Kind::fixed_latency) return stages_[1];
    if (queue_.empty()) return {};
    return faults_.reversed && queue_.size() == 2 ? queue_[1] : queue_[0];
  }
  bool front_ready() const {
    if (faults_.never) return false;
    return faults_.reversed ? queue_.size() == 2 || half_ : !queue_.empty() && queue_[0].age >= 1;
  }

  void edge() {
    const std::uint64_t a = faults_.early_operands ? before_a_ : a_, c = faults_.early_operands ? before_c_ : c_;
    before_a_ = a_, before_c_ = c_;
    if (reset_) {
      if (!faults_.keeps) queue_.clear();
      half_ = false;
      return;
    }
    if (kind_ == Kind::fixed_latency) {
      if (!enable_) return;
      stages_[1] = stages_[0];
      stages_[0] = {a, c, 0, 0, false};
      return;
    }
    const bool taken = in_valid_ && in_ready();
    if (taken && taken_++ == faults_.stops_at) throw Stopped("It stops.");
    const bool given = out_valid() && (out_ready_ || kind_ == Kind::valid);
    if (out_valid() && !given && faults_.loses_under_pressure) queue_.front().c += 1;
    if (out_valid() && !given && faults_.withdraws) queue_.pop_front();
    if (given) give();
    for (Entry& e : queue_) ++e.age;
    const std::uint64_t tag = faults_.counts_tags ? static_cast<std::uint64_t>(taken_ - 1) % 16 : tag_;
    if (taken) queue_.push_back({a, c, tag, 0, faults_.twice || (faults_.last_twice && ++count_ == cases)});
  }
  void give() {
    if (faults_.reversed) {
      half_ = queue_.size() == 2;
      queue_.erase(queue_.size() == 2 ? queue_.begin() + 1 : queue_.begin());
    } else if (queue_.front().again) {
      queue_.front().again = false;
    } else {
      queue_.pop_front();
    }
  }

  Faults faults_;
  Kind kind_;
  bool clock_ = false, clock_before_ = false, reset_ = false, enable_ = true, in_valid_ = false, out_ready_ = true;
  bool half_ = false;
  int count_ = 0, taken_ = 0;
  std::uint64_t a_ = 0, c_ = 0, tag_ = 0, before_a_ = 0, before_c_ = 0;
  std::deque<Entry> queue_;
  Entry stages_[2];
};

struct Outcome {
  int status = 0;
  int right = 0;
  int wrong = 0;         // answered otherwise, also with an error
  bool restart = false;  // it asked for a fresh process
  std::set<std::string> errors;
};

// All that the harness around `unit` writes when it is asked for `cases` sums.
template <class Unit>
Outcome conversation_of(Unit& unit, Rules rules, std::uint64_t seed, bool trace = false) {
  int to[2], from[2];
  EXPECT_EQ(pipe(to), 0);
  EXPECT_EQ(pipe(from), 0);
  std::string asked = std::string("{\"assay\":1,\"trace\":") + (trace ? "true" : "false") + "}\n";
  for (int i = 0; i < cases; ++i)
    asked += "{\"id\":" + std::to_string(i) + ",\"a\":[\"" + "0123456789abcdef"[i % 16] +
             "\"],\"b\":[\"0\"],\"c\":\"100\"}\n";
  asked += "{\"end\":" + std::to_string(cases) + "}\n";
  EXPECT_EQ(write(to[1], asked.data(), asked.size()), static_cast<ssize_t>(asked.size()));
  close(to[1]);
  Outcome outcome;
  {
    Session session({"adder", {"*"}, trace, 1024}, to[0], from[1]);
    outcome.status = Clocked<Unit>(unit, rules, session, seed).run();
  }
  close(from[1]);
  std::string said;
  char piece[4096];
  for (ssize_t n; (n = read(from[0], piece, sizeof piece)) > 0;) said.append(piece, static_cast<std::size_t>(n));
  close(from[0]);
  close(to[0]);
  for (int i = 0; i < cases; ++i) {
    const std::string right =
        "{\"id\":" + std::to_string(i) + ",\"d\":\"0000010" + "0123456789abcdef"[i % 16] + "\"}\n";
    const bool is_right = said.find(right) != std::string::npos;
    outcome.right += is_right ? 1 : 0;
    outcome.wrong += !is_right && said.find("{\"id\":" + std::to_string(i) + ",") != std::string::npos ? 1 : 0;
  }
  outcome.restart = said.find("{\"restart\":true}\n") != std::string::npos;
  const std::string mark = "\"error\":\"";
  for (std::size_t at = 0; (at = said.find(mark, at)) != std::string::npos;) {
    at += mark.size();
    outcome.errors.insert(said.substr(at, said.find('"', at) - at));
  }
  return outcome;
}

Outcome conversation(const Faults& faults, Rules rules, std::uint64_t seed = 1) {
  Adder unit(faults, rules.kind);
  return conversation_of(unit, rules, seed);
}

Rules rules_of(Kind kind, int tag_bits = 0) { return {kind, 2, kind == Kind::fixed_latency, tag_bits, 4, 100}; }

TEST(Clocked, RightUnitsPassUnderEveryHandshakeAndEverySeed) {
  for (const Kind kind : {Kind::fixed_latency, Kind::valid, Kind::valid_ready}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Outcome o = conversation({}, rules_of(kind), seed);
      EXPECT_EQ(o.right, cases) << static_cast<int>(kind) << " " << seed;
      EXPECT_EQ(o.status, 0);
      EXPECT_EQ(o.errors, std::set<std::string>{});
    }
  }
}

// Whatever was in a unit when it was reset is asked again.
TEST(Clocked, AUnitMayBeResetAmidItsWork) {
  for (const Kind kind : {Kind::fixed_latency, Kind::valid, Kind::valid_ready}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Rules rules = rules_of(kind, kind == Kind::fixed_latency ? 0 : 3);
      rules.resets = true;
      const Outcome o = conversation({}, rules, seed);
      EXPECT_EQ(o.right, cases) << static_cast<int>(kind) << " " << seed;
      EXPECT_EQ(o.status, 0);
      EXPECT_EQ(o.errors, std::set<std::string>{});
    }
  }
}

TEST(Clocked, AResetThatLeavesWhatIsInTheUnitIsFound) {
  Faults faults;
  faults.keeps = true;
  for (const Kind kind : {Kind::valid, Kind::valid_ready}) {
    Rules rules = rules_of(kind);
    EXPECT_EQ(conversation(faults, rules).right, cases);
    rules.resets = true;
    EXPECT_LT(conversation(faults, rules).right, cases);
  }
}

TEST(Clocked, TaggedResultsComeInAnyOrder) {
  Faults reversed;
  reversed.reversed = true;
  const Outcome tagged = conversation(reversed, rules_of(Kind::valid_ready, 4));
  EXPECT_EQ(tagged.right, cases);
  EXPECT_EQ(tagged.errors, std::set<std::string>{});
  EXPECT_LT(conversation(reversed, rules_of(Kind::valid_ready)).right, cases);
}

// With two tags the one of a case that is still inside would be given again, if they were counted.
TEST(Clocked, NoTagIsGivenTwiceAtATime) {
  Faults reversed;
  reversed.reversed = true;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Outcome o = conversation(reversed, rules_of(Kind::valid_ready, 1), seed);
    EXPECT_EQ(o.right, cases) << seed;
    EXPECT_EQ(o.errors, std::set<std::string>{});
  }
}

TEST(Clocked, AFlagStaysAsLongAsItsResult) {
  Faults faults;
  Adder right(faults, Kind::valid_ready);
  EXPECT_EQ(conversation_of(right, rules_of(Kind::valid_ready), 1, true).errors, std::set<std::string>{});
  faults.flag_wavers = true;
  Adder unit(faults, Kind::valid_ready);
  EXPECT_EQ(conversation_of(unit, rules_of(Kind::valid_ready), 1, true)
                .errors.count("The unit changed a result before it was taken."),
            1u);
}

// d = a[0] + c without a register: valid and ready pass through, too.
class PassThrough : public Plain {
 public:
  explicit PassThrough(Kind kind) : kind_(kind) {}
  void eval() {}
  void clock(bool) {}
  void reset(bool) {}
  void enable(bool) {}
  void ask(const Request& r, std::size_t) { d_ = r.a[0] + r.c; }
  void in_valid(bool value) { valid_ = value; }
  bool in_ready() const { return kind_ != Kind::valid_ready || ready_; }
  bool out_valid() const { return valid_; }
  void out_ready(bool value) { ready_ = value; }
  void tag_in(std::uint64_t tag) { tag_ = tag; }
  std::uint64_t tag_out() const { return tag_; }
  Reply reply(bool, const Others&) const { return {d_, 8}; }

 private:
  Kind kind_;
  bool valid_ = false, ready_ = false;
  std::uint64_t d_ = 0, tag_ = 0;
};

TEST(Clocked, AResultMayComeInTheCycleOfItsOperands) {
  for (const Kind kind : {Kind::fixed_latency, Kind::valid, Kind::valid_ready}) {
    for (const int tag_bits : {0, 3}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Rules rules = rules_of(kind, kind == Kind::fixed_latency ? 0 : tag_bits);
        rules.latency = 0;
        PassThrough unit(kind);
        const Outcome o = conversation_of(unit, rules, seed);
        EXPECT_EQ(o.right, cases) << static_cast<int>(kind) << " " << seed;
        EXPECT_EQ(o.status, 0);
        EXPECT_EQ(o.errors, std::set<std::string>{});
      }
    }
  }
}

// d = a[0] + c in two beats, the second of which adds nothing; with a result after each, or only after the last.
class Summer : public AtEdges {
 public:
  Summer(bool partial, bool never) : partial_(partial), never_(never) {}
  void ask(const Request& r, std::size_t beat) { a_ = beat == 0 ? r.a[0] : 0, c_ = r.c; }
  void in_valid(bool value) { in_valid_ = value; }
  bool in_ready() const { return true; }
  bool out_valid() const { return there_ && !never_; }
  void first(bool value) { first_ = value; }
  void last(bool value) { last_ = value; }
  Reply reply(bool, const Others&) const { return {sum_, 8}; }

 private:
  void edge() override {
    there_ = in_valid_ && !is_reset() && (last_ || partial_);
    if (in_valid_) sum_ = (first_ ? c_ : sum_) + a_;
  }

  bool partial_, never_;
  bool in_valid_ = false, first_ = false, last_ = false;
  bool there_ = false;
  std::uint64_t a_ = 0, c_ = 0, sum_ = 0;
};

Outcome of_summer(bool unit_partial, bool rules_partial, bool never = false) {
  Rules rules = rules_of(Kind::valid);
  rules.beats = 2;
  rules.partial = rules_partial;
  Summer unit(unit_partial, never);
  return conversation_of(unit, rules, 3);
}

TEST(Clocked, ACaseMayTakeSeveralBeats) {
  for (const bool partial : {false, true}) {
    const Outcome o = of_summer(partial, partial);
    EXPECT_EQ(o.right, cases);
    EXPECT_EQ(o.errors, std::set<std::string>{});
  }
}

TEST(Clocked, EveryCaseInBeatsIsAnsweredWhenTheUnitIsNot) {
  EXPECT_EQ(of_summer(true, false).errors.count("The unit gave a result that nobody had asked for."), 1u);
  const Outcome never = of_summer(true, true, true);
  EXPECT_EQ(never.right, 0);
  EXPECT_EQ(never.status, 0);
  EXPECT_FALSE(never.errors.empty());
}

// d = what was loaded + c; wrong ones load whatever is there, or look at c a cycle before it is offered.
class Loaded : public AtEdges {
 public:
  explicit Loaded(bool always, bool early = false) : always_(always), early_(early) {}
  void ask(const Request& r, std::size_t) { c_ = r.c; }
  void load(const Request& r, std::size_t) { port_ = r.a[0]; }
  void load_valid(bool value) { load_valid_ = value; }
  void in_valid(bool value) { in_valid_ = value; }
  bool in_ready() const { return true; }
  bool out_valid() const { return there_; }
  Reply reply(bool, const Others&) const { return {sum_, 8}; }

 private:
  void edge() override {
    there_ = in_valid_;
    sum_ = stored_ + (early_ ? before_ : c_);
    before_ = c_;
    if (load_valid_ || always_) stored_ = port_;
  }

  bool always_, early_;
  bool load_valid_ = false, in_valid_ = false, there_ = false;
  std::uint64_t port_ = 0, stored_ = 0, c_ = 0, before_ = 0, sum_ = 0;
};

TEST(Clocked, WhatIsLoadedStaysAndItsPortDoesNot) {
  Rules rules = rules_of(Kind::valid);
  rules.load_beats = 1;
  for (const bool always : {false, true}) {
    Loaded unit(always);
    const Outcome o = conversation_of(unit, rules, 3);
    EXPECT_EQ(o.right == cases, !always) << o.right;
    EXPECT_EQ(o.errors, std::set<std::string>{});
  }
}

// d = a[0] + c, where a or b, which is 0, is loaded, and may stay; counts what it is given. A wrong one lets others
// have only one operation a load, or adds the operation before.
class Stationary : public AtEdges {
 public:
  enum class Fault { none, once, adds };
  explicit Stationary(bool holds_a, Fault fault = Fault::none) : holds_a_(holds_a), fault_(fault) {}
  void ask(const Request& r, std::size_t) { operand_ = r.c + (holds_a_ ? 0 : r.a[0]); }
  void load(const Request& r, std::size_t) { port_ = holds_a_ ? r.a[0] : r.b[0]; }
  void load_valid(bool value) { load_valid_ = value; }
  void in_valid(bool value) { in_valid_ = value; }
  bool in_ready() const { return true; }
  bool out_valid() const { return there_; }
  Reply reply(bool, const Others&) const { return {sum_, 8}; }
  int loads() const { return loads_; }
  int operations() const { return operations_; }

 private:
  void edge() override {
    const bool again = there_ && in_valid_;
    there_ = in_valid_;
    if (in_valid_) {
      ++operations_;
      sum_ = stored_ + operand_ + (again && fault_ == Fault::adds ? 1 : 0);
      if (fault_ == Fault::once) stored_ = 99;
    }
    if (!load_valid_) return;
    ++loads_;
    stored_ = port_;
  }

  bool holds_a_;
  Fault fault_;
  bool load_valid_ = false, in_valid_ = false, there_ = false;
  std::uint64_t port_ = 0, stored_ = 0, operand_ = 0, sum_ = 0;
  int loads_ = 0, operations_ = 0;
};

Rules rules_of_load(std::vector<std::string> stays) {
  Rules rules = rules_of(Kind::valid);
  rules.load_beats = 1;
  rules.stays = std::move(stays);
  return rules;
}

// Where all cases share b, one load is enough; a unit that has it for one operation, or is wrong of the second in a
// row, is seen then, and not with a load before each.
TEST(Clocked, CasesThatShareWhatStaysFollowEachOther) {
  using Fault = Stationary::Fault;
  Stationary each(false), one(false);
  EXPECT_EQ(conversation_of(each, rules_of_load({}), 1).right, cases);
  EXPECT_EQ(each.loads(), cases);
  EXPECT_EQ(conversation_of(one, rules_of_load({"b"}), 1).right, cases);
  EXPECT_EQ(one.loads(), 1);
  EXPECT_GT(one.operations(), cases * 3 / 2);
  for (const Fault fault : {Fault::once, Fault::adds}) {
    Stationary alone(false, fault), wrong(false, fault);
    EXPECT_EQ(conversation_of(alone, rules_of_load({}), 1).right, cases);
    EXPECT_LT(conversation_of(wrong, rules_of_load({"b"}), 1).right, cases);
  }
}

// No two cases in a row share a.
TEST(Clocked, OthersThatShareWhatStaysComeBesideACase) {
  using Fault = Stationary::Fault;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Stationary alone(true), unit(true);
    EXPECT_EQ(conversation_of(alone, rules_of_load({}), seed).right, cases);
    EXPECT_EQ(alone.operations(), cases);
    const Outcome o = conversation_of(unit, rules_of_load({"a"}), seed);
    EXPECT_EQ(o.right, cases) << seed;
    EXPECT_EQ(o.errors, std::set<std::string>{});
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(unit.loads(), cases);
    EXPECT_GT(unit.operations(), 2 * cases);
  }
  for (const Fault fault : {Fault::once, Fault::adds}) {
    Stationary alone(true, fault), wrong(true, fault);
    EXPECT_EQ(conversation_of(alone, rules_of_load({}), 1).right, cases);
    EXPECT_LT(conversation_of(wrong, rules_of_load({"a"}), 1).right, cases * 9 / 10);
  }
}

// d = what was swapped in + c, six edges later; two writes go aside, and a wrong one works with these at once, or
// takes them without a swap, takes nothing from what stays while a write comes, or counts operations by 5 bits.
class Shadowed : public AtEdges {
 public:
  enum class Fault { none, at_once, unasked, collides, turns_over };
  explicit Shadowed(Fault fault) : fault_(fault) {}
  void ask(const Request& r, std::size_t) { c_ = r.c; }
  void load(const Request& r, std::size_t beat) { port_ = beat == 0 ? r.a[0] : r.b[0]; }
  void load_valid(bool value) { load_valid_ = value; }
  void load_last(bool value) { last_ = value; }
  void swap(bool value) { swap_ = value; }
  void in_valid(bool value) { stages_[0] = {value, c_}; }
  bool in_ready() const { return true; }
  bool out_valid() const { return stages_[depth].first; }
  Reply reply(bool, const Others&) const { return {stages_[depth].second, 8}; }
  int overlapped() const { return overlapped_; }
  int together() const { return together_; }
  int between() const { return between_; }
  int least_wait() const { return least_wait_; }

 private:
  void edge() override {
    const bool works = std::any_of(stages_ + 1, stages_ + depth, [](const auto& stage) { return stage.first; });
    for (int i = depth; i > 0; --i) stages_[i] = stages_[i - 1];
    stages_[depth].second += fault_ == Fault::at_once ? aside_ : stored_;
    if (stages_[0].first) take();
    if (swap_ || (fault_ == Fault::unasked && complete_)) stored_ = aside_;
    taken_over_ = swap_ || (taken_over_ && !load_valid_);
    if (is_reset()) std::fill(std::begin(stages_), std::end(stages_), std::pair<bool, std::uint64_t>{});
    ++since_swap_;
    if (swap_) since_swap_ = 0;
    if (!load_valid_) return;
    least_wait_ = std::min(least_wait_, since_swap_);
    overlapped_ += works ? 1 : 0;
    complete_ = last_;
    in_a_row_ = 0;
    aside_ = (last_ ? aside_ : 0) + port_;
  }

  void take() {
    together_ += load_valid_ ? 1 : 0;
    between_ += complete_ && !taken_over_ ? 1 : 0;
    if (fault_ == Fault::collides && load_valid_) ++stages_[1].second;
    if (fault_ == Fault::turns_over && ++in_a_row_ > 31) ++stages_[1].second;
  }

  static constexpr int depth = 6;

  Fault fault_;
  bool load_valid_ = false, last_ = false, swap_ = false, complete_ = false, taken_over_ = false;
  std::pair<bool, std::uint64_t> stages_[depth + 1];
  std::uint64_t port_ = 0, aside_ = 0, stored_ = 0, c_ = 0;
  int overlapped_ = 0, together_ = 0, between_ = 0, in_a_row_ = 0;
  int since_swap_ = 1000, least_wait_ = 1000;
};

TEST(Clocked, WhatIsSwappedInIsWrittenWhileTheUnitWorks) {
  Rules rules = rules_of(Kind::valid);
  rules.load_beats = 2;
  rules.swap = true;
  Shadowed idle(Shadowed::Fault::at_once);
  EXPECT_EQ(conversation_of(idle, rules, 1).right, cases);
  EXPECT_EQ(idle.overlapped(), 0);
  rules.ahead = true;
  using Fault = Shadowed::Fault;
  for (const bool company : {false, true}) {
    if (company) rules.stays = {"a", "b"};
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Shadowed unit(Fault::none);
      rules.resets = seed > 10;
      const Outcome o = conversation_of(unit, rules, seed);
      EXPECT_EQ(o.right, cases) << seed;
      EXPECT_EQ(o.errors, std::set<std::string>{});
      EXPECT_GT(unit.overlapped(), cases / 10);
      EXPECT_EQ(unit.together() > cases / 10, company) << unit.together();
      EXPECT_EQ(unit.between() > cases / 10, company) << unit.between();
    }
    for (const Fault fault : {Fault::at_once, Fault::unasked, Fault::collides, Fault::turns_over}) {
      Shadowed wrong(fault);
      const bool alone = fault == Fault::at_once || fault == Fault::unasked;
      EXPECT_EQ(conversation_of(wrong, rules, 1).right < cases, company || alone) << static_cast<int>(fault);
    }
  }
}

// d = what was loaded + c, three edges after it was taken, in every second cycle; two writes go aside, and the operands
// bring the swap. A wrong one gives what is on its way the new operands, or the operation before alone, swaps whenever
// it is asked, taken or not, or forgets the tag.
class Riding : public AtEdges {
 public:
  enum class Fault { none, at_once, one_before, whenever, no_tag };
  Riding(bool level, Fault fault) : level_(level), fault_(fault) {}
  void ask(const Request& r, std::size_t) { c_ = r.c; }
  void load(const Request& r, std::size_t beat) { port_ = beat == 0 ? r.a[0] : r.b[0]; }
  void load_valid(bool value) { load_valid_ = value; }
  void load_last(bool value) { last_ = value; }
  void swap(bool value) { swap_ = value; }
  void in_valid(bool value) { valid_ = value; }
  bool in_ready() const { return ready_; }
  void tag_in(std::uint64_t tag) { tag_ = tag; }
  std::uint64_t tag_out() const { return fault_ == Fault::no_tag ? 0 : stages_[depth - 1].tag; }
  bool out_valid() const { return stages_[depth - 1].valid; }
  Reply reply(bool, const Others&) const { return {stages_[depth - 1].d, 8}; }
  int swaps() const { return swaps_; }
  int amid() const { return amid_; }

 private:
  struct Stage {
    bool valid = false;
    std::uint64_t tag = 0, d = 0;
  };

  void edge() override {
    const bool taken = valid_ && ready_, is_other = level_ ? swap_ != (at_work_ == 1) : swap_;
    if (is_other && (taken || fault_ == Fault::whenever)) take_over();
    for (int i = depth - 1; i > 0; --i) stages_[i] = stages_[i - 1];
    stages_[0] = {taken, tag_, c_ + banks_[at_work_]};
    ready_ = !ready_;
    if (load_valid_) banks_[1 - at_work_] = (last_ ? banks_[1 - at_work_] : 0) + port_;
    if (!is_reset()) return;
    std::fill(std::begin(stages_), std::end(stages_), Stage{});
    at_work_ = 0;
  }

  void take_over() {
    ++swaps_;
    for (Stage& stage : stages_) {
      amid_ += stage.valid ? 1 : 0;
      const bool is_before = &stage == stages_ + 1;  // every second cycle it takes something
      if (fault_ == Fault::at_once || (fault_ == Fault::one_before && is_before))
        stage.d += banks_[1 - at_work_] - banks_[at_work_];
    }
    at_work_ = 1 - at_work_;
  }

  static constexpr int depth = 3;

  bool level_ = false;
  Fault fault_;
  bool load_valid_ = false, last_ = false, swap_ = false, valid_ = false, ready_ = true;
  Stage stages_[depth];
  std::uint64_t banks_[2] = {}, port_ = 0, c_ = 0, tag_ = 0;
  int at_work_ = 0, swaps_ = 0, amid_ = 0;
};

TEST(Clocked, ASwapMayComeWithTheOperands) {
  using Fault = Riding::Fault;
  for (const bool level : {false, true}) {
    for (const bool ahead : {false, true}) {
      Rules rules = rules_of(Kind::valid, 2);
      rules.load_beats = 2;
      rules.swap = rules.swap_rides = true;
      rules.swap_is_level = level;
      rules.ahead = ahead;
      if (ahead) rules.stays = {"a", "b"};
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Riding unit(level, Fault::none);
        rules.resets = ahead && seed > 10;
        const Outcome o = conversation_of(unit, rules, seed);
        EXPECT_EQ(o.right, cases) << level << ahead << seed;
        EXPECT_EQ(o.errors, std::set<std::string>{});
        EXPECT_EQ(o.status, 0);
        EXPECT_GE(unit.swaps(), cases);
        EXPECT_EQ(unit.amid() > cases / 10, ahead) << unit.amid();
      }
      rules.resets = false;
      for (const Fault fault : {Fault::at_once, Fault::one_before, Fault::whenever, Fault::no_tag}) {
        Riding wrong(level, fault);
        const Outcome o = conversation_of(wrong, rules, 1);
        // One at a time nothing is on its way; a level that is asked for twice is the same level.
        const bool of_bursts = fault == Fault::at_once || fault == Fault::one_before;
        const bool shows = of_bursts ? ahead : fault == Fault::no_tag || !level;
        EXPECT_EQ(o.right < cases * 9 / 10, shows) << level << ahead << static_cast<int>(fault) << ": " << o.right;
      }
    }
  }
}

// Tags of results that never come are not given again, and there may be none left.
TEST(Clocked, AUnitThatLosesResultsWhileItIsLoadedAnswersEveryCase) {
  struct Loses : Shadowed {
    Loses() : Shadowed(Fault::none) {}
    void load_valid(bool value) {
      Shadowed::load_valid(value);
      loads_ = value;
    }
    void in_valid(bool value) { Shadowed::in_valid(value && !loads_); }
    bool loads_ = false;
  };
  Rules rules = rules_of(Kind::valid, 1);
  rules.load_beats = 2;
  rules.swap = rules.ahead = true;
  rules.stays = {"a", "b"};
  Loses unit;
  const Outcome o = conversation_of(unit, rules, 1);
  EXPECT_FALSE(o.errors.empty());
  EXPECT_EQ(o.right + o.wrong, cases);
}

TEST(Clocked, TheNextWriteWaitsAfterASwap) {
  Rules rules = rules_of(Kind::valid);
  rules.load_beats = 2;
  rules.swap = rules.ahead = true;
  rules.stays = {"a", "b"};
  for (const std::uint64_t wait : {0, 5}) {
    rules.load_wait = wait;
    Shadowed unit(Shadowed::Fault::none);
    EXPECT_EQ(conversation_of(unit, rules, 1).right, cases);
    EXPECT_EQ(unit.least_wait(), wait == 0 ? 1 : 6);
  }
}

// d = the first of two writes, which are shifted in whether the rest of the unit is enabled or not, + c.
class ShiftsAlways : public AtEdges {
 public:
  void ask(const Request& r, std::size_t) { c_ = r.c; }
  void load(const Request& r, std::size_t beat) { port_ = beat == 0 ? r.a[0] : r.b[0]; }
  void load_valid(bool value) { load_valid_ = value; }
  void enable(bool value) { enable_ = value; }
  void in_valid(bool) {}
  bool in_ready() const { return true; }
  bool out_valid() const { return true; }
  Reply reply(bool, const Others&) const { return {sum_, 8}; }

 private:
  void edge() override {
    if (enable_) sum_ = shifted_[1] + c_;
    if (!load_valid_) return;
    shifted_[1] = shifted_[0];
    shifted_[0] = port_;
  }

  bool load_valid_ = false, enable_ = false;
  std::uint64_t port_ = 0, shifted_[2] = {}, c_ = 0, sum_ = 0;
};

TEST(Clocked, LoadsMayPassByTheEnable) {
  Rules rules = rules_of(Kind::fixed_latency);
  rules.latency = 1;
  rules.load_beats = 2;
  for (const bool gated : {false, true}) {
    rules.load_gated = gated;
    ShiftsAlways unit;
    EXPECT_EQ(conversation_of(unit, rules, 1).right == cases, !gated);
  }
}

TEST(Clocked, WhatStaysIsLoadedAgainAfterAReset) {
  Rules rules = rules_of_load({"b"});
  rules.resets = true;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    struct Forgets : Stationary {
      Forgets() : Stationary(false) {}
      void reset(bool value) {
        Stationary::reset(value);
        resets_ += value ? 1 : 0;
      }
      int resets_ = 0;
    };
    Forgets unit;
    const Outcome o = conversation_of(unit, rules, seed);
    EXPECT_EQ(o.right, cases) << seed;
    EXPECT_EQ(o.errors, std::set<std::string>{});
    EXPECT_GT(unit.resets_, rules.reset_cycles);
    EXPECT_GT(unit.loads(), 1);
  }
}

TEST(Clocked, AfterAResetWeightsAreLoadedAndBeatsBeginAgain) {
  Rules rules = rules_of(Kind::valid);
  rules.resets = true;
  rules.load_beats = 1;
  Loaded loaded(false);
  EXPECT_EQ(conversation_of(loaded, rules, 3).right, cases);
  rules.load_beats = 0;
  rules.beats = 2;
  for (const bool partial : {false, true}) {
    rules.partial = partial;
    Summer summer(partial, false);
    const Outcome o = conversation_of(summer, rules, 3);
    EXPECT_EQ(o.right, cases) << partial;
    EXPECT_EQ(o.errors, std::set<std::string>{});
  }
}

// d = a[0] + c, three cycles after its start; a hasty one says in the cycle of `done` that it is ready, and is not.
class Serial : public AtEdges {
 public:
  Serial(bool ready_when_done, bool takes_when_done) : says_(ready_when_done), takes_(takes_when_done) {}
  void ask(const Request& r, std::size_t) { a_ = r.a[0], c_ = r.c; }
  void in_valid(bool value) { start_ = value; }
  bool in_ready() const { return left_ == 0 || (done() && says_); }
  bool out_valid() const { return done(); }
  Reply reply(bool, const Others&) const { return {sum_, 8}; }
  int at_once() const { return at_once_; }

 private:
  bool done() const { return left_ == 1; }
  void edge() override {
    const bool takes = start_ && (left_ == 0 || (done() && takes_));
    if (takes && done()) ++at_once_;
    if (left_ > 0) --left_;
    if (takes) sum_ = a_ + c_, left_ = 3;
    if (is_reset()) left_ = 0;
  }

  bool says_, takes_;
  bool start_ = false;
  int left_ = 0, at_once_ = 0;
  std::uint64_t a_ = 0, c_ = 0, sum_ = 0;
};

TEST(Clocked, AStartMayComeInTheCycleOfTheResultBefore) {
  Rules rules = rules_of(Kind::start_done);
  rules.says_ready = true;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const bool at_once : {false, true}) {
      Serial unit(at_once, at_once);
      const Outcome o = conversation_of(unit, rules, seed);
      EXPECT_EQ(o.right, cases) << seed << at_once;
      EXPECT_EQ(o.errors, std::set<std::string>{});
      EXPECT_EQ(unit.at_once() > 0, at_once);
    }
  }
}

TEST(Clocked, AUnitThatIsReadyInTheCycleOfItsResultAndIsNotIsFound) {
  Rules rules = rules_of(Kind::start_done);
  rules.says_ready = true;
  Serial unit(true, false);
  const Outcome o = conversation_of(unit, rules, 1);
  EXPECT_LT(o.right, cases);
  EXPECT_EQ(o.errors.count("The unit gave no result for 100 cycles with 1 on their way."), 1u)
      << testing::PrintToString(o.errors);
}

// d = a[0] + c in mode 0, and a[0] in another; a late one looks at the mode when the result leaves, and one that
// remembers takes what follows mode 2 for mode 2, too.
class Moded : public AtEdges {
 public:
  enum class Fault { none, late, remembers };
  explicit Moded(Fault fault) : fault_(fault) {}
  void mode(std::size_t number) { mode_ = number; }
  void ask(const Request& r, std::size_t) { a_ = r.a[0], c_ = r.c; }
  void in_valid(bool value) { in_valid_ = value; }
  bool in_ready() const { return true; }
  bool out_valid() const { return there_; }
  Reply reply(bool, const Others&) const {
    const std::size_t mode = fault_ == Fault::late ? mode_ : of_result_;
    return {result_a_ + (mode == 0 ? result_c_ : 0), 8};
  }
  int count_of_others() const { return others_; }

 private:
  void edge() override {
    there_ = in_valid_ && !is_reset();
    if (!there_) return;
    others_ += mode_ != 0 ? 1 : 0;
    result_a_ = a_, result_c_ = c_;
    of_result_ = fault_ == Fault::remembers && before_ == 2 ? 2 : mode_;
    before_ = mode_;
  }

  Fault fault_;
  bool in_valid_ = false, there_ = false;
  std::size_t mode_ = 0, before_ = 0, of_result_ = 0;
  int others_ = 0;
  std::uint64_t a_ = 0, c_ = 0, result_a_ = 0, result_c_ = 0;
};

TEST(Clocked, OperationsInOtherModesComeBetweenCases) {
  for (const bool resets : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Rules rules = rules_of(Kind::valid);
      rules.resets = resets;
      rules.modes = 3;
      Moded unit(Moded::Fault::none);
      const Outcome o = conversation_of(unit, rules, seed);
      EXPECT_EQ(o.right, cases) << seed;
      EXPECT_EQ(o.errors, std::set<std::string>{});
      EXPECT_EQ(o.status, 0);
      EXPECT_GT(unit.count_of_others(), cases / 2);
    }
  }
}

TEST(Clocked, AModeThatDoesNotGoWithItsOperandsIsFound) {
  for (const Moded::Fault fault : {Moded::Fault::late, Moded::Fault::remembers}) {
    Rules rules = rules_of(Kind::valid);
    Moded alone(fault);
    EXPECT_EQ(conversation_of(alone, rules, 1).right, cases);
    rules.modes = 3;
    Moded unit(fault);
    EXPECT_LT(conversation_of(unit, rules, 1).right, cases);
  }
}

// Errors of operations that nobody asked for are those of the next case, and of the process where there is none.
TEST(Clocked, AUnitThatHangsInAnotherModeAnswersEveryCase) {
  struct Hangs : Moded {
    Hangs() : Moded(Fault::none) {}
    void mode(std::size_t number) {
      Moded::mode(number);
      mode_now_ = number;
    }
    bool out_valid() const { return Moded::out_valid() && mode_now_ != 1; }
    std::size_t mode_now_ = 0;
  };
  Rules rules = rules_of(Kind::valid);
  rules.modes = 2;
  Hangs unit;
  const Outcome o = conversation_of(unit, rules, 1);
  EXPECT_FALSE(o.errors.empty());
  EXPECT_EQ(o.right + o.wrong, cases);
}

// While weights are loaded the other operands are not there yet.
TEST(Clocked, OperandsStandAtTheirPortsWhileTheyAreOfferedOnly) {
  Rules rules = rules_of(Kind::valid);
  rules.load_beats = 1;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Loaded unit(false, true);
    EXPECT_EQ(conversation_of(unit, rules, seed).right, 0) << seed;
  }
}

TEST(Clocked, AUnitThatStopsLosesWhatIsInItOnly) {
  for (const Kind kind : {Kind::valid, Kind::valid_ready}) {
    Faults faults;
    faults.stops_at = 100;
    const Outcome o = conversation(faults, rules_of(kind));
    EXPECT_EQ(o.status, 0);
    EXPECT_TRUE(o.restart);
    EXPECT_GE(o.right, 98);  // at most two others are in it
    EXPECT_LE(o.right, 100);
    ASSERT_EQ(o.errors.size(), 1u);
    EXPECT_EQ(o.errors.begin()->find("It stops."), 0u) << *o.errors.begin();
  }
}

// Before it was given anything: the first case hears of it.
TEST(Clocked, AUnitThatStopsInItsResetAnswersOneCase) {
  struct Stopping : PassThrough {
    using PassThrough::PassThrough;
    void eval() { throw Stopped("It stops."); }
  };
  Stopping unit(Kind::valid);
  const Outcome o = conversation_of(unit, rules_of(Kind::valid), 1);
  EXPECT_TRUE(o.restart);
  EXPECT_EQ(o.right, 0);
  EXPECT_EQ(o.errors, std::set<std::string>{"It stops."});
}

struct Wrong {
  const char* name;
  bool Faults::*fault;
  Kind kind;
  int tag_bits;
  const char* sentence;  // that some case is answered with; empty: a wrong result
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongUnit : public testing::TestWithParam<Wrong> {};

TEST_P(WrongUnit, IsFound) {
  Faults faults;
  faults.*GetParam().fault = true;
  const Outcome o = conversation(faults, rules_of(GetParam().kind, GetParam().tag_bits));
  EXPECT_LT(o.right, cases);
  const std::string sentence = GetParam().sentence;
  EXPECT_TRUE(sentence.empty() || o.errors.count(sentence) == 1) << testing::PrintToString(o.errors);
}

const std::vector<Wrong> wrongs{
    {"LosesUnderPressure", &Faults::loses_under_pressure, Kind::valid_ready, 0,
     "The unit changed a result before it was taken."},
    {"Withdraws", &Faults::withdraws, Kind::valid_ready, 0, "The unit withdrew a result before it was taken."},
    {"Twice", &Faults::twice, Kind::valid_ready, 0, ""},
    {"Never", &Faults::never, Kind::valid_ready, 0, "The unit gave no result for 100 cycles with 2 on their way."},
    {"NeverReady", &Faults::never_ready, Kind::valid_ready, 0,
     "The unit was not ready to take operands for 100 cycles."},
    {"LateOperands", &Faults::late_operands, Kind::valid, 0, ""},
    {"EarlyOperands", &Faults::early_operands, Kind::valid, 0, ""},
    {"CountsTags", &Faults::counts_tags, Kind::valid, 4, ""},
    {"TagWavers", &Faults::tag_wavers, Kind::valid_ready, 4, "The unit changed a result before it was taken."},
    {"WrongTag", &Faults::wrong_tag, Kind::valid_ready, 2,
     "The unit gave a result with tag 8, which no case on its way has."},
};

INSTANTIATE_TEST_SUITE_P(Units, WrongUnit, testing::ValuesIn(wrongs),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(Clocked, AResultTooManyAtTheEndIsAFailureOfTheProcess) {
  Faults faults;
  faults.last_twice = true;
  const Outcome o = conversation(faults, rules_of(Kind::valid_ready));
  EXPECT_EQ(o.right, cases);
  EXPECT_EQ(o.status, 3);
}

TEST(Clocked, OperandsThatDoNotFitAreAnswered) {
  int to[2], from[2];
  ASSERT_EQ(pipe(to), 0);
  ASSERT_EQ(pipe(from), 0);
  const std::string asked = "{\"assay\":1}\n{\"id\":7,\"a\":[\"1\",\"2\"],\"b\":[\"0\"],\"c\":\"0\"}\n{\"end\":1}\n";
  ASSERT_EQ(write(to[1], asked.data(), asked.size()), static_cast<ssize_t>(asked.size()));
  Adder unit({});
  Session session({"adder", {"*"}, false, 1024}, to[0], from[1]);
  EXPECT_EQ(Clocked<Adder>(unit, rules_of(Kind::valid), session, 1).run(), 0);
  char said[512] = {};
  ASSERT_GT(read(from[0], said, sizeof said - 1), 0);
  EXPECT_NE(std::string(said).find("{\"id\":7,\"error\":\"One element of a is needed.\"}"), std::string::npos) << said;
  for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
}

TEST(Stalls, AreSometimesNoneSometimesManyAndTheSameForOneSeed) {
  Stalls one(1), same(1), other(2);
  int longest_quiet = 0, quiet = 0, stalled = 0, differ = 0;
  for (int i = 0; i < 4096; ++i) {
    const bool stall = one.next();
    EXPECT_EQ(stall, same.next());
    differ += stall != other.next() ? 1 : 0;
    stalled += stall ? 1 : 0;
    quiet = stall ? 0 : quiet + 1;
    longest_quiet = std::max(longest_quiet, quiet);
  }
  EXPECT_GE(longest_quiet, 64);
  EXPECT_GT(stalled, 400);
  EXPECT_GT(differ, 400);
}

}  // namespace
}  // namespace assay::rtl
