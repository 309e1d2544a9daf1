#include "tb/identify/recorded.hpp"

#include "tb/vectors/reader.hpp"

namespace assay::identify {

RecordedAnswers read_recorded(const Catalogue& catalogue, const std::string& file) {
  VectorReader reader(file);
  RecordedAnswers recorded{subject_of_header(catalogue, reader.header(), reader.file()), {}};
  const CaseShape shape = case_shape(recorded.subject.plan, reader.header().pad);
  Case c;
  while (reader.next(shape, c)) {
    if (!c.d) continue;
    if (recorded.answers.size() == most_recorded) {
      ++recorded.left_out;
      continue;
    }
    if (c.a.size() != static_cast<std::size_t>(recorded.subject.plan.k))
      throw Error{reader.file() + ":" + std::to_string(reader.line()) + ": the case chains several operations along " +
                  "K; `identify` takes cases of one, with " + std::to_string(recorded.subject.plan.k) + " products."};
    recorded.answers.push_back({c, *c.d});
    recorded.answers.back().given.d.reset();
  }
  if (recorded.answers.empty())
    throw Error{reader.file() + " has no case with a d; `assay run` or a recorder fills in d.",
                Ending::nothing_compared};
  return recorded;
}

}  // namespace assay::identify
