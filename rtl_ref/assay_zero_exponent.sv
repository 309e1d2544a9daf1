// Factors: a zero without an exponent gets one, and counts.
//
//   counts | class | negative | exponent | significand
module assay_zero_exponent #(
  parameter int unsigned  Terms              = 1,
  parameter int unsigned  InExponentWidth    = 5,
  parameter int unsigned  InSignificandWidth = 11,
  parameter int unsigned  ExponentWidth      = 6,   // not less
  parameter int unsigned  SignificandWidth   = 11,  // not less
  parameter int           Empty              = -14,
  localparam int unsigned InWidth            = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned NumberWidth        = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*InWidth-1:0]     number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative, is_empty;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [InSignificandWidth-1:0]     significand;
    logic [ExponentWidth-1:0]          out_exponent;
    logic [SignificandWidth-1:0]       out_significand;
    assign {counts, class_is, negative, exponent, significand} = number_i[i*InWidth +: InWidth];
    assign is_empty        = !counts && class_is == assay_pkg::ClassFinite && significand == '0;
    assign out_exponent    = is_empty ? ExponentWidth'(Empty) : ExponentWidth'(exponent);
    assign out_significand = SignificandWidth'(significand);
    assign number_o[i*NumberWidth +: NumberWidth] = {
      counts || is_empty, class_is, negative, out_exponent, out_significand
    };
  end

endmodule
