// Stage align: terms as addends on their window's grid, in two's complement.
//
//   2^window                    2^(window - Keep)
//        |                        |
//     1 . m m m m m m m m m m m m m | x x x 0 0     m kept, x cut; zeros fill a finer grid
//                                           |
//                                         grid
//
// With Exact nothing is cut: the grid stands still and lies below everything that can arrive.
module assay_align #(
  parameter int unsigned     Terms            = 16,
  parameter int unsigned     ExponentWidth    = 9,
  parameter int unsigned     IntegerBits      = 2,
  parameter int unsigned     FractionBits     = 23,
  parameter int unsigned     WindowWidth      = 9,
  parameter int unsigned     Headroom         = 0,  // so far may exponents exceed a fixed window
  parameter int unsigned     Keep             = 25,
  parameter assay_pkg::cut_e Cut              = assay_pkg::CutTowardZero,
  parameter bit              HasLostBelow     = 1'b0,
  parameter int unsigned     LostBelow        = 0,  // a term so far below the window is dropped whole
  parameter int              GridBits         = 25,  // the grid is 2^(window - GridBits) ...
  parameter bit              Exact            = 1'b0,  // ... or 2^-GridBits
  parameter int unsigned     AddendWidth      = 28,
  localparam int unsigned    SignificandWidth = IntegerBits + FractionBits,
  localparam int unsigned    TermWidth        = 2 + ExponentWidth + SignificandWidth
) (
  input  logic [Terms*TermWidth-1:0]    term_i,
  input  logic signed [WindowWidth-1:0] window_i,
  output logic [Terms*AddendWidth-1:0]  addend_o,
  output logic [Terms-1:0]              lost_o
);

  // Shifted left by Up, a significand has all bits that are ever kept; what is cut from it is its
  // exponent's distance from the window and Down.
  localparam int unsigned Up    = Headroom + ((Keep > FractionBits) ? Keep - FractionBits : 0);
  localparam int unsigned Down  = Headroom + ((FractionBits > Keep) ? FractionBits - Keep : 0);
  localparam int unsigned Width = SignificandWidth + Up;
  localparam int unsigned DistanceWidth = 2 + assay_pkg::larger(
      assay_pkg::larger(ExponentWidth, WindowWidth),
      assay_pkg::larger(assay_pkg::signed_width(Down + LostBelow), assay_pkg::signed_width(GridBits)));

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic                            counts, negative;
    logic signed [ExponentWidth-1:0] exponent;
    logic [SignificandWidth-1:0]     significand;
    logic [DistanceWidth-1:0]        distance;
    logic [AddendWidth-1:0]          magnitude;
    assign {counts, negative, exponent, significand} = term_i[i*TermWidth +: TermWidth];

    if (Exact) begin : gen_exact
      localparam int unsigned RoomyWidth = AddendWidth + FractionBits;
      assign distance  = DistanceWidth'(exponent) + DistanceWidth'(GridBits);
      assign magnitude = AddendWidth'((RoomyWidth'(significand) << distance) >> FractionBits);
      assign lost_o[i] = 1'b0;
    end else begin : gen_cut
      localparam int unsigned Lost = HasLostBelow ? LostBelow + Down : 0;
      logic [Width:0] kept;
      logic           some_lost, dropped;
      assign distance  = DistanceWidth'(window_i) - DistanceWidth'(exponent) + DistanceWidth'(Down);
      assign magnitude = (dropped ? '0 : AddendWidth'(kept)) << (GridBits - Keep);
      assign dropped   = HasLostBelow && $signed(distance) > $signed(DistanceWidth'(Lost));
      assign lost_o[i] = dropped ? significand != '0 : some_lost;
      assay_cut #(
        .Width        (Width),
        .DistanceWidth(DistanceWidth),
        .Cut          (Cut)
      ) u_cut (
        .magnitude_i(Width'(significand) << Up),
        .negative_i (negative),
        .distance_i (distance),
        .kept_o     (kept),
        .lost_o     (some_lost)
      );
    end

    assign addend_o[i*AddendWidth +: AddendWidth] = negative ? -magnitude : magnitude;

    // Nothing but zero does not count, and zero is zero at any distance.
    logic unused;
    assign unused = ^{counts, window_i};
  end

endmodule
