// What `assay export --to cpp` writes, read as a tree. Only that: a word of C++ that no model is written with is an
// error that names its line.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay {

struct CType;
using CTypeRef = std::shared_ptr<const CType>;

struct CType {
  enum class Kind { integer, bits, structure, array, pointer };
  Kind kind = Kind::integer;
  int width = 0;  // of integers and bits
  bool is_signed = false;
  std::vector<std::pair<std::string, CTypeRef>> members;  // of structures
  CTypeRef of;                                            // of arrays and pointers
  int count = 0;                                          // of arrays
};

struct CExpression {
  enum class Kind {
    number,
    name,
    unary,        // word: - ! ~ & * ++
    binary,       // word: + == && ..
    conditional,  // parts: condition, then, otherwise
    assignment,
    call,     // word: the function; parts: its arguments
    index,    // parts: array or bits, index
    member,   // word: the member; parts: the structure
    through,  // the same behind a pointer
    cast,     // type; parts: what
    list      // { .. }
  };
  Kind kind = Kind::number;
  std::string word;
  std::uint64_t value = 0;
  CTypeRef type;
  std::vector<CExpression> parts;
  int line = 0;
};

struct CVariable {
  std::string name;
  CTypeRef type;
  bool by_reference = false;
  bool is_static = false;          // a table, which nothing changes
  std::vector<CExpression> start;  // one or none
};

struct CStatement {
  enum class Kind { block, variables, expression, condition, loop, leave, empty };
  Kind kind = Kind::empty;
  std::vector<CVariable> variables;
  std::vector<CExpression> expressions;  // of a condition: it; of a loop: condition, step; of leave: the result
  std::vector<CStatement> parts;         // of a condition: then, otherwise; of a loop: start, body
  int line = 0;
};

struct CFunction {
  std::string name;
  CTypeRef result;
  std::vector<CVariable> parameters;
  CStatement body;
};

struct CProgram {
  std::map<std::string, CTypeRef> types;
  std::map<std::string, CFunction> functions;
  std::vector<CVariable> globals;
};

// Throws Error.
CProgram read_c(const std::string& text);

CTypeRef integer_type(int width, bool is_signed);

}  // namespace assay
