#include "scripts/capture/serve.hpp"

#include <algorithm>
#include <optional>

#include "model/base/text.hpp"
#include "scripts/capture/capture.hpp"
#include "tb/devices/serve.hpp"

namespace assay::capture {
namespace {

// So that the host writes the next launch while the GPU computes one.
constexpr int window = 2 * static_cast<int>(cases_a_launch);

// The instruction's name at its target, of "hopper:NAME".
std::string known_here(const Target& target, const std::string& full_name) {
  for (const std::string& name : target.instructions) {
    if (target.architecture + ":" + name == full_name) return name;
  }
  throw Error{"There is no kernel for " + full_name + " here; `assay-capture list " + target.name +
                  "` shows those of " + target.architecture + ".",
              Ending::not_here};
}

Greeting greeting_of(const Served& served) {
  Greeting greeting{served.unit.device(), {}, false, window, {}};
  if (!served.instruction.empty()) {
    known_here(served.target, served.instruction);
    greeting.instructions = {"*"};
    return greeting;
  }
  for (const std::string& name : served.target.instructions)
    greeting.instructions.push_back(served.target.architecture + ":" + name);
  return greeting;
}

// Which instruction the cases below `header` are put through.
Tiling tiling_for(const Served& served, std::string_view header) {
  if (!served.instruction.empty()) return Tiling(known_here(served.target, served.instruction));
  const Header read = read_header(std::string(header), "This GPU cannot serve these cases");
  return Tiling(known_here(served.target, read.architecture + ":" + read.instruction));
}

// Cases as the instruction takes them, out of requests.
class RequestReader {
 public:
  explicit RequestReader(const Tiling& tiling) : tiling_(tiling) {}

  // The request's lists go into the case. Throws Error where they are none of this instruction's.
  CapturedCase read(Request& request) const {
    const layout::Fragments& f = tiling_.fragments();
    const layout::NamedShape& s = tiling_.shape();
    CapturedCase found;
    for (auto& [name, codes] : request.more) {
      if (name != "mask" || !f.indices) fail(name + " is given, which", "does not take.");
      found.mask = std::move(codes);
    }
    if (const std::string wrong = wrong_mask(s, found.mask); !wrong.empty()) throw Error{wrong};
    const int scales = f.scale_a ? s.k / s.scale_block : 0;
    check("a", request.a, s.k, f.a.bits);
    check("b", request.b, s.k, f.b.bits);
    check("scale_a", request.scale_a, scales, f.scale_a ? f.scale_a->bits : 64);
    check("scale_b", request.scale_b, scales, f.scale_b ? f.scale_b->bits : 64);
    check("c", {request.c}, 1, f.c.bits);
    if (request.c_digits != (f.c.bits + 3) / 4)
      fail("c has " + counted(static_cast<std::uint64_t>(request.c_digits), "digit") + ";",
           "takes " + std::to_string((f.c.bits + 3) / 4) + ".");
    found.a = std::move(request.a);
    found.b = std::move(request.b);
    found.scale_a = std::move(request.scale_a);
    found.scale_b = std::move(request.scale_b);
    found.c = request.c;
    return found;
  }

 private:
  void check(const std::string& name, const std::vector<std::uint64_t>& codes, int wanted, int bits) const {
    if (codes.size() != static_cast<std::size_t>(wanted))
      fail(name + " has " + counted(codes.size(), "element") + ";", "takes " + std::to_string(wanted) + ".");
    for (const std::uint64_t code : codes) {
      if (bits < 64 && code >> bits != 0)
        fail(name + " has more than " + counted(static_cast<std::uint64_t>(bits), "bit") + ", which", "does not take.");
    }
  }

  [[noreturn]] void fail(const std::string& begun, const std::string& ended) const {
    throw Error{"The case is none of this instruction: " + begun + " " + tiling_.shape().name + " " + ended};
  }

  const Tiling& tiling_;
};

// Cases on their way through one instruction.
class Batch {
 public:
  Batch(Unit& unit, const Tiling& tiling) : unit_(unit), tiling_(tiling), reader_(tiling) {}

  void answer(std::vector<Request>& requests, std::size_t count, Session& session) {
    cases_.clear();
    ids_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      try {
        cases_.push_back(reader_.read(requests[i]));
        ids_.push_back(requests[i].id);
      } catch (const Error& error) {
        session.answer(requests[i].id, {0, 0, {}, error.message});
      }
    }
    replies_.assign(cases_.size(), {});
    if (!cases_.empty()) launch();
    for (std::size_t i = 0; i < ids_.size(); ++i) session.answer(ids_[i], replies_[i]);
  }

 private:
  void launch() {
    try {
      fill(0, cases_.size());
    } catch (const Error& error) {  // of the GPU
      for (Reply& reply : replies_) reply.error = error.message;
    }
  }

  // Where positions of one case differ, halves are launched again, to find which. Where these agree after all, nobody
  // knows which it was.
  void fill(std::size_t first, std::size_t last) {
    const std::vector<CapturedCase> cases(cases_.begin() + at(first), cases_.begin() + at(last));
    const layout::Words words = unit_.execute(tiling_, tiling_.pack(cases));
    try {
      const std::vector<std::uint64_t> d = tiling_.unpack(words, cases.size());
      for (std::size_t i = 0; i < d.size(); ++i)
        replies_[first + i] = {d[i], (tiling_.fragments().d.bits + 3) / 4, {}, {}};
      return;
    } catch (const Error& error) {
      const auto from = replies_.begin() + at(first), to = replies_.begin() + at(last);
      if (cases.size() > 1) {
        const std::size_t middle = first + cases.size() / 2;
        fill(first, middle);
        fill(middle, last);
        if (std::any_of(from, to, [](const Reply& reply) { return !reply.error.empty(); })) return;
      }
      std::for_each(from, to, [&](Reply& reply) { reply.error = error.message; });
    }
  }

  static std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  Unit& unit_;
  const Tiling& tiling_;
  RequestReader reader_;
  std::vector<CapturedCase> cases_;
  std::vector<std::uint64_t> ids_;
  std::vector<Reply> replies_;
};

}  // namespace

int serve(const Served& served, int in, int out) {
  Session session(greeting_of(served), in, out);
  std::vector<Request> requests(cases_a_launch);
  std::optional<Tiling> tiling;
  std::optional<Batch> batch;
  while (session.next(requests[0])) {
    std::size_t count = 1;
    while (count < requests.size() && session.ready() && session.next(requests[count])) ++count;
    try {
      if (!batch) {
        tiling.emplace(tiling_for(served, requests[0].header));
        batch.emplace(served.unit, *tiling);
      }
      batch->answer(requests, count, session);
    } catch (const Error& error) {
      for (std::size_t i = 0; i < count; ++i) session.answer(requests[i].id, {0, 0, {}, error.message});
    }
  }
  return session.finish();
}

}  // namespace assay::capture
