// Numbers as one adder's terms: special values stand aside as zeros, and all get the shape that the
// adder's inputs share.
//
//   number   counts | class | negative | exponent |   i . f f f
//   term     counts |         negative | exponent | 0 i . f f f 0 0
//
// What has no exponent of its own may count with one all the same: with Empty.
module assay_term #(
  parameter int unsigned  Terms              = 1,
  parameter int unsigned  InExponentWidth    = 5,
  parameter int unsigned  InIntegerBits      = 1,
  parameter int unsigned  InFractionBits     = 10,
  parameter int unsigned  ExponentWidth      = 9,  // these three not less than those above
  parameter int unsigned  IntegerBits        = 2,
  parameter int unsigned  FractionBits       = 23,
  parameter bit           HasEmpty           = 1'b0,
  parameter int           Empty              = 0,  // the exponent that a zero counts with
  localparam int unsigned InSignificandWidth = InIntegerBits + InFractionBits,
  localparam int unsigned NumberWidth        = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned SignificandWidth   = IntegerBits + FractionBits,
  localparam int unsigned TermWidth          = 2 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*NumberWidth-1:0] number_i,
  output logic [Terms*TermWidth-1:0]   term_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative, finite;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [InSignificandWidth-1:0]     significand;
    assign {counts, class_is, negative, exponent, significand} =
        number_i[i*NumberWidth +: NumberWidth];
    assign finite = class_is == assay_pkg::ClassFinite;

    logic                        own;
    logic [ExponentWidth-1:0]    term_exponent;
    logic [SignificandWidth-1:0] term_significand;
    assign own              = counts && finite;
    assign term_exponent    =
        (HasEmpty && !own) ? ExponentWidth'(Empty) : ExponentWidth'(exponent);
    assign term_significand =
        finite ? SignificandWidth'(significand) << (FractionBits - InFractionBits) : '0;

    assign term_o[i*TermWidth +: TermWidth] = {
      own || HasEmpty,
      negative && finite,
      term_exponent,
      term_significand
    };
  end

endmodule
