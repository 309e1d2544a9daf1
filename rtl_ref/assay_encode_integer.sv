// Stage encode: a number that an integer format holds, in two's complement or as a sign and a
// magnitude.
module assay_encode_integer #(
  parameter int unsigned     Bits           = 32,
  parameter bit              SignMagnitude  = 1'b0,  // else two's complement
  parameter int unsigned     ExponentWidth  = 1,
  parameter bit              HasNan         = 1'b0,  // else every integer is finite
  parameter logic [Bits-1:0] NanCode        = '0,
  localparam int unsigned    MagnitudeWidth = Bits - 32'(SignMagnitude),
  localparam int unsigned    NumberWidth    = 4 + ExponentWidth + MagnitudeWidth
) (
  input  logic [NumberWidth-1:0] number_i,
  output logic [Bits-1:0]        code_o
);

  logic [Bits-1:0] magnitude, sign, value;
  logic            negative, is_nan;
  assign negative  = number_i[NumberWidth-4];
  assign magnitude = Bits'(number_i[MagnitudeWidth-1:0]);
  assign sign      = Bits'(negative) << (Bits - 1);
  assign value     = SignMagnitude ? sign | magnitude : negative ? -magnitude : magnitude;
  assign is_nan    = HasNan && number_i[NumberWidth-3 +: 2] == assay_pkg::ClassNan;
  assign code_o    = is_nan ? NanCode : value;

  logic unused;
  assign unused = ^number_i;

endmodule
