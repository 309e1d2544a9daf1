// The bits of a posit below its sign, from where a number has its leading one and what follows it.
//
//   1 1 1 0 | e e | f f f f f . .     the exponent is regime x 2^Es + e, and the regime says how
//   0 0 0 1 | e e | f f f f f . .     often the first bit stands there
//                     ^ cut behind the last bit that a posit has
//
// Two neighbours are two such strings that follow each other, so that the cut is the rounding: half
// way lies the posit that is one bit longer. Ties go to the even code whatever nearest is asked for,
// and nothing is nearest to zero.
module assay_posit #(
  parameter int unsigned     Bits          = 8,
  parameter int unsigned     Es            = 2,
  parameter int unsigned     ExponentWidth = 6,
  parameter int unsigned     AlignedWidth  = 8,
  parameter assay_pkg::cut_e Cut           = assay_pkg::CutTowardZero
) (
  input  logic                            negative_i,
  input  logic signed [ExponentWidth-1:0] exponent_i,
  input  logic        [AlignedWidth-1:0]  aligned_i,  // the leading one first
  output logic        [Bits-2:0]          body_o,
  output logic                            too_large_o,
  output logic                            lost_o
);

  localparam int              Greatest = (Bits - 2) << Es;
  localparam bit              Nearest  = Cut == assay_pkg::CutNearestEven ||
                                         Cut == assay_pkg::CutNearestAway ||
                                         Cut == assay_pkg::CutNearestUp;
  localparam assay_pkg::cut_e Rule     = Nearest ? assay_pkg::CutNearestEven : Cut;

  localparam int unsigned WorkWidth = 1 + assay_pkg::larger(
      ExponentWidth, assay_pkg::signed_width(Greatest));
  logic signed [WorkWidth-1:0] exponent, regime;
  logic        [WorkWidth-1:0] run, shift;
  logic        [AlignedWidth-1:0] fraction;
  assign exponent = WorkWidth'(exponent_i);
  assign regime   = exponent >>> Es;
  assign fraction = aligned_i & ~(AlignedWidth'(1) << (AlignedWidth - 1));

  // Of the first bit beyond the first, which is all that a shift has to bring in; more than all bits
  // of them leave nothing else.
  logic first;
  assign first = !regime[WorkWidth-1];
  assign run   = first ? regime : ~regime;
  assign shift = (run > WorkWidth'(Bits - 1)) ? WorkWidth'(Bits - 1) : run;

  // e and f; zeros fill what is missing to a posit's bits.
  localparam int unsigned TailWidth = assay_pkg::larger(Es + AlignedWidth - 1, Bits);
  logic [TailWidth-1:0] tail;
  assign tail = (TailWidth'(exponent) << (TailWidth - Es)) |
                (TailWidth'(fraction) << (TailWidth - Es - (AlignedWidth - 1)));

  localparam int unsigned Width         = Bits + TailWidth;
  localparam int unsigned DistanceWidth = $clog2(Width + 2);
  logic [Width-1:0]         string_of_bits;
  logic [Width:0]           kept;
  logic [DistanceWidth-1:0] distance;
  assign string_of_bits = {{(Bits - 1) {first}}, !first, tail};
  assign distance       = DistanceWidth'(shift) + DistanceWidth'(TailWidth + 3 - Bits);
  assay_cut #(
    .Width        (Width),
    .DistanceWidth(DistanceWidth),
    .Cut          (Rule)
  ) u_cut (
    .magnitude_i(string_of_bits),
    .negative_i (negative_i),
    .below_i    (1'b0),
    .distance_i (distance),
    .kept_o     (kept),
    .lost_o     (lost_o)
  );

  logic [Bits-2:0] body;
  assign body        = kept[Bits-2:0];
  assign body_o      = (Nearest && body == '0) ? (Bits - 1)'(1) : body;
  assign too_large_o = exponent > WorkWidth'(Greatest) ||
                       (exponent == WorkWidth'(Greatest) && fraction != '0);

  logic unused;
  assign unused = ^{aligned_i, shift, kept};

endmodule
