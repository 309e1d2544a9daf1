#include "model/tlm/mma_target.hpp"

#include <algorithm>
#include <cstring>

namespace assay::bus {
namespace {

using sc_core::sc_time;
using ::tlm::tlm_generic_payload;
using ::tlm::tlm_response_status;

sc_time cycles(long long count) { return sc_time(static_cast<double>(count), sc_core::SC_NS); }

systemc::Timing timing(const UnitOptions& options) {
  systemc::Timing timing = systemc::steady(options.fifo_depth);
  timing.stall = systemc::stalls(options.latency);
  if (!options.stalls) return timing;
  const auto random = systemc::random_stalls(*options.stalls);
  timing.stall = [own = timing.stall, random](const std::string& module, std::uint64_t number) {
    return own(module, number) + random(module, number);
  };
  return timing;
}

tlm_response_status response_to(ErrorCode error) {
  switch (error) {
    case ErrorCode::none: return ::tlm::TLM_OK_RESPONSE;
    case ErrorCode::unaligned:
    case ErrorCode::out_of_range: return ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case ErrorCode::read_only:
    case ErrorCode::write_only:
    case ErrorCode::no_command: return ::tlm::TLM_COMMAND_ERROR_RESPONSE;
    case ErrorCode::bad_length: return ::tlm::TLM_BURST_ERROR_RESPONSE;
    case ErrorCode::byte_enables: return ::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    case ErrorCode::unknown_instruction:
    case ErrorCode::no_operands:
    case ErrorCode::busy:
    case ErrorCode::bad_value:
    case ErrorCode::aborted: return ::tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  return ::tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace

struct MmaTarget::Context {
  Context(int number, std::uint64_t window_bytes)
      : number(number),
        memory(window_bytes),
        given(window_bytes),
        finished(("finished" + std::to_string(number)).c_str()) {}

  const int number;
  std::vector<unsigned char> memory;  // the window: never moves, so that DMI pointers stay good
  std::vector<unsigned char> given;   // which of its bytes were written since the last selection
  std::size_t instruction = 0;
  int steps = 1;
  std::size_t more_index = 0;
  ErrorCode error = ErrorCode::none;
  std::uint32_t enabled = 0;
  std::uint32_t operations = 0;
  bool done = false;          // D is there, or will be at done_at
  bool done_pending = false;  // nobody has cleared the interrupt
  bool error_pending = false;
  sc_time done_at;
  bool in_modules = false;       // they work on it
  std::uint64_t generation = 0;  // resets so far
  sc_core::sc_event finished;    // by the modules, or given up
};

// Where an address leads. Beyond the last page, to that page's end.
struct MmaTarget::Spot {
  Context* context = nullptr;
  bool in_window = false;
  std::uint64_t offset = 0;  // in the window, or of a register
};

struct MmaTarget::Modules {
  struct Job {
    Context* context = nullptr;
    std::uint64_t generation = 0;
    systemc::Operation operation;
    bool traced = false;
  };

  Modules(const std::vector<Plan>& plans, const UnitOptions& options)
      : unit("unit", plans, options.shape, timing(options)) {
    unit.reset.bind(reset);
    unit.operations.bind(operations);
    unit.products.bind(products);
  }

  sc_core::sc_signal<bool> reset{"unit_reset"};
  sc_core::sc_fifo<systemc::Bundle<systemc::Operation>> operations{"operations", 1};
  sc_core::sc_fifo<systemc::Bundle<systemc::MatrixProduct>> products{"products", 1};
  systemc::MmaUnit unit;
  std::deque<Job> waiting;  // for room in `operations`
  std::deque<Job> under_way;
  std::uint64_t count = 0;
  sc_core::sc_event came{"came"};
};

MmaTarget::MmaTarget(const sc_core::sc_module_name& name, std::vector<Plan> plans, const UnitOptions& options)
    : sc_core::sc_module(name), plans_(std::move(plans)), options_(options) {
  SC_HAS_PROCESS(MmaTarget);
  for (const Plan& plan : plans_) {
    window_bytes_ =
        std::max(window_bytes_, window_of(plan, options_.shape.rows, options_.shape.columns, most_steps(plan)).bytes());
    schedules_.push_back(systemc::schedule(plan, options_.latency));
  }
  page_bytes_ = (window_base + window_bytes_ + 0xfff) / 0x1000 * 0x1000;
  for (int i = 0; i < stages; ++i) {
    const std::string port(stage_name(static_cast<assay::Stage>(i)));
    stages_.push_back(std::make_unique<AnalysisPort>(port.c_str()));
  }
  for (int i = 0; i < options_.contexts; ++i) contexts_.push_back(std::make_unique<Context>(i, window_bytes_));

  socket.register_b_transport(this, &MmaTarget::b_transport);
  socket.register_get_direct_mem_ptr(this, &MmaTarget::get_direct_mem_ptr);
  socket.register_transport_dbg(this, &MmaTarget::transport_dbg);
  SC_METHOD(drive_interrupt);
  sensitive << pending_changed_;
  if (options_.engine == Engine::core) return;
  modules_ = std::make_unique<Modules>(plans_, options_);
  SC_METHOD(feed_modules);
  sensitive << modules_->came << modules_->operations.data_read_event();
  dont_initialize();
  SC_METHOD(take_from_modules);
  sensitive << modules_->products.data_written_event();
  dont_initialize();
}

MmaTarget::~MmaTarget() = default;

void MmaTarget::end_of_elaboration() {
  if (reset.size() == 0) return;
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.set_sensitivity(&reset->value_changed_event());
  sc_core::sc_spawn([this] { follow_reset(); }, "follow_reset", &options);
}

void MmaTarget::b_transport(tlm_generic_payload& payload, sc_time& delay) {
  delay += cycles(options_.access_cycles);
  const ErrorCode error = access(payload, delay);
  if (error != ErrorCode::none && !is_held()) record(*spot(payload.get_address()).context, error);
  payload.set_response_status(response_to(error));
}

// Where several things are wrong, the first of this order counts.
ErrorCode MmaTarget::access(tlm_generic_payload& payload, sc_time& delay) {
  if (payload.get_command() == ::tlm::TLM_IGNORE_COMMAND || payload.get_data_ptr() == nullptr)
    return ErrorCode::no_command;
  if (payload.get_byte_enable_ptr() != nullptr) return ErrorCode::byte_enables;
  const std::uint64_t length = payload.get_data_length();
  if (length == 0 || payload.get_streaming_width() < length) return ErrorCode::bad_length;
  if (payload.get_address() >= page_bytes_ * contexts_.size()) return ErrorCode::out_of_range;
  const Spot at = spot(payload.get_address());
  return at.in_window ? access_window(at, payload, sc_core::sc_time_stamp() + delay)
                      : access_register(at, payload, delay);
}

MmaTarget::Spot MmaTarget::spot(std::uint64_t address) const {
  const std::uint64_t page = std::min<std::uint64_t>(address / page_bytes_, contexts_.size() - 1);
  const std::uint64_t within = address - page * page_bytes_;
  const bool in_window = within >= window_base;
  return {contexts_[page].get(), in_window, in_window ? within - window_base : within};
}

ErrorCode MmaTarget::access_window(const Spot& at, tlm_generic_payload& payload, const sc_time& now) {
  const std::uint64_t length = payload.get_data_length();
  if (at.offset >= window_bytes_ || length > window_bytes_ - at.offset) return ErrorCode::out_of_range;
  Context& context = *at.context;
  if (busy(context, now)) return ErrorCode::busy;
  unsigned char* bytes = context.memory.data() + at.offset;
  if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), bytes, length);
  } else {
    std::memcpy(bytes, payload.get_data_ptr(), length);
    std::memset(context.given.data() + at.offset, 1, length);
  }
  payload.set_dmi_allowed(true);
  return ErrorCode::none;
}

ErrorCode MmaTarget::access_register(const Spot& at, tlm_generic_payload& payload, sc_time& delay) {
  if (at.offset % 4 != 0) return ErrorCode::unaligned;
  const Register* const row = register_at(at.offset);
  if (row == nullptr) return ErrorCode::out_of_range;
  if (payload.get_data_length() != 4) return ErrorCode::bad_length;
  const sc_time now = sc_core::sc_time_stamp() + delay;
  if (payload.is_read()) {
    if (row->access == Access::write) return ErrorCode::write_only;
    from_word(read(*at.context, row->reg, now), payload.get_data_ptr());
    return ErrorCode::none;
  }
  if (row->access == Access::read) return ErrorCode::read_only;
  if (!row->while_busy && busy(*at.context, now)) return ErrorCode::busy;
  return write(*at.context, row->reg, to_word(payload.get_data_ptr()), delay);
}

std::uint32_t MmaTarget::read(const Context& context, Reg reg, const sc_time& now) const {
  const OperandWindow w = window(context);
  const auto word = [](auto value) { return static_cast<std::uint32_t>(value); };
  switch (reg) {
    case Reg::id: return identity;
    case Reg::version: return map_version;
    case Reg::instructions: return word(plans_.size());
    case Reg::rows: return word(options_.shape.rows);
    case Reg::columns: return word(options_.shape.columns);
    case Reg::most_steps: return word(most_steps(plans_[context.instruction]));
    case Reg::contexts: return word(contexts_.size());
    case Reg::page_bytes: return word(page_bytes_);
    case Reg::window_bytes: return word(window_bytes_);
    case Reg::instruction: return word(context.instruction);
    case Reg::steps: return word(context.steps);
    case Reg::depth: return word(w.k);
    case Reg::a_offset: return word(w.a.offset);
    case Reg::b_offset: return word(w.b.offset);
    case Reg::scale_a_offset: return word(w.scale_a.offset);
    case Reg::scale_b_offset: return word(w.scale_b.offset);
    case Reg::c_offset: return word(w.c.offset);
    case Reg::d_offset: return word(w.d.offset);
    case Reg::operands: return has_operands(context) ? 1 : 0;
    case Reg::start: return 0;
    case Reg::status: {
      const bool works = busy(context, now);
      return (works ? busy_bit : 0) | (context.done && !works ? done_bit : 0) |
             (context.error != ErrorCode::none ? error_bit : 0);
    }
    case Reg::error: return word(context.error);
    case Reg::interrupt_enable: return context.enabled;
    case Reg::interrupt: return pending(context, now);
    case Reg::operations: return context.operations - (context.done && busy(context, now) ? 1 : 0);
    case Reg::reset: return 0;
    case Reg::more: return word(w.more.size());
    case Reg::more_index: return word(context.more_index);
    case Reg::more_offset: return word(w.more.empty() ? w.c.offset : w.more[context.more_index].offset);
  }
  return 0;
}

ErrorCode MmaTarget::write(Context& context, Reg reg, std::uint32_t value, sc_time& delay) {
  switch (reg) {
    case Reg::instruction: return select(context, value);
    case Reg::steps: return set_steps(context, value);
    case Reg::operands: return set_operands(context, value);
    case Reg::start: return start(context, value, delay);
    case Reg::error:
      if (value != 0) return ErrorCode::bad_value;
      context.error = ErrorCode::none;
      return ErrorCode::none;
    case Reg::interrupt_enable:
      if (value > (done_interrupt | error_interrupt)) return ErrorCode::bad_value;
      context.enabled = value;
      pending_changed_.notify(sc_core::SC_ZERO_TIME);
      return ErrorCode::none;
    case Reg::interrupt: clear_pending(context, value, sc_core::sc_time_stamp() + delay); return ErrorCode::none;
    case Reg::reset:
      if (value != 1) return ErrorCode::bad_value;
      reset_context(context);
      return ErrorCode::none;
    case Reg::more_index:
      if (value >= plans_[context.instruction].more.size()) return ErrorCode::bad_value;
      context.more_index = value;
      return ErrorCode::none;
    case Reg::id:
    case Reg::version:
    case Reg::instructions:
    case Reg::rows:
    case Reg::columns:
    case Reg::most_steps:
    case Reg::contexts:
    case Reg::page_bytes:
    case Reg::window_bytes:
    case Reg::depth:
    case Reg::a_offset:
    case Reg::b_offset:
    case Reg::scale_a_offset:
    case Reg::scale_b_offset:
    case Reg::c_offset:
    case Reg::d_offset:
    case Reg::status:
    case Reg::operations:
    case Reg::more:
    case Reg::more_offset: break;
  }
  return ErrorCode::read_only;
}

ErrorCode MmaTarget::select(Context& context, std::uint32_t instruction) {
  if (instruction >= plans_.size()) return ErrorCode::unknown_instruction;
  context.instruction = instruction;
  context.steps = 1;
  context.more_index = 0;
  return reshape(context);
}

ErrorCode MmaTarget::set_steps(Context& context, std::uint32_t steps) {
  if (steps < 1 || steps > static_cast<std::uint32_t>(most_steps(plans_[context.instruction])))
    return ErrorCode::bad_value;
  context.steps = static_cast<int>(steps);
  return reshape(context);
}

// Each step's d is the next one's c.
int MmaTarget::most_steps(const Plan& plan) const { return plan.c == plan.d ? options_.most_steps : 1; }

// Everything lies elsewhere in the window from now on, D of the operation before too.
ErrorCode MmaTarget::reshape(Context& context) {
  context.done = false;
  return set_operands(context, 0);
}

ErrorCode MmaTarget::set_operands(Context& context, std::uint32_t value) {
  if (value > 1) return ErrorCode::bad_value;
  std::fill(context.given.begin(), context.given.end(), static_cast<unsigned char>(value));
  return ErrorCode::none;
}

bool MmaTarget::has_operands(const Context& context) const {
  const OperandWindow w = window(context);
  const auto given = [&](const OperandRegion& region) {
    const unsigned char* const all = context.given.data();
    return std::memchr(all + region.offset, 0, region.end() - region.offset) == nullptr;
  };
  return given(w.a) && given(w.b) && given(w.scale_a) && given(w.scale_b) &&
         std::all_of(w.more.begin(), w.more.end(), given) && given(w.c);
}

ErrorCode MmaTarget::start(Context& context, std::uint32_t how, sc_time& delay) {
  if (how != start_and_wait && how != start_and_return) return ErrorCode::bad_value;
  if (options_.engine == Engine::modules) {
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    if (busy(context, sc_core::sc_time_stamp())) return ErrorCode::busy;  // another initiator was there first
  }
  if (!has_operands(context)) return ErrorCode::no_operands;
  const bool waits = how == start_and_wait;
  Matrices matrices = unpack(window(context), context.memory.data());
  context.done = false;
  if (options_.engine == Engine::modules) return start_modules(context, std::move(matrices), waits);
  const sc_time now = sc_core::sc_time_stamp() + delay;
  start_core(context, matrices, now);
  if (waits) delay += context.done_at - now;
  return ErrorCode::none;
}

void MmaTarget::start_core(Context& context, const Matrices& matrices, const sc_time& now) {
  const sc_time begin = std::max(now, free_at_);
  const std::vector<Code> d =
      observed() ? multiply_observed(context, matrices, begin) : matmul(plans_[context.instruction], matrices);
  free_at_ = begin + cycles(static_cast<long long>(schedules_[context.instruction].back()) * context.steps);
  finish(context, d, free_at_);
}

ErrorCode MmaTarget::start_modules(Context& context, Matrices matrices, bool waits) {
  const std::uint64_t generation = context.generation;
  context.in_modules = true;
  const systemc::Operation operation{static_cast<int>(context.instruction),
                                     std::make_shared<const Matrices>(std::move(matrices))};
  modules_->waiting.push_back({&context, generation, operation, observed()});
  modules_->came.notify(sc_core::SC_ZERO_TIME);
  while (waits && context.generation == generation && context.in_modules) wait(context.finished);
  return context.generation == generation ? ErrorCode::none : ErrorCode::aborted;
}

// The first one stays.
void MmaTarget::record(Context& context, ErrorCode error) {
  if (error == ErrorCode::aborted) return;
  if (context.error == ErrorCode::none) context.error = error;
  context.error_pending = true;
  pending_changed_.notify(sc_core::SC_ZERO_TIME);
}

bool MmaTarget::busy(const Context& context, const sc_time& now) const {
  return context.in_modules || now < context.done_at || is_held();
}

bool MmaTarget::is_held() const { return reset.size() > 0 && reset->read(); }

std::uint32_t MmaTarget::pending(const Context& context, const sc_time& now) const {
  const bool done = context.done_pending && now >= context.done_at;
  return (done ? done_interrupt : 0) | (context.error_pending ? error_interrupt : 0);
}

void MmaTarget::clear_pending(Context& context, std::uint32_t bits, const sc_time& now) {
  if ((bits & done_interrupt) != 0 && now >= context.done_at) context.done_pending = false;
  if ((bits & error_interrupt) != 0) context.error_pending = false;
  pending_changed_.notify(sc_core::SC_ZERO_TIME);
}

// D lies in the window from now on, although it is there at `at` only: until then the bus says busy.
void MmaTarget::finish(Context& context, const std::vector<Code>& d, const sc_time& at) {
  const OperandWindow w = window(context);
  pack(w.d, d, context.memory.data() + w.d.offset);
  ++context.operations;
  context.done = true;
  context.done_pending = true;
  context.done_at = at;
  pending_changed_.notify(sc_core::SC_ZERO_TIME);
}

void MmaTarget::reset_context(Context& context) {
  const auto first = static_cast<std::uint64_t>(context.number) * page_bytes_ + window_base;
  socket->invalidate_direct_mem_ptr(first, first + window_bytes_ - 1);
  std::fill(context.memory.begin(), context.memory.end(), static_cast<unsigned char>(0));
  select(context, 0);
  context.error = ErrorCode::none;
  context.enabled = 0;
  context.operations = 0;
  context.done = context.done_pending = context.error_pending = context.in_modules = false;
  context.done_at = sc_core::SC_ZERO_TIME;
  ++context.generation;
  context.finished.notify(sc_core::SC_ZERO_TIME);
  pending_changed_.notify(sc_core::SC_ZERO_TIME);
}

OperandWindow MmaTarget::window(const Context& context) const {
  return window_of(plans_[context.instruction], options_.shape.rows, options_.shape.columns, context.steps);
}

bool MmaTarget::observed() const {
  return std::any_of(stages_.begin(), stages_.end(), [](const auto& port) { return port->has_listeners(); });
}

// As `matmul`, one dot product at a time, so that each can leave its trace.
std::vector<Code> MmaTarget::multiply_observed(const Context& context, const Matrices& x, const sc_time& begin) {
  const Plan& plan = plans_[context.instruction];
  const std::vector<int>& schedule = schedules_[context.instruction];
  Registers registers;
  Trace trace(plan);
  std::vector<Code> d = x.c;
  std::vector<sc_time> times(schedule.size());
  for (int step = 0; step < context.steps; ++step) {
    const long long before = static_cast<long long>(schedule.back()) * step;
    std::transform(schedule.begin(), schedule.end(), times.begin(),
                   [&](int cycle) { return begin + cycles(before + cycle); });
    for (int row = 0; row < x.m; ++row) {
      for (int column = 0; column < x.n; ++column) {
        Code& acc = d[static_cast<std::size_t>(row * x.n + column)];
        const systemc::Codes codes = systemc::codes_of(plan, x, {row, column, step}, acc);
        const Operand operand{codes.a.begin(),       codes.b.begin(),       acc,
                              codes.scale_a.begin(), codes.scale_b.begin(), codes.more.begin()};
        acc = dot(plan, operand, registers, &trace);
        Observation observation{&plan,
                                context.number,
                                static_cast<int>(context.instruction),
                                context.operations,
                                {row, column, step},
                                0,
                                {},
                                {}};
        publish(observation, trace, times);
      }
    }
  }
  return d;
}

void MmaTarget::publish(Observation& observation, const Trace& trace, const std::vector<sc_time>& times) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    observation.place = static_cast<int>(i);
    observation.bits = trace.at(observation.place);
    observation.at = times[i];
    stage(observation.where().stage).write(observation);
  }
}

