// Numbers as they enter a sum with their signs turned; a NaN keeps its own.
//
//   counts | class | negative | exponent | significand
module assay_negate #(
  parameter int unsigned Terms       = 1,
  parameter int unsigned NumberWidth = 32
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                   counts, negative;
    logic [1:0]             class_is;
    logic [NumberWidth-5:0] rest;
    assign {counts, class_is, negative, rest} = number_i[i*NumberWidth +: NumberWidth];
    assign number_o[i*NumberWidth +: NumberWidth] = {
      counts, class_is, negative ^ (class_is != assay_pkg::ClassNan), rest
    };
  end

endmodule
