// A result whose NaN has its own sign, for assay_encode to write over the quiet NaN.
module assay_signed_nan #(
  parameter int unsigned  ExponentWidth    = 4,
  parameter int unsigned  SignificandWidth = 4,
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [NumberWidth-1:0] number_i,
  input  logic [2:0]             nan_i,  // NaN | negative | a payload that nobody looks at
  output logic [NumberWidth-1:0] number_o
);

  logic                        counts, negative, is_nan, nan_negative, payload;
  logic [1:0]                  class_is;
  logic [ExponentWidth-1:0]    exponent;
  logic [SignificandWidth-1:0] significand;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign {is_nan, nan_negative, payload} = nan_i;
  assign number_o = {
    counts,
    class_is,
    is_nan ? nan_negative : negative,
    exponent,
    is_nan ? '0 : significand
  };

  logic unused;
  assign unused = payload;

endmodule
