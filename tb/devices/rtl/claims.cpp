#include "tb/devices/rtl/claims.hpp"

#include <algorithm>
#include <charconv>
#include <ostream>

#include "model/config/digest.hpp"
#include "tb/devices/device.hpp"

namespace assay {
namespace {

bool names(const Claim& claim, const Subject& subject, const Catalogue& catalogue) {
  if (claim.datapath.empty())
    return subject.instruction && catalogue.instruction(claim.instruction).full_name() == subject.name;
  return datapath_sha256(subject_of_file(catalogue, claim.datapath).plan) == subject.header.datapath_sha256;
}

std::string list_of(const std::vector<Claim>& claims) {
  std::string list;
  for (const Claim& claim : claims) list += (list.empty() ? "" : ", ") + claim.name();
  return list;
}

// "mutsel=1f"
PortConstant held(const std::string& word, const std::string& device) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string digits = word.substr(std::min(equals + 1, word.size()));
  PortConstant made{word.substr(0, equals), 0, device};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), made.value, 16);
  const bool whole = error == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
  if (made.port.empty() || !whole) {
    throw Error{device + ": '" + word + "' holds no port at a value; write PORT=HEX, such as mode_i=1f."};
  }
  return made;
}

}  // namespace

HeldDut held_dut(const std::string& argument, const std::string& device) {
  const std::size_t hash = std::min(argument.rfind('#'), argument.size());
  HeldDut found{argument.substr(0, hash), {}};
  for (std::size_t from = hash + 1; from <= argument.size();) {
    const std::size_t end = std::min(argument.find(',', from), argument.size());
    found.held.push_back(held(argument.substr(from, end - from), device));
    from = end + 1;
  }
  return found;
}

const Claim& claim_of(const Dut& dut, const Subject& subject, const Catalogue& catalogue) {
  for (const Claim& claim : dut.claims) {
    if (claim.instruction != "*" && names(claim, subject, catalogue)) return claim;
  }
  for (const Claim& claim : dut.claims) {
    if (claim.instruction == "*") return claim;
  }
  throw Error{dut.file + " claims to be " + list_of(dut.claims) + ", not " + subject.name +
              "; ask for that instruction, or let it claim another."};
}

namespace {

Subject subject_of_claim(const Claim& claim, const Catalogue& catalogue) {
  return claim.datapath.empty() ? subject_of(catalogue, catalogue.instruction(claim.instruction))
                                : subject_of_file(catalogue, claim.datapath);
}

// A claim is found again by what it computes: the second of two that compute the same never would be.
void refuse_twice(const Dut& dut, const Claim& claim, const Subject& subject, const Catalogue& catalogue) {
  const Claim& found = claim_of(dut, subject, catalogue);
  if (&found == &claim) return;
  throw Error{dut.file + " claims " + subject.name + " after " + found.name() +
              ", which computes the same, and would never be compared; leave it out, and hold its ports with "
              "rtl:FILE#PORT=HEX."};
}

}  // namespace

std::vector<Subject> subjects_of_claims(const Dut& dut, const Catalogue& catalogue, std::ostream& log) {
  std::vector<Subject> subjects;
  for (const Claim& claim : dut.claims) {
    if (claim.instruction == "*") continue;
    subjects.push_back(subject_of_claim(claim, catalogue));
    refuse_twice(dut, claim, subjects.back(), catalogue);
  }
  if (subjects.empty()) {
    throw Error{dut.file +
                " claims whatever it is asked for; say what: --instruction ARCHITECTURE:INSTRUCTION, "
                "or --datapath FILE."};
  }
  if (subjects.size() < dut.claims.size()) {
    log << "assay: " << dut.file
        << " also claims whatever it is asked for; only what it names is taken. --instruction asks for more.\n";
  }
  return subjects;
}

}  // namespace assay
