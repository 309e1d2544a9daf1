// Stage round: numbers to integers.
//
//   i i i . r r r     cut at the point; what does not fit Bits wraps around or stops at the end
//
// With a stochastic cut each number comes with its random word, below its significand; with HasLost
// with a bit that says whether ones were lost further down, lowest of all. With Tells each number
// leaves above what assay_raised_round asks of it.
module assay_round_integer #(
  parameter int unsigned     Terms               = 1,
  parameter int unsigned     InExponentWidth     = 1,
  parameter int unsigned     InSignificandWidth  = 24,
  parameter int              InFractionBits      = 0,
  parameter bit              InAbsolute          = 1'b1,  // the last bit weighs 2^-InFractionBits
  parameter int unsigned     Zeros               = 0,     // appended to it
  parameter assay_pkg::cut_e Cut                 = assay_pkg::CutTowardZero,
  parameter int unsigned     Bits                = 32,
  parameter bit              HasSign             = 1'b1,
  parameter bit              SignMagnitude       = 1'b0,  // the sign is none of the Bits
  parameter bit              Wraps               = 1'b1,  // else it stops
  parameter int unsigned     OutExponentWidth    = 1,
  parameter int              OutFractionBits     = 0,     // the point stands so far up
  parameter bit              MayBeHuge           = 1'b0,  // Zeros do not reach up to all numbers
  parameter bit              Symmetric           = 1'b0,  // it stops at minus the greatest
  parameter bit              OverflowToInfinity  = 1'b0,  // in place of either
  parameter int unsigned     RandomBits          = 0,     // of a stochastic cut
  parameter bit              HasLost             = 1'b0,
  parameter bit              Tells               = 1'b0,
  localparam int unsigned    Below               = RandomBits + 32'(HasLost),
  localparam int unsigned    InWidth             = 4 + InExponentWidth + InSignificandWidth + Below,
  localparam int unsigned    Told                = Tells ? 3 : 0,
  localparam int unsigned    OutWidth            = 4 + OutExponentWidth + Bits + Told
) (
  input  logic [Terms*InWidth-1:0]  number_i,
  output logic [Terms*OutWidth-1:0] number_o
);

  localparam int unsigned Width     = InSignificandWidth + Zeros;
  localparam int unsigned RoomWidth = 1 + assay_pkg::larger(Width, Bits);
  localparam int unsigned WorkWidth = 2 + assay_pkg::larger(
      assay_pkg::larger(InExponentWidth, assay_pkg::signed_width(InFractionBits - OutFractionBits)),
      assay_pkg::signed_width(Zeros));

  // The greatest magnitude of either sign.
  localparam logic [RoomWidth-1:0] MostPositive =
      (RoomWidth'(1) << (Bits - 32'(HasSign && !SignMagnitude))) - RoomWidth'(1);
  localparam logic [RoomWidth-1:0] MostNegative =
      SignMagnitude ? MostPositive :
      HasSign       ? (RoomWidth'(1) << (Bits - 1)) - RoomWidth'(Symmetric) : '0;

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                              counts, negative;
    logic [1:0]                        class_is;
    logic signed [InExponentWidth-1:0] exponent;
    logic [InSignificandWidth-1:0]     significand;
    assign {counts, class_is, negative, exponent, significand} =
        number_i[i*InWidth+Below +: InWidth-Below];

    // Without a stochastic cut nobody looks at the word.
    localparam int unsigned RandomWidth = assay_pkg::larger(RandomBits, 1);
    logic [RandomWidth-1:0] random;
    logic                   below;
    assign random = number_i[i*InWidth+32'(HasLost) +: RandomWidth];
    assign below  = HasLost && number_i[i*InWidth];

    logic [WorkWidth-1:0] distance;
    logic [Width-1:0]     padded;
    logic [Width:0]       kept;
    logic                 lost, huge;
    assign padded   = Width'(significand) << Zeros;
    assign distance = WorkWidth'(InFractionBits - OutFractionBits) + WorkWidth'(Zeros) -
                      (InAbsolute ? '0 : WorkWidth'(exponent));
    assign huge     = MayBeHuge && distance[WorkWidth-1] && significand != '0;
    assay_shorten #(
      .Width        (Width),
      .DistanceWidth(WorkWidth),
      .RandomBits   (RandomBits),
      .Cut          (Cut)
    ) u_cut (
      .magnitude_i(padded),
      .negative_i (negative),
      .below_i    (below),
      .distance_i (distance),
      .random_i   (random),
      .kept_o     (kept),
      .lost_o     (lost)
    );

    logic [RoomWidth-1:0] magnitude, most;
    logic [Bits-1:0]      out_magnitude;
    logic                 out_negative, too_large;
    assign magnitude = (MayBeHuge && distance[WorkWidth-1]) ? '0 : RoomWidth'(kept);
    assign most      = negative ? MostNegative : MostPositive;

    // Where every magnitude fits, a comparison would be a constant one.
    logic [RoomWidth:0] room;
    assign room      = {1'b0, most} - {1'b0, magnitude};
    assign too_large = huge || room[RoomWidth];

    if (Wraps) begin : gen_wrap
      logic [Bits-1:0] low;
      assign low           = negative ? -magnitude[Bits-1:0] : magnitude[Bits-1:0];
      assign out_negative  = HasSign && low[Bits-1];
      assign out_magnitude = out_negative ? -low : low;
    end else begin : gen_stop
      assign out_magnitude = too_large ? most[Bits-1:0] : magnitude[Bits-1:0];
      assign out_negative  = negative && out_magnitude != '0;
    end

    // The sign of what is too large is that of the number.
    logic to_infinity;
    assign to_infinity = OverflowToInfinity && too_large && class_is == assay_pkg::ClassFinite;
    assign number_o[i*OutWidth+Told +: OutWidth-Told] = {
      out_magnitude != '0,
      to_infinity ? assay_pkg::ClassInfinity : class_is,
      (to_infinity || class_is != assay_pkg::ClassFinite) ? negative : out_negative,
      {OutExponentWidth{1'b0}},
      out_magnitude
    };
    if (Tells) begin : gen_told
      assign number_o[i*OutWidth +: 3] = {1'b0, too_large, lost};
    end

    logic unused;
    assign unused = ^{counts, exponent, lost, huge, magnitude, room, too_large};
  end

endmodule
