#include "tb/campaign/prove_kind.hpp"

#include "model/base/sha256.hpp"
#include "tb/campaign/items.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/prove/netlist.hpp"
#include "tb/prove/proving.hpp"
#include "tb/prove/report.hpp"

namespace assay::campaign {
namespace {

struct ProvedClaim {
  std::string device;
  Subject subject;
};

class ProveJob : public ItemJob {
 public:
  explicit ProveJob(const Order& order) : catalogue_(order.catalogue), log_(order.log) {
    options_.seconds = static_cast<int>(whole_of(order.file, "seconds", 300, 1, 1'000'000));
    options_.threads = static_cast<int>(whole_of(order.file, "threads", 1, 1, 256));
    options_.cases = whole_of(order.file, "cases", options_.cases, 1, 1'000'000'000);
    options_.keep = false;
    if (const auto reference = order.file.find("reference")) set_reference(order, *reference);
    const std::vector<Subject> subjects = subjects_in(order);
    for (const std::string& file : words_of(order.file, "dut")) {
      const std::string device = "rtl:" + path_from(order.folder, file);
      for (const Subject& subject : subjects.empty() ? subjects_of_device(device, catalogue_, log_) : subjects)
        claims_.push_back({device, subject});
    }
    if (claims_.empty()) order.file.fail("`dut` is missing: name the DUT file to prove, or a list of them.");
  }

  std::vector<Ingredient> ingredients() const override {
    std::vector<Ingredient> all;
    const auto add = [&](const std::string& device) {
      const Dut dut = named_unit(device).dut;
      all.push_back({dut.file, file_sha256(dut.file)});
      all.push_back({"sources of " + dut.file, sources_sha256(dut)});
    };
    for (const ProvedClaim& claim : claims_) {
      add(claim.device);
      all.push_back({claim.subject.name, claim.subject.header.datapath_sha256});
    }
    if (reference_ != "model") add(reference_);
    return all;
  }

 protected:
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const ProvedClaim& claim : claims_) all.push_back(claim.device + ", " + claim.subject.name);
    return all;
  }

  double usual_seconds() const override { return options_.seconds; }

  ItemReport report(std::size_t item) override {
    const ProvedClaim& one = claims_.at(item);
    const Proof proof = prove(unit_to_prove(one.device, reference_), one.subject, catalogue_, options_, &log_);
    const ProofTitle title{one.device, one.subject.name, one.subject.option, one.subject.header.datapath_sha256,
                           reference_};
    const Ending ending = proof.unit == ProofAnswer::proved    ? Ending::passed
                          : proof.unit == ProofAnswer::refuted ? Ending::mismatch
                                                               : Ending::nothing_compared;
    return {ending, proof_text(title, one.subject.plan, proof), proof_json(title, one.subject.plan, proof)};
  }

 private:
  void set_reference(const Order& order, const YamlValue& value) {
    reference_ = device_from(order.folder, value.text());
    if (!is_proofs_reference(reference_)) value.fail(what_a_proofs_reference_is);
  }

  const Catalogue& catalogue_;
  std::ostream& log_;
  std::string reference_ = "model";
  ProofOptions options_;
  std::vector<ProvedClaim> claims_;
};

}  // namespace

std::unique_ptr<Job> open_prove(const Order& order) { return std::make_unique<ProveJob>(order); }

}  // namespace assay::campaign
