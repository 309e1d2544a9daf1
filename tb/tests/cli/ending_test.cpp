// The last resort: whatever is thrown ends as a sentence and a status, and what was not written is said.
#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <system_error>

#include "model/config/yaml.hpp"
#include "sim/program/ending.hpp"
#include "tb/devices/device.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/vectors/bytes.hpp"

namespace assay {
namespace {

Ran ran(const std::function<int()>& work) {
  std::ostringstream out, err;
  Ran result;
  result.status = ended("prog", "prog doing", out, err, work);
  result.out = out.str();
  result.err = err.str();
  return result;
}

template <class Thrown>
Ran thrown(const Thrown& error) {
  return ran([&]() -> int { throw error; });
}

// The numbers are a promise to scripts.
TEST(Ending, EachOutcomeHasItsStatus) {
  const std::pair<Ending, int> all[] = {{Ending::passed, 0},    {Ending::mismatch, 1},
                                        {Ending::wrong_use, 2}, {Ending::nothing_compared, 3},
                                        {Ending::not_here, 4},  {Ending::reader_gone, 141}};
  for (const auto& [outcome, status] : all) EXPECT_EQ(exit_status(outcome), status);
}

TEST(Ending, OfWhatIsUnderstood) {
  EXPECT_EQ(ran([] { return 3; }).status, 3);
  EXPECT_EQ(thrown(Error{"A is wrong."}).err, "prog: A is wrong.\n");
  EXPECT_EQ(thrown(Error{"B is wrong."}).status, wrong_use);
  EXPECT_EQ(thrown(Error{"C is not here.", Ending::not_here}).status, cannot_here);
  const Ran gone = thrown(Error{"said to nobody", Ending::reader_gone});
  EXPECT_EQ(gone.status, reader_gone);
  EXPECT_EQ(gone.err, "");
}

TEST(Ending, OfWhatTheMachineRefuses) {
  const Ran memory = thrown(std::bad_alloc());
  EXPECT_EQ(memory.status, cannot_here);
  EXPECT_EQ(memory.err, "prog: prog doing needs more memory than there is; give it more, or ask for less at once.\n");
  const Ran thread = thrown(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)));
  EXPECT_EQ(thread.status, cannot_here);
  EXPECT_EQ(thread.err, "prog: prog doing cannot start a thread: the system allows no more of them (ulimit -u).\n");
  const Ran file =
      thrown(std::filesystem::filesystem_error("making", "/a/b", std::make_error_code(std::errc::permission_denied)));
  EXPECT_EQ(file.status, wrong_use);
  EXPECT_EQ(file.err, "prog: /a/b cannot be used: Permission denied.\n");
  EXPECT_EQ(thrown(std::system_error(std::make_error_code(std::errc::io_error))).err,
            "prog: prog doing cannot go on: Input/output error.\n");
}

TEST(Ending, OfWhatNobodyForesaw) {
  const Ran logic = thrown(std::out_of_range("map::at"));
  EXPECT_EQ(logic.status, wrong_use);
  EXPECT_EQ(logic.err, "prog: prog doing cannot go on, for a reason that it did not foresee: map::at.\n");
  EXPECT_EQ(thrown(7).err, "prog: prog doing cannot go on, for a reason that it did not foresee.\n");
}

TEST(Ending, SaysWhatStandardOutputDidNotTake) {
  std::ostringstream out, err;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(ended("prog", "prog doing", out, err, [] { return 0; }), wrong_use);
  EXPECT_EQ(err.str(), "prog: Standard output could not be written in full; is the disk full or the pipe closed?\n");
}

TEST(Ending, ShowsWhatOthersWroteAsWhatItIs) {
  const Ran message = run({"describe", "\x1b[2J\u202e"});
  EXPECT_EQ(message.status, wrong_use);
  EXPECT_EQ(message.err.find('\x1b'), std::string::npos) << message.err;
  EXPECT_NE(message.err.find("\\u001b[2J\\u202e"), std::string::npos) << message.err;
}

}  // namespace
}  // namespace assay
