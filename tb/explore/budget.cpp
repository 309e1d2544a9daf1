#include "tb/explore/budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>

#include "model/base/parallel.hpp"
#include "tb/explain/forecast.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/explore/effort.hpp"
#include "tb/explore/element_errors.hpp"
#include "tb/generate/random.hpp"

namespace assay {
namespace {

using exact::Dyadic;
using explain::ErrorSources;

struct Spot {
  int row = 0, column = 0;
};

// So many different elements of a product, drawn for the first seed.
std::vector<Spot> spots_of(const RealsKey& key, const ProductShape& shape, int wanted) {
  const auto all = static_cast<std::uint64_t>(shape.m) * static_cast<std::uint64_t>(shape.n);
  std::set<std::uint64_t> chosen;
  Draws draws(key.seed, key.number, Part::choice, 3);
  if (all <= static_cast<std::uint64_t>(wanted)) {
    for (std::uint64_t i = 0; i < all; ++i) chosen.insert(i);
  }
  while (chosen.size() < std::min(all, static_cast<std::uint64_t>(wanted))) chosen.insert(draws.below(all));
  std::vector<Spot> spots;
  for (const std::uint64_t i : chosen)
    spots.push_back({static_cast<int>(i / static_cast<std::uint64_t>(shape.n)),
                     static_cast<int>(i % static_cast<std::uint64_t>(shape.n))});
  return spots;
}

// x x 2^-unit, to a few units of a double.
double times_power(const Dyadic& x, long unit) {
  long exponent = 0;
  const double fraction = mpz_get_d_2exp(&exponent, x.significand.get_mpz_t());
  return std::ldexp(fraction, static_cast<int>(std::clamp(exponent + x.exponent - unit, -3000L, 3000L)));
}

double root_mean_square(double squares, std::size_t count) {
  return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(count, 1)));
}

// One row at work.
class Attributing {
 public:
  Attributing(const Machine& machine, const Workload& w, const std::vector<Spot>& spots)
      : machine_(machine), sources_({std::shared_ptr<const Plan>(), &machine.plan}), w_(w) {
    all_ = sources_.all();
    for (int i = 0; i < static_cast<int>(WalkPlace::count); ++i) all_.push_back(source_of(static_cast<WalkPlace>(i)));
    for (const Spot& spot : spots) attribute(spot);
  }

  RowBudget budget() {
    RowBudget budget;
    budget.elements = static_cast<int>(elements_.size());
    budget.special = special_;
    find_size();
    std::vector<double> errors;
    for (const ElementErrors& one : elements_) errors.push_back(relative(one.error));
    budget.rms = rms_of(errors);
    budget.mean = mean_of(errors);
    for (std::size_t i = 0; i < all_.size(); ++i) add_line(i, errors, budget);
    for (std::size_t i = 0; i < sources_.easements().size(); ++i) add_forecast(i, budget);
    std::stable_sort(budget.lines.begin(), budget.lines.end(),
                     [](const BudgetLine& x, const BudgetLine& y) { return x.share > y.share; });
    std::stable_sort(budget.forecasts.begin(), budget.forecasts.end(),
                     [](const BudgetForecast& x, const BudgetForecast& y) { return x.predicted < y.predicted; });
    return budget;
  }

 private:
  void attribute(const Spot& spot) {
    std::optional<ElementErrors> errors =
        ElementWalk(machine_, machine_.plan, &sources_, w_).errors(spot.row, spot.column);
    if (!errors) {
      ++special_;
      return;
    }
    Dyadic left = errors->error;
    for (const Dyadic& part : errors->by_source) left = left - part;
    if (sign(left) != 0) {
      throw Error{
          fmt::format("The budget of {} does not add up in the element [{},{}]: {} is left over. This is a "
                      "mistake in Assay.",
                      machine_.point.name, spot.row, spot.column, explain::decimal(left))};
    }
    elements_.push_back(*std::move(errors));
    spots_.push_back(spot);
  }

  // Errors are told relative to the root mean square of what is exact; where all of that is zero, as they are.
  void find_size() {
    for (const ElementErrors& one : elements_) {
      for (const Dyadic* x : {&one.exact, &one.error}) {
        if (sign(*x) != 0) unit_ = std::max(unit_.value_or(std::numeric_limits<long>::min()), floor_log2(*x));
      }
    }
    double squares = 0;
    for (const ElementErrors& one : elements_) {
      const double x = times_power(one.exact, unit_.value_or(0));
      squares += x * x;
    }
    size_ = squares == 0 ? std::ldexp(1.0, static_cast<int>(-unit_.value_or(0)))
                         : root_mean_square(squares, elements_.size());
  }
  double relative(const Dyadic& x) const { return times_power(x, unit_.value_or(0)) / size_; }

