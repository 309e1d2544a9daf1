// The sign of an exactly zero sum: zeros of one sign keep it; every other zero is +0, or -0 when
// rounding down.
module assay_zero #(
  parameter int unsigned  Terms               = 2,
  parameter int unsigned  ExponentWidth       = 9,
  parameter int unsigned  SignificandWidth    = 25,
  parameter int unsigned  SumExponentWidth    = 9,
  parameter int unsigned  SumSignificandWidth = 32,
  parameter bit           RoundsDown          = 1'b0,
  localparam int unsigned TermWidth           = 2 + ExponentWidth + SignificandWidth,
  localparam int unsigned NumberWidth         = 4 + SumExponentWidth + SumSignificandWidth
) (
  input  logic [Terms*TermWidth-1:0] term_i,
  input  logic [NumberWidth-1:0]     number_i,
  output logic [NumberWidth-1:0]     number_o
);

  logic [Terms-1:0] minus, nonzero;
  for (genvar i = 0; i < Terms; i++) begin : gen_term
    assign minus[i]   = term_i[(i+1)*TermWidth-2];
    assign nonzero[i] = term_i[i*TermWidth +: SignificandWidth] != '0;
  end

  logic                           counts, negative, zero_negative;
  logic [1:0]                     class_is;
  logic [SumExponentWidth-1:0]    exponent;
  logic [SumSignificandWidth-1:0] significand;
  assign {counts, class_is, negative, exponent, significand} = number_i;
  assign zero_negative = (nonzero == '0 && ((&minus) || minus == '0)) ? minus[0] : RoundsDown;
  assign number_o = {
    counts, class_is, (significand == '0) ? zero_negative : negative, exponent, significand
  };

  // Exponents do not matter here.
  logic unused;
  assign unused = ^term_i;

endmodule
