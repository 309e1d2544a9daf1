// Dropping low bits of a magnitude by a rule, or by chance: then a random word decides whether what
// is left grows by one.
module assay_shorten #(
  parameter int unsigned     Width         = 25,
  parameter int unsigned     DistanceWidth = 9,
  parameter assay_pkg::cut_e Cut           = assay_pkg::CutTowardZero,
  parameter int unsigned     RandomBits    = 0,  // of a stochastic cut
  localparam int unsigned    RandomWidth   = assay_pkg::larger(RandomBits, 1)
) (
  input  logic [Width-1:0]         magnitude_i,
  input  logic                     negative_i,
  input  logic                     below_i,  // ones lower than any of the magnitude's
  input  logic [DistanceWidth-1:0] distance_i,
  input  logic [RandomWidth-1:0]   random_i,
  output logic [Width:0]           kept_o,
  output logic                     lost_o
);

  logic [Width:0] kept;
  assay_cut #(
    .Width        (Width),
    .DistanceWidth(DistanceWidth),
    .Cut          (Cut)
  ) u_cut (
    .magnitude_i,
    .negative_i,
    .below_i,
    .distance_i,
    .kept_o(kept),
    .lost_o
  );

  if (RandomBits != 0) begin : gen_chance
    logic carry;
    assay_chance #(
      .Width        (Width),
      .DistanceWidth(DistanceWidth),
      .Cut          (Cut),
      .RandomBits   (RandomBits)
    ) u_chance (
      .magnitude_i,
      .distance_i,
      .random_i,
      .carry_o(carry)
    );
    assign kept_o = kept + (Width + 1)'(carry);
  end else begin : gen_steady
    assign kept_o = kept;
    logic unused;
    assign unused = ^random_i;
  end

endmodule
