// Stage scale: elements, products or sums times one scale of one side, exactly.
//
//   ii.ffff x 1.m = iii.ffffm     never rounded, never normalised
module assay_scale_side #(
  parameter int unsigned  Terms                 = 1,
  parameter int unsigned  InExponentWidth       = 6,
  parameter int unsigned  InSignificandWidth    = 8,
  parameter int unsigned  ScaleExponentWidth    = 8,
  parameter int unsigned  ScaleSignificandWidth = 1,
  parameter int unsigned  ExponentWidth         = 10,
  localparam int unsigned InWidth               = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned ScaleWidth            = 4 + ScaleExponentWidth + ScaleSignificandWidth,
  localparam int unsigned SignificandWidth      = InSignificandWidth + ScaleSignificandWidth,
  localparam int unsigned NumberWidth           = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*InWidth-1:0]     number_i,
  input  logic [Terms*ScaleWidth-1:0]  scale_i,  // each term's own
  output logic [Terms*NumberWidth-1:0] number_o
);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                                 counts, negative, by_counts, by_negative;
    logic [1:0]                           class_is, by_class;
    logic signed [InExponentWidth-1:0]    exponent;
    logic signed [ScaleExponentWidth-1:0] by_exponent;
    logic [InSignificandWidth-1:0]        significand;
    logic [ScaleSignificandWidth-1:0]     by_significand;
    assign {counts, class_is, negative, exponent, significand} = number_i[i*InWidth +: InWidth];
    assign {by_counts, by_class, by_negative, by_exponent, by_significand} =
        scale_i[i*ScaleWidth +: ScaleWidth];

    // Every finite scale but zero counts.
    logic any_nan, any_infinity, zero_scale, any_zero;
    assign any_nan      = class_is == assay_pkg::ClassNan || by_class == assay_pkg::ClassNan;
    assign any_infinity = class_is == assay_pkg::ClassInfinity ||
                          by_class == assay_pkg::ClassInfinity;
    assign zero_scale   = by_class == assay_pkg::ClassFinite && !by_counts;
    assign any_zero     = zero_scale || (class_is == assay_pkg::ClassFinite && significand == '0);

    assay_pkg::class_e out_class;
    assign out_class = any_nan || (any_infinity && any_zero) ? assay_pkg::ClassNan :
                       any_infinity                          ? assay_pkg::ClassInfinity :
                                                               assay_pkg::ClassFinite;

    // A sum that cancelled keeps an exponent, unless the scale is zero.
    logic [ExponentWidth-1:0]    out_exponent;
    logic [SignificandWidth-1:0] out_significand;
    assign out_exponent    = ExponentWidth'(exponent) + ExponentWidth'(by_exponent);
    assign out_significand =
        SignificandWidth'(significand) * SignificandWidth'(by_significand);

    assign number_o[i*NumberWidth +: NumberWidth] = {
      counts && !zero_scale, out_class, negative ^ by_negative, out_exponent, out_significand
    };
  end

endmodule
