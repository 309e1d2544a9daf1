// Stage encode: a number that an integer format holds, in two's complement.
module assay_encode_integer #(
  parameter int unsigned  Bits          = 32,
  parameter int unsigned  ExponentWidth = 1,
  localparam int unsigned NumberWidth   = 4 + ExponentWidth + Bits
) (
  input  logic [NumberWidth-1:0] number_i,
  output logic [Bits-1:0]        code_o
);

  logic [Bits-1:0] magnitude;
  assign magnitude = number_i[Bits-1:0];
  assign code_o    = number_i[NumberWidth-4] ? -magnitude : magnitude;

  // Every integer is finite.
  logic unused;
  assign unused = ^number_i;

endmodule
