// A result whose NaN has its own sign and payload, for assay_encode to write.
module assay_quiet #(
  parameter int unsigned  ExponentWidth = 8,
  parameter int unsigned  PayloadWidth  = 23,  // the mantissa's
  localparam int unsigned NumberWidth   = 5 + ExponentWidth + PayloadWidth,
  localparam int unsigned NanWidth      = 2 + PayloadWidth
) (
  input  logic [NumberWidth-1:0] number_i,
  input  logic [NanWidth-1:0]    nan_i,
  output logic [NumberWidth-1:0] number_o
);

  logic                     counts, negative, is_nan, nan_negative;
  logic [1:0]               class_is;
  logic [ExponentWidth-1:0] exponent;
  logic [PayloadWidth:0]    significand;
  logic [PayloadWidth-1:0]  payload;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign {is_nan, nan_negative, payload} = nan_i;
  assign number_o = {
    counts,
    class_is,
    is_nan ? nan_negative : negative,
    exponent,
    is_nan ? {1'b1, payload} : significand
  };

endmodule
