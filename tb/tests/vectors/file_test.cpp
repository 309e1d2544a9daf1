// Whole vector files: there and back, compressed, cut short, too long, and the ways in which writing one can fail.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>

#include "model/base/descriptor.hpp"
#include "tb/tests/vectors/helpers.hpp"
#include "tb/vectors/reader.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

using testing_vectors::file_bytes;
using testing_vectors::put_file;
using testing_vectors::small_header;
using testing_vectors::small_shape;

Case some_case(std::uint64_t number) {
  Case c;
  c.number = number;
  // Any bits that differ from case to case.
  const std::uint64_t bits = (number + 1) * 0x9e3779b97f4a7c15U;
  c.a = {bits & 0xffff, bits >> 16 & 0xffff};
  c.b = {bits >> 32 & 0xffff, bits >> 48};
  c.c = bits >> 20 & 0xffffffff;
  if (number % 3 != 0) c.d = bits >> 12 & 0xffffffff;
  if (number % 5 == 0) c.extra = "\"tag\":\"t" + std::to_string(number) + "\"";
  return c;
}

void write_cases(const std::string& path, std::uint64_t count) {
  VectorWriter writer(path, parse_header(small_header), small_shape());
  for (std::uint64_t i = 0; i < count; ++i) writer.write(some_case(i));
  writer.finish();
}

// Reads all and compares with what write_cases wrote; how many there were.
std::uint64_t read_cases(const std::string& path) {
  VectorReader reader(path);
  Case c;
  std::uint64_t count = 0;
  for (; reader.next(small_shape(), c); ++count) {
    const Case expected = some_case(count);
    EXPECT_EQ(c.number, count);
    EXPECT_EQ(reader.line(), count + 2);
    EXPECT_EQ(c.a, expected.a);
    EXPECT_EQ(c.b, expected.b);
    EXPECT_EQ(c.c, expected.c);
    EXPECT_EQ(c.d, expected.d);
    EXPECT_EQ(c.extra, expected.extra);
  }
  return count;
}

Error error_of(const std::string& path) {
  try {
    VectorReader reader(path);
    Case c;
    while (reader.next(small_shape(), c)) {
    }
  } catch (const Error& error) {
    return error;
  }
  return {"no error"};
}

const std::string zero_case = R"({"a":["0000","0000"],"b":["0000","0000"],"c":"00000000"})";

class Compressed : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Names, Compressed, ::testing::Values("v.jsonl", "v.jsonl.gz", "v.jsonl.zst"));

TEST_P(Compressed, GoesThereAndBack) {
  const Scratch folder;
  for (const std::uint64_t count : {0U, 1U, 20000U}) {
    write_cases(folder / GetParam(), count);
    EXPECT_EQ(read_cases(folder / GetParam()), count);
  }
  EXPECT_EQ(folder.files(), 1U);
}

TEST_P(Compressed, IsKnownByItsBytesAndNotItsName) {
  const Scratch folder;
  write_cases(folder / GetParam(), 100);
  std::filesystem::rename(folder / GetParam(), folder / "other");
  EXPECT_EQ(read_cases(folder / "other"), 100U);
}

