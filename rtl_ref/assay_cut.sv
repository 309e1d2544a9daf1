// Dropping low bits of a magnitude: the one place where precision is lost.
//
//   k k k k k | h r r r     k kept, h half, r the rest; lost = h or any r, or `below`: ones even lower
module assay_cut #(
  parameter int unsigned     Width         = 25,
  parameter int unsigned     DistanceWidth = 9,
  parameter assay_pkg::cut_e Cut           = assay_pkg::CutTowardZero
) (
  input  logic [Width-1:0]         magnitude_i,
  input  logic                     negative_i,
  input  logic                     below_i,
  input  logic [DistanceWidth-1:0] distance_i,  // any: beyond Width nothing is left but lost bits
  output logic [Width:0]           kept_o,      // one bit more: it may have been rounded up
  output logic                     lost_o
);

  logic [Width-1:0] kept;
  logic             half, rest, up;

  assign {kept, half} = {magnitude_i, 1'b0} >> distance_i;
  assign rest         = |({magnitude_i, 1'b0} & ~({(Width + 1) {1'b1}} << distance_i)) || below_i;
  assign lost_o       = half || rest;

  always_comb begin
    case (Cut)
      assay_pkg::CutDown:        up = lost_o && negative_i;
      assay_pkg::CutUp:          up = lost_o && !negative_i;
      assay_pkg::CutNearestEven: up = half && (rest || kept[0]);
      assay_pkg::CutNearestAway: up = half;
      assay_pkg::CutNearestUp:   up = half && (rest || !negative_i);
      assay_pkg::CutToOdd:       up = lost_o && !kept[0];
      default:                   up = 1'b0;
    endcase
  end

  assign kept_o = {1'b0, kept} + (Width + 1)'(up);

endmodule
