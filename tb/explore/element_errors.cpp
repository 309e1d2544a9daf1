#include "tb/explore/element_errors.hpp"

#include <cmath>

#include "tb/explain/exact.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/explore/along_k.hpp"
#include "tb/explore/real.hpp"

namespace assay {
namespace {

using exact::Dyadic;

Dyadic dyadic_of(double x) { return explain::exactly(number_of(x)); }

// One element from its first instruction to its last rounding. Each step of f32 is that of `walked`.
class Chain {
 public:
  Chain(const Machine& machine, const Plan& plan, const explain::ErrorSources* sources, const Workload& w, int row,
        int column)
      : machine_(machine),
        walk_(machine.walk),
        plan_(plan),
        sources_(sources),
        w_(w),
        row_(row),
        column_(column),
        along_(machine, plan, w, row, column) {
    if (sources_ == nullptr) return;
    by_source.resize(sources_->all().size() + static_cast<std::size_t>(WalkPlace::count));
    relieved.resize(sources_->easements().size());
    trace_.emplace(sources_->plan());
    trace_->keep_items(true);
  }

  std::vector<Dyadic> by_source, relieved;

  // d, where it and all before it are finite.
  std::optional<Dyadic> run() {
    double value = 0;
    if (walk_.is_promoted()) {
      value = static_cast<double>(promoted());
    } else {
      instructions(0, w_.shape.k, {1, 0});
      value = value_of(along_.d(), plan_.d);
    }
    if (!finite_ || !std::isfinite(value)) return std::nullopt;
    if (!walk_.is_promoted() && walk_.output.empty()) return dyadic_of(value);
    const double rounded = value_of(converted(value, machine_.result), machine_.result);
    if (!std::isfinite(rounded)) return std::nullopt;
    note(WalkPlace::output, dyadic_of(rounded) - dyadic_of(value));
    return dyadic_of(rounded);
  }

 private:
  void note(WalkPlace place, const Dyadic& error) {
    if (sources_ == nullptr || sign(error) == 0) return;
    Dyadic& sum = by_source[sources_->all().size() + static_cast<std::size_t>(place)];
    sum = sum + error;
  }
  // What became of an exact value in f32.
  float rounded(WalkPlace place, float result, const Dyadic& value) {
    if (!std::isfinite(result)) finite_ = false;
    if (finite_ && sources_ != nullptr) note(place, dyadic_of(static_cast<double>(result)) - value);
    return result;
  }
  static Dyadic value(float x) { return dyadic_of(static_cast<double>(x)); }

  // Those of the values of k from `from` on, whose errors are multiplied by `weight` later.
  void instructions(int from, int count, const Dyadic& weight) {
    for (int i = from / plan_.k; i < (from + count) / plan_.k && finite_; ++i) {
      along_.run(i, trace_ ? &*trace_ : nullptr);
      finite_ = std::isfinite(value_of(along_.d(), plan_.d));
      if (sources_ == nullptr || !finite_) continue;
      const std::optional<explain::ErrorParts> parts = sources_->parts(along_.operand(), *trace_);
      if (!parts) {
        finite_ = false;
        return;
      }
      for (const explain::ErrorPart& part : parts->parts) {
        Dyadic& sum = by_source[static_cast<std::size_t>(part.source)];
        sum = sum + part.error * weight;
      }
      for (std::size_t e = 0; e < relieved.size(); ++e) {
        if (sign(parts->relieved[e]) != 0) relieved[e] = relieved[e] + parts->relieved[e] * weight;
      }
    }
  }

  // Additions of f32, as `promoted_sum` and `walked` have them; where a number is not finite none of this counts.
  float promoted() {
    const int run = w_.shape.k / walk_.split_k, step = walk_.promote_every == 0 ? run : walk_.promote_every;
    const double c = value_of(w_.c.view().get(row_, column_), plan_.c);
    float total = rounded(WalkPlace::start, static_cast<float>(c), dyadic_of(c));
    for (int first = 0; first < w_.shape.k && finite_; first += run) {
      float sum = 0;
      for (int from = first; from < first + run && finite_; from += step)
        sum = piece(from, std::min(step, first + run - from), sum);
      if (!finite_) break;
      const float next = total + sum;
      total = rounded(WalkPlace::runs, next, value(total) + value(sum));
    }
    return total;
  }

