// The matrix unit on a bus: a TLM-2.0 target with the registers of register_map.hpp, over the core or over the modules.
//
// Loosely timed: what a transaction and an operation take is added to its `delay`. Only START may wait inside, and only
// where the modules work (Engine::modules), since their time is the kernel's. Results never depend on time.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <tlm>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/systemc/latency.hpp"
#include "model/systemc/mma_unit.hpp"
#include "model/tlm/observation.hpp"
#include "model/tlm/operand_window.hpp"
#include "model/tlm/register_map.hpp"

namespace assay::bus {

enum class Engine {
  core,     // the core's functions: fast
  modules,  // the modules of model/systemc, connected by FIFOs
};

struct UnitOptions {
  systemc::UnitShape shape;
  int most_steps = 16;  // along K
  int contexts = 1;
  Engine engine = Engine::core;
  systemc::Latency latency = systemc::every_stage(1);  // cycles of 1 ns
  int access_cycles = 1;                               // of one transaction
  int fifo_depth = systemc::default_depth;             // between modules
  std::optional<std::uint64_t> stalls;                 // let modules wait at random beside, as this seed says
};

class MmaTarget : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<MmaTarget> socket{"socket"};
  // Both may stay unbound. Reset acts while high; high for a time, not for a delta alone.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> reset{"reset"};
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt{"interrupt"};

  // Plans and options that `why_not_built` has nothing against.
  MmaTarget(const sc_core::sc_module_name& name, std::vector<Plan> plans, const UnitOptions& options);
  ~MmaTarget() override;

  // Publishes every bundle that the stage leaves, once an operation is finished. Of each assay::Stage one, flags among
  // them, which take no time of their own beside encode.
  static constexpr int stages = static_cast<int>(assay::Stage::flags) + 1;
  AnalysisPort& stage(assay::Stage stage) { return *stages_[static_cast<std::size_t>(stage)]; }

  std::uint64_t page_bytes() const { return page_bytes_; }
  std::uint64_t window_bytes() const { return window_bytes_; }

 private:
  struct Context;
  struct Modules;
  struct Spot;
  using Time = sc_core::sc_time;

  void end_of_elaboration() override;

  void b_transport(::tlm::tlm_generic_payload& payload, Time& delay);
  bool get_direct_mem_ptr(::tlm::tlm_generic_payload& payload, ::tlm::tlm_dmi& dmi);
  unsigned transport_dbg(::tlm::tlm_generic_payload& payload);

  ErrorCode access(::tlm::tlm_generic_payload& payload, Time& delay);
  Spot spot(std::uint64_t address) const;
  ErrorCode access_window(const Spot& spot, ::tlm::tlm_generic_payload& payload, const Time& now);
  ErrorCode access_register(const Spot& spot, ::tlm::tlm_generic_payload& payload, Time& delay);
  std::uint32_t read(const Context& context, Reg reg, const Time& now) const;
  ErrorCode write(Context& context, Reg reg, std::uint32_t value, Time& delay);
  ErrorCode select(Context& context, std::uint32_t instruction);
  ErrorCode set_steps(Context& context, std::uint32_t steps);
  int most_steps(const Plan& plan) const;
  ErrorCode reshape(Context& context);
  ErrorCode set_operands(Context& context, std::uint32_t value);
  ErrorCode start(Context& context, std::uint32_t how, Time& delay);
  void start_core(Context& context, const Matrices& matrices, const Time& now);
  ErrorCode start_modules(Context& context, Matrices matrices, bool waits);
  void record(Context& context, ErrorCode error);

  bool busy(const Context& context, const Time& now) const;
  bool is_held() const;  // in reset
  std::uint32_t pending(const Context& context, const Time& now) const;
  void clear_pending(Context& context, std::uint32_t bits, const Time& now);
  void finish(Context& context, const std::vector<Code>& d, const Time& at);
  void reset_context(Context& context);
  OperandWindow window(const Context& context) const;
  bool has_operands(const Context& context) const;

  bool observed() const;
  std::vector<Code> multiply_observed(const Context& context, const Matrices& matrices, const Time& begin);
  void publish(Observation& observation, const Trace& trace, const std::vector<Time>& times);

  void feed_modules();
  void take_from_modules();
  void follow_reset();
  void drive_interrupt();

  const std::vector<Plan> plans_;
  const UnitOptions options_;
  std::vector<std::vector<int>> schedules_;  // of each instruction
  std::uint64_t window_bytes_ = 0;
  std::uint64_t page_bytes_ = 0;
  std::vector<std::unique_ptr<AnalysisPort>> stages_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::unique_ptr<Modules> modules_;
  Time free_at_;  // when the core's operation before this one ends
  sc_core::sc_event pending_changed_{"pending_changed"};
};

// A sentence where such a unit cannot be made; nothing where it can.
std::optional<std::string> why_not_built(const std::vector<Plan>& plans, const UnitOptions& options);

}  // namespace assay::bus
