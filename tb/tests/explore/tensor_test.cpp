// Tensors of files: what is read, and what a file may claim that is not so.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cmath>

#include "tb/explore/reals.hpp"
#include "tb/explore/tensor.hpp"
#include "tb/explore/tensor_file.hpp"
#include "tb/tests/explore/make.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(i < 8 ? value >> (8 * i) & 0xff : 0);
  return text;
}

// --- files to read ---

std::string with_header(const std::string& header, const std::string& data) {
  return little(header.size(), 8) + header + data;
}

std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& place) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + shape + "],\"data_offsets\":[" + place + "]}";
}

// a: 2 x 3 f32 of 1..6; b: 3 x 1 f16 of 1, 2, 4; bad: a NaN.
std::string safetensors() {
  std::string data;
  for (const std::uint32_t x : {0x3f800000u, 0x40000000u, 0x40400000u, 0x40800000u, 0x40a00000u, 0x40c00000u})
    data += little(x, 4);
  for (const std::uint32_t x : {0x3c00u, 0x4000u, 0x4400u, 0x3c00u, 0x7e00u, 0x3c00u}) data += little(x, 2);
  return with_header("{\"__metadata__\":{\"format\":\"pt\"}," + tensor("a", "F32", "2,3", "0,24") + "," +
                         tensor("b", "F16", "3,1", "24,30") + "," + tensor("bad", "F16", "3,1", "30,36") + "," +
                         tensor("whole", "I32", "1,1", "36,40") + "} ",
                     data + little(1, 4));
}

// Two rows of two f32 each, a and b, with these lines of the header for them.
std::string two_tensors(const std::string& a, const std::string& b) {
  std::string data;
  for (int i = 0; i < 8; ++i) data += little(0x3f800000, 4);
  return with_header("{" + a + "," + b + "}", data);
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& data) {
  const std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + little(header.size(), 2) + header + data;
}

std::string deflated(const std::string& text) {
  z_stream s{};
  deflateInit2(&s, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 100, '\0');
  s.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  s.avail_in = static_cast<uInt>(text.size());
  s.next_out = reinterpret_cast<Bytef*>(out.data());
  s.avail_out = static_cast<uInt>(out.size());
  deflate(&s, Z_FINISH);
  out.resize(s.total_out);
  deflateEnd(&s);
  return out;
}

// One file of an archive, and what the directory says of it.
struct Zipped {
  std::string name, stored;
  std::uint64_t method = 0, crc = 0, bytes = 0, flags = 0;
};

std::uint64_t crc_of(const std::string& text) {
  return crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
}

Zipped stored(const std::string& name, const std::string& text) { return {name, text, 0, crc_of(text), text.size()}; }
Zipped packed(const std::string& name, const std::string& text) {
  return {name, deflated(text), 8, crc_of(text), text.size()};
}

std::string zip(const std::vector<Zipped>& files, const std::string& comment = "") {
  std::string archive, directory;
  for (const Zipped& f : files) {
    const std::string description = little(f.flags, 2) + little(f.method, 2) + little(0, 4) + little(f.crc, 4) +
                                    little(f.stored.size(), 4) + little(f.bytes, 4) + little(f.name.size(), 2) +
                                    little(0, 2);
    directory += "PK\x01\x02" + little(0, 4) + description + little(0, 10) + little(archive.size(), 4) + f.name;
    archive += "PK\x03\x04" + little(0, 2) + description + f.name + f.stored;
  }
  return archive + directory + "PK\x05\x06" + little(0, 4) + little(files.size(), 2) + little(files.size(), 2) +
         little(directory.size(), 4) + little(archive.size(), 4) + little(comment.size(), 2) + comment;
}

const std::string npy_a = npy("<f8", "(1, 2)", little(0x3ff0000000000000, 8) + little(0x4000000000000000, 8));
const std::string npy_b = npy("<f4", "(2, 1)", little(0x40400000, 4) + little(0x40800000, 4));

std::string npz() { return zip({stored("a.npy", npy_a), packed("b.npy", npy_b)}); }

class Tensors : public testing::Test {
 protected:
  StudyInput named(const std::string& file, const std::string& a, const std::string& b) const {
    StudyInput i;
    i.family = InputFamily::tensor;
    i.file = file;
    i.a_name = a;
    i.b_name = b;
    return i;
  }

  std::string refused(const StudyInput& i, const ProductShape& shape = {1, 1, 2}) const {
    try {
      read_tensors(i, {shape});
    } catch (const Error& e) {
      return e.message.substr(std::min(e.message.size(), i.file.size() + 2));
    }
    return "not refused";
  }

