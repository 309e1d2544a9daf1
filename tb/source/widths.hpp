// What a Plan asks of whoever writes it as text: every format it reads and writes, and the widest magnitude.
#pragma once

#include <algorithm>

#include "tb/source/c_words.hpp"

namespace assay {

template <class See>
void each_adder(const Plan& plan, const See& see) {
  for (const auto* adders : {&plan.adders, &plan.finish}) std::for_each(adders->begin(), adders->end(), see);
}

template <class See>
void each_result(const Plan& plan, const See& see) {
  for (const auto* result : {&plan.factor_a.round, &plan.factor_b.round, &plan.product_round}) {
    if (*result) see(**result);
  }
  each_adder(plan, [&](const AdderPlan& adder) { std::for_each(adder.results.begin(), adder.results.end(), see); });
}

// `see` takes a format and whether numbers are rounded to it.
template <class See>
void each_format(const Plan& plan, const See& see) {
  for (const Format* f : {&plan.a, &plan.b, &plan.c, &plan.d}) see(*f, false);
  if (plan.scale) see(*plan.scale, false);
  for (const CaseOperand& more : plan.more) see(more.format, false);
  each_result(plan, [&](const ResultPlan& result) {
    if (result.words.at == ResultAt::format) see(result.format, true);
  });
}

Carried carried_by(const Plan& plan);

// In bits, of any number that travels between stages; of an exact sum what is read out of it.
int widest_magnitude(const Plan& plan);

}  // namespace assay
