// The sign of an exactly zero sum: zeros of one sign keep it; every other zero is +0, or -0 when
// rounding down.
//
// A term that is not zero leaves an addend, or it was lost. One that is absent has no sign.
module assay_zero #(
  parameter int unsigned  Terms            = 2,
  parameter int unsigned  AddendWidth      = 28,
  parameter int unsigned  ExponentWidth    = 9,
  parameter int unsigned  SignificandWidth = 32,
  parameter bit           RoundsDown       = 1'b0,
  parameter bit [Terms-1:0] Absent       = '0,
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms-1:0]             negative_i,
  input  logic [Terms*AddendWidth-1:0] addend_i,
  input  logic [Terms-1:0]             lost_i,
  input  logic [NumberWidth-1:0]       number_i,
  output logic [NumberWidth-1:0]       number_o
);

  logic                        counts, negative, only_zeros, all_negative, none_negative;
  logic                        zero_negative;
  logic [1:0]                  class_is;
  logic [ExponentWidth-1:0]    exponent;
  logic [SignificandWidth-1:0] significand;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign only_zeros    = !(|addend_i) && !(|lost_i);
  assign all_negative  = &(negative_i | Absent);
  assign none_negative = (negative_i & ~Absent) == '0;
  assign zero_negative =
      (only_zeros && (all_negative || none_negative)) ? !none_negative : RoundsDown;
  assign number_o = {
    counts, class_is, (significand == '0) ? zero_negative : negative, exponent, significand
  };

endmodule
