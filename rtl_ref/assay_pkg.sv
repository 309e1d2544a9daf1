// What all blocks agree on.
//
// A number travels as one flat vector, several of them side by side with the first one lowest:
//
//   counts | class[1:0] | negative | exponent | significand
//
//   counts       finite and with an exponent of its own: it takes part in finding the largest one.
//                A zero operand or product has none; a sum that cancels keeps its window's.
//   exponent     nominal, two's complement: 2^exponent is the weight of the bit left of the point
//   significand  integer bits, then fraction bits; its last bit weighs
//                2^(exponent - fraction bits), or a constant in an absolute number (exact sums)
//
// Whatever a class or a missing exponent makes meaningless may hold anything; assay_probe hides it.
// Where payloads are passed on, each number that may be NaN has a vector beside it:
//
//   NaN | negative | payload
//
// Where a datapath has flags, each number that something may have been raised for has one more:
//
//   signals | inexact | underflow | overflow | invalid
//
//   signals      while it is a NaN, whoever reads it raises `invalid`
//
// The blocks keep to what Verilator and Yosys 0.23 read alike: flat vectors and part selects, casts
// to a size only, and none of them inside a concatenation, where Yosys mistakes widths; no '1 in the
// choice of a constant, of which Yosys takes one bit.
package assay_pkg;

  typedef enum logic [1:0] {
    ClassFinite   = 2'd0,
    ClassInfinity = 2'd1,
    ClassNan      = 2'd2
  } class_e;

  // What NaNs and infinities among the terms of a step decide.
  typedef enum logic [1:0] {
    OutcomeNone             = 2'd0,
    OutcomeNan              = 2'd1,
    OutcomePositiveInfinity = 2'd2,
    OutcomeNegativeInfinity = 2'd3
  } outcome_e;

  // The stochastic ones cut toward zero, and assay_chance says when that carries.
  typedef enum logic [3:0] {
    CutTowardZero  = 4'd0,
    CutDown        = 4'd1,
    CutUp          = 4'd2,
    CutNearestEven = 4'd3,
    CutNearestAway = 4'd4,
    CutNearestUp   = 4'd5,
    CutToOdd       = 4'd6,
    CutStochasticA = 4'd7,
    CutStochasticB = 4'd8,
    CutStochasticC = 4'd9
  } cut_e;

  // What becomes of a subnormal on its way in.
  typedef enum logic [1:0] {
    SubnormalsKeep       = 2'd0,
    SubnormalsZero       = 2'd1,
    SubnormalsSignedZero = 2'd2
  } subnormals_e;

  // Which results are flushed: those that come out subnormal, or those below the least normal
  // number before rounding, or after rounding as if the exponent had no end.
  typedef enum logic [1:0] {
    TinyResult = 2'd0,
    TinyBefore = 2'd1,
    TinyAfter  = 2'd2
  } tiny_e;

  // Which codes of a format are NaN.
  typedef enum logic [1:0] {
    NanCodesNone         = 2'd0,
    NanCodesIeee         = 2'd1,
    NanCodesAllOnes      = 2'd2,
    NanCodesNegativeZero = 2'd3
  } nan_codes_e;

  // What becomes of a number that a format cannot hold.
  typedef enum logic [1:0] {
    WordKeep    = 2'd0,
    WordLargest = 2'd1,
    WordNan     = 2'd2,
    WordZero    = 2'd3
  } word_e;

  // Which results are too small: none, zeros, those that come out subnormal, or those that the cut
  // tells of.
  typedef enum logic [1:0] {
    SmallNever  = 2'd0,
    SmallZero   = 2'd1,
    SmallResult = 2'd2,
    SmallTold   = 2'd3
  } small_e;

  // Where a sum is rounded.
  typedef enum logic [1:0] {
    AtWindow     = 2'd0,
    AtLeadingOne = 2'd1,
    AtFormat     = 2'd2
  } at_e;

  function automatic int unsigned larger(int unsigned a, int unsigned b);
    larger = (a > b) ? a : b;
  endfunction

  // A prefix code begins with how many bits its exponent's field has, of at most `most`:
  //
  //   11   10        01        001       0001   ..
  //   most most - 1  most - 2  most - 3  most - 4
  function automatic int unsigned prefix_width(int unsigned field, int unsigned most);
    prefix_width = (field + 2 > most) ? 2 : most - field;
  endfunction

  function automatic int unsigned prefix_value(int unsigned field, int unsigned most);
    prefix_value = (field + 1 < most) ? 1 : 3 + field - most;
  endfunction

  // Bits of the shortest two's complement that holds `value`.
  function automatic int unsigned signed_width(int value);
    signed_width = 1 + ((value < 0) ? $clog2(-value) : $clog2(value + 1));
  endfunction

  // Of the place of a number's leading one, as assay_leading_one gives it.
  function automatic int unsigned leading_width(int unsigned exponent_width,
                                                int unsigned significand_width, int fraction_bits);
    leading_width = 2 + larger(larger(exponent_width, signed_width(fraction_bits)),
                               signed_width(significand_width));
  endfunction

endpackage