  // `sum` and the values of k from `from` on.
  float piece(int from, int count, float sum) {
    const Scaling& scaling = walk_.scaling;
    const bool scaled = scaling.at_promotion();
    const int block = scaled ? from / machine_.operands.scale_block : 0;
    const Format* format = scaled ? &*machine_.operands.scale : nullptr;
    const double scale_a = scaled ? value_of(w_.scale_a.view().get(row_, block), *format) : 1;
    const double scale_b = scaled ? value_of(w_.scale_b.view().get(column_, block), *format) : 1;
    instructions(from, count, dyadic_of(scale_a) * dyadic_of(scale_b));
    if (!finite_) return sum;
    const auto d = static_cast<float>(value_of(along_.d(), plan_.d));
    if (!scaled) {
      const float next = promoted_sum(scaling.scales, sum, 1, d);
      return rounded(WalkPlace::promote, next, value(sum) + value(d));
    }
    const float scale = static_cast<float>(scale_a) * static_cast<float>(scale_b);
    if (!std::isfinite(scale)) return rounded(WalkPlace::scale, scale, {});
    note(WalkPlace::scale, (value(scale) - dyadic_of(scale_a) * dyadic_of(scale_b)) * value(d));
    Dyadic product = value(scale) * value(d);
    if (scaling.scales == ScaledBy::multiply_add) {
      const float single = rounded(WalkPlace::product, scale * d, product);
      if (!finite_) return sum;
      product = value(single);
    }
    return rounded(WalkPlace::promote, promoted_sum(scaling.scales, sum, scale, d), value(sum) + product);
  }

  const Machine& machine_;
  const Walk& walk_;
  const Plan& plan_;
  const explain::ErrorSources* sources_;
  const Workload& w_;
  int row_, column_;
  AlongK along_;
  std::optional<Trace> trace_;
  bool finite_ = true;
};

}  // namespace

explain::ErrorSource source_of(WalkPlace place) {
  using explain::Cause;
  switch (place) {
    case WalkPlace::start: return {"c", Cause::rounded, "rounded to f32"};
    case WalkPlace::scale: return {"promote.scale", Cause::rounded, "the product of two scales, rounded to f32"};
    case WalkPlace::product: return {"promote.product", Cause::rounded, "sum times scale, rounded to f32"};
    case WalkPlace::promote: return {"promote", Cause::rounded, "added to an f32 where sums are promoted"};
    case WalkPlace::runs: return {"runs", Cause::rounded, "c and the runs of split_k, added in f32"};
    case WalkPlace::output: return {"output", Cause::rounded, "rounded to the format of the output"};
    case WalkPlace::count: break;
  }
  return {};
}

std::optional<ElementErrors> ElementWalk::errors(int row, int column) {
  Chain chain(machine_, plan_, sources_, w_, row, column);
  const std::optional<Dyadic> d = chain.run();
  if (!d) return std::nullopt;
  Dyadic sum = exact(row, column), error = *d - sum;
  return ElementErrors{std::move(sum), std::move(error), std::move(chain.by_source), std::move(chain.relieved)};
}

std::optional<Dyadic> ElementWalk::d(int row, int column) {
  return Chain(machine_, plan_, nullptr, w_, row, column).run();
}

Dyadic ElementWalk::exact(int row, int column) const {
  const Specials specials = plan_.datapath.specials;
  const OperandFormats& formats = machine_.operands;
  const auto value = [&](const CodeMatrix& codes, int of, int at, const Format& format) {
    return explain::exact_value(format, codes.view().get(of, at), specials).value;
  };
  Dyadic sum = value(w_.c, row, column, formats.c), scale{1, 0};
  for (int i = 0; i < w_.shape.k; ++i) {
    if (formats.scale && i % formats.scale_block == 0)
      scale = value(w_.scale_a, row, i / formats.scale_block, *formats.scale) *
              value(w_.scale_b, column, i / formats.scale_block, *formats.scale);
    const Dyadic product = value(w_.a, row, i, formats.a) * value(w_.b, column, i, formats.b);
    sum = sum + (formats.scale ? product * scale : product);
  }
  return sum;
}

}  // namespace assay
