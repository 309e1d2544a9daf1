// Factors: an exponent is rounded down to a multiple of Step, and its significand shifted by the rest, so that the value
// stays. Where Step is a power of two the rest is the exponent's low bits.
//
//   exponent 6, step 4      4        and the significand 2 bits further up
//   significand        1.mmm     1mm.m
module assay_exponent_step #(
  parameter int unsigned  Terms              = 1,
  parameter int unsigned  InExponentWidth    = 5,
  parameter int unsigned  InSignificandWidth = 11,
  parameter int unsigned  ExponentWidth      = 6,
  parameter int unsigned  Step               = 4,
  parameter int           From               = 0,   // multiples are counted from here
  localparam int unsigned SignificandWidth   = InSignificandWidth + Step - 1,
  localparam int unsigned InWidth            = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned NumberWidth        = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*InWidth-1:0]     number_i,
  output logic [Terms*NumberWidth-1:0] number_o
);

  localparam int unsigned FromWidth  = assay_pkg::signed_width(From);
  localparam int unsigned ValueWidth = 1 + assay_pkg::larger(InExponentWidth, FromWidth);
  localparam int unsigned WorkWidth  = 2 + assay_pkg::larger(ValueWidth, assay_pkg::signed_width(Step));
  // Above so many steps, nothing is negative.
  localparam int unsigned Offset = ((1 << ValueWidth) + Step - 1) / Step * Step;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative, lowers;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [InSignificandWidth-1:0]     significand;
    logic [WorkWidth-1:0]              above, rest;
    logic [ExponentWidth-1:0]          out_exponent;
    logic [SignificandWidth-1:0]       out_significand;
    assign {counts, class_is, negative, exponent, significand} = number_i[i*InWidth +: InWidth];
    assign lowers          = counts && class_is == assay_pkg::ClassFinite;
    assign above           = WorkWidth'(exponent) - WorkWidth'(From) + WorkWidth'(Offset);
    assign rest            = lowers ? above % WorkWidth'(Step) : '0;
    assign out_exponent    = ExponentWidth'(WorkWidth'(exponent) - rest);
    assign out_significand = SignificandWidth'(significand) << rest;
    assign number_o[i*NumberWidth +: NumberWidth] = {
      counts, class_is, negative, out_exponent, out_significand
    };
  end

endmodule
