// Whole-matrix cases: what is read, written and refused, and the elements they are taken apart into.
#include "tb/vectors/matrix_line.hpp"

#include <gtest/gtest.h>

#include "tb/tests/vectors/helpers.hpp"
#include "tb/vectors/reader.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

using testing_vectors::file_bytes;
using testing_vectors::put_file;
using testing_vectors::scaled_shape;
using testing_vectors::shape_with_more;
using testing_vectors::small_header;
using testing_vectors::small_shape;

// 2 x 4 times 4 x 3: two instructions of two terms along K.
const std::string good =
    R"({"A":[["0001","0002","0003","0004"],["0005","0006","0007","0008"]],)"
    R"("B":[["0010","0011","0012"],["0020","0021","0022"],["0030","0031","0032"],["0040","0041","0042"]],)"
    R"("C":[["00000100","00000101","00000102"],["00000103","00000104","00000105"]],)"
    R"("D":[["00000200","00000201","00000202"],["00000203","00000204","00000205"]],"tag":"kept"})";

CaseShape chaining() {
  CaseShape shape = small_shape();
  shape.chains = true;
  return shape;
}

std::string error_of(const std::string& line, const CaseShape& shape = chaining()) {
  try {
    Case c;
    EXPECT_FALSE(read_case(line, shape, c));
    read_matrix_case(line, shape);
  } catch (const ScanError& error) {
    return error.message;
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(MatrixLine, GoesThereAndBack) {
  const MatrixCase matrix = read_matrix_case(good, chaining());
  EXPECT_EQ(matrix.operands.m, 2);
  EXPECT_EQ(matrix.operands.n, 3);
  EXPECT_EQ(matrix.operands.k, 4);
  std::string again;
  append_matrix_case(again, matrix, chaining());
  EXPECT_EQ(again, good);
}

TEST(MatrixLine, IsTakenApartRowByRowAndPutTogether) {
  const MatrixCase matrix = read_matrix_case(good, chaining());
  MatrixCase again;
  Case c;
  for (int i = 0; i < matrix.elements(); ++i) {
    take_apart(matrix, chaining(), i, c);
    EXPECT_EQ(put_together(c, chaining(), again), i == 5);
    EXPECT_EQ(c.element->row, i / 3);
    EXPECT_EQ(c.element->column, i % 3);
    EXPECT_EQ(c.c, 0x100U + static_cast<unsigned>(i));
    EXPECT_EQ(*c.d, 0x200U + static_cast<unsigned>(i));
  }
  EXPECT_EQ(c.a, (std::vector<Code>{5, 6, 7, 8}));
  EXPECT_EQ(c.b, (std::vector<Code>{0x12, 0x22, 0x32, 0x42}));
  std::string text;
  append_matrix_case(text, again, chaining());
  EXPECT_EQ(text, good);
}

TEST(MatrixLine, CarriesScales) {
  const std::string line = R"({"A":[["00","01","02","03"]],"B":[["04"],["05"],["06"],["07"]],"C":[["00000000"]],)"
                           R"("scale_A":[["7f","80"]],"scale_B":[["81"],["82"]]})";
  const MatrixCase matrix = read_matrix_case(line, scaled_shape());
  Case c;
  take_apart(matrix, scaled_shape(), 0, c);
  EXPECT_EQ(c.scale_a, (std::vector<Code>{0x7f, 0x80}));
  EXPECT_EQ(c.scale_b, (std::vector<Code>{0x81, 0x82}));
  EXPECT_FALSE(c.d.has_value());
  MatrixCase again;
  EXPECT_TRUE(put_together(c, scaled_shape(), again));
  std::string text;
  append_matrix_case(text, again, scaled_shape());
  EXPECT_EQ(text, line);
  EXPECT_EQ(error_of(replaced(line, R"(,"scale_B":[["81"],["82"]])", ""), scaled_shape()),
            "scale_B is missing; the case needs it.");
  EXPECT_EQ(error_of(replaced(line, R"([["7f","80"]])", R"([["7f"]])"), scaled_shape()),
            "scale_A is 1 x 1 where 1 x 2 fits: A is M x K, B is K x N, C and D are M x N.");
}

// 2 x 4 times 4 x 2, by two instructions.
const std::string with_more =
    R"({"A":[["0001","0002","0003","0004"],["0005","0006","0007","0008"]],)"
    R"("B":[["0010","0011"],["0020","0021"],["0030","0031"],["0040","0041"]],)"
    R"("C":[["00000100","00000101"],["00000103","00000104"]],"scale_a":[["70","71"],["72","73"]],)"
    R"("zero_b":[["0","1"],["2","3"],["4","5"],["6","7"]],"random":[["8","9"],["a","b"],["c","d"],["e","f"]]})";

TEST(MatrixLine, CarriesWhatElseACaseBrings) {
  const CaseShape shape = shape_with_more();
  const MatrixCase matrix = read_matrix_case(with_more, shape);
  MatrixCase again;
  Case c;
  for (int i = 0; i < 4; ++i) {
    take_apart(matrix, shape, i, c);
    EXPECT_EQ(put_together(c, shape, again), i == 3);
    const Code word = 8 + 2 * static_cast<Code>(i);
    const std::vector<Code> first = i < 2 ? std::vector<Code>{0x70, 0x71} : std::vector<Code>{0x72, 0x73};
    const std::vector<Code> column = i % 2 == 0 ? std::vector<Code>{0, 2, 4, 6} : std::vector<Code>{1, 3, 5, 7};
    EXPECT_EQ(c.more,
              (std::vector<Code>{first[0], first[1], column[0], column[1], column[2], column[3], word, word + 1}));
  }
  std::string text;
  append_matrix_case(text, again, shape);
  EXPECT_EQ(text, with_more);
  const std::string other_order = replaced(replaced(with_more, R"("scale_a":[["70","71"],["72","73"]],)", ""),
                                           R"({"A")", R"({"scale_a": [ ["70","71"],["72","73"]],"A")");
  EXPECT_FALSE(read_case(other_order, shape, c)) << "what comes first says already that it is a matrix";
  EXPECT_EQ(read_matrix_case(other_order, shape).operands.more, matrix.operands.more);
}

TEST(MatrixLine, SaysWhatDoesNotFitOfWhatElseACaseBrings) {
  const CaseShape shape = shape_with_more();
  const auto error = [&](const std::string& what, const std::string& by) {
    return error_of(replaced(with_more, what, by), shape);
  };
  EXPECT_EQ(error(R"("scale_a":[["70","71"],["72","73"]],)", ""), "scale_a is missing; the case needs it.");
  EXPECT_EQ(error(R"(["70","71"],)", ""), "scale_a is 1 x 2 where 2 x 2 fits: it has a row for each row of A.");
  EXPECT_EQ(error(R"(["0","1"],["2","3"],)", ""),
            "zero_b is 2 x 2 where 4 x 2 fits: it has a column for each column of B.");
  EXPECT_EQ(error(R"(,["e","f"]])", "]"),
            "random is 3 x 2 where 4 x 2 fits: it has a row for each element of D, row by row.");
  EXPECT_EQ(error(R"("9")", R"("19")"), "random[0][1] is \"19\", 2 digits: it takes exactly 1 digit (4 bits).");
  EXPECT_EQ(error(R"([["70","71"],["72","73"]])", R"(["70"])"),
            "byte 203, in scale_a[0], is '\"', but '[' should stand there.");
  EXPECT_EQ(error(R"("C":)", R"("c":"00000000","C":)"),
            "member c is one of a single dot product, but others make this a whole-matrix case (A, B, C, D); write one "
            "or the other.");
}

// A row for each row of A; each instruction along K has groups of its own.
TEST(MatrixLine, RefusesMasksThatBreakTheirPattern) {
  CaseShape shape = chaining();
  shape.more = {{"mask", 2, 1, Owner::row, Mask{1, 2}}};
  const std::string line = R"({"A":[["0001","0001","0001","0001"],["0001","0001","0001","0001"]],)"
                           R"("B":[["0001"],["0001"],["0001"],["0001"]],"C":[["00000000"],["00000000"]],)"
                           R"("mask":[["1","0","0","1"],["0","1","1","0"]]})";
  EXPECT_EQ(read_matrix_case(line, shape).operands.more, (std::vector<std::vector<Code>>{{1, 0, 0, 1, 0, 1, 1, 0}}));
  try {
    read_matrix_case(replaced(line, R"(["0","1","1","0"])", R"(["0","1","1","1"])"), shape);
    FAIL() << "taken";
  } catch (const ScanError& error) {
    EXPECT_EQ(error.message, "mask[1][2] to [3] has 2 bits on; of each 2 neighbours exactly 1 is on here.");
  }
}

TEST(MatrixLine, IsFilledUpWhereAsked) {
  const std::string line = R"({"A":[["0001"],["0002"]],"B":[["0003","0004"]],)"
                           R"("C":[["00000000","00000000"],["00000000","00000000"]]})";
  EXPECT_EQ(error_of(line), "A has 1 columns, which is no multiple of the instruction's 2 terms.");
  CaseShape shape = chaining();
  shape.pad = true;
  Case c;
  take_apart(read_matrix_case(line, shape), shape, 3, c);
  EXPECT_EQ(c.a, (std::vector<Code>{2, 0}));
  EXPECT_EQ(c.b, (std::vector<Code>{4, 0}));
  shape.zero_a = 7;
  shape.zero_b = 9;
  take_apart(read_matrix_case(line, shape), shape, 3, c);
  EXPECT_EQ(c.a, (std::vector<Code>{2, 7}));
  EXPECT_EQ(c.b, (std::vector<Code>{4, 9}));
  shape.zero_a.reset();
  EXPECT_EQ(error_of(line, shape), "A is to be filled up with zeros, and its format has none.");
}

// A short line may not ask for terabytes of zeros.
TEST(MatrixLine, IsFilledUpToSoMuchAndNoMore) {
  CaseShape shape = chaining();
  shape.pad = true;
  shape.k = 1 << 20;
  const auto line = [](int rows, int columns) {
    std::string a, b, c;
    for (int i = 0; i < rows; ++i) a += R"(["0001"],)";
    for (int j = 0; j < columns; ++j) b += R"("0001",)";
    for (int i = 0; i < rows; ++i) {
      c += '[';
      for (int j = 0; j < columns; ++j) c += R"("00000000",)";
      c.back() = ']';
      c += ',';
    }
    a.pop_back(), b.pop_back(), c.pop_back();
    return "{\"A\":[" + a + "],\"B\":[[" + b + "]],\"C\":[" + c + "]}";
  };
  EXPECT_EQ(error_of(line(65, 1), shape),
            "A, filled up with zeros to whole instructions, would be 65 x 1048576; a matrix of at most 67108864 "
            "elements is read.");
  EXPECT_EQ(error_of(line(1, 65), shape),
            "B, filled up with zeros to whole instructions, would be 1048576 x 65; a matrix of at most 67108864 "
            "elements is read.");
}

TEST(MatrixLine, SaysWhatDoesNotFit) {
  EXPECT_EQ(error_of(replaced(good, R"("A":)", R"("E":)")), "A is missing; the case needs it.");
  EXPECT_EQ(error_of(replaced(good, R"("B":)", R"("E":)")), "B is missing; the case needs it.");
  EXPECT_EQ(error_of(replaced(good, R"("C":)", R"("E":)")), "C is missing; the case needs it.");
  EXPECT_EQ(error_of(replaced(good, R"(,["0040","0041","0042"])", "")),
            "B is 3 x 3 where 4 x 3 fits: A is M x K, B is K x N, C and D are M x N.");
  EXPECT_EQ(error_of(replaced(good, R"(,["00000203","00000204","00000205"])", "")),
            "D is 1 x 3 where 2 x 3 fits: A is M x K, B is K x N, C and D are M x N.");
  EXPECT_EQ(error_of(replaced(good, R"(,"0008")", "")),
            "A[1] has 3 elements, but A[0] has 4; the rows of a matrix are of one length.");
  EXPECT_EQ(error_of(replaced(good, R"("0007")", R"("7")")),
            "A[1][2] is \"7\", 1 digit: it takes exactly 4 digits (16 bits).");
  EXPECT_EQ(error_of(R"({"A":[],"B":[],"C":[]})"), "A is empty; a matrix has at least one row and one column.");
  EXPECT_EQ(error_of(R"({"A":[[]],"B":[],"C":[]})"), "A is empty; a matrix has at least one row and one column.");
  EXPECT_EQ(error_of(R"({"A":[["0001","0002"]],"B":[],"C":[[]]})"),
            "B is 0 x 0 where 2 x 1 fits: A is M x K, B is K x N, C and D are M x N.");
  EXPECT_EQ(error_of(replaced(good, R"("tag":"kept")", R"("c":"00000000")")),
            "member c is one of a single dot product, but others make this a whole-matrix case (A, B, C, D); write one "
            "or the other.");
  EXPECT_EQ(error_of(replaced(good, R"("tag":"kept")", R"("scale_A":[])")),
            "scale_A is given, but this instruction takes no scales; leave it out.");
  EXPECT_EQ(error_of(good, small_shape()),
            "A has 4 columns, but this instruction takes 2 terms, and its d cannot be the next one's c: their formats "
            "differ.");
}

TEST(MatrixFile, MixesWithSingleProductsAndIsWrittenBackWhole) {
  const Scratch folder;
  const std::string single = R"({"a":["3c00","0001"],"b":["8000","ffff"],"c":"3f800000"})";
  const std::string text = print_header(parse_header(small_header)) + "\n" + good + "\n" + single + "\n" + good + "\n";
  put_file(folder / "in", text);
  VectorReader reader(folder / "in");
  VectorWriter writer(folder / "out", reader.header(), chaining());
  std::vector<std::uint64_t> numbers;
  for (Case c; reader.next(chaining(), c);) {
    numbers.push_back(c.number);
    EXPECT_EQ(c.element.has_value(), c.number != 1);
    EXPECT_EQ(reader.line(), c.number + 2);
    writer.write(c);
  }
  writer.finish();
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(file_bytes(folder / "out"), text);
}

}  // namespace
}  // namespace assay
