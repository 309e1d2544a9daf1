// What all modules have in common: ports that carry one bundle a case, and a rule when to work.
//
// A module works on a case once each of its inputs holds a bundle and each of its outputs has room. It takes one from
// every input and gives one to every output, so the cases stay in order on every wire and no result can depend on time.
// While reset is high it throws away what its inputs hold, and begins again with case 0 afterwards.
#pragma once

#include <cassert>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "model/systemc/bundle.hpp"
#include "model/systemc/recorder.hpp"
#include "model/systemc/timing.hpp"

namespace assay::systemc {

// What every module of a unit is built with. All of it outlives the modules.
struct Context {
  const Plan& plan;
  const Timing& timing;
  Recorder& recorder;
  const sc_core::sc_in<bool>* reset = nullptr;  // of the unit; none: never
};

class Pin {
 public:
  virtual ~Pin() = default;
  virtual bool ready() const = 0;
  virtual void empty() = 0;
};

class StageModule : public sc_core::sc_module {
 public:
  StageModule(const sc_core::sc_module_name& name, const Context& context);

 protected:
  const Plan& plan() const { return context_.plan; }

  // Takes one bundle from every input, gives one to every output.
  virtual void work() = 0;

  // What stands at the places from `first_place` on, in a trace of the case being worked on.
  template <class Writer>
  void publish(int first_place, const Writer& writer) {
    if (traced_) context_.recorder.publish(number_, first_place, writer);
  }
  void publish(int first_place, const Numbers& numbers);

 private:
  template <class T>
  friend class In;
  template <class T>
  friend class Out;

  void attach(Pin& pin, sc_core::sc_event_finder& changed);
  bool ready() const;
  bool stalled();
  bool in_reset() const { return context_.reset != nullptr && (*context_.reset)->read(); }
  void begin_again();
  void run();

  const Context context_;
  std::vector<Pin*> pins_;
  std::uint64_t number_ = 0;  // of the case being worked on
  bool traced_ = false;
  bool waited_ = false;  // the stall of the next case is over
};

template <class T>
class In : public sc_core::sc_fifo_in<Bundle<T>>, private Pin {
 public:
  In(const char* name, StageModule& stage) : sc_core::sc_fifo_in<Bundle<T>>(name), stage_(stage) {
    stage.attach(*this, this->data_written());
  }

  // Several modules may feed one input; `feeder` counts them as they were connected.
  T take(int feeder = 0) {
    Bundle<T> bundle;
    [[maybe_unused]] const bool taken = (*this)[feeder]->nb_read(bundle);
    assert(taken && bundle.number == stage_.number_);
    stage_.traced_ = bundle.traced;
    return std::move(bundle.value);
  }

 private:
  bool ready() const override {
    for (int i = 0; i < this->size(); ++i) {
      if ((*this)[i]->num_available() == 0) return false;
    }
    return true;
  }
  void empty() override {
    Bundle<T> bundle;
    for (int i = 0; i < this->size(); ++i) {
      while ((*this)[i]->nb_read(bundle)) continue;
    }
  }

  StageModule& stage_;
};

// What leaves goes to every input that is connected, which may be none.
template <class T>
class Out : public sc_core::sc_port<sc_core::sc_fifo_out_if<Bundle<T>>, 0, sc_core::SC_ZERO_OR_MORE_BOUND>,
            private Pin {
  using Interface = sc_core::sc_fifo_out_if<Bundle<T>>;

 public:
  Out(const char* name, StageModule& stage)
      : sc_core::sc_port<Interface, 0, sc_core::SC_ZERO_OR_MORE_BOUND>(name),
        stage_(stage),
        read_(*this, &Interface::data_read_event) {
    stage.attach(*this, read_);
  }

  void give(T value) {
    const Bundle<T> bundle{stage_.number_, stage_.traced_, std::move(value)};
    for (int i = 0; i < this->size(); ++i) {
      [[maybe_unused]] const bool given = (*this)[i]->nb_write(bundle);
      assert(given);
    }
  }

 private:
  bool ready() const override {
    for (int i = 0; i < this->size(); ++i) {
      if ((*this)[i]->num_free() == 0) return false;
    }
    return true;
  }
  void empty() override {}  // whoever reads a FIFO empties it

  StageModule& stage_;
  sc_core::sc_event_finder_t<Interface> read_;
};

}  // namespace assay::systemc
