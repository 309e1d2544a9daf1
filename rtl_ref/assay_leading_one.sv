// A number apart: its class and sign, where it has its leading one, and its bits from there on.
//
//   0 0 1 m m m . r r r   2^exponent     what leaves:  1 m m m r r r 0 0   2^leading
//
// Of a significand without ones no bit leaves, and its place means nothing.
module assay_leading_one #(
  parameter int unsigned ExponentWidth    = 6,
  parameter int unsigned SignificandWidth = 8,
  parameter int          FractionBits     = 6,
  parameter bit          Absolute         = 1'b0,  // the last bit weighs 2^-FractionBits
  localparam int unsigned InWidth         = 4 + ExponentWidth + SignificandWidth,
  localparam int unsigned LeadingWidth    = assay_pkg::leading_width(
      ExponentWidth, SignificandWidth, FractionBits)
) (
  input  logic [InWidth-1:0]             number_i,
  output logic [1:0]                     class_o,
  output logic                           negative_o,
  output logic signed [LeadingWidth-1:0] leading_o,
  output logic [SignificandWidth-1:0]    aligned_o
);

  logic                            counts;
  logic signed [ExponentWidth-1:0] exponent;
  logic [SignificandWidth-1:0]     significand;
  assign {counts, class_o, negative_o, exponent, significand} = number_i;

  logic signed [LeadingWidth-1:0] place;
  always_comb begin
    place = '0;
    for (int j = 0; j < SignificandWidth; j = j + 1) begin
      if (significand[j]) place = LeadingWidth'(j);
    end
  end

  assign leading_o = (Absolute ? '0 : LeadingWidth'(exponent)) - LeadingWidth'(FractionBits) +
                     place;
  assign aligned_o = significand << (LeadingWidth'(SignificandWidth - 1) - place);

  logic unused;
  assign unused = ^{counts, exponent};

endmodule
