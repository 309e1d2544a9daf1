// Stage reduce: an erratum. A sum of -1 unit is all ones, whose leading one is looked for in vain.
//
//   sum     1 1 1 . 1 1 1 | 0 0        -2^(exponent - UnitBits)
//   found                              -2^(exponent + MinusOne)
module assay_minus_one #(
  parameter int unsigned  ExponentWidth      = 9,
  parameter int unsigned  InSignificandWidth = 32,
  parameter int unsigned  SignificandWidth   = 48,
  parameter int           GridBits           = 25,    // the grid is 2^(exponent - GridBits) ...
  parameter bit           GridAbsolute       = 1'b0,  // ... or 2^-GridBits
  parameter int           UnitBits           = 25,
  parameter int           MinusOne           = 16,
  localparam int unsigned InWidth            = 4 + ExponentWidth + InSignificandWidth,
  localparam int unsigned NumberWidth        = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [InWidth-1:0]     number_i,
  output logic [NumberWidth-1:0] number_o
);

  logic                            counts, negative;
  logic [1:0]                      class_is;
  logic signed [ExponentWidth-1:0] exponent;
  logic [InSignificandWidth-1:0]   significand;
  assign {counts, class_is, negative, exponent, significand} = number_i;

  // Where the two ones stand, counted from the grid. A unit below the grid is none.
  localparam int unsigned WorkWidth = 2 + assay_pkg::larger(
      assay_pkg::larger(ExponentWidth, assay_pkg::signed_width(GridBits)),
      assay_pkg::larger(assay_pkg::signed_width(UnitBits), assay_pkg::signed_width(MinusOne)));
  logic signed [WorkWidth-1:0] grid, unit, found;
  assign grid  = (GridAbsolute ? WorkWidth'(exponent) : '0) + WorkWidth'(GridBits);
  assign unit  = grid - WorkWidth'(UnitBits);
  assign found = grid + WorkWidth'(MinusOne);

  logic [InSignificandWidth-1:0] one;
  logic [SignificandWidth-1:0]   out;
  assign one = InSignificandWidth'(1) << unit[WorkWidth-2:0];
  assign out = (negative && !unit[WorkWidth-1] && significand != '0 && significand == one)
               ? SignificandWidth'(1) << found[WorkWidth-2:0]
               : SignificandWidth'(significand);
  assign number_o = {counts, class_is, negative, exponent, out};

  logic unused;
  assign unused = found[WorkWidth-1];

endmodule
