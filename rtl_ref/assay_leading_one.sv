// Where a number has its leading one, and its bits from there on.
//
//   0 0 1 m m m . r r r   2^exponent     what leaves:  1 m m m r r r 0 0   2^leading
//
// Of a significand without ones either means nothing.
module assay_leading_one #(
  parameter int unsigned ExponentWidth    = 6,
  parameter int unsigned SignificandWidth = 8,
  parameter int          FractionBits     = 6,
  parameter bit          Absolute         = 1'b0,  // the last bit weighs 2^-FractionBits
  localparam int unsigned LeadingWidth    = 2 + assay_pkg::larger(
      assay_pkg::larger(ExponentWidth, assay_pkg::signed_width(FractionBits)),
      assay_pkg::signed_width(SignificandWidth))
) (
  input  logic signed [ExponentWidth-1:0]    exponent_i,
  input  logic        [SignificandWidth-1:0] significand_i,
  output logic signed [LeadingWidth-1:0]     leading_o,
  output logic        [SignificandWidth-1:0] aligned_o
);

  logic signed [LeadingWidth-1:0] place;
  always_comb begin
    place = '0;
    for (int j = 0; j < SignificandWidth; j = j + 1) begin
      if (significand_i[j]) place = LeadingWidth'(j);
    end
  end

  assign leading_o = (Absolute ? '0 : LeadingWidth'(exponent_i)) - LeadingWidth'(FractionBits) +
                     place;
  assign aligned_o = significand_i << (LeadingWidth'(SignificandWidth - 1) - place);

  logic unused;
  assign unused = ^exponent_i;

endmodule
