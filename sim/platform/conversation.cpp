#include "sim/platform/conversation.hpp"

#include <algorithm>

#include "model/config/digest.hpp"
#include "model/systemc/simulation.hpp"
#include "tb/devices/serve.hpp"
#include "tb/subject/subject.hpp"

namespace assay {
namespace {

constexpr std::size_t window = 256;  // requests in one run of the simulation

// The Plan of the header, and of no other datapath than the host's. Throws Error or ScanError.
Plan same_plan_as_the_host(std::string_view line) {
  const VectorHeader header = parse_header(line);
  Plan plan = subject_of_header(shipped_catalogue(), header, "the header").plan;
  if (!header.datapath_sha256.empty() && header.datapath_sha256 != datapath_sha256(plan)) {
    throw Error{
        "The header's datapath_sha256 is not that of the datapath in this program's catalogue; give both programs the "
        "same configs (ASSAY_HOME)."};
  }
  return plan;
}

std::string wrong_list(const std::string& name, const std::vector<Code>& codes, int count, const Format& format) {
  if (codes.size() != static_cast<std::size_t>(count)) {
    return "The case has " + std::to_string(codes.size()) + " elements in " + name + "; this instruction takes " +
           std::to_string(count) + ".";
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!format.fits(codes[i])) {
      return name + "[" + std::to_string(i) + "] has more than the " + std::to_string(format.stored_bits) +
             " bits of " + format.name + ".";
    }
  }
  return {};
}

std::vector<Code> codes_named(const Request& request, const std::string& name) {
  for (const auto& [given, codes] : request.more) {
    if (given == name) return codes;
  }
  if (name == "scale_a") return request.scale_a;
  return name == "scale_b" ? request.scale_b : std::vector<Code>{};
}

// What is wrong with a request, as a sentence; nothing where it can be run.
std::string wrong_with(const Request& request, const Plan& plan) {
  const auto wrong_pair = [&](const std::string& name, const std::vector<Code>& codes) {
    const bool is_other =
        std::any_of(plan.more.begin(), plan.more.end(), [&](const auto& m) { return m.name == name; });
    return is_other ? std::string() : wrong_list(name, codes, plan.scales, plan.scale.value_or(Format{}));
  };
  for (const std::string& sentence :
       {wrong_list("a", request.a, plan.k, plan.a), wrong_list("b", request.b, plan.k, plan.b),
        wrong_list("c", {request.c}, 1, plan.c), wrong_pair("scale_a", request.scale_a),
        wrong_pair("scale_b", request.scale_b)}) {
    if (!sentence.empty()) return sentence;
  }
  for (const CaseOperand& more : plan.more) {
    const std::vector<Code> codes = codes_named(request, more.name);
    const std::string sentence = wrong_list(more.name, codes, more.count, more.format);
    if (!sentence.empty()) return sentence;
    const std::string problem = mask_problem(more.name, more.pattern, codes.data(), more.count);
    if (!problem.empty()) return problem;
  }
  return {};
}

systemc::Codes codes_of(const Request& request, const Plan& plan) {
  using List = systemc::Lines<Code>;
  std::vector<Code> more;
  for (const CaseOperand& operand : plan.more) {
    const std::vector<Code> codes = codes_named(request, operand.name);
    more.insert(more.end(), codes.begin(), codes.end());
  }
  return {List(request.a), List(request.b), request.c, List(request.scale_a), List(request.scale_b), List(more)};
}

std::vector<std::string> names_of(const PlaceTable& places) {
  std::vector<std::string> names;
  for (int i = 0; i < static_cast<int>(places.size()); ++i) names.push_back(places.name(i));
  return names;
}

// It refers to `names`, those of all places.
Reply reply_of(const systemc::UnitAnswer& answer, const Plan& plan, const std::vector<std::string>& names) {
  Reply reply;
  reply.d = answer.d;
  reply.digits = plan.d.hex_digits();
  if (!answer.trace) return reply;
  reply.trace.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    reply.trace.emplace_back(names[i], answer.trace->at(static_cast<int>(i)).hex());
  return reply;
}

// Answers the requests that have come, all in one run of the simulation: nothing is read while it runs, so that it
// never waits for a request that the host keeps back until it has an answer.
void answer_what_came(Session& session, Request& request, const Plan& plan, const std::vector<std::string>& names,
                      systemc::Simulation& simulation) {
  std::vector<std::uint64_t> ids;
  std::vector<systemc::Codes> cases;
  do {
    const std::string wrong = wrong_with(request, plan);
    if (wrong.empty()) {
      ids.push_back(request.id);
      cases.push_back(codes_of(request, plan));
    } else {
      session.answer(request.id, {0, 0, {}, wrong});
    }
  } while (cases.size() < window && session.ready() && session.next(request));
  const std::vector<systemc::UnitAnswer> answers = simulation.run(cases, request.trace);
  for (std::size_t i = 0; i < ids.size(); ++i) session.answer(ids[i], reply_of(answers[i], plan, names));
}

// Every request gets the reason why there is no model.
int refuse(Session& session, Request& request, const std::string& reason) {
  do {
    session.answer(request.id, {0, 0, {}, reason});
  } while (session.next(request));
  return session.finish();
}

}  // namespace

int converse(const systemc::Timing& timing) {
  Session session({"systemc", {"*"}, true, static_cast<int>(window)});
  Request request;
  if (!session.next(request)) return session.finish();
  std::optional<Plan> plan;
  try {
    plan = same_plan_as_the_host(request.header);
  } catch (const Error& error) {
    return refuse(session, request, error.message);
  } catch (const ScanError& error) {
    return refuse(session, request, "The header cannot be read: " + error.message);
  }
  if (const auto reason = systemc::why_not_built(*plan)) return refuse(session, request, *reason);
  systemc::Simulation simulation(*plan, timing);
  const std::vector<std::string> names = names_of(plan->places);
  do {
    answer_what_came(session, request, *plan, names, simulation);
  } while (session.next(request));
  return session.finish();
}

}  // namespace assay
