// Runs a model that is written as C++ on bits that are literals: all inputs at once, both ways of every branch.
//
//   if (c) x = p;          x becomes c ? p : x, as a choice in gates
//   if (c) return p;       what follows happens where c is not; the result is c ? p : what follows returns
//
// Loops have constant bounds and are run; pointers are known; an index that is not is a choice among all elements.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tb/prove/c_tree.hpp"
#include "tb/prove/word.hpp"

namespace assay {

struct CObject;
using CObjectRef = std::shared_ptr<CObject>;

// A value with its type, and where it is stored.
struct CObject {
  CTypeRef type;
  GateWord word;                  // of integers and bits
  std::vector<CObjectRef> parts;  // of structures and arrays
  CObjectRef to;                  // of pointers; none: a null pointer
  std::size_t depth = 0;          // how many conditions held where it was declared
  bool is_written = false;
  bool is_watched = false;
  std::vector<GateWord> past;  // of what is watched: all that was assigned to it, in order

  // "step[0].sum.align[5]"; throws Error where it has no such part.
  const CObject& part(const std::string& path) const;
};

class CMachine {
 public:
  CMachine(const CProgram& program, Gates& gates);

  CObjectRef made(const CTypeRef& type) const;  // with nothing in it
  CTypeRef type(const std::string& name) const;
  // By reference where the parameter is a pointer: give an array, or an object. Throws Error.
  CObjectRef call(const std::string& function, const std::vector<CObjectRef>& arguments);
  // Of every variable of this name, from here on, what it was declared as, in order.
  void watch(const std::string& name) { watched_[name] = {}; }
  const std::vector<CObjectRef>& watched(const std::string& name) const { return watched_.at(name); }
  struct Calls {
    std::vector<CObjectRef> given, returned;
  };
  // Of every call, from here on, of a function whose name begins so: what it is given first, as it is then, and what it
  // returns, in order.
  void watch_calls(const std::string& beginning) { calls_[beginning] = {}; }
  const Calls& calls(const std::string& beginning) const { return calls_.at(beginning); }

 private:
  struct Left {
    Lit when;
    CObjectRef value;
  };
  struct Frame {
    std::vector<std::map<std::string, CObjectRef>> scopes;
    std::size_t base = 0;  // conditions that held when it was called
    std::vector<Left> left;
    Lit has_left = lit_false;
  };

  Calls* calls_of(const std::string& function);

  // --- statements ---
  void run(const CStatement& s);
  void run_block(const CStatement& s);
  void run_condition(const CStatement& s);
  void run_loop(const CStatement& s);
  void run_under(Lit condition, const CStatement& s);
  void count_on(const CExpression& step, std::size_t depth);
  void leave(const CStatement& s);
  void declare(const CVariable& v);
  CObjectRef started(const CVariable& v);
  bool is_dead() const { return guard_since(frames_.back().base) == lit_false; }

  // --- expressions ---
  CObjectRef value(const CExpression& e);
  CObjectRef place(const CExpression& e);
  CObjectRef unary(const CExpression& e);
  CObjectRef binary(const CExpression& e);
  CObjectRef further_on(const CObject& array, std::int64_t by) const;
  CObjectRef logical(const CExpression& e);
  CObjectRef arithmetic(const std::string& sign, const CObject& x, const CObject& y, int line);
  CObjectRef compared(const std::string& sign, const GateWord& x, const GateWord& y);
  CObjectRef shifted(const std::string& sign, const CObject& x, const CObject& y);
  CObjectRef divided(const std::string& sign, const CObject& x, const CObject& y, int line);
  CObjectRef conditional(const CExpression& e);
  CObjectRef element(const CExpression& e);
  CObjectRef invoked(const CExpression& e);
  CObjectRef listed(const CExpression& e, const CTypeRef& type);
  CObjectRef named(const std::string& name, int line);
  CObjectRef value_under(Lit condition, const CExpression& e);

  // --- values ---
  CObjectRef truth(Lit l) const;
  CObjectRef number(const CTypeRef& type, GateWord word) const;
  CObjectRef converted(const CObjectRef& value, const CTypeRef& type);
  CObjectRef chosen(Lit which, const CObjectRef& then, const CObjectRef& otherwise);
  CObjectRef picked(const CObject& array, const GateWord& index, int bit, std::size_t from);
  CObjectRef copy_of(const CObject& o) const;
  CTypeRef common(const CTypeRef& x, const CTypeRef& y) const;
  void assign(CObject& to, const CObject& from);
  Lit truth_of(const CObject& o);
  Lit guard_since(std::size_t depth) const;
  GateWord under_guards(const GateWord& word);

  const CProgram& program_;
  Gates& gates_;
  mutable WordMaker words_;
  std::map<std::string, CObjectRef> globals_;
  std::map<const CVariable*, CObjectRef> tables_;
  std::vector<Frame> frames_;
  mutable std::vector<Lit> guards_;
  std::map<std::string, std::vector<CObjectRef>> watched_;
  std::map<std::string, Calls> calls_;
};

}  // namespace assay
