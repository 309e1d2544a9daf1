// Stage round: numbers to posits.
//
// A number becomes the bits of a posit, and what these say is the rounded number. With Tells each
// leaves above what assay_raised_round asks of it.
module assay_round_posit #(
  parameter int unsigned     Terms              = 1,
  parameter int unsigned     InExponentWidth    = 6,
  parameter int unsigned     InSignificandWidth = 8,
  parameter int              InFractionBits     = 6,
  parameter bit              InAbsolute         = 1'b0,  // the last bit weighs 2^-InFractionBits
  parameter assay_pkg::cut_e Cut                = assay_pkg::CutNearestEven,
  parameter int unsigned     Bits               = 8,
  parameter int unsigned     Es                 = 2,
  parameter bit              OverflowToInfinity = 1'b0,  // else the greatest number
  parameter int unsigned     OutExponentWidth   = 6,     // holds every exponent of a posit
  parameter bit              Tells              = 1'b0,
  localparam int unsigned    MantissaBits       = assay_pkg::larger(Bits, Es + 3) - Es - 3,
  localparam int unsigned    InWidth            = 4 + InExponentWidth + InSignificandWidth,
  localparam int unsigned    OutWidth           = 4 + OutExponentWidth + MantissaBits + 1,
  localparam int unsigned    Told               = Tells ? 3 : 0,
  localparam int unsigned    LeftWidth          = OutWidth + Told
) (
  input  logic [Terms*InWidth-1:0]   number_i,
  output logic [Terms*LeftWidth-1:0] number_o
);

  localparam int unsigned LeadingWidth = assay_pkg::leading_width(
      InExponentWidth, InSignificandWidth, InFractionBits);

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

    logic [Bits-2:0] body, rounded;
    logic            too_large, lost;
    assay_posit #(
      .Bits         (Bits),
      .Es           (Es),
      .ExponentWidth(LeadingWidth),
      .AlignedWidth (InSignificandWidth),
      .Cut          (Cut)
    ) u_posit (
      .negative_i (negative),
      .exponent_i (leading),
      .aligned_i  (aligned),
      .body_o     (body),
      .too_large_o(too_large),
      .lost_o     (lost)
    );
    always_comb begin
      rounded = too_large ? '1 : body;
      if (aligned == '0) rounded = '0;
    end

    logic [OutWidth-1:0] magnitude;
    assay_decode_posit #(
      .Bits         (Bits),
      .Es           (Es),
      .ExponentWidth(OutExponentWidth)
    ) u_decode (
      .code_i  ({1'b0, rounded}),
      .number_o(magnitude)
    );

    logic to_infinity;
    assign to_infinity = OverflowToInfinity && finite && too_large && aligned != '0;
    assign number_o[i*LeftWidth+Told +: OutWidth] = {
      magnitude[OutWidth-1] && finite && !to_infinity,
      to_infinity ? assay_pkg::ClassInfinity : class_is,
      negative && !(finite && rounded == '0),
      magnitude[OutWidth-5:0]
    };
    if (Tells) begin : gen_told
      assign number_o[i*LeftWidth +: 3] = {1'b0, too_large, lost};
    end

    logic unused;
    assign unused = ^{magnitude, lost};
  end

endmodule
