// A result whose NaN has its own sign and payload, for assay_encode to write. One that was made has
// no payload; where HasMade, a code of its own says what it is.
module assay_quiet #(
  parameter int unsigned             ExponentWidth = 8,
  parameter int unsigned             MantissaBits  = 23,
  parameter int unsigned             PayloadWidth  = MantissaBits,
  parameter bit                      HasMade       = 1'b0,
  parameter bit                      MadeNegative  = 1'b0,
  parameter logic [MantissaBits-1:0] Made          = '0,
  localparam int unsigned            NumberWidth   = 5 + ExponentWidth + MantissaBits,
  localparam int unsigned            NanWidth      = 2 + PayloadWidth
) (
  input  logic [NumberWidth-1:0] number_i,
  input  logic [NanWidth-1:0]    nan_i,
  output logic [NumberWidth-1:0] number_o
);

  localparam logic [MantissaBits-1:0] Quiet =
      HasMade ? MantissaBits'(1) << (MantissaBits - 1) : '0;  // else assay_encode writes it

  logic                     counts, negative, is_nan, nan_negative, is_made;
  logic [1:0]               class_is;
  logic [ExponentWidth-1:0] exponent;
  logic [MantissaBits:0]    significand;
  logic [PayloadWidth-1:0]  payload;
  logic [MantissaBits-1:0]  mantissa;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign {is_nan, nan_negative, payload} = nan_i;
  assign is_made  = HasMade && payload == '0;
  assign mantissa = is_made ? Made : payload[PayloadWidth-1 -: MantissaBits] | Quiet;
  assign number_o = {
    counts,
    class_is,
    is_nan ? (is_made ? MadeNegative : nan_negative) : negative,
    exponent,
    is_nan ? {1'b1, mantissa} : significand
  };

  if (PayloadWidth > MantissaBits) begin : gen_unused
    logic unused;
    assign unused = ^payload[PayloadWidth-MantissaBits-1:0];
  end

endmodule