void MmaTarget::feed_modules() {
  Modules& m = *modules_;
  while (!m.waiting.empty() && m.operations.num_free() > 0) {
    m.operations.nb_write({m.count++, m.waiting.front().traced, m.waiting.front().operation});
    m.under_way.push_back(std::move(m.waiting.front()));
    m.waiting.pop_front();
  }
}

void MmaTarget::take_from_modules() {
  systemc::Bundle<systemc::MatrixProduct> product;
  while (modules_->products.nb_read(product)) {
    if (modules_->under_way.empty()) continue;  // a reset was quicker
    const Modules::Job job = std::move(modules_->under_way.front());
    modules_->under_way.pop_front();
    Context& context = *job.context;
    if (job.generation != context.generation) continue;
    Observation observation{&plans_[context.instruction],
                            context.number,
                            static_cast<int>(context.instruction),
                            context.operations,
                            {},
                            0,
                            {},
                            {}};
    for (const systemc::DotTrace& dot : product.value.dots) {
      observation.dot = dot.dot;
      publish(observation, dot.recorded.trace, dot.recorded.times);
    }
    context.in_modules = false;
    finish(context, {product.value.d.begin(), product.value.d.end()}, sc_core::sc_time_stamp());
    context.finished.notify(sc_core::SC_ZERO_TIME);
  }
}

