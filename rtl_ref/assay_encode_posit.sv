// Stage encode: a number that a posit holds, as its code.
module assay_encode_posit #(
  parameter int unsigned     Bits          = 8,
  parameter int unsigned     Es            = 2,
  parameter int unsigned     ExponentWidth = 6,
  parameter logic [Bits-1:0] NanCode       = {1'b1, {(Bits - 1) {1'b0}}},
  localparam int unsigned    MantissaBits  = assay_pkg::larger(Bits, Es + 3) - Es - 3,
  localparam int unsigned    NumberWidth   = 4 + ExponentWidth + MantissaBits + 1
) (
  input  logic [NumberWidth-1:0] number_i,
  output logic [Bits-1:0]        code_o
);

  logic                            counts, negative;
  logic [1:0]                      class_is;
  logic signed [ExponentWidth-1:0] exponent;
  logic [MantissaBits:0]           significand;
  assign {counts, class_is, negative, exponent, significand} = number_i;

  logic [Bits-2:0] body;
  logic            too_large, lost;
  assay_posit #(
    .Bits         (Bits),
    .Es           (Es),
    .ExponentWidth(ExponentWidth),
    .AlignedWidth (MantissaBits + 1)
  ) u_posit (
    .negative_i (negative),
    .exponent_i (exponent),
    .aligned_i  (significand),
    .body_o     (body),
    .too_large_o(too_large),
    .lost_o     (lost)
  );

  logic [Bits-1:0] magnitude;
  assign magnitude = {1'b0, body};
  always_comb begin
    code_o = negative ? -magnitude : magnitude;
    if (significand == '0)               code_o = '0;
    if (class_is == assay_pkg::ClassNan) code_o = NanCode;
  end

  logic unused;
  assign unused = ^{counts, too_large, lost};

endmodule
