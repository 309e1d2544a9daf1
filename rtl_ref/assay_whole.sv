// Stage multiply, where operands are multiplied in pieces and zeros may count: products with the
// class of the whole operands' product, as a slice does not say whether its operand is zero.
//
//   counts | class | negative | exponent | significand
module assay_whole #(
  parameter int unsigned Terms       = 1,
  parameter int unsigned NumberWidth = 32,
  parameter int unsigned WholeWidth  = 32
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  input  logic [Terms*WholeWidth-1:0]  whole_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [NumberWidth-1:0] number;
    assign number = number_i[i*NumberWidth +: NumberWidth];
    assign number_o[i*NumberWidth +: NumberWidth] = {
      number[NumberWidth-1], whole_i[(i+1)*WholeWidth-3 +: 2], number[NumberWidth-4:0]
    };
    logic unused;
    assign unused = ^number;
  end

  // Of the whole product only its class matters.
  logic unused;
  assign unused = ^whole_i;

endmodule