void MmaTarget::follow_reset() {
  const bool high = reset->read();
  if (modules_) modules_->reset.write(high);
  if (!high) return;
  for (const auto& context : contexts_) reset_context(*context);
  free_at_ = sc_core::SC_ZERO_TIME;
  if (!modules_) return;
  modules_->waiting.clear();
  modules_->under_way.clear();
}

// Comes back by itself when an operation that lies ahead will be done.
void MmaTarget::drive_interrupt() {
  if (interrupt.size() == 0) return;
  const sc_time now = sc_core::sc_time_stamp();
  bool line = false;
  sc_time next = sc_core::SC_ZERO_TIME;
  for (const auto& context : contexts_) {
    line = line || (pending(*context, now) & context->enabled) != 0;
    const bool ahead = context->done_pending && context->done_at > now;
    if (ahead && (next == sc_core::SC_ZERO_TIME || context->done_at < next)) next = context->done_at;
  }
  interrupt->write(line);
  if (next != sc_core::SC_ZERO_TIME) next_trigger(next - now, pending_changed_);
}

// The window alone; to read, the registers too. Nothing changes but what is written.
unsigned MmaTarget::transport_dbg(tlm_generic_payload& payload) {
  if (payload.get_address() >= page_bytes_ * contexts_.size() || payload.get_data_ptr() == nullptr) return 0;
  const Spot at = spot(payload.get_address());
  Context& context = *at.context;
  if (at.in_window) {
    if (at.offset >= window_bytes_) return 0;
    const auto length = std::min<std::uint64_t>(payload.get_data_length(), window_bytes_ - at.offset);
    // Over the core D lies there before its time.
    if (payload.is_write() && busy(context, sc_core::sc_time_stamp())) return 0;
    unsigned char* const bytes = context.memory.data() + at.offset;
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), bytes, length);
    if (payload.is_write()) {
      std::memcpy(bytes, payload.get_data_ptr(), length);
      std::memset(context.given.data() + at.offset, 1, length);
    }
    return static_cast<unsigned>(length);
  }
  const Register* const row = register_at(at.offset);
  if (!payload.is_read() || row == nullptr || payload.get_data_length() < 4) return 0;
  from_word(read(context, row->reg, sc_core::sc_time_stamp()), payload.get_data_ptr());
  return 4;
}