  // Of a file of these bytes, with tensors a and b.
  std::string refused(const std::string& bytes) const { return refused(named(scratch_.file("x", bytes), "a", "b")); }

  const Scratch scratch_;
};

TEST_F(Tensors, OfSafetensorsAreRead) {
  const std::string file = scratch_.file("x.safetensors", safetensors());
  const TensorPair pair = read_tensors(named(file, "a", "b"), {{2, 1, 3}});
  EXPECT_EQ(pair.a.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(pair.b.rows, 1);
  EXPECT_EQ(pair.b.values, (std::vector<double>{1, 2, 4}));
  const Reals r = reals_of(named(file, "a", "b"), {1, 0}, {2, 1, 3}, 0, &pair);
  EXPECT_EQ(r.a, pair.a.values);
  EXPECT_EQ(r.b, pair.b.values);
}

// A length of 0x4b50 is written as P and K.
TEST_F(Tensors, OfAHeaderWhoseLengthLooksLikeAnArchiveAreRead) {
  std::string header = "{" + tensor("a", "F32", "1,1", "0,4") + "," + tensor("b", "F32", "1,1", "4,8") + "}";
  header.resize(0x4b50, ' ');
  const std::string file = with_header(header, little(0x3f800000, 4) + little(0x40000000, 4));
  ASSERT_EQ(file.substr(0, 2), "PK");
  EXPECT_EQ(read_tensors(named(scratch_.file("x", file), "a", "b"), {{1, 1, 1}}).b.values, std::vector<double>{2});
}

TEST_F(Tensors, OfNumpyAreReadStoredAndPacked) {
  for (const std::string& archive : {npz(), zip({stored("a.npy", npy_a), packed("b.npy", npy_b)}, "a comment")}) {
    const TensorPair pair = read_tensors(named(scratch_.file("x.npz", archive), "a", "b"), {{1, 1, 2}});
    EXPECT_EQ(pair.a.values, (std::vector<double>{1, 2}));
    EXPECT_EQ(pair.b.values, (std::vector<double>{3, 4}));
  }
}

// Which NumPy 2.4 wrote, as savez and as savez_compressed: its zip is not the one of these tests.
TEST_F(Tensors, ThatNumpyWroteAreRead) {
  for (const char* name : {"numpy", "numpy_packed"}) {
    const std::string file = source_dir() + "/tb/fuzz/corpus/containers/" + name;
    const TensorPair pair = read_tensors(named(file, "a", "b"), {{2, 2, 3}});
    EXPECT_EQ(pair.a.values, (std::vector<double>{1, 2, 3, 4, 5, 6})) << name;
    EXPECT_EQ(pair.b.values, (std::vector<double>{-0.5, 0.25, 8, 0.125, -2, 1})) << name;  // transposed: n x k
  }
}

// More bytes than are read at once, in elements that lie across the pieces.
TEST_F(Tensors, OfManyElementsAreRead) {
  std::string data;
  for (std::uint64_t i = 0; i < 30'000; ++i) data += little(0x3ff0000000000000 + i, 8);
  const std::string array = npy("<f8", "(3, 10000)", data);
  const StudyInput input =
      named(scratch_.file("x.npz", zip({packed("a.npy", array), stored("b.npy", array)})), "a", "b");
  StudyInput transposed = input;
  transposed.b_transposed = true;
  const TensorPair pair = read_tensors(transposed, {{3, 3, 10'000}});
  ASSERT_EQ(pair.a.values.size(), 30'000U);
  EXPECT_EQ(pair.a.values, pair.b.values);
  for (std::size_t i = 0; i < 30'000; ++i)
    ASSERT_EQ(pair.a.values[i], 1 + std::ldexp(static_cast<double>(i), -52)) << i;
}

TEST_F(Tensors, ThatCannotBeAreRefused) {
  const std::string file = scratch_.file("x.safetensors", safetensors()), archive = scratch_.file("x.npz", npz());
  EXPECT_EQ(refused(named(file, "aa", "b")),
            "There is no tensor 'aa' in this file; there are a, b, bad, whole; did you mean 'a'?");
  EXPECT_EQ(refused(named(archive, "a", "c")),
            "There is no tensor 'c' in this file; there are a, b; did you mean 'a'?");
  EXPECT_EQ(refused(named(file, "a", "whole")),
            "The tensor 'whole' has elements of type 'I32'; floats of 8, 16, 32 or 64 bits can be read.");
  EXPECT_EQ(refused(named(file, "a", "bad")), "Element 1 of 'bad' is no finite number.");
  EXPECT_EQ(refused(named(file, "a", "b"), {2, 1, 4}),
            "The shape 2 x 1 x 4 is larger than what 'a' and 'b' make: 2 x 1 x 3.");
  EXPECT_EQ(refused(named(file, "a", "a")),
            "'a' is 2 x 3 and 'a' has 2 along K; `b_transposed` says that b is stored n x k.");
  EXPECT_EQ(refused(safetensors().substr(0, 20)), "This file ends too early.");
  EXPECT_EQ(refused("PK\x03\x04 nothing"), "This is no .npz archive: its directory is missing.");
  EXPECT_EQ(refused(with_header("[]", "")), "This file has no header of safetensors.");
  const std::string odd = refused(
      two_tensors(tensor("\\u001b[2J", "F32", "2,2", "0,16"), tensor(std::string(1000, 'n'), "F32", "2,2", "16,32")));
  EXPECT_EQ(odd, "There is no tensor 'a' in this file; there are \\x1b[2J, " + std::string(60, 'n') + "....");
  EXPECT_EQ(refused(with_header("{}", "")), "There is no tensor 'a' in this file, and no other one.");
}

TEST_F(Tensors, AreOfOrdinaryFiles) {
  const std::string loop = scratch_ / "loop", pipe = scratch_ / "pipe";
  std::filesystem::create_symlink("loop", loop);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string begin = "This file of tensors cannot be read: ";
  EXPECT_EQ(refused(named(scratch_ / "none.npz", "a", "b")), begin + "there is no such file.");
  EXPECT_EQ(refused(named(loop, "a", "b")), begin + "Too many levels of symbolic links.");
  EXPECT_EQ(refused(named(scratch_ / "", "a", "b")), begin + "it is a folder.");
  EXPECT_EQ(refused(named(pipe, "a", "b")), begin + "it is a pipe.");
  EXPECT_EQ(refused(named("/dev/zero", "a", "b")), begin + "it is a device of the system's.");
}

TEST_F(Tensors, OfAFileThatBecomesShorterWhileItIsReadAreRefused) {
  const std::string path = scratch_.file("x.npz", npz());
  const TensorFile file(path);
  const RawTensor raw = npz_tensor(file, "a");
  std::filesystem::resize_file(path, 40);
  std::string bytes(100, '\0');
  try {
    raw.elements(bytes.data(), bytes.size());
    FAIL() << "The elements are gone, and nothing is said.";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, path + ": This file ends too early.");
  }
}

// --- archives that are not what they say ---

// 352 bytes once took 4 GiB: only what is really there may take memory.
TEST_F(Tensors, TakeNoMemoryForWhatIsNotThere) {
  const std::string all = npy("<f8", "(16384, 16384)", std::string(64, '\0'));
  const std::uint64_t promised = all.size() - 64 + (std::uint64_t{1} << 31);
  Zipped claim = packed("a.npy", all);
  claim.bytes = promised;
  EXPECT_EQ(refused(zip({claim, packed("b.npy", npy_b)})),
            "The array 'a.npy' of this archive is damaged: it is not as long as the directory says.");
  claim = stored("a.npy", all);
  claim.bytes = promised;
  EXPECT_EQ(refused(zip({claim, packed("b.npy", npy_b)})),
            "The array 'a.npy' is packed in a way that NumPy does not use.");
  const std::string more = npy("<f8", "(16777216, 16777216)", "");
  EXPECT_EQ(refused(zip({stored("a.npy", more), stored("b.npy", npy_b)})),
            "The tensor 'a' is 16777216 x 16777216; at most 268435456 elements are read.");
  EXPECT_EQ(refused(zip({stored("a.npy", npy("<f8", "(99999999999999999999, 2)", "")), stored("b.npy", npy_b)})),
            "The array 'a' has a shape that cannot be read: '99999999999999999999, 2'.");
}

TEST_F(Tensors, AreHeldToTheArchivesChecksums) {
  const std::string damaged =
      "The array 'a.npy' of this archive is damaged: its CRC-32 is not what the directory says.";
  for (Zipped a : {stored("a.npy", npy_a), packed("a.npy", npy_a)}) {
    a.crc ^= 1;
    EXPECT_EQ(refused(zip({a, packed("b.npy", npy_b)})), damaged);
  }
  Zipped changed = stored("a.npy", npy_a);
  changed.stored.back() = 'A';
  EXPECT_EQ(refused(zip({changed, packed("b.npy", npy_b)})), damaged);
}

TEST_F(Tensors, AreHeldToTheLengthsTheArchiveSays) {
  for (const int more : {-8, 8}) {
    Zipped a = packed("a.npy", npy_a);
    a.bytes = static_cast<std::uint64_t>(static_cast<int>(a.bytes) + more);
    EXPECT_EQ(refused(zip({a, packed("b.npy", npy_b)})), "The tensor 'a' is not as long as its shape says.");
  }
  Zipped cut = packed("a.npy", npy_a);
  cut.stored.resize(cut.stored.size() - 3);
  EXPECT_EQ(refused(zip({cut, packed("b.npy", npy_b)})), "The array 'a.npy' of this archive is damaged.");
  cut = packed("a.npy", npy_a);
  cut.stored += "more";
  EXPECT_EQ(refused(zip({cut, packed("b.npy", npy_b)})), "The array 'a.npy' of this archive is damaged.");
  cut.stored = "not deflated";
  EXPECT_EQ(refused(zip({cut, packed("b.npy", npy_b)})), "The array 'a.npy' of this archive is damaged.");
}

TEST_F(Tensors, AreNotReadFromADamagedArchive) {
  const auto changed = [](std::size_t from_end, std::uint64_t value, int bytes) {
    std::string archive = npz();
    return archive.replace(archive.size() - from_end, static_cast<std::size_t>(bytes), little(value, bytes));
  };
  EXPECT_EQ(refused(changed(6, 0x7fffffff, 4)), "This archive is damaged: its directory does not lie within it.");
  EXPECT_EQ(refused(changed(6, 0xffffffff, 4)), "This archive is larger than 4 GiB, which is not read here.");
  EXPECT_EQ(refused(changed(12, 3, 2)), "This archive is damaged: its directory has fewer arrays than it says.");
  EXPECT_EQ(refused(changed(6, 3, 4)), "This archive is damaged: its directory has fewer arrays than it says.");
  EXPECT_EQ(refused(npz().substr(0, npz().size() - 1)), "This is no .npz archive: its directory is missing.");
  EXPECT_EQ(refused(zip({stored("a.npy", npy_a), stored("a.npy", npy_b)})),
            "This archive has two files called 'a.npy'.");
  std::string moved = npz();
  moved[0] = 'p', moved[1] = 'k';
  EXPECT_EQ(refused(moved), "This file ends too early.");
  moved = npz();
  moved[moved.find("PK\x01\x02") + 42] = 1;
  EXPECT_EQ(refused(moved), "This archive is damaged: 'a.npy' is not where the directory says.");
  Zipped locked = stored("a.npy", npy_a);
  locked.flags = 1;
  EXPECT_EQ(refused(zip({locked})), "The array 'a.npy' is packed in a way that NumPy does not use.");
  locked = stored("a.npy", npy_a);
  locked.method = 14;
  EXPECT_EQ(refused(zip({locked})), "The array 'a.npy' is packed in a way that NumPy does not use.");
}

TEST_F(Tensors, HaveNumpysHeader) {
  const auto says = [&](const std::string& array) {
    return refused(zip({stored("a.npy", array), stored("b.npy", npy_b)}));
  };
  const std::string none = "The array 'a' has no header of NumPy's.";
  EXPECT_EQ(says(""), none);
  EXPECT_EQ(says("not NumPy's at all"), none);
  EXPECT_EQ(says(npy_a.substr(0, 20)), none);
  EXPECT_EQ(says(std::string("\x93NUMPY\x04\x00", 8) + npy_a.substr(8)), none);
  EXPECT_EQ(says(std::string("\x93NUMPY\x02\x00", 8) + little(0xffffffff, 4) + npy_a.substr(10)),
            "The array 'a' has a header of more than 64 KiB.");
  EXPECT_EQ(says(npy(">f8", "(1, 2)", std::string(16, '\0'))),
            "The tensor 'a' has elements of type '>f8'; floats of 8, 16, 32 or 64 bits can be read.");
  for (const std::string shape : {"-1, 2", "1 2, 1", "1.5, 2", ",", ",2", "1,,2", "x"}) {
    EXPECT_EQ(says(npy("<f8", "(" + shape + ")", std::string(16, '\0'))),
              "The array 'a' has a shape that cannot be read: '" + shape + "'.");
  }
  EXPECT_EQ(says(npy("<f8", "()", std::string(8, '\0'))),
            "The tensor 'a' has 0 dimensions or an odd size; a matrix is needed.");
  EXPECT_EQ(says(npy("<f8", "(2,)", std::string(16, '\0'))),
            "The tensor 'a' has 1 dimensions or an odd size; a matrix is needed.");
}

// --- headers of safetensors that are not what they say ---

TEST_F(Tensors, FillTheirFileWithoutOverlapOrGap) {
  const auto a = [](const std::string& place) { return tensor("a", "F32", "2,2", place); };
  const auto b = [](const std::string& place) { return tensor("b", "F32", "2,2", place); };
  EXPECT_EQ(refused(two_tensors(a("0,16"), b("16,32"))), "not refused");
  EXPECT_EQ(refused(two_tensors(a("16,32"), b("0,16"))), "not refused");
  EXPECT_EQ(refused(two_tensors(a("0,16"), b("0,16"))), "The tensors 'a' and 'b' overlap.");
  EXPECT_EQ(refused(two_tensors(a("0,16"), b("12,28"))), "The tensors 'a' and 'b' overlap.");
  EXPECT_EQ(refused(two_tensors(a("0,16"), tensor("b", "F32", "2,1", "16,24"))),
            "The bytes 24 to 31 of the data are of no tensor.");
  EXPECT_EQ(refused(two_tensors(tensor("a", "F32", "2,1", "0,8"), b("16,32"))),
            "The bytes 8 to 15 of the data are of no tensor.");
  EXPECT_EQ(refused(two_tensors(a("0,16"), b("20,36"))),
            "This file ends too early: the tensor 'b' goes on to byte 36 of 32.");
  EXPECT_EQ(refused(two_tensors(a("0,16"), tensor("b", "F32", "2,4", "16,48"))),
            "This file ends too early: the tensor 'b' goes on to byte 48 of 32.");
  EXPECT_EQ(refused(two_tensors(a("0,16"), b("32,16"))), "The tensor 'b' ends before it begins.");
}

TEST_F(Tensors, AreAsLongAsTheirShapesSay) {
  const std::string b = tensor("b", "F32", "2,2", "16,32");
  for (const std::string shape : {"2,1", "2,2,2", "", "4294967296,4294967296", "0,2"})
    EXPECT_EQ(refused(two_tensors(tensor("a", "F32", shape, "0,16"), b)),
              "The tensor 'a' is not as long as its shape says.")
        << shape;
}

TEST_F(Tensors, AreDescribedByWholeNumbers) {
  const std::string b = tensor("b", "F32", "2,2", "16,32"),
                    wrong = "The tensor 'a' is not described as safetensors are.";
  for (const std::string number : {"-1", "0.5", "1e3", "\"0\"", "true", "null", "18446744073709551616", "[0]"}) {
    EXPECT_EQ(refused(two_tensors(tensor("a", "F32", "2,2", number + ",16"), b)), wrong) << number;
    EXPECT_EQ(refused(two_tensors(tensor("a", "F32", "2," + number, "0,16"), b)), wrong) << number;
  }
  EXPECT_EQ(refused(two_tensors(tensor("a", "F32", "2,2", "0,16,16"), b)), wrong);
  EXPECT_EQ(refused(two_tensors("\"a\":[]", b)), wrong);
  EXPECT_EQ(refused(two_tensors("\"a\":{\"dtype\":4,\"shape\":[2,2],\"data_offsets\":[0,16]}", b)), wrong);
}

TEST_F(Tensors, HaveAHeaderThatSaysEachThingOnce) {
  const std::string a = tensor("a", "F32", "2,2", "0,16");
  EXPECT_EQ(refused(two_tensors(a, a)), "The header of this file has 'a' twice.");
  EXPECT_EQ(refused(two_tensors("\"b\":{\"dtype\":\"F32\",\"dtype\":\"F16\"}", a)),
            "The header of this file has 'dtype' twice.");
  EXPECT_EQ(refused(little(~std::uint64_t{0}, 8) + "{}"), "This file ends too early.");
  EXPECT_EQ(refused(with_header(std::string((16 << 20) + 1, ' '), "")),
            "The header of this file is longer than 16 MiB, which is not read here.");
  EXPECT_EQ(refused(with_header(" {}", "")), "This file has no header of safetensors.");
  EXPECT_EQ(refused(with_header("{\"\xff\":1}", "")), "This file has no header of safetensors.");
  EXPECT_EQ(refused(with_header("", "")), "This file has no header of safetensors.");
}

}  // namespace
}  // namespace assay
