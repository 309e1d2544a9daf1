// Numbers as one adder's terms, taken apart: NaNs and infinities stand aside as zeros, and all
// exponents get the width that the adder's inputs share.
//
//   counts | class | negative | exponent | significand
//
// What has no exponent of its own may count with one all the same: with Empty.
module assay_term #(
  parameter int unsigned  Terms            = 1,
  parameter int unsigned  InExponentWidth  = 5,
  parameter int unsigned  SignificandWidth = 11,
  parameter int unsigned  ExponentWidth    = 9,  // not less than InExponentWidth
  parameter bit           HasEmpty         = 1'b0,
  parameter int           Empty            = 0,  // the exponent that a zero counts with
  localparam int unsigned NumberWidth      = 4 + InExponentWidth + SignificandWidth
) (
  input  logic [Terms*NumberWidth-1:0]      number_i,
  output logic [Terms-1:0]                  counts_o,
  output logic [Terms-1:0]                  negative_o,
  output logic [Terms*ExponentWidth-1:0]    exponent_o,
  output logic [Terms*SignificandWidth-1:0] significand_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative, finite, own;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [SignificandWidth-1:0]       significand;
    assign {counts, class_is, negative, exponent, significand} =
        number_i[i*NumberWidth +: NumberWidth];
    assign finite = class_is == assay_pkg::ClassFinite;
    assign own    = counts && finite;

    assign counts_o[i]   = own || HasEmpty;
    assign negative_o[i] = negative && finite;
    assign exponent_o[i*ExponentWidth +: ExponentWidth] =
        (HasEmpty && !own) ? ExponentWidth'(Empty) : ExponentWidth'(exponent);
    assign significand_o[i*SignificandWidth +: SignificandWidth] = finite ? significand : '0;
  end

endmodule
