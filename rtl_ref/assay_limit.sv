// Products that are too large to stay finite become infinities of their sign.
//
//   ii.ffff x 2^exponent >= 2^InfinityAt     some one stands that high or higher
module assay_limit #(
  parameter int unsigned  Terms            = 1,
  parameter int unsigned  ExponentWidth    = 9,
  parameter int unsigned  SignificandWidth = 16,
  parameter int           FractionBits     = 14,
  parameter int           InfinityAt       = 128,
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned WorkWidth = 2 + assay_pkg::larger(
      ExponentWidth, assay_pkg::signed_width(InfinityAt + FractionBits));

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                            counts, negative, reaches;
    logic [1:0]                      class_is;
    logic signed [ExponentWidth-1:0] exponent;
    logic [SignificandWidth-1:0]     significand;
    assign {counts, class_is, negative, exponent, significand} =
        number_i[i*NumberWidth +: NumberWidth];

    // Where a one must stand, counted from the last bit: below it, any will do.
    logic signed [WorkWidth-1:0] place;
    assign place   = WorkWidth'(InfinityAt + FractionBits) - WorkWidth'(exponent);
    assign reaches = counts && class_is == assay_pkg::ClassFinite &&
                     (place[WorkWidth-1] ? significand != '0
                                         : (significand >> place[WorkWidth-2:0]) != '0);

    assign number_o[i*NumberWidth +: NumberWidth] = {
      counts && !reaches,
      reaches ? assay_pkg::ClassInfinity : class_is,
      negative,
      exponent,
      significand
    };
  end

endmodule
