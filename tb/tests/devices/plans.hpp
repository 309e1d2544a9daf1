// A small datapath for the tests of devices: two terms of f16 on an f32, summed exactly enough.
#pragma once

#include "model/core/plan.hpp"

namespace assay::testing_devices {

inline Plan small_plan() {
  Datapath datapath;
  datapath.name = "small";
  datapath.operands = {"f16", "f16", "f32", "f32", "", 0};
  Input product;
  product.source = "product";
  product.keep = 25;
  Input acc = product;
  acc.source = "acc";
  Result result;
  result.format = "d";
  result.cut = Cut::toward_zero;
  Adder sum;
  sum.name = "sum";
  sum.add = {product, acc};
  sum.window.floor = -133;
  sum.results = {result};
  datapath.adders = {sum};
  return std::get<Plan>(plan(datapath, 2));
}

}  // namespace assay::testing_devices
