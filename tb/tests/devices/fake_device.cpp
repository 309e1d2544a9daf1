// A device for tests: d is c, as eight digits. Its first argument says how it misbehaves; its second, for most of them,
// on which request of its life (from 0).
//
// Every way of misbehaving writes its lines here by hand: serve.hpp would not let it.
#include <signal.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tb/devices/serve.hpp"

namespace {

using assay::Greeting;
using assay::Reply;
using assay::Request;

// Well behaved, through serve.hpp.

int echo(const Greeting& greeting) {
  return assay::serve(greeting, [](const Request& request) {
    Reply reply{request.c, 8};
    if (request.trace) {
      reply.trace.emplace_back("encode", std::string(8, '0'));
      assay::put_hex(reply.trace[0].second.data(), request.c, 8);
    }
    return reply;
  });
}

// The same in records: of two terms, and the place of d.
const assay::RecordLayout layout{{{"a", 2}, {"b", 2}, {"c", 1}}, {{"encode", 32}}};

int echo_records() {
  std::uint64_t place = 0;
  return assay::serve({"records", {"*"}, true, 64, layout}, [&](const Request& request) {
    // Not c where its other operands are not what a test gives.
    const bool whole = request.b == std::vector<std::uint64_t>{2, 3} && request.a.size() == 2 && request.a[1] == 1;
    Reply reply{whole ? request.c : 0, 8};
    place = request.c;
    if (request.trace) reply.places = &place;
    if (request.c == 1013) reply.error = "c is unlucky";
    return reply;
  });
}

// Answers what it holds back in the opposite order, in blocks.
int reorder() {
  assay::Session session({"reorder", {"*"}, false, 8});
  Request request;
  std::vector<std::pair<std::uint64_t, Reply>> held;
  while (session.open() || !held.empty()) {
    if (held.size() < 8 && (held.empty() || session.ready()) && session.next(request)) {
      held.emplace_back(request.id, Reply{request.c, 8});
      continue;
    }
    for (; !held.empty(); held.pop_back()) session.answer(held.back().first, held.back().second);
  }
  return session.finish();
}

// Holds its answers back for as long as the host sends more, and exits with 9 where that is more than the window.
int check_window() {
  constexpr std::size_t window = 4;
  assay::Session session({"window", {"*"}, false, window});
  Request request;
  std::vector<std::uint64_t> held;
  while (session.open() || !held.empty()) {
    pollfd host{STDIN_FILENO, POLLIN, 0};
    if (held.empty() || session.ready() || poll(&host, 1, 20) > 0) {
      if (session.next(request)) held.push_back(request.id);
      if (held.size() > window) return 9;
    } else {
      for (const std::uint64_t id : held) session.answer(id, {1000 + id, 8});
      held.clear();
    }
  }
  return session.finish();
}

// Well behaved, but what it simulates is not: `how` it ends in its `when`th case, with answers that are not sent yet.
int simulate(const std::string& how, int when) {
  assay::Session session({"simulator", {"*"}, false, 64});
  Request request;
  for (int count = 0; session.next(request); ++count) {
    if (count == when && how == "simulated_abort") std::abort();
    if (count == when && how == "simulated_exit") std::exit(3);
    while (count == when && how == "simulated_hang") pause();
    if (count == when && how == "simulated_restart") {
      session.answer(request.id, {0, 0, {}, "It stopped."});
      return session.hand_over();
    }
    session.answer(request.id, {request.c, 8});
  }
  return session.finish();
}

// Badly behaved.

void say(const std::string& line) { std::cout << line << std::endl; }

std::string member(const std::string& line, const std::string& name) {
  const std::size_t start = line.find("\"" + name + "\":") + name.size() + 3;
  return line.substr(start, line.find_first_of(",}", start) - start);
}

std::string good_answer(const std::string& line) {
  return "{\"id\":" + member(line, "id") + ",\"d\":" + member(line, "c") + "}";
}

void hang() {
  for (;;) pause();
}

// What it does instead of answering `line`; "forget" is to do nothing.
void misbehave(const std::string& mode, const std::string& line) {
  const std::string id = member(line, "id");
  if (mode == "crash") {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit of it
    raise(SIGSEGV);
  }
  if (mode == "exit3") std::exit(3);
  if (mode == "exit0") std::exit(0);
  if (mode == "hang") hang();
  if (mode == "deaf") {  // goes away from both pipes, but lives on
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    hang();
  }
  if (mode == "garbage") say("Info: everything is fine");
  if (mode == "endless") {
    const std::string piece(1 << 16, 'x');
    for (;;) std::cout << piece;
  }
  if (mode == "torn") {
    std::cout << R"({"id":)" << id << R"(,"d":"3f)" << std::flush;
    std::exit(0);
  }
  if (mode == "unknown_id") say(R"({"id":1000000,"d":"00000000"})");
  if (mode == "twice") {
    say(good_answer(line));
    say(good_answer(line));
  }
  if (mode == "width") say(R"({"id":)" + id + R"(,"d":"3f80"})");
  if (mode == "width_first") say(R"({"d":"3f80","id":)" + id + "}");
  if (mode == "no_d") say(R"({"id":)" + id + "}");
  if (mode == "error") say(R"({"id":)" + id + R"(,"error":"The unit \"x\" overflowed."})");
  if (mode == "restart") say(R"({"restart":true})");
  if (mode == "end") say(R"({"end":0})");
  if (mode == "bad_place") say(R"({"id":)" + id + R"(,"d":"00000000","trace":{"nowhere[3]":"0"}})");
  if (mode == "bad_bits") say(R"({"id":)" + id + R"(,"d":"00000000","trace":{"encode":"123"}})");
  if (mode == "place_twice")
    say(R"({"id":)" + id + R"(,"d":"00000000","trace":{"encode":"00000000","encode":"00000000"}})");
}

