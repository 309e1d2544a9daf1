// The device's side of the conversation, over pipes in this process.
#include "tb/devices/serve.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <thread>

namespace assay {
namespace {

// Both pipes, and the host's ends of them in the test's hands. Everything a test says fits a pipe.
class Host {
 public:
  Host() {
    if (pipe(to_) != 0 || pipe(from_) != 0) throw std::runtime_error("no pipe");
    fcntl(from_[0], F_SETFL, O_NONBLOCK);
  }
  ~Host() {
    for (const int end : {to_[0], to_[1], from_[0], from_[1]}) ::close(end);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  int in() const { return to_[0]; }
  int out() const { return from_[1]; }

  void say(const std::string& text) const {
    EXPECT_EQ(write(to_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void hang_up() {
    ::close(to_[1]);
    to_[1] = -1;
  }
  // What the device has sent so far.
  std::string heard() const {
    std::string text(1 << 16, '\0');
    const ssize_t n = read(from_[0], text.data(), text.size());
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }

 private:
  int to_[2] = {-1, -1};
  int from_[2] = {-1, -1};
};

const std::string header = "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"x\"}\n";
const std::string request_7 =
    R"({"id":7,"a":["3c00","0001"],"b":["8000","ffff"],"c":"3f800000","scale_a":["7f"],"scale_b":["80"]})"
    "\n";

TEST(Serve, GreetsAtOnce) {
  const Host host;
  const Session session({"my \"unit\"", {"hopper:x", "*"}, true, 9}, host.in(), host.out());
  EXPECT_EQ(host.heard(),
            "{\"device\":\"my \\\"unit\\\"\",\"instructions\":[\"hopper:x\",\"*\"],\"trace\":true,\"window\":9}\n");
}

// What has come says nothing of when: asked whether there is more, it waits for what the host sends by the answers that
// it has, and for nothing else.
TEST(Serve, IsReadyByItsAnswersAlone) {
  const Host host;
  Session session({"x", {"*"}, false, 2, {{{"a", 1}, {"b", 1}, {"c", 1}}, {}}}, host.in(), host.out());
  const auto say = [&](RecordKind kind, std::size_t words, std::uint64_t id) {
    std::string text;
    append_head(text, kind, words, id);
    host.say(text + std::string(8 * words, '\1'));
  };
  host.say("{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"x\",\"records\":true}\n");
  say(RecordKind::batch, 0, 4);
  for (const std::uint64_t id : {0, 1}) say(RecordKind::request, 3, id);
  Request request;
  ASSERT_TRUE(session.next(request));
  EXPECT_TRUE(session.ready());
  ASSERT_TRUE(session.next(request));
  say(RecordKind::request, 3, 2);  // as if the host had known before
  EXPECT_FALSE(session.ready());
  const auto later = [&](std::uint64_t id) {
    return std::thread([&say, id] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      say(RecordKind::request, 3, id);
    });
  };
  session.answer(0, {});
  EXPECT_TRUE(session.ready());
  ASSERT_TRUE(session.next(request));
  EXPECT_FALSE(session.ready());
  std::thread last = later(3);
  session.answer(1, {});
  EXPECT_TRUE(session.ready());
  last.join();
  ASSERT_TRUE(session.next(request));
  EXPECT_EQ(request.id, 3U);
  EXPECT_FALSE(session.ready());
  session.answer(2, {});
  session.answer(3, {});
  EXPECT_FALSE(session.ready());
}

TEST(Serve, HandsOverRequests) {
  const Host host;
  Session session({"x", {"*"}}, host.in(), host.out());
  host.say(header + request_7 + "{\"end\":1}\n");
  Request request;
  ASSERT_TRUE(session.next(request));
  EXPECT_EQ(request.id, 7U);
  EXPECT_EQ(std::string(request.header) + "\n", header);
  EXPECT_FALSE(request.trace);
  EXPECT_EQ(request.a, (std::vector<std::uint64_t>{0x3c00, 1}));
  EXPECT_EQ(request.b, (std::vector<std::uint64_t>{0x8000, 0xffff}));
  EXPECT_EQ(request.c, 0x3f800000U);
  EXPECT_EQ(request.c_digits, 8);
  EXPECT_EQ(request.scale_a, (std::vector<std::uint64_t>{0x7f}));
  EXPECT_EQ(request.scale_b, (std::vector<std::uint64_t>{0x80}));
  host.heard();
  session.answer(7, {0xbeef, 4, {{"encode", "beef"}, {"step[0].acc", "0"}}});
  EXPECT_FALSE(session.next(request));
  EXPECT_FALSE(session.open());
  EXPECT_EQ(session.finish(), 0);
  EXPECT_EQ(host.heard(),
            "{\"id\":7,\"d\":\"beef\",\"trace\":{\"encode\":\"beef\",\"step[0].acc\":\"0\"}}\n{\"end\":1}\n");
}

TEST(Serve, SeesThatTracesAreWanted) {
  const Host host;
  Session session({"x", {"*"}}, host.in(), host.out());
  host.say("{\"assay\":1,\"datapath\":{\"trace\":false},\"trace\":true}\n" + request_7);
  Request request;
  ASSERT_TRUE(session.next(request));
  EXPECT_TRUE(request.trace);
}

TEST(Serve, SaysWithoutWaitingWhetherARequestIsThere) {
  const Host host;
  Session session({"x", {"*"}}, host.in(), host.out());
  EXPECT_FALSE(session.ready());
  host.say(header + request_7 + request_7.substr(0, 20));
  Request request;
  ASSERT_TRUE(session.ready());
  ASSERT_TRUE(session.next(request));
  EXPECT_FALSE(session.ready()) << "half a request is none";
  host.heard();
  session.answer(7, {1, 8});
  EXPECT_FALSE(session.ready());
  EXPECT_EQ(host.heard(), "{\"id\":7,\"d\":\"00000001\"}\n") << "before it waits, the answers are sent";
  host.say(request_7.substr(20));
  EXPECT_TRUE(session.ready());
}

TEST(Serve, AnswersWhatItCannotRead) {
  const std::pair<const char*, const char*> all[] = {
      {R"({"id":1,"a":["3C00"]})", "a[0] is \"3C00\", in upper case: write bits in lower case."},
      {R"({"id":1,"a":["3c00"],"b":["3c00"]})", "the request needs a, b and c."},
      {R"({"id":1,"a":["3c00"])", "the line is cut short at byte 21 where ',' or '}' should stand there."},
  };
  for (const auto& [line, message] : all) {
    const Host host;
    Session session({"x", {"*"}}, host.in(), host.out());
    host.heard();
    host.say(header + line + "\n{\"end\":1}\n");
    Request request;
    EXPECT_FALSE(session.next(request));
    EXPECT_EQ(session.finish(), 0);
    std::string quoted;
    append_quoted(quoted, std::string("The request cannot be read: ") + message);
    EXPECT_EQ(host.heard(), "{\"id\":1,\"error\":" + quoted + "}\n{\"end\":1}\n");
  }
}

// What a conversation that breaks leaves on stderr; its exit status is 2.
std::string broken(const std::string& said) {
  Host host;
  Session session({"x", {"*"}}, host.in(), host.out());
  host.say(said);
  host.hang_up();
  Request request;
  ::testing::internal::CaptureStderr();
  while (session.next(request)) session.answer(request.id, {0, 8});
  EXPECT_EQ(session.finish(), 2);
  return ::testing::internal::GetCapturedStderr();
}

TEST(Serve, SaysHowAConversationBroke) {
  EXPECT_EQ(broken(""), "The host went away without saying {\"end\":count}.\n");
  EXPECT_EQ(broken(header + request_7), "The host went away without saying {\"end\":count}.\n");
  EXPECT_EQ(broken("hello\n"), "The header cannot be read: byte 1 is 'h', but '{' should stand there.\n");
  EXPECT_EQ(broken(header + "{\"a\":[]}\n"), "A request cannot be read: the request has no id.\n");
}

}  // namespace
}  // namespace assay
