// One case as one line of JSON, both ways.
#pragma once

#include <string>
#include <string_view>

#include "model/core/matmul.hpp"
#include "tb/devices/device.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {

// How many elements of how many stored bits a case of one instruction has.
struct CaseShape {
  int k = 0;
  int scales = 0;  // on each side
  int a_bits = 0, b_bits = 0, c_bits = 0, d_bits = 0, scale_bits = 0;
  struct More {
    std::string name;
    int count = 0, bits = 0;
    Owner owner = Owner::row;  // in whole matrices
    Mask pattern = {};         // of a mask
  };
  std::vector<More> more;  // plan.more, one list after the other
  bool pad = false;        // shorter a and b are filled up with these; nothing: their format has no zero
  std::optional<Code> zero_a = 0, zero_b = 0;
  bool chains = false;  // d of one instruction can be c of the next

  // The longest line that is read, in bytes: any single dot product, four lists of 16 digits with quotes, comma and
  // spaces; and matrices of 16 MiB.
  std::size_t longest_line() const;
};

CaseShape case_shape(const Plan& plan, bool pad = false);

// Throws ScanError where there is no such zero.
void check_fills_up(const char* name, const std::optional<Code>& zero);

// Everything but the case's number. `into` keeps its memory from case to case. False where the line is a whole-matrix
// case, which is read_matrix_case's to read. Throws ScanError.
bool read_case(std::string_view line, const CaseShape& shape, Case& into);

// "a", "c", "scale_b" ...: what is read of a single dot product.
bool is_vector_member(std::string_view name);

// The number among further operands that a member's name means; their count where it means none.
std::size_t index_of(const std::vector<CaseShape::More>& more, std::string_view name);

// A member that is passed on.
void keep_member(std::string_view name, std::string_view value, std::string& extra);

// Without the newline.
void append_case(std::string& out, const Case& c, const CaseShape& shape);

// "a":[...],"b":[...],"c":"..." and what else there is, such as scales: what a device needs.
void append_operands(std::string& out, const Case& c, const CaseShape& shape);
std::string operands_text(const Case& c, const CaseShape& shape);

}  // namespace assay
