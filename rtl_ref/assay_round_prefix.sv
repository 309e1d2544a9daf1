// Stage round: numbers to the values of a prefix code.
//
//   place | f f f f . .      place counts exponents: 1 is that of the least number
//             ^ cut here     which leaves the longer the exponent's field, the fewer bits of f, and
//                            none of a number without a field
//
// Two neighbours are two such strings that follow each other. Below the least number there is zero:
// there f is what the number is of the least one. With Tells each number leaves above what
// assay_raised_round asks of it.
module assay_round_prefix #(
  parameter int unsigned     Terms              = 1,
  parameter int unsigned     InExponentWidth    = 6,
  parameter int unsigned     InSignificandWidth = 8,
  parameter int              InFractionBits     = 6,
  parameter bit              InAbsolute         = 1'b0,  // the last bit weighs 2^-InFractionBits
  parameter assay_pkg::cut_e Cut                = assay_pkg::CutNearestEven,
  parameter int unsigned     Bits               = 8,
  parameter int unsigned     Exponent           = 4,     // bits of its longest field
  parameter bit              OverflowToInfinity = 1'b1,  // else the greatest number
  parameter int unsigned     OutExponentWidth   = 6,     // holds every exponent of the code
  parameter bit              Tells              = 1'b0,
  localparam int unsigned    MantissaBits       = Bits - 1 - Exponent,
  localparam int unsigned    InWidth            = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned    Told               = Tells ? 3 : 0,
  localparam int unsigned    OutWidth           = 4 + OutExponentWidth + MantissaBits + 1 + Told
) (
  input  logic [Terms*InWidth-1:0]  number_i,
  output logic [Terms*OutWidth-1:0] number_o
);

  localparam int GreatestExponent = (1 << Exponent) - 1;
  localparam int Below            = (1 << MantissaBits) + GreatestExponent;
  localparam int GreatestPlace    = Below + GreatestExponent;

  // The greatest number ends in a zero: its neighbour's code is an infinity.
  localparam int unsigned PlaceWidth  = $clog2(GreatestPlace + 1);
  localparam int unsigned ResultWidth = PlaceWidth + 1 + MantissaBits;
  localparam int unsigned Last        = ((GreatestPlace + 1) << MantissaBits) - 8;
  localparam logic [ResultWidth-1:0] Greatest = ResultWidth'(Last);

  localparam int unsigned LeadingWidth = assay_pkg::leading_width(
      InExponentWidth, InSignificandWidth, InFractionBits);
  localparam int unsigned WorkWidth = 1 + assay_pkg::larger(
      LeadingWidth, assay_pkg::signed_width(GreatestPlace));

  localparam int unsigned FractionWidth = assay_pkg::larger(InSignificandWidth, MantissaBits + 1);
  localparam int unsigned Width         = PlaceWidth + FractionWidth;
  localparam int unsigned DistanceWidth = $clog2(FractionWidth + 1);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                           negative, finite;
    logic [1:0]                     class_is;
    logic signed [LeadingWidth-1:0] leading;
    logic [InSignificandWidth-1:0]  aligned;
    assay_leading_one #(
      .ExponentWidth   (InExponentWidth),
      .SignificandWidth(InSignificandWidth),
      .FractionBits    (InFractionBits),
      .Absolute        (InAbsolute)
    ) u_leading_one (
      .number_i  (number_i[i*InWidth +: InWidth]),
      .class_o   (class_is),
      .negative_o(negative),
      .leading_o (leading),
      .aligned_o (aligned)
    );
    assign finite = class_is == assay_pkg::ClassFinite;

    // A number below the least one has place 0; what it is of that one may be half, or less.
    logic signed [WorkWidth-1:0] at, above, from_one;
    logic [FractionWidth-1:0]    whole, fraction;
    logic [PlaceWidth-1:0]       place;
    assign at       = WorkWidth'(leading);
    assign above    = at + WorkWidth'(Below);
    assign from_one = at[WorkWidth-1] ? -at : at;
    assign whole    = FractionWidth'(aligned) << (FractionWidth - InSignificandWidth);
    always_comb begin
      place    = PlaceWidth'(above);
      fraction = whole << 1;
      if (above <= 0) begin
        place    = '0;
        fraction = (above == 0) ? whole : FractionWidth'(1);
      end
    end

    // How many bits of f a number has less than the most.
    logic [DistanceWidth-1:0] missing;
    always_comb begin
      missing = '0;
      if (from_one >= WorkWidth'((GreatestExponent + 1) / 4)) missing = DistanceWidth'(1);
      if (from_one >= WorkWidth'((GreatestExponent + 1) / 2)) missing = DistanceWidth'(2);
      if (at < WorkWidth'(-GreatestExponent)) missing = DistanceWidth'(MantissaBits);
    end

    logic [Width:0] kept;
    logic           lost;
    assay_cut #(
      .Width        (Width),
      .DistanceWidth(DistanceWidth),
      .Cut          (Cut)
    ) u_cut (
      .magnitude_i({place, fraction}),
      .negative_i (negative),
      .below_i    (1'b0),
      .distance_i (DistanceWidth'(FractionWidth - MantissaBits) + missing),
      .kept_o     (kept),
      .lost_o     (lost)
    );

    logic [ResultWidth-1:0] rounded, result, result_place;
    logic                   too_large, zero, to_infinity;
    assign rounded     = ResultWidth'(kept) << missing;
    assign too_large   = above > WorkWidth'(GreatestPlace) || rounded > Greatest;
    assign result      = too_large ? Greatest : rounded;
    assign zero        = aligned == '0 || result == '0;
    assign to_infinity = OverflowToInfinity && finite && too_large && aligned != '0;

    logic [OutExponentWidth-1:0] out_exponent;
    logic [MantissaBits:0]       out_significand;
    assign result_place    = result >> MantissaBits;
    assign out_exponent    = OutExponentWidth'(result_place) - OutExponentWidth'(Below);
    assign out_significand = {1'b1, result[MantissaBits-1:0]};
    assign number_o[i*OutWidth+Told +: OutWidth-Told] = {
      finite && !zero && !to_infinity,
      to_infinity ? assay_pkg::ClassInfinity : class_is,
      negative && !(finite && zero),
      out_exponent,
      zero ? '0 : out_significand
    };
    if (Tells) begin : gen_told
      assign number_o[i*OutWidth +: 3] = {1'b0, too_large, lost};
    end

    logic unused;
    assign unused = ^{kept, lost, result_place};
  end

endmodule
