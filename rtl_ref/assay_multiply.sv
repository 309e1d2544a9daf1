// Stage multiply: exact products.
//
//   1.mmm x 1.mmm = pp.mmmmmm     never rounded, never normalised
//
// Products of slices may have lower exponents than their operands' and keep their weight: zeros
// below make all of them one shape.
module assay_multiply #(
  parameter int unsigned  Terms             = 1,
  parameter int unsigned  AExponentWidth    = 5,
  parameter int unsigned  ASignificandWidth = 11,
  parameter int unsigned  BExponentWidth    = 5,
  parameter int unsigned  BSignificandWidth = 11,
  parameter int unsigned  ExponentWidth     = 6,
  parameter int unsigned  SignificandWidth  = ASignificandWidth + BSignificandWidth,
  parameter bit           ZerosMayCount     = 1'b0,  // as rounding may leave them
  parameter bit           ZeroProductCounts = 1'b0,  // where both of its factors do
  parameter int unsigned  Lowered           = 0,     // the exponent, by so much
  parameter int unsigned  Up                = 0,     // zeros below
  parameter bit           HasEmpty          = 1'b0,
  parameter int           Empty             = 0,     // the exponent that a product of zero has
  localparam int unsigned AWidth            = 4 + AExponentWidth + ASignificandWidth,
  localparam int unsigned BWidth            = 4 + BExponentWidth + BSignificandWidth,
  localparam int unsigned NumberWidth       = 4 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*AWidth-1:0]      a_i,
  input  logic [Terms*BWidth-1:0]      b_i,
  output logic [Terms*NumberWidth-1:0] product_o
);

  // Where one factor's exponents outweigh the other's, a product's may need fewer bits than they.
  localparam int unsigned SumWidth = assay_pkg::larger(
      ExponentWidth, assay_pkg::larger(AExponentWidth, BExponentWidth));

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                             a_counts, a_negative, b_counts, b_negative;
    logic [1:0]                       a_class, b_class;
    logic signed [AExponentWidth-1:0] a_exponent;
    logic signed [BExponentWidth-1:0] b_exponent;
    logic [ASignificandWidth-1:0]     a_significand;
    logic [BSignificandWidth-1:0]     b_significand;
    assign {a_counts, a_class, a_negative, a_exponent, a_significand} = a_i[i*AWidth +: AWidth];
    assign {b_counts, b_class, b_negative, b_exponent, b_significand} = b_i[i*BWidth +: BWidth];

    // Elsewhere every finite operand but zero counts.
    logic a_is_zero, b_is_zero;
    assign a_is_zero = ZerosMayCount ? a_significand == '0 : !a_counts;
    assign b_is_zero = ZerosMayCount ? b_significand == '0 : !b_counts;

    logic any_nan, any_infinity, any_zero;
    assign any_nan      = a_class == assay_pkg::ClassNan || b_class == assay_pkg::ClassNan;
    assign any_infinity = a_class == assay_pkg::ClassInfinity ||
                          b_class == assay_pkg::ClassInfinity;
    assign any_zero     = (a_class == assay_pkg::ClassFinite && a_is_zero) ||
                          (b_class == assay_pkg::ClassFinite && b_is_zero);

    assay_pkg::class_e class_is;
    assign class_is = any_nan || (any_infinity && any_zero) ? assay_pkg::ClassNan :
                      any_infinity                          ? assay_pkg::ClassInfinity :
                                                              assay_pkg::ClassFinite;

    logic [ExponentWidth-1:0]    exponent;
    logic [SignificandWidth-1:0] product;
    logic                        both_count, counts, is_empty;
    assign both_count = a_counts && b_counts &&
                        (ZeroProductCounts || !(ZerosMayCount && any_zero));
    assign is_empty   = HasEmpty && class_is == assay_pkg::ClassFinite && any_zero &&
                        !(ZeroProductCounts && both_count);
    assign counts     = is_empty || both_count;
    assign exponent = is_empty ? ExponentWidth'(Empty)
                               : ExponentWidth'(SumWidth'(a_exponent) + SumWidth'(b_exponent) -
                                                SumWidth'(Lowered));
    assign product  = SignificandWidth'(a_significand) * SignificandWidth'(b_significand);

    assign product_o[i*NumberWidth +: NumberWidth] = {
      counts,
      class_is,
      a_negative ^ b_negative,
      exponent,
      product << Up
    };
  end

endmodule
