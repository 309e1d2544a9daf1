#include "tb/campaign/identify_kind.hpp"

#include "tb/campaign/items.hpp"
#include "tb/campaign/settings.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/identify/box.hpp"
#include "tb/identify/report.hpp"
#include "tb/identify/unknown.hpp"

namespace assay::campaign {
namespace {

struct UnknownDevice {
  std::string device;
  Subject subject;
};

constexpr double seconds_of_search = 60;  // about; what an unknown unit takes nobody knows

class IdentifyJob : public ItemJob {
 public:
  explicit IdentifyJob(const Order& order) : catalogue_(order.catalogue), builds_(order.builds), log_(order.log) {
    effort_.questions = whole_of(order.file, "questions", effort_.questions, 1, 1'000'000'000);
    effort_.confirm = whole_of(order.file, "confirm", effort_.confirm, 0, 1'000'000'000);
    effort_.seed = whole_of(order.file, "seed", effort_.seed, 0, 1'000'000'000);
    if (const auto nan = order.file.find("nan")) start_.nan = nan->one_of({"bits", "any"}) == 0 ? "bits" : "any";
    start_.without = words_of(order.file, "without");
    const std::vector<Subject> subjects = subjects_asked(order);
    for (const std::string& word : words_of(order.file, "device")) {
      const std::string device = device_from(order.folder, word);
      for (const Subject& subject : subjects.empty() ? subjects_of_device(device, catalogue_, log_) : subjects)
        devices_.push_back({device, subject});
    }
    if (devices_.empty())
      order.file.fail("`device` is missing, or what it takes: name `instruction`, or `formats` and `k`.");
  }

  void prepare() override {
    for (const UnknownDevice& one : devices_) share_device(one.device, one.subject, catalogue_, log_, builds_);
  }

  std::vector<Ingredient> ingredients() const override {
    std::vector<Ingredient> all;
    for (const UnknownDevice& one : devices_) {
      const std::string hash = device_sha256(one.device, one.subject, catalogue_, builds_);
      if (!hash.empty()) all.push_back({one.device, hash});
      all.push_back({one.subject.name, one.subject.header.datapath_sha256});
    }
    return all;
  }

 protected:
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const UnknownDevice& one : devices_) all.push_back(one.device + ", " + one.subject.name);
    return all;
  }

  double usual_seconds() const override { return seconds_of_search; }

  ItemReport report(std::size_t item) override {
    const UnknownDevice& one = devices_.at(item);
    const auto device = open_shared_device(one.device, one.subject, catalogue_, log_, builds_);
    identify::VersionSpace space = identify::begun(one.subject, catalogue_, start_);
    identify::Box box(one.subject, *device, "");
    const identify::Identified found = identify::identify(one.subject, space, box, effort_);
    if (const std::string wrong = device->close(); !wrong.empty()) throw Error{wrong, Ending::mismatch};
    const identify::ReportNames names{one.device, "question"};
    const Ending ending = found.outcome == identify::IdentifyOutcome::found       ? Ending::passed
                          : found.outcome == identify::IdentifyOutcome::undecided ? Ending::nothing_compared
                                                                                  : Ending::mismatch;
    return {ending, as_text(one.subject, found, names), nlohmann::json(as_json(one.subject, found, names))};
  }

 private:
  static std::vector<Subject> subjects_asked(const Order& order) {
    const auto formats = order.file.find("formats");
    if (!formats) return subjects_in(order);
    const auto scale = order.file.find("scale");
    return {identify::unknown_unit(order.catalogue, {formats->text(), scale ? scale->text() : "",
                                                     static_cast<int>(whole_in(order.file.at("k"), 1, 1 << 20))})};
  }

  const Catalogue& catalogue_;
  std::string builds_;
  std::ostream& log_;
  identify::IdentifyEffort effort_;
  identify::SearchStart start_;
  std::vector<UnknownDevice> devices_;
};

}  // namespace

std::unique_ptr<Job> open_identify(const Order& order) { return std::make_unique<IdentifyJob>(order); }

}  // namespace assay::campaign
