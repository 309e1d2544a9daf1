// Stage multiply, where operands are multiplied in pieces: some bits of each significand, which
// keep their weight; the others are zero.
//
//   1 . m m m m m m     From 2, Kept 3:     0 . 0 m m m 0 0
//
// What is left counts as a number that is not zero where the whole one is: also without a one. Where
// zeros may count, it counts as the whole one does.
module assay_slice #(
  parameter int unsigned  Terms            = 1,
  parameter int unsigned  ExponentWidth    = 5,
  parameter int unsigned  SignificandWidth = 11,
  parameter int unsigned  From             = 0,  // 0 is the first bit, the highest
  parameter int unsigned  Kept             = 7,  // of them are there
  parameter bit           ZerosMayCount    = 1'b0,
  localparam int unsigned NumberWidth      = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam logic [SignificandWidth-1:0] Mask =
      ({SignificandWidth{1'b1}} >> From) & ~({SignificandWidth{1'b1}} >> (From + Kept));

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                        counts, negative;
    logic [1:0]                  class_is;
    logic [ExponentWidth-1:0]    exponent;
    logic [SignificandWidth-1:0] significand;
    assign {counts, class_is, negative, exponent, significand} =
        number_i[i*NumberWidth +: NumberWidth];
    assign number_o[i*NumberWidth +: NumberWidth] = {
      counts && (ZerosMayCount || significand != '0), class_is, negative, exponent, significand & Mask
    };
  end

endmodule