TEST_P(Compressed, MayComeInOnStandardInput) {
  const Scratch folder;
  write_cases(folder / GetParam(), 5000);
  const int kept = dup(STDIN_FILENO);
  const int file = open((folder / GetParam()).c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  dup2(file, STDIN_FILENO);
  EXPECT_EQ(read_cases("-"), 5000U);
  dup2(kept, STDIN_FILENO);
  close(kept);
  close(file);
}

TEST(VectorFile, NamesStandardInputInMessages) {
  const Scratch folder;
  put_file(folder / "x", "hello\n");
  const int kept = dup(STDIN_FILENO);
  const int file = open((folder / "x").c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  dup2(file, STDIN_FILENO);
  EXPECT_EQ(error_of("-").message, "standard input, line 1: byte 1 is 'h', but '{' should stand there.");
  dup2(kept, STDIN_FILENO);
  close(kept);
  close(file);
}

TEST(VectorFile, TruncatedCompressionIsAnErrorWhereverItIsCut) {
  const Scratch folder;
  for (const std::string name : {"v.gz", "v.zst"}) {
    write_cases(folder / name, 3000);
    const std::string whole = file_bytes(folder / name);
    const std::string kind = name == "v.gz" ? "gzip" : "zstd";
    for (const std::size_t cut : {std::size_t{1}, std::size_t{4}, whole.size() / 2, whole.size() - 5}) {
      put_file(folder / "cut", whole.substr(0, whole.size() - cut));
      EXPECT_EQ(error_of(folder / "cut").message,
                folder / "cut" + " is cut short: its " + kind + " stream does not end.")
          << cut;
    }
  }
}

TEST(VectorFile, DamagedCompressionIsAnError) {
  const Scratch folder;
  for (const std::string name : {"v.gz", "v.zst"}) {
    write_cases(folder / name, 3000);
    std::string bytes = file_bytes(folder / name);
    const auto middle = static_cast<std::ptrdiff_t>(bytes.size() / 2);
    std::fill(bytes.begin() + middle, bytes.begin() + middle + 64, '\x55');
    put_file(folder / name, bytes);
    EXPECT_NE(error_of(folder / name).message, "no error");
  }
  put_file(folder / "bad.gz", "\x1f\x8b\x08garbage that is no deflate stream at all");
  EXPECT_EQ(error_of(folder / "bad.gz").message.find(folder / "bad.gz" + " is damaged: its gzip stream"), 0U);
  put_file(folder / "bad.zst", "\x28\xb5\x2f\xfdgarbage that is no zstd frame");
  EXPECT_EQ(error_of(folder / "bad.zst").message.find(folder / "bad.zst" + " is damaged: its zstd stream"), 0U);
}

TEST(VectorFile, CompressedPiecesMayBeJoined) {
  const Scratch folder;
  for (const std::string name : {"v.gz", "v.zst"}) {
    write_cases(folder / name, 1);
    // The second piece: the same line once more, compressed by a writer whose header is cut away by hand.
    ByteSource source = open_source(folder / name);
    std::string plain(4096, '\0');
    plain.resize(source(plain.data(), plain.size()));
    const std::size_t newline = plain.find('\n');
    const int file = open((folder / "second").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ASSERT_GE(file, 0);
    const ByteSink sink = compressed(descriptor_sink(file, "second"), compression_of(name), "second");
    sink(std::string_view(plain).substr(newline + 1), true);
    close(file);
    put_file(folder / "joined", file_bytes(folder / name) + file_bytes(folder / "second"));
    VectorReader reader(folder / "joined");
    Case c;
    EXPECT_TRUE(reader.next(small_shape(), c));
    EXPECT_TRUE(reader.next(small_shape(), c));
    EXPECT_EQ(c.a, some_case(0).a);
    EXPECT_FALSE(reader.next(small_shape(), c));
  }
}

TEST(VectorFile, NamesACompressionThatIsNotRead) {
  const Scratch folder;
  const std::pair<const char*, std::string> others[] = {
      {"xz", "\xfd\x37\x7a\x58"}, {"bzip2", "BZh9"}, {"zip", "\x50\x4b\x03\x04"}, {"lz4", "\x04\x22\x4d\x18"}};
  for (const auto& [name, magic] : others) {
    put_file(folder / "v.gz", magic + "whatever follows");
    EXPECT_EQ(error_of(folder / "v.gz").message,
              folder / "v.gz" + " is compressed with " + name + "; what is read is plain text, gzip and zstd.");
  }
}

// What a name promises is not what counts.
TEST(VectorFile, MayBePlainUnderACompressedName) {
  const Scratch folder;
  put_file(folder / "v.gz", std::string(small_header) + "\n" + zero_case + "\n");
  EXPECT_EQ(error_of(folder / "v.gz").message, "no error");
}

TEST(VectorFile, SaysWhatCannotBeOpened) {
  const Scratch folder;
  EXPECT_EQ(error_of(folder / "none").message, folder / "none" + " cannot be opened: No such file or directory.");
  EXPECT_EQ(error_of(folder / "").message, folder / "" + " cannot be read: Is a directory.");
  put_file(folder / "empty", "");
  EXPECT_EQ(error_of(folder / "empty").message,
            folder / "empty" + " is empty; a vector file begins with a header, {\"assay\":1,...}.");
}

TEST(VectorFile, NamesAByteOrderMark) {
  const Scratch folder;
  for (const std::string mark : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}) {
    put_file(folder / "marked", mark + std::string(small_header) + "\n" + zero_case + "\n");
    EXPECT_EQ(error_of(folder / "marked").message,
              folder / "marked" +
                  ", line 1: the file begins with a byte order mark; save it as UTF-8 without one, "
                  "since a vector file begins with '{'.");
  }
}

// A thousand short lines, filled up to a million terms each, would take 16 GiB at once.
TEST(VectorFile, ComesInBatchesThatFitMemory) {
  const Scratch folder;
  std::string text = std::string(small_header) + "\n";
  for (int i = 0; i < 5; ++i)
    text += R"({"a":["3c00"],"b":["3c00"],"c":"00000000"})"
            "\n";
  put_file(folder / "v.jsonl", text);
  VectorReader reader(folder / "v.jsonl");
  CaseShape shape = small_shape();
  shape.pad = true;
  shape.k = 1 << 20;
  std::vector<std::size_t> batches;
  for (std::vector<Case> cases; reader.next(shape, 1024, cases);) batches.push_back(cases.size());
  EXPECT_EQ(batches, (std::vector<std::size_t>{2, 2, 1}));
}

TEST(VectorFile, ErrorsNameFileAndLine) {
  const Scratch folder;
  put_file(folder / "v", std::string(small_header) + "\n" + zero_case + "\n\n" + R"({"a":["3c"]})" + "\n");
  const Error error = error_of(folder / "v");
  EXPECT_EQ(error.message, folder / "v" + ", line 4: a[0] is \"3c\", 2 digits: it takes exactly 4 digits (16 bits).");
  put_file(folder / "h", "{\"assay\":3}\n");
  EXPECT_EQ(error_of(folder / "h").message,
            folder / "h" + ", line 1: assay is '3', a version this program does not know; it reads version 1.");
}

TEST(VectorFile, LastLineMayLackItsNewlineButNotItsEnd) {
  const Scratch folder;
  const std::string start = std::string(small_header) + "\r\n" + zero_case + "\r\n";
  put_file(folder / "whole", start + zero_case);
  EXPECT_EQ(error_of(folder / "whole").message, "no error");
  put_file(folder / "cut", start + zero_case.substr(0, 20));
  EXPECT_EQ(error_of(folder / "cut").message,
            folder / "cut" + ", line 3: the line is cut short at byte 21 where ',' or '}' should stand there.");
}

TEST(VectorFile, ChecksTheCountItWasPromised) {
  const Scratch folder;
  const std::string header = R"({"assay":1,"architecture":"hopper","instruction":"x","cases":2})";
  const auto with = [&](int count) {
    std::string text = header + "\n";
    for (int i = 0; i < count; ++i) text += zero_case + "\n";
    put_file(folder / "v", text);
    return error_of(folder / "v").message;
  };
  EXPECT_EQ(with(2), "no error");
  EXPECT_EQ(with(1), folder / "v" + ", line 1: the header promises 2 cases, but the file holds 1.");
  EXPECT_EQ(with(3), folder / "v" + ", line 1: the header promises 2 cases, but the file holds 3.");
}

TEST(VectorFile, RefusesAnEndlessLineWithoutReadingItAll) {
  // A device that never ends: were it read whole, this test would not end either.
  EXPECT_EQ(error_of("/dev/zero").message,
            "/dev/zero, line 1: the line is longer than 1048576 bytes, the most that is read of one line here.");
  const Scratch folder;
  std::string line = zero_case;
  line.insert(1, std::string(small_shape().longest_line(), ' '));
  put_file(folder / "v", std::string(small_header) + "\n" + line + "\n");
  EXPECT_EQ(error_of(folder / "v").message.find(folder / "v" + ", line 2: the line is longer than 16777216 bytes"), 0U);
}

TEST(VectorFile, ItsLongestLineGrowsWithK) {
  CaseShape shape = small_shape();
  EXPECT_EQ(shape.longest_line(), std::size_t{1} << 24);
  shape.k = 1 << 20;
  EXPECT_EQ(shape.longest_line(), std::size_t{1} << 27);
  shape.k = 1 << 17;
  Case c;
  c.a.assign(static_cast<std::size_t>(shape.k), 0x3c00);
  c.b = c.a;
  const Scratch folder;
  {
    VectorWriter writer(folder / "v", parse_header(small_header), shape);
    writer.write(c);
    writer.finish();
  }
  VectorReader reader(folder / "v");
  Case again;
  ASSERT_TRUE(reader.next(shape, again));
  EXPECT_EQ(again.a, c.a);
}

TEST(VectorWriter, ShowsNothingUnderTheNameUntilFinished) {
  const Scratch folder;
  put_file(folder / "v", "what was there before");
  {
    VectorWriter writer(folder / "v", parse_header(small_header), small_shape());
    for (std::uint64_t i = 0; i < 20000; ++i) writer.write(some_case(i));
    EXPECT_EQ(file_bytes(folder / "v"), "what was there before");
    EXPECT_EQ(folder.files(), 2U);
    writer.finish();
    EXPECT_EQ(folder.files(), 1U);
  }
  EXPECT_EQ(read_cases(folder / "v"), 20000U);
}

TEST(VectorWriter, LeavesNothingWhenAbandoned) {
  const Scratch folder;
  { VectorWriter writer(folder / "v", parse_header(small_header), small_shape()); }
  EXPECT_EQ(folder.files(), 0U);
}

TEST(VectorWriter, ReplacesWhatALinkPointsTo) {
  const Scratch folder;
  put_file(folder / "real", "old");
  std::filesystem::create_symlink(folder / "real", folder / "link");
  write_cases(folder / "link", 3);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_cases(folder / "real"), 3U);
}

// A pipe of the test's own, and no device of the machine's: a writer that broke this rule would replace it.
TEST(VectorWriter, WritesIntoAPipeInPlace) {
  const Scratch folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int reader = open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_cases(folder / "pipe", 3);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_EQ(folder.files(), 1U);
  std::string bytes(1 << 16, '\0');
  const ssize_t n = read(reader, bytes.data(), bytes.size());
  close(reader);
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  put_file(folder / "v", bytes);
  EXPECT_EQ(read_cases(folder / "v"), 3U);
}

std::string write_error(const std::string& path, std::uint64_t count) {
  try {
    write_cases(path, count);
  } catch (const Error& error) {
    return error.message;
  }
  return "no error";
}

// As standard output, for a file by name would be renamed into place.
TEST(VectorWriter, SaysWhenTheDiskIsFull) {
  for (const std::uint64_t count : {1U, 20000U}) {
    std::fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int full = open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    dup2(full, STDOUT_FILENO);
    const std::string message = write_error("-", count);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(full);
    EXPECT_EQ(message, "standard output cannot be written: No space left on device.");
  }
}

TEST(VectorWriterDeathTest, LeavesNothingWhenTheFileCannotGrow) {
  const Scratch folder;
  const auto fill = [&] {
    const rlimit small{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &small);
    const bool said = write_error(folder / "v", 20000) == folder / "v" + " cannot be written: File too large.";
    exit(said && folder.files() == 0 ? 0 : 1);
  };
  EXPECT_EXIT(fill(), ::testing::ExitedWithCode(0), "");
}

TEST(VectorWriter, SaysWhenThePipeBreaks) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string path = "/proc/self/fd/" + std::to_string(ends[1]);
  VectorWriter writer(path, parse_header(small_header), small_shape());
  close(ends[0]);
  std::string message = "no error";
  try {
    writer.write(some_case(0));
    writer.finish();
  } catch (const Error& error) {
    message = error.message;
  }
  EXPECT_EQ(message, path + " cannot be written: Broken pipe.");
  close(ends[1]);
}

TEST(VectorWriter, SaysWhereItCannotWrite) {
  const Scratch folder;
  EXPECT_EQ(write_error(folder / "none/v", 1), folder / "none/v" + " cannot be written: No such file or directory.");
  std::filesystem::create_directory(folder / "folder");
  EXPECT_EQ(write_error(folder / "folder", 1), folder / "folder" + " cannot be written: it is a directory.");
}

TEST(VectorWriter, KeepsThePromiseOfItsHeader) {
  const Scratch folder;
  VectorHeader header = parse_header(small_header);
  header.cases = 2;
  VectorWriter writer(folder / "v", header, small_shape());
  writer.write(some_case(0));
  try {
    writer.finish();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, folder / "v" + " was not written: its header promises 2 cases, but 1 came.");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "v"));
}

TEST(WriteQuietly, LeavesTheSignalToOthers) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write_quietly(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  close(ends[1]);
  sigset_t set;
  sigpending(&set);
  EXPECT_EQ(sigismember(&set, SIGPIPE), 0);
  pthread_sigmask(SIG_BLOCK, nullptr, &set);
  EXPECT_EQ(sigismember(&set, SIGPIPE), 0);
}

}  // namespace
}  // namespace assay
