// Stage decode: integers, in two's complement, as a sign and a magnitude or without a sign, to
// numbers. There is one zero.
module assay_decode_integer #(
  parameter int unsigned  Terms          = 1,
  parameter int unsigned  Bits           = 8,
  parameter bit           HasSign        = 1'b1,
  parameter bit           SignMagnitude  = 1'b0,  // else two's complement
  parameter int unsigned  ExponentWidth  = 1,
  localparam int unsigned MagnitudeWidth = Bits - 32'(SignMagnitude),
  localparam int unsigned NumberWidth    = 4 + ExponentWidth + MagnitudeWidth
) (
  input  logic [Terms*Bits-1:0]        code_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [Bits-1:0]           code, complement;
    logic                      negative;
    logic [MagnitudeWidth-1:0] magnitude;
    assign code       = code_i[i*Bits +: Bits];
    assign negative   = HasSign && code[Bits-1];
    assign complement = negative ? -code : code;
    assign magnitude  = SignMagnitude ? code[MagnitudeWidth-1:0] : complement[MagnitudeWidth-1:0];
    assign number_o[i*NumberWidth +: NumberWidth] = {
      magnitude != '0,
      assay_pkg::ClassFinite,
      negative && magnitude != '0,
      {ExponentWidth{1'b0}},
      magnitude
    };

    logic unused;
    assign unused = ^complement;
  end

endmodule
