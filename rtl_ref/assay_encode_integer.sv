// Stage encode: a number that an integer format holds, in two's complement.
module assay_encode_integer #(
  parameter int unsigned     Bits          = 32,
  parameter int unsigned     ExponentWidth = 1,
  parameter bit              HasNan        = 1'b0,  // else every integer is finite
  parameter logic [Bits-1:0] NanCode       = '0,
  localparam int unsigned    NumberWidth   = 4 + ExponentWidth + Bits
) (
  input  logic [NumberWidth-1:0] number_i,
  output logic [Bits-1:0]        code_o
);

  logic [Bits-1:0] magnitude, value;
  logic            is_nan;
  assign magnitude = number_i[Bits-1:0];
  assign value     = number_i[NumberWidth-4] ? -magnitude : magnitude;
  assign is_nan    = HasNan && number_i[NumberWidth-3 +: 2] == assay_pkg::ClassNan;
  assign code_o    = is_nan ? NanCode : value;

  logic unused;
  assign unused = ^number_i;

endmodule
