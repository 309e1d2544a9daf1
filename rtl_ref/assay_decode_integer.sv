// Stage decode: integers, in two's complement or without a sign, to numbers.
module assay_decode_integer #(
  parameter int unsigned  Terms         = 1,
  parameter int unsigned  Bits          = 8,
  parameter bit           HasSign       = 1'b1,
  parameter int unsigned  ExponentWidth = 1,
  localparam int unsigned NumberWidth   = 4 + ExponentWidth + Bits
) (
  input  logic [Terms*Bits-1:0]        code_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [Bits-1:0] code, magnitude;
    logic            negative;
    assign code      = code_i[i*Bits +: Bits];
    assign negative  = HasSign && code[Bits-1];
    assign magnitude = negative ? -code : code;
    assign number_o[i*NumberWidth +: NumberWidth] = {
      code != '0, assay_pkg::ClassFinite, negative, {ExponentWidth{1'b0}}, magnitude
    };
  end

endmodule
