// A broken twin: lane 5 loses the last bit that it should keep.
//
// Stage align: terms as addends on their window's grid, in two's complement.
//
//   2^window                    2^(window - Keep)
//        |                        |
//     1 . m m m m m m m m m m m m m | x x x 0 0     m kept, x cut; zeros fill a finer grid
//                                           |
//                                         grid
//
// Without Cuts all bits are kept: the grid stands still and lies below everything that can arrive.
module assay_align #(
  parameter int unsigned     Terms            = 16,
  parameter int unsigned     ExponentWidth    = 9,
  parameter int unsigned     SignificandWidth = 22,
  parameter int              FractionBits     = 20,  // the last bit is 2^(exponent - FractionBits)
  parameter bit              InAbsolute       = 1'b0,  // ... or 2^-FractionBits
  parameter int unsigned     WindowWidth      = 9,
  parameter bit              Cuts             = 1'b1,
  parameter int              Keep             = 25,
  parameter assay_pkg::cut_e Cut              = assay_pkg::CutTowardZero,
  parameter int unsigned     Up               = 5,  // the last bit is at most so far above the cut
  parameter bit              HasLostBelow     = 1'b0,
  parameter int              LostBelow        = 0,  // farther below the window it is dropped
  parameter int              GridBits         = 25,  // the grid is 2^(window - GridBits) ...
  parameter bit              GridAbsolute     = 1'b0,  // ... or 2^-GridBits
  parameter int unsigned     AddendWidth      = 28
) (
  input  logic [Terms-1:0]                  negative_i,
  input  logic [Terms*ExponentWidth-1:0]    exponent_i,
  input  logic [Terms*SignificandWidth-1:0] significand_i,
  input  logic signed [WindowWidth-1:0]     window_i,
  output logic [Terms*AddendWidth-1:0]      addend_o,
  output logic [Terms-1:0]                  lost_o
);

  // All exponents and distances, with room for their sums.
  localparam int unsigned WorkWidth = 3 + assay_pkg::larger(
      assay_pkg::larger(
          assay_pkg::larger(ExponentWidth, WindowWidth), assay_pkg::signed_width(GridBits)),
      assay_pkg::larger(
          assay_pkg::signed_width(FractionBits),
          assay_pkg::larger(assay_pkg::signed_width(LostBelow),
                            assay_pkg::signed_width(Keep + Up))));

  logic signed [WorkWidth-1:0] window;
  assign window = WorkWidth'(window_i);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic signed [ExponentWidth-1:0] exponent;
    logic [SignificandWidth-1:0]     significand;
    logic [AddendWidth-1:0]          magnitude;
    assign exponent    = exponent_i[i*ExponentWidth +: ExponentWidth];
    assign significand = significand_i[i*SignificandWidth +: SignificandWidth];

    // Where a term's last bit stands. Zero is zero at any distance.
    logic signed [WorkWidth-1:0] last;
    assign last = InAbsolute ? WorkWidth'(-FractionBits)
                             : WorkWidth'(exponent) - WorkWidth'(FractionBits);

    logic dropped;
    assign dropped = HasLostBelow && window - WorkWidth'(exponent) > WorkWidth'(LostBelow);

    if (Cuts) begin : gen_cut
      localparam int unsigned Width = SignificandWidth + Up;
      logic [WorkWidth-1:0] distance;
      logic [Width:0]       kept;
      logic                 some_lost;
      assign distance  = window - WorkWidth'(Keep) - last + WorkWidth'(Up);
      assign lost_o[i] = dropped ? significand != '0 : some_lost;
      assay_cut #(
        .Width        (Width),
        .DistanceWidth(WorkWidth),
        .Cut          (Cut)
      ) u_cut (
        .magnitude_i(Width'(significand) << Up),
        .negative_i (negative_i[i]),
        .below_i    (1'b0),
        .distance_i (distance),
        .kept_o     (kept),
        .lost_o     (some_lost)
      );
      if (GridAbsolute) begin : gen_standing
        logic [WorkWidth-1:0] above;
        assign above     = window - WorkWidth'(Keep) + WorkWidth'(GridBits);
        assign magnitude = (dropped ? '0 : AddendWidth'(kept)) << above;
      end else begin : gen_moving
        assign magnitude = ((dropped ? '0 : AddendWidth'(kept)) << (GridBits - Keep)) & ~(AddendWidth'(i == 5));
      end
      logic unused;
      assign unused = ^kept;
    end else begin : gen_exact
      logic [WorkWidth-1:0] above;
      assign above     = last + WorkWidth'(GridBits);
      assign magnitude = (dropped ? '0 : AddendWidth'(significand)) << above;
      assign lost_o[i] = dropped && significand != '0;
    end

    assign addend_o[i*AddendWidth +: AddendWidth] = negative_i[i] ? -magnitude : magnitude;

    logic unused;
    assign unused = ^{exponent, last, window};
  end

endmodule