  static double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double x : values) sum += x;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  }
  static double rms_of(const std::vector<double>& values) {
    double squares = 0;
    for (const double x : values) squares += x * x;
    return root_mean_square(squares, values.size());
  }

  void add_line(std::size_t source, const std::vector<double>& errors, RowBudget& budget) const {
    BudgetLine line{all_[source].where, all_[source].words, 0, 0, 0};
    std::vector<double> own;
    double with_all = 0, all = 0;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      own.push_back(relative(elements_[i].by_source[source]));
      with_all += own[i] * errors[i];
      all += errors[i] * errors[i];
    }
    line.mean = mean_of(own);
    line.rms = rms_of(own);
    line.share = all == 0 ? 0 : with_all / all;
    if (line.rms != 0) budget.lines.push_back(std::move(line));
  }

  void add_forecast(std::size_t easement, RowBudget& budget) const {
    std::vector<double> predicted;
    bool moves = false;
    for (const ElementErrors& one : elements_) {
      moves = moves || sign(one.relieved[easement]) != 0;
      predicted.push_back(relative(one.error + one.relieved[easement]));
    }
    if (!moves) return;
    const explain::Easement& words = sources_.easements()[easement];
    BudgetForecast forecast{words.key, words.value, words.words, rms_of(predicted), std::nullopt, ""};
    const explain::EasedPlan eased = explain::eased_plan(words, machine_.plan.k);
    forecast.refused = eased.refused;
    if (eased.plan) forecast.measured = measured(*eased.plan);
    budget.forecasts.push_back(std::move(forecast));
  }

  // Infinite where an element is no longer finite.
  double measured(const Plan& plan) const {
    std::vector<double> errors;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const std::optional<Dyadic> d = ElementWalk(machine_, plan, nullptr, w_).d(spots_[i].row, spots_[i].column);
      if (!d) return std::numeric_limits<double>::infinity();
      errors.push_back(relative(*d - elements_[i].exact));
    }
    return rms_of(errors);
  }

  const Machine& machine_;
  ErrorSources sources_;
  const Workload& w_;
  std::vector<explain::ErrorSource> all_;  // the plan's, then those of the walk
  std::vector<ElementErrors> elements_;
  std::vector<Spot> spots_;  // of these
  int special_ = 0;
  std::optional<long> unit_;  // 2^unit is about the greatest of all
  double size_ = 1;           // in it
};

// An input of one shape, in the formats that machines take.
class CellInputs {
 public:
  CellInputs(const Study& study, std::size_t input, const ProductShape& shape, const TensorPair& tensors)
      : input_(study.inputs[input]),
        key_{static_cast<std::uint64_t>(study.seed), input},
        shape_(shape),
        tensors_(tensors) {}

  const RealsKey& key() const { return key_; }
  const Workload& of(const Machine& machine) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const OperandFormats& formats = machine.operands;
    const auto found = ready_.find(formats.key());
    if (found != ready_.end()) return found->second;
    const Reals reals = reals_of(input_, key_, shape_, formats.b.least_exponent(), &tensors_);
    return ready_.emplace(formats.key(), workload_of(reals, formats)).first->second;
  }

 private:
  const StudyInput& input_;
  RealsKey key_;
  ProductShape shape_;
  const TensorPair& tensors_;
  std::mutex mutex_;
  std::map<std::string, Workload> ready_;
};

TensorPair tensors_of(const Study& study, const StudyInput& input) {
  return input.family == InputFamily::tensor ? read_tensors(input, study.shapes) : TensorPair{};
}

}  // namespace

std::vector<RowBudget> budgets_of(const Study& study, const Machines& machines, int elements, int threads,
                                  const std::function<void(std::uint64_t done)>& progress) {
  const std::size_t shapes = study.shapes.size(), inputs = study.inputs.size();
  std::vector<RowBudget> budgets(machines.size() * inputs * shapes);
  std::mutex mutex;
  std::exception_ptr failure;
  std::uint64_t done = 0;
  for (std::size_t input = 0; input < inputs; ++input) {
    const TensorPair tensors = tensors_of(study, study.inputs[input]);
    for (std::size_t shape = 0; shape < shapes; ++shape) {
      CellInputs cell(study, input, study.shapes[shape], tensors);
      const std::vector<Spot> spots = spots_of(cell.key(), study.shapes[shape], elements);
      parallel(static_cast<int>(machines.size()), threads, [&](int i, int) {
        try {
          const auto m = static_cast<std::size_t>(i);
          const std::size_t row = (m * inputs + input) * shapes + shape;
          budgets[row] = Attributing(*machines[m], cell.of(*machines[m]), spots).budget();
          budgets[row].row = static_cast<int>(row);
          const std::lock_guard<std::mutex> lock(mutex);
          ++done;
          if (progress) progress(done);
        } catch (...) {
          const std::lock_guard<std::mutex> lock(mutex);
          if (!failure) failure = std::current_exception();
        }
      });
      if (failure) std::rethrow_exception(failure);
    }
  }
  return budgets;
}

// One element of the first and of the last point, of the first input: the others take about as long.
double budget_seconds(const Study& study, const Machines& machines, int elements) {
  double seconds = 0;
  const TensorPair tensors = tensors_of(study, study.inputs.front());
  for (const ProductShape& shape : study.shapes) {
    const bool from_file = study.inputs.front().family == InputFamily::tensor;
    const ProductShape tried = from_file ? shape : ProductShape{1, 1, shape.k};
    CellInputs cell(study, 0, tried, tensors);
    double of_one = 0;
    for (const Machine* machine : {machines.front().get(), machines.back().get()}) {
      const Workload& workload = cell.of(*machine);
      const double start = thread_seconds();
      Attributing(*machine, workload, {{0, 0}}).budget();
      of_one += (thread_seconds() - start) / 2;
    }
    const int wanted = std::min(elements, shape.m * shape.n);
    seconds += of_one * wanted * static_cast<double>(machines.size() * study.inputs.size());
  }
  return seconds;
}

}  // namespace assay
