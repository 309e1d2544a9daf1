// Several units behind each other as one device: what one of them gives, the next one takes.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "tb/devices/device.hpp"
#include "tb/devices/rtl/dut.hpp"
#include "tb/subject/subject.hpp"

namespace assay {

struct LinkedUnit {
  Link link;
  std::unique_ptr<const Subject> subject;  // what it is asked for; its device refers to that
  std::vector<std::size_t> elements;       // of the case, that it takes
  std::unique_ptr<Device> device = nullptr;
};

// The units of a chain that claims `subject`, none of them opened. Throws Error where they do not fit each other or
// that.
std::vector<LinkedUnit> units_of(const UnitChain& chain, const Subject& subject, const Catalogue& catalogue,
                                 std::ostream& log);

// All of them as one device, which shows no places.
std::unique_ptr<Device> linked(const std::string& name, std::vector<LinkedUnit> units);

}  // namespace assay
