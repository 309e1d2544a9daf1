// Stage decode: operands whose NaNs are read as +0, which does not count.
//
//   counts | class | negative | exponent | significand
module assay_no_nan #(
  parameter int unsigned Terms       = 1,
  parameter int unsigned NumberWidth = 32
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [NumberWidth-1:0] number;
    assign number = number_i[i*NumberWidth +: NumberWidth];
    assign number_o[i*NumberWidth +: NumberWidth] =
        (number[NumberWidth-2 -: 2] == assay_pkg::ClassNan) ? '0 : number;
  end

endmodule
