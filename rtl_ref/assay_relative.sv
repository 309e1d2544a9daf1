// Absolute numbers, as exact sums leave them, with a last bit that follows their exponent.
//
//   absolute   i i i . f f f f f     its last bit weighs 2^-InFractionBits
//   relative       1 . m m m m m     its last bit weighs 2^(exponent - FractionBits)
module assay_relative #(
  parameter int unsigned  Terms              = 1,
  parameter int unsigned  ExponentWidth      = 6,
  parameter int unsigned  InSignificandWidth = 40,
  parameter int           InFractionBits     = 24,
  parameter int unsigned  SignificandWidth   = 40,
  parameter int           FractionBits       = 40,  // at least what the greatest exponent needs
  localparam int unsigned InWidth            = 4 + ExponentWidth + InSignificandWidth,
  localparam int unsigned NumberWidth        = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*InWidth-1:0]     number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned WorkWidth = 2 + assay_pkg::larger(
      ExponentWidth, assay_pkg::signed_width(FractionBits - InFractionBits));

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [3:0]                      head;
    logic signed [ExponentWidth-1:0] exponent;
    logic [InSignificandWidth-1:0]   significand;
    logic [WorkWidth-1:0]            up;
    logic [SignificandWidth-1:0]     out_significand;
    assign {head, exponent, significand} = number_i[i*InWidth +: InWidth];
    assign up              = WorkWidth'(FractionBits - InFractionBits) - WorkWidth'(exponent);
    assign out_significand = SignificandWidth'(significand) << up;
    assign number_o[i*NumberWidth +: NumberWidth] = {head, exponent, out_significand};
  end

endmodule