bool MmaTarget::get_direct_mem_ptr(tlm_generic_payload& payload, ::tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const Spot at = spot(address);
  dmi.init();
  if (!at.in_window || at.offset >= window_bytes_) {
    dmi.allow_none();
    dmi.set_start_address(address);
    dmi.set_end_address(address);
    return false;
  }
  dmi.allow_read_write();
  dmi.set_dmi_ptr(at.context->memory.data());
  dmi.set_start_address(address - at.offset);
  dmi.set_end_address(address - at.offset + window_bytes_ - 1);
  dmi.set_read_latency(cycles(options_.access_cycles));
  dmi.set_write_latency(cycles(options_.access_cycles));
  return true;
}

namespace {

// A window holds each operand in at most 8 bytes an element.
std::optional<std::string> why_too_large(const std::vector<Plan>& plans, const UnitOptions& options) {
  constexpr double most_bytes = 1 << 28;
  const double rows = options.shape.rows, columns = options.shape.columns;
  double of_step = 0;  // scales are no more than what they scale, and random words are k of each element of D
  for (const Plan& plan : plans) {
    const double more = static_cast<double>(plan.more.size());
    of_step = std::max(of_step, plan.k * (2 * (rows + columns) + more * rows * columns));
  }
  const double elements = of_step * options.most_steps + 2 * rows * columns;
  if (8 * elements * options.contexts <= most_bytes) return std::nullopt;
  return "The windows of a unit of " + std::to_string(options.shape.rows) + " x " +
         std::to_string(options.shape.columns) + " with " + std::to_string(options.most_steps) + " steps along K and " +
         std::to_string(options.contexts) + " contexts may take more than 2^28 bytes; take fewer of these.";
}

}  // namespace

std::optional<std::string> why_not_built(const std::vector<Plan>& plans, const UnitOptions& options) {
  const auto reason = options.engine == Engine::modules ? systemc::why_not_built(plans, options.shape)
                                                        : systemc::why_no_unit(plans, options.shape);
  if (reason) return reason;
  if (options.most_steps < 1 || options.contexts < 1 || options.fifo_depth < 1) {
    return "A unit on a bus needs at least one step along K, one context and FIFOs that hold one bundle, found " +
           std::to_string(options.most_steps) + ", " + std::to_string(options.contexts) + " and " +
           std::to_string(options.fifo_depth) + ".";
  }
  const int least = *std::min_element(options.latency.cycles.begin(), options.latency.cycles.end());
  if (options.access_cycles < 0 || least < 0) {
    return "Transactions and stages of a unit on a bus take no less than 0 cycles, found " +
           std::to_string(std::min(options.access_cycles, least)) + ".";
  }
  return why_too_large(plans, options);
}

}  // namespace assay::bus
