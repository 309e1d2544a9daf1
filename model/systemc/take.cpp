#include "model/systemc/take.hpp"

#include "model/core/take.hpp"

namespace assay::systemc {

void NanTaker::work() {
  const Numbers numbers = places.take();
  taken.give(Numbers({take_nan(*plan().take, numbers.begin(), sum.take()[0])}));
}

}  // namespace assay::systemc
