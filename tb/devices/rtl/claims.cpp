#include "tb/devices/rtl/claims.hpp"

#include <algorithm>
#include <charconv>
#include <ostream>

#include "model/base/text.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/fitting.hpp"

namespace assay {
namespace {

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
    PortConstant made = held(argument.substr(from, end - from), device);
    for (const PortConstant& other : found.held) {
      if (other.port == made.port) throw Error{device + ": port " + made.port + " is held at two values; give it one."};
    }
    found.held.push_back(std::move(made));
    from = end + 1;
  }
  return found;
}

NamedUnit named_unit(const std::string& device) {
  constexpr std::string_view kind = "rtl:";
  if (!starts_with(device, kind)) throw Error{device + " is no RTL; write rtl:DUT.yaml."};
  HeldDut named = held_dut(device.substr(kind.size()), device);
  return {read_dut_file(named.file), std::move(named.held)};
}

namespace {

// What its ports would fit; nothing where Verilator cannot read them.
std::string what_may_fit(const Dut& dut, const Catalogue& catalogue) try {
  return what_fits(dut, ports_of(dut), catalogue);
} catch (const Error&) {
  return "";
}

// Of a name that the catalogue has not, the ports say what it may have meant.
Instruction claimed(const Dut& dut, const Claim& claim, const Catalogue& catalogue) try {
  return catalogue.instruction(claim.instruction);
} catch (const Error& unknown) {
  throw Error{dut.file + ": " + unknown.message + what_may_fit(dut, catalogue)};
}

Subject subject_of_claim(const Dut& dut, const Claim& claim, const Catalogue& catalogue) {
  return claim.datapath.empty() ? subject_of(catalogue, claimed(dut, claim, catalogue))
                                : subject_of_file(catalogue, claim.datapath);
}

bool names(const Dut& dut, const Claim& claim, const Subject& subject, const Catalogue& catalogue) {
  if (claim.datapath.empty()) return subject.instruction && claimed(dut, claim, catalogue).full_name() == subject.name;
  return subject_of_file(catalogue, claim.datapath).header.datapath_sha256 == subject.header.datapath_sha256;
}

// Which of its claims takes the operands of what was asked for.
std::string compared_with(const Dut& dut, const Subject& subject, const Catalogue& catalogue) {
  const std::string asked = operands_text(subject.plan);
  std::vector<std::string> alike;
  for (const Claim& claim : dut.claims) {
    if (operands_text(subject_of_claim(dut, claim, catalogue).plan) == asked) alike.push_back(claim.name());
  }
  return "What is asked for has " + asked + "; " +
         (alike.empty() ? "nothing it claims has the same." : "so has its claim " + joined(alike) + ".");
}

}  // namespace

const Claim& claim_of(const Dut& dut, const Subject& subject, const Catalogue& catalogue) {
  for (const Claim& claim : dut.claims) {
    if (claim.instruction != "*" && names(dut, claim, subject, catalogue)) return claim;
  }
  for (const Claim& claim : dut.claims) {
    if (claim.instruction == "*") return claim;
  }
  throw Error{dut.file + " claims to be " + list_of(dut.claims) + ", not " + subject.name +
              "; ask for that instruction, or let it claim another. " + compared_with(dut, subject, catalogue)};
}

Claim claim_of(const NamedUnit& unit, const Subject& subject, const Catalogue& catalogue) {
  Claim claim = claim_of(unit.dut, subject, catalogue);
  claim.constants.insert(claim.constants.end(), unit.held.begin(), unit.held.end());
  return claim;
}

std::string build_claimed(const Dut& dut, const Subject& subject, const Catalogue& catalogue, std::ostream* progress,
                          bool waves) try {
  return build_rtl(dut, claim_of(dut, subject, catalogue), subject.plan, progress, waves);
} catch (const Misfit& misfit) {
  throw Error{misfit.message + what_fits(dut, misfit.ports, catalogue)};
}

namespace {

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
    subjects.push_back(subject_of_claim(dut, claim, catalogue));
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
