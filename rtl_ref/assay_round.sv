// Stage round: a number to fewer bits, at its window, at its leading one, or in a format.
//
//   0 0 1 m m m m | r r r     Keep bits m after a hidden one; where that one stands:
//
//   at window        at the number's own exponent
//   at leading one   there, but never below LeastExponent
//   at format        the same with the format's least exponent; what is too large overflows
module assay_round #(
  parameter int unsigned     InExponentWidth     = 9,
  parameter int unsigned     InSignificandWidth  = 32,
  parameter int              InFractionBits      = 25,
  parameter bit              InAbsolute          = 1'b0,  // the last bit weighs 2^-InFractionBits
  parameter assay_pkg::at_e  At                  = assay_pkg::AtFormat,
  parameter int unsigned     Keep                = 23,
  parameter assay_pkg::cut_e Cut                 = assay_pkg::CutTowardZero,
  parameter bit              HasLeastExponent    = 1'b1,
  parameter int              LeastExponent       = -126,
  parameter int              GreatestExponent    = 127,   // the rest only at format
  parameter bit              GreatestIsAllOnes   = 1'b1,  // else its last bit is zero
  parameter bit              OverflowToInfinity  = 1'b1,  // else to the greatest finite number
  parameter bit              HasSignedZero       = 1'b1,
  parameter int unsigned     OutExponentWidth    = 8,
  parameter int unsigned     OutSignificandWidth = 24,
  localparam int unsigned    InWidth             = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned    OutWidth            = 4 + OutExponentWidth + OutSignificandWidth
) (
  input  logic [InWidth-1:0]  number_i,
  output logic [OutWidth-1:0] number_o
);

  logic                              counts, negative;
  logic [1:0]                        class_is;
  logic signed [InExponentWidth-1:0] exponent;
  logic [InSignificandWidth-1:0]     significand;
  assign {counts, class_is, negative, exponent, significand} = number_i;

  // All exponents and distances below, with room for their sums.
  localparam int unsigned WorkWidth = 3 + assay_pkg::larger(
      assay_pkg::larger(
          assay_pkg::larger(InExponentWidth, OutExponentWidth),
          assay_pkg::signed_width(InSignificandWidth)),
      assay_pkg::larger(
          assay_pkg::signed_width(InFractionBits), assay_pkg::signed_width(LeastExponent)));

  logic signed [WorkWidth-1:0] quantum, leading, lowest, hidden;
  assign quantum = InAbsolute ? WorkWidth'(-InFractionBits)
                              : WorkWidth'(exponent) - WorkWidth'(InFractionBits);

  // Places are counted from the last bit of the significand.
  always_comb begin
    leading = '0;
    for (int i = 0; i < InSignificandWidth; i = i + 1) begin
      if (significand[i]) leading = WorkWidth'(i);
    end
  end
  assign lowest = WorkWidth'(LeastExponent) - quantum;
  assign hidden = (At == assay_pkg::AtWindow)            ? WorkWidth'(exponent) - quantum :
                  (HasLeastExponent && lowest > leading) ? lowest : leading;

  //   0 0 1 m m m m r r r | 0 0 0 0     Keep zeros, so that the cut is exactly `hidden` wide
  localparam int unsigned Width = InSignificandWidth + Keep;
  logic [Width:0] kept;
  logic           lost;
  assay_cut #(
    .Width        (Width),
    .DistanceWidth(WorkWidth),
    .Cut          (Cut)
  ) u_cut (
    .magnitude_i(Width'(significand) << Keep),
    .negative_i (negative),
    .distance_i (hidden),
    .kept_o     (kept),
    .lost_o     (lost)
  );

  // 1.11..1 carried into 10.00..0
  logic                        carried;
  logic [Keep:0]               rounded;
  logic signed [WorkWidth-1:0] raised;
  assign carried = kept[Keep+1];
  assign rounded = carried ? kept[Keep+1:1] : kept[Keep:0];
  assign raised  = quantum + hidden + WorkWidth'(carried);

  logic                           out_counts, out_negative;
  logic [1:0]                     out_class;
  logic [OutExponentWidth-1:0]    out_exponent;
  logic [OutSignificandWidth-1:0] out_significand;
  assign number_o = {out_counts, out_class, out_negative, out_exponent, out_significand};

  if (At == assay_pkg::AtFormat) begin : gen_format
    localparam logic [Keep:0] Greatest = {{Keep{1'b1}}, GreatestIsAllOnes};
    logic finite, zero, too_large, to_infinity;
    assign finite      = class_is == assay_pkg::ClassFinite;
    assign zero        = rounded == '0;
    assign too_large   = !zero && (raised > WorkWidth'(GreatestExponent) ||
                                   (raised == WorkWidth'(GreatestExponent) &&
                                    (&rounded) && !GreatestIsAllOnes));
    assign to_infinity = finite && too_large && OverflowToInfinity;

    assign out_counts      = counts && !zero && !to_infinity;
    assign out_class       = to_infinity ? assay_pkg::ClassInfinity : class_is;
    assign out_negative    = negative && !(finite && zero && !HasSignedZero);
    assign out_exponent    = too_large ? OutExponentWidth'(GreatestExponent)
                                       : OutExponentWidth'(raised);
    assign out_significand = OutSignificandWidth'(too_large ? Greatest : rounded);
  end else begin : gen_number
    // At the leading one a zero has none: it keeps the exponent it came with.
    localparam bit Window = At == assay_pkg::AtWindow;
    assign out_counts      = counts;
    assign out_class       = class_is;
    assign out_negative    = negative;
    assign out_exponent    = (Window || significand == '0) ? OutExponentWidth'(exponent)
                                                           : OutExponentWidth'(raised);
    assign out_significand = Window ? OutSignificandWidth'(kept) : OutSignificandWidth'(rounded);
  end

  logic unused;
  assign unused = ^{leading, lowest, raised, kept, lost};

endmodule
