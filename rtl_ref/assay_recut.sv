// Stage align: addends that were cut are cut once more, and lose the Drop bits that are zero then.
//
//   2^window                    2^(window - Keep)
//        |                        |
//     1 . m m m m m m m m m m m m m | x x x 0 0     m kept, x cut
//                                           |
//                                         grid
module assay_recut #(
  parameter int unsigned     Terms        = 16,
  parameter int unsigned     WindowWidth  = 9,
  parameter int              Keep         = 10,
  parameter assay_pkg::cut_e Cut          = assay_pkg::CutTowardZero,
  parameter int              GridBits     = 23,    // the grid is 2^(window - GridBits) ...
  parameter bit              GridAbsolute = 1'b0,  // ... or 2^-GridBits
  parameter int unsigned     InWidth      = 26,
  parameter int unsigned     Drop         = 13,
  localparam int unsigned    AddendWidth  = InWidth - Drop
) (
  input  logic [Terms*InWidth-1:0]      addend_i,
  input  logic [Terms-1:0]              lost_i,
  input  logic signed [WindowWidth-1:0] window_i,
  output logic [Terms*AddendWidth-1:0]  addend_o,
  output logic [Terms-1:0]              lost_o
);

  localparam int unsigned WorkWidth = 2 + assay_pkg::larger(
      WindowWidth, assay_pkg::larger(assay_pkg::signed_width(GridBits),
                                     assay_pkg::signed_width(Keep)));
  logic [WorkWidth-1:0] distance;
  assign distance = (GridAbsolute ? WorkWidth'(window_i) : '0) + WorkWidth'(GridBits - Keep);

  for (genvar i = 0; i < Terms; i++) begin : gen_term
    logic [InWidth-1:0] addend, magnitude, left, out;
    logic [InWidth:0]   kept;
    logic               negative, some_lost;
    assign addend    = addend_i[i*InWidth +: InWidth];
    assign negative  = addend[InWidth-1];
    assign magnitude = negative ? -addend : addend;
    assay_cut #(
      .Width        (InWidth),
      .DistanceWidth(WorkWidth),
      .Cut          (Cut)
    ) u_cut (
      .magnitude_i(magnitude),
      .negative_i (negative),
      .below_i    (1'b0),
      .distance_i (distance),
      .kept_o     (kept),
      .lost_o     (some_lost)
    );
    assign left      = kept[InWidth-1:0] << distance;
    assign out       = negative ? -left : left;
    assign lost_o[i] = lost_i[i] || some_lost;
    assign addend_o[i*AddendWidth +: AddendWidth] = out[Drop +: AddendWidth];

    logic unused;
    assign unused = ^{out, kept};
  end

  logic unused;
  assign unused = ^window_i;

endmodule