// --- badly behaved in records ---

void put_words(std::initializer_list<std::uint64_t> words) {
  for (const std::uint64_t word : words) std::cout.write(reinterpret_cast<const char*>(&word), sizeof word);
  std::cout.flush();
}
std::uint64_t head(std::uint64_t kind, std::uint64_t words) { return kind | words << 32; }

std::string layout_text(const std::string& mode) {
  if (mode == "records_version") return R"({"version":7})";
  if (mode == "records_codes") return R"({"version":2,"codes":[["a",4],["b",2],["c",1]],"places":[]})";
  const std::string codes = R"({"version":2,"codes":[["a",2],["b",2],["c",1]],"places":[)";
  if (mode == "records_place") return codes + R"(["nowhere[3]",1]]})";
  if (mode == "records_width") return codes + R"(["encode",31]]})";
  if (mode == "records_twice") return codes + R"(["encode",32],["encode",32]]})";
  return codes + R"(["encode",32]]})";
}

// What it writes in place of the answer to request `id`.
void miswrite(const std::string& mode, std::uint64_t id) {
  constexpr std::uint64_t answer = 2, end = 5;
  if (mode == "records_torn") {
    put_words({head(answer, 2), id, 0});
    std::exit(0);
  }
  if (mode == "records_torn_head") {
    put_words({head(answer, 2)});
    std::exit(3);
  }
  if (mode == "records_crash") {
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (mode == "records_hang") hang();
  if (mode == "records_kind") put_words({head(77, 0), id});
  if (mode == "records_endless") put_words({head(answer, 1 << 30), id});
  if (mode == "records_words") put_words({head(answer, 3), id, 0, 0, 0});
  if (mode == "records_no_places") put_words({head(answer, 1), id, 1002});
  if (mode == "records_d") put_words({head(answer, 2), id, std::uint64_t{1} << 32, 0});
  if (mode == "records_bits") put_words({head(answer, 2), id, 0, std::uint64_t{1} << 32});
  if (mode == "records_id") put_words({head(answer, 2), 1000000, 0, 0});
  if (mode == "records_ended") put_words({head(end, 0), 0});
}

int records_by_hand(const std::string& mode, int when) {
  say(R"({"device":"fake","instructions":["*"],"trace":true,"window":4,"records":)" + layout_text(mode) + "}");
  std::string line;
  std::getline(std::cin, line);
  std::uint64_t words[7];  // head and id, a, b and c
  for (int count = 0;; ++count) {
    constexpr std::uint64_t batch = 6;  // how many requests follow
    do {
      std::cin.read(reinterpret_cast<char*>(words), 16);
    } while (std::cin && words[0] == batch);
    const std::uint64_t id = words[1];
    if (words[0] >> 32 == 0) {
      put_words({head(5, 0), mode == "records_miscount" ? id + 1 : id});
      if (mode == "records_after_end") put_words({head(2, 0), id});
      return 0;
    }
    std::cin.read(reinterpret_cast<char*>(words + 2), 40);
    if (count == when) {
      miswrite(mode, id);
    } else {
      put_words({head(2, 2), id, words[6], words[6]});
    }
  }
}

// What it does where it should say {"end":count} and exit with 0; its exit status.
int end(const std::string& mode, int count, bool traced) {
  if (mode == "no_end") return 0;
  if (mode == "hang_at_end") hang();
  say("{\"end\":" + std::to_string(mode == "miscount" ? count + 1 : count) + "}");
  if (mode == "after_end") say("one more thing");
  if (mode == "linger") hang();
  return mode == "exit3_at_end" || (mode == "exit3_untraced" && !traced) ? 3 : 0;
}

int by_hand(const std::string& mode, int when) {
  say(R"({"device":"fake","instructions":["*"],"trace":true,"window":4})");
  std::string line;
  std::getline(std::cin, line);
  const bool traced = line.find("\"trace\":true") != std::string::npos;
  int count = 0;
  while (std::getline(std::cin, line) && line.find("\"end\"") == std::string::npos) {
    if (count++ == when) {
      misbehave(mode, line);
    } else {
      say(good_answer(line));
    }
  }
  return end(mode, count, traced);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const int when = argc > 2 ? std::atoi(argv[2]) : -1;
  if (mode == "echo") return echo({"echo", {"*"}, true, when > 0 ? when : 64});
  if (mode == "records") return echo_records();
  if (mode.rfind("records_", 0) == 0) return records_by_hand(mode, when);
  if (mode == "picky") return echo({"picky", {"hopper:small", "hopper:other"}, false, 4});
  if (mode == "noisy") {  // a library's banner goes to stdout in the middle of the conversation
    return assay::serve({"noisy", {"*"}}, [](const Request& request) {
      std::cout << "some banner" << std::endl;
      return Reply{request.c, 8};
    });
  }
  if (mode == "throws") {
    return assay::serve({"throws", {"*"}}, [](const Request& request) -> Reply {
      if (request.c % 2 == 0) return {request.c, 8};
      throw std::runtime_error("c is odd");
    });
  }
  if (mode == "reorder") return reorder();
  if (mode.rfind("simulated_", 0) == 0) return simulate(mode, when);
  if (mode == "window") return check_window();
  if (mode == "no_greeting") return 5;
  if (mode == "silent") hang();
  if (mode == "wrong_greeting") say("hello");
  if (mode == "wrong_window") say(R"({"device":"fake","instructions":["*"],"trace":false,"window":0})");
  if (mode == "wrong_greeting" || mode == "wrong_window") return 0;
  return by_hand(mode, when);
}
